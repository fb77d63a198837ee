"""Hidden values: what a Statement says can be proven when it holds, and by no means when it does not."""

from itertools import product

import pytest
from fairtable import seeded
from mastaba.core.errors import LocalError
from mastaba.core.fair import hidden, member
from mastaba.core.fair.group import BASE_TABLE, IDENTITY, Scalar
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from mastaba.core.rules import Statement

CONTEXT = Context(bytes(32), 7, 1, 2)
RNG = seeded("hidden")
SECRET = Scalar.reduce(RNG(64))
T = BASE_TABLE.mul(SECRET)
LINE = range(6)  # squares in a row
STEPS = frozenset((u, v) for u, v in product(LINE, LINE) if abs(u - v) == 1)
MOVE = Statement(all_of=((("old", "new"), STEPS),), apart=("h2",))


def slides(others):
    """The arrow on a row of squares: to the end, or to the square before the nearest other."""
    clear, stops, full = set(), set(), set()
    for u, v in product(LINE, LINE):
        if u == v:
            continue
        way = range(u + 1, v + 1) if v > u else range(v, u)
        after = v + (1 if v > u else -1)
        for w in LINE:
            if w == u or w in way:
                continue
            clear.add((u, v, w))
            if w == after:
                stops.add((u, v, w))
            if after not in LINE:
                full.add((u, v, w))
    return Statement(
        all_of=tuple((("old", "new", other), frozenset(clear)) for other in others),
        one_of=tuple((("old", "new", other), frozenset(stops | (full if other == others[0] else set()))) for other in others),
    )


def ciphers_of(values):
    return {name: hidden.hide(T, v, Scalar.reduce(RNG(64))) for name, v in values.items()}


def proven(statement, values, pretended=None, ciphers=None):
    """(ciphers of the values, proof for the pretended ones)."""
    ciphers = ciphers or ciphers_of(values)
    return ciphers, hidden.prove(CONTEXT, "h1", T, statement, ciphers, {**values, **(pretended or {})}, SECRET, RNG)


def check(statement, ciphers, proof, context=CONTEXT, name="h1", key=T):
    hidden.check(context, name, key, statement, ciphers, proof)


def refused(statement, ciphers, proof, **kwargs):
    with pytest.raises(BadProof):
        check(statement, ciphers, proof, **kwargs)


def test_every_legal_move_is_proven_and_every_proof_is_equally_long():
    sizes = set()
    for (u, v), w in product(sorted(STEPS), LINE):
        if v != w:
            ciphers, proof = proven(MOVE, {"old": u, "new": v, "h2": w})
            check(MOVE, ciphers, proof)
            sizes.add(len(proof))
    assert sizes == {hidden.claim_of(MOVE).size}


@pytest.mark.parametrize(("old", "new"), [(0, 0), (0, 2), (5, 0)])
def test_a_move_of_a_wrong_distance_is_refused(old, new):
    refused(MOVE, *proven(MOVE, {"old": old, "new": new, "h2": 3}, {"new": 1 if old == 0 else 4}))


def test_ending_on_another_is_refused(monkeypatch):
    values = {"old": 2, "new": 3, "h2": 3}
    with pytest.raises(ZeroDivisionError):
        proven(MOVE, values)
    honest = hidden._prove_difference
    monkeypatch.setattr(hidden, "_prove_difference", lambda t, K, Delta, d, s, rng: honest(t, K, Delta, Scalar.of(1), s, rng))
    refused(MOVE, *proven(MOVE, values))


def forged(rho):
    """A jump from 0 to nowhere near: with rho known, the new value is chosen so that the sum is that of the line (4, 5)."""
    u, line = 0, (4, 5)
    v = Scalar.of(line[1]) + Scalar.of(line[0] - u) * rho.inverse()
    r = Scalar.reduce(RNG(64))
    new = BASE_TABLE.mul(r), BASE_TABLE.mul(v) + T * r
    return {**ciphers_of({"old": u}), "new": new}, {"old": line[0], "new": line[1]}


def test_rho_known_before_the_new_position_is_a_free_forgery(monkeypatch):
    statement, rho = Statement(all_of=((("old", "new"), STEPS),)), Scalar.of(10**30)
    ciphers, pretended = forged(rho)
    with monkeypatch.context() as known:
        known.setattr(hidden, "_rho", lambda transcript, bits: rho)
        _, proof = proven(statement, {}, pretended, ciphers)
        check(statement, ciphers, proof)  # so it would be, were rho not hashed from the new ciphertext
    refused(statement, *proven(statement, {}, pretended, ciphers))


