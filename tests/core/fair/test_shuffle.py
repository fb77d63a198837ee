"""Shuffles: honest ones verify, every edit is refused by the batched and by the plain verifier, and orders are uniform."""

import pytest
from fairtable import MATCH, Table, seeded
from hypothesis import given, settings, strategies as st
from mastaba.core.fair import deck, shuffle
from mastaba.core.fair.group import BASE, IDENTITY, Point, Scalar
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.shuffle import remask
from mastaba.core.fair.transcript import Context
from plain_shuffle import Sodium, generator, recompute, verify as plain_verify

ORDER = 2**252 + 27742317777372353535851937790883648493
CARDS = [(b"cup", b"green"), (b"crown", b"green"), (b"ring", b"red"), (b"cup", b"blue"), (b"scarab", b"blue")]
N, K = len(CARDS), 3


def row_of(points):
    return tuple(P.encode() for P in points)


def encoded(rows):
    return [row_of(row) for row in rows]


def number(s):
    return int.from_bytes(s.encode(), "little")


def verdicts(table, rows, out, proof, context=None, joint=None):
    """What the batched and the plain verifier say; they must agree."""
    context, joint = context or table.context(0), joint or table.joint
    try:
        shuffle.verify(context, rows, out, joint, proof)
        ours = True
    except BadProof:
        ours = False
    place = (context.match, context.step, context.round, context.seat)
    plain = plain_verify(place, encoded(rows), encoded(out), [P.encode() for P in joint], proof)
    assert ours == plain
    return ours


class Shuffled:
    """One honest shuffle, made once: a good proof to be edited."""

    table = Table(2)
    rows = table.rows(CARDS)
    out, proof = shuffle.shuffle(table.context(0), rows, table.joint, table.rng)


GOOD = Shuffled()


def edited(out=None, proof=None, rows=None, **change):
    return verdicts(GOOD.table, rows or GOOD.rows, out or GOOD.out, proof or GOOD.proof, **change)


def items(proof):
    return [proof[i : i + 32] for i in range(0, len(proof), 32)]


def contents(table, rows):
    parts = ("face", "back")[: len(rows[0]) - 1]
    return sorted(tuple(table.open(row, part).encode() for part in parts) for row in rows)


@pytest.mark.parametrize("n", [2, 3, 12])
@pytest.mark.parametrize("k", [2, 3])
def test_an_honest_shuffle_verifies_and_keeps_the_cards(n, k, table):
    values = [(str(i % 5).encode(), str(i % 3).encode()) for i in range(n)]
    rows, joint = table.rows(values, k), table.joint[: k - 1]
    out, proof = shuffle.shuffle(table.context(1), rows, joint, table.rng)
    assert len(proof) == 32 * (5 * n + k + 7)
    assert verdicts(table, rows, out, proof, table.context(1), joint)
    assert contents(table, out) == contents(table, rows)
    assert not set(encoded(rows)) & set(encoded(out))


def test_the_first_shuffle_starts_from_public_rows(table):
    rows = [deck.first_row(table.printed("face", face), table.printed("back", back)) for face, back in CARDS]
    out, proof = shuffle.shuffle(table.context(0), rows, table.joint, table.rng)
    assert verdicts(table, rows, out, proof)
    assert contents(table, out) == contents(table, rows)


def test_a_proof_of_54_cards_with_backs_is_at_most_nine_thousand_bytes(table):
    rows = table.rows([(str(i).encode(), b"green") for i in range(54)])
    out, proof = shuffle.shuffle(table.context(0), rows, table.joint, table.rng)
    assert len(proof) == 8960
    shuffle.verify(table.context(0), rows, out, table.joint, proof)


def test_equal_cards_go_through_a_shuffle(table):
    rows = table.rows([(b"cup", b"green")] * 3)
    out, proof = shuffle.shuffle(table.context(0), rows, table.joint, table.rng)
    assert verdicts(table, rows, out, proof)
    assert len({table.open(row, "face") for row in out}) == 1


@pytest.mark.parametrize("place", range(5 * N + K + 7))
def test_no_item_of_a_proof_can_be_flipped_f1(place):
    data = bytearray(GOOD.proof)
    data[32 * place] ^= 2
    assert not edited(proof=bytes(data))


@pytest.mark.parametrize("place", range(3 * N + 3 + K))
def test_no_point_of_a_proof_can_be_another_point_f1(place):
    listed = items(GOOD.proof)
    listed[place] = (Point.decode(listed[place]) + BASE).encode()
    assert not edited(proof=b"".join(listed))


@pytest.mark.parametrize("place", range(3 * N + 3 + K, 5 * N + K + 7))
def test_no_response_can_be_another_scalar_or_another_encoding_f8(place):
    for shift in (1, ORDER, 2**255):
        listed = items(GOOD.proof)
        listed[place] = (int.from_bytes(listed[place], "little") + shift).to_bytes(32, "little")
        assert not edited(proof=b"".join(listed))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(GOOD.proof) * 8 - 1))
