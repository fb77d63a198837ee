"""One player's way from sitting down to the signed end, over links; or a spectator's.

It lives in the event loop and owns the session's worker thread; it knows no screen and no words.
"""

import asyncio
import contextlib
import os
import random
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, TypeVar

from ..core.errors import LocalError
from .addresses import Address, show_address
from .book import Silent
from .channel import Refused
from .client import Client
from .discovery import Discovery, TableAd
from .guest import Guest
from .handler import Nobody
from .identity import Identity
from .lobby import NOBODY, Opener
from .lobbyview import Agreed, LobbyView
from .match import FileJournal, Match, Places, start
from .peers import CutOff, Peers
from .reunion import Reunion
from .search import LOOK, NothingFound, Search
from .session import Session
from .store import Profile, Store
from .terms import Terms, in_play
from .watch import Watcher

COME_AGAIN = 0.2, 1.0  # seconds from one try to get through a crowd to the next, at least and at most
HOLD = 0.3  # seconds before an answer that the program gives by itself and that depends on something hidden
LOOK_AGAIN = 1.0, 3.0  # seconds from one look whether a full table has a seat to the next, at least and at most
LINGER = 10.0  # seconds in which a finished peer still serves those that lack the last signatures
L = TypeVar("L", Opener, Guest)


class Seated(Client):
    """A client with links to other peers: first in a lobby, then in a match."""

    resumable = True
    hold = HOLD

    def __init__(self, store: Store, profile: Profile, loopback: bool, tag: str, fresh: Identity | None = None) -> None:
        super().__init__(store, profile)
        self.fresh, self.identity = fresh, fresh or profile.identity
        self._loopback, self._tag = loopback, tag
        self._heard = asyncio.Event()
        self._expected: bytes | None = None  # whose table it must be, if that is known
        self._discovery = Discovery(self._heard.set, tag, version("mastaba"))
        self._peers: Peers | None = None
        self._lobby: Opener | Guest | None = None
        self._session: Session | None = None
        self._journal: FileJournal | None = None
        self._ad: TableAd | None = None
        self._told_of_another = False  # machine that plays under this identity
        self._followed = False  # a spectator has had a link to the match
        self._stage = ""  # "lobby", "begin", "match", "over": what `_after` has set going
        self._settled = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    # -- sitting down -----------------------------------------------------------------------------------------------

    async def open(self, terms: Terms, name: str, port: int, kept: Mapping[bytes, str] = NOBODY, bot: bool = False) -> None:
        """Open a table and announce it; that nobody may hear it is only a `trouble`, since address and port can be typed.

        `kept`: for whom alone it has seats, if it is another match of the same people.  `bot`: a bot plays here, and all are told so.
        """
        fresh = self.fresh is not None
        await self._listen(port, lambda places: Opener(self.identity, name, terms, places, os.urandom, kept, bot, fresh))
        try:
            await self._discovery.start(self._loopback)
        except LocalError as error:
            self.trouble = error
        self._after()

    async def join(self, target: str | None, name: str, bot: bool = False) -> None:
        """Find the table and ask for a seat.  Raises LocalError if there is none."""
        await self.join_at(target, (), name, bot=bot)

    async def join_at(
        self,
        target: str | None,
        addresses: tuple[Address, ...],
        name: str,
        code: str = "",
        kept: Mapping[bytes, str] = NOBODY,
        bot: bool = False,
    ) -> None:
        """The same; with addresses the table is not looked for.  `code`: a private table's code words, if they are known already."""
        self.code, fresh = code, self.fresh is not None
        guest = await self._listen(0, lambda places: Guest(self.identity, name, places, os.urandom, code, kept, bot, fresh))
        self.opener_at, self._expected = (addresses, None) if addresses else await self._find(target)
        try:
            link = await self._reach()
        except Refused as error:
            if error.reason != "self":
                raise
            raise NothingFound("Nobody has a table open at {0}.", show_address(self.opener_at[0])) from None  # nobody but we ourselves
        await self._links.call(guest.join, link)

    async def go_on(self, session: Session, journal: FileJournal, places: Places) -> None:
        """Come back to a match that the journal kept."""
        if session.chain.identity is not None and session.chain.identity.public != self.identity.public:
            self.fresh = self.identity = session.chain.identity
        session.hold = self.hold
        self._session, self._journal, self._stage = session, journal, "match"
        self._peers = Peers(self.profile, self._pool, session, self._after, self.identity)
        mine, self.opener_at = (places[session.me or 0], places[0]) if places else ((), ())
        await self._start_peers(mine[0][1] if mine else 0)
        session.about = in_play(session.roster, session.roster.seats[0].name, bool(session.toml), session.fresh)
        self._acquaint(session)
        self._reunite(session, places)
        await self._links.call(session.begin)

    async def watch(self, target: str | None, name: str = "") -> None:
        """Follow a table that plays, under a name or none.  Raises LocalError if there is none, or it does not want to be watched."""
        self.resumable = False
        watcher = Watcher(name)
        asked = asyncio.Event()
        self._peers = Peers(self.profile, self._pool, watcher, asked.set, self.identity)
        await self._peers.start(None, self._loopback)
        self.opener_at, self._expected = await self._find(target, "play")
        link = await self._reach()
        await self._peers.call(watcher.watch, link)
        while not (watcher.found or watcher.trouble):
            asked.clear()
            try:
                await asyncio.wait_for(asked.wait(), LOOK)
            except TimeoutError:
                raise Refused("silent") from None
        if watcher.found is None:
            raise watcher.trouble or NothingFound("Nobody plays there.")
        session = Session(watcher.found.roster, watcher.found.table(), Silent(), os.urandom, fresh=watcher.found.fresh)
        self._session, self._stage = session, "match"
        self._peers.after = self._after
        await self._peers.set_handler(session)

    async def _listen(self, port: int, make: Callable[[tuple[Address, ...]], L]) -> L:
        self._peers = Peers(self.profile, self._pool, Nobody(), self._after, self.identity)
        await self._peers.start(port, self._loopback)
        self.places = self._peers.addresses
        lobby = make(self.places)
        self._lobby, self._stage = lobby, "lobby"
        await self._peers.set_handler(lobby)
        return lobby

    async def _start_peers(self, port: int) -> None:
        """On the port of before, where the others look for us, or another if somebody else has it now."""
        assert self._peers is not None
        try:
            await self._peers.start(port, self._loopback)
        except LocalError:
            await self._peers.start(0, self._loopback)
        self.places = self._peers.addresses

    @property
    def _links(self) -> Peers:
        assert self._peers is not None
        return self._peers

    async def _find(self, target: str | None, phase: str = "open") -> tuple[tuple[Address, ...], bytes | None]:
        return await Search(self._discovery, self._heard, self._loopback, bool(self._tag)).find(target, phase)

    async def enter(self, code: str) -> None:
        if isinstance(self._lobby, Guest):
            self.code = code
            await self._links.call(self._lobby.enter, code)

    async def _as_opener(self, what: Callable[[Opener], None]) -> None:
        if not isinstance(self._lobby, Opener):
            raise LocalError("not-asked")
        await self._links.call(what, self._lobby)

    async def _try_again(self, guest: Guest) -> None:
        """A new link: the code words were wrong, and each is one guess; or a crowd was in the way; or a seat may be free by now."""
        try:
            if guest.full:
                await asyncio.sleep(random.uniform(*LOOK_AGAIN))
            await self._links.call(guest.join, await self._reach())
            self._stage = "lobby"
        except LocalError as error:
            await self._fail(error)

    async def _reach(self) -> int:
        """A link with the opener: where a crowd is in the way it is tried again and again, as long as somebody is there."""
        until = time.monotonic() + LOOK
        while True:
            try:
                return await self._links.dial(self.opener_at, self._expected)
            except CutOff:
                if time.monotonic() > until:
                    raise
            except Refused as error:
                if self._links.runs.stops:
                    raise _elsewhere() from None
                if error.reason != "crowded":
                    raise
                until = time.monotonic() + LOOK
            await asyncio.sleep(random.uniform(*COME_AGAIN))

    @property
    def players(self) -> Mapping[bytes, str]:
        return {seat.identity: seat.name for seat in self._session.roster.seats} if self._session is not None else NOBODY

    @property
    def opener(self) -> tuple[str, bytes]:
        first = self._session.roster.seats[0] if self._session is not None else None  # the opener sits down first
        return (first.name, first.identity) if first is not None else ("", b"")

    # -- from call to call --------------------------------------------------------------------------------------------

    async def _call(self, what: Callable[[Session], Any]) -> Any:
        session = self._session
        if session is None:
            raise LocalError("not-asked")
        return await self._links.call(lambda: what(session))

    def _after(self) -> None:
        """In the event loop, after each call of the handler on its thread."""
        self._look_elsewhere()
        if self._session is not None and self._stage in ("match", "over"):
            strangers = tuple(i for i, seat in enumerate(self._session.roster.seats) if seat.name in self.strangers)
            self.snapshot, self.notes = replace(self._session.shown, strangers=strangers), self._session.chat.lines
            self.gone = self.gone or self._session.me in self.snapshot.left  # the good-bye of a match that is resumed
            if self._session.settled:
                self._settled.set()
            if self._session.me is None and self._stage == "match" and not self._session.peers and self._followed:
                self.failed = Refused("closed")  # whom we watched is gone: nothing more will come
                self.ended.set()
            self._followed = self._followed or bool(self._session.peers)
            if self.snapshot.phase == "stopped" and self.evidence is None:
                self._spawn(self._keep(self._session))
            if self.snapshot.phase in ("done", "ended") and self._stage == "match":
                self._stage = "over"
                self._spawn(self._finish(self._session))
        elif self._lobby is not None:
            self.lobby = self._marked(self._lobby.state)
            self._announce(self.lobby)
            if self._lobby.agreed and self._stage == "lobby":
                self._stage = "begin"
                self._spawn(self._begin(self._lobby.agreed))
            elif isinstance(self._lobby, Guest) and (self._lobby.again or self._lobby.waits):
                if self._lobby.parted and self._stage == "lobby":
                    self._stage = "locked"
                    self._spawn(self._try_again(self._lobby))
            elif self._lobby.trouble:
                self.ended.set()
        self.trouble = self.trouble or self._discovery.trouble
        self._changed()

    def _look_elsewhere(self) -> None:
        """Does another machine play under our identity?  One that stops signs nothing more: the other may be in its place."""
        runs = self._links.runs
        if runs.told and not self._told_of_another:
            self._told_of_another = True
            self.trouble = LocalError(
                "Another machine plays under this player's key, from a copy of its data: close the program on one of them."
            )
        if runs.stops and self._session is not None and self.failed is None:
            session = self._session
            self._spawn(self._links.call(lambda: session.unheard.expect(range(len(session.roster.seats)))))
            self.failed = _elsewhere()
            self.ended.set()

    def _marked(self, look: LobbyView) -> LobbyView:
        """The lobby with those marked whose name this profile knows with another key."""
        known = [(seat, None if seat.me or seat.fresh else self.profile.known(seat.name)) for seat in look.seats]
        return replace(look, seats=tuple(replace(seat, stranger=key not in (None, seat.identity)) for seat, key in known))

    def _announce(self, look: LobbyView) -> None:
        if not isinstance(self._lobby, Opener) or not self.places:
            return
        phase = {"open": "full" if look.kept else "open", "ready": "full"}.get(look.phase, "play")
        ad = TableAd(self.identity.public[:8].hex(), look.table, look.game, len(look.seats), look.size, phase)
        if ad != self._ad:
            self._ad = ad
            self._discovery.announce(ad, self.places[0][1])

    async def _begin(self, agreed: Agreed) -> None:
        """All have signed the roster: from lobby to match, over the same links."""
        match = Match(agreed.roster, agreed.cards, agreed.toml, agreed.fresh)
        path = self.profile.journal_path(agreed.roster.match)

        def make() -> Session:
            self._journal = FileJournal(path, True)
            session = start(match, agreed.seat, agreed.signer, self._journal, os.urandom, agreed.places, self.identity)
            session.about = in_play(agreed.roster, self.lobby.table if self.lobby else "", bool(agreed.toml), agreed.fresh)
            session.toml = agreed.toml
            return session

        try:
            session = await self._links.call(make)
        except LocalError as error:
            await self._fail(error)
            return
        self._acquaint(session)
        session.hold = self.hold
        self._session = session
        await self._links.set_handler(session)
        self._stage = "match"
        self._reunite(session, agreed.places)
        await self._links.call(session.begin)

    def _acquaint(self, session: Session) -> None:
        """Remember who is new; a name known with another key stays that key's, and who bears it a stranger, until the person says yes."""
        others = [seat for i, seat in enumerate(session.roster.seats) if i not in (session.me, *session.fresh)]
        self.strangers = tuple(seat.name for seat in others if not self.profile.meet(seat.name, seat.identity))

    async def recognise(self, seat: int) -> None:
        if self._session is not None and (one := self._session.roster.seats[seat]).name in self.strangers:
            self.profile.recognise(one.name, one.identity)
            self.strangers = tuple(name for name in self.strangers if name != one.name)
            self._after()

    def _reunite(self, session: Session, places: Places) -> None:
        """Stay linked with all seats of the match, wherever they are; the one in the first seat shows it to spectators too."""
        seats, me = session.roster.seats, session.me
        about, past = session.about, session.chain.past
        assert about is not None
        tag = (past[0].roster if past else session.roster).match[:8].hex()  # of the first match of the chain: a lost seat knows no other
        ad = TableAd(self.identity.public[:8].hex(), about.name, about.game, len(seats), len(seats), "play", tag)
        known = places or ((),) * len(seats)  # an old journal may know no addresses; the others can still be found
        others = {seats[seat].identity: addresses for seat, addresses in enumerate(known) if seat != me}
        reunion = Reunion(self._links, self._discovery, ad, others, self._loopback)
        reunion.begin()

        def away() -> list[bytes]:
            snapshot = self.snapshot
            if snapshot is None:
                return []
            gone = snapshot.view.rules.gone
            return [s.identity for i, s in enumerate(seats) if i not in (me, *gone) and not snapshot.linked[i]]

        self._spawn(reunion.run(away, lambda: self.places[0][1] if self.places else None, me == 0))

    async def _finish(self, session: Session) -> None:
        await self._keep(session)
        self.ended.set()
        self._changed()

    async def _keep(self, session: Session) -> None:
        try:
            await self._links.call(self._keep_files, session)
        except LocalError as error:
            self.trouble = error

    async def _fail(self, error: LocalError) -> None:
        self.trouble = self.failed = error
        self.ended.set()
        self._changed()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _shut_out(self) -> bool:
        """Have the others gone on without this seat?  Then there is nothing to come back to."""
        fault = self._session.fault if self._session is not None else None
        return fault is not None and fault.claim == "voted-out" and self.transcript is not None

    async def close(self) -> None:
        """Leave in good order: serve who still lacks signatures, then links, discovery, journal, threads.  The seat stays resumable."""
        session = self._session
        done = session is not None and session.table.done and self.transcript is not None
        told = self.gone and session is not None and any(p.at and p.seat is not None for p in session.peers.values())  # it was sent
        if done:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), LINGER)
            with contextlib.suppress(LocalError):
                await self._links.call(self._keep_proof, session)  # what somebody was found to have done after all had signed
        for task in self._tasks:
            task.cancel()
        if self._lobby is not None and self._session is None and self._peers is not None:
            await self._peers.call(self._lobby.close)
        await asyncio.gather(*self._tasks, self._discovery.close(), *([self._peers.close()] if self._peers else []), return_exceptions=True)
        await asyncio.to_thread(self._pool.shutdown)
        if self._journal is not None:
            if done or told or self._shut_out():
                self._journal.remove()  # the match is over: its keys are not needed again, and shall not be found
            self._journal.close()


def _elsewhere() -> LocalError:
    return LocalError(
        "This player's key plays there already, from another machine with a copy of its data.  Here it stops, and all is kept."
    )
