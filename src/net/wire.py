"""Messages on a link and their bytes: length-prefixed canonical plain data, one strict decoder with a limit on everything.

It knows no sockets.  A message is a tuple (kind, field, ...) on the wire and a frozen dataclass in the program.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

from ..core.plain import BadEncoding, decode, encode

MAX_FRAME = 128 * 1024  # bytes: a shuffle of 60 cards is 16 kB, a data file at most 64 KiB; endless frames end here
MAX_LIST = 512  # items of one field
PREFIX = 4  # bytes of big-endian length before each frame


class BadFrame(ValueError):
    """The link sent what is no message; the link is closed, no seat is named."""


@dataclass(frozen=True, slots=True)
class Hello:
    """First on both sides: the protocol versions understood, the program's version for people, identity, 32 fresh bytes.

    It and Refuse keep their shape in every version, so that programs of any two versions can tell people what is wrong.
    """

    low: int
    high: int
    program: str
    identity: bytes
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Proof:
    """Second on both sides: the identity's signature over the channel (see identity.channel_bytes), and the Run that speaks."""

    signature: bytes
    run: bytes
    statement: bytes


@dataclass(frozen=True, slots=True)
class Probe:
    """What table is this?  Answered with a Table at any time, seated or not."""


@dataclass(frozen=True, slots=True)
class Table:
    """The opener's table: what is played, with which cards (their hash), under which options, and (identity, name, bot, fresh) by seat.

    `phase` is "open" (seats free), "ready" (full, being agreed), "play", "closed", or "private": nothing about the seats is told before
    its code words are known (code.py); `own`: the cards are no built-in ones; `bot` is as in roster.py; `fresh`: was the identity made
    for this table?
    """

    name: str
    game: str
    rules: int
    cards: bytes
    own: bool
    size: int
    first: int | None
    grace: int
    variant: str
    watch: bool
    audit: bool
    phase: str
    seats: tuple[tuple[bytes, str, int | None, bool], ...]


@dataclass(frozen=True, slots=True)
class Want:
    """A guest asks for the table's own cards."""


@dataclass(frozen=True, slots=True)
class Cards:
    """The table's own component table: its TOML text, at most 64 KiB."""

    toml: bytes


@dataclass(frozen=True, slots=True)
class Sit:
    """A guest asks for a seat: the name to be called by, (address, port) pairs at which other guests may reach it; does a bot play it?

    `fresh`: the identity was made for this table alone, and is not to be remembered.
    """

    name: str
    places: tuple[tuple[str, int], ...]
    bot: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class Knock:
    """A guest at a private table: his share (code.py)."""

    share: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """The opener's share, and the proof that it knows the code words."""

    share: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class Known:
    """The guest's proof that he knows the code words; answered with a Table."""

    proof: bytes


@dataclass(frozen=True, slots=True)
class Stand:
    """The seat is given up, before the roster is signed."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A seat of a full table: 32 fresh bytes, and the public key that will sign its moves in this match alone."""

    nonce: bytes
    signing: bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """The roster (roster.py) still without signatures."""

    roster: bytes


@dataclass(frozen=True, slots=True)
class Sign:
    """The seat's signature on the draft."""

    signature: bytes


@dataclass(frozen=True, slots=True)
class Final:
    """The roster with all signatures, and by seat where it may be reached, as far as who gets this needs it."""

    roster: bytes
    places: tuple[tuple[tuple[str, int], ...], ...]


@dataclass(frozen=True, slots=True)
class At:
    """Where a peer of a match stands: it waits for (step, round) with digest `prev`, is linked with `seats`, and has got `have` there."""

    match: bytes
    step: int
    round: int
    prev: bytes
    seats: tuple[int, ...]
    have: tuple[int, ...]
    read: int  # how many `Say`s have been read on this link since our first `At` on it


@dataclass(frozen=True, slots=True)
class Say:
    """A contribution, its author's or forwarded: the signed bytes and the signature of the seat's match key."""

    body: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote (votes.py): the signed bytes and the signature of the seat's match key."""

    body: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Fresh:
    """A seat's part of the roster of the match that goes on from `match`: 32 fresh bytes, the key of its moves, signed by its identity."""

    match: bytes
    seat: int
    nonce: bytes
    signing: bytes
    signature: bytes
    owned: bytes  # the same bytes signed with the new key itself: nobody brings another's key as his own


@dataclass(frozen=True, slots=True)
class Assent:
    """A seat's signature, by its identity, on the roster of the match `match`."""

    match: bytes
    seat: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class Next:
    """The roster, with all signatures, of the match that goes on from the one that the other side is in."""

    roster: bytes


@dataclass(frozen=True, slots=True)
class Watch:
    """Somebody asks to follow the match, under a name or none (""); answered with the Next that holds its first roster, or refused."""

    name: str


@dataclass(frozen=True, slots=True)
class Watchers:
    """Who follows the match, (identity, name) each: at the sender, or, said to a spectator, at all peers that the sender knows of."""

    watchers: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Chat: from seat to seat, and never in the log."""

    text: str


@dataclass(frozen=True, slots=True)
class Again:
    """After the end: who sits here wants to play another match with the same people."""


@dataclass(frozen=True, slots=True)
class Run:
    """Another run of the reader's identity (runs.py), linked with the sender at the same time: its random bytes and their signature."""

    run: bytes
    statement: bytes


