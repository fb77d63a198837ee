"""Scarabya, rows S13 to S34: missions, and where a tile may lie."""

import pytest
from mastaba.core.rules import ChooseAll, IllegalMove, Roll
from sites import GOLDEN, Sites, args, data_of, golden, picture

LINES = {"I": ["#####"], "J": ["#####"]}  # two tiles of the same shape, for sites made on purpose


def test_S13_twelve_rounds():
    table = golden()
    assert table.now.round == 12
    assert table.now.over
    assert Sites().now.data.rounds == 12


def test_S14_each_round_opens_the_mission_that_names_its_tile():
    table = Sites()
    events = table.mission("W")
    assert args(events, "mission") == [(None, 1, "W")]
    assert table.now.tile == "W"
    assert all(table.now.parse_move("place " + " ".join(f"{s:02}" for s in move[1:])) == move for move in table.now.fits(0))


def test_S15_everybody_places_that_tile():
    table = Sites(3)
    table.round("T", "33 43 52 53 54", "45 46 47 56 66", "44 45 46 55 65")
    assert [placed[0][0] for placed in table.now.placed] == ["T", "T", "T"]


def test_S16_all_at_the_same_time():
    table = Sites(3)
    table.mission("T")
    assert table.now.pending == ChooseAll((0, 1, 2), "placements", then="place")


def test_S17_wherever_they_want_each_on_a_site_of_ones_own():
    table = Sites(2)
    table.round("T", "33 43 52 53 54", "44 45 46 55 65")
    assert table.now.placed == [[("T", (33, 43, 52, 53, 54))], [("T", (44, 45, 46, 55, 65))]]
    assert table.now.free(0) != table.now.free(1)


def test_S18_after_placing_everybody_collects():
    table = golden(2)
    assert table.now.scores() == (48, 48)


def test_S19_and_S20_the_first_tile_covers_at_least_one_of_four_centre_squares():
    table = Sites()
    table.mission("T")
    for move in table.now.fits(0):
        assert {44, 45, 54, 55} & set(move[1:])
    assert table.refusal("02 03 04 13 23") == "not-at-centre"
    assert table.refusal("22 23 24 33 43") == "not-at-centre"
    assert any(len({44, 45, 54, 55} & set(move[1:])) == 1 for move in table.now.fits(0))
    assert any(len({44, 45, 54, 55} & set(move[1:])) > 1 for move in table.now.fits(0))


def test_S21_the_first_tile_touches_nothing():
    table = Sites(data=data_of(picture()))
    table.round("T", "44 45 46 55 65")
    assert len(table.now.placed[0]) == 1


def test_S22_every_later_tile_touches_an_earlier_one_along_a_side():
    table = Sites()
    table.round("T", "33 43 52 53 54")
    table.mission("L")
    beside = {32, 23, 42, 44, 51, 62, 63, 64, 55}  # of T, without the rock on 34
    moves = list(table.now.fits(0))
    assert len(moves) == 68
    assert all(beside & set(move[1:]) for move in moves)
    assert table.refusal("00 01 02 03 13") == "not-beside"


def test_S23_and_SX07_touching_at_a_corner_does_not_count():
    table = Sites(data=data_of(picture(("#", "35")), LINES))
    table.round("I", "50 51 52 53 54")
    table.mission("J")
    assert table.refusal("45 46 47 48 49") == "not-beside"  # 45 meets 54 at a corner, and the rock on 35 by a side


def test_S24_touching_a_rock_or_the_frame_does_not_count():
    table = Sites(data=data_of(picture(("#", "05")), LINES))
    table.round("I", "50 51 52 53 54")
    table.mission("J")
    assert table.refusal("00 01 02 03 04") == "not-beside"


