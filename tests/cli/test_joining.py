"""A table that is not there, is full, or has begun: who wants to join is told so in words, at once where that can be."""

import asyncio
import os
from typing import Any

import pytest
from mastaba.net.enter import join_table
from mastaba.net.identity import words
from mastaba.net.search import NothingFound
from mastaba.net.seated import Seated
from mastaba.net.store import Store
from seats import SMALL, Seat, finish

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


LAZY = """
import sys
from mastaba.cli.__main__ import main
from mastaba.net.guest import Guest
from mastaba.net.wire import Ready

honest = Guest.take_outbox
Guest.take_outbox = lambda self: [(link, message) for link, message in honest(self) if not isinstance(message, Ready)]
sys.exit(main(["join", "--name", "Lazy", "--plain", *sys.argv[1:]]))
"""  # a guest that sits down and does nothing more


@pytest.fixture
def table(tmp_path):
    seats = []
    private = ["--loopback", "--tag", os.urandom(6).hex()]

    def start(home: str, *words: str, **kind: Any) -> Seat:
        seats.append(Seat(tmp_path / home, *words, *private, **kind))
        return seats[-1]

    yield start
    for seat in seats:
        seat.process.close(force=True)


def open_one(table, *words: str) -> Seat:
    ana = table("a", "open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana", *words)
    ana.sees("Waiting for 1 more player")
    return ana


def test_a_mistyped_name_is_said_to_be_no_table_and_those_that_are_seen_are_named(table):
    open_one(table)
    beto = table("b", "join", "Anna", "--name", "Beto")
    assert beto.ends() == 3
    assert "No table here is called Anna; seen are: Ana." in " ".join(beto.written.split())


def test_where_nobody_but_oneself_listens_nobody_is_said_to_have_a_table_open(tmp_path, monkeypatch):
    """Who joins listens for the others himself, at the port that others try first."""

    async def find(self, target, phase="open"):
        return self.places, None

    monkeypatch.setattr(Seated, "_find", find)

    async def script() -> None:
        async with join_table(Store(tmp_path), "127.0.0.1", name="Ana", loopback=True):
            raise AssertionError("there is no such table")

    with pytest.raises(NothingFound, match="Nobody has a table open at"):
        asyncio.run(script())


@pytest.mark.parametrize("by_address", [False, True])
def test_a_game_that_has_begun_is_refused_in_words_and_nobody_is_listed(table, by_address):
    ana = open_one(table, "--port", "0")
    address = ana.reads(r"finds nothing: mastaba join (\S+) The words")
    beto = table("b", "join", "--name", "Beto")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    caro = table("c", "join", address if by_address else "Ana", "--name", "Caro", "--plain")
    assert caro.ends() == 1
    assert "The game at this table has begun" in caro.written
    assert "seats taken" not in caro.written
    assert "Beto" not in caro.written


def test_after_a_match_that_was_resumed_one_key_plays_again(table):
    ana = open_one(table)
    beto = table("b", "join", "--name", "Beto")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    for seat in (ana, beto):
        seat.type("\x03\x03")
        assert seat.ends() == 130
    ana, beto = table("a", "resume", "--name", "Ana"), table("b", "resume", "--name", "Beto")
    finish([ana, beto])
    for seat in (ana, beto):
        seat.sees("again: another match")
        seat.type("again\r")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    for seat in (ana, beto):
        seat.type("\x03\x03")
        assert seat.ends() == 130


def test_a_good_bye_that_nobody_was_there_to_hear_is_heard_when_its_seat_resumes(table):
    ana = open_one(table)
    beto = table("b", "join", "--name", "Beto")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    beto.type("\x03\x03")
    assert beto.ends() == 130
    ana.sees("not answering")
    again = table("b", "join", "Ana", "--name", "Beto", "--plain")
    assert again.ends() == 1
    assert "A seat of yours waits in a match that is not over: mastaba resume" in " ".join(again.written.split())
    ana.type("leave\r")
    ana.sees("Nobody is there to hear it")
    ana.type("y")
    assert ana.ends() == 0
    assert "nobody has heard it yet" in " ".join(ana.written.split())
    beto, ana = table("b", "resume", "--name", "Beto"), table("a", "resume", "--name", "Ana")
    beto.sees("The game is over: Enter leaves.", "Your turn")
    if "Your turn" in beto.text:  # he moves, and then the game comes to the good-bye
        beto.type("1\r")
        beto.sees("The game is over: Enter leaves.")
    assert "again:" not in beto.text, "with whom?"
    beto.type("\r")
    assert beto.ends() == 0


def test_a_guest_shows_the_address_of_the_table_and_not_his_own(table):
    ana = table("a", "open", "loot", "--seats", "3", "--name", "Ana")
    ana.sees("Waiting for 2 more players")
    beto = table("b", "join", "--name", "Beto")
    beto.sees("Waiting for 1 more player")
    told = [seat.reads(r"finds nothing: (.+?) The words") for seat in (ana, beto)]
    assert told[0].startswith("mastaba join 127.0.0.1:")
    assert told[0] == told[1]


