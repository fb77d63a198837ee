"""Rows of a whole program: the opening of a table of six, start-up, memory of one peer."""

import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import Any

import pexpect
from mastaba.core.fair.keys import Secrets
from mastaba.core.games import GAMES, data_hash
from mastaba.core.rules import Options
from mastaba.net.identity import Identity
from mastaba.net.log import next_digest
from mastaba.net.match import Match
from mastaba.net.roster import Roster, Seat
from mastaba.net.store import load_game_data

from .rows import Row, row, seconds

SEATS = 6


def rows() -> list[Row]:
    return [opening(), version(), first_paint(), memory()]


def opening() -> Row:
    """Key set-up, six turns (check, re-mask, prove), last check, first tops: along the longest chain of dependencies, best of three."""
    return row("opening-6", min(_opening() for _ in range(3)) * 1000, "ms", 250)


def _opening() -> float:
    data, _ = load_game_data("loot")
    signers = [Identity.generate() for _ in range(SEATS)]
    seats = tuple(Seat(Identity.generate().public, f"P{i}", s.public, os.urandom(32)) for i, s in enumerate(signers))
    match = Match(Roster("loot", GAMES["loot"].rules.VERSION, Options(first=0), data_hash(data), seats), data)
    tables = [match.table(i, Secrets.generate(os.urandom)) for i in range(SEATS)]
    chain = 0.0
    while not (tables[0].step and type(tables[0].rules.pending).__name__ == "Choose"):
        bodies: dict[int, Any] = {}
        makes: list[float] = []
        for seat in tables[0].owed:
            start = perf_counter()
            body, private = tables[seat].make(os.urandom)
            makes.append(perf_counter() - start)
            bodies[seat] = body
            if private is not None:
                tables[seat].remember(private)
        judging = []
        for table in tables:
            start = perf_counter()
            others = [seat for seat in bodies if seat != table.me]
            for seat in others:
                table.judge(seat, bodies[seat])
            judging.append(perf_counter() - start)
            for seat in bodies:
                if seat not in others:
                    table.judge(seat, bodies[seat])
        chain += max(makes) + max(judging)  # all make at once, then whoever goes on has checked what the others made
        prev = next_digest(tables[0].prev, (repr(body).encode() for body in bodies.values()))
        for table in tables:
            table.advance(prev)
    return chain


def version() -> Row:
    """`mastaba --version` beside an interpreter that does nothing."""
    program = str(Path(sys.executable).parent / "mastaba")
    ours, bare = seconds(lambda: subprocess.run([program, "--version"], check=True, capture_output=True), _bare, runs=9)
    return row("version", ours * 1000, "ms", 80, peer="python -c pass", peers=bare * 1000)


def _bare(code: str = "pass") -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def first_paint() -> Row:
    """From the start of `mastaba` alone until its first screen stands on the terminal, beside the import of what draws it."""
    program = str(Path(sys.executable).parent / "mastaba")
    mine, library = [], []
    for _ in range(9):
        with tempfile.TemporaryDirectory() as home:
            began = perf_counter()
            child = pexpect.spawn(program, env={**os.environ, "MASTABA_HOME": home, "TERM": "xterm"}, dimensions=(24, 80), timeout=30)
            child.expect_exact("mastaba")
            mine.append(perf_counter() - began)
            child.close(force=True)
        began = perf_counter()
        _bare("import prompt_toolkit")
        library.append(perf_counter() - began)
    return row("first-paint", median(mine) * 1000, "ms", 400, peer="python -c 'import prompt_toolkit'", peers=median(library) * 1000)


def memory() -> Row:
    """The most memory that one of two peers of a network game has held."""
    with tempfile.TemporaryDirectory() as home, contextlib.ExitStack() as stack:
        tag = secrets.token_hex(6)
        children = []
        for i, words in enumerate((["open", "loot", "--seats", "2"], ["join"])):
            environ = {**os.environ, "MASTABA_HOME": f"{home}/{i}"}
            command = [
                sys.executable,
                "-m",
                "mastaba.cli",
                *words,
                "--bot",
                "sensible",
                "--report",
                "--loopback",
                "--tag",
                tag,
                "--name",
                f"P{i}",
            ]
            child = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            stack.callback(child.kill)
            children.append(child)
        most = 0
        while any(child.poll() is None for child in children):
            most = max(most, *(_held(child.pid) for child in children))
            sleep(0.05)
    assert [child.returncode for child in children] == [0, 0]
    return row("memory", most / 1024, "MB", 80)


def _held(pid: int) -> int:
    """The most memory that a process has held so far, in KiB (the kernel's VmHWM, which begins anew with the program); 0 if it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")), 0)
