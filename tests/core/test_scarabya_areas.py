"""Scarabya, rows S35 to S49 and the worked cases: which spaces are excavation areas, and what their scarabs are worth."""

import cell_by_cell as twin
import pytest
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games.grid import squares_of
from mastaba.core.games.scarabya import Scarabya, load
from sites import GOLDEN, SHIPPED, Sites, args, data_of, golden, picture

LINES = {"I": ["#####"], "J": ["#####"]}
ROOF = "31 32 33 34 40 45"  # with a line on 50-54 it closes 41-44


def closes(*marks, line="50 51 52 53 54", tiles=LINES):
    """The first tile, a line: what it scores, and (size, scarabs) of what it closes."""
    table = Sites(data=data_of(picture(*marks), tiles))
    events = table.round("I", line)
    scored = args(events, "scored")
    return table.now.scores()[0], sorted((len(squares), found) for squares, found in scored[0][2]) if scored else []


def test_S35_an_area_is_a_closed_space_of_at_most_4_squares():
    assert closes(("#", ROOF), ("s", "41")) == (4, [(4, 1)])
    assert closes(("#", "31 32 33 34 40 44"), ("s", "41")) == (3, [(3, 1)])
    assert closes(("#", "31 32 33 34 35 40 46 55"), ("s", "41")) == (0, [])  # five squares
    assert closes(("#", "31 32 33 34 40"), ("s", "41")) == (0, [])  # open at 45


def test_S36_the_border_is_any_mix_of_tiles_rocks_and_frame():
    assert closes(("#", ROOF), ("s", "41")) == (4, [(4, 1)])  # a tile and rocks
    assert closes(("#", "30 31 32 33 44"), ("s", "40")) == (4, [(4, 1)])  # and the frame


def test_SX05_an_area_of_3_bounded_by_two_tiles_a_rock_and_the_frame():
    tiles = {"I": ["#####"], "Y": [".#..", "####"]}
    table = Sites(data=data_of(picture(("#", "30"), ("s", "41")), tiles))
    table.round("I", "50 51 52 53 54")
    events = table.round("Y", "31 32 33 34 43")
    assert args(events, "scored")[0] == (0, 3, (((40, 41, 42), 1),))
    assert table.now.scores() == (3, 3)


def test_S37_and_SX06_a_gap_at_a_corner_neither_joins_nor_opens():
    assert closes(("#", "32 41 43"), ("s", "42")) == (1, [(1, 1)])  # 31 and 33 lie free at its corners
    table = Sites(data=data_of(picture(("#", "32 41 43"), ("s", "42 33")), LINES))
    table.round("I", "50 51 52 53 54")
    assert table.now.areas(0) == (((42,), 1),)


def test_S38_and_SX01_each_open_scarab_scores_the_size_of_the_area():
    assert closes(("#", ROOF), ("s", "42 44")) == (8, [(4, 2)])  # the rulebook's example
    assert closes(("#", "31 32 40 43"), ("s", "41")) == (2, [(2, 1)])
    assert closes(("#", "31 40 42"), ("s", "41")) == (1, [(1, 1)])


def test_S39_scarabs_in_larger_spaces_score_nothing():
    assert closes(("#", "31 32 33 34 35 40 46 55"), ("s", "41 42 43 44 45")) == (0, [])


def test_S40_each_scarab_of_an_area_scores_by_itself():
    assert closes(("#", ROOF), ("s", "41 42 43 44")) == (16, [(4, 4)])


def test_S41_and_SX02_one_tile_closes_several_areas_each_by_its_own_size():
    assert closes(("#", "31 32 33 40 44 60 62 71"), ("s", "41 43 61")) == (7, [(1, 1), (3, 2)])


def test_S42_an_area_without_scarabs_scores_nothing():
    assert closes(("#", ROOF)) == (0, [(4, 0)])


def test_S43_an_area_scores_once_in_the_round_that_closes_it():
    table = Sites(data=data_of(picture(("#", ROOF), ("s", "41")), LINES))
    assert len(args(table.round("I", "50 51 52 53 54"), "scored")) == 2
    events = table.round("J", "60 61 62 63 64")
    assert args(events, "scored") == []
    assert table.now.scores() == (4, 4)


def seven():
    """41-47 closed by a line below and rocks; scarabs on 41, 44 and 47."""
    table = Sites(data=data_of(picture(("#", "31 32 33 34 35 36 37 40 48 56 57"), ("s", "41 44 47")), LINES))
    table.round("I", "51 52 53 54 55")
    return table


def test_S44_SX03_and_SR6_a_larger_space_divided_later_scores_its_small_parts_then():
    table = seven()
    assert table.now.scores() == (0, 0)
    assert table.now.areas(0) == ()
    events = table.round("J", "42 43 44 45 46")
    assert args(events, "scored")[0] == (0, 2, (((41,), 1), ((47,), 1)))
    assert table.now.scores() == (2, 2)


