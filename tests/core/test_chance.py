"""Uniform choices from bytes: every value possible, none likelier, nothing beyond the bytes."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st
from mastaba.core.chance import below, pick, shuffled


def from_bytes(data: bytes):
    """A source that hands out these bytes and no more."""
    rest = bytearray(data)

    def rng(n: int) -> bytes:
        assert len(rest) >= n, "the source has run dry"
        out = bytes(rest[:n])
        del rest[:n]
        return out

    return rng


@pytest.mark.parametrize("n", [1, 2, 3, 6, 54, 100, 255, 256])
def test_each_value_has_the_same_number_of_bytes(n):
    counts = Counter()
    for byte in range(256):
        rng = from_bytes(bytes([byte, 0]) if n < 256 else bytes([byte, byte]))
        counts[below(rng, n)] += byte < 256 - 256 % n or n == 256
    assert set(counts) == set(range(n))
    assert len(set(counts.values())) == 1


def test_a_byte_that_would_be_a_bias_is_thrown_away():
    assert below(from_bytes(bytes([252, 255, 5])), 6) == 5  # 252 = 42 * 6 is the first that is refused


@given(st.integers(1, 2**70), st.binary(min_size=400, max_size=400))
def test_below_stays_below(n, data):
    rng = from_bytes(data + bytes(2000))
    assert 0 <= below(rng, n) < n


@given(st.lists(st.integers(), max_size=60), st.randoms(use_true_random=False))
def test_a_shuffle_keeps_the_items(items, random):
    assert sorted(shuffled(random.randbytes, items)) == sorted(items)


def test_every_order_of_three_is_equally_likely_over_all_bytes():
    orders = Counter(shuffled(from_bytes(bytes([a, b])), "abc") for a in range(252) for b in range(252))
    assert len(orders) == 6
    assert len(set(orders.values())) == 1


def test_pick_takes_each_item():
    assert {pick(from_bytes(bytes([byte])), "xyz") for byte in range(3)} == {"x", "y", "z"}
