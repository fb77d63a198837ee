"""The file beside a transcript that holds what its owner's seat alone has seen: no key, nothing that anybody else could not be shown.

It proves nothing and need not: it is believed for showing, where what is public comes from the transcript.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import LocalError, Unfit
from ..core.plain import BadEncoding, decode, encode
from ..core.seen import Learned
from .log import pack_file, read_limited, unpack_file
from .store import disk

if TYPE_CHECKING:
    from .session import Session

SEEN = b"mastaba seen 1\n"
MAX_ENTRY = 4096  # bytes: a face is a few words


@dataclass(frozen=True)
class Seen:
    """What `seat` has learned, in order, in the chain that begins with the match of hash `match`."""

    match: bytes
    seat: int
    learned: tuple[Learned, ...]

    def encode(self) -> bytes:
        """The file's bytes."""
        entries = ((one.match, one.step, one.book, one.key, one.value) for one in self.learned)
        return pack_file(SEEN, (encode((self.match, self.seat)), *map(encode, entries)))

    @classmethod
    def decode(cls, data: bytes) -> "Seen":
        """Raises BadEncoding for bytes of another kind; that each entry can be true is checked when it is taught."""
        try:
            head, *entries = unpack_file(SEEN, data)
            match, seat = decode(head, MAX_ENTRY)
            return cls(match, seat, tuple(_learned(entry) for entry in entries))
        except (TypeError, ValueError) as error:
            raise BadEncoding(str(error)) from None


def _learned(entry: bytes) -> Learned:
    match, step, book, key, value = decode(entry, MAX_ENTRY)
    if type(match) is not bytes or type(step) is not int or type(book) is not str:
        raise BadEncoding("not what a seat learns")
    return Learned(match, step, book, key, value)


def beside(transcript: Path, seat: int) -> Path:
    """Where that seat's own sight lies: two seats of one machine have one transcript, and each its own sight."""
    return transcript.with_name(f"{transcript.name}.{seat + 1}.seen")


def seen_by(session: "Session") -> Seen:
    """What the session's seat has learned so far, over all matches of its chain.  LocalError for a spectator, who learns nothing alone."""
    if session.me is None:
        raise LocalError("A spectator sees what everybody sees.")
    books = (*session.chain.past, session.chain.book)
    learned: Iterable[Learned] = (one for book in books for one in book.table.learned)
    return Seen(books[0].roster.match, session.me, tuple(learned))


def load_seen(transcript: Path, seat: int) -> Seen:
    """What that seat saw, from beside this transcript.  Raises LocalError if there is nothing, or it is damaged."""
    path = beside(transcript, seat)
    if not path.exists():
        raise Unfit("no-sight", "What a player saw is known only beside that player's own transcript: there is no file {0}.", path)
    try:
        with disk(path), path.open("rb") as file:
            return Seen.decode(read_limited(file))
    except BadEncoding:
        raise Unfit("no-sight", "The file {0} is damaged.", path) from None
