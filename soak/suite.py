"""The tests that have more to try than a test suite has time for, with all of it: every size of a window, every game on bad cables."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1] / "tests"
PLAY = ["core/test_all_games.py", "core/test_bots.py", "core/test_crypt_bots.py", "net/test_full_games.py", "lan/test_games_lan.py"]
LONG = ["cli/test_sweep.py", *PLAY]  # the files that ask for MASTABA_LONG


def run(share: float) -> dict[str, Any]:
    """A share below 1 leaves out the sweep of sizes, which takes half an hour."""
    files = [str(TESTS / name) for name in (LONG if share >= 1 else PLAY)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *files],
        env={**os.environ, "MASTABA_LONG": "1", "CI": "true"},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
    )
    said = done.stdout.splitlines() or [""]
    wrong = [line for line in said if line.startswith(("FAILED", "ERROR"))] or [said[-1]]
    return {"tests": said[-1], "wrong": wrong if done.returncode else []}
