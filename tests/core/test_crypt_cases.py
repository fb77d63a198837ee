"""The Crypt: the worked cases CX01 to CX29, with their numbers."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.games.crypt_score import Holding, tally, total
from mastaba.core.rules import Over

THREE = ("idol 3", "jewelry 2", "pottery 1")
ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")
ALL_A = dict.fromkeys(TYPES, "a")


def points(kind, side, *hands):
    parts = tally({**ALL_A, kind: side}, [Holding({kind: hand}) for hand in hands])
    return [dict(p).get(kind, 0) for p in parts]


def turns(game):
    """The seats in the order of this round's turns."""
    order, number = [], game.now.round
    while game.now.round == number and not game.now.over:
        order.append(game.asked.seat)
        game.start("recover")
        game.settle()
    return order


def rest_of_round(game):
    number = game.now.round
    while game.now.round == number and not game.now.over:
        game.play("done" if "done" in game.moves else "recover")


@pytest.mark.parametrize(("claim", "legal"), [("1:5", True), ("1:2x3", True), ("1:4", False), ("1:2x2", False)])
def test_CX01_a_treasure_held_by_two_dice_of_2(claim, legal):
    game = CryptTable(3, ROW)
    game.play("claim 1:2x2")
    assert (f"claim {claim}" in game.moves) == legal


@pytest.mark.parametrize(("roll", "spent"), [(2, 1), (3, 0)])
def test_CX02_effort_3(roll, spent):
    game = CryptTable(3, ROW, pile=LATER, dice=[roll])
    game.play("claim 2:3", "recover", "recover")
    assert game.now.spent[0] == spent
    assert game.of(0) == ["jewelry 2"]


def test_CX03_two_fours_roll_3_and_5():
    game = CryptTable(3, ROW, pile=LATER, dice=[3, 5])
    game.play("claim 2:4x2", "recover", "recover")
    assert (game.now.spent[0], game.now.free(0)) == (1, 2)
    assert game.of(0) == ["jewelry 2"]


def test_CX04_effort_1_is_not_rolled():
    game = CryptTable(3, ROW, pile=LATER)
    game.play("claim 2:1", "recover", "recover")
    assert game.events("rolled") == []


def test_CX05_three_players_the_order_of_three_rounds():
    game = CryptTable(3, pile=LATER)
    assert [turns(game) for _ in range(3)] == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_CX06_two_players_the_order_of_two_rounds():
    game = CryptTable(2, pile=LATER)
    assert [turns(game) for _ in range(2)] == [[0, 1, 0], [1, 0, 1]]


def seventh():
    game = CryptTable(2, THREE, spent=[1, 0], pile=LATER, dice=[6] * 6)
    game.play("claim 1:3 2:2", "claim 1:4 2:3")
    assert game.asked.seat == 0
    assert game.asked.about is True
    return game


def test_CX07_the_second_turn_recovers():
    game = seventh()
    game.play("recover")
    assert game.now.free(0) == 3
    assert game.now.kept[0] == []
    assert game.of(1) == ["idol 3", "jewelry 2"]


def test_CX08_the_second_turn_claims_one_treasure():
    game = seventh()
    assert {"claim 1:3x2", "claim 3:1x2"} <= set(game.moves)
    assert game.refusal("claim 1:5 3:1") == "one-treasure-only"
    game.play("claim 1:3x2")
    assert game.now.spent[0] == 1
    assert game.of(0) == ["idol 3"]


def test_CX09_who_still_has_a_die_on_a_treasure_does_not_recover():
    game = CryptTable(2, THREE, spent=[1, 1], pile=LATER, dice=[6] * 6)
    game.play("claim 1:3 2:2", "claim 1:4 2:3", "claim 1:3x2")
    assert game.events("rested") == []
    assert game.now.spent == [1, 1]


