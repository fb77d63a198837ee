"""A match's log in words, grown as snapshots come; it knows no terminal."""

from ..core.view import Snapshot
from .show.frame import Show


class Story:
    """Each event is put into words once, in the light of the snapshot that first held it."""

    def __init__(self, show: Show) -> None:
        self.show = show
        self.words: list[str] = []
        self._told = 0

    def update(self, snapshot: Snapshot) -> list[str]:
        """Take in the events since the last call; returns their words, oldest first."""
        fresh = [self.show.event(snapshot, event) for event in snapshot.log[self._told :]]
        self._told = len(snapshot.log)
        fresh = [text for text in fresh if text]
        self.words += fresh
        return fresh
