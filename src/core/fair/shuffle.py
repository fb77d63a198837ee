"""Verifiable shuffles: rows are permuted and re-masked, with a proof that nothing else happened; it knows no game and no seat's keys.

Terelius-Wikstrom, in the vector form: every row is one ciphertext of k points, E(r) = (r G, r P_1, .., r P_k-1), under one
randomness, so back and face cannot be parted.  Letters and steps follow Haenni, Locher, Koenig, Dubuis, "Pseudo-code algorithms for
verifiable re-encryption mix-nets" (2017); the proof system is that of Terelius and Wikstrom, "Proofs of restricted shuffles" (2010).

Proven: a permutation and r'_i with out[i] = rows[permutation[i]] + E(r'_i).  u'_i = u[permutation[i]].  A proof is

    c (N points) || c_hat (N) || t_1 || t_2 || t_3 || t_4 (k) || t_hat (N) || s_1 || s_2 || s_3 || s_4 || s_hat (N) || s_prime (N)

Exactly: the context's transcript "shuffle" gets N, k, H (H_0 .. H_N), P, rows, out (points, row by row), c; the u_j are drawn under "u",
16 bytes each, little-endian; then c_hat, t (t_1 .. t_hat), and the challenge is drawn under "challenge".  H_i is the map of 64 bytes
drawn under "H" from the transcript "shuffle generator" with i.  Batch weights are the verifier's own affair.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add, mul

from .deck import Row
from .group import BASE, BASE_TABLE, Point, Scalar, Table, decode_many, encode_many, msm, msm_vartime
from .proofs import BadProof
from .transcript import Context, Rng, Transcript

SHORT = 16  # bytes of the u_j and of the batch weights: 2^-128 is the chance that a false equation goes unseen


@dataclass(frozen=True)
class Omega:
    """The prover's nonces, one a response."""

    omega_1: Scalar
    omega_2: Scalar
    omega_3: Scalar
    omega_4: Scalar
    omega_hat: Sequence[Scalar]
    omega_prime: Sequence[Scalar]


@dataclass(frozen=True)
class Commitments:
    """The prover's first message of the sigma proof."""

    t_1: Point
    t_2: Point
    t_3: Point
    t_4: Sequence[Point]
    t_hat: Sequence[Point]

    def points(self) -> list[Point]:
        return [self.t_1, self.t_2, self.t_3, *self.t_4, *self.t_hat]


@dataclass(frozen=True)
class Responses:
    """The prover's last message."""

    s_1: Scalar
    s_2: Scalar
    s_3: Scalar
    s_4: Scalar
    s_hat: Sequence[Scalar]
    s_prime: Sequence[Scalar]

    def scalars(self) -> list[Scalar]:
        return [self.s_1, self.s_2, self.s_3, self.s_4, *self.s_hat, *self.s_prime]


def shuffle(context: Context, rows: Sequence[Row], keys: Sequence[Point], rng: Rng) -> tuple[list[Row], bytes]:
    """The rows in a fresh secret order, re-masked under the joint keys (one a part), and the proof: 32 (5 N + k + 7) bytes.

    ValueError for fewer than two rows.  All arithmetic on secrets takes constant time; randomness is used once and forgotten (attack F15).
    """
    N = len(rows)
    if N < 2:
        raise ValueError("fewer than two rows need no shuffle")
    permutation = draw_permutation(N, rng)
    r_prime = [Scalar.reduce(rng(64)) for _ in range(N)]
    out = remask(rows, keys, permutation, r_prime)
    _, H = generators(N)

    transcript = _statement(context, rows, out, keys)
    nonces = transcript.nonce_source([*r_prime, *(Scalar.of(j) for j in permutation)], rng)
    r = nonces.scalars(N)
    c = commit_permutation(BASE_TABLE, H, permutation, r)
    u = _challenge_u(transcript, c)
    r_hat = nonces.scalars(N)
    R, U = chain(r_hat, [u[j] for j in permutation])
    omega_1, omega_2, omega_3, omega_4 = nonces.scalars(4)
    omega = Omega(omega_1, omega_2, omega_3, omega_4, omega_hat=nonces.scalars(N), omega_prime=nonces.scalars(N))
    c_hat = _double_mul(BASE_TABLE, _table_H_0(), R, U)
    t = commit(BASE_TABLE, _table_H_0(), H, [Table(P) for P in keys], out, R, U, omega)
    challenge = _challenge(transcript, c_hat, t)
    s = respond(challenge, omega, permutation, u, r, r_hat, r_prime)
    return out, b"".join(encode_many([*c, *c_hat, *t.points()])) + b"".join(x.encode() for x in s.scalars())


