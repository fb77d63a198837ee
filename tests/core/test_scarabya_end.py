"""Scarabya, rows S50 to S56, rulings SR1 and SR9, and the knowledge table: how it ends, who leaves, and that nothing is hidden."""

import pytest
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games.scarabya import Scarabya, load, points_of
from mastaba.core.rules import ChooseAll, Options, Over, Roll
from mastaba.core.view import View
from sites import GOLDEN, SHIPPED, Sites, args, data_of, golden, picture

DATA = load(SHIPPED)
ONE = {"I": ["#####"]}
LINES = {"I": ["#####"], "J": ["#####"]}


def last_round(points, squares="50 51 52 53 54"):
    """A table whose last tile is placed when the seats have these points; it closes nothing."""
    table = Sites(len(points), data_of(picture(), ONE))
    for game in table.games:
        game.points = list(points)
    return table, table.place(squares)


def test_S50_the_next_mission_comes_when_all_have_placed_and_collected():
    table = Sites(data=data_of(picture(("#", "31 40 42"), ("s", "41")), {**LINES, "K": ["#####"]}))
    events = table.round("I", "50 51 52 53 54")
    assert [event.id for event in events] == ["mission", "placed", "placed", "scored", "scored"]
    assert table.now.pending == Roll(1, 2, then="open")


def test_S51_the_game_ends_after_the_last_mission_is_scored_in_full():
    table = Sites(data=data_of(picture(("#", "31 40 42"), ("s", "41")), ONE))
    events = table.place("50 51 52 53 54")
    assert [event.id for event in events] == ["placed", "placed", "scored", "scored", "over"]
    assert table.now.pending == Over((1, 1), (0, 1), "rounds")


def test_S51_fewer_rounds_than_tiles_leave_tiles_over():
    table = Sites(data=data_of(picture(), LINES, rounds=1))
    table.round("J", "50 51 52 53 54")
    assert table.now.over
    assert table.now.missions == ["I"]


def test_S52_most_points_wins():
    table, events = last_round([3, 9, 7])
    assert table.now.pending.winners == (1,)
    assert args(events, "over") == [(None, (3, 9, 7), (1,))]


def test_S53_and_SX14_all_who_tie_for_most_share_the_victory():
    table, _ = last_round([41, 41, 40])
    assert table.now.pending == Over((41, 41, 40), (0, 1), "rounds")


def test_S54_covered_scarabs_and_unused_tiles_cost_nothing():
    table = golden(2)
    assert table.now.scores() == (48, 48)  # six scarabs covered, two tiles discarded


def test_S56_and_SR1_alone_one_plays_for_points_with_nothing_to_win():
    table = golden(1)
    assert table.now.pending == Over((48,), (), "rounds")
    assert list(Scarabya.SEATS) == [1, 2, 3, 4]


def test_SR1_a_whole_game_alone(rng_of):
    dealer = Dealer(lambda: Scarabya(1, DATA), [lambda view, rng: bots.decide("sensible", view, rng)], rng_of("alone"))
    over = dealer.run()
    assert over.winners == ()
    assert over.scores[0] > 20


def test_SR1_leaving_alone_ends_it():
    table = Sites(1)
    table.mission("T")
    table.leave(0)
    assert table.now.pending == Over((0,), (), "left")


# -- leaving ----------------------------------------------------------------------------------------------------------


def test_SR9_the_site_of_who_leaves_stops_and_the_others_go_on():
    table = Sites(3)
    table.round("T", "33 43 52 53 54")
    table.leave(1)
    assert table.now.pending == Roll(1, 11, then="open")
    table.mission("L")
    assert table.now.pending.seats == (0, 2)
    table.place("21 22 31 41 51")
    assert [len(placed) for placed in table.now.placed] == [2, 1, 2]
    assert table.now.scores() == (4, 0, 4)


