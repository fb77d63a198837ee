"""Which of several interrupted matches is gone on with: it is asked on a terminal, listed elsewhere, and can be named."""

import os

import pytest
from mastaba.cli.__main__ import main
from mastaba.cli.terminal import Terminal
from mastaba.core.games import GAMES, data_hash
from mastaba.core.rules import Options
from mastaba.net.enter import interrupted
from mastaba.net.identity import Identity
from mastaba.net.match import FileJournal, Match, start
from mastaba.net.roster import Roster, Seat as Place
from mastaba.net.store import Store, load_game_data
from seats import Seat


def interrupt(store: Store, game: str, *others: str, at: float) -> str:
    """Leave the journal of a match that has just begun, last written to at that time; returns what it is called."""
    with store.take_profile() as profile:
        identities = [profile.identity, *(Identity.generate() for _ in others)]
        signers = [Identity.generate() for _ in identities]
        names = ("Ana", *others)
        seats = tuple(Place(i.public, n, s.public, os.urandom(32)) for i, n, s in zip(identities, names, signers, strict=True))
        table, _toml = load_game_data(game)
        roster = Roster(game, GAMES[game].rules.VERSION, Options(), data_hash(table), seats)
        roster = roster.with_signatures(tuple(roster.sign(identity) for identity in identities))
        path = profile.journal_path(roster.match)
        journal = FileJournal(path, True)
        start(Match(roster, table), 0, signers[0], journal, os.urandom, (), profile.identity)
        journal.close()
        os.utime(path, (at, at))
        return roster.match.hex()[:8]


@pytest.fixture
def two(tmp_path) -> tuple[str, str]:
    """The older and the newer of two interrupted matches in the home of this test."""
    store = Store(tmp_path / "home")
    return interrupt(store, "loot", "Beto", "Caro", at=1_700_000_000), interrupt(store, "crypt", "Dani", at=1_700_009_000)


def test_without_a_terminal_they_are_listed_newest_first_and_one_has_to_be_named(two, capfd):
    assert main(["resume"]) == 2
    out, err = capfd.readouterr()
    older, newer = two
    first, second = out.splitlines()
    assert first.startswith(f"1. {newer}  The Crypt, ")
    assert first.endswith(": Ana, Dani")
    assert second.startswith(f"2. {older}  Loot N Run, ")
    assert second.endswith(": Ana, Beto, Caro")
    assert f"mastaba resume {newer}" in err


def test_a_name_that_fits_none_is_refused_with_the_list(two, capfd):
    assert main(["resume", "zzzz"]) == 2
    out, err = capfd.readouterr()
    assert all(name in out for name in two)
    assert "No match, or more than one, is called zzzz" in err


def test_a_match_that_another_process_plays_and_a_damaged_journal_are_not_offered(two, tmp_path):
    store = Store(tmp_path / "home")
    with store.take_profile(1):
        assert interrupted(store) == []
    newest = store.journals()[0][1]
    newest.write_bytes(b"rubbish")
    assert [match.id for match in interrupted(store)] == [two[0]]


@pytest.fixture
def terminal(tmp_path):
    seats = []

    def start(*words: str, **size: int) -> Seat:
        seats.append(Seat(tmp_path / "home", *words, "--loopback", "--tag", os.urandom(6).hex(), **size))
        return seats[-1]

    yield start
    for seat in seats:
        seat.process.close(force=True)


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_on_a_terminal_it_is_asked_which_one(two, terminal):
    seat = terminal("resume")
    seat.sees("Which one?")
    seat.type("3\r")
    seat.sees("There is no choice 3")
    seat.type("2\r")
    seat.sees("Loot N Run ·")
    seat.sees("Beto is silent")
    assert "Something went wrong" not in seat.text
    seat.type("\x03\x03")
    assert seat.ends() == 130
    seat.is_clean()


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_named_one_is_gone_on_with_at_once_and_the_farewell_keeps_the_language(two, terminal):
    seat = terminal("resume", two[1][:5], "--lang", "es")
    seat.sees("La cripta ·")
    seat.type("\x03")
    seat.sees("mastaba resume --lang es")
    seat.type("\x03")
    assert seat.ends() == 130
    assert "Tu sitio sigue siendo tuyo: mastaba resume --lang es" in seat.written


def test_the_command_to_resume_names_a_language_only_where_a_flag_did():
    assert Terminal("plain", True, False).resume() == "mastaba resume"
    assert Terminal("plain", True, False, lang="es").resume() == "mastaba resume --lang es"
