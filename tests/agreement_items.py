"""What the model of agreement (agreement.py) is made of: items that seats sign, the rules with their switches, an honest seat's memory."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

HONEST = (0, 1)
Item = tuple[Any, ...]
# ("says", next match or None, round, seat, history, value)    a contribution, each round being a step of its own
# ("leaves", seat, round)                                      a good-bye; the last round that the seat has filled itself
# ("votes", vote round, seat, choice, cites a proof)           choice: STAY or ("go", lost seats, history, byes)
# ("assents", roster, seat)                                    roster: ("next", choice, vote round)
# ("shows", roster, seat)                                      over that seat's own link: nobody passes it on
STAY: Item = ("stay",)


@dataclass(frozen=True)
class Rules:
    """The rules of the protocol, each of which can be left out."""

    disk_first: bool = True  # what is signed is on disk before it leaves
    compared: bool = True  # two bodies of one slot are noticed
    forwarded: bool = True  # what others have said is passed on
    agreed: bool = True  # after a proof, votes go down to what all agree on
    share: int = 2  # so many times the votes that a majority has are more than the voters
    past: bool = True  # who votes goes back behind nothing that it has signed over
    kept: bool = True  # who has signed the result keeps it
    freed: bool = True  # unless a seat is proven to cheat, and it votes itself to go on
    shown: bool = True  # more than half of a next match show it to whom it leaves behind, not half
    taken_back: bool = True  # a vote for want of contact is taken back
    joined: bool = True  # a seat that sees "stay" says so too
    apart: bool = True  # it answers a vote against itself once, and joins a "stay" of the same seat once
    returns: bool = True  # a later majority of "stay" ends a next match in which a seat has not given its keys
    given_up: bool = True  # a "stay" of one who has not given its keys ends the next match also for one who has
    by_keys: bool = True  # who has only entered a next match, without keys, does not yet show others that it leaves them behind


@dataclass(frozen=True)
class Bounds:
    """How far to look: what the liars may show in all, crashes, vote rounds; how many seats, and may one say good-bye?"""

    shown: int = 4
    crashes: int = 1
    rounds: int = 2
    seats: int = 3
    leaves: bool = False


class Peer(NamedTuple):
    """An honest seat: what it has accepted in the first match and in the next one (None: it is in the first), and all that it holds."""

    me: int
    log: tuple[tuple[tuple[int, Any], ...], ...] = ()  # by round: (seat, value)
    got: tuple[Item, ...] = ()  # to the present round
    next: Item | None = None
    keys: tuple[tuple[tuple[int, Any], ...], ...] = ()  # the log of the next match
    given: tuple[Item, ...] = ()
    ended: frozenset[Item] = frozenset()  # next matches that it has gone back from
    held: frozenset[Item] = frozenset()
    disk: frozenset[Item] = frozenset()  # what a crash leaves
    fault: int | None = None  # this seat is proven to lie
    out: Item | None = None  # voted out by this roster
    unheard: bool = False  # back from a crash, and the other honest seat has not been heard
    unreached: frozenset[int] = frozenset()  # who was lost for want of contact when it voted, and has not been heard since
    awaited: int = -1  # the round in which the others that it voted against owe something
    followed: frozenset[tuple[int, bool]] = frozenset()  # whose "stay" (True) it has joined in this round, whose vote (False) answered


order = cache(repr)  # of items, so that a search takes the same way each time


@lru_cache(100_000)
def votes_in(held: frozenset[Item]) -> tuple[Item, ...]:
    return tuple(sorted((item for item in held if item[0] == "votes"), key=order))


@lru_cache(100_000)
def latest(held: frozenset[Item]) -> dict[int, Item]:
    """The latest vote of each seat."""
    return {vote[2]: vote for vote in sorted(votes_in(held), key=lambda vote: vote[1])}


def author(item: Item) -> int:
    seat: int = item[{"says": 3, "votes": 2, "assents": 2, "shows": 2, "leaves": 1}[item[0]]]
    return seat


def contradicts(item: Item, held: frozenset[Item]) -> bool:
    """Is there another item of the same slot, or something that was said after a good-bye?"""
    match item:
        case ("says", None, n, seat, *_):
            return any((o[:4] == item[:4] and o != item) or (o[:2] == ("leaves", seat) and o[2] < n) for o in held)
        case ("leaves", seat, n):
            return any((o[:2] == item[:2] and o != item) or (o[:2] == ("says", None) and o[3] == seat and o[2] > n) for o in held)
        case ("says", _, _, _, *_):
            return any(o[:4] == item[:4] and o != item for o in held)
        case ("votes", *_):
            return any(o[:3] == item[:3] and o != item for o in held)
    return False
