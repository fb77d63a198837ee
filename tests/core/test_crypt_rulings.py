"""The Crypt: the rulings CR1 to CR15, where a row of the checklist or a worked case does not already show them."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core.rules import Choose, Over

ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")
SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")
POTS = ["pottery 1", "pottery 2"]


def test_CR1_a_claim_needs_a_die():
    game = CryptTable(3, ROW)
    assert game.now.why_not(game.asked, ("claim",)) == "no-such-move"
    assert game.now.why_not(game.asked, ("claim", (0, 1, 0))) == "no-dice"


def test_CR2_no_dice_are_added_to_ones_own():
    game = CryptTable(2)
    game.play("claim 1:2", "recover")
    assert not [text for text in game.moves if text.startswith("claim 1:")]


def test_CR3_dice_pushed_out_in_between_are_free_for_the_second_turn():
    game = CryptTable(2)
    game.play("claim 1:2x3", "claim 1:4x2")
    assert "claim 1:3x3" in game.moves


def test_CR4_without_a_free_die_only_remains_a_is_a_reason_to_ask():
    # a Manuscript to look with is none: a look would change nothing about the turn
    game = CryptTable(3, ROW, kept=[["manuscript 1"]], spent=[3, 0, 0], sides="aabaaa")
    assert game.asked.seat == 1
    game = CryptTable(3, ROW, kept=[["remains 1", "remains 2", "manuscript 1"]], spent=[3, 0, 0], sides="aabaaa")
    assert game.moves == ["recover", "look 1", "heal 1 2"]
    game.play("heal 1 2")
    assert "claim 1:6" in game.moves


def test_CR4_nothing_that_can_be_claimed_is_no_question():
    game = CryptTable(2, pile=LATER, spent=[0, 2], dice=[6] * 6)
    game.play("claim 1:6 2:6 3:6")  # one free die cannot beat a six
    assert [(e.seat, e.args) for e in game.events("recover")] == [(1, (2,))]
    assert [e.seat for e in game.events("skipped")] == [0]


def test_CR5_the_recovery_after_being_pushed_out_comes_before_the_rolls():
    game = CryptTable(3, ROW, spent=[1, 0, 0], pile=LATER, dice=[6])
    game.play("claim 1:1", "claim 1:3", "recover")
    ids = [event.id for event in game.log]
    assert ids.index("rested") < ids.index("rolled")


def test_CR6_idol_a_once_round_from_the_leader_after_all_rolls():
    game = CryptTable(3, ROW, kept=[["idol 1"], ["idol 2"], ["idol 4"]], leader=1, pile=LATER, dice=[1, 1, 6])
    game.play("claim 2:5", "recover", "claim 3:5")  # seats 1, 2, 0
    assert (game.asked.seat, game.moves) == (1, ["done", "reroll 1 5"])
    assert [e.seat for e in game.events("rolled")] == [1, 0]
    game.play("done")
    assert (game.asked.seat, game.moves) == (0, ["done", "reroll 1 5"])
    game.play("reroll 1 5")
    assert game.asked.moves == "turns"


def test_CR6_a_safe_die_is_not_rolled_again():
    game = CryptTable(3, ROW, kept=[["idol 1"]], pile=LATER, dice=[6])
    game.play("claim 2:5", "recover", "recover")
    assert game.asked.moves == "turns"


def test_CR7_a_take_before_claim_is_checked_by_itself():
    kept = [["idol 1", *POTS], ["idol 2", *POTS]]
    row = ("manuscript 4", "jewelry 2", "remains 1", "tapestry 3", "idol 3", "idol 4")
    game = CryptTable(4, row, kept=kept, sides="baabaa")
    game.play("take 1 2 5", "take 1 2 6")
    assert game.now.idol_first == [0]
    assert game.of(1) == ["idol 2", "pottery 1!", "pottery 2!", "idol 4"]


def test_CR8_before_claim_manuscripts_and_remains_may_be_used_too():
    kept = [[*POTS, "manuscript 1", "remains 1", "remains 2"]]
    game = CryptTable(4, SIX, kept=kept, spent=[1, 0, 0, 0], sides="aabbaa")
    assert game.moves == ["done", "take 1 2 5", "take 1 2 6", "look 1", "heal 1 2"]
    game.play("look 1")
    assert game.asked.moves == "befores"
    game.play("heal 1 2", "take 1 2 5")
    assert game.asked.moves == "turns"


def test_CR8_a_manuscript_once_a_round_before_or_in_claim():
    kept = [[*POTS, "manuscript 1", "manuscript 2"]]
    game = CryptTable(4, SIX, kept=kept, sides="aabbaa")
    game.play("look 2", "done")
    assert game.asked.moves == "turns"
    assert game.refusal("look 1") == "already-looked"


def test_CR8_without_pottery_b_nobody_is_asked_before_claim():
    game = CryptTable(4, SIX, kept=[[*POTS, "manuscript 1"]], sides="aabaaa")
    assert game.asked.moves == "turns"
    assert game.now.why_not(Choose(0, "befores", then="act_before"), ("take", 0, 1, 4)) == "not-in-play"


def test_CR8_no_look_when_nothing_lies_face_down():
    game = CryptTable(3, ROW, kept=[[*POTS, "manuscript 1"]], sides="aabbaa")
    game.play("take 1 2 4")
    assert game.refusal("look 1") == "nothing-face-down"


def test_CR9_remains_a_needs_an_exhausted_die():
    game = CryptTable(3, ROW, kept=[["remains 1", "remains 2"]])
    assert game.refusal("heal 1 2") == "nothing-exhausted"


def test_CR9_after_the_last_collect_in_turn_order_until_each_stops():
    four = ["remains 1", "remains 2", "remains 3", "remains 4"]
    game = CryptTable(3, ROW, kept=[four, ["remains 2", "remains 3"]], leader=1, dice=[1, 1, 1])
    game.play("claim 2:5", "recover", "claim 3:5x2")
    assert game.asked == Choose(1, "afters", then="act_after")
    game.play("done", "heal 1 2", "heal 3 4")
    assert game.now.over


def test_CR9_there_is_no_such_window_in_earlier_rounds():
    game = CryptTable(3, ROW, kept=[["remains 2", "remains 3"]], dice=[1], pile=LATER)
    game.play("claim 2:5", "recover", "recover")
    assert game.asked.moves == "turns"


def test_CR10_the_second_player_leads_the_next_round():
    game = CryptTable(4, pile=LATER, leader=3)
    game.play(*["recover"] * 4)
    assert game.now.leader == 0


def test_CR11_bounds_hold_what_may_lie_face_down():
    game = CryptTable(3, ROW, kept=[["jewelry 4?", "jewelry 1"], ["tapestry 3?"]], spent=[1, 0, 0])
    own = game.now.bounds(lambda key: game.games[0].seen(*key))
    others = game.now.bounds(lambda key: game.games[2].seen(*key))
    assert own[0] == (5 + 4 + 2, 5 + 4 + 2)
    assert others[0] == (2 + 1 + 2, 5 + 4 + 2)
    assert others[1] == (1 + 5 + 3, 4 + 5 + 3)  # the only Tapestry has the most, whatever it is


def test_CR12_shared_when_none_of_the_tied_has_dice():
    game = CryptTable(2, ("jewelry 3", "remains 3", "pottery 1"), dice=[1] * 6)
    game.play("claim 1:2x3", "claim 2:2x3")
    assert game.now.pending == Over((3, 3), (0, 1), "deck")


def test_CR13_flipped_idols_count_for_their_reward():
    game = CryptTable(3, ROW, kept=[["idol 1", "idol 4"]], sides="baaaaa", pile=LATER)
    game.play("recover", "recover", "recover")
    assert game.of(0) == ["idol 1!", "idol 4!"]
    parts = game.now.bounds(lambda key: game.truth.get(key))
    assert parts[0] == (5 + 5 + 3, 5 + 5 + 3)


def test_CR14_all_collections_are_opened_and_discards_stay_closed():
    game = CryptTable(3, ROW, kept=[["remains 4?"], ["pottery 2?"]])
    discarded = game.now.row[3]
    game.play("recover", "recover", "recover")
    assert all(game.who_knows(card) == [-1, 0, 1, 2] for cards in game.now.kept for card in cards)
    assert game.who_knows(discarded) == []


# -- CR15: who leaves -------------------------------------------------------------------------------------------------


def test_CR15_his_dice_leave_and_his_treasures_are_out_unseen():
    game = CryptTable(3, ROW, kept=[["jewelry 4?"]], pile=LATER)
    (card,) = game.now.kept[0]
    game.play("claim 1:5 2:2")
    game.log += game.leave(0)
    assert game.now.held == {}
    assert game.now.kept[0] == []
    assert card in game.now.discards
    assert game.who_knows(card) == [0]
    assert game.asked.seat == 1
    assert "claim 1:1" in game.moves


def test_CR15_torches_skip_his_seat():
    game = CryptTable(4, pile=LATER)
    game.leave(1)
    order = []
    for _ in range(6):
        order.append((game.asked.seat, game.asked.about))
        game.start("recover")
        game.settle()
    assert order == [(0, False), (2, False), (3, True), (2, False), (3, False), (0, True)]
    assert game.now.leader == 3


def test_CR15_from_three_to_two_no_second_turn():
    game = CryptTable(3, pile=LATER)
    game.leave(2)
    order = []
    for _ in range(4):
        order.append((game.asked.seat, game.asked.about))
        game.start("recover")
        game.settle()
    assert order == [(0, False), (1, True), (1, False), (0, True)]
    assert len(game.now.row) == 4


def test_CR15_who_leaves_in_his_turn_recovers_and_the_next_is_asked():
    game = CryptTable(4, pile=LATER)
    events = game.leave(0)
    assert [e.id for e in events][:1] == ["recover"]
    assert game.asked.seat == 1


def test_CR15_a_leaver_with_the_idol_reward_takes_it_with_him():
    game = CryptTable(3, ROW, kept=[["idol 1", "idol 2"], ["idol 4"]], sides="baaaaa", pile=LATER)
    game.play("recover", "claim 1:1", "recover")
    assert game.now.idol_first == [0, 1]
    game.leave(0)
    assert game.now.scores()[0] == 0


@pytest.mark.parametrize("leaver", [0, 1])
def test_CR15_one_left_has_won(leaver):
    game = CryptTable(2, pile=LATER)
    game.leave(leaver)
    assert game.now.pending == Over(game.now.scores(), (1 - leaver,), "left")


def test_CR15_who_is_gone_cannot_win_the_tie():
    game = CryptTable(3, ROW, kept=[["remains 2"], ["remains 2"]], dice=[6, 6, 6, 1, 1, 1])
    game.play("recover", "recover")
    game.start("recover")
    while type(game.now.pending).__name__ != "Roll":
        game.step()
    game.leave(0)
    game.settle()
    assert game.now.pending == Over((5, 5, 3), (1,), "deck")


def test_CR15_if_all_who_tied_are_gone_the_best_of_the_rest_wins():
    game = CryptTable(4, kept=[["remains 2"], ["remains 2"], ["remains 1"]], dice=[6] * 6)
    game.play("recover", "recover", "recover")
    game.start("recover")
    while type(game.now.pending).__name__ != "Roll":
        game.step()
    game.leave(0)
    game.leave(1)
    game.settle()
    assert game.now.pending == Over((5, 5, 4, 3), (2,), "deck")


def test_CR15_a_treasure_whose_type_is_not_open_yet_is_in_no_column():
    game = CryptTable(3, ROW, kept=[["remains 2?"]])
    (card,) = game.now.kept[0]
    for rules in game.games:
        del rules.shown[card, "back"]
    assert game.now.column(0, "remains") == []
    assert game.now.scores() == (3, 3, 3)
