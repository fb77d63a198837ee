"""Several machines on one: network namespaces joined by a bridge.  Needs root and iproute2."""

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

COUNTER = itertools.count()
SLOW = str(Path(__file__).parent / "lan" / "slow.py")


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=20)


class Host:
    """One machine: a namespace with one cable (e0), and a home folder of its own."""

    def __init__(self, name: str, switch: str, port: str, home: Path) -> None:
        self.name, self.home = name, home
        self.address: str | None = None  # its IPv4 address, if it has one
        self._switch, self._port = switch, port
        self._running: list[subprocess.Popen[str]] = []

    def _command(self, argv: Sequence[str | Path], env: dict[str, str] | None) -> tuple[list[str], dict[str, str]]:
        return ["ip", "netns", "exec", self.name, *map(str, argv)], {**os.environ, "MASTABA_HOME": str(self.home), **(env or {})}

    def run(self, argv: Sequence[str | Path], env: dict[str, str] | None = None, timeout: float = 60) -> "subprocess.CompletedProcess[str]":
        """Run to the end; output is captured as text."""
        command, environment = self._command(argv, env)
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout, check=False)

    def popen(self, argv: Sequence[str | Path], env: dict[str, str] | None = None, **kwargs: Any) -> "subprocess.Popen[str]":
        """Start in a process group of its own; whatever still runs at the end of the test is killed."""
        command, environment = self._command(argv, env)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | kwargs
        process = subprocess.Popen(command, env=environment, text=True, start_new_session=True, **pipes)
        self._running.append(process)
        return process

    def cable(self, plugged: bool) -> None:
        """Plug the cable out of the switch, or in."""
        ip("-n", self._switch, "link", "set", self._port, "up" if plugged else "down")

    def ip(self, *words: str) -> None:
        """The ip command in this machine."""
        ip("-n", self.name, *words)

    def stop(self) -> None:
        for process in self._running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()


def possible() -> bool:
    """Can this process make namespaces?"""
    return os.geteuid() == 0 and shutil.which("ip") is not None


@contextlib.contextmanager
def network(folder: Path) -> Iterator[Callable[..., list[Host]]]:
    """`make(n)`: n machines on one switch, 10.9.0.1 and so on; `make(n, v4=False)`: with link-local IPv6 addresses alone.

    Their IPv6 addresses work at once, as they do on a machine that has been up for some seconds, unless `dad` is true.
    `make(n, delay=0.5)`: every frame is so many seconds on its way, by a switch of our own.
    """
    spaces: list[str] = []
    switches: list[subprocess.Popen[str]] = []
    hosts: list[Host] = []

    def space(name: str) -> str:
        ip("netns", "add", name)
        spaces.append(name)
        ip("-n", name, "link", "set", "lo", "up")
        return name

    def slow(switch: str, delay: float, made: list[Host]) -> None:
        for host in made:
            host.run([sys.executable, SLOW, "plain", "e0"]).check_returncode()
        ports = [f"v{number}" for number in range(1, len(made) + 1)]
        command = ["ip", "netns", "exec", switch, sys.executable, SLOW, str(delay), *ports]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        switches.append(process)
        assert process.stdout
        assert process.stdout.readline() == "ready\n"

    def make(n: int, v4: bool = True, dad: bool = False, delay: float = 0) -> list[Host]:
        stem = f"mst{os.getpid()}x{next(COUNTER)}"
        switch = space(f"{stem}sw")
        ip("-n", switch, "link", "add", "br0", "type", "bridge")
        ip("-n", switch, "link", "set", "br0", "up")
        for number in range(1, n + 1):
            host = Host(space(f"{stem}h{number}"), switch, f"v{number}", folder / f"host{number}")
            hosts.append(host)
            ip("-n", switch, "link", "add", f"v{number}", "type", "veth", "peer", "name", "e0", "netns", host.name)
            ip("-n", switch, "link", "set", f"v{number}", *(() if delay else ("master", "br0")), "up")
            if not dad:
                host.run(["sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/e0/accept_dad"])
            host.ip("link", "set", "e0", "up")
            if v4:
                host.address = f"10.9.0.{number}"
                host.ip("addr", "add", f"{host.address}/24", "dev", "e0")
                host.ip("route", "add", "default", "dev", "e0")  # multicast needs a route
        if delay:
            slow(switch, delay, hosts[-n:])
        return hosts[-n:]

    try:
        yield make
    finally:
        for host in hosts:
            host.stop()
        for process in switches:
            process.kill()
            process.wait()
            assert process.stdout
            process.stdout.close()
        for name in spaces:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True, timeout=20)
