"""The Crypt, rows C19 to C41: claiming and recovering."""

import pytest
from crypttable import LATER, CryptTable

FOUR = ("idol 1", "jewelry 2", "manuscript 3", "pottery 4", "remains 1", "tapestry 2")


def test_C19_any_number_of_free_dice_at_least_one():
    game = CryptTable(4, FOUR)
    for text in ("claim 1:3", "claim 1:3 2:3", "claim 1:3 2:3 3:3", "claim 1:3x3"):
        assert text in game.moves
    assert ("claim",) not in game.now.moves_of(game.asked, 0)
    assert ("claim", (0, 3, 0)) not in game.now.moves_of(game.asked, 0)
    assert game.refusal("claim 1:3x2 2:3x2") == "not-enough-dice"


def test_C20_on_as_many_treasures_as_wanted():
    game = CryptTable(4, FOUR)
    game.play("claim 1:1 3:2 6:5")
    assert game.now.held == {0: (0, 1, 1), 2: (0, 2, 1), 5: (0, 5, 1)}


@pytest.mark.parametrize("effort", range(1, 7))
def test_C21_the_owner_picks_any_value_from_1_to_6(effort):
    game = CryptTable(2)
    game.start(f"claim 1:{effort}")
    assert game.now.held == {0: (0, effort, 1)}
    for wrong in (0, 7):
        assert game.now.why_not(game.asked, ("claim", (1, wrong, 1))) == "no-such-effort"


def test_C22_several_dice_on_one_treasure_have_equal_values():
    game = CryptTable(2)
    assert game.now.why_not(game.asked, ("claim", (0, 2, 1), (0, 3, 1))) == "not-in-order"
    assert all(len({part[0] for part in move[1:]}) == len(move) - 1 for move in game.now.moves_of(game.asked, 0) if move[0] == "claim")


def test_C23_dice_on_different_treasures_may_differ():
    game = CryptTable(3)
    game.play("claim 1:1 2:6")
    assert game.now.held == {0: (0, 1, 1), 1: (0, 6, 1)}


def test_C24_exhausted_dice_cannot_be_placed():
    game = CryptTable(3, spent=[2, 0, 0])
    assert game.refusal("claim 1:3x2") == game.refusal("claim 1:3 2:3") == "not-enough-dice"
    assert "claim 1:3" in game.moves


def test_C25_a_treasure_without_dice_can_be_claimed_with_any_value():
    assert {f"claim 1:{effort}" for effort in range(1, 7)} <= set(CryptTable(3).moves)


@pytest.mark.parametrize(("text", "legal"), [("claim 1:3", False), ("claim 1:4", False), ("claim 1:5", True)])
def test_C26_a_held_treasure_needs_a_strictly_higher_total(text, legal):
    game = CryptTable(3)
    game.play("claim 1:4")
    assert (text in game.moves) == legal
    if not legal:
        assert game.refusal(text) == "too-weak"


def test_C27_the_total_is_dice_times_value():
    game = CryptTable(3)
    game.play("claim 1:3x2")
    assert [text for text in game.moves if text.startswith("claim 1:") and len(text.split()) == 2] == [
        "claim 1:4x2",
        "claim 1:5x2",
        "claim 1:6x2",
        "claim 1:3x3",
        "claim 1:4x3",
        "claim 1:5x3",
        "claim 1:6x3",
    ]


def test_C28_dice_that_are_pushed_out_go_back_to_their_owner_free():
    game = CryptTable(3)
    game.play("claim 1:2x2")
    assert game.now.free(0) == 1
    events = game.play("claim 1:5")
    assert game.now.free(0) == 3
    assert game.now.held == {0: (1, 5, 1)}
    assert [(e.seat, e.args) for e in events if e.id == "pushed"] == [(0, (1, 0, 2))]


def test_C29_they_can_be_used_again_only_if_their_owner_still_has_a_turn():
    game = CryptTable(2)
    game.play("claim 1:1x3", "claim 1:4")
    assert game.asked.seat == 0
    assert "claim 2:6x3" in game.moves
    game = CryptTable(3, dice=[6])
    game.play("claim 1:1x3", "claim 1:4")
    assert game.asked.seat == 2
    assert [e.seat for e in game.play("recover") if e.id == "collected"] == [1]


