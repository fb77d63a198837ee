"""A transcript seen again, step by step and verified on the way; it knows snapshots and no words.

A frame is a moment at which something had happened for all to see, or this seat had learned something.  Frames that were shown once are
kept, so that going back costs little; what lies ahead is verified when it is asked for.
"""

import io
import pickle
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import overload

from ..core.errors import Unfit
from ..core.rules import Event, Over, Rules, Shuffle
from ..core.seen import Learned, teach
from ..core.view import Snapshot, View
from .log import VOID
from .names import plain_name
from .replay import MakeTable, Source, Wrong, as_stream, begin, feed
from .roster import MAX_NAME
from .seen import Seen

MAX_FRAMES = 20_000  # of one replay: a file that never ends must not fill the memory


class Frames(Sequence[Snapshot]):
    """Snapshots that take little room: they share one log and what never changes, and the rest of each state is packed."""

    def __init__(self, rules: Rules, seat: int | None) -> None:
        static = object.__new__(type(rules))
        static.__dict__.update({k: v for k, v in rules.__dict__.items() if k in rules.STATIC})
        self._nothing = View(static, seat)
        self._log: list[Event] = []
        self._kept: list[tuple[Snapshot, bytes, int]] = []  # without view and log; the state; how much of the log
        self.strangers: tuple[int, ...] = ()  # who is not whom this profile knows by that name
        self._last: tuple[int, Snapshot] | None = None  # a frame is looked at several times in a row

    def append(self, snapshot: Snapshot, events: Sequence[Event]) -> None:
        """`events`: the log up to this frame, which counts in place of the snapshot's own."""
        self._log += events[len(self._log) :]
        state = {k: v for k, v in snapshot.view.rules.__dict__.items() if k not in snapshot.view.rules.STATIC}
        self._kept.append((replace(snapshot, view=self._nothing, log=()), zlib.compress(pickle.dumps(state), 1), len(self._log)))

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, at: int) -> Snapshot: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Snapshot]: ...
    def __getitem__(self, at: int | slice) -> Snapshot | Sequence[Snapshot]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        at = range(len(self))[at]
        if self._last is None or self._last[0] != at:
            bare, state, told = self._kept[at]
            static = self._nothing.rules
            rules = object.__new__(type(static))
            rules.__dict__.update({**static.__dict__, **pickle.loads(zlib.decompress(state))})
            view = View(rules, self._nothing.seat)
            self._last = at, replace(bare, view=view, log=tuple(self._log[:told]), strangers=self.strangers)
        return self._last[1]


class Playback:
    """`frames` grows by `forward`; `fault` says why it cannot go on, if the file does not hold.  Raises Wrong, LocalError."""

    def __init__(self, source: Source, make_table: MakeTable, seen: Seen | None = None) -> None:
        self._stream = as_stream(source)
        self.replay, self._items = begin(self._stream, make_table)
        read = self._stream.tell()
        self._size = self._stream.seek(0, io.SEEK_END)
        self._stream.seek(read)
        roster = self.replay.roster
        self.seat = seen.seat if seen else None
        if seen is not None and (seen.match != roster.match or seen.seat not in range(len(roster.seats))):
            raise Unfit("no-sight", "What was seen belongs to another match.")
        self._untaught = list(seen.learned if seen else ())
        self._signed = len(roster.seats)  # signatures of the roster
        self.roster = roster  # the first
        self.names = tuple(plain_name(seat.name, MAX_NAME) for seat in roster.seats)
        self.game = roster.game
        self.fed = 0  # items that have been verified
        self.fault: Wrong | None = None
        self.frames = Frames(self.replay.table.rules, self.seat)
        self._show()

    @property
    def share(self) -> float:
        """How much of the file has been verified."""
        return self._stream.tell() / self._size

    @property
    def at_end(self) -> bool:
        """Is there nothing more to verify?"""
        return self.fault is not None or self._stream.tell() >= self._size

    @property
    def complete(self) -> bool:
        """Has every seat signed the result?"""
        return self.replay.table.done

    def forward(self) -> bool:
        """Verify up to the next frame and append it; False if there is none.  Raises LocalError for a file that is too long to be shown."""
        told = len(self.replay.table.events)
        while not self.at_end:
            if len(self.frames) == MAX_FRAMES:
                raise Unfit("too-long", "This match has more than {0} steps; verify checks it.", MAX_FRAMES)
            before = self.replay.roster.match
            try:
                feed(self.replay, next(self._items))
            except Wrong as wrong:
                self.fault = wrong
                last = self.frames[-1]
                self.frames.append(replace(last, phase="ended", asked=False, trouble=((wrong.claim, wrong.seat, ""),)), last.log)
                return True
            self.fed += 1
            if self.replay.roster.match != before or self.at_end:
                self._tell_void(before)
            if self._teach() or len(self.replay.table.events) > told or self.at_end:
                self._show()
                return True
        return False

    def _tell_void(self, match: bytes) -> None:
        """What seats had signed in that match behind the point from which the next goes on, or behind its end: the file's end has it."""
        for seat, steps in sorted(self.replay.put_off(match).items()):
            self.replay.table.events.append(Event(VOID, seat, (min(steps), len(steps))))

    def _teach(self) -> bool:
        """What this seat has learned up to now, as far as the file beside the transcript says so; True if there was something."""
        t, due = self.replay.table, 0
        while due < len(self._untaught) and self._is_due(self._untaught[due], t.match, t.step):
            try:
                teach(t.rules, self._untaught[due])
            except ValueError:
                raise Unfit("no-sight", "What is kept beside the transcript does not fit it.") from None
            due += 1
        del self._untaught[:due]
        return due > 0

    @staticmethod
    def _is_due(learned: Learned, match: bytes, step: int) -> bool:
        return learned.match == match and learned.step < step

    def _show(self) -> None:
        """Append what is to be seen now."""
        t = self.replay.table
        view = View(t.rules, self.seat)  # packed at once, so it need not be a copy
        over, setting_up = isinstance(t.rules.pending, Over), t.step == 0
        shuffling = isinstance(t.rules.pending, Shuffle)
        snapshot = Snapshot(
            view=view,
            names=self.names,
            phase="done" if t.done else "over" if over else "set-up" if setting_up else "shuffle" if shuffling else "play",
            step=t.step,
            waiting=t.missing,
            asked=not t.done and not setting_up and view.asked() is not None,
            log=(),
            trust=replace(t.trust, signatures=self.replay.signatures + self._signed),
            linked=(True,) * len(self.names),
            bots=tuple(i for i, seat in enumerate(self.roster.seats) if seat.bot is not None),
            signed=t.here if t.done else tuple(sorted(t.taken)) if over else (),
        )
        self.frames.append(snapshot, t.events)
