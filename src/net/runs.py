"""Two machines with one identity, such as a copied data folder: each start of a program is a run, and says so under its identity.

A peer that meets two runs of one identity at the same time shows each the other's statement.  It knows no links and no files.
"""

from collections.abc import Collection

from .identity import Identity, verify
from .wire import Run

LABEL = b"mastaba run 1"  # every signature starts with a label of its purpose
SIZE = 16  # random bytes that are a run
LATE = 10.0  # seconds after a start, from which on no link of an earlier run is still taken for alive


def state(identity: Identity, run: bytes) -> Run:
    """The statement that this run is one of that identity."""
    return Run(run, identity.sign(LABEL, run))


def genuine(public: bytes, run: Run) -> bool:
    """Has that identity made this statement?"""
    return len(run.run) == SIZE and verify(public, LABEL, run.run, run.statement)


class Runs:
    """This run of ours, the earlier ones, and what the others have shown us.

    `told`: somebody else plays under our identity, which the person must know; `stops`: this run has to end, and sign nothing more.
    """

    def __init__(self, identity: Identity, run: bytes, earlier: Collection[bytes]) -> None:
        self.own = state(identity, run)
        self._public, self._earlier = identity.public, frozenset(earlier)
        self.told = self.stops = False

    def show(self, run: Run, since: float, refused: bool) -> bool:
        """A peer shows a statement, `since` seconds after our start; `refused`: it has a link with that run, and takes none with ours.

        Only a run that was never ours stops us, since a peer can keep an old statement of ours.  Is anything new?
        """
        before = self.told, self.stops
        if run.run != self.own.run and (self.told, self.stops) != (True, True) and genuine(self._public, run):
            never_ours = run.run not in self._earlier
            self.told = self.told or never_ours or since > LATE
            self.stops = self.stops or (never_ours and refused)
        return before != (self.told, self.stops)
