"""Another match with the same people, in one key: on a network, against bots, and when somebody does not want to."""

import os

import pytest
from seats import SMALL, Seat, finish

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("lan")]
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
