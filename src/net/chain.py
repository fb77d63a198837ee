"""The matches of a chain as one peer holds them: the one that is played, and how another follows when a seat is lost.

It knows books, rosters and what must be on disk; not who is on the line.
"""

from collections.abc import Callable

from ..core.errors import LocalError
from ..core.fair.keys import Secrets
from ..core.fair.table import Table
from ..core.plain import BadEncoding, decode, encode
from . import log
from .book import Book, Fault
from .identity import Identity
from .log import Journal, Signed, match_items, parse
from .renewal import Renewal, fresh_key, goes_on
from .roster import Roster
from .votes import Choice, Vote, read

Rng = Callable[[int], bytes]


class Chain:
    """`book` is of the match that is played now; `past` are those before it, each cut where the next goes on."""

    def __init__(
        self, roster: Roster, table: Table, journal: Journal, rng: Rng, signer: Identity | None, identity: Identity | None
    ) -> None:
        self.journal, self.rng, self.signer, self.identity = journal, rng, signer, identity
        self.past: list[Book] = []
        self.book = Book(roster, table, journal)
        self.renewal = Renewal(roster, table.me, signer, identity)
        self.following: Roster | None = None  # the next match's roster, while we lack rounds of this one

    @property
    def roster(self) -> Roster:
        return self.book.roster

    @property
    def table(self) -> Table:
        return self.book.table

    @property
    def here(self) -> tuple[int, bytes]:
        """(step, digest) of the last answered request: where a vote would go on from.  No branch of a proven fork is continued."""
        fault = self.book.fault
        step = fault.place[0] if fault is not None and fault.seat is not None else self.table.step
        return step - 1, self.book.places[step, 0].prev

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
                case log.NEXT, (roster, own):
                    self.begin(Roster.decode(roster), Secrets.decode(own))
                case _:
                    raise ValueError("unknown record")

    def work(self) -> bool:
        """Do what is due of a renewal; True if a new match has begun."""
        self.renewal.ballot.playing = tuple(seat for seat in self.roster.here if seat not in self.table.rules.gone)
        choice = self.renewal.choice
        if choice is not None and self.following is None and self._has(choice[2]):
            state = self._cut(choice[2]).table.rules.copy()
            state.lost(choice[1])
            self.renewal.step(state.digest(), state.gone)
            self.following = self.renewal.agreed
        return self.following is not None and self._follow(self.following)

    def follow(self, roster: Roster) -> None:
        """Somebody shows the roster of the next match: it is checked, and followed, as soon as we have all that it goes on from."""
        origin = roster.come_from
        if origin is not None and origin.match == self.roster.match:
            self.following = self.following or roster

    def _follow(self, roster: Roster) -> bool:
        origin = roster.come_from
        if origin is None or not self._has(origin.step):
            return False
        try:
            goes_on(self.roster, roster, self._cut(origin.step).table.rules.gone)
        except BadEncoding:
            self.following = None
            return False
        me = self.table.me
        if me is not None and me not in roster.here:
            self.book.end(Fault("voted-out", None, "", b"", self.book.now.place))
            return False
        own = None if me is None else Secrets.generate(self.rng)
        if own is not None and not self.book.write(log.NEXT, encode((roster.encode(), own.encode())), True):
            return False
        self.begin(roster, own)
        return True

    def begin(self, roster: Roster, own: Secrets | None) -> None:
        """Go on in that match, from the public state that all have signed.  Raises BadEncoding if ours differs."""
        origin = roster.come_from
        if origin is None or not self._has(origin.step):
            raise BadEncoding("not the next match")
        old = self._cut(origin.step)
        choice = goes_on(self.roster, roster, old.table.rules.gone)
        table = old.table.renewed(roster.match, choice[1], own)
        if (old.now.prev, table.rules.digest(), table.rules.gone) != (origin.digest, origin.snapshot, origin.gone):
            self.book.end(Fault("desync", None, "", b"", self.book.now.place))
            return
        if self.signer is not None:
            self.signer, _ = fresh_key(self.signer, choice)
        self.past.append(old)
        self.book = Book(roster, table, self.journal, (*old.earlier, *match_items(old.roster, [r.in_order() for r in old.rounds])))
        self.book.verified = old.verified
        self.renewal = Renewal(roster, table.me, self.signer, self.identity)
        self.following = None

    def _has(self, step: int) -> bool:
        return self.table.step > step

    def _cut(self, step: int) -> Book:
        """The book where the request `step` has been answered and nothing else has come."""
        if self.table.step == step + 1 and self.book.now.place == (step + 1, 0) and not self.book.now.said:
            return self.book
        book = self.book.upto(step)
        book.verified = self.book.verified
        return book

    def find(self, match: bytes) -> tuple[Book, Roster] | None:
        """An earlier match of the chain, and the roster of the one that followed it."""
        books = [*self.past, self.book]
        return next(((book, books[i + 1].roster) for i, book in enumerate(self.past) if book.roster.match == match), None)
