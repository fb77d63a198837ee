"""What is signed and what is kept: contributions, digests, the journal of a running match, the transcript of a finished one.

It knows files only as streams of bytes handed to it by store.py, and no sockets.
"""

import io
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Protocol

from ..core.claims import Claim
from ..core.plain import BadEncoding, decode, digest, encode
from . import PROTOCOL
from .identity import Identity, verify
from .roster import Roster

LABEL = b"mastaba contribution 1"  # every signature starts with a label of its purpose
ANSWER, LEAVE = "answer", "leave"  # kinds of contributions: what answers a request, and a good-bye
STATE = 8  # bytes of the public digest
MAX_BODY = 96 * 1024  # bytes of a contribution; a shuffle of 240 cards with backs fits
TRANSCRIPT = b"mastaba transcript 1\n"
EVIDENCE = b"mastaba evidence 1\n"
JOURNAL = b"mastaba journal 1\n"
MAX_RECORD = 256 * 1024  # bytes of a record in a journal: a contribution, or the table's own cards, with room
MAX_SEARCH = 16 << 20  # bytes that are summed in search of a record behind a torn one
MAX_FILE = 64 << 20  # bytes of a file we read: a match of six has about 2 MB
MAX_ITEM = MAX_BODY + 256  # bytes of an item of a transcript or of evidence: a contribution and its signature
MAX_VOID = 512  # void contributions at the end of a transcript
MAX_VOID_BYTES = 1 << 20  # and their bytes in all
LEAST_ITEM = 64  # bytes of a signature: a shorter item is none
VOID = "void"
VOID_HEAD = encode((VOID, b"", b""))[:6]  # with what every void item begins
ROSTER, SECRETS, OWN, THEIRS, PLACES, VOTE, NEXT = range(7)  # kinds of records in a journal


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one seat says in one slot (match, step, round, seat), under `prev`, the digest of everything before this round."""

    match: bytes
    step: int
    round: int
    seat: int
    prev: bytes
    state: bytes  # the first 8 bytes of the public state's digest
    body: Any
    kind: str = ANSWER  # LEAVE: the slot is the last that its seat has filled, and every later one is filled by these bytes

    @property
    def place(self) -> tuple[int, int]:
        return self.step, self.round

    def encode(self) -> bytes:
        """The canonical bytes that are signed and hashed."""
        return encode((PROTOCOL, self.kind, self.match, self.step, self.round, self.seat, self.prev, self.state, self.body))


@dataclass(frozen=True, slots=True)
class Signed:
    """A contribution as it came: the bytes, the 64-byte signature beside them, and what the bytes say."""

    data: bytes
    signature: bytes
    said: Contribution

    @property
    def slot(self) -> tuple[int, int, int]:
        return self.said.step, self.said.round, self.said.seat

    def contradicts(self, other: "Signed") -> str | None:
        """What two contributions signed with one match key prove against their seat: a claim, or None."""
        mine, theirs = self.said, other.said
        if mine.seat != theirs.seat or self.data == other.data:
            return None
        if mine.match != theirs.match:  # from one of these to the other a seat may go while the keys are made, and never after
            return "two-matches" if mine.kind == theirs.kind == ANSWER and min(mine.step, theirs.step) > 0 else None
        if mine.kind == theirs.kind:
            return "two-bodies" if mine.kind == LEAVE or mine.place == theirs.place else None
        leave, answer = (mine, theirs) if mine.kind == LEAVE else (theirs, mine)
        return "said-after-leaving" if answer.place > leave.place else None


class BadFile(BadEncoding):
    """The bytes are no file of ours, or it is damaged: a claim."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.claim = claim


class AnotherMatch(BadEncoding):
    """Well formed, but of another match."""

    def __init__(self, said: Contribution) -> None:
        super().__init__("another match")
        self.said = said


def sign(said: Contribution, key: Identity) -> Signed:
    """The contribution with the signature of the seat's match key."""
    data = said.encode()
    return Signed(data, key.sign(LABEL, data), said)


