"""An hour of rubbish for every reader, mutated from what real matches send and leave, keeping what opens new ways through the code.

Coverage is that of the product's own lines, measured by the interpreter: an input that reaches a new line is mutated further.
"""

import random
import sys
import time
from types import FrameType
from typing import Any

from fuzzing import attempt, mutate, targets

SECONDS = 3600.0
KEPT = 400  # inputs kept of one reader
TRACED = 4  # every so many attempts are traced: tracing is slow

Lines = set[tuple[str, int]]


def run(share: float) -> dict[str, Any]:
    wrong: list[str] = []
    counts: dict[str, int] = {}
    seen: Lines = set()
    names = list(targets())
    each = SECONDS * share / len(names)
    for name in names:
        counts[name] = _one(name, each, seen, wrong)
    return {"attempts": sum(counts.values()), "by reader": counts, "lines reached": len(seen), "wrong": wrong}


def _one(name: str, seconds: float, seen: Lines, wrong: list[str]) -> int:
    dice = random.Random(f"{name} {time.time_ns()}")
    corpus = list(targets()[name][2]) or [b""]
    end, attempts = time.monotonic() + seconds, 0
    while time.monotonic() < end or attempts < TRACED:
        data = mutate(dice.choice(corpus), dice)
        attempts += 1
        new: Lines = set()
        try:
            if attempts % TRACED:
                attempt(name, data)
            else:
                new = _lines(name, data) - seen
        except Exception as error:  # a finding: it becomes a test
            wrong.append(f"{name}: {error!r} for {data.hex()}")
        if new:
            seen |= new
            corpus = [*corpus, data][-KEPT:]
    return attempts


def _lines(name: str, data: bytes) -> Lines:
    """The lines of the product that this input reaches."""
    found: Lines = set()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if "mastaba" not in frame.f_code.co_filename and "/src/" not in frame.f_code.co_filename:
            return None
        found.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    sys.settrace(trace)
    try:
        attempt(name, data)
    finally:
        sys.settrace(None)
    return found
