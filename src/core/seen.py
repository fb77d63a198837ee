"""What one seat alone has learned, and when; it knows neither files nor keys.

A transcript holds only what everybody has seen.  Who wants to see the match again from a seat needs, beside it, the faces and hidden
values that this seat was shown; they are taught to the public rules at the step at which the seat learned them.
"""

from dataclasses import dataclass
from typing import Any

from .rules import PRIVATE, Rules

Known = dict[tuple[str, Any], Any]  # by book of the rules ("peeked", "mine") and its key
LARGEST = 1 << 16  # hidden values and dice are smaller: another number in a file is none of ours


@dataclass(frozen=True, slots=True)
class Learned:
    """In the match of this hash the answer to request `step` has shown the seat `value`: of a card's part (peeked), or hidden (mine)."""

    match: bytes
    step: int
    book: str
    key: Any
    value: Any


def knowledge(rules: Rules) -> Known:
    """Everything that these rules know beyond what all know."""
    return {(book, key): value for book in PRIVATE for key, value in getattr(rules, book).items()}


def news(match: bytes, step: int, before: Known, after: Known) -> list[Learned]:
    """What the answer to `step` has added or changed."""
    return [Learned(match, step, book, key, value) for (book, key), value in after.items() if before.get((book, key)) != value]


def teach(rules: Rules, learned: Learned) -> None:
    """Let the rules know it; what all see is untouched.  Raises ValueError for what no seat of this game can have learned."""
    if learned.book == "peeked" and _is_part(rules, learned.key) and learned.value in _faces(rules, learned.key[1]):
        rules.peeked[learned.key] = learned.value
    elif learned.book == "mine" and type(learned.key) is str and _is_number(learned.value):
        if learned.key not in rules.public:  # the same answer may go on to open what it has hidden
            rules.mine[learned.key] = learned.value
    else:
        raise ValueError("nothing that a seat learns")


def _is_part(rules: Rules, key: Any) -> bool:
    return type(key) is tuple and len(key) == 2 and _is_number(key[0]) and key[0] < rules.handles and key[1] in ("back", "face")


def _faces(rules: Rules, part: str) -> tuple[Any, ...]:
    """What may be on that part of a card, or on a die."""
    return (*(card[part == "face"] for card in rules.printed()), *range(1, 7))


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST
