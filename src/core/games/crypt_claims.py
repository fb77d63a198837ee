"""The claims of one turn of The Crypt as a lazy collection: thousands of moves that are checked without being listed."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from ..rules import Move

EFFORTS = range(1, 7)
Part = tuple[int, int, int]  # (place in the row, effort, dice)


@dataclass(frozen=True, slots=True)
class Claims:
    """Moves ("claim", (place, effort, dice), ...), places ascending: which a seat may make now (C19-C32).

    `beat`: the total to be exceeded at each place that may be claimed; `refused`: why the other places may not.
    `dice`: free dice; `one`: a single treasure only (Lights Out).
    """

    beat: dict[int, int]
    refused: dict[int, str]
    dice: int
    one: bool

    def __iter__(self) -> Iterator[Move]:
        for cards in range(1, (1 if self.one else self.dice) + 1):
            for places in combinations(sorted(self.beat), cards):
                for dice in product(range(1, self.dice + 1), repeat=cards):
                    if sum(dice) <= self.dice:
                        for parts in product(*map(self._parts, places, dice)):
                            yield ("claim", *parts)

    def _parts(self, place: int, dice: int) -> list[Part]:
        return [(place, effort, dice) for effort in EFFORTS if effort * dice > self.beat[place]]

    def __contains__(self, move: object, /) -> bool:
        return self.fault(move) is None

    def fault(self, move: object) -> str | None:
        """Why anything a peer may send is no legal claim (a reason id), or None."""
        if type(move) is not tuple or len(move) < 2 or type(move[0]) is not str or move[0] != "claim":
            return "no-such-move"
        parts = move[1:]
        for part in parts:
            if type(part) is not tuple or len(part) != 3 or not all(type(number) is int for number in part):
                return "no-such-move"
        for place, effort, dice in parts:
            if effort not in EFFORTS:
                return "no-such-effort"
            if dice < 1:
                return "no-dice"
            if place not in self.beat:
                return self.refused.get(place, "no-such-place")
        places = [place for place, _, _ in parts]
        if any(a >= b for a, b in pairwise(places)):
            return "not-in-order"
        if sum(dice for _, _, dice in parts) > self.dice:
            return "not-enough-dice"
        if self.one and len(parts) > 1:
            return "one-treasure-only"
        if any(effort * dice <= self.beat[place] for place, effort, dice in parts):
            return "too-weak"
        return None
