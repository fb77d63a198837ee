"""Random liars at tables with cuts and crashes: no honest seat is named, nobody parts unproven, nobody is stuck."""

import json
import sys
from collections import Counter
from typing import Any

from adversaries.liar import Outcome, play

from .workers import spread

RUNS = 10_000
PIECE = 500  # runs after which the figures so far are told on standard error; a finding is told at once


def run(share: float) -> dict[str, Any]:
    claims: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    games: Counter[str] = Counter()
    wrong: list[str] = []
    lies = crashes = lying = 0
    for runs, outcome in enumerate(spread(one, range(max(1, int(RUNS * share)))), 1):
        lies += outcome.lies
        lying += outcome.liar is not None
        crashes += outcome.crashes
        games[outcome.game] += 1
        claims.update(outcome.claims)
        ends.update(outcome.ends.values())
        wrong += [f"seed {outcome.seed}: {what}" for what in outcome.wrong]
        row = {"runs": runs, "with a liar": lying, "lies": lies, "crashes": crashes, "games": dict(games), "claims": dict(claims)}
        row |= {"ends": dict(ends), "wrong": wrong}
        if runs % PIECE == 0 or outcome.wrong:
            print(json.dumps(row if runs % PIECE == 0 else wrong[-1]), file=sys.stderr, flush=True)
    return row


def one(seed: int) -> Outcome:
    """One match; whatever it raises is a finding."""
    try:
        return play(seed)
    except Exception as error:
        return Outcome(seed, "", 0, None, wrong=[repr(error)])
