"""Scarabya's squares cell by cell, as the rulebook says it: an oracle for the kernel of machine words, and its peer in benches."""

from collections.abc import Collection, Iterable, Iterator

SIDE = 10
Cell = tuple[int, int]


def neighbours(cell: Cell) -> list[Cell]:
    """The squares that share a side with this one, inside the frame."""
    row, column = cell
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE]


def space(free: Collection[Cell], start: Cell) -> frozenset[Cell]:
    """Everything that can be reached from a free square over sides."""
    found, edge = {start}, [start]
    while edge:
        for cell in neighbours(edge.pop()):
            if cell in free and cell not in found:
                found.add(cell)
                edge.append(cell)
    return frozenset(found)


def spaces(free: Collection[Cell]) -> set[frozenset[Cell]]:
    """The free squares as spaces."""
    return {space(free, cell) for cell in free}


def closed(free: Collection[Cell], tile: Iterable[Cell], largest: int) -> set[frozenset[Cell]]:
    """The spaces of at most so many squares that touch the tile."""
    beside = {cell for square in tile for cell in neighbours(square) if cell in free}
    return {area for area in (space(free, cell) for cell in beside) if len(area) <= largest}


def orientations(cells: Iterable[Cell]) -> set[frozenset[Cell]]:
    """A tile turned and mirrored in every way, in the top left corner."""
    found = set()
    cells = list(cells)
    for _ in range(2):
        for _ in range(4):
            top, left = min(r for r, _c in cells), min(c for _r, c in cells)
            found.add(frozenset((r - top, c - left) for r, c in cells))
            cells = [(c, -r) for r, c in cells]
        cells = [(r, -c) for r, c in cells]
    return found


def placements(free: Collection[Cell], shapes: Iterable[Collection[Cell]], among: Collection[Cell]) -> Iterator[frozenset[Cell]]:
    """Every way to put a shape on free squares so that it covers a square of `among`."""
    for shape in shapes:
        for row in range(SIDE):
            for column in range(SIDE):
                cells = [(row + r, column + c) for r, c in shape]
                if all(cell in free for cell in cells) and any(cell in among for cell in cells):
                    yield frozenset(cells)
