"""The chat of a match: numbered lines, of which the latest are kept.  It knows no links; what is said is on no disk and in no file."""

from typing import NamedTuple

MAX_NOTES = 200  # lines kept: a chatterer scrolls, and fills no memory


class Line(NamedTuple):
    """What a seat has said.  Lines are numbered from 0, so that a reader knows which are new to it, though early ones are dropped."""

    number: int
    seat: int
    text: str


class Chat:
    """`lines` is immutable and replaced as a whole, so that another thread may read it at any time."""

    def __init__(self) -> None:
        self.lines: tuple[Line, ...] = ()
        self._said = 0

    def add(self, seat: int, text: str) -> None:
        """The seat says this."""
        self.lines = (*self.lines, Line(self._said, seat, text))[-MAX_NOTES:]
        self._said += 1
