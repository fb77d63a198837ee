"""One seat that lies at random, in every message it may sign or forward, at a table whose links break and whose peers crash.

`play` runs one such match to its end and returns what happened; `Outcome.wrong` says which promise did not hold.
"""

import contextlib
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adversaries.cheat import flip
from fakenet import Net
from mastaba.cli.bot import overdue
from mastaba.core.errors import LocalError
from mastaba.core.plain import BadEncoding, decode, encode
from mastaba.net.log import ANSWER, LEAVE, Contribution, parse, sign
from mastaba.net.renewal import LABEL
from mastaba.net.sight import late, phase
from mastaba.net.verify import verify
from mastaba.net.votes import STAY, cast
from mastaba.net.wire import Assent, At, Fresh, Message, Next, Note, Say, Vote
from memory import remembered

DATA = Path(__file__).parents[1] / "data"
GRACE = 3  # seconds, so that votes come soon
PATIENCE = 220  # ticks in which an honest table must have come to an end
STEPS = 30_000  # messages in which it must
PYRAMIDS = 12  # one match in so many is the long one
LIES = ("body", "prev", "state", "match", "place", "kind", "silence", "replay", "forgery", "double")


@dataclass
class Outcome:
    """What has become of one match."""

    seed: int
    game: str
    seats: int
    liar: int | None
    lies: int = 0
    crashes: int = 0
    ends: dict[int, str] = field(default_factory=dict)  # by honest seat: "done", "ended", or the phase in which it is stuck
    claims: set[str] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)


