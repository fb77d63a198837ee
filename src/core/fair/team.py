"""A team's shared secret t, T = t G, and what follows from it: seals, complaints, renewal, and dice only the team sees; it knows no game.

The maker publishes T and seals t to each other member by hashed ElGamal: E = e G, u = t + mask(e S), S the member's sealing key.  One
proof covers t and every e, so that no E is copied or shifted from a seal of somebody else.  That u holds t is seen by its reader alone;
a reader who finds another value publishes K = s E with a proof, and then all see who lied, before anything is encrypted under T.

A die's value is a verifiable random function of a public coin R: S = t H, H hashed from R and the die, and S hashed into faces.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .group import BASE, BASE_TABLE, Point, Scalar, decode_many
from .hidden import CIPHER, decode_cipher, encode_cipher
from .member import Cipher, table_of
from .proofs import BadProof, Linear, prove, verify
from .transcript import VERSION, Context, Rng, Transcript

COMPLAINT = 96  # bytes: K || proof
RENEWAL = CIPHER + 96  # bytes: ciphertext || proof
DIE = 96  # bytes: S || proof


@dataclass(frozen=True)
class Seal:
    """The secret for one member: E = e G, u = t + mask(e S)."""

    E: Point
    u: Scalar


@dataclass(frozen=True)
class Die:
    """What a hidden die's value is hashed from: the team's key at the roll, the die's point, and the faces it may show."""

    T: Point
    H: Point
    faces: tuple[int, ...]


def make_secret(context: Context, name: str, readers: Mapping[int, Point], rng: Rng) -> tuple[bytes, Scalar]:
    """A fresh t, and the maker's body: T || E and u of each reader (seat: sealing key) in seat order || the proof."""
    t = Scalar.reduce(rng(64))
    T = BASE_TABLE.mul(t)
    e = [Scalar.reduce(rng(64)) for _ in readers]
    seals = [
        Seal(BASE_TABLE.mul(e_i), t + _mask(context, name, T, reader, BASE_TABLE.mul(e_i), readers[reader] * e_i))
        for reader, e_i in zip(sorted(readers), e, strict=True)
    ]
    proof = prove(_making(context, name, readers, T, seals), _secret(T, seals), [t, *e], rng)
    return T.encode() + b"".join(seal.E.encode() + seal.u.encode() for seal in seals) + proof, t


def secret_size(readers: int) -> int:
    """Bytes of the maker's body for so many other members."""
    return 32 + 64 * readers + 32 * (2 + readers)


def check_secret(context: Context, name: str, readers: Mapping[int, Point], body: bytes) -> tuple[Point, dict[int, Seal]]:
    """(T, the seal of each reader); BadProof for a body that is none, or proves nothing.  A wrong u is for its reader to tell."""
    n = len(readers)
    if len(body) != secret_size(n):
        raise BadProof("bad-team", "length")
    try:
        T, *E = decode_many([body[:32], *(body[i : i + 32] for i in range(32, 32 + 64 * n, 64))])
        u = [Scalar.decode(body[i : i + 32]) for i in range(64, 64 + 64 * n, 64)]
    except ValueError as error:
        raise BadProof("bad-team", str(error)) from None
    if any(P.is_identity() for P in (T, *E)):
        raise BadProof("bad-team", "the identity")
    seals = [Seal(*pair) for pair in zip(E, u, strict=True)]
    verify(_making(context, name, readers, T, seals), _secret(T, seals), body[32 + 64 * n :])
    return T, dict(zip(sorted(readers), seals, strict=True))


def open_seal(context: Context, name: str, T: Point, reader: int, seal: Seal, s: Scalar) -> Scalar:
    """What was sealed to the reader whose sealing secret is s; `context` is the maker's.  Right if it is the logarithm of T."""
    return seal.u - _mask(context, name, T, reader, seal.E, seal.E * s)


def make_complaint(context: Context, seal: Seal, S: Point, s: Scalar, rng: Rng) -> bytes:
    """K = s E and the proof of S = s G, K = s E (96 bytes): it opens this seal to all, and no other."""
    K = seal.E * s
    return K.encode() + prove(_complaining(context, seal), _shared(seal, S, K), [s], rng)


def check_complaint(context: Context, maker: Context, name: str, T: Point, seal: Seal, S: Point, body: bytes) -> None:
    """Return if `context.seat` was rightly dissatisfied: the maker sealed something else than t; BadProof otherwise."""
    if len(body) != COMPLAINT:
        raise BadProof("false-complaint", "length")
    try:
        (K,) = decode_many([body[:32]])
    except ValueError as error:
        raise BadProof("false-complaint", str(error)) from None
    verify(_complaining(context, seal), _shared(seal, S, K), body[32:])
    if BASE_TABLE.mul(seal.u - _mask(maker, name, T, context.seat, seal.E, K)) == T:
        raise BadProof("false-complaint", "the secret is right")


# -- a new secret for the same team -----------------------------------------------------------------------------------


