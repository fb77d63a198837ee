"""Proofs of knowledge for linear statements over the group; they know neither cards nor keys.

One mechanism (Maurer 2009, "Unifying zero-knowledge proofs of knowledge", the homomorphism w -> (sum base w[index], ..)): a discrete
logarithm, equal logarithms, a sealed share and an opening are all statements of this form.

Exactly: a proof is c || s_0 || s_1 .., scalars of 32 bytes.  After the caller's items the transcript gets the statement (`append_to`), then
for each row one point "T" = sum base s[index] - c image, then c is drawn under "c".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .group import BASE, BASE_TABLE, Point, Scalar, msm, msm_vartime
from .transcript import Rng, Transcript

Term = tuple[Point, int]  # a base and the index of the witness that multiplies it


class BadProof(ValueError):
    """What a peer sent does not prove what it had to.  `claim` is a short id such as "bad-proof"."""

    def __init__(self, claim: str, detail: str = "") -> None:
        super().__init__(f"{claim}: {detail}" if detail else claim)
        self.claim, self.detail = claim, detail


@dataclass(frozen=True)
class Linear:
    """I know w[0], w[1], .. such that for every row (image, terms): image = sum of base * w[index]."""

    rows: tuple[tuple[Point, tuple[Term, ...]], ...]

    @property
    def witnesses(self) -> int:
        """How many witnesses there are: indices run from 0 without a gap."""
        return 1 + max(index for _, terms in self.rows for _, index in terms)

    def append_to(self, transcript: Transcript) -> None:
        """Bind the whole statement (attack F2)."""
        transcript.append_int("rows", len(self.rows))
        for image, terms in self.rows:
            transcript.append_point("image", image)
            transcript.append_int("terms", len(terms))
            for base, index in terms:
                transcript.append_point("base", base)
                transcript.append_int("index", index)


def prove(transcript: Transcript, statement: Linear, witnesses: Sequence[Scalar], rng: Rng) -> bytes:
    """The proof, 32 (1 + witnesses) bytes.  The caller's witnesses must satisfy the statement; constant time in them."""
    if len(witnesses) != statement.witnesses:
        raise ValueError("one witness an index")
    statement.append_to(transcript)
    nonces = transcript.nonce_source(witnesses, rng)
    k = [nonces.scalar() for _ in witnesses]
    for _, terms in statement.rows:
        transcript.append_point("T", _combine(terms, k))
    c = transcript.challenge("c")
    return c.encode() + b"".join((k_i + c * w_i).encode() for k_i, w_i in zip(k, witnesses, strict=True))


def verify(transcript: Transcript, statement: Linear, proof: bytes) -> None:
    """Return if the proof is good; raise BadProof otherwise.  One encoding a proof: scalars must be canonical (attack F8)."""
    if len(proof) != 32 * (1 + statement.witnesses):
        raise BadProof("bad-proof", "length")
    try:
        c, *s = (Scalar.decode(proof[i : i + 32]) for i in range(0, len(proof), 32))
    except ValueError as error:
        raise BadProof("bad-proof", str(error)) from None
    statement.append_to(transcript)
    for image, terms in statement.rows:
        transcript.append_point("T", msm_vartime([image, *(base for base, _ in terms)], [-c, *(s[index] for _, index in terms)]))
    if transcript.challenge("c") != c:
        raise BadProof("bad-proof")


def _combine(terms: Sequence[Term], w: Sequence[Scalar]) -> Point:
    """Sum of base * w[index] in constant time; the generator has a table."""
    if len(terms) == 1:
        base, index = terms[0]
        return BASE_TABLE.mul(w[index]) if base == BASE else base * w[index]
    return msm([base for base, _ in terms], [w[index] for _, index in terms])
