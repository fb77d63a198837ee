"""One worker a core; each run follows from its seed alone."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

T = TypeVar("T")
BATCH = 10  # runs given to a worker at a time


def spread(function: Callable[[int], T], seeds: Iterable[int]) -> Iterator[T]:
    """The results of function(seed), in order."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(function, seeds, chunksize=BATCH)
