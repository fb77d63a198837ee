"""A verifier of Ed25519 signatures written from section 2 of docs/protocol.md on whole numbers alone: the oracle for the verdict."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1)
BASE_Y = 4 * pow(5, -1, P) % P


def added(a, b):
    """Of points as (X, Y, Z) with x = X / Z, y = Y / Z: no division, and no case apart."""
    (x, y, z), (u, v, w) = a, b
    A, C, E = z * w % P, x * u % P, y * v % P
    B, t = A * A % P, D * C * E % P
    F, G = B - t, B + t
    return A * F * ((x + y) * (u + v) - C - E) % P, A * G * (E + C) % P, F * G % P


def affine(point):
    x, y, z = point
    return x * pow(z, -1, P) % P, y * pow(z, -1, P) % P


def add(a, b):
    return affine(added((*a, 1), (*b, 1)))


def times(n, point):
    result, point = (0, 1, 1), (*point, 1)
    while n:
        if n & 1:
            result = added(result, point)
        point, n = added(point, point), n >> 1
    return affine(result)


def encode(point):
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point that 32 bytes encode, or None; each point has one encoding."""
    n = int.from_bytes(data, "little")
    y, odd = n & (1 << 255) - 1, n >> 255
    if len(data) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and odd):
        return None
    return (x if x & 1 == odd else P - x), y


BASE = decode(encode((0, BASE_Y)))
EIGHTH = decode(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"))  # 8 times this is the neutral point
SMALL = [times(i, EIGHTH) for i in range(8)]


def holds(key, message, signature):
    A, R = decode(key), decode(signature[:32])
    S = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or A is None or R is None or A in SMALL or R in SMALL or S >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return times(S, BASE) == add(R, times(k, A))
