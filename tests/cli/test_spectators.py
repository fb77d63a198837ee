"""Spectators: every game is drawn for nobody in both languages; a table is watched to its end on a screen and in lines."""

import os
import subprocess
import sys

import pytest
from mastaba.cli import text, typed
from mastaba.cli.cells import line_cells, plain
from mastaba.cli.show import GAMES, show_of, status
from mastaba.cli.show.frame import INPUT_ROWS, Ui, compose
from mastaba.cli.story import Story
from seats import SMALL, WAIT, Seat, finish
from snapshots import Table

SEATS = {"loot": 3, "crypt": 3, "scarabya": 2, "pyramid": 3}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_spectator_sees_the_whole_game_and_is_never_asked(game, language):
    text.use(language)
    table, show = Table(SEATS[game], 5, game=game), show_of(game)
    story = Story(show)
    while not table.over:
        for _ in range(9):
            if not table.over:
                table.step()
        snapshot = table.snapshot(None)
        story.update(snapshot)
        lines = compose(show, snapshot, story.words, Ui(), 80, 24)
        assert len(lines) == 24 - INPUT_ROWS
        assert all(line_cells(line) <= 80 for line in lines)
        assert "(you)" not in "\n".join(map(plain, lines))
        assert text._("You are watching.") in " ".join(map(plain, lines))
        assert status.waiting(snapshot)
        assert show.board_words(snapshot)
        show.hand_words(snapshot)
        show.help(snapshot)


@pytest.mark.parametrize("line", ["1", "say hello", "go on", "wait", "leave", "cover", "loot 1"])
def test_what_a_spectator_types_does_nothing_and_says_why(line):
    snapshot = Table(3, 1).until(lambda table: table.steps == 30).snapshot(None)
    meant = typed.understand(show_of("loot"), snapshot, [], line)
    assert meant.kind == "tell"
    assert "watching" in " ".join(meant.value)


@pytest.fixture
def table(tmp_path):
    """A table for two that plays: two terminals, loopback only, under a tag of its own."""
    seats = []
    private = ["--loopback", "--tag", os.urandom(6).hex()]

    def start(home: str, *words: str) -> Seat:
        seat = Seat(tmp_path / home, *words, *private)
        seats.append(seat)
        return seat

    start.private = private
    yield start
    for seat in seats:
        seat.process.close(force=True)


def two(table, *words: str) -> list[Seat]:
    ana = table("a", "open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana", *words)
    ana.sees("Waiting for 1 more player")
    seats = [ana, table("b", "join", "--name", "Beto")]
    for seat in seats:
        seat.sees("Your turn", "It is ")
    return seats


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_table_is_watched_to_its_end_on_a_screen_and_in_lines(table, tmp_path):
    players = two(table)
    watcher = table("w", "watch")
    watcher.sees("It is Ana's turn", "It is Beto's turn")
    assert "not answering" not in watcher.text
    environ = {**os.environ, "MASTABA_HOME": str(tmp_path / "v")}
    command = [sys.executable, "-m", "mastaba.cli", "watch", *table.private]
    lines = subprocess.Popen(command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert lines.stdout is not None
    first = lines.stdout.readline() + lines.stdout.readline()
    assert "Looking for a table" in first
    finish(players)
    watcher.sees("The game is over")
    assert "(you)" not in watcher.text
    assert "You win" not in watcher.text
    for seat in (watcher, *players):
        seat.type("\r")
    out = lines.communicate(timeout=WAIT)[0]
    assert lines.returncode == 0
    assert "everybody has signed the result" in out
    assert [seat.ends() for seat in (watcher, *players)] == [0, 0, 0]
    watcher.is_clean()
    own, watched = (next((tmp_path / home / "transcripts").glob("*.mastaba")).read_bytes() for home in "aw")
    assert own == watched, "a spectator has verified and kept the same match"


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_who_opens_with_no_watch_is_not_watched(table):
    two(table, "--no-watch")
    watcher = table("w", "watch")
    assert watcher.ends() == 1
    assert "does not want spectators" in watcher.written


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_when_those_who_are_watched_are_gone_the_spectator_is_told(table):
    players = two(table)
    watcher = table("w", "watch")
    watcher.sees("It is Ana's turn", "It is Beto's turn")
    for seat in players:
        seat.type("\x03\x03")
        assert seat.ends() == 130
    assert watcher.ends() == 6
    watcher.is_clean()