@dataclass(frozen=True, slots=True)
class Ping:
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Pong:
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Refuse:
    """Why the link is about to be closed: an id to translate, and a detail such as the versions understood."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Bye:
    """An orderly end of the link; the seat stays resumable."""


Message = (
    Hello
    | Proof
    | Probe
    | Table
    | Want
    | Cards
    | Sit
    | Knock
    | Answer
    | Known
    | Stand
    | Ready
    | Draft
    | Sign
    | Final
    | At
    | Say
    | Vote
    | Fresh
    | Assent
    | Next
    | Watch
    | Watchers
    | Note
    | Again
    | Run
    | Ping
    | Pong
    | Refuse
    | Bye
)
KINDS: dict[str, type] = {kind.__name__.lower(): kind for kind in get_args(Message)}
_HINTS = {kind: tuple(get_type_hints(kind).values()) for kind in KINDS.values()}
LIMITS = {
    **{"nonce": 32, "identity": 32, "signature": 64, "match": 32, "prev": 32, "text": 400, "program": 64, "reason": 64, "detail": 400},
    **{"name": 64, "game": 16, "variant": 64, "cards": 32, "phase": 8, "toml": 64 * 1024, "signing": 32, "owned": 64, "roster": 4096},
    **{"share": 32, "proof": 32, "run": 16, "statement": 64},
}


def pack(message: Message) -> bytes:
    """The frame of a message, length prefix included."""
    body = encode((type(message).__name__.lower(), *(getattr(message, f.name) for f in dataclasses.fields(message))))
    if len(body) > MAX_FRAME:
        raise ValueError(f"{type(message).__name__} of {len(body)} bytes")
    return len(body).to_bytes(PREFIX, "big") + body


def unpack(body: bytes) -> Message:
    """The message with this frame body (without prefix); raises BadFrame for anything else."""
    head = body[: 2 + (body[1] & 31)] if len(body) > 1 else body
    kind = _HEADS.get(head)
    if kind is None:  # looked at first: nobody has us read a frame of rubbish
        raise BadFrame("no known kind of message")
    try:
        value = decode(body, _MOST[kind], lambda value: _is(kind, value))
    except BadEncoding as error:
        raise BadFrame(f"{kind.__name__}: {error}") from None
    message: Message = kind(*value[1:])
    return message


def _is(kind: type, value: Any) -> bool:
    """Are these the fields of that kind of message?  Its name and their number are those of its head."""
    for spec, hint, item in zip(dataclasses.fields(kind), _HINTS[kind], value[1:], strict=True):
        if not _fits(item, hint) or (type(item) in (str, bytes) and _size(item) > LIMITS.get(spec.name, MAX_FRAME)):
            return False
    return True


class Frames:
    """Cuts a stream into frame bodies; `feed` bytes as they come.  Holds at most one frame."""

    def __init__(self, limit: int = MAX_FRAME) -> None:
        self.limit, self.held = limit, bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The frame bodies completed by `data`; raises BadFrame as soon as a length is over the limit."""
        self.held += data
        bodies, at = [], 0
        while len(self.held) >= at + PREFIX:
            length = int.from_bytes(self.held[at : at + PREFIX], "big")
            if length > self.limit:
                raise BadFrame(f"a frame of {length} bytes")
            if len(self.held) < at + PREFIX + length:
                break
            bodies.append(bytes(self.held[at + PREFIX : at + PREFIX + length]))
            at += PREFIX + length
        del self.held[:at]
        return bodies


def _size(item: str | bytes) -> int:
    return len(item.encode()) if isinstance(item, str) else len(item)


def _fits(item: Any, hint: Any) -> bool:
    if hint in (int, str, bytes, bool):
        return type(item) is hint and not (hint is int and not 0 <= item < 1 << 32)
    args = get_args(hint)
    if args and args[-1] is Ellipsis:
        return type(item) is tuple and len(item) <= MAX_LIST and all(_fits(x, args[0]) for x in item)
    if args and getattr(hint, "__origin__", None) is tuple:
        return type(item) is tuple and len(item) == len(args) and all(_fits(x, a) for x, a in zip(item, args, strict=True))
    return any(_fits(item, a) if a is not type(None) else item is None for a in args)  # a union


def _longest(hint: Any, limit: int) -> int:
    """The bytes of the longest value of this kind."""
    args = get_args(hint)
    if args and args[-1] is Ellipsis:
        return PREFIX + MAX_LIST * _longest(args[0], MAX_FRAME)
    if getattr(hint, "__origin__", None) is tuple:
        return 1 + sum(_longest(arg, MAX_FRAME) for arg in args)
    return max(_longest(arg, limit) for arg in args) if args else 5 + limit if hint in (str, bytes) else 5


def _largest(kind: type) -> int:
    """The bytes of the largest message of this kind."""
    fields = zip(dataclasses.fields(kind), _HINTS[kind], strict=True)
    return min(MAX_FRAME, 2 + len(kind.__name__) + sum(_longest(hint, LIMITS.get(spec.name, MAX_FRAME)) for spec, hint in fields))


_HEADS = {bytes([0x91 + len(_HINTS[kind])]) + encode(name): kind for name, kind in KINDS.items()}
_MOST = {kind: _largest(kind) for kind in KINDS.values()}
