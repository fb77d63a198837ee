"""Pyramid's data file: what is accepted, and the sentence for everything that is not."""

import copy
import tomllib
from importlib.resources import files

import pytest
from mastaba.core.errors import LocalError
from mastaba.core.games import data_hash
from mastaba.core.games.pyramid_data import load

TABLE = tomllib.loads((files("mastaba.core.games") / "data" / "pyramid.toml").read_text())
MAP = TABLE["map"]


def changed(**changes):
    table = copy.deepcopy(TABLE)
    table.update(changes)
    return table


def drawn(old, new, count=1):
    assert old in MAP
    return changed(map=MAP.replace(old, new, count))


def test_the_shipped_board_allows_every_rule():
    data = load(TABLE)
    board = data.board
    assert (len(board.squares), len(board.ordinary)) == (74, 72)
    assert [board.name(square) for square in (board.start, board.dungeon)] == ["f8", "h8"]
    far = [max(d for d in board.maze.distances(place) if d < 255) for place in (board.start, board.dungeon)]
    assert far == [16, 17]
    dead_ends = [square for square in board.ordinary if len(board.maze.ends(square, 1)) == 1]
    assert {divmod(square, board.columns) for square in dead_ends} >= {(6, 10)}
    assert dict(data.names)["r1"] == "scarab"


def test_a_mummy_die_is_the_same_for_all_or_given_by_the_number_of_hunters():
    alike = load(changed(mummy_faces=[1, 4]))
    assert [alike.die(players) for players in (2, 3, 4, 5)] == [(1, 4)] * 4
    each = load(changed(mummy_faces={"1": [1], "2": [2], "3": [3], "4": [4]}))
    assert [each.die(players) for players in (2, 3, 4, 5)] == [(1,), (2,), (3,), (4,)]


def test_a_square_is_written_as_column_and_row():
    board = load(TABLE).board
    assert all(board.named(board.name(square)) == square for square in board.squares)
    for text in ("", "a", "a1", "z9", "h0", "h08", "h9", "hh8", "8h", "h8 ", "n8", "h123"):
        with pytest.raises(ValueError, match="no square"):
            board.named(text)


def test_editors_trim_line_ends_and_nothing_changes():
    trimmed = "\n".join(line.rstrip() for line in MAP.split("\n"))
    padded = "\n".join(line + "   " for line in MAP.split("\n"))
    assert load(changed(map=trimmed)) == load(changed(map=padded)) == load(TABLE)
    assert data_hash(load(changed(map=trimmed))) == data_hash(load(TABLE))


def test_every_part_of_the_table_is_in_its_hash(smalls):
    tables = [
        TABLE,
        changed(mummy_faces=[1, 1, 2, 2, 3]),
        changed(lives=4),
        changed(lives_to_win={"1": 2, "2": 4, "3": 6, "4": 7}),
        changed(colours={**TABLE["colours"], "w": "pink"}),
        drawn("| w1        |", "| w1    |   |"),
        changed(symbols={**TABLE["symbols"], "w": ["lily", *TABLE["symbols"]["w"][1:]]}),
    ]
    assert len({data_hash(load(table)) for table in tables} | {data_hash(smalls["pyramid"])}) == len(tables) + 1


WRONG = {
    "lacks 'lives'": {k: v for k, v in TABLE.items() if k != "lives"},
    "unknown key 'extra'": changed(extra=1),
    "players must be": changed(players=[2, 6]),
    "hunter_dice must be 5": changed(hunter_dice=True),
    "hunter_faces must be": changed(hunter_faces=["1", "2", "3", "4", "mummy", "arrow"]),
    "1 to 20 numbers": changed(mummy_faces=[]),
    "mummy_faces lacks '3'": changed(mummy_faces={"1": [1], "2": [1], "4": [1]}),
    "lists of 1 to 20": changed(mummy_faces={"1": [1], "2": [1], "3": [True], "4": [1]}),
    "numbers from 1 to 9": changed(mummy_faces=[1, 0]),
    "lives must be": changed(lives=0),
    "lives_to_win for 4 must be": changed(lives_to_win={"1": 3, "2": 4, "3": 6, "4": 13}),
    "lives_to_win lacks '4'": changed(lives_to_win={"1": 3, "2": 4, "3": 6}),
    "colours must be a table": changed(colours={}),
    "is not one of a-z": changed(colours={**TABLE["colours"], "É": "mauve"}),
    "colour of w is not named": changed(colours={**TABLE["colours"], "w": "\x1b[31m"}),
    "a colour is named twice": changed(colours={**TABLE["colours"], "w": "red"}),
    "map must be a text": changed(map=7),
    "map must be a text of": changed(map=" " * 9000),
    "rows of squares between lines of walls": changed(map="|"),
    "rows of squares between": changed(map=""),
    "does not end with its last wall": changed(map=MAP.rstrip() + "--"),
    "gap in the outer wall": drawn("+---+---+---+\n", "+   +---+---+\n"),
    "neither wall nor open": drawn("+---+---+---+\n", "+-x-+---+---+\n"),
    "more than one E": drawn(" w1 ", " E  "),
    "no M": drawn("| M ", "|   "),
    "no E": drawn("  E |", "    |"),
    "nor a symbol": drawn(" w1 ", " q1 "),
    "is on the map twice": drawn(" w1 ", " w2 "),
    "M must have two exits": drawn("| M  ", "| M |"),
    "connected": drawn("+---+   +   +   +   +\n|   | r4", "+---+   +---+   +   +\n|   | r4"),
    "at least 4 white symbols": changed(map=MAP.replace("w1", "  ").replace("w5", "  ")),
    "numbered from 1 to": drawn(" w5 ", " w9 "),
    "symbols.w must name the 5": changed(symbols={**TABLE["symbols"], "w": ["lotus"]}),
    "symbols lacks 'y'": changed(symbols={k: v for k, v in TABLE["symbols"].items() if k != "y"}),
    "symbol w1 is not named": changed(symbols={**TABLE["symbols"], "w": ["Lotus", *TABLE["symbols"]["w"][1:]]}),
    "a symbol's name is used twice": changed(symbols={**TABLE["symbols"], "w": ["ibis", *TABLE["symbols"]["w"][1:]]}),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_wrong_table_is_refused_with_a_sentence(sentence):
    with pytest.raises(LocalError) as refused:
        load(WRONG[sentence])
    assert sentence in str(refused.value)


def test_a_board_on_which_somebody_could_be_shut_in_at_the_start_is_refused():
    tight = """
+---+---+---+---+
| a1  a2  a3  a4|
+   +   +   +   +
|               |
+   +   +   +   +
|               |
+---+   +   +   +
| E           M |
+---+---+---+---+
"""
    table = changed(map=tight, colours={"a": "amber"}, symbols={"a": ["jar", "cat", "moon", "boat"]})
    with pytest.raises(LocalError, match="too few squares can be reached from E"):
        load(table)
    assert load({**table, "map": tight.replace("+---+   +   +   +\n| E", "+   +   +   +   +\n| E")}).board.columns == 4


def test_a_map_of_129_squares_is_refused():
    with pytest.raises(LocalError, match="at most 26 columns and 128 squares"):
        load(changed(map="\n".join(["+" + "---+" * 13, *(["|" + "   |" * 13, "+" + "---+" * 13] * 10)])))
