"""Snapshots of real games on the trusted dealer, for tests of everything that draws them."""

import importlib.resources
import random
import tomllib
from collections.abc import Callable, Sequence
from typing import Any

from mastaba.core.bots import decide
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES
from mastaba.core.rules import Event, Options, Over, Shuffle
from mastaba.core.view import Snapshot, Trust


def shipped(game: str) -> Any:
    """The game's own component table."""
    text = (importlib.resources.files("mastaba.core.games") / "data" / f"{game}.toml").read_text()
    return GAMES[game].load(tomllib.loads(text))


DATA = shipped("loot")
NAMES = ("Ana", "Beto", "Caro", "Dani", "Elena", "Faro")
Watcher = Callable[["Table"], None]


class Table:
    """A game in progress and all its public events; `snapshot(seat)` is what the client of that seat is handed."""

    def __init__(self, seats: int, seed: int, level: str = "random", game: str = "loot", variant: str = "") -> None:
        self.random = random.Random(seed)
        rng, data, options = self.random.randbytes, shipped(game), Options(variant=variant)
        self.dealer = Dealer(lambda: GAMES[game].rules(seats, data, options), [lambda v, r: decide(level, v, r)] * seats, rng)
        self.log: list[Event] = []
        self.steps = 0

    @property
    def over(self) -> bool:
        return isinstance(self.dealer.spectator.pending, Over)

    def step(self) -> None:
        self.log += self.dealer.step()
        self.steps += 1

    def until(self, stop: Callable[["Table"], bool]) -> "Table":
        """Play on until `stop` says so, or to the end."""
        while not self.over and not stop(self):
            self.step()
        return self

    def snapshot(
        self,
        seat: int | None,
        names: Sequence[str] = NAMES,
        *,
        waiting: tuple[int, ...] = (),
        linked: tuple[bool, ...] | None = None,
        phase: str | None = None,
        trouble: tuple[tuple[str, int | None, str], ...] = (),
    ) -> Snapshot:
        view = self.dealer.view(seat)
        seats = view.rules.seats
        shuffling = isinstance(view.pending, Shuffle)
        return Snapshot(
            view=view,
            names=tuple(names[:seats]),
            phase=phase or ("shuffle" if shuffling else "done" if self.over else "play"),
            step=self.steps,
            waiting=waiting,
            asked=view.asked() is not None and phase is None,
            log=tuple(self.log),
            trust=Trust(10 * self.steps, seats, self.steps, 3),
            linked=linked or (True,) * seats,
            signed=tuple(range(seats)) if self.over else (),
            trouble=trouble,
        )


def asked(seat: int) -> Callable[[Table], bool]:
    """Is the seat asked for a move?"""
    return lambda table: table.dealer.view(seat).asked() is not None
