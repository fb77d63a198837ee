"""Pyramid in a given position: pieces, mummy, dice and missions laid out on purpose, dice that fall as the test says."""

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games.pyramid import Pyramid, load
from mastaba.core.games.pyramid_data import ARROW, MUMMY, PyramidData
from mastaba.core.rules import Ask, Choose, Event, Hide, IllegalMove, Options, Over

SHIPPED = load(tomllib.loads((files("mastaba.core.games") / "data" / "pyramid.toml").read_text()))
BOARD = SHIPPED.board
FACE = {"1": 1, "2": 2, "3": 3, "4": 4, ">": ARROW, "M": MUMMY}


def sq(row: int, column: int) -> int:
    """A square as the rulings write it: (row, column) from 0."""
    return row * BOARD.columns + column


def at(*places: tuple[int, int]) -> tuple[int, ...]:
    return tuple(sorted(sq(*place) for place in places))


def no_player(view: Any, rng: Any) -> Any:
    raise AssertionError("these tables are played by the test")


class PyramidTable(Dealer):
    """Seat 0 is the mummy; `pieces` are squares of h1, h2, ... (None: the start).  Only legal moves happen after the layout.

    `public`: pieces whose square everybody knows; `turn`: whose turn begins.  Shuffles keep the order, dice fall as queued.
    """

    def __init__(
        self,
        *pieces: int | None,
        seats: int = 0,
        mummy: int = BOARD.dungeon,
        up: int = 0,
        turn: str = "h1",
        lives: dict[str, int] | None = None,
        tokens: int = 0,
        missions: dict[int, Sequence[str]] | None = None,
        public: Sequence[str] = (),
        data: PyramidData = SHIPPED,
    ) -> None:
        seats = seats or len(pieces) + 1
        self.bytes: list[int] = []
        self.typed: list[str] = []
        super().__init__(lambda: Pyramid(seats, data, Options(first=0)), [no_player] * seats, self.fall)
        self.log: list[Event] = []
        while self.now.turn is None:
            self.step()
        for seat, wanted in (missions or {}).items():
            self._hold(seat, wanted)
        for seat, game in enumerate(self.games):
            self._lay_out(game, seat, pieces, mummy, up, turn, lives or {}, tokens, public)

    def _lay_out(self, game: Any, seat: int, pieces: Any, mummy: int, up: int, turn: str, lives: Any, tokens: int, public: Any) -> None:
        board = game.data.board
        game.mummy, game.up, game.tokens = mummy, up, tokens
        game.lives.update(lives)
        for piece, square in zip(game.owner, pieces, strict=False):
            if not game.lives[piece]:
                game._remove(piece)
            elif square is not None:
                self.values[piece] = square
                game._place(piece, square)
                if piece not in public and square not in (board.start, board.dungeon):
                    del game.public[piece]
                    game.trails[piece] = [("among", tuple(s for s in board.ordinary if s != mummy), mummy, False)]
                    if seat in self.teams["hunters"]:
                        game.mine[piece] = square
        order = [*game.owner, "mummy"]
        game.queue = order[order.index(turn) :]
        game.agenda = []
        game._settle()
        game._take_events()

    def _hold(self, seat: int, wanted: Sequence[str]) -> None:
        """Give the seat just these missions; its other cards count as played."""
        cards, game = list(self.now.missions[seat]), self.games[seat]
        for card, face in zip(cards, wanted, strict=False):
            other = next(c for (c, part), printed in self.truth.items() if printed == face and part == "face")
            self.truth[card, "face"], self.truth[other, "face"] = face, self.truth[card, "face"]
            for owner, twin in enumerate(self.games[:-1]):
                for moved in (card, other):
                    if (moved, "face") in twin.peeked and moved in twin.missions[owner]:
                        twin.peeked[moved, "face"] = self.truth[moved, "face"]
        for twin in self.games:
            for card in cards[len(wanted) :]:
                twin.missions[seat].remove(card)
                twin.played[seat].append(card)
                twin.shown[card, "face"] = self.truth[card, "face"]
            twin.backs.update({card: self.truth[card, "face"][0] for card in twin.backs})
        assert [game.seen(card) for card in game.missions[seat]] == list(wanted)

    # -- the script -----------------------------------------------------------------------------------------------

    def fall(self, n: int) -> bytes:
        """The next queued die."""
        assert n == 1
        assert self.bytes, "a die falls that the test has not named"
        return bytes([self.bytes.pop(0)])

    def order(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards

    def falls(self, faces: str) -> "PyramidTable":
        """Queue faces of hunter dice, as in "M 1 2 > 4"; of the mummy die as its place, from 1."""
        self.bytes += [FACE[face] - 1 for face in faces.split()]
        return self

    def _decision(self, seat: int) -> Any:
        return self.games[seat].parse_move(self.typed.pop(0))

    def play(self, *texts: str) -> list[Event]:
        """Whoever is asked makes these moves one after another; returns what happened until the next decision."""
        self.typed += texts
        events: list[Event] = []
        while not self.now.over and (self.typed or not isinstance(self.now.pending, (Choose, Hide))):
            if not isinstance(self.now.pending, (Choose, Hide)) and self.rolls and not self.bytes:
                break
            events += self.step()
        self.log += events
        return events

    @property
    def rolls(self) -> bool:
        """Does the game wait for dice?"""
        return type(self.now.pending).__name__ == "Roll"

    def refusal(self, text: str) -> str:
        """The reason why this move is illegal now, as the mover's program says; the state does not change."""
        before = self.now.digest()
        seat = self.asked.seat
        with pytest.raises(IllegalMove) as refused:
            self.view(seat).check(self.now.parse_move(text))
        assert self.now.digest() == before
        return str(refused.value)

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def now(self) -> Any:
        """The public state, as a spectator has it."""
        return self.spectator

    @property
    def asked(self) -> Choose | Hide:
        assert isinstance(self.now.pending, (Choose, Hide)), self.now.pending
        return self.now.pending

    @property
    def moves(self) -> list[str]:
        """What whoever is asked knows to be legal, in text."""
        return [self.now.show_move(move) for move in self.view(self.asked.seat).moves()]

    def ends(self, piece: str, face: str) -> tuple[int, ...]:
        """Where the piece's owner knows that it can go."""
        return self.games[self.now.owner[piece]].targets(piece, FACE[face])

    def where(self, piece: str) -> int | None:
        """Where the piece is, as its owner knows."""
        return self.games[self.now.owner[piece]].square(piece)

    @property
    def questions(self) -> Ask | None:
        return self.now.pending if isinstance(self.now.pending, Ask) else None


def ids(events: Sequence[Event]) -> list[str]:
    return [event.id for event in events]


def one(events: Sequence[Event], kind: str) -> Event:
    (found,) = [event for event in events if event.id == kind]
    return found


def ended(table: PyramidTable) -> Over:
    assert isinstance(table.now.pending, Over)
    return table.now.pending
