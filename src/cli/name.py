"""What a player is called: as typed, else as last time, else a name out of a list; it never tells a login or host name."""

import os
from pathlib import Path

from ..net.store import write_file
from .cells import clean

NAMES = (
    "Ibis",
    "Lotus",
    "Falcon",
    "Jackal",
    "Heron",
    "Papyrus",
    "Sphinx",
    "Oasis",
    "Dune",
    "Amber",
    "Cobra",
    "Acacia",
    "Date",
    "Onyx",
    "Reed",
    "Saffron",
)
LONGEST = 24  # characters


def is_known(root: Path) -> bool:
    """Has this person ever been called by a name here?"""
    return (root / "name").is_file()


def player_name(typed: str | None, root: Path) -> str:
    """The name to be called by; remembered in the data folder."""
    path = root / "name"
    before = ""
    if path.is_file():
        before = path.read_text(encoding="utf-8", errors="replace")[:LONGEST]
    name = clean(typed if typed is not None else before, LONGEST).strip() or NAMES[os.urandom(1)[0] % len(NAMES)]
    if name != before:
        write_file(path, name.encode())
    return name
