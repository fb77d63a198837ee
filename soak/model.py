"""The model of agreement, looked at further than a test suite has time for: more lies, a crash among them, more vote rounds."""

from typing import Any

from agreement import Bounds, Model, explore

from .workers import spread

DEEPER = (Bounds(2, 0, 3), Bounds(2, 1, 1), Bounds(2, 1, 2), Bounds(3, 0, 1), Bounds(3, 0, 2), Bounds(3, 1, 1))
STATES = 150_000  # looked at in one search, the nearest first: all are in memory


def run(share: float) -> dict[str, Any]:
    states: dict[str, int] = {}
    cut: list[str] = []
    wrong: list[str] = []
    searches = [(bounds, max(1000, int(STATES * share))) for bounds in DEEPER]
    for (bounds, _), (looked, whole, found) in zip(searches, spread(one, searches), strict=True):
        states[str(bounds)] = looked
        cut += [] if whole else [str(bounds)]
        wrong += [f"{bounds}: {found}"] if found else []
    return {"states": states, "not looked at whole": cut, "wrong": wrong}


def one(search: tuple[Bounds, int]) -> tuple[int, bool, str]:
    """How many states, whether they are all, and what does not hold in one of them."""
    bounds, most = search
    found = explore(Model(bounds=bounds), most)
    return found.states, found.whole, found.broken or (f"no way to an end: {found.stuck}" if found.stuck else "")
