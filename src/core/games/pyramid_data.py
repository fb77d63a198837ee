"""Pyramid's component table: what a data file may say, checked; knows no rule beyond what is printed on the box.

A square is row * columns + column of the map, rows and columns from 0 at the top left; players read b3: column b, third row.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import LocalError
from .walks import SQUARES, Maze

PLAYERS = range(2, 6)
DICE = 5
FACES = ("1", "2", "3", "4", "arrow", "mummy")  # of a hunter die; a face is its place in this list, from 1
ARROW, MUMMY = 5, 6
NUMBERS = range(1, ARROW)
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))  # up, down, left, right, as the maze counts them
MAX_COLUMNS = 26  # one letter a column
MAX_COLOURS = 6
MAX_DIE = 9
MAX_LIVES = 9
NAME = re.compile(r"[a-z][a-z-]{0,15}")  # a name from another's file is shown on a terminal: no control characters
SYMBOL = re.compile(r"[a-z][1-9]")


@dataclass(frozen=True)
class Board:
    """The squares, the open sides (to the right of, and below, a square), start, dungeon, and (symbol, square) in the order of the map."""

    columns: int
    rows: int
    squares: tuple[int, ...]
    right: tuple[int, ...]
    down: tuple[int, ...]
    start: int
    dungeon: int
    symbols: tuple[tuple[str, int], ...]
    maze: Maze = field(compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.columns, self.start, self.dungeon, len(self.right)))

    @cached_property
    def ordinary(self) -> tuple[int, ...]:
        """All squares but start and dungeon."""
        return tuple(s for s in self.squares if s not in (self.start, self.dungeon))

    @cached_property
    def square_of(self) -> dict[str, int]:
        """A symbol's square."""
        return dict(self.symbols)

    @cached_property
    def symbol_at(self) -> dict[int, str]:
        """The symbol on a square, where there is one."""
        return {square: symbol for symbol, square in self.symbols}

    def name(self, square: int) -> str:
        """A square as players write it: column letter, row number from 1 at the top."""
        row, column = divmod(square, self.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def named(self, text: str) -> int:
        """The square that is so written; raises ValueError for any other text."""
        if re.fullmatch(r"[a-z][1-9][0-9]?", text):
            row, column = int(text[1:]) - 1, ord(text[0]) - ord("a")
            if column < self.columns and row * self.columns + column in self.squares:
                return row * self.columns + column
        raise ValueError(f"no square {text[:8]!r}")


@dataclass(frozen=True)
class PyramidData:
    """The mummy die and the mummy's goal by players, life tokens a piece, (letter, colour), names, and the board."""

    dice: tuple[tuple[int, ...], ...]
    lives: int
    goals: tuple[int, ...]
    colours: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]  # (symbol, its name)
    board: Board

    @property
    def plain(self) -> tuple[Any, ...]:
        """The whole table as plain data; its hash (games.data_hash) names it."""
        b = self.board
        board = (b.columns, b.rows, b.squares, b.right, b.down, b.start, b.dungeon, b.symbols)
        return ("pyramid", DICE, FACES, self.dice, self.lives, self.goals, self.colours, self.names, board)

    def die(self, players: int) -> tuple[int, ...]:
        """The faces of the mummy die at a table of so many players."""
        return self.dice[players - PLAYERS.start]

    def goal(self, players: int) -> int:
        """The tokens that win for the mummy at a table of so many players."""
        return self.goals[players - PLAYERS.start]


