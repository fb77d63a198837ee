"""One-out-of-many proofs: a ciphertext hides one of a public list of scalars, and nobody learns which; it knows no game and no rows.

The n-ary form of Bootle, Cerulli, Chaidos, Ghadafi, Groth, Petit, "Short accountable ring signatures based on DDH" (ePrint 2015/643,
section 3), with both of its pairs of commitments put into one vector each (as in Noether, Goodell, "Triptych", ePrint 2020/018), over
ElGamal ciphertexts M = (r G, v G + r T).  The prover need not know r: the last check is by the secret key t, T = t G.

Given M, T and entries s_0 .. s_N-1, N > 1.  n and m are `shape(N)`: the place l of v in the list has m digits l_j below n, the lowest
first.  Secret bits b_j,d = 1 for d = l_j, else 0; secret masks a_j,d with sum_d a_j,d = 0.  Com(v; r) = r G + sum v_i H_i.

    A = Com(a, -a^2; r_A)    B = Com(b, a (1 - 2 b); r_B)
    the fold of the list with a_j,d + b_j,d X (group.ScalarList) is the polynomial sum_k Q_k X^k with Q_m = s_l
    G_k = (rho_k G, -Q_k G + rho_k T)    k = 0 .. m - 1
    x is hashed;   f_j,d = b_j,d x + a_j,d,   z = r_B x + r_A

Checked, with f_j,0 = x - sum_d>0 f_j,d and S the fold of the list with f: x B + A = Com(f, f (x - f); z), and
Z = x^m M - (0, S G) - sum_k x^k G_k is an encryption of zero: Z_2 = t Z_1.  A proof is

    A || B || G_0 .. G_m-1 (2 points each) || f_j,d (j by j, d = 1 .. n - 1) || z || the proof of Z_2 = t Z_1

For N = 1 it is the proof that M - (0, s_0 G) is an encryption of zero, alone.
"""

from collections.abc import Sequence
from functools import lru_cache

from . import proofs
from .group import BASE, BASE_TABLE, Point, Scalar, ScalarList, Table, decode_many, encode_many, msm_vartime, subset_sum
from .proofs import BadProof, Linear
from .transcript import Rng, Transcript

Cipher = tuple[Point, Point]  # (r G, v G + r T)
ZERO, ONE = Scalar.of(0), Scalar.of(1)
EQUALITY = 64  # bytes of a proof that a ciphertext hides zero
MOST_VALUES = 16  # values a digit (group.ScalarList.fold)


@lru_cache(1024)
def shape(N: int) -> tuple[int, int]:
    """(n, m), n^m >= N: the shortest proof, m (n + 1) scalars and points; among equals the smaller n."""
    if N < 2:
        raise ValueError("a list of one needs no digits")
    choices = []
    for n in range(2, MOST_VALUES + 1):
        m = 1
        while n**m < N:
            m += 1
        choices.append((m * (n + 1), n, m))
    _, n, m = min(choices)
    return n, m


def size(N: int) -> int:
    """Bytes of a proof for a list of N."""
    if N == 1:
        return EQUALITY
    n, m = shape(N)
    return 32 * (3 + m * (n + 1)) + EQUALITY


def hides_zero(T: Point, Z: Cipher) -> Linear:
    """T = t G, Z_2 = t Z_1."""
    return Linear(((T, ((BASE, 0),)), (Z[1], ((Z[0], 0),))))


def minus(M: Cipher, s: Scalar) -> Cipher:
    """The ciphertext of the value less s, a public scalar."""
    return M[0], M[1] - BASE_TABLE.mul(s)


