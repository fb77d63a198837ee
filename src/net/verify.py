"""Checks a transcript or an evidence file offline, from its bytes and the component table alone; it knows no live match.

It replays the match through the same table as the players' programs, and keeps the order of checks of session.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..core.errors import PeerError
from ..core.fair.table import Table
from ..core.plain import BadEncoding, decode
from ..core.rules import Over
from .log import (
    EVIDENCE,
    LEAVE,
    STATE,
    TRANSCRIPT,
    AnotherMatch,
    Contribution,
    Signed,
    genuine,
    next_digest,
    parse,
    parse_signed,
    unpack_file,
)
from .renewal import goes_on, read_fresh
from .roster import Roster
from .votes import read

MakeTable = Callable[[Roster], Table]  # raises LocalError if the game, its version or its data is not at hand


class Wrong(Exception):
    """The file does not hold: a claim, and where, as far as it can be told."""

    def __init__(self, claim: str, step: int | None = None, round: int | None = None, seat: int | None = None) -> None:
        super().__init__(claim)
        self.claim, self.step, self.round, self.seat = claim, step, round, seat


@dataclass(frozen=True)
class Report:
    """What a file proves.  `kind` is "transcript" or "evidence"; `fault` is what is wrong (transcript) or proven (evidence)."""

    kind: str
    ok: bool
    complete: bool = False
    game: str = ""
    steps: int = 0
    seats: tuple[tuple[str, bytes], ...] = ()  # (name, identity)
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    checked: dict[str, int] | None = None
    fault: Wrong | None = None
    roster: Roster | None = None
    unsigned: tuple[int, ...] = ()  # the game is over, and these seats have not confirmed the result

    def as_json(self) -> dict[str, Any]:
        """The documented form, version 1."""
        fault = self.fault and {"step": self.fault.step, "round": self.fault.round, "seat": self.fault.seat, "claim": self.fault.claim}
        if self.kind == "evidence":
            return {"version": 1, "kind": "evidence", "ok": self.ok, "fault": fault}
        if not self.ok:
            return {"version": 1, "ok": False, "fault": fault}
        seats = [{"name": name, "identity": identity.hex()} for name, identity in self.seats]
        scores: dict[str, Any] = {"scores": list(self.scores)} if self.scores else {}
        if self.unsigned:
            scores["unsigned"] = list(self.unsigned)
        return {
            "version": 1,
            "ok": True,
            "complete": self.complete,
            "game": self.game,
            "steps": self.steps,
            "seats": seats,
            "winners": list(self.winners),
            **scores,
            "checked": self.checked,
        }


def verify(data: bytes, make_table: MakeTable) -> Report:
    """Check a file's bytes; never raises for what a file may hold.  LocalError only if its component table is not at hand."""
    kind = "evidence" if data.startswith(EVIDENCE) else "transcript"
    try:
        return _evidence(data, make_table) if kind == "evidence" else _transcript(data, make_table)
    except Wrong as wrong:
        return Report(kind, False, fault=wrong)