def load(table: dict[str, Any]) -> PyramidData:
    """Check a parsed table of the shape of data/pyramid.toml; raises LocalError with a sentence that says what is wrong."""
    keys = {"players", "hunter_dice", "hunter_faces", "mummy_faces", "lives", "lives_to_win", "colours", "map", "symbols"}
    _keys("the table", table, keys)
    _need(_is_list(table["players"], int) and table["players"] == [PLAYERS[0], PLAYERS[-1]], "players must be [2, 5]")
    _need(type(table["hunter_dice"]) is int and table["hunter_dice"] == DICE, f"hunter_dice must be {DICE}")
    _need(_is_list(table["hunter_faces"], str) and tuple(table["hunter_faces"]) == FACES, f"hunter_faces must be {', '.join(FACES)}")
    dice = _dice(table["mummy_faces"])
    lives = table["lives"]
    _need(type(lives) is int and 1 <= lives <= MAX_LIVES, f"lives must be a number from 1 to {MAX_LIVES}")
    colours = _colours(table["colours"])
    board = _board(table["map"], dict(colours))
    return PyramidData(dice, lives, _goals(table["lives_to_win"], lives), colours, _names(table["symbols"], colours, board), board)


def _dice(table: Any) -> tuple[tuple[int, ...], ...]:
    """One die for all numbers of hunters, or one for each."""
    hunters = range(1, PLAYERS[-1])
    if type(table) is list:
        table = {str(n): table for n in hunters}
    _keys("mummy_faces", table, {str(n) for n in hunters})
    for faces in table.values():
        _need(_is_list(faces, int) and 1 <= len(faces) <= 20, "mummy_faces must be lists of 1 to 20 numbers")
        _need(all(1 <= face <= MAX_DIE for face in faces), f"the mummy's die shows numbers from 1 to {MAX_DIE}")
    return tuple(tuple(table[str(n)]) for n in hunters)


def _goals(table: Any, lives: int) -> tuple[int, ...]:
    """Never more than the hunters have: else the game could run out of hunters without an end."""
    hunters = range(1, PLAYERS[-1])
    _keys("lives_to_win", table, {str(n) for n in hunters})
    for n in hunters:
        most = lives * n
        goal = table[str(n)]
        _need(type(goal) is int and 1 <= goal <= most, f"lives_to_win for {n} must be a number from 1 to {most}")
    return tuple(table[str(n)] for n in hunters)


def _colours(table: Any) -> tuple[tuple[str, str], ...]:
    _need(type(table) is dict and 1 <= len(table) <= MAX_COLOURS, f"colours must be a table of 1 to {MAX_COLOURS} letters")
    for letter, colour in table.items():
        _need(re.fullmatch("[a-z]", letter) is not None, f"the colour letter {letter[:8]!r} is not one of a-z")
        good = type(colour) is str and NAME.fullmatch(colour) is not None
        _need(good, f"the colour of {letter} is not named by 1 to 16 letters a-z or hyphens")
    _need(len(set(table.values())) == len(table), "a colour is named twice")
    return tuple(table.items())


def _names(table: Any, colours: tuple[tuple[str, str], ...], board: Board) -> tuple[tuple[str, str], ...]:
    _keys("symbols", table, {letter for letter, _ in colours})
    names = []
    for letter, colour in colours:
        on_map = sum(symbol[0] == letter for symbol, _ in board.symbols)
        _need(on_map >= PLAYERS[-1] - 1, f"the map must have at least {PLAYERS[-1] - 1} {colour} symbols, not {on_map}")
        _need(_is_list(table[letter], str) and len(table[letter]) == on_map, f"symbols.{letter} must name the {on_map} {colour} symbols")
        for n, name in enumerate(table[letter], 1):
            _need(f"{letter}{n}" in board.square_of, f"the {colour} symbols on the map must be numbered from 1 to {on_map}")
            _need(NAME.fullmatch(name) is not None, f"the symbol {letter}{n} is not named by 1 to 16 letters a-z or hyphens")
            names.append((f"{letter}{n}", name))
    _need(len({name for _, name in names}) == len(names), "a symbol's name is used twice")
    return tuple(names)