def verify(context: Context, rows: Sequence[Row], out_rows: Sequence[Row], keys: Sequence[Point], proof: bytes) -> None:
    """Return if `out_rows` is a shuffle of `rows` by `context.seat`; BadProof ("bad-rows" or "bad-shuffle") otherwise.

    Checks all equations as one sum with weights hashed from the proof, so the verdict is the same for everybody, every time.
    """
    N, k = len(rows), 1 + len(keys)
    if N < 2 or any(len(row) != k for row in rows):
        raise ValueError("at least two rows of one point and one a key")
    if len(out_rows) != N or any(len(row) != k for row in out_rows):
        raise BadProof("bad-rows", "not as many as before")
    if len({row[0] for row in out_rows}) != N or any(row[0].is_identity() for row in out_rows):
        raise BadProof("bad-rows", "c1 repeated or the identity")
    c, c_hat, t, s = _decode(proof, N, k)
    H_0, H = generators(N)

    transcript = _statement(context, rows, out_rows, keys)
    u = _challenge_u(transcript, c)
    challenge = _challenge(transcript, c_hat, t)
    transcript.append("s", proof[-32 * (2 * N + 4) :])
    weights = _short_scalars(transcript, "weights", 3 + k + N)
    points, scalars = batch((BASE, H_0, H, keys), rows, out_rows, (c, c_hat, t, s), u, challenge, weights)
    if not msm_vartime(points, scalars).is_identity():
        raise BadProof("bad-shuffle")


def size(N: int, k: int) -> int:
    """Bytes of a proof for N rows of k points."""
    return 32 * (5 * N + k + 7)


def draw_permutation(N: int, rng: Rng) -> list[int]:
    """A uniform permutation of 0 .. N-1 (Fisher-Yates, words at the biased end rejected: attack F14)."""
    permutation = list(range(N))
    for i in range(N - 1, 0, -1):
        limit = (1 << 32) // (i + 1) * (i + 1)
        while (word := int.from_bytes(rng(4), "big")) >= limit:
            pass
        j = word % (i + 1)
        permutation[i], permutation[j] = permutation[j], permutation[i]
    return permutation


def remask(rows: Sequence[Row], keys: Sequence[Point], permutation: Sequence[int], randomness: Sequence[Scalar]) -> list[Row]:
    """out[i] = rows[permutation[i]] + E(randomness[i])."""
    masks = [table.mul_many(randomness) for table in (BASE_TABLE, *map(Table, keys))]
    return [tuple(a + mask[i] for a, mask in zip(rows[j], masks, strict=True)) for i, j in enumerate(permutation)]


def commit_permutation(G: Table, H: Sequence[Point], permutation: Sequence[int], r: Sequence[Scalar]) -> list[Point]:
    """c_j = r_j G + H_i for j = permutation[i]: a Pedersen commitment to each column of the permutation's matrix."""
    c = G.mul_many(r)
    for i, j in enumerate(permutation):
        c[j] = c[j] + H[i]
    return c


