"""What collections of The Crypt are worth under the collectors in play, and between which bounds when values are hidden.

It knows treasures and numbers, no turn and no seat's secrets: what a caller knows of the values is an argument.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .crypt_data import TYPES

Parts = tuple[tuple[str, int], ...]  # ("coins", 23), then a collector's type or "dice" with its points, where there are any

POTTERY = {2: 2, 3: 4}  # side A; four and more: FOUR_POTTERY
FOUR_POTTERY = 8
FIRST_IDOLS, LATER_IDOLS = 5, 2
DEAR_MANUSCRIPT = 4
MANY_REMAINS = 10
MOST_TAPESTRIES = 5
LONE_TAPESTRIES, SHARED_TAPESTRIES = 7, 4


@dataclass(frozen=True, slots=True)
class Holding:
    """What one seat has: the values of its treasures by type, free dice, and whether it has the first reward for Idols."""

    values: Mapping[str, Sequence[int]]
    dice: int = 0
    first: bool = False

    def of(self, kind: str) -> Sequence[int]:
        return self.values.get(kind, ())


def tally(sides: Mapping[str, str], holdings: Sequence[Holding]) -> tuple[Parts, ...]:
    """Each seat's points by where they come from (C70-C94); `sides` gives "a" or "b" for each type of treasure."""
    return tuple(_parts(sides, holding, holdings) for holding in holdings)


def total(parts: Parts) -> int:
    """The sum of the points."""
    return sum(points for _, points in parts)


def _parts(sides: Mapping[str, str], mine: Holding, all_: Sequence[Holding]) -> Parts:
    coins = sum(sum(mine.of(kind)) for kind in TYPES)
    bonuses = ((kind, _BONUS[kind, sides[kind]](mine.of(kind), mine, all_)) for kind in TYPES)
    return (("coins", coins), *((kind, points) for kind, points in (*bonuses, ("dice", mine.dice)) if points))


def _idol_b(values: Sequence[int], mine: Holding, all_: Sequence[Holding]) -> int:
    if mine.first:
        return FIRST_IDOLS
    return LATER_IDOLS if len(values) >= 2 else 0


def _tapestry_a(values: Sequence[int], mine: Holding, all_: Sequence[Holding]) -> int:
    most = max(sum(holding.of("tapestry")) for holding in all_)
    return MOST_TAPESTRIES if sum(values) == most > 0 else 0


def _tapestry_b(values: Sequence[int], mine: Holding, all_: Sequence[Holding]) -> int:
    if len(values) < 3:
        return 0
    return LONE_TAPESTRIES if sum(len(holding.of("tapestry")) >= 3 for holding in all_) == 1 else SHARED_TAPESTRIES


_BONUS: dict[tuple[str, str], Callable[[Sequence[int], Holding, Sequence[Holding]], int]] = {
    ("idol", "a"): lambda values, *_: 0,
    ("idol", "b"): _idol_b,
    ("jewelry", "a"): lambda values, *_: max(values) if len(values) >= 2 else 0,
    ("jewelry", "b"): lambda values, *_: len(values),
    ("manuscript", "a"): lambda values, *_: sum(DEAR_MANUSCRIPT - v for v in values) if len(values) >= 2 else 0,
    ("manuscript", "b"): lambda values, *_: 0,
    ("pottery", "a"): lambda values, *_: FOUR_POTTERY if len(values) >= 4 else POTTERY.get(len(values), 0),
    ("pottery", "b"): lambda values, *_: 0,
    ("remains", "a"): lambda values, *_: 0,
    ("remains", "b"): lambda values, *_: MANY_REMAINS if len(values) >= 4 else 0,
    ("tapestry", "a"): _tapestry_a,
    ("tapestry", "b"): _tapestry_b,
}


@dataclass(frozen=True, slots=True)
class Known:
    """A Holding of which some values (None) are not known."""

    values: Mapping[str, Sequence[Any]]
    dice: int = 0
    first: bool = False

    def guess(self, left: Mapping[str, Sequence[int]], dear: bool) -> Holding:
        """With the cheapest or dearest values that are left in the place of the unknown ones; `left` is sorted."""
        values = {}
        for kind, known in self.values.items():
            missing = sum(value is None for value in known)
            rest = left.get(kind, ())
            filled = rest[len(rest) - missing :] if dear else rest[:missing]
            values[kind] = [*(value for value in known if value is not None), *filled]
        return Holding(values, self.dice, self.first)


def bounds(sides: Mapping[str, str], known: Sequence[Known], left: Mapping[str, Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """(least, most) points of each seat if the game ended now; `left`: the values not seen, by type.

    More coins never cost a seat points, and help nobody else: the least is one's cheapest values against the dearest of the others.
    """
    cheap = [holding.guess(left, dear=False) for holding in known]
    dear = [holding.guess(left, dear=True) for holding in known]

    def points(seat: int, mine: Sequence[Holding], others: Sequence[Holding]) -> int:
        holdings = [mine[s] if s == seat else other for s, other in enumerate(others)]
        return total(tally(sides, holdings)[seat])

    return tuple((points(seat, cheap, dear), points(seat, dear, cheap)) for seat in range(len(known)))


def unseen(cards: Iterable[tuple[str, int]], seen: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    """The values by type, sorted, of all `cards` without those already `seen`."""
    left: dict[str, list[int]] = {}
    for kind, value in sorted((Counter(cards) - Counter(seen)).elements()):
        left.setdefault(kind, []).append(value)
    return left
