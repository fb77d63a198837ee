"""Finding the table that is meant: an address, the words of a key, a name, or the only one; none of several without a choice."""

import asyncio
import contextlib
import time

from ..core.errors import LocalError
from .addresses import Address, parse_target
from .channel import Refused
from .discovery import Discovery, Found
from .identity import words
from .inquiry import Inquiry
from .names import is_key, looks

LOOK = 15.0  # seconds in which a guest looks for a table before it says that there is none
SETTLE = 1.5  # seconds after the first table in which another may be heard, so that nobody sits down at the wrong one


class NothingFound(LocalError):
    """No table, or no match to resume."""

    reason = "no-table"


class Search:
    """`heard` is set whenever what `discovery` sees has changed; `alone`: whoever is seen is meant, since nobody else is on this tag."""

    def __init__(self, discovery: Discovery, heard: asyncio.Event, loopback: bool, alone: bool) -> None:
        self._discovery, self._heard, self._loopback, self._alone = discovery, heard, loopback, alone

    async def find(self, target: str | None, phase: str = "open") -> tuple[tuple[Address, ...], bytes | None]:
        """The addresses of the table meant, and whose it must be if that is known: an address, the words of the opener's key, a table's
        name, or the only one in that phase.  Of several that are meant by one name none is taken.
        """
        if target is not None and ("." in target or ":" in target):
            return (parse_target(target),), None
        await self._discovery.start(self._loopback)
        inquiry = Inquiry(self._heard.set)
        try:
            return await self._heard_of(target, phase, inquiry)
        finally:
            await inquiry.close()

    async def _heard_of(self, target: str | None, phase: str, inquiry: Inquiry) -> tuple[tuple[Address, ...], bytes | None]:
        key = target.strip().casefold() if target is not None and is_key(target) else ""
        until = time.monotonic() + LOOK
        first = known = 0.0  # when such a table was heard; when one of that name was, in whatever phase
        while True:
            found = [f for f in self._discovery.tables() if target is None or key or looks(f.ad.name) == looks(target)]
            if key:
                found = [f for f in found if (identity := inquiry.identity(f)) and words(identity) == key]
            tables = {f.ad.id: f for f in found if f.fits and f.ad.phase == phase}
            now = time.monotonic()
            if not tables and phase == "open" and known and now - known >= SETTLE:
                tables = {f.ad.id: f for f in found if f.fits and f.ad.phase == "full"}
                first = known  # who waits at a full table gets the next seat that is free
            if len(tables) > 1 and not key:
                raise await self._several(list(tables.values()), target, inquiry)
            first = first or (now if tables else 0.0)
            known = known or (now if found and target is not None else 0.0)
            if tables and (key or (target is None and self._alone) or now - first >= SETTLE):
                table = next(iter(tables.values()))
                return table.addresses, inquiry.identity(table) if key else None
            if found and not any(f.fits for f in found):
                raise Refused("version", found[0].versions)
            if found and known and now - known >= SETTLE:
                raise NothingFound("Nobody plays there.") if phase == "play" else Refused("playing")
            if now >= until and not tables:
                break
            self._heard.clear()
            soon = first if tables else known if found and known else 0.0
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._heard.wait(), (soon + SETTLE if soon else until) - now)
        if key:
            raise NothingFound("No table here has the key {0}.", key)
        if target is not None:
            return (await self._machine(target),), None
        raise NothingFound("No open table was found on this network; if there is one, type its address: mastaba join HOST[:PORT]")

    async def _several(self, tables: list[Found], target: str | None, inquiry: Inquiry) -> LocalError:
        """They are told apart by what they prove, not by what they are called."""
        names = {looks(table.ad.name): table.ad.name for table in tables}
        if target is None and len(names) == len(tables):
            return LocalError("Several tables are open; name one: {0}", ", ".join(sorted(names.values())))
        choices = await inquiry.choices(tables)
        if target is None:
            return LocalError("Several tables are open, some under one name.  Take one by its key's words, or its address: {0}", choices)
        return LocalError("Several tables are called {0}.  Take one by its key's words, or its address: {1}", target, choices)

    async def _machine(self, target: str) -> Address:
        """A machine's name looks like a table's: the address, if there is such a machine.  Raises NothingFound."""
        host, port = parse_target(target)
        try:
            await asyncio.get_running_loop().getaddrinfo(host, port)
        except (OSError, ValueError):
            seen = sorted({table.ad.name for table in self._discovery.tables()})
            if seen:
                raise NothingFound("No table here is called {0}; seen are: {1}.", target, ", ".join(seen)) from None
            raise NothingFound("No table called {0} is seen on this network, nor any other.", target) from None
        return host, port
