"""Scarabya's tables for tests: sites drawn as pictures, missions opened on purpose, placements in text."""

import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games.scarabya import Scarabya, load
from mastaba.core.games.scarabya_data import ScarabyaData
from mastaba.core.rules import Answer, ChooseAll, Event, IllegalMove, Options, Roll

SHIPPED = tomllib.loads((files("mastaba.core.games") / "data" / "scarabya.toml").read_text())
PLAIN = ("1a 0", "2a 0", "3a 0", "4a 0")
GOLDEN = (  # SX09: mission, legal placements before it, squares, scarabs covered, (size, scarabs) of what it closes, points
    ("T", 32, "33 43 52 53 54", 0, (), 0),
    ("L", 68, "21 22 31 41 51", 0, ((2, 2),), 4),
    ("X", 3, "46 55 56 57 66", 0, ((2, 1),), 2),
    ("F", 54, "67 68 78 79 88", 1, ((2, 2),), 4),
    ("Y", 46, "36 37 38 39 48", 1, ((1, 0), (4, 1)), 4),
    ("W", 22, "06 16 17 27 28", 1, ((1, 0), (4, 2)), 8),
    ("N", 31, "02 03 13 14 15", 1, ((1, 0), (2, 0), (4, 2)), 8),
    ("Z", 10, "75 85 86 87 97", 1, ((1, 1),), 1),
    ("V", 8, "63 73 81 82 83", 1, ((3, 1),), 3),
    ("I", 9, "30 40 50 60 70", 1, ((3, 2), (4, 2)), 14),
    ("U", 0, "", 0, (), 0),
    ("P", 0, "", 0, (), 0),
)


def shipped() -> dict[str, Any]:
    """The shipped table, parsed, for changing."""
    return {
        **SHIPPED,
        "tiles": dict(SHIPPED["tiles"]),
        "boards": [dict(board) for board in SHIPPED["boards"]],
        "tokens": dict(SHIPPED["tokens"]),
    }


def picture(*marks: tuple[str, str]) -> list[str]:
    """A site without rocks and scarabs but these: ("#", "40 48"), ("s", "41 44 47")."""
    cells = [["."] * 10 for _ in range(10)]
    for mark, squares in marks:
        for square in squares.split():
            cells[int(square[0])][int(square[1])] = mark
    return ["".join(row) for row in cells]


def data_of(site: Sequence[str], tiles: Mapping[str, Sequence[str]] | None = None, rounds: int | None = None) -> ScarabyaData:
    """The data whose boards, laid plainly, are this site; tiles of one's own, all of them played."""
    table = shipped()
    quarters = [[row[c : c + 5] for row in site[r : r + 5]] for r in (0, 5) for c in (0, 5)]
    table["boards"] = [{"a": rows, "b": rows} for rows in quarters]
    if tiles is not None:
        table["tiles"] = {name: list(rows) for name, rows in tiles.items()}
    table["rounds"] = rounds or len(table["tiles"])
    return load(table)


def no_player(view: Any, rng: Any) -> Any:
    raise AssertionError("these tables are played by the test")


class Sites(Dealer):
    """A table with its site laid; the test opens missions and places tiles."""

    def __init__(self, seats: int = 2, data: ScarabyaData | None = None, boards: Sequence[str] = PLAIN) -> None:
        found = data or load(SHIPPED)
        super().__init__(lambda: Scarabya(seats, found, Options(first=0)), [no_player] * seats, bytes)
        for board in boards:
            self.say(self.now.parse_move(f"lay {board}"))

    @property
    def now(self) -> Any:
        """The public state, as a spectator has it."""
        return self.spectator

    def say(self, value: Any) -> tuple[Event, ...]:
        """The same answer for everybody."""
        return self.apply([Answer(value)] * len(self.games))

    def mission(self, tile: str) -> tuple[Event, ...]:
        """The coin opens this mission (the last one needs no coin)."""
        if self.now.tile == tile:
            return ()
        assert isinstance(self.now.pending, Roll), self.now.pending
        return self.say((self.now.missions.index(tile) + 1,))

    def place(self, *texts: str) -> tuple[Event, ...]:
        """Everybody who is asked places the tile on these squares, in seat order; one text is for all."""
        request = self.now.pending
        assert isinstance(request, ChooseAll), request
        texts = texts * len(request.seats) if len(texts) == 1 else texts
        moves = (self.now.parse_move(f"place {text}") for text in texts)
        return self.say(dict(zip(request.seats, moves, strict=True)))

    def round(self, tile: str, *texts: str) -> tuple[Event, ...]:
        """A whole round; returns what happened in it, and up to the next coin."""
        return (*self.mission(tile), *self.place(*texts))

    def refusal(self, text: str, seat: int = 0) -> str:
        """Why the seat may not place the tile there; nothing changes."""
        request = self.now.pending
        assert isinstance(request, ChooseAll), request
        before = self.now.digest()
        moves = {s: next(iter(self.now.moves_of(request, s))) for s in request.seats}
        with pytest.raises(IllegalMove) as refused:
            self.say({**moves, seat: self.now.parse_move(f"place {text}")})
        assert self.now.digest() == before
        return str(refused.value)


def args(events: Sequence[Event], id: str) -> list[tuple[Any, ...]]:
    """(seat, *arguments) of the events with this id."""
    return [(event.seat, *event.args) for event in events if event.id == id]


def golden(seats: int = 1) -> Sites:
    """The golden game, played to its end by everybody alike."""
    table = Sites(seats)
    for tile, _legal, squares, *_ in GOLDEN:
        if squares:
            table.round(tile, squares)
        elif not table.now.over:
            table.mission(tile)
    return table
