"""For all tests: how fast a machine is decides nothing, so hypothesis neither times examples nor gives up on a busy one."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from mastaba.cli import text

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Whatever language a test has spoken, the next one begins in English."""
    text.use("en")
    yield
    text.use("en")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: Sequence[str]) -> None:
    """Tests of one network or of terminals disturb each other where they run side by side, and no tool says so when it forgets a group."""
    if node.config.getvalue("dist") == "loadgroup" and any("tests/lan/" in one and not one.endswith("@lan") for one in ids):
        pytest.exit("pytest-xdist does not keep the group of tests/lan together: another version of it or of pytest is needed", 3)
