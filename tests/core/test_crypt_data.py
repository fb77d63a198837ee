"""The Crypt's component table: the shipped one, and what the loader refuses."""

import copy

import pytest
from crypttable import RICH
from mastaba.core.errors import LocalError
from mastaba.core.games import GAMES, data_hash
from mastaba.core.plain import decode, encode


@pytest.fixture
def table(crypt_table):
    return copy.deepcopy(crypt_table)


def refused(table):
    with pytest.raises(LocalError) as error:
        GAMES["crypt"].load(table)
    return str(error.value)


def test_the_shipped_table(shipped):
    data = shipped["crypt"]
    assert [(sum(deck.copies) * 6, deck.up, deck.down) for deck in data.decks] == [(24, 2, 1), (36, 3, 1), (48, 4, 2)]
    assert (data.dice, data.default) == (3, "a")


def test_its_plain_form_can_be_encoded_and_names_it(shipped, smalls):
    for data in (shipped["crypt"], smalls["crypt"], RICH):
        assert decode(encode(data.plain)) == data.plain
    assert len({data_hash(data) for data in (shipped["crypt"], smalls["crypt"], RICH)}) == 3


def test_the_default_side_is_part_of_the_table(table):
    table["collectors"]["default"] = "b"
    data = GAMES["crypt"].load(table)
    assert set(GAMES["crypt"].rules(2, data).sides.values()) == {"b"}


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        (("players",), [2, 5], "players must be"),
        (("players",), [True, 4], "players must be"),
        (("types",), ["idol"], "types must be"),
        (("values",), [1, 2, 3, 9], "values must be"),
        (("dice",), 4, "dice must be"),
        (("dice",), True, "dice must be"),
        (("deck", "2", "copies", "1"), 7, "copies of a value"),
        (("deck", "2", "copies", "1"), -1, "copies of a value"),
        (("deck", "3", "face_up"), 0, "at least one treasure"),
        (("deck", "3", "face_down"), -1, "face_down must be"),
        (("deck", "4", "face_up"), 9, "at most 8"),
        (("deck", "4", "face_up"), 3, "whole rounds"),
        (("deck", "2", "copies"), {"1": 1}, "lacks '2'"),
        (("deck", "5"), {}, "unknown key '5'"),
        (("collectors", "default"), "c", "default side"),
        (("collectors", "default"), ["a"], "default side"),
        (("extra",), 1, "unknown key 'extra'"),
        (("deck",), [], "must be a table"),
    ],
)
def test_a_wrong_table_is_refused_with_a_sentence(table, path, value, sentence):
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert sentence in refused(table)


@pytest.mark.parametrize("key", ["players", "types", "values", "dice", "deck", "collectors"])
def test_a_missing_part_is_refused(table, key):
    del table[key]
    assert f"lacks '{key}'" in refused(table)


def test_an_empty_deck_is_refused(table):
    table["deck"]["2"]["copies"] = {"1": 0, "2": 0, "3": 0, "4": 0}
    assert "whole rounds" in refused(table)
