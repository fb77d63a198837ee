"""The matches of a chain as one peer holds them: the one that is played, and how another follows when a seat is lost.

It knows books, rosters and what must be on disk; not who is on the line.
"""

import contextlib
from collections.abc import Callable

from ..core.errors import LocalError
from ..core.fair.keys import Secrets
from ..core.fair.table import Table
from ..core.plain import BadEncoding, decode, encode
from . import log
from .book import Book, Fault
from .identity import Identity
from .log import Journal, Signed, genuine, match_items, parse
from .renewal import Renewal, fresh_key, goes_on, parted, rank
from .roster import Roster
from .votes import Choice, Vote, read, without

Rng = Callable[[int], bytes]
SETTLE = 4.0  # seconds until we believe that we were voted out: two rounds of At, in which others show how they vote now
MAX_SHOWN = 16  # rosters of which we remember who has shown them


class Chain:
    """`book` is of the match that is played now; `past` are those before it, each cut where the next goes on."""

    def __init__(
        self, roster: Roster, table: Table, journal: Journal, rng: Rng, signer: Identity | None, identity: Identity | None
    ) -> None:
        self.journal, self.rng, self.signer, self.identity = journal, rng, signer, identity
        self.past: list[Book] = []
        self._before: tuple[Book, Renewal, Identity | None] | None = None  # the match before this one, as we left it
        self._abandoned: set[bytes] = set()
        self.book = Book(roster, table, journal)
        self._last_cut: tuple[Book | None, int, Book] = None, -1, self.book
        self.renewal = Renewal(roster, table.me, signer, identity)
        self.following: Roster | None = None  # the next match's roster, while we lack rounds of this one
        self._shown: dict[bytes, tuple[float, set[int | None]]] = {}  # since when a roster is shown, and by whom, by its match

    @property
    def roster(self) -> Roster:
        return self.book.roster

    @property
    def table(self) -> Table:
        return self.book.table

    @property
    def here(self) -> tuple[int, bytes]:
        """(step, digest) of the last answered request, from which a vote would go on; -1 while the keys are made.

        After a proven cheat peers may hold two branches: then it is the last step on which all who vote to go on agree, which
        what they have signed shows.  So nobody can have more undone than what he has not signed over.  Who votes from further on
        than we have come will come down to us, or find the fork, and is not followed; and what we have voted before counts as
        another's vote does, so that two who follow each other do not change places for ever.
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

    def vote(self, choice: Choice) -> Vote:
        """This seat's vote: on disk before it is sent.  LocalError if there is none to give."""
        vote = self.renewal.vote(choice)
        if not self.book.write(log.VOTE, encode((vote.data, vote.signature)), True):
            raise LocalError("disk")
        self.renewal.ballot.take(vote)
        return vote

    def restore(self, records: list[tuple[int, bytes]]) -> None:
        """Replay a journal's records.  Raises ValueError or TypeError for what is no record of ours."""
        for kind, payload in records:
            match kind, decode(payload):
                case log.OWN, (data, signature, private):
                    self.book.restore([(Signed(data, signature, parse(data, self.roster)), private)])
                case log.THEIRS, (data, signature):
                    self.book.restore([(Signed(data, signature, parse(data, self.roster)), None)])
                case log.VOTE, (data, signature):
                    self.renewal.ballot.take(read(data, signature, self.roster))
                case log.NEXT, (_, b""):
                    self._go_back()
                case log.NEXT, (roster, own):
                    self.begin(Roster.decode(roster), Secrets.decode(own))
                case _:
                    raise ValueError("unknown record")

    def work(self) -> bool:
        """Do what is due of a renewal; True if a new match has begun."""
        gone = (*self.table.rules.gone, *self.book.left)
        self.renewal.ballot.count(tuple(seat for seat in self.roster.here if seat not in gone))
        if self.renewal.evidence is not None and not (self.book.fault or self.book.proof):
            self._accuse(self.book, *self.renewal.evidence)
        if self.book.fault and self.book.fault.seat is None:
            return False
        choice = self.renewal.choice
        if choice is not None and self._has(choice[2]):
            state = self._cut(self.book, choice[2]).table.rules.copy()
            left = [one for seat, one in sorted(self.book.left.items()) if seat not in state.gone]
            state.lost(*sorted({*without(choice), *(one.said.seat for one in left)} - {*state.gone}))
            self.renewal.step(state.digest(), state.gone, left)
            if self.renewal.agreed is not None and self._follow(self.renewal.agreed):
                return True
        return self.following is not None and self._follow(self.following)

    def follow(self, roster: Roster, by: int | None, now: float) -> None:
        """That seat shows the roster of the next match: it is checked, and followed, as soon as we have all that it goes on from.

        The latest counts until then: one that never can be followed must not stand before one that can.
        """
        origin = roster.come_from
        since, seats = self._shown.pop(roster.match, (now, set()))
        self._shown = dict([*self._shown.items(), (roster.match, (since, seats | {by}))][-MAX_SHOWN:])
        if origin is not None and origin.match == self.roster.match and roster.match not in self._abandoned:
            here = self.book.places.get((origin.step + 1, 0))
            gone = tuple(seat for seat in origin.gone if seat in self.table.rules.gone)
            with contextlib.suppress(BadEncoding):  # looked at before a whole match is replayed for it, which anybody could ask for
                goes_on(self.roster, roster, gone)
                if (here is None or here.prev == origin.digest) and not (self._shut_out(roster) and self._doubtful(roster, now)):
                    self.following = roster
        elif origin is not None and self._before is not None and origin.match == self._before[0].roster.match and roster != self.roster:
            with contextlib.suppress(BadEncoding):
                self._compare(self._before[0], roster, now)

    def _compare(self, before: Book, other: Roster, now: float) -> None:
        """Two rosters go on from one match: somebody has voted twice, or a seat was lost while the first was being signed.

        No match gets beyond its keys without all who have signed its roster, so until then one can still go over to the other.
        """
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
        goes_on(before.roster, other, self._cut(before, step).table.rules.gone if known else ())
        if (self.table.round and not self._by_half(other)) or (out and not self._settled(other, now)):
            return  # with our keys somebody may play on here already, and one alone could lead us away from him
        if out:
            self._end("voted-out")
        elif self.book.write(log.NEXT, encode((before.roster.encode(), b"")), True):
            self._go_back()
            self.following = other

    def played(self) -> list[Signed]:
        """What shows to somebody who goes on from one of our matches in another way who has played with us."""
        books = [*self.past[1:], self.book] if self.past else []
        return [one for book in books for seat in book.table.here if (one := book.played(seat)) is not None]

    def elsewhere(self, signed: Signed) -> bool:
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

    def _by_half(self, roster: Roster) -> bool:
        """Do half of those who play in that match say so?"""
        return 2 * len(self._shown[roster.match][1] & set(roster.here)) >= len(roster.here)

    def _settled(self, roster: Roster, now: float) -> bool:
        """And has it been shown for so long that others have had their say?"""
        return self._by_half(roster) and now - self._shown[roster.match][0] >= SETTLE

    def _doubtful(self, roster: Roster, now: float) -> bool:
        """Has one perhaps kept it back while the others went on voting, and would not leave us behind any more?

        Who shows it is in it; who has voted again and does not show it has the table's grace to come with something else.
        """
        votes, _ = parted(self.roster, roster)
        since, seats = self._shown[roster.match]
        later = {seat for round_, seat in self.renewal.ballot.votes if round_ > max(vote.round for vote in votes)} - seats
        again = not later.isdisjoint(vote.seat for vote in votes) and now - since < self.roster.options.grace
        return again or not self._settled(roster, now)

    def _go_back(self) -> None:
        """Leave a match in which nothing has been played for the one before it; it is never entered again, since we have signed in it."""
        assert self._before is not None
        self._abandoned.add(self.roster.match)
        self.book, self.renewal, self.signer = self._before
        self._before = None
        self.past.pop()

    def _accuse(self, book: Book, claim: str, seat: int, pair: tuple[tuple[bytes, bytes], ...]) -> None:
        against = [log.Statement(*one) for one in pair]
        self.book.prove(Fault(claim, seat, "", log.evidence(book.roster, (), against, book.earlier), self.book.now.place))

    def _end(self, claim: str) -> None:
        self.book.end(Fault(claim, None, "", b"", self.book.now.place))

    def _follow(self, roster: Roster) -> bool:
        origin = roster.come_from
        if origin is None or not self._has(origin.step) or roster.match in self._abandoned:
            return False
        try:
            goes_on(self.roster, roster, self._cut(self.book, origin.step).table.rules.gone)
        except BadEncoding:
            self.following = None
            return False
        if self._shut_out(roster):
            self._end("voted-out")
            return False
        own = None if self.table.me is None else Secrets.generate(self.rng)
        if own is not None and not self.book.write(log.NEXT, encode((roster.encode(), own.encode())), True):
            return False
        return self.begin(roster, own)

    def begin(self, roster: Roster, own: Secrets | None) -> bool:
        """Go on in that match, from the public state that all have signed; False if ours differs.  Raises BadEncoding."""
        origin = roster.come_from
        if origin is None or not self._has(origin.step):
            raise BadEncoding("not the next match")
        old = self._cut(self.book, origin.step)
        lost = goes_on(self.roster, roster, old.table.rules.gone)
        table = old.table.renewed(roster.match, lost, own)
        if (old.now.prev, table.rules.digest(), table.rules.gone) != (origin.digest, origin.snapshot, origin.gone):
            self._end("desync")
            return False
        self._before = self.book, self.renewal, self.signer
        if self.signer is not None:
            self.signer, _ = fresh_key(self.signer)
        self.past.append(old)
        self.book = Book(roster, table, self.journal, (*old.earlier, *match_items(old.roster, [r.in_order() for r in old.rounds])))
        self.book.verified = old.verified
        self.renewal = Renewal(roster, table.me, self.signer, self.identity)
        self.following = None
        return True

    def _has(self, step: int) -> bool:
        return self.table.step > step

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
        books = [*self.past, self.book]
        return next(((book, books[i + 1].roster) for i, book in enumerate(self.past) if book.roster.match == match), None)
