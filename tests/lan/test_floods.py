"""One hostile machine on the network: real guests still find the table, sit down and play."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

PROGRAM = [sys.executable, "-W", "error", "-m", "mastaba.cli"]
FLOOD = [sys.executable, str(Path(__file__).parent / "flood.py")]
SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"
Lan = Callable[..., list[Any]]
Running = subprocess.Popen[str]


def until(process: Running, what: str) -> str:
    assert process.stdout
    seen = []
    for line in process.stdout:
        seen.append(line)
        if what in line:
            return line
    pytest.fail(f"{what!r} never came:\n{''.join(seen)}")


def opened(host: Any) -> tuple[Running, str]:
    """A table for two, and its port."""
    opener = host.popen([*PROGRAM, "open", "loot", "--seats", "2", "--data", SMALL, "--bot", "random", "--name", "Ana"])
    line = until(opener, "mastaba join 10.9.0.1")
    return opener, line.split("mastaba join ")[-1].strip().rpartition(":")[2]


def both_end_well(opener: Running, guest: Running) -> None:
    for process in (opener, guest):
        text, _ = process.communicate(timeout=100)
        assert process.returncode == 0, text
        assert "everybody has signed the result" in text


@pytest.mark.parametrize("addresses", [1, 40], ids=["from one address", "from forty addresses"])
def test_two_hundred_idle_connections_do_not_keep_a_real_guest_out(lan: Lan, addresses: int) -> None:
    table, guest, hostile = lan(3)
    sources = ["10.9.0.3"]
    for number in range(1, addresses):
        sources.append(f"10.9.0.{100 + number}")
        hostile.ip("addr", "add", f"{sources[-1]}/24", "dev", "e0")
    opener, port = opened(table)
    flood = hostile.popen([*FLOOD, "idle", "10.9.0.1", port, *sources])
    until(flood, "crowded")
    joined = guest.popen([*PROGRAM, "join", f"10.9.0.1:{port}", "--bot", "random", "--name", "Bea"])
    both_end_well(opener, joined)
    assert flood.poll() is None


def test_two_hundred_links_of_strangers_do_not_keep_a_real_guest_out(lan: Lan) -> None:
    table, guest, hostile = lan(3)
    opener, port = opened(table)
    flood = hostile.popen([*FLOOD, "linked", "10.9.0.1", port])
    until(flood, "crowded")
    joined = guest.popen([*PROGRAM, "join", f"10.9.0.1:{port}", "--bot", "random", "--name", "Bea"])
    both_end_well(opener, joined)
    assert flood.poll() is None


def test_junk_and_false_tables_on_multicast_do_not_hide_a_real_table(lan: Lan) -> None:
    table, guest, hostile = lan(3)
    opener, _ = opened(table)
    flood = hostile.popen([*FLOOD, "multicast"])
    until(flood, "crowded")
    joined = guest.popen([*PROGRAM, "join", "Ana", "--bot", "random", "--name", "Bea"])
    both_end_well(opener, joined)
    assert flood.poll() is None
