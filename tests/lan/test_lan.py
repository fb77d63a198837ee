"""Players on several machines find each other, sit down and link with everybody, on the networks that people have."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

AGENT = [sys.executable, "-W", "error", str(Path(__file__).parent / "agent.py")]
Lan = Callable[..., list[Any]]


def line(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """What the agent says next."""
    assert process.stdout
    text = process.stdout.readline()
    if not text.startswith("{"):
        process.kill()
        pytest.fail(text + process.stdout.read())
    said: dict[str, Any] = json.loads(text)
    return said


def agree(opener: "subprocess.Popen[str]", guests: "list[subprocess.Popen[str]]") -> list[str]:
    """All say that they have agreed on one match and are linked with everybody; they end in good order.  Returns the names."""
    said = [line(process) for process in (opener, *guests)]
    assert [s["event"] for s in said] == ["agreed"] * len(said), said
    assert len({s["match"] for s in said}) == 1
    for process in (opener, *guests):
        rest, _ = process.communicate("\n", timeout=30)
        assert process.returncode == 0
        assert all(json.loads(text)["event"] == "links" for text in rest.splitlines()), rest  # others have ended before this one
    names: list[str] = said[0]["names"]
    return names


@pytest.mark.parametrize("v4", [True, False], ids=["ipv4-and-ipv6", "link-local-ipv6-alone"])
def test_three_players_of_one_name_find_each_other_and_link_with_everybody(lan: Lan, v4: bool) -> None:
    hosts = lan(3, v4=v4)
    opener = hosts[0].popen([*AGENT, "open", "Ana", "3"])
    assert line(opener)["event"] == "open"
    guests = [host.popen([*AGENT, "join", "Ana", "Ana"]) for host in hosts[1:]]
    assert [line(guest)["event"] for guest in guests] == ["looking"] * 2
    assert agree(opener, guests) == ["Ana", "Ana 2", "Ana 3"]


def test_two_tables_of_one_name_are_two_and_each_leads_to_its_own_machine(lan: Lan) -> None:
    hosts = lan(3)
    openers = [host.popen([*AGENT, "open", "Ana", "2"]) for host in hosts[:2]]
    ids = {line(process)["id"]: host.address for process, host in zip(openers, hosts, strict=False)}
    (found,) = [json.loads(hosts[2].run([*AGENT, "list", "2"]).stdout)]
    assert [name for name, _, _ in found["tables"]] == ["Ana", "Ana"]
    assert len({identity for _, identity, _ in found["tables"]}) == 2
    for _, identity, addresses in found["tables"]:
        assert [host for host, _ in addresses if "." in host] == [ids[identity]]


@pytest.mark.parametrize("late", [0, 1], ids=["opener", "guest"])
def test_who_plugs_the_cable_in_later_is_seen_and_sees(lan: Lan, late: int) -> None:
    hosts = lan(2)
    hosts[late].ip("link", "set", "e0", "down")
    hosts[late].ip("addr", "flush", "dev", "e0")
    opener = hosts[0].popen([*AGENT, "open", "Ana", "2"])
    assert line(opener)["event"] == "open"
    guest = hosts[1].popen([*AGENT, "join", "Bea", "Ana"])
    assert line(guest)["event"] == "looking"
    hosts[late].ip("link", "set", "e0", "up")
    hosts[late].ip("addr", "add", f"10.9.0.{late + 1}/24", "dev", "e0")
    assert agree(opener, [guest]) == ["Ana", "Bea"]


def test_interfaces_whose_ipv6_addresses_are_still_tentative_are_used_when_they_are_ready(lan: Lan) -> None:
    hosts = lan(2, v4=False, dad=True)
    agent = [part for part in AGENT if part not in ("-W", "error")]  # zeroconf warns of the address that it cannot use yet
    opener = hosts[0].popen([*agent, "open", "Ana", "2"], stderr=subprocess.DEVNULL)
    assert line(opener)["event"] == "open"
    guest = hosts[1].popen([*agent, "join", "Bea", "Ana"], stderr=subprocess.DEVNULL)
    assert line(guest)["event"] == "looking"
    assert agree(opener, [guest]) == ["Ana", "Bea"]


def test_joining_by_address_works_where_multicast_does_not(lan: Lan) -> None:
    hosts = lan(2)
    for host in hosts:
        host.ip("link", "set", "e0", "multicast", "off")
    opener = hosts[0].popen([*AGENT, "open", "Ana", "2"])
    port = line(opener)["port"]
    guest = hosts[1].popen([*AGENT, "join", "Bea", f"{hosts[0].address}:{port}"])
    assert line(guest)["event"] == "looking"
    assert agree(opener, [guest]) == ["Ana", "Bea"]


def until_links(process: "subprocess.Popen[str]", number: int) -> None:
    """The agent has this many links, now or after some change; links may come and go on the way."""
    while True:
        said = line(process)
        assert said["event"] == "links", said
        if said["number"] == number:
            return


def agreed(hosts: list[Any]) -> list["subprocess.Popen[str]"]:
    """One agent a machine, at one table that all have signed; the opener first."""
    opener = hosts[0].popen([*AGENT, "open", "Ana", len(hosts)])
    port = line(opener)["port"]
    guests = [host.popen([*AGENT, "join", "Bea", f"{hosts[0].address}:{port}"]) for host in hosts[1:]]
    assert [line(guest)["event"] for guest in guests] == ["looking"] * len(guests)
    assert [line(process)["event"] for process in (opener, *guests)] == ["agreed"] * len(hosts)
    return [opener, *guests]


def test_a_pulled_cable_is_noticed_by_everybody_and_links_come_back_with_it(lan: Lan) -> None:
    hosts = lan(3)
    opener, *guests = agreed(hosts)
    hosts[2].cable(False)
    until_links(opener, 1)
    until_links(guests[0], 1)
    until_links(guests[1], 0)
    hosts[2].cable(True)
    for process in (opener, *guests):
        until_links(process, 2)


def test_a_program_that_was_asleep_is_missed_by_everybody_and_linked_again_when_it_wakes(lan: Lan) -> None:
    hosts = lan(3)
    opener, *guests = agreed(hosts)
    os.killpg(guests[1].pid, signal.SIGSTOP)
    until_links(opener, 1)
    until_links(guests[0], 1)
    os.killpg(guests[1].pid, signal.SIGCONT)
    for process in (opener, guests[0]):
        until_links(process, 2)


def test_a_machine_with_nothing_but_loopback_plays_with_itself(lan: Lan) -> None:
    (host,) = lan(1)
    host.ip("link", "del", "e0")
    opener = host.popen([*AGENT, "open", "Ana", "2"])
    assert line(opener)["event"] == "open"
    guest = host.popen([*AGENT, "join", "Bea", "Ana"])
    assert line(guest)["event"] == "looking"
    assert agree(opener, [guest]) == ["Ana", "Bea"]


def test_a_killed_opener_is_said_not_to_answer(lan: Lan) -> None:
    hosts = lan(2)
    opener = hosts[0].popen([*AGENT, "open", "Ana", "2"])
    port = line(opener)["port"]
    opener.kill()
    opener.wait()
    done = hosts[1].run([*AGENT, "join", "Bea", f"{hosts[0].address}:{port}"])
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["event"] == "trouble"
    assert "Nobody answers" in said["why"]


def test_the_doctor_tells_a_machine_without_a_network_from_one_with(lan: Lan) -> None:
    alone, joined = lan(2)
    alone.ip("link", "del", "e0")
    script = """
import asyncio, json
from mastaba.net.doctor import examine
from mastaba.net.store import Store
print(json.dumps([[c.id, c.ok, c.detail] for c in asyncio.run(examine(Store()))]))
"""
    reports = [json.loads(host.run([sys.executable, "-W", "error", "-c", script]).stdout) for host in (alone, joined)]
    assert [ok for id, ok, _ in reports[0] if id == "interface"] == [False]
    assert all(ok for id, ok, _ in reports[1]), reports[1]
    assert {id for id, _, _ in reports[1]} == {"program", "disk", "interface", "multicast", "discovery", "listen", "reach"}
