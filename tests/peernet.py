"""Real links on loopback: a node is a profile, a worker thread, a handler that writes down what it is told, and Peers."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mastaba.net.addresses import Address
from mastaba.net.identity import Identity
from mastaba.net.peers import Peers, _greet
from mastaba.net.store import Profile, Store
from mastaba.net.tls import server_context
from mastaba.net.wire import Message

PATIENCE = 20.0  # seconds until a test that waits in vain fails; nothing waits that long when all is well


class Recorder:
    """A handler that keeps all it is told; `say` and `close` are what it wants done."""

    def __init__(self) -> None:
        self.up: dict[int, bytes] = {}
        self.ever: list[tuple[int, bytes, tuple[Address, ...]]] = []
        self.down: list[int] = []
        self.got: list[tuple[int, Message]] = []
        self.out: list[tuple[int, Message]] = []
        self.closes: list[tuple[int, str]] = []
        self.ticks = 0
        self.placed: tuple[int, ...] = ()

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None:
        self.up[link] = identity
        self.ever.append((link, identity, addresses))

    def link_down(self, link: int) -> None:
        del self.up[link]
        self.down.append(link)

    def receive(self, link: int, message: Message) -> None:
        assert link in self.up
        self.got.append((link, message))

    def tick(self, now: float) -> None:
        self.ticks += 1

    def say(self, link: int, message: Message) -> None:
        self.out.append((link, message))

    def close(self, link: int, reason: str) -> None:
        self.closes.append((link, reason))

    def take_outbox(self) -> list[tuple[int, Message]]:
        out, self.out = self.out, []
        return out

    def take_closes(self) -> list[tuple[int, str]]:
        closes, self.closes = self.closes, []
        return closes


class Node:
    """One player's links.  `until` waits for something to become true, woken by every call of the handler."""

    def __init__(self, store: Store, handler: Any = None) -> None:
        self.profile = store.take_profile()
        self.pool = ThreadPoolExecutor(1)
        self.handler: Any = handler or Recorder()
        self._changed = asyncio.Event()
        self.peers = Peers(self.profile, self.pool, self.handler, self._changed.set)

    @property
    def identity(self) -> bytes:
        return self.profile.identity.public

    @property
    def port(self) -> int:
        return self.peers.addresses[0][1]

    async def until(self, condition: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def close(self) -> None:
        await self.peers.close()
        self.pool.shutdown()
        self.profile.close()


@asynccontextmanager
async def nodes(folder: Path, n: int, **start: Any) -> AsyncIterator[list[Node]]:
    """n nodes that listen on loopback, in the order of their identities, the smallest first."""
    store = Store(folder)
    made = sorted((Node(store) for _ in range(n)), key=lambda node: node.identity)
    try:
        for node in made:
            await node.peers.start(**({"loopback": True} | start))
        yield made
    finally:
        await asyncio.gather(*(node.close() for node in made))


class Mute:
    """Listeners that take TLS connections and say nothing on them."""

    def __init__(self) -> None:
        self.addresses: list[Address] = []
        self.met = 0  # connections so far
        self.ended = asyncio.Semaphore(0)  # released for each that the other side has closed

    async def listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.met += 1
        with contextlib.suppress(OSError):
            while await reader.read(1 << 16):
                pass
        writer.transport.abort()
        self.ended.release()


@asynccontextmanager
async def mute(profile: Profile, n: int) -> AsyncIterator[Mute]:
    """n of them on loopback, with that profile's certificate."""
    made = Mute()
    async with await asyncio.start_server(made.listen, [f"127.0.0.{i + 1}" for i in range(n)], 0, ssl=server_context(profile)) as server:
        made.addresses = [listener.getsockname() for listener in server.sockets]
        yield made


Play = Callable[[list[Node]], Coroutine[Any, Any, None]]


def run(folder: Path, n: int, play: Play, **start: Any) -> None:
    async def main() -> None:
        async with nodes(folder, n, **start) as made:
            await play(made)

    asyncio.run(main())


async def raw(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A TLS connection of a program that is not ours."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return await asyncio.open_connection("127.0.0.1", port, ssl=context)


async def greeted(node: Node, identity: Identity) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A link made by hand, so that it can misbehave."""
    reader, writer = await raw(node.port)
    _, proof = await _greet(reader, writer, "client", identity)
    writer.write(proof)
    return reader, writer
