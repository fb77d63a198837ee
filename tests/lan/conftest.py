"""Machines for the tests of networks; in CI their absence is a failure."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from machines import Host, network, possible


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Callable[..., list[Host]]]:
    """`lan(n)`: n machines on one switch; see machines.network."""
    if not possible():
        why = "needs root and the ip command"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    with network(tmp_path) as make:
        yield make
