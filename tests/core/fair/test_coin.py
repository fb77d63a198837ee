"""Coins of all seats: right shares only, uniform values, and nothing that two tosses share."""

import pytest
from fairtable import MATCH
from hypothesis import given, strategies as st
from mastaba.core.fair import coin
from mastaba.core.fair.group import BASE, IDENTITY, Point, Scalar
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from plain_proofs import place, verify as plain_verify
from plain_shuffle import Items

H = coin.coin_point(MATCH, 4, 0, b"so far")


def share(table, seat, point=H):
    return coin.make_coin_share(table.context(seat), point, table.secrets[seat].coin, table.public[seat].coin, table.rng)


def check(table, seat, data, context=None, point=H):
    return coin.check_coin_share(context or table.context(seat), point, table.public[seat].coin, data)


def test_all_seats_get_the_same_values_from_any_order_of_shares(table):
    D = [check(table, seat, share(table, seat)) for seat in range(3)]
    joint = sum((s.coin for s in table.secrets), Scalar.of(0))
    assert sum(D, IDENTITY) == sum(D[::-1], IDENTITY) == H * joint


def test_a_toss_has_a_point_of_its_own():
    tosses = [
        (MATCH, 4, 0, b"so far"),
        (bytes(32), 4, 0, b"so far"),
        (MATCH, 5, 0, b"so far"),
        (MATCH, 4, 1, b"so far"),
        (MATCH, 4, 0, b""),
    ]
    assert len({coin.coin_point(*toss) for toss in tosses}) == len(tosses)


def test_a_share_of_another_key_or_toss_or_seat_is_refused(table):
    data = share(table, 1)
    check(table, 1, data)
    for refused in (
        lambda: check(table, 2, data),
        lambda: check(table, 1, data, point=coin.coin_point(MATCH, 4, 0, b"another fork")),
        lambda: check(table, 1, data, context=Context(bytes(32), 5, 0, 1)),
        lambda: check(table, 1, data, context=Context(MATCH, 6, 0, 1)),
        lambda: check(table, 1, data, context=Context(MATCH, 5, 1, 1)),
        lambda: check(table, 1, data, context=Context(MATCH, 5, 0, 0)),
        lambda: check(table, 1, (H * table.scalar()).encode() + data[32:]),
        lambda: check(table, 1, coin.make_coin_share(table.context(1), H, table.scalar(), table.public[1].coin, table.rng)),
    ):
        with pytest.raises(BadProof):
            refused()


@given(st.binary(max_size=100))
def test_garbage_is_refused_and_nothing_else_is_raised_f21(data):
    with pytest.raises(BadProof):
        coin.check_coin_share(Context(MATCH, 1, 0, 0), H, BASE, data)


def test_a_share_that_is_no_point_is_refused_f7(table):
    with pytest.raises(BadProof, match="bad-coin"):
        check(table, 1, bytes([1]) + bytes(31) + share(table, 1)[32:])


@given(st.integers(0, 40), st.integers(1, 1 << 16))
def test_values_are_dice_of_that_many_sides(n, sides):
    drawn = coin.values(BASE, MATCH, 1, 0, n, sides)
    assert len(drawn) == n
    assert all(1 <= value <= sides for value in drawn)
    assert drawn == coin.values(BASE, MATCH, 1, 0, n, sides)


@pytest.mark.parametrize("sides", [0, -1, (1 << 16) + 1])
def test_impossible_dice_are_refused(sides):
    with pytest.raises(ValueError, match="sides"):
        coin.values(BASE, MATCH, 1, 0, 1, sides)


def test_values_depend_on_everything():
    tosses = [(BASE, MATCH, 1, 0), (IDENTITY, MATCH, 1, 0), (BASE, bytes(32), 1, 0), (BASE, MATCH, 2, 0), (BASE, MATCH, 1, 1)]
    drawn = {coin.values(*toss, 20, 6) for toss in tosses} | {coin.values(*tosses[0], 20, 5), coin.values(*tosses[0], 21, 6)[:20]}
    assert len(drawn) == len(tosses) + 2


def test_values_are_uniform():
    """Chi-square of 12,000 dice: 5 degrees of freedom, 20.5 is passed once in a thousand; the values here never change."""
    counts = [0] * 6
    for value in coin.values(BASE, MATCH, 1, 0, 12_000, 6):
        counts[value - 1] += 1
    assert sum((count - 2_000) ** 2 / 2_000 for count in counts) < 20.5


def test_values_are_as_specified():
    """Words at or above the largest multiple of the sides are passed over."""
    n, sides = 500, 3 << 14
    plain = Items("coin values")
    plain.number("version", 1)
    plain.add(b"b", "match", MATCH)
    plain.number("step", 1)
    plain.number("round", 0)
    plain.add(b"p", "total", BASE.encode())
    plain.number("n", n)
    plain.number("sides", sides)
    limit, words = 2**32 - 2**32 % sides, []
    while len(words) < n:
        block = plain.draw("block", 64)
        words += [w for w in (int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)) if w < limit]
    assert coin.values(BASE, MATCH, 1, 0, n, sides) == tuple(1 + w % sides for w in words[:n])


def test_points_and_shares_are_as_specified(table):
    plain = Items("coin point")
    plain.number("version", 1)
    plain.add(b"b", "match", MATCH)
    plain.number("step", 4)
    plain.number("round", 0)
    plain.add(b"b", "digest", b"so far")
    assert Point.hash(plain.draw("H", 64)) == H
    data, X = share(table, 1), table.public[1].coin.encode()
    assert plain_verify(place("coin", MATCH, 5, 0, 1), [(X, [(BASE.encode(), 0)]), (data[:32], [(H.encode(), 0)])], data[32:])
