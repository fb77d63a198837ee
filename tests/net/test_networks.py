"""Bad networks lose, double and delay; cables are cut, one-way, half open; machines sleep.  Every game ends, and alike for all."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fakenet import Net
from hypothesis import given, settings, strategies as st
from mastaba.core.games import GAMES
from mastaba.net import links
from mastaba.net.patience import Patience
from mastaba.net.verify import verify
from mastaba.net.wire import PREFIX, Message, pack

DATA = Path(__file__).parents[1] / "data"
SEATS = 3


@dataclass(frozen=True)
class Trouble:
    """From step `at` on, for some ticks: the link of a and b is "cut" or "half-open", or dead from a to b ("one-way"); or a is "asleep"."""

    kind: str
    at: int
    a: int
    b: int
    ticks: int

    def stops(self, a: int, b: int) -> bool:
        """Does nothing get from a to b?"""
        if self.kind == "asleep":
            return self.a in (a, b)
        return (a, b) == (self.a, self.b) or (self.kind != "one-way" and (b, a) == (self.a, self.b))


class BadNet(Net):
    """Worse than TCP lets through: single messages are lost, doubled and delayed, and overtake each other.

    What gets nothing through for so long is given up by both ends, as links.py does, and dialled again when the trouble is over.
    """

    def __init__(
        self, seats: int, troubles: Iterable[Trouble] = (), loss: float = 0.0, double: float = 0.0, delay: float = 0.0, **more: Any
    ) -> None:
        self.loss, self.double, self.delay = loss, double, delay
        self.waiting = sorted(troubles, key=lambda t: -t.at)
        self.under_way: list[tuple[Trouble, float]] = []
        self.late: list[tuple[float, int, int, bytes]] = []
        self.steps = self.lost = 0
        super().__init__(seats, **more)

    def stopped(self, a: int, b: int) -> bool:
        return any(trouble.stops(a, b) for trouble, _ in self.under_way)

    def asleep(self, seat: int) -> bool:
        return any(trouble.kind == "asleep" and trouble.a == seat for trouble, _ in self.under_way)

    def send(self, a: int, b: int, message: Message) -> None:
        for _ in range(1 + (self.rng.random() < self.double)):
            if self.rng.random() < self.loss or self.stopped(a, b):
                self.lost += 1
            else:
                self.late.append((self.clock + self.delay * self.rng.random(), a, b, pack(message)[PREFIX:]))

    def play(self, seat: int) -> None:
        if not self.asleep(seat):
            super().play(seat)

    def step(self) -> bool:
        self.steps += 1
        while self.waiting and self.waiting[-1].at <= self.steps:
            trouble = self.waiting.pop()
            self.under_way.append((trouble, self.clock))
            if trouble.kind == "cut":
                self.cut(trouble.a, trouble.b)
        due = [one for one in self.late if one[0] <= self.clock]
        self.late = [one for one in self.late if one[0] > self.clock]
        self.rng.shuffle(due)
        for _, a, b, body in due:
            if (a, b) in self.queues:
                self.queues[a, b].append(body)
        return super().step()

    def tick(self) -> None:
        self.clock += 1.0
        pairs = [(a, b) for a in range(len(self.sessions)) for b in range(a)]
        for trouble, since in self.under_way:
            if self.clock - since == links.SILENCE:
                for a, b in pairs:
                    if trouble.stops(a, b) or trouble.stops(b, a):
                        self.cut(a, b)
        self.under_way = [(trouble, since) for trouble, since in self.under_way if self.clock - since < trouble.ticks]
        for seat, session in enumerate(self.sessions):
            if not self.asleep(seat):
                session.tick(self.clock)
        self.connect_missing([(a, b) for a, b in pairs if not self.stopped(a, b) and not self.stopped(b, a)])

    def connect_missing(self, pairs: list[tuple[int, int]]) -> None:
        if missing := [pair for pair in pairs if pair not in self.queues]:
            self.connect(*missing)


TROUBLES = st.builds(
    lambda kind, at, a, step, ticks: Trouble(kind, at, a, (a + step) % SEATS, ticks),
    st.sampled_from(["cut", "one-way", "half-open", "asleep"]),
    st.integers(1, 900),
    st.integers(0, SEATS - 1),
    st.integers(1, SEATS - 1),
    st.integers(1, 40),
)


def ends_alike(net: BadNet) -> None:
    net.connect()
    net.run(idle=100, most=400_000)
    assert [s.fault for s in net.sessions] == [None] * len(net.sessions)
    assert all(s.table.done for s in net.sessions), [s.now.place for s in net.sessions]
    (file,) = {s.transcript() for s in net.sessions}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok
    assert report.complete


@given(
    seed=st.integers(0, 1 << 20),
    game=st.sampled_from(sorted(GAMES)),
    troubles=st.lists(TROUBLES, max_size=6),
    loss=st.floats(0, 0.4),
    double=st.floats(0, 0.4),
    delay=st.floats(0, 4),
)
@settings(max_examples=8, deadline=None)
def test_every_game_ends_whatever_the_network_does_for_a_while(
    seed: int, game: str, troubles: list[Trouble], loss: float, double: float, delay: float
) -> None:
    path = DATA / f"{game}-small.toml"
    ends_alike(BadNet(SEATS, troubles, loss, double, delay, seed=seed, game=game, path=path, level="random"))


@pytest.mark.parametrize("game", GAMES)
def test_a_fifth_of_all_messages_lost(game: str) -> None:
    net = BadNet(4, loss=0.2, seed=5, game=game, path=DATA / f"{game}-small.toml", level="random")
    ends_alike(net)
    assert net.lost > 20


@pytest.mark.parametrize("kind", ["cut", "one-way", "half-open", "asleep"])
def test_a_seat_without_any_way_to_the_others_is_waited_for_and_comes_back(kind: str) -> None:
    """Longer than a link's silence and shorter than the grace: nobody votes, and nothing is lost."""
    net = BadNet(SEATS, [Trouble(kind, 150, 1, other, 50) for other in (0, 2)], seed=7)
    ends_alike(net)
    assert not net.sessions[0].chain.past


