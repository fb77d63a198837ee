"""One seat's side of a running match, Sans-I/O: messages in, messages out, time and randomness passed in.

It knows slots, digests, forwarding and whose fault what is; the mathematics is core/fair/table.py's, the bytes are log.py's.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import LocalError, PeerError
from ..core.fair.table import Table
from ..core.plain import BadEncoding, encode
from ..core.rules import Shuffle
from ..core.view import Snapshot, View
from .identity import Identity
from .log import OWN, STATE, THEIRS, Contribution, Journal, Signed, evidence, genuine, next_digest, parse, sign, transcript
from .roster import Roster
from .wire import At, Message, Note, Probe, Say
from .wire import Table as TableInfo

Rng = Callable[[int], bytes]
AHEAD = 64  # later contributions kept, in all: a peer that runs ahead, or lies about doing so, costs no more
BURST = 512  # contributions sent for one At: a peer far behind asks again
EVERY = 2.0  # seconds between Ats while waiting
NOTES = 200  # lines of chat kept: a chatterer scrolls, he does not fill the memory


@dataclass
class Round:
    """A round that is complete, or the present one: who said what under which digest."""

    step: int
    round: int
    prev: bytes
    said: dict[int, Signed] = field(default_factory=dict)

    @property
    def place(self) -> tuple[int, int]:
        return self.step, self.round

    def in_order(self) -> list[Signed]:
        return [self.said[seat] for seat in sorted(self.said)]


@dataclass
class Peer:
    """A link: whose it is (None: a spectator) and what its last At said."""

    seat: int | None
    at: At | None = None
    told: tuple[int, int, int] | None = None  # where we stood when we last sent an At there
    back: int = 1  # rounds that we go back to find where two digests part; doubles
    when: float = 0.0


@dataclass(frozen=True)
class Fault:
    """Why a match cannot go on: an id, the seat that is proven to have cheated (or None), what shows it, and the slot."""

    claim: str
    seat: int | None
    detail: str = ""
    evidence: bytes = b""
    place: tuple[int, int] = (0, 0)


class Session:
    """A handler for peers.py.  `me` and `signer` are None for a spectator; `answer` is how this seat's player decides."""

    def __init__(self, roster: Roster, table: Table, journal: Journal, rng: Rng, signer: Identity | None = None) -> None:
        self.roster, self.table, self.journal, self.rng, self.signer = roster, table, journal, rng, signer
        self.me = table.me
        self.rounds: list[Round] = []
        self.places: dict[tuple[int, int], Round] = {}
        self.now = self.places[0, 0] = Round(0, 0, table.prev)
        self.state = table.rules.digest()[:STATE]
        self.ahead: dict[tuple[int, int, int], Signed] = {}
        self.peers: dict[int, Peer] = {}
        self.fault: Fault | None = None
        self.unheard: set[int] = set()  # after a resume: seats that may hold what we have signed and forgotten
        self.decided: tuple[int, Any] | None = None
        self.verified = 0
        self.notes: list[tuple[int, str]] = []
        self.clock = 0.0
        self.about: TableInfo | None = None  # what answers a Probe: the table is in play
        self._out: list[tuple[int, Message]] = []
        self._closes: list[tuple[int, str]] = []
        self.settled = False  # complete here, and at every peer with a link
        self.shown = self.snapshot()

    # -- what peers.py calls --------------------------------------------------------------------------------------

    def link_up(self, link: int, identity: bytes, addresses: Any = ()) -> None:
        """A channel stands with this identity: a seat of the roster, or a spectator."""
        seats = [i for i, s in enumerate(self.roster.seats) if s.identity == identity]
        self.peers[link] = Peer(seats[0] if seats else None)
        for peer in self.peers:
            self._tell(peer)

    def link_down(self, link: int) -> None:
        self.peers.pop(link, None)
        for peer in self.peers:
            self._tell(peer)

    def receive(self, link: int, message: Message) -> None:
        """Take one message; nothing a peer sends raises."""
        if link not in self.peers:
            return
        if isinstance(message, At):
            self._at(link, message)
        elif isinstance(message, Say):
            self._say(link, message)
        elif isinstance(message, Probe) and self.about is not None:
            self._out.append((link, self.about))
        elif isinstance(message, Note):
            seat = self.peers[link].seat
            if seat is not None:
                self.notes = [*self.notes, (seat, message.text)][-NOTES:]
        self._act()

    def tick(self, now: float) -> None:
        """Time passes; `now` is in seconds of any steady clock."""
        self.clock = now
        for link, peer in self.peers.items():
            if peer.told != self._stand() or now - peer.when >= EVERY:
                self._tell(link)

    def take_outbox(self) -> list[tuple[int, Message]]:
        """What is to be sent, and the moment at which `shown` and `settled` are made anew, for another thread to look at."""
        out, self._out = self._out, []
        self.shown = self.snapshot()
        self.settled = self.table.done and all(p.at and (p.at.step, p.at.round) >= self.now.place for p in self.peers.values())
        return out

    def take_closes(self) -> list[tuple[int, str]]:
        closes, self._closes = self._closes, []
        return closes

    # -- what the client calls ------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Say what this seat owes already."""
        self._act()

    def answer(self, move: Any) -> None:
        """The player's decision for what `table.decision` asks; raises IllegalMove, or LocalError if nothing is asked."""
        request = self.table.decision
        if request is None or self.me is None or self.fault:
            raise LocalError("not-asked")
        self.table.rules.legal(request, self.me, move)
        self.decided = (self.table.step, move)
        self._act()

    def note(self, text: str) -> None:
        """Send a line of chat to all linked seats."""
        if self.me is not None:
            self.notes = [*self.notes, (self.me, text)][-NOTES:]
            self._out += [(link, Note(text)) for link in self.peers]

    def restore(self, entries: list[tuple[Signed, Any]]) -> None:
        """Replay what the journal kept: (contribution, private part or None), in the order in which it was accepted."""
        for signed, private in entries:
            if signed.said.seat == self.me and private is not None:
                self.table.remember(private)
            self._accept(signed, False)
            self._advance()
        self.unheard = {seat for seat in range(self.table.seats) if seat != self.me}

    @property
    def linked(self) -> tuple[int, ...]:
        """The seats with which this peer has a link, in order."""
        return tuple(sorted({p.seat for p in self.peers.values() if p.seat is not None}))

    def transcript(self) -> bytes:
        """The transcript so far: complete rounds, then what has come of the present one."""
        return transcript(self.roster, [r.in_order() for r in [*self.rounds, self.now]])

    def snapshot(self) -> Snapshot:
        """What a renderer may know now."""
        t = self.table
        pending = t.rules.pending
        phase = "ended" if self.fault else "done" if t.done else "set-up" if t.step == 0 else "play"
        if phase == "play" and isinstance(pending, Shuffle):
            phase = "shuffle"
        if phase == "play" and t.rules.over:
            phase = "over"
        linked = self.linked
        return Snapshot(
            view=View.of(t.rules, self.me),
            names=tuple(s.name for s in self.roster.seats),
            phase=phase,
            step=t.step,
            waiting=t.missing,
            asked=t.decision is not None and not self.fault and (self.decided is None or self.decided[0] != t.step),
            log=tuple(t.events),
            trust=t.trust.__class__(self.verified, t.trust.shuffles, t.trust.shares, t.trust.moves),
            linked=tuple(seat == self.me or seat in linked for seat in range(t.seats)),
            signed=tuple(sorted(t.taken)) if phase == "over" else tuple(range(t.seats)) if phase == "done" else (),
            trouble=((self.fault.claim, self.fault.seat, self.fault.detail),) if self.fault else (),
        )

    # -- contributions --------------------------------------------------------------------------------------------

    def _say(self, link: int, message: Say) -> None:
        """The order of checks decides whose fault it is: frame and signature the link's, two bodies or a bad body the seat's."""
        if self.fault:
            return
        try:
            said = parse(message.body, self.roster)
            other = self._in_slot(said.step, said.round, said.seat)
            if other is not None and other.data == message.body:
                return  # the same bytes again are nothing, whatever is signed beside them
            if not genuine(message.body, message.signature, said, self.roster):
                raise BadEncoding("bad signature")
        except BadEncoding:
            self._closes.append((link, "garbage"))  # anyone can send rubbish in a seat's name: nobody is named
            return
        self.verified += 1
        signed = Signed(message.body, message.signature, said)
        place = said.step, said.round
        if other is not None:
            self._accuse("two-bodies", said.seat, "", evidence(self.roster, (), (other, signed)), signed)
        elif place == self.now.place and said.prev == self.now.prev:
            self._accept(signed, True)
            self._advance()
        elif place == self.now.place or (place > self.now.place and len(self.ahead) < AHEAD):
            self.ahead[signed.slot] = signed  # under another digest it is not the sender's fault: _find_fork finds the liar
        elif place in self.places and self.places[place].prev == said.prev:
            self._accuse("nothing-owed", said.seat, "", self._proof(place, signed), signed)

    def _in_slot(self, step: int, round_: int, seat: int) -> Signed | None:
        """What fills the slot, or waits for its round."""
        here = self.places.get((step, round_))
        return (here.said.get(seat) if here else None) or self.ahead.get((step, round_, seat))

    def _accept(self, signed: Signed, keep: bool) -> None:
        """Judge a contribution to the present round, which carries our digest."""
        said = signed.said
        if self.fault:
            return
        if said.state != self.state:
            self._end(Fault("desync", None, f"step {said.step}", b"", self.now.place))
            return
        try:
            self.table.judge(said.seat, said.body)
        except PeerError as error:
            self._accuse(error.claim, error.seat, error.detail, self._proof(self.now.place, signed), signed)
            return
        if keep and not self._write(THEIRS, encode((signed.data, signed.signature)), False):
            return
        self.now.said[said.seat] = signed
        if keep:
            self._forward(signed)
        elif said.seat != self.me:
            self.verified += 1  # checked before it was kept

    def _advance(self) -> None:
        """Close every round that is complete, and take what was waiting for the next."""
        while not self.fault and not self.table.done and not self.table.missing:
            prev = next_digest(self.now.prev, (one.data for one in self.now.in_order()))
            try:
                self.table.advance(prev)
            except PeerError as error:
                signed = self.now.said[error.seat]
                others = [one for one in self.now.in_order() if one is not signed]
                proof = evidence(self.roster, [*(r.in_order() for r in self.rounds), others], (signed,))
                self._accuse(error.claim, error.seat, error.detail, proof, signed)
                return
            self.rounds.append(self.now)
            self.now = Round(self.table.step, self.table.round, prev)
            self.places[self.now.place] = self.now
            self.state = self.table.rules.digest()[:STATE]
            for slot in [s for s in self.ahead if s[:2] == self.now.place]:
                signed = self.ahead[slot]
                if signed.said.prev == prev:
                    del self.ahead[slot]
                    self._accept(signed, True)
            self.ahead = {s: one for s, one in self.ahead.items() if s[:2] >= self.now.place}

    def _act(self) -> None:
        """Say whatever this seat owes and can say; a move waits for the player."""
        while not self.fault and self.me is not None and self.me in self.table.missing and not self.unheard:
            answer = None
            if self.table.decision is not None:
                if self.decided is None or self.decided[0] != self.table.step:
                    return
                answer = self.decided[1]
            assert self.signer is not None
            try:
                body, private = self.table.make(self.rng, answer)
            except KeyError:
                self._end(Fault("old-journal", None, "", b"", self.now.place))
                return
            place = self.now
            said = Contribution(self.roster.match, place.step, place.round, self.me, place.prev, self.state, body)
            signed = sign(said, self.signer)
            # on disk before it leaves: these bytes are sent again after a crash, and never others for this slot
            if not self._write(OWN, encode((signed.data, signed.signature, private)), True):
                return
            if private is not None:
                self.table.remember(private)
            self._accept(signed, False)
            self._out += [(link, Say(signed.data, signed.signature)) for link in self.peers]
            self._advance()

    def _forward(self, signed: Signed) -> None:
        """Pass on to links whose At does not list the author among those it is linked with."""
        for link, peer in self.peers.items():
            if peer.seat != signed.said.seat and (peer.at is None or signed.said.seat not in peer.at.seats):
                self._out.append((link, Say(signed.data, signed.signature)))

    # -- At: forwarding, resume and forks by one mechanism --------------------------------------------------------

    def _stand(self) -> tuple[int, int, int]:
        return self.now.step, self.now.round, len(self.now.said)

    def _tell(self, link: int) -> None:
        peer = self.peers[link]
        peer.told, peer.when = self._stand(), self.clock
        n = self.now
        self._out.append((link, At(self.roster.match, n.step, n.round, n.prev, self.linked, tuple(sorted(n.said)))))

    def _at(self, link: int, at: At) -> None:
        peer = self.peers[link]
        if at.match != self.roster.match:
            self._closes.append((link, "another-match"))
            return
        peer.at = at
        self._send_behind(link, at)
        here = self.places.get((at.step, at.round))
        if here is not None and here.prev != at.prev:
            self._find_fork(link, here)
        else:
            peer.back = 1
        if self.unheard and (at.step, at.round) <= self.now.place:
            heard = {peer.seat, *at.seats}
            if not ((at.step, at.round) == self.now.place and self.me in at.have and self.me not in self.now.said):
                self.unheard -= {s for s in heard if s is not None}

    def _send_behind(self, link: int, at: At) -> None:
        """Whoever is ahead sends what lies between."""
        place, sent = (at.step, at.round), 0
        for r in [*self.rounds, self.now]:
            if r.place < place or sent >= BURST:
                continue
            for one in r.in_order():
                if r.place > place or one.said.seat not in at.have:
                    self._out.append((link, Say(one.data, one.signature)))
                    sent += 1

    def _find_fork(self, link: int, here: Round) -> None:
        """Our digests differ: exchange the rounds behind, further back each time, until one slot shows two bodies."""
        peer = self.peers[link]
        position = self.rounds.index(here) if here in self.rounds else len(self.rounds)
        for r in self.rounds[max(0, position - peer.back) : position]:
            self._out += [(link, Say(one.data, one.signature)) for one in r.in_order()]
        peer.back = min(2 * peer.back, BURST)

    # -- faults ---------------------------------------------------------------------------------------------------

    def _proof(self, place: tuple[int, int], signed: Signed) -> bytes:
        """Evidence of one bad contribution: every round it stands on, and the contribution."""
        return evidence(self.roster, [r.in_order() for r in self.rounds if r.place < place], (signed,))

    def _accuse(self, claim: str, seat: int, detail: str, data: bytes, signed: Signed) -> None:
        """A seat is proven to cheat: keep the proof, let all others see what we saw, and stop."""
        if self.fault:
            return
        self._end(Fault(claim, seat, detail, data, (signed.said.step, signed.said.round)))
        other = self._in_slot(*signed.slot)
        for link in self.peers:
            self._out += [(link, Say(one.data, one.signature)) for one in (other, signed) if one is not None]

    def _write(self, kind: int, payload: bytes, sync: bool) -> bool:
        """Keep a record; a disk that refuses ends our part, and nothing that is not on it is ever said."""
        try:
            self.journal.append(kind, payload, sync)
        except LocalError as error:
            self._end(Fault("disk", None, str(error), b"", self.now.place))
            return False
        return True

    def _end(self, fault: Fault) -> None:
        self.fault = self.fault or fault
