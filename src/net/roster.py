"""The roster: what all seats agree on and sign before a match; its hash names the match.

It knows how identities sign it, but neither sockets nor files.  Its hash is called `match` everywhere.
"""

import dataclasses
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..core.plain import BadEncoding, decode, digest, encode
from ..core.rules import Options
from . import PROTOCOL
from .identity import Identity, good_key, verify

LABEL = b"mastaba roster 1"  # every signature starts with a label of its purpose
MAX_SEATS = 6
MAX_NAME = 48  # bytes of UTF-8 in a player's name
MAX_GRACE = 86_400  # seconds
MAX_VARIANT = 64  # bytes


@dataclass(frozen=True)
class Seat:
    """One player: 32-byte Ed25519 identity, name, 32-byte Ed25519 key that signs this match's moves, 32 fresh bytes.

    `bot`: None for a person; else the seat whose program runs the bot that plays here, its own if it is a program by itself.
    """

    identity: bytes
    name: str
    signing: bytes
    nonce: bytes
    bot: int | None = None


@dataclass(frozen=True)
class Roster:
    """Who plays what, in seat order.  `signatures` (64 bytes a seat, by the identities) are not part of the match's hash."""

    game: str
    rules: int
    options: Options
    data: bytes  # hash of the canonical component table
    seats: tuple[Seat, ...]
    signatures: tuple[bytes, ...] = ()
    origin: tuple[Any, ...] | None = None  # after a vote: see `Origin`

    def unsigned(self) -> bytes:
        """The canonical bytes that are hashed and signed."""
        seats = tuple((s.identity, s.name, s.signing, s.nonce, s.bot) for s in self.seats)
        return encode((PROTOCOL, self.game, self.rules, dataclasses.astuple(self.options), self.data, self.origin, seats))

    @property
    def come_from(self) -> "Origin | None":
        """The match that this one goes on from."""
        return Origin(*self.origin) if self.origin is not None else None

    @property
    def here(self) -> tuple[int, ...]:
        """The seats that play in this match; the others have left an earlier one of its chain and only keep their place."""
        gone = self.origin[4] if self.origin is not None else ()
        return tuple(seat for seat in range(len(self.seats)) if seat not in gone)

    @property
    def voters(self) -> tuple[int, ...]:
        """The seats of `here` that are persons': whoever brings bots has one voice."""
        return tuple(seat for seat in self.here if self.seats[seat].bot is None)

    @cached_property
    def match(self) -> bytes:
        """32 bytes that name the match."""
        return digest(b"mastaba match 1", self.unsigned())

    def sign(self, identity: Identity) -> bytes:
        """This identity's signature on the roster (64 bytes)."""
        return identity.sign(LABEL, self.unsigned())

    def with_signatures(self, signatures: tuple[bytes, ...]) -> "Roster":
        return replace(self, signatures=signatures)

    def signed_by(self, seat: int, signature: bytes) -> bool:
        """Is this the signature of that seat?"""
        return verify(self.seats[seat].identity, LABEL, self.unsigned(), signature)

    def fault(self) -> str | None:
        """Why nobody should play under this roster (an id), or None: keys, names, doubles, all signatures."""
        playing = [self.seats[seat] for seat in self.here]
        if len({s.identity for s in self.seats}) != len(self.seats) or len({s.signing for s in playing}) != len(playing):
            return "same-key-twice"
        if len({s.name.casefold() for s in self.seats}) != len(self.seats):
            return "same-name-twice"
        if not all(good_key(s.identity) and good_key(s.signing) for s in playing):
            return "bad-key"
        if len(self.signatures) != len(self.seats):
            return "bad-signature"
        for seat, signature in enumerate(self.signatures):
            if not (self.signed_by(seat, signature) if seat in self.here else signature == b""):
                return "bad-signature"
        return None

    def encode(self) -> bytes:
        return encode((self.unsigned(), self.signatures))

    @classmethod
    def decode(cls, data: bytes) -> "Roster":
        """The roster with these bytes; raises BadEncoding.  Signatures are checked by `fault`."""
        try:
            unsigned, signatures = decode(data)
            protocol, game, rules, options, table, origin, seats = decode(unsigned)
            roster = cls(game, rules, Options(*options), table, tuple(Seat(*s) for s in seats), signatures, origin)
        except (TypeError, ValueError) as error:
            raise BadEncoding(str(error)) from None
        if protocol != PROTOCOL:
            raise BadEncoding(f"protocol {protocol}, not {PROTOCOL}")
        roster._check_types()
        if roster.encode() != data:
            raise BadEncoding("not the canonical roster")
        return roster

    def _check_types(self) -> None:
        def sized(value: object, size: int) -> bool:
            return type(value) is bytes and len(value) == size

        good = (
            type(self.game) is str
            and type(self.rules) is int
            and (self.options.first is None or type(self.options.first) is int)
            and type(self.options.grace) is int
            and 0 <= self.options.grace <= MAX_GRACE
            and type(self.options.variant) is str
            and type(self.options.watch) is bool
            and type(self.options.audit) is bool
            and len(self.options.variant.encode()) <= MAX_VARIANT
            and sized(self.data, 32)
            and 1 <= len(self.seats) <= MAX_SEATS
            and (self.options.first is None or 0 <= self.options.first < len(self.seats))
            and all(sized(s.identity, 32) and sized(s.signing, 32) and sized(s.nonce, 32) for s in self.seats)
            and all(type(s.name) is str and 0 < len(s.name.encode()) <= MAX_NAME for s in self.seats)
            and good_bots(tuple(s.bot for s in self.seats))
            and type(self.signatures) is tuple
            and all(sized(s, 64) or s == b"" for s in self.signatures)
            and (self.origin is None or good_origin(self.origin, len(self.seats)))
        )
        if not good:
            raise BadEncoding("not a roster")


def good_bots(bots: tuple[int | None, ...]) -> bool:
    """Is each seat's `bot` None, its own number, or that of a person's seat?"""
    return all(
        bot is None or (type(bot) is int and 0 <= bot < len(bots) and (bot == seat or bots[bot] is None)) for seat, bot in enumerate(bots)
    )


@dataclass(frozen=True)
class Origin:
    """Where a match comes from that goes on without a lost seat (a certificate of votes is (bytes, signature) of each)."""

    match: bytes
    step: int  # the last answered request; -1: none, the keys were being made
    digest: bytes  # over everything up to it
    snapshot: bytes  # of the public state from which all go on
    gone: tuple[int, ...]  # the seats that play no more
    votes: tuple[tuple[bytes, bytes], ...]

    def plain(self) -> tuple[Any, ...]:
        return dataclasses.astuple(self)


def good_origin(origin: Any, seats: int) -> bool:
    """Has it the shape of an Origin's plain form?"""
    if type(origin) is not tuple or [type(x) for x in origin] != [bytes, int, bytes, bytes, tuple, tuple]:
        return False
    match, step, prev, snapshot, gone, votes = origin
    sized = [len(match), len(prev), len(snapshot)] == [32, 32, 32] and -1 <= step < 1 << 32
    seated = all(type(g) is int for g in gone) and gone == tuple(sorted(set(gone) & set(range(seats)))) and len(gone) < seats
    signed = len(votes) <= MAX_SEATS and all(
        type(v) is tuple and [type(x) for x in v] == [bytes, bytes] and len(v[0]) <= 256 and len(v[1]) == 64 for v in votes
    )
    return sized and seated and signed
