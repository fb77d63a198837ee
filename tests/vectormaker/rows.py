"""A file of the vectors, and what a verifier has to say of it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Expect:
    """What does not apply is None.  `exit` is that of `mastaba verify`."""

    exit: int | None = None
    ok: bool = True
    complete: bool | None = None
    claim: str | None = None
    step: int | None = None
    round: int | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Row:
    """One line of index.json, and the bytes of its file.  `data`: the component table that it needs, a file beside it."""

    file: str
    kind: str
    data: str | None
    about: str
    content: bytes = field(repr=False)
    expect: Expect

    def as_json(self) -> dict[str, Any]:
        return {"file": self.file, "kind": self.kind, "data": self.data, "about": self.about, "expect": vars(self.expect)}


def holds(complete: bool) -> Expect:
    """A transcript that holds."""
    return Expect(0, True, complete)


def proves(claim: str, step: int | None, round: int | None, seat: int) -> Expect:
    """Evidence that proves it."""
    return Expect(0, True, None, claim, step, round, seat)


def false(claim: str, step: int | None = None, round: int | None = None, seat: int | None = None) -> Expect:
    """A file that does not hold."""
    return Expect(5, False, None, claim, step, round, seat)


REFUSED = Expect(1, False)  # it is not checked by a program that has not this game, these rules or this table
