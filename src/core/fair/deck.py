"""Cards as rows of ciphertexts: what is printed as points, shares, seals and openings; it knows no game and no shuffle.

A row is (r G, F + r P_face[, B + r P_back]): one random r, a part under each joint key (multi-recipient ElGamal).  A seat's share of a
part is x c1, x its secret key for that part: the part minus all shares is the printed point.

Exactly: a printed point is the map of 64 bytes drawn under "point" from the transcript "printed" with data, game, part, value (bytes).
Proofs follow the context's transcript "share", "seal" or "opening" with card (integer), part (bytes), row (points); then a seal has
reader (integer) and S, an opening has F, E (of all seals), V (of all seals) and D (all shares).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import LocalError
from .group import BASE, BASE_TABLE, IDENTITY, Point, Scalar, decode_many, encode_many
from .proofs import BadProof, Linear, prove, verify
from .transcript import Context, Rng, Transcript

Row = tuple[Point, ...]  # (c1, face part[, back part])
PARTS = {"face": 1, "back": 2}  # the place of a part in its row
SHARE = 96  # bytes: share || proof
SEAL = 160  # bytes: E || V || proof
OPENING = 96  # bytes


@dataclass(frozen=True)
class Seal:
    """A share under its reader's sealing key: E = e G, V = x c1 + e S."""

    E: Point
    V: Point


def printed_point(data_hash: bytes, game: str, part: str, value: bytes) -> Point:
    """The point of what is printed: `value`, canonical bytes, on that part of a card of the game with this component table.

    Equal cards have equal points, so nobody can tell them apart; nobody knows a relation between different ones.
    """
    t = Transcript("printed")
    t.append("data", data_hash)
    t.append("game", game.encode())
    t.append("part", part.encode())
    t.append("value", value)
    return Point.hash(t.challenge_bytes("point", 64))


def first_row(face: Point, back: Point | None) -> Row:
    """The public row of a card before the first shuffle (r = 0); such rows are computed, never sent."""
    return (IDENTITY, face) if back is None else (IDENTITY, face, back)


def encode_row(row: Row) -> bytes:
    """32 bytes a point."""
    return b"".join(encode_many(row))


def decode_row(data: bytes, k: int) -> Row:
    """The row of k points with these bytes.

    Raises BadProof "bad-row": another length, an encoding that is not canonical, or c1 = identity, which would show every part.
    """
    if len(data) != 32 * k:
        raise BadProof("bad-row", "length")
    try:
        row = tuple(decode_many([data[i : i + 32] for i in range(0, len(data), 32)]))
    except ValueError as error:
        raise BadProof("bad-row", str(error)) from None
    if row[0].is_identity():
        raise BadProof("bad-row", "c1 is the identity")
    return row


def make_share(context: Context, card: int, part: str, row: Row, secret: Scalar, public: Point, rng: Rng) -> bytes:
    """This seat's share of a part, for everybody: D = x c1 and a proof of X = x G, D = x c1."""
    D = row[0] * secret
    return D.encode() + prove(_transcript("share", context, card, part, row), _share(row, public, D), [secret], rng)


def check_share(context: Context, card: int, part: str, row: Row, public: Point, data: bytes) -> Point:
    """The share D that `context.seat` gave; BadProof if it is not the right one (attack F23)."""
    if len(data) != SHARE:
        raise BadProof("bad-share", "length")
    (D,) = _decode("bad-share", data[:32])
    verify(_transcript("share", context, card, part, row), _share(row, public, D), data[32:])
    return D


def make_seal(
    context: Context, card: int, part: str, reader: int, row: Row, secret: Scalar, public: Point, reader_key: Point, rng: Rng
) -> bytes:
    """This seat's share of a part, for one reader: E, V and a proof for anybody of X = x G, E = e G, V = x c1 + e S."""
    e = _transcript("seal", context, card, part, row).nonce_source([secret], rng).scalar()
    seal = Seal(BASE_TABLE.mul(e), row[0] * secret + reader_key * e)
    t = _seal_transcript(context, card, part, reader, row, reader_key)
    return seal.E.encode() + seal.V.encode() + prove(t, _seal(row, public, reader_key, seal), [secret, e], rng)


def check_seal(context: Context, card: int, part: str, reader: int, row: Row, public: Point, reader_key: Point, data: bytes) -> Seal:
    """The seal that `context.seat` gave; BadProof if it does not hold the right share for that reader.

    The proof of e refuses an E copied from somebody else's seal, or shifted: no complaint ever opens another seal.
    """
    if len(data) != SEAL:
        raise BadProof("bad-seal", "length")
    seal = Seal(*_decode("bad-seal", data[:32], data[32:64]))
    if seal.E.is_identity():
        raise BadProof("bad-seal", "sealed to everybody")
    verify(_seal_transcript(context, card, part, reader, row, reader_key), _seal(row, public, reader_key, seal), data[64:])
    return seal


