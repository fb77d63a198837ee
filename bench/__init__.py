"""Benchmarks: figures with their bars, beside a peer's figure from the same run where there is one; no test depends on time."""
