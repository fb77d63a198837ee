"""Votes on going on without silent seats: what is signed, what counts, what has been decided.  It knows no links and no clock.

A vote has a slot of its own (match, vote round, seat) and says "stay", or "go on without these after step s, digest d".  Who has
voted to go on signs nothing else in the match until a vote round has more than half for "stay"; the highest round decides.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.plain import BadEncoding, decode, encode
from . import PROTOCOL
from .identity import Identity, verify
from .roster import Roster

LABEL = b"mastaba vote 1"
MAX_VOTE = 256  # bytes
MAX_ROUNDS = 1 << 32  # vote rounds of one match
MAX_KEPT = 16  # votes of one seat that are kept, its latest: who calls vote after vote fills no memory
LEAP = 64  # rounds that a minority can be ahead of half of the seats: who votes in the last round of all uses up nobody's rounds
STAY = ("stay",)
Choice = tuple[Any, ...]  # STAY, or ("go", seats, step, digest)


@dataclass(frozen=True, slots=True)
class Vote:
    """One seat's vote, as signed."""

    data: bytes
    signature: bytes
    round: int
    seat: int
    choice: Choice


def cast(roster: Roster, round_: int, seat: int, choice: Choice, key: Identity) -> Vote:
    """A vote signed with the seat's match key."""
    data = encode((PROTOCOL, "vote", roster.match, round_, seat, choice))
    return Vote(data, key.sign(LABEL, data), round_, seat, choice)


def read(data: bytes, signature: bytes, roster: Roster) -> Vote:
    """The vote with these bytes; raises BadEncoding unless it is canonical, of this match, and signed by a seat that plays."""
    value = decode(data, MAX_VOTE)
    if type(value) is not tuple or len(value) != 6 or type(value[0]) is not int or value[:3] != (PROTOCOL, "vote", roster.match):
        raise BadEncoding("not a vote of this match")
    round_, seat, choice = value[3:]
    if type(round_) is not int or type(seat) is not int or not 0 <= round_ < MAX_ROUNDS or seat not in roster.here:
        raise BadEncoding("no such slot")
    if choice != STAY and not _good_going(choice, roster):
        raise BadEncoding("no such choice")
    if not verify(roster.seats[seat].signing, LABEL, data, signature):
        raise BadEncoding("bad signature")
    return Vote(data, signature, round_, seat, choice)


def slot_of(data: bytes) -> tuple[int, int] | None:
    """The (vote round, seat) that these bytes name, before anything else is looked at; None if they are no vote."""
    try:
        value = decode(data, MAX_VOTE)
    except BadEncoding:
        return None
    good = type(value) is tuple and len(value) > 4 and type(value[3]) is type(value[4]) is int
    return (value[3], value[4]) if good else None


def _good_going(choice: Any, roster: Roster) -> bool:
    if type(choice) is not tuple or [type(c) for c in choice] != [str, tuple, int, bytes]:
        return False
    word, lost, step, digest = choice
    seats = all(type(seat) is int for seat in lost) and lost == tuple(sorted(set(lost) & set(roster.here))) and lost != ()
    return bool(word == "go" and seats and -1 <= step < 1 << 32 and len(digest) == 32)


def without(choice: Choice) -> tuple[int, ...]:
    """The seats without which this vote would go on."""
    seats: tuple[int, ...] = () if choice == STAY else choice[1]
    return seats


def certificate(playing: Collection[int], votes: Sequence[Vote]) -> Choice | None:
    """The choice that these votes decide: one vote round, more than half of the seats that still play, all the same; else None.

    Who would be shut out cannot make the majority that does it: his vote, sent to some alone, would make two certificates of one.
    """
    seats = {vote.seat for vote in votes if vote.seat in playing and vote.seat not in without(vote.choice)}
    same = len({(vote.round, encode(vote.choice)) for vote in votes}) == 1
    return votes[0].choice if votes and same and len(seats) == len(votes) and 2 * len(seats) > len(playing) else None


