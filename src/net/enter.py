"""The ways to a table: open one, join one, watch one, come back to one.  Each is an async context that leaves in good order."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ..core.errors import LocalError
from ..core.rules import Options
from .addresses import Address
from .client import Client
from .lobby import Terms
from .match import resume as resume_match
from .peers import ask_table
from .seated import LOOK, NothingFound, Seated
from .store import Store, Taken, load_game_data

USUAL = Options()
AGAIN = 1.0  # seconds between two looks whether the next table is open


@asynccontextmanager
async def open_table(
    store: Store,
    game: str,
    seats: int,
    *,
    name: str,
    table: str | None = None,
    options: Options = USUAL,
    data: Path | None = None,
    code: str = "",
    port: int = 0,
    loopback: bool = False,
    tag: str = "",
) -> AsyncIterator[Client]:
    """Open a table, wait for guests, play.  `data`: the table's own cards; `code`: the code words of a private one.  Raises LocalError."""
    cards, toml = load_game_data(game, data)
    terms = Terms(table or name, game, seats, cards, toml if data else b"", options, code)
    with store.take_profile() as profile:
        client = Seated(store, profile, loopback, tag)
        try:
            await client.open(terms, name, port)
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def join_table(store: Store, target: str | None = None, *, name: str, loopback: bool = False, tag: str = "") -> AsyncIterator[Client]:
    """Join the table of that name or address, or the only one that is open.  Raises LocalError."""
    with store.take_profile() as profile:
        client = Seated(store, profile, loopback, tag)
        try:
            await client.join(target, name)
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def rejoin_table(
    store: Store, addresses: tuple[Address, ...], opener: tuple[str, bytes], code: str, *, name: str, loopback: bool = False, tag: str = ""
) -> AsyncIterator[Client]:
    """Sit down again with who opened the last table, (name, identity), as soon as he opens the next.  Raises LocalError."""
    until = time.monotonic() + LOOK
    while True:
        try:
            identity, table = await ask_table(addresses)
        except LocalError:
            if time.monotonic() > until:
                raise NothingFound("{0} does not open the table again.", opener[0]) from None
        else:
            if identity == opener[1] and table.phase == ("private" if code else "open"):
                break
            until = time.monotonic() + LOOK  # somebody is there: he may still be looking at the result
        await asyncio.sleep(AGAIN)
    with store.take_profile() as profile:
        client = Seated(store, profile, loopback, tag)
        try:
            await client.join_at(None, addresses, name, code)
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def watch_table(store: Store, target: str | None = None, *, loopback: bool = False, tag: str = "") -> AsyncIterator[Client]:
    """Follow the table of that name or address, or the only one that plays, as a spectator.  Raises LocalError."""
    with store.take_profile() as profile:
        client = Seated(store, profile, loopback, tag)
        try:
            await client.watch(target)
            yield client
        finally:
            await client.close()


@asynccontextmanager
async def resume(store: Store, *, loopback: bool = False, tag: str = "") -> AsyncIterator[Client]:
    """Come back to the newest match on disk whose seat no other process plays.  Raises LocalError."""
    for slot, path in store.journals():
        try:
            profile = store.take_profile(slot)
        except Taken:
            continue
        with profile:
            session, journal, places = await asyncio.to_thread(resume_match, path, os.urandom, profile.identity)
            client = Seated(store, profile, loopback, tag)
            try:
                await client.go_on(session, journal, places)
                yield client
            finally:
                await client.close()
        return
    raise NothingFound("There is no match to resume.")