class Replay:
    """A match replayed from signed contributions in the order of step, round and seat."""

    def __init__(self, roster: Roster, table: Table) -> None:
        self.signatures = 0
        self._begin(roster, table)

    def _begin(self, roster: Roster, table: Table) -> None:
        self.roster, self.table = roster, table
        self.prev = table.prev
        self.datas: dict[int, bytes] = {}  # of the present round, by seat
        self.last = -1  # the seat of the contribution before, in this round
        self.prevs: dict[tuple[int, int], bytes] = {(0, 0): table.prev}
        self.filled: dict[int, Contribution] = {}  # the last answer of each seat
        self.left: dict[int, bytes] = {}
        self.state = table.rules.digest()[:STATE]

    def go_on(self, roster: Roster) -> None:
        """The next match of the chain, by the votes in its roster; raises Wrong."""
        t, origin = self.table, roster.come_from
        begun = self.datas.keys() - self.left.keys()  # a good-bye fills its slot at once
        if origin is None or t.round or begun or origin.step != t.step - 1:
            raise Wrong("out-of-order", t.step, t.round)
        try:
            lost = goes_on(self.roster, roster, t.rules.gone)
        except BadEncoding as error:
            raise Wrong(str(error), t.step) from None
        table = t.renewed(roster.match, lost, None)
        if (self.prev, table.rules.digest(), table.rules.gone) != (origin.digest, origin.snapshot, origin.gone):
            raise Wrong("bad-origin", t.step)
        self.signatures += len(roster.here) + len(origin.votes)
        self._begin(roster, table)

    def take(self, signed: Signed) -> None:
        """The next contribution; raises Wrong, or PeerError for what only its seat can have done."""
        t, said = self.table, signed.said
        place = said.step, said.round, said.seat
        if said.kind == LEAVE:
            self._good_bye(signed)
            return
        if t.done or said.place != (t.step, t.round) or said.seat <= self.last:
            raise Wrong("out-of-order", *place)
        if said.prev != self.prev:
            raise Wrong("bad-digest", *place)
        if said.state != self.state:
            raise Wrong("bad-state", *said.place)  # two programs differ: nobody is named
        t.judge(said.seat, said.body)
        self.datas[said.seat], self.last, self.filled[said.seat] = signed.data, said.seat, said
        self._advance()

    def _good_bye(self, signed: Signed) -> None:
        """It stands at the first slot that it fills, and names the last that its seat has filled itself."""
        said, t = signed.said, self.table
        if t.done or said.seat in self.left or said.seat not in t.missing or said.seat <= self.last:
            raise Wrong("out-of-order", *signed.slot)
        if not self._names_its_last(said):
            raise Wrong("bad-leave", *signed.slot)
        if self.prevs[said.place] != said.prev:
            raise Wrong("bad-digest", *signed.slot)
        t.depart(said.seat, said.body)
        self.left[said.seat], self.last = signed.data, said.seat
        self._fill()
        self._advance()

    def _names_its_last(self, said: Contribution) -> bool:
        """Has the good-bye place and state of the last answer of its seat?"""
        last = self.filled.get(said.seat)
        return last is not None and (last.place, last.state) == (said.place, said.state)

    def judge(self, signed: Signed) -> None:
        """Raise PeerError if this contribution, next to all before it, proves that its seat cheats.

        What stands in the replay itself is no cheat; nor does a replay that was cut off in a round tell who owed nothing there.
        """
        said, t = signed.said, self.table
        if signed.data in self.datas.values() or signed.data in self.left.values():
            return
        if said.kind == LEAVE:
            if self.prevs.get(said.place) == said.prev and said.place < (t.step, t.round):
                if not self._names_its_last(said):
                    raise PeerError(said.seat, "bad-leave")
                t.depart(said.seat, said.body)
        elif said.seat in t.owed and said.seat not in t.missing:
            return  # another body for a filled slot is shown beside the first
        elif said.prev == self.prev and said.state == self.state and said.place == (t.step, t.round):
            t.judge(said.seat, said.body)
            if not t.missing:
                datas = self.datas | {said.seat: signed.data}
                t.advance(next_digest(self.prev, (datas[s] for s in sorted(datas))))

    def _fill(self) -> None:
        for seat in self.table.missing:
            if seat in self.left:
                self.table.stand_in(seat)
                self.datas[seat] = self.left[seat]

    def _advance(self) -> None:
        t = self.table
        while not t.done and not t.missing:
            self.prev = next_digest(self.prev, (self.datas[seat] for seat in sorted(self.datas)))
            self.datas, self.last = {}, -1
            t.advance(self.prev)
            self.prevs[t.step, t.round] = self.prev
            self.state = t.rules.digest()[:STATE]
            self._fill()


def _roster(item: bytes) -> Roster | None:
    try:
        return Roster.decode(item)
    except BadEncoding:
        return None


def _open(item: bytes, make_table: MakeTable) -> Replay:
    try:
        roster = Roster.decode(item)
    except BadEncoding as error:
        raise Wrong(str(error)) from None
    if fault := roster.fault():
        raise Wrong(fault)
    if roster.origin is not None:
        raise Wrong("out-of-order")
    return Replay(roster, make_table(roster))