def test_every_peer_notices_a_line_that_is_half_open_within_ten_seconds() -> None:
    """The clocks of links.py alone: a byte is due every PING, and a link without one for SILENCE ends."""
    assert links.PING * 2 < links.SILENCE
    assert links.SILENCE + links.GRACE + links.TICK <= 10


def test_a_machine_that_was_asleep_does_not_find_the_others_late_when_it_wakes() -> None:
    patience = Patience(60)
    patience.note(0.0, {1: "move"}, (1, 2))
    patience.note(1.0, {1: "move"}, (1, 2))
    patience.note(100_000.0, {1: "move"}, ())
    patience.note(200_000.0, {1: "move"}, ())
    assert patience.late == ()
    for second in range(1, 61):
        patience.note(200_000.0 + second, {1: "move"}, ())
    assert patience.late == (1,)


def test_the_minutes_of_a_seat_are_counted_from_its_last_answer() -> None:
    patience = Patience(60)
    for second in range(0, 150, 2):
        patience.note(float(second), {1: "move", 2: "share"}, (1, 2))
    assert patience.minutes() == ((1, 2), (2, 2))
    for second in range(150, 208, 2):
        patience.note(float(second), {1: "another move"}, (1, 2))
    assert patience.minutes() == ()
    patience.note(209.0, {1: "another move"}, (1, 2))
    assert patience.silent() == (), "who thinks is not silent"


def test_who_comes_back_after_a_very_long_time_is_given_one_more_grace_to_answer_and_no_second():
    patience, waits = Patience(60), {1: "place"}
    for now in range(0, 700, 5):
        patience.note(now, waits, ())
    assert patience.late == (1,)
    patience.note(700, waits, (1,))
    assert patience.silent() == ((1, 60),)
    for now in range(705, 760, 5):
        patience.note(now, waits, (1,))
    assert patience.late == ()
    patience.note(760, waits, (1,))
    assert patience.late == (1,)
    for now in range(765, 900, 5):
        patience.note(now, waits, ())
    patience.note(900, waits, (1,))
    assert patience.late == (1,), "who comes and goes holds nobody up for ever"
