"""Sessions in one process over a network that shuffles, loses and cuts as it is told; real signatures and real proofs."""

import random
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mastaba.core.bots import decide
from mastaba.core.fair.keys import Secrets
from mastaba.core.games import GAMES, data_hash
from mastaba.core.rules import Options
from mastaba.net.identity import Identity
from mastaba.net.match import Match
from mastaba.net.roster import Roster, Seat
from mastaba.net.session import Session
from mastaba.net.verify import Report, verify
from mastaba.net.wire import PREFIX, Message, pack, unpack

SMALL = Path(__file__).parent / "data" / "loot-small.toml"


def seeded(seed: int) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def match_for(
    seats: int,
    seed: int = 0,
    game: str = "loot",
    path: Path = SMALL,
    first: int | None = None,
    grace: int = 60,
    audit: bool = True,
    bots: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Match, list[Identity], list[Identity]]:
    """A signed match on a small data file, the seats' identities, and their match keys.  `bots`: who runs the bots, by seat."""
    rng = seeded(seed)
    toml = path.read_bytes()
    data = GAMES[game].load(tomllib.loads(toml.decode()))
    identities = [Identity.from_secret(rng(32)) for _ in range(seats)]
    signers = [Identity.from_secret(rng(32)) for _ in range(seats)]
    keys = enumerate(zip(identities, signers, strict=True))
    chairs = tuple(Seat(i.public, f"P{n}", s.public, rng(32), bots.get(n)) for n, (i, s) in keys)
    roster = Roster(game, GAMES[game].rules.VERSION, Options(first, grace, audit=audit), data_hash(data), chairs)
    roster = roster.with_signatures(tuple(roster.sign(i) for i in identities))
    assert roster.fault() is None
    return Match(roster, data, toml), identities, signers


class MemoryJournal:
    """Records in a list; what a crash leaves is what was appended."""

    def __init__(self) -> None:
        self.records: list[tuple[int, bytes]] = []

    def append(self, kind: int, payload: bytes, sync: bool) -> None:
        self.records.append((kind, payload))


class Net:
    """N sessions and the directed links between them; each link keeps its order, as TCP does, but links overtake one another."""

    def __init__(self, seats: int, seed: int = 0, level: str = "sensible", **kwargs: Any) -> None:
        self.rng = random.Random(seed)
        self.match, self.identities, self.signers = match_for(seats, seed, **kwargs)
        self.level = level
        self.owns = [Secrets.generate(seeded(seed * 100 + i)) for i in range(seats)]
        self.journals = [MemoryJournal() for _ in range(seats)]
        self.sessions = [self.session(i) for i in range(seats)]
        self.queues: dict[tuple[int, int], deque[bytes]] = {}
        self.closed: list[tuple[int, int, str]] = []
        self.tamper: Callable[[int, int, Message], Iterable[Message]] = lambda a, b, message: (message,)
        self.clock = 0.0
        self.players: dict[int, Callable[[Session], Any]] = {}

    def session(self, seat: int) -> Session:
        table = self.match.table(seat, self.owns[seat])
        rng = seeded(self.rng.randrange(1 << 30))
        return Session(self.match.roster, table, self.journals[seat], rng, self.signers[seat], self.identities[seat])

    def connect(self, *pairs: tuple[int, int]) -> None:
        """Link these pairs, or everybody with everybody."""
        everybody = [(a, b) for a in range(len(self.sessions)) for b in range(a)]
        for a, b in pairs or everybody:
            self.queues[a, b], self.queues[b, a] = deque(), deque()
            self.sessions[a].link_up(b, self.identities[b].public)
            self.sessions[b].link_up(a, self.identities[a].public)

    def cut(self, a: int, b: int) -> None:
        """The link breaks; what was under way is lost."""
        if self.queues.pop((a, b), None) is not None:
            del self.queues[b, a]
            self.sessions[a].link_down(b)
            self.sessions[b].link_down(a)

    def crash(self, seat: int) -> None:
        """kill -9: all is lost but the journal; the seat comes back without links."""
        for other in range(len(self.sessions)):
            self.cut(seat, other)
        self.sessions[seat] = self.session(seat)
        self.sessions[seat].restore(list(self.journals[seat].records))

    def flush(self) -> None:
        for a, session in enumerate(self.sessions):
            for b, message in session.take_outbox() if session._out else ():
                self.send(a, b, message)
            for b, reason in session.take_closes():
                self.closed.append((a, b, reason))
                self.cut(a, b)

    def send(self, a: int, b: int, message: Message) -> None:
        if (a, b) in self.queues:
            for changed in self.tamper(a, b, message):
                self.queues[a, b].append(pack(changed)[PREFIX:])

    def deliver(self, a: int, b: int, message: Message) -> None:
        self.sessions[b].receive(a, message)

    def play(self, seat: int) -> None:
        """Let the seat's player decide, if it is asked."""
        session = self.sessions[seat]
        if session.table.decision is not None and session.snapshot().asked:
            player = self.players.get(seat)
            move = player(session) if player else decide(self.level, session.snapshot().view, self.rng.randbytes)
            session.answer(move)

    def tick(self) -> None:
        """A second passes."""
        self.clock += 1.0
        for session in self.sessions:
            session.tick(self.clock)

    def step(self) -> bool:
        """Deliver one message, or let players and time move; False if nothing is left to do but wait."""
        self.flush()
        waiting = [pair for pair, queue in self.queues.items() if queue]
        if waiting:
            a, b = self.rng.choice(waiting)
            self.deliver(a, b, unpack(self.queues[a, b].popleft()))
            return True
        for seat in range(len(self.sessions)):
            self.play(seat)
        self.flush()
        return any(self.queues.values())

    def run(self, until: Callable[[], bool] | None = None, most: int = 200_000, idle: int = 8) -> None:
        """Run until all are done (or `until`), or nobody gets any further in `idle` rounds of ticks."""
        for session in self.sessions:
            session.begin()
        quiet, seen = 0, None
        for _ in range(most):
            if until() if until else all(s.table.done or s.fault for s in self.sessions):
                return
            if self.step():
                continue
            progress = [(s.now.place, len(s.now.said), s.fault is None) for s in self.sessions]
            quiet, seen = (quiet + 1 if progress == seen else 0), progress
            if quiet > idle:
                return
            self.tick()
        raise AssertionError("the network never came to rest")

    def verified(self) -> Report:
        """The report on the one transcript that all have of a match that ended without a fault."""
        assert [s.fault for s in self.sessions] == [None] * len(self.sessions)
        (file,) = {s.transcript() for s in self.sessions}
        report = verify(file, lambda roster: self.match.table())
        assert report.ok, report.fault
        assert report.complete
        return report
