"""Section 9 of docs/protocol.md is exact: a verifier written from the page agrees with the product on good proofs and on spoilt ones."""

import plain_hidden as plain
import pytest
from fairtable import seeded
from mastaba.core.fair import hidden, team
from mastaba.core.fair.group import BASE_TABLE, Point, Scalar
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from mastaba.core.games.pyramid_moves import statement
from pyramidtable import BOARD

WHERE = bytes(range(32)), 7, 1, 2
CONTEXT = Context(*WHERE)
RNG = seeded("specified")
SECRET = Scalar.reduce(RNG(64))
T = BASE_TABLE.mul(SECRET)
MUMMY = BOARD.dungeon


def points(C):
    return tuple(P.encode() for P in C)


def spoilt(proof):
    """The proof with a bit changed, here and there, in points and in scalars, in its first and last bytes."""
    return [
        proof[:i] + bytes([proof[i] ^ 1]) + proof[i + 1 :] for i in sorted({0, len(proof) - 32, *range(0, len(proof), 1 + len(proof) // 7)})
    ]


def agrees(product, page, proof):
    """Both take the proof, and both refuse every spoilt one."""
    product(proof)
    assert page(proof)
    for bad in spoilt(proof):
        with pytest.raises(BadProof):
            product(bad)
        try:
            assert not page(bad)
        except (ValueError, TypeError, AssertionError, RuntimeError):  # what is no point is no proof
            continue


CASES = {
    "a number, alone": (2, None, {"old": "d4", "new": "d6"}, ()),
    "a number, past another": (3, None, {"old": "d4", "h2": "i4"}, ("h2",)),
    "a number from the start": (4, "start", {"h2": "i4"}, ("h2",)),
    "the arrow, alone": (5, None, {"old": "d4"}, ()),
    "the arrow and another": (5, None, {"old": "d4", "h2": "i4"}, ("h2",)),
    "the arrow and two others": (5, None, {"old": "d4", "h2": "i4", "h3": "b5"}, ("h2", "h3")),
    "the arrow and two others, from the start": (5, "start", {"h2": "i4", "h3": "b5"}, ("h2", "h3")),
}


@pytest.mark.parametrize("case", CASES)
def test_hidden_moves_are_as_specified(case):
    face, origin, squares, others = CASES[case]
    public = BOARD.start if origin else None
    claim = statement(BOARD, face, MUMMY, public, others)
    values = {name: BOARD.named(square) for name, square in squares.items()}
    if public is not None:
        values["old"] = public
    new = next(v for v in hidden.values_of(claim) if claim.holds({**values, "new": v}))
    values.setdefault("new", new)
    ciphers = {name: hidden.hide(T, v, Scalar.reduce(RNG(64))) for name, v in values.items()}
    if public is not None:
        ciphers["old"] = hidden.known(public)
    proof = hidden.prove(CONTEXT, "h1", T, claim, ciphers, values, SECRET, RNG)
    encoded = {name: points(C) for name, C in ciphers.items()}

    def page(data):
        return plain.statement(WHERE, "h1", T.encode(), claim.all_of, claim.one_of, claim.apart, encoded, data)

    if len(claim.one_of) > 1 or max(len(table) for _, table in claim.all_of) > 2000:
        hidden.check(CONTEXT, "h1", T, claim, ciphers, proof)
        assert page(proof)  # long lists are slow here
    else:
        agrees(lambda data: hidden.check(CONTEXT, "h1", T, claim, ciphers, data), page, proof)


@pytest.mark.parametrize(("square", "inside"), [(5, (5,)), (5, (4, 5)), (5, (9,)), (5, (9, 4))])
def test_answers_are_as_specified(square, inside):
    C = hidden.hide(T, square, Scalar.reduce(RNG(64)))
    yes, proof = hidden.prove_answer(CONTEXT, "h1", T, C, inside, square, SECRET, RNG)
    assert yes == (square in inside)
    agrees(
        lambda data: hidden.check_answer(CONTEXT, "h1", T, C, inside, yes, data),
        lambda data: plain.answer(WHERE, "h1", T.encode(), points(C), inside, yes, data),
        proof,
    )


def test_the_secret_and_its_seals_are_as_specified():
    s = {seat: Scalar.reduce(RNG(64)) for seat in (1, 3)}
    readers = {seat: BASE_TABLE.mul(key) for seat, key in s.items()}
    body, t = team.make_secret(CONTEXT, "hunters", readers, RNG)
    good, made, seals = plain.secret(WHERE, "hunters", {seat: S.encode() for seat, S in readers.items()}, body)
    assert good
    assert made == BASE_TABLE.mul(t).encode()
    for seat, key in s.items():
        mine = int.from_bytes(key.encode(), "little")
        assert plain.opened(WHERE, "hunters", made, seat, seals[seat], mine) == int.from_bytes(t.encode(), "little")


def test_dice_are_as_specified():
    R = Point.hash(RNG(64))
    for i in range(5):
        H = team.die_point(*WHERE[:3], R, T, i)
        assert H.encode() == plain.die_point(*WHERE[:3], R.encode(), T.encode(), i)
        die = team.Die(T, H, (1, 2, 3, 4, 5))
        body = team.make_die(CONTEXT, 40 + i, die, SECRET, RNG)
        face = plain.shown_die(WHERE, 40 + i, T.encode(), H.encode(), die.faces, body)
        assert face == team.check_die(CONTEXT, 40 + i, die, body) == team.die_face(die, H * SECRET)
        assert plain.shown_die(WHERE, 41 + i, T.encode(), H.encode(), die.faces, body) is None
