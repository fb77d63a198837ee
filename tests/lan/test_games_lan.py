"""Whole games by the real program on several machines, whose programs are killed and come back: nothing played is lost."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from lan.programs import BOT, PROGRAM, SMALL, Lan, Running, opening, small, until
from mastaba.core.games import GAMES
from mastaba.net.log import TRANSCRIPT, VOID_HEAD, unpack_file
from shares import LONG

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

ROUND_TRIP = """
import socket, sys, time
began = time.monotonic()
try:
    socket.create_connection((sys.argv[1], 9))
except ConnectionRefusedError:
    print(time.monotonic() - began)
"""


def all_end_well(processes: list[Running], hosts: list[Any], data: Path = SMALL, patience: int = 100) -> None:
    """Every program ends with a result that all have signed, and all have the same transcript, which verifies as complete."""
    for process in processes:
        text, _ = process.communicate(timeout=patience)
        assert process.returncode == 0, text
        assert "everybody has signed the result" in text
    files = [next((host.home / "transcripts").glob("*.mastaba")) for host in hosts]
    items = [tuple(item for item in unpack_file(TRANSCRIPT, file.read_bytes()) if not item.startswith(VOID_HEAD)) for file in files]
    assert len(set(items)) == 1
    report = json.loads(hosts[0].run([*PROGRAM, "verify", files[0], "--data", data, "--json"]).stdout)
    assert report["ok"]
    assert report["complete"]


def playing(hosts: list[Any], game: str = "loot") -> list[Running]:
    """One program a machine, with a game under way at all of them."""
    opener = hosts[0].popen(opening(len(hosts), game))
    until(opener, "more player")
    guests = [host.popen([*PROGRAM, "join", *BOT, "--name", f"Guest {n}"]) for n, host in enumerate(hosts[1:])]
    for process in (opener, *guests):
        until(process, "shuffle" if game == "loot" else "lays")
    return [opener, *guests]


def kill(process: Running) -> None:
    process.kill()
    process.wait()


@pytest.mark.parametrize("who", [0, 2], ids=["opener", "guest"])
def test_a_killed_program_comes_back_and_the_game_ends_verified_at_all(lan: Lan, who: int) -> None:
    hosts = lan(3)
    processes = playing(hosts)
    kill(processes[who])
    processes[who] = hosts[who].popen([*PROGRAM, "resume", *BOT])
    all_end_well(processes, hosts)


def test_all_programs_killed_at_once_play_on_when_they_return(lan: Lan) -> None:
    hosts = lan(3)
    for process in playing(hosts):
        kill(process)
    all_end_well([host.popen([*PROGRAM, "resume", *BOT]) for host in hosts], hosts)
    again = hosts[1].run([*PROGRAM, "resume", *BOT])
    assert again.returncode == 3, again.stdout + again.stderr


def lose(host: Any, share: float) -> None:
    """The machine's cable loses this share of what comes in, IPv4 and IPv6."""
    for command in ("iptables", "ip6tables"):
        done = host.run([command, "-A", "INPUT", "-i", "e0", "-m", "statistic", "--mode", "random", "--probability", share, "-j", "DROP"])
        assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("iptables") is None, reason="needs iptables")
@pytest.mark.parametrize("game", sorted(GAMES) if LONG else ["scarabya"])
@pytest.mark.timeout(400)  # most of it is waiting
def test_every_game_over_cables_that_lose_a_fifth_of_everything_ends(lan: Lan, game: str) -> None:
    hosts = lan(3)
    data = small(game)
    opener = hosts[0].popen(opening(3, game))
    until(opener, "more player")
    for host in hosts:
        lose(host, 0.2)
    guests = [host.popen([*PROGRAM, "join", "10.9.0.1", *BOT, "--name", f"Guest {n}"]) for n, host in enumerate(hosts[1:])]
    all_end_well([opener, *guests], hosts, data, 300)


@pytest.mark.skipif(shutil.which("iptables") is None, reason="needs iptables")
def test_a_game_in_which_one_machine_no_longer_hears_another_goes_on_by_way_of_the_third(lan: Lan) -> None:
    hosts = lan(3)
    processes = playing(hosts)
    for command, rule in (("iptables", ["-s", str(hosts[2].address)]), ("ip6tables", [])):  # by IPv6 it hears nobody
        done = hosts[0].run([command, "-A", "INPUT", "-i", "e0", *rule, "-j", "DROP"])
        assert done.returncode == 0, done.stderr
    all_end_well(processes, hosts)


