"""Run the parts named, or all; print the table, write soak/results.json; exit code 1 if anything did not hold.

python -m soak [--share 0.01] [games kills liars fuzz matches ...]
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import fuzz, games, kills, leaks, liars, matches

PARTS: dict[str, Callable[[float], dict[str, Any]]] = {
    "games": games.run,
    "kills": kills.run,
    "leaks": leaks.run,
    "liars": liars.run,
    "fuzz": fuzz.run,
    "matches": matches.run,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)} (default: all)")
    parser.add_argument("--share", type=float, default=1.0, help="how much of each part: 0.01 is a hundredth")
    args = parser.parse_args()
    if unknown := set(args.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    rows = []
    for name in args.parts or PARTS:
        began = time.monotonic()
        row = {"part": name, **PARTS[name](args.share), "seconds": round(time.monotonic() - began)}
        rows.append(row)
        print(json.dumps(row), flush=True)
    (Path(__file__).parent / "results.json").write_text(json.dumps({"version": 1, "share": args.share, "rows": rows}, indent=1) + "\n")
    return 1 if any(row["wrong"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