def test_C30_no_claim_on_a_treasure_that_one_holds_already():
    game = CryptTable(2)
    game.play("claim 1:2", "recover")
    assert game.refusal("claim 1:6") == game.refusal("claim 1:3x2") == "already-yours"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_C31_who_has_lights_out_takes_the_last_turn(seats):
    game = CryptTable(seats, pile=LATER)
    while not game.asked.about:
        game.start("recover")
    assert game.asked.seat == (0 if seats == 2 else seats - 1)
    assert "discarded" in [e.id for e in game.play("recover")]


def test_C32_the_last_turn_claims_one_treasure_with_equal_dice():
    game = CryptTable(3)
    game.play("recover", "recover")
    assert game.refusal("claim 1:2 2:2") == "one-treasure-only"
    assert {"claim 1:2", "claim 1:2x2", "claim 1:2x3"} <= set(game.moves)
    assert all(len(text.split()) == 2 for text in game.moves if text.startswith("claim"))


def test_C33_in_the_last_turn_one_may_recover_instead():
    game = CryptTable(3, spent=[0, 0, 2])
    game.play("claim 1:1", "recover", "recover")
    assert game.now.spent == [0, 0, 0]


def test_C34_two_players_the_leader_has_a_second_turn_to_claim_one_or_recover():
    game = CryptTable(2)
    game.play("claim 1:1", "claim 2:1")
    assert (game.asked.seat, game.asked.about) == (0, True)
    assert game.moves[0] == "recover"
    assert game.refusal("claim 2:4 3:1") == "one-treasure-only"
    assert {"claim 2:4", "claim 3:1x2"} <= set(game.moves)


def test_C35_two_players_the_other_turns_are_not_restricted():
    game = CryptTable(2)
    assert "claim 1:1 2:1 3:1" in game.moves
    game.play("recover")
    assert game.asked.seat == 1
    assert "claim 1:1 2:1 3:1" in game.moves


@pytest.mark.parametrize(
    ("first", "second", "held", "spent"),
    [
        ("claim 1:2", "claim 3:1", {0: (0, 2, 1), 2: (0, 1, 1)}, 1),
        ("claim 1:2", "recover", {0: (0, 2, 1)}, 0),
        ("recover", "claim 3:1x3", {2: (0, 1, 3)}, 0),
        ("recover", "recover", {}, 0),
    ],
)
def test_C36_the_leaders_two_turns_are_free_of_each_other(first, second, held, spent):
    game = CryptTable(2, spent=[1, 0], pile=LATER)
    game.play(first, "recover")
    collected = tuple(game.now.row[place] for place in held)
    game.start(second)
    assert tuple(game.now.kept[0]) == collected
    assert game.now.spent[0] == spent


def test_C37_recover_frees_all_ones_exhausted_dice():
    game = CryptTable(3, spent=[3, 1, 2])
    # who has no free die recovers without being asked
    assert [e.args for e in game.events("recover") if e.seat == 0] == [(3,)]
    game.play("recover")
    assert game.now.spent == [0, 0, 2]


def test_C38_an_automatic_recovery_leaves_dice_on_treasures():
    game = CryptTable(2, spent=[1, 0], dice=[2, 3], pile=LATER)
    events = game.play("claim 1:2 2:3", "recover")
    assert [(e.seat, e.args) for e in events if e.id == "recover"] == [(1, (0,)), (0, (1,))]  # no free die, one exhausted
    assert [(e.seat, len(e.args[0])) for e in events if e.id == "collected"] == [(0, 2)]


def test_C38_dice_stay_after_a_chosen_recovery():
    game = CryptTable(2, spent=[1, 0])
    game.play("claim 1:2", "recover")
    game.start("recover")
    assert game.now.held == {0: (0, 2, 1)}
    assert game.now.spent == [0, 0]


def test_C39_recover_with_nothing_exhausted_is_a_pass():
    game = CryptTable(3)
    events = game.play("recover")
    assert [(e.seat, e.args) for e in events if e.id == "recover"] == [(0, (0,))]
    assert game.asked.seat == 1


def test_C40_without_a_free_die_only_recovering_is_left():
    game = CryptTable(3, spent=[3, 0, 0])
    assert game.asked.seat == 1
    assert game.now.spent[0] == 0
    game = CryptTable(3, spent=[3, 0, 0], kept=[["remains 1", "remains 2"]])
    assert game.moves == ["recover", "heal 1 2"]


def test_C41_neither_free_nor_exhausted_dice_the_turn_is_skipped():
    game = CryptTable(2, dice=[6] * 3, pile=LATER)
    events = game.play("claim 1:2 2:2 3:2", "recover")
    assert [e.seat for e in events if e.id == "skipped"] == [0]
    assert [e.seat for e in events if e.id == "collected"] == [0]
