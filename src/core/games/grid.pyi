"""Squares of a board as bits of machine words.

A mask is an integer whose bit 10 * row + column stands for a square of the site, 10 rows of 10 from the top left.
Every function raises OverflowError for a mask or a square outside the site.
"""

from collections.abc import Iterable

def mask_of(squares: Iterable[int]) -> int:
    """The mask of these squares (0..99)."""

def squares_of(mask: int) -> tuple[int, ...]:
    """The squares of the mask, in ascending order."""

def beside(mask: int) -> int:
    """The squares that share a side with a square of the mask and are not in it."""

def closed(free: int, tile: int, largest: int) -> tuple[int, ...]:
    """The spaces of at most `largest` squares of `free` that touch `tile` by a side, as masks, by the first square that touches it.

    `free` is what the tile has left free.  Squares of a space share sides; corners do not join.
    """

def placements(free: int, shapes: Iterable[int], among: int) -> list[tuple[int, ...]]:
    """Where a tile fits: all squares free, at least one of them in `among`; each placement as its squares in ascending order.

    `shapes` are the tile's orientations, each moved as far up and left as it goes (at most 10 squares); all different.
    By shape, then by the corner of its bounding box.
    """
