"""What a table plays, and how it says so to whoever asks: in the lobby, and while the match runs.  It knows no links."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import LocalError
from ..core.games import GAMES, data_hash
from ..core.rules import Options
from .roster import Roster, Seat
from .wire import Table

Seats = tuple[tuple[bytes, str, int | None, bool], ...]  # as a Table shows them


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table plays.  `name` is what people call it; `toml` is the text of its own cards, empty for the built-in ones."""

    name: str
    game: str
    size: int
    cards: Any
    toml: bytes = b""
    options: Options = field(default_factory=Options)
    code: str = ""  # the code words of a private table

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise LocalError("There is no game {0}.", self.game)
        if self.size not in GAMES[self.game].rules.SEATS:
            raise LocalError("{0} is not a game for {1}.", self.game, self.size)
        if not GAMES[self.game].rules.plays(self.options.variant):
            raise LocalError("{0} is no variant of {1}.", self.options.variant, self.game)
        if self.options.first is not None and not 0 <= self.options.first < self.size:
            raise LocalError("There is no seat {0} at this table.", self.options.first + 1)

    @property
    def may_be(self) -> tuple[int, ...]:
        """With how many players it may begin before it is full: as few as the game takes, and as sit in the seat that starts."""
        least = 2 if self.options.first is None else max(2, self.options.first + 1)
        return tuple(n for n in GAMES[self.game].rules.SEATS if least <= n < self.size)

    def table(self, phase: str, seats: Seats) -> Table:
        """What the opener tells about the table."""
        rules, cards = GAMES[self.game].rules.VERSION, data_hash(self.cards)
        return _told((self.name, self.game, rules, cards, bool(self.toml), self.size), self.options, phase, seats)


def in_play(roster: Roster, name: str, own: bool, fresh: tuple[int, ...] = ()) -> Table:
    """What answers a Probe while the match runs; a table that nobody watches tells no stranger who sits there."""
    seats = shown(roster.seats, fresh) if roster.options.watch else ()
    return _told((name, roster.game, roster.rules, roster.data, own, len(roster.seats)), roster.options, "play", seats)


def shown(seats: Iterable[Seat], fresh: Collection[int]) -> Seats:
    """What a Table shows of a roster's seats, of which those have an identity that was made for this table."""
    return tuple((seat.identity, seat.name, seat.bot, i in fresh) for i, seat in enumerate(seats))


def fresh_of(seats: Seats) -> tuple[int, ...]:
    """The numbers of those whose identity was made for this table alone."""
    return tuple(i for i, (_, _, _, fresh) in enumerate(seats) if fresh)


def _told(what: tuple[str, str, int, bytes, bool, int], o: Options, phase: str, seats: Seats) -> Table:
    return Table(*what, o.first, o.grace, o.variant, o.watch, o.audit, phase, seats)
