"""The links that are up: who is at the far end, frames, liveness, reconnecting.  It opens no socket: streams are handed in.

What is said on the links goes to a `Handler` without sockets, called on a worker thread of the caller's, one call at a
time, so that the event loop, and with it the screen, never waits for it.
"""

import abc
import asyncio
import contextlib
import ipaddress
import itertools
import logging
import secrets
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor
from typing import Any, TypeVar

from ..core.errors import LocalError
from .addresses import Address, plain_host
from .budget import Allowance, Turns
from .crowd import Place, group, makes_room
from .handler import Handler
from .runs import Runs
from .stream import GRACE, Stream, hang_up
from .wire import BadFrame, Bye, Frames, Hello, Message, Ping, Pong, Probe, Proof, Refuse, Run, Want, pack, unpack

MAX_LINKS = 64  # links of strangers; kept peers are let in beyond it, so that strangers cannot lock players out
MAX_LINKS_PER_GROUP = 16  # of one group (crowd.py): and one machine alone cannot fill them
SAID = 2  # messages of a stranger that count when somebody has to make room: talking without end is no merit
MAX_BACKLOG = 4 << 20  # bytes waiting for one link: who never reads cannot fill our memory
MAX_BATCH = 16  # messages of one link that the worker takes at once: then others have their turn
MAX_SLICE = 0.02  # seconds of the worker's time after which the rest of a batch waits for the next turn
READ, READ_STRANGER = 1 << 16, 1 << 12  # bytes read at once
PING, SILENCE = 2.0, 8.0  # seconds between our pings; without a byte from the other side a link is dead
TICK = 0.25  # seconds between calls of Handler.tick
BACK_OFF = 0.2, 5.0  # seconds between attempts to reach a kept peer, at first and at most
KEPT_ATTEMPTS = 2  # to reach a kept peer, one after another: the first may be won by a relay that lets nothing come of it

log = logging.getLogger(__name__)
T = TypeVar("T")


class Link:
    """A stream that the handler knows by a number."""

    def __init__(self, number: int, stream: Stream, dialled: bool, addresses: tuple[Address, ...]) -> None:
        self.number, self.dialled, self.addresses = number, dialled, addresses
        self.reader, self.writer, self.identity, self.run = stream.reader, stream.writer, stream.identity, stream.run
        self.gone = asyncio.Event()
        self.heard = asyncio.Event()  # a byte has come since this was last cleared
        self.since = time.monotonic()
        self.group = group(addresses[0][0]) if addresses else ""
        self.said = 0  # messages, of which the first SAID count
        self.allowance = Allowance()
        self.turns: Turns[Message] = Turns(4)  # the worker's own: equal questions are answered once a tick