def _board(text: Any, colours: dict[str, str]) -> Board:
    """Read the drawing: every square is three characters wide, between | or spaces, below and above --- or spaces."""
    _need(type(text) is str and len(text) <= 1 << 13, "map must be a text of at most 8192 characters")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    rows, columns = len(lines) // 2, max(map(len, lines), default=0) // 4
    good = len(lines) % 2 == 1 and 1 <= columns <= MAX_COLUMNS and 1 <= rows * columns <= SQUARES
    _need(good, f"the map must have rows of squares between lines of walls: at most {MAX_COLUMNS} columns and {SQUARES} squares")
    lines = [line.ljust(4 * columns + 1) for line in lines]
    _need(all(len(line) == 4 * columns + 1 for line in lines), "a line of the map does not end with its last wall")
    found = _squares(lines, rows, columns)
    right, down = _open_sides(lines, found, columns)
    start, dungeon, symbols = _places(found, columns, colours)
    board = Board(columns, rows, tuple(found), right, down, start, dungeon, symbols, Maze(columns, rows, right, down, (start, dungeon)))
    _playable(board)
    return board


def _squares(lines: list[str], rows: int, columns: int) -> dict[int, str]:
    """What is written on each square; a row's squares lie between its first and its last |."""
    found = {}
    for row in range(rows):
        line = lines[2 * row + 1]
        for column in range(columns):
            if line.find("|") < 4 * column + 2 < line.rfind("|"):
                found[row * columns + column] = line[4 * column + 1 : 4 * column + 4].strip()
    return found


def _open_sides(lines: list[str], found: dict[int, str], columns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The squares that are open to the right, and below; a side without a square behind it must be a wall."""
    right, down = [], []
    for square in found:
        row, column = divmod(square, columns)
        for side, (dr, dc) in enumerate(SIDES):
            line, middle = lines[2 * row + 1 + dr], 4 * column + 2
            drawn = line[middle - 1 : middle + 2] if dr else line[middle + 2 * dc]
            _need(
                drawn in (("---", "   ") if dr else ("|", " ")),
                f"a side of the square in row {row}, column {column} is neither wall nor open",
            )
            behind = 0 <= column + dc < columns and square + dr * columns + dc in found
            _need(behind or drawn.strip() != "", f"the square in row {row}, column {column} has a gap in the outer wall")
            if drawn.strip() == "" and side == 3:
                right.append(square)
            if drawn.strip() == "" and side == 1:
                down.append(square)
    return tuple(right), tuple(down)


def _places(found: dict[int, str], columns: int, colours: dict[str, str]) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    symbols: dict[str, int] = {}
    special: dict[str, int] = {}
    for square, text in found.items():
        row, column = divmod(square, columns)
        if text in ("E", "M"):
            _need(text not in special, f"the map has more than one {text}")
            special[text] = square
        elif text:
            known = SYMBOL.fullmatch(text) is not None and text[0] in colours
            _need(known, f"row {row}, column {column}: {text!r} is neither E, M nor a symbol such as {next(iter(colours))}1")
            _need(text not in symbols, f"the symbol {text} is on the map twice")
            symbols[text] = square
    for letter, what in (("E", "start"), ("M", "sarcophagus")):
        _need(letter in special, f"the map has no {letter} ({what})")
    return special["E"], special["M"], tuple(symbols.items())


def _playable(board: Board) -> None:
    """Nobody can be shut in at start or dungeon, and every ordinary square can be reached without passing through them."""
    reached = set(board.maze.within(board.ordinary[0], SQUARES)) | {board.ordinary[0]} if board.ordinary else set()
    _need(
        len(board.ordinary) > 1 and reached == set(board.ordinary),
        "the squares of the map must be connected without passing through E or M",
    )
    _need(len(board.maze.ends(board.dungeon, 1)) == 2, "M must have two exits")
    _need(len(board.maze.ends(board.start, 1)) >= 1, "E must have an exit")
    for place, letter in ((board.start, "E"), (board.dungeon, "M")):
        for mummy in (board.dungeon, *board.ordinary):
            ends = {end for steps in NUMBERS for end in board.maze.ends(place, steps, mummy)}
            _need(len(ends) >= PLAYERS[-1] - 1, f"with the mummy on {board.name(mummy)} too few squares can be reached from {letter}")


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
