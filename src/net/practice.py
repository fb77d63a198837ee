"""Practice: a table of one person and bots in one process, by the same protocol between sessions, without a network."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from ..core.bots import decide
from ..core.errors import LocalError
from ..core.games import GAMES, data_hash
from ..core.rules import Options
from ..core.view import Snapshot
from .book import Silent
from .chat import Line
from .client import Client
from .identity import Identity
from .match import Match, start
from .roster import Roster, Seat
from .session import Session
from .store import Profile, Store, load_game_data

USUAL = Options()
BOT_NAMES = ("Anubis", "Bastet", "Horus", "Isis", "Thoth")


class Practice(Client):
    """All sessions share one thread, all bots another."""

    def __init__(self, store: Store, profile: Profile, sessions: list[Session], level: str) -> None:
        super().__init__(store, profile)
        self._sessions, self._session, self._level = sessions, sessions[0], level
        self.bots = dict.fromkeys(range(1, len(sessions)), level)
        self._thinkers = ThreadPoolExecutor(1, "bots")
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        for pool in (self._pool, self._thinkers):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)

    async def _call(self, what: Callable[[Session], Any]) -> Any:
        try:
            return await self._on(lambda: what(self._sessions[0]))
        finally:
            self._wake.set()

    async def _on(self, function: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._pool, function)

    async def _run(self) -> None:
        await self._on(self._link)
        while True:
            self._wake.clear()
            moved, self.snapshot, self.notes = await self._on(self._pump)
            self._changed()
            if self.snapshot.phase in ("done", "ended"):
                try:
                    await self._on(lambda: self._keep_files(self._sessions[0]))
                except LocalError as error:  # a full disk, records of a newer program: said, and the game ends all the same
                    self.trouble = error
                self.ended.set()
                self._changed()
                return
            moved |= await self._let_bots_decide()
            if not moved:
                await self._wake.wait()

    def _link(self) -> None:
        for a, one in enumerate(self._sessions):
            for b, other in enumerate(self._sessions):
                if a != b:
                    one.link_up(b, other.roster.seats[b].identity)
            one.begin()

    def _pump(self) -> tuple[bool, Snapshot, tuple[Line, ...]]:
        """Deliver what is under way now; whatever that brings about waits for the next call, so the screen can follow."""
        moved = False
        for a, session in enumerate(self._sessions):
            for b, message in session.take_outbox():
                self._sessions[b].receive(a, message)
                moved = True
        return moved, self._sessions[0].snapshot(), self._sessions[0].chat.lines

    async def _let_bots_decide(self) -> bool:
        moved = False
        for session in self._sessions[1:]:
            if session.table.decision is None:
                continue
            view = await self._on(lambda s=session: s.snapshot().view)  # type: ignore[misc]
            if view.asked() is None:
                continue
            move = await asyncio.get_running_loop().run_in_executor(self._thinkers, decide, self._level, view, os.urandom)
            await self._on(lambda s=session, m=move: s.answer(m))  # type: ignore[misc]
            moved = True
        return moved


@asynccontextmanager
async def practice(
    store: Store, game: str, bots: int, level: str = "sensible", *, name: str, data: Path | None = None, options: Options = USUAL
) -> AsyncIterator[Practice]:
    """A table of one person and `bots` bots in this process.  Raises LocalError."""
    with store.take_profile() as profile:
        table, toml = load_game_data(game, data)
        identities = [profile.identity, *(Identity.generate() for _ in range(bots))]
        signers = [Identity.generate() for _ in identities]
        names = [name, *(b for b in BOT_NAMES if b.casefold() != name.casefold())][: bots + 1]
        runners = [None, *(0 for _ in range(bots))]
        parts = zip(identities, names, signers, runners, strict=True)
        seats = tuple(Seat(i.public, n, s.public, os.urandom(32), runner) for i, n, s, runner in parts)
        roster = Roster(game, GAMES[game].rules.VERSION, options, data_hash(table), seats)
        match = Match(roster.with_signatures(tuple(roster.sign(i) for i in identities)), table, toml if data else b"")
        client = Practice(store, profile, [start(match, i, s, Silent(), os.urandom) for i, s in enumerate(signers)], level)
        client.begin()
        try:
            yield client
        finally:
            await client.close()