class Links(abc.ABC):
    """All links of one process, by number and by the identity at the far end: one link a peer."""

    def __init__(self, identity: bytes, runs: Runs, executor: Executor, handler: Handler, after: Callable[[], None]) -> None:
        self._identity, self._executor, self._handler, self.after = identity, executor, handler, after
        self.runs, self._begun = runs, time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._links: dict[int, Link] = {}
        self._of: dict[bytes, Link] = {}
        self._numbers = itertools.count(1)
        self._kept: dict[bytes, asyncio.Task[None]] = {}
        self._hurried: set[bytes] = set()
        self._settling: set[bytes] = set()  # identities of which another run is being looked at
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._up: dict[int, Link] = {}  # the worker's own books, in step with what the handler has been told
        self._answers: list[tuple[int, Message]] = []  # the worker's own, too
        self._placed: frozenset[int] = frozenset()  # what the handler has said of it last

    @abc.abstractmethod
    async def dial(self, addresses: Iterable[Address], expect: bytes | None = None, *, attempts: int) -> int:
        """See Peers.dial: opening links is its business."""

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run a function of the handler's on the worker, then send what it has to send; raises what the function raises."""
        return await asyncio.wrap_future(self._executor.submit(self._work, function, *arguments))

    async def set_handler(self, handler: Handler) -> None:
        """From now on this handler is called; it is told of all links that are up."""

        def change() -> None:
            self._handler = handler
            for link in self._up.values():
                handler.link_up(link.number, link.identity, link.addresses)

        await self.call(change)

    def keep(self, identity: bytes, places: Callable[[], Iterable[Address]]) -> None:
        """Stay linked with a peer: dial it whenever there is no link, each time where `places` says, until `forget`."""
        self.forget(identity)
        self._kept[identity] = self.spawn(self._keep(identity, places))

    def hurry(self, identity: bytes, addresses: Iterable[Address]) -> None:
        """Dial a kept peer there at once, beside what is being dialled; nothing if the last hurry has not ended."""
        if identity in self._kept and identity not in self._of and identity not in self._hurried:
            self._hurried.add(identity)
            self.spawn(self._hurry(identity, tuple(addresses)))

    def drop_stranded(self, hosts: Collection[str]) -> None:
        """End the links that come from an address of ours that is not among these any more: nothing on them arrives."""
        for link in list(self._links.values()):
            own = plain_host(link.writer.get_extra_info("sockname", ("",))[0])
            if own and own not in hosts and not ipaddress.ip_address(own).is_loopback:
                self._end(link, None)

    def forget(self, identity: bytes) -> None:
        """No longer dial that peer; a link that is up stays."""
        task = self._kept.pop(identity, None)
        if task:
            task.cancel()

    async def close(self) -> None:
        """Say Bye on every link and end everything; at most about a second.  The executor is the caller's to shut down."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        for link in list(self._links.values()):
            self._end(link, Bye())
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- the worker's side ------------------------------------------------------------------------------------------

    def _work(self, function: Callable[..., T], *arguments: Any) -> T:
        try:
            return function(*arguments)
        finally:
            closes = self._handler.take_closes()
            for number, _ in closes:  # what still arrives on it is not the handler's any more
                self._tell_down(number)
            answers, self._answers = self._answers, []
            frames: dict[int, bytearray] = {}  # by link: one write for all that it is sent now
            for link, message in (*answers, *self._handler.take_outbox()):
                frames.setdefault(link, bytearray()).extend(pack(message))
            self._placed = frozenset(self._handler.placed)
            with contextlib.suppress(RuntimeError):  # the loop has ended before its worker
                self._loop.call_soon_threadsafe(self._send, frames, closes)

    def _tell_up(self, link: Link) -> None:
        self._up[link.number] = link
        self._handler.link_up(link.number, link.identity, link.addresses)

    def _tell_down(self, number: int) -> None:
        if self._up.pop(number, None):
            self._handler.link_down(number)

    def _receive(self, link: Link, bodies: list[bytes]) -> int:
        """Hand the messages to the handler, as many as are taken in one turn; returns how many.  Raises BadFrame."""
        until = time.thread_time() + MAX_SLICE
        for done, body in enumerate(bodies[:MAX_BATCH], 1):
            message = unpack(body)
            if isinstance(message, Hello | Proof):
                raise BadFrame("a handshake after the handshake")
            if not isinstance(message, Ping | Probe | Want | Run) or link.turns.take(type(message).__name__, message):
                self._take(link, message)
            if time.thread_time() > until:
                return done
        return min(len(bodies), MAX_BATCH)

    def _take(self, link: Link, message: Message) -> None:
        if isinstance(message, Ping):
            self._answers.append((link.number, Pong(message.nonce)))
        elif isinstance(message, Run):
            self._loop.call_soon_threadsafe(self.shown, message, False)
        elif not isinstance(message, Pong) and link.number in self._up:
            self._handler.receive(link.number, message)

    def _timed(self, function: Callable[..., T], *arguments: Any) -> tuple[T, float]:
        """What the function returns, and the worker's seconds that it has taken with all that it had sent."""
        began = time.thread_time()
        found = self._work(function, *arguments)
        return found, time.thread_time() - began

    def _tick(self) -> None:
        for link in list(self._up.values()):
            for message in link.turns.tick():
                self._take(link, message)
        self._handler.tick(time.monotonic())

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> "asyncio.Future[tuple[Any, float]] | None":
        """Have the worker do it, in the order of these calls; None when the worker has ended."""
        try:
            future = asyncio.wrap_future(self._executor.submit(self._timed, function, *arguments))
        except RuntimeError:
            return None
        future.add_done_callback(report_failure)
        return future

    def _send(self, frames: dict[int, bytearray], closes: list[tuple[int, str]]) -> None:
        for number, data in frames.items():
            link = self._links.get(number)
            if link:
                self._write(link, data)
        for number, reason in closes:
            link = self._links.get(number)
            if link:
                self._end(link, Refuse(reason, "") if reason else None)
        if not self._closed:
            self.after()

    # -- links ------------------------------------------------------------------------------------------------------

    def register(self, stream: Stream, dialled: bool, addresses: tuple[Address, ...]) -> Link | None:
        """Make it a link, unless there is a better one to the same peer, or too many."""
        link = Link(next(self._numbers), stream, dialled, addresses)
        old = self._of.get(stream.identity)
        if self._closed:
            self.spawn(hang_up(stream.writer, Bye()))
            return None
        if old and old.run != stream.run:
            if stream.identity in self._settling:
                stream.writer.transport.abort()  # one at a time: who comes with ever new runs of one key holds no sockets
            else:
                self._settling.add(stream.identity)
                self.spawn(self._settle(old, stream, dialled, addresses))
            return None
        if old and old.dialled != dialled and old.dialled == (self._identity < stream.identity):
            # both have dialled: the link of the smaller identity stays, at both ends, unless it leads nowhere any more
            self.spawn(hang_up(stream.writer, Refuse("double", "")))
            if time.monotonic() - old.since > PING:  # they have not dialled at the same time
                self.spawn(self._prove_alive(old))
            return None
        if old:  # it is that one's turn to go; or the same side dials anew, since for it the old one is dead
            self._end(old, Refuse("double", ""))
        elif stream.identity not in self._kept:
            self._make_room(link)
        self._links[link.number] = self._of[stream.identity] = link
        if not dialled:
            self._write(link, pack(Ping(bytes(8))))  # so the dialler knows that it has a link
        self._submit(self._tell_up, link)
        self.spawn(self._run(link))
        return link

    def shown(self, run: Run, refused: bool) -> None:
        """A peer shows us another run of our identity."""
        if self.runs.show(run, time.monotonic() - self._begun, refused) and not self._closed:
            self.after()

    async def _settle(self, old: Link, stream: Stream, dialled: bool, addresses: tuple[Address, ...]) -> None:
        """Two runs of one identity: the one with the link keeps it if its far end is there, and each is shown the other."""
        try:
            await self._prove_alive(old)
        finally:
            self._settling.discard(stream.identity)
        if old.number not in self._links:
            self.register(stream, dialled, addresses)
            return
        self._write(old, pack(stream.run))
        stream.writer.write(pack(old.run))
        await hang_up(stream.writer, Refuse("double", ""))

    def _make_room(self, link: Link) -> None:
        """Room for one more stranger: one machine alone cannot take all places, nor keep them."""
        placed = self._placed
        strangers = [one for one in self._links.values() if not self._trusted(one) and one.number not in placed]
        places = [Place(one.group, one.since, min(one.said, SAID)) for one in strangers]
        index = makes_room(places, link.group, MAX_LINKS, MAX_LINKS_PER_GROUP, link.since, secrets.randbelow)
        if index is not None:
            self._end(strangers[index], Refuse("crowded", ""))

    async def _run(self, link: Link) -> None:
        """Read the link until it ends; a slow worker makes it wait, and its budget, and through TCP the sender with it."""
        frames, reason = Frames(), ""
        try:
            while link.number in self._links:
                async with asyncio.timeout(SILENCE):
                    data = await link.reader.read(READ if self._trusted(link) else READ_STRANGER)
                if not data:
                    break
                link.heard.set()
                size, bodies = len(data), frames.feed(data)
                while link.number in self._links:
                    done, spent = 0, 0.0
                    if bodies:
                        future = self._submit(self._receive, link, bodies)
                        done, spent = await future if future else (len(bodies), 0.0)
                        del bodies[:done]
                        link.said += done
                    if pause := self._charge(link, done, size, spent):
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(link.gone.wait(), max(pause, TICK))
                    size = 0
                    if not bodies:
                        break
        except TimeoutError:
            reason = "silent"
        except BadFrame as error:
            log.warning("link %d: %s", link.number, error)
            reason = "garbage"
        except OSError as error:
            log.info("link %d: %s", link.number, error)
        finally:
            self._end(link, Refuse(reason, "") if reason else None)

    def _trusted(self, link: Link) -> bool:
        """Is it a link that we want: with a seat of the match, or one that we have dialled?"""
        return link.dialled or link.identity in self._kept

    def _charge(self, link: Link, messages: int, size: int, work: float) -> float:
        """What the link has used: for how many seconds nothing more is read of it."""
        strangers = 0 if self._trusted(link) else sum(not self._trusted(other) for other in self._links.values())
        return link.allowance.charge(messages, size, work, strangers, time.monotonic())

    def _write(self, link: Link, data: bytes | bytearray) -> None:
        link.writer.write(data)
        if link.writer.transport.get_write_buffer_size() > MAX_BACKLOG:
            log.warning("link %d is too slow", link.number)
            link.writer.transport.abort()
            self._end(link, None)

    def _end(self, link: Link, last: Message | None) -> None:
        if self._links.pop(link.number, None) is None:
            return
        if self._of.get(link.identity) is link:
            del self._of[link.identity]
        link.gone.set()
        self._submit(self._tell_down, link.number)
        self.spawn(hang_up(link.writer, last))

    async def _prove_alive(self, link: Link) -> None:
        """Its far end has dialled anew, so it may have gone to another address, and would be refused until the silence is noticed."""
        link.heard.clear()
        self._write(link, pack(Ping(bytes(8))))
        try:
            async with asyncio.timeout(GRACE):
                await link.heard.wait()
        except TimeoutError:
            self._end(link, None)

    async def _hurry(self, identity: bytes, addresses: tuple[Address, ...]) -> None:
        try:
            with contextlib.suppress(LocalError):
                await self.dial(addresses, identity, attempts=KEPT_ATTEMPTS)
        finally:
            self._hurried.discard(identity)

    async def _keep(self, identity: bytes, places: Callable[[], Iterable[Address]]) -> None:
        """Both sides dial; the larger identity a little later, so that mostly one link is made, not two of which one must go."""
        shortest, longest = BACK_OFF
        pause = shortest
        if self._identity > identity:
            await asyncio.sleep(shortest)
        while True:
            link = self._of.get(identity)
            if link:
                await link.gone.wait()
                if time.monotonic() - link.since > longest:
                    pause = shortest  # it has been a good link; one that is cut at once again and again is not dialled faster
            else:
                try:
                    await self.dial(places(), identity, attempts=KEPT_ATTEMPTS)
                    continue
                except LocalError:
                    pass
                except Exception:  # whatever a far end has made of it: a peer of the match is not given up
                    log.exception("dialling")
            await asyncio.sleep(pause)
            pause = min(pause * 2, longest)

    async def _ping(self) -> None:
        for number in itertools.count():
            await asyncio.sleep(PING)
            frame = pack(Ping(number.to_bytes(8, "big")))
            for link in list(self._links.values()):
                self._write(link, frame)

    async def _clock(self) -> None:
        while True:
            future = self._submit(self._tick)
            if future is None:
                return
            await asyncio.wait([future])
            await asyncio.sleep(TICK)

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(report_failure)
        return task


def report_failure(future: "asyncio.Future[Any]") -> None:
    """Nothing that fails in the background goes unseen."""
    if not future.cancelled() and not isinstance(future.exception(), (BadFrame, type(None))):
        log.error("unexpected", exc_info=future.exception())
