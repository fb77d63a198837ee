"""The records of finished matches: kept once each, private, and refused in one sentence where they cannot be read."""

import contextlib
import sqlite3
import stat
from dataclasses import replace

import pytest
from mastaba.core.errors import LocalError
from mastaba.net.records import SCHEMA_VERSION, Played, Player, Records


def match(n=1, complete=True, score=7):
    players = (Player("Ana", bytes(32), "", score, True), Player("Béla <b>", b"\1" * 32, "sensible", 3, False))
    return Played(bytes([n]) * 32, "loot", 0, complete, players, f"2026-01-0{n}T10:00:00+00:00")


def test_what_is_added_is_read_back_oldest_first(tmp_path):
    records = Records(tmp_path / "new")
    assert records.all() == ()
    records.add(match(2))
    records.add(match(1))
    assert records.all() == (match(1), match(2))


def test_the_same_match_again_replaces_what_was_kept(tmp_path):
    records = Records(tmp_path)
    records.add(match(complete=False, score=2))
    records.add(match(score=9))
    assert records.all() == (match(score=9),)


def test_a_match_without_a_day_ended_now(tmp_path):
    records = Records(tmp_path)
    records.add(Played(bytes(32), "crypt", 0, True, match().players))
    assert records.all()[0].ended.startswith("20")


def test_it_is_the_owners_alone_and_of_a_known_version(tmp_path):
    records = Records(tmp_path)
    records.add(match())
    assert stat.S_IMODE(records.path.stat().st_mode) == 0o600
    with sqlite3.connect(records.path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    with pytest.raises(LocalError, match="newer version"):
        records.all()


def test_who_has_not_confirmed_a_result_is_kept_with_it_and_an_older_database_is_brought_up_to_it(tmp_path):
    records = Records(tmp_path)
    records.add(match())
    with contextlib.closing(sqlite3.connect(records.path)) as db, db:
        db.executescript("ALTER TABLE player DROP COLUMN signed; PRAGMA user_version = 1;")
    assert records.all() == (match(),)
    unconfirmed = replace(match(2), players=(match().players[0], replace(match().players[1], signed=False)))
    records.add(unconfirmed)
    assert records.all() == (match(), unconfirmed)


def test_a_damaged_database_is_one_sentence(tmp_path):
    records = Records(tmp_path)
    records.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(LocalError, match="cannot be used"):
        records.all()
    with pytest.raises(LocalError, match="cannot be used"):
        records.add(match())


@pytest.mark.parametrize("damage", ["score = 'many'", "name = CAST(X'ff41' AS TEXT)", "identity = 'text'"])
def test_columns_of_another_kind_are_one_sentence(tmp_path, damage):
    Records(tmp_path).add(match())
    with contextlib.closing(sqlite3.connect(tmp_path / "records.sqlite3")) as db, db:
        db.execute(f"UPDATE player SET {damage}")
    with pytest.raises(LocalError, match="cannot be used"):
        Records(tmp_path).all()
