"""Sessions that are killed at a chosen point: before or after each record written, message sent, message received.

A kill leaves what was appended to the journal; a power cut only what a synced append has made safe.
"""

import contextlib
import random
from collections.abc import Callable
from typing import Any

from fakenet import MemoryJournal, Net
from mastaba.cli.bot import overdue
from mastaba.core.errors import LocalError
from mastaba.net.wire import Message, Say, Vote

NEVER = 1 << 60


class Killed(BaseException):
    """The process of this seat is gone; a BaseException, since no code of the product may survive its own death."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.seat = seat


class MortalJournal(MemoryJournal):
    """Remembers how many records a power cut leaves."""

    def __init__(self, point: Callable[[], None]) -> None:
        super().__init__()
        self.point, self.safe = point, 0

    def append(self, kind: int, payload: bytes, sync: bool) -> None:
        self.point()
        super().append(kind, payload, sync)
        if sync:
            self.safe = len(self.records)
        self.point()


class MortalNet(Net):
    """Kills whoever stands at each of the `kills`: numbers of points, counted on from the kill before.  `power`: a power cut."""

    def __init__(self, seats: int, kills: list[int] | None = None, power: bool = False, **kwargs: Any) -> None:
        self.left = 1 << 60
        super().__init__(seats, **kwargs)
        self.kills, self.power = list(kills or ()), power
        self.points = 0
        self.died: list[int] = []
        self.signed: dict[tuple[Any, ...], bytes] = {}
        self.tamper = self.watch
        self._aim()

    def session(self, seat: int) -> Any:
        if not isinstance(self.journals[seat], MortalJournal):
            self.journals[seat] = MortalJournal(lambda: self.point(seat))
        return super().session(seat)

    def _aim(self) -> None:
        self.left = self.kills.pop(0) if self.kills else NEVER

    def point(self, seat: int) -> None:
        self.points += 1
        self.left -= 1
        if self.left < 0:
            self._aim()
            raise Killed(seat)

    def watch(self, a: int, b: int, message: Message) -> tuple[Message, ...]:
        """No seat ever signs one slot twice, whether it answers or votes: what leaves is compared with all that has left before."""
        if isinstance(message, Say | Vote):
            value = message.body
            slot = slot_of(value)
            assert self.signed.setdefault(slot, value) == value, f"two bodies for {slot}"
        return (message,)

    def flush(self) -> None:
        for a, session in enumerate(self.sessions):
            for b, message in session.take_outbox():
                self.point(a)
                self.send(a, b, message)
                self.point(a)
            for b, reason in session.take_closes():
                self.closed.append((a, b, reason))
                self.cut(a, b)

    def deliver(self, a: int, b: int, message: Message) -> None:
        self.point(b)
        super().deliver(a, b, message)
        self.point(b)

    def run(self, *args: Any, **kwargs: Any) -> None:
        while True:
            try:
                super().run(*args, **kwargs)
                return
            except Killed as killed:
                self.come_back(killed.seat)

    def come_back(self, seat: int) -> None:
        journal = self.journals[seat]
        assert isinstance(journal, MortalJournal)
        if self.power:
            del journal.records[journal.safe :]
        self.died.append(seat)
        links = [b for a, b in self.queues if a == seat]
        self.crash(seat)
        self.connect(*((seat, other) for other in links))


def slot_of(data: bytes) -> tuple[Any, ...]:
    """(kind, match, step, round, seat) of a signed contribution, ("leave", match, seat), or (kind, match, vote round, seat) of a vote."""
    from mastaba.core.plain import decode

    _, kind, match, *place = decode(data)
    if kind == "vote":
        return kind, match, *place[:2]
    return (kind, match, place[2]) if kind == "leave" else (kind, match, *place[:3])


def some_points(rng: random.Random, points: int, kills: int) -> list[int]:
    """Kill points spread over a game that has so many points: each is counted on from the one before."""
    at = sorted(rng.randrange(points) for _ in range(kills))
    return [b - a for a, b in zip([0, *at], at, strict=False)]


def play_on(net: Net, seat: int, after: int) -> Callable[[], bool]:
    """Nobody goes: until all have a signed end.  The scenarios below have the same arguments."""
    return lambda: all(s.table.done or s.fault for s in net.sessions)


def say_good_bye(net: Net, seat: int, after: int) -> Callable[[], bool]:
    """The seat leaves for ever once so many steps are behind it; until all others have a signed end."""

    def until() -> bool:
        session = net.sessions[seat]
        if session.table.keys and session.table.step >= after and seat not in session.book.left and not session.table.done:
            with contextlib.suppress(LocalError):  # it is just back, and is told to wait for the others: it tries again
                session.leave()
        return all(s.table.done or s.fault for s in net.sessions if s.me != seat)

    return until


def fall_silent(net: Net, seat: int, after: int) -> Callable[[], bool]:
    """The seat vanishes once so many steps are behind it, and the others vote as bots do; until all others have a signed end."""
    gone = []

    def until() -> bool:
        if not gone and net.sessions[seat].table.step >= after:
            gone.append(seat)
            for other in range(len(net.sessions)):
                net.cut(seat, other)
        for session in net.sessions:
            if session.me != seat and gone and (lost := overdue(session.snapshot())) is not None:
                session.vote(lost)
        return all(s.table.done or s.fault for s in net.sessions if s.me != seat)

    return until