def test_SR9_who_leaves_while_all_decide_has_the_tile_laid_where_it_scores_least():
    """On a network, where the others may have committed themselves: the absent answer fills the gap, then the seat is gone."""
    table = Sites(3)
    for tile, _legal, squares, *_ in GOLDEN[:9]:
        table.round(tile, squares)
    table.mission("I")
    request, scores = table.now.pending, table.now.scores()
    absent = table.now.absent(request, 2)
    table.now.legal(request, 2, absent)
    worth = [points_of(table.now.would_close(2, move[1:])) for move in table.now.fits(2)]
    assert max(worth) >= 14
    assert points_of(table.now.would_close(2, absent[1:])) == min(worth)
    table.say({0: ("place", 30, 40, 50, 60, 70), 1: ("place", 30, 40, 50, 60, 70), 2: absent})
    assert table.now.scores() == (48, 48, scores[2] + min(worth))
    table.leave(2)
    table.mission("U")
    assert table.now.over
    assert table.now.pending.winners == (0, 1)


def test_SR9_a_question_to_all_that_has_not_begun_is_not_put_to_who_has_left():
    table = Sites(3)
    table.mission("T")
    table.leave(1)
    assert table.now.pending == ChooseAll((0, 2), "placements", then="place")
    table.place("33 43 52 53 54")
    assert [len(placed) for placed in table.now.placed] == [1, 0, 1]


def test_SR9_if_nobody_else_could_place_the_tile_the_round_is_over():
    walls = "30 31 32 33 34 35 36 37 38 39 60 61 62 63 64 65 66 67 68 69 49 59"
    tiles = {"U": ["#.#", "###"], "I": ["#####"], "V": ["#..", "#..", "###"]}
    table = Sites(3, data=data_of(picture(("#", walls)), tiles))
    table.round("U", "45 47 55 56 57", "43 45 53 54 55", "43 45 53 54 55")
    table.mission("I")
    assert table.now.pending.seats == (0,)
    table.leave(0)
    assert table.now.tile is None
    assert table.now.over  # the last tile, V, fits nowhere


def test_SR9_who_has_left_does_not_win():
    table = Sites(3, data_of(picture(("#", "31 40 42"), ("s", "41")), LINES))
    table.round("I", "52 53 54 55 56", "50 51 52 53 54", "52 53 54 55 56")
    assert table.now.scores() == (0, 1, 0)
    table.leave(1)
    table.place("62 63 64 65 66")
    assert table.now.pending == Over((0, 1, 0), (0, 2), "rounds")


def test_two_seats_and_one_leaves_ends_the_game():
    table = Sites(2)
    table.leave(0)
    assert table.now.pending == Over((0, 0), (1,), "left")


# -- who may know what ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 4])
def test_everything_is_open_to_all_at_every_moment(rng_of, seats):
    """Tiles, boards, arrangement, missions left, placements, discards and points: every seat sees what a spectator sees."""
    players = [lambda view, rng: bots.decide("random", view, rng)] * seats
    dealer = Dealer(lambda: Scarabya(seats, DATA), players, rng_of("open", seats))
    while not dealer.spectator.over:
        dealer.step()
        for game in dealer.games:
            assert game == dealer.spectator
            assert [game.peeked, game.mine, game.shown, game.public] == [{}, {}, {}, {}]
            assert game.unknown() == ((), ())


def test_nobody_knows_the_order_of_the_missions():
    """What is left is a set in the table's order; the coin that opens one is tossed when its round begins."""
    table = Sites()
    table.round("T", "33 43 52 53 54")
    assert table.now.missions == [name for name, _ in DATA.tiles if name != "T"]
    assert table.now.tile is None
    assert isinstance(table.now.pending, Roll)


def test_the_twelfth_mission_is_known_in_advance():
    table = Sites()
    for tile, _legal, squares, *_ in GOLDEN[:10]:
        table.round(tile, squares)
    assert table.now.missions == ["P", "U"]
    table.mission("U")
    assert table.now.missions == []  # P was opened with it: nothing had to be drawn


def test_a_placement_is_its_seats_alone_until_all_are_opened_together():
    """One request asks all; nothing of an answer is in anybody's state before the last has come."""
    table = Sites(3)
    table.mission("T")
    assert isinstance(table.now.pending, ChooseAll)
    assert [View.of(game, seat).asked() for seat, game in enumerate(table.games[:3])] == [table.now.pending] * 3
    assert table.now.placed == [[], [], []]


def test_same_options_same_state():
    a, b = (Scarabya(2, DATA, Options(first=1)) for _ in range(2))
    assert a == b
    assert a.digest() == b.digest()
