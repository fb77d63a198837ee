"""Scarabya as a picture: every player's site with rocks, scarabs, tiles and scored areas."""

from collections.abc import Iterable

from ...core.games.grid import squares_of
from ...core.games.scarabya_data import HALF, PLACES, SIDE
from ...core.view import Snapshot
from ..show import status
from ..show.scarabya import goal, title
from ..show.scarabya_words import scarabya, tiles_words
from ..text import _
from .svg import GOLD, INK, SAND, SEATS, STONE, TILES, picture, tag, unit_squares, words

SITE = 300  # width of a site
GAP, TOP = 24, 96


def draw(snapshot: Snapshot) -> str:
    """All sites side by side, the tile of the round above them."""
    rules = scarabya(snapshot)
    parts = [words(10, 22, f"{title()} · {goal(snapshot)}", 18, font_weight="bold")]
    parts.append(words(10, 44, _("To come: {tiles}").format(tiles=tiles_words(rules.missions)), 13))
    if rules.tile:
        cells = [divmod(s, SIDE) for s in squares_of(rules.data.shapes(rules.tile)[0])]
        shape = unit_squares(((c, r) for r, c in cells), TILES[0], stroke=INK, stroke_width=0.06)
        parts.append(words(430, 30, _("Tile {tile}").format(tile=rules.tile), 16, font_weight="bold"))
        parts.append(tag("g", shape, transform="translate(510 6) scale(15)"))
    parts += [_site(snapshot, seat, 10 + seat * (SITE + GAP)) for seat in range(rules.seats)]
    return picture(max(2, rules.seats) * (SITE + GAP) + 10, TOP + SITE + 12, title(), *parts)


def _site(snapshot: Snapshot, seat: int, x: float) -> str:
    rules = scarabya(snapshot)
    who = f"{seat + 1} {status.player(snapshot, seat)}: {rules.points[seat]}"
    state = status.link(snapshot, seat)
    ground = [(left + c, top + r) for top, left in PLACES[: len(rules.laid)] for r in range(HALF) for c in range(HALF)]
    covered = {square for _tile, squares in rules.placed[seat] for square in squares}
    areas = rules.areas(seat)
    scored = {square for squares, _found in areas for square in squares}
    scarabs = [s for s in squares_of(rules.scarabs) if s not in covered]
    tiles = [
        unit_squares(_corners(squares), TILES[i % len(TILES)], stroke=INK, stroke_width=0.06)
        + words(squares[0] % SIDE + 0.25, squares[0] // SIDE + 0.75, tile, 0.7, fill="#fff")
        for i, (tile, squares) in enumerate(rules.placed[seat])
    ]
    sizes = [words(squares[0] % SIDE + 0.08, squares[0] // SIDE + 0.38, str(len(squares)), 0.38) for squares, _found in areas]
    return words(x, TOP - 12, f"{who} {state}", 16, fill=SEATS[seat], font_weight="bold") + tag(
        "g",
        unit_squares(ground, SAND, stroke="#c9b68a", stroke_width=0.04),
        unit_squares(_corners(scored), "#bfe0b0", stroke="#4d7f3a", stroke_width=0.05),
        unit_squares(_corners(squares_of(rules.rocks)), STONE),
        *tiles,
        *(tag("circle", cx=s % SIDE + 0.5, cy=s // SIDE + 0.5, r=0.27, fill=GOLD, stroke=INK, stroke_width=0.06) for s in scarabs),
        *sizes,
        tag("rect", x=0, y=0, width=SIDE, height=SIDE, fill="none", stroke=INK, stroke_width=0.1),
        transform=f"translate({x} {TOP}) scale({SITE / SIDE:g})",
    )


def _corners(squares: Iterable[int]) -> list[tuple[float, float]]:
    return [(square % SIDE, square // SIDE) for square in squares]