def test_before_the_game_keys_that_belong_to_it_open_nothing(table):
    ana = open_one(table)
    ana.sees("The game begins when all are here.  q: leave")
    ana.type("?\r")
    ana.sees("The game has not begun yet")
    ana.type("q")
    ana.sees("Leave?")
    ana.type("y")
    assert ana.ends() == 0


def test_of_two_tables_of_one_name_none_is_taken_without_a_choice(table, tmp_path):
    """They are told apart by the words of their keys, which can be typed in place of the name."""
    first, second = (table(home, "open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana") for home in ("a", "x"))
    for seat in (first, second):
        seat.sees("Waiting for 1 more player")
    beto = table("b", "join", "Ana", "--name", "Beto")
    assert beto.ends() == 1
    said = " ".join(beto.written.split())
    assert "Several tables are called Ana." in said
    keys = [next(words(identity) for identity in Store(tmp_path / home).identities()) for home in "ax"]
    assert [key in said for key in keys] == [True, True]
    caro = table("c", "join", keys[1], "--name", "Caro")
    for seat in (second, caro):
        seat.sees("Your turn", "It is ")
    assert "Waiting for 1 more player" in first.text
    nobody = table("n", "join", "babab-babab-babab-babab")
    assert nobody.ends() == 3
    assert "No table here has the key" in " ".join(nobody.written.split())


def test_the_opener_turns_a_guest_away_who_reads_so_and_begins_with_fewer_on_the_screen(table):
    ana = table("a", "open", "loot", "--seats", "4", "--data", str(SMALL), "--name", "Ana")
    ana.sees("Waiting for 3 more players")
    ana.type("away beto\r")
    ana.sees("Which guest?")
    beto = table("b", "join", "--name", "Beto", "--plain")
    ana.sees("Beto")
    caro = table("c", "join", "--name", "Caro", "--bot", "random", "--plain")
    ana.sees("Caro (bot)")
    ana.type("away béto\r")
    assert beto.ends() == 6
    assert "You have been turned away by the player who opened that table." in " ".join(beto.written.split())
    ana.sees("Waiting for 2 more players")
    again = table("b", "join", "Ana", "--name", "Beatriz", "--plain")
    assert again.ends() == 6, "the key is remembered, not the name"
    assert "turned away" in again.written
    ana.type("\x1bOS")  # F4
    ana.sees("Begin with those who are here?")
    ana.type("n")
    ana.sees("F4: begin with those who are here")
    ana.type("\x1bOSy")
    ana.sees("Your turn", "It is ")
    caro.sees("Ana begins with 2 players, though the table was opened for 4")
    assert "Beto" not in ana.text


def test_the_opener_does_the_same_in_lines_and_in_spanish_and_the_same_people_play_again(table):
    ana = table("a", "open", "loot", "--seats", "3", "--data", str(SMALL), "--name", "Ana", "--plain", "--lang", "es")
    ana.sees("Faltan 2 jugadores.")
    beto = table("b", "join", "--name", "Beto", "--plain")
    ana.sees("echar Beto: esa persona deja la mesa y no vuelve.")
    ana.type("echar 2\r")
    assert beto.ends() == 6
    caro = table("c", "join", "--name", "Caro", "--plain")
    caro.sees("Waiting for 1 more player")
    caro.type("begin\r")
    caro.sees("That is for the player who has opened the table.")
    ana.sees("empezar, o F4: empieza con quienes están.")
    ana.type("empezar\r")
    caro.sees("Ana begins with 2 players, though the table was opened for 3")
    for seat in (ana, caro):
        seat.sees("is the first player", "Ana empieza.", "Caro empieza.")
        seat.type("bot\r")
    for seat, word in ((ana, "otra"), (caro, "again")):
        seat.sees("Type again for another match", "Escribe otra para jugar")
        seat.type(f"{word}\r")
    for seat in (ana, caro):
        seat.sees("2 of 2 seats taken", "2 de 2 asientos")


def test_who_finds_a_table_full_waits_and_gets_the_seat_that_becomes_free(table):
    """The seat of a guest that is turned away while it keeps all others from agreeing goes to who waits."""
    ana = open_one(table)
    lazy = table("l", program=("-c", LAZY))
    ana.sees("Everybody is here")
    caro = table("c", "join", "Ana", "--name", "Caro", "--plain")
    caro.sees("The table is full. As soon as a seat is free")
    ana.type("away 2\r")
    ana.sees("Your turn", "It is ")
    caro.sees("is the first player")
    assert caro.written.count("The table is full.") == caro.written.count("Asking for a seat.") == 1
    assert lazy.ends() == 6


def test_who_waits_for_a_seat_may_leave(table):
    ana = open_one(table)
    table("l", program=("-c", LAZY))
    ana.sees("Everybody is here")
    caro = table("c", "join", "Ana", "--name", "Caro")
    caro.sees("The table is full.")
    caro.type("q")
    caro.sees("Leave? Nothing is kept")
    caro.type("y")
    assert caro.ends() == 0
