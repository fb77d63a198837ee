"""A trusted table in one process: it holds the truth, and tells every seat's redacted rules what that seat may know.

For tests and simulation; it knows no cryptography.  On a network nobody has what this file has.
"""

from collections.abc import Callable, Sequence
from typing import Any

from .chance import Rng, below, shuffled
from .rules import (
    ALL,
    PRIVATE,
    Answer,
    Ask,
    Audience,
    Choose,
    ChooseAll,
    Event,
    Hide,
    IllegalMove,
    Over,
    Reveal,
    Roll,
    Rules,
    Shuffle,
    Team,
)
from .view import View

Player = Callable[[View, Rng], Any]  # what one seat sees -> its move, or the hidden value that a Hide asks for


class Dealer:
    """`games[s]` is what seat s knows, the last entry what a spectator knows; all are in step after every answer."""

    def __init__(self, make: Callable[[], Rules], players: Sequence[Player], rng: Rng) -> None:
        """`make` builds the game afresh, alike every time; `players` decide, one a seat; `rng` shuffles and rolls."""
        self.players, self.rng = tuple(players), rng
        self.games = tuple(make() for _ in range(len(players) + 1))
        if self.spectator.seats != len(players):
            raise ValueError(f"{len(players)} players at a table of {self.spectator.seats}")
        self.truth: dict[tuple[int, str], Any] = {}  # (handle, part) -> what is printed
        self.dice: dict[int, int] = {}  # a team's die -> its face
        self.values: dict[str, int] = {}  # hidden value by name
        self.teams: dict[str, tuple[int, ...]] = {}
        for card, (back, face) in zip(self.spectator.dealt, self.spectator.printed(), strict=True):
            self.truth[card, "back"], self.truth[card, "face"] = back, face

    @property
    def spectator(self) -> Rules:
        return self.games[-1]

    def view(self, seat: int | None) -> View:
        """What the seat sees now; None: a spectator."""
        return View.of(self.games[-1 if seat is None else seat], seat)

    def run(self, limit: int = 100_000) -> Over:
        """Play to the end and return it; raises RuntimeError after `limit` answers."""
        for _ in range(limit):
            if isinstance(self.spectator.pending, Over):
                return self.spectator.pending
            self.step()
        raise RuntimeError(f"no end after {limit} answers")

    def step(self) -> tuple[Event, ...]:
        """Answer what is pending and return what happened; raises IllegalMove, with nothing changed, if a player's answer is illegal."""
        return self.apply(self.answers())

    def apply(self, answers: Sequence[Answer]) -> tuple[Event, ...]:
        """Tell every seat, and the spectators last, its answer."""
        request, first_new = self.spectator.pending, self.spectator.handles
        events = [game.apply(answer) for game, answer in zip(self.games, answers, strict=True)]
        if isinstance(request, Shuffle):
            order = self.order(request.cards)
            for part in ("back", "face"):
                moved = {first_new + i: self.truth.pop((old, part)) for i, old in enumerate(order)}
                self.truth.update({(new, part): printed for new, printed in moved.items()})
        if isinstance(request, Team):
            self.teams[request.name] = request.seats
        self._in_step(events)
        return events[-1]

    def answers(self) -> tuple[Answer, ...]:
        """The answer to what is pending, as each seat and the spectators may see it."""
        request = self.spectator.pending
        if isinstance(request, Reveal):
            return self._revealed(request)
        if isinstance(request, Choose):
            return self._to_all(Answer(self._decision(request.seat)))
        if isinstance(request, ChooseAll):
            return self._to_all(Answer({seat: self._decision(seat) for seat in request.seats}))
        if isinstance(request, Roll):
            return self._rolled(request)
        if isinstance(request, Hide):
            return self._hidden(request)
        if isinstance(request, Ask):
            known = {**self.values, **self.spectator.public}
            return self._to_all(Answer({name: known[name] in request.inside for name in request.names}))
        return self._to_all(Answer())

    def order(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """The order in which a shuffle puts the cards: uniformly random."""
        return shuffled(self.rng, cards)

    def leave(self, seat: int) -> tuple[Event, ...]:
        """The seat says good-bye: if it is asked now, its absent move answers first."""
        request = self.spectator.pending
        events: tuple[Event, ...] = ()
        if isinstance(request, Choose) and request.seat == seat:
            events = self.apply(self._to_all(Answer(self.spectator.absent(request, seat))))
        left = [game.left(seat) for game in self.games]
        self._in_step(left)
        return events + left[-1]

    def _decision(self, seat: int) -> Any:
        return self.games[seat].disguise(self.players[seat](self.view(seat), self.rng), self.rng)

    def _revealed(self, request: Reveal) -> tuple[Answer, ...]:
        if request.by is not None and request.by not in self.spectator.gone:
            blind = [card for card in request.cards if self.games[request.by].seen(card, request.part) is None]
            assert not blind, f"seat {request.by} opens cards that it has not read: {blind}"
        faces = {card: self.dice[card] if card in self.dice else self.truth[card, request.part] for card in request.cards}
        return tuple(Answer(faces=faces if self._sees(seat, request.to) else {}) for seat in range(len(self.games)))

    def _rolled(self, request: Roll) -> tuple[Answer, ...]:
        dice = tuple(below(self.rng, request.sides) + 1 for _ in range(request.n))
        if request.to == ALL:
            return self._to_all(Answer(dice))
        self.dice.update({self.spectator.handles + i: face for i, face in enumerate(dice)})
        public = {i: face for i, face in enumerate(dice) if face in request.open}
        secret = {i: face for i, face in enumerate(dice) if i not in public}
        return tuple(Answer(public, secret if self._sees(seat, request.to) else {}) for seat in range(len(self.games)))

    def _hidden(self, request: Hide) -> tuple[Answer, ...]:
        value = self._decision(request.seat)
        known = {**self.values, **self.spectator.public}
        old = {"old": known[request.name]} if request.name in known else {}
        statement = getattr(self.spectator, request.rule)(request)
        if not statement.holds({**known, **old, "new": value}):
            raise IllegalMove(self.spectator.why_not(request, value))
        self.values[request.name] = value
        return tuple(Answer(value if self._sees(seat, request.to) else None) for seat in range(len(self.games)))

    def _sees(self, seat: int, to: Audience) -> bool:
        return to == ALL or seat in (self.teams[to] if isinstance(to, str) else to)

    def _to_all(self, answer: Answer) -> tuple[Answer, ...]:
        return (answer,) * len(self.games)

    def _in_step(self, events: Sequence[tuple[Event, ...]]) -> None:
        public = [{k: v for k, v in game.__dict__.items() if k not in PRIVATE} for game in self.games]
        assert all(state == public[0] for state in public), f"seats disagree after {self.spectator.pending}"
        assert all(e == events[0] for e in events), f"seats saw different events before {self.spectator.pending}"