def prove(transcript: Transcript, T: Point, M: Cipher, entries: ScalarList, place: int, t: Scalar, rng: Rng) -> bytes:
    """The proof that M, under T = t G, hides entries[place]; the caller's transcript has bound T, M and the entries.

    Time and size depend on len(entries) alone.
    """
    if len(entries) == 1:
        return proofs.prove(transcript, hides_zero(T, minus(M, entries[0])), [t], rng)
    n, m = shape(len(entries))
    digits = [place // n**j % n for j in range(m)]
    nonces = transcript.nonce_source([t, *(Scalar.of(d) for d in digits)], rng)
    b = [[ONE if d == digit else ZERO for d in range(n)] for digit in digits]
    a = [_summing_to_zero(nonces.scalars(n - 1)) for _ in range(m)]
    r_A, r_B, *rho = nonces.scalars(2 + m)
    H, tables = generators(n * m)
    flat_a = [a_jd for row in a for a_jd in row]
    flat_b = [b_jd for row in b for b_jd in row]
    A = _commit(tables, [*flat_a, *(-(x * x) for x in flat_a)], r_A)
    B = _commit(tables[n * m :], [x - (x * y + x * y) for x, y in zip(flat_a, flat_b, strict=True)], r_B) + subset_sum(H[: n * m], flat_b)
    Q = entries.fold_polynomials(a, b)[:m]
    mask = table_of(T)
    G_k = [P for Q_k, rho_k in zip(Q, rho, strict=True) for P in (BASE_TABLE.mul(rho_k), mask.mul(rho_k) - BASE_TABLE.mul(Q_k))]

    points = encode_many([A, B, *G_k])
    x = _challenge(transcript, n, m, points)
    f = [[b_jd * x + a_jd for b_jd, a_jd in zip(b[j], a[j], strict=True)] for j in range(m)]
    responses = b"".join(s.encode() for s in [*(f_jd for row in f for f_jd in row[1:]), r_B * x + r_A])
    transcript.append("responses", responses)
    Z = _remainder(M, entries.fold(f), G_k, x, m)
    return b"".join(points) + responses + proofs.prove(transcript, hides_zero(T, Z), [t], rng)


def verify(transcript: Transcript, T: Point, M: Cipher, entries: ScalarList, proof: bytes) -> None:
    """Return if M hides one of the entries; BadProof otherwise.  The caller's transcript has bound T, M and the entries."""
    if len(proof) != size(len(entries)):
        raise BadProof("bad-proof", "length")
    if len(entries) == 1:
        proofs.verify(transcript, hides_zero(T, minus(M, entries[0])), proof)
        return
    n, m = shape(len(entries))
    points, responses, equality = proof[: 64 * (1 + m)], proof[64 * (1 + m) : -EQUALITY], proof[-EQUALITY:]
    try:
        A, B, *G_k = decode_many([points[i : i + 32] for i in range(0, len(points), 32)])
        *sent, z = (Scalar.decode(responses[i : i + 32]) for i in range(0, len(responses), 32))
    except ValueError as error:
        raise BadProof("bad-proof", str(error)) from None
    x = _challenge(transcript, n, m, [points])
    transcript.append("responses", responses)
    f = [_summing_to(x, sent[j * (n - 1) : (j + 1) * (n - 1)]) for j in range(m)]
    flat = [f_jd for row in f for f_jd in row]
    H, _ = generators(n * m)
    opened = [*flat, *(f_jd * (x - f_jd) for f_jd in flat)]
    if not msm_vartime([BASE, A, B, *H], [z, -ONE, -x, *opened]).is_identity():
        raise BadProof("bad-proof", "digits")
    proofs.verify(transcript, hides_zero(T, _remainder(M, entries.fold(f), G_k, x, m)), equality)


@lru_cache(8)
def generators(length: int) -> tuple[list[Point], list[Table]]:
    """H_0 .. H_2length-1, hashed from public labels so that nobody knows a relation between them and G; with their tables."""
    points = []
    for i in range(2 * length):
        t = Transcript("one of many")
        t.append_int("i", i)
        points.append(Point.hash(t.challenge_bytes("H", 64)))
    return points, [Table(H) for H in points]


@lru_cache(8)
def table_of(T: Point) -> Table:
    """Multiples of a team's public key, which serves a whole match."""
    return Table(T)


def _challenge(transcript: Transcript, n: int, m: int, points: Sequence[bytes]) -> Scalar:
    transcript.append_int("n", n)
    transcript.append_int("m", m)
    transcript.append("points", b"".join(points))
    return transcript.challenge("x")


def _commit(tables: Sequence[Table], values: Sequence[Scalar], r: Scalar) -> Point:
    return sum((table.mul(value) for table, value in zip(tables, values, strict=True)), BASE_TABLE.mul(r))


def _remainder(M: Cipher, S: Scalar, G_k: Sequence[Point], x: Scalar, m: int) -> Cipher:
    """Z = x^m M - (0, S G) - sum_k x^k G_k; all of it is public."""
    powers = [ONE]
    for _ in range(m):
        powers.append(powers[-1] * x)
    scalars = [powers[m], *(-power for power in powers[:m])]
    return msm_vartime([M[0], *G_k[0::2]], scalars), msm_vartime([M[1], *G_k[1::2], BASE], [*scalars, -S])


def _summing_to(x: Scalar, rest: Sequence[Scalar]) -> list[Scalar]:
    return [x - sum(rest, ZERO), *rest]


def _summing_to_zero(rest: Sequence[Scalar]) -> list[Scalar]:
    return _summing_to(ZERO, rest)