def _read(replay: Replay, item: bytes, of_any_match: bool = False) -> Signed:
    t = replay.table
    try:
        data, signature = parse_signed(item)
        try:
            said = parse(data, replay.roster)
        except AnotherMatch as error:
            if not of_any_match:
                raise
            said = error.said
    except BadEncoding as error:
        raise Wrong(str(error), t.step, t.round) from None
    if not genuine(data, signature, said, replay.roster):
        raise Wrong("bad-signature", said.step, said.round, said.seat)
    replay.signatures += 1
    return Signed(data, signature, said)


def feed(replay: Replay, item: bytes) -> None:
    """Take the next item of a transcript: a contribution, or the roster of the next match of the chain.  Raises Wrong."""
    if (roster := _roster(item)) is not None:
        replay.go_on(roster)
        return
    signed = _read(replay, item)
    try:
        replay.take(signed)
    except PeerError as error:
        raise Wrong(error.claim, signed.said.step, signed.said.round, error.seat) from None


def begin(data: bytes, make_table: MakeTable) -> tuple[Replay, list[bytes]]:
    """The replay of a transcript's bytes before anything was said, and the items to feed it.  Raises Wrong, LocalError."""
    try:
        items = unpack_file(TRANSCRIPT, data)
    except BadEncoding as error:
        raise Wrong(str(error)) from None
    if not items:
        raise Wrong("empty")
    return _open(items[0], make_table), items[1:]


def _transcript(data: bytes, make_table: MakeTable) -> Report:
    replay, items = begin(data, make_table)
    for item in items:
        feed(replay, item)
    t, roster = replay.table, replay.roster
    over = t.rules.pending
    ended = t.rules.over
    return Report(
        "transcript",
        True,
        t.done,
        roster.game,
        t.step,
        tuple((s.name, s.identity) for s in roster.seats),
        over.winners if ended and isinstance(over, Over) else (),
        over.scores if ended and isinstance(over, Over) else (),
        {
            "signatures": replay.signatures + len(roster.seats),
            "shuffles": t.trust.shuffles,
            "shares": t.trust.shares,
            "moves": t.trust.moves,
            "audited": t.trust.audited,
        },
        roster=roster,
        unsigned=t.missing if t.rules.over and not t.done else (),
    )


def _evidence(data: bytes, make_table: MakeTable) -> Report:
    """It proves its claim if two signed bodies contradict each other, or if an honest replay ends at a signed body that is bad."""
    try:
        counts, *items = unpack_file(EVIDENCE, data)
        before, against = decode(counts)
    except (BadEncoding, TypeError, ValueError):
        raise Wrong("not evidence") from None
    if type(before) is not int or type(against) is not int or before < 1 or before + against != len(items):
        raise Wrong("not evidence")
    replay = _open(items[0], make_table)
    said, accused = items[1:before], items[before:]
    for item in said:
        feed(replay, item)
    if against == 2:
        if stated := _two_statements(replay.roster, *accused):
            return _proven(replay, stated)
        one, other = (_read(replay, item, True) for item in accused)
        if claim := one.contradicts(other):
            later = max(one, other, key=lambda signed: signed.said.place)
            return _proven(replay, Wrong(claim, *later.slot))
    elif against == 1:
        signed = _read(replay, accused[0])
        try:
            replay.judge(signed)
        except PeerError as error:
            step, round_, _ = signed.slot
            return _proven(replay, Wrong(error.claim, step, round_, error.seat))  # a complaint proves somebody else's fault
    raise Wrong("proves nothing")


def _two_statements(roster: Roster, one: bytes, other: bytes) -> Wrong | None:
    """Two votes in one slot, or two parts of the next roster, by one seat."""
    for claim, reader in (("two-votes", read), ("two-parts", read_fresh)):
        try:
            (data, signature), (other_data, other_signature) = parse_signed(one), parse_signed(other)
            mine: Any = reader(data, signature, roster)
            theirs: Any = reader(other_data, other_signature, roster)
        except BadEncoding:
            continue
        if mine.seat == theirs.seat and data != other_data and getattr(mine, "round", 0) == getattr(theirs, "round", 0):
            return Wrong(claim, None, getattr(mine, "round", None), mine.seat)
    return None


def _proven(replay: Replay, claim: Wrong) -> Report:
    return Report("evidence", True, fault=claim, game=replay.roster.game, roster=replay.roster)
