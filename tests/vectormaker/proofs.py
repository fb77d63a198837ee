"""Each kind of proof and of value that is drawn from hashes, with its inputs as JSON: a good one, and bad ones with one failure each."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from mastaba.core.fair import coin, deck, hidden, keys, member, shuffle, team
from mastaba.core.fair.choice_rounds import ChoiceCommitment
from mastaba.core.fair.group import BASE_TABLE, IDENTITY, Point, Scalar
from mastaba.core.fair.proofs import prove
from mastaba.core.fair.transcript import Context
from mastaba.core.plain import encode
from mastaba.core.rules import Statement

from .accusations import flip
from .rows import Expect, Row
from .scribe import Rng, stream
from .tables import as_json

ORDER = 2**252 + 27742317777372353535851937790883648493
ZERO, ONE = Scalar.of(0), Scalar.of(1)
Inputs = dict[str, Any]


def row(name: str, about: str, inputs: Inputs, claim: str | None = None, good: bool = True) -> Row:
    return Row(f"proof/{name}.json", "proof", None, about, as_json(plain(inputs)), Expect(None, good and claim is None, None, claim))


def plain(value: Any) -> Any:
    """As JSON has it: bytes, points and scalars in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Point | Scalar):
        return value.encode().hex()
    if isinstance(value, Context):
        return {"match": value.match.hex(), "step": value.step, "round": value.round, "seat": value.seat}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | frozenset):
        return [plain(one) for one in (sorted(value) if isinstance(value, frozenset) else value)]
    return value


def not_reduced(proof: bytes, at: int = -32) -> bytes:
    """The proof with the order of the group added to one of its scalars: the same number, in another encoding."""
    at %= len(proof)
    return proof[:at] + (int.from_bytes(proof[at : at + 32], "little") + ORDER).to_bytes(32, "little") + proof[at + 32 :]


class Maker:
    """One place in a match, and two seats' keys."""

    def __init__(self, label: str) -> None:
        self.rng: Rng = stream(f"proof {label}")
        self.context = Context(self.rng(32), 7, 1, 2)
        self.own, self.other = keys.Secrets.generate(self.rng), keys.Secrets.generate(self.rng)

    def scalar(self) -> Scalar:
        return Scalar.reduce(self.rng(64))

    def point(self) -> Point:
        return Point.hash(self.rng(64))

    def row(self, joint: Sequence[Point], printed: Sequence[Point]) -> deck.Row:
        r = self.scalar()
        return (BASE_TABLE.mul(r), *(F + P * r for F, P in zip(printed, joint, strict=True)))


def three(
    name: str,
    about: str,
    inputs: Inputs,
    field: str,
    claim: str,
    at: int = -1,
    scalar_at: int | None = -32,
    also: Sequence[tuple[str, str, Inputs]] = (),
) -> Iterator[Row]:
    """The good one, one with a bit changed, one whose last scalar is not reduced, and others."""
    yield row(name, about, inputs)
    yield row(f"{name}-bit", f"{about}: one bit of `{field}` is changed", {**inputs, field: flip(inputs[field], at)}, claim)
    if scalar_at is not None:
        loose = {**inputs, field: not_reduced(inputs[field], scalar_at)}
        yield row(f"{name}-scalar-not-reduced", f"{about}: the last scalar is l too large", loose, claim)
    for word, what, changes in also:
        yield row(f"{name}-{word}", f"{about}: {what}", {**inputs, **changes}, claim)


# -- keys, cards, coins ---------------------------------------------------------------------------------------------------


def set_up() -> Iterator[Row]:
    m = Maker("keys")
    salt, context = m.rng(32), m.context

    def keyed(secrets: keys.Secrets) -> Inputs:
        commitment = keys.commit(context.match, context.seat, secrets.public, salt)
        return {"proof": "keys", "context": context, "commitment": commitment, "keys": keys.prove_keys(context, secrets, salt, m.rng)}

    good = keyed(m.own)
    none = keyed(keys.Secrets(m.own.face, m.own.back, ZERO, m.own.seal))
    same = keyed(keys.Secrets(m.own.face, m.own.back, m.own.face, m.own.seal))
    also = [
        ("identity", "the coin key is the identity, and its proof holds", none),
        ("equal", "the face key is the coin key too, and both proofs hold", same),
        ("another-seat", "made for another seat", {"context": Context(context.match, 7, 1, 3)}),
    ]
    yield from three("keys", "a seat's four keys (section 6.3)", good, "keys", "bad-keys", also=also)
    yield from values(
        "key-commitment",
        "a commitment to keys (6.3)",
        {"proof": "key commitment", "match": context.match, "seat": 2, "public": m.own.public.encode(), "salt": salt},
        "commitment",
        good["commitment"],
    )


