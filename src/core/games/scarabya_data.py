"""Scarabya's component table: what a data file may say, checked, and its tiles and boards as masks; knows no rule of play.

Squares are numbered 10 * row + column from the top left; a mask is a set of them as grid.pyx has it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .checks import is_list, need, need_keys, quoted
from .grid import closed, mask_of

PLAYERS = range(1, 5)  # one: practice for points (SR1)
SIDE = 10  # squares along a site
HALF = 5  # and along a board
SITE = (1 << SIDE * SIDE) - 1
CENTRE = mask_of((44, 45, 54, 55))
PLACES = ((0, 0), (0, HALF), (HALF, 0), (HALF, HALF))  # (row, column) of the boards' corners, in the order of laying
SIDES = "ab"
TURNS = range(4)  # clockwise quarters
MAX_TILES = 26
MAX_SQUARES = 9  # of a tile
MAX_LARGEST = 8
MAX_TOKENS = 999
NAME = re.compile("[A-Z]")

Rows = tuple[str, ...]
Piece = tuple[int, int, int]  # (board 0..3, side 0 or 1, turns): what lies in one place of the site


@dataclass(frozen=True, slots=True)
class ScarabyaData:
    """Rounds, the largest area that scores, (value, tokens) for display, (name, rows) of each tile, both sides of the four boards."""

    rounds: int
    largest: int
    tokens: tuple[tuple[int, int], ...]
    tiles: tuple[tuple[str, Rows], ...]
    boards: tuple[tuple[Rows, Rows], ...]

    @property
    def plain(self) -> tuple[Any, ...]:
        """The whole table as plain data; its hash (games.data_hash) names it."""
        return ("scarabya", self.rounds, self.largest, self.tokens, self.tiles, self.boards)

    def shapes(self, tile: str) -> tuple[int, ...]:
        """The tile's orientations as masks in the top left corner; raises KeyError for an unknown name."""
        return orientations(dict(self.tiles)[tile])

    def rocks(self, laid: Sequence[Piece]) -> int:
        """The rock squares of the boards laid so far, as a mask."""
        return self._marks(laid, "#")

    def scarabs(self, laid: Sequence[Piece]) -> int:
        """The scarabs printed on the boards laid so far, as a mask."""
        return self._marks(laid, "s")

    def may_lay(self, laid: Sequence[Piece]) -> bool:
        """Can these boards become a site with a free centre square and no space closed by rocks and frame alone (SR3)?"""
        if len(laid) == len(PLACES):
            rocks = self.rocks(laid)
            return bool(CENTRE & ~rocks) and not closed(SITE & ~rocks, rocks, self.largest)
        return any(self.may_lay((*laid, piece)) for piece in pieces_left(laid))

    def _marks(self, laid: Sequence[Piece], mark: str) -> int:
        mask = 0
        for place, (board, side, turns) in enumerate(laid):
            mask |= marks(self.boards[board][side], turns, place, mark)
        return mask


def pieces_left(laid: Sequence[Piece]) -> tuple[Piece, ...]:
    """Every way to lay one of the boards that are still in hand."""
    used = {piece[0] for piece in laid}
    return tuple((board, side, turns) for board in range(len(PLACES)) if board not in used for side in (0, 1) for turns in TURNS)


@lru_cache(maxsize=1024)
def marks(rows: Rows, turns: int, place: int, mark: str) -> int:
    """The squares of the site where a board, turned and laid in that place, shows `mark`."""
    for _ in range(turns):
        rows = turned(rows)
    top, left = PLACES[place]
    return mask_of(SIDE * (top + r) + left + c for r, row in enumerate(rows) for c, x in enumerate(row) if x == mark)


@lru_cache(maxsize=256)
def orientations(rows: Rows) -> tuple[int, ...]:
    """A tile's different orientations: as printed and turned by quarters, then the same for its mirror image (S28, S29)."""
    found: dict[int, None] = {}
    for start in (rows, tuple(row[::-1] for row in rows)):
        shape = start
        for _ in TURNS:
            found.setdefault(mask_of(SIDE * r + c for r, row in enumerate(shape) for c, x in enumerate(row) if x == "#"))
            shape = turned(shape)
    return tuple(found)


