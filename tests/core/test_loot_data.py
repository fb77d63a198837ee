"""Loot N Run: what a data file may say, and the sentence for each way to be wrong."""

import copy

import pytest
from hypothesis import given, settings, strategies as st
from mastaba.core.errors import LocalError
from mastaba.core.games import data_hash
from mastaba.core.games.loot import load
from mastaba.core.plain import decode, encode


def change(table, *path, to):
    """A copy of the table with one place changed; `to=None` removes it."""
    table = copy.deepcopy(table)
    place = table
    for key in path[:-1]:
        place = place[key]
    if to is None:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return table


WRONG = [
    (("players",), [2, 5], "players must be"),
    (("players",), [True, 6], "players must be"),
    (("players",), None, "lacks the key players"),
    (("colour",), "red", "unknown key: 'colour'"),
    (("guardians",), ["werewolf", "mummy", "frank"], "guardians must be"),
    (("guardians",), ["mummy"], "guardians must be"),
    (("treasures",), [], "treasures must be a list of 1 to 12"),
    (("treasures",), [f"kind-{chr(97 + i)}" for i in range(13)], "treasures must be a list of 1 to 12"),
    (("treasures",), "cup", "treasures must be a list"),
    (("treasures", 0), "chest", "one kind twice"),
    (("treasures", 0), "\x1b[31mcup", "The name of a treasure"),
    (("treasures", 0), "a" * 17, "The name of a treasure"),
    (("goal",), 35, "goal must be a table"),
    (("goal", "4"), None, "goal lacks the key 4"),
    (("goal", "7"), 35, "goal has an unknown key: '7'"),
    (("goal", "2"), 0, "goal for 2 players must be a number"),
    (("goal", "2"), 1000, "goal for 2 players must be a number"),
    (("goal", "2"), True, "goal for 2 players must be a number"),
    (("goal", "2"), 3.5, "goal for 2 players must be a number"),
    (("cards",), {}, "cards must be a list"),
    (("cards",), [1], "cards must be a list of tables"),
    (("cards",), [{"back": "red", "top": "", "treasures": ["cup"]}], "2 to 240 cards, not 1"),
    (("cards",), [{"back": "red", "top": "", "treasures": ["cup"]}] * 241, "2 to 240 cards, not 241"),
    (("cards", 3, "back"), "blue", "Card 4: the back 'blue'"),
    (("cards", 3, "back"), [], "Card 4: the back"),
    (("cards", 3, "top"), "dragon", "Card 4: the top 'dragon'"),
    (("cards", 3, "top"), None, "cards 4 lacks the key top"),
    (("cards", 3, "points"), 2, "cards 4 has an unknown key: 'points'"),
    (("cards", 3, "treasures"), [], "Card 4 must have 1 to 3 treasures"),
    (("cards", 3, "treasures"), ["cup"] * 4, "Card 4 must have 1 to 3 treasures"),
    (("cards", 3, "treasures"), ["spoon"], "Card 4: 'spoon'"),
]


@pytest.mark.parametrize(("path", "to", "sentence"), WRONG)
def test_a_wrong_table_is_refused_in_one_sentence(loot_table, path, to, sentence):
    with pytest.raises(LocalError, match=r"^[^\n]*$") as refused:
        load(change(loot_table, *path, to=to))
    assert sentence in str(refused.value)
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("table", [None, 1, [], "cards", {}])
def test_what_is_no_table_is_refused(table):
    with pytest.raises(LocalError):
        load(table)


def test_the_shipped_table_is_whole(shipped):
    data = shipped["loot"]
    assert [data.goal(players) for players in range(2, 7)] == [35, 35, 35, 35, 30]
    assert len(data.cards) == 54


def test_the_hash_names_everything_in_the_table(loot_table):
    changes = [
        (("goal", "3"), 34),
        (("treasures",), ["chest", "cup", "necklace", "crown", "ring", "scarab"]),
        (("cards", 0, "back"), "green"),
        (("cards", 0, "top"), "amulet"),
        (("cards", 0, "treasures"), ["cup"]),
    ]
    hashes = {data_hash(load(change(loot_table, *path, to=to))) for path, to in changes} | {data_hash(load(loot_table))}
    assert len(hashes) == len(changes) + 1
    assert all(len(name) == 32 for name in hashes)


def test_equal_tables_have_one_hash(loot_table, shipped):
    assert data_hash(load(copy.deepcopy(loot_table))) == data_hash(shipped["loot"])
    assert load(loot_table) == shipped["loot"]


def test_a_table_is_plain_data(shipped, small):
    for data in (shipped["loot"], small):
        assert decode(encode(data.plain)) == data.plain


def test_the_small_table_has_everything(small):
    assert len(small.cards) == 12
    assert {back for back, _ in small.cards} == {"red", "yellow", "green"}
    assert {top for _, (top, _) in small.cards} == {"", "amulet", "mummy", "werewolf", "frank"}
    assert len(set(small.cards)) < len(small.cards)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(data=st.data(), value=values)
def test_any_value_anywhere_gives_a_table_or_a_sentence(loot_table, data, value):
    paths = [(key,) for key in loot_table] + [
        ("goal", "5"),
        ("treasures", 2),
        ("cards", 7),
        ("cards", 7, "back"),
        ("cards", 7, "top"),
        ("cards", 7, "treasures"),
    ]
    path = data.draw(st.sampled_from(paths))
    table = copy.deepcopy(loot_table)
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    try:
        said = repr(load(table))
    except LocalError as refused:
        said = str(refused)
    assert said
    assert "\n" not in said
