"""Votes on going on without silent seats: what is signed, and what a set of votes decides.  It knows no links and no clock.

A vote has a slot of its own (match, vote round, seat) and says "stay", or "go on without these after step s, digest d, counting these
good-byes".  What one seat has seen of the votes, and how it votes, is ballot.py's.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.plain import BadEncoding, decode, digest, encode
from . import PROTOCOL
from .identity import Identity, verify
from .roster import Roster

LABEL = b"mastaba vote 1"
MAX_VOTE = 256  # bytes
MAX_ROUNDS = 1 << 32  # vote rounds of one match
STAY = ("stay",)
Choice = tuple[Any, ...]  # STAY, or ("go", lost seats, step, digest, byes)


@dataclass(frozen=True, slots=True)
class Vote:
    """One seat's vote, as signed.  `proof` is the hash of the proof of a cheat that it follows from; `resumed`: its program came back."""

    data: bytes
    signature: bytes
    round: int
    seat: int
    choice: Choice
    proof: bytes | None = None
    resumed: bool = False


def cast(roster: Roster, round_: int, seat: int, choice: Choice, key: Identity, proof: bytes | None = None, resumed: bool = False) -> Vote:
    """A vote signed with the seat's match key."""
    data = encode((PROTOCOL, "vote", roster.match, round_, seat, choice, proof, resumed))
    return Vote(data, key.sign(LABEL, data), round_, seat, choice, proof, resumed)


def read(data: bytes, signature: bytes, roster: Roster) -> Vote:
    """The vote with these bytes; raises BadEncoding unless it is canonical, of this match, and signed by a person's seat that plays."""
    value = decode(data, MAX_VOTE)
    if type(value) is not tuple or len(value) != 8 or type(value[0]) is not int or value[:3] != (PROTOCOL, "vote", roster.match):
        raise BadEncoding("not a vote of this match")
    round_, seat, choice, proof, resumed = value[3:]
    if type(round_) is not int or type(seat) is not int or not 0 <= round_ < MAX_ROUNDS or seat not in roster.voters:
        raise BadEncoding("no such slot")
    if choice != STAY and not _good_going(choice, roster):
        raise BadEncoding("no such choice")
    if type(resumed) is not bool or not (proof is None or (type(proof) is bytes and len(proof) == 32)):
        raise BadEncoding("no such grounds")
    if not verify(roster.seats[seat].signing, LABEL, data, signature):
        raise BadEncoding("bad signature")
    return Vote(data, signature, round_, seat, choice, proof, resumed)


def slot_of(data: bytes) -> tuple[int, int] | None:
    """The (vote round, seat) that these bytes name, before anything else is looked at; None if they are no vote."""
    try:
        value = decode(data, MAX_VOTE)
    except BadEncoding:
        return None
    good = type(value) is tuple and len(value) > 4 and type(value[3]) is type(value[4]) is int
    return (value[3], value[4]) if good else None


def _good_going(choice: Any, roster: Roster) -> bool:
    if type(choice) is not tuple or [type(c) for c in choice] != [str, tuple, int, bytes, tuple]:
        return False
    word, lost, step, prev, byes = choice
    if not all(type(seat) is int for seat in (*lost, *byes)):
        return False
    seats = all(some == tuple(sorted(set(some) & set(roster.here))) for some in (lost, byes)) and lost != ()
    return bool(word == "go" and seats and -1 <= step < 1 << 32 and len(prev) == 32)


def without(choice: Choice) -> tuple[int, ...]:
    """The seats without which this vote would go on."""
    seats: tuple[int, ...] = () if choice == STAY else choice[1]
    return seats


def byes(choice: Choice) -> tuple[int, ...]:
    """The seats whose good-byes this vote counts, although they are not in force in the state from which it would go on."""
    seats: tuple[int, ...] = () if choice == STAY else choice[4]
    return seats


def proof_hash(against: Sequence[bytes]) -> bytes:
    """What a vote cites of the proof of a cheat: the bytes that contradict each other, or the one that is bad."""
    return digest(b"mastaba proof 1", *sorted(against))


def certificate(voters: Collection[int], votes: Sequence[Vote]) -> Choice | None:
    """The choice that these votes decide: one vote round, more than half of the voters, all the same; else None.

    `voters` are the persons' seats that played in the state from which the choice goes on; whose good-bye it counts is none of them.
    Who would be shut out cannot make the majority that does it: its vote, sent to some alone, would make two certificates of one.
    """
    if not votes:
        return None
    choice = votes[0].choice
    count = set(voters) - set(byes(choice))
    seats = {vote.seat for vote in votes if vote.seat in count and vote.seat not in without(choice)}
    same = all((vote.round, vote.choice) == (votes[0].round, choice) for vote in votes)
    return choice if same and len(seats) == len(votes) and 2 * len(seats) > len(count) else None


def stands(vote: Vote, said: Mapping[int, int], remain: Collection[int], proven: bool) -> bool:
    """Does a vote leave the past alone?  `said` is the highest step at which each seat is known to have signed a contribution.

    A contribution at step s vouches for every answer below s.  A vote that cites no proof goes on from no step below those that its own
    seat has vouched for.  One that cites a proof, if it is known (`proven`), goes back at most to where the one of those who `remain`
    stands who has signed least: nobody can have more undone than somebody who plays on has left open.
    """
    behind: int = vote.choice[2] + 1
    if vote.proof is None:
        return said.get(vote.seat, -1) <= behind
    return proven and min((said.get(seat, -1) for seat in remain), default=-1) <= behind
