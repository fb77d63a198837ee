"""Identities: which keys count, what a signature is worth, and the words by which people tell keys apart."""

import hashlib
import json
from pathlib import Path

import plain_signature as plain
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, strategies as st
from mastaba.net.identity import Identity, channel_bytes, good_key, holds, verify, words

P = 2**255 - 19
SMALL_ORDER = [  # the eight points of order 1, 2, 4, 8 (RFC 7748 section 7 lists their u), and encodings that are not canonical
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
]


@pytest.mark.parametrize("text", SMALL_ORDER)
def test_keys_of_small_order_are_refused(text: str) -> None:
    assert not good_key(bytes.fromhex(text))


def test_a_key_under_which_one_signature_fits_all_messages_proves_nothing() -> None:
    identity_point = bytes.fromhex(SMALL_ORDER[0])
    forged = identity_point + bytes(32)  # R = the identity, s = 0
    Ed25519PublicKey.from_public_bytes(identity_point).verify(forged, b"whatever")  # the library accepts it: this is the attack
    assert not verify(identity_point, b"label", b"whatever", forged)


VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "ed25519.json").read_text())
REFUSED = {"low_order_A", "low_order_R", "non_canonical_A", "non_canonical_R", "low_order_residue"}  # the last: good with the cofactor only


def test_signatures_hold_as_the_page_s_equation_has_it() -> None:
    """Of small order neither key nor R is taken, of mixed order both; the equation is that without the cofactor."""
    verdicts = []
    for vector in VECTORS:
        key, message, signature = (bytes.fromhex(vector[part]) for part in ("key", "message", "signature"))
        held = holds(key, message, signature)
        assert held == plain.holds(key, message, signature) == (not REFUSED & set(vector["edge"])), vector
        verdicts.append((held, "low_order_component_A" in vector["edge"], "low_order_component_R" in vector["edge"]))
    assert {(True, False, False), (True, True, False), (True, True, True), (False, True, True)} <= set(verdicts)


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["secret"]], ids=range(4))
def test_signatures_are_those_of_rfc_8032(vector: dict[str, str]) -> None:
    secret, key, message, signature = (bytes.fromhex(vector[part]) for part in ("secret", "key", "message", "signature"))
    one = Identity.from_secret(secret)
    assert (one.public, one._key.sign(message)) == (key, signature)
    greater = int.from_bytes(signature[32:], "little") + plain.ORDER  # the same S, but for a multiple of the order
    again = signature[:32] + greater.to_bytes(32, "little")
    for other in (again, signature[:32] + bytes(32), bytes(32) + signature[32:], signature[:63], signature + bytes(1)):
        assert not holds(key, message, other)
        assert len(other) != 64 or not plain.holds(key, message, other)


@pytest.mark.parametrize("twist", range(8))
@pytest.mark.parametrize("of", ["the key", "R"])
def test_a_key_or_r_with_a_part_of_small_order_gets_the_same_verdict_from_all(of: str, twist: int) -> None:
    """Signed for real under A + T, or with R + T, T of small order: what counts is the equation, for us and for the page."""
    T, a, r = plain.SMALL[twist], 5, 77
    A, R = plain.times(a, plain.BASE), plain.times(r, plain.BASE)
    A, R = (plain.add(A, T), R) if of == "the key" else (A, plain.add(R, T))
    key, point, verdicts = plain.encode(A), plain.encode(R), []
    assert good_key(key)
    for n in range(128):
        k = int.from_bytes(hashlib.sha512(point + key + bytes([n])).digest(), "little") % plain.ORDER
        signature = point + ((r + k * a) % plain.ORDER).to_bytes(32, "little")
        left = plain.times(k % 8, T) if of == "the key" else T  # what of T is left in the equation
        verdicts.append(holds(key, bytes([n]), signature))
        assert verdicts[-1] == (left == plain.NEUTRAL)
        if n < 2 or (verdicts[-1] and sum(verdicts) < 3):
            assert plain.holds(key, bytes([n]), signature) == verdicts[-1]
    assert any(verdicts) == (T == plain.NEUTRAL or of == "the key")


def test_a_result_signed_with_r_of_small_order_is_not_signed() -> None:
    """S = k a with R the identity fits the equation, and OpenSSL takes it; libsodium does not."""
    a = 5
    key, point, message = plain.encode(plain.times(a, plain.BASE)), plain.encode(plain.NEUTRAL), b"label\0result"
    k = int.from_bytes(hashlib.sha512(point + key + message).digest(), "little") % plain.ORDER
    signature = point + (k * a % plain.ORDER).to_bytes(32, "little")
    Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    assert not verify(key, b"label", b"result", signature)


@given(st.binary(min_size=32, max_size=32))
def test_a_good_key_is_a_canonical_point(data: bytes) -> None:
    if good_key(data):
        assert int.from_bytes(data, "little") & (2**255 - 1) < P
        Ed25519PublicKey.from_public_bytes(data)


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_keys_of_another_size_are_refused(size: int) -> None:
    assert not good_key(bytes(size))


@given(st.binary(max_size=80), st.binary(max_size=20), st.binary(max_size=70), st.binary(max_size=70))
def test_verify_never_raises(public: bytes, label: bytes, data: bytes, signature: bytes) -> None:
    assert verify(public, label, data, signature) is False


def test_generated_keys_are_good_and_come_back_from_their_secret() -> None:
    for _ in range(50):
        one = Identity.generate()
        assert good_key(one.public)
        assert Identity.from_secret(one.secret).public == one.public


def test_a_signature_is_worth_nothing_under_another_label_key_or_message() -> None:
    one, two = Identity.generate(), Identity.generate()
    signature = one.sign(b"mastaba move", b"data")
    assert verify(one.public, b"mastaba move", b"data", signature)
    assert not verify(one.public, b"mastaba vote", b"data", signature)
    assert not verify(one.public, b"mastaba", b" move\0data", signature)
    assert not verify(two.public, b"mastaba move", b"data", signature)
    assert not verify(one.public, b"mastaba move", b"datb", signature)
    assert not verify(one.public, b"mastaba move", b"data", bytes(64))


def test_words_are_short_pronounceable_and_differ() -> None:
    seen = {words(Identity.generate().public) for _ in range(40)}
    assert len(seen) == 40
    for text in seen:
        parts = text.split("-")
        assert len(parts) == 4
        assert all(len(part) == 5 and part.isalpha() and part.isascii() and part.islower() for part in parts)


def test_words_stay_the_same_for_ever() -> None:
    assert words(bytes(32)) == words(bytes(32)) == WORDS_OF_ZERO


WORDS_OF_ZERO = "majoh-jutim-ranub-vonav"  # a change would tell everybody that all their friends have new keys


@pytest.mark.parametrize("change", range(6))
def test_the_signed_channel_covers_each_of_its_parts(change: int) -> None:
    parts = ["client", b"c" * 32, b"s" * 32, b"1" * 32, b"2" * 32, b"3" * 32]
    other = list(parts)
    other[change] = "server" if change == 0 else b"x" * 32
    assert channel_bytes(*parts) != channel_bytes(*other)  # type: ignore[arg-type]
