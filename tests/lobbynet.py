"""Lobbies in one process: an opener, guests and the links between them; frames are packed and unpacked as on the wire."""

import random
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mastaba.core.rules import Options
from mastaba.net.guest import Guest
from mastaba.net.identity import Identity
from mastaba.net.lobby import Lobby, Opener
from mastaba.net.store import load_game_data
from mastaba.net.terms import Terms
from mastaba.net.wire import PREFIX, Message, Ready, pack, unpack

SMALL = Path(__file__).parent / "data" / "loot-small.toml"


def seeded(seed: int) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def terms(size: int, own: bool = False, **options: Any) -> Terms:
    cards, toml = load_game_data("loot", SMALL if own else None)
    return Terms("Friday", "loot", size, cards, toml if own else b"", Options(**options))


class Lazy(Guest):
    """It sits down and does nothing more."""

    def take_outbox(self) -> list[tuple[int, Message]]:
        return [(link, message) for link, message in super().take_outbox() if not isinstance(message, Ready)]


class Room:
    """One opener (number 0) and whoever has come; link numbers are those of the far end.

    Links keep their order, and overtake one another.
    """

    def __init__(self, size: int, seed: int = 0, **kwargs: Any) -> None:
        self.rng = random.Random(seed)
        self.lobbies: list[Lobby] = []
        self.queues: dict[tuple[int, int], deque[bytes]] = {}
        self.hosts: dict[int, str] = {}  # from where somebody comes, if not from an address of its own
        self.opener = Opener(self.identity(), "Ana", terms(size, **kwargs), (("10.0.0.1", 1000),), seeded(seed))
        self.lobbies.append(self.opener)
        self.seen: list[Message] = []

    def identity(self) -> Identity:
        return Identity.from_secret(self.rng.randbytes(32))

    def guest(
        self,
        name: str = "Ana",
        identity: Identity | None = None,
        bot: bool = False,
        fresh: bool = False,
        host: str = "",
        kind: type[Guest] = Guest,
    ) -> Guest:
        number = len(self.lobbies)
        if host:
            self.hosts[number] = host
        places = ((f"10.0.0.{number + 1}", 1000 + number),)
        guest = kind(identity or self.identity(), name, places, seeded(1_000_000 + number), bot=bot, fresh=fresh)
        self.lobbies.append(guest)
        self.link(0, number)
        guest.join(0)
        return guest

    def link(self, a: int, b: int) -> None:
        self.queues[a, b], self.queues[b, a] = deque(), deque()
        self.lobbies[a].link_up(b, self.lobbies[b].identity.public, ((self.hosts.get(b, f"10.0.0.{b + 1}"), 50_000),))
        self.lobbies[b].link_up(a, self.lobbies[a].identity.public, ((f"10.0.0.{a + 1}", 1000),))

    def cut(self, a: int, b: int) -> None:
        if self.queues.pop((a, b), None) is not None:
            del self.queues[b, a]
            self.lobbies[a].link_down(b)
            self.lobbies[b].link_down(a)

    def say(self, number: int, message: Message, to: int = 0) -> None:
        """What a program that is not ours would send."""
        self.queues[number, to].append(pack(message))

    def run(self, steps: int = 100_000) -> None:
        """Deliver until nothing is under way, or `steps` messages."""
        while steps:
            self.collect()
            self.collect()  # closing a link is news, too
            ready = [pair for pair, queue in self.queues.items() if queue]
            if not ready:
                return
            self.deliver(self.rng.choice(ready))
            steps -= 1

    def collect(self) -> None:
        for a, lobby in enumerate(self.lobbies):
            for b, message in lobby.take_outbox():
                if (a, b) in self.queues:
                    self.queues[a, b].append(pack(message))
            for b, _ in lobby.take_closes():
                while self.queues.get((a, b)):  # the last words still arrive
                    self.deliver((a, b))
                self.cut(a, b)

    def deliver(self, pair: tuple[int, int]) -> None:
        message = unpack(self.queues[pair].popleft()[PREFIX:])
        self.seen.append(message)
        self.lobbies[pair[1]].receive(pair[0], message)

    def tick(self, now: float) -> None:
        for lobby in self.lobbies:
            lobby.tick(now)
        self.run()
