"""One worker a core; each run follows from its seed alone."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

S, T = TypeVar("S"), TypeVar("T")
BATCH = 10  # runs given to a worker at a time


def spread(function: Callable[[S], T], seeds: Iterable[S]) -> Iterator[T]:
    """The results of function(seed), in order; a seed is all that a run depends on."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, seeds, chunksize=BATCH)
