"""The tables on this network as they come and go, each asked itself every few seconds; it knows no words and no screen."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ..core.errors import LocalError
from ..net.channel import Refused
from ..net.discovery import MAX_FOUND, Discovery, Found
from ..net.identity import words
from ..net.names import looks, plain_name
from ..net.peers import ask_table
from ..net.roster import MAX_NAME

EVERY = 4.0  # seconds between two rounds of asking: a table whose machine has crashed is announced for twenty minutes
AT_ONCE = 8  # tables asked at the same time: somebody who announces sixty must not make us open sixty links


@dataclass(frozen=True)
class Seen:
    """A table that was heard, and whether it answered when asked (None: not asked yet); `own`: opened by this user."""

    found: Found
    answers: bool | None
    seats: tuple[str, ...] = ()
    own: bool = False
    private: bool = False
    watch: bool = True  # may its match be followed?
    audit: bool = True  # does the table check once more at the end what was hidden?
    identity: bytes = b""  # who has proven to be there, when asked

    @property
    def words(self) -> str:
        """The words of that key; empty if nobody has answered."""
        return words(self.identity) if self.identity else ""


async def ask(found: Found) -> Seen:
    """Ask the table who sits there."""
    try:
        identity, table = await ask_table(found.addresses)
    except Refused as error:
        return Seen(found, error.reason != "no-table")
    except LocalError:
        return Seen(found, False)
    names = tuple(plain_name(name, MAX_NAME) for _key, name, *_ in table.seats)
    return Seen(found, True, names, private=table.phase == "private", watch=table.watch, audit=table.audit, identity=identity)


def namesakes(seen: Iterable[Seen]) -> frozenset[str]:
    """The services of the tables that share what they are called, or how that looks, with another one: their keys tell them apart."""
    tables = list(seen)
    count = Counter(looks(table.found.ad.name) for table in tables)
    return frozenset(table.found.service for table in tables if count[looks(table.found.ad.name)] > 1)


class Finder:
    """Listens until it is closed.  `own` tells the ids of tables that this user opens; `on_change` is called in the event loop."""

    def __init__(self, own: Callable[[], frozenset[str]], on_change: Callable[[], None], loopback: bool = False, tag: str = "") -> None:
        self._mine = own()
        self._own, self._on_change, self._loopback = own, on_change, loopback
        self._heard = asyncio.Event()
        self._discovery = Discovery(self._heard.set, tag)
        self._known: dict[str, Found] = {}  # heard, and neither taken back nor silent: anybody can say good-bye in a table's name
        self._asked: dict[str, Seen] = {}
        self._room = asyncio.Semaphore(AT_ONCE)
        self._task: asyncio.Task[None] | None = None
        self.trouble: LocalError | None = None

    async def start(self) -> None:
        """Begin to listen; that nothing can be heard here is only a `trouble`, since addresses can be typed."""
        try:
            await self._discovery.start(self._loopback)
        except LocalError as error:
            self.trouble = error
            self._on_change()
            return
        self._task = asyncio.create_task(self._run())

    def tables(self) -> tuple[Seen, ...]:
        """The tables heard now, those that can be joined first."""
        seen = []
        for found in self._here():
            last = self._asked.get(found.service)
            own = found.ad.id in self._mine
            seen.append(replace(last or Seen(found, None), found=found, own=own))
        return tuple(seen)

    def _here(self) -> tuple[Found, ...]:
        """The tables that are announced now, and those taken back that still answered when they were last asked."""
        announced = self._discovery.tables()
        there = {found.service for found in announced} | {found.ad.match for found in announced if found.ad.match}
        answering = {service for service, seen in self._asked.items() if seen.answers}
        gone = [found for service, found in self._known.items() if service in answering and not {service, found.ad.match} & there]
        return (*announced, *gone[: max(0, MAX_FOUND - len(announced))])

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._discovery.close()

    async def _run(self) -> None:
        while True:
            self._heard.clear()
            self._mine = self._own()  # another window may have made a new identity
            self._on_change()
            tables = self._here()
            self._known = {found.service: found for found in tables}
            self._asked = {found.service: self._asked[found.service] for found in tables if found.service in self._asked}
            await asyncio.gather(*map(self._ask, tables))
            self._on_change()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._heard.wait(), EVERY)

    async def _ask(self, found: Found) -> None:
        async with self._room:
            self._asked[found.service] = await ask(found)
        self._on_change()
