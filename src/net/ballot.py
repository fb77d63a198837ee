"""The votes of one match as one seat holds them: what they decide, and what this seat votes by itself.  It knows no links and no clock.

Persons call a vote (`Renewal.vote`); from then on `wish` says, whenever something has changed, what the program votes on their behalf:
the same from further on, without fewer or more seats, or "stay".  docs/protocol.md section 10 has the rules.
"""

from collections.abc import Collection, Hashable, Mapping

from . import wire
from .book import Book, Place
from .votes import STAY, Choice, Vote, byes, certificate, stands, without

MAX_KEPT = 16  # votes of one seat that are kept, its latest: who calls vote after vote fills no memory
LEAP = 64  # rounds that half of the seats can be ahead of the others: who votes in the last round of all uses up nobody's rounds


class Ballot:
    """All votes of one match that this peer has seen.

    `unreached` and `awaited` are the grounds of this seat's latest vote: the lost seats without contact, and what each of the others was
    waited for.
    """

    def __init__(self, book: Book) -> None:
        self.book, self.roster, self.me = book, book.roster, book.table.me
        self.votes: dict[tuple[int, int], Vote] = {}  # by (vote round, seat)
        self.unreached: set[int] = set()
        self.awaited: dict[int, frozenset[Hashable]] | None = {}  # None: the vote is from a journal, and it is not known any more
        self._followed: set[tuple[int, bool]] = set()  # whose "stay" this seat has followed (True), or whose vote against itself answered
        self._place: Place = book.now.place  # since when: each is followed once until a round is completed

    # -- what has been voted -------------------------------------------------------------------------------------------

    @property
    def here(self) -> tuple[int, ...]:
        """The seats that play now, without those whose good-bye is in force."""
        return tuple(seat for seat in self.roster.here if seat not in self.book.table.rules.gone and seat not in self.book.left)

    @property
    def playing(self) -> tuple[int, ...]:
        """Those of them that persons play and that have said no good-bye at all: they vote, and are counted."""
        return tuple(seat for seat in self.here if seat in self.roster.voters and seat not in self.book.good_byes)

    def may_lose(self, seat: int) -> bool:
        """Are there enough others to go on without this seat?"""
        rest = set(self.playing) - {seat}
        return 2 * len(rest) > len(self.playing) and len({*self.here} - {seat}) > 1

    @property
    def mine(self) -> Vote | None:
        """This seat's latest vote."""
        return self.latest().get(self.me) if self.me is not None else None

    def latest(self) -> dict[int, Vote]:
        """The latest vote of each seat."""
        return {seat: vote for (_, seat), vote in sorted(self.votes.items())}

    @property
    def decided(self) -> list[Vote]:
        """The certificate for going on that this seat heeds, if there is one: the highest that no later majority for "stay" has ended."""
        if not self.votes or self.book.finished:
            return []
        mine = self.mine
        for round_ in sorted({round_ for round_, _ in self.votes if mine is None or round_ >= mine.round}, reverse=True):
            if self.stays(round_):
                return []
            votes = self._of(round_)
            for choice in sorted({vote.choice for vote in votes} - {STAY}):
                same = [vote for vote in votes if vote.choice == choice and vote.seat not in without(choice) and vote.seat in self.playing]
                if heeded := self._heeded(choice, same):
                    return heeded
        return []

    def _heeded(self, choice: Choice, votes: list[Vote]) -> list[Vote]:
        """Those of these votes that leave the past alone, if they are a certificate, of good-byes that we hold; else none."""
        book = self.book
        gone = book.gone_after(choice[2])
        voters = [seat for seat in self.roster.voters if seat not in gone]
        remain = [seat for seat in voters if seat not in (*without(choice), *byes(choice))]
        proven = book.fault is not None and book.fault.seat in without(choice)
        good = [vote for vote in votes if stands(vote, book.signed, remain, proven)]
        return good if set(byes(choice)) <= {*book.good_byes} and certificate(voters, good) is not None else []

    def stays(self, round_: int) -> bool:
        """Has more than half said "stay" in this vote round?"""
        return 2 * sum(vote.choice == STAY and vote.seat in self.playing for vote in self._of(round_)) > len(self.playing)

    def stays_after(self, round_: int) -> bool:
        """Has more than half said "stay" in a later vote round than this one?"""
        return any(self.stays(later) for later in {later for later, _ in self.votes if later > round_})

    @property
    def frozen(self) -> bool:
        """This seat's latest vote is to go on: it signs nothing else in this match."""
        mine = self.mine
        return mine is not None and mine.choice != STAY

    @property
    def next_round(self) -> int:
        """The vote round in which this seat may vote now: the highest that anybody has voted in, or the one after."""
        mine = self.mine  # never again where it has voted: the highest round can fall when somebody leaves
        return self.highest if mine is None or mine.round < self.highest else mine.round + 1

    def last(self) -> tuple[tuple[int, int | None], ...]:
        """(seat, without whom it would go on, or None) in the highest vote round."""
        return tuple((vote.seat, lost) for vote in self._of(self.highest) for lost in (without(vote.choice) or (None,)))

    @property
    def highest(self) -> int:
        """The vote round that is under way: the highest, as long as no minority runs away."""
        playing = self.playing
        latest = {seat: round_ for round_, seat in sorted(self.votes) if seat in playing}
        most = sorted(latest.values(), reverse=True)[len(playing) // 2 :]  # more than half have come so far, or to a later one
        return max((round_ for round_, _ in self.votes if round_ <= (most or [0])[0] + LEAP), default=0)

    @property
    def called(self) -> frozenset[int]:
        """The seats without which somebody would go on now."""
        return frozenset(lost for _, lost in self.last() if lost is not None)

    def going(self, lost: int) -> list[Vote]:
        """The latest votes of all but that seat, as far as they would go on without it."""
        return [vote for seat, vote in self.latest().items() if lost in without(vote.choice) and seat != lost]

    def take(self, vote: Vote) -> Vote | None:
        """Book a vote.  Returns an earlier one of the same slot with other bytes: that proves the seat's cheating."""
        held = self.votes.setdefault((vote.round, vote.seat), vote)
        if held.data != vote.data:
            return held
        if held is vote:
            self.heard(vote.seat)
        rounds = sorted(round_ for round_, seat in self.votes if seat == vote.seat)
        for old in rounds[:-MAX_KEPT] if vote.seat != self.me else ():
            del self.votes[old, vote.seat]
        return None

    def said(self) -> list[wire.Message]:
        """The votes as messages, for all links."""
        return [wire.Vote(vote.data, vote.signature) for _, vote in sorted(self.votes.items())]

    def _of(self, round_: int) -> list[Vote]:
        return [vote for (r, _), vote in sorted(self.votes.items()) if r == round_]

    # -- what this seat votes ------------------------------------------------------------------------------------------

    def heard(self, seat: int) -> None:
        """There is contact with this seat: a link of our own, or something that it has signed and that is new to us."""
        self.unreached.discard(seat)

    def wish(self, here: tuple[int, bytes], late: Collection[int], waits: Mapping[int, frozenset[Hashable]], over: bool) -> Choice | None:
        """What this seat votes now by itself, or None: its vote stands, or it is a person's to give one.

        `here` is from where it would go on; `late` are the seats that are silent for too long, `waits` is what each seat has not
        done; `over`: the game has ended, and only signatures are open.
        """
        if self.me not in self.playing or not self.votes or self.book.table.done:
            return None
        if self._place != self.book.now.place:
            self._place, self._followed = self.book.now.place, set()
        mine = self.mine
        if self.awaited is None:
            voted = without(mine.choice) if mine else ()
            self.awaited = {seat: waits.get(seat, frozenset()) for seat in voted if seat not in self.unreached}
        if over and not (mine is not None and mine.choice == STAY and mine.round == self.highest) and not self._meant(mine, waits):
            return STAY  # there is nothing to go on with: all are free to sign the result
        if self.book.finished:
            return None
        if mine is None or mine.choice == STAY:
            return self._follow(-1 if mine is None else mine.round)
        lost = self.still(waits)
        answers = any(seat not in self.unreached for seat in lost)
        lost |= set(late) & set(self.here) - {self.me}
        if not lost or (not answers and self._follow(mine.round) == STAY):
            return STAY
        return self._again(mine, self.choice(lost, here))

    def _meant(self, mine: Vote | None, waits: Mapping[int, frozenset[Hashable]]) -> bool:
        """At the end of the game: is there a majority that goes on all the same, and is this seat for it, or not against it?"""
        if not self.decided:
            return False
        return mine is None or mine.choice == STAY or bool(self.still(waits))

    def still(self, waits: Mapping[int, frozenset[Hashable]]) -> set[int]:
        """The seats that this seat's latest vote leaves behind with good reason still; `waits`: what each seat has not done."""
        lost = without(self.mine.choice) if self.mine is not None else ()
        return {seat for seat in lost if seat in self.unreached or self._unanswered(seat, waits)}

    def _unanswered(self, seat: int, waits: Mapping[int, frozenset[Hashable]]) -> bool:
        return self.awaited is not None and seat in self.awaited and self.awaited[seat] <= waits.get(seat, frozenset())

    def choice(self, lost: Collection[int], here: tuple[int, bytes]) -> Choice:
        """To go on from here without these seats, counting the good-byes that we hold."""
        gone = self.book.gone_after(here[0])
        return ("go", tuple(sorted(lost)), *here, tuple(seat for seat in self.book.good_byes if seat not in gone))

    def _again(self, mine: Vote, wish: Choice) -> Choice | None:
        """So all who have voted alike end with equal votes, however far they were apart.  None if the vote stands."""
        decided = self.decided
        if decided and not self._dropped(decided):
            changed = (without(wish), byes(wish)) != (without(mine.choice), byes(mine.choice))
            return wish if changed or wish[2] < mine.choice[2] else None  # below its own vote only to come down to others, after a proof
        others = [vote for vote in self.votes.values() if vote.seat not in wish[1] and set(without(vote.choice)) & set(wish[1])]
        later = any(mine.round < vote.round <= self.highest for vote in others)
        return wish if wish != mine.choice or later else None

    def _dropped(self, decided: list[Vote]) -> bool:
        """One who made the majority has voted again: it had not seen that majority, and will not heed it."""
        members = {vote.seat for vote in decided} - {self.me}
        return any(seat in members and round_ > decided[0].round for round_, seat in self.votes)

    def _follow(self, after: int) -> Choice | None:
        """STAY if another seat has said so, or votes against this one, in a later round; each once, so that nobody is held up."""
        latest = {seat: vote for seat, vote in self.latest().items() if seat != self.me and seat in self.playing}
        if all(vote.choice == STAY for vote in latest.values()) and (self.mine is None or self.mine.choice == STAY):
            return None  # nobody is left who would go on
        for seat, vote in latest.items():
            stays = vote.choice == STAY
            if vote.round > after and (seat, stays) not in self._followed and (stays or self.me in without(vote.choice)):
                self._followed.add((seat, stays))
                return STAY
        return None
