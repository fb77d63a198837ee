"""Loot N Run: the rulings where the rulebook is silent, LR2 to LR11 (LR1 is row L11)."""

import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games.loot import Loot
from mastaba.core.rules import ALL, Answer, Choose, Do, Options, Over, Reveal, Shuffle

ONE = ("green - cup",)
CARD = "yellow - ring"
MUMMY, WOLF, FRANK = "red mummy chest", "red werewolf ring", "yellow frank crown"
DEEP = (["green - ring", "yellow - ring", "red - scarab"], ["green - ring", "green - ring", "yellow - crown"])


def ids(events):
    return [event.id for event in events]


def sizes(game):
    return [len(deck) for deck in game.now.decks]


def whole(game):
    """Every card is in one place."""
    return sorted(game.now.cards_in_play()) == sorted({card for card, part in game.truth if part == "face"})


def test_LR3_nobody_else_holds_a_card_so_awaken_is_not_offered(table):
    assert table([ONE, (), ()]).moves == ["loot 1", "loot 2", "run"]


@pytest.mark.parametrize(
    ("decks", "discards", "after"),
    [((1, 3), 0, [2, 1]), ((1, 1), 1, [1, 1]), ((1, 0), 1, [1, 0]), ((1, 1), 0, [0, 1]), ((1, 0), 0, [0, 0]), ((1, 0), 2, [1, 1])],
)
def test_LR4_when_a_rebuild_is_due(table, decks, discards, after):
    game = table([ONE, ONE, ONE], decks=([CARD] * decks[0], [CARD] * decks[1]), discards=[CARD] * discards)
    game.play("loot 1")
    assert sizes(game) == after


def test_LR4_the_werewolf_draws_from_every_deck_that_is_not_empty(table):
    game = table([("green - cup",), (WOLF,), ONE], decks=([], []))
    game.play("wake 2")  # the target's single card is the only one: a deck of one
    assert len(game.now.lifted) == 1
    assert game.moves == ["keep none", "keep first"]
    assert game.refusal("keep both") == game.refusal("keep second") == "not-drawn"
    game.play("keep first")
    assert game.hand(0) == ["green - cup", WOLF]


def test_LR5_with_two_players_there_is_always_something_to_do(table):
    game = table([(), ONE], decks=([CARD], []), turn=1)
    game.play("loot 1")
    assert game.moves == ["wake 2"]


def test_LR6_frank_in_an_extra_turn_is_a_new_benefit(table):
    game = table([ONE, (FRANK,), (FRANK,), ONE], DEEP)
    assert "frank" in ids(game.play("wake 2"))
    assert "frank" in ids(game.play("wake 3"))


def test_LR8_new_tops_are_open_before_the_keep_decision(table):
    game = table([ONE, (WOLF,), ONE], DEEP)
    game.apply([Answer(("wake", 1))] * 4)
    game.step()
    tops = tuple(deck[-1] for deck in game.now.decks)
    pair = tuple(game.now.lifted)
    assert game.now.agenda[::-1] == [
        Reveal(tops, "back", ALL),
        Reveal(pair, "face", to=(0,)),
        Choose(0, "keeps", then="keep"),
    ]


def test_LR9_rejected_cards_are_known_to_the_drawer_until_the_reshuffle(table):
    game = table([ONE, (WOLF,), ONE], decks=([CARD, "red - crown"], [CARD, "red - scarab"]))
    game.play("wake 2", "keep none")
    rejected = game.now.discards[-2:]
    assert [game.view(0).knows(card) for card in rejected] == [("", ("crown",)), ("", ("scarab",))]
    assert [game.view(1).knows(card, part) for card in rejected for part in ("back", "face")] == ["red", None] * 2
    game.play("loot 1")
    assert [game.view(0).knows(card) for card in rejected] == [None, None]


def test_LR10_revealed_discards_stay_public(table):
    game = table([("red - cup", "red - ring"), ONE, ONE])
    game.play("run", "loot 1", "loot 2")
    assert [game.view(None).knows(card) for card in game.now.discards] == [("", ("cup",)), ("", ("ring",))]


def test_LR11_the_goal_stays_that_of_the_starting_number(table):
    game = table([("red - cup ring",), *[ONE] * 5], points=[28, 0, 0, 0, 0, 0])
    for seat in (5, 4, 3):
        game.leave(seat)
    game.play("run")
    assert game.now.over
    assert game.now.scores()[0] == 30


