"""The program itself on several machines: tables are listed, joined and played to a verified end; the demo without multicast."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from lan.programs import PROGRAM, SMALL, Lan, Running, opening, until

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

KEEPS_5353 = (
    "import socket,time; s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.bind(('',5353)); print('bound',flush=True); time.sleep(600)"
)


def ended(process: Running) -> tuple[int, str]:
    rest, _ = process.communicate(timeout=100)
    return process.returncode, rest


@pytest.mark.parametrize("v4", [True, False], ids=["ipv4-and-ipv6", "link-local-ipv6-alone"])
def test_three_machines_list_a_table_join_it_and_play_a_whole_game(lan: Lan, v4: bool) -> None:
    a, b, c = lan(3, v4=v4)
    opener = a.popen(opening(3))
    until(opener, "Waiting for 2 more players")
    listed = b.run([*PROGRAM, "list", "--json"])
    assert listed.returncode == 0, listed.stderr
    (table,) = json.loads(listed.stdout)["tables"]
    assert (table["name"], table["game"], table["taken"], table["size"], table["phase"]) == ("Ana", "loot", 1, 3, "open")
    assert table["answers"]
    assert table["fits"]
    assert table["players"] == ["Ana"]
    guests = [host.popen([*PROGRAM, "join", "--bot", "random", "--name", "Ana"]) for host in (b, c)]
    for process in (opener, *guests):
        code, text = ended(process)
        assert code == 0, text
        assert "everybody has signed the result" in text
    files = [next((host.home / "transcripts").glob("*.mastaba")) for host in (a, b, c)]
    assert len({file.read_bytes() for file in files}) == 1
    report = c.run([*PROGRAM, "verify", files[2], "--data", SMALL, "--json"])
    assert json.loads(report.stdout)["complete"] is True
    assert [seat["name"] for seat in json.loads(report.stdout)["seats"]] == ["Ana", "Ana 2", "Ana 3"]


def test_a_table_is_joined_by_the_address_that_the_opener_prints(lan: Lan) -> None:
    a, b = lan(2)
    opener = a.popen(opening(2))
    address = until(opener, "mastaba join 10.9.0.1").split("mastaba join ")[1].strip()
    guest = b.popen([*PROGRAM, "join", address, "--bot", "random", "--name", "Beto"])
    for process in (opener, guest):
        code, text = ended(process)
        assert code == 0, text


def test_an_empty_network_is_said_to_be_empty(lan: Lan) -> None:
    (host,) = lan(1)
    done = host.run([*PROGRAM, "list"])
    assert done.returncode == 3
    assert "No table was heard" in done.stdout
    nothing = host.run([*PROGRAM])
    assert nothing.returncode == 0
    assert "mastaba open loot" in nothing.stdout
    unreachable = host.run([*PROGRAM, "join", "10.9.0.77:4", "--bot", "random"])
    assert unreachable.returncode == 1
    assert "10.9.0.77:4" in unreachable.stderr
    assert len(unreachable.stderr.strip().splitlines()) == 1


def test_the_doctor_finds_a_healthy_machine_healthy_and_says_what_is_wrong_with_a_sick_one(lan: Lan) -> None:
    (host,) = lan(1)
    well = host.run([*PROGRAM, "doctor", "--json"])
    assert well.returncode == 0, well.stdout + well.stderr
    assert {check["id"] for check in json.loads(well.stdout)["checks"]} >= {"program", "disk", "interface", "multicast", "listen", "reach"}
    thief = host.popen([sys.executable, "-c", KEEPS_5353])
    until(thief, "bound")
    sick = host.run([*PROGRAM, "doctor"])
    assert sick.returncode == 1
    assert "NOT OK" in sick.stdout
    assert "join by address" in sick.stdout


def test_the_demo_without_multicast_hands_over_an_address_and_says_so(lan: Lan) -> None:
    (host,) = lan(1)
    thief = host.popen([sys.executable, "-c", KEEPS_5353])
    until(thief, "bound")
    done = host.run([*PROGRAM, "demo", "loot", "--seats", "2", "--json"], timeout=110)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["discovery"] == "address"
    assert result["verified"] is True


def test_the_demo_on_a_machine_without_loopback_is_one_sentence(lan: Lan) -> None:
    (host,) = lan(1)
    host.ip("link", "set", "lo", "down")
    done = host.run([*PROGRAM, "demo", "loot", "--seats", "2"], timeout=110)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_the_children_of_a_killed_demo_end_with_it(lan: Lan, tmp_path: Path) -> None:
    (host,) = lan(1)
    demo = host.popen([*PROGRAM, "demo", "loot", "--seats", "3"], env={"TMPDIR": str(tmp_path)})
    until(demo, "Seats taken at the table")
    demo.kill()
    demo.wait()
    assert demo.stdout
    assert "Traceback" not in demo.stdout.read()
    pids = subprocess.run(["ip", "netns", "pids", host.name], capture_output=True, text=True, timeout=20, check=True).stdout.split()
    for pid in map(int, pids):
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ready, _, _ = select.select([handle], [], [], 30)
        os.close(handle)
        assert ready, f"process {pid} has outlived the demo"
