"""The links of a match: where each peer stands, what it is sent of what it lacks, and how often.  It knows no votes and no player.

Forwarding, resuming, watching and finding a fork are one mechanism: peers say where they stand (`At`), and whoever is further sends
what lies between.  `session.py` builds on it.
"""

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field

from .audience import Audience
from .book import Book, Round
from .budget import Turns
from .chain import Chain
from .log import Signed
from .patience import Unheard
from .roster import Roster
from .sent import AGAIN, AGAIN_SPECTATOR, Sent, Where
from .wire import At, Message, Next, Say

BURST = 512  # contributions sent for one At: a peer far behind asks again
EVERY = 2.0  # seconds between Ats while waiting
MAX_TURNS = 32  # kinds of messages of a link, a seat's votes one of them, of which one has its turn a tick and one waits
NOWHERE: Where = (0, -1, 0)


@dataclass
class Peer:
    """A link: whose it is (None: a spectator), what its last At said, and what it has been sent."""

    seat: int | None
    identity: bytes
    watches: bool = False
    fed: bool = False  # has got the table's own cards
    last: At | None = None  # of whatever match
    at: At | None = None  # of the match that is played
    elsewhere: bool = False  # it has said that it is in another match: what it said of that may still be under way
    told: tuple[int, int, int] | None = None  # where we stood when we last sent an At there
    when: float = 0.0
    shown: float | None = None  # when it was last shown how our match goes on from its own
    read: int = 0  # contributions that have come on this link
    behind: bool = False  # it has not been sent all that we hold: what is new has to wait for its turn
    back: int = 0  # rounds already sent to find where two digests part
    turns: Turns[Message] = field(default_factory=lambda: Turns(MAX_TURNS))
    sent: Sent = field(init=False)

    def __post_init__(self) -> None:
        self.sent = Sent(AGAIN_SPECTATOR if self.seat is None else AGAIN)


