"""Discovery where networks are as they are: containers, VPNs, routers, swallowed packets, flapping cables."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

PROGRAM = [sys.executable, "-W", "error", "-m", "mastaba.cli"]
SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"
OPEN = [*PROGRAM, "open", "loot", "--seats", "2", "--data", SMALL, "--bot", "random", "--name", "Ana"]
JOIN = [*PROGRAM, "join", "--bot", "random", "--name", "Bea"]
Lan = Callable[..., list[Any]]
Running = subprocess.Popen[str]


def until(process: Running, what: str) -> str:
    """Read the program's lines until one holds the text; fails if it ends before."""
    assert process.stdout
    seen = []
    for line in process.stdout:
        seen.append(line)
        if what in line:
            return line
    pytest.fail(f"{what!r} never came:\n{''.join(seen)}")


def both_end_well(*processes: Running) -> None:
    for process in processes:
        text, _ = process.communicate(timeout=100)
        assert process.returncode == 0, text
        assert "everybody has signed the result" in text


def dummy(host: Any, name: str, address: str) -> None:
    """A network interface that works, with nobody behind it."""
    host.ip("link", "add", name, "type", "veth", "peer", "name", f"{name}-end")
    host.ip("link", "set", f"{name}-end", "addrgenmode", "none", "up")
    host.ip("addr", "add", f"{address}/24", "dev", name)
    host.ip("link", "set", name, "up")


def listed(host: Any) -> list[dict[str, Any]]:
    tables: list[dict[str, Any]] = json.loads(host.run([*PROGRAM, "list", "--json"]).stdout)["tables"]
    return tables


def test_a_table_is_announced_without_the_addresses_of_containers(lan: Lan) -> None:
    opener, guest = lan(2)
    dummy(opener, "docker0", "172.17.0.1")
    dummy(opener, "wg0", "10.7.0.2")
    table = opener.popen(OPEN)
    assert "10.9.0.1" in until(table, "mastaba join")
    (seen,) = listed(guest)
    hosts = {address.rpartition(":")[0] for address in seen["addresses"]}
    assert {"10.9.0.1", "10.7.0.2"} <= hosts
    assert "172.17.0.1" not in hosts
    assert seen["answers"]


def test_on_a_chosen_interface_alone_a_table_is_seen(lan: Lan) -> None:
    opener, guest = lan(2)
    dummy(opener, "wg0", "10.7.0.2")
    elsewhere = opener.popen([*OPEN, "--interface", "wg0"])
    assert "10.7.0.2" in until(elsewhere, "mastaba join")
    assert listed(guest) == []
    refused = opener.run([*PROGRAM, "--interface", "eth7", "list"])
    assert refused.returncode == 1
    assert "eth7" in refused.stderr
    assert "wg0" in refused.stderr
