"""Scarabya's component table: what a data file may say, checked, and its tiles and boards as masks; knows no rule of play.

Squares are numbered 10 * row + column from the top left; a mask is a set of them as grid.pyx has it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import LocalError
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
    _keys("the table", table, {"players", "rounds", "largest_scoring_area", "tokens", "tiles", "boards"})
    _need(_is_list(table["players"], int) and table["players"] == [2, PLAYERS[-1]], f"players must be [2, {PLAYERS[-1]}]")
    largest = _number("largest_scoring_area", table["largest_scoring_area"], MAX_LARGEST)
    tiles = _tiles(table["tiles"], largest)
    rounds = _number("rounds", table["rounds"], len(tiles))
    data = ScarabyaData(rounds, largest, _tokens(table["tokens"], largest), tiles, _boards(table["boards"]))
    _need(data.may_lay(()), "no arrangement of the boards leaves a centre square free and closes no space that would score")
    return data


def _tokens(table: Any, largest: int) -> tuple[tuple[int, int], ...]:
    _keys("tokens", table, {str(value) for value in range(1, largest + 1)})
    return tuple((value, _number(f"the tokens of {value}", table[str(value)], MAX_TOKENS)) for value in range(1, largest + 1))


def _tiles(table: Any, largest: int) -> tuple[tuple[str, Rows], ...]:
    _need(type(table) is dict and 1 <= len(table) <= MAX_TILES, f"tiles must be a table of 1 to {MAX_TILES} tiles")
    for name, rows in table.items():
        _need(NAME.fullmatch(name) is not None, f"the tile {name[:16]!r} is not named by a letter A-Z")
        _need(
            _is_list(rows, str) and 1 <= len(rows) <= HALF and 1 <= len(rows[0]) <= HALF and {len(row) for row in rows} == {len(rows[0])},
            f"the tile {name} must be 1 to {HALF} rows of the same 1 to {HALF} characters",
        )
        _need(set("".join(rows)) <= set(".#"), f"the tile {name} must be drawn with . and #")
        cells = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x == "#"}
        # a tile that fitted into a scored area could cover it, and its scarabs would have scored nevertheless (S46)
        _need(largest < len(cells) <= MAX_SQUARES, f"the tile {name} must have {largest + 1} to {MAX_SQUARES} squares")
        _need(all("#" in line for line in (*rows, *turned(tuple(rows)))), f"the tile {name} has an empty row or column")
        _need(_connected(cells), f"the squares of the tile {name} do not hang together")
    return tuple((name, tuple(rows)) for name, rows in table.items())


def _connected(cells: set[tuple[int, int]]) -> bool:
    found, edge = set[tuple[int, int]](), {min(cells)}
    while edge:
        found |= edge
        edge = {(r + a, c + b) for r, c in edge for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))} & cells - found
    return found == cells


def _boards(table: Any) -> tuple[tuple[Rows, Rows], ...]:
    _need(_is_list(table, dict) and len(table) == len(PLACES), f"there must be {len(PLACES)} boards")
    boards = []
    for number, board in enumerate(table, 1):
        _keys(f"board {number}", board, set(SIDES))
        for side in SIDES:
            rows = board[side]
            _need(
                _is_list(rows, str) and [len(row) for row in rows] == [HALF] * HALF and set("".join(rows)) <= set(".#s"),
                f"board {number}{side} must be {HALF} rows of {HALF} characters: . ground, # rock, s scarab",
            )
        boards.append((tuple(board["a"]), tuple(board["b"])))
    return tuple(boards)


def _number(what: str, value: Any, most: int) -> int:
    _need(type(value) is int and 1 <= value <= most, f"{what} must be a number from 1 to {most}")
    return int(value)


def _keys(what: str, table: Any, names: set[str]) -> None:
    _need(type(table) is dict, f"{what} must be a table")
    for missing in sorted(names - set(table)):
        raise LocalError(f"{what} lacks {missing!r}")
    for unknown in sorted(map(repr, set(table) - names)):
        raise LocalError(f"{what} has an unknown key {unknown[:40]}")


def _is_list(value: Any, item: type) -> bool:
    return type(value) is list and all(type(x) is item for x in value)


def _need(good: bool, sentence: str) -> None:
    if not good:
        raise LocalError(sentence)
