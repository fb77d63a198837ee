"""Code words of a private table: both sides prove that they know them, and neither tells them.  It knows bytes, no links and no lobby.

This is CPace (IRTF CFRG, draft-irtf-cfrg-cpace) over ristretto255, with proofs of the key in both directions: whoever does not know
the words learns nothing but whether one guess was right, and has to come anew for the next.  The generator depends on the words and on
both identities, which the channel has proven: somebody in the middle, who shows each side an identity of his own, can pass nothing on.
"""

import hmac
from collections.abc import Callable

from ..core.fair.group import Point, Scalar
from ..core.fair.transcript import Transcript
from .identity import word

WORDS = 3  # of 16 bits each: at a thousand guesses a second, each over a channel of its own, they last for four thousand years
MOST = 64  # characters of typed words that are looked at
PROOF = 32  # bytes

Rng = Callable[[int], bytes]


def draw(rng: Rng) -> str:
    """Fresh code words."""
    return "-".join(word(int.from_bytes(rng(2), "big")) for _ in range(WORDS))


def tidy(typed: str) -> str:
    """The words as they count: without case, and however they are separated."""
    return "-".join(typed[:MOST].casefold().replace("-", " ").split())


class Door:
    """One side of one attempt.  `share` goes to the other side; `meet` takes the other's, and then `proof` and `check` can be used."""

    def __init__(self, words: str, guest: bytes, opener: bytes, at_table: bool, rng: Rng) -> None:
        t = Transcript("private table")
        t.append("words", tidy(words).encode())
        t.append("guest", guest)
        t.append("opener", opener)
        G = Point.hash(t.challenge_bytes("G", 64))
        self._y, self._transcript = Scalar.reduce(rng(64)), t
        self._at_table = at_table
        self.share = (G * self._y).encode()
        self._proofs = b""

    def meet(self, share: bytes) -> None:
        """Take the other side's share; raises ValueError unless it is a point, and not the identity (which would fix the key)."""
        Y = Point.decode(share)
        if Y.is_identity():
            raise ValueError("the identity")
        mine = self.share
        t = self._transcript.clone()
        t.append("guest share", share if self._at_table else mine)
        t.append("opener share", mine if self._at_table else share)
        t.append_point("K", Y * self._y)
        self._proofs = t.challenge_bytes("proofs", 2 * PROOF)

    @property
    def proof(self) -> bytes:
        """That this side knows the words."""
        return self._half(self._at_table)

    def check(self, proof: bytes) -> bool:
        """Does the other side know them?"""
        return bool(self._proofs) and hmac.compare_digest(proof, self._half(not self._at_table))

    def _half(self, opener: bool) -> bytes:
        return self._proofs[PROOF:] if opener else self._proofs[:PROOF]
