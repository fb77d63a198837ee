"""Somebody cheats in a real match between processes: all others say who and what, keep the evidence, and may go on without him."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from mastaba.cli import text, typed
from mastaba.cli.exits import Exit
from mastaba.cli.play import outcome
from mastaba.cli.show import show_of, status
from seats import SMALL, Seat, finish
from snapshots import Table

CHEATING = Path(__file__).parents[1] / "cheating.py"


@pytest.fixture
def table(tmp_path):
    seats = []
    private = ["--loopback", "--tag", os.urandom(6).hex()]

    def start(home: str, *words: str, **kind) -> Seat:
        seat = Seat(tmp_path / home, *words, *private, **kind)
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.process.close(force=True)


def caught(table) -> tuple[Seat, Seat]:
    """Ana and Beto, both told that Caro has been caught."""
    ana = table("a", "open", "loot", "--seats", "3", "--data", str(SMALL), "--name", "Ana")
    ana.sees("Waiting for 2 more players")
    beto = table("b", "join", "--name", "Beto")
    ana.sees("Waiting for 1 more player")
    table("c", "join", "--name", "Caro", "--bot", "random", program=(str(CHEATING),))
    finish([ana, beto], until="Caro was caught cheating")
    return ana, beto


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_the_others_name_the_cheat_vote_and_play_to_the_end_without_him(table, tmp_path):
    ana, beto = caught(table)
    for seat in (ana, beto):
        assert "sent an answer of the wrong form" in " ".join(seat.text.split())
        assert "Type go on" in " ".join(seat.text.split())
    ana.type("go on\r")
    ana.sees("Go on without Caro for good?")
    ana.type("y")
    beto.sees("Ana would go on without Caro")
    beto.type("go on\r")
    beto.sees("Go on without Caro for good?")
    beto.type("y")
    finish([ana, beto])
    for seat in (ana, beto):
        seat.type("\r")
        assert seat.ends() == Exit.OK
        seat.is_clean()
    evidence = next((tmp_path / "a" / "transcripts").glob("*.evidence"))
    command = [sys.executable, "-m", "mastaba.cli", "verify", str(evidence), "--data", str(SMALL)]
    environ = {**os.environ, "MASTABA_HOME": str(tmp_path / "x")}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert "Caro" in done.stdout
    assert "sent an answer of the wrong form" in done.stdout
    assert done.returncode == 0, done.stderr


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_who_leaves_a_stopped_match_is_told_where_the_evidence_lies(table):
    ana, _beto = caught(table)
    ana.type("q")
    ana.sees("The match stays stopped")
    ana.type("y")
    assert ana.ends() == Exit.CHEAT
    ana.is_clean()
    assert "Caro was caught cheating" in ana.written
    assert "Evidence: " in ana.written


def stopped():
    table = Table(3, 1).until(lambda t: t.steps == 30)
    snapshot = table.snapshot(0, phase="stopped", trouble=(("bad-share", 2, ""),))
    return replace(snapshot, silent=((2, 0),))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_stopped_match_says_who_what_and_how_to_go_on(language):
    text.use(language)
    snapshot = stopped()
    for words in (status.waiting(snapshot), status.silence(snapshot)):
        assert "Caro" in words
    assert text._("gave a false share of a card") in status.silence(snapshot)
    assert outcome(snapshot) is Exit.CHEAT
    meant = typed.understand(show_of("loot"), snapshot, [], "go on")
    assert (meant.kind, meant.value) == ("vote", 2)