def unseal(part: str, row: Row, shares: Sequence[Point], own_secret: Scalar, seal_secret: Scalar, seals: Sequence[Seal]) -> Point:
    """The printed point, for its reader: the part minus his own share, the shares sealed to him and the public ones."""
    F = _minus(_part(row, part), *shares, *(seal.V for seal in seals)) - row[0] * own_secret
    return F + _sum(seal.E for seal in seals) * seal_secret


def make_opening(
    context: Context,
    card: int,
    part: str,
    row: Row,
    printed: Point,
    secrets: tuple[Scalar, Scalar],
    public: tuple[Point, Point],
    seals: Sequence[Seal],
    shares: Sequence[Point],
    rng: Rng,
) -> bytes:
    """A reader's proof (96 bytes), alone, that `printed` is what he read.

    `secrets` are his key for the part and his sealing key, (x, s), `public` is (X, S); `seals` were sealed to him, `shares` are public.
    """
    t = _opening_transcript(context, card, part, row, printed, seals, shares)
    return prove(t, _opening(part, row, printed, public, seals, shares), secrets, rng)


def check_opening(
    context: Context,
    card: int,
    part: str,
    row: Row,
    printed: Point,
    public: tuple[Point, Point],
    seals: Sequence[Seal],
    shares: Sequence[Point],
    data: bytes,
) -> None:
    """Return if `context.seat`, the reader, really read `printed`; BadProof otherwise."""
    t = _opening_transcript(context, card, part, row, printed, seals, shares)
    verify(t, _opening(part, row, printed, public, seals, shares), data)


def open_row(part: str, row: Row, shares: Sequence[Point]) -> Point:
    """The printed point from the shares of all seats."""
    return _minus(_part(row, part), *shares)


def _share(row: Row, X: Point, D: Point) -> Linear:
    """X = x G, D = x c1."""
    return Linear(((X, ((BASE, 0),)), (D, ((row[0], 0),))))


def _seal(row: Row, X: Point, S: Point, seal: Seal) -> Linear:
    """X = x G, E = e G, V = x c1 + e S."""
    return Linear(((X, ((BASE, 0),)), (seal.E, ((BASE, 1),)), (seal.V, ((row[0], 0), (S, 1)))))


def _opening(part: str, row: Row, F: Point, public: tuple[Point, Point], seals: Sequence[Seal], shares: Sequence[Point]) -> Linear:
    """X = x G, S = s G, f - F - sum V - sum D = x c1 - s sum E."""
    X, S = public
    image = _minus(_part(row, part), F, *(seal.V for seal in seals), *shares)
    return Linear(((X, ((BASE, 0),)), (S, ((BASE, 1),)), (image, ((row[0], 0), (-_sum(seal.E for seal in seals), 1)))))


def _transcript(label: str, context: Context, card: int, part: str, row: Row) -> Transcript:
    """Binds the row as a whole: a statement about one card cannot be shown for another (attacks F25, F26)."""
    t = context.transcript(label)
    t.append_int("card", card)
    t.append("part", part.encode())
    t.append_points("row", row)
    return t


def _seal_transcript(context: Context, card: int, part: str, reader: int, row: Row, S: Point) -> Transcript:
    t = _transcript("seal", context, card, part, row)
    t.append_int("reader", reader)
    t.append_point("S", S)
    return t


def _opening_transcript(
    context: Context, card: int, part: str, row: Row, F: Point, seals: Sequence[Seal], shares: Sequence[Point]
) -> Transcript:
    t = _transcript("opening", context, card, part, row)
    t.append_point("F", F)
    t.append_points("E", [seal.E for seal in seals])
    t.append_points("V", [seal.V for seal in seals])
    t.append_points("D", shares)
    return t


def _part(row: Row, part: str) -> Point:
    place = PARTS[part]
    if place >= len(row):
        raise LocalError(f"this card has no {part}")
    return row[place]


def _decode(claim: str, *data: bytes) -> list[Point]:
    try:
        return decode_many(data)
    except ValueError as error:
        raise BadProof(claim, str(error)) from None


def _sum(points: Iterable[Point]) -> Point:
    return sum(points, start=IDENTITY)


def _minus(point: Point, *subtracted: Point) -> Point:
    return point - _sum(subtracted)
