"""What a player is called: as typed, else as last time, else a name out of a list; it never tells a login or host name."""

import os
from pathlib import Path

from ..net.names import plain_name
from ..net.store import write_file
from .cells import clean
from .words import Usage

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
    """The name to be called by; remembered in the data folder.  Raises LocalError for a typed one that others would not show."""
    path = root / "name"
    before = ""
    if path.is_file():
        before = path.read_text(encoding="utf-8", errors="replace")[:LONGEST]
    name = clean(typed if typed is not None else before, LONGEST).strip()
    if (plain := plain_name(name, len(name.encode()))) != name and typed is not None:
        raise Usage("A name cannot hold what looks like the words of a key: {0}", name)
    name = plain or NAMES[os.urandom(1)[0] % len(NAMES)]
    if name != before:
        write_file(path, name.encode())
    return name
