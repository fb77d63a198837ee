"""Checks a transcript or an evidence file offline, from its bytes and the component table alone; it knows no live match.

A file is read item by item, and its matches are replayed (replay.py).
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from ..core.errors import LocalError, PeerError
from ..core.plain import BadEncoding, decode
from ..core.rules import Over
from .identity import words
from .log import EVIDENCE, MAX_FILE, TRANSCRIPT, parse_signed
from .renewal import read_fresh
from .replay import MakeTable, Replay, Source, Wrong, as_stream, begin, feed, held, items_of, open_match, read_signed
from .roster import Roster
from .votes import read

Recognise = Callable[[str, bytes], str]  # what is known of a name and an identity: an id


@dataclass(frozen=True)
class Report:
    """What a file proves.  `kind` is "transcript" or "evidence"; `fault` is what is wrong (transcript) or proven (evidence)."""

    kind: str
    ok: bool
    complete: bool = False
    steps: int = 0
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    checked: dict[str, int] | None = None
    fault: Wrong | None = None
    refused: LocalError | None = None  # it cannot be checked here: the game, its version or its data is not at hand
    roster: Roster | None = None  # the first, if its signatures hold
    unsigned: tuple[int, ...] = ()  # the game is over, and these seats have not confirmed the result
    void: int = 0  # contributions that a next match made void, or that stand behind a finished game

    @property
    def game(self) -> str:
        return self.roster.game if self.roster else ""

    @property
    def seats(self) -> tuple[tuple[str, bytes], ...]:
        """(name, identity) by seat."""
        return tuple((seat.name, seat.identity) for seat in self.roster.seats) if self.roster else ()

    def as_json(self, known: Recognise | None = None) -> dict[str, Any]:
        """The documented form, version 1.  `known`: what this profile knows of a name and an identity."""
        told: dict[str, Any] = {"version": 1, "kind": self.kind or None, "ok": self.ok, "game": self.game or None}
        told["seats"] = seats_json(self.roster, known)
        if self.refused is not None:
            return told | {"refused": self.refused.reason}
        if self.fault is not None:
            return told | {"fault": self.fault.as_json()}
        told |= {"complete": self.complete, "steps": self.steps, "winners": list(self.winners), "checked": self.checked, "void": self.void}
        if self.scores:
            told["scores"] = list(self.scores)
        if self.unsigned:
            told["unsigned"] = list(self.unsigned)
        return told


def seats_json(roster: Roster | None, known: Recognise | None = None) -> list[dict[str, str]]:
    """Who sat there, in JSON."""
    return [seat_json(seat.name, seat.identity, known) for seat in roster.seats] if roster is not None else []


def seat_json(name: str, identity: bytes, known: Recognise | None = None) -> dict[str, str]:
    """One of them: the name is what its owner wrote, the words are the key's."""
    told = {"name": name, "identity": identity.hex(), "words": words(identity)}
    return told | ({"known": known(name, identity)} if known else {})


def verify(source: Source, make_table: MakeTable) -> Report:
    """Check a file; never raises for what a file may hold, nor if its component table is not at hand: the report says so."""
    stream = as_stream(source)
    kind = "evidence" if stream.read(len(EVIDENCE)) == EVIDENCE else "transcript"
    stream.seek(0)
    try:
        return _evidence(stream, make_table) if kind == "evidence" else _transcript(stream, make_table)
    except Wrong as wrong:
        return Report(kind, False, fault=wrong, roster=first_roster(stream))
    except LocalError as error:
        return Report(kind, False, refused=error, roster=first_roster(stream))


def first_roster(source: Source) -> Roster | None:
    """Who plays in a transcript or in an evidence file; None unless all of them have signed that."""
    stream = as_stream(source)
    try:
        for header in (TRANSCRIPT, EVIDENCE):
            stream.seek(0)
            if stream.read(len(header)) == header:
                break
        items = items_of(stream)
        if header == EVIDENCE:
            next(items)
        roster = Roster.decode(next(items))
    except (StopIteration, Wrong, BadEncoding):
        return None
    return roster if roster.fault() is None else None


def _transcript(stream: BinaryIO, make_table: MakeTable) -> Report:
    replay, items = begin(stream, make_table)
    first = replay.roster
    for item in items:
        feed(replay, item)
    t = replay.table
    over = t.rules.pending if t.rules.over else None
    return Report(
        "transcript",
        True,
        t.done,
        t.step,
        over.winners if isinstance(over, Over) else (),
        over.scores if isinstance(over, Over) else (),
        {
            "signatures": replay.signatures + len(first.seats),
            "shuffles": t.trust.shuffles,
            "shares": t.trust.shares,
            "moves": t.trust.moves,
            "audited": t.trust.audited,
        },
        roster=first,
        unsigned=t.missing if t.rules.over and not t.done else (),
        void=len(replay.void),
    )


def _evidence(stream: BinaryIO, make_table: MakeTable) -> Report:
    """It proves its claim if two signed bodies contradict each other, or if an honest replay ends at a signed body that is bad."""
    stream.seek(len(EVIDENCE))
    items = items_of(stream)
    try:
        before, against = decode(next(items))
    except (StopIteration, BadEncoding, TypeError, ValueError):
        raise Wrong("not-evidence") from None
    if type(before) is not int or type(against) is not int or not 1 <= before <= MAX_FILE or against not in (1, 2):
        raise Wrong("not-evidence")
    replay = open_match(next(items, b""), make_table)
    for item in itertools.islice(items, before - 1):
        feed(replay, item)
    accused = tuple(itertools.islice(items, against))
    if len(accused) < against or next(items, None) is not None:
        raise Wrong("not-evidence")
    if against == 2:
        if stated := _two_statements(replay.roster, *accused):
            return _proven(replay, stated)
        one, other = (read_signed(replay, item, True) for item in accused)
        if claim := one.contradicts(other):
            later = max(one, other, key=lambda signed: signed.said.place)
            return _proven(replay, Wrong(claim, *later.slot))
    else:
        signed = read_signed(replay, accused[0])
        try:
            with held(replay):
                replay.judge(signed)
        except PeerError as error:
            step, round_, _ = signed.slot
            return _proven(replay, Wrong(error.claim, step, round_, error.seat))  # a complaint proves somebody else's fault
    raise Wrong("proves-nothing")


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
        raise Wrong("proves-nothing")
    return None


def _proven(replay: Replay, claim: Wrong) -> Report:
    return Report("evidence", True, fault=claim, roster=replay.roster)