def parse(data: bytes, roster: Roster) -> Contribution:
    """What these bytes say; raises BadEncoding unless they are a canonical contribution of this match by one of its seats."""
    value = decode(data, MAX_BODY)
    if type(value) is not tuple or len(value) != 9 or type(value[0]) is not int or value[0] != PROTOCOL or value[1] not in (ANSWER, LEAVE):
        raise BadEncoding("not a contribution")
    match, step, round_, seat, prev, state, body = value[2:]
    said = Contribution(match, step, round_, seat, prev, state, body, value[1])
    numbers = (said.step, said.round, said.seat)
    if not all(type(n) is int and 0 <= n < 1 << 32 for n in numbers) or said.seat >= len(roster.seats):
        raise BadEncoding("no such slot")
    if [type(b) is bytes and len(b) for b in (said.match, said.prev, said.state)] != [32, 32, STATE]:
        raise BadEncoding("not digests")
    if said.match != roster.match:
        raise AnotherMatch(said)
    return said


def genuine(data: bytes, signature: bytes, said: Contribution, roster: Roster) -> bool:
    """Did the match key of the contribution's seat sign these bytes?  A seat that is gone has only an old key there."""
    return said.seat in roster.here and verify(roster.seats[said.seat].signing, LABEL, data, signature)


def next_digest(prev: bytes, datas: Iterable[bytes]) -> bytes:
    """D_k+1 from D_k and the bytes, without signatures, of a round's contributions in seat order."""
    return digest(b"mastaba round 1", prev, *datas)


class Journal(Protocol):
    """Where a running match is kept.  `append` returns after the record is on disk if `sync`; raises LocalError if it cannot."""

    def append(self, kind: int, payload: bytes, sync: bool) -> None: ...


def record(kind: int, payload: bytes) -> bytes:
    """A journal record: length and CRC-32 of kind and payload, big-endian, then these."""
    body = bytes([kind]) + payload
    return len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body


def records(data: bytes) -> list[tuple[int, bytes]]:
    """The records of a journal's bytes; a torn last one was never acted upon and is dropped.  Raises BadEncoding for damage before it."""
    if not data.startswith(JOURNAL):
        raise BadEncoding("not a journal of this version")
    found, at = [], len(JOURNAL)
    while at < len(data):
        size, crc = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + size]
        if at + 8 + size > len(data):
            if len(data) - at > MAX_RECORD or _goes_on(data, at):
                raise BadEncoding("the journal is damaged")
            break  # torn
        if not body or zlib.crc32(body).to_bytes(4, "big") != crc:
            if at + 8 + size == len(data):
                break  # the last record, half written by a file system that grew the file first
            raise BadEncoding("the journal is damaged")
        found.append((body[0], body[1:]))
        at += 8 + size
    return found


def _goes_on(data: bytes, at: int) -> bool:
    """Does a whole record begin somewhere behind this place?  Then its length is wrong, and it is not the last one that was torn.

    What looks like a record at place after place is nothing that we have written, and is not searched to its end.
    """
    work = 0
    for start in range(at + 1, len(data) - 8):
        end = start + 8 + int.from_bytes(data[start : start + 4], "big")
        if not start + 8 < end <= len(data):
            continue
        work += end - start
        if work > MAX_SEARCH or zlib.crc32(data[start + 8 : end]) == int.from_bytes(data[start + 4 : start + 8], "big"):
            return True
    return False


def pack_file(header: bytes, items: Iterable[bytes]) -> bytes:
    """A file of length-prefixed items behind a header."""
    return header + b"".join(len(item).to_bytes(4, "big") + item for item in items)


def unpack_file(header: bytes, data: bytes) -> list[bytes]:
    """The items of such a file; raises BadFile."""
    stream = io.BytesIO(data)
    if stream.read(len(header)) != header:
        raise BadFile(Claim.UNKNOWN_FILE)
    return list(read_items(stream, len(data)))


