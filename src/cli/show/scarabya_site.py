"""Scarabya's sites drawn and described: rocks, scarabs, tiles and scored areas, distinct without colour; it knows no moves.

Two cells a square: ` .` ground, ` *` scarab, `##` rock, `TT` tile T, `Tt` on a scarab, `2.` and `2*` a scored area of 2 squares.
In one cell, for sites seen from afar: . * # T and the area's size.
"""

from collections.abc import Iterable, Mapping

from ...core.games.grid import squares_of
from ...core.games.scarabya import Scarabya
from ...core.games.scarabya_data import HALF, PLACES, SIDE
from ..cells import Line, line_cells
from ..text import _

WIDE = 2 + 2 * SIDE  # cells of a site with row numbers
NARROW = SIDE

Marks = Mapping[int, tuple[str, str]]  # square -> (style, two cells) that hide what lies there


def drawn(rules: Scarabya, seat: int, marks: Marks) -> list[Line]:
    """A header of column numbers, then the rows, WIDE cells each."""
    kinds = _kinds(rules, seat)
    lines: list[Line] = [[("class:dim", "  " + "".join(f" {column}" for column in range(SIDE)))]]
    for row in range(SIDE):
        line: Line = [("class:dim", f"{row} ")]
        for square in range(SIDE * row, SIDE * (row + 1)):
            line.append(marks.get(square) or _two(kinds[square]))
        lines.append(line)
    return lines


def small(rules: Scarabya, seat: int) -> list[Line]:
    """The same in one cell a square, without numbers."""
    kinds = _kinds(rules, seat)
    return [[_one(kinds[square]) for square in range(SIDE * row, SIDE * (row + 1))] for row in range(SIDE)]


def in_words(rules: Scarabya, seat: int) -> list[str]:
    """A sentence a row: what lies in which columns."""
    kinds = _kinds(rules, seat)
    lines = []
    for row in range(SIDE):
        runs: list[tuple[str, list[int]]] = []
        for column in range(SIDE):
            word = _word(kinds[SIDE * row + column])
            if runs and runs[-1][0] == word:
                runs[-1][1].append(column)
            else:
                runs.append((word, [column]))
        parts = (f"{word} {columns[0]}" + (f"-{columns[-1]}" if len(columns) > 1 else "") for word, columns in runs)
        lines.append(_("Row {row}: {parts}.").format(row=row, parts=", ".join(parts)))
    return lines


def shape(squares: Iterable[int]) -> list[str]:
    """A tile as rows of . and #, cut to its bounding box."""
    cells = [divmod(square, SIDE) for square in squares]
    rows, columns = [row for row, _c in cells], [column for _r, column in cells]
    return [
        "".join("#" if (row, column) in cells else "." for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    ]


def beside_each_other(blocks: Iterable[tuple[list[Line], int]], gap: int = 2) -> list[Line]:
    """Blocks of lines, each padded to its width, next to each other."""
    blocks = list(blocks)
    out: list[Line] = []
    for i in range(max(len(lines) for lines, _width in blocks)):
        line: Line = []
        for lines, width in blocks:
            part = lines[i] if i < len(lines) else []
            line += [*part, ("", " " * (width - line_cells(part) + gap))]
        out.append(line)
    return out


# -- what lies on a square ---------------------------------------------------------------------------------------------

Kind = tuple[str, str, bool]  # ("none", "ground", "rock", "tile" or "area"; the tile's letter or the area's size; is there a scarab?)


def _kinds(rules: Scarabya, seat: int) -> list[Kind]:
    scarabs = set(squares_of(rules.scarabs))
    kinds: list[Kind] = [("none", "", False)] * (SIDE * SIDE)
    for top, left in PLACES[: len(rules.laid)]:
        for square in (SIDE * (top + r) + left + c for r in range(HALF) for c in range(HALF)):
            kinds[square] = ("ground", "", square in scarabs)
    for square in squares_of(rules.rocks):
        kinds[square] = ("rock", "", False)
    for tile, squares in rules.placed[seat]:
        for square in squares:
            kinds[square] = ("tile", tile, square in scarabs)
    for squares, _found in rules.areas(seat):
        for square in squares:
            kinds[square] = ("area", str(len(squares)), square in scarabs)
    return kinds


def _two(kind: Kind) -> tuple[str, str]:
    what, name, scarab = kind
    if what == "none":
        return "", "  "
    if what == "rock":
        return "class:rock", "##"
    if what == "tile":
        return "class:tile", name + (name.lower() if scarab else name)
    if what == "area":
        return "class:area", name + ("*" if scarab else ".")
    return ("class:scarab", " *") if scarab else ("class:dim", " .")


def _one(kind: Kind) -> tuple[str, str]:
    what, name, scarab = kind
    if what == "none":
        return "", " "
    if what == "rock":
        return "class:rock", "#"
    if what in ("tile", "area"):
        return f"class:{what}", name
    return ("class:scarab", "*") if scarab else ("class:dim", ".")


def _word(kind: Kind) -> str:
    what, name, scarab = kind
    if what == "none":
        return _("no board yet")
    if what == "rock":
        return _("rock")
    if what == "tile":
        return _("tile {tile} on a scarab").format(tile=name) if scarab else _("tile {tile}").format(tile=name)
    if what == "area":
        return _("scored scarab (area of {n})").format(n=name) if scarab else _("area of {n}").format(n=name)
    return _("scarab") if scarab else _("ground")