def values(name: str, about: str, inputs: Inputs, field: str, value: Any) -> Iterator[Row]:
    """A value that follows from its inputs, and another one."""
    wrong: Any
    if isinstance(value, bytes):
        wrong = flip(value)
    elif isinstance(value, Point):
        wrong = BASE_TABLE.mul(ONE)
    else:
        wrong = (*value[:-1], value[-1] % 6 + 1)
    yield row(name, about, {**inputs, field: value})
    yield row(f"{name}-another", f"{about}: another `{field}`", {**inputs, field: wrong}, good=False)


def cards() -> Iterator[Row]:
    m = Maker("cards")
    a, b, context = m.own.public, m.other.public, m.context
    joint = (a.face + b.face, a.back + b.back)
    data = m.rng(32)
    faces = [deck.printed_point(data, "loot", "face", encode(("mummy", (n,)))) for n in range(3)]
    back = deck.printed_point(data, "loot", "back", encode("red"))
    one = m.row(joint, (faces[0], back))
    about_it = {"context": context, "card": 5, "part": "face", "row": one, "X": a.face}
    printed = {"proof": "printed point", "data": data, "game": "loot", "part": "face", "value": encode(("mummy", (0,)))}
    yield from values("printed-point", "the point of what is printed (6.4)", printed, "point", faces[0])

    share = {"proof": "share", **about_it, "share": deck.make_share(context, 5, "face", one, m.own.face, a.face, m.rng)}
    also = [
        ("another-card", "made for another card", {"card": 6}),
        ("another-part", "made for another part", {"part": "back"}),
        ("no-point", "D is the encoding of no point", {"share": b"\xff" * 32 + share["share"][32:]}),
    ]
    yield from three("share", "a share for all (6.2)", share, "share", "bad-share", also=also)

    def sealed(e: Scalar) -> bytes:
        seal = deck.Seal(BASE_TABLE.mul(e), one[0] * m.own.face + b.seal * e)
        t = deck._seal_transcript(context, 5, "face", 3, one, b.seal)
        return seal.E.encode() + seal.V.encode() + prove(t, deck._seal(one, a.face, b.seal, seal), [m.own.face, e], m.rng)

    seal = {"proof": "seal", **about_it, "reader": 3, "S": b.seal, "seal": sealed(m.scalar())}
    also = [
        ("identity", "E is the identity, and the proof holds", {"seal": sealed(ZERO)}),
        ("another-reader", "made for another reader", {"reader": 4}),
    ]
    yield from three("seal", "a share sealed to a reader (6.2)", seal, "seal", "bad-share", also=also)

    # seat 2, whose keys are `own`, reads the card: the other seat has sealed its share to it
    e = m.scalar()
    given = [deck.Seal(BASE_TABLE.mul(e), one[0] * m.other.face + a.seal * e)]
    secrets, public = (m.own.face, m.own.seal), (a.face, a.seal)

    def opened(face: Point, seals: Sequence[deck.Seal], shares: Sequence[Point]) -> bytes:
        return deck.make_opening(context, 5, "face", one, face, secrets, public, seals, shares, m.rng)

    inputs = {"proof": "opening", **about_it, "S": a.seal, "F": faces[0], "seals": [(s.E, s.V) for s in given], "shares": []}
    good = {**inputs, "opening": opened(faces[0], given, [])}
    also = [("another-face", "opened as another face", {"F": faces[1]})]
    yield from three("opening", "a card opened by its reader alone, under one seal (6.2)", good, "opening", "bad-opening", also=also)
    shares = [one[0] * m.other.face]
    by_share = {**inputs, "seals": [], "shares": shares, "opening": opened(faces[0], [], shares)}
    yield row("opening-by-share", "the same, where the other seat's share is public", by_share)

    H = coin.coin_point(context.match, context.step, context.round, data)
    toss = {"proof": "coin share", "context": context, "digest": data, "X": a.coin}
    toss["share"] = coin.make_coin_share(context, H, m.own.coin, a.coin, m.rng)
    also = [("another-digest", "made under another digest", {"digest": bytes(32)})]
    yield from three("coin-share", "a share of a coin (6.2, 6.4)", toss, "share", "bad-coin", also=also)
    for n, sides in ((1, 6), (3, 2), (20, 6), (1, 65536)):
        D = [m.point() for _ in range(3)]
        found = coin.values(sum(D, IDENTITY), context.match, 7, 1, n, sides)
        told = {"proof": "coin values", "match": context.match, "step": 7, "round": 1, "shares": D, "n": n, "sides": sides}
        yield from itertools.islice(
            values(f"coin-values-{n}-of-{sides}", f"{n} dice of {sides} sides (6.5)", told, "values", found),
            2 if (n, sides) == (20, 6) else 1,
        )

    for parts, N in ((2, 5), (1, 2), (2, 17)):
        P = joint[:parts]
        rows = [m.row(P, (faces[n % 3], back)[:parts]) for n in range(N)]
        out, proof = shuffle.shuffle(context, rows, P, m.rng)
        told = {"proof": "shuffle", "context": context, "P": list(P), "rows": rows, "out": out, "shuffle": proof}
        swapped = [out[1], out[0], *out[2:]]
        also = [
            ("swapped", "two rows of the output have changed places", {"out": swapped}),
            ("same-twice", "one row of the output stands twice", {"out": [out[0], out[0], *out[2:]]}),
            ("identity", "c1 of a row of the output is the identity", {"out": [(IDENTITY, *out[0][1:]), *out[1:]]}),
        ]
        name = f"shuffle-{N}-rows-{parts + 1}-points"
        every = three(name, f"a shuffle of {N} rows of {parts + 1} points (6.6)", told, "shuffle", "bad-shuffle", also=also)
        yield from (every if (parts, N) == (2, 5) else itertools.islice(every, 2))

    move, salt = ("place", 33, 43, 52), m.rng(32)
    table = type("Place", (), {"match": context.match, "step": 7})()
    found = ChoiceCommitment.commitment(table, 2, move, salt)
    told = {"proof": "choice", "match": context.match, "step": 7, "seat": 2, "move": encode(move), "salt": salt}
    yield from values("choice", "a commitment to a choice (5)", told, "commitment", found)


