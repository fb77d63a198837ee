"""Hidden values: integers under a team's key, and proofs of what a Statement or a question says of them; it knows no game.

A value v is an ElGamal ciphertext (r G, v G + r T) under the team's T = t G; one that everybody knows is (identity, v G).  Whoever has t
reads every value of the team and makes every proof about it: no randomness is kept, no opening travels, none can be wrong.
Ciphertexts are perfectly binding, so what follows is counting, not assumption: for fixed values outside a row's table, the sum of the
row's values weighted with 1, rho, rho^2, .. meets the sum of a line of the table for at most len(table) (columns - 1) of 2^252 rho.
Hence **rho is hashed after every ciphertext of the statement**, the new one among them.
"""

import hashlib
import struct
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..errors import LocalError
from ..rules import Statement
from . import member, proofs
from .group import BASE, BASE_TABLE, IDENTITY, Point, Scalar, ScalarList, decode_many, encode_many, msm_vartime
from .member import ONE, ZERO, Cipher, hides_zero
from .proofs import BadProof, Linear
from .transcript import Context, Rng, Transcript

CIPHER = 64  # bytes
DIFFERENCE = 96  # bytes of a proof that a ciphertext does not hide zero
Lines = frozenset[tuple[int, ...]]


@dataclass(frozen=True)
class List:
    """A row's table in order, as places of two bytes; `most` is the largest value of each column."""

    places: bytes
    most: tuple[int, ...]
    digest: bytes

    @property
    def width(self) -> int:
        return len(self.most)

    def __len__(self) -> int:
        return len(self.places) // (2 * self.width)

    def entries(self, rho: Scalar) -> ScalarList:
        """Each line's sum of rho^k times its k-th value."""
        columns, weight = [], ONE
        for most in self.most:
            values = [ZERO]
            for _ in range(most):
                values.append(values[-1] + weight)
            columns.append(values)
            weight = weight * rho
        return ScalarList(self.places, columns)

    def place(self, line: tuple[int, ...]) -> int:
        """Where a line stands; ValueError if it is not in the table."""

        def at(i: int) -> tuple[int, ...]:
            return struct.unpack_from(f"<{self.width}H", self.places, 2 * self.width * i)

        i = bisect_left(range(len(self)), line, key=at)
        if i == len(self) or at(i) != line:
            raise ValueError("no such line")
        return i


@lru_cache(16)  # the largest of Pyramid takes 0.2 MB; the mummy stands on one square at a time
def listed(table: Lines, marked: Lines | None = None) -> List:
    """The lines in ascending order; with `marked`, each followed by 1 if it is one of those and 0 if not.

    LocalError for an empty table, lines of several widths, or values that are not integers from 0 to 65535.
    """
    width = len(next(iter(table), ()))
    packed = struct.Struct(f">{width}H").pack  # sorted as bytes, lines are in the order of their numbers
    ends = {True: b"\0\1", False: b"\0\0"}
    try:
        if marked is None:
            lines = sorted(packed(*line) for line in table)
        else:
            lines = sorted(packed(*line) + ends[line in marked] for line in table)
    except struct.error as error:
        raise LocalError("a table of hidden values must have lines of one width, of numbers from 0 to 65535") from error
    if width == 0:
        raise LocalError("a table of hidden values must have a line")
    width += marked is not None
    flat = array("H", b"".join(lines))
    flat.byteswap()  # from big-endian to little-endian bytes
    places = flat.tobytes()
    if struct.pack("=H", 1) == b"\x00\x01":  # a big-endian machine
        flat.byteswap()
    most = tuple(max(flat[k::width]) for k in range(width))
    return List(places, most, hashlib.sha512(struct.pack(">Q", width) + places).digest()[:32])


# -- ciphertexts ------------------------------------------------------------------------------------------------------


def hide(T: Point, v: int, r: Scalar) -> Cipher:
    """(r G, v G + r T), constant time in v and r."""
    return BASE_TABLE.mul(r), BASE_TABLE.mul(Scalar.of(v)) + member.table_of(T).mul(r)


def known(v: int) -> Cipher:
    """The ciphertext of a value that everybody knows."""
    return IDENTITY, multiple(v)


def uncover(t: Scalar, C: Cipher, among: Iterable[int]) -> int:
    """Which of these values C hides; LocalError for none of them, which no proof that holds allows."""
    point = C[1] - C[0] * t
    for v in among:
        if multiple(v) == point:
            return v
    raise LocalError("a hidden value is none of those it was proven to be, though every proof holds: please report this match")


@lru_cache(4096)
def multiple(v: int) -> Point:
    """v G, for a public v."""
    return BASE_TABLE.mul(Scalar.of(v))


def encode_cipher(C: Cipher) -> bytes:
    """64 bytes."""
    return b"".join(encode_many(C))


def decode_cipher(data: bytes) -> Cipher:
    """BadProof "bad-cipher": another length, no points, or r G = identity, which would show the value."""
    if len(data) != CIPHER:
        raise BadProof("bad-cipher", "length")
    try:
        c1, c2 = decode_many([data[:32], data[32:]])
    except ValueError as error:
        raise BadProof("bad-cipher", str(error)) from None
    if c1.is_identity():
        raise BadProof("bad-cipher", "the identity")
    return c1, c2


