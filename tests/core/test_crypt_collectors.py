"""The Crypt, rows C59 to C90: flips and the twelve sides of the collectors."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.games.crypt_score import Holding, tally
from mastaba.core.rules import ALL, Choose, Reveal, Roll

ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")
SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")


def bonus(kind, side, *hands, first=()):
    """The points for one type by seat."""
    holdings = [Holding({kind: hand}, first=seat in first) for seat, hand in enumerate(hands)]
    parts = tally({**dict.fromkeys(TYPES, "a"), kind: side}, holdings)
    return [dict(p).get(kind, 0) for p in parts]


def flips(game):
    return [(event.seat, *event.args[::2]) for event in game.events("flip")]


# -- flips ------------------------------------------------------------------------------------------------------------


def test_C59_a_flip_turns_the_required_treasures_face_up():
    game = CryptTable(3, ROW, kept=[["remains 3?", "remains 2"]], spent=[1, 0, 0])
    hidden, open_ = game.now.kept[0]
    assert game.start("heal 1 2") == Reveal((hidden, open_), "face", ALL, by=0, then="flips", about=(0, "remains"))
    game.settle()
    assert game.who_knows(hidden) == [-1, 0, 1, 2]
    assert game.now.flipped == {hidden, open_}


def test_C60_a_power_can_be_used_again_while_enough_lie_face_down():
    game = CryptTable(3, ROW, kept=[["remains 1", "remains 2", "remains 3", "remains 4"]], spent=[3, 0, 0])
    game.play("heal 1 2", "heal 3 4")
    assert game.now.spent[0] == 1
    assert not [move for move in game.moves if move.startswith("heal")]


def test_C61_a_flipped_treasure_cannot_be_flipped_again():
    game = CryptTable(3, ROW, kept=[["remains 1!", "remains 2", "remains 3"]], spent=[1, 0, 0])
    assert [move for move in game.moves if move.startswith("heal")] == ["heal 2 3"]
    assert game.refusal("heal 1 2") == "already-flipped"


def test_C62_flipped_treasures_still_score():
    game = CryptTable(2, kept=[["remains 1", "remains 4?"]], spent=[1, 0])
    assert game.now.bounds(lambda key: game.truth.get(key))[0] == (7, 7)
    game.play("heal 1 2")
    assert game.now.bounds(lambda key: game.truth.get(key))[0] == (8, 8)


def test_C63_the_owner_chooses_which_ones_to_flip():
    game = CryptTable(3, ROW, kept=[["remains 1", "remains 2", "remains 3"]], spent=[1, 0, 0])
    assert [move for move in game.moves if move.startswith("heal")] == ["heal 1 2", "heal 1 3", "heal 2 3"]
    game.play("heal 1 3")
    assert game.of(0) == ["remains 1!", "remains 2", "remains 3!"]


def test_C64_treasures_from_face_up_count_as_face_down_once_collected():
    game = CryptTable(3, ROW, kept=[["idol 1"]], pile=LATER, dice=[2])
    game.play("claim 2:5", "recover", "recover")
    assert game.asked == Choose(0, "rerolls", then="reroll")
    assert "reroll 1 5" in game.moves


# -- Idol -------------------------------------------------------------------------------------------------------------


def test_C65_idol_a_flips_an_idol_to_roll_a_die_again():
    game = CryptTable(3, ROW, kept=[["idol 2?"]], pile=LATER, dice=[2, 6])
    (idol,) = game.now.kept[0]
    game.play("claim 2:5", "recover", "recover")
    assert game.moves == ["done", "reroll 1 5"]
    assert game.start("reroll 1 5") == Reveal((idol,), "face", ALL, by=0, then="flips", about=(0, "idol"))
    game.step()
    assert game.now.pending == Roll(1, 6, then="rerolled", about=(0, 5))
    game.settle()
    assert game.now.spent[0] == 0


def test_C66_an_idol_collected_in_this_very_phase_may_be_used():
    game = CryptTable(3, ROW, pile=LATER, dice=[2])
    game.play("claim 1:5", "recover", "recover")
    assert game.moves == ["done", "reroll 1 5"]


@pytest.mark.parametrize(("value", "spent"), [(4, 1), (5, 0)])
def test_C67_the_new_roll_decides_by_the_same_effort(value, spent):
    game = CryptTable(3, ROW, pile=LATER, dice=[2, value])
    game.play("claim 1:5", "recover", "recover", "reroll 1 5")
    assert game.now.spent[0] == spent


def test_C68_several_idols_several_rolls_also_of_the_same_die():
    game = CryptTable(3, ROW, kept=[["idol 1", "idol 2"]], pile=LATER, dice=[1, 2, 3])
    game.play("claim 2:6", "recover", "recover", "reroll 1 6")
    assert game.moves == ["done", "reroll 2 6"]
    game.play("reroll 2 6")
    assert game.asked.moves == "turns"
    assert game.now.spent[0] == 1


def test_C69_only_a_die_exhausted_in_this_phase():
    game = CryptTable(3, ROW, kept=[["idol 1"]], spent=[1, 0, 0], pile=LATER, dice=[5])
    game.play("claim 2:5", "recover", "recover")
    assert game.asked.moves == "turns"
    game = CryptTable(3, ROW, kept=[["idol 1"]], pile=LATER, dice=[5, 2])
    game.play("claim 2:5 3:4", "recover", "recover")
    assert game.moves == ["done", "reroll 1 4"]
    assert game.refusal("reroll 1 5") == "no-such-die"


def test_C70_idol_b_the_first_to_have_two_flips_them():
    game = CryptTable(3, ROW, kept=[["idol 4?"]], sides="baaaaa", pile=LATER)
    events = game.play("claim 1:1", "recover", "recover")
    assert [(e.seat, e.args[2]) for e in events if e.id == "flip"] == [(0, (4, 3))]
    assert game.now.idol_first == [0]
    assert bonus("idol", "b", [4, 3], first={0}) == [5]


def test_C71_several_in_the_same_collect_each_get_the_five():
    row = ("idol 3", "idol 2", "manuscript 4", "pottery 1")
    game = CryptTable(3, row, kept=[["idol 1"], ["idol 4"]], sides="baaaaa", pile=LATER)
    game.play("claim 1:1", "claim 2:1", "recover")
    assert game.now.idol_first == [0, 1]
    assert sorted(seat for seat, _, _ in flips(game)) == [0, 1]


def test_C72_two_or_more_later_stay_face_down_for_two():
    row = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")
    game = CryptTable(3, row, kept=[["idol 1!", "idol 2!"], ["idol 4"]], sides="baaaaa", pile=LATER)
    for rules in game.games:
        rules.idol_first = [0]
    game.play("recover", "claim 1:1", "recover")
    assert game.now.idol_first == [0]
    assert game.of(1) == ["idol 4", "idol 3"]
    assert bonus("idol", "b", [1, 2], [4, 3], [2], first={0}) == [5, 2, 0]


def test_C73_one_idol_reward_a_player():
    assert bonus("idol", "b", [1, 2, 3, 4], first={0}) == [5]


def test_C74_with_three_idols_open_values_are_flipped_first_then_the_earliest():
    game = CryptTable(4, ("idol 3", "idol 4", "idol 2", "jewelry 2", "idol 1", "pottery 1"), sides="baaaaa", pile=LATER)
    game.play("claim 1:1 2:1 5:1", "recover", "recover", "recover")
    assert game.of(0) == ["idol 3!", "idol 4!", "idol 1"]
    game = CryptTable(4, ("idol 3", "idol 2", *SIX[2:]), kept=[["idol 4?"]], sides="baaaaa", pile=LATER)
    game.play("claim 1:1 2:1", "recover", "recover", "recover")
    assert game.of(0) == ["idol 4", "idol 3!", "idol 2!"]


# -- Jewelry, Manuscript ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "points"), [([], 0), ([4], 0), ([1, 4], 4), ([1, 2, 3], 3), ([2, 2], 2)])
def test_C75_jewelry_a_with_two_or_more_the_dearest_counts_twice(hand, points):
    assert bonus("jewelry", "a", hand) == [points]


@pytest.mark.parametrize("n", range(5))
def test_C76_jewelry_b_one_for_each(n):
    assert bonus("jewelry", "b", [2] * n) == [n]


@pytest.mark.parametrize(("hand", "points"), [([], 0), ([1], 0), ([1, 2], 5), ([4, 4], 0), ([1, 1, 4], 6)])
def test_C77_manuscript_a_with_two_or_more_each_counts_four(hand, points):
    assert bonus("manuscript", "a", hand) == [points]


def test_C78_manuscript_b_shows_all_face_down_treasures_secretly():
    game = CryptTable(4, SIX, kept=[["manuscript 1?"]], sides="aabaaa")
    down = tuple(game.now.row[4:])
    assert "look 1" in game.moves
    assert game.start("look 1").by == 0
    game.step()
    assert game.now.pending == Reveal(down, "face", to=(0,))
    game.settle()
    assert [game.who_knows(card) for card in down] == [[0], [0]]
    assert game.asked == Choose(0, "turns", then="act", about=False)
    assert "look" not in [text.split()[0] for text in game.moves]


# -- Pottery, Remains -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "points"), [(0, 0), (1, 0), (2, 2), (3, 4), (4, 8), (5, 8)])
def test_C79_pottery_a(n, points):
    assert bonus("pottery", "a", [1] * n) == [points]


def test_C80_pottery_b_takes_a_face_down_treasure_before_claim():
    game = CryptTable(4, SIX, kept=[[], ["pottery 1?", "pottery 2"]], sides="aaabaa")
    assert game.asked == Choose(1, "befores", then="act_before")
    assert game.moves == ["done", "take 1 2 5", "take 1 2 6"]
    card = game.now.row[5]
    game.play("take 1 2 6")
    assert game.of(1) == ["pottery 1!", "pottery 2!", "remains 4"]
    assert game.who_knows(card) == [1]
    assert game.asked == Choose(0, "turns", then="act", about=False)


def test_C81_it_may_be_repeated_while_face_down_treasures_are_left():
    pots = ["pottery 1", "pottery 2", "pottery 3", "pottery 4", "pottery 2", "pottery 4"]
    game = CryptTable(4, SIX, kept=[pots], sides="aaabaa")
    game.play("take 1 2 5", "take 3 4 6")
    assert game.asked.moves == "turns"
    assert game.now.face_down() == []
    assert len(game.now.kept[0]) == 8


def test_C82_disputes_by_turn_order():
    two = ["pottery 1", "pottery 2"]
    game = CryptTable(3, ROW, kept=[two, two, two], sides="aaabaa", leader=1)
    assert (game.asked.seat, game.asked.moves) == (1, "befores")
    game.play("done")
    assert game.asked.seat == 2
    game.play("take 1 2 4")
    assert game.asked == Choose(1, "turns", then="act", about=False)  # nothing face down is left for seat 0


def test_C83_its_place_stays_empty_this_round():
    game = CryptTable(3, ROW, kept=[["pottery 1", "pottery 2"]], sides="aaabaa")
    game.play("take 1 2 4")
    assert game.now.row[3] is None
    assert game.refusal("claim 4:1") == "empty-place"
    assert game.now.held == {}


def test_C84_remains_a_frees_one_exhausted_die():
    game = CryptTable(3, ROW, kept=[["remains 1", "remains 2"]], spent=[2, 0, 0])
    game.play("heal 1 2")
    assert game.now.spent[0] == 1
    assert game.asked == Choose(0, "turns", then="act", about=False)


@pytest.mark.parametrize(("n", "points"), [(3, 0), (4, 10), (5, 10), (8, 10)])
def test_C85_remains_b_four_or_more_ten_once(n, points):
    assert bonus("remains", "b", [1] * n) == [points]


# -- Tapestry ---------------------------------------------------------------------------------------------------------


def test_C86_tapestry_a_most_coins():
    assert bonus("tapestry", "a", [4], [1, 2], [3]) == [5, 0, 0]


def test_C87_tapestry_a_all_who_tie():
    assert bonus("tapestry", "a", [4], [1, 3], [3]) == [5, 5, 0]


def test_C88_tapestry_a_nobody_without_a_tapestry():
    assert bonus("tapestry", "a", [], [], []) == [0, 0, 0]


def test_C89_tapestry_b_the_only_one_with_three():
    assert bonus("tapestry", "b", [1, 1, 1], [4, 4], []) == [7, 0, 0]


def test_C90_tapestry_b_several_with_three():
    assert bonus("tapestry", "b", [1, 1, 1], [4, 4, 4, 1], [2, 2]) == [4, 4, 0]


@pytest.mark.parametrize(("kind", "side"), [("idol", "a"), ("manuscript", "b"), ("pottery", "b"), ("remains", "a")])
def test_sides_with_an_action_give_no_points(kind, side):
    assert bonus(kind, side, [1, 2, 3, 4]) == [0]