def test_no_bit_of_a_proof_can_be_flipped(bit):
    data = bytearray(GOOD.proof)
    data[bit // 8] ^= 1 << bit % 8
    assert not edited(proof=bytes(data))


@pytest.mark.parametrize("size", [0, 1, 31, 32, len(GOOD.proof) - 32, len(GOOD.proof) - 1])
def test_no_proof_can_be_cut(size):
    assert not verdicts(GOOD.table, GOOD.rows, GOOD.out, GOOD.proof[:size])


@pytest.mark.parametrize("tail", [b"\0", bytes(32), bytes(160)])
def test_no_proof_can_be_extended(tail):
    assert not edited(proof=GOOD.proof + tail)


@given(st.binary(max_size=2000) | st.binary(min_size=len(GOOD.proof), max_size=len(GOOD.proof)))
def test_garbage_is_refused_and_nothing_else_is_raised_f21(data):
    with pytest.raises(BadProof):
        shuffle.verify(GOOD.table.context(0), GOOD.rows, GOOD.out, GOOD.table.joint, data)


@pytest.mark.parametrize("same", ["identity", "base"])
def test_points_of_one_value_everywhere_are_refused(same):
    points = {"identity": bytes(32), "base": BASE.encode()}[same]
    scalars = 2 * N + 4
    assert not edited(proof=points * (3 * N + 3 + K) + bytes(32 * scalars))


@pytest.mark.parametrize("part", [0, 1, 2])
@pytest.mark.parametrize(("first", "second"), [(0, 1), (3, 2)])
def test_two_output_rows_cannot_be_traded_against_each_other_f2(part, first, second):
    """out_1 += s'_2 X, out_2 -= s'_1 X keeps the one equation that sees the outputs; only the challenge stops it."""
    s_prime = [Scalar.decode(item) for item in items(GOOD.proof)[-N:]]
    X = GOOD.table.printed("face", b"crown")
    out = [list(row) for row in GOOD.out]
    out[first][part] = out[first][part] + X * s_prime[second]
    out[second][part] = out[second][part] - X * s_prime[first]
    check = sum((row[part] * s for row, s in zip(out, s_prime, strict=True)), IDENTITY)
    assert check == sum((row[part] * s for row, s in zip(GOOD.out, s_prime, strict=True)), IDENTITY)
    assert not edited(out=[tuple(row) for row in out])


def rotate(rows):
    return [*rows[1:], rows[0]]


def test_responses_cannot_be_fitted_to_the_weights_of_the_batch(monkeypatch):
    """s_1 += w_2, s_2 -= w_1 keeps the weighted sum: the weights must change with the responses."""
    drawn = {}
    draw = shuffle._short_scalars

    def spy(transcript, label, n):
        drawn[label] = draw(transcript, label, n)
        return drawn[label]

    monkeypatch.setattr(shuffle, "_short_scalars", spy)
    shuffle.verify(GOOD.table.context(0), GOOD.rows, GOOD.out, GOOD.table.joint, GOOD.proof)
    w_1, w_2 = drawn["weights"][:2]
    listed, first = items(GOOD.proof), 3 * N + 3 + K
    listed[first] = (Scalar.decode(listed[first]) + w_2).encode()
    listed[first + 1] = (Scalar.decode(listed[first + 1]) - w_1).encode()
    assert not edited(proof=b"".join(listed))


def test_commitments_computed_from_a_challenge_that_was_known_before_them_are_refused_f1(monkeypatch):
    """With t left out of the challenge, t that fits any responses would prove any output: here a deck of one card five times."""
    t, out = GOOD.table, [remasked(GOOD.table, GOOD.rows[0]) for _ in range(N)]
    H_0, H = shuffle.generators(N)
    c, c_hat = ([BASE * t.scalar() for _ in range(N)] for _ in range(2))
    nothing = shuffle.Commitments(IDENTITY, IDENTITY, IDENTITY, [IDENTITY] * K, [IDENTITY] * N)
    transcript = shuffle._statement(t.context(0), GOOD.rows, out, t.joint)
    u, honest = shuffle._challenge_u(transcript, c), shuffle._challenge
    challenge = honest(transcript, c_hat, nothing)
    s = {name: number(t.scalar()) for name in ("s_1", "s_2", "s_3", "s_4")} | {
        name: [number(t.scalar()) for _ in u] for name in ("s_hat", "s_prime")
    }
    plain = {"H_0": H_0.encode(), "H": row_of(H), "keys": row_of(t.joint), "rows": encoded(GOOD.rows), "out": encoded(out)}
    v = recompute(Sodium(), **plain, c=row_of(c), c_hat=row_of(c_hat), s=s, u=[number(x) for x in u], challenge=number(challenge))
    fitted = [v["t_1"], v["t_2"], v["t_3"], *v["t_4"], *v["t_hat"]]
    responses = [s["s_1"], s["s_2"], s["s_3"], s["s_4"], *s["s_hat"], *s["s_prime"]]
    proof = b"".join([*row_of(c), *row_of(c_hat), *fitted, *(n.to_bytes(32, "little") for n in responses)])
    with monkeypatch.context() as known:
        known.setattr(shuffle, "_challenge", lambda transcript, c_hat, t: honest(transcript, c_hat, nothing))
        shuffle.verify(t.context(0), GOOD.rows, out, t.joint, proof)  # so it would hold, were the challenge not hashed from t
    assert not edited(out=out, proof=proof)


EDITS = {
    "a duplicated card f13": lambda t, out: [out[0], remasked(t, out[0]), *out[2:]],
    "a replaced card f13": lambda t, out: [t.rows([(b"crown", b"green")])[0], *out[1:]],
    "a card of another deck f13": lambda t, out: [tuple(P + BASE for P in out[0]), *out[1:]],
    "faces traded between two cards f13": lambda t, out: [(out[0][0], out[1][1], out[0][2]), (out[1][0], out[0][1], out[1][2]), *out[2:]],
    "backs traded between two cards f13": lambda t, out: [(*out[0][:2], out[1][2]), (*out[1][:2], out[0][2]), *out[2:]],
    "two rows traded after the proof": lambda t, out: [out[1], out[0], *out[2:]],
    "all rows moved by one after the proof": lambda t, out: rotate(out),
    "a row re-masked after the proof": lambda t, out: [remasked(t, out[0]), *out[1:]],
    "only c1 changed": lambda t, out: [(out[0][0] + BASE, *out[0][1:]), *out[1:]],
    "one card too few f13": lambda t, out: out[:-1],
    "one card too many f13": lambda t, out: [*out, t.rows([(b"cup", b"green")])[0]],
    "no card": lambda t, out: [],
    "a row without its back": lambda t, out: [out[0][:2], *out[1:]],
    "a row with one more part": lambda t, out: [(*out[0], BASE), *out[1:]],
    "the identity as c1": lambda t, out: [(IDENTITY, *out[0][1:]), *out[1:]],
    "a repeated c1": lambda t, out: [(out[1][0], *out[0][1:]), *out[1:]],
    "nothing shuffled": lambda t, out: GOOD.rows,
}


def remasked(table, row):
    (out,) = remask([row], table.joint, [0], [table.scalar()])
    return out


@pytest.mark.parametrize("name", EDITS)
def test_the_output_cannot_be_edited(name):
    assert not verdicts(GOOD.table, GOOD.rows, EDITS[name](GOOD.table, GOOD.out), GOOD.proof)


@pytest.mark.parametrize("name", ["a duplicated card f13", "a replaced card f13", "backs traded between two cards f13", "nothing shuffled"])
def test_a_prover_who_lies_about_the_output_has_no_proof(name, monkeypatch):
    """The cheat runs the honest prover over an output that is no shuffle: everything fits but the last equations."""
    monkeypatch.setattr(shuffle, "remask", lambda *args: EDITS[name](GOOD.table, remask(*args)))
    out, proof = shuffle.shuffle(GOOD.table.context(0), GOOD.rows, GOOD.table.joint, seeded(name))
    assert not verdicts(GOOD.table, GOOD.rows, out, proof)


def test_a_prover_whose_matrix_is_no_permutation_has_no_proof(monkeypatch):
    """One card twice, another never, with commitments to match."""
    monkeypatch.setattr(shuffle, "draw_permutation", lambda n, rng: [0, 0, *range(2, n)])
    out, proof = shuffle.shuffle(GOOD.table.context(0), GOOD.rows, GOOD.table.joint, seeded("twice"))
    assert contents(GOOD.table, out) != contents(GOOD.table, GOOD.rows)
    assert not verdicts(GOOD.table, GOOD.rows, out, proof)


@pytest.mark.parametrize("wanted", ["identity", "repeated", "neither"])
def test_a_true_proof_of_rows_with_an_open_or_repeated_c1_is_refused(wanted, table, monkeypatch):
    """The cheat knows the randomness of the first rows, r G, and re-masks by what takes it away, or makes two c1 equal."""
    r = [table.scalar() for _ in range(3)]
    rows = [(BASE * r_i, table.printed("face", b"cup") + table.joint[0] * r_i) for r_i in r]
    r_prime = [table.scalar() for _ in range(3)]
    if wanted == "identity":
        r_prime[0] = -r[0]
    elif wanted == "repeated":
        r_prime[1] = r[0] + r_prime[0] - r[1]
    chosen = iter(r_prime)
    monkeypatch.setattr(shuffle, "draw_permutation", lambda n, rng: list(range(n)))

    def rng(n):
        return next(chosen).encode() + bytes(32) if n == 64 else table.rng(n)

    out, proof = shuffle.shuffle(table.context(0), rows, table.joint[:1], rng)
    assert (len({row[0] for row in out} - {IDENTITY}) == 3) == (wanted == "neither")
    if wanted == "neither":
        assert verdicts(table, rows, out, proof, joint=table.joint[:1])
    else:
        with pytest.raises(BadProof, match="c1 repeated or the identity"):
            shuffle.verify(table.context(0), rows, out, table.joint[:1], proof)
        assert not verdicts(table, rows, out, proof, joint=table.joint[:1])


def test_the_input_rows_and_their_order_are_bound_f2():
    for part in range(K):
        row = list(GOOD.rows[0])
        row[part] = row[part] + BASE
        assert not edited(rows=[tuple(row), *GOOD.rows[1:]])
    assert not edited(rows=rotate(GOOD.rows))
    assert not verdicts(GOOD.table, GOOD.out, GOOD.rows, GOOD.proof)


def test_the_keys_are_bound_f2():
    face, back = GOOD.table.joint
    for joint in ([back, face], [face, back + BASE], [face + BASE, back], [face, face]):
        assert not edited(joint=joint)


@pytest.mark.parametrize(
    "context",
    [Context(bytes(32), 5, 0, 0), Context(MATCH, 6, 0, 0), Context(MATCH, 5, 1, 0), Context(MATCH, 5, 0, 1), Context(MATCH, 0, 5, 0)],
)
def test_a_proof_is_of_no_use_elsewhere_f11_f22(context):
    assert edited()
    assert not edited(context=context)


def test_two_shuffles_of_one_deck_have_nothing_in_common():
    out, proof = shuffle.shuffle(GOOD.table.context(0), GOOD.rows, GOOD.table.joint, seeded("another"))
    assert not {P for row in encoded(out) for P in row} & {P for row in encoded(GOOD.out) for P in row}
    assert not set(items(proof)) & set(items(GOOD.proof))


def test_with_broken_randomness_the_nonces_still_differ_from_deck_to_deck():
    """All bytes zero, so the order and the re-masking repeat; what hides them must not."""
    proofs = [shuffle.shuffle(GOOD.table.context(0), rows, GOOD.table.joint, bytes)[1] for rows in (GOOD.rows, rotate(GOOD.rows))]
    assert not set(items(proofs[0])) & set(items(proofs[1]))


def test_generators_come_from_public_labels_f5():
    H_0, H = shuffle.generators(60)
    assert [P.encode() for P in (H_0, *H)] == [generator(i) for i in range(61)]
    assert len({H_0, *H, BASE, IDENTITY}) == 63


def test_fewer_than_two_rows_are_our_own_mistake(table, rng):
    rows = table.rows(CARDS[:1])
    with pytest.raises(ValueError, match="two rows"):
        shuffle.shuffle(table.context(0), rows, table.joint, rng)
    with pytest.raises(ValueError, match="two rows"):
        shuffle.verify(table.context(0), rows, rows, table.joint, b"")


def test_a_permutation_is_one(rng):
    for n in (1, 2, 3, 54):
        assert sorted(shuffle.draw_permutation(n, rng)) == list(range(n))


def test_orders_of_a_small_deck_are_uniform_f14():
    """Chi-square over the 24 orders of 4 cards: 23 degrees of freedom, 49.7 is passed once in a thousand; the seed is fixed."""
    rng, counts, runs = seeded("chi-square"), {}, 4800
    for _ in range(runs):
        order = tuple(shuffle.draw_permutation(4, rng))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert sum((count - runs / 24) ** 2 / (runs / 24) for count in counts.values()) < 49.7


def test_words_at_the_biased_end_are_drawn_again_f14():
    words = iter([0xFFFFFFFF, 0xFFFFFFFF, 1, 1])  # 2^32 - 1 is the largest multiple of 3
    assert shuffle.draw_permutation(3, lambda n: next(words).to_bytes(n, "big")) == [0, 2, 1]
    assert next(words, None) is None


def test_positions_after_a_whole_shuffle_are_uniform(table):
    """Where the first of three cards goes: 2 degrees of freedom, 13.8 is passed once in a thousand; the seed is fixed."""
    rows, counts = table.rows([(b"1", b"x"), (b"2", b"x"), (b"3", b"x")]), [0, 0, 0]
    first = table.printed("face", b"1")
    for _ in range(150):
        out, _proof = shuffle.shuffle(table.context(0), rows, table.joint, table.rng)
        counts[[table.open(row, "face") for row in out].index(first)] += 1
    assert sum((count - 50) ** 2 / 50 for count in counts) < 13.8