# -- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """One row of `all_of`; `bit`: whether the row of `one_of` over the same names holds is hidden too, as one more column."""

    names: tuple[str, ...]
    list: List
    bit: bool


@dataclass(frozen=True)
class Claim:
    """A statement ready to be proven: its rows, the names from which `new` differs, and all names, ascending."""

    rows: tuple[Row, ...]
    apart: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def bits(self) -> int:
        return sum(row.bit for row in self.rows)

    @property
    def size(self) -> int:
        """Bytes of its proof."""
        rows = sum(member.size(len(row.list)) for row in self.rows)
        return CIPHER * self.bits + rows + (member.EQUALITY if self.bits else 0) + DIFFERENCE * len(self.apart)


def claim_of(statement: Statement) -> Claim:
    """LocalError unless some row of `all_of` says what `new` may be, and each of `one_of` has one of `all_of` over the same names."""
    marked = dict(statement.one_of)
    rows = []
    for names, table in statement.all_of:
        marks = marked.pop(names, None)
        rows.append(Row(names, listed(table, marks), marks is not None))
    if marked or len(dict(statement.one_of)) != len(statement.one_of) or not any("new" in row.names for row in rows):
        raise LocalError("a statement must bound `new`, and its `one_of` must be rows of `all_of`")
    return Claim(tuple(rows), statement.apart, names_of(statement))


def names_of(statement: Statement) -> tuple[str, ...]:
    """All names that it speaks of, in ascending order."""
    return tuple(sorted({name for names, _ in statement.all_of for name in names} | {"new"} | set(statement.apart)))


def values_of(statement: Statement) -> list[int]:
    """The values that `new` may have by the first row that bounds it, ascending."""
    names, table = next((names, table) for names, table in statement.all_of if "new" in names)
    column = names.index("new")
    return sorted({line[column] for line in table})


def prove(
    context: Context,
    name: str,
    T: Point,
    statement: Statement,
    ciphers: Mapping[str, Cipher],
    values: Mapping[str, int],
    t: Scalar,
    rng: Rng,
) -> bytes:
    """The proof that the values hidden in `ciphers` are as `statement` says; they must be.  `name` is the value that changes.

    It is: the hidden bits' ciphertexts || a one-out-of-many proof for each row || that the bits add up to one || each difference.
    """
    claim = claim_of(statement)
    lines = [_line(row, statement, values) for row in claim.rows]
    transcript = _statement(context, name, T, claim, ciphers)
    nonces = transcript.nonce_source([t, *(Scalar.of(values[n]) for n in claim.names)], rng)
    bits = [hide(T, line[-1], nonces.scalar()) for row, line in zip(claim.rows, lines, strict=True) if row.bit]
    rho = _rho(transcript, bits)
    parts = [encode_cipher(bit) for bit in bits]
    for (M, row), line in zip(_sums(claim, ciphers, bits, rho), lines, strict=True):
        parts.append(member.prove(transcript, T, M, row.list.entries(rho), row.list.place(line), t, rng))
    if bits:
        parts.append(proofs.prove(transcript, hides_zero(T, _all_but_one(bits)), [t], rng))
    for other in claim.apart:
        d = Scalar.of(values["new"] - values[other])
        parts.append(_prove_difference(transcript, T, _difference(ciphers["new"], ciphers[other]), d, t, rng))
    return b"".join(parts)


def size(statement: Statement, otherwise: int) -> int:
    """Bytes of a statement's proof; `otherwise` where nothing is allowed, so that nothing can be proven."""
    return claim_of(statement).size if all(table for _, table in statement.all_of) else otherwise


def check(context: Context, name: str, T: Point, statement: Statement, ciphers: Mapping[str, Cipher], proof: bytes) -> None:
    """Return if the hidden values are as `statement` says; BadProof otherwise."""
    if not all(table for _, table in statement.all_of):
        raise BadProof("bad-proof", "nothing is allowed")
    claim = claim_of(statement)
    if len(proof) != claim.size:
        raise BadProof("bad-proof", "length")
    cut = _Cut(proof)
    transcript = _statement(context, name, T, claim, ciphers)
    bits = [decode_cipher(cut.take(CIPHER)) for _ in range(claim.bits)]
    rho = _rho(transcript, bits)
    for M, row in _sums(claim, ciphers, bits, rho):
        member.verify(transcript, T, M, row.list.entries(rho), cut.take(member.size(len(row.list))))
    if bits:
        proofs.verify(transcript, hides_zero(T, _all_but_one(bits)), cut.take(member.EQUALITY))
    for other in claim.apart:
        Delta = _difference(ciphers["new"], ciphers[other])
        proofs.verify(transcript, differs(T, Delta), cut.take(DIFFERENCE))


# -- questions --------------------------------------------------------------------------------------------------------


