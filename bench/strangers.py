"""Rows of strangers: an honest game of six programs under the links of others, beside the same game alone; and what catching up costs."""

import asyncio
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from mastaba.core.bots import decide
from mastaba.core.errors import LocalError
from mastaba.core.fair.keys import Secrets
from mastaba.net.book import Silent
from mastaba.net.identity import Identity
from mastaba.net.match import Match
from mastaba.net.peers import Peers, _dial
from mastaba.net.session import Session
from mastaba.net.store import Store
from mastaba.net.stream import Stream
from mastaba.net.terms import in_play
from mastaba.net.wire import At, Frames, Probe, Say, Watch, pack, unpack

from .rows import Row, row

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the match is that of the tests
GAME = "loot"
DATA = Path(__file__).parents[1] / "src" / "core" / "games" / "data" / f"{GAME}.toml"
SEATS = 6
PROBERS, WATCHERS = 16, 8  # links to the first seat
RUNS = 3


def rows() -> list[Row]:
    figures: dict[str, list[float]] = {"": [], "probes": [], "watchers": []}
    for _ in range(RUNS):
        for load, taken in figures.items():
            taken.append(_played(load))
    alone = median(figures[""])
    print(*(f"{name or 'alone'}: {', '.join(f'{t:.2f}' for t in taken)} s" for name, taken in figures.items()), sep="\n", file=sys.stderr)
    found = [
        row(f"under-{load}", median(figures[load]), "s of CPU", most * alone, peer="the same game alone", peers=alone, ratio_bar=1 / most)
        for load, most in (("probes", 1.5), ("watchers", 1.3))
    ]
    return [*found, row("catch-up-bytes", _caught_up(), "times the transcript", 1.2)]


def _played(load: str) -> float:
    """The seconds of CPU that the first seat's program takes for a game, once the links of the load with it are up."""
    with contextlib.ExitStack() as stack:
        seats = [stack.enter_context(_running("seat", str(seat))) for seat in range(SEATS)]
        ports = [_line(one) for one in seats]
        for one in seats:
            _tell(one, " ".join(ports))
        for one in seats:
            assert _line(one) == "linked"
        if load:
            assert _line(stack.enter_context(_running(load, ports[0]))) == "linked"
        for one in seats:
            _tell(one, "play")
        return float(_line(seats[0]))


@contextlib.contextmanager
def _running(*words: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "bench.strangers", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def _tell(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin
    process.stdin.write(text + "\n")
    process.stdin.flush()


def _caught_up() -> float:
    """What one link carries to a spectator that comes in mid-game and stays to the end, to what the game's file holds."""
    from fakenet import Net, seeded

    net = Net(4, seed=2, game=GAME, path=DATA)
    net.connect()
    net.run(lambda: net.sessions[0].table.step > 100)
    server, spectator, link = net.sessions[0], Session(net.match.roster, net.match.table(), Silent(), seeded(1)), 77
    send, carried = net.send, 0

    def carry(a: int, b: int, message: Any) -> None:
        nonlocal carried
        if b == link:
            carried += len(pack(message))
            spectator.receive(0, message)
        else:
            send(a, b, message)

    def watched() -> bool:
        for _, message in spectator.take_outbox():
            server.receive(link, message)
        if spectator.clock < net.clock:
            spectator.tick(net.clock)
        return spectator.table.done and server.table.done

    net.send = carry  # type: ignore[method-assign]
    server.link_up(link, bytes(32))
    server.receive(link, Watch(""))
    spectator.link_up(0, net.identities[0].public)
    net.run(watched, idle=100)
    assert spectator.transcript() == server.transcript()
    return carried / len(server.transcript())


def _match() -> tuple[Match, list[Identity], list[Identity]]:
    from fakenet import match_for

    return match_for(SEATS, seed=3, game=GAME, path=DATA)


async def _seat(me: int) -> None:
    """One program of the game: it tells its port, is told the other's, and tells how much CPU the game has taken."""
    from fakenet import seeded

    match, identities, signers = _match()
    dice, changed = seeded(me + 10), asyncio.Event()
    with tempfile.TemporaryDirectory() as home, ThreadPoolExecutor(1) as pool, Store(Path(home)).take_profile() as profile:
        profile.identity = identities[me]
        table = match.table(me, Secrets.generate(seeded(me)))
        session = Session(match.roster, table, Silent(), seeded(me + 20), signers[me], identities[me])
        session.about = in_play(match.roster, "bench", False)
        peers = Peers(profile, pool, session, changed.set)
        await peers.start(0, loopback=True)
        print(peers.addresses[0][1], flush=True)
        ports = map(int, (await asyncio.to_thread(sys.stdin.readline)).split())
        for seat, port in enumerate(ports):
            if seat != me:
                peers.keep(identities[seat].public, lambda port=port: (("127.0.0.1", port),))  # type: ignore[misc]
        while not all(session.shown.linked):
            changed.clear()
            await changed.wait()
        print("linked", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        began = time.process_time()
        await peers.call(session.begin)

        def move() -> None:
            if session.table.decision is not None:
                session.answer(decide("sensible", session.snapshot().view, dice))

        while not session.settled:
            changed.clear()
            if session.shown.asked:
                await peers.call(move)
            else:
                await changed.wait()
        print(time.process_time() - began, flush=True)
        await asyncio.to_thread(sys.stdin.readline)


async def _linked(port: int) -> Stream:
    while True:
        with contextlib.suppress(LocalError):
            return (await _dial((("127.0.0.1", port),), Identity.generate(), None))[0]


async def _probes(port: int) -> None:
    """Links that ask which table that is, as fast as they are read."""
    many = pack(Probe()) * 1000

    async def ask(stream: Stream) -> None:
        async def drop() -> None:
            while await stream.reader.read(1 << 16):
                pass

        answers = asyncio.create_task(drop())
        with contextlib.suppress(OSError):
            while not answers.done():
                stream.writer.write(many)
                await stream.writer.drain()

    await asyncio.gather(*(ask(stream) for stream in await _links(port, PROBERS)))


async def _watchers(port: int) -> None:
    """Links that watch, and say all the time that they stand at the beginning and have read all that has come."""
    match, _, _ = _match()

    async def watch(stream: Stream) -> None:
        frames, read = Frames(), 0
        stream.writer.write(pack(Watch("")))

        async def count() -> None:
            nonlocal read
            while data := await stream.reader.read(1 << 16):
                read += sum(isinstance(unpack(body), Say) for body in frames.feed(data))

        counted = asyncio.create_task(count())
        with contextlib.suppress(OSError):
            while not counted.done():
                stream.writer.write(pack(At(match.roster.match, 0, 0, match.roster.match, (), (), read)))
                await stream.writer.drain()
                await asyncio.sleep(0.02)

    await asyncio.gather(*(watch(stream) for stream in await _links(port, WATCHERS)))


async def _links(port: int, number: int) -> list[Stream]:
    streams = [await _linked(port) for _ in range(number)]
    print("linked", flush=True)
    return streams


if __name__ == "__main__":
    what, number = sys.argv[1:]
    asyncio.run({"seat": _seat, "probes": _probes, "watchers": _watchers}[what](int(number)))  # type: ignore[operator]
