"""The matches of a file replayed from what was signed, item by item; it knows no live match.

It drives the same table as the players' programs, and repeats the checks of book.py on purpose: a file has one order, and nothing
waits.  `begin` a transcript, and `feed` its items.
"""

import contextlib
import io
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..core.claims import Claim
from ..core.errors import LocalError, PeerError, Unfit
from ..core.fair.table import Table
from ..core.plain import BadEncoding, decode
from .log import (
    LEAVE,
    MAX_FILE,
    MAX_ITEM,
    MAX_VOID,
    MAX_VOID_BYTES,
    STATE,
    TRANSCRIPT,
    VOID_HEAD,
    AnotherMatch,
    BadFile,
    Contribution,
    Signed,
    genuine,
    next_digest,
    parse,
    parse_signed,
    parse_void,
    read_items,
    read_void,
)
from .renewal import goes_on, parted
from .roster import Roster

MakeTable = Callable[[Roster], Table]  # raises LocalError if the game, its version or its data is not at hand
Source = bytes | BinaryIO  # a file's bytes, or the file, which can seek


class Wrong(Exception):
    """The file does not hold: a claim, and where, as far as it can be told."""

    def __init__(self, claim: str, step: int | None = None, round: int | None = None, seat: int | None = None) -> None:
        super().__init__(claim)
        self.claim, self.step, self.round, self.seat = Claim(claim), step, round, seat

    def as_json(self) -> dict[str, Any]:
        """The documented form, version 1."""
        return {"step": self.step, "round": self.round, "seat": self.seat, "claim": self.claim}


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file, for as long as this lasts; what cannot seek, such as a pipe, is copied first.  Raises Unfit."""
    with contextlib.ExitStack() as stack:
        try:
            file: BinaryIO = stack.enter_context(path.open("rb"))
            if not file.seekable():
                pipe, file = file, stack.enter_context(tempfile.TemporaryFile())
                while file.tell() <= MAX_FILE and (chunk := pipe.read(1 << 20)):
                    file.write(chunk)
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
        except OSError as error:
            raise Unfit("unreadable", "The file {0} cannot be used: {1}.", path, error.strerror or error) from None
        if size > MAX_FILE:
            raise Unfit("too-large", "The file {0} is larger than {1} MiB.", path, MAX_FILE >> 20)
        yield file


def as_stream(source: Source) -> BinaryIO:
    """The file, at its beginning."""
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    stream.seek(0)
    return stream


class Replay:
    """The matches of a chain, replayed from signed contributions in the order of step, round and seat.

    `signed`: by match, the latest step for which each seat has signed something in the file, void or not.
    """

    def __init__(self, roster: Roster, table: Table, void: list[bytes] | None = None) -> None:
        self.signatures = 0
        self.rosters: list[Roster] = []  # of the chain so far
        self.signed: dict[bytes, dict[int, int]] = {}
        self.void: list[Signed] = []  # of the file's end, as far as it has been read
        self._foreseen = dict.fromkeys(void or ())  # what is going to stand there
        self._genuine: dict[bytes, Signed] = {}  # and of that what a seat of a match so far has signed
        self._void_bytes = 0
        self._cuts: dict[bytes, int] = {}  # by match from which another goes on: the last step that counts
        self._begin(roster, table)

    def _begin(self, roster: Roster, table: Table) -> None:
        self.roster, self.table = roster, table
        self.rosters.append(roster)
        self.prev = table.prev
        self.datas: dict[int, bytes] = {}  # of the present round, by seat
        self.last = -1  # the seat of the contribution before, in this round
        self.prevs: dict[tuple[int, int], bytes] = {(0, 0): table.prev}
        self.filled: dict[int, Contribution] = {}  # the last answer of each seat
        self.left: dict[int, bytes] = {}
        self.state = table.rules.digest()[:STATE]
        self.signed[roster.match] = {}
        for item in self._foreseen:
            with contextlib.suppress(BadEncoding):
                data, signature = parse_void(item)
                said = parse(data, roster)
                if genuine(data, signature, said, roster):
                    self._genuine[item] = Signed(data, signature, said)
                    self._note(said)

    def _note(self, said: Contribution) -> None:
        steps = self.signed[said.match]
        steps[said.seat] = max(said.step, steps.get(said.seat, 0))

    def go_on(self, roster: Roster) -> None:
        """The next match of the chain, by the votes in its roster; raises Wrong."""
        t, origin = self.table, roster.come_from
        begun = self.datas.keys() - self.left.keys()  # a good-bye fills its slot at once
        if origin is None or t.round or begun or origin.step != t.step - 1 or self.void:
            raise Wrong("out-of-order", t.step, t.round)
        try:
            lost = goes_on(self.rosters, roster, t.rules.gone, self.signed[self.roster.match])
            for one in parted(self.roster, roster)[1]:
                t.opened(one.said.seat, one.said.body)
        except (BadEncoding, PeerError):
            raise Wrong("bad-certificate", t.step) from None
        table = t.renewed(roster.match, lost, None)
        if (self.prev, table.rules.digest(), table.rules.gone) != (origin.digest, origin.snapshot, origin.gone):
            raise Wrong("bad-origin", t.step)
        self.signatures += len(roster.here) + len(origin.votes)
        self._cuts[self.roster.match] = origin.step
        self._begin(roster, table)

    def put_aside(self, item: bytes) -> None:
        """A void contribution at the end: signed in a match of the file, behind all that counts there; raises Wrong."""
        signed = self._genuine.pop(item, None)  # the same one twice is none the second time
        self._void_bytes += len(item)
        if signed is None or len(self.void) == MAX_VOID or self._void_bytes > MAX_VOID_BYTES:
            raise Wrong("bad-void")
        said = signed.said
        cut = self._cuts.get(said.match)  # None: the last match
        counts = not self.table.rules.over if cut is None else (said.kind != LEAVE and said.step <= cut)
        if counts:
            raise Wrong("bad-void", *signed.slot)
        self.void.append(signed)
        self.signatures += 1

    def put_off(self, match: bytes) -> dict[int, list[int]]:
        """The steps, by seat, of what is going to be put aside of this match."""
        found: dict[int, list[int]] = {}
        for one in (*self._genuine.values(), *self.void):
            if one.said.match == match:
                found.setdefault(one.said.seat, []).append(one.said.step)
        return found

    def take(self, signed: Signed) -> None:
        """The next contribution; raises Wrong, or PeerError for what only its seat can have done."""
        t, said = self.table, signed.said
        place = said.step, said.round, said.seat
        if self.void:
            raise Wrong("out-of-order", *place)
        self._note(said)
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
            raise Wrong("bad-leave", *said.place)  # whoever has changed the file can have taken the answer out that it names
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


def begin(source: Source, make_table: MakeTable) -> tuple[Replay, Iterator[bytes]]:
    """The replay of a transcript before anything was said, and the items to feed it.  Raises Wrong, and LocalError of `make_table`."""
    stream = as_stream(source)
    if stream.read(len(TRANSCRIPT)) != TRANSCRIPT:
        raise Wrong("unknown-file")
    void = read_void(stream)
    items = items_of(stream)
    first = next(items, None)
    if first is None:
        raise Wrong("empty")
    return open_match(first, make_table, void), items


def feed(replay: Replay, item: bytes) -> None:
    """Take the next item of a transcript: a contribution, void or not, or the roster of the next match of the chain.  Raises Wrong."""
    with held(replay):
        if item.startswith(VOID_HEAD):
            replay.put_aside(item)
        elif (roster := _roster(item)) is not None:
            replay.go_on(roster)
        else:
            signed = read_signed(replay, item)
            try:
                replay.take(signed)
            except PeerError as error:
                raise Wrong(error.claim, signed.said.step, signed.said.round, error.seat) from None


@contextlib.contextmanager
def held(replay: Replay) -> Iterator[None]:
    """All signatures and proofs may hold and it still not add up: the fault of a program, which a live match ends with, too."""
    t = replay.table
    place = t.step, t.round
    try:
        yield
    except LocalError:
        raise Wrong("desync", *place) from None


def items_of(stream: BinaryIO) -> Iterator[bytes]:
    try:
        yield from read_items(stream)
    except BadFile as error:
        raise Wrong(error.claim) from None


def _roster(item: bytes) -> Roster | None:
    """The roster that the item is, if it is one and no contribution: of two things the second are signatures."""
    try:
        value = decode(item, MAX_ITEM)
    except BadEncoding:
        return None
    if type(value) is not tuple or len(value) != 2 or type(value[1]) is not tuple:
        return None
    try:
        return Roster.decode(item)
    except BadEncoding:
        raise Wrong("bad-roster") from None


def open_match(item: bytes, make_table: MakeTable, void: list[bytes] | None = None) -> Replay:
    roster = _roster(item)
    if roster is None:
        raise Wrong("bad-roster")
    if fault := roster.fault():
        raise Wrong(fault)
    if roster.origin is not None:
        raise Wrong("out-of-order")
    return Replay(roster, make_table(roster), void)


def read_signed(replay: Replay, item: bytes, of_any_match: bool = False) -> Signed:
    t = replay.table
    try:
        data, signature = parse_signed(item)
        said = parse(data, replay.roster)
    except AnotherMatch as error:
        if not of_any_match:
            raise Wrong("another-match", t.step, t.round) from None
        said = error.said
    except BadEncoding:
        raise Wrong("bad-item", t.step, t.round) from None
    if not genuine(data, signature, said, replay.roster):
        raise Wrong("bad-signature", said.step, said.round, said.seat)
    replay.signatures += 1
    return Signed(data, signature, said)