def make_renewal(context: Context, name: str, old: Point, T: Point, t: Scalar, C: Cipher, rng: Rng) -> bytes:
    """The same value under the team's new key T: ciphertext || proof.  `t` is the secret of the `old` key."""
    r = Scalar.reduce(rng(64))
    D = BASE_TABLE.mul(r), C[1] - C[0] * t + table_of(T).mul(r)
    return encode_cipher(D) + prove(_renewing(context, name, old, T, C, D), _renewal(old, T, C, D), [t, r], rng)


def check_renewal(context: Context, name: str, old: Point, T: Point, C: Cipher, body: bytes) -> Cipher:
    """The new ciphertext; BadProof unless it hides what C hides under the old key."""
    if len(body) != RENEWAL:
        raise BadProof("bad-renewal", "length")
    D = decode_cipher(body[:CIPHER])
    verify(_renewing(context, name, old, T, C, D), _renewal(old, T, C, D), body[CIPHER:])
    return D


# -- dice -------------------------------------------------------------------------------------------------------------


def die_point(match: bytes, step: int, round: int, R: Point, T: Point, i: int) -> Point:
    """H of the i-th die of a roll whose coin fell on R."""
    t = _about("die", match, step, round)
    t.append_point("R", R)
    t.append_point("T", T)
    t.append_int("i", i)
    return Point.hash(t.challenge_bytes("H", 64))


def die_face(die: Die, S: Point) -> int:
    """The face that S = t H shows, uniform among the die's faces: words of 32 bits, big-endian, in blocks of 64 bytes, with rejection."""
    t = Transcript("die face")
    t.append_point("H", die.H)
    t.append_point("S", S)
    limit = (1 << 32) // len(die.faces) * len(die.faces)
    while True:
        block = t.challenge_bytes("block", 64)
        for word in (int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)):
            if word < limit:
                return die.faces[word % len(die.faces)]


def make_die(context: Context, handle: int, die: Die, t: Scalar, rng: Rng) -> bytes:
    """S = t H and the proof of T = t G, S = t H (96 bytes): shows this die to all."""
    S = die.H * t
    return S.encode() + prove(_showing(context, handle), _die(die, S), [t], rng)


def check_die(context: Context, handle: int, die: Die, body: bytes) -> int:
    """The face that the die shows; BadProof if it is not proven."""
    if len(body) != DIE:
        raise BadProof("bad-die", "length")
    try:
        (S,) = decode_many([body[:32]])
    except ValueError as error:
        raise BadProof("bad-die", str(error)) from None
    verify(_showing(context, handle), _die(die, S), body[32:])
    return die_face(die, S)


# -- statements and transcripts ---------------------------------------------------------------------------------------


def _secret(T: Point, seals: Sequence[Seal]) -> Linear:
    """T = t G, E_i = e_i G."""
    return Linear(((T, ((BASE, 0),)), *((seal.E, ((BASE, i),)) for i, seal in enumerate(seals, 1))))


def _shared(seal: Seal, S: Point, K: Point) -> Linear:
    """S = s G, K = s E."""
    return Linear(((S, ((BASE, 0),)), (K, ((seal.E, 0),))))


def _renewal(old: Point, T: Point, C: Cipher, D: Cipher) -> Linear:
    """old = t G, D_1 = r G, D_2 - C_2 = r T - t C_1."""
    return Linear(((old, ((BASE, 0),)), (D[0], ((BASE, 1),)), (D[1] - C[1], ((-C[0], 0), (T, 1)))))


def _die(die: Die, S: Point) -> Linear:
    """T = t G, S = t H."""
    return Linear(((die.T, ((BASE, 0),)), (S, ((die.H, 0),))))


def _making(context: Context, name: str, readers: Mapping[int, Point], T: Point, seals: Sequence[Seal]) -> Transcript:
    t = context.transcript("team")
    t.append("name", name.encode())
    t.append_point("T", T)
    for reader, seal in zip(sorted(readers), seals, strict=True):
        t.append_int("reader", reader)
        t.append_point("S", readers[reader])
        t.append_point("E", seal.E)
        t.append_scalar("u", seal.u)
    return t


def _mask(context: Context, name: str, T: Point, reader: int, E: Point, K: Point) -> Scalar:
    """What hides t from all but the maker and the reader; K = e S = s E."""
    t = context.transcript("team seal")
    t.append("name", name.encode())
    t.append_point("T", T)
    t.append_int("reader", reader)
    t.append_point("E", E)
    t.append_point("K", K)
    return t.challenge("mask")


def _complaining(context: Context, seal: Seal) -> Transcript:
    t = context.transcript("team complaint")
    t.append_point("E", seal.E)
    t.append_scalar("u", seal.u)
    return t


def _renewing(context: Context, name: str, old: Point, T: Point, C: Cipher, D: Cipher) -> Transcript:
    t = context.transcript("team renewal")
    t.append("value", name.encode())
    t.append_points("T", [old, T])
    t.append_points("C", C)
    t.append_points("D", D)
    return t


def _showing(context: Context, handle: int) -> Transcript:
    t = context.transcript("team die")
    t.append_int("handle", handle)
    return t


def _about(label: str, match: bytes, step: int, round: int) -> Transcript:
    """A roll is of no single seat."""
    t = Transcript(label)
    t.append_int("version", VERSION)
    t.append("match", match)
    t.append_int("step", step)
    t.append_int("round", round)
    return t