class Table(Net):
    """The net with its liar."""

    def __init__(self, seed: int, game: str, seats: int, liar: int | None, lying: float) -> None:
        super().__init__(seats, seed=seed, level="random", game=game, path=DATA / f"{game}-small.toml", grace=GRACE)
        self.liar, self.lying = liar, lying
        self.dice = random.Random(seed + 1)
        self.kinds = self.dice.sample(LIES, self.dice.randrange(1, len(LIES)))  # a liar of this match has its habits
        self.mute = self.dice.randrange(60, 1500) if self.dice.random() < 0.3 else 1 << 30  # messages until it says nothing more
        self.heard: list[Say] = []
        self.lies = 0
        self.signed: dict[tuple[Any, ...], bytes] = {}
        self.wrong: list[str] = []
        self.tamper = self.speak

    def speak(self, a: int, b: int, message: Message) -> Iterable[Message]:
        if isinstance(message, Say):
            self.heard.append(message)
        if a != self.liar:
            if isinstance(message, Say | Vote):
                self._watch(a, message)
            return (message,)
        self.mute -= 1
        if self.mute < 0:
            return ()
        if self.dice.random() > self.lying:
            return (message,)
        self.lies += 1
        return tuple(self._lie(b, message))

    def _watch(self, seat: int, message: Say | Vote) -> None:
        value = decode(message.body)
        if value[1] != "vote" and value[5] == seat:
            slot = (value[1], value[2], *value[3:6])
        elif value[1] == "vote" and value[4] == seat:
            slot = ("vote", value[2], *value[3:5])
        else:
            return
        if self.signed.setdefault(slot, message.body) != message.body:
            self.wrong.append(f"honest seat {seat} has signed {slot} twice")

    def _lie(self, b: int, message: Message) -> Iterable[Message]:
        session, dice = self.sessions[self.liar or 0], self.dice
        signer: Any = session.chain.signer
        if isinstance(message, Say):
            try:
                said = parse(message.body, session.roster)
            except BadEncoding:
                return (message,)
            if said.seat != self.liar:
                return self._forged(message)
            return [Say(s.data, s.signature) for s in (sign(one, signer) for one in self._twisted(said))]
        if isinstance(message, Vote):
            lost = tuple(sorted(dice.sample(range(len(self.owns)), 1)))
            places = [place for place in session.book.places if place[1] == 0]
            step = dice.choice((session.chain.here[0], dice.choice(places)[0] - 1))  # also one that all have long left behind
            byes = tuple(sorted(dice.sample(range(len(self.owns)), dice.choice((0, 0, 0, 1)))))
            go = ("go", lost, step, session.book.places[step + 1, 0].prev, byes)
            proof = dice.choice((None, None, dice.randbytes(32)))
            slot = dice.choice((0, 0, 1, 70, 1 << 20))
            other = cast(session.roster, slot, self.liar or 0, dice.choice((STAY, go)), signer, proof, dice.random() < 0.2)
            return (message, Vote(other.data, other.signature))
        if isinstance(message, At):
            lies = {"step": message.step + dice.randrange(3), "have": (), "seats": tuple(range(len(self.owns))), "prev": dice.randbytes(32)}
            what = dice.choice(sorted(lies))
            return (replace(message, **{what: lies[what]}),)
        if isinstance(message, Fresh) and message.seat == self.liar:
            twisted = replace(message, nonce=dice.randbytes(32))
            data = encode((twisted.match, twisted.seat, twisted.nonce, twisted.signing))
            return (replace(twisted, signature=self.identities[self.liar].sign(LABEL, data)),)
        if isinstance(message, Assent):
            return (replace(message, signature=flip(message.signature)), Next(flip(session.roster.encode(), 50)))
        return (message, Note("x" * 400))

    def _twisted(self, said: Contribution) -> list[Contribution]:
        dice = self.dice
        match dice.choice(self.kinds):
            case "body":
                return [replace(said, body=twist(said.body, dice))]
            case "prev":
                return [replace(said, prev=dice.randbytes(32))]
            case "state":
                return [replace(said, state=dice.randbytes(8))] if dice.random() < 0.2 else [said]
            case "match":
                return [said, replace(said, match=dice.randbytes(32))]
            case "place":
                return [replace(said, step=said.step + dice.randrange(-1, 3)) if said.step else said, said]
            case "kind":
                return [replace(said, kind=LEAVE if said.kind == ANSWER else ANSWER)]
            case "silence":
                return []
            case "double":
                return [said, replace(said, body=twist(said.body, dice))]
            case _:
                return [said, said]

    def _forged(self, message: Say) -> list[Message]:
        """What it forwards: rubbish in another's name, or something old."""
        if self.dice.random() < 0.3:
            return [Say(flip(message.body, self.dice.randrange(len(message.body))), message.signature)]
        return [message, self.dice.choice(self.heard)]


def twist(body: Any, dice: random.Random) -> Any:
    """Something like the body."""
    if type(body) is tuple and body and dice.random() < 0.9:
        at = dice.randrange(len(body))
        return (*body[:at], twist(body[at], dice), *body[at + 1 :])
    if type(body) is bytes and body and dice.random() < 0.9:
        return flip(body, dice.randrange(len(body)))
    if type(body) is int and dice.random() < 0.9:
        return body + dice.choice((-1, 1))
    return dice.choice((None, (), b"", 0, "x", (body,), (("run",),)))


def play(seed: int) -> Outcome:
    """One match: its game, size, liar, cuts and crashes all follow from the seed."""
    with remembered():
        net, honest, outcome = _play(seed)
    judge(net, honest, outcome)
    return outcome


