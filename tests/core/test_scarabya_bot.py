"""Scarabya's bot: it plays what its seat sees, looks further than the points of the moment, and gains by that."""

from mastaba.core import bots
from mastaba.core.bots.scarabya import Site
from mastaba.core.dealer import Dealer
from mastaba.core.games.grid import mask_of
from mastaba.core.games.scarabya import LOT, Scarabya, load, points_of
from mastaba.core.rules import ChooseAll
from sites import GOLDEN, SHIPPED, Sites, data_of, picture

DATA = load(SHIPPED)
LINES = {"I": ["#####"], "J": ["#####"]}


def sensible(view, rng):
    return bots.decide("sensible", view, rng)


def greedy(view, rng):
    """The most points now, and nothing else."""
    if not isinstance(view.asked(), ChooseAll):
        return LOT
    return max(view.moves(), key=lambda move: points_of(view.rules.would_close(view.seat, move[1:])))


def test_it_leaves_the_site_to_chance(rng_of):
    assert bots.decide("sensible", Sites(2, boards=()).view(0), rng_of(1)) == LOT


def test_its_value_of_a_placement_holds_the_points_that_the_rules_give():
    table = Sites(1)
    for tile, _legal, squares, *_ in GOLDEN[:9]:
        table.round(tile, squares)
    table.mission("I")
    site = Site.of(table.now, 0)
    for move in table.now.fits(0):
        after = site.with_tile(mask_of(move[1:]))
        assert site.value(mask_of(move[1:]), 0) == points_of(table.now.would_close(0, move[1:]))
        assert not after.scarabs & mask_of(s for area, _ in table.now.would_close(0, move[1:]) for s in area)


def test_in_the_last_round_it_takes_the_most_points(rng_of):
    table = Sites(2, data_of(picture(("#", "31 32 40 43"), ("s", "41 42")), {"I": ["#####"]}))
    move = bots.decide("sensible", table.view(0), rng_of(2))
    assert points_of(table.now.would_close(0, move[1:])) == 4
    assert set(move[1:]) >= {51, 52}


def test_it_covers_no_scarab_without_need(rng_of):
    table = Sites(2, data_of(picture(("s", "44 45 54 46 35 64")), {"I": ["#####"], "J": ["#####"], "K": ["#####"]}))
    table.mission("I")
    move = bots.decide("sensible", table.view(0), rng_of(3))
    assert len({44, 45, 54, 46, 35, 64} & set(move[1:])) <= 1


def test_two_of_its_kind_do_not_play_alike(rng_of):
    dealer = Dealer(lambda: Scarabya(4, DATA), [sensible] * 4, rng_of("taste"))
    dealer.run()
    assert len({tuple(placed) for placed in dealer.spectator.placed}) >= 3


def test_it_beats_a_greedy_player_clearly(rng_of):
    games, won, ahead = 10, 0.0, 0
    for number in range(games):
        players = [sensible, greedy] if number % 2 else [greedy, sensible]
        dealer = Dealer(lambda: Scarabya(2, DATA), players, rng_of("greedy", number))
        over, me = dealer.run(), 1 - number % 2
        won += (me in over.winners) / len(over.winners)
        ahead += over.scores[me] - over.scores[1 - me]
    assert won >= 8
    assert ahead / games > 8
