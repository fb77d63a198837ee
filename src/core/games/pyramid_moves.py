"""What a hunter's move may be, as Statements over hidden squares; everything in them follows from public facts.

A number: (old, new) is one of the pairs of walks of that length.  The arrow: for each other hunter a row of (old, new, other), because
what stops the slide is a wall (in the wide sense) or exactly one of them.  Where the origin is public the tables hold it alone.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..rules import Statement
from .pyramid_data import ARROW, SIDES, Board

Slide = tuple[int, tuple[int, ...], int | None]  # origin, squares passed up to the end, the next square or None if the slide is full
Pairs = frozenset[tuple[int, ...]]
CACHED = 8  # tables kept: one for the arrow takes 2 MB, and the mummy stands on one square at a time


def statement(board: Board, face: int, mummy: int, origin: int | None, others: tuple[str, ...]) -> Statement:
    """That `new` ends a move from `old` with this face of a die (P35-P52).

    `origin` is the square of `old` if that is public; `others` are the names of the other hunters on ordinary squares.
    """
    if face != ARROW:
        return Statement(all_of=((("old", "new"), walks(board, face, mummy, origin)),), apart=others)
    if not others:
        return Statement(all_of=((("old", "new"), full_slides(board, mummy, origin)),))
    if len(others) == 1:
        return Statement(all_of=((("old", "new", others[0]), stopped(board, mummy, origin, True)),))
    return Statement(
        all_of=tuple((("old", "new", other), clear(board, mummy, origin)) for other in others),
        one_of=tuple((("old", "new", other), stopped(board, mummy, origin, other == others[0])) for other in others),
    )


@lru_cache(16 * CACHED)
def walks(board: Board, steps: int, mummy: int, origin: int | None) -> Pairs:
    """(old, new): walks of exactly so many steps."""
    return frozenset((u, v) for u in _origins(board, mummy, origin) for v in board.maze.ends(u, steps, mummy))


@lru_cache(16 * CACHED)
def full_slides(board: Board, mummy: int, origin: int | None) -> Pairs:
    """(old, new): straight on until a wall, the mummy, start or dungeon."""
    return frozenset((u, path[-1]) for u, path, after in slides(board, mummy, origin) if after is None)


@lru_cache(CACHED)
def clear(board: Board, mummy: int, origin: int | None) -> Pairs:
    """(old, new, other): a slide, full or not, that does not meet the other hunter."""
    return frozenset(
        (u, path[-1], w) for u, path, _ in slides(board, mummy, origin) for w in board.ordinary if w not in (u, mummy) and w not in path
    )


@lru_cache(CACHED)
def stopped(board: Board, mummy: int, origin: int | None, or_full: bool) -> Pairs:
    """Of the clear ones those in which the other stands on the next square; with `or_full` also the full slides."""
    return frozenset(
        (u, path[-1], w)
        for u, path, after in slides(board, mummy, origin)
        for w in (board.ordinary if after is None and or_full else (after,))
        if w is not None and w not in (u, mummy) and w not in path
    )


@lru_cache(16 * CACHED)
def slides(board: Board, mummy: int, origin: int | None) -> tuple[Slide, ...]:
    """Every straight way of at least one square, to its end and to each square before that."""
    return tuple(
        (u, path[: n + 1], path[n + 1] if n + 1 < len(path) else None)
        for u in _origins(board, mummy, origin)
        for side in range(len(SIDES))
        for path in [board.maze.slide(u, side, mummy)]
        for n in range(len(path))
    )


def ends(board: Board, face: int, mummy: int, origin: int, others: Iterable[int]) -> tuple[int, ...]:
    """The squares, ascending, where a move from `origin` may end, with the other hunters on these ordinary squares."""
    taken = set(others)
    if face != ARROW:
        return tuple(square for square in board.maze.ends(origin, face, mummy) if square not in taken)
    return tuple(sorted({end for end in _stops(board, mummy, origin, taken) if end != origin}))


def _stops(board: Board, mummy: int, origin: int, taken: set[int]) -> Iterator[int]:
    for side in range(len(SIDES)):
        end = origin
        for square in board.maze.slide(origin, side, mummy):
            if square in taken:
                break
            end = square
        yield end


def _origins(board: Board, mummy: int, origin: int | None) -> tuple[int, ...]:
    return tuple(square for square in board.ordinary if square != mummy) if origin is None else (origin,)
