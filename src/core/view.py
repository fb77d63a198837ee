"""What one seat may see: a frozen snapshot of its redacted rules; the one place where redaction is defined.

It knows no cryptography: the rules it wraps were only ever told what their seat may know.
"""

from dataclasses import dataclass, field
from typing import Any

from .rules import Choose, ChooseAll, Event, Hide, IllegalMove, Move, Over, Request, Rules


@dataclass(frozen=True)
class View:
    """One seat's sight of the table.  `rules` is a private copy that nobody changes; `seat` is None for a spectator."""

    rules: Rules
    seat: int | None

    @classmethod
    def of(cls, rules: Rules, seat: int | None) -> "View":
        """Snapshot the redacted rules of `seat`."""
        return cls(rules.copy(), seat)

    @property
    def pending(self) -> Request:
        return self.rules.pending

    @property
    def over(self) -> Over | None:
        return self.rules.pending if isinstance(self.rules.pending, Over) else None

    def asked(self) -> Choose | ChooseAll | Hide | None:
        """The decision that this seat is asked for now, if any; a Hide is answered with the new value."""
        request = self.rules.pending
        if isinstance(request, (Choose, Hide)) and request.seat == self.seat:
            return request
        return request if isinstance(request, ChooseAll) and self.seat in request.seats else None

    def moves(self) -> tuple[Move, ...]:
        """The moves this seat knows to be legal now, in the rules' order; empty when it is not asked."""
        request = self.asked()
        if request is None or self.seat is None:
            return ()
        if isinstance(request, Hide):
            return tuple(self.rules.own_values(request, self.seat))
        return tuple(self.rules.own_moves(request, self.seat))

    def check(self, move: Move) -> None:
        """Raise IllegalMove(reason id) unless this seat knows that its move is legal; the rest of the table may not be able to tell."""
        request = self.asked()
        if request is None or self.seat is None:
            raise IllegalMove("not-now")
        known = self.rules.own_values(request, self.seat) if isinstance(request, Hide) else self.rules.own_moves(request, self.seat)
        if move not in known:
            raise IllegalMove(self.rules.why_not(request, move))

    def knows(self, card: int, part: str = "face") -> Any:
        """What this seat knows of a card's part, or None."""
        return self.rules.seen(card, part)


@dataclass(frozen=True)
class Trust:
    """What this peer has itself verified so far, by kind of check."""

    signatures: int = 0
    shuffles: int = 0
    shares: int = 0
    moves: int = 0
    audited: int = 0  # hidden values and answers that were read at the end and checked once more


@dataclass(frozen=True)
class Snapshot:
    """Everything a renderer needs about a running match; immutable, handed from the session's thread to the user interface.

    phase: "set-up" (keys), "shuffle", "play", "over" (Over reached, signatures outstanding), "done" (all have signed),
    "stopped" (somebody is proven to have cheated; the others may vote to go on), or "ended" (`trouble` says why).
    `waiting`: seats that owe the present round something.  `asked`: this seat must decide now.  `log`: all public events so
    far, oldest first.  `trouble`: (id, seat or None, detail) of what went wrong.
    """

    view: View = field(compare=False)  # it changes with the rest alone, so equal snapshots look alike
    names: tuple[str, ...]
    phase: str
    step: int
    waiting: tuple[int, ...]
    asked: bool
    log: tuple[Event, ...]
    trust: Trust
    linked: tuple[bool, ...]
    signed: tuple[int, ...] = ()
    trouble: tuple[tuple[str, int | None, str], ...] = ()
    silent: tuple[tuple[int, int], ...] = ()  # (seat, seconds until the others may vote to go on without it)
    minutes: tuple[tuple[int, int], ...] = ()  # (seat, for how many minutes it has been waited for)
    votes: tuple[tuple[int, int | None], ...] = ()  # (who, without whom he would go on; None: he would wait)
    left: tuple[int, ...] = ()  # seats that have said good-bye for ever, also before the game comes to what it changes
    again: tuple[int, ...] = ()  # other seats that want to play another match with the same people, once this one is done
    bots: tuple[int, ...] = ()  # seats that bots play, as their own programs say
    strangers: tuple[int, ...] = ()  # seats whose known name came with another key than before
    fresh: tuple[int, ...] = ()  # seats under an identity that was made for this table alone
    undone: tuple[Event, ...] = ()  # what going on from an earlier step undoes, or has undone, beyond the present step
    watchers: tuple[tuple[bytes, str], ...] = ()  # (identity, name or "") of those who follow the match, as far as this peer knows
    part: int = 0  # how many joined requests of this step this seat has decided, of which nothing has left yet

    @property
    def decision(self) -> tuple[int, int]:
        """Which decision is asked for, if one is: no two of a match have the same."""
        return self.step, self.part
