"""The real program on the machines of a test: how it is started, and how its lines are waited for."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PROGRAM = [sys.executable, "-W", "error", "-m", "mastaba.cli"]
BOT = ["--bot", "random"]
Lan = Callable[..., list[Any]]  # the fixture: so many machines
Running = subprocess.Popen[str]


def small(game: str) -> Path:
    """The short table of a game."""
    return Path(__file__).parents[1] / "data" / f"{game}-small.toml"


SMALL = small("loot")


def opening(seats: int, game: str = "loot") -> list[Any]:
    """The command by which Ana's bot opens a table with the short cards."""
    return [*PROGRAM, "open", game, "--seats", seats, "--data", small(game), *BOT, "--name", "Ana"]


def until(process: Running, what: str) -> str:
    """Read the program's lines until one holds the text, and return that; fails if it ends before."""
    assert process.stdout
    seen = []
    for line in process.stdout:
        seen.append(line)
        if what in line:
            return line
    pytest.fail(f"{what!r} never came:\n{''.join(seen)}")
