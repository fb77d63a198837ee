"""The rounds of a match as one peer holds them: complete, present and ahead; good-byes; and what somebody is proven to have done.

It knows slots, digests and whose fault what is; not who is on the line.  The mathematics is core/fair/table.py's.
"""

from dataclasses import dataclass, field
from typing import Any

from ..core.claims import Claim
from ..core.errors import LocalError, PeerError
from ..core.fair.table import Table
from ..core.plain import BadEncoding, encode
from ..core.rules import Event
from .log import ANSWER, LEAVE, OWN, STATE, THEIRS, AnotherMatch, Contribution, Journal, Signed, evidence, genuine, next_digest, parse
from .roster import Roster

AHEAD = 16  # later contributions kept of one seat: who runs ahead, or lies about doing so, costs no more and pushes nobody out
Place = tuple[int, int]  # (step, round)


@dataclass
class Round:
    """A round that is complete, or the present one: who said what under which digest.  A good-bye fills later slots of its seat."""

    step: int
    round: int
    prev: bytes
    said: dict[int, Signed] = field(default_factory=dict)

    @property
    def place(self) -> Place:
        return self.step, self.round

    @property
    def state(self) -> bytes | None:
        """The state that all answers in it carry; None as long as there is none."""
        return next((one.said.state for one in self.said.values() if one.said.kind == ANSWER), None)

    def in_order(self) -> list[Signed]:
        return [self.said[seat] for seat in sorted(self.said)]


@dataclass(frozen=True)
class Fault:
    """Why a match cannot go on: a Claim's id, the seat that is proven to have cheated (or None), what shows it, and the place."""

    claim: str
    seat: int | None
    detail: str = ""
    evidence: bytes = b""
    place: Place = (0, 0)
    against: tuple[bytes, ...] = ()  # the bytes, without signatures, that prove it beside what was said before

    def __post_init__(self) -> None:
        Claim(self.claim)  # raises ValueError for any other


class Garbage(Exception):
    """What came is no contribution of this match that its seat has signed: the link's fault, and nobody's who is named in it.

    `said` is what it says, if that it is of another match is all that is wrong with it.
    """

    said: Contribution | None = None


class Silent:
    """A journal that keeps nothing: practice and tests in one process, where a crash takes all seats with it."""

    def append(self, kind: int, payload: bytes, sync: bool) -> None:
        """Keep nothing."""