def test_CX10_three_dice_placed_none_pushed_the_second_turn_is_skipped():
    game = CryptTable(2, THREE, pile=LATER, dice=[6] * 3)
    game.play("claim 1:3 2:2x2", "recover")
    assert [e.seat for e in game.events("skipped")] == [0]
    assert game.now.round == 2


def test_CX11_dice_on_two_treasures_the_third_exhausted():
    game = CryptTable(2, THREE, spent=[1, 0], pile=LATER, dice=[6] * 3)
    game.play("claim 1:3 2:2", "recover")
    assert [(e.seat, e.args) for e in game.events("recover")] == [(1, (0,)), (0, (1,))]
    assert game.of(0) == ["idol 3", "jewelry 2"]


def test_CX12_lights_out_with_four_players():
    game = CryptTable(4)
    game.play("recover", "recover", "recover")
    assert game.refusal("claim 1:2x2 2:3") == "one-treasure-only"
    assert "claim 1:4x3" in game.moves


def test_CX13_two_placed_dice_pushed_the_third_exhausted():
    game = CryptTable(3, ROW, spent=[1, 0, 0], pile=LATER, dice=[6, 6])
    game.play("claim 1:3 2:2", "claim 1:4", "claim 2:3")
    assert [(e.seat, e.args) for e in game.events("rested")] == [(0, (1,))]
    assert game.now.spent[0] == 0


def test_CX14_idol_a_twice_on_the_same_die():
    game = CryptTable(3, ROW, kept=[["idol 1?", "idol 2"]], pile=LATER, dice=[2, 4, 5])
    game.play("claim 2:5", "recover", "recover", "reroll 1 5")
    assert game.now.spent[0] == 1
    game.play("reroll 2 5")
    assert game.now.spent[0] == 0
    assert game.of(0)[:2] == ["idol 1!", "idol 2!"]
    assert [(e.args) for e in game.events("reroll")] == [(5, 4), (5, 5)]


def test_CX15_idol_b_two_in_the_same_collect_one_later():
    row = ("idol 3", "idol 2", "manuscript 4", "pottery 1")
    later = ["idol 4", "tapestry 2", "tapestry 3", "tapestry 4"]
    game = CryptTable(3, row, kept=[["idol 1"], ["idol 4"], ["idol 2"]], sides="baaaaa", pile=[*LATER, *later])
    game.play("claim 1:1", "claim 2:1", "recover")
    assert game.now.idol_first == [0, 1]
    place = next(i for i, card in enumerate(game.now.row) if game.truth[card, "back"] == "idol")
    while game.asked.seat != 2:
        game.play("recover")
    game.play(f"claim {place + 1}:1")
    rest_of_round(game)
    assert game.of(0) == ["idol 1!", "idol 3!"]
    assert game.of(1) == ["idol 4!", "idol 2!"]
    assert game.of(2) == ["idol 2", "idol 4"]
    parts = tally(game.now.sides, [known.guess({}, dear=False) for known in game.now.known(game.truth.get)])
    assert [dict(p)["idol"] for p in parts] == [5, 5, 2]


def test_CX16_idol_b_before_claim():
    row = ("idol 3", "jewelry 2", "manuscript 4", "idol 1")
    kept = [["idol 4", "pottery 1", "pottery 2"], ["idol 2"]]
    game = CryptTable(3, row, kept=kept, sides="baabaa", pile=LATER)
    game.play("take 1 2 4", "recover", "claim 1:1", "recover")
    assert game.now.idol_first == [0]
    parts = tally(game.now.sides, [known.guess({}, dear=False) for known in game.now.known(game.truth.get)])
    assert [dict(p).get("idol", 0) for p in parts] == [5, 2, 0]


def test_CX17_jewelry_1_and_4():
    assert points("jewelry", "a", [1, 4]) == [4]
    assert points("jewelry", "b", [1, 4]) == [2]


def test_CX18_manuscripts_1_and_2():
    assert points("manuscript", "a", [1, 2]) == [5]
    assert points("manuscript", "a", [1]) == [0]


