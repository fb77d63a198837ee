"""Many matches over real links in one long run: the memory and the files that are open stay as they are after the first few."""

import asyncio
import ctypes
import gc
import os
import resource
import tempfile
from pathlib import Path
from typing import Any

from matches import played_by_bots

MATCHES = 300
WARM = 60  # matches after which everything that is cached is cached
EVERY = 40  # matches between two figures of the row
GROWTH = 8.0  # MB that may be added after that: a leak of a match's log would be twenty times as much


def run(share: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        return asyncio.run(_play(Path(home), max(WARM + 5, int(MATCHES * share))))


async def _play(home: Path, matches: int) -> dict[str, Any]:
    wrong: list[str] = []
    memory, files = [], []
    for number in range(matches):
        phases = await _match(home)
        if phases != ["done", "done"]:
            wrong.append(f"match {number}: {phases}")
        memory.append(_megabytes())
        files.append(len(os.listdir("/proc/self/fd")))
    warm, last = memory[WARM], memory[-1]
    if last - warm > GROWTH:
        wrong.append(f"memory has grown from {warm:.1f} to {last:.1f} MB")
    if files[-1] > files[WARM]:
        wrong.append(f"open files have grown from {files[WARM]} to {files[-1]}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    on_the_way = [round(held, 1) for held in memory[WARM::EVERY]]
    figures = {"MB warm": round(warm, 1), "MB last": round(last, 1), "MB most": round(most, 1), "MB on the way": on_the_way}
    return {"matches": matches, **figures, "files warm": files[WARM], "files last": files[-1], "wrong": wrong}


async def _match(home: Path) -> list[str]:
    """Two clients of this process play one match by bots over loopback; the phases in which they end."""
    async with played_by_bots(home, "soak", 120) as clients:
        return [client.snapshot.phase if client.snapshot else "" for client in clients]


def _megabytes() -> float:
    """What this process holds, without what the allocator keeps for later: that varies with how busy the machine is."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6
