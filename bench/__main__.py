"""Run all benchmarks, print the table and write bench/results.json; exit code 1 if a bar does not hold."""

import json
import sys
from pathlib import Path

from . import files, grid, hidden, play, reunion, screen, seen, shuffle, strangers, walks
from .rows import Row

TOPICS = (shuffle.rows, play.rows, screen.rows, hidden.rows, grid.rows, walks.rows, seen.rows, reunion.rows, files.rows, strangers.rows)


def shown(figure: float | None) -> str:
    return "" if figure is None else f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}"


def main() -> int:
    results: list[Row] = [row for topic in TOPICS for row in topic()]
    print(f"{'row':18} {'ours':>9} {'bar':>9}  {'unit':26} {'peer':>9} {'ratio':>6} {'at least':>8}  holds")
    for r in results:
        figures = f"{r['name']:18} {shown(r['ours']):>9} {shown(r['bar']):>9}  {r['unit']:26}"
        beside = f"{shown(r['peers']):>9} {shown(r['ratio']):>6} {shown(r['ratio_bar']):>8}"
        print(figures, beside, " yes" if r["holds"] else " NO", f"({r['peer']})" if r["peer"] else "")
    (Path(__file__).parent / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(r["holds"] for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
