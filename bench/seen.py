"""Rows of finding tables: how long until another machine sees one, on namespaces joined by a bridge.  Needs root."""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from mastaba.net.discovery import Discovery, TableAd

from .rows import Row, row

sys.path.append(str(Path(__file__).parents[1] / "tests"))  # the machines are those of the tests
RUNS = 3


def rows() -> list[Row]:
    from machines import network, possible

    if not possible():
        print("seen-start, seen-late: left out, they need root and the ip command", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder, network(Path(folder)) as make:
        start = median(_start(make) for _ in range(RUNS))
        late = median(_late(make) for _ in range(RUNS))
    return [row("seen-start", start, "s", 2), row("seen-late", late, "s", 10)]


def _start(make: Callable[..., list[Any]]) -> float:
    """From the moment a table is opened until a machine that is looking sees it."""
    opener, guest = make(2)
    watching = guest.popen([sys.executable, "-m", "bench.seen", "see"])
    watching.stdout.readline()  # it looks now
    opening = opener.popen([sys.executable, "-m", "bench.seen", "open"])
    opened = float(opening.stdout.readline())
    return float(watching.stdout.readline()) - opened


def _late(make: Callable[..., list[Any]]) -> float:
    """From the moment the guest's interface comes up until it sees a table that was there before."""
    opener, guest = make(2)
    guest.ip("addr", "flush", "dev", "e0")  # no cable, no address: it gets one later, as by DHCP
    guest.ip("link", "set", "e0", "down")
    opening = opener.popen([sys.executable, "-m", "bench.seen", "open"])
    opening.stdout.readline()
    watching = guest.popen([sys.executable, "-m", "bench.seen", "see"])
    watching.stdout.readline()
    guest.ip("link", "set", "e0", "up")
    guest.ip("addr", "add", f"{guest.address}/24", "dev", "e0")
    guest.ip("route", "add", "default", "dev", "e0")
    came = time.monotonic()
    return float(watching.stdout.readline()) - came


async def _see() -> None:
    seen = asyncio.Event()
    discovery = Discovery(seen.set)
    await discovery.start()
    print("looking", flush=True)
    while not discovery.tables():
        seen.clear()
        await seen.wait()
    print(time.monotonic(), flush=True)
    await discovery.close()


async def _open() -> None:
    discovery = Discovery()
    await discovery.start()
    print(time.monotonic(), flush=True)
    discovery.announce(TableAd(os.urandom(8).hex(), "bench", "loot", 1, 2, "open"), 24642)
    await asyncio.sleep(60)  # until it is ended
    await discovery.close()


if __name__ == "__main__":
    asyncio.run({"see": _see, "open": _open}[sys.argv[1]]())