def test_rho_depends_on_every_ciphertext_of_the_statement_the_bits_among_them(monkeypatch):
    seen = []
    draw = hidden._rho
    monkeypatch.setattr(hidden, "_rho", lambda transcript, bits: seen.append(draw(transcript, bits)) or seen[-1])
    statement = slides(("h2", "h3"))
    values = {"old": 0, "new": 2, "h2": 3, "h3": 5}
    ciphers, proof = proven(statement, values)
    for name in (*values, None):
        changed = dict(ciphers)
        if name:
            changed[name] = hidden.hide(T, values[name], Scalar.reduce(RNG(64)))
            refused(statement, changed, proof)
        else:
            again = hidden.encode_cipher(hidden.hide(T, 1, Scalar.of(5)))
            refused(statement, changed, again + proof[64:])
    assert len({rho.encode() for rho in seen}) == len(seen) == 6


def test_the_arrow_is_proven_exactly_where_the_rule_allows_it():
    """By brute force over a row of squares with two others: the hidden bits add up to one if, and only if, the slide stops rightly."""
    statement, legal = slides(("h2", "h3")), 0
    for u, v, w, x in product(LINE, repeat=4):
        if len({u, w, x}) < 3:
            continue
        values = {"old": u, "new": v, "h2": w, "h3": x}
        stops = {s for s in range(u, -1, -1) if s != u and not {w, x} & set(range(s, u)) and (s == 0 or s - 1 in (w, x))}
        stops |= {s for s in LINE if s > u and not {w, x} & set(range(u + 1, s + 1)) and (s == 5 or s + 1 in (w, x))}
        assert statement.holds(values) == (v in stops)
        if v in stops and legal < 12:
            legal += 1
            check(statement, *proven(statement, values))
    assert legal == 12


@pytest.mark.parametrize(
    ("new", "pretended"),
    [(1, {"new": 2}), (2, {"h2": 4}), (5, {"new": 2}), (0, {"old": 1})],
    ids=["stopped for nothing", "with the other elsewhere", "over the other", "from elsewhere"],
)
def test_a_false_slide_is_refused(new, pretended):
    statement = slides(("h2", "h3"))
    values = {"old": 0, "new": new, "h2": 3, "h3": 5}
    if "h2" in pretended:
        values["h2"], pretended = 4, {"h2": 3}
    refused(statement, *proven(statement, values, pretended))


def test_bits_that_do_not_add_up_to_one_are_refused():
    """All rows of the first kind hold, and no stop explains the end: no bit, or both, cannot pass for one."""
    statement = slides(("h2", "h3"))
    stopped_by_nobody = {"old": 0, "new": 1, "h2": 4, "h3": 5}
    refused(statement, *proven(statement, stopped_by_nobody))
    both = Statement(all_of=statement.all_of, one_of=((statement.one_of[0]), (statement.one_of[1][0], statement.all_of[1][1])))
    refused(both, *proven(both, {"old": 0, "new": 2, "h2": 3, "h3": 5}))


def test_no_item_of_a_proof_can_be_changed():
    for statement, values in (
        (MOVE, {"old": 2, "new": 3, "h2": 5}),
        (slides(("h2", "h3")), {"old": 0, "new": 2, "h2": 3, "h3": 5}),
    ):
        ciphers, proof = proven(statement, values)
        check(statement, ciphers, proof)
        for at in range(0, len(proof), 32):
            refused(statement, ciphers, proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :])
        for data in (proof[:-1], proof + b"\0", b"", bytes(len(proof)), b"\xff" * len(proof)):
            refused(statement, ciphers, data)


def test_a_proof_holds_in_its_place_for_its_statement_alone():
    ciphers, proof = proven(MOVE, {"old": 2, "new": 3, "h2": 5})
    for context in (Context(bytes(32), 8, 1, 2), Context(bytes(32), 7, 0, 2), Context(bytes(32), 7, 1, 1), Context(b"\1" * 32, 7, 1, 2)):
        refused(MOVE, ciphers, proof, context=context)
    refused(MOVE, ciphers, proof, name="h3")
    refused(MOVE, ciphers, proof, key=T + T)
    fewer = Statement(all_of=((("old", "new"), STEPS - {(0, 1)}),), apart=("h2",))
    turned = Statement(all_of=((("new", "old"), STEPS),), apart=("h2",))
    for statement in (fewer, turned, Statement(all_of=MOVE.all_of), Statement(all_of=MOVE.all_of, apart=("old",))):
        refused(statement, ciphers, proof)


