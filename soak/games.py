"""A thousand games a seat count with every check at a trusted table; and games over the fake network, short ones and as shipped."""

import random
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import mastaba.core.games
from fakenet import Net
from invariants import play_checked
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES

from .workers import spread

SHIPPED = Path(mastaba.core.games.__file__).parent / "data"
SMALL = Path(__file__).parents[1] / "tests" / "data"
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.rules.SEATS]
DEALT, NETWORKED, WHOLE = 1000, 20, 2  # games a seat count: at a trusted table; over the network with the small deck; and as shipped
EVERY = 10  # one in so many dealt games is played as it is shipped, by players that get somewhere
WHAT = {"dealt": DEALT, "networked": NETWORKED, "whole": WHOLE}


def run(share: float) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    answers, wrong = 0, []
    for what, games in WHAT.items():
        seeds = [
            (what, name, seats, n) for n in range(max(1, round(games * share))) for name, seats in TABLES if seats > 1 or what == "dealt"
        ]
        for (_, name, seats, number), (said, found) in zip(seeds, spread(play, seeds), strict=True):
            counts[f"{what} {name}-{seats}"] += 1
            answers += said
            wrong += [f"{what} {name}-{seats} {number}: {found}"] if found else []
    return {"games": dict(counts), "answers": answers, "wrong": wrong}


def play(seed: tuple[str, str, int, int]) -> tuple[int, str]:
    """One game: how many answers it had, and what did not hold."""
    what, name, seats, number = seed
    try:
        if what == "dealt":
            return _dealt(name, seats, number), ""
        return _networked(name, seats, number, SMALL / f"{name}-small.toml" if what == "networked" else SHIPPED / f"{name}.toml"), ""
    except Exception as error:
        return 0, repr(error)


def _dealt(name: str, seats: int, number: int) -> int:
    whole = number % EVERY == 0
    level = "sensible" if whole else "random"
    data = _data(SHIPPED / f"{name}.toml" if whole else SMALL / f"{name}-small.toml")
    rng = random.Random(f"{name} {seats} {number}").randbytes
    return play_checked(Dealer(lambda: GAMES[name].rules(seats, data), [lambda view, rng: bots.decide(level, view, rng)] * seats, rng))


def _networked(name: str, seats: int, number: int, path: Path) -> int:
    net = Net(seats, seed=number, game=name, path=path)
    net.connect()
    net.run()
    return net.verified().steps


@cache
def _data(path: Path) -> Any:
    return GAMES[path.stem.removesuffix("-small")].load(tomllib.loads(path.read_text()))
