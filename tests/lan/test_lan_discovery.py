"""Discovery where networks are as they are: containers, VPNs, routers, swallowed packets, flapping cables."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lan.programs import BOT, PROGRAM, Lan, Running, opening, until

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]

OPEN = opening(2)
JOIN = [*PROGRAM, "join", *BOT, "--name", "Bea"]


def begin(*processes: Running) -> None:
    """The programs are linked: together they have shuffled."""
    for process in processes:
        until(process, "The cards are shuffled")


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


def port_of(table: Running) -> str:
    return until(table, "mastaba join 10.9.0.1").split("mastaba join ")[-1].strip().rpartition(":")[2]


@pytest.fixture
def hosts_file() -> Iterator[Callable[[Any, str], None]]:
    """`hosts_file(host, text)`: what /etc/hosts says on that machine."""
    made: list[Path] = []

    def write(host: Any, text: str) -> None:
        folder = Path("/etc/netns") / host.name
        folder.mkdir(parents=True)
        made.append(folder)
        (folder / "hosts").write_text(text)

    yield write
    for folder in made:
        shutil.rmtree(folder)
    if made and not any(made[0].parent.iterdir()):
        made[0].parent.rmdir()


def test_where_ipv6_is_swallowed_a_table_is_listed_and_joined_by_ipv4(lan: Lan, hosts_file: Callable[[Any, str], None]) -> None:
    opener, guest = lan(2)
    for number, host in enumerate((opener, guest), 1):
        host.ip("addr", "add", f"2001:db8::{number}/64", "dev", "e0")
    guest.ip("neigh", "add", "2001:db8::1", "lladdr", "02:00:00:00:00:99", "dev", "e0", "nud", "permanent")  # nobody has this one
    hosts_file(guest, "2001:db8::1 friend\n10.9.0.1 friend\n")
    table = opener.popen(OPEN)
    port = port_of(table)
    (seen,) = listed(guest)
    assert {f"10.9.0.1:{port}", f"[2001:db8::1]:{port}"} <= set(seen["addresses"])
    assert seen["answers"]
    begin(table, guest.popen([*PROGRAM, "join", f"friend:{port}", "--bot", "random", "--name", "Bea"]))


def test_across_a_router_a_table_is_not_heard_and_is_joined_by_address(lan: Lan) -> None:
    opener, router = lan(2)
    (guest,) = lan(1)
    router.ip("link", "add", "e1", "type", "veth", "peer", "name", "router", "netns", guest._switch)
    subprocess.run(["ip", "-n", guest._switch, "link", "set", "router", "master", "br0", "up"], check=True, timeout=20)
    router.ip("addr", "add", "10.9.1.254/24", "dev", "e1")
    router.ip("link", "set", "e1", "up")
    assert router.run(["sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]).returncode == 0
    opener.ip("route", "replace", "default", "via", "10.9.0.2")
    guest.ip("addr", "flush", "dev", "e0")
    guest.ip("addr", "add", "10.9.1.1/24", "dev", "e0")
    guest.ip("route", "add", "default", "via", "10.9.1.254")
    table = opener.popen(OPEN)
    port = port_of(table)
    assert listed(guest) == []
    begin(table, guest.popen([*PROGRAM, "join", f"10.9.0.1:{port}", "--bot", "random", "--name", "Bea"]))


def test_a_vpn_that_has_the_default_route_does_not_hide_the_network(lan: Lan) -> None:
    opener, guest = lan(2)
    for number, host in enumerate((opener, guest), 1):
        dummy(host, "tun0", f"10.8.{number}.2")
        host.ip("route", "replace", "default", "dev", "tun0")
    table = opener.popen(OPEN)
    until(table, "Waiting for 1 more player")
    (seen,) = listed(guest)
    assert seen["answers"]
    begin(table, guest.popen(JOIN))


def test_a_link_that_flaps_twenty_times_causes_a_handful_of_announcements_and_the_table_is_seen_in_the_end(lan: Lan) -> None:
    opener, guest = lan(2)
    ear = guest.popen([sys.executable, Path(__file__).parent / "ear.py", guest.address])
    until(ear, "listening")
    table = opener.popen(OPEN)
    until(table, "Waiting for 1 more player")
    for _ in range(20):
        for state in ("down", "up"):
            opener.ip("link", "set", "e0", state)
            time.sleep(0.1)  # the pace of the fault, not a wait for anything
    tables: list[dict[str, Any]] = []
    while not tables:
        tables = listed(guest)
    assert tables[0]["answers"]
    heard, _ = ear.communicate(timeout=20)
    assert int(heard) <= 20


AVAHI = """[server]
host-name={name}
enable-dbus=no
[publish]
publish-workstation=no
"""
SERVICE = """<?xml version="1.0"?><!DOCTYPE service-group SYSTEM "avahi-service.dtd">
<service-group><name>beside</name><service><type>_http._tcp</type><port>80</port></service></service-group>
"""
ASKS = """
import zeroconf
with zeroconf.Zeroconf() as asked:
    found = asked.get_service_info("_http._tcp.local.", "beside._http._tcp.local.", 10_000)
    print(found.port if found else None)
"""


def avahi(host: Any, folder: Path) -> None:
    """The responder that most Linux machines have, with /run and its services of its own; returns when it works."""
    program = shutil.which("avahi-daemon", path="/usr/sbin:/usr/bin")
    if program is None:
        why = "needs avahi-daemon"
        pytest.fail(why) if os.environ.get("CI") else pytest.skip(why)
    folder.mkdir()
    (folder / "avahi.conf").write_text(AVAHI.format(name=host.name))
    (folder / "beside.service").write_text(SERVICE)
    script = """mount -t tmpfs none /run && mkdir /run/avahi-daemon && mount -t tmpfs none /etc/avahi/services
cp "$1/beside.service" /etc/avahi/services && exec "$2" --no-drop-root --no-chroot --no-proc-title --no-rlimits -f "$1/avahi.conf" """
    daemon = host.popen(["unshare", "-m", "sh", "-ec", script, "sh", folder, program])
    until(daemon, "Server startup complete")


def test_beside_avahi_on_both_machines_tables_are_seen_and_avahi_is_not_disturbed(lan: Lan, tmp_path: Path) -> None:
    opener, guest = lan(2)
    avahi(opener, tmp_path / "one")
    table = opener.popen(OPEN)
    until(table, "Waiting for 1 more player")
    avahi(guest, tmp_path / "two")
    (seen,) = listed(guest)
    assert (seen["name"], seen["answers"]) == ("Ana", True)
    assert guest.run([sys.executable, "-c", ASKS]).stdout.strip() == "80"
    begin(table, guest.popen(JOIN))
