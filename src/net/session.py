"""One seat's side of a running match, Sans-I/O: messages in, messages out, time and randomness passed in.

What is sent to whom of what has been accepted is following.py's; what is accepted, and whose fault what is, book.py's.
"""

from collections.abc import Callable
from typing import Any

from ..core.errors import LocalError
from ..core.fair.table import Table
from ..core.plain import BadEncoding
from ..core.rules import Ask
from ..core.view import Snapshot
from . import sight
from .book import Fault, Garbage, Place, Round
from .chain import Chain
from .chat import Chat
from .following import EVERY, Following, Peer
from .identity import Identity
from .log import ANSWER, LEAVE, Contribution, Journal, Signed, sign, transcript
from .patience import Patience
from .renewal import Renewal
from .roster import Roster
from .votes import MAX_ROUNDS, STAY, Choice, slot_of, without
from .wire import Again, Assent, At, Cards, Fresh, Message, Next, Note, Probe, Say, Table as TableInfo, Vote, Want, Watch, Watchers

Rng = Callable[[int], bytes]


class Session(Following):
    """A handler for peers.py.  `me` and `signer` are None for a spectator; `answer` is how this seat's player decides."""

    def __init__(
        self,
        roster: Roster,
        table: Table,
        journal: Journal,
        rng: Rng,
        signer: Identity | None = None,
        identity: Identity | None = None,
        fresh: tuple[int, ...] = (),
    ) -> None:
        super().__init__(Chain(roster, table, journal, rng, signer, identity), roster.options.grace)
        self.rng, self.fresh = rng, fresh  # the seats whose identity was made for this table alone
        self.hold = 0.0  # seconds before the program gives an answer of its own that depends on something hidden
        self._held: tuple[Place, float] = (0, 0), 0.0  # such a round, and when it was first seen
        self.chat = Chat()
        self.wishes: frozenset[int] = frozenset()  # the seats that want another match with the same people
        self.patience = Patience(roster.options.grace)
        self.reached: frozenset[int] = frozenset()  # the seats that somebody with whom we are linked is linked with
        self.about: TableInfo | None = None  # what answers a Probe: the table is in play
        self.toml = b""  # the table's own cards, for those who want them
        self.settled = False  # complete here, and at every peer with a link
        self.shown = self.snapshot()

    # -- what peers.py calls --------------------------------------------------------------------------------------

    def link_up(self, link: int, identity: bytes, addresses: Any = ()) -> None:
        """A channel stands with this identity: a seat of the roster, or a spectator."""
        seats = [i for i, s in enumerate(self.roster.seats) if s.identity == identity]
        self.peers[link] = Peer(seats[0] if seats else None, identity)
        if seats:
            self._out += [(link, message) for message in self.chain.said()]
        self._tell_all()

    def link_down(self, link: int) -> None:
        self.peers.pop(link, None)
        self.audience.link_down(link)
        self._tell_all()

    def receive(self, link: int, message: Message) -> None:
        """Take one message; nothing a peer sends raises."""
        if link not in self.peers:
            return
        peer = self.peers[link]
        if isinstance(message, Probe) and self.about is not None:
            self._out.append((link, self.about))
        elif isinstance(message, Want) and self.about is not None and self.about.own and not peer.fed:
            peer.fed = True  # 64 KiB are sent once, however often they are wanted
            self._out.append((link, Cards(self.toml)))
        elif isinstance(message, Watch) and peer.seat is None and not peer.watches:
            self._watch(link, message.name)
        elif isinstance(message, At) and (peer.seat is not None or peer.watches):
            self._at(link, message)
        elif peer.seat is None:
            return  # who only watches has nothing to say
        elif isinstance(message, Say):
            peer.read += 1
            self._say(link, message)
        elif isinstance(message, Vote | Fresh | Assent | Next):
            if self._has_turn(peer, message):
                self._renew(link, message)
        elif isinstance(message, Note):
            self.chat.add(peer.seat, message.text)
        elif isinstance(message, Watchers):
            self.audience.hear(link, message, self.me is None)
        elif isinstance(message, Again):
            self.wishes |= {peer.seat}
        self._act()

    def _has_turn(self, peer: Peer, message: Vote | Fresh | Assent | Next) -> bool:
        """One roster, and what is new of each seat, a tick; of the others the latest waits, and all is said again by who has said it."""
        renewal, seat = self.chain.renewal, 0
        held: Message | None = None
        if isinstance(message, Vote):
            slot = slot_of(message.body) or (0, -1)
            seat, held = slot[1], message if self.chain.holds(slot, message.body) else None
        elif not isinstance(message, Next):
            seat = message.seat
            held = renewal.fresh.get(seat) if isinstance(message, Fresh) else renewal.assents.get(seat)
        return held != message and peer.turns.take((type(message), seat), message)

    def _take_turns(self) -> None:
        """What has waited for this tick."""
        for link, message in [(link, one) for link, peer in self.peers.items() for one in peer.turns.tick()]:
            if isinstance(message, At):
                self._serve(link)
            elif isinstance(message, Vote | Fresh | Assent | Next):
                self._renew(link, message)
                self._act()

    def tick(self, now: float) -> None:
        """Time passes; `now` is in seconds of any steady clock."""
        self.clock = now
        self.chain.tell()  # what is undone has been shown since the tick before
        self._take_turns()
        self.reached = frozenset(self.linked).union(*(p.at.seats for p in self.peers.values() if p.at and p.seat is not None))
        self.unheard.tick(now, self.book.left, self.now.place)
        self.patience.note(now, sight.waits(self, self.reached), self.reached)
        for link in self.placed:
            peer = self.peers[link]
            if peer.told != self._stand() or now - peer.when >= EVERY:
                self._tell(link)
                self._out += [(link, message) for message in self.chain.said()]
                for one in self.book.against:
                    self._say_once_more(link, one)
        self._out += self.audience.tick(now, {link: self.peers[link].seat is None for link in self.placed})
        self._vote_anew()
        if self.hold or self.chain.undoing:
            self._act()

    def take_outbox(self) -> list[tuple[int, Message]]:
        """What is to be sent, and the moment at which `shown` and `settled` are made anew, for another thread to look at."""
        out, self._out = self._out, []
        self.shown = self.snapshot()
        self.settled = self.table.done and all(
            p.at and (p.at.step, p.at.round) >= self.now.place for p in self.peers.values() if p.seat is not None
        )
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
        if self.fault:
            raise LocalError("not-asked")
        self.table.answer(self.rng, move)
        self._act()

    def leave(self) -> None:
        """Good-bye for ever: this seat's face, back and coin keys let the others go on without it.  LocalError before there are keys."""
        here = self.book.last_place(self.me) if self.me is not None else None
        if here is None or not self.table.keys:
            raise LocalError("The keys are being made: close the program instead.")
        self.unheard.check()
        if not self.fault and not self.table.done and self.me not in self.book.left:
            self._sign(here, self.table.good_bye(), LEAVE)

    def _part(self) -> None:
        """This seat keeps a finished game, after a proof that others have seen another one: it holds up nobody who would go on."""
        fault, here = self.fault, self.book.last_place(self.me) if self.me is not None else None
        if fault is None or fault.seat is None or not self.book.finished or here is None or self.table.done or self.me in self.book.left:
            return
        if self.chain.ballot.going(fault.seat):
            self._sign(here, self.table.good_bye(), LEAVE)

    def note(self, text: str) -> None:
        """Send a line of chat to all linked seats."""
        if self.me is not None:
            self.chat.add(self.me, text)
            self._out += [(link, Note(text)) for link, peer in self.peers.items() if peer.seat is not None]

    def again(self) -> None:
        """Tell all who are linked, also who watches, that this seat wants another match with the same people."""
        self._out += [(link, Again()) for link in self.placed if self.me is not None]

    def restore(self, records: list[tuple[int, bytes]]) -> None:
        """Replay what the journal kept, in order.  Raises ValueError or TypeError for what is no record of ours."""
        self.chain.restore(records)
        self.unheard.expect(seat for seat in self.table.here if seat != self.me and seat not in self.book.left)

    def vote(self, lost: int | None) -> None:
        """Vote to go on without that seat, or (None) to stay.  LocalError if there is nothing to vote on."""
        outcast = sight.outcast(self)
        self.unheard.check(self.linked)
        if lost is not None:
            sight.check_going(self, lost, outcast)
        still = self.chain.ballot.still(sight.lacks(self))
        going = {*self.chain.ballot.here, outcast} - {self.me}
        seats = [seat for seat in {lost, *sight.late(self), *still} if seat is not None and seat in going]
        self._cast(self.chain.renewal, STAY if lost is None else self.chain.ballot.choice(seats, self.chain.here))
        self._act()

    @property
    def table(self) -> Table:
        return self.chain.table

    @property
    def fault(self) -> Fault | None:
        return self.book.fault

    def transcript(self, with_void: bool = False) -> bytes:
        """The transcript so far: complete rounds, then what has come of the present one, and behind it what is void."""
        return transcript(self.roster, self.book.everything(), self.book.earlier, self.chain.void if with_void else ())

    def snapshot(self) -> Snapshot:
        """What a renderer may know now."""
        return sight.snapshot(self)

    # -- contributions --------------------------------------------------------------------------------------------

    def _say(self, link: int, message: Say) -> None:
        try:
            self.book.take(message.body, message.signature)
        except Garbage as error:
            said = error.said
            ours = said is not None and self.chain.concerns(Signed(message.body, message.signature, said), self.clock)
            if not ours and (said is None or not self.peers[link].elsewhere):  # who was elsewhere speaks of matches that we do not know
                self._closes.append((link, "garbage"))  # anyone can send rubbish in a seat's name: nobody is named
        for seat in self.book.heard:
            self.chain.heard(seat)
        self.book.heard.clear()
        self._forward(link)

    def _act(self) -> None:
        """Say whatever this seat owes and can say; a move waits for the player, and who has voted to go on says nothing more."""
        while self.chain.work():
            self._moved()
        while not self.fault and not self.chain.frozen and self.me is not None and self.me in self.table.missing and not self.unheard.seats:
            if self.table.decision is not None or self._too_early():
                return
            try:
                body, private = self.table.make(self.rng)
            except KeyError:
                self.book.end(Fault("old-journal", None, "", b"", self.now.place))
                return
            if not self._sign(self.now, body, ANSWER, private):
                return
            self.book.advance()

    def _too_early(self) -> bool:
        """Is it too early for what the program finds by itself in what is hidden?  How long that took would tell something about it."""
        if not self.hold or not isinstance(self.table.rules.pending, Ask):
            return False
        if self._held[0] != self.now.place:
            self._held = self.now.place, self.clock
        return self.clock - self._held[1] < self.hold

    def _sign(self, here: Round, body: Any, kind: str, private: Any = None) -> bool:
        signer = self.chain.signer
        assert signer is not None
        assert self.me is not None
        state = self.book.state if kind == ANSWER else here.said[self.me].said.state
        said = Contribution(self.roster.match, here.step, here.round, self.me, here.prev, state, body, kind)
        signed = sign(said, signer)
        if not self.book.say(signed, private):
            return False
        for link in self.placed:
            self._pass_on(link, signed)
        return True

    def _vote_anew(self) -> None:
        """Once a tick: what this seat votes by itself, since it has come further, or hears a seat again, or others vote."""
        for seat in self.linked:
            self.chain.heard(seat)
        if self.unheard.misses(self.linked):
            return
        self._part()
        wish = self.chain.wish(sight.late(self), sight.lacks(self), sight.played_out(self) and not self.fault)
        if wish is not None and wish[0].ballot.next_round < MAX_ROUNDS:
            self._cast(*wish)
            self._act()

    def _cast(self, renewal: Renewal, choice: Choice) -> None:
        outcast = sight.outcast(self)
        unreached = [seat for seat in without(choice) if seat not in self.reached and seat != outcast]
        vote = self.chain.vote(renewal, choice, unreached, sight.awaited(self))
        self._out += [(link, Vote(vote.data, vote.signature)) for link in self.placed]

    def _moved(self) -> None:
        """A new match of the chain has begun."""
        self.unheard.seats &= set(self.table.here)
        self.patience = Patience(self.roster.options.grace)
        self._begin_match()

    def _renew(self, link: int, message: Vote | Fresh | Assent | Next) -> None:
        """Votes and parts of the next roster: whatever is new and good is passed on to all."""
        renewal, new = self.chain.renewal, False
        try:
            if isinstance(message, Vote):
                new = self.chain.take_vote(message)
            elif isinstance(message, Fresh):
                new = renewal.take_fresh(message)
            elif isinstance(message, Assent):
                new = renewal.take_assent(message)
            else:
                self.chain.follow(Roster.decode(message.roster), self.peers[link].seat, self.clock)
        except BadEncoding:
            return  # of a match that is over here, or rubbish: nobody is named for what anybody can send
        before = set(renewal.said())
        while self.chain.work():
            self._moved()
        if renewal is not self.chain.renewal:
            return
        made = [m for m in renewal.said() if m not in before]
        for other in self.placed:
            self._out += [(other, m) for m in ([message] if new and other != link else []) + made]
