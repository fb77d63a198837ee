"""A sensible player of Scarabya: points now, and what each placement leaves to be won with the tiles that may come.

It sees one seat's view, never more.  Sites do not touch each other, so what others do does not matter to it.
"""

from collections.abc import Sequence

from ..chance import Rng
from ..games.grid import beside, closed, mask_of, placements
from ..games.scarabya import LOT, Scarabya
from ..rules import ChooseAll, Move
from ..view import View

WIDTH = 10  # placements that are looked at again, with the tiles that may come next
OPEN = 1.3  # what an open scarab in a space that has not scored is worth while rounds are left to enclose it
COVERED_LATER = 0.35  # the share of the next round's best that counts: it may be beaten, or spoilt by what comes before


def decide(view: View, moves: Sequence[Move], rng: Rng) -> Move:
    """The move with the highest value in points; the first of equals.  A site is laid by lot: all have the same."""
    game, request = view.rules, view.asked()
    assert isinstance(game, Scarabya)
    if not isinstance(request, ChooseAll):
        return LOT
    assert view.seat is not None
    mind = Mind(game, view.seat)
    ranked = sorted(((mind.value(mask_of(move[1:])), -i) for i, move in enumerate(moves)), reverse=True)[:WIDTH]
    best = max(ranked, key=lambda each: (each[0] + mind.next_best(mask_of(moves[-each[1]][1:])), each[1]))
    return moves[-best[1]]


class Mind:
    """One decision: the seat's site as masks, and the tiles that are still to come."""

    def __init__(self, game: Scarabya, seat: int) -> None:
        self.free, self.tiles, self.scarabs = game.free(seat), game.tiles(seat), game.scarabs
        self.largest = game.data.largest
        self.coming = [game.data.shapes(tile) for tile in game.missions]
        self.rounds = game.data.rounds - game.round
        for squares, _ in game.areas(seat):
            self.scarabs &= ~mask_of(squares)

    def value(self, tile: int) -> float:
        """Points of a tile on these squares, and of the scarabs that it leaves open."""
        free = self.free & ~tile
        areas = closed(free, tile, self.largest)
        points, left = 0, self.scarabs & free
        for area in areas:
            points += area.bit_count() * (area & self.scarabs).bit_count()
            left &= ~area
        return points + min(1.0, self.rounds / 4) * OPEN * left.bit_count()

    def next_best(self, tile: int) -> float:
        """The average, over the tiles that may come next, of the most that one placement can then add."""
        if not self.rounds:
            return 0.0
        after = object.__new__(Mind)
        after.free, after.tiles, after.scarabs = self.free & ~tile, self.tiles | tile, self.scarabs & ~tile
        after.largest, after.coming, after.rounds = self.largest, self.coming, self.rounds - 1
        for area in closed(after.free, tile, self.largest):
            after.scarabs &= ~area
        here = after.value(0)
        reach = beside(after.tiles)
        total = 0.0
        for shapes in self.coming:
            total += max((after.value(mask_of(squares)) - here for squares in placements(after.free, shapes, reach)), default=0.0)
        return total / len(self.coming)
