"""What one link may use of this program, and what of it has to wait.  It knows amounts and seconds of any steady clock, no links.

A `Budget` counts what has been used lately; a `Turns` lets one of a kind through a tick and keeps the latest of the others.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
STRANGERS = 8  # strangers' links beyond which they share what work so many may cause


@dataclass(frozen=True, slots=True)
class Limit:
    """So much a second, and at most so much at once."""

    rate: float
    most: float


# of messages, bytes, and the worker's seconds: who plays and is far behind catches up, and a stranger cannot hold anybody up
WANTED = Limit(1000, 8192), Limit(2 << 20, 16 << 20), Limit(0.5, 30.0)
STRANGE = Limit(8, 24), Limit(16 << 10, 64 << 10), Limit(0.02, 0.25)


class Budget:
    """A leaky bucket: what is used runs off at the limit's rate.  The limit may differ from call to call, as a link's peer may sit down."""

    def __init__(self) -> None:
        self._used, self._when = 0.0, 0.0

    def spend(self, amount: float, limit: Limit, now: float) -> float:
        """This much has been used: the seconds until it is within the limit again (0: it is)."""
        self._run_off(limit, now)
        self._used += amount
        return max(0.0, self._used - limit.most) / limit.rate

    def take(self, amount: float, limit: Limit, now: float) -> bool:
        """Use this much if the limit lets it; the first is let through, however much it is."""
        self._run_off(limit, now)
        if self._used and self._used + amount > limit.most:
            return False
        self._used += amount
        return True

    def _run_off(self, limit: Limit, now: float) -> None:
        self._used = max(0.0, self._used - limit.rate * max(0.0, now - self._when))
        self._when = now


class Allowance:
    """What one link may use of messages, bytes and work."""

    def __init__(self) -> None:
        self._budgets = Budget(), Budget(), Budget()

    def charge(self, messages: int, size: int, work: float, strangers: int, now: float) -> float:
        """The link has used this: for how many seconds it has to rest.  `strangers`: how many there are, if it is one of them, else 0."""
        limits = STRANGE if strangers else WANTED
        share = STRANGERS / max(STRANGERS, strangers)
        amounts = messages, size, work / share
        return max(budget.spend(amount, limit, now) for budget, amount, limit in zip(self._budgets, amounts, limits, strict=True))


class Turns(Generic[T]):
    """One of each key has its turn between two ticks; of the others the latest waits, and the keys that wait are few."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._had: set[Hashable] = set()
        self._waiting: dict[Hashable, T] = {}

    def take(self, key: Hashable, what: T) -> bool:
        """May it be done now?  If not it waits for `tick`, in place of what has waited under that key."""
        if key not in self._had and len(self._had) < self._most:
            self._had.add(key)
            return True
        if key in self._waiting or len(self._waiting) < self._most:
            self._waiting[key] = what
        return False

    def tick(self) -> list[T]:
        """What may be done now of what has waited."""
        due, self._waiting = self._waiting, {}
        self._had = set(due)
        return list(due.values())
