"""What a lobby shows to a person, and what comes of it when all have signed; it holds no more than values."""

from dataclasses import dataclass
from typing import Any

from ..core.errors import LocalError
from .addresses import Address
from .identity import Identity
from .roster import Roster


@dataclass(frozen=True, slots=True)
class LobbySeat:
    identity: bytes
    name: str
    words: str
    me: bool
    bot: bool = False
    fresh: bool = False  # the identity was made for this table alone
    stranger: bool = False  # this profile knows the name with another key


@dataclass(frozen=True, slots=True)
class LobbyView:
    """What a person sees.

    `phase`: "joining", "waiting" (for a seat of a full table), "private" (it wants its code words), "open" (seats free), "ready" (being
    agreed), "agreed", or "ended" with `trouble`.
    `notice` is why the last one who wanted to join could not, at the opener's.  `kept`: who has not come yet, of those for whom alone
    there are seats: it is another match of the same people.  `asked`: for how many the table was opened; with fewer it has begun.
    """

    table: str
    game: str
    size: int
    seats: tuple[LobbySeat, ...]
    phase: str
    trouble: LocalError | None = None
    notice: LocalError | None = None
    code: str = ""  # what the opener of a private table tells his friends
    audit: bool = True  # is everything that was hidden read and checked once more at the end?
    kept: tuple[str, ...] = ()
    asked: int = 0
    opens: bool = False  # is this the opener, who may turn a guest away?
    may_begin: bool = False  # and begin with those who are here?


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a lobby is for: the signed roster, our seat and match key, the cards, and where each seat may be reached."""

    roster: Roster
    seat: int
    signer: Identity
    cards: Any
    toml: bytes  # the cards' text if they are the table's own, else empty
    places: tuple[tuple[Address, ...], ...]
    fresh: tuple[int, ...] = ()  # the seats whose identity was made for this table alone
