"""The rosters of next matches that are shown to us: since when, and by which seats.  It knows rosters and times, no links and no books.

A seat shows a roster by sending it, or by what it has signed in that match.  One alone may have kept it back until it suits it, so
what follows from a roster waits for more than half of those who play there.  Who has only sent it may still go back from that match;
so who would be left behind by it waits for keys, or what is signed later (docs/protocol.md, section 10).
"""

from .roster import Roster

MAX_SHOWN = 16  # rosters that are remembered, the latest: who shows one after another fills no memory
SETTLE = 4.0  # seconds until we believe that we were voted out: two rounds of At, in which others show how they vote now


class Shown:
    """`add` what is shown; times are seconds of any steady clock."""

    def __init__(self) -> None:
        self._rosters: dict[bytes, tuple[float, frozenset[int | None], frozenset[int | None], Roster]] = {}  # since; by whom; bound there

    def add(self, roster: Roster, by: int | None, now: float, bound: bool = False) -> None:
        """That seat (None: somebody without one) shows this roster; `bound`: by its keys, or what it has signed later."""
        since, seats, there, _ = self._rosters.pop(roster.match, (now, frozenset(), frozenset(), roster))
        one = since, seats | {by}, there | {by} if bound else there, roster
        self._rosters = dict([*self._rosters.items(), (roster.match, one)][-MAX_SHOWN:])

    def roster(self, match: bytes) -> Roster | None:
        """The roster of that match, if it has been shown."""
        return self._rosters[match][3] if match in self._rosters else None

    def bound(self, roster: Roster) -> frozenset[int | None]:
        """Who has given keys there."""
        return self._rosters[roster.match][2]

    def age(self, roster: Roster, now: float) -> float:
        """For how many seconds it has been shown."""
        return now - self._rosters[roster.match][0]

    def by_most(self, roster: Roster) -> bool:
        """Do more than half of those who play in that match show it?"""
        return 2 * len(self._rosters[roster.match][1] & set(roster.here)) > len(roster.here)

    def settled(self, roster: Roster, now: float) -> bool:
        """Have more than half given keys there, and has it been shown for so long that others have had their say?"""
        return 2 * len(self.bound(roster) & set(roster.here)) > len(roster.here) and self.age(roster, now) >= SETTLE
