"""The Crypt's component table: what a data file may say, checked; knows no rule beyond what is printed on the box."""

from dataclasses import dataclass
from typing import Any

from ..errors import LocalError

TYPES = ("idol", "jewelry", "manuscript", "pottery", "remains", "tapestry")  # also the order of a variant's sides
SIDES = ("a", "b")
PLAYERS = range(2, 5)
VALUES = range(1, 5)
MAX_COPIES = 6  # a table made to exhaust the others' machines ends here: every shuffle costs time for each card
MAX_ROW = 8  # and here: the claims of one turn grow with the row
MAX_DICE = 3


@dataclass(frozen=True, slots=True)
class Deck:
    """How many copies of each value of VALUES a type has, and how many treasures a round lays face up and face down."""

    copies: tuple[int, ...]
    up: int
    down: int

    @property
    def row(self) -> int:
        return self.up + self.down


@dataclass(frozen=True, slots=True)
class CryptData:
    """Dice a player, the decks for 2, 3, ... players, and the side of every collector unless the table chooses."""

    dice: int
    decks: tuple[Deck, ...]
    default: str

    @property
    def plain(self) -> tuple[Any, ...]:
        """The whole table as plain data; its hash (games.data_hash) names it."""
        return ("crypt", TYPES, tuple(VALUES), self.dice, tuple((d.copies, d.up, d.down) for d in self.decks), self.default)

    def deck(self, players: int) -> Deck:
        """The deck for so many players."""
        return self.decks[players - PLAYERS.start]

    def cards(self, players: int) -> tuple[tuple[str, int], ...]:
        """(type, value) of every treasure for so many players, by type and value."""
        copies = dict(zip(VALUES, self.deck(players).copies, strict=True))
        return tuple((kind, value) for kind in TYPES for value in VALUES for _ in range(copies[value]))


def load(table: dict[str, Any]) -> CryptData:
    """Check a parsed table of the shape of data/crypt.toml; raises LocalError with a sentence that says what is wrong."""
    _keys("the table", table, {"players", "types", "values", "dice", "deck", "collectors"})
    _need(_is_list(table["players"], int) and table["players"] == [PLAYERS[0], PLAYERS[-1]], "players must be [2, 4]")
    _need(_is_list(table["types"], str) and tuple(table["types"]) == TYPES, f"types must be {', '.join(TYPES)}, in this order")
    _need(_is_list(table["values"], int) and table["values"] == list(VALUES), "values must be [1, 2, 3, 4]")
    dice = table["dice"]
    _need(type(dice) is int and 1 <= dice <= MAX_DICE, f"dice must be a number from 1 to {MAX_DICE}")
    _keys("deck", table["deck"], {str(n) for n in PLAYERS})
    _keys("collectors", table["collectors"], {"default"})
    default = table["collectors"]["default"]
    _need(type(default) is str and default in SIDES, 'the default side of the collectors must be "a" or "b"')
    return CryptData(dice, tuple(_deck(n, table["deck"][str(n)]) for n in PLAYERS), default)


def _deck(players: int, table: Any) -> Deck:
    what = f"deck.{players}"
    _keys(what, table, {"copies", "face_up", "face_down"})
    _keys(f"{what}.copies", table["copies"], {str(value) for value in VALUES})
    copies = tuple(table["copies"][str(value)] for value in VALUES)
    for number in copies:
        _need(type(number) is int and 0 <= number <= MAX_COPIES, f"{what}: the copies of a value must be a number from 0 to {MAX_COPIES}")
    up, down = table["face_up"], table["face_down"]
    _need(type(up) is int and up >= 1, f"{what}: at least one treasure must lie face up")
    _need(type(down) is int and down >= 0, f"{what}: face_down must be a number, 0 or more")
    _need(up + down <= MAX_ROW, f"{what}: a round lays at most {MAX_ROW} treasures")
    cards = sum(copies) * len(TYPES)
    _need(cards > 0 and cards % (up + down) == 0, f"{what}: {cards} treasures do not make whole rounds of {up + down}")
    return Deck(copies, up, down)


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
