"""The Crypt's sensible player: blind to what its seat cannot see, and clearly better than a greedy one and a random one."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core import bots
from mastaba.core.chance import pick
from mastaba.core.dealer import Dealer
from mastaba.core.games.crypt import Crypt
from mastaba.core.rules import Options
from shares import LONG

SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")


def sensible(view, rng):
    return bots.decide("sensible", view, rng)


def random(view, rng):
    return bots.decide("random", view, rng)


def greedy(view, rng):
    """Uses every power at once; else the coins it can get now, less a point for each die at risk; recovers when that frees more."""
    rules, seat = view.rules, view.seat
    powers = [move for move in view.moves() if move[0] in ("take", "look", "heal", "reroll")]
    if powers:
        return powers[0]

    def points(move):
        if move[0] != "claim":
            return 2.5 * rules.spent[seat] if move[0] == "recover" else 0
        coins = [rules.seen(rules.row[place]) or 2.5 for place, _, _ in move[1:]]
        return sum(coins) - sum(dice * (effort - 1) / 6 for _, effort, dice in move[1:])

    return max(view.moves(), key=points)


def won(data, rng_of, seats, rival, number):
    """One game of a sensible player among rivals, with collectors' sides by lot; its share of the victory."""
    rng, hero = rng_of("match", seats, number), number % seats
    variant = "".join(pick(rng, "ab") for _ in range(6))
    players = [sensible if seat == hero else rival for seat in range(seats)]
    winners = Dealer(lambda: Crypt(seats, data, Options(variant=variant)), players, rng).run().winners
    return (hero in winners) / len(winners)


@pytest.mark.parametrize(("seats", "games"), [(2, 36), (3, 24), (4, 16)] if LONG else [(2, 36)])
def test_one_sensible_player_beats_greedy_ones(shipped, rng_of, seats, games):
    wins = sum(won(shipped["crypt"], rng_of, seats, greedy, number) for number in range(games))
    assert wins / games > 1.25 / seats


@pytest.mark.parametrize("seats", [2, 3, 4] if LONG else [3])
def test_one_sensible_player_beats_random_ones_clearly(shipped, rng_of, seats):
    games = 12
    wins = sum(won(shipped["crypt"], rng_of, seats, random, number) for number in range(games))
    assert wins / games >= 0.9


@pytest.mark.parametrize("variant", ["aaaaaa", "bbbbbb"])
def test_it_decides_from_its_view_alone(rng_of, variant):
    """Two tables that differ in every hidden value, and look alike to the seat, get the same decision."""
    decided = []
    for hidden in ("1", "4"):
        row = (*SIX[:4], f"pottery {hidden}", f"remains {hidden}")
        game = CryptTable(4, row, kept=[[], [f"idol {hidden}?", f"tapestry {hidden}?"]], sides=variant, pile=LATER)
        decided.append(sensible(game.view(0), rng_of(1)))
    assert decided[0] == decided[1]


def test_it_claims_the_treasure_that_completes_a_set(rng_of):
    row = ("remains 1", "jewelry 2", "idol 2", "pottery 2")
    game = CryptTable(3, row, kept=[[], [], ["remains 1", "remains 2", "remains 2"]], sides="aaaaba", spent=[0, 0, 2])
    game.play("recover", "recover")
    move = sensible(game.view(2), rng_of(1))
    assert (move[0], move[1][0]) == ("claim", 0)


def test_it_recovers_when_little_can_be_won_with_what_is_left(rng_of):
    game = CryptTable(4, ("idol 1", "jewelry 1", "manuscript 1", "tapestry 1", "pottery 1", "remains 1"), spent=[2, 0, 0, 0], pile=LATER)
    assert sensible(game.view(0), rng_of(1)) == ("recover",)


def test_it_uses_what_costs_nothing(rng_of):
    game = CryptTable(4, SIX, kept=[["manuscript 1"]], sides="aabaaa")
    assert sensible(game.view(0), rng_of(1)) == ("look", 0)
    game = CryptTable(4, SIX, kept=[["pottery 1", "pottery 2"]], sides="aaabaa")
    assert sensible(game.view(0), rng_of(1))[0] == "take"
    game = CryptTable(4, SIX, kept=[["remains 1", "remains 2"]], spent=[1, 0, 0, 0])
    assert sensible(game.view(0), rng_of(1)) == ("heal", 0, 1)


def test_it_does_not_spend_an_idol_on_a_six(rng_of):
    for effort, roll, verb in ((4, 1, "reroll"), (6, 1, "done")):
        game = CryptTable(3, kept=[["idol 1"]], dice=[roll], pile=LATER)
        game.play(f"claim 2:{effort}", "recover", "recover")
        assert sensible(game.view(0), rng_of(1))[0] == verb
