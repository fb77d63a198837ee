"""A match's log in words, grown as snapshots come; it knows no terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.requests import Event
from ..core.view import Snapshot
from .show import status
from .show.frame import Show, note
from .text import _

if TYPE_CHECKING:
    from ..net.chat import Line


class Story:
    """Each event is put into words once, in the light of the snapshot that first held it."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.words: list[str] = []
        self.muted: set[int] = set()  # seats whose chat is not shown
        self._events: tuple[Event, ...] = ()  # those that have been put into words
        self._undone: tuple[Event, ...] = ()  # and those that have been said to be undone
        self._heard = 0
        self._watchers: tuple[tuple[bytes, str], ...] = ()

    def update(self, snapshot: Snapshot) -> list[str]:
        """Take in the events since the last call; returns their words, oldest first.  A match may have gone back to before some of them."""
        fresh = self._going_back(snapshot)
        pairs = enumerate(zip(self._events, snapshot.log, strict=False))
        same = min(len(self._events), len(snapshot.log))
        told = next((i for i, (before, now) in pairs if before is not now and before != now), same)
        fresh += [status.void(snapshot, event) or self.show.event(snapshot, event) for event in snapshot.log[told:]]
        self._events = snapshot.log
        fresh = [text for text in fresh if text]
        self.words += fresh
        return fresh

    def _going_back(self, snapshot: Snapshot) -> list[str]:
        """What the match undoes by going on from an earlier point; said once, before it is undone."""
        before, self._undone = self._undone, snapshot.undone
        if not snapshot.undone or before == snapshot.undone:
            return []
        lost = [text for event in snapshot.undone if (text := self.show.event(snapshot, event))]
        return [_("The match goes on from an earlier point. What is undone:"), *lost, _("From here the match goes on anew.")]

    def chat(self, snapshot: Snapshot, notes: Sequence["Line"]) -> list[str]:
        """Take in the chat since the last call; returns what is to be shown of it.  `notes`: the latest lines, numbered."""
        unread = [line for line in notes if line.number >= self._heard]
        fresh = [note(snapshot, line.seat, line.text) for line in unread if line.seat not in self.muted]
        self._heard = unread[-1].number + 1 if unread else self._heard
        self.words += fresh
        return fresh

    def audience(self, snapshot: Snapshot) -> list[str]:
        """Take in who watches now; returns a line if that has changed since the last call."""
        before, self._watchers = self._watchers, snapshot.watchers
        fresh = [status.watching(snapshot)] if before != snapshot.watchers else []
        self.words += fresh
        return fresh

    def tell(self, text: str) -> None:
        """Take in a line that is of no event."""
        self.words.append(text)

    def mute(self, seat: int) -> bool:
        """Show that seat's chat no more, or again; is it muted now?"""
        self.muted ^= {seat}
        return seat in self.muted
