"""A verifier of what is said in each round, written from sections 1, 5 and 6 of docs/protocol.md alone, on libsodium.

`where` is (match, step, round, seat); points are 32 bytes, rows tuples of points; nothing is imported from the product.
"""

import hashlib

import msgpack
import rbcl
from plain_proofs import place, verify
from plain_shuffle import Items, Sodium

group = Sodium()
G = group.mul_G(1)
KINDS = ("face", "back", "coin", "seal")


def hashed(*parts):
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def less(point, *others):
    for other in others:
        point = group.sub(point, other)
    return point


def summed(points):
    total = group.identity
    for point in points:
        total = group.add(total, point)
    return total


def points_of(blob):
    return [blob[i : i + 32] for i in range(0, len(blob), 32)]


# -- 1, 5 rounds and choices ------------------------------------------------------------------------------------------


def next_digest(prev, bodies):
    return hashed(b"mastaba round 1", prev, *bodies)


def choice(where, body):
    """The commitment that [move, salt] opens."""
    match, step, _round, seat = where
    move, salt = body
    return hashed(b"mastaba choice 1", match, msgpack.packb((step, seat)), salt, msgpack.packb(move))


# -- 6.3, 6.4 keys, printed points ------------------------------------------------------------------------------------


def key_commitment(where, public, salt):
    t = Items("key commitment")
    t.add(b"b", "match", where[0])
    t.number("seat", where[3])
    t.add(b"b", "public", public)
    t.add(b"b", "salt", salt)
    return t.draw("commitment", 32)


def keys(where, body, commitment):
    """The four keys that a seat opens, or None."""
    salt, public, proofs = body[:32], body[32:160], body[160:]
    good = key_commitment(where, public, salt) == commitment and len(proofs) == 256
    for kind, X, proof in zip(KINDS, points_of(public), (proofs[i : i + 64] for i in range(0, 256, 64)), strict=True):
        t = place("key", *where)
        t.add(b"b", "kind", kind.encode())
        good = good and verify(t, [(X, [(G, 0)])], proof)
    return points_of(public) if good else None


def printed(data_hash, game, part, value):
    t = Items("printed")
    for label, data in (("data", data_hash), ("game", game.encode()), ("part", part.encode()), ("value", value)):
        t.add(b"b", label, data)
    return rbcl.crypto_core_ristretto255_from_hash(t.draw("point", 64))


# -- 6.2 shares, seals, openings --------------------------------------------------------------------------------------


def about(label, where, card, part, row):
    t = place(label, *where)
    t.number("card", card)
    t.add(b"b", "part", part.encode())
    t.add(b"p", "row", b"".join(row))
    return t


def share(where, card, part, row, X, blob):
    """D, or None."""
    D = blob[:32]
    return D if verify(about("share", where, card, part, row), [(X, [(G, 0)]), (D, [(row[0], 0)])], blob[32:]) else None


def seal(where, card, part, reader, row, X, S, blob):
    """(E, V), or None."""
    E, V = blob[:32], blob[32:64]
    t = about("seal", where, card, part, row)
    t.number("reader", reader)
    t.add(b"p", "S", S)
    return (E, V) if verify(t, [(X, [(G, 0)]), (E, [(G, 1)]), (V, [(row[0], 0), (S, 1)])], blob[64:]) else None


def opening(where, card, part, row, F, X, S, seals, shares, proof):
    t = about("opening", where, card, part, row)
    E, V = [E for E, _ in seals], [V for _, V in seals]
    for label, points in (("F", [F]), ("E", E), ("V", V), ("D", shares)):
        t.add(b"p", label, b"".join(points))
    image = less(row[1 if part == "face" else 2], F, *V, *shares)
    minus_E = group.sub(group.identity, summed(E))
    return verify(t, [(X, [(G, 0)]), (S, [(G, 1)]), (image, [(row[0], 0), (minus_E, 1)])], proof)


# -- 6.4, 6.5 coins ---------------------------------------------------------------------------------------------------


def toss(label, match, step, round_):
    t = Items(label)
    t.number("version", 1)
    t.add(b"b", "match", match)
    t.number("step", step)
    t.number("round", round_)
    return t


def coin_point(match, step, round_, prev):
    t = toss("coin point", match, step, round_)
    t.add(b"b", "digest", prev)
    return rbcl.crypto_core_ristretto255_from_hash(t.draw("H", 64))


def coin_share(where, prev, X, blob):
    """D, or None."""
    H, D = coin_point(*where[:3], prev), blob[:32]
    return D if verify(place("coin", *where), [(X, [(G, 0)]), (D, [(H, 0)])], blob[32:]) else None


def coin_values(match, step, round_, shares, n, sides):
    t = toss("coin values", match, step, round_)
    t.add(b"p", "total", summed(shares))
    t.number("n", n)
    t.number("sides", sides)
    limit, values = 2**32 - 2**32 % sides, []
    while len(values) < n:
        block = t.draw("block", 64)
        values += [1 + w % sides for w in (int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)) if w < limit]
    return values[:n]
