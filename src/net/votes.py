"""Votes on going on without a silent seat: what is signed, what counts, what has been decided.  It knows no links and no clock.

A vote has a slot of its own (match, vote round, seat) and says "stay", or "go on without X after step s, digest d".  Who has
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
MAX_ROUNDS = 64  # vote rounds of one match: who calls vote after vote fills no memory
STAY = ("stay",)
Choice = tuple[Any, ...]  # STAY, or ("go", seat, step, digest)


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
    go = type(choice) is tuple and [type(c) for c in choice] == [str, int, int, bytes] and choice[0] == "go" and len(choice[3]) == 32
    if choice != STAY and not (go and choice[1] in roster.here):
        raise BadEncoding("no such choice")
    if not verify(roster.seats[seat].signing, LABEL, data, signature):
        raise BadEncoding("bad signature")
    return Vote(data, signature, round_, seat, choice)


def certificate(playing: Collection[int], votes: Sequence[Vote]) -> Choice | None:
    """The choice that these votes decide: one vote round, more than half of the seats that still play, all the same; else None."""
    seats = {vote.seat for vote in votes if vote.seat in playing}
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
        return not any(self._majority(round_) == STAY for round_ in range(mine.round, MAX_ROUNDS) if self._of(round_))

    @property
    def next_round(self) -> int:
        """The vote round in which this seat may vote now: the highest that anybody has voted in, or the one after."""
        highest = max((round_ for round_, _ in self.votes), default=0)
        return highest + 1 if (highest, self.me) in self.votes else highest

    def last(self) -> tuple[tuple[int, int | None], ...]:
        """(seat, without whom it would go on, or None) in the highest vote round."""
        highest = max((round_ for round_, _ in self.votes), default=0)
        return tuple((vote.seat, None if vote.choice == STAY else vote.choice[1]) for vote in self._of(highest))

    def stale(self, here: tuple[int, bytes]) -> int | None:
        """The seat without which this one has voted to go on, if it must say so anew: from another step, or in a later vote round."""
        mine = self.mine
        if mine is None or mine.choice == STAY or self.decided:
            return None
        later = any(vote.round > mine.round and vote.choice[:2] == mine.choice[:2] for vote in self.votes.values())
        return int(mine.choice[1]) if later or mine.choice[2:] != here else None

    def take(self, vote: Vote) -> Vote | None:
        """Book a vote.  Returns an earlier one of the same slot with other bytes: that proves the seat's cheating."""
        held = self.votes.setdefault((vote.round, vote.seat), vote)
        if held.data != vote.data:
            return held
        choice = self._majority(vote.round)
        mine = self.mine
        heeded = mine is None or vote.round >= mine.round  # who has voted in a round no longer heeds an earlier one
        if choice is not None and choice != STAY and heeded:
            self.decided = [v for v in self._of(vote.round) if v.choice == choice]
        return None

    def _of(self, round_: int) -> list[Vote]:
        return [vote for (r, _), vote in sorted(self.votes.items()) if r == round_]

    def _majority(self, round_: int) -> Choice | None:
        votes = self._of(round_)
        for choice in {vote.choice for vote in votes}:
            same = [vote for vote in votes if vote.choice == choice]
            if certificate(self.playing, same) is not None:
                return choice
        return None
