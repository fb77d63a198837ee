"""One-out-of-many proofs: every place of a list can be proven, nothing else can, and no item of a proof can be changed."""

import struct

import pytest
from fairtable import seeded
from hypothesis import given, strategies as st
from mastaba.core.fair import member, proofs
from mastaba.core.fair.group import BASE_TABLE, IDENTITY, Scalar, ScalarList, subset_sum
from mastaba.core.fair.hidden import hide
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context, Transcript

CONTEXT = Context(bytes(32), 7, 0, 1)
SECRET = Scalar.reduce(bytes(range(64)))
T = BASE_TABLE.mul(SECRET)


def scalars(*values):
    return [Scalar.of(v) for v in values]


def listed(values):
    """The list of these integers, one column."""
    return ScalarList(struct.pack(f"<{len(values)}H", *range(len(values))), [scalars(*values)])


def number(s):
    return int.from_bytes(s.encode(), "little")


def proof_of(values, place, hidden=None, label="test"):
    rng = seeded(f"{values} {place}")
    M = hide(T, values[place] if hidden is None else hidden, Scalar.reduce(rng(64)))
    return M, member.prove(Transcript(label), T, M, listed(values), place, SECRET, rng)


@pytest.mark.parametrize("N", [1, 2, 3, 4, 5, 9, 17, 40])
def test_every_place_of_a_list_can_be_proven_and_all_proofs_of_it_are_equally_long(N):
    values = [3 * i + 1 for i in range(N)]
    for place in range(N):
        M, proof = proof_of(values, place)
        member.verify(Transcript("test"), T, M, listed(values), proof)
        assert len(proof) == member.size(N)


@pytest.mark.parametrize("N", [1, 2, 3, 10, 30])
def test_a_value_outside_the_list_cannot_pass_for_one_inside(N):
    values = list(range(10, 10 + N))
    for place in range(0, N, 3):
        M, proof = proof_of(values, place, hidden=9)
        with pytest.raises(BadProof):
            member.verify(Transcript("test"), T, M, listed(values), proof)


