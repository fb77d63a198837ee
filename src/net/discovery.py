"""Finding tables on the network by DNS-SD (RFC 6763) over multicast DNS, and being found.  It knows no lobby and no match.

What is heard here is unauthenticated and for display alone; everything is asked anew, and proven, on a link.  With
peers.py this is the only file that touches sockets: zeroconf's.
"""

import asyncio
import contextlib
import errno
import ipaddress
import logging
import os
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

from zeroconf import (
    BadTypeInNameException,
    Error as ZeroconfError,
    InterfaceChoice,
    IPVersion,
    NonUniqueNameException,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from ..core.errors import LocalError
from . import PROTOCOL
from .addresses import Address, interfaces, own_hosts, places
from .channel import VERSIONS
from .names import clean, plain_name

TYPE = "_mastaba._tcp.local."
MAX_NAME = 63  # bytes of an instance name, RFC 6763 section 4.1.1
MAX_FOUND = 64  # tables remembered: who announces ten thousand makes us remember no more
MAX_HEARD = 1000  # names heard before zeroconf is made to forget those we do not keep: it would ask for each again, for ever
MAX_TXT = 64  # bytes of one TXT value that we look at
RESOLVE = 3000  # milliseconds to learn a table's address
REGISTER = 5.0  # seconds to be announced: 1.7 when all is well
GOODBYE = 1.5  # seconds to say that the table is gone
WATCH = 3.0  # seconds between looks at the interfaces; a change counts when it is still there at the next look
AGAIN = 3.0, 60.0  # seconds until a table that did not tell its address is asked for again: at first, and at most
LOOPBACK = ("127.0.0.1",)
LOOKS = 2  # looks after a change
PHASES = ("open", "full", "play")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableAd:
    """What is announced of a table.  `id` are 16 hex digits of the announcer's identity; `phase` is one of PHASES.

    `match` are 16 hex digits of a running match, by which its peers find each other again at other addresses.
    """

    id: str
    name: str
    game: str
    taken: int
    size: int
    phase: str
    match: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A table that announces itself.  `fits`: it speaks our protocol; `versions` are those that it speaks, `program` is for people."""

    service: str
    ad: TableAd
    versions: str
    fits: bool
    program: str
    tag: str
    addresses: tuple[Address, ...]


def write_txt(ad: TableAd, tag: str, program: str) -> dict[str, str]:
    """The TXT record of a table (RFC 6763 section 6): short, and without anything personal but the table's name, which is elsewhere."""
    seats = f"{ad.taken}/{ad.size}"
    txt = {"txtvers": "1", "id": ad.id, "pv": VERSIONS, "g": ad.game, "n": seats, "st": ad.phase, "v": program[:24]}
    return txt | ({"m": ad.match} if ad.match else {}) | ({"tag": tag} if tag else {})


def read_txt(service: str, properties: Mapping[bytes, bytes | None], addresses: tuple[Address, ...]) -> Found | None:
    """What a stranger's record says, made harmless; None if it is no table of ours."""
    try:
        txt = {k.decode("ascii").lower(): (v or b"").decode("utf-8") for k, v in properties.items()}
        low, high = (_number(part) for part in txt["pv"].split("-"))
        taken, size = (_number(part) for part in txt["n"].split("/"))
        identity, match = bytes.fromhex(txt["id"]), bytes.fromhex(txt.get("m", ""))
    except (ValueError, KeyError):
        return None
    if txt.get("txtvers") != "1" or txt.get("st") not in PHASES or len(identity) != 8 or len(match) not in (0, 8):
        return None
    if not txt.get("g") or not addresses:
        return None
    if any(len(value.encode()) > MAX_TXT for value in txt.values()):
        return None
    name = plain_name(service.removesuffix(f".{TYPE}").removesuffix(_mark(txt["id"])), MAX_NAME)
    ad = TableAd(identity.hex(), name, clean(txt["g"], 16), taken, size, txt["st"], match.hex())
    program, tag = clean(txt.get("v", ""), 24), clean(txt.get("tag", ""), MAX_TXT)
    return Found(service, ad, f"{low}-{high}", low <= PROTOCOL <= high, program, tag, addresses)


def usable(hosts: list[str]) -> list[str]:
    """The hosts without loopback, unless there is nothing else there and here: another machine's loopback leads to ourselves."""
    outside = [host for host in hosts if not ipaddress.ip_address(host.partition("%")[0]).is_loopback]
    return outside if outside or own_hosts() != LOOPBACK else hosts


class Discovery:
    """Tables seen on the network, and our own shown there.  With a `tag` only tables of that tag are seen, without one those without.

    `on_change` is called in the event loop whenever `tables()` or `trouble` has changed.
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None, tag: str = "", program: str = "") -> None:
        self._on_change, self._tag, self._program = on_change, tag, program
        self.trouble: LocalError | None = None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._found: dict[str, Found | None] = {}  # by service name; None: not resolved (yet), or no table of ours
        self._pause = AGAIN[0]
        self._names = 0  # heard since zeroconf was last made to forget
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wanted: tuple[TableAd, int] | None = None
        self._info: AsyncServiceInfo | None = None
        self._server = f"mastaba-{os.urandom(6).hex()}.local."  # else zeroconf gives two tables of one name each other's addresses
        self._renew = asyncio.Event()
        self._browsing = asyncio.Lock()
        self._loopback = False

    async def start(self, loopback: bool = False, only: str | int | None = None) -> None:
        """Begin to listen: on all interfaces in use, on loopback alone, or `only` on one (its IPv4 address, or its number for IPv6).

        Raises LocalError if multicast DNS cannot be used here.
        """
        self._loopback = loopback
        one = "127.0.0.1" if loopback else only
        try:
            if one is None:
                self._zeroconf = AsyncZeroconf(interfaces=places() or InterfaceChoice.All, ip_version=IPVersion.All)
            else:
                self._zeroconf = AsyncZeroconf(interfaces=[one], ip_version=IPVersion.V6Only if isinstance(one, int) else IPVersion.V4Only)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise LocalError("Another program keeps UDP port 5353 for itself, so tables cannot be found; join by address.") from None
            raise LocalError("Tables cannot be found here ({0}); join by address.", error.strerror or error) from None
        except RuntimeError:  # zeroconf's way to say that there is no interface at all
            raise LocalError("This machine has no network interface, so tables cannot be found.") from None
        await self._browse()
        self._tasks["publish"] = asyncio.create_task(self._publish())
        if one is None:
            self._tasks["watch"] = asyncio.create_task(self._watch())

    def announce(self, ad: TableAd, port: int) -> None:
        """Show the table, or what has changed about it; it takes about two seconds, in the background."""
        self._wanted = ad, port
        self._renew.set()

    def withdraw(self) -> None:
        """Show the table no more."""
        self._wanted = None
        self._renew.set()

    def tables(self) -> tuple[Found, ...]:
        """The tables seen now, those that can be joined first; several may have one name.

        A running match that several of its peers show is one table.
        """
        ours = [f for f in self._found.values() if f and f.tag == self._tag]
        once = {f.ad.match if f.ad.match and f.ad.phase == "play" else f.service: f for f in sorted(ours, key=lambda f: f.service)}
        return tuple(sorted(once.values(), key=lambda f: (not f.fits, PHASES.index(f.ad.phase), f.ad.name.casefold(), f.service)))

    def of_match(self, match: str, identity: str) -> tuple[Found, ...]:
        """Who shows himself as a peer of that match with that identity (16 hex digits each); anybody can."""
        return tuple(f for f in self._found.values() if f and f.tag == self._tag and (f.ad.match, f.ad.id) == (match, identity))

    @property
    def started(self) -> bool:
        """Do we listen?"""
        return self._zeroconf is not None

    def forget(self, service: str) -> None:
        """Drop a table that does not answer; it comes back when it announces itself anew."""
        if self._found.pop(service, None):
            self._on_change()

    async def close(self) -> None:
        """Say good-bye and stop; at most about two seconds."""
        tasks, self._tasks = list(self._tasks.values()), {}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._browser:
            await self._browser.async_cancel()
            self._browser = None
        if self._zeroconf:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE):
                    await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()
            self._zeroconf = None

    # -- seeing -----------------------------------------------------------------------------------------------------

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is ServiceStateChange.Removed:
            self.forget(name)
            return
        self._names += name not in self._found
        if self._names > MAX_HEARD and "forget" not in self._tasks:
            self._start("forget", self._forget_strangers())
        if (name in self._found or len(self._found) < MAX_FOUND) and self._zeroconf and f"resolve {name}" not in self._tasks:
            self._found.setdefault(name, None)
            self._start(f"resolve {name}", self._resolve(zeroconf, name))

    def _start(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        self._tasks[what] = asyncio.create_task(work)
        self._tasks[what].add_done_callback(lambda _: self._tasks.pop(what, None))

    async def _ask_again(self) -> None:
        """Ever less often: who is announced and never answers may be a stale record, or nobody."""
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, AGAIN[1])
        await self._forget_strangers()

    async def _forget_strangers(self) -> None:
        """Somebody announces names without end: those that we do not keep are dropped, and real ones among them are asked for anew."""
        assert self._zeroconf is not None
        cache = self._zeroconf.zeroconf.cache
        cache.async_remove_records([r for r in cache.entries_with_name(TYPE) if getattr(r, "alias", "") not in self._found])
        self._names = 0
        await self._browse()
        await asyncio.sleep(WATCH)

    async def _browse(self) -> None:
        """Ask for tables, once more if we have asked before: on a new interface nobody has heard us."""
        assert self._zeroconf is not None
        async with self._browsing:
            if self._browser:
                await self._browser.async_cancel()
            self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, TYPE, handlers=[self._heard])

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(TYPE, name)
        found, told = None, True
        with contextlib.suppress(BadTypeInNameException, ValueError):
            told = await info.async_request(zeroconf, RESOLVE)
            if told and info.port:
                hosts = usable(info.parsed_scoped_addresses(IPVersion.All)) if not self._loopback else list(LOOPBACK)
                found = read_txt(name, info.properties, tuple((host, info.port) for host in hosts))
        if found is None:
            if told or not self._found.get(name):  # else an answer was lost about a table that we know
                self.forget(name)  # it makes room; who announces himself properly later is looked at again
            if not told and "again" not in self._tasks:  # its answer was lost
                self._start("again", self._ask_again())
            return
        self._pause = AGAIN[0]  # answers arrive: the next one that is lost is asked for soon
        if self._found.get(name, found) != found:
            self._found[name] = found
            self._on_change()

    # -- being seen -------------------------------------------------------------------------------------------------

    async def _publish(self) -> None:
        """Bring what is announced in line with what is wanted, one change at a time; changes meanwhile are one change."""
        while True:
            await self._renew.wait()
            self._renew.clear()
            trouble = None
            try:
                async with asyncio.timeout(REGISTER):
                    await self._publish_once(self._wanted)
            except (OSError, ZeroconfError, NonUniqueNameException) as error:  # a time-out is an OSError
                log.warning("announcing: %r", error)
                trouble = LocalError("This table cannot be announced on the network; others can join by address.")
            if str(trouble) != str(self.trouble):
                self.trouble = trouble
                self._on_change()
            if trouble:
                await asyncio.sleep(WATCH)
                self._renew.set()

    async def _publish_once(self, wanted: tuple[TableAd, int] | None) -> None:
        assert self._zeroconf is not None
        if wanted is None:
            if self._info:
                info, self._info = self._info, None
                await (await self._zeroconf.async_unregister_service(info))
            return
        ad, port = wanted
        mark = _mark(ad.id)  # two tables of one name stay two, even when networks that knew one each are joined
        name = self._info.name if self._info else f"{clean(ad.name, MAX_NAME - len(mark)) or 'mastaba'}{mark}.{TYPE}"
        txt: dict[str, Any] = dict(write_txt(ad, self._tag, self._program))
        info = AsyncServiceInfo(
            TYPE, name, port=port, properties=txt, server=self._server, parsed_addresses=list(own_hosts(self._loopback))
        )
        if self._info:
            await (await self._zeroconf.async_update_service(info))
        else:
            await (await self._zeroconf.async_register_service(info, allow_name_change=True))
        self._info = info

    async def _watch(self) -> None:
        """Interfaces come and go while we run, and zeroconf does not look; a flapping one must not make a storm of announcements.

        A fresh IPv6 address cannot be used in its first seconds (RFC 4862, tentative), so we look a few times more.
        """
        assert self._zeroconf is not None
        before = interfaces()
        looks = LOOKS  # at the start, too: we may have been started with the interface
        while True:
            await asyncio.sleep(WATCH)
            now = interfaces()
            if now != before:
                looks = LOOKS
            elif looks:
                looks -= 1
                with contextlib.suppress(OSError, RuntimeError):
                    await self._zeroconf.async_update_interfaces(places() or InterfaceChoice.All)
                await self._browse()
                self._renew.set()
            before = now


def _mark(identity: str) -> str:
    """What follows a table's name in its instance name."""
    return f" ({identity[:6]})"


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 4:
        raise ValueError("no number")
    return int(text)
