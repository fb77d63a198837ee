"""JSON of the commands that need a network is what docs/json.md promises."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsondocs import follows

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

PROGRAM = [sys.executable, "-W", "error", "-m", "mastaba.cli"]
SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"


def test_list_doctor_and_demo(lan: Callable[..., list[Any]]) -> None:
    a, b = lan(2)
    empty = b.run([*PROGRAM, "list", "--json"])
    assert (empty.returncode, follows("list", empty.stdout)["tables"]) == (3, [])
    opener = a.popen([*PROGRAM, "open", "loot", "--seats", "2", "--data", SMALL, "--bot", "random", "--name", "Ana"])
    assert any("Waiting for" in line for line in opener.stdout)
    listed = b.run([*PROGRAM, "list", "--json"])
    assert [table["name"] for table in follows("list", listed.stdout)["tables"]] == ["Ana"]
    doctor = b.run([*PROGRAM, "doctor", "--json"])
    assert {check["id"] for check in follows("doctor", doctor.stdout)["checks"]} >= {"program", "disk", "interface", "table"}
    demo = b.run([*PROGRAM, "demo", "scarabya", "--seats", "2", "--json"], timeout=100)
    assert follows("demo", demo.stdout)["verified"] is True, demo.stderr
