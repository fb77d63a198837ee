"""The Crypt in a given position on a trusted dealer: treasures laid out and dice rolled on purpose."""

from collections.abc import Sequence
from typing import Any

import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games.crypt import Crypt, load
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.rules import Answer, Choose, Event, IllegalMove, Options, Over, Request

ROWS = {2: (2, 1), 3: (3, 1), 4: (4, 2)}
RICH = load(
    {
        "players": [2, 4],
        "types": list(TYPES),
        "values": [1, 2, 3, 4],
        "dice": 3,
        "deck": {str(n): {"copies": {"1": 6, "2": 6, "3": 6, "4": 6}, "face_up": up, "face_down": down} for n, (up, down) in ROWS.items()},
        "collectors": {"default": "a"},
    }
)
PLAIN = ("tapestry 1", "jewelry 1", "pottery 1", "manuscript 1", "remains 1", "idol 1")
LATER = PLAIN * 4  # rounds to come: whole ones at every table


class CryptTable(Dealer):
    """The first round's Reveal has just been made; the seats hold treasures of earlier rounds.

    A treasure is "type value"; in `kept`, which is given by seat, with "?" after it if it was collected face down, "!" if it was flipped.
    `row`: the crypt, the last ones face down.  `pile`: the rest of the deck, its top last; empty in the last round.
    """

    def __init__(
        self,
        seats: int,
        row: Sequence[str] = (),
        kept: Sequence[Sequence[str]] = (),
        pile: Sequence[str] = (),
        spent: Sequence[int] = (),
        sides: str = "",
        leader: int = 0,
        dice: Sequence[int] = (),
    ) -> None:
        self.rolls = list(dice)
        self.row = [*row, *PLAIN][: sum(ROWS[seats])]
        self.kept = [list(cards) for cards in kept] + [[] for _ in range(seats - len(kept))]
        self.rest = list(pile)
        options = Options(first=leader, variant=sides)
        super().__init__(lambda: Crypt(seats, RICH, options), [no_player] * seats, lambda n: bytes([self.rolls.pop(0) - 1]))
        self.log: list[Event] = list(self.step())  # the shuffle
        for seat, game in enumerate(self.games):
            self._lay_out(game, seat, list(spent) or [0] * seats)
        self.log += self.settle()

    def order(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        """Not used cards at the bottom, then what the seats keep, the rest of the deck, and the row on top."""
        pool = {card: (self.truth[card, "back"], self.truth[card, "face"]) for card in cards}
        wanted = [*(c for seat in self.kept for c in seat), *self.rest, *reversed(self.row)]
        placed = []
        for text in wanted:
            kind, value = text.rstrip("?!").split()
            card = next(card for card, printed in pool.items() if printed == (kind, int(value)))
            placed.append(card)
            del pool[card]
        return (*pool, *placed)

    def _lay_out(self, game: Any, seat: int, spent: list[int]) -> None:
        pile, n = game.pile, sum(len(cards) for cards in self.kept)
        start = len(pile) - len(self.rest) - n
        game.discards, held, game.pile = pile[:start], pile[start : start + n], pile[start + n :]
        game.spent = list(spent)
        for owner, cards in enumerate(self.kept):
            for text in cards:
                card = held.pop(0)
                game.kept[owner].append(card)
                game.shown[card, "back"] = self.truth[card, "back"]
                if not text.endswith("?"):
                    game.shown[card, "face"] = self.truth[card, "face"]
                elif owner == seat:
                    game.peeked[card, "face"] = self.truth[card, "face"]
                if text.endswith("!"):
                    game.flipped.add(card)

    @property
    def now(self) -> Any:
        """The public state, as a spectator has it."""
        return self.spectator

    @property
    def asked(self) -> Choose:
        assert isinstance(self.now.pending, Choose), self.now.pending
        return self.now.pending

    @property
    def moves(self) -> list[str]:
        """The legal moves of whoever is asked, in text."""
        return [self.now.show_move(move) for move in self.now.moves_of(self.asked, self.asked.seat)]

    def settle(self) -> tuple[Event, ...]:
        """Answer everything that needs no decision."""
        events: tuple[Event, ...] = ()
        while not isinstance(self.now.pending, (Choose, Over)):
            events += self.step()
        return events

    def start(self, text: str) -> Request:
        """Whoever is asked makes this move; returns what is pending then."""
        self.log += self.apply([Answer(self.now.parse_move(text))] * len(self.games))
        return self.now.pending

    def play(self, *texts: str) -> list[Event]:
        """Whoever is asked makes these moves one after another; returns what happened up to the next question."""
        before = len(self.log)
        for text in texts:
            self.start(text)
            self.log += self.settle()
        return self.log[before:]

    def refusal(self, text: str) -> str:
        """The reason why this move is illegal now; the state does not change."""
        before = self.now.digest()
        with pytest.raises(IllegalMove) as refused:
            self.start(text)
        assert self.now.digest() == before
        return str(refused.value)

    def events(self, id: str) -> list[Event]:
        """All events with this id so far."""
        return [event for event in self.log if event.id == id]

    def of(self, seat: int) -> list[str]:
        """What a seat has: its treasures as they are, "!" after the flipped ones."""
        return [f"{self.truth[c, 'back']} {self.truth[c, 'face']}{'!' if c in self.now.flipped else ''}" for c in self.now.kept[seat]]

    def who_knows(self, card: int) -> list[int]:
        """The seats that know the value of a treasure; -1 is a spectator."""
        return [seat for seat in range(-1, self.now.seats) if self.games[seat].seen(card) is not None]


def no_player(view: Any, rng: Any) -> Any:
    raise AssertionError("these tables are played by the test")