def test_LR11_the_leavers_cards_are_discards_and_nobody_sees_them(table):
    game = table([ONE, ("red - cup", MUMMY), ONE])
    cards = list(game.now.hands[1])
    events = game.leave(1)
    assert [(e.id, e.seat, e.args) for e in events] == [("left", 1, ())]
    assert game.now.discards == cards
    assert [game.view(s).knows(card) for s in (0, 2, None) for card in cards] == [None] * 6
    assert game.refusal("wake 2") == "has-left"
    assert whole(game)


def test_LR11_turns_skip_who_has_left(table):
    game = table([ONE, ONE, ONE, ONE])
    game.leave(1)
    game.play("loot 1")
    assert game.asked.seat == 2


def test_LR11_with_two_left_no_card_is_needed_to_awaken(table):
    game = table([ONE, ONE, (), ()], DEEP, turn=2)
    assert "wake 1" not in game.moves
    game.leave(3)
    game.leave(1)
    assert "wake 1" in game.moves


def test_LR11_who_leaves_on_his_turn_loots_and_the_next_plays(table):
    game = table([ONE, ONE, ONE])
    events = game.leave(0)
    assert ids(events) == ["loot", "left"]
    assert events[-1].args == (True,), "it is told that the move was not his own"
    game.settle()
    assert game.asked.seat == 1
    assert len(game.now.discards) == 2
    assert whole(game)


def test_LR11_a_leavers_extra_turn_and_benefits_are_lost(table):
    game = table([ONE, (WOLF, FRANK), ONE], DEEP)
    game.play("wake 2")
    assert game.asked.moves == "keeps"
    events = game.leave(0)
    game.settle()
    assert [(e.id, e.seat) for e in events] == [("kept", 0), ("frank", 0), ("turn", 0), ("left", 0), ("turn", 1)]
    assert game.asked.seat == 1
    assert not game.now.lifted
    assert whole(game)


def test_LR11_leaving_while_the_werewolfs_cards_are_dealt(table):
    game = table([ONE, (WOLF, FRANK), ONE], DEEP)
    game.apply([Answer(("wake", 1))] * 4)
    while game.now.pending != Reveal(tuple(game.now.lifted), "face", to=(0,)):
        game.step()
    game.leave(0)
    game.settle()
    assert game.asked.seat == 1
    assert whole(game)


def test_LR11_leaving_during_a_rebuild_keeps_every_card(table):
    game = table([ONE, (WOLF,), ONE], decks=([CARD], []))
    shuffle = game.play_until_shuffle("wake 2")
    assert Do("draw") in game.now.agenda
    game.leave(2)
    game.settle()
    assert len(shuffle.cards) == 2
    assert len(game.now.discards) == 1
    assert whole(game)
    game = table([ONE, ONE, ONE], decks=([CARD], [CARD, CARD]))
    game.play_until_shuffle("loot 1")
    game.leave(0)
    assert isinstance(game.now.pending, Shuffle)
    game.settle()
    assert whole(game)
    assert game.asked.seat == 1


def test_LR11_an_awakener_who_leaves_gets_nothing_and_the_target_what_is_his(table):
    for hand, score in (((MUMMY, FRANK), 0), (("red - cup ring",), 2)):
        game = table([ONE, hand, ONE], DEEP)
        game.apply([Answer(("wake", 1))] * 4)
        game.leave(0)
        game.settle()
        assert game.now.scores() == (0, score, 0)
        assert game.asked.seat == 1


def test_LR11_a_target_who_leaves_is_still_opened(table):
    game = table([ONE, (MUMMY,), ONE], DEEP)
    game.apply([Answer(("wake", 1))] * 4)
    game.leave(1)
    game.settle()
    assert game.now.scores() == (1, 0, 0)
    assert game.asked.seat == 2


def test_LR11_leaving_after_the_goal_changes_nothing_but_the_victory(table):
    game = table([("red - cup",), ("red - ring cup", "green - ring"), ONE], points=[34, 34, 0])
    game.apply([Answer(("run",))] * 4)
    game.step()
    assert game.now.ending
    game.leave(1)
    game.settle()
    assert game.now.pending == Over((35, 39, 1), (0,), "goal")


def test_LR11_one_seat_left_has_won(table):
    game = table([ONE, ONE, ONE], points=[3, 20, 9])
    game.leave(1)
    game.leave(2)
    assert game.now.pending == Over((3, 20, 9), (0,), "left")


def test_LR11_the_first_player_may_leave_before_the_first_turn(shipped, rng_of):
    dealer = Dealer(lambda: Loot(3, shipped["loot"], Options(first=1)), [None] * 3, rng_of("early"))
    dealer.leave(1)
    while not isinstance(dealer.spectator.pending, Choose):
        dealer.step()
    assert dealer.spectator.pending.seat == 2
