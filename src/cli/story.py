"""A match's log in words, grown as snapshots come; it knows no terminal."""

from collections.abc import Sequence

from ..core.view import Snapshot
from .show import status
from .show.frame import Show, note


class Story:
    """Each event is put into words once, in the light of the snapshot that first held it."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.words: list[str] = []
        self.muted: set[int] = set()  # seats whose chat is not shown
        self._told = self._heard = 0

    def update(self, snapshot: Snapshot) -> list[str]:
        """Take in the events since the last call; returns their words, oldest first."""
        fresh = [status.void(snapshot, event) or self.show.event(snapshot, event) for event in snapshot.log[self._told :]]
        self._told = len(snapshot.log)
        fresh = [text for text in fresh if text]
        self.words += fresh
        return fresh

    def chat(self, snapshot: Snapshot, notes: Sequence[tuple[int, str]]) -> list[str]:
        """Take in the chat since the last call; returns what is to be shown of it.  `notes`: (seat, text), all so far."""
        fresh = [note(snapshot, seat, text) for seat, text in notes[self._heard :] if seat not in self.muted]
        self._heard = len(notes)
        self.words += fresh
        return fresh

    def tell(self, text: str) -> None:
        """Take in a line that is of no event."""
        self.words.append(text)

    def mute(self, seat: int) -> bool:
        """Show that seat's chat no more, or again; is it muted now?"""
        self.muted ^= {seat}
        return seat in self.muted
