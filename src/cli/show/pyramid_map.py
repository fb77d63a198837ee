"""Pyramid's map drawn in characters, large or small; it knows walls and squares, and what stands on each as it is told.

A square is three characters wide: a sign, then two for what is there.  Small: walls are | and _, one line a row; large: + - and |.
"""

from collections.abc import Mapping

from ...core.games.pyramid_data import Board
from ..cells import Line, line_cells

Cells = Mapping[int, tuple[str, str]]  # square -> (style, three characters)
LEFT = 3  # cells for the number of a row


def size(board: Board, large: bool) -> tuple[int, int]:
    """(columns, rows) of the drawing, with its letters and numbers."""
    return LEFT + 4 * board.columns + 1, (2 if large else 1) * board.rows + 2


def drawn(board: Board, cells: Cells, large: bool) -> list[Line]:
    """The map; `cells` has an entry for every square."""
    letters = "".join(f"  {chr(ord('a') + column)} " for column in range(board.columns))
    lines: list[Line] = [[("class:dim", " " * LEFT + letters)]]
    if not large:
        lines.append([("class:wall", " " * LEFT + "".join(_under(board, -1, column, " ") for column in range(board.columns)))])
    for row in range(board.rows):
        if large:
            lines.append([("class:wall", " " * LEFT + _above(board, row))])
        lines.append([("class:dim", f"{row + 1:2} "), *_row(board, row, cells, large)])
    if large:
        lines.append([("class:wall", " " * LEFT + _above(board, board.rows))])
    return lines


def beside(left: list[Line], right: list[Line], width: int, gap: int = 2) -> list[Line]:
    """Two blocks next to each other; `width` is the left one's."""
    lines: list[Line] = []
    for i in range(max(len(left), len(right))):
        line = list(left[i]) if i < len(left) else []
        if i < len(right):
            line.append(("", " " * (width + gap - line_cells(line))))
            line += right[i]
        lines.append(line)
    return lines


def _row(board: Board, row: int, cells: Cells, large: bool) -> Line:
    line: Line = []
    for column in range(board.columns + 1):
        here, before = _square(board, row, column), _square(board, row, column - 1)
        line.append(("class:wall", _side(board, here, before, large)))
        if column == board.columns:
            break
        if here is None:
            line.append(("class:wall", "   " if large else _under(board, row, column, " ")[1:]))
            continue
        style, text = cells[here]
        if large or not _floor(board, here):
            line.append((style, text))
        else:
            line += [("class:wall" if char == " " else style, "_" if char == " " else char) for char in text]
    return line


def _side(board: Board, here: int | None, before: int | None, large: bool) -> str:
    """What is drawn between two neighbouring squares of a row."""
    if here is None and before is None:
        return " "
    if here is None or before is None or before not in board.right:
        return "|"
    return "_" if not large and _floor(board, here) and _floor(board, before) else " "


def _under(board: Board, row: int, column: int, side: str) -> str:
    """Small: the place of a square that does not exist, with the wall of the one below it."""
    below = _square(board, row + 1, column)
    return side + ("___" if below is not None and _square(board, row, column) is None else "   ")


def _above(board: Board, row: int) -> str:
    """Large: the line of walls above a row."""
    out = ""
    for column in range(board.columns + 1):
        corners = [_square(board, row + dr, column + dc) for dr in (-1, 0) for dc in (-1, 0)]
        out += "+" if any(corner is not None for corner in corners) else " "
        if column < board.columns:
            above, below = _square(board, row - 1, column), _square(board, row, column)
            wall = (above is None) != (below is None) or (above is not None and above not in board.down)
            out += "---" if wall else "   "
    return out


def _floor(board: Board, square: int) -> bool:
    return square not in board.down


def _square(board: Board, row: int, column: int) -> int | None:
    square = row * board.columns + column
    return square if 0 <= row < board.rows and 0 <= column < board.columns and square in board.squares else None