# -- teams and hidden values ----------------------------------------------------------------------------------------------


def teams() -> Iterator[Row]:
    m = Maker("teams")
    context, name = m.context, "hunters"
    a, b = m.own, m.other
    readers = {3: a.public.seal, 4: b.public.seal}
    body, t = team.make_secret(context, name, readers, m.rng)
    T, seals = team.check_secret(context, name, readers, body)
    told = {"proof": "team secret", "context": context, "name": name, "readers": [[seat, S] for seat, S in readers.items()], "secret": body}
    also = [("another-reader", "made for readers in another order", {"readers": [[3, b.public.seal], [4, a.public.seal]]})]
    yield from three("team-secret", "a team's secret, sealed to two readers (9.2)", told, "secret", "bad-team", also=also)
    alone, _ = team.make_secret(context, name, {}, m.rng)
    yield row("team-secret-alone", "the secret of a team of one (9.2)", {**told, "readers": [], "secret": alone})
    seal = {"proof": "team seal", "context": context, "name": name, "T": T, "reader": 3, "E": seals[3].E, "u": seals[3].u, "s": a.seal}
    yield from values("team-seal", "what is sealed to a member, opened with its sealing secret s: t (9.2)", seal, "t", t.encode())

    mine = Context(context.match, 7, 2, 3)
    for right in (True, False):
        u = seals[3].u + ONE if right else seals[3].u
        lodged = team.make_complaint(mine, team.Seal(seals[3].E, u), a.public.seal, a.seal, m.rng)
        told = {
            "proof": "complaint",
            "context": mine,
            "maker": context,
            "name": name,
            "T": T,
            "E": seals[3].E,
            "u": u,
            "S": a.public.seal,
            "complaint": lodged,
        }
        if right:
            yield from three("complaint", "a complaint of a secret that is not t (9.2)", told, "complaint", "false-complaint")
        else:
            yield row("complaint-of-a-right-secret", "a complaint whose proof holds, of a secret that is t (9.2)", told, "false-complaint")

    t2 = m.scalar()
    T2, C = BASE_TABLE.mul(t2), hidden.hide(T, 33, m.scalar())
    told = {
        "proof": "renewal",
        "context": context,
        "name": "h1",
        "old": T,
        "T": T2,
        "C": C,
        "renewal": team.make_renewal(context, "h1", T, T2, t, C, m.rng),
    }
    other = team.make_renewal(context, "h1", T, T2, t, hidden.hide(T, 34, m.scalar()), m.rng)
    yield from three(
        "renewal",
        "a value hidden anew under another key (9.2)",
        told,
        "renewal",
        "bad-renewal",
        also=[("another-value", "of another ciphertext", {"renewal": other})],
    )

    R = m.point()
    H = team.die_point(context.match, 5, 0, R, T, 2)
    place = {"match": context.match, "step": 5, "round": 0, "R": R, "T": T, "i": 2}
    yield from values("die-point", "the point of a hidden die (9.3)", {"proof": "die point", **place}, "H", H)
    die = team.Die(T, H, (1, 2, 3, 4, 5))
    blob = team.make_die(context, 12, die, t, m.rng)
    told = {
        "proof": "die",
        "context": context,
        "handle": 12,
        "T": T,
        "H": H,
        "faces": die.faces,
        "die": blob,
        "face": team.check_die(context, 12, die, blob),
    }
    also = [("another-handle", "shown as another die", {"handle": 13})]
    yield row(
        "die-another-face",
        "a hidden die that is shown (9.3): another face than the point gives",
        {**told, "face": told["face"] % 5 + 1},
        good=False,
    )
    yield from three("die", "a hidden die that is shown (9.3)", told, "die", "bad-die", also=also)


