"""From a signed roster to a running session and back from its journal; it knows what must be on disk, not who is on the line."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..core.errors import LocalError, Unfit
from ..core.fair.keys import Secrets
from ..core.fair.table import Table
from ..core.games import GAMES, Game, data_hash
from ..core.plain import BadEncoding, decode, encode
from .identity import Identity
from .log import JOURNAL, MAX_FILE, PLACES, ROSTER, SECRETS, Journal, read_limited, record, records
from .roster import Roster
from .session import Session
from .store import disk, load_game_data, parse_game_data

Rng = Callable[[int], bytes]


@dataclass(frozen=True)
class Match:
    """What a seat needs to play: the signed roster, the checked component table and its TOML text (b"": the built-in one)."""

    roster: Roster
    data: Any
    toml: bytes = b""
    fresh: tuple[int, ...] = ()  # the seats whose identity was made for this table alone

    def table(self, me: int | None = None, own: Secrets | None = None) -> Table:
        """A fresh table of this match.  Raises LocalError if this program cannot play it."""
        game = _game(self.roster)
        if self.roster.rules != game.rules.VERSION:
            raise Unfit("other-rules", "The match has version {0} of the rules, this program {1}.", self.roster.rules, game.rules.VERSION)
        if data_hash(self.data) != self.roster.data:
            raise Unfit("other-data", "The match was played with another table of cards: name its file with --data.")
        seats, options = len(self.roster.seats), self.roster.options
        if seats not in game.rules.SEATS or not game.rules.plays(options.variant):
            raise Unfit("bad-table", "The roster does not fit the game {0}.", self.roster.game)
        rules = game.rules(seats, self.data, options)
        return Table(rules, self.roster.match, self.roster.data, me, own)


def _game(roster: Roster) -> Game:
    if roster.game not in GAMES:
        raise Unfit("unknown-game", "This version does not know the game {0}.", roster.game)
    return GAMES[roster.game]


def match_of(roster: Roster, path: Path | None = None) -> Match:
    """The match of a roster, with the built-in component table or a file's.  Raises LocalError."""
    _game(roster)
    data, toml = load_game_data(roster.game, path)
    return Match(roster, data, toml if path else b"")


class FileJournal:
    """An append-only file, 0600: records of length, CRC-32, kind and payload."""

    def __init__(self, path: Path, fresh: bool) -> None:
        self.path = path
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | (os.O_CREAT | os.O_EXCL if fresh else 0)
        with disk(path):
            self._file = os.open(path, flags, 0o600)
            if fresh:
                self._write(JOURNAL)

    def append(self, kind: int, payload: bytes, sync: bool) -> None:
        """Write a record; with `sync` it is on disk when this returns.  Raises LocalError if the disk refuses."""
        with disk(self.path):
            self._write(record(kind, payload))
            if sync:
                os.fdatasync(self._file)

    def _write(self, data: bytes) -> None:
        start = os.lseek(self._file, 0, os.SEEK_END)
        if start + len(data) > MAX_FILE:  # what is not read again need not be written: nobody plays without end to fill a disk
            raise LocalError("The match has grown larger than {0} MiB.", MAX_FILE >> 20)
        written = 0
        try:
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, start)  # half a record in the middle would make the journal unreadable
            raise

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def remove(self) -> None:
        """The match is over and its transcript written: its keys are not needed any more (and must not be found)."""
        self.close()
        with disk(self.path):
            self.path.unlink(missing_ok=True)


Places = tuple[tuple[tuple[str, int], ...], ...]  # by seat: where it may be reached


def start(
    match: Match, me: int, signer: Identity, journal: Journal, rng: Rng, places: Places = (), identity: Identity | None = None
) -> Session:
    """This seat's session of a new match: roster and match keys are on disk before anything is said.  Raises LocalError.

    An identity that was made for this table is kept there alone, and goes with the journal.
    """
    secret = identity.secret if identity and me in match.fresh else b""
    own = Secrets.generate(rng)
    journal.append(ROSTER, encode((match.roster.encode(), match.toml)), False)
    journal.append(PLACES, encode(places), False)
    journal.append(SECRETS, encode((me, signer.secret, own.encode(), secret, match.fresh)), True)
    return Session(match.roster, match.table(me, own), journal, rng, signer, identity, match.fresh)


def _places(value: Any, seats: int) -> Places:
    good = type(value) is tuple and len(value) in (0, seats) and all(type(p) is tuple for p in value)
    if not good or not all(type(a) is tuple and [type(x) for x in a] == [str, int] for p in value for a in p):
        raise ValueError("no addresses")
    places: Places = value
    return places


def resume(path: Path, rng: Rng, identity: Identity) -> tuple[Session, FileJournal, Places]:
    """The session that a journal kept, ready to go on with exactly the bytes it has signed, under `identity`, or under the one that
    was made for its table.  Raises LocalError.
    """
    match, found = _load(path)
    roster = match.roster
    try:
        if [kind for kind, _ in found[1:3]] != [PLACES, SECRETS]:
            raise ValueError("no keys")
        places, (me, secret, own, mine, fresh) = _places(decode(found[1][1]), len(roster.seats)), decode(found[2][1])
        signer = Identity.from_secret(secret)
        if type(me) is not int or me < 0 or roster.seats[me].signing != signer.public:
            raise ValueError("another key")
        identity = Identity.from_secret(mine) if mine else identity
        _cut_torn(path)
        journal = FileJournal(path, False)
        session = Session(roster, match.table(me, Secrets.decode(own)), journal, rng, signer, identity, tuple(fresh))
        session.toml = match.toml
        session.restore(found[3:])
    except (ValueError, TypeError, IndexError) as error:
        raise LocalError("The journal {0} is damaged: {1}.", path, error) from None
    if session.fault:
        raise LocalError("The journal {0} is damaged: {1}.", path, session.fault.claim)
    return session, journal, places


def kept(path: Path) -> tuple[Roster, bytes]:
    """The roster and the own component table (b"": the built-in one) of the match whose journal this is.  Raises LocalError."""
    match, _found = _load(path)
    return match.roster, match.toml


def _load(path: Path) -> tuple[Match, list[tuple[int, bytes]]]:
    with disk(path), path.open("rb") as file:
        data = read_limited(file)
    try:
        found = records(data)
        if not found or found[0][0] != ROSTER:
            raise BadEncoding("it holds no roster")
        encoded, toml = decode(found[0][1])
        if type(toml) is not bytes:
            raise BadEncoding("no table of cards")
        roster = Roster.decode(encoded)
        table = parse_game_data(roster.game, toml) if toml else load_game_data(roster.game)[0]
    except (ValueError, TypeError) as error:
        raise LocalError("The journal {0} is damaged: {1}.", path, error) from None
    return Match(roster, table, toml), found


def _cut_torn(path: Path) -> None:
    """Drop a torn last record before more is appended behind it."""
    with disk(path), path.open("r+b") as file:
        data = read_limited(file)
        whole = len(JOURNAL) + sum(len(record(kind, payload)) for kind, payload in records(data))
        if whole != len(data):
            file.truncate(whole)
            os.fsync(file.fileno())
