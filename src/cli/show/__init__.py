"""What a match looks like: pure functions from snapshots to lines of text, one module a game beside what all games share."""

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from .frame import Show

GAMES = ("crypt", "loot", "pyramid", "scarabya")  # each has a module here, of the form frame.Show


def show_of(game: str) -> "Show":
    """The module that shows this game, one of GAMES."""
    return cast("Show", import_module(f".{game}", __name__))