def chain(r_hat: Sequence[Scalar], u_prime: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Exponents of c_hat_i = r_hat_i G + u'_i c_hat_i-1 = R_i G + U_i H_0, so that each is two multiplications of fixed points."""
    R, U = [r_hat[0]], [u_prime[0]]
    for r_hat_i, u_i in zip(r_hat[1:], u_prime[1:], strict=True):
        R.append(r_hat_i + u_i * R[-1])
        U.append(u_i * U[-1])
    return R, U


def commit(
    G: Table,
    H_0: Table,
    H: Sequence[Point],
    keys: Sequence[Table],
    out: Sequence[Row],
    R: Sequence[Scalar],
    U: Sequence[Scalar],
    w: Omega,
) -> Commitments:
    """t_1 = w_1 G, t_2 = w_2 G, t_3 = w_3 G + sum w'_i H_i, t_4 = -E(w_4) + sum w'_i out_i, t_hat_i = w_hat_i G + w'_i c_hat_i-1."""
    t_4 = [msm(column, w.omega_prime) - table.mul(w.omega_4) for table, column in zip((G, *keys), zip(*out, strict=True), strict=True)]
    R_before = [w.omega_hat[0], *(o + p * R_i for o, p, R_i in zip(w.omega_hat[1:], w.omega_prime[1:], R, strict=False))]
    U_before = [w.omega_prime[0], *(p * U_i for p, U_i in zip(w.omega_prime[1:], U, strict=False))]
    return Commitments(
        G.mul(w.omega_1), G.mul(w.omega_2), G.mul(w.omega_3) + msm(H, w.omega_prime), t_4, _double_mul(G, H_0, R_before, U_before)
    )


def respond(
    challenge: Scalar,
    w: Omega,
    permutation: Sequence[int],
    u: Sequence[Scalar],
    r: Sequence[Scalar],
    r_hat: Sequence[Scalar],
    r_prime: Sequence[Scalar],
) -> Responses:
    """s = omega + challenge * secret: the sums of r, of r_hat along the chain, of r u and of r' u', then each r_hat_i and each u'_i."""
    u_prime = [u[j] for j in permutation]
    along = r_hat[0]  # sum of r_hat_i times all later u'
    for r_hat_i, u_i in zip(r_hat[1:], u_prime[1:], strict=True):
        along = r_hat_i + u_i * along
    return Responses(
        w.omega_1 + challenge * reduce(add, r),
        w.omega_2 + challenge * along,
        w.omega_3 + challenge * _inner(r, u),
        w.omega_4 + challenge * _inner(r_prime, u_prime),
        [o + challenge * x for o, x in zip(w.omega_hat, r_hat, strict=True)],
        [o + challenge * x for o, x in zip(w.omega_prime, u_prime, strict=True)],
    )


def batch(
    bases: tuple[Point, Point, Sequence[Point], Sequence[Point]],
    rows: Sequence[Row],
    out: Sequence[Row],
    parts: tuple[Sequence[Point], Sequence[Point], Commitments, Responses],
    u: Sequence[Scalar],
    challenge: Scalar,
    weights: Sequence[Scalar],
) -> tuple[list[Point], list[Scalar]]:
    """Points and scalars whose products sum to the identity for a good proof: the weighted sum of these equations, in this order.

    1.        s_1 G - challenge (sum c_j - sum H_i) - t_1 = 0
    2.        s_2 G - challenge (c_hat_N - (product u_j) H_0) - t_2 = 0
    3.        s_3 G + sum s'_i H_i - challenge (sum u_j c_j) - t_3 = 0
    4. (k)    -s_4 (G, P_1, ..) + sum s'_i out_i - challenge (sum u_j rows_j) - t_4 = 0
    5. (N)    s_hat_i G + s'_i c_hat_i-1 - challenge c_hat_i - t_hat_i = 0, where c_hat_0 = H_0

    `bases` is (G, H_0, H, keys), `parts` is (c, c_hat, t, s).
    """
    G, H_0, H, keys = bases
    c, c_hat, t, s = parts
    k = 1 + len(keys)
    w_1, w_2, w_3, w_4, w_hat = *weights[:3], weights[3 : 3 + k], weights[3 + k :]
    e_1, e_3 = challenge * w_1, challenge * w_3
    points: list[Point] = [G, H_0, *H, *c, *c_hat, *keys]
    scalars = [w_1 * s.s_1 + w_2 * s.s_2 + w_3 * s.s_3 - w_4[0] * s.s_4 + _inner(w_hat, s.s_hat)]
    scalars += [challenge * w_2 * reduce(mul, u) + w_hat[0] * s.s_prime[0]]
    scalars += [e_1 + w_3 * s_i for s_i in s.s_prime]
    scalars += [-(e_1 + e_3 * u_j) for u_j in u]
    scalars += [w_next * s_next - challenge * w_i for w_i, w_next, s_next in zip(w_hat, w_hat[1:], s.s_prime[1:], strict=False)]
    scalars += [-(challenge * (w_hat[-1] + w_2))]
    scalars += [-(w_p * s.s_4) for w_p in w_4[1:]]
    for p, w_p in enumerate(w_4):
        e_p = -(challenge * w_p)
        points += [row[p] for row in rows]
        scalars += [e_p * u_j for u_j in u]
        points += [row[p] for row in out]
        scalars += [w_p * s_i for s_i in s.s_prime]
    return points + t.points(), scalars + [-w for w in weights]


@lru_cache(maxsize=1 << 12)
def _generator(i: int) -> Point:
    transcript = Transcript("shuffle generator")
    transcript.append_int("i", i)
    return Point.hash(transcript.challenge_bytes("H", 64))


@lru_cache(maxsize=1)
def _table_H_0() -> Table:
    return Table(_generator(0))


def generators(N: int) -> tuple[Point, list[Point]]:
    """H_0 and H_1 .. H_N, hashed from public labels: nobody sends any, nobody knows a relation among them (attack F5)."""
    return _generator(0), [_generator(i) for i in range(1, N + 1)]


def _statement(context: Context, rows: Sequence[Row], out: Sequence[Row], keys: Sequence[Point]) -> Transcript:
    """All that the proof is about, before anything is drawn (attack F2)."""
    H_0, H = generators(len(rows))
    transcript = context.transcript("shuffle")
    transcript.append_int("N", len(rows))
    transcript.append_int("k", 1 + len(keys))
    transcript.append_points("H", [H_0, *H])
    transcript.append_points("P", keys)
    transcript.append_points("rows", [P for row in rows for P in row])
    transcript.append_points("out", [P for row in out for P in row])
    return transcript


def _challenge_u(transcript: Transcript, c: Sequence[Point]) -> list[Scalar]:
    """u_1 .. u_N, drawn after the commitment to the permutation (attack F1)."""
    transcript.append_points("c", c)
    return _short_scalars(transcript, "u", len(c))


def _challenge(transcript: Transcript, c_hat: Sequence[Point], t: Commitments) -> Scalar:
    transcript.append_points("c_hat", c_hat)
    transcript.append_points("t", t.points())
    return transcript.challenge("challenge")


def _short_scalars(transcript: Transcript, label: str, n: int) -> list[Scalar]:
    """n scalars of 128 bits, little-endian."""
    data = transcript.challenge_bytes(label, SHORT * n)
    return [Scalar.decode(data[i : i + SHORT] + bytes(32 - SHORT)) for i in range(0, len(data), SHORT)]


def _decode(proof: bytes, N: int, k: int) -> tuple[list[Point], list[Point], Commitments, Responses]:
    points = 3 * N + 3 + k
    if len(proof) != size(N, k):
        raise BadProof("bad-shuffle", "length")
    items = [proof[i : i + 32] for i in range(0, len(proof), 32)]
    try:
        P = decode_many(items[:points])
        s_1, s_2, s_3, s_4, *s = (Scalar.decode(item) for item in items[points:])
    except ValueError as error:
        raise BadProof("bad-shuffle", str(error)) from None
    t_1, t_2, t_3, *t = P[2 * N :]
    return P[:N], P[N : 2 * N], Commitments(t_1, t_2, t_3, t[:k], t[k:]), Responses(s_1, s_2, s_3, s_4, s[:N], s[N:])


def _double_mul(A: Table, B: Table, a: Sequence[Scalar], b: Sequence[Scalar]) -> list[Point]:
    """a_i A + b_i B."""
    return [P + Q for P, Q in zip(A.mul_many(a), B.mul_many(b), strict=True)]


def _inner(a: Iterable[Scalar], b: Iterable[Scalar]) -> Scalar:
    total: Scalar = reduce(add, map(mul, a, b))
    return total
