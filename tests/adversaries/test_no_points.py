"""Bytes that are no point or scalar, or a point that must not be, wherever one is said: all refuse it and name the seat (F6 to F9)."""

from typing import Any

import pytest
from adversaries.rounds import assert_caught

NONE = {
    "not a point": bytes([1]) + bytes(31),
    "not canonical": b"\xff" * 31 + b"\x7f",
    "the identity": bytes(32),
}
POINTS = {  # where a body of this kind of round has a point: which item, and from which byte on
    "KeyProof": (0, 32),
    "ShuffleTurn": (0, 0),
    "Shares": (0, 0),
    "Coin": (0, 0),
    "TeamSecret": (0, 0),
    "TeamCoin": (0, 0),
    "TeamRenewal": (0, 0),
}
SCALARS = {"Chain Opening": -32, "KeyProof": -32, "ShuffleTurn": -32, "Shares": -32, "Coin": -32, "TeamSecret": -32, "TeamRenewal": -32}
ORDER = (2**252 + 27742317777372353535851937790883648493).to_bytes(32, "little")


def put(body: Any, what: bytes, at: int, item: int = 0) -> Any:
    """The body with these bytes at that place of one of its items; at a negative place: of its last bytes."""
    if type(body[item]) is tuple:
        return (*body[:item], put(body[item], what, at, len(body[item]) - 1), *body[item + 1 :])
    data = body[item]
    at %= len(data)
    return (*body[:item], data[:at] + what + data[at + len(what) :], *body[item + 1 :])


@pytest.mark.parametrize("what", NONE)
@pytest.mark.parametrize("kind", POINTS)
def test_what_is_no_point_names_its_seat(kind: str, what: str) -> None:
    item, at = POINTS[kind]
    assert_caught(kind, lambda table, body, rng: put(body, NONE[what], at, item), None)


@pytest.mark.parametrize("kind", SCALARS)
def test_a_scalar_that_is_not_below_the_order_names_its_seat(kind: str) -> None:
    item = 1 if kind == "ShuffleTurn" else 0
    assert_caught(kind, lambda table, body, rng: put(body, ORDER, SCALARS[kind], item), None)


def another_length(body: Any, by: int, item: int) -> Any:
    """The body with the last byte of that item gone, or one more behind it; of an item that is a list, of its last bytes."""
    if type(body[item]) is tuple:
        return (*body[:item], another_length(body[item], by, len(body[item]) - 1), *body[item + 1 :])
    data = body[item]
    return (*body[:item], data[:-1] if by < 0 else data + bytes(1), *body[item + 1 :])


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("kind", ["KeyCommitment", *SCALARS, "TeamCoin", "ChoiceCommitment", "ChoiceOpening", "Asking"])
def test_another_length_is_another_shape_wherever_bytes_are_said(kind: str, by: int) -> None:
    """Whatever it would prove: "bad-body", before any proof is looked at."""
    if kind == "ShuffleTurn":
        assert_caught(kind, lambda table, body, rng: another_length(body, by, 0), "bad-body")
    assert_caught(kind, lambda table, body, rng: another_length(body, by, -1 % len(body)), "bad-body")
