"""A shuffle verifier as plain as the paper, over any group: each equation alone, no batching, nothing imported from the product.

The oracle for the batched verifier; with `Sodium` also the peer it is measured against, with `Residues` the one for worked vectors.
Transcripts are written again from their specification.  Scalars are integers.
"""

import hashlib
from functools import lru_cache

import rbcl

ORDER = 2**252 + 27742317777372353535851937790883648493


class Sodium:
    """ristretto255 by libsodium: points are their encodings.  `mults` counts multiplications."""

    order, identity = ORDER, bytes(32)

    def __init__(self):
        self.mults = 0

    def add(self, P, Q):
        return rbcl.crypto_core_ristretto255_add(P, Q)

    def sub(self, P, Q):
        return rbcl.crypto_core_ristretto255_sub(P, Q)

    def mul(self, P, n):
        self.mults += 1
        return rbcl.crypto_scalarmult_ristretto255(n.to_bytes(32, "little"), P) if n and self.identity != P else self.identity

    def mul_G(self, n):
        self.mults += 1
        return rbcl.crypto_scalarmult_ristretto255_base(n.to_bytes(32, "little")) if n else self.identity


class Residues:
    """The subgroup of order q of Z_p* that g generates, written additively."""

    def __init__(self, p, q, g):
        self.p, self.order, self.g, self.identity = p, q, g, 1

    def add(self, P, Q):
        return P * Q % self.p

    def sub(self, P, Q):
        return P * pow(Q, -1, self.p) % self.p

    def mul(self, P, n):
        return pow(P, n % self.order, self.p)

    def mul_G(self, n):
        return self.mul(self.g, n)


def total(group, points):
    points = iter(points)
    result = next(points)
    for P in points:
        result = group.add(result, P)
    return result


def recompute(group, H_0, H, keys, rows, out, c, c_hat, s, u, challenge, sum_H=None):
    """Every value of the paper's verifier, by name; the proof is good if each t equals the one that was sent.  s: dict of responses."""
    q, k = group.order, 1 + len(keys)
    v = {}
    v["c_bar"] = group.sub(total(group, c), total(group, H) if sum_H is None else sum_H)
    v["u_product"] = 1
    for u_j in u:
        v["u_product"] = v["u_product"] * u_j % q
    v["c_hat"] = group.sub(c_hat[-1], group.mul(H_0, v["u_product"]))
    v["c_tilde"] = total(group, map(group.mul, c, u))
    v["e_prime"] = [total(group, (group.mul(row[p], u_j) for row, u_j in zip(rows, u, strict=True))) for p in range(k)]
    v["t_1"] = group.sub(group.mul_G(s["s_1"]), group.mul(v["c_bar"], challenge))
    v["t_2"] = group.sub(group.mul_G(s["s_2"]), group.mul(v["c_hat"], challenge))
    v["t_3"] = total(group, [group.mul_G(s["s_3"]), *map(group.mul, H, s["s_prime"])])
    v["t_3"] = group.sub(v["t_3"], group.mul(v["c_tilde"], challenge))
    v["t_4"] = []
    for p in range(k):
        masked = total(group, (group.mul(row[p], s_i) for row, s_i in zip(out, s["s_prime"], strict=True)))
        mask = group.mul_G(s["s_4"]) if p == 0 else group.mul(keys[p - 1], s["s_4"])
        v["t_4"].append(group.sub(group.sub(masked, mask), group.mul(v["e_prime"][p], challenge)))
    v["t_hat"] = []
    for before, here, s_hat, s_prime in zip([H_0, *c_hat], c_hat, s["s_hat"], s["s_prime"], strict=False):
        t = group.add(group.mul_G(s_hat), group.mul(before, s_prime))
        v["t_hat"].append(group.sub(t, group.mul(here, challenge)))
    return v


class Items:
    """A transcript as the list of its items, hashed from the start at every draw."""

    def __init__(self, label):
        self.items = b""
        self.add(b"T", "mastaba 1", label.encode())

    def add(self, kind, label, data):
        self.items += kind + len(label).to_bytes(2, "big") + label.encode() + len(data).to_bytes(8, "big") + data

    def number(self, label, n):
        self.add(b"i", label, n.to_bytes(8, "big"))

    def draw(self, label, n):
        self.add(b"c", label, n.to_bytes(8, "big"))
        D = hashlib.sha512(self.items).digest()
        out = b""
        while len(out) < n:
            out += hashlib.sha512(b"mastaba challenge 1" + D + (len(out) // 64).to_bytes(8, "big")).digest()
        return out[:n]


@lru_cache(maxsize=1 << 10)
def generator(i):
    t = Items("shuffle generator")
    t.number("i", i)
    return rbcl.crypto_core_ristretto255_from_hash(t.draw("H", 64))


@lru_cache(maxsize=1 << 6)
def sum_of_generators(N):
    return total(Sodium(), [generator(i) for i in range(1, N + 1)])


def verify(place, rows, out, keys, proof, group=None):
    """True if the proof is good.  `place` is (match, step, round, seat); points are 32 bytes, rows are tuples of points."""
    group = group or Sodium()
    N, k = len(rows), 1 + len(keys)
    if len(proof) != 32 * (5 * N + k + 7) or len(out) != N or any(len(row) != k for row in out):
        return False
    if len({row[0] for row in out}) != N or bytes(32) in {row[0] for row in out}:
        return False
    items = [proof[i : i + 32] for i in range(0, len(proof), 32)]
    points, scalars = items[: 3 * N + 3 + k], [int.from_bytes(item, "little") for item in items[3 * N + 3 + k :]]
    if any(P[31] >= 0x80 for P in points) or any(x >= ORDER for x in scalars):
        return False  # libsodium 1.0.18 takes both
    c, c_hat, t_1, t_2, t_3, *t = points[:N], points[N : 2 * N], *points[2 * N :]
    sent = {"t_1": t_1, "t_2": t_2, "t_3": t_3, "t_4": t[:k], "t_hat": t[k:]}
    s = dict(zip(("s_1", "s_2", "s_3", "s_4"), scalars, strict=False)) | {"s_hat": scalars[4 : 4 + N], "s_prime": scalars[4 + N :]}
    H_0, H = generator(0), [generator(i) for i in range(1, N + 1)]

    match, step, round_, seat = place
    transcript = Items("shuffle")
    transcript.number("version", 1)
    transcript.add(b"b", "match", match)
    for label, n in (("step", step), ("round", round_), ("seat", seat), ("N", N), ("k", k)):
        transcript.number(label, n)
    for label, listed in (
        ("H", [H_0, *H]),
        ("P", keys),
        ("rows", [P for row in rows for P in row]),
        ("out", [P for row in out for P in row]),
    ):
        transcript.add(b"p", label, b"".join(listed))
    transcript.add(b"p", "c", b"".join(c))
    drawn = transcript.draw("u", 16 * N)
    u = [int.from_bytes(drawn[i : i + 16], "little") for i in range(0, 16 * N, 16)]
    transcript.add(b"p", "c_hat", b"".join(c_hat))
    transcript.add(b"p", "t", b"".join([t_1, t_2, t_3, *t]))
    challenge = int.from_bytes(transcript.draw("challenge", 64), "little") % ORDER
    try:
        found = recompute(group, H_0, H, keys, rows, out, c, c_hat, s, u, challenge, sum_of_generators(N))
    except RuntimeError:  # libsodium refuses to multiply what is no point; c and c_hat are multiplied, the t compared
        return False
    return all(found[name] == value for name, value in sent.items())
