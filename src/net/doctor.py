"""Why players do not see each other: checks of this machine and its network, as data.  It knows no words of the client.

A check has an id, which the client translates and explains, and a detail that is a fact: a name, an address, what the system said.
"""

import asyncio
import os
import platform
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version

from ..core.errors import LocalError
from .addresses import Address, interfaces, show_address
from .channel import VERSIONS, Refused
from .discovery import Discovery, Found, TableAd
from .guest import Guest
from .peers import Peers, ask_table
from .store import Profile, Store, write_file

HEARD = 5.0  # seconds in which one's own announcement must be heard; 1.2 when all is well
LOOK = 3.0  # seconds to look for tables of others
LIBRARIES = "zeroconf", "cryptography", "msgpack"


@dataclass(frozen=True, slots=True)
class Check:
    """What was found.  `id`: "program", "disk", "interface", "multicast", "discovery", "listen", "reach" or "table"."""

    id: str
    ok: bool
    detail: str


async def examine(store: Store) -> tuple[Check, ...]:
    """All checks, in the order to read them; takes about ten seconds at most, and raises nothing."""
    cards = interfaces()
    outside = not all(_is_loopback(hosts) for _, _, hosts in cards)  # else no other machine can be seen at all
    here = [Check("interface", outside, " ".join((name, *hosts))) for name, _, hosts in cards]
    multicast = (_multicast(name, next((h for h in hosts if ":" not in h), index)) for name, index, hosts in cards)
    listen, tables, heard = await asyncio.gather(_listen(store), _tables(), asyncio.gather(*multicast))
    return (_program(), _disk(store), *here, *heard, *listen, *tables)


def _program() -> Check:
    versions = [f"{name} {version(name)}" for name in LIBRARIES]
    return Check("program", True, ", ".join([f"protocol {VERSIONS}", f"Python {platform.python_version()}", platform.system(), *versions]))


def _disk(store: Store) -> Check:
    probe = store.root / "doctor"
    try:
        write_file(probe, b"mastaba can write here")
        probe.unlink()
    except (LocalError, OSError) as error:
        return Check("disk", False, str(error))
    return Check("disk", True, str(store.root))


async def _multicast(name: str, place: str | int) -> Check:
    """Announce on this interface alone, and listen for it there: a firewall that drops multicast drops our own, too."""
    tag = os.urandom(8).hex()
    seen = asyncio.Event()
    ear = Discovery(lambda: seen.set() if ear.tables() else None, tag)
    mouth = Discovery(tag=tag)
    try:
        await ear.start(only=place)
        await mouth.start(only=place)
        mouth.announce(TableAd(tag, "mastaba doctor", "doctor", 0, 0, "open"), 9)  # the discard port: nobody will connect
        async with asyncio.timeout(HEARD):
            await seen.wait()
    except TimeoutError:
        return Check("multicast", False, name)
    except LocalError as error:
        return Check("multicast", False, f"{name}: {error}")
    finally:
        await mouth.close()
        await ear.close()
    return Check("multicast", True, name)


async def _listen(store: Store) -> tuple[Check, ...]:
    """Can we listen, and does each of our own addresses lead to us?  A firewall on the way to others does not show here."""
    pool = ThreadPoolExecutor(1, "doctor")
    try:
        with store.take_profile() as profile:
            return await _reach(profile, pool)
    except LocalError as error:
        return (Check("listen", False, str(error)),)
    finally:
        pool.shutdown()


async def _reach(profile: Profile, pool: ThreadPoolExecutor) -> tuple[Check, ...]:
    peers = Peers(profile, pool, Guest(profile.identity, "", (), os.urandom))
    try:
        await peers.start()
        checks = [Check("listen", True, str(peers.addresses[0][1]))]
        for address in peers.addresses:
            checks.append(Check("reach", await _answers((address,), lambda reason: reason == "no-table"), show_address(address)))
        return tuple(checks)
    finally:
        await peers.close()


async def _tables() -> tuple[Check, ...]:
    """The tables of others, and whether they can be reached: found but not reached is a firewall, or a peer that is gone."""
    discovery = Discovery()
    try:
        await discovery.start()
    except LocalError as error:
        return (Check("discovery", False, str(error)),)
    try:
        await asyncio.sleep(LOOK)
        found = discovery.tables()
    finally:
        await discovery.close()
    return (Check("discovery", True, str(len(found))), *await asyncio.gather(*map(_table, found)))


async def _table(found: Found) -> Check:
    detail = " ".join((found.ad.name, *map(show_address, found.addresses)))
    return Check("table", await _answers(found.addresses, lambda reason: True), detail)


async def _answers(addresses: tuple[Address, ...], enough: Callable[[str], bool]) -> bool:
    """Does somebody answer there, with a table or with a refusal that is as good?"""
    try:
        await ask_table(addresses)
    except Refused as refused:
        return enough(refused.reason)
    except LocalError:
        return False
    return True


def _is_loopback(hosts: tuple[str, ...]) -> bool:
    return all(host == "::1" or host.startswith("127.") for host in hosts)
