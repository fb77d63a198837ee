"""Pairs of Pyramid matches with the same public answers and other squares, dice and missions: the same to every seat that may not know."""

import random
from typing import Any

from twins import HOLD, LONGER, MUMMY, SHIPPED, SMALL, Match, difference, played, twin_for_a_hunter, twin_for_the_mummy

from .workers import spread

PAIRS = 200


def run(share: float) -> dict[str, Any]:
    found = list(spread(one, range(max(1, int(PAIRS * share)))))
    names = ("hidden moves", "of them elsewhere", "messages", "views")
    return {
        "pairs": len(found),
        **{name: sum(figures[n] for figures, _ in found) for n, name in enumerate(names)},
        "wrong": [what for _, wrong in found for what in wrong],
    }


def one(seed: int) -> tuple[tuple[int, int, int, int], list[str]]:
    """A match, its twin for the mummy and one for a hunter; whatever they raise is a finding."""
    dice = random.Random(seed)
    seats = 2 + seed % 4
    table = SHIPPED if seats < 4 and seed % 16 < 4 else dice.choice((SMALL, LONGER))
    try:
        match = played(seed, seats, table=table, audit=dice.random() < 0.5, hold=dice.choice((0.0, HOLD)))
        other = twin_for_the_mummy(match, dice)
        wrong = [_told(match, other, seat) for seat in (MUMMY, seats)]
        if seats > 2:
            hunter = dice.randrange(1, seats)
            like = twin_for_a_hunter(match, hunter, dice)
            wrong += [_told(match, like, seat) for seat in (hunter, MUMMY, seats)]
    except Exception as error:
        return (0, 0, 0, 0), [f"seed {seed}: {error!r}"]
    moves, others = match.path(), other.path()
    figures = len(moves), sum(a != b for a, b in zip(moves, others, strict=True)), len(match.net.heard[MUMMY]), len(match.net.saw[MUMMY])
    return figures, [f"seed {seed}: {what}" for what in wrong if what]


def _told(one: Match, other: Match, seat: int) -> str:
    what = difference(one, other, seat)
    return f"seat {seat} can tell them apart by {what}" if what else ""
