"""Opening links to other peers: the listener, TLS, dialling, the handshake's bytes.  It knows no lobby and no match.

Sockets live here (and in discovery.py); what happens on a link once it is up is links.py.
"""

import asyncio
import contextlib
import functools
import hashlib
import importlib.metadata
import logging
import os
import secrets
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from ..core.errors import LocalError
from .addresses import Address, is_literal, own_hosts, plain_host, show_address, to_try
from .channel import MAX_GREETING, NONCE, Elsewhere, Handshake, Refused, refusal
from .crowd import Place, group, makes_room
from .handler import Handler
from .identity import CLIENT, SERVER, Identity
from .links import TICK, Links
from .runs import Runs
from .sockets import keep_alive, listener
from .store import Profile
from .stream import GRACE, Stream, hang_up
from .tls import client_context, server_context
from .wire import MAX_FRAME, PREFIX, BadFrame, Bye, Message, Ping, Pong, Probe, Refuse, Run, Table, pack, unpack

GREETING = 5.0  # seconds for TLS and the handshake: who connects and says nothing goes again
MAX_GREETING_LINKS = 32  # connections in the handshake: who opens thousands and says nothing meets this
MAX_GREETING_PER_GROUP = 8  # of one group (crowd.py): and one machine alone cannot fill them
ATTEMPTS = 3  # at an address where a handshake begins and breaks off: a bad line, or a crowd at the other end
STAGGER = 0.25  # seconds before the next address is tried beside the first (RFC 8305, happy eyeballs)

log = logging.getLogger(__name__)


class CutOff(LocalError):
    """Somebody took the connection and let it go again before there was a link, as happens in a crowd: it may be tried again."""


class Peers(Links):
    """All links of one process, and the ways to get more.  `profile` gives the certificate, and the identity if there is no other.

    The executor must have exactly one thread.  `after` is called in the event loop after each call of the handler:
    a place to look at what it shows.
    """

    def __init__(
        self,
        profile: Profile,
        executor: Executor,
        handler: Handler,
        after: Callable[[], None] = lambda: None,
        identity: Identity | None = None,
    ) -> None:
        self._own = identity or profile.identity
        super().__init__(self._own.public, Runs(self._own, *profile.begin_run()), executor, handler, after)
        self._profile = profile
        self.addresses: tuple[Address, ...] = ()  # where others reach us; empty while we do not listen
        self.turned_away: Refused | None = None  # why the last one who came could not be linked with
        self._greeting: dict[asyncio.Task[Any], _Greeted] = {}  # connections in the handshake, oldest first
        self._listener: socket.socket | None = None

    async def start(self, port: int | None = 0, loopback: bool = False) -> None:
        """Listen (port 0: the first free one of ours; None: do not listen) and start the clocks.  Raises LocalError."""
        if port is not None:
            self._listener = listener(port, loopback)
            self._listener.setblocking(False)
            number = self._listener.getsockname()[1]
            v4_only = self._listener.family == socket.AF_INET
            self.addresses = tuple((host, number) for host in own_hosts(loopback) if not (v4_only and ":" in host))
            self._profile.make_certificate()
            context = server_context(self._profile)
            certificate = hashlib.sha256(ssl.PEM_cert_to_DER_cert(self._profile.certificate.read_text())).digest()
            self.spawn(self._accept(self._listener, context, certificate))
        self.spawn(self._ping())
        self.spawn(self._clock())

    async def dial(self, addresses: Iterable[Address], expect: bytes | None = None, *, attempts: int = ATTEMPTS) -> int:
        """Link with whoever answers first, or with that identity alone; returns the link's number.

        Raises Refused if the other side (or this one) does not want it, CutOff if it breaks off, LocalError if nobody answers.
        """
        try:
            stream, address = await _dial(addresses, self._own, expect, attempts, self.runs.own)
        except Elsewhere as error:
            self.shown(error.run, True)
            raise
        if link := self.register(stream, True, (address,)):
            return link.number
        raise Refused("double")

    async def close(self) -> None:
        """Say Bye on every link and end everything; at most about a second.  The executor is the caller's to shut down."""
        await super().close()
        if self._listener:
            self._listener.close()

    async def _accept(self, listener: socket.socket, context: ssl.SSLContext, certificate: bytes) -> None:
        while True:
            try:
                connection, name = await self._loop.sock_accept(listener)
            except OSError as error:  # the other side has gone again, or there are no file descriptors left for a while
                log.warning("accept: %s", error)
                await asyncio.sleep(TICK)
                continue
            host = plain_host(name[0])
            greeted = _Greeted(group(host), time.monotonic())
            self._make_way(greeted)
            task = self.spawn(self._welcome(connection, (host, name[1]), context, certificate, greeted))
            self._greeting[task] = greeted
            task.add_done_callback(lambda task: self._greeting.pop(task, None))
            await asyncio.sleep(0)  # it has begun, and will close its connection, before it can be told to go

    def _make_way(self, newcomer: "_Greeted") -> None:
        """An honest handshake takes a moment, and says something: so the idle keep nobody out."""
        tasks = list(self._greeting)
        places = [Place(greeted.group, greeted.since, greeted.said) for greeted in self._greeting.values()]
        index = makes_room(places, newcomer.group, MAX_GREETING_LINKS, MAX_GREETING_PER_GROUP, newcomer.since, secrets.randbelow)
        if index is not None:
            self._greeting.pop(tasks[index])
            tasks[index].cancel()

    async def _welcome(
        self, connection: socket.socket, address: Address, context: ssl.SSLContext, certificate: bytes, greeted: "_Greeted"
    ) -> None:
        try:
            async with asyncio.timeout(GREETING):
                reader = asyncio.StreamReader()
                protocol = asyncio.StreamReaderProtocol(reader)
                transport, _ = await self._loop.connect_accepted_socket(
                    lambda: protocol, connection, ssl=context, ssl_handshake_timeout=GREETING, ssl_shutdown_timeout=GRACE
                )
                greeted.said += 1
                writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
                stream, _ = await _greet(reader, writer, SERVER, self._own, certificate, greeted, self.runs.own)
        except OSError as error:
            log.info("%s: %s", show_address(address), error or type(error).__name__)
        except Refused as error:
            log.info("%s: %s", show_address(address), error)
            self.turned_away = error
            self.after()
        else:
            self.register(stream, False, (address,))


