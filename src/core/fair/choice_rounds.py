"""The rounds of a player's choices: one signed move, or commitments to all seats' moves and then their openings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import PeerError
from ..plain import digest, encode
from ..rules import Answer, Choose, ChooseAll, IllegalMove, Request
from .rounds import SALT, Body, Private, Rng, Stage

if TYPE_CHECKING:
    from .table import Table


class Move(Stage):
    """A Choose: one signed move."""

    def __init__(self, table: Table, request: Choose) -> None:
        super().__init__(table)
        self.request, self.owed = request, (request.seat,)

    @property
    def asks(self) -> Request:
        return self.request

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        self.table.rules.check(Answer(answer))
        return (answer,), None

    def check(self, seat: int, body: Body) -> Any:
        if type(body) is not tuple or len(body) != 1:
            raise PeerError(seat, "bad-body")
        try:
            self.table.rules.check(Answer(body[0]))
        except IllegalMove as error:
            raise PeerError(seat, "illegal-move", str(error)) from None
        self.table.count("moves")
        return body[0]

    def finish(self, taken: dict[int, Any]) -> Answer:
        return Answer(taken[self.owed[0]])

    def stand_in(self, seat: int) -> Any:
        return self.table.rules.absent(self.request, seat)


class ChoiceCommitment(Stage):
    """A ChooseAll, round 0: a hash commitment to each seat's move, bound to match, step and seat, with a salt."""

    def __init__(self, table: Table, request: ChooseAll) -> None:
        super().__init__(table)
        self.request, self.owed = request, request.seats

    @property
    def asks(self) -> Request:
        return self.request

    @staticmethod
    def commitment(table: Table, seat: int, move: Any, salt: bytes) -> bytes:
        place = encode((table.step, seat))
        return digest(b"mastaba choice 1", table.match, place, salt, encode(move))

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        self.table.rules.legal(self.request, seat, answer)
        salt = rng(SALT)
        return (self.commitment(self.table, seat, answer, salt),), (answer, salt)

    def check(self, seat: int, body: Body) -> bytes:
        (commitment,) = self.blobs(seat, body, 32)
        return commitment

    def finish(self, taken: dict[int, Any]) -> Stage:
        return ChoiceOpening(self.table, self.request, taken)

    def stand_in(self, seat: int) -> bytes:
        return b""  # it will not open anything


class ChoiceOpening(Stage):
    """A ChooseAll, round 1: each seat opens its commitment."""

    def __init__(self, table: Table, request: ChooseAll, commitments: dict[int, bytes]) -> None:
        super().__init__(table)
        self.request, self.owed, self.commitments = request, request.seats, commitments

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        move, salt = self.table.recall(self.table.step, self.table.round - 1)
        return (move, salt), None

    def check(self, seat: int, body: Body) -> Any:
        if type(body) is not tuple or len(body) != 2 or type(body[1]) is not bytes or len(body[1]) != SALT:
            raise PeerError(seat, "bad-body")
        move, salt = body
        if ChoiceCommitment.commitment(self.table, seat, move, salt) != self.commitments[seat]:
            raise PeerError(seat, "bad-commitment")
        try:
            self.table.rules.legal(self.request, seat, move)
        except IllegalMove as error:
            raise PeerError(seat, "illegal-move", str(error)) from None
        self.table.count("moves")
        return move

    def finish(self, taken: dict[int, Any]) -> Answer:
        return Answer({seat: taken[seat] for seat in self.owed})

    def stand_in(self, seat: int) -> Any:
        """Also for a seat that has committed: only it could open that."""
        return self.table.rules.absent(self.request, seat)