def statements() -> Iterator[Row]:
    m = Maker("statements")
    t = m.scalar()
    T, context = BASE_TABLE.mul(t), m.context
    steps = frozenset((u, v) for u in range(12) for v in range(12) if abs(u - v) == 1)
    cases: dict[str, tuple[str, Statement, dict[str, int], dict[str, int]]] = {
        "one-row": ("new is beside old", Statement(((("old", "new"), steps),)), {"old": 4, "new": 5}, {}),
        "one-line": ("the row's table has one line", Statement(((("old", "new"), frozenset({(4, 5)})),)), {"old": 4, "new": 5}, {}),
        "apart": (
            "new is beside old, and not where h2 is",
            Statement(((("old", "new"), steps),), (), ("h2",)),
            {"old": 4, "new": 5, "h2": 3},
            {},
        ),
        "public-old": (
            "the same from a value that everybody knows",
            Statement(((("old", "new"), steps),), (), ("h2",)),
            {"old": 0, "new": 1, "h2": 9},
            {"old": 0},
        ),
        "one-of-two": (
            "new is one of many values, and either beside old or beside h2, not both",
            Statement(
                (
                    (("old", "new"), frozenset(itertools.product(range(6), range(6)))),
                    (("h2", "new"), frozenset(itertools.product(range(6), range(6)))),
                ),
                ((("old", "new"), frozenset(p for p in steps if max(p) < 6)), (("h2", "new"), frozenset(p for p in steps if max(p) < 6))),
            ),
            {"old": 1, "new": 2, "h2": 5},
            {},
        ),
    }
    for word, (about, claim, secret, public) in cases.items():
        ciphers = {n: hidden.known(public[n]) if n in public else hidden.hide(T, v, m.scalar()) for n, v in secret.items()}
        proof = hidden.prove(context, "h1", T, claim, ciphers, secret, t, m.rng)
        inputs = {"proof": "statement", "context": context, "name": "h1", "T": T, "all_of": claim.all_of, "one_of": claim.one_of}
        told = {**inputs, "apart": claim.apart, "ciphers": ciphers, "statement": proof}
        what = f"hidden values as a rule wants them: {about} (9.4)"
        elsewhere = {"ciphers": {**ciphers, "new": hidden.hide(T, 11, m.scalar())}}
        also = [("another-value", "the ciphertext of another new value", elsewhere)]
        every = three(f"statement-{word}", what, told, "statement", "bad-hidden-move", also=also)
        yield from (every if word == "apart" else itertools.islice(every, 2))


def questions() -> Iterator[Row]:
    m = Maker("questions")
    t = m.scalar()
    T, context = BASE_TABLE.mul(t), m.context
    for v, inside in ((7, (7,)), (7, (3, 7)), (7, (1, 3, 5, 7, 9)), (40, tuple(range(0, 100, 2))), (7, (8,)), (7, (1, 2, 3))):
        C = hidden.hide(T, v, m.scalar())
        yes, proof = hidden.prove_answer(context, "h1", T, C, inside, v, t, m.rng)
        told = {"proof": "question", "context": context, "name": "h1", "T": T, "C": C, "inside": inside, "yes": yes, "answer": proof}
        word = "yes" if yes else "no"
        about = f"is a hidden value one of {len(inside)}: {word} (9.4)"
        also = [("another-list", "of another list", {"inside": tuple(n + 10 for n in inside)})]
        yield from three(f"question-{word}-{len(inside)}", about, told, "answer", "bad-answer", also=also)
    for N in (1, 2, 9, 60):
        entries = hidden.listed(frozenset((3 * n,) for n in range(N))).entries(ONE)
        place = N // 2
        C = hidden.hide(T, 3 * place, m.scalar())
        begin = "statement"
        proof = member.prove(context.transcript(begin), T, C, entries, place, t, m.rng)
        told = {
            "proof": "one out of many",
            "context": context,
            "label": begin,
            "T": T,
            "M": C,
            "entries": [entries[i] for i in range(N)],
            "member": proof,
        }
        also = [("none-of-them", "a ciphertext that hides none of them", {"M": hidden.hide(T, 1, m.scalar())})]
        every = three(f"one-out-of-many-{N}", f"a ciphertext hides one of {N} scalars (9.5)", told, "member", "bad-proof", also=also)
        yield from (row_without_claim(one) for one in every)


def row_without_claim(one: Row) -> Row:
    """By itself it is no contribution, and has no claim."""
    return Row(one.file, one.kind, one.data, one.about, one.content, Expect(None, one.expect.ok))