def test_values_that_everybody_knows_take_part():
    ciphers = {"old": hidden.known(2), "h2": hidden.known(1), **ciphers_of({"new": 3})}
    check(MOVE, *proven(MOVE, {"old": 2, "new": 3, "h2": 1}, ciphers=ciphers))
    refused(MOVE, *proven(MOVE, {"old": 2, "new": 5, "h2": 1}, {"new": 3}, {**ciphers, **ciphers_of({"new": 5})}))


@pytest.mark.parametrize("inside", [(4,), (4, 1), (0, 1, 2, 3, 4)])
def test_questions_are_answered_truly_or_not_at_all(inside):
    for v in LINE:
        C = hidden.hide(T, v, Scalar.reduce(RNG(64)))
        yes, proof = hidden.prove_answer(CONTEXT, "h1", T, C, inside, v, SECRET, RNG)
        assert yes == (v in inside)
        hidden.check_answer(CONTEXT, "h1", T, C, inside, yes, proof)
        lie = 5 if yes else inside[0]
        said, forged_ = hidden.prove_answer(CONTEXT, "h1", T, C, inside, lie, SECRET, RNG)
        assert said != yes
        for answer, data in ((said, forged_), (not yes, proof)):
            with pytest.raises(BadProof):
                hidden.check_answer(CONTEXT, "h1", T, C, inside, answer, data)
        for at in range(0, len(proof), 32):
            with pytest.raises(BadProof):
                hidden.check_answer(CONTEXT, "h1", T, C, inside, yes, proof[:at] + bytes([proof[at] ^ 1]) + proof[at + 1 :])
        for context, name, squares in ((Context(bytes(32), 8, 1, 2), "h1", inside), (CONTEXT, "h2", inside), (CONTEXT, "h1", (9, *inside))):
            with pytest.raises(BadProof):
                hidden.check_answer(context, name, T, C, squares, yes, proof)


def test_a_ciphertext_must_be_masked():
    good = hidden.encode_cipher(hidden.hide(T, 3, Scalar.of(9)))
    assert hidden.encode_cipher(hidden.decode_cipher(good)) == good
    for data in (good[:-1], good + b"\0", IDENTITY.encode() + good[32:], b"\xff" * 64):
        with pytest.raises(BadProof, match="bad-cipher"):
            hidden.decode_cipher(data)
    with pytest.raises(LocalError, match="none of those"):
        hidden.uncover(SECRET, hidden.decode_cipher(good), (1, 2))


def test_statements_that_cannot_be_proven_are_the_rules_own_fault():
    free = Statement(all_of=((("old", "h2"), STEPS),))
    loose = Statement(all_of=((("old", "new"), STEPS),), one_of=((("new", "h2"), STEPS),))
    for statement in (free, loose, Statement(), Statement(all_of=((("new",), frozenset()),)), Statement(all_of=((("new",), {(-1,)}),))):
        with pytest.raises(LocalError):
            hidden.claim_of(Statement(tuple((n, frozenset(t)) for n, t in statement.all_of), statement.one_of, statement.apart))


def test_where_nothing_is_allowed_every_proof_is_bad():
    """A die that cannot be played may be announced all the same: that is its seat's fault, and ends nobody's program."""
    statement = Statement(all_of=((("old", "new"), frozenset()),))
    for proof in (b"", bytes(64)):
        refused(statement, ciphers_of({"old": 1, "new": 2}), proof)


def test_a_list_is_found_line_by_line():
    table = frozenset({(3, 1), (0, 70), (3, 0), (256, 1)})
    lines = sorted(table)
    listed = hidden.listed(table)
    assert (len(listed), listed.width, listed.most) == (4, 2, (256, 70))
    assert [listed.place(line) for line in lines] == [0, 1, 2, 3]
    assert [number(listed.entries(Scalar.of(1000))[i]) for i in range(4)] == [u + 1000 * v for u, v in lines]
    with pytest.raises(ValueError, match="no such line"):
        listed.place((3, 2))
    marked = hidden.listed(table, frozenset({(3, 0)}))
    assert marked.place((3, 0, 1)) == 1
    assert marked.digest != listed.digest
    assert member.size(4) == len(proven(Statement(all_of=((("new", "old"), table),)), {"new": 3, "old": 1})[1])


def number(s):
    return int.from_bytes(s.encode(), "little")
