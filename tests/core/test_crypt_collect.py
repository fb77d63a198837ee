"""The Crypt, rows C42 to C58: Collect, passing the torches."""

import pytest
from crypttable import LATER, CryptTable
from mastaba.core.rules import Reveal, Roll

ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")


def ids(events):
    return [event.id for event in events]


def test_C42_treasures_without_dice_are_discarded():
    game = CryptTable(3, ROW, pile=LATER)
    row = list(game.now.row)
    events = game.play("claim 2:1", "recover", "recover")
    assert [e.args[0] for e in events if e.id == "discarded"] == [(row[0], row[2], row[3])]
    assert set(game.now.discards) >= {row[0], row[2], row[3]}
    assert game.of(0) == ["jewelry 2"]


def test_C43_a_face_down_one_is_discarded_unseen():
    game = CryptTable(3, ROW, pile=LATER)
    card = game.now.row[3]
    events = game.play("recover", "recover", "recover")
    assert [e.args[1:] for e in events if e.id == "discarded"] == [(("idol", "jewelry", "manuscript", "pottery"), (3, 2, 4, None))]
    assert game.who_knows(card) == []


def test_C44_every_die_is_rolled_by_itself():
    game = CryptTable(3, ROW, pile=LATER, dice=[2, 5, 3])
    game.play("claim 1:3x2 2:3", "recover")
    game.start("recover")
    assert game.now.pending == Roll(3, 6, then="roll", about=((0, 0, 3), (0, 0, 3), (0, 1, 3)))
    game.settle()
    assert game.now.spent == [1, 0, 0]


def test_C45_each_effort_is_named_with_its_roll():
    game = CryptTable(3, ROW, pile=LATER, dice=[2, 6, 5])
    game.play("claim 1:3 2:4", "claim 3:6", "recover")
    assert [(e.seat, e.args) for e in game.events("rolled")] == [(0, (((0, 3, 2), (1, 4, 6)),)), (1, (((2, 6, 5),),))]


@pytest.mark.parametrize("effort", range(2, 7))
def test_C46_a_roll_below_the_effort_exhausts(effort):
    game = CryptTable(3, ROW, pile=LATER, dice=[effort - 1])
    game.play(f"claim 1:{effort}", "recover", "recover")
    assert game.now.spent == [1, 0, 0]


@pytest.mark.parametrize(("effort", "value"), [(2, 2), (2, 6), (4, 4), (5, 6), (6, 6)])
def test_C47_an_equal_or_higher_roll_frees(effort, value):
    game = CryptTable(3, ROW, pile=LATER, dice=[value])
    game.play(f"claim 1:{effort}", "recover", "recover")
    assert game.now.spent == [0, 0, 0]
    assert game.now.free(0) == 3


def test_C48_effort_1_is_not_rolled():
    game = CryptTable(3, ROW, pile=LATER)
    events = game.play("claim 1:1x3", "recover", "recover")
    assert "rolled" not in ids(events)
    assert game.now.spent == [0, 0, 0]


@pytest.mark.parametrize("value", [1, 6])
def test_C49_the_treasure_is_collected_whatever_the_dice_show(value):
    game = CryptTable(3, ROW, pile=LATER, dice=[value])
    game.play("claim 1:5", "recover", "recover")
    assert game.of(0) == ["idol 3"]


def test_C50_a_face_down_treasure_is_shown_to_its_collector_alone():
    game = CryptTable(3, ROW, pile=LATER)
    card = game.now.row[3]
    game.play("recover", "claim 4:1")
    assert game.start("recover") == Reveal((card,), "face", to=(1,))
    game.settle()
    assert game.who_knows(card) == [1]


def test_C51_the_columns_are_open_by_type_not_by_value():
    game = CryptTable(3, ROW, pile=LATER)
    card = game.now.row[3]
    game.play("recover", "claim 4:1 1:1", "recover")
    assert [e.args for e in game.events("collected")] == [((game.now.kept[1][0], card), ("idol", "pottery"))]
    for seat in (0, 2, -1):
        assert game.games[seat].column(1, "pottery") == [card]
        assert game.games[seat].seen(card) is None


def test_C52_one_may_look_at_ones_own_treasures_at_any_time():
    game = CryptTable(3, ROW, kept=[["pottery 4?"], ["remains 2?"]])
    for seat in (0, 1):
        (card,) = game.now.kept[seat]
        assert game.view(seat).knows(card) == game.truth[card, "face"]
        assert game.who_knows(card) == [seat]


def test_C53_with_enough_treasures_the_reward_is_open():
    assert "heal 1 2" in CryptTable(3, ROW, kept=[["remains 1?", "remains 2?"]], spent=[1, 0, 0]).moves
    game = CryptTable(3, ROW, kept=[["remains 1?"]], spent=[1, 0, 0])
    assert game.refusal("heal 1 2") == "no-such-treasure"


def test_C54_several_players_may_have_the_same_reward():
    two = ["remains 3", "remains 2"]
    game = CryptTable(3, ROW, kept=[two, two, two], spent=[1, 1, 1], pile=LATER)
    game.play("heal 1 2", "recover", "heal 1 2", "recover", "heal 1 2", "recover")
    assert [e.seat for e in game.events("heal")] == [0, 1, 2]


def test_C55_all_placed_dice_pushed_out_all_exhausted_recover():
    game = CryptTable(3, ROW, spent=[1, 0, 0], pile=LATER, dice=[6])
    events = game.play("claim 1:1x2", "claim 1:3", "recover")
    assert [(e.seat, e.args) for e in events if e.id == "rested"] == [(0, (1,))]
    assert game.now.spent == [0, 0, 0]


def test_C56_with_one_die_on_a_treasure_there_is_no_such_recovery():
    game = CryptTable(3, ROW, spent=[1, 0, 0], pile=LATER, dice=[6])
    events = game.play("claim 1:1 2:1", "claim 1:3", "recover")
    assert "rested" not in ids(events)
    assert game.now.spent == [1, 0, 0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_C57_both_torches_move_one_seat_to_the_left(seats):
    game = CryptTable(seats, pile=LATER, leader=1)
    leaders = [game.now.leader]
    for _ in range(3):
        number = game.now.round
        while game.now.round == number:
            game.start("recover")
            game.settle()
        leaders.append(game.now.leader)
    assert leaders == [(1 + i) % seats for i in range(4)]


def test_C58_the_second_player_leads_and_the_old_leader_plays_last():
    game = CryptTable(3, pile=LATER)
    game.play("recover", "recover", "recover")
    order = []
    for _ in range(3):
        order.append((game.asked.seat, game.asked.about))
        game.start("recover")
    assert order == [(1, False), (2, False), (0, True)]


def test_nobody_claims_anything_and_nothing_is_rolled():
    game = CryptTable(3, ROW, pile=LATER)
    events = game.play("recover", "recover", "recover")
    assert "rolled" not in ids(events)
    assert game.now.kept == [[], [], []]
