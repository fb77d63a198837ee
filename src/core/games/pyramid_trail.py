"""A piece's trail: what everybody has learnt of a hidden square since it was last public.  It holds no secret, and it stays short.

Facts are (kind, what, mummy's square, company): "at" a square; "among" squares; "went" with a face of a die; "in" or "not" in squares.
`company`: another piece in the game stood on an ordinary square, so that it may have stopped an arrow.
"""

from functools import lru_cache
from typing import Any

from .pyramid_data import ARROW, Board
from .pyramid_moves import slides

Fact = tuple[str, Any, int, bool]
LONGEST = 48  # facts kept one by one: a piece that is never seen ends here, not in everybody's memory


def noted(board: Board, trail: list[Fact], fact: Fact) -> list[Fact]:
    """The trail with one more fact; a long one begins anew with the squares that remain possible."""
    longer = [*trail, fact]
    if len(longer) <= LONGEST:
        return longer
    cut = len(longer) // 2
    _, _, mummy, company = longer[cut - 1]
    return [("among", possible(board, tuple(longer[:cut])), mummy, company), *longer[cut:]]


def possible(board: Board, trail: tuple[Fact, ...]) -> tuple[int, ...]:
    """The squares, ascending, on which the piece may be."""
    squares: set[int] = set()
    for kind, what, mummy, company in trail:
        if kind == "at":
            squares = {what}
        elif kind == "among":
            squares = set(what)
        elif kind == "went":
            squares = {new for old in squares for new, _ in ways(board, what, mummy, old, company)}
        else:
            squares = {square for square in squares if (square in what) == (kind == "in")}
    return tuple(sorted(squares))


@lru_cache(4096)
def ways(board: Board, face: int, mummy: int, old: int, company: bool) -> tuple[tuple[int, bool], ...]:
    """(end, may another piece be needed to stop it) of every move with this face from a square, as everybody sees it."""
    if face != ARROW:
        return tuple((new, False) for new in board.maze.ends(old, face, mummy))
    return tuple((path[-1], beyond is not None) for _, path, beyond in slides(board, mummy, old) if beyond is None or company)
