"""Rows of coming back: a long game from its journal, and a link after its machine has got another address.  The second needs root."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from mastaba.net import log
from mastaba.net.discovery import Discovery, TableAd
from mastaba.net.match import resume, start
from mastaba.net.peers import Peers
from mastaba.net.reunion import Reunion
from mastaba.net.store import Store

from .rows import Row, row

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the machines and the match are those of the tests
GAME = Path(__file__).parents[1] / "src" / "core" / "games" / "data" / "loot.toml"
SEATS = 6
RUNS = 4
TAG = "00" * 8


def rows() -> list[Row]:
    from machines import network, possible

    found = [row("resume", _resumed(), "s", 2)]
    if not possible():
        print("reconnect: left out, it needs root and the ip command", file=sys.stderr)
        return found
    with tempfile.TemporaryDirectory() as folder, network(Path(folder)) as make:
        taken = [_reconnected(make, bool(mover)) for mover in (0, 1) for _ in range(RUNS)]
    print(f"reconnect: {', '.join(f'{t:.1f}' for t in taken)} s", file=sys.stderr)
    return [*found, row("reconnect", max(taken), "s", 5)]


def _resumed() -> float:
    """A game of six as it is shipped, at its end: from the journal's file to a session that can go on, median of five."""
    from fakenet import MemoryJournal, Net, seeded

    net, seed = Net(SEATS, seed=2, path=GAME), 2
    first = MemoryJournal()
    start(net.match, 0, net.signers[0], first, seeded(seed * 100), (), net.identities[0])
    net.connect()
    net.run(lambda: net.sessions[0].table.rules.over)
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.journal"
        path.write_bytes(log.JOURNAL + b"".join(log.record(*one) for one in (*first.records, *net.journals[0].records)))
        for _ in range(5):
            began = perf_counter()
            session, journal, _ = resume(path, os.urandom, net.identities[0])
            taken.append(perf_counter() - began)
            journal.close()
            assert session.table.rules.over
    return median(taken)


def _reconnected(make: Callable[..., list[Any]], smaller: bool) -> float:
    """From the moment the one machine has another address until both have a link; it is that of the `smaller` identity or the other."""
    hosts = make(2)
    for host in hosts:  # else the link-local addresses, which stay, are found first
        host.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/e0/disable_ipv6"])
    peers = [host.popen([sys.executable, "-m", "bench.reunion"]) for host in hosts]
    told = [peer.stdout.readline().split() for peer in peers]
    for peer, (identity, port), host in zip(peers, reversed(told), reversed(hosts), strict=True):
        peer.stdin.write(f"{identity} {host.address} {port}\n")
        peer.stdin.flush()
    for peer in peers:
        assert peer.stdout.readline().startswith("up")
    moves = (told[0][0] < told[1][0]) != smaller
    hosts[moves].ip("addr", "flush", "dev", "e0")
    hosts[moves].ip("addr", "add", "10.9.0.77/24", "dev", "e0")
    hosts[moves].ip("route", "replace", "default", "dev", "e0")
    began = time.monotonic()
    came = []
    for peer in peers:
        state = ""
        while state != "up":  # the link of before has gone, and another has come
            state, at, *_ = peer.stdout.readline().split()
        came.append(float(at) - began)
    for host in hosts:
        host.stop()
    return max(came)


class Told:
    """A handler that prints when a link comes and goes."""

    def __init__(self) -> None:
        self.up: dict[int, bytes] = {}

    def link_up(self, link: int, identity: bytes, addresses: Any) -> None:
        self.up[link] = identity
        print("up", time.monotonic(), flush=True)

    def link_down(self, link: int) -> None:
        self.up.pop(link, None)
        print("down", time.monotonic(), flush=True)

    def receive(self, link: int, message: Any) -> None: ...
    def tick(self, now: float) -> None: ...
    def take_outbox(self) -> list[Any]:
        return []

    def take_closes(self) -> list[Any]:
        return []


async def _peer() -> None:
    """One machine's side: it tells who and where it is, reads the same of the other, and stays linked with it."""
    handler, discovery = Told(), Discovery()
    with Store().take_profile() as profile, ThreadPoolExecutor(1) as pool:
        peers = Peers(profile, pool, handler)
        await peers.start()
        identity, port = profile.identity.public, peers.addresses[0][1]
        print(identity.hex(), port, flush=True)
        other, host, its_port = (await asyncio.to_thread(sys.stdin.readline)).split()
        ad = TableAd(identity[:8].hex(), "bench", "loot", 2, 2, "play", TAG)
        reunion = Reunion(peers, discovery, ad, {bytes.fromhex(other): ((host, int(its_port)),)}, False)
        reunion.begin()
        await reunion.run(lambda: [] if handler.up else [bytes.fromhex(other)], lambda: port, False)


if __name__ == "__main__":
    asyncio.run(_peer())
