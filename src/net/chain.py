"""The matches of a chain as one peer holds them: the one that is played, and how another follows when a seat is lost.

It knows books, rosters and what must be on disk; not who is on the line.
"""

import contextlib
from collections.abc import Callable, Collection, Hashable, Mapping

from ..core.errors import LocalError, PeerError
from ..core.fair.keys import Secrets
from ..core.fair.table import Table
from ..core.plain import BadEncoding, decode, encode
from ..core.rules import Event
from . import log, wire
from .ballot import Ballot
from .book import Book, Fault
from .identity import Identity
from .log import Journal, Signed, genuine, match_items, parse
from .renewal import Renewal, fresh_key, goes_on, parted, rank
from .roster import Roster
from .shown import Shown
from .votes import STAY, Choice, Vote, read, without

Rng = Callable[[int], bytes]


class Chain:
    """`book` is of the match that is played now; `past` are those before it, each cut where the next goes on."""

    def __init__(
        self, roster: Roster, table: Table, journal: Journal, rng: Rng, signer: Identity | None, identity: Identity | None
    ) -> None:
        self.journal, self.rng, self.signer, self.identity = journal, rng, signer, identity
        self.past: list[Book] = []
        self._before: tuple[Book, Renewal, Identity | None] | None = None  # the match before this one, as we left it
        self._entered = -1  # the vote round whose certificate began this match
        self._abandoned: set[bytes] = set()
        self.book = Book(roster, table, journal)
        self._last_cut: tuple[Book | None, int, Book] = None, -1, self.book
        self.resumed = False  # has this program come back from its journal?
        self.renewal = Renewal(self.book, signer, identity)
        self.following: Roster | None = None  # the next match's roster, while we lack rounds of this one
        self.shown = Shown()
        self._voids: list[list[Signed]] = []  # what each next match made void: it is shown in our own file
        self.undoing: tuple[Event, ...] = ()  # what going on would undo beyond the present step
        self.undone: tuple[Event, ...] = ()  # and what the way to this match has undone
        self._told: tuple[Event, ...] = ()  # what of it our person has been told

    @property
    def roster(self) -> Roster:
        return self.book.roster

    @property
    def table(self) -> Table:
        return self.book.table

    @property
    def here(self) -> tuple[int, bytes]:
        """(step, digest) of the last answered request, from which a vote would go on; -1 while the keys are made.

        After a proven cheat, the last step on which all who vote to go on agree.  Our own last vote counts as another's does, so that two
        seats which follow each other do not change places for ever.
        """
        step, book, ballot = self.table.step - 1, self.book, self.renewal.ballot
        if book.fault is not None and book.fault.seat is not None:
            for vote in ballot.going(book.fault.seat):
                last = book.last_place(vote.seat)
                agreed = last.step - 1 if last is not None else -1
                place = book.places.get((vote.choice[2] + 1, 0))
                if place is not None:
                    step = min(step, max(vote.choice[2], agreed) if place.prev == vote.choice[3] else agreed)
        return step, book.places[step + 1, 0].prev

    @property
    def _voting(self) -> Renewal:
        """Where votes count now: while the keys of a next match are made, the votes of the match before still do."""
        return self.renewal if self._before is None or self.table.step > 0 else self._before[1]

    @property
    def _bound(self) -> bool:
        """Have keys been given in this match, so that it may be played?  Where two play, without the other's keys it cannot."""
        given = [seat for seat, one in self.book.now.said.items() if one.said.place == (0, 1)]
        return self.table.step > 0 or given not in ([], [self.table.me] if len(self.roster.here) == 2 else [])

    @property
    def _taken_back(self) -> bool:
        """Has a majority voted to stay in the match before, and, once keys are given here, one of those whose keys are lacking too?"""
        ballot, entered = self._voting.ballot, self._entered
        if self._voting is self.renewal or not ballot.stays_after(entered):
            return False
        staying = {seat for (round_, seat), vote in ballot.votes.items() if round_ > entered and vote.choice == STAY}
        return not self._bound or (self.table.step == 0 and not staying.isdisjoint(set(self.table.missing) - {self.table.me}))

    @property
    def ballot(self) -> Ballot:
        """The votes of this match."""
        return self.renewal.ballot

    def heard(self, seat: int) -> None:
        """There is contact with this seat: see Ballot.heard."""
        for renewal in {self.renewal, self._voting}:
            renewal.ballot.heard(seat)

    def wish(self, late: Collection[int], waits: Mapping[int, frozenset[Hashable]], over: bool) -> tuple[Renewal, Choice] | None:
        """What this seat votes now by itself, and in which match: in the one before, while that counts, it only says "stay"."""
        before = self._voting
        if before is not self.renewal and not self._bound:
            choice = before.ballot.wish((-1, b""), (), before.ballot.awaited or {}, False)
            if choice == STAY:
                return before, choice
        choice = self.renewal.ballot.wish(self.here, late, waits, over) if self.ballot.votes else None
        return (self.renewal, choice) if choice is not None else None

    @property
    def frozen(self) -> bool:
        """Does this seat sign nothing in this match now?  Who has taken back its vote for a next match gives no keys there."""
        mine = self._voting.ballot.mine
        back = self._voting is not self.renewal and mine is not None and mine.choice == STAY and mine.round > self._entered
        return self.renewal.frozen or (back and self.table.round == 1 and not self._bound)

    def vote(self, renewal: Renewal, choice: Choice, unreached: Collection[int], awaited: Mapping[int, frozenset[Hashable]]) -> Vote:
        """This seat's vote: on disk, with its grounds, before it is sent.  LocalError if there is none to give."""
        vote = renewal.vote(choice)
        lost = without(choice)
        if not self.book.write(log.VOTE, encode((vote.data, vote.signature, tuple(sorted(set(unreached) & set(lost))))), True):
            raise LocalError("disk")
        renewal.ballot.take(vote)
        renewal.ballot.unreached = set(unreached) & set(lost)
        renewal.ballot.awaited = {seat: awaited.get(seat, frozenset()) for seat in lost if seat not in unreached}
        return vote

    def restore(self, records: list[tuple[int, bytes]]) -> None:
        """Replay a journal's records.  Raises ValueError or TypeError for what is no record of ours."""
        self.resumed = self.renewal.resumed = True
        for kind, payload in records:
            match kind, decode(payload):
                case log.OWN, (data, signature, private):
                    self.book.restore([(Signed(data, signature, parse(data, self.roster)), private)])
                case log.THEIRS, (data, signature):
                    self.book.restore([(Signed(data, signature, parse(data, self.roster)), None)])
                case log.VOTE, (data, signature, unreached):
                    self._restore_vote(data, signature, set(unreached))
                case log.NEXT, (_, b""):
                    self._go_back()
                case log.NEXT, (roster, own):
                    self.begin(Roster.decode(roster), Secrets.decode(own))
                case _:
                    raise ValueError("unknown record")

    def _restore_vote(self, data: bytes, signature: bytes, unreached: set[int]) -> None:
        """A vote of ours, of this match or of the one before; what was awaited of those who were reached is not known any more."""
        renewal = self.renewal
        try:
            vote = read(data, signature, renewal.roster)
        except BadEncoding:
            renewal = self._voting
            vote = read(data, signature, renewal.roster)
        renewal.ballot.take(vote)
        renewal.ballot.unreached, renewal.ballot.awaited = unreached, None

    def work(self) -> bool:
        """Do what is due of a renewal; True if a new match has begun."""
        if self.renewal.evidence is not None and not (self.book.fault or self.book.proof):
            self._accuse(self.book, *self.renewal.evidence)
        if self.book.fault and self.book.fault.seat is None:
            return False
        if self._taken_back:
            self._return()
        decided, self.undoing = self.renewal.ballot.decided, ()
        if decided and self._reaches(decided[0].choice) and self._may_undo(decided[0].choice[2]):
            choice = decided[0].choice
            state = self._cut(self.book, choice[2]).table.rules.copy()
            state.lost(*sorted({*without(choice), *choice[4]} - {*state.gone}))
            self.renewal.step(decided, state.digest(), state.gone)
            if self.renewal.agreed is not None and self._follow(self.renewal.agreed):
                return True
        return self.following is not None and self._follow(self.following)

    @property
    def void(self) -> list[Signed]:
        """What next matches have made void, in order."""
        return [one for some in self._voids for one in some]

    def take_vote(self, message: wire.Vote) -> bool:
        """Book a vote of this match, or of the one before while it counts; True if it is news.  Raises BadEncoding."""
        try:
            return self.renewal.take_vote(message)
        except BadEncoding:
            if self._voting is self.renewal:
                raise
            return self._voting.take_vote(message)

    def holds(self, slot: tuple[int, int], data: bytes) -> bool:
        """Is the vote with these bytes held already?"""
        held = [renewal.ballot.votes.get(slot) for renewal in (self.renewal, self._voting)]
        return any(vote is not None and vote.data == data for vote in held)

    def said(self) -> list[wire.Message]:
        """All of votes and next rosters that others may lack."""
        return [*self.renewal.said(), *(self._voting.ballot.said() if self._voting is not self.renewal else ())]

    def _reaches(self, choice: Choice) -> bool:
        """Have we come to where this choice goes on from, on the same branch?"""
        place = self.book.places.get((choice[2] + 1, 0))
        return place is not None and place.prev == choice[3]

    def _may_undo(self, step: int) -> bool:
        """Has our person been told what going on from there undoes, if that is more than the present step?"""
        self.undoing = () if self.table.me is None or step >= self.table.step - 1 else self.book.events_after(step)
        return self._told == self.undoing or not self.undoing

    def tell(self) -> None:
        """What `undoing` says has been shown to our person."""
        self._told = self.undoing

    def follow(self, roster: Roster, by: int | None, now: float) -> None:
        """That seat shows the roster of the next match: it is checked, and followed, as soon as we have all that it goes on from.

        The latest counts until then: one that never can be followed must not stand before one that can.
        """
        origin = roster.come_from
        self.shown.add(roster, by, now)
        if origin is not None and origin.match == self.roster.match and roster.match not in self._abandoned:
            here = self.book.places.get((origin.step + 1, 0))
            with contextlib.suppress(BadEncoding):  # looked at before a whole match is replayed for it, which anybody could ask for
                self._goes_on(self.book, roster, [seat for seat in origin.gone if seat in self.book.gone_after(origin.step)])
                if (here is None or here.prev == origin.digest) and not (self._shut_out(roster) and self._doubtful(roster, now)):
                    self.following = roster
        elif origin is not None and self._before is not None and origin.match == self._before[0].roster.match and roster != self.roster:
            with contextlib.suppress(BadEncoding):
                self._compare(self._before[0], roster, now)

    def concerns(self, signed: Signed, now: float) -> bool:
        """Take a contribution of another match than ours; is it of one of the chain, or of one that goes on from it?"""
        if self.find(signed.said.match) is not None:
            return True
        shown, played = self._shows(signed, now), self._elsewhere(signed)
        return shown or played

    def _shows(self, signed: Signed, now: float) -> bool:
        """Has a seat signed this from its keys on in a match whose roster we have been shown?  Then that seat shows the roster too."""
        roster = self.shown.roster(signed.said.match)
        if roster is None or signed.said.place <= (0, 0) or signed.said.seat not in roster.here:
            return False
        if not genuine(signed.data, signed.signature, signed.said, roster):
            return False
        self.shown.add(roster, signed.said.seat, now, bound=True)
        self.follow(roster, signed.said.seat, now)
        return True

    def _goes_on(self, before: Book, roster: Roster, gone: Collection[int]) -> tuple[int, ...]:
        """See renewal.goes_on; with all that we hold.  Who has finished a game goes on with nothing."""
        rosters = [book.roster for book in (*self.past, self.book)]
        fault = before.fault or before.proof
        proven = () if fault is None or fault.seat is None else (fault.seat,)
        if before.finished and self.table.me is not None:
            raise BadEncoding("the game is finished")
        lost = goes_on(rosters[: rosters.index(before.roster) + 1], roster, gone, before.signed, proven)
        try:
            for one in parted(before.roster, roster)[1]:
                before.table.opened(one.said.seat, one.said.body)
        except PeerError:
            raise BadEncoding("a good-bye with other keys") from None
        return lost

    def _compare(self, before: Book, other: Roster, now: float) -> None:
        """Two rosters go on from one match: somebody has voted twice, or a seat was lost while the first was being signed."""
        mine, theirs = (parted(before.roster, roster)[0] for roster in (self.roster, other))
        for one in mine:
            for another in theirs:
                if (one.round, one.seat) == (another.round, another.seat) and one.data != another.data:
                    self._accuse(before, "two-votes", one.seat, ((one.data, one.signature), (another.data, another.signature)))
                    return
        step, out = other.come_from.step if other.come_from else 0, self._shut_out(other)
        known = before.table.step > step
        if self.table.step > 0 or rank(before.roster, other) <= rank(before.roster, self.roster) or not (known or out):
            return
        self._goes_on(before, other, before.gone_after(step) if known else ())
        if (self.table.round and not self.shown.by_most(other)) or (out and not self.shown.settled(other, now)):
            return  # with our keys somebody may play on here already, and one alone could lead us away from him
        if out:
            self.book.end(Fault("voted-out", None, "", b"", self.book.now.place))
        elif self._return():
            self.following = other

    def played(self) -> list[Signed]:
        """What shows to somebody who goes on from one of our matches in another way who has played with us."""
        books = [*self.past[1:], self.book] if self.past else []
        return [one for book in books for seat in book.table.here if (one := book.played(seat)) is not None]

    def _elsewhere(self, signed: Signed) -> bool:
        """Has a seat of ours signed this contribution, which is of a match that is none of ours?  Who plays in both is proven to cheat."""
        for book in (*self.past, self.book):
            if genuine(signed.data, signed.signature, signed.said, book.roster):
                mine, here = book.played(signed.said.seat), {*self.table.here} - {*self.table.rules.gone}
                if signed.said.seat not in here or self.book.fault or self.book.proof:
                    return True  # nobody is held up by what a seat says that plays no more
                if mine is not None and (claim := signed.contradicts(mine)):
                    self._accuse(book, claim, signed.said.seat, ((mine.data, mine.signature), (signed.data, signed.signature)))
                    self.book.against = mine, signed
                    self.book.accepted += self.book.against
                return True
        return False

    def _shut_out(self, roster: Roster) -> bool:
        return self.table.me is not None and self.table.me not in roster.here

    def _doubtful(self, roster: Roster, now: float) -> bool:
        """Has one perhaps kept it back while the others went on voting, and would not leave us behind any more?

        Who shows it is in it; who has voted again and does not show it has the table's grace to come with something else.
        """
        votes, _ = parted(self.roster, roster)
        later = {seat for round_, seat in self.renewal.ballot.votes if round_ > max(vote.round for vote in votes)}
        again = (later - self.shown.bound(roster)) & {vote.seat for vote in votes}
        return (bool(again) and self.shown.age(roster, now) < self.roster.options.grace) or not self.shown.settled(roster, now)

    def _return(self) -> bool:
        """Go back to the match before, on disk first."""
        assert self._before is not None
        if not self.book.write(log.NEXT, encode((self._before[0].roster.encode(), b"")), True):
            return False
        self._go_back()
        return True

    def _go_back(self) -> None:
        """Leave a match in which nothing has been played for the one before it; it is never entered again, since we have signed in it."""
        assert self._before is not None
        self._abandoned.add(self.roster.match)
        self.book, self.renewal, self.signer = self._before
        self._before = None
        self.past.pop()
        self._voids.pop()
        self.undone = ()

    def _accuse(self, book: Book, claim: str, seat: int, pair: tuple[tuple[bytes, bytes], ...]) -> None:
        against = [log.Statement(*one) for one in pair]
        proof = log.evidence(book.roster, (), against, book.earlier)
        self.book.prove(Fault(claim, seat, "", proof, self.book.now.place, tuple(data for data, _ in pair)))

    def _follow(self, roster: Roster) -> bool:
        origin = roster.come_from
        if origin is None or self.table.step <= origin.step or roster.match in self._abandoned:
            return False
        try:
            self._goes_on(self.book, roster, self.book.gone_after(origin.step))
        except BadEncoding:
            self.following = None
            return False
        if self._shut_out(roster):
            self.book.end(Fault("voted-out", None, "", b"", self.book.now.place))
            return False
        if not self._may_undo(origin.step):
            return False
        own = None if self.table.me is None else Secrets.generate(self.rng)
        if own is not None and not self.book.write(log.NEXT, encode((roster.encode(), own.encode())), True):
            return False
        return self.begin(roster, own)

    def begin(self, roster: Roster, own: Secrets | None) -> bool:
        """Go on in that match, from the public state that all have signed; False if ours differs.  Raises BadEncoding."""
        origin = roster.come_from
        if origin is None or self.table.step <= origin.step:
            raise BadEncoding("not the next match")
        old = self._cut(self.book, origin.step)
        lost = goes_on([book.roster for book in (*self.past, self.book)], roster, old.table.rules.gone, {})
        table = old.table.renewed(roster.match, lost, own)
        if (old.now.prev, table.rules.digest(), table.rules.gone) != (origin.digest, origin.snapshot, origin.gone):
            self.book.end(Fault("desync", None, "", b"", self.book.now.place))
            return False
        self._before = self.book, self.renewal, self.signer
        self._entered = parted(self.roster, roster)[0][0].round
        self.undone = self.book.events_after(origin.step) if origin.step < self.table.step - 1 else ()
        if self.signer is not None:
            self.signer, _ = fresh_key(self.signer)
        self.past.append(old)
        kept = {one.data for one in old.in_order()}
        self._voids.append([one for one in self.book.in_order() if one.data not in kept])
        self.book = Book(roster, table, self.journal, (*old.earlier, *match_items(old.roster, [r.in_order() for r in old.rounds])))
        self.book.verified = old.verified
        self.renewal = Renewal(self.book, self.signer, self.identity, self.resumed)
        self.following = None
        return True

    def _cut(self, book: Book, step: int) -> Book:
        """The book where the request `step` has been answered and nothing else has come."""
        if book.table.step == step + 1 and book.now.place == (step + 1, 0) and not book.now.said:
            return book
        if self._last_cut[0] is not book or self._last_cut[1] != step:
            self._last_cut = book, step, book.upto(step)  # kept, since to replay a match takes a while
        cut = self._last_cut[2]
        cut.verified = book.verified
        return cut

    def find(self, match: bytes) -> tuple[Book, Roster] | None:
        """An earlier match of the chain, and the roster of the one that followed it."""
        following = (*self.past[1:], self.book)
        return next(((one, then.roster) for one, then in zip(self.past, following, strict=False) if one.roster.match == match), None)
