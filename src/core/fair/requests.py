"""Which round begins the answer to each kind of request; it knows the rounds, and nothing of how they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rules import ALL, Ask, Choose, ChooseAll, Hide, Request, Reveal, Roll, Team
from .chain import Chain
from .choice_rounds import ChoiceCommitment, Move
from .hidden_rounds import Asking, Hiding
from .rounds import Coin, Opening, Shares, Stage
from .team_rounds import DieOpening, TeamCoin, TeamSecret, is_die

if TYPE_CHECKING:
    from .table import Table


def first_stage(table: Table, request: Request) -> Stage | None:
    """The first round of a request; None for what the table sees to by itself."""
    alone = answered_alone(table, request)
    if alone is not None:
        return Chain(table, alone)
    if isinstance(request, Reveal):
        return Shares(table, request)
    if isinstance(request, ChooseAll):
        return ChoiceCommitment(table, request)
    if isinstance(request, Roll):
        return Coin(table, request) if request.to == ALL else TeamCoin(table, request)
    if isinstance(request, Team):
        return TeamSecret(table, request)
    return Asking(table, request) if isinstance(request, Ask) else None


def answered_alone(table: Table, request: Request) -> Stage | None:
    """The round of a request that one seat answers alone, to which others may be joined; None for other kinds."""
    if isinstance(request, Choose):
        return Move(table, request)
    if isinstance(request, Hide):
        return Hiding(table, request)
    if isinstance(request, Reveal) and request.by is not None:
        return DieOpening(table, request) if is_die(table, request) else Opening(table, request)
    return Asking(table, request) if isinstance(request, Ask) and request.by is not None else None
