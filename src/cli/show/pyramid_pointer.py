"""What a person moves over Pyramid's screen by keys: a choice in a list, or a square; and the overlay of what the mummy can believe.

Pointers are immutable; they know what Enter would play and decide nothing.
"""

from dataclasses import dataclass, replace

from ...core.rules import Hide, Move
from ...core.view import Snapshot
from ..text import _
from .pyramid_words import choices, move_phrase, pyramid

OVERLAY = "f4"
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


@dataclass(frozen=True)
class Glance:
    """Only looking; `overlay`: how likely each square is to hold a hunter, from public facts."""

    overlay: bool = False

    def press(self, snapshot: Snapshot, key: str) -> "Glance | None":
        """The pointer after a key; None if the key means nothing here."""
        return replace(self, overlay=not self.overlay) if key == OVERLAY else None

    def move(self, snapshot: Snapshot) -> Move | None:
        """What Enter plays; None: nothing."""
        return None

    def square(self) -> int | None:
        """The square to be marked on the map."""
        return None

    def words(self, snapshot: Snapshot) -> str:
        """What Enter would do, in one line; empty for nothing."""
        return ""

    def keys(self) -> str:
        """The keys that move it."""
        return _("F4: where hunters may be")


@dataclass(frozen=True)
class Choice(Glance):
    """One of a few moves; none until the person has chosen."""

    at: int | None = None

    def press(self, snapshot: Snapshot, key: str) -> Glance | None:
        if key not in ARROWS:
            return super().press(snapshot, key)
        moves, way = choices(snapshot), sum(ARROWS[key])
        start = self.at if self.at is not None else (-1 if way > 0 else 0)
        return replace(self, at=(start + way) % len(moves))

    def move(self, snapshot: Snapshot) -> Move | None:
        return None if self.at is None else choices(snapshot)[self.at]

    def words(self, snapshot: Snapshot) -> str:
        from .pyramid import move

        return "   ".join(f"{'▸' if i == self.at else ''}{i + 1}. {move(snapshot, m)}" for i, m in enumerate(choices(snapshot)))

    def keys(self) -> str:
        return _("number or words, or arrows; Enter; F4: where hunters may be")


@dataclass(frozen=True)
class Place(Glance):
    """A square to go to: the mummy's next one, or where a hunter's move ends."""

    at: int | None = None

    def press(self, snapshot: Snapshot, key: str) -> Glance | None:
        if key not in ARROWS:
            return super().press(snapshot, key)
        return replace(self, at=_towards(snapshot, self.at, ARROWS[key]))

    def move(self, snapshot: Snapshot) -> Move | None:
        if self.at is None:
            return None
        return self.at if isinstance(snapshot.view.asked(), Hide) else ("step", self.at)

    def square(self) -> int | None:
        return self.at

    def words(self, snapshot: Snapshot) -> str:
        moves = snapshot.view.moves()
        listed = "  ".join(f"{i}. {move_phrase(snapshot, m)}" for i, m in enumerate(moves, 1))
        chosen = self.move(snapshot)
        return f"▸ {move_phrase(snapshot, chosen)}   ({listed})" if chosen is not None else listed

    def keys(self) -> str:
        return _("arrows or words; Enter; F4: where hunters may be")


def pointer(snapshot: Snapshot) -> Glance:
    """Where the person starts: nothing is chosen, unless there is but one choice."""
    request = snapshot.view.asked()
    if not snapshot.asked or request is None:
        return Glance()
    if isinstance(request, Hide) or request.moves == "paces":
        return Place()
    return Choice(at=0 if len(choices(snapshot)) == 1 else None)


def _towards(snapshot: Snapshot, at: int | None, way: tuple[int, int]) -> int | None:
    """The nearest square that may be chosen in this direction, straight ahead before aside; the same one if there is none."""
    rules, request = pyramid(snapshot), snapshot.view.asked()
    squares = [m if isinstance(m, int) else m[1] for m in snapshot.view.moves() if m != ("stop",)]
    here = rules.mummy if not isinstance(request, Hide) else at if at is not None else rules.square(request.name)
    if here is None:
        return at
    row, column = divmod(here, rules.data.board.columns)
    best: tuple[int, int] | None = None
    for square in squares:
        down, right = square // rules.data.board.columns - row, square % rules.data.board.columns - column
        ahead, aside = down * way[0] + right * way[1], abs(down * way[1]) + abs(right * way[0])
        if ahead > 0 and (best is None or ahead + 3 * aside < best[0]):
            best = (ahead + 3 * aside, square)
    return best[1] if best else at
