"""Since when each seat has been waited for, and when it counts as silent, or as heard.  It knows numbers of seats and seconds, no links."""

import math
from collections.abc import Collection, Hashable, Iterable, Mapping

from ..core.errors import LocalError

LONG = 10  # times the grace: how long a seat that is reached may think, or come and go, before the others may go on without it
ASLEEP = 5.0  # seconds between two looks, beyond which this machine was asleep: nobody else is late for that


class Patience:
    """`note` at every tick; the clock is in seconds of any steady clock, `grace` in seconds."""

    def __init__(self, grace: int) -> None:
        self.grace, self.clock = grace, 0.0
        self._waited: dict[tuple[int, Hashable], float] = {}  # since when, by (seat, for what)
        self._unreached: dict[tuple[int, Hashable], float] = {}  # since when without a moment of contact
        self._back: dict[tuple[int, Hashable], float] = {}  # when first reached again after that had been too long

    def note(self, now: float, waits: Mapping[int, Hashable], reached: Collection[int]) -> None:
        """These seats are waited for, each for something that changes when it does what it has to; nobody reaches those not `reached`."""
        slept = max(0.0, now - self.clock - ASLEEP)
        self.clock = now
        self._waited = {wait: self._waited.get(wait, now - slept) + slept for wait in waits.items()}
        unreached = [wait for wait in waits.items() if wait[0] not in reached]
        back = [wait for wait, since in self._unreached.items() if now - slept - since >= self.grace and wait not in unreached]
        self._back = {wait: self._back.get(wait, now) for wait in self._waited if wait in self._back or wait in back}
        self._unreached = {wait: self._unreached.get(wait, now - slept) + slept for wait in unreached}

    def silent(self) -> tuple[tuple[int, int], ...]:
        """(seat, whole seconds left) of those that nobody reaches, and of those that have been waited for very long."""
        found = []
        for wait, since in self._waited.items():
            # who comes back very late is given one more grace, once, to answer
            left = max(since + LONG * self.grace, self._back.get(wait, since) + self.grace) - self.clock
            if wait in self._unreached:
                left = min(left, self._unreached[wait] + self.grace - self.clock)
            if wait in self._unreached or left <= self.grace:
                found.append((wait[0], max(0, math.ceil(left))))
        return tuple(sorted(found))

    def minutes(self) -> tuple[tuple[int, int], ...]:
        """(seat, whole minutes) of those that have been waited for for a minute or more: for showing alone."""
        since = ((wait[0], int(self.clock - since) // 60) for wait, since in self._waited.items())
        return tuple(sorted(wait for wait in since if wait[1]))

    @property
    def late(self) -> tuple[int, ...]:
        """The seats without which the others may go on."""
        return tuple(seat for seat, left in self.silent() if not left)


class Unheard:
    """After a resume: the `seats` that may still hold what this one has signed and forgotten; until they are heard it signs nothing.

    A seat is heard over a link of its own.  One without a link is heard when two others are linked with it by their own account, or
    when one has said so for `grace` seconds: a liar alone then has to keep it away for that long, and there may be nobody else to ask.
    """

    def __init__(self, grace: int) -> None:
        self.grace = grace
        self.seats: set[int] = set()
        self._now = 0.0
        self._place: Hashable = None
        self._nobody = False  # has none of them come yet, who would first send back what this one has forgotten, its votes too?
        self._tellers: dict[int, set[int]] = {}  # by seat: who says that it is linked with it
        self._since: dict[int, float] = {}
        self._further: dict[int, float | None] = {}  # since when a seat says that it stands beyond us, and we get nowhere

    def expect(self, seats: Iterable[int]) -> None:
        """This one is back from its disk, and these are to be heard."""
        self.seats = set(seats)
        self._nobody = bool(self.seats)

    def misses(self, linked: Collection[int]) -> bool:
        """Is it too early to vote: has none been heard, or is one that we are linked with not caught up with?

        Who says for `grace` seconds that it stands beyond us, while nothing comes of it, is not waited for with a vote, and after LONG
        times the grace with nothing: it could as well say nothing of what it holds.
        """
        idle = {seat for seat, since in self._further.items() if since is not None and self._now - since >= self.grace}
        return self._nobody or not (self.seats - idle).isdisjoint(linked)

    def check(self, linked: Collection[int] | None = None) -> None:
        """LocalError unless all are heard, or all that are `linked`: what is signed before may contradict what is forgotten."""
        if self.seats if linked is None else self.misses(linked):
            raise LocalError("The others have not been heard since you came back: wait for them, or close the program.")

    def hear(self, teller: int, linked: Collection[int], further: bool = False) -> None:
        """This seat says that it is linked with those; `further`: it stands beyond us, or holds what we have not got."""
        self._nobody = False
        if further:
            self._further.setdefault(teller, None)
            return
        self.seats.discard(teller)
        for seat in self.seats & set(linked):
            self._tellers.setdefault(seat, set()).add(teller)
        self.seats = {seat for seat in self.seats if len(self._tellers.get(seat, ())) < 2}

    def tick(self, now: float, left: Collection[int] = (), place: Hashable = None) -> None:
        """Time passes, on any steady clock; who has `left` for ever does not come any more, and nobody waits for it.

        `place` changes when this seat gets further.
        """
        if place != self._place:
            self._place, self._further = place, {}
        self._further = {seat: now if since is None else since for seat, since in self._further.items()}
        self._now = now
        self.seats -= {seat for seat, since in self._further.items() if since is not None and now - since >= LONG * self.grace}
        self.seats -= set(left)
        for seat in self.seats & set(self._tellers):
            self._since.setdefault(seat, now)
        self.seats = {seat for seat in self.seats if seat not in self._since or now - self._since[seat] < self.grace}
