"""What a game can ask of its table, and be told: requests and answers as plain data.  It knows no game, dealer or network."""

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Protocol

from .plain import freeze

ALL = "all"  # an audience: every seat and every spectator
Audience = str | tuple[int, ...]  # ALL, seats (Reveal), or a team's name (Roll, Hide)
Move = Any  # plain data


class IllegalMove(ValueError):
    """The answer is not legal now; nothing has changed.  The argument is a reason id that the client can translate."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Retire `cards`; `then` is given as many fresh handles for the same cards in an order nobody knows."""

    cards: tuple[int, ...]
    then: str
    about: Any = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Show one part ("back" or "face") of the cards.  by=None: all seats open it; by=seat: he has read it and opens it alone."""

    cards: tuple[int, ...]
    part: str
    to: Audience
    by: int | None = None
    then: str = ""
    about: Any = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """One seat picks one of `moves(request)`: the name of a method over public state that gives a lazy collection."""

    seat: int
    moves: str
    then: str
    about: Any = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class ChooseAll:
    """All seats pick at once, each from `moves(request, seat)`; `then` is given {seat: move}."""

    seats: tuple[int, ...]
    moves: str
    then: str
    about: Any = None


@dataclass(frozen=True, slots=True)
class Team:
    """The seats make a secret of their own, under which dice and positions are hidden from all others."""

    name: str
    seats: tuple[int, ...]
    then: str = ""
    about: Any = None


@dataclass(frozen=True, slots=True)
class Roll:
    """n dice of 1..sides.  To a team: dice that show a face of `open` are public, the others are the team's; `then` gets handles."""

    n: int
    sides: int
    to: str = ALL
    open: tuple[int, ...] = ()
    then: str = ""
    about: Any = None


@dataclass(frozen=True, slots=True)
class Hide:
    """The hidden value `name` changes to what `rule(request)`, a Statement, allows; only the team `to` learns it."""

    seat: int
    name: str
    rule: str
    to: str
    then: str = ""
    about: Any = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """Is each of the hidden values one of `inside`?  `then` is given {name: bool}, proven.  by=seat: it has claimed so, and proves it."""

    names: tuple[str, ...]
    inside: tuple[int, ...]
    then: str
    about: Any = None
    by: int | None = None
    joined: bool = False


@dataclass(frozen=True, slots=True)
class Do:
    """A rule waiting for its turn; nobody is asked."""

    then: str
    about: Any = None


@dataclass(frozen=True, slots=True)
class Over:
    """The end: scores by seat, the winners, and a reason id."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


Request = Shuffle | Reveal | Choose | ChooseAll | Team | Roll | Hide | Ask | Do | Over


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request is answered with: a move, {seat: move}, dice, a hidden value or {name: bool}; and the faces this seat may see."""

    value: Any = None
    faces: dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Statement:
    """Rows of (names, table of tuples) over hidden names, "old" and "new".

    Every row of `all_of` holds, exactly one of `one_of` if there are any, and `new` differs from the names in `apart`.
    """

    all_of: tuple[tuple[tuple[str, ...], frozenset[tuple[int, ...]]], ...] = ()
    one_of: tuple[tuple[tuple[str, ...], frozenset[tuple[int, ...]]], ...] = ()
    apart: tuple[str, ...] = ()

    def holds(self, values: dict[str, int]) -> bool:
        def row(names: tuple[str, ...], table: frozenset[tuple[int, ...]]) -> bool:
            return tuple(values[name] for name in names) in table

        return (
            all(row(*r) for r in self.all_of)
            and (not self.one_of or sum(row(*r) for r in self.one_of) == 1)
            and all(values["new"] != values[name] for name in self.apart)
        )


@dataclass(frozen=True, slots=True)
class Event:
    """Something public that has just happened: an id to translate, the seat that did it (or None), and plain arguments."""

    id: str
    seat: int | None = None
    args: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose: who starts (None: a joint coin), grace for a silent seat (seconds), a variant, spectators, the last audit.

    `variant` is in the game's own notation (`Rules.plays`); empty: the usual one.
    """

    first: int | None = None
    grace: int = 60
    variant: str = ""
    watch: bool = True  # may others follow the game?
    audit: bool = True  # are teams' secrets published at the end, and everything that was hidden under them read and checked once more?


class Moves(Protocol):
    """A lazy collection of moves: which, is this one, and how many (`sum(1 for _ in moves)`)."""

    def __iter__(self) -> Any: ...
    def __contains__(self, move: object, /) -> bool: ...


def plain_request(request: Request) -> tuple[Any, ...]:
    """A request as plain data: its kind and its fields in order."""
    return (type(request).__name__, *(freeze(getattr(request, f.name)) for f in dataclasses.fields(request)))
