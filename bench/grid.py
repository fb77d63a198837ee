"""Rows of the kernel of squares: scoring after a placement beside scipy, placements beside the tests' cell-by-cell twin."""

import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import numpy
from mastaba.core.games import grid
from mastaba.core.games.scarabya_data import SITE, ScarabyaData, load
from scipy import ndimage

from .rows import Row, row, seconds

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import cell_by_cell

CALLS = 1000  # of ours in one timed job: one call is shorter than the clock's grain
RUNS = 15
TILES = (  # a game of ten tiles on the boards 1a 2a 3a 4a
    (33, 43, 52, 53, 54),
    (21, 22, 31, 41, 51),
    (46, 55, 56, 57, 66),
    (67, 68, 78, 79, 88),
    (36, 37, 38, 39, 48),
    (6, 16, 17, 27, 28),
    (2, 3, 13, 14, 15),
    (75, 85, 86, 87, 97),
    (63, 73, 81, 82, 83),
    (30, 40, 50, 60, 70),
)
BUSY = 4  # tiles on the site where the placements are counted


def rows() -> list[Row]:
    data = load(tomllib.loads((files("mastaba.core.games") / "data" / "scarabya.toml").read_text()))
    return [flood_fill(data), placements(data)]


def flood_fill(data: ScarabyaData) -> Row:
    """The areas that each tile of a game closes; scipy labels the spaces and counts their squares."""
    free = SITE & ~data.rocks([(board, 0, 0) for board in range(4)])
    moments = []
    for squares in TILES:
        tile = grid.mask_of(squares)
        free &= ~tile
        moments.append((free, tile))
    pictures = [numpy.array([free >> i & 1 for i in range(100)], dtype=numpy.uint8).reshape(10, 10) for free, _tile in moments]

    def ours() -> None:
        for _ in range(CALLS):
            for free, tile in moments:
                grid.closed(free, tile, 4)

    def theirs() -> None:
        for picture in pictures:
            labels, _n = ndimage.label(picture)
            numpy.bincount(labels.ravel())

    mine, scipys = seconds(ours, theirs, runs=RUNS)
    us = 1e6 / len(moments)
    return row("flood-fill", mine / CALLS * us, "us a call", 1, peer="scipy.ndimage.label", peers=scipys * us, ratio_bar=20)


def placements(data: ScarabyaData) -> Row:
    """All legal placements of each of the twelve tiles on a site with four tiles."""
    tiles = grid.mask_of(square for squares in TILES[:BUSY] for square in squares)
    free, among = SITE & ~(data.rocks([(board, 0, 0) for board in range(4)]) | tiles), grid.beside(tiles)
    shapes = [data.shapes(name) for name, _rows in data.tiles]
    cells = [[_cells(shape) for shape in each] for each in shapes]
    free_cells, among_cells = set(_cells(free)), set(_cells(among))

    def ours() -> None:
        for _ in range(CALLS // 10):
            for each in shapes:
                grid.placements(free, each, among)

    def theirs() -> None:
        for each in cells:
            list(cell_by_cell.placements(free_cells, each, among_cells))

    mine, twins = seconds(ours, theirs, runs=RUNS)
    us = 1e6 / len(shapes)
    return row("placements", mine / (CALLS // 10) * us, "us a tile", 30, peer="cell by cell", peers=twins * us, ratio_bar=50)


def _cells(mask: int) -> list[tuple[int, int]]:
    return [divmod(square, 10) for square in grid.squares_of(mask)]
