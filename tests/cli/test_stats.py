"""A player's own games: counted by game, opponent and bot, in words with a bar each and as JSON."""

import io
import json
import re
from pathlib import Path

import pytest
from jsondocs import follows
from mastaba.cli.__main__ import main
from mastaba.cli.stats import as_json, count, in_words
from mastaba.net.identity import words
from mastaba.net.records import Played, Player, Records
from mastaba.net.store import Store

SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"


def player(name, score=0, won=False, bot=""):
    return Player(name, name.encode().ljust(32, b"\0"), bot, score, won)


MATCHES = (
    Played(b"1", "loot", 0, True, (player("Ana", 35, True), player("Beto", 20)), "1"),
    Played(b"2", "loot", 1, True, (player("Beto", 36, True), player("Ana", 10)), "2"),
    Played(b"3", "crypt", 0, False, (player("Ana"), player("Beto"), player("Isis", bot="random")), "3"),
    Played(b"4", "loot", 0, True, (player("Ana", 30, True, bot="sensible"), player("Beto", 2)), "4"),
)


def test_matches_are_counted_by_game_opponent_and_bot_and_a_hired_bots_apart():
    data = as_json(count(MATCHES))
    assert data["version"] == 1
    rows = [(row["game"], row["played"], row["won"], row["unfinished"], row["best"], row["mean"]) for row in data["games"]]
    assert rows == [("loot", 2, 1, 0, 35, 22.5), ("crypt", 1, 0, 1, None, None)]
    assert [(row["name"], row["played"], row["won"]) for row in data["opponents"]] == [("Beto", 3, 1)]
    assert [(row["level"], row["played"], row["won"]) for row in data["bots"]] == [("random", 1, 0)]
    assert [(row["level"], row["played"], row["won"]) for row in data["played_by_bot"]] == [("sensible", 1, 1)]


def test_an_opponent_is_an_identity_and_called_as_last_seen():
    renamed = Played(b"9", "loot", 0, True, (player("Ana"), Player("Bea", b"Beto".ljust(32, b"\0"), "", 1, False)), "9")
    assert [(tally.label, tally.played) for tally in count((*MATCHES, renamed)).opponents] == [("Bea", 4)]


def test_the_plot_is_as_long_as_the_share_that_was_won():
    rows = [line for line in in_words(count(MATCHES)) if "%" in line]
    bars = {line.split()[0]: (line.count("█"), int(re.search(r"(\d+) %", line)[1])) for line in rows}
    assert bars == {"Loot": (15, 50), "The": (0, 0), "Beto": (10, 33), "random": (0, 0), "sensible": (30, 100)}


def test_opponents_are_told_apart_by_their_keys_and_strangers_with_a_known_name_are_called_that(capfd):
    same = Played(b"9", "loot", 0, True, (player("Ana"), Player("beto", bytes(32), "", 1, False)), "9")
    with Store().take_profile() as profile:
        profile.meet("Beto", b"Beto".ljust(32, b"\0"))
    records = Records(Store().root)
    for match in (*MATCHES, same):
        records.add(match)
    assert main(["stats", "--json"]) == 0
    told = follows("stats", capfd.readouterr().out)["opponents"]
    assert [(row["name"], row["words"], row["known"]) for row in told] == [
        ("Beto", words(b"Beto".ljust(32, b"\0")), "known"),
        ("beto", words(bytes(32)), "another-key"),
    ]
    assert main(["stats"]) == 0
    rows = capfd.readouterr().out.splitlines()
    (known,) = [row for row in rows if words(b"Beto".ljust(32, b"\0")) in row]
    assert "that you know" not in known
    assert [row.strip().split()[0] for row in rows if f"{words(bytes(32))}, not the beto that you know" in row] == ["beto"]


def test_hostile_names_are_inert():
    evil = Played(b"9", "loot", 0, True, (player("Ana"), player("\x1b[2J\u202eX")), "9")
    assert not re.search("[\x00-\x1f\u202e]", "".join(in_words(count([evil]))))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_practice_match_stands_in_the_records_when_it_is_over(monkeypatch, capfd, language):
    assert main(["--lang", language, "stats"]) == 0
    before = capfd.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3000))
    assert main(["--plain", "--name", "Ana", "play", "loot", "--bots", "2", "--data", str(SMALL)]) == 0
    capfd.readouterr()
    assert main(["--lang", language, "stats"]) == 0
    assert capfd.readouterr().out != before
    assert main(["stats", "--json"]) == 0
    data = json.loads(capfd.readouterr().out)
    assert [(row["game"], row["played"], row["unfinished"]) for row in data["games"]] == [("loot", 1, 0)]
    assert [(row["level"], row["played"]) for row in data["bots"]] == [("sensible", 1)]
    assert data["opponents"] == []
    kept = Records(Store().root).all()[0]
    assert [p.name for p in kept.players] == ["Ana", "Anubis", "Bastet"]


def test_records_that_cannot_be_written_are_said_and_the_game_ends_all_the_same(monkeypatch, capfd):
    records = Records(Store().root)
    records.path.parent.mkdir(parents=True, exist_ok=True)
    records.path.write_bytes(b"no database at all" * 100)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3000))
    assert main(["--plain", "--name", "Ana", "play", "loot", "--bots", "1", "--data", str(SMALL)]) == 0
    out = capfd.readouterr().out
    assert "cannot be used" in out
    assert "Transcript: " in out
