"""Proofs of linear statements: complete, sound against every edit, and of one encoding."""

import pytest
from fairtable import seeded
from hypothesis import given, settings, strategies as st
from mastaba.core.fair.group import BASE, IDENTITY, Scalar
from mastaba.core.fair.proofs import BadProof, Linear, prove, verify
from mastaba.core.fair.transcript import Transcript
from plain_proofs import verify as plain_verify
from plain_shuffle import Items

ORDER = 2**252 + 27742317777372353535851937790883648493


def two_witnesses(table, point):
    """X = x G, V = x P + e Q."""
    x, e, P, Q = table.scalar(), table.scalar(), point("P"), point("Q")
    return Linear(((BASE * x, ((BASE, 0),)), (P * x + Q * e, ((P, 0), (Q, 1))))), [x, e]


def test_a_good_proof_is_taken_and_has_its_size(table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    proof = prove(Transcript("t"), statement, witnesses, rng)
    assert len(proof) == 96
    verify(Transcript("t"), statement, proof)


def test_a_wrong_witness_proves_nothing(table, point, rng):
    statement, (x, e) = two_witnesses(table, point)
    for wrong in ([e, x], [x + Scalar.of(1), e], [x, Scalar.of(0)]):
        with pytest.raises(BadProof):
            verify(Transcript("t"), statement, prove(Transcript("t"), statement, wrong, rng))


def test_every_item_of_the_statement_is_bound_f2(table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    proof = prove(Transcript("t"), statement, witnesses, rng)
    (X, row_1), (V, ((P, _), (Q, _))) = statement.rows
    edits = [
        Linear(((X + BASE, row_1), statement.rows[1])),
        Linear((statement.rows[0], (V + BASE, statement.rows[1][1]))),
        Linear((statement.rows[0], (V, ((P + BASE, 0), (Q, 1))))),
        Linear((statement.rows[0], (V, ((P, 0), (Q + BASE, 1))))),
        Linear((statement.rows[0], (V, ((P, 1), (Q, 0))))),
        Linear((statement.rows[0], (V, ((Q, 1), (P, 0))))),
        Linear(statement.rows[::-1]),
        Linear((statement.rows[1],)),
        Linear((*statement.rows, statement.rows[0])),
        Linear((*statement.rows, (IDENTITY, ((IDENTITY, 0),)))),
    ]
    for edit in edits:
        with pytest.raises(BadProof):
            verify(Transcript("t"), edit, proof)
    for edit in ("T", "t2"):
        with pytest.raises(BadProof):
            verify(Transcript(edit), statement, proof)


@pytest.mark.parametrize("last", ["image", "base", "T"])
def test_what_is_chosen_after_the_challenge_is_refused_f1_f2(last, table, point):
    """With one of these left out of the challenge this cheat, who knows no logarithm, would prove anything.

    It draws the challenge over something else in that place, or over no T at all, and then finds what fits.
    """
    image, base, T, s = point("image"), point("P"), point("T"), table.scalar()
    t = Transcript("t")
    Linear(((image, ((base, 0),)),)).append_to(t)
    if last != "T":
        t.append_point("T", T)
    c = t.challenge("c")
    if last == "image":
        image = (base * s - T) * c.inverse()
    elif last == "base":
        base = (T + image * c) * s.inverse()
    assert last == "T" or base * s - image * c == T
    with pytest.raises(BadProof):
        verify(Transcript("t"), Linear(((image, ((base, 0),)),)), c.encode() + s.encode())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 96 * 8 - 1))
def test_no_bit_of_a_proof_can_be_flipped(bit):
    x = Scalar.of(77)
    statement = Linear(((BASE * x, ((BASE, 0),)), (BASE * x, ((BASE, 1),))))
    proof = bytearray(prove(Transcript("t"), statement, [x, x], seeded(1)))
    proof[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadProof):
        verify(Transcript("t"), statement, bytes(proof))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_same_scalar_in_another_encoding_is_refused_f8(place, table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    proof = prove(Transcript("t"), statement, witnesses, rng)
    item = int.from_bytes(proof[32 * place : 32 * place + 32], "little")
    for same in (item + ORDER, item + 2**255):
        edited = proof[: 32 * place] + same.to_bytes(32, "little") + proof[32 * place + 32 :]
        with pytest.raises(BadProof):
            verify(Transcript("t"), statement, edited)


@pytest.mark.parametrize("edit", [lambda p: b"", lambda p: p[:-1], lambda p: p + b"\0", lambda p: p[:-32], lambda p: p + bytes(32)])
def test_another_length_is_refused(edit, table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    with pytest.raises(BadProof, match="length"):
        verify(Transcript("t"), statement, edit(prove(Transcript("t"), statement, witnesses, rng)))


@given(st.binary(max_size=200))
def test_garbage_is_refused_and_nothing_else_is_raised_f21(data):
    with pytest.raises(BadProof):
        verify(Transcript("t"), Linear(((BASE, ((BASE, 0),)),)), data)


def test_zero_witnesses_and_identity_images_are_statements_like_others_f9(rng):
    statement = Linear(((IDENTITY, ((BASE, 0),)), (IDENTITY, ((IDENTITY, 0),))))
    verify(Transcript("t"), statement, prove(Transcript("t"), statement, [Scalar.of(0)], rng))


def test_two_proofs_of_one_statement_share_no_nonce(table, point):
    statement, witnesses = two_witnesses(table, point)
    a, b = (prove(Transcript("t"), statement, witnesses, seeded(seed)) for seed in (1, 2))
    assert a[:32] != b[:32]
    assert prove(Transcript("t"), statement, witnesses, seeded(1)) == a


def test_the_prover_wants_one_witness_an_index(table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    with pytest.raises(ValueError, match="one witness an index"):
        prove(Transcript("t"), statement, witnesses[:1], rng)


def test_a_plain_verifier_written_from_the_specification_agrees(table, point, rng):
    statement, witnesses = two_witnesses(table, point)
    proof = prove(Transcript("t"), statement, witnesses, rng)
    rows = [(image.encode(), [(base.encode(), index) for base, index in terms]) for image, terms in statement.rows]
    assert plain_verify(Items("t"), rows, proof)
    assert not plain_verify(Items("u"), rows, proof)
    assert not plain_verify(Items("t"), rows[::-1], proof)
