"""The keys of a match: committed to, proven, bound to match, seat and kind."""

import pytest
from fairtable import MATCH, Table
from hypothesis import given, strategies as st
from mastaba.core.fair import keys
from mastaba.core.fair.group import BASE, BASE_TABLE, Scalar
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from plain_proofs import place, verify as plain_verify
from plain_shuffle import Items

SALT = b"s" * 32


def opened(table, seat=0, **change):
    """A commitment of that seat and the body that opens it; `change` replaces secrets."""
    secrets = keys.Secrets(**{kind: change.get(kind, getattr(table.secrets[seat], kind)) for kind in keys.KINDS})
    body = keys.prove_keys(table.context(seat), secrets, SALT, table.rng)
    return keys.commit(MATCH, seat, secrets.public, SALT), body


def refused(claim, context, body, commitment, taken=()):
    with pytest.raises(BadProof) as caught:
        keys.check_keys(context, body, commitment, taken)
    assert caught.value.claim == claim


def test_good_keys_are_taken(table):
    taken = []
    for seat in range(3):
        commitment, body = opened(table, seat)
        assert len(body) == 416
        taken.append(keys.check_keys(table.context(seat), body, commitment, taken))
    assert taken == table.public


def test_secrets_survive_the_disk(table):
    secrets = table.secrets[0]
    assert keys.Secrets.decode(secrets.encode()) == secrets
    for length in (0, 96, 127, 129, 160):
        with pytest.raises(ValueError, match="not the secrets of a match"):
            keys.Secrets.decode((secrets.encode() * 2)[:length])
    with pytest.raises(ValueError, match="canonical scalar"):
        keys.Secrets.decode(b"\xff" * 128)


def test_secrets_are_not_shown(table):
    assert table.secrets[0].face.encode().hex() not in repr(table.secrets[0])
    assert "face" not in repr(table.secrets[0])


def test_public_keys_are_the_secrets_times_g(table):
    assert [BASE * x for x in table.secrets[1].by_kind()] == list(table.public[1].by_kind())
    assert table.public[1].encode() == b"".join(X.encode() for X in table.public[1].by_kind())


@pytest.mark.parametrize("place", [0, 31, 32, 64, 96, 128, 159])
def test_another_key_or_salt_than_committed_to_is_refused(place, table):
    commitment, body = opened(table)
    edited = bytearray(body)
    edited[place] ^= 2
    refused("commitment-mismatch", table.context(0), bytes(edited), commitment)


def test_a_copied_commitment_cannot_be_opened_by_the_copier_f12(table):
    commitment, body = opened(table, 0)
    refused("commitment-mismatch", table.context(1), body, commitment)


@pytest.mark.parametrize("kind", range(4))
def test_a_rogue_key_without_its_logarithm_is_refused_f10(kind, table):
    """M commits to X - (sum of the others), whose logarithm nobody knows, and sends the best proof it can make."""
    _, body = opened(table)
    rogue = BASE * Scalar.of(99) - table.public[1].by_kind()[kind] - table.public[2].by_kind()[kind]
    points = list(table.public[0].by_kind())
    points[kind] = rogue
    public = keys.PublicKeys(*points)
    edited = body[:32] + public.encode() + body[160:]
    refused("bad-proof", table.context(0), edited, keys.commit(MATCH, 0, public, SALT))


@pytest.mark.parametrize("other", [Context(bytes(32), 5, 0, 0), Context(MATCH, 6, 0, 0), Context(MATCH, 5, 1, 0), Context(MATCH, 5, 0, 2)])
def test_a_proof_of_knowledge_is_of_no_use_elsewhere_f11(other, table):
    _, body = opened(table)
    refused("bad-proof", other, body, keys.commit(other.match, other.seat, table.public[0], SALT))


def test_a_proof_of_knowledge_is_of_no_use_for_another_kind(table):
    """The same key twice would be refused anyway, so the proofs of two kinds change places with their keys."""
    _, body = opened(table)
    face, back, coin, seal = table.public[0].by_kind()
    public = keys.PublicKeys(back, face, coin, seal)
    proofs = body[160:]
    edited = SALT + public.encode() + proofs[64:128] + proofs[:64] + proofs[128:]
    refused("bad-proof", table.context(0), edited, keys.commit(MATCH, 0, public, SALT))


@pytest.mark.parametrize("kind", keys.KINDS)
def test_the_identity_is_no_key(kind, table):
    commitment, body = opened(table, **{kind: Scalar.of(0)})
    refused("identity-key", table.context(0), body, commitment)


def test_equal_keys_of_two_kinds_are_refused(table):
    commitment, body = opened(table, back=table.secrets[0].face)
    refused("equal-keys", table.context(0), body, commitment)


@pytest.mark.parametrize("kind", keys.KINDS)
def test_a_key_equal_to_another_seats_is_refused_in_any_kind(kind, table):
    commitment, body = opened(table, 0, **{kind: table.secrets[1].coin})
    refused("equal-keys", table.context(0), body, commitment, [table.public[1]])
    keys.check_keys(table.context(0), body, commitment, [table.public[2]])


def test_a_key_that_is_no_point_is_refused_even_when_committed_to(table):
    _, body = opened(table)
    encoded = bytes([1]) + bytes(31) + body[64:160]
    commitment = keys._commit(MATCH, 0, encoded, SALT)
    refused("bad-encoding", table.context(0), SALT + encoded + body[160:], commitment)


@given(st.integers(160, 415), st.integers(0, 7))
def test_no_bit_of_the_proofs_can_be_flipped(place, bit):
    table = Table(1)
    commitment, body = opened(table)
    edited = bytearray(body)
    edited[place] ^= 1 << bit
    refused("bad-proof", table.context(0), bytes(edited), commitment)


@pytest.mark.parametrize("edit", [lambda b: b"", lambda b: b[:-1], lambda b: b + b"\0", lambda b: b + b])
def test_another_length_is_refused(edit, table):
    commitment, body = opened(table)
    refused("bad-length", table.context(0), edit(body), commitment)


def test_generated_keys_are_fresh_and_depend_on_all_randomness(rng):
    a, b = keys.Secrets.generate(rng), keys.Secrets.generate(rng)
    assert len({BASE_TABLE.mul(x).encode() for s in (a, b) for x in s.by_kind()}) == 8


def test_the_body_is_as_specified(table):
    commitment, body = opened(table)
    plain = Items("key commitment")
    plain.add(b"b", "match", MATCH)
    plain.number("seat", 0)
    plain.add(b"b", "public", body[32:160])
    plain.add(b"b", "salt", body[:32])
    assert plain.draw("commitment", 32) == commitment
    for i, kind in enumerate(keys.KINDS):
        t = place("key", MATCH, 5, 0, 0)
        t.add(b"b", "kind", kind.encode())
        X = body[32 + 32 * i : 64 + 32 * i]
        assert plain_verify(t, [(X, [(BASE.encode(), 0)])], body[160 + 64 * i : 224 + 64 * i])
