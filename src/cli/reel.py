"""A match seen again, in words: frames with their part of the log, and where one stands among them; it draws nothing."""

from pathlib import Path
from typing import NamedTuple

from ..core.errors import LocalError
from ..core.plain import BadEncoding
from ..core.view import Snapshot
from ..net.log import EVIDENCE, read_limited
from ..net.match import match_of
from ..net.playback import Playback
from ..net.seen import load_seen
from ..net.store import disk
from .cells import clean, fold
from .show import show_of
from .story import Story
from .text import _


class Moment(NamedTuple):
    """One frame: what is seen, the whole log in words up to it, and what of that is new."""

    snapshot: Snapshot
    words: list[str]
    fresh: list[str]


class Reel:
    """Frames by number from 0; `at` is where one stands.  Whatever lies ahead is verified on the way to it."""

    def __init__(self, playback: Playback) -> None:
        self.playback = playback
        self.show = show_of(playback.game)
        self.at = 0
        self._story = Story(self.show)
        self._told: list[int] = []  # lines of the story, by frame
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

    def where(self) -> str:
        """Where one stands, and how much of the file has been verified, in one sentence."""
        back = self.playback
        text = _("Moment {n}. Verified: {fed} of {all} contributions.")
        if back.at_end and back.fault is None:
            text = _("Moment {n} of {last}. Verified: the whole file.")
        return text.format(n=self.at, last=len(back.frames) - 1, fed=back.fed, all=back.all)

    def _tell(self) -> None:
        self._story.update(self.playback.frames[-1])
        self._told.append(len(self._story.words))


def open_reel(path: Path, data: Path | None, seat: str | None) -> Reel:
    """The transcript in a file, seen by all or (`seat`: a number from 1, or a name) as that seat saw it.  Raises LocalError, Wrong."""
    try:
        with disk(path), path.open("rb") as file:
            content = read_limited(file)
    except BadEncoding as error:
        raise LocalError("The file {0} is no transcript: {1}.", path, error) from None
    if content.startswith(EVIDENCE):
        raise LocalError("The file {0} is evidence of cheating and no transcript; verify says what it proves.", path)
    playback = Playback(content, lambda roster: match_of(roster, data).table())
    if seat is not None:
        seen = load_seen(path, _seat_of(seat, playback.names))
        playback = Playback(content, lambda roster: match_of(roster, data).table(), seen)
    return Reel(playback)


def _seat_of(typed: str, names: tuple[str, ...]) -> int:
    for seat, name in enumerate(names):
        if fold(typed) in (str(seat + 1), fold(clean(name))):
            return seat
    raise LocalError("Nobody at this table is called {0}.", typed)
