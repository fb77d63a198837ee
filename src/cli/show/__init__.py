"""What a match looks like: pure functions from snapshots to lines of text, one module a game beside what all games share."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .frame import Show


def show_of(game: str) -> "Show":
    """The module that shows this game."""
    from . import loot

    return {"loot": loot}[game]
