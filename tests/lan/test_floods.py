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
    flood.kill()


def several(host: Any, number: int) -> list[str]:
    """So many IPv4 addresses of that machine, which is the third."""
    sources = ["10.9.0.3", *(f"10.9.0.{100 + n}" for n in range(1, number))]
    for source in sources[1:]:
        host.ip("addr", "add", f"{source}/24", "dev", "e0")
    return sources


def of_one_64(hosts: list[Any], number: int) -> list[str]:
    """Each machine gets an address of one /64, and the last one so many."""
    for n, host in enumerate(hosts, 1):
        host.ip("addr", "add", f"fd00:9::{n}/64", "dev", "e0")
    sources = [f"fd00:9::1:{n:x}" for n in range(number)]
    for source in sources:
        hosts[-1].ip("addr", "add", f"{source}/64", "dev", "e0")
    return sources


@pytest.mark.parametrize("addresses", [1, 40], ids=["from one address", "from forty addresses"])
def test_two_hundred_idle_connections_do_not_keep_a_real_guest_out(lan: Lan, addresses: int) -> None:
    table, guest, hostile = lan(3)
    sources = several(hostile, addresses)
    opener, port = opened(table)
    nobody_is_kept_out(opener, guest, f"10.9.0.1:{port}", hostile.popen([*FLOOD, "idle", "10.9.0.1", port, *sources]))


@pytest.mark.parametrize("addresses", [1, 40], ids=["from one address", "from forty addresses"])
@pytest.mark.parametrize("how", ["linked", "talking"])
def test_two_hundred_links_of_strangers_do_not_keep_a_real_guest_out(lan: Lan, addresses: int, how: str) -> None:
    table, guest, hostile = lan(3)
    sources = several(hostile, addresses)
    opener, port = opened(table)
    nobody_is_kept_out(opener, guest, f"10.9.0.1:{port}", hostile.popen([*FLOOD, how, "10.9.0.1", port, *sources]))


@pytest.mark.parametrize("target", ["10.9.0.1", "[fd00:9::1]"], ids=["whose guest comes by IPv4", "in which the guest is too"])
@pytest.mark.parametrize("how", ["idle", "linked"])
def test_two_hundred_addresses_of_one_64_do_not_keep_a_real_guest_out(lan: Lan, target: str, how: str) -> None:
    table, guest, hostile = lan(3)
    sources = of_one_64([table, guest, hostile], 200)
    opener, port = opened(table)
    nobody_is_kept_out(opener, guest, f"{target}:{port}", hostile.popen([*FLOOD, how, "fd00:9::1", port, *sources]))


@pytest.mark.parametrize("how", ["idle", "linked", "talking"])
def test_a_real_guest_gets_in_from_the_very_address_of_a_flood(lan: Lan, how: str) -> None:
    """As behind a router that shows one address for all."""
    table, house = lan(2)
    opener, port = opened(table)
    nobody_is_kept_out(opener, house, f"10.9.0.1:{port}", house.popen([*FLOOD, how, "10.9.0.1", port, "10.9.0.2"]))


def test_junk_and_false_tables_on_multicast_do_not_hide_a_real_table(lan: Lan) -> None:
    table, guest, hostile = lan(3)
    opener, _ = opened(table)
    nobody_is_kept_out(opener, guest, "Ana", hostile.popen([*FLOOD, "multicast"]))
