"""Plain data: one encoding for each value, and everything else refused."""

import msgpack
import pytest
from hypothesis import given, strategies as st
from mastaba.core.plain import MAX_DEPTH, BadEncoding, decode, digest, encode, freeze

plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=20,
)


@given(plain)
def test_encode_and_decode_are_a_pair(value):
    assert decode(encode(value)) == value
    assert encode(decode(encode(value))) == encode(value)


@given(st.binary(max_size=60))
def test_any_bytes_are_canonical_or_refused(data):
    try:
        value = decode(data)
    except BadEncoding:
        return
    assert encode(value) == data


@given(plain, st.data())
def test_a_changed_encoding_is_another_value_or_refused(value, data):
    good = encode(value)
    at = data.draw(st.integers(0, len(good) - 1))
    bad = good[:at] + bytes([good[at] ^ data.draw(st.integers(1, 255))]) + good[at + 1 :]
    try:
        other = decode(bad)
    except BadEncoding:
        return
    assert encode(other) == bad != good


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01\x01",  # two values
        b"\xcc\x01",  # a long form of 1
        b"\xd9\x01a",  # a long form of "a"
        b"\xdc\x00\x01\x01",  # a long form of (1,)
        b"\x81\x01\x02",  # a map
        b"\xcb" + bytes(8),  # a float
        b"\xc7\x01\x05a",  # an extension
        b"\xa1\xff",  # not UTF-8
        b"\x92\x01",  # cut short
        b"\xc1",  # never used
        b"\x91" * (MAX_DEPTH + 2) + b"\x01",  # a nesting bomb
        b"\x91" * 100_000,
        b"\xdd\xff\xff\xff\xff",  # four thousand million items
    ],
)
def test_what_is_not_canonical_plain_data_is_refused(data):
    with pytest.raises(BadEncoding):
        decode(data)


def test_a_value_beyond_the_limit_is_refused():
    assert decode(encode(b"x" * 10), limit=12) == b"x" * 10
    with pytest.raises(BadEncoding, match="more than"):
        decode(encode(b"x" * 11), limit=12)


@pytest.mark.parametrize("value", [1.5, {}, set(), object(), (1, {}), (1, (2, 1.0)), bytearray(b"x"), type("Int", (int,), {})(1)])
def test_what_is_no_plain_data_is_not_encoded(value):
    with pytest.raises(TypeError):
        encode(value)


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800"])
def test_what_has_no_encoding_is_a_value_error(value):
    with pytest.raises(ValueError, match=r".+"):
        encode(value)


def test_lists_count_as_tuples():
    assert encode([1, [2]]) == encode((1, (2,))) == msgpack.packb([1, [2]])


def test_freeze_gives_dicts_and_sets_one_order():
    assert freeze({2: {3, 1}, 1: [0]}) == ((1, (0,)), (2, (1, 3)))
    assert freeze({"b": 1, "a": 2}) == freeze({"a": 2, "b": 1})


@given(st.lists(st.binary(), max_size=4), st.lists(st.binary(), max_size=4))
def test_different_parts_have_different_digests(a, b):
    assert (digest(*a) == digest(*b)) == (a == b)
