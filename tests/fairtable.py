"""A table of seats with keys, and cards as rows, for the tests of the cryptography; randomness is seeded."""

import hashlib

from mastaba.core.fair import deck
from mastaba.core.fair.group import BASE, IDENTITY, Scalar
from mastaba.core.fair.keys import Secrets
from mastaba.core.fair.transcript import Context

MATCH = hashlib.sha256(b"a match").digest()
DATA = hashlib.sha256(b"a component table").digest()


def seeded(seed):
    """Bytes that look random and depend on the seed alone, in the order they are asked for."""
    count = 0

    def rng(n):
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{seed} {count}".encode()).digest(n)

    return rng


class Table:
    """n seats: their keys, and the joint keys."""

    def __init__(self, n):
        self.rng = seeded("table")
        self.secrets = [Secrets.generate(self.rng) for _ in range(n)]
        self.public = [s.public for s in self.secrets]
        self.joint = [sum((X.face for X in self.public), IDENTITY), sum((X.back for X in self.public), IDENTITY)]

    def context(self, seat, step=5, round=0, match=MATCH):
        return Context(match, step, round, seat)

    def scalar(self):
        return Scalar.reduce(self.rng(64))

    def printed(self, part, value):
        return deck.printed_point(DATA, "loot", part, value)

    def rows(self, values, k=3):
        """Masked rows of cards with these (face, back) values."""
        rows = []
        for face, back in values:
            r = self.scalar()
            points = (IDENTITY, self.printed("face", face), self.printed("back", back))[:k]
            rows.append(tuple(P + mask * r for P, mask in zip(points, (BASE, *self.joint), strict=False)))
        return rows

    def open(self, row, part):
        """What is printed there, with all secrets at hand."""
        return deck.open_row(part, row, [row[0] * getattr(s, part) for s in self.secrets])
