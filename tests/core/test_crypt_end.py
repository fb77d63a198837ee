"""The Crypt, rows C91 to C99: the end, scores, ties."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core.dealer import Dealer
from mastaba.core.games.crypt import Crypt
from mastaba.core.rules import Options, Over, Roll

ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")


def over(game):
    assert isinstance(game.now.pending, Over), game.now.pending
    return game.now.pending


@pytest.mark.parametrize(("seats", "rounds"), [(2, 8), (3, 9), (4, 8)])
def test_C91_the_last_round_is_played_to_its_end(shipped, rng_of, seats, rounds):
    game = Dealer(lambda: Crypt(seats, shipped["crypt"], Options(first=0)), [lambda view, rng: ("recover",)] * seats, rng_of(seats))
    laid, log = [], []
    while not isinstance(game.spectator.pending, Over):
        log += game.step()
        laid.append(len(game.spectator.pile))
    assert [e.args for e in log if e.id == "round"] == [(n, rounds - n) for n in range(1, rounds + 1)]
    assert laid[-1] == 0
    assert len([e for e in log if e.id == "turn"]) == rounds * (3 if seats == 2 else seats)


def test_C92_coins_on_treasures_flipped_ones_included():
    game = CryptTable(3, ROW, kept=[["idol 4!", "tapestry 2?"], ["idol 1"]], spent=[0, 3, 3], sides="abbbbb", dice=[6])
    game.play("recover")
    assert ("coins", 6) in game.events("scored")[0].args[1]


def test_C93_plus_the_collectors_bonuses():
    game = CryptTable(3, ROW, kept=[["jewelry 4?", "jewelry 1"]])
    game.play("recover", "recover", "recover")
    assert game.events("scored")[0].args == (5 + 4 + 3, (("coins", 5), ("jewelry", 4), ("dice", 3)))


def test_C94_plus_one_for_each_free_die():
    game = CryptTable(3, ROW, dice=[1, 6], kept=[["remains 4"]])
    game.play("claim 1:4x2", "recover", "recover", "done")
    assert next(e.args for e in game.events("scored")) == (7 + 2, (("coins", 7), ("dice", 2)))


def test_C95_the_highest_score_wins():
    game = CryptTable(3, ROW, kept=[["remains 2"], ["remains 4"], ["remains 3"]])
    game.play("recover", "recover", "recover")
    assert over(game) == Over((5, 7, 6), (1,), "deck")
    assert game.events("over")[-1].args == ((5, 7, 6), (1,))


def test_C96_who_tie_roll_all_their_free_dice():
    game = CryptTable(3, ROW, kept=[["remains 2"], ["remains 2"], []], dice=[1, 1, 2, 1, 1, 3])
    game.play("recover", "recover")
    game.start("recover")
    while not isinstance(game.now.pending, Roll):
        game.step()
    assert game.now.pending == Roll(6, 6, then="broken", about=((0, 1), 1))
    game.log += game.settle()
    assert [(e.seat, e.args) for e in game.events("tied")] == [(0, ((1, 1, 2),)), (1, ((1, 1, 3),))]
    assert over(game).winners == (1,)


def test_C97_still_tied_those_roll_again():
    game = CryptTable(4, kept=[["remains 2"], ["remains 2"], ["remains 2"], []], dice=[2, 2, 2, 1, 1, 1, 3, 2, 1, 1, 1, 1, 1, 1, 2])
    game.play("recover", "recover", "recover", "recover")
    assert [e.args[0] for e in game.events("tie")] == [(0, 1, 2), (0, 2)]
    assert over(game).winners == (2,)
    assert game.rolls == []


def test_C98_tied_players_without_free_dice_count_nothing():
    game = CryptTable(2, ("jewelry 3", "remains 3", "pottery 1"), dice=[1, 1, 1, 1, 1, 1])
    game.play("claim 1:2x3", "recover")  # 3 coins against 3 free dice
    assert [e.args for e in game.events("tied")] == [((),), ((1, 1, 1),)]
    assert over(game) == Over((3, 3), (1,), "deck")


def test_C99_only_the_tie_for_the_first_place_is_rolled():
    game = CryptTable(3, ROW, kept=[["remains 4"], ["remains 2"], ["remains 2"]])
    game.play("recover", "recover", "recover")
    assert game.events("tie") == []
    assert over(game) == Over((7, 5, 5), (0,), "deck")


def test_the_deck_is_not_empty_before_the_last_round():
    game = CryptTable(3, ROW, pile=LATER)
    game.play("recover", "recover", "recover")
    assert not game.now.over
