"""Bots: legal, blind to what their seat cannot see, and the sensible one better than the random one."""

from itertools import pairwise

import pytest
from mastaba.core import bots
from mastaba.core.bots.loot import Mind, caught
from mastaba.core.dealer import Dealer
from mastaba.core.errors import LocalError
from mastaba.core.games import GAMES
from mastaba.core.games.loot import worth
from mastaba.core.view import View
from shares import LONG

ONE = ("green - cup",)


def player(level):
    return lambda view, rng: bots.decide(level, view, rng)


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize("name", GAMES)
def test_every_level_plays_every_game_to_its_end(shipped, smalls, rng_of, name, level):
    data = smalls[name] if level == "random" else shipped[name]
    for seats in GAMES[name].rules.SEATS:
        dealer = Dealer(lambda seats=seats: GAMES[name].rules(seats, data), [player(level)] * seats, rng_of(name, level, seats))
        assert dealer.run(limit=3_000).winners or seats == 1


def test_a_seat_that_is_not_asked_has_no_move(table, rng_of):
    game = table([ONE, ONE])
    for view in (game.view(1), game.view(None)):
        with pytest.raises(LocalError, match="not asked"):
            bots.decide("sensible", view, rng_of())


def test_an_unknown_level_is_refused(table, rng_of):
    with pytest.raises(LocalError, match="clever"):
        bots.decide("clever", table([ONE, ONE]).view(0), rng_of())


@pytest.mark.parametrize("level", bots.LEVELS)
def test_a_bot_decides_from_its_view_and_the_random_bytes_alone(shipped, rng_of, level):
    """Two tables that differ in every hidden card, and look alike to the seat, get the same decision."""
    decided = []
    for swap in (False, True):
        dealer = Dealer(lambda: GAMES["loot"].rules(3, shipped["loot"]), [player("random")] * 3, rng_of("alike"))
        for _ in range(60):
            dealer.step()
        while getattr(dealer.spectator.pending, "seat", None) is None:
            dealer.step()
        seat = dealer.spectator.pending.seat
        if swap:
            hidden = [card for card in dealer.spectator.cards_in_play() if dealer.games[seat].seen(card) is None]
            for a, b in pairwise(hidden):
                dealer.truth[a, "face"], dealer.truth[b, "face"] = dealer.truth[b, "face"], dealer.truth[a, "face"]
        decided.append(bots.decide(level, dealer.view(seat), rng_of("dice")))
    assert decided[0] == decided[1]


def test_guesses_agree_with_everything_the_seat_has_seen(table, rng_of):
    game = table([("red - cup",), ("red mummy ring", "green - ring"), ONE], discards=("red amulet scarab",))
    view: View = game.view(0)
    printed = set(game.now.data.cards)
    for guess in Mind(view.rules, 0, rng_of("guess")).guesses:
        assert guess[game.now.hands[0][0]] == ("", ("cup",))
        for card in game.now.hands[1]:
            assert (game.truth[card, "back"], guess[card]) in printed
        assert guess[game.now.hands[1][0]] == ("mummy", ("ring",))  # the only red card that has not been seen


def test_it_runs_when_that_wins(table, rng_of):
    game = table([("red - cup ring", "green - cup"), ("green - ring",), ONE], points=[31, 2, 2])
    assert bots.decide("sensible", game.view(0), rng_of(1)) == ("run",)


def test_it_does_not_end_a_game_that_it_would_lose(table, rng_of):
    game = table([("red - cup",), ("green - ring",), ONE], points=[34, 60, 2], goal=35)
    assert bots.decide("sensible", game.view(0), rng_of(1)) != ("run",)


def test_it_awakens_a_certain_catch(table, rng_of):
    deck = ["green - ring"] * 4
    game = table([("green - crown",), ("red mummy cup chest ring", "red mummy cup chest ring"), ONE], decks=(deck, deck))
    assert bots.decide("sensible", game.view(0), rng_of(1)) == ("wake", 1)


def test_it_leaves_a_certain_escape_alone(table, rng_of):
    deck = ["green - ring"] * 4
    game = table([("green - crown",), ("red amulet cup chest ring", "red amulet cup chest ring"), ONE], decks=(deck, deck))
    assert bots.decide("sensible", game.view(0), rng_of(1)) != ("wake", 1)


def test_caught_and_worth_follow_the_rules():
    assert not caught([])
    assert not caught([("amulet", ("cup",)), ("mummy", ("cup",))])
    assert caught([("amulet", ("cup",)), ("mummy", ("cup",)), ("frank", ("cup",))])
    assert worth([("", ("cup",)), ("frank", ("cup",))]) == 4


@pytest.mark.parametrize("seats", [2, 4, 6] if LONG else [2])
def test_one_sensible_player_beats_random_ones_clearly(shipped, rng_of, seats):
    games, won = 40, 0.0
    for number in range(games):
        players = [player("sensible" if seat == number % seats else "random") for seat in range(seats)]
        dealer = Dealer(lambda: GAMES["loot"].rules(seats, shipped["loot"]), players, rng_of("match", seats, number))
        winners = dealer.run().winners
        won += (number % seats in winners) / len(winners)
    assert won / games > 0.7  # by chance: 1 / seats