def test_CX19_pottery():
    assert [points("pottery", "a", [2] * n)[0] for n in range(1, 6)] == [0, 2, 4, 8, 8]


def test_CX20_remains():
    assert [points("remains", "b", [2] * n)[0] for n in (3, 4, 8)] == [0, 10, 10]


def test_CX21_tapestries_tie():
    assert points("tapestry", "a", [4, 1], [3, 2], []) == [5, 5, 0]


def test_CX22_three_tapestries():
    assert points("tapestry", "b", [1, 1, 1], [2, 2, 2], [4, 4]) == [4, 4, 0]
    assert points("tapestry", "b", [1, 1, 1], [2, 2], [4, 4]) == [7, 0, 0]


def test_CX23_a_final_score():
    mine = {"idol": [2], "jewelry": [1, 4], "manuscript": [1, 2], "pottery": [3, 3, 2], "remains": [1], "tapestry": [4]}
    parts = tally(ALL_A, [Holding(mine, dice=2), Holding({"tapestry": [3]}), Holding({}), Holding({})])[0]
    assert parts == (("coins", 23), ("jewelry", 4), ("manuscript", 5), ("pottery", 4), ("tapestry", 5), ("dice", 2))
    assert total(parts) == 43


def test_CX24_two_tied_roll_twice():
    game = CryptTable(2, ("jewelry 1", "pottery 4", "pottery 3"), kept=[["remains 2"], ["remains 2"]])
    game.rolls += [1, 5, 2, 1, 3, 3, 6, 1, 2, 2, 2]
    game.play("claim 1:2", "recover", "recover")
    assert [e.args for e in game.events("tied")] == [((5, 2),), ((1, 3, 3),), ((6, 1),), ((2, 2, 2),)]
    assert game.now.pending == Over((5, 5), (0,), "deck")


@pytest.mark.parametrize("roll", [1, 6])
def test_CX25_two_tied_one_without_free_dice(roll):
    game = CryptTable(2, ("jewelry 3", "remains 3", "pottery 1"), kept=[[], []], dice=[1, 1, 1, roll, roll, roll])
    game.play("claim 1:2x3", "recover")
    assert game.now.pending == Over((3, 3), (1,), "deck")


def test_CX26_two_tied_both_without_free_dice():
    game = CryptTable(2, ("jewelry 3", "remains 3", "pottery 1"), dice=[1] * 6)
    game.play("claim 1:2x3", "claim 2:2x3")
    assert game.events("tie") == []
    assert game.now.pending == Over((3, 3), (0, 1), "deck")


def test_CX27_remains_a_once_after_the_last_collect():
    game = CryptTable(3, ROW, kept=[["remains 1?", "remains 2?"]], dice=[1])
    game.play("claim 2:4", "recover", "recover")
    assert game.moves == ["done", "heal 1 2"]
    assert len([card for card in game.now.kept[0] if game.now.seen(card) is None]) == 2  # nothing is open yet
    game.play("heal 1 2")
    assert dict(game.events("scored")[0].args[1])["dice"] == 3


def test_CX28_both_face_down_treasures_before_anyone_else_is_asked():
    row = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")
    four = ["pottery 1", "pottery 2", "pottery 4", "pottery 1"]
    game = CryptTable(4, row, kept=[four, ["pottery 2", "pottery 4"]], sides="aaabaa")
    game.play("take 1 2 5", "take 3 4 6")
    assert game.of(0)[-2:] == ["pottery 3", "remains 4"]
    assert (game.asked.seat, game.asked.moves) == (0, "turns")


def test_CX29_a_face_down_treasure_that_nobody_claimed():
    game = CryptTable(3, ROW, kept=[[], ["manuscript 1"]], sides="aabaaa", pile=LATER)
    card = game.now.row[3]
    game.play("recover", "look 1", "recover", "recover")
    assert card in game.now.discards
    assert game.who_knows(card) == [1]
