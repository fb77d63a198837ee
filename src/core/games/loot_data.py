"""Loot N Run's component table: what a data file may say, checked; knows no rule beyond what is printed on the box."""

import re
from dataclasses import dataclass
from typing import Any

from .checks import is_list, need, need_keys, quoted

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
    need_keys("The file", table, {"players", "goal", "treasures", "guardians", "cards"})
    players = [PLAYERS[0], PLAYERS[-1]]
    need(is_list(table["players"], int) and table["players"] == players, "players must be {0}.", players)
    need(is_list(table["guardians"], str) and tuple(table["guardians"]) == GUARDIANS, "guardians must be {0}.", list(GUARDIANS))
    kinds = table["treasures"]
    need(is_list(kinds, str) and 1 <= len(kinds) <= MAX_KINDS, "treasures must be a list of 1 to {0} names.", MAX_KINDS)
    for kind in kinds:
        need(NAME.fullmatch(kind) is not None, "The name of a treasure must be 1 to 16 letters a-z or hyphens, not {0}.", quoted(kind))
    need(len(set(kinds)) == len(kinds), "treasures names one kind twice.")
    return LootData(_goals(table["goal"]), tuple(kinds), _cards(table["cards"], kinds))


def _goals(table: Any) -> tuple[int, ...]:
    need_keys("goal", table, {str(n) for n in PLAYERS})
    for players, goal in table.items():
        need(type(goal) is int and 1 <= goal <= MAX_GOAL, "The goal for {0} players must be a number from 1 to {1}.", players, MAX_GOAL)
    return tuple(table[str(n)] for n in PLAYERS)


def _cards(table: Any, kinds: list[str]) -> tuple[tuple[str, Face], ...]:
    need(is_list(table, dict), "cards must be a list of tables.")
    need(2 <= len(table) <= MAX_CARDS, "There must be 2 to {0} cards, not {1}.", MAX_CARDS, len(table))
    cards = []
    for number, card in enumerate(table, 1):
        need_keys(f"cards {number}", card, {"back", "top", "treasures"})
        back, top, found = card["back"], card["top"], card["treasures"]
        need(back in BACKS, "Card {0}: the back {1} is none of {2}.", number, quoted(back), ", ".join(BACKS))
        need(top in ("", AMULET, *GUARDIANS), "Card {0}: the top {1} is no guardian, no amulet and not empty.", number, quoted(top))
        need(is_list(found, str) and 1 <= len(found) <= 3, "Card {0} must have 1 to 3 treasures.", number)
        for kind in found:
            need(kind in kinds, "Card {0}: {1} is not in the list of treasures.", number, quoted(kind))
        cards.append((back, (top, tuple(found))))
    return tuple(cards)