@dataclass
class _Greeted:
    """Somebody in the handshake: of which group, since when, and how much has been said: TLS, and messages."""

    group: str
    since: float
    said: int = 0


async def ask_table(addresses: Iterable[Address]) -> tuple[bytes, Table]:
    """Ask whoever answers there which table it has: its identity, and the table.  Raises Refused, or LocalError if nobody answers.

    It is asked under an identity of the moment: looking around tells nobody who we are, and takes no player's link.
    """
    stream, _ = await _dial(addresses, Identity.generate(), None)
    try:
        async with asyncio.timeout(GREETING):
            stream.writer.write(pack(Probe()))
            while True:
                message = await _read_message(stream.reader)
                if isinstance(message, Table):
                    return stream.identity, message
                if isinstance(message, Refuse):
                    raise Refused(message.reason, message.detail)
    except (OSError, BadFrame):
        raise Refused("no-table") from None
    finally:
        await hang_up(stream.writer, Bye())


async def _dial(
    addresses: Iterable[Address], identity: Identity, expect: bytes | None, attempts: int = ATTEMPTS, run: Run | None = None
) -> tuple[Stream, Address]:
    """The first address that answers as it should; whose handshake broke off, on a line that loses much, is tried again."""
    candidates, cut = to_try(addresses), False
    if not candidates:
        raise LocalError("There is no address to connect to.")
    for _ in range(attempts):
        broken: list[Address] = []
        found, taken = await _race(candidates, identity, expect, broken, run)
        cut = cut or taken or broken != []
        if found:
            stream, proof, address = found
            with contextlib.suppress(OSError):
                await _introduce(stream, proof)
                return stream, address
            broken, cut = [*(one for one in candidates if one != address), address], True
        if not broken:
            break
        candidates = tuple(broken)
    nobody = LocalError("Nobody answers at {0}.", show_address(candidates[0]))
    raise CutOff(nobody.sentence, *nobody.details) if cut else nobody


async def _race(
    candidates: Sequence[Address], identity: Identity, expect: bytes | None, broken: list[Address], run: Run | None = None
) -> tuple[tuple[Stream, bytes, Address] | None, bool]:
    """All are greeted side by side, so that who says nothing delays nobody: the first that has proven itself, and our proof for it.

    The proof is not sent yet: no other far end has a link.  Also: was a connection taken and let go again?  Adds to `broken` where a
    handshake began and broke off; raises Refused.
    """
    refused: Refused | None = None
    taken = False
    chosen: asyncio.Task[tuple[Stream, bytes]] | None = None
    tasks = {
        asyncio.create_task(_meet(address, STAGGER * i, identity, expect, broken, run)): address for i, address in enumerate(candidates)
    }
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in (task for task in tasks if task in done):
                try:
                    stream, proof = task.result()
                except Refused as error:
                    refused = refused or error
                except (OSError, ValueError) as error:  # ValueError: a host that is no name at all
                    log.info("%s: %s", show_address(tasks[task]), error or type(error).__name__)
                    taken = taken or (isinstance(error, ConnectionError | ssl.SSLError) and not isinstance(error, ConnectionRefusedError))
                else:
                    chosen = task
                    return (stream, proof, tasks[task]), taken
    finally:
        for task in tasks:
            if task is not chosen:
                task.cancel()
                task.add_done_callback(_abort)  # not after the wait below, which may be cancelled
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            if chosen:
                _abort(chosen)
            raise
    if refused:
        raise refused
    return None, taken


