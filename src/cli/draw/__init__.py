"""What a match looks like as a picture (SVG): pure functions from snapshots to markup, one module a game; it knows no page."""

from collections.abc import Callable
from importlib import import_module
from typing import cast

from ...core.view import Snapshot


def draw_of(game: str) -> Callable[[Snapshot], str]:
    """The function that draws this game's table, one of show.GAMES."""
    return cast("Callable[[Snapshot], str]", import_module(f".{game}", __name__).draw)