def _play(seed: int) -> tuple[Table, list[int], Outcome]:
    dice = random.Random(seed)
    game = dice.choice(("loot", "loot", "scarabya", "crypt"))
    if seed % PYRAMIDS == 0:
        game = "pyramid"
    seats = dice.choice((3, 3, 4))
    liar = dice.choice((None, *range(seats)))
    net = Table(seed, game, seats, liar, dice.choice((0.02, 0.1, 0.4)))
    net.connect()
    outcome = Outcome(seed, game, seats, liar)
    honest = [seat for seat in range(seats) if seat != liar]
    troubles = sorted(dice.randrange(1200) for _ in range(dice.randrange(4)))
    for at, session in enumerate(net.sessions):
        session.begin()
        assert at == session.me
    steps = ticks = 0
    while ticks < PATIENCE and steps < STEPS and not all(ended(net, seat) for seat in honest):
        steps += 1
        if troubles and steps >= troubles[0]:
            troubles.pop(0)
            trouble(net, dice, honest, outcome)
        if net.step():
            continue
        ticks += 1
        net.clock += 1.0
        for session in net.sessions:
            session.tick(net.clock)
            if session.me != liar and late(session) and (lost := overdue(session.snapshot())) is not None:
                with contextlib.suppress(LocalError):  # it is back, and has not caught up yet
                    session.vote(lost)
        heal(net)
    return net, honest, outcome


def ended(net: Net, seat: int) -> bool:
    return phase(net.sessions[seat]) in ("done", "ended")


def trouble(net: Net, dice: random.Random, honest: list[int], outcome: Outcome) -> None:
    """A link breaks, or an honest peer crashes."""
    seat = dice.choice(honest)
    if dice.random() < 0.5:
        outcome.crashes += 1
        net.crash(seat)
        net.sessions[seat].tick(net.clock)
    else:
        net.cut(seat, dice.choice([other for other in range(len(net.sessions)) if other != seat]))


def heal(net: Net) -> None:
    """What peers do: dial those with whom there is no link."""
    missing = [(a, b) for a in range(len(net.sessions)) for b in range(a) if (a, b) not in net.queues]
    if missing:
        net.connect(*missing)


def judge(net: Table, honest: list[int], outcome: Outcome) -> None:
    """Whatever the liar did: nobody honest is named, no two honest peers part without a proof in somebody's hand, nobody is stuck."""
    wrong = outcome.wrong = list(net.wrong)
    outcome.lies = net.lies
    outcome.ends = {seat: net.sessions[seat].snapshot().phase for seat in honest}
    faults = {seat: net.sessions[seat].fault or net.sessions[seat].book.proof for seat in honest}
    outcome.claims = {fault.claim for fault in faults.values() if fault}
    for seat, fault in faults.items():
        if fault and fault.seat not in (None, net.liar):
            wrong.append(f"seat {seat} names the honest seat {fault.seat}: {fault.claim}")
        if fault and fault.seat is not None:
            report = verify(fault.evidence, lambda roster: net.match.table())
            if not report.ok or report.fault is None or (report.fault.claim, report.fault.seat) != (fault.claim, fault.seat):
                wrong.append(f"the evidence of seat {seat} for {fault.claim} proves nothing: {report.fault}")
        if fault and net.liar is None:
            wrong.append(f"seat {seat} ends with {fault.claim} though nobody lies")
    proven = any(fault and fault.seat == net.liar for fault in faults.values()) or any(
        net.sessions[seat].chain.past and net.liar in net.sessions[seat].table.rules.gone for seat in honest
    )
    accepted: dict[tuple[Any, ...], bytes] = {}
    for seat in honest:
        for book in (*net.sessions[seat].chain.past, net.sessions[seat].book):
            for rounds in book.rounds:
                for one in rounds.in_order():
                    slot = book.roster.match, rounds.place, one.said.seat
                    if accepted.setdefault(slot, one.data) != one.data and not proven:
                        wrong.append(f"two bodies accepted for {slot[1:]} without a proof")
    there = [seat for seat in honest if not (fault := faults[seat]) or fault.seat is not None]  # whose program disagrees has saved and gone
    for seat in there:
        if outcome.ends[seat] not in ("done", "ended") and 2 * len(there) > len(net.sessions):
            wrong.append(f"seat {seat} is stuck: {outcome.ends[seat]}")
    if net.liar is None and set(outcome.ends.values()) != {"done"}:
        wrong.append(f"an honest table has not finished: {outcome.ends}")
