"""What a person moves over Scarabya's site by keys before it is laid: a board, or a tile with its legality and points as it goes.

Pointers are immutable; they know what Enter would play and draw it on the site, and decide nothing.
"""

from dataclasses import dataclass, replace
from typing import Self

from ...core.games.grid import squares_of
from ...core.games.scarabya import points_of
from ...core.games.scarabya_data import HALF, PLACES, SIDE, TURNS, Piece, marks
from ...core.rules import ChooseAll, IllegalMove, Move
from ...core.view import Snapshot
from ..text import _, ngettext
from .scarabya_site import Marks
from .scarabya_words import areas_words, board_word, place_word, scarabya, short, turns_words, why

TURN, FLIP, OTHERS = " ", "/", "f4"
ARROWS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


@dataclass(frozen=True)
class Look:
    """Whose site is drawn large."""

    seat: int

    def press(self, snapshot: Snapshot, key: str) -> "Look | None":
        """The pointer after a key; None if the key means nothing here."""
        if key != OTHERS or snapshot.view.rules.seats == 1:
            return None
        return replace(self, seat=(self.seat + 1) % snapshot.view.rules.seats)

    def marks(self, snapshot: Snapshot) -> Marks:
        """What it draws over the site."""
        return {}

    def move(self, snapshot: Snapshot) -> Move | None:
        """What Enter plays; None: nothing."""
        return None

    def words(self, snapshot: Snapshot) -> str:
        """What Enter would do, in one line; empty for nothing."""
        return ""

    def keys(self) -> str:
        """The keys that move it."""
        return _("F4: the next player's site")


@dataclass(frozen=True)
class Board(Look):
    """A board in hand over the next place of the site."""

    piece: Piece

    def press(self, snapshot: Snapshot, key: str) -> Look | None:
        board, side, turns = self.piece
        if key == TURN:
            return replace(self, piece=(board, side, (turns + 1) % len(TURNS)))
        if key == FLIP:
            return replace(self, piece=(board, 1 - side, turns))
        if key in ARROWS:
            hand = [b for b in range(len(PLACES)) if b not in [piece[0] for piece in scarabya(snapshot).laid]]
            step = sum(ARROWS[key])
            return replace(self, piece=(hand[(hand.index(board) + step) % len(hand)], side, turns))
        return super().press(snapshot, key)

    def marks(self, snapshot: Snapshot) -> Marks:
        rules = scarabya(snapshot)
        board, side, turns = self.piece
        place = len(rules.laid)
        top, left = PLACES[place]
        found = {SIDE * (top + r) + left + c: ("class:ghost", " :") for r in range(HALF) for c in range(HALF)}
        for mark, text in (("#", "##"), ("s", " *")):
            found.update(dict.fromkeys(squares_of(marks(rules.data.boards[board][side], turns, place, mark)), ("class:ghost", text)))
        return found

    def move(self, snapshot: Snapshot) -> Move:
        return ("lay", *self.piece)

    def words(self, snapshot: Snapshot) -> str:
        board, side, turns = self.piece
        return _("Board {board} {place}, {turns}. Type lot to leave it to chance.").format(
            board=board_word(board, side), place=place_word(len(scarabya(snapshot).laid)), turns=turns_words(turns)
        )

    def keys(self) -> str:
        return _("arrows: board, space: turn, /: flip, Enter: lay it")


@dataclass(frozen=True)
class Ghost(Look):
    """The tile of the round over the seat's own site; always inside the frame."""

    squares: tuple[int, ...]
    me: int

    def press(self, snapshot: Snapshot, key: str) -> Look | None:
        if key == TURN:
            return self._at([(c, -r) for r, c in self._cells()])
        if key == FLIP:
            return self._at([(r, -c) for r, c in self._cells()])
        if key in ARROWS:
            down, right = ARROWS[key]
            return self._moved([(r + down, c + right) for r, c in self._cells()])
        return super().press(snapshot, key)

    def marks(self, snapshot: Snapshot) -> Marks:
        """Squares that the tile may take, that it may not, and what it would close."""
        rules = scarabya(snapshot)
        if self.seat != self.me:
            return {}
        scarabs = squares_of(rules.scarabs)
        if not self.reason(snapshot):
            found: dict[int, tuple[str, str]] = {}
            for squares, _n in rules.would_close(self.me, self.squares):
                found.update({s: ("class:ghost", "+*" if s in scarabs else "+.") for s in squares})
            return {**found, **{s: ("class:ghost", "[*" if s in scarabs else "[]") for s in self.squares}}
        taken = set(range(SIDE * SIDE)) - set(squares_of(rules.free(self.me)))
        return {s: ("class:warn", "!!" if s in taken else "??") for s in self.squares}

    def move(self, snapshot: Snapshot) -> Move:
        return ("place", *self.squares)

    def reason(self, snapshot: Snapshot) -> str:
        """The reason id why the tile may not lie here; empty if it may."""
        request = snapshot.view.asked()
        assert isinstance(request, ChooseAll)
        try:
            snapshot.view.rules.legal(request, self.me, self.move(snapshot))
        except IllegalMove as error:
            return str(error)
        return ""

    def words(self, snapshot: Snapshot) -> str:
        rules = scarabya(snapshot)
        where = f"{rules.tile} {short(rules, self.squares)}"
        if reason := self.reason(snapshot):
            return f"{where}: {why(reason)}"
        areas = rules.would_close(self.me, self.squares)
        covered = sum(s in squares_of(rules.scarabs) for s in self.squares)
        parts = [_("fits")]
        if covered:
            parts.append(ngettext("covers {n} scarab", "covers {n} scarabs", covered).format(n=covered))
        if areas:
            n = points_of(areas)
            text = ngettext("+{n} point by {areas}", "+{n} points by {areas}", n) if n else _("closes {areas}")
            parts.append(text.format(areas=areas_words(areas), n=n))
        return f"{where}: {', '.join(parts)}."

    def keys(self) -> str:
        return _("arrows, space: turn, /: flip, F4: others, Enter: place it")

    def _cells(self) -> list[tuple[int, int]]:
        return [divmod(square, SIDE) for square in self.squares]

    def _at(self, cells: list[tuple[int, int]]) -> Self:
        """A turned tile with its corner where it was, pushed back inside the frame."""
        top, left = (min(axis) for axis in zip(*self._cells(), strict=True))
        new_top, new_left = (min(axis) for axis in zip(*cells, strict=True))
        return self._moved([(r - new_top + top, c - new_left + left) for r, c in cells])

    def _moved(self, cells: list[tuple[int, int]]) -> Self:
        rows, columns = zip(*cells, strict=True)
        up, left = max(0, max(rows) - SIDE + 1) + min(0, min(rows)), max(0, max(columns) - SIDE + 1) + min(0, min(columns))
        squares = tuple(sorted(SIDE * (r - up) + c - left for r, c in cells))
        return replace(self, squares=squares, seat=self.me)


def pointer(snapshot: Snapshot) -> Look:
    """Where the person starts: the first thing that may be played, or only looking."""
    seat = snapshot.view.seat or 0
    if not snapshot.asked:
        return Look(seat)
    first = next(iter(snapshot.view.moves()))
    if first[0] == "place":
        return Ghost(seat, first[1:], seat)
    return Board(seat, first[1:]) if first[0] == "lay" else Look(seat)