def test_S45_a_larger_closed_space_may_be_built_in_if_the_tile_touches_an_earlier_one():
    table = seven()
    table.mission("J")
    inside = [move for move in table.now.fits(0) if set(move[1:]) <= set(range(41, 48))]
    assert len(inside) == 3


@pytest.mark.parametrize("fill", [False, True])
def test_SX04_a_closed_space_of_exactly_5_squares_scores_nothing_for_ever(fill):
    table = Sites(data=data_of(picture(("#", "31 32 33 34 35 40 46"), ("s", "41 45")), LINES))
    table.round("I", "51 52 53 54 55")
    assert table.now.scores() == (0, 0)
    table.round("J", "41 42 43 44 45" if fill else "61 62 63 64 65")
    assert table.now.scores() == (0, 0)
    assert table.now.over


def test_S46_a_scored_area_cannot_be_covered_later():
    table = Sites()
    for tile, _legal, squares, *_ in GOLDEN[:10]:
        areas = {square for area, _found in table.now.areas(0) for square in area}
        table.mission(tile)
        for move in table.now.fits(0):
            assert not areas & set(move[1:])
        table.place(squares)
    assert len(table.now.areas(0)) == 14


def test_S47_the_value_of_a_token_is_the_size_of_the_area():
    for size, walls in enumerate(("31 40 42", "31 32 40 43", "31 32 33 40 44", ROOF), 1):
        assert closes(("#", walls), ("s", "41")) == (size, [(size, 1)])


def test_S48_S49_and_SR7_points_do_not_depend_on_the_supply_of_tokens():
    few = {**SHIPPED, "tokens": dict.fromkeys(("1", "2", "3", "4"), 1)}
    table = Sites(4, load(few))
    for tile, _legal, squares, *_ in GOLDEN[:10]:
        table.round(tile, squares)
    assert table.now.scores() == (48,) * 4  # more fours than one token: change is given in smaller ones, 3 + 1


# -- the golden game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 4])
def test_SX09_the_golden_game(seats):
    table, total = Sites(seats), 0
    for number, (tile, legal, squares, covered, areas, points) in enumerate(GOLDEN, 1):
        if table.now.over:
            assert tile == "P"  # the last mission was opened with the one before, which nobody could place either
            continue
        events = table.mission(tile)
        if not squares:
            assert args(events, "discarded") == [(seat, t) for t in "UP" for seat in range(seats)]
            continue
        assert args(events, "mission") == [(None, number, tile)]
        assert len(table.now.fits(0)) == len(list(table.now.fits(0))) == legal
        events = table.place(squares)
        assert [placed[3] for placed in args(events, "placed")] == [covered] * seats
        closed = [sorted((len(area), found) for area, found in scored[2]) for scored in args(events, "scored")]
        assert closed == ([sorted(areas)] * seats if areas else [])
        total += points
        assert table.now.scores() == (total,) * seats
    assert table.now.over
    assert table.now.scores() == (48,) * seats
    free = {divmod(s, 10) for s in squares_of(table.now.free(0))}
    left = [space for space in twin.spaces(free) if len(space) > 4]
    assert [len(space) for space in left] == [8]  # one space of 8 squares with a scarab stays unscored
    assert sum(10 * r + c in squares_of(table.now.scarabs) for r, c in left[0]) == 1


def test_SX08_the_first_tile_of_the_golden_game_is_legal():
    table = Sites()
    table.mission("T")
    assert ("place", 33, 43, 52, 53, 54) in table.now.fits(0)


@pytest.mark.parametrize("level", bots.LEVELS)
def test_SX15_after_every_placement_the_score_is_what_the_closed_spaces_are_worth(rng_of, level):
    """Cell by cell: over all closed spaces of at most 4 squares, size times open scarabs; and that is what `areas` says."""
    checked = 0
    for number in range(2):
        players = [lambda view, rng: bots.decide(level, view, rng)] * 3
        dealer = Dealer(lambda: Scarabya(3, load(SHIPPED)), players, rng_of("SX15", level, number))
        while not dealer.spectator.over:
            dealer.step()
            game = dealer.spectator
            if len(game.laid) < 4:
                continue
            scarabs = set(squares_of(game.scarabs))
            for seat in range(3):
                spaces = [space for space in twin.spaces({divmod(s, 10) for s in squares_of(game.free(seat))}) if len(space) <= 4]
                worth = sum(len(space) * sum(10 * r + c in scarabs for r, c in space) for space in spaces)
                assert game.scores()[seat] == worth
                assert sorted(area for area, _ in game.areas(seat)) == sorted(tuple(sorted(10 * r + c for r, c in s)) for s in spaces)
                checked += worth > 0
    assert checked > 10


def test_the_golden_games_last_site_shows_every_area():
    sizes = sorted(len(area) for area, _found in golden().now.areas(0))
    assert sizes == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 4]
