"""What a row of the table is: a figure of ours, its bar, and where there is one a peer's figure from the same run."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

Row = dict[str, Any]


def row(
    name: str, ours: float, unit: str, bar: float, *, peer: str | None = None, peers: float | None = None, ratio_bar: float | None = None
) -> Row:
    """`holds`: ours is at most `bar`, and the peer's figure is at least `ratio_bar` times ours."""
    ratio = None if peers is None else peers / ours
    holds = ours <= bar and (ratio is None or ratio_bar is None or ratio >= ratio_bar)
    figures = {"ours": ours, "unit": unit, "bar": bar, "peer": peer, "peers": peers, "ratio": ratio, "ratio_bar": ratio_bar}
    return {"name": name, **figures, "holds": holds}


def seconds(*jobs: Callable[[], object], runs: int) -> list[float]:
    """The median time of each job, in seconds; the jobs take turns, so that a slow moment of the machine meets all of them."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(runs):
        for job, taken in zip(jobs, times, strict=True):
            start = perf_counter()
            job()
            taken.append(perf_counter() - start)
    return [median(taken) for taken in times]
