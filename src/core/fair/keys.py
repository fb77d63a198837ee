"""The keys of one match: four a seat, committed to by hash, then published with proofs of knowledge; it knows no card.

Face, back and coin keys add up to joint keys of all seats; the sealing key is its owner's alone.

Exactly: a commitment is 32 bytes drawn under "commitment" from the transcript "key commitment" with match, seat, public (bytes), salt.  The
proof for a kind is of X = x G, after the context's transcript "key" with kind (bytes).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from .group import BASE, BASE_TABLE, Point, Scalar, decode_many
from .proofs import BadProof, Linear, prove, verify
from .transcript import Context, Rng, Transcript

KINDS = ("face", "back", "coin", "seal")
SALT = 32  # bytes
PROOF = 64  # bytes: one witness
BODY = SALT + (32 + PROOF) * len(KINDS)  # bytes: salt || keys || proofs, 416


@dataclass(frozen=True)
class PublicKeys:
    """One seat's public keys of a match."""

    face: Point
    back: Point
    coin: Point
    seal: Point

    def by_kind(self) -> tuple[Point, ...]:
        """In the order of KINDS."""
        return (self.face, self.back, self.coin, self.seal)

    def encode(self) -> bytes:
        """128 bytes, in the order of KINDS."""
        return b"".join(P.encode() for P in self.by_kind())


@dataclass(frozen=True)
class Secrets:
    """One seat's secret keys of a match; never printed."""

    face: Scalar = field(repr=False)
    back: Scalar = field(repr=False)
    coin: Scalar = field(repr=False)
    seal: Scalar = field(repr=False)

    @classmethod
    def generate(cls, rng: Rng) -> "Secrets":
        """Fresh keys, uniform."""
        return cls(*(Scalar.reduce(rng(64)) for _ in KINDS))

    @classmethod
    def decode(cls, data: bytes) -> "Secrets":
        """Keys from this seat's own disk; ValueError unless they are 128 bytes of canonical scalars."""
        if len(data) != 32 * len(KINDS):
            raise ValueError("not the secrets of a match")
        return cls(*(Scalar.decode(data[i : i + 32]) for i in range(0, len(data), 32)))

    def by_kind(self) -> tuple[Scalar, ...]:
        """In the order of KINDS."""
        return (self.face, self.back, self.coin, self.seal)

    def encode(self) -> bytes:
        """128 bytes, in the order of KINDS."""
        return b"".join(x.encode() for x in self.by_kind())

    @property
    def public(self) -> PublicKeys:
        return PublicKeys(*(BASE_TABLE.mul(x) for x in self.by_kind()))


def commit(match: bytes, seat: int, public: PublicKeys, salt: bytes) -> bytes:
    """The 32-byte commitment to a seat's keys.  Seat and match are inside, so a copied one cannot be opened by the copier (F12)."""
    return _commit(match, seat, public.encode(), salt)


def prove_keys(context: Context, secrets: Secrets, salt: bytes, rng: Rng) -> bytes:
    """The body that opens the commitment: salt || keys || a proof of knowledge a key (416 bytes)."""
    public = secrets.public
    proofs = (
        prove(_transcript(context, kind), _statement(X), [x], rng)
        for kind, x, X in zip(KINDS, secrets.by_kind(), public.by_kind(), strict=True)
    )
    return salt + public.encode() + b"".join(proofs)


def check_keys(context: Context, body: bytes, commitment: bytes, taken: Sequence[PublicKeys]) -> PublicKeys:
    """The keys that `context.seat` opens in `body`, given its commitment and the keys already accepted from other seats.

    Raises BadProof: "bad-length", "commitment-mismatch", "bad-encoding", "identity-key", "equal-keys" (also to another kind or
    seat) or "bad-proof" (the proof of knowledge, which is what stops rogue keys: attack F10).
    """
    if len(body) != BODY:
        raise BadProof("bad-length", f"{len(body)} bytes of keys")
    salt, encoded, proofs = body[:SALT], body[SALT : SALT + 128], body[SALT + 128 :]
    if _commit(context.match, context.seat, encoded, salt) != commitment:
        raise BadProof("commitment-mismatch")
    try:
        public = PublicKeys(*decode_many([encoded[i : i + 32] for i in range(0, 128, 32)]))
    except ValueError as error:
        raise BadProof("bad-encoding", str(error)) from None
    if any(X.is_identity() for X in public.by_kind()):
        raise BadProof("identity-key")
    used = {X for other in taken for X in other.by_kind()}
    if len(set(public.by_kind()) | used) != len(KINDS) + len(used):
        raise BadProof("equal-keys")
    for i, (kind, X) in enumerate(zip(KINDS, public.by_kind(), strict=True)):
        verify(_transcript(context, kind), _statement(X), proofs[PROOF * i : PROOF * (i + 1)])
    return public


def _commit(match: bytes, seat: int, encoded: bytes, salt: bytes) -> bytes:
    t = Transcript("key commitment")
    t.append("match", match)
    t.append_int("seat", seat)
    t.append("public", encoded)
    t.append("salt", salt)
    return t.challenge_bytes("commitment", 32)


def _transcript(context: Context, kind: str) -> Transcript:
    t = context.transcript("key")
    t.append("kind", kind.encode())
    return t


def _statement(X: Point) -> Linear:
    """X = x G."""
    return Linear(((X, ((BASE, 0),)),))
