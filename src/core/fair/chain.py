"""Joined requests: one seat answers a request and those joined to it in one contribution; it knows no request in particular.

The body is the first request's own items, then one tuple a joined request.  What a later request is depends on the answers before it, so
a contribution is tried part by part on a twin of the table; one bad part refuses the whole, and the table has not changed.
Part k binds round + k in its proofs: a step that is answered by one contribution has no other rounds.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ..errors import LocalError, PeerError
from ..rules import Answer, Request, Rules
from .rounds import Body, Private, Rng, Stage

if TYPE_CHECKING:
    from .table import Table


class Trial:
    """One seat's parts so far, on a twin of the table; `stage` is the part that comes next, None after the last."""

    def __init__(self, table: Table, first: Stage) -> None:
        self.twin = table.twin()
        self.stage: Stage | None = copy.copy(first)
        self.stage.table = self.twin
        self.bodies: list[Body] = []
        self.outcomes: list[Any] = []

    def check(self, seat: int, body: Body) -> None:
        """Take the next part; PeerError for a bad one."""
        if self.stage is None:
            raise PeerError(seat, "bad-body", "more answers than requests")
        outcome = self.stage.check(seat, body)
        self.bodies.append(body)
        self.outcomes.append(outcome)
        self.twin.take(_answer(self.stage, seat, outcome))
        self.stage = _joined(self.twin, seat)


def _joined(table: Table, seat: int) -> Stage | None:
    """The stage of the pending request if it belongs to the contribution that `seat` makes."""
    request = table.rules.pending
    if not getattr(request, "joined", False):
        return None
    table.round += 1
    from .requests import answered_alone  # which knows this module too

    stage = answered_alone(table, request)
    if stage is None or stage.owed not in ((seat,), ()):
        raise LocalError("the rules join a request that another seat answers")
    return stage


def _answer(stage: Stage, seat: int, outcome: Any) -> Answer:
    answer = stage.finish({seat: outcome})
    assert isinstance(answer, Answer)  # it has one round
    return answer


class Chain(Stage):
    """One round: a request that one seat answers alone, and those joined to it."""

    def __init__(self, table: Table, first: Stage) -> None:
        super().__init__(table)
        self.first, self.owed = first, first.owed
        self._draft: Trial | None = None

    # -- this seat's own contribution, while its player is asked for one part after the other --------------------------

    @property
    def asks(self) -> Request | None:
        """What the player must decide next; nothing that he has decided has left yet."""
        stage = self._draft.stage if self._draft else self.first
        return stage.asks if stage else None

    @property
    def sight(self) -> Rules:
        """The rules as this seat sees them with its parts so far."""
        return self._draft.twin.rules if self._draft else self.table.rules

    @property
    def part(self) -> int:
        return len(self._draft.bodies) if self._draft else 0

    def answer(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private] | None:
        draft = self._draft or Trial(self.table, self.first)
        while draft.stage is not None and (answer is not None or draft.stage.asks is None):
            body, private = draft.stage.make(seat, answer, rng)
            if private is not None:
                raise LocalError("an answer that others may be joined to keeps nothing for later rounds")
            draft.check(seat, body)  # what we say is checked as what others say
            answer = None
        self._draft = draft if draft.stage else None
        return None if draft.stage else (self._whole(draft), None)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        made = self.answer(seat, answer, rng)
        if made is None:
            raise LocalError("the player is asked for more")
        return made

    def _whole(self, trial: Trial) -> Body:
        return (*trial.bodies[0], *trial.bodies[1:])

    # -- everybody's ----------------------------------------------------------------------------------------------------

    def check(self, seat: int, body: Body) -> list[Any]:
        if type(body) is not tuple:
            raise PeerError(seat, "bad-body")
        trial = Trial(self.table, self.first)
        trial.check(seat, body[: self.first.size])
        for part in body[self.first.size :]:
            trial.check(seat, part)
        if trial.stage is not None:
            raise PeerError(seat, "bad-body", "a joined answer is missing")
        self.table.trust = trial.twin.trust
        return trial.outcomes

    def finish(self, taken: dict[int, Any]) -> Any:
        if not self.owed:
            return self.first.finish({})
        (seat,) = self.owed
        *before, last = taken[seat]
        stage = self.first
        for outcome in before:
            self.table.take(_answer(stage, seat, outcome))
            following = _joined(self.table, seat)
            assert following is not None  # as on the twin
            stage = following
        return stage.finish({seat: last})

    def stand_in(self, seat: int) -> list[Any]:
        return [self.first.stand_in(seat)]
