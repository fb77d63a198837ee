"""A sensible player of Scarabya: points now, and what each placement leaves to be won with the tiles that may come.

It sees one seat's view, never more.  Sites do not touch each other, so what the others do does not matter to it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..chance import Rng, below
from ..games.grid import beside, closed, mask_of, placements
from ..games.scarabya import LOT, Scarabya
from ..rules import ChooseAll, Move
from ..view import View

WIDTH = 10  # placements that are looked at again, with the tiles that may come next
OPEN = 1.2  # what an open scarab in a space that is too large is worth, in points
LAST = 4  # with fewer rounds left than that it is worth less
TASTE = 1.5  # points by which two players of this kind may differ about a placement: they have equal sites


def decide(view: View, moves: Sequence[Move], rng: Rng) -> Move:
    """The placement with about the highest value in points.  A site is laid by lot: all have the same."""
    game, request = view.rules, view.asked()
    assert isinstance(game, Scarabya)
    if not isinstance(request, ChooseAll) or view.seat is None:
        return LOT
    site = Site.of(game, view.seat)
    coming = [game.data.shapes(tile) for tile in game.missions] if game.round < game.data.rounds else []
    rounds = game.data.rounds - game.round
    first = sorted(((site.value(mask_of(move[1:]), rounds), move) for move in moves), key=lambda each: -each[0])

    def value(now: float, move: Move) -> float:
        later = site.with_tile(mask_of(move[1:])).next_best(coming, rounds - 1)
        return now + later + TASTE * below(rng, 1 << 16) / (1 << 16)

    return max(first[:WIDTH], key=lambda each: value(*each))[1]


class Site(NamedTuple):
    """A site as masks: free squares, tiles, and the scarabs that can still score."""

    free: int
    tiles: int
    scarabs: int
    largest: int

    @classmethod
    def of(cls, game: Scarabya, seat: int) -> "Site":
        scarabs = game.scarabs & game.free(seat)
        for squares, _found in game.areas(seat):
            scarabs &= ~mask_of(squares)
        return cls(game.free(seat), game.tiles(seat), scarabs, game.data.largest)

    def with_tile(self, tile: int) -> "Site":
        """The site after a tile on these squares."""
        free, scarabs = self.free & ~tile, self.scarabs & ~tile
        for area in closed(free, tile, self.largest):
            scarabs &= ~area
        return Site(free, self.tiles | tile, scarabs, self.largest)

    def value(self, tile: int, rounds: int) -> float:
        """Points of a tile on these squares, and what the scarabs that it leaves open may bring in so many rounds more."""
        scarabs, points = self.scarabs & ~tile, 0
        for area in closed(self.free & ~tile, tile, self.largest):
            points += area.bit_count() * (area & scarabs).bit_count()
            scarabs &= ~area
        return points + OPEN * min(1.0, rounds / LAST) * scarabs.bit_count()

    def next_best(self, coming: Sequence[tuple[int, ...]], rounds: int) -> float:
        """The average, over the tiles that may come next, of the most that a placement can then add."""
        if not coming:
            return 0.0
        reach, now, most = beside(self.tiles), self.value(0, rounds), 0.0
        for shapes in coming:
            after = [self.value(mask_of(squares), rounds) for squares in placements(self.free, shapes, reach)]
            most += max(after, default=now) - now
        return most / len(coming)
