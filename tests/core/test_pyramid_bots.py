"""Pyramid's sensible players: blind to what their seat cannot see, and better than random ones on both sides."""

import pytest
from mastaba.core import bots
from mastaba.core.bots.pyramid import Hunt, Plan
from mastaba.core.bots.pyramid_belief import after, belief
from mastaba.core.dealer import Dealer
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.rules import Options
from pyramidtable import BOARD, SHIPPED, PyramidTable, sq

FAR = sq(3, 6)
LAST = BOARD.square_of["r3"]


def player(level):
    return lambda view, rng: bots.decide(level, view, rng)


def decided(table, seat, rng):
    return table.now.show_move(bots.decide("sensible", table.view(seat), rng))


def test_a_hunter_goes_to_his_symbol_and_plays_the_mission(rng_of):
    start = BOARD.maze.ends(LAST, 1, FAR)[0]
    game = PyramidTable(start, sq(5, 12), mummy=FAR, missions={1: ["r3", "g1"]}).falls("1 2 2 2 2")
    game.play()
    assert decided(game, 1, rng_of()) == "die 1"
    game.play("die 1")
    assert decided(game, 1, rng_of()) == BOARD.name(LAST)
    game.play(BOARD.name(LAST))
    assert decided(game, 1, rng_of()) == "play 1"


def test_the_last_mission_is_worth_every_risk(rng_of):
    start = BOARD.maze.ends(LAST, 1, FAR)[0]
    near = next(s for s in BOARD.maze.ends(LAST, 1) if s != start)
    game = PyramidTable(start, sq(5, 12), mummy=near, missions={1: ["r3"]}, up=2).falls("1 2 2")
    game.play("keep")
    assert decided(game, 1, rng_of()) == "die 1"


def test_a_hunter_keeps_away_from_a_mummy_that_is_near():
    game = PyramidTable(sq(4, 11), sq(4, 1), mummy=sq(5, 11), missions={1: ["w1", "w2"]}, public=("h1",), up=4).falls("4")
    game.play("keep")
    plan = Plan(game.games[1], "h1")
    far = BOARD.maze.distances(sq(5, 11))
    near, away = (pick(BOARD.ordinary, key=lambda s: far[s]) for pick in (min, max))
    assert plan.danger(near, 4, True) == 1.0
    assert plan.danger(away, 4, True) == plan.danger(away, 4, False) == 0.0
    hidden = game.ends("h1", "4")[0]
    assert plan.danger(hidden, 4, False) <= plan.danger(hidden, 4, True)


def test_the_mummy_steps_on_a_hunter_whose_square_everybody_knows(rng_of):
    game = PyramidTable(sq(6, 7), sq(5, 12), turn="mummy", public=("h1",))
    game.bytes = [0]
    game.play()
    assert decided(game, 0, rng_of()) == "step h7"


def test_the_mummy_looks_where_a_hunter_must_be(rng_of):
    """From the start with a 1 there are two squares; with the mummy beside one of them it looks there."""
    game = PyramidTable(None, None, mummy=sq(6, 6)).falls("1 1 1 1 1")
    game.play("die 1", "f7", "pass")
    game.falls("1 1 1 1 1").play("die 1", "e8", "pass")
    game.bytes = [0]
    game.play()
    hunt = Hunt(game.games[0])
    assert hunt.mass[sq(6, 5)] > 0.5
    assert decided(game, 0, rng_of()) == "step f7"


def test_the_belief_is_certain_of_what_is_public_and_drops_what_is_excluded():
    game = PyramidTable(None, None).falls("2 2 2 2 2")
    assert belief(game.now, "h1") == {BOARD.start: 1.0}
    assert set(after(game.now, "h1", 2)) == {sq(6, 4), sq(6, 6)}
    game.play("die 1", "e7", "pass")
    before = belief(game.now, "h1")
    assert set(before) == {sq(6, 4), sq(6, 6)}
    for twin in game.games:
        twin._note("h1", "not", (sq(6, 6),))
    assert belief(game.now, "h1") == {sq(6, 4): pytest.approx(1.0)}


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_bot_decides_from_its_view_and_the_random_bytes_alone(rng_of, level):
    """Two tables that differ in what the mummy cannot see get the same decision of it."""
    moves = []
    for places in ((sq(4, 1), sq(5, 12)), (sq(6, 3), sq(5, 4))):
        game = PyramidTable(*places, mummy=FAR, turn="mummy", up=3)
        game.bytes = [4]
        game.play()
        moves.append(bots.decide(level, game.view(0), rng_of("dice")))
    assert moves[0] == moves[1]


@pytest.mark.parametrize(("hunters", "mummy", "side"), [("sensible", "random", "missions"), ("random", "sensible", "tokens")])
def test_a_sensible_side_beats_a_random_one(rng_of, smalls, hunters, mummy, side):
    data = SHIPPED if mummy == "sensible" else smalls["pyramid"]
    wins = 0
    for number in range(12):
        players = [player(mummy), *[player(hunters)] * 2]
        dealer = Dealer(lambda: Pyramid(3, data, Options(first=0)), players, rng_of("match", side, number))
        wins += dealer.run(limit=4_000).reason == side
    assert wins >= 10
