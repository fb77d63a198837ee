"""Uniform choices from a source of random bytes; knows neither games nor where the bytes come from."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Rng = Callable[[int], bytes]  # n -> n uniform bytes, as os.urandom
T = TypeVar("T")


def below(rng: Rng, n: int) -> int:
    """A uniform integer in 0..n-1 (n >= 1), by rejection: no value is likelier than another."""
    size = (n.bit_length() + 7) // 8
    limit = 256**size - 256**size % n
    while (value := int.from_bytes(rng(size), "big")) >= limit:
        pass
    return value % n


def pick(rng: Rng, items: Sequence[T]) -> T:
    """One of the items (at least one), each equally likely."""
    return items[below(rng, len(items))]


def shuffled(rng: Rng, items: Sequence[T]) -> tuple[T, ...]:
    """The items in a uniformly random order (Fisher-Yates)."""
    rest = list(items)
    for i in range(len(rest) - 1, 0, -1):
        j = below(rng, i + 1)
        rest[i], rest[j] = rest[j], rest[i]
    return tuple(rest)
