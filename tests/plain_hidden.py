"""A verifier of section 9 of docs/protocol.md, written from that page alone, on libsodium: hidden values, questions, secrets and dice.

Points are 32 bytes, ciphertexts pairs of them, scalars integers; nothing is imported from the product, nothing is fast.
"""

import hashlib
from functools import cache

import rbcl
from plain_proofs import place, verify
from plain_shuffle import ORDER, Items, Sodium

group = Sodium()
ZERO = group.identity
G = group.mul_G(1)


def minus(P):
    return group.sub(ZERO, P)


def known(v):
    return ZERO, group.mul_G(v % ORDER)


def weighted(ciphers, weights):
    out = [ZERO, ZERO]
    for C, w in zip(ciphers, weights, strict=True):
        out = [group.add(out[k], group.mul(C[k], w % ORDER)) for k in (0, 1)]
    return tuple(out)


def powers(x, n):
    return [pow(x, k, ORDER) for k in range(n)]


def scalars(data):
    return [int.from_bytes(data[i : i + 32], "little") for i in range(0, len(data), 32)]


def drawn(t, label):
    return int.from_bytes(t.draw(label, 64), "little") % ORDER


class Cut:
    def __init__(self, data):
        self.data = data

    def take(self, n):
        assert len(self.data) >= n, "too short"
        part, self.data = self.data[:n], self.data[n:]
        return part

    def cipher(self):
        data = self.take(64)
        return data[:32], data[32:]


# -- 9.5 one out of many ----------------------------------------------------------------------------------------------


@cache
def generator(i):
    t = Items("one of many")
    t.number("i", i)
    return rbcl.crypto_core_ristretto255_from_hash(t.draw("H", 64))


def shape(N):
    choices = []
    for n in range(2, 17):
        m = next(m for m in range(1, 64) if n**m >= N)
        choices.append((m * (n + 1), n, m))
    _, n, m = min(choices)
    return n, m


def member_size(N):
    if N == 1:
        return 64
    n, m = shape(N)
    return 32 * (5 + m * (n + 1))


def hides_zero(t, T, Z, proof):
    return verify(t, [(T, [(G, 0)]), (Z[1], [(Z[0], 0)])], proof)