def test_S25_tiles_lie_wholly_inside_the_frame():
    table = Sites()
    table.round("T", "33 43 52 53 54")
    table.mission("I")
    assert all(len({s // 10 for s in move[1:]}) == 1 or len({s % 10 for s in move[1:]}) == 1 for move in table.now.fits(0))
    assert table.refusal("48 49 50 51 52") == "not-this-tile"  # a line that would leave on the right and come back on the left
    with pytest.raises(IllegalMove, match="outside"):
        table.now.legal(table.now.pending, 0, ("place", 60, 70, 80, 90, 100))


def test_S26_tiles_do_not_overlap():
    table = Sites()
    table.round("T", "33 43 52 53 54")
    table.mission("I")
    assert table.refusal("40 41 42 43 44") == "on-tile"


def test_S27_tiles_do_not_lie_on_rocks():
    table = Sites()
    table.mission("I")
    assert table.refusal("34 44 54 64 74") == "on-rock"


def test_S28_and_S29_tiles_may_be_turned_and_flipped():
    table = Sites(data=data_of(picture()))
    table.mission("F")
    shapes = set()
    for move in table.now.fits(0):
        cells = [divmod(s, 10) for s in move[1:]]
        top, left = min(r for r, _ in cells), min(c for _, c in cells)
        shapes.add(tuple((r - top, c - left) for r, c in cells))
    assert len(shapes) == 8


def test_S30_and_S31_scarabs_may_be_covered_and_never_score_then():
    table = Sites(data=data_of(picture(("#", "40 46 30 31 32 33 34 35"), ("s", "41 45 53")), LINES))
    events = table.round("I", "51 52 53 54 55")
    assert args(events, "placed")[0] == (0, "I", (51, 52, 53, 54, 55), 1)
    assert table.now.scores() == (0, 0)
    events = table.round("J", "41 42 43 44 45")
    assert args(events, "placed")[0][-1] == 2
    assert table.now.over
    assert table.now.scores() == (0, 0)


def test_S32_who_can_place_the_tile_is_asked_even_for_one_placement():
    wall = " ".join(f"{r}{c}" for r in (3, 6) for c in range(10)) + " 40 41 42 43 50 51 52 53 49 58 59"
    table = Sites(data=data_of(picture(("#", wall)), {"I": ["#####"], "P": ["##", "##", "#."]}))
    table.mission("I")
    request = table.now.pending
    assert isinstance(request, ChooseAll)
    assert list(table.now.fits(0)) == [("place", 44, 45, 46, 47, 48)]
    for move in ((), ("pass",), None):
        with pytest.raises(IllegalMove):
            table.say({0: move, 1: move})
    assert table.now.pending == request


def test_S33_who_cannot_place_it_discards_it_unasked_for_good():
    """One seat has room for the line, the other does not: only the first is asked (SR5)."""
    walls = "30 31 32 33 34 35 36 37 38 39 60 61 62 63 64 65 66 67 68 69 49 59"
    tiles = {"U": ["#.#", "###"], "I": ["#####"], "V": ["#..", "#..", "###"]}
    table = Sites(data=data_of(picture(("#", walls)), tiles))
    table.round("U", "45 47 55 56 57", "43 45 53 54 55")
    events = table.mission("I")
    assert table.now.pending.seats == (0,)
    assert args(events, "discarded") == [(1, "I")]
    with pytest.raises(IllegalMove, match="seats"):
        table.say({0: next(iter(table.now.fits(0))), 1: ("place", 41)})
    table.place("40 41 42 43 44")
    assert [tile for tile, _ in table.now.placed[1]] == ["U"]
    assert "I" not in table.now.missions


def test_S34_and_SR2_the_first_tile_is_the_first_that_is_really_placed():
    table = Sites(data=data_of(picture(("#", "43 46 53 56 34 35 64 75")), {"I": ["#####"], "P": ["##", "##", "#."]}))
    events = table.mission("I")
    assert args(events, "discarded") == [(0, "I"), (1, "I")]
    assert table.now.tile == "P"  # the last mission needs no coin
    assert all({44, 45, 54, 55} & set(move[1:]) for move in table.now.fits(0))


def test_the_last_mission_needs_no_coin():
    table = golden(2)
    assert table.now.missions == []
    table = Sites()
    for tile, _legal, squares, *_ in GOLDEN[:10]:
        assert isinstance(table.now.pending, Roll)
        table.round(tile, squares)
    assert isinstance(table.now.pending, Roll)
    events = table.mission("P")
    assert [e[2] for e in args(events, "mission")] == ["P", "U"]


# -- hostile placements -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (None, "no-such-move"),
        ((), "no-such-move"),
        (("place",), "not-this-tile"),
        (("place", True, 43, 52, 53, 54), "no-such-move"),
        (("place", 43, 33, 52, 53, 54), "no-such-move"),
        (("place", 33, 33, 43, 52, 53, 54), "no-such-move"),
        (("place", "33", 43, 52, 53, 54), "no-such-move"),
        (["place", 33, 43, 52, 53, 54], "no-such-move"),
        (("place", -1, 43, 52, 53, 54), "outside"),
        (("place", 33, 43, 52, 53, 1 << 63), "outside"),
        (("place", *range(100)), "not-this-tile"),
        (("place", 33, 43, 52, 53), "not-this-tile"),
        (("place", 33, (43,), 52, 53, 54), "no-such-move"),
        (("lay", 0, 0, 0), "not-now"),
        (("lot",), "not-now"),
        ((("place",), 33, 43, 52, 53, 54), "no-such-move"),
        ("place 33 43 52 53 54", "no-such-move"),
    ],
)
def test_whatever_is_no_placement_is_refused_with_its_reason(move, reason):
    table = Sites()
    table.mission("T")
    before = table.now.digest()
    with pytest.raises(IllegalMove) as refused:
        table.say({0: move, 1: ("place", 33, 43, 52, 53, 54)})
    assert str(refused.value) == reason
    assert table.now.digest() == before


@pytest.mark.parametrize(
    "text", ["", "place", "place 3", "place 033", "place x3", "place ３３", "lay 5a 0", "lay 1c 0", "lay 1a 4", "lay 1a", "lot 2"]
)
def test_what_is_no_notation_is_a_value_error(text):
    with pytest.raises(ValueError, match="no move of Scarabya"):
        Sites().now.parse_move(text)


def test_squares_are_written_in_any_order():
    game = Sites().now
    assert game.parse_move("place 54 33 53 43 52") == ("place", 33, 43, 52, 53, 54)
    assert game.show_move(("place", 6, 16, 17, 27, 28)) == "place 06 16 17 27 28"
    assert game.parse_move("lay 3b 2") == ("lay", 2, 1, 2)
    assert game.show_move(("lay", 2, 1, 2)) == "lay 3b 2"
