"""Fiat-Shamir transcripts: the one place where challenges come from; it knows labels and bytes, and no proof.

Exactly: a transcript is a sequence of items, and an item is

    kind (1 byte) || length of label (2 bytes) || label (ASCII) || length of data (8 bytes) || data

with lengths big-endian.  Kinds and their data:

    "T"  the opening item: label "mastaba 1", data the transcript's own label (ASCII)
    "b"  bytes as they are            "i"  an integer 0 <= n < 2^64, 8 bytes big-endian
    "p"  points, 32 bytes each        "s"  a scalar, 32 bytes little-endian
    "c"  a challenge was drawn: data is the number of its bytes, 8 bytes big-endian
    "k"  secret data (nonce sources only; such a transcript never leaves its seat)

To draw n bytes, append the "c" item; let D be SHA-512 of all items so far; the output is the first n bytes of
SHA-512("mastaba challenge 1" || D || j), j = 0, 1, .. as 8 bytes big-endian, one block after the other.  A challenge scalar is
64 drawn bytes, little-endian, modulo l.  Because "c" items stay, two draws differ, also under one label (attack F4).
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .group import Point, Scalar, encode_many

Rng = Callable[[int], bytes]  # n -> n fresh random bytes, like os.urandom
VERSION = 1  # of the protocol: bound by every context


class Transcript:
    """What prover and verifier have both seen, in order, and the challenges drawn from it."""

    def __init__(self, label: str) -> None:
        self._hash = hashlib.sha512()
        self._item(b"T", "mastaba 1", label.encode("ascii"))

    def append(self, label: str, data: bytes) -> None:
        self._item(b"b", label, data)

    def append_int(self, label: str, n: int) -> None:
        """OverflowError unless 0 <= n < 2^64."""
        self._item(b"i", label, n.to_bytes(8, "big"))

    def append_point(self, label: str, P: Point) -> None:
        self._item(b"p", label, P.encode())

    def append_points(self, label: str, Ps: Sequence[Point]) -> None:
        """One item: its length tells how many."""
        self._item(b"p", label, b"".join(encode_many(Ps)))

    def append_scalar(self, label: str, s: Scalar) -> None:
        """A public scalar."""
        self._item(b"s", label, s.encode())

    def challenge(self, label: str) -> Scalar:
        return Scalar.reduce(self.challenge_bytes(label, 64))

    def challenge_bytes(self, label: str, n: int) -> bytes:
        """n bytes that depend on every item so far."""
        self._item(b"c", label, n.to_bytes(8, "big"))
        D = self._hash.digest()
        blocks = [hashlib.sha512(b"mastaba challenge 1" + D + j.to_bytes(8, "big")).digest() for j in range(-(-n // 64))]
        return b"".join(blocks)[:n]

    def clone(self) -> "Transcript":
        """A transcript that goes on from here by itself."""
        copy = Transcript.__new__(Transcript)
        copy._hash = self._hash.copy()
        return copy

    def nonce_source(self, secrets: Sequence[Scalar], rng: Rng) -> "NonceSource":
        """Nonces for a proof about `secrets`; this transcript itself stays as it is (merlin's way, merlin 1.0 "transcript RNGs")."""
        return NonceSource(self.clone(), secrets, rng)

    def _item(self, kind: bytes, label: str, data: bytes) -> None:
        name = label.encode("ascii")
        self._hash.update(kind + len(name).to_bytes(2, "big") + name + len(data).to_bytes(8, "big") + data)


class NonceSource:
    """Secret scalars from the transcript, the secrets and 32 fresh bytes.

    With a broken source of randomness they still differ from statement to statement, and without the secrets nobody can tell them.
    """

    def __init__(self, transcript: Transcript, secrets: Sequence[Scalar], rng: Rng) -> None:
        self._transcript = transcript
        for secret in secrets:
            transcript._item(b"k", "secret", secret.encode())
        transcript._item(b"k", "fresh", rng(32))

    def scalar(self) -> Scalar:
        return self._transcript.challenge("nonce")

    def scalars(self, n: int) -> list[Scalar]:
        return [self.scalar() for _ in range(n)]


@dataclass(frozen=True)
class Context:
    """Where a contribution stands: the match (32 bytes), step, round and its author's seat; every proof binds it (attack F11)."""

    match: bytes
    step: int
    round: int
    seat: int

    def transcript(self, label: str) -> Transcript:
        """A transcript for a proof of the kind `label` in this place."""
        t = Transcript(label)
        t.append_int("version", VERSION)
        t.append("match", self.match)
        t.append_int("step", self.step)
        t.append_int("round", self.round)
        t.append_int("seat", self.seat)
        return t
