"""The ways to a table: open one, join one, watch one, come back to one.  Each is an async context that leaves in good order."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from ..core.errors import LocalError
from ..core.rules import Options
from .addresses import Address
from .client import Client
from .identity import Identity
from .lobby import NOBODY
from .match import kept, resume as resume_match
from .peers import ask_table
from .roster import Roster
from .search import LOOK, NothingFound
from .seated import Seated
from .store import Store, Taken, disk, load_game_data, parse_game_data
from .terms import Terms

USUAL = Options()
SHORT = 8  # hexadecimal digits that name a match
AGAIN = 1.0  # seconds between two looks whether the next table is open


@asynccontextmanager
async def _seat(store: Store, loopback: bool, tag: str, slot: int | None = None, fresh: Identity | None = None) -> AsyncIterator[Seated]:
    """A client under a profile of its own, or that of the slot, and perhaps a `fresh` identity; closed in good order at the end."""
    with store.take_profile(slot) as profile:
        if fresh is not None:
            profile.made_fresh(fresh.public)
        client = Seated(store, profile, loopback, tag, fresh)
        try:
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def open_table(
    store: Store,
    game: str,
    seats: int,
    *,
    name: str,
    table: str | None = None,
    options: Options = USUAL,
    data: Path | bytes | None = None,
    code: str = "",
    kept: Mapping[bytes, str] = NOBODY,
    bot: bool = False,
    port: int = 0,
    loopback: bool = False,
    tag: str = "",
    slot: int | None = None,
    fresh: Identity | None = None,
) -> AsyncIterator[Client]:
    """Open a table, wait for guests, play.  `data`: the table's own cards, a file or its content; `code`: the code words of a private one.

    `kept`: the names by identity of those for whom alone there are seats; `bot`: a bot plays this seat, and all are told so;
    `slot`: of the profile that has just played with them; `fresh`: an identity made for this table alone.  Raises LocalError.
    """
    cards, toml = (parse_game_data(game, data), data) if isinstance(data, bytes) else load_game_data(game, data)
    terms = Terms(table or name, game, seats, cards, toml if data else b"", options, code)
    async with _seat(store, loopback, tag, slot, fresh) as client:
        await client.open(terms, name, port, kept, bot)
        yield client


@asynccontextmanager
async def join_table(
    store: Store,
    target: str | None = None,
    *,
    name: str,
    bot: bool = False,
    loopback: bool = False,
    tag: str = "",
    fresh: Identity | None = None,
) -> AsyncIterator[Client]:
    """Join the table of that name or address, or the only one that is open.  Raises LocalError."""
    async with _seat(store, loopback, tag, fresh=fresh) as client:
        await client.join(target, name, bot)
        yield client


@asynccontextmanager
async def rejoin_table(
    store: Store,
    addresses: tuple[Address, ...],
    opener: tuple[str, bytes],
    code: str,
    *,
    name: str,
    kept: Mapping[bytes, str] = NOBODY,
    bot: bool = False,
    loopback: bool = False,
    tag: str = "",
    slot: int | None = None,
    fresh: Identity | None = None,
) -> AsyncIterator[Client]:
    """Sit down again with who opened the last table, (name, identity), as soon as he opens the next.

    `slot`: of the profile that has just played with him; seats are kept for its identity.  Raises LocalError.
    """
    async with _seat(store, loopback, tag, slot, fresh) as client:  # from now on no other process takes it
        await _opened_again(addresses, opener, code)
        await client.join_at(None, addresses, name, code, kept, bot)
        yield client


async def _opened_again(addresses: tuple[Address, ...], opener: tuple[str, bytes], code: str) -> None:
    """Wait until he has a table open there, and no longer than LOOK for him; raises NothingFound."""
    until = time.monotonic() + LOOK
    while True:
        try:
            identity, table = await ask_table(addresses)
            phase = table.phase
        except LocalError:
            identity, phase = b"", ""
        if identity == opener[1]:
            if phase == ("private" if code else "open"):
                return
            until = time.monotonic() + LOOK  # he is there, and may still be looking at the result
        elif time.monotonic() > until:  # nobody answers, or somebody else
            raise NothingFound("{0} does not open the table again.", opener[0])
        await asyncio.sleep(AGAIN)


@asynccontextmanager
async def watch_table(
    store: Store, target: str | None = None, *, name: str = "", loopback: bool = False, tag: str = "", fresh: Identity | None = None
) -> AsyncIterator[Client]:
    """Follow the table of that name or address, or the only one that plays, as a spectator.  Raises LocalError."""
    async with _seat(store, loopback, tag, fresh=fresh) as client:
        await client.watch(target, name)
        yield client


class Kept(NamedTuple):
    """A match on disk that can be resumed: the slot and the journal, what the journal says, and when something was last written."""

    slot: int
    path: Path
    roster: Roster
    toml: bytes
    changed: float  # seconds since the epoch

    @property
    def id(self) -> str:
        """By which a person names it."""
        return self.path.stem[:SHORT]


def interrupted(store: Store) -> list[Kept]:
    """The matches on disk whose seat no process plays, newest first.  Raises LocalError if nothing but damaged journals is there."""
    found, damage = [], None
    for slot, path in store.journals():
        try:
            store.take_profile(slot).close()
            with disk(path):
                found.append(Kept(slot, path, *kept(path), path.stat().st_mtime))
        except Taken:
            continue
        except LocalError as error:
            damage = damage or error
    if damage is not None and not found:
        raise damage
    return found


@asynccontextmanager
async def resume(store: Store, match: Kept, *, loopback: bool = False, tag: str = "") -> AsyncIterator[Client]:
    """Come back to that match.  Raises LocalError."""
    async with _seat(store, loopback, tag, match.slot) as client:
        session, journal, places = await asyncio.to_thread(resume_match, match.path, os.urandom, client.profile.identity)
        await client.go_on(session, journal, places)
        yield client
