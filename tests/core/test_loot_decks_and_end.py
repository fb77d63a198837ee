"""Loot N Run, rows L62 to L75: rebuilt decks, the end, and the seat that can do nothing."""

import pytest
from mastaba.core.rules import Choose, Over

ONE = ("green - cup",)
MUMMY, WOLF, FRANK = "red mummy chest", "red werewolf ring", "yellow frank crown"
LAST, SOME = ("red - crown",), ("green - ring", "yellow - ring", "green - ring")


def ids(events):
    return [event.id for event in events]


def scored(events):
    return [(event.seat, event.args[0]) for event in events if event.id == "scored"]


def test_L62_when_a_deck_runs_out_the_other_and_the_discards_make_two_new_decks(table):
    game = table([ONE, ONE, ONE], decks=(LAST, SOME), discards=("red - cup",) * 3)
    loose = {*game.now.decks[1], *game.now.discards}
    shuffle = game.play_until_shuffle("loot 1")
    assert set(shuffle.cards) == loose
    events = game.settle()
    assert [e.args for e in events if e.id == "rebuilt"] == [(3, 3)]
    assert game.now.discards == []


@pytest.mark.parametrize(("discards", "sizes"), [(3, [3, 3]), (4, [4, 3])])
def test_L63_the_new_decks_are_equal_and_an_odd_card_goes_to_the_first(table, discards, sizes):
    game = table([ONE, ONE, ONE], decks=(SOME, LAST), discards=("red - cup",) * discards)
    game.play("loot 2")
    assert [len(deck) for deck in game.now.decks] == sizes


def test_L64_cards_in_front_of_players_stay_out_of_that_shuffle(table):
    game = table([ONE, ONE, ONE], decks=(LAST, SOME))
    hands = [list(hand) for hand in game.now.hands]
    shuffle = game.play_until_shuffle("loot 1")
    game.settle()
    assert not set(shuffle.cards) & {card for hand in game.now.hands for card in hand}
    assert game.now.hands[1:] == hands[1:]
    assert game.view(1).knows(hands[1][0]) == ("", ("cup",))


def test_L65_after_it_new_tops_are_open_and_older_knowledge_is_gone(table):
    game = table([ONE, (WOLF,), ONE], decks=(LAST, ("green - ring", "yellow - ring", "red - scarab")))
    game.play("wake 2", "keep none")  # seat 0 has seen both; one deck is empty now, so they are in the shuffle
    fresh = [card for deck in game.now.decks for card in deck]
    assert min(fresh) > max(card for hand in game.now.hands for card in hand)
    assert [game.view(s).knows(card) for s in (0, 1, 2, None) for card in fresh] == [None] * 4 * len(fresh)
    tops = [deck[-1] for deck in game.now.decks]
    assert [card for card in fresh if game.view(None).knows(card, "back")] == tops


@pytest.mark.parametrize("seats", range(2, 6))
def test_L66_the_game_ends_as_soon_as_somebody_has_35(table, seats):
    for points, ends in ((32, False), (33, True)):
        game = table([("red - cup ring",), *[ONE] * (seats - 1)], points=[points] + [0] * (seats - 1))
        game.play("run")
        assert game.now.over == ends


def test_L67_with_six_players_30(table):
    for points, ends in ((27, False), (28, True)):
        game = table([("red - cup ring",), *[ONE] * 5], points=[points] + [0] * 5)
        game.play("run")
        assert game.now.over == ends


def test_L68_pending_benefits_and_extra_turns_are_lost(table):
    game = table([ONE, (MUMMY, WOLF, FRANK), ONE], points=[32, 0, 0])
    events = game.play("wake 2")
    assert game.now.over
    assert not {"werewolf", "frank", "turn"} & set(ids(events))


@pytest.mark.parametrize(
    ("hands", "points", "move", "seat"),
    [
        ([("red - cup",), ONE, ONE], [34, 0, 0], "run", 0),
        ([ONE, (MUMMY,), ONE], [34, 0, 0], "wake 2", 0),
        ([ONE, ("red - cup",), ONE], [0, 34, 0], "wake 2", 1),
    ],
)
def test_L69_any_scoring_triggers_the_end(table, hands, points, move, seat):
    game = table(hands, points=points)
    events = game.play(move)
    assert game.now.over
    assert [e.seat for e in events if e.id == "goal"] == [seat]


def test_L70_then_everybody_reveals_his_remaining_cards_and_scores_them(table):
    game = table([("red - cup",), ("red - cup ring",), ("green - crown",), ()], points=[34, 0, 0, 0])
    cards = [card for hand in game.now.hands for card in hand]
    events = game.play("run")
    assert [game.view(None).knows(card) for card in cards] == [game.truth[card, "face"] for card in cards]
    assert scored(events) == [(0, 1), (1, 2), (2, 1)]
    assert game.now.scores() == (35, 2, 1, 0)


def test_L71_the_last_scores_are_runs_player_by_player(table):
    game = table([("red - cup",), ("red - cup ring", "green - cup"), ("green - cup",)], points=[34, 0, 0])
    game.play("run")
    assert game.now.scores() == (35, 5, 1)


def test_L72_who_triggered_the_end_need_not_win(table):
    game = table([("red - cup",), ("red - cup ring", "green - cup ring"), ONE], points=[34, 30, 0])
    game.play("run")
    assert game.now.pending == Over((35, 38, 1), (1,), "goal")


def test_L73_all_who_tie_for_most_share_the_victory(table):
    game = table([("red - cup",), ("red - cup ring",), ("red - cup ring",)], points=[34, 33, 33])
    game.play("run")
    assert game.now.pending == Over((35, 35, 35), (0, 1, 2), "goal")


def test_L74_nothing_caps_scores_and_the_last_scoring_triggers_nothing(table):
    game = table([("red - cup ring", "red - cup ring"), ("red - cup ring",), ONE], points=[34, 34, 34])
    events = game.play("run")
    assert game.now.scores() == (42, 36, 35)
    assert ids(events).count("goal") == 1


def test_L75_a_seat_that_can_do_nothing_passes_unasked(table):
    game = table([(), ONE, ONE], decks=(LAST, []), turn=2)
    events = game.play("loot 1")
    assert [(e.id, e.seat) for e in events if e.id in ("passed", "turn")] == [("passed", 0), ("turn", 1)]
    assert game.asked == Choose(1, "actions", then="act")


def test_L75_two_seats_in_a_row_pass(table):
    game = table([(), (), ONE, ONE], decks=(LAST, []), turn=3)
    events = game.play("loot 1")
    assert [e.seat for e in events if e.id == "passed"] == [0, 1]
    assert game.asked.seat == 2