def turned(rows: Rows) -> Rows:
    """A quarter clockwise."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def load(table: dict[str, Any]) -> ScarabyaData:
    """Check a parsed table of the shape of data/scarabya.toml; raises LocalError with a sentence that says what is wrong."""
    need_keys("The file", table, {"players", "rounds", "largest_scoring_area", "tokens", "tiles", "boards"})
    most = PLAYERS[-1]
    need(is_list(table["players"], int) and table["players"] == [2, most], "players must be [{0}, {1}].", 2, most)
    largest = _number("largest_scoring_area", table["largest_scoring_area"], MAX_LARGEST)
    tiles = _tiles(table["tiles"], largest)
    rounds = _number("rounds", table["rounds"], len(tiles))
    data = ScarabyaData(rounds, largest, _tokens(table["tokens"], largest), tiles, _boards(table["boards"]))
    need(data.may_lay(()), "However the boards are laid, rocks alone close a space that would score, or leave no centre square free.")
    return data


def _tokens(table: Any, largest: int) -> tuple[tuple[int, int], ...]:
    need_keys("tokens", table, {str(value) for value in range(1, largest + 1)})
    return tuple((value, _number(f"tokens {value}", table[str(value)], MAX_TOKENS)) for value in range(1, largest + 1))


def _tiles(table: Any, largest: int) -> tuple[tuple[str, Rows], ...]:
    need(type(table) is dict and 1 <= len(table) <= MAX_TILES, "tiles must be a table of 1 to {0} tiles.", MAX_TILES)
    for name, rows in table.items():
        need(NAME.fullmatch(name) is not None, "The name of a tile must be a letter A-Z, not {0}.", quoted(name))
        need(
            is_list(rows, str) and 1 <= len(rows) <= HALF and 1 <= len(rows[0]) <= HALF and {len(row) for row in rows} == {len(rows[0])},
            "Tile {0} must be drawn in 1 to {1} rows of the same 1 to {1} characters.",
            name,
            HALF,
        )
        need(set("".join(rows)) <= set(".#"), "Tile {0} must be drawn with . and #.", name)
        cells = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "#"}
        # a tile that fitted into a scored area could cover it, and its scarabs would have scored nevertheless (S46)
        need(largest < len(cells) <= MAX_SQUARES, "Tile {0} must have {1} to {2} squares.", name, largest + 1, MAX_SQUARES)
        need(all("#" in line for line in (*rows, *turned(tuple(rows)))), "Tile {0} has an empty row or column.", name)
        need(_connected(cells), "The squares of tile {0} do not hang together.", name)
    return tuple((name, tuple(rows)) for name, rows in table.items())


def _connected(cells: set[tuple[int, int]]) -> bool:
    found, edge = set[tuple[int, int]](), {min(cells)}
    while edge:
        found |= edge
        edge = {(r + a, c + b) for r, c in edge for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} & cells - found
    return found == cells


def _boards(table: Any) -> tuple[tuple[Rows, Rows], ...]:
    need(is_list(table, dict) and len(table) == len(PLACES), "There must be {0} boards.", len(PLACES))
    boards = []
    for number, board in enumerate(table, 1):
        need_keys(f"boards {number}", board, set(SIDES))
        for side in SIDES:
            rows = board[side]
            need(
                is_list(rows, str) and [len(row) for row in rows] == [HALF] * HALF and set("".join(rows)) <= set(".#s"),
                "Board {0} must be {1} rows of {1} characters: . ground, # rock, s scarab.",
                f"{number}{side}",
                HALF,
            )
        boards.append((tuple(board["a"]), tuple(board["b"])))
    return tuple(boards)


def _number(what: str, value: Any, most: int) -> int:
    need(type(value) is int and 1 <= value <= most, "{0} must be a number from 1 to {1}.", what, most)
    return int(value)