class Book:
    """What one peer has accepted, in order.  `accepted` collects what is new, for whoever forwards it."""

    def __init__(self, roster: Roster, table: Table, journal: Journal, earlier: tuple[bytes, ...] = ()) -> None:
        self.roster, self.table, self.journal = roster, table, journal
        self.earlier = earlier  # the items (log.py) of the matches of the chain before this one
        self.rounds: list[Round] = []
        self.now = Round(0, 0, table.prev)
        self.places = {self.now.place: self.now}
        self._state: bytes | None = None
        self.ahead: dict[tuple[int, int, int], Signed] = {}
        self.left: dict[int, Signed] = {}  # good-byes in force
        self.leaving: dict[int, Signed] = {}  # good-byes that name a slot we have not got yet
        self.accepted: list[Signed] = []
        self.fault: Fault | None = None
        self.proof: Fault | None = None  # of a cheat that was found after all had signed the outcome, which stands
        self.against: tuple[Signed, ...] = ()  # what proves a cheat
        self.verified = 0
        self.signed: dict[int, int] = {}  # the highest step at which each seat has signed something under our digests
        self.heard: set[int] = set()  # the seats of which something new has come, for whoever asks and clears it
        self._opened: set[bytes] = set()  # good-byes that have been found to open their seats' keys
        self._after = {table.step - 1: self._so_far()}

    def _so_far(self) -> tuple[tuple[int, ...], int]:
        return self.table.rules.gone, len(self.table.events)

    def gone_after(self, step: int) -> tuple[int, ...]:
        """The seats that had left in the state after that step was answered; those that have left now, if it has not been answered."""
        return self._after.get(step, self._so_far())[0]

    def events_after(self, step: int) -> tuple[Event, ...]:
        """What has happened since that step was answered."""
        return tuple(self.table.events[self._after.get(step, self._so_far())[1] :])

    @property
    def stopped(self) -> bool:
        """Has our part ended without a proven cheat: a disk that refuses, a vote?  Where programs differ, a cheat may still be found."""
        return self.fault is not None and self.fault.seat is None and self.fault.claim != "desync"

    @property
    def good_byes(self) -> dict[int, Signed]:
        """The good-byes that we hold, also of seats whose last slot we have not got: by seat, in order."""
        early = {seat: one for seat, one in self.leaving.items() if self._opens(one)}
        return dict(sorted({**early, **self.left}.items()))

    def _opens(self, good_bye: Signed) -> bool:
        """Does it open the keys of its own seat?"""
        if good_bye.data not in self._opened:
            try:
                self.table.opened(good_bye.said.seat, good_bye.said.body)
            except PeerError:
                return False  # with the keys still under way it may be good later
            self._opened.add(good_bye.data)
        return True

    @property
    def finished(self) -> bool:
        """The game is over and this seat has signed the result: nobody takes that back."""
        t = self.table
        return t.done or (t.rules.over and t.step > 0 and t.me in self.now.said)

    @property
    def state(self) -> bytes:
        """The first bytes of the public state's digest; made when asked for, since a journal's replay never asks."""
        if self._state is None:
            self._state = self.table.rules.digest()[:STATE]
        return self._state

    # -- what comes ---------------------------------------------------------------------------------------------------

    def take(self, data: bytes, signature: bytes) -> None:
        """Take a contribution from a link.  The order of checks decides whose fault it is; raises Garbage if it is the link's.

        After a proven cheat nothing more is taken of that seat; what the others have signed still counts, so that all come equally far.
        """
        if self.stopped:
            return
        try:
            said = parse(data, self.roster)
        except AnotherMatch as error:
            garbage = Garbage(str(error))
            garbage.said = error.said
            raise garbage from None
        except BadEncoding as error:
            raise Garbage(str(error)) from None
        if any(one.data == data for one in self._beside(said)):
            return  # the same bytes again are nothing, whatever is signed beside them
        if not genuine(data, signature, said, self.roster):
            raise Garbage("bad signature")
        if self.fault is not None and said.seat == self.fault.seat:
            return
        self.verified += 1
        self.heard.add(said.seat)
        signed = Signed(data, signature, said)
        for other in self._beside(said):
            if claim := signed.contradicts(other):
                self._accuse(claim, said.seat, "", (), (other, signed))
                return
        if said.kind == LEAVE:
            self._good_bye(signed, True)
            return
        place = said.place
        if place == self.now.place and said.prev == self.now.prev:
            self.accept(signed, True)
            self.advance()
        elif place == self.now.place or (place > self.now.place and sum(slot[2] == said.seat for slot in self.ahead) < AHEAD):
            self.ahead[signed.slot] = signed  # under another digest it is not the sender's fault: the rounds behind find the liar
        elif place in self.places and (self.places[place].prev, self.places[place].state) == (said.prev, said.state):
            self._accuse("nothing-owed", said.seat, "", self._before(place), (signed,))

    def accept(self, signed: Signed, keep: bool) -> None:
        """Judge a contribution to the present round that carries our digest; `keep` it in the journal and pass it on."""
        said = signed.said
        if self.stopped:
            return
        if keep and said.state != self.state:  # what is not to be kept is our own, or was compared before it was
            self._differ(signed)
            return
        try:
            self.table.judge(said.seat, said.body)
        except PeerError as error:
            self._accuse(error.claim, error.seat, error.detail, self._before(self.now.place), (signed,))
            return
        self._enter(signed, keep)
        if said.seat in self.leaving:
            self._good_bye(self.leaving.pop(said.seat), True)

    def _differ(self, signed: Signed) -> None:
        """Its program holds another state: it counts as silent, and nobody is named.  If most others differ, ours is the odd one."""
        self.ahead[signed.slot] = signed
        others = [seat for seat in self.table.here if seat != self.table.me]
        differing = [seat for seat in others if (*self.now.place, seat) in self.ahead]
        if 2 * len(differing) > len(others):
            self.end(Fault("desync", None, f"step {signed.said.step}", b"", self.now.place))

    def _enter(self, signed: Signed, keep: bool) -> None:
        self.signed[signed.said.seat] = max(signed.said.step, self.signed.get(signed.said.seat, -1))
        if keep:
            if not self.write(THEIRS, encode((signed.data, signed.signature)), False):
                return
            self.accepted.append(signed)
        if signed.said.kind == ANSWER:
            self.now.said[signed.said.seat] = signed

    def advance(self) -> None:
        """Close every round that is complete, and take what was waiting for the next."""
        while not self.stopped and not self.table.done and not self.table.missing:
            prev = next_digest(self.now.prev, (one.data for one in self.now.in_order()))
            try:
                self.table.advance(prev)
            except LocalError as error:  # all signatures and proofs hold, and still it does not add up: a program's fault, and nobody's
                self.end(Fault("desync", None, str(error), b"", self.now.place))
                return
            except PeerError as error:
                signed = self.now.said[error.seat]
                others = [one for one in self.now.in_order() if one is not signed]
                self._accuse(error.claim, error.seat, error.detail, [*(r.in_order() for r in self.rounds), others], (signed,))
                return
            self.rounds.append(self.now)
            self.now = Round(self.table.step, self.table.round, prev)
            self.places[self.now.place] = self.now
            self._state = None
            if self.table.round == 0:
                self._after[self.table.step - 1] = self._so_far()
            self._fill()
            for seat in [s for s, one in self.leaving.items() if one.said.place < self.now.place]:
                self._good_bye(self.leaving.pop(seat), True)
            for slot in [s for s in self.ahead if s[:2] == self.now.place]:
                if self.ahead[slot].said.prev == prev:
                    self.accept(self.ahead.pop(slot), True)
            self.ahead = {s: one for s, one in self.ahead.items() if s[:2] >= self.now.place}

    # -- good-byes ----------------------------------------------------------------------------------------------------

    def last_place(self, seat: int) -> Round | None:
        """The last round in which this seat has filled its slot itself."""
        return next((r for r in [self.now, *reversed(self.rounds)] if seat in r.said and r.said[seat].said.kind == ANSWER), None)

    def played(self, seat: int) -> Signed | None:
        """A contribution of this seat that shows that it plays here: the last one, if that is no earlier than its keys."""
        last = self.last_place(seat)
        held = [*([last.said[seat]] if last else []), *(one for one in self.ahead.values() if one.said.seat == seat)]
        played = [one for one in held if one.said.kind == ANSWER and one.said.place > (0, 0)]
        return max(played, key=lambda one: one.said.place, default=None)

    def _good_bye(self, signed: Signed, keep: bool) -> None:
        """It fills every slot after the one it names, once we have got that one."""
        said = signed.said
        here = self.places.get(said.place)
        if here is None or said.seat not in here.said:
            if said.place >= self.now.place:
                self.leaving[said.seat] = signed  # one a seat: a second one is a contradiction
            elif here is not None and here.prev == said.prev:
                self._accuse("bad-leave", said.seat, "no slot of its own", self._before(said.place), (signed,))
            return
        if here.prev != said.prev or (said.place == (0, 1) and not self.table.keys):
            self.leaving[said.seat] = signed  # of another branch; or somebody else's keys are still under way
            return
        try:
            if said.state != here.said[said.seat].said.state:
                raise PeerError(said.seat, "bad-leave", "another state than its own answer there")
            self.table.depart(said.seat, said.body)
        except PeerError as error:
            if here is self.now:
                self.leaving[said.seat] = signed  # the proof takes the whole round that it names
                return
            self._accuse(error.claim, error.seat, error.detail, self.everything(), (signed,))
            return
        self.left[said.seat] = signed
        self._enter(signed, keep)
        self._fill()
        self.advance()

    def _fill(self) -> None:
        for seat in self.table.missing:
            if seat in self.left:
                self.table.stand_in(seat)
                self.now.said[seat] = self.left[seat]

    def _beside(self, said: Contribution) -> list[Signed]:
        """What we hold that a contribution of this slot may repeat or contradict."""
        seat = said.seat
        here = self.places.get(said.place)
        good_bye = self.left.get(seat) or self.leaving.get(seat)
        held = [good_bye, here.said.get(seat) if here else None, self.ahead.get((said.step, said.round, seat))]
        if said.kind == LEAVE:
            last = self.last_place(seat)
            held += [last.said[seat] if last else None, *(one for one in self.ahead.values() if one.said.seat == seat)]
        return [one for one in held if one is not None]

    # -- what is kept, and what is proven -----------------------------------------------------------------------------

    def restore(self, entries: list[tuple[Signed, Any]]) -> None:
        """Replay what the journal kept: (contribution, private part or None), in the order in which it was accepted."""
        for signed, private in entries:
            if private is not None:
                self.table.remember(private)
            if signed.said.seat != self.table.me:
                self.verified += 1  # checked before it was kept
            if signed.said.kind == LEAVE:
                self._good_bye(signed, False)
            else:
                self.accept(signed, False)
            self.advance()

    def write(self, kind: int, payload: bytes, sync: bool) -> bool:
        """Keep a record; a disk that refuses ends our part, and nothing that is not on it is ever said."""
        try:
            self.journal.append(kind, payload, sync)
        except LocalError as error:
            self.end(Fault("disk", None, str(error), b"", self.now.place))
            return False
        return True

    def say(self, signed: Signed, private: Any) -> bool:
        """Our own contribution: on disk before it leaves, since these bytes are sent again after a crash, and never others."""
        if not self.write(OWN, encode((signed.data, signed.signature, private)), True):
            return False
        if private is not None:
            self.table.remember(private)
        if signed.said.kind == LEAVE:
            self._good_bye(signed, False)
        else:
            self.accept(signed, False)
        return True

    def upto(self, step: int) -> "Book":
        """The book as it was after the request `step` was answered: what came later is void."""
        book = Book(self.roster, self.table.again(), Silent(), self.earlier)
        entries = [one for r in self.rounds if r.step <= step for one in r.in_order()]
        book.restore([(one, None) for one in dict.fromkeys(entries)])
        return book

    def everything(self) -> list[list[Signed]]:
        """All rounds, the present one included."""
        return [r.in_order() for r in [*self.rounds, self.now]]

    def in_order(self) -> list[Signed]:
        """All that has been accepted, in order, each once."""
        return list(dict.fromkeys(one for contributions in self.everything() for one in contributions))

    def _before(self, place: Place) -> list[list[Signed]]:
        return [r.in_order() for r in self.rounds if r.place < place]

    def _accuse(self, claim: str, seat: int, detail: str, before: list[list[Signed]] | tuple[()], against: tuple[Signed, ...]) -> None:
        """A seat is proven to cheat: keep the proof, pass on what we saw so that all others see it too, and stop."""
        if self.proof or (self.fault is not None and (self.fault.seat is not None or self.stopped)):
            return
        proof, bytes_of = evidence(self.roster, before, against, self.earlier), tuple(one.data for one in against)
        self.prove(Fault(claim, seat, detail, proof, max(one.said.place for one in against), bytes_of))
        self.against = against
        self.accepted += against

    def prove(self, fault: Fault) -> None:
        """Stop at a proven cheat; but what all have signed stands, whatever one of them says afterwards, and only the proof is kept."""
        if not self.table.done:
            self.end(fault)
        else:
            self.proof = self.proof or fault

    def end(self, fault: Fault) -> None:
        """Go on no more; the first reason stays, but for programs that differ, where somebody is found to have cheated."""
        if self.fault is None or (self.fault.claim == "desync" and fault.seat is not None):
            self.fault = fault
