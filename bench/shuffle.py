"""Shuffles of 54 cards with backs, beside a plain verifier on libsodium that checks the same proof, one equation after the other."""

import os
import sys
from pathlib import Path

import rbcl
from mastaba.core.fair import deck, shuffle
from mastaba.core.fair.group import BASE, Point, Scalar
from mastaba.core.fair.transcript import Context

from .rows import Row, row, seconds

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import plain_shuffle

N = 54
K = 3  # points a row: c1, face, back
PLACE = (bytes(32), 1, 0, 0)
ONES = 600  # multiplications a timing: as long as the plain verifier takes, so that a busy machine slows both alike


def _point() -> Point:
    return Point.hash(os.urandom(64))


def rows() -> list[Row]:
    context = Context(*PLACE)
    keys = [BASE * Scalar.reduce(os.urandom(64)) for _ in range(K - 1)]
    before = [tuple(_point() for _ in range(K)) for _ in range(N)]
    out, proof = shuffle.shuffle(context, before, keys, os.urandom)
    sent = b"".join(map(deck.encode_row, out))

    def ours() -> None:
        """From the bytes on the wire to the verdict."""
        received = [deck.decode_row(sent[i : i + 32 * K], K) for i in range(0, len(sent), 32 * K)]
        shuffle.verify(context, before, received, keys, proof)

    encoded = [[tuple(P.encode() for P in r) for r in listed] for listed in (before, out)]
    sodium = plain_shuffle.Sodium()

    def plain() -> None:
        sodium.mults = 0
        if not plain_shuffle.verify(PLACE, *encoded, [P.encode() for P in keys], proof, sodium):
            raise AssertionError("the plain verifier refuses a good proof")

    s, P = Scalar.reduce(os.urandom(64)).encode(), keys[0].encode()

    def multiplications() -> None:
        for _ in range(ONES):
            rbcl.crypto_scalarmult_ristretto255(s, P)

    plain()
    verify, peer, ones = seconds(ours, plain, multiplications, runs=15)
    (prove,) = seconds(lambda: shuffle.shuffle(context, before, keys, os.urandom), runs=15)
    name = "a plain verifier on libsodium"
    return [
        row("shuffle-prove", prove * 1e3, "ms", 25),
        row("shuffle-verify", verify * 1e3, "ms", 9, peer=name, peers=peer * 1e3, ratio_bar=4),
        row("shuffle-plain", peer / (sodium.mults * ones / ONES), f"x its {sodium.mults} multiplications", 1.3),
        row("shuffle-bytes", len(proof), "B", 9000),
    ]