@pytest.mark.parametrize("cut", [[0, 2], [2]] if LONG else [[0, 2]], ids=str)
def test_cables_pulled_in_the_middle_of_a_game_and_plugged_in_again_cost_nothing(lan: Lan, cut: list[int]) -> None:
    hosts = lan(3)
    processes = playing(hosts)
    for number in cut:
        hosts[number].cable(False)
    until(processes[1], "is not answering")
    for number in cut:
        hosts[number].cable(True)
    all_end_well(processes, hosts)
    assert not [file for host in hosts for file in host.home.rglob("*.evidence")]


@pytest.mark.timeout(300)  # most of it is waiting
def test_a_game_in_which_every_word_is_half_a_second_on_its_way_ends(lan: Lan) -> None:
    hosts = lan(2, delay=0.5)
    ping = hosts[1].run([sys.executable, "-c", ROUND_TRIP, "10.9.0.1"])
    assert float(ping.stdout) > 0.9, ping.stderr
    all_end_well(playing(hosts, "scarabya"), hosts, small("scarabya"))


def test_a_disk_that_is_full_ends_one_players_part_in_a_sentence_and_the_others_play_on(lan: Lan) -> None:
    hosts = lan(3)
    small = hosts[1].home
    small.mkdir(parents=True)
    tiny = ["unshare", "-m", "sh", "-c", f'mount -t tmpfs -o size=40k none {small} && exec "$@"', "sh"]
    opener = hosts[0].popen([*PROGRAM, "open", "loot", "--seats", 3, "--data", SMALL, "--plain", "--name", "Ana", "--grace", "2"])
    until(opener, "more player")
    full = hosts[1].popen([*tiny, *PROGRAM, "join", *BOT, "--name", "Beto"])
    third = hosts[2].popen([*PROGRAM, "join", "--plain", "--name", "Cleo"])
    text, _ = full.communicate(timeout=100)
    assert full.returncode == 1, text
    assert "No space left on device" in text
    assert "Traceback" not in text
    for process in (opener, third):  # persons, who let a bot play their seats then: bots alone have no vote
        until(process, "Beto is silent.")
        type_in(process, "go on", "go on", "bot")
    for process in (opener, third):
        until(process, "everybody has signed the result")
    all_end_well([], [hosts[0], hosts[2]])
    assert not [file for host in hosts for file in host.home.rglob("*.evidence")]


def type_in(process: Running, *lines: str) -> None:
    assert process.stdin
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()


def move(host: Any, address: str) -> None:
    """The machine comes back with another IPv4 address and no IPv6."""
    host.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv6/conf/e0/disable_ipv6"])
    host.ip("addr", "flush", "dev", "e0")
    host.ip("addr", "add", f"{address}/24", "dev", "e0")
    host.ip("route", "replace", "default", "dev", "e0")
    host.address = address


def test_all_programs_killed_come_back_from_other_addresses(lan: Lan) -> None:
    hosts = lan(3)
    for process in playing(hosts):
        kill(process)
    for number, host in enumerate(hosts):
        move(host, f"10.9.0.{77 - number}")
    all_end_well([host.popen([*PROGRAM, "resume", *BOT]) for host in hosts], hosts)


def test_machines_whose_addresses_change_during_the_game_find_each_other_again(lan: Lan) -> None:
    hosts = lan(3)
    processes = playing(hosts)
    for number, host in enumerate(hosts[1:]):
        move(host, f"10.9.0.{88 + number}")
    all_end_well(processes, hosts)


def test_the_demo_on_a_machine_with_loopback_alone_finds_its_table_by_itself(lan: Lan) -> None:
    (host,) = lan(1)
    host.ip("link", "del", "e0")
    done = host.run([*PROGRAM, "demo", "loot", "--seats", "2", "--json"], timeout=110)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["discovery"] == "zeroconf"
    assert result["verified"] is True
    assert len(result["seats"]) == 2