class Ballot:
    """All votes of one match that this peer has seen."""

    def __init__(self, roster: Roster, me: int | None) -> None:
        self.roster, self.me = roster, me
        self.votes: dict[tuple[int, int], Vote] = {}  # by (vote round, seat)
        self.playing = roster.here  # without those who have said good-bye: they are not waited for
        self.decided: list[Vote] = []  # a certificate for going on, complete

    @property
    def mine(self) -> Vote | None:
        """This seat's latest vote."""
        return next((vote for key, vote in sorted(self.votes.items(), reverse=True) if vote.seat == self.me), None)

    @property
    def frozen(self) -> bool:
        """This seat has voted to go on, and no later round has decided to stay: it signs nothing else in this match."""
        mine = self.mine
        if mine is None or mine.choice == STAY:
            return False
        return not any(self._majority(round_) == STAY for round_ in {r for r, _ in self.votes if r >= mine.round})

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
        latest = {seat: round_ for round_, seat in sorted(self.votes) if seat in self.playing}
        half = sorted(latest.values(), reverse=True)[(len(self.playing) + 1) // 2 - 1 :]
        return max((round_ for round_, _ in self.votes if round_ <= (half or [0])[0] + LEAP), default=0)

    @property
    def called(self) -> frozenset[int]:
        """The seats without which somebody would go on now."""
        return frozenset(lost for _, lost in self.last() if lost is not None)

    def going(self, lost: int) -> list[Vote]:
        """The latest votes of all but that seat, as far as they would go on without it."""
        latest = {seat: vote for (_, seat), vote in sorted(self.votes.items())}
        return [vote for seat, vote in latest.items() if lost in without(vote.choice) and seat != lost]

    @property
    def at_the_end(self) -> Choice | None:
        """What this seat votes once the game is over, if anybody has voted: to stay, so that all are free to sign the result."""
        mine, done = self.mine, self.decided or not self.votes or self.me is None
        return None if done or (mine is not None and mine.choice == STAY and mine.round == self.highest) else STAY

    def anew(self, here: tuple[int, bytes], late: Collection[int], reached: Collection[int]) -> Choice | None:
        """What this seat must vote now, having voted to go on: from where it stands now, without all who are silent now.

        So all who have voted alike end with equal votes, however far they were apart.  None if its vote stands.
        """
        mine = self.mine
        if mine is None or mine.choice == STAY:
            return None
        before = without(mine.choice)
        lost = {seat for seat in before if seat not in reached} | set(late) & set(self.playing) - {self.me}
        wish = ("go", tuple(sorted(lost or before)), *here)
        if self.decided and not self._dropped:
            return wish if set(late) & set(self.playing) - set(before) - {self.me} else None
        others = [vote for vote in self.votes.values() if vote.seat not in wish[1] and set(without(vote.choice)) & set(wish[1])]
        later = any(mine.round < vote.round <= self.highest for vote in others)
        return wish if wish != mine.choice or later else None

    @property
    def _dropped(self) -> bool:
        """One who made the majority has voted again: it had not seen that majority, and will not heed it."""
        members = {vote.seat for vote in self.decided} - {self.me}
        return any(seat in members and round_ > self.decided[0].round for round_, seat in self.votes)

    def take(self, vote: Vote) -> Vote | None:
        """Book a vote.  Returns an earlier one of the same slot with other bytes: that proves the seat's cheating."""
        held = self.votes.setdefault((vote.round, vote.seat), vote)
        if held.data != vote.data:
            return held
        rounds = sorted(round_ for round_, seat in self.votes if seat == vote.seat)
        for old in rounds[:-MAX_KEPT] if vote.seat != self.me else ():
            del self.votes[old, vote.seat]
        self._decide(vote.round)
        return None

    def count(self, playing: tuple[int, ...]) -> None:
        """From now on these are the seats that still play: fewer may be more than half, and who has left is none of them any more."""
        if playing != self.playing:
            self.playing = playing
            if certificate(playing, self.decided) is None:
                self.decided = []
            for round_ in sorted({round_ for round_, _ in self.votes}):
                self._decide(round_)

    def _decide(self, round_: int) -> None:
        choice, mine = self._majority(round_), self.mine
        heeded = mine is None or round_ >= mine.round  # who has voted in a round no longer heeds an earlier one
        if choice is not None and choice != STAY and heeded:
            self.decided = self._for(round_, choice)

    def _of(self, round_: int) -> list[Vote]:
        return [vote for (r, _), vote in sorted(self.votes.items()) if r == round_]

    def _majority(self, round_: int) -> Choice | None:
        choices = {vote.choice for vote in self._of(round_)}
        return next((choice for choice in choices if certificate(self.playing, self._for(round_, choice)) is not None), None)

    def _for(self, round_: int, choice: Choice) -> list[Vote]:
        """The votes that count for it: not of those who would be left behind, nor of those who have left since."""
        same = [vote for vote in self._of(round_) if vote.choice == choice and vote.seat not in without(choice)]
        return [vote for vote in same if vote.seat in self.playing]
