"""A match seen again, in words: frames with their part of the log, and where one stands among them; it draws nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ..core.errors import Unfit
from ..core.view import Snapshot
from ..net.acquaintances import Acquaintances, Known
from ..net.log import EVIDENCE
from ..net.playback import Playback
from ..net.seen import load_seen
from .cells import clean, fold
from .check import table_maker
from .seats import seat_words
from .show import show_of
from .story import Story
from .text import _


class Moment(NamedTuple):
    """One frame: what is seen, the whole log in words up to it, and what of that is new."""

    snapshot: Snapshot
    words: Sequence[str]
    fresh: Sequence[str]


class Reel:
    """Frames by number from 0; `at` is where one stands.  Whatever lies ahead is verified on the way to it.

    The log begins with who sits at the table; `known`: what this profile knows of them, if that is to be said.
    """

    def __init__(self, playback: Playback, known: Acquaintances | None = None) -> None:
        self.playback, self.known = playback, known
        self.show = show_of(playback.game)
        self.at = 0
        self._story = Story(self.show)
        self._told: list[int] = []  # lines of the story, by frame
        seats = playback.roster.seats
        strangers = [known is not None and known.of(seat.name, seat.identity) is Known.ANOTHER_KEY for seat in seats]
        playback.frames.strangers = tuple(i for i, strange in enumerate(strangers) if strange)
        for seat in seats:
            self._story.tell(seat_words(seat.name, seat.identity, known))
        self._tell()

    def go(self, number: int) -> bool:
        """Stand at this frame, or at the first or last if there is none of that number; False if one stood there already."""
        before = self.at
        while number >= len(self.playback.frames) and self.playback.forward():
            self._tell()
        self.at = max(0, min(number, len(self.playback.frames) - 1))
        return self.at != before

    def moment(self, number: int | None = None) -> Moment:
        """The frame of that number (it has been verified), or where one stands."""
        at = self.at if number is None else number
        before = self._told[at - 1] if at else 0
        return Moment(self.playback.frames[at], self._story.words[: self._told[at]], self._story.words[before : self._told[at]])

    def told(self, number: int) -> int:
        """How many lines the log has at the frame of that number."""
        return self._told[number]

    def where(self) -> str:
        """Where one stands, and how much of the file has been verified, in one sentence."""
        back = self.playback
        text = _("Moment {n}. Verified: {percent} % of the file.")
        if back.at_end and back.fault is None:
            text = _("Moment {n} of {last}. Verified: the whole file.")
        return text.format(n=self.at, last=len(back.frames) - 1, percent=int(100 * back.share))

    def _tell(self) -> None:
        self._story.update(self.playback.frames[-1])
        self._told.append(len(self._story.words))


def reel_of(file: BinaryIO, path: Path, data: Path | None, seat: str | None, known: Acquaintances | None = None) -> Reel:
    """The transcript in an open file, seen by all or as `seat` (a number from 1, or a name) saw it.  Raises LocalError, Wrong."""
    if file.read(len(EVIDENCE)) == EVIDENCE:
        raise Unfit("is-evidence", "The file {0} is evidence of cheating and no transcript; verify says what it proves.", path)
    playback = Playback(file, table_maker(data))
    if seat is not None:
        playback = Playback(file, table_maker(data), load_seen(path, _seat_of(seat, playback.names)))
    return Reel(playback, known)


def _seat_of(typed: str, names: tuple[str, ...]) -> int:
    for seat, name in enumerate(names):
        if fold(typed) in (str(seat + 1), fold(clean(name))):
            return seat
    raise Unfit("no-such-seat", "Nobody at this table is called {0}.", typed)
