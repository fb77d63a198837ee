"""Matches that this player has finished, in a small database of the data folder; it knows results and names, no cards and no keys."""

import contextlib
import datetime
import os
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import LocalError
from .store import disk, make_folder

SCHEMA_VERSION = 2
SCHEMA = """
CREATE TABLE IF NOT EXISTS game (match BLOB NOT NULL, ended TEXT NOT NULL, name TEXT NOT NULL, me INTEGER NOT NULL,
    complete INTEGER NOT NULL, PRIMARY KEY (match, me));
CREATE TABLE IF NOT EXISTS player (match BLOB NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL, identity BLOB NOT NULL,
    bot TEXT NOT NULL, score INTEGER NOT NULL, won INTEGER NOT NULL, signed INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (match, seat));
"""
SIGNED = "ALTER TABLE player ADD COLUMN signed INTEGER NOT NULL DEFAULT 1;"  # what version 1 lacked
WAIT = 5.0  # seconds: two terminals of one user may end a match at the same time


@dataclass(frozen=True)
class Player:
    """One seat of a finished match.  `bot`: the level of the bot that played it, as far as this program knows; else empty."""

    name: str
    identity: bytes
    bot: str
    score: int
    won: bool
    signed: bool = True  # has this seat confirmed the result?


@dataclass(frozen=True)
class Played:
    """A match that has ended: its hash, the day, this player's seat, all seats in order; complete: it was played to a result."""

    match: bytes
    game: str
    me: int
    complete: bool
    players: tuple[Player, ...]
    ended: str = ""  # ISO 8601; empty: now


class Records:
    """The database in this data folder; it is made when the first match is added.  Everything raises LocalError."""

    def __init__(self, root: Path) -> None:
        self.path = root / "records.sqlite3"

    def add(self, played: Played) -> None:
        """Keep a match; the same match again replaces what was kept (a result may still become complete)."""
        with disk(self.path):
            make_folder(self.path.parent)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # sqlite would let everybody read it
        ended = played.ended or datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with self._open() as db, db:
            db.execute("DELETE FROM player WHERE match = ?", (played.match,))
            db.execute("REPLACE INTO game VALUES (?, ?, ?, ?, ?)", (played.match, ended, played.game, played.me, played.complete))
            rows = [(played.match, i, p.name, p.identity, p.bot, p.score, p.won, p.signed) for i, p in enumerate(played.players)]
            db.executemany("INSERT INTO player VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def all(self) -> tuple[Played, ...]:
        """Every match, oldest first."""
        if not self.path.exists():
            return ()
        with self._open() as db:
            seats: dict[bytes, list[Player]] = {}
            for match, *player in db.execute("SELECT match, name, identity, bot, score, won, signed FROM player ORDER BY match, seat"):
                name, identity, bot, score, won, signed = _typed(player, str, bytes, str, int, int, int)
                seats.setdefault(match, []).append(Player(name, identity, bot, score, bool(won), bool(signed)))
            games = db.execute("SELECT match, name, me, complete, ended FROM game ORDER BY ended, match").fetchall()
            typed = [_typed(game, bytes, str, int, int, str) for game in games]
        return tuple(Played(m, name, me, bool(complete), tuple(seats.get(m, ())), ended) for m, name, me, complete, ended in typed)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with contextlib.closing(sqlite3.connect(self.path, timeout=WAIT)) as db:
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version > SCHEMA_VERSION:
                    raise LocalError("The records in {0} were made by a newer version of the program.", self.path)
                if version == 0:
                    db.execute("PRAGMA journal_mode = WAL")
                    db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
                elif version == 1:
                    db.executescript(f"BEGIN IMMEDIATE; {SIGNED} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
                yield db
        except (sqlite3.Error, ValueError) as error:  # ValueError: text that is none, or a column of another type
            raise LocalError("The records in {0} cannot be used: {1}.", self.path, error) from None


def _typed(row: Sequence[Any], *types: type) -> Sequence[Any]:
    """The row; ValueError unless its columns are of these types, which the database itself does not see to."""
    if [type(value) for value in row] != list(types):
        raise ValueError("a column of another type")
    return row
