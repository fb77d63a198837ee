"""Random liars at tables with cuts and crashes: no honest seat is named, nobody parts unproven, nobody is stuck."""

from collections import Counter
from typing import Any

from adversaries.liar import Outcome, play

from .workers import spread

RUNS = 10_000


def run(share: float) -> dict[str, Any]:
    claims: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    wrong: list[str] = []
    lies = crashes = runs = 0
    for outcome in spread(one, range(max(1, int(RUNS * share)))):
        runs += 1
        lies += outcome.lies
        crashes += outcome.crashes
        claims.update(outcome.claims)
        ends.update(outcome.ends.values())
        wrong += [f"seed {outcome.seed}: {what}" for what in outcome.wrong]
    return {"runs": runs, "lies": lies, "crashes": crashes, "claims": dict(claims), "ends": dict(ends), "wrong": wrong}


def one(seed: int) -> Outcome:
    """One match; whatever it raises is a finding."""
    try:
        return play(seed)
    except Exception as error:
        return Outcome(seed, "", 0, None, wrong=[repr(error)])
