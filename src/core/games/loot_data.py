"""Loot N Run's component table: what a data file may say, checked; knows no rule beyond what is printed on the box."""

import re
from dataclasses import dataclass
from typing import Any

from ..errors import LocalError

BACKS = ("green", "yellow", "red")  # from the safest chamber to the most dangerous
AMULET = "amulet"
GUARDIANS = ("mummy", "werewolf", "frank")  # also the order in which their benefits are taken
PLAYERS = range(2, 7)
MAX_CARDS = 240  # a table made to exhaust the others' machines ends here: every shuffle costs time for each card
MAX_KINDS = 12
MAX_GOAL = 999
NAME = re.compile(r"[a-z][a-z-]{0,15}")  # a name from another's file is shown on a terminal: no control characters

Face = tuple[str, tuple[str, ...]]  # (guardian, "amulet" or "", treasures)


@dataclass(frozen=True, slots=True)
class LootData:
    """The goal for 2, 3, ... players, the kinds of treasure, and (back, face) of every card."""

    goals: tuple[int, ...]
    treasures: tuple[str, ...]
    cards: tuple[tuple[str, Face], ...]

    @property
    def plain(self) -> tuple[Any, ...]:
        """The whole table as plain data; its hash (games.data_hash) names it."""
        return ("loot", self.goals, self.treasures, GUARDIANS, self.cards)

    def goal(self, players: int) -> int:
        """The points that end a game of so many players."""
        return self.goals[players - PLAYERS.start]


def load(table: dict[str, Any]) -> LootData:
    """Check a parsed table of the shape of data/loot.toml; raises LocalError with a sentence that says what is wrong."""
    _keys("the table", table, {"players", "goal", "treasures", "guardians", "cards"})
    _need(_is_list(table["players"], int) and table["players"] == [PLAYERS[0], PLAYERS[-1]], "players must be [2, 6]")
    _need(
        _is_list(table["guardians"], str) and tuple(table["guardians"]) == GUARDIANS,
        f"guardians must be {', '.join(GUARDIANS)}, in this order",
    )
    kinds = table["treasures"]
    _need(_is_list(kinds, str) and 1 <= len(kinds) <= MAX_KINDS, f"treasures must be a list of 1 to {MAX_KINDS} names")
    for kind in kinds:
        _need(NAME.fullmatch(kind) is not None, f"the treasure {kind!r} is not named by 1 to 16 letters a-z or hyphens")
    _need(len(set(kinds)) == len(kinds), "a treasure is named twice")
    return LootData(_goals(table["goal"]), tuple(kinds), _cards(table["cards"], kinds))


def _goals(table: Any) -> tuple[int, ...]:
    _keys("goal", table, {str(n) for n in PLAYERS})
    for players, goal in table.items():
        _need(type(goal) is int and 1 <= goal <= MAX_GOAL, f"the goal for {players} players must be a number from 1 to {MAX_GOAL}")
    return tuple(table[str(n)] for n in PLAYERS)


def _cards(table: Any, kinds: list[str]) -> tuple[tuple[str, Face], ...]:
    _need(_is_list(table, dict), "cards must be a list of tables")
    _need(2 <= len(table) <= MAX_CARDS, f"there must be 2 to {MAX_CARDS} cards, not {len(table)}")
    cards = []
    for number, card in enumerate(table, 1):
        _keys(f"card {number}", card, {"back", "top", "treasures"})
        _need(card["back"] in BACKS, f"card {number}: the back {card['back']!r} is none of {', '.join(BACKS)}")
        _need(card["top"] in ("", AMULET, *GUARDIANS), f"card {number}: the top {card['top']!r} is no guardian, no amulet and not empty")
        found = card["treasures"]
        _need(_is_list(found, str) and 1 <= len(found) <= 3, f"card {number} must have 1 to 3 treasures")
        for kind in found:
            _need(kind in kinds, f"card {number}: the treasure {kind!r} is not in the list of treasures")
        cards.append((card["back"], (card["top"], tuple(found))))
    return tuple(cards)


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