def prove_answer(
    context: Context, name: str, T: Point, C: Cipher, inside: Sequence[int], v: int, t: Scalar, rng: Rng
) -> tuple[bool, bytes]:
    """Whether v, hidden in C, is one of `inside`, and the proof: of one of them, or of a difference from each in ascending order."""
    squares, yes = sorted(set(inside)), v in inside
    transcript, entries = _question(context, name, T, C, squares, yes)
    if entries is not None:
        return yes, member.prove(transcript, T, C, entries, squares.index(v), t, rng)
    deltas = [(_prove_difference(transcript, T, member.minus(C, Scalar.of(x)), Scalar.of(v - x), t, rng)) for x in squares]
    return yes, b"".join(deltas)


def answer_size(inside: Iterable[int], yes: bool) -> int:
    """Bytes of an answer's proof."""
    squares = len(set(inside))
    return member.size(squares) if yes else DIFFERENCE * squares


def check_answer(context: Context, name: str, T: Point, C: Cipher, inside: Sequence[int], yes: bool, proof: bytes) -> None:
    """Return if the answer is true; BadProof otherwise."""
    squares = sorted(set(inside))
    transcript, entries = _question(context, name, T, C, squares, yes)
    if entries is not None:
        member.verify(transcript, T, C, entries, proof)
        return
    if len(proof) != answer_size(squares, yes):
        raise BadProof("bad-proof", "length")
    cut = _Cut(proof)
    for x in squares:
        proofs.verify(transcript, differs(T, member.minus(C, Scalar.of(x))), cut.take(DIFFERENCE))


# -- parts ------------------------------------------------------------------------------------------------------------


def differs(T: Point, Delta: Cipher) -> Linear:
    """Delta does not hide zero: G = a Delta_2 - b Delta_1 and 0 = a T - b G.

    With b = a t the first line is G = a (Delta_2 - t Delta_1), which for zero would read G = 0.
    """
    return Linear(((BASE, ((Delta[1], 0), (-Delta[0], 1))), (IDENTITY, ((T, 0), (-BASE, 1)))))


def _prove_difference(transcript: Transcript, T: Point, Delta: Cipher, d: Scalar, t: Scalar, rng: Rng) -> bytes:
    """`d` is what Delta hides, not zero."""
    a = d.inverse()
    return proofs.prove(transcript, differs(T, Delta), [a, a * t], rng)


def _difference(C: Cipher, D: Cipher) -> Cipher:
    return C[0] - D[0], C[1] - D[1]


def _statement(context: Context, name: str, T: Point, claim: Claim, ciphers: Mapping[str, Cipher]) -> Transcript:
    """Binds everything that the proof speaks of, the new ciphertext too."""
    t = context.transcript("statement")
    t.append("value", name.encode())
    t.append_point("T", T)
    for n in claim.names:
        t.append("name", n.encode())
        t.append_points("C", ciphers[n])
    for row in claim.rows:
        t.append_int("columns", len(row.names))
        for n in row.names:
            t.append("column", n.encode())
        t.append_int("bit", row.bit)
        t.append("list", row.list.digest)
    for n in claim.apart:
        t.append("apart", n.encode())
    return t


def _rho(transcript: Transcript, bits: Sequence[Cipher]) -> Scalar:
    for bit in bits:
        transcript.append_points("bit", bit)
    return transcript.challenge("rho")


def _sums(claim: Claim, ciphers: Mapping[str, Cipher], bits: Sequence[Cipher], rho: Scalar) -> list[tuple[Cipher, Row]]:
    """For each row the ciphertext of the sum of its values, each times the next power of rho; a hidden bit comes last."""
    left, sums = iter(bits), []
    for row in claim.rows:
        columns = [*(ciphers[n] for n in row.names), *([next(left)] if row.bit else [])]
        powers = [ONE]
        for _ in columns[1:]:
            powers.append(powers[-1] * rho)
        sums.append(((msm_vartime([C[0] for C in columns], powers), msm_vartime([C[1] for C in columns], powers)), row))
    return sums


def _all_but_one(bits: Sequence[Cipher]) -> Cipher:
    """The ciphertext of the bits' sum less one."""
    return member.minus((sum((b[0] for b in bits), IDENTITY), sum((b[1] for b in bits), IDENTITY)), ONE)


def _line(row: Row, statement: Statement, values: Mapping[str, int]) -> tuple[int, ...]:
    line = tuple(values[n] for n in row.names)
    return (*line, int(line in dict(statement.one_of)[row.names])) if row.bit else line


def _question(context: Context, name: str, T: Point, C: Cipher, squares: Sequence[int], yes: bool) -> tuple[Transcript, ScalarList | None]:
    """The transcript of an answer, and for a yes the list that it is about."""
    inside = listed(frozenset((x,) for x in squares))
    t = context.transcript("question")
    t.append("value", name.encode())
    t.append_point("T", T)
    t.append_points("C", C)
    t.append("list", inside.digest)
    t.append_int("yes", yes)
    return t, inside.entries(ONE) if yes else None


class _Cut:
    """Bytes taken off the front, piece by piece."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, n: int) -> bytes:
        self.at += n
        return self.data[self.at - n : self.at]