def read_items(stream: BinaryIO, most: int = MAX_ITEM) -> Iterator[bytes]:
    """The items from here on, one after the other, so that no more than one is in memory; raises BadFile.  `most`: bytes of an item."""
    while prefix := stream.read(4):
        size = int.from_bytes(prefix, "big")
        if size > most:
            raise BadFile(Claim.BAD_ITEM)
        item = stream.read(size)
        if len(prefix) + len(item) != 4 + size:
            raise BadFile(Claim.CUT_OFF)
        yield item


def read_void(stream: BinaryIO) -> list[bytes]:
    """The void items at the end of a transcript, found by stepping over all before them; the stream stays where it is.

    What is damaged ends the search: it is found again, and named, where the items are read.
    """
    start, found, room = stream.tell(), [], MAX_VOID_BYTES
    while len(head := stream.read(4 + len(VOID_HEAD))) == 4 + len(VOID_HEAD):
        size = int.from_bytes(head[:4], "big")
        if not LEAST_ITEM <= size <= MAX_ITEM:
            break
        if head[4:] != VOID_HEAD:
            stream.seek(size - len(VOID_HEAD), io.SEEK_CUR)
            continue
        found.append(VOID_HEAD + stream.read(size - len(VOID_HEAD)))
        room -= size
        if len(found) > MAX_VOID or room < 0:
            break
    stream.seek(start)
    return found


def match_items(roster: Roster, rounds: Iterable[Iterable[Signed]]) -> tuple[bytes, ...]:
    """One match in a file: its roster, then every contribution in order of step, round and seat."""
    return (roster.encode(), *_each_once(rounds))


def transcript(roster: Roster, rounds: Iterable[Iterable[Signed]], earlier: tuple[bytes, ...] = (), void: Iterable[Signed] = ()) -> bytes:
    """The file that anyone can verify: the matches of a chain in order (`earlier`: the items of those before this one).

    `void`: contributions that a next match made void, or that stand behind a finished game; as many as there is room for.
    """
    tail: list[bytes] = []
    room = MAX_VOID_BYTES
    for item in dict.fromkeys(encode((VOID, one.data, one.signature)) for one in void):
        if len(tail) < MAX_VOID and len(item) <= room:
            tail.append(item)
            room -= len(item)
    return pack_file(TRANSCRIPT, (*earlier, *match_items(roster, rounds), *tail))


class Statement(NamedTuple):
    """Other bytes that somebody has signed: a vote, or a part of a roster."""

    data: bytes
    signature: bytes


def evidence(
    roster: Roster, before: Iterable[Iterable[Signed]], against: Iterable[Signed | Statement], earlier: tuple[bytes, ...] = ()
) -> bytes:
    """The file that proves a cheat: the transcript that it stands on, then one bad contribution or two that contradict each other."""
    said, accused = (*earlier, *match_items(roster, before)), _each_once([against])
    return pack_file(EVIDENCE, (encode((len(said), len(accused))), *said, *accused))


def _each_once(rounds: Iterable[Iterable[Signed | Statement]]) -> tuple[bytes, ...]:
    """The contributions as items; a good-bye stands where the first slot is that it fills."""
    return tuple(dict.fromkeys(encode((one.data, one.signature)) for contributions in rounds for one in contributions))


def parse_signed(item: bytes) -> tuple[bytes, bytes]:
    """(bytes, signature) of one contribution in a file; raises BadEncoding."""
    value = decode(item, MAX_ITEM)
    if type(value) is not tuple or [type(part) for part in value] != [bytes, bytes]:
        raise BadEncoding("not a contribution")
    return value


def parse_void(item: bytes) -> tuple[bytes, bytes]:
    """(bytes, signature) of one void contribution; raises BadEncoding."""
    value = decode(item, MAX_ITEM)
    if type(value) is not tuple or [type(part) for part in value] != [str, bytes, bytes] or value[0] != VOID:
        raise BadEncoding("not a void contribution")
    return value[1], value[2]


def read_limited(stream: BinaryIO) -> bytes:
    """A file's bytes; raises BadEncoding if it is larger than any file of ours."""
    data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise BadEncoding(f"larger than {MAX_FILE >> 20} MiB")
    return data
