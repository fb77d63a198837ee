"""JSON of the commands that need a network is what docs/json.md promises."""

import pytest
from jsondocs import follows
from lan.programs import PROGRAM, Lan, opening, until

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]


def test_list_doctor_and_demo(lan: Lan) -> None:
    a, b = lan(2)
    empty = b.run([*PROGRAM, "list", "--json"])
    assert (empty.returncode, follows("list", empty.stdout)["tables"]) == (3, [])
    opener = a.popen(opening(2))
    until(opener, "Waiting for")
    listed = b.run([*PROGRAM, "list", "--json"])
    assert [table["name"] for table in follows("list", listed.stdout)["tables"]] == ["Ana"]
    doctor = b.run([*PROGRAM, "doctor", "--json"])
    assert {check["id"] for check in follows("doctor", doctor.stdout)["checks"]} >= {"program", "disk", "interface", "table"}
    demo = b.run([*PROGRAM, "demo", "scarabya", "--seats", "2", "--json"], timeout=100)
    assert follows("demo", demo.stdout)["verified"] is True, demo.stderr
