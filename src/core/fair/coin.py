"""Public chance without a dealer: one point a toss, a share a seat, and values hashed from the sum; it knows no dice of any game.

H depends on everything said so far and each share is x H for a key fixed before H was known: one round, and nobody can steer the sum
(a distributed verifiable random function).

Exactly: the transcripts "coin point" and "coin values" begin with version, match, step, round.  H is the map of 64 bytes drawn under "H"
after digest; blocks of 64 bytes are drawn under "block" after total, n, sides.  Proofs follow the context's transcript "coin".
"""

from .group import BASE, Point, Scalar, decode_many
from .proofs import BadProof, Linear, prove, verify
from .transcript import VERSION, Context, Rng, Transcript

SHARE = 96  # bytes: share || proof


def coin_point(match: bytes, step: int, round: int, digest: bytes) -> Point:
    """H, the point of one toss; `digest` covers all that was agreed before it, so two forks never share a coin."""
    t = _toss("coin point", match, step, round)
    t.append("digest", digest)
    return Point.hash(t.challenge_bytes("H", 64))


def make_coin_share(context: Context, H: Point, secret: Scalar, public: Point, rng: Rng) -> bytes:
    """This seat's share: D = x H and a proof of X = x G, D = x H (96 bytes)."""
    D = H * secret
    return D.encode() + prove(context.transcript("coin"), _statement(H, public, D), [secret], rng)


def check_coin_share(context: Context, H: Point, public: Point, data: bytes) -> Point:
    """The share D that `context.seat` gave; BadProof if it is not the right one."""
    if len(data) != SHARE:
        raise BadProof("bad-coin", "length")
    try:
        (D,) = decode_many([data[:32]])
    except ValueError as error:
        raise BadProof("bad-coin", str(error)) from None
    verify(context.transcript("coin"), _statement(H, public, D), data[32:])
    return D


def values(total: Point, match: bytes, step: int, round: int, n: int, sides: int) -> tuple[int, ...]:
    """n independent uniform values of 1..sides (sides <= 2^16) from the sum of all shares.

    Words of 32 bits, big-endian, are drawn in blocks of 64 bytes; a word at or above the largest multiple of `sides` is rejected.
    """
    if not 1 <= sides <= 1 << 16:
        raise ValueError("1 to 65536 sides")
    t = _toss("coin values", match, step, round)
    t.append_point("total", total)
    t.append_int("n", n)
    t.append_int("sides", sides)
    limit = (1 << 32) // sides * sides
    drawn: list[int] = []
    while len(drawn) < n:
        block = t.challenge_bytes("block", 64)
        words = (int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4))
        drawn += [1 + word % sides for word in words if word < limit]
    return tuple(drawn[:n])


def _statement(H: Point, X: Point, D: Point) -> Linear:
    """X = x G, D = x H."""
    return Linear(((X, ((BASE, 0),)), (D, ((H, 0),))))


def _toss(label: str, match: bytes, step: int, round: int) -> Transcript:
    """What a toss binds: as in a context, but it is of no single seat."""
    t = Transcript(label)
    t.append_int("version", VERSION)
    t.append("match", match)
    t.append_int("step", step)
    t.append_int("round", round)
    return t
