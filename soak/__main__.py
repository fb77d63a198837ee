"""Run the parts named, or all; print a row for each and keep it in soak/results.json; exit code 1 if anything did not hold.

Rows of parts that were not run stay there as they were.

python -m soak [--share 0.01] [games kills liars model fuzz matches suite ...]
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import fuzz, games, kills, leaks, liars, matches, model, suite

PARTS: dict[str, Callable[[float], dict[str, Any]]] = {
    "games": games.run,
    "kills": kills.run,
    "leaks": leaks.run,
    "liars": liars.run,
    "model": model.run,
    "fuzz": fuzz.run,
    "matches": matches.run,
    "suite": suite.run,
}

RESULTS = Path(__file__).parent / "results.json"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each part: 0.01 is a hundredth")
    args = parser.parse_args()
    if unknown := set(args.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    held = True
    for name in args.parts or PARTS:
        began = time.monotonic()
        row = {"part": name, "share": args.share, **PARTS[name](args.share), "seconds": round(time.monotonic() - began)}
        held = held and not row["wrong"]
        keep(RESULTS, row)
        print(json.dumps(row), flush=True)
    return 0 if held else 1


def keep(path: Path, row: dict[str, Any]) -> None:
    """Write a part's row into the file, in the place of that part's row before it."""
    try:
        rows = json.loads(path.read_text())["rows"]
    except (OSError, ValueError, KeyError):
        rows = []
    rows = [*(old for old in rows if old["part"] != row["part"]), row]
    path.write_text(json.dumps({"version": 1, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
