"""The model of agreement, looked at further than a test suite has time for: more lies, a crash among them, more vote rounds, four seats."""

from typing import Any

from agreement_items import Bounds
from exploring import Model, explore, walk

from .workers import spread

# how far to look, and from where: the seat that has been voted out (None: from the start)
DEEPER: tuple[tuple[Bounds, int | None], ...] = (
    (Bounds(1, 0, 3), None),
    (Bounds(1, 1, 2), None),
    (Bounds(2, 0, 2), None),
    (Bounds(3, 0, 1), None),
    (Bounds(2, 1, 2), None),
    (Bounds(2, 0, 2), 0),
    (Bounds(2, 1, 2), 0),
    (Bounds(3, 0, 3), 0),
    (Bounds(2, 0, 2), 2),
    (Bounds(2, 1, 3), 2),
)
FOUR = Bounds(12, 1, 4, seats=4, leaves=True)  # two of them lie, and an honest one may leave
STATES = 150_000  # looked at in one search, the nearest first: all are in memory
WALKS = 20_000


def run(share: float) -> dict[str, Any]:
    states: dict[str, int] = {}
    cut: list[str] = []
    wrong: list[str] = []
    searches = [(bounds, lost, max(1000, int(STATES * share))) for bounds, lost in DEEPER]
    for (bounds, lost, _), (looked, whole, found) in zip(searches, spread(one, searches), strict=True):
        name = str(bounds) if lost is None else f"{bounds}, without {lost}"
        states[name] = looked
        cut += [] if whole else [name]
        wrong += [f"{name}: {found}"] if found else []
    seeds = range(max(100, int(WALKS * share)))
    wrong += [f"walk {seed}: {found}" for seed, found in zip(seeds, spread(stroll, seeds), strict=True) if found]
    return {"states": states, "not looked at whole": cut, "walks": len(seeds), "wrong": wrong}


def one(search: tuple[Bounds, int | None, int]) -> tuple[int, bool, str]:
    """How many states, whether they are all, and what does not hold in one of them."""
    bounds, lost, most = search
    model = Model(bounds=bounds)
    found = explore(model, most, None if lost is None else model.voted(lost))
    return found.states, found.whole, found.broken or (f"no way to an end: {found.stuck}" if found.stuck else "")


def stroll(seed: int) -> str:
    return walk(Model(bounds=FOUR), seed, 80)[0]
