"""A transcript seen again, step by step and verified on the way; it knows snapshots and no words.

A frame is a moment at which something had happened for all to see, or this seat had learned something.  Frames that were shown once are
kept, so that going back costs nothing; what lies ahead is verified when it is asked for.
"""

from dataclasses import replace

from ..core.errors import LocalError
from ..core.rules import Over, Shuffle
from ..core.seen import Learned, teach
from ..core.view import Snapshot, View
from .names import plain_name
from .roster import MAX_NAME
from .seen import Seen
from .verify import MakeTable, Wrong, begin, feed

MAX_FRAMES = 20_000  # of one replay: a file that never ends must not fill the memory


class Playback:
    """`frames` grows by `forward`; `fault` says why it cannot go on, if the file does not hold.  Raises Wrong, LocalError."""

    def __init__(self, data: bytes, make_table: MakeTable, seen: Seen | None = None) -> None:
        self.replay, self._items = begin(data, make_table)
        self.seat = seen.seat if seen else None
        if seen is not None and (seen.match != self.replay.roster.match or seen.seat not in range(len(self.replay.roster.seats))):
            raise LocalError("What was seen belongs to another match.")
        self._untaught = list(seen.learned if seen else ())
        self._signed = len(self.replay.roster.seats)  # signatures of the roster
        self.names = tuple(plain_name(seat.name, MAX_NAME) for seat in self.replay.roster.seats)
        self.game = self.replay.roster.game
        self.all = len(self._items)
        self.fed = 0  # items that have been verified
        self.fault: Wrong | None = None
        self.frames: list[Snapshot] = [self._snapshot()]

    @property
    def at_end(self) -> bool:
        """Is there nothing more to verify?"""
        return self.fault is not None or self.fed == self.all

    @property
    def complete(self) -> bool:
        """Has every seat signed the result?"""
        return self.replay.table.done

    def forward(self) -> bool:
        """Verify up to the next frame and append it; False if there is none.  Raises LocalError for a file that is too long to be shown."""
        told = len(self.frames[-1].log)
        while not self.at_end:
            if len(self.frames) == MAX_FRAMES:
                raise LocalError("This match has more than {0} steps; verify checks it.", MAX_FRAMES)
            try:
                feed(self.replay, self._items[self.fed])
            except Wrong as wrong:
                self.fault = wrong
                self.frames.append(replace(self.frames[-1], phase="ended", asked=False, trouble=((wrong.claim, wrong.seat, ""),)))
                return True
            self.fed += 1
            if self._teach() or len(self.replay.table.events) > told or self.at_end:
                self.frames.append(self._snapshot())
                return True
        return False

    def _teach(self) -> bool:
        """What this seat has learned up to now, as far as the file beside the transcript says so; True if there was something."""
        t, due = self.replay.table, 0
        while due < len(self._untaught) and self._is_due(self._untaught[due], t.match, t.step):
            try:
                teach(t.rules, self._untaught[due])
            except ValueError:
                raise LocalError("What is kept beside the transcript does not fit it.") from None
            due += 1
        del self._untaught[:due]
        return due > 0

    @staticmethod
    def _is_due(learned: Learned, match: bytes, step: int) -> bool:
        return learned.match == match and learned.step < step

    def _snapshot(self) -> Snapshot:
        t = self.replay.table
        view = View.of(t.rules, self.seat)
        over, setting_up = isinstance(t.rules.pending, Over), t.step == 0
        shuffling = isinstance(t.rules.pending, Shuffle)
        return Snapshot(
            view=view,
            names=self.names,
            phase="done" if t.done else "over" if over else "set-up" if setting_up else "shuffle" if shuffling else "play",
            step=t.step,
            waiting=t.missing,
            asked=not t.done and not setting_up and view.asked() is not None,
            log=tuple(t.events),
            trust=replace(t.trust, signatures=self.replay.signatures + self._signed),
            linked=(True,) * len(self.names),
            signed=t.here if t.done else tuple(sorted(t.taken)) if over else (),
        )
