"""Legal moves as a collection that compares types too; knows no game."""

from collections.abc import Iterable, Iterator

from ..rules import Move


class Listed:
    """Legal moves in the rules' order.  `in` takes anything that a peer may send: True is not 1, a list is no tuple."""

    def __init__(self, moves: Iterable[Move]) -> None:
        self._moves = tuple(moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __contains__(self, move: object, /) -> bool:
        return any(same(move, legal) for legal in self._moves)

    def __len__(self) -> int:
        return len(self._moves)


def same(a: object, b: object) -> bool:
    """Equal as plain data: the types are the same at every depth."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b
