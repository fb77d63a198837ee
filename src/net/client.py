"""What the user interface holds of a table, and what it may do there; it knows no links and no words."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..core.errors import LocalError
from ..core.rules import Over
from ..core.view import Snapshot
from .addresses import Address
from .chat import Line
from .identity import Identity
from .lobby import Opener
from .lobbyview import LobbyView
from .records import Played, Player, Records
from .seen import beside, seen_by
from .session import Session
from .store import Profile, Store, write_file


class Client:
    """What a renderer may see and do.  The attributes change between two calls of the watchers, in the event loop."""

    hold = 0.0  # seconds before an answer that the program gives by itself and that depends on something hidden
    resumable = False  # is the seat kept on disk, once the match has begun?

    def __init__(self, store: Store, profile: Profile) -> None:
        self.store, self.profile, self.identity = store, profile, profile.identity
        self.fresh: Identity | None = None  # the identity, if it was made for this table alone
        self.snapshot: Snapshot | None = None
        self.lobby: LobbyView | None = None
        self.trouble: LocalError | None = None  # something that does not end the game, such as a network without multicast
        self.places: tuple[Address, ...] = ()  # where others reach this peer
        self.code = ""  # the code words typed for a private table
        self.opener_at: tuple[Address, ...] = ()  # where the one who opened the table was found, if it was another
        self.transcript: Path | None = None
        self.gone = False  # has said good-bye: there is nothing to come back to
        self.evidence: Path | None = None
        self.notes: tuple[Line, ...] = ()
        self.strangers: tuple[str, ...] = ()  # known names that came with another identity, until the person says yes
        self.failed: LocalError | None = None  # why the match could not begin, or be watched any longer
        self.bots: dict[int, str] = {}  # seats that bots of this program play, and how well
        self.played_by = ""  # the level of the bot that plays this seat
        self.ended = asyncio.Event()
        self._watchers: list[Callable[[], None]] = []
        self._pool = ThreadPoolExecutor(1, "session")

    @property
    def opener(self) -> tuple[str, bytes]:
        """Name and identity of the one who opened the table, once the match has begun; empty before."""
        return "", b""

    @property
    def players(self) -> Mapping[bytes, str]:
        """The names of all who play, by identity, once the match has begun."""
        return {}

    @property
    def table_at(self) -> tuple[Address, ...]:
        """Where others reach the table that is waiting: at its opener, not at a guest."""
        return self.opener_at or self.places

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Have it called in the event loop whenever something that is shown has changed."""
        self._watchers.append(callback)

    async def recognise(self, seat: int) -> None:
        """The person says that this seat is who it is called, though its key is not the known one: from now on that name has this key."""

    async def enter(self, code: str) -> None:
        """Try these code words at a private table (`lobby.phase` is "private"); nothing happens elsewhere."""

    async def turn_away(self, identity: bytes) -> None:
        """The opener's: this guest loses its seat, and gets none at this table again.  LocalError for others, and once the game begins."""
        await self._as_opener(lambda opener: opener.turn_away(identity))

    async def begin_now(self) -> None:
        """The opener's: begin with those who are here, though the table was opened for more.  LocalError if that cannot be."""
        await self._as_opener(lambda opener: opener.begin())

    async def _as_opener(self, what: Callable[[Opener], None]) -> None:
        raise LocalError("not-asked")

    async def answer(self, move: Any) -> None:
        """Decide; raises IllegalMove(reason id), or LocalError if nothing is asked."""
        await self._call(lambda session: session.answer(move))

    async def note(self, text: str) -> None:
        """Chat."""
        await self._call(lambda session: session.note(text))

    async def again(self) -> None:
        """Tell the others that this seat wants another match with them."""
        await self._call(lambda session: session.again())

    async def vote(self, lost: int | None) -> None:
        """Vote to go on without that seat, or (None) to wait for it; LocalError if there is nothing to vote on."""
        await self._call(lambda session: session.vote(lost))

    async def leave(self) -> None:
        """Good-bye for ever: the others play on without this seat, which cannot come back.  LocalError while the keys are being made."""
        await self._call(lambda session: session.leave())
        self.gone = True

    async def finished(self) -> None:
        """Return when the match is done, has ended, or could not begin (`lobby.trouble`)."""
        await self.ended.wait()

    async def _call(self, what: Callable[[Session], Any]) -> Any:
        raise AssertionError("a client calls its session")

    def _changed(self) -> None:
        for watcher in self._watchers:
            watcher()

    def _keep_files(self, session: Session) -> None:
        """Write what the end of a match leaves: the transcript, and the proof of a cheat.  On the worker thread."""
        path = self.store.transcript_path(session.roster.game, session.roster.match)
        write_file(path, session.transcript(with_void=True))
        if session.me is not None:
            write_file(beside(path, session.me), seen_by(session).encode())
        self.transcript = path
        self._keep_proof(session)
        if session.me is not None:
            Records(self.store.root).add(self._result(session, session.me))

    def _keep_proof(self, session: Session) -> None:
        fault = session.fault or session.book.proof
        path = self.store.transcript_path(session.roster.game, session.roster.match).with_suffix(".evidence")
        if fault and fault.evidence and path != self.evidence:
            write_file(path, fault.evidence)
            self.evidence = path

    def _result(self, session: Session, me: int) -> Played:
        over = session.table.rules.pending
        levels = self.bots | ({me: self.played_by} if self.played_by else {})
        scores, winners = (over.scores, over.winners) if isinstance(over, Over) else (session.table.rules.scores(), ())
        signed = session.snapshot().signed
        players = tuple(
            Player(seat.name, seat.identity, levels.get(i, ""), scores[i], i in winners, i in signed)
            for i, seat in enumerate(session.roster.seats)
        )
        return Played(session.roster.match, session.roster.game, me, isinstance(over, Over), players)
