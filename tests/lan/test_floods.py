"""One hostile machine on the network: real guests still find the table, sit down and play."""

import sys
from pathlib import Path
from typing import Any

import pytest
from lan.programs import BOT, PROGRAM, Lan, Running, opening, until

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

FLOOD = [sys.executable, str(Path(__file__).parent / "flood.py")]


def opened(host: Any) -> tuple[Running, str]:
    """A table for two, and its port."""
    opener = host.popen(opening(2))
    line = until(opener, "mastaba join 10.9.0.1")
    return opener, line.split("mastaba join ")[-1].strip().rpartition(":")[2]


def nobody_is_kept_out(opener: Running, guest: Any, target: str, flood: Running) -> None:
    """While the flood goes on a guest sits down, and both play to the end."""
    until(flood, "crowded")
    joined = guest.popen([*PROGRAM, "join", target, *BOT, "--name", "Bea"])
    for process in (opener, joined):
        text, _ = process.communicate(timeout=100)
        assert process.returncode == 0, text
        assert "everybody has signed the result" in text
    assert flood.poll() is None


@pytest.mark.parametrize("addresses", [1, 40], ids=["from one address", "from forty addresses"])
def test_two_hundred_idle_connections_do_not_keep_a_real_guest_out(lan: Lan, addresses: int) -> None:
    table, guest, hostile = lan(3)
    sources = ["10.9.0.3"]
    for number in range(1, addresses):
        sources.append(f"10.9.0.{100 + number}")
        hostile.ip("addr", "add", f"{sources[-1]}/24", "dev", "e0")
    opener, port = opened(table)
    nobody_is_kept_out(opener, guest, f"10.9.0.1:{port}", hostile.popen([*FLOOD, "idle", "10.9.0.1", port, *sources]))


def test_two_hundred_links_of_strangers_do_not_keep_a_real_guest_out(lan: Lan) -> None:
    table, guest, hostile = lan(3)
    opener, port = opened(table)
    nobody_is_kept_out(opener, guest, f"10.9.0.1:{port}", hostile.popen([*FLOOD, "linked", "10.9.0.1", port]))


def test_junk_and_false_tables_on_multicast_do_not_hide_a_real_table(lan: Lan) -> None:
    table, guest, hostile = lan(3)
    opener, _ = opened(table)
    nobody_is_kept_out(opener, guest, "Ana", hostile.popen([*FLOOD, "multicast"]))