@pytest.mark.parametrize("N", [1, 2, 11])
def test_no_item_of_a_proof_can_be_changed(N):
    values = list(range(N))
    M, proof = proof_of(values, N // 2)
    for at in range(0, len(proof), 32):
        item = Scalar.of(1).encode() if at % 64 else IDENTITY.encode()
        for changed in (bytes([proof[at] ^ 1]) + proof[at + 1 : at + 32], item):
            forged = proof[:at] + changed + proof[at + 32 :]
            with pytest.raises(BadProof):
                member.verify(Transcript("test"), T, M, listed(values), forged)


def test_points_computed_from_a_challenge_that_was_known_before_them_are_refused():
    """With A, B and G_k left out of the challenge, points that fit any responses would prove any value: here 9, of 0 to 3."""
    values, rng = range(4), seeded("known")
    entries, M, (n, m) = listed(list(values)), hide(T, 9, Scalar.reduce(rng(64))), member.shape(4)
    x = member._challenge(Transcript("test"), n, m, [bytes(64 * (m + 1))])
    sent = [[Scalar.reduce(rng(64)) for _ in range(n - 1)] for _ in range(m)]
    f, z, r = [member._summing_to(x, row) for row in sent], Scalar.reduce(rng(64)), Scalar.reduce(rng(64))
    flat = [f_jd for row in f for f_jd in row]
    H, _ = member.generators(n * m)
    B, G_k = IDENTITY, [BASE_TABLE.mul(r), T, *[IDENTITY] * (2 * m - 2)]
    A = sum((H_i * v for H_i, v in zip(H, [*flat, *(v * (x - v) for v in flat)], strict=True)), BASE_TABLE.mul(z))
    zero = member._remainder(M, entries.fold(f), G_k, x, m)
    G_k[1] = G_k[1] + zero[1] - zero[0] * SECRET  # what is too much is moved into G_0
    Z = member._remainder(M, entries.fold(f), G_k, x, m)
    assert Z[1] == Z[0] * SECRET
    points = b"".join(P.encode() for P in (A, B, *G_k))
    responses = b"".join(v.encode() for v in [*(v for row in sent for v in row), z])

    def proof(drawn):
        t = Transcript("test")
        member._challenge(t, n, m, [drawn])
        t.append("responses", responses)
        return points + responses + proofs.prove(t, member.hides_zero(T, Z), [SECRET], rng)

    with pytest.MonkeyPatch.context() as known:
        challenge = member._challenge
        known.setattr(member, "_challenge", lambda t, n, m, _points: challenge(t, n, m, [bytes(64 * (m + 1))]))
        member.verify(Transcript("test"), T, M, entries, proof(points))  # so it would hold, were x not hashed from the points
    for drawn in (points, bytes(64 * (m + 1))):
        with pytest.raises(BadProof):
            member.verify(Transcript("test"), T, M, entries, proof(drawn))


def test_a_proof_is_for_its_list_ciphertext_key_and_transcript_alone():
    values = list(range(20))
    M, proof = proof_of(values, 4)
    other, _ = proof_of(values, 5)
    for transcript, key, cipher, entries in (
        ("test", T, M, [*values[:-1], 77]),
        ("test", T, M, values[:-1]),
        ("test", T, other, values),
        ("test", T + T, M, values),
        ("another", T, M, values),
    ):
        with pytest.raises(BadProof):
            member.verify(Transcript(transcript), key, cipher, listed(entries), proof)
    for length in (0, len(proof) - 1, len(proof) + 1):
        with pytest.raises(BadProof):
            member.verify(Transcript("test"), T, M, listed(values), (proof + bytes(1))[:length])


def test_shapes_hold_the_list_and_give_the_shortest_proof():
    for N in (2, 3, 64, 65, 614, 729, 730, 21600):
        n, m = member.shape(N)
        assert n**m >= N
        assert all(m * (n + 1) <= k * (v + 1) for v in range(2, 17) for k in range(1, 16) if v**k >= N)
    assert member.size(614) == 32 * (3 + 24) + 64
    with pytest.raises(ValueError, match="list of one"):
        member.shape(1)


def folded(entries, digits):
    """The fold, entry by entry in plain integers; the last entry of a level fills it up."""
    now = entries
    for f in digits:
        now = [sum(f[d] * now[min(len(f) * q + d, len(now) - 1)] for d in range(len(f))) for q in range(-(-len(now) // len(f)))]
    return now


@given(st.data())
def test_a_fold_is_the_sum_over_all_places_and_its_polynomial_agrees_with_it(data):
    n = data.draw(st.integers(2, 16))
    values = data.draw(st.lists(st.integers(0, 1 << 250), min_size=1, max_size=60))
    m = 1
    while n**m < len(values):
        m += 1
    masks = [data.draw(st.lists(st.integers(0, 1 << 252), min_size=n, max_size=n)) for _ in range(m)]
    place = data.draw(st.integers(0, len(values) - 1))
    bits = [[int(d == place // n**j % n) for d in range(n)] for j in range(m)]
    x = data.draw(st.integers(0, 1 << 250))
    entries = listed(values)
    digits = [[a + x * b for a, b in zip(*pair, strict=True)] for pair in zip(masks, bits, strict=True)]
    (expected,) = folded(values, digits)
    assert entries.fold([scalars(*f) for f in digits]) == Scalar.of(expected)
    coefficients = entries.fold_polynomials([scalars(*a) for a in masks], [scalars(*b) for b in bits])
    assert Scalar.of(sum(number(c) * x**k for k, c in enumerate(coefficients))) == Scalar.of(expected)
    assert coefficients[m] == Scalar.of(values[place])


@given(st.lists(st.booleans(), max_size=8))
def test_a_subset_sum_takes_the_points_whose_bit_is_one(bits):
    points = [BASE_TABLE.mul(Scalar.of(2**i)) for i in range(len(bits))]
    assert subset_sum(points, scalars(*map(int, bits))) == BASE_TABLE.mul(Scalar.of(sum(2**i for i, bit in enumerate(bits) if bit)))


@pytest.mark.parametrize(
    "digits", [[], [[1, 2]], [[1]], [[1] * 17], [[1, 2], [3]]], ids=["none", "too few", "one value", "too many values", "no digit"]
)
def test_digits_that_do_not_fit_the_list_are_refused(digits):
    entries, given_ = listed([1, 2, 3]), [scalars(*level) for level in digits]
    with pytest.raises(ValueError, match="digit"):
        entries.fold(given_)
    with pytest.raises(ValueError, match="digit"):
        entries.fold_polynomials(given_, given_)


def test_places_that_do_not_fit_the_columns_are_refused():
    for places, columns in ((b"", [scalars(1)]), (b"\0", [scalars(1)]), (b"\1\0", [scalars(1)]), (b"\0\0", []), (b"\0\0", [[]])):
        with pytest.raises(ValueError, match=r"place|column"):
            ScalarList(places, columns)
    assert len(listed([5, 6])) == 2
    with pytest.raises(IndexError):
        listed([5, 6])[2]