def member(t, T, M, entries, proof):
    N = len(entries)
    if N == 1:
        return hides_zero(t, T, weighted([M, known(entries[0])], [1, -1]), proof)
    n, m = shape(N)
    points = [proof[i : i + 32] for i in range(0, 64 * (m + 1), 32)]
    A, B, *rest = points
    responses = proof[64 * (m + 1) : -64]
    t.number("n", n)
    t.number("m", m)
    t.add(b"b", "points", b"".join(points))
    x = drawn(t, "x")
    t.add(b"b", "responses", responses)
    *sent, z = scalars(responses)
    if any(x >= ORDER for x in (*sent, z)):
        return False  # not canonical
    f = []
    for j in range(m):
        row = sent[j * (n - 1) : (j + 1) * (n - 1)]
        f.append([(x - sum(row)) % ORDER, *row])
    right = group.mul_G(z)
    for j in range(m):
        for d in range(n):
            k = j * n + d
            right = group.add(right, group.mul(generator(k), f[j][d]))
            right = group.add(right, group.mul(generator(m * n + k), f[j][d] * (x - f[j][d]) % ORDER))
    if group.add(group.mul(B, x), A) != right:
        return False
    level = list(entries)
    for j in range(m):
        last = len(level) - 1
        level = [sum(f[j][d] * level[min(n * q + d, last)] for d in range(n)) % ORDER for q in range(-(-len(level) // n))]
    (S,) = level
    G_k = [(rest[2 * k], rest[2 * k + 1]) for k in range(m)]
    Z = weighted([M, known(S), *G_k], [pow(x, m, ORDER), -1, *(-p for p in powers(x, m))])
    return hides_zero(t, T, Z, proof[-64:])


# -- 9.4 hidden values ------------------------------------------------------------------------------------------------


def list_of(table, marked=None):
    """The lines of a row in order, and the list's digest."""
    lines = sorted(table if marked is None else [(*line, int(line in marked)) for line in table])
    data = b"".join(n.to_bytes(2, "little") for line in lines for n in line)
    return lines, hashlib.sha512(len(lines[0]).to_bytes(8, "big") + data).digest()[:32]


def differs(t, T, Delta, proof):
    return verify(t, [(G, [(Delta[1], 0), (minus(Delta[0]), 1)]), (ZERO, [(T, 0), (minus(G), 1)])], proof)


def statement(where, name, T, all_of, one_of, apart, ciphers, proof):
    """`where`: (match, step, round, seat); `ciphers` by name, "old" and "new" among them."""
    cut, marks = Cut(proof), dict(one_of)
    t = place("statement", *where)
    t.add(b"b", "value", name.encode())
    t.add(b"p", "T", T)
    for n in sorted({x for names, _ in all_of for x in names} | {"new"} | set(apart)):
        t.add(b"b", "name", n.encode())
        t.add(b"p", "C", b"".join(ciphers[n]))
    lists = [list_of(table, marks.get(names)) for names, table in all_of]
    for (names, _), (_, digest) in zip(all_of, lists, strict=True):
        t.number("columns", len(names))
        for n in names:
            t.add(b"b", "column", n.encode())
        t.number("bit", int(names in marks))
        t.add(b"b", "list", digest)
    for n in apart:
        t.add(b"b", "apart", n.encode())
    bits = [cut.cipher() for names, _ in all_of if names in marks]
    for bit in bits:
        t.add(b"p", "bit", b"".join(bit))
    rho, left = drawn(t, "rho"), iter(bits)
    for (names, _), (lines, _) in zip(all_of, lists, strict=True):
        columns = [*(ciphers[n] for n in names), *([next(left)] if names in marks else [])]
        weights = powers(rho, len(columns))
        entries = [sum(w * v for w, v in zip(weights, line, strict=True)) % ORDER for line in lines]
        if not member(t, T, weighted(columns, weights), entries, cut.take(member_size(len(entries)))):
            return False
    if bits and not hides_zero(t, T, weighted([*bits, known(1)], [1] * len(bits) + [-1]), cut.take(64)):
        return False
    good = all(differs(t, T, weighted([ciphers["new"], ciphers[n]], [1, -1]), cut.take(96)) for n in apart)
    return good and not cut.data


def statement_size(all_of, one_of, apart):
    """Bytes of a statement's proof."""
    bits = len(one_of)
    return 64 * bits + sum(member_size(len(table)) for _, table in all_of) + (64 if bits else 0) + 96 * len(apart)


def answer(where, name, T, C, inside, yes, proof):
    inside = sorted(set(inside))
    t = place("question", *where)
    t.add(b"b", "value", name.encode())
    t.add(b"p", "T", T)
    t.add(b"p", "C", b"".join(C))
    t.add(b"b", "list", list_of([(x,) for x in inside])[1])
    t.number("yes", int(yes))
    if yes:
        return len(proof) == member_size(len(inside)) and member(t, T, C, inside, proof)
    cut = Cut(proof)
    return all(differs(t, T, weighted([C, known(x)], [1, -1]), cut.take(96)) for x in inside) and not cut.data


# -- 9.2, 9.3 secrets and dice ----------------------------------------------------------------------------------------


def secret(where, name, readers, body):
    """(is it proven, T, (E, u) by reader); `readers`: sealing keys by seat."""
    cut = Cut(body)
    T = cut.take(32)
    seals = {seat: (cut.take(32), cut.take(32)) for seat in sorted(readers)}
    t = place("team", *where)
    t.add(b"b", "name", name.encode())
    t.add(b"p", "T", T)
    for seat, (E, u) in seals.items():
        t.number("reader", seat)
        t.add(b"p", "S", readers[seat])
        t.add(b"p", "E", E)
        t.add(b"s", "u", u)
    rows = [(T, [(G, 0)]), *((E, [(G, i)]) for i, (E, _) in enumerate(seals.values(), 1))]
    return verify(t, rows, cut.data), T, seals


def opened(where, name, T, reader, seal, s):
    """t, by the member whose sealing secret is s; `where` is the maker's."""
    E, u = seal
    t = place("team seal", *where)
    t.add(b"b", "name", name.encode())
    t.add(b"p", "T", T)
    t.number("reader", reader)
    t.add(b"p", "E", E)
    t.add(b"p", "K", group.mul(E, s))
    return (int.from_bytes(u, "little") - drawn(t, "mask")) % ORDER


def renewed(where, name, old, T, C, body):
    """Does the body hide, under the new key, what C hides under the old one?"""
    D, proof = (body[:32], body[32:64]), body[64:]
    t = place("team renewal", *where)
    t.add(b"b", "value", name.encode())
    t.add(b"p", "T", old + T)
    t.add(b"p", "C", b"".join(C))
    t.add(b"p", "D", b"".join(D))
    return verify(t, [(old, [(G, 0)]), (D[0], [(G, 1)]), (group.sub(D[1], C[1]), [(minus(C[0]), 0), (T, 1)])], proof)


def die_point(match, step, round_, R, T, i):
    t = Items("die")
    t.number("version", 1)
    t.add(b"b", "match", match)
    t.number("step", step)
    t.number("round", round_)
    t.add(b"p", "R", R)
    t.add(b"p", "T", T)
    t.number("i", i)
    return rbcl.crypto_core_ristretto255_from_hash(t.draw("H", 64))


def die_face(H, S, faces):
    t = Items("die face")
    t.add(b"p", "H", H)
    t.add(b"p", "S", S)
    k = len(faces)
    while True:
        block = t.draw("block", 64)
        for i in range(0, 64, 4):
            word = int.from_bytes(block[i : i + 4], "big")
            if word < (1 << 32) // k * k:
                return sorted(faces)[word % k]


def shown_die(where, handle, T, H, faces, body):
    """The face that a shown die proves, or None."""
    S, proof = body[:32], body[32:]
    t = place("team die", *where)
    t.number("handle", handle)
    return die_face(H, S, faces) if verify(t, [(T, [(G, 0)]), (S, [(H, 0)])], proof) else None


# -- 9.6 the audit ----------------------------------------------------------------------------------------------------


def told(body, result, keys, seat):
    """The secrets, by T, that a seat's contribution to `Over` adds, or None; `keys`: (members, T) in the order in which they were made."""
    due = [T for members, T in keys if seat in members]
    if list(body[:3]) != list(result) or len(body) != 3 + len(due):
        return None
    secrets = {T: int.from_bytes(t, "little") for T, t in zip(due, body[3:], strict=True)}
    right = all(len(t) == 32 for t in body[3:]) and all(t < ORDER and group.mul_G(t) == T for T, t in secrets.items())
    return secrets if right else None


def uncovered(t, C, among):
    """Which of these values C hides under T = tG, or None."""
    point = group.sub(C[1], group.mul(C[0], t))
    return next((v for v in among if group.mul_G(v) == point), None)
