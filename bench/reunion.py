"""Rows of coming back: a long game from its journal, and a link after its machine has got another address.  The second needs root."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
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
SETTLED = 4.0  # seconds that a link has been up before its machine goes elsewhere


def rows() -> list[Row]:
    from machines import network, possible

    found = [row("resume", _resumed(), "s", 2)]
    if not possible():
        print("reconnect: left out, it needs root and the ip command", file=sys.stderr)
        return found
    with tempfile.TemporaryDirectory() as folder, network(Path(folder)) as make:
        taken = [_reconnected(make, bool(mover)) for mover in (0, 1) for _ in range(RUNS)]
        lost = [_missed(make) for _ in range(RUNS)]
    for name, figures in (("reconnect", taken), ("half-open", lost)):
        print(f"{name}: {', '.join(f'{t:.1f}' for t in figures)} s", file=sys.stderr)
    return [*found, row("reconnect", max(taken), "s", 5), row("half-open", max(lost), "s", 10)]


def _resumed() -> float:
    """A game of six as it is shipped, at its end: from the journal's file to a session that can go on, best of five."""
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
    return min(taken)


def _linked(make: Callable[..., list[Any]]) -> tuple[list[Any], list[Any], list[list[str]]]:
    """Two machines, a program on each, linked with the other; and what each has told of itself."""
    hosts = make(2)
    for host in hosts:  # else the link-local addresses, which stay, are found first
        host.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/e0/disable_ipv6"])
    peers = [host.popen([sys.executable, "-m", "bench.reunion"]) for host in hosts]
    told = [peer.stdout.readline().split() for peer in peers]
    for peer, (identity, port), host in zip(peers, reversed(told), reversed(hosts), strict=True):
        peer.stdin.write(f"{identity} {host.address} {port}\n")
        peer.stdin.flush()
    _wait(peers, "up")
    return hosts, peers, told


def _wait(peers: list[Any], what: str) -> float:
    """When the last of them has said so."""
    times = []
    for peer in peers:
        state = ""
        while state != what:
            state, at = peer.stdout.readline().split()
        times.append(float(at))
    return max(times)


def _reconnected(make: Callable[..., list[Any]], smaller: bool) -> float:
    """From the moment the one machine has another address until both have a link; it is that of the `smaller` identity or the other."""
    hosts, peers, told = _linked(make)
    time.sleep(SETTLED)
    moves = hosts[(told[0][0] < told[1][0]) != smaller]
    moves.ip("addr", "flush", "dev", "e0")
    moves.ip("addr", "add", "10.9.0.77/24", "dev", "e0")
    moves.ip("route", "replace", "default", "dev", "e0")
    began = time.monotonic()
    return _ended(hosts, _wait(peers, "up") - began)


def _missed(make: Callable[..., list[Any]]) -> float:
    """From the moment a cable is cut, which no system tells a program, until both sides have given the link up."""
    hosts, peers, _ = _linked(make)
    hosts[0].cable(False)
    began = time.monotonic()
    return _ended(hosts, _wait(peers, "down") - began)


def _ended(hosts: list[Any], figure: float) -> float:
    for host in hosts:
        host.stop()
    return figure


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

    placed = ()

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
