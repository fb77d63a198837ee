"""Whom a data folder knows: all its profiles count, none is locked or changed by looking, and damage is nobody."""

import json

import pytest
from mastaba.net.acquaintances import Acquaintances, Known
from mastaba.net.store import Store

ANA, BETO, OTHER = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path)


def test_nobody_is_known_to_a_new_folder_and_none_is_made(store):
    assert Acquaintances(store).of("Ana", ANA) is Known.NEW
    assert list(store.root.iterdir()) == []


def test_a_name_and_its_key_are_known_together(store):
    with store.take_profile() as profile:
        profile.name = "Me"
        profile.meet("Ana", ANA)
        known = Acquaintances(store)  # while the profile is in use
    assert known.of("Ana", ANA) is known.of("ANA", ANA) is known.of("Аna", ANA) is Known.KNOWN
    assert known.of("Ana", OTHER) is known.of("ana", BETO) is Known.ANOTHER_KEY
    assert known.of("Somebody", ANA) is Known.OTHER_NAME
    assert known.name_of(ANA) == "Ana"
    assert known.name_of(OTHER) == ""
    assert known.of("Somebody", OTHER) is Known.NEW
    assert known.of("Me", profile.identity.public) is known.of("Ana", profile.identity.public) is Known.YOU
    assert known.of("me", OTHER) is Known.ANOTHER_KEY


def test_what_any_profile_knows_counts(store):
    with store.take_profile() as first, store.take_profile() as second:
        first.meet("Ana", ANA)
        second.meet("Ana", OTHER)
        second.meet("Beto", BETO)
    known = Acquaintances(store)
    assert known.of("Ana", ANA) is known.of("Ana", OTHER) is known.of("Beto", BETO) is Known.KNOWN
    assert known.of("Ana", BETO) is Known.ANOTHER_KEY


@pytest.mark.parametrize("damaged", ["rubbish", json.dumps({"Ana": 7, "Beto": "x" * 64, "Carla": BETO.hex()}), "[]"])
def test_a_damaged_list_keeps_nobody_from_being_asked(store, damaged):
    with store.take_profile() as profile:
        (profile.folder / "known.json").write_text(damaged)
    known = Acquaintances(store)
    assert known.of("Ana", ANA) is Known.NEW
    assert known.of("Me", profile.identity.public) is Known.YOU