class Following:
    """What a session does for those who are linked with it."""

    def __init__(self, chain: Chain, grace: int) -> None:
        self.chain = chain
        self.me = chain.table.me
        self.peers: dict[int, Peer] = {}
        self.unheard = Unheard(grace)
        self.audience = Audience()
        self.clock = 0.0
        self._out: list[tuple[int, Message]] = []
        self._closes: list[tuple[int, str]] = []

    @property
    def book(self) -> Book:
        """The rounds of the match that is played now."""
        return self.chain.book

    @property
    def roster(self) -> Roster:
        return self.chain.roster

    @property
    def now(self) -> Round:
        """The present round."""
        return self.book.now

    @property
    def linked(self) -> tuple[int, ...]:
        """The seats with which this peer has a link, in order."""
        return tuple(sorted({p.seat for p in self.peers.values() if p.seat is not None}))

    @property
    def placed(self) -> list[int]:
        """The links of seats, and of those who watch: they make room for nobody, and nobody else is told anything of this match."""
        return [link for link, peer in self.peers.items() if peer.seat is not None or peer.watches]

    # -- where we stand -----------------------------------------------------------------------------------------------

    def _stand(self) -> tuple[int, int, int]:
        return self.now.step, self.now.round, len(self.now.said)

    def _tell(self, link: int) -> None:
        peer, n = self.peers[link], self.now
        peer.told, peer.when = self._stand(), self.clock
        self._out.append((link, At(self.roster.match, n.step, n.round, n.prev, self.linked, tuple(sorted(n.said)), peer.read)))

    def _tell_all(self) -> None:
        for link in self.placed:
            self._tell(link)

    def _begin_match(self) -> None:
        """Another match of the chain is played from now on: who has said that it is there already is served at once."""
        for link, peer in self.peers.items():
            peer.at, peer.back, peer.behind = None, 0, False
            if peer.last is not None and peer.last.match == self.roster.match:
                self._at(link, peer.last)
        self._tell_all()

    # -- where they stand ---------------------------------------------------------------------------------------------

    def _at(self, link: int, at: At) -> None:
        peer, first = self.peers[link], self.peers[link].last is None
        peer.last = at
        match = self._number(at.match)
        peer.sent.heard((match, at.step, at.round) if match is not None else NOWHERE, at.read, self.clock)
        if at.match == self.roster.match:
            peer.at = at
            place = at.step, at.round
            forgotten = place == self.now.place and self.me in at.have and self.me not in self.now.said
            if peer.seat is not None:  # after a proof nobody is caught up with any more: votes go back to what all agree on
                self.unheard.hear(peer.seat, at.seats, not self.book.fault and (place > self.now.place or forgotten))
        else:
            peer.elsewhere = True
        if first:  # what we said before, nobody may have heard
            self._tell(link)
        if peer.turns.take(At, at):
            self._serve(link)

    def _number(self, match: bytes) -> int | None:
        """Which match of the chain is it?"""
        matches = [*(book.roster.match for book in self.chain.past), self.roster.match]
        return matches.index(match) if match in matches else None

    def _serve(self, link: int) -> None:
        """Send this peer what it lacks by its last At."""
        peer = self.peers[link]
        at = peer.last
        if at is None:
            return
        if at.match == self.roster.match:
            peer.behind = not self._send(link, self._lacking(self.book, at), len(self.chain.past))
            here = self.book.places.get((at.step, at.round))
            if here is not None and here.prev != at.prev:
                self._find_fork(link, here)
            else:
                peer.back = 0
            return
        found = self.chain.find(at.match)
        again = peer.shown is None or self.clock - peer.shown >= EVERY
        if found is not None:  # it is still in an earlier match of the chain: what it lacks of it, then the roster of the next
            if self._send(link, self._lacking(found[0], at), self._number(at.match) or 0) and again:
                self._show_next(link, found[1])
        elif peer.seat is None:
            self._closes.append((link, "another-match"))
        elif self.roster.origin is not None and again:  # it goes on from one of ours, or we do not know it yet
            self._show_next(link, self.roster)

    def _show_next(self, link: int, roster: Roster) -> None:
        """The roster of a next match, and what the seats that play in the chain since have signed there: so they show it, too."""
        self.peers[link].shown = self.clock
        self._out.append((link, Next(roster.encode())))
        for one in self.chain.played():
            self._say_once_more(link, one)

    def _lacking(self, book: Book, at: At) -> Iterable[Signed]:
        """What a peer lacks of that book that stands there, in order, and good-byes that fill no slot yet."""
        rounds = [*book.rounds, book.now]
        for r in rounds[bisect.bisect_left(rounds, (at.step, at.round), key=lambda r: r.place) :]:
            yield from (one for one in r.in_order() if r.place > (at.step, at.round) or one.said.seat not in at.have)
        for seat, one in book.left.items():
            if all(r.said.get(seat) is not one for r in rounds):
                yield one  # its seat does not come to say it again

    def _send(self, link: int, contributions: Iterable[Signed], match: int) -> bool:
        """Send those that are not under way; False if not all could be sent now."""
        sent, burst = self.peers[link].sent, BURST
        for one in contributions:
            if sent.full or not burst:
                return False
            if sent.take(one, (match, *one.said.place), self.clock):
                self._out.append((link, Say(one.data, one.signature)))
                burst -= 1
        return True

    def _find_fork(self, link: int, here: Round) -> None:
        """Our digests differ: exchange the rounds behind, further back each time, until one slot shows two bodies."""
        peer, rounds = self.peers[link], self.book.rounds
        position = bisect.bisect_left(rounds, here.place, key=lambda r: r.place)
        if peer.back >= position:
            peer.back = 0
        end = position - peer.back
        begin = max(0, end - max(1, peer.back))
        self._send(link, (one for r in reversed(rounds[begin:end]) for one in r.in_order()), len(self.chain.past))
        peer.back = position - begin

    def _watch(self, link: int, name: str) -> None:
        """A spectator is a link that owes nothing; it gets what all have seen, and can verify all of it."""
        peer = self.peers[link]
        if not self.roster.options.watch or not self.audience.come(link, peer.identity, name):
            self._closes.append((link, "no-watching"))
            return
        peer.watches = True
        first = self.chain.past[0].roster if self.chain.past else self.roster
        self._out.append((link, Next(first.encode())))
        self._tell(link)

    # -- what is new --------------------------------------------------------------------------------------------------

    def _forward(self, source: int | None) -> None:
        """Pass on what is new to links whose At does not list the author; what proves a cheat, to all."""
        for one in self.book.accepted:
            seat = one.said.seat
            for link in self.placed:
                peer = self.peers[link]
                if link == source or peer.seat == seat or peer.last is None:
                    continue
                if one in self.book.against:
                    self._say_once_more(link, one)
                elif peer.at is not None and seat not in peer.at.seats:
                    self._pass_on(link, one)
        self.book.accepted = []

    def _pass_on(self, link: int, one: Signed) -> None:
        """Send what is new there, in order: not before what lies before it."""
        peer = self.peers[link]
        if peer.at is not None and not peer.behind:
            peer.behind = not self._send(link, (one,), len(self.chain.past))

    def _say_once_more(self, link: int, one: Signed) -> None:
        """Send what shows a cheat, whatever has been sent; who has not said where it stands may not be there yet."""
        if self.peers[link].last is not None:
            self.peers[link].sent.count(self.clock)
            self._out.append((link, Say(one.data, one.signature)))
