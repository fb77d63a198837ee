"""ristretto255 as RFC 9496 says, checked against its vectors and against libsodium."""

import copy
import hashlib
import json
import pickle
from pathlib import Path

import pytest
import rbcl
from hypothesis import given, settings, strategies as st
from mastaba.core.fair.group import (
    BASE,
    BASE_TABLE,
    IDENTITY,
    Point,
    Scalar,
    Table,
    decode_many,
    encode_many,
    msm,
    msm_vartime,
    mul_many,
)
from plain_shuffle import Sodium

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "ristretto255.json").read_text())
ORDER = 2**252 + 27742317777372353535851937790883648493
REFUSED = [(why, text) for why, texts in VECTORS["refused"].items() for text in texts]

wide = st.binary(min_size=64, max_size=64)
scalars = wide.map(Scalar.reduce)
points = wide.map(Point.hash)
edge_scalars = st.sampled_from([0, 1, 2, 8, 15, 16, 17, 2**64, 2**127, 2**128 - 1, ORDER // 2, ORDER // 2 + 1, ORDER - 17, ORDER - 1])
any_scalars = scalars | edge_scalars.map(Scalar.of) | st.integers(0, 2**128).map(Scalar.of)


def number(s):
    return int.from_bytes(s.encode(), "little")


def naive(Ps, ss):
    total = IDENTITY
    for P, s in zip(Ps, ss, strict=True):
        total = total + P * s
    return total


def test_rfc_9496_multiples_of_the_base_point():
    P = IDENTITY
    for i, text in enumerate(VECTORS["multiples"]):
        assert P.encode().hex() == text
        assert Point.decode(bytes.fromhex(text)) == P == BASE * Scalar.of(i) == BASE_TABLE.mul(Scalar.of(i))
        P = P + BASE


@pytest.mark.parametrize(("why", "text"), REFUSED)
def test_rfc_9496_refused_encodings(why, text):
    data = bytes.fromhex(text)
    with pytest.raises(ValueError, match="not a canonical point"):
        Point.decode(data)
    with pytest.raises(ValueError, match="not a canonical point"):
        decode_many([BASE.encode(), data])


def test_rfc_9496_hash_to_group():
    for text, encoding in VECTORS["texts_to_points"]:
        assert Point.hash(hashlib.sha512(text.encode()).digest()).encode().hex() == encoding


def test_rfc_9496_hash_to_group_of_inputs_that_are_not_reduced():
    same = VECTORS["same_point"]
    assert {Point.hash(bytes.fromhex(text)).encode().hex() for text in same["inputs"]} == {same["point"]}


@pytest.mark.parametrize("bit", range(256))
def test_no_single_bit_of_an_encoding_can_be_flipped_unnoticed(bit):
    data = bytearray(BASE.encode())
    data[bit // 8] ^= 1 << bit % 8
    try:
        P = Point.decode(bytes(data))
    except ValueError:
        return
    assert P != BASE
    assert P.encode() == bytes(data)


@settings(max_examples=300, deadline=None)
@given(st.binary(min_size=32, max_size=32).map(lambda b: bytes([b[0] & 0xFE]) + b[1:31] + bytes([b[31] & 0x7F])))
def test_what_decodes_is_canonical_and_what_libsodium_accepts(data):
    try:
        encoded = Point.decode(data).encode()
    except ValueError:
        encoded = None
    assert encoded in (None, data)
    assert (encoded is not None) == rbcl.crypto_core_ristretto255_is_valid_point(data)


@settings(max_examples=60, deadline=None)
@given(wide, wide)
def test_points_agree_with_libsodium(a, b):
    P, Q = Point.hash(a), Point.hash(b)
    p, q = rbcl.crypto_core_ristretto255_from_hash(a), rbcl.crypto_core_ristretto255_from_hash(b)
    assert encode_many([P, Q]) == [p, q]
    assert (P + Q).encode() == rbcl.crypto_core_ristretto255_add(p, q)
    assert (P - Q).encode() == rbcl.crypto_core_ristretto255_sub(p, q)
    assert (-P + P).is_identity()


@settings(max_examples=60, deadline=None)
@given(wide, scalars)
def test_products_agree_with_libsodium(a, s):
    P = Point.hash(a)
    want = Sodium().mul(P.encode(), number(s))
    assert (P * s).encode() == Table(P).mul(s).encode() == want
    assert (BASE * s).encode() == BASE_TABLE.mul(s).encode() == Sodium().mul_G(number(s))


@settings(max_examples=100, deadline=None)
@given(any_scalars, any_scalars)
def test_scalars_are_integers_modulo_the_order(a, b):
    x, y = number(a), number(b)
    assert number(a + b) == (x + y) % ORDER
    assert number(a - b) == (x - y) % ORDER
    assert number(a * b) == x * y % ORDER
    assert number(-a) == -x % ORDER
    assert (a == b) == (x == y)
    assert a.is_zero() == (x == 0)
    assert Scalar.of(x) == a == Scalar.decode(a.encode()) == Scalar.of(x - 3 * ORDER)
    if x:
        assert number(a.inverse() * a) == 1


def test_zero_has_no_inverse():
    with pytest.raises(ZeroDivisionError):
        Scalar.of(0).inverse()


@given(wide)
def test_reduction_agrees_with_libsodium(data):
    assert Scalar.reduce(data).encode() == rbcl.crypto_core_ristretto255_scalar_reduce(data)


@pytest.mark.parametrize("value", [ORDER, ORDER + 1, 2**253, 2**255, 2**256 - 1])
def test_scalars_of_the_order_and_above_are_refused_f8(value):
    with pytest.raises(ValueError, match="not a canonical scalar"):
        Scalar.decode(value.to_bytes(32, "little"))


def test_the_largest_scalar_is_taken():
    assert number(Scalar.decode((ORDER - 1).to_bytes(32, "little"))) == ORDER - 1


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_wrong_lengths_are_refused(length):
    for refuse in (Point.decode, Scalar.decode, lambda data: decode_many([data])):
        with pytest.raises(ValueError, match="not a canonical"):
            refuse(bytes(length))
    if length != 64:
        for refuse in (Point.hash, Scalar.reduce):
            with pytest.raises(ValueError, match="64 bytes"):
                refuse(bytes(length))


@pytest.mark.parametrize("nonsense", [None, 5, "00" * 32, [0] * 32, BASE])
def test_what_is_not_bytes_is_refused(nonsense):
    for refuse in (Point.decode, Point.hash, Scalar.decode, Scalar.reduce, lambda data: decode_many([data])):
        with pytest.raises(TypeError):
            refuse(nonsense)


def test_an_invalid_point_raises_and_never_counts_as_the_identity_f7():
    with pytest.raises(ValueError, match="not a canonical point"):
        Point.decode(bytes([1]) + bytes(31))


def test_products_that_are_the_identity_are_fine_f9():
    zero = Scalar.of(0)
    assert (BASE * zero).is_identity()
    assert (IDENTITY * Scalar.of(7)).is_identity()
    assert Table(IDENTITY).mul(Scalar.of(7)).is_identity()
    assert BASE_TABLE.mul(zero) == IDENTITY == Point.decode(bytes(32)) == msm([BASE], [zero]) == msm_vartime([BASE], [zero])
    assert IDENTITY.encode() == bytes(32)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(points, any_scalars), max_size=12))
def test_sums_of_products_are_the_naive_sums(terms):
    Ps, ss = [P for P, _ in terms], [s for _, s in terms]
    assert msm(Ps, ss) == msm_vartime(Ps, ss) == naive(Ps, ss)


@pytest.mark.parametrize("n", [95, 150, 151, 200, 700])
def test_long_sums_of_products_are_the_naive_sums(n, table, point):
    Ps = [point(i) for i in range(n - 2)] + [IDENTITY, BASE]
    small = [0, 1, -1, 2**128 - 1, 1 - 2**128, ORDER // 2, 2**252, 2**251]
    ss = [Scalar.of(small[i // 3 % len(small)]) if i % 3 == 0 else table.scalar() for i in range(n)]
    want = naive(Ps, ss)
    assert msm_vartime(Ps, ss) == want
    assert msm(Ps, ss) == want


def test_equal_points_in_one_bucket_add_up(point):
    Ps, ss = [point(0)] * 150, [Scalar.of(5)] * 150
    assert msm_vartime(Ps, ss) == point(0) * Scalar.of(750)
    assert msm_vartime([point(0), -point(0)] * 75, ss).is_identity()


def test_batches_do_one_thing_an_item(table, point):
    Ps, ss = [point(i) for i in range(5)], [table.scalar() for _ in range(5)]
    assert mul_many(Ps, ss) == [P * s for P, s in zip(Ps, ss, strict=True)]
    assert Table(Ps[0]).mul_many(ss) == [Ps[0] * s for s in ss]
    assert decode_many(encode_many(Ps)) == Ps
    assert mul_many([], []) == Table(Ps[0]).mul_many([]) == decode_many([]) == encode_many([]) == []


def test_batches_of_unlike_lengths_or_kinds_are_refused(table, point):
    for batch in (mul_many, msm, msm_vartime):
        with pytest.raises(ValueError, match="as many scalars as points"):
            batch([point(0)], [])
        with pytest.raises(TypeError):
            batch([table.scalar()], [table.scalar()])
        with pytest.raises(TypeError):
            batch([point(0)], [point(0)])
        with pytest.raises(TypeError):
            batch([None], [None])
        with pytest.raises(TypeError):
            batch(None, [table.scalar()])
    with pytest.raises(TypeError):
        encode_many([b""])
    with pytest.raises(TypeError):
        BASE_TABLE.mul_many([3])


def test_points_and_scalars_do_not_mix_with_numbers(table):
    s = table.scalar()
    for wrong in (lambda: s + 1, lambda: s * 2, lambda: s - BASE, lambda: BASE + 1, lambda: BASE * 2, lambda: s * BASE, lambda: BASE - s):
        with pytest.raises(TypeError):
            wrong()
    assert s != number(s)
    assert BASE.encode() != BASE


@pytest.mark.parametrize("value", [Scalar.of(1), BASE, BASE_TABLE])
def test_foreign_attributes_are_refused(value):
    with pytest.raises(AttributeError):
        value.note = 1
    with pytest.raises((AttributeError, TypeError)):
        value.encode = None


def test_nobody_makes_empty_ones():
    for kind in (Scalar, Point):
        with pytest.raises(TypeError):
            kind()
    assert Point.__new__(Point).is_identity()
    assert Scalar.__new__(Scalar).is_zero()


def test_points_are_hashed_copied_and_pickled_by_value():
    P = BASE + BASE
    assert len({P, BASE * Scalar.of(2), Point.decode(P.encode())}) == 1
    assert copy.deepcopy(P) == pickle.loads(pickle.dumps(P)) == P
    assert P.encode().hex() in repr(P)


def test_scalars_are_neither_hashed_nor_pickled_nor_shown():
    s = Scalar.of(12345)
    with pytest.raises(TypeError):
        hash(s)
    with pytest.raises(TypeError):
        pickle.dumps(s)
    with pytest.raises(TypeError):
        copy.copy(s)
    assert "12345" not in repr(s)
    assert s.encode().hex() not in repr(s)