def _abort(task: "asyncio.Task[tuple[Stream, bytes]]") -> None:
    """It has met somebody whom nobody wants to meet any more."""
    if not task.cancelled() and task.exception() is None:
        task.result()[0].writer.transport.abort()


async def _meet(
    address: Address, delay: float, identity: Identity, expect: bytes | None, broken: list[Address], run: Run | None = None
) -> tuple[Stream, bytes]:
    """Connect and let the far end prove itself: the stream, and our proof, which is not sent yet."""
    await asyncio.sleep(delay)
    async with asyncio.timeout(GREETING):
        reader, writer = await _connect(address)
    try:
        async with asyncio.timeout(GREETING):
            stream, proof = await _greet(reader, writer, CLIENT, identity, run=run)
    except OSError:
        broken.append(address)
        raise
    if expect not in (None, stream.identity):
        await hang_up(writer, Refuse("somebody-else", ""))
        raise Refused("somebody-else")
    return stream, proof


async def _connect(address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a TLS connection.  A name may stand for several addresses, and a network swallow one kind of them: these are raced.

    A race that is cancelled loses the connection that it has just won, and leaves its socket open: so it is closed when it comes.
    """
    connecting = asyncio.ensure_future(
        asyncio.open_connection(
            *address,
            ssl=client_context(),
            server_hostname="",
            ssl_handshake_timeout=GREETING,
            ssl_shutdown_timeout=GRACE,
            happy_eyeballs_delay=None if is_literal(address[0]) else STAGGER,
        )
    )
    if is_literal(address[0]):
        return await connecting
    try:
        return await asyncio.shield(connecting)
    except asyncio.CancelledError:
        connecting.add_done_callback(_hang_up_late)
        raise


def _hang_up_late(connecting: "asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]") -> None:
    if not connecting.cancelled() and connecting.exception() is None:
        connecting.result()[1].transport.abort()


async def _introduce(stream: Stream, proof: bytes) -> None:
    """Prove ourselves; the far end says its first word as soon as it has made this a link.  Raises Refused, or OSError if it has not."""
    try:
        stream.writer.write(proof)
        async with asyncio.timeout(GREETING):
            first = await _read_message(stream.reader)
            if isinstance(first, Run) and isinstance(last := await _read_message(stream.reader), Refuse):
                raise Elsewhere(last, first)
        if isinstance(first, Refuse):
            raise Refused(first.reason, first.detail)
        if not isinstance(first, Ping):
            raise ConnectionError("no link")
        stream.writer.write(pack(Pong(first.nonce)))
    except BaseException as error:
        stream.writer.transport.abort()
        if isinstance(error, BadFrame):
            raise Refused("garbage") from None
        raise


async def _greet(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    role: str,
    identity: Identity,
    certificate: bytes | None = None,
    greeted: _Greeted | None = None,
    run: Run | None = None,
) -> tuple[Stream, bytes]:
    """Go through the handshake: the stream, and our proof, which the server has sent and the client has not.

    `certificate` (our own one's hash) and `greeted` are the server's.  Raises Refused or OSError; then the connection is closed.
    """
    try:
        if certificate is None:
            certificate = hashlib.sha256(writer.get_extra_info("ssl_object").getpeercert(binary_form=True)).digest()
        shake = Handshake(role, identity, certificate, os.urandom(NONCE), _program(), run)
        writer.write(pack(shake.hello()))
        proof = b""
        while not shake.done:
            answer = shake.receive(await _read_message(reader, MAX_GREETING))
            if greeted:
                greeted.said += 1
            if answer:
                proof = pack(answer)
                if role == SERVER:
                    writer.write(proof)
        assert shake.peer is not None
        keep_alive(writer.get_extra_info("socket"))
        return Stream(reader, writer, shake.peer, shake.peer_run), proof
    except Refused as error:
        await hang_up(writer, refusal(error))
        raise
    except BadFrame as error:
        log.warning("handshake: %s", error)
        await hang_up(writer, Refuse("garbage", ""))
        raise Refused("garbage") from None
    except BaseException:
        writer.transport.abort()
        raise


async def _read_message(reader: asyncio.StreamReader, limit: int = MAX_FRAME) -> Message:
    """The next message; raises BadFrame, or OSError when the link has ended."""
    try:
        length = int.from_bytes(await reader.readexactly(PREFIX), "big")
        if length > limit:
            raise BadFrame(f"a frame of {length} bytes")
        return unpack(await reader.readexactly(length))
    except asyncio.IncompleteReadError:
        raise ConnectionError("the other side has hung up") from None


@functools.cache
def _program() -> str:
    """Our version, for people."""
    try:
        return importlib.metadata.version("mastaba")
    except importlib.metadata.PackageNotFoundError:
        return ""
