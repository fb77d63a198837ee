"""Another match with the same people, in one key: on a network, against bots, and when somebody does not want to."""

import os
import re
import select

import pytest
from mastaba.net.store import Store
from seats import SMALL, Seat, finish

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]
OPEN = ("open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana")


@pytest.fixture
def table(tmp_path):
    seats = []
    private = ["--loopback", "--tag", os.urandom(6).hex()]

    def start(home: str, *words: str) -> Seat:
        seat = Seat(tmp_path / home, *words, *(private if words[0] != "play" else ()))
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.process.close(force=True)


def played(table) -> tuple[Seat, Seat]:
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto")
    finish([ana, beto])
    for seat in (ana, beto):
        seat.sees("again: another match")
    return ana, beto


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_play_twice_whoever_wants_it_first(table, tmp_path, order):
    seats = played(table)
    first, second = (seats[i] for i in order)
    first.type("again\r")
    first.sees("Waiting for 1 more player", "Waiting for Ana")
    second.sees(f"{('Ana', 'Beto')[order[0]]} wants to play again. So do you? Type again.")
    second.type("again\r")
    for seat in seats:
        seat.sees("Your turn", "It is ")
    finish(list(seats))
    for seat in seats:
        seat.type("\r")
        assert seat.ends() == 0
        seat.is_clean()
    assert len(list((tmp_path / "a" / "transcripts").glob("*.mastaba"))) == 2
    slots = [list((tmp_path / home / "profiles").iterdir()) for home in "ab"]
    assert [len(found) for found in slots] == [1, 1], "they are the same people as before"


@pytest.mark.parametrize("home", ["a", "b"])
def test_who_played_as_another_of_his_players_plays_again_as_the_same(table, tmp_path, home):
    other = Store(tmp_path / home).take_profile()  # another window of the same person, at another table
    seats = played(table)
    other.close()
    for seat in seats:
        seat.type("again\r")
    for seat in seats:
        seat.sees("Your turn", "It is ")
    assert "kept for those" not in "".join(seat.written for seat in seats)


def test_a_seat_of_the_second_match_is_kept_for_who_played_the_first(table):
    ana, beto = played(table)
    ana.type("again\r")
    ana.sees("a seat is kept for Beto")
    where = re.search(r"mastaba join (\S+:\d+)", " ".join(ana.text.split()))
    assert where is not None
    stranger = table("c", "join", where[1], "--name", "Caro")
    assert stranger.ends() != 0
    assert "kept for those who have just played" in " ".join(stranger.written.split())
    beto.sees("Ana wants to play again")
    beto.type("\r")
    assert beto.ends() == 0
    late = table("b", "join", where[1], "--name", "Beto")  # the same person, who has left the end of the match
    for seat in (ana, late):
        seat.sees("Your turn", "It is ")


def test_who_has_watched_and_who_plays_in_lines_hear_of_the_next_match(table):
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto", "--lines")
    ana.sees("Your turn", "It is ")
    watcher = table("w", "watch")
    watcher.sees("You are watching.")
    finish_with_lines(ana, beto)
    watcher.sees("The game is over: Enter leaves.")
    ana.type("again\r")
    beto.sees("Ana wants to play again")
    watcher.sees("Ana wants to play again. If they play again, this watches it: mastaba watch")
    watcher.sees("127.0.0.1:")
    watcher.type("\r")
    assert watcher.ends() == 0
    beto.type("again\r")
    ana.sees("Your turn", "It is ")


def finish_with_lines(screen: Seat, lines: Seat) -> None:
    """One plays on a screen, the other in lines, to the end: each its first choice."""
    acted, answered = "", 0
    while "for another match" not in lines.written or "again: another match" not in screen.text:
        if lines.written.count("Type a number or words") > answered:
            answered += 1
            lines.type("1\r")
        if "then Enter" in screen.text and screen.rows(0, -5) != acted:
            acted = screen.rows(0, -5)
            screen.type("1\r")
        ready, _, _ = select.select([screen.process.child_fd, lines.process.child_fd], [], [], 60)
        assert ready
        for seat in (screen, lines):
            if seat.process.child_fd in ready:
                seat.process.read_nonblocking(65536, timeout=1)


def test_when_the_opener_has_gone_who_waits_for_him_can_leave(table):
    ana, beto = played(table)
    ana.type("\r")
    assert ana.ends() == 0
    beto.type("again\r")
    beto.sees("Waiting for Ana to open the table again")
    beto.type("\x03")
    assert beto.ends() == 130
    beto.is_clean()


def test_bots_always_play_again(table):
    ana = table("a", "play", "loot", "--bots", "1", "--data", str(SMALL), "--name", "Ana")
    finish([ana])
    ana.sees("again: another match")
    ana.type("again\r")
    ana.sees("Your turn, Ana", "It is ")
    ana.type("\x03\x03")
    assert ana.ends() == 130


def test_in_lines_again_is_typed(table):
    ana = table("a", "play", "loot", "--bots", "1", "--data", str(SMALL), "--name", "Ana", "--plain")
    for _ in range(2):
        start, answered = len(ana.written), ana.written.count("Type a number or words")
        while "for another match" not in ana.written[start:]:
            asked = ana.written.count("Type a number or words")
            if asked > answered:
                answered = asked
                ana.type("1\r")
            ana.process.expect(r".+", timeout=60)
        ana.type("otra\r")
    ana.sees("first player")
    ana.type("quit\r")
    assert ana.ends() == 0
    assert "\x1b" not in ana.written
