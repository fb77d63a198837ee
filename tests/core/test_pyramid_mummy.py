"""Pyramid, rows P65 to P97: the mummy's turns, captures, interrupts, the end, five mummies, and blocked hunters."""

import pytest
from mastaba.core.rules import ALL, Ask, Choose, Roll
from pyramidtable import BOARD, SHIPPED, PyramidTable, ended, ids, one, sq

START, DUNGEON = BOARD.start, BOARD.dungeon
FAR = sq(3, 6)
AWAY = (sq(4, 1), sq(5, 12), sq(6, 3))  # where hunters are out of the way


def hunting(*pieces, mummy=DUNGEON, die=3, **given):
    """The mummy's turn, its die thrown: 1, 2, 3 are places 1, 3, 5 of its faces."""
    game = PyramidTable(*(pieces or AWAY[:2]), mummy=mummy, turn="mummy", **given)
    game.bytes = [2 * (die - 1)]
    events = game.play()
    game.log = list(events)
    return game


def test_P65_the_normal_turn_comes_after_the_last_hunters_turn():
    game = PyramidTable(*AWAY[:2], mummy=FAR, turn="h2").falls("1 1 1 1 1")
    events = game.play("die 1", BOARD.name(game.ends("h2", "1")[0]), "pass")
    assert ids(events)[-1] == "turn"
    assert game.now.turn == "mummy"
    assert game.now.pending == Roll(1, 6, then="mummy_die")


@pytest.mark.parametrize("die", [1, 2, 3])
@pytest.mark.parametrize("up", [0, 2, 5])
def test_P66_steps_are_die_plus_mummy_faces(die, up):
    game = hunting(die=die, up=up)
    assert one(game.log, "hunt").args == ("turn", die + up)
    assert game.now.steps == die + up


def test_P67_it_moves_up_to_that_many_squares():
    game = hunting(die=3)
    events = game.play("stop")
    assert one(events, "stop").args == (DUNGEON,)
    game = hunting(die=3)
    game.play("step h7", "stop")
    assert (game.now.mummy, game.now.steps) == (sq(6, 7), 0)
    game = hunting(die=2)
    game.play("step h7", "step h6")
    assert game.now.turn == "h1"  # all steps are taken


def test_P68_horizontally_and_vertically_only_not_through_walls():
    game = hunting(mummy=sq(7, 12))
    assert game.moves == ["stop", "step m7", "step l8"]
    assert game.refusal("step l7") == "not-adjacent"
    assert hunting(mummy=sq(6, 11)).refusal("step k7") == "wall"


def test_P69_it_never_enters_start_or_dungeon():
    game = hunting()
    game.play("step h7")
    assert game.refusal("step h8") == "never-entered"
    for place in (START, DUNGEON):
        for square in BOARD.maze.ends(place, 1):
            assert f"step {BOARD.name(place)}" not in hunting(mummy=square).moves


def test_P70_it_may_turn_and_enter_squares_again():
    game = hunting(mummy=sq(7, 12), die=3)
    game.play("step m7", "step m8", "step m7")
    assert game.now.mummy == sq(6, 12)


def test_P71_entering_a_hunters_square_captures_him_and_ends_the_turn():
    game = hunting(sq(6, 7), sq(4, 1), die=3)
    events = game.play("step h7")
    assert one(events, "captured").args == ("h1", sq(6, 7), 2)
    assert game.now.steps == 0
    assert game.now.turn == "h1"


def test_P72_so_a_turn_has_at_most_one_capture():
    game = hunting(sq(6, 7), sq(5, 7), die=3, up=5)
    events = game.play("step h7")
    assert ids(events).count("captured") == 1
    assert game.now.turn == "h1"


def test_P73_the_mummy_stays_on_the_square_of_the_capture():
    game = hunting(sq(6, 7), sq(4, 1))
    game.play("step h7")
    assert game.now.mummy == sq(6, 7)


def test_P74_the_captured_piece_goes_to_the_dungeon():
    game = hunting(sq(6, 7), sq(4, 1))
    game.play("step h7")
    assert game.now.public["h1"] == DUNGEON
    assert game.where("h1") == DUNGEON


def test_P75_the_hunter_gives_the_mummy_one_life_token():
    game = hunting(sq(6, 7), sq(4, 1))
    game.play("step h7")
    assert (game.now.lives["h1"], game.now.tokens) == (2, 1)


def test_P76_his_last_token_he_is_out_of_the_game():
    game = hunting(sq(6, 7), sq(4, 1), lives={"h1": 1})
    events = game.play("step h7")
    assert one(events, "out").args == ("h1",)
    assert game.now.turn == "h2"
    assert game.where("h1") is None


def test_P77_no_claim_or_oversight_can_undo_a_capture():
    """The answer is a proof, not a claim: the mummy's program asks, and whoever is there cannot say no."""
    game = hunting(sq(6, 7), sq(4, 1))
    game.typed = ["step h7"]
    game.step()
    assert game.now.pending == Ask(("h1", "h2"), (sq(6, 7),), then="felt")
    assert game.answers()[0].value == {"h1": True, "h2": False}


def test_P78_after_a_normal_turn_the_mummy_faces_stay():
    game = hunting(up=3)
    game.play("stop")
    assert (game.now.turn, game.now.up) == ("h1", 3)


def test_P79_interrupt_steps_are_the_mummy_faces_without_die():
    game = PyramidTable(*AWAY[:2], mummy=FAR, up=2)
    events = game.play("reset")
    assert one(events, "hunt").args == ("interrupt", 2)
    assert game.now.steps == 2


def test_P80_otherwise_all_rules_of_the_normal_turn_hold():
    game = PyramidTable(sq(4, 10), sq(4, 1), mummy=sq(2, 8), up=4)
    game.play("reset")
    assert game.moves[0] == "stop"
    assert one(game.play(game.moves[1]), "step").args[1] == 3
    game = PyramidTable(sq(6, 7), sq(4, 1), up=4)
    events = game.play("reset", "step h7")
    assert "captured" in ids(events)
    assert game.rolls  # the steps that were left are lost


def test_P81_after_it_no_die_shows_a_mummy_and_the_hunter_rolls_five():
    game = PyramidTable(*AWAY[:2], mummy=FAR, up=4)
    game.play("reset", "stop")
    assert game.now.up == 0
    assert (game.now.pending.n, game.now.pending.about) == (5, "h1")


def test_P82_captured_in_his_own_interrupt_he_still_rolls_five_from_the_dungeon():
    game = PyramidTable(sq(6, 7), sq(4, 1), up=2)
    game.play("reset", "step h7")
    assert (game.now.pending.n, game.now.pending.about) == (5, "h1")
    game.falls("1 1 1 1 1").play("die 1")
    assert game.moves == ["i8"]  # out of the dungeon; the mummy stands before the other exit


def test_P83_eliminated_in_it_his_turn_is_over_and_the_next_follows_with_count_0():
    game = PyramidTable(sq(6, 7), sq(4, 1), up=2, lives={"h1": 1})
    game.play("reset", "step h7")
    assert (game.now.turn, game.now.up) == ("h2", 0)
    assert game.now.pending.n == 5
    game = PyramidTable(sq(4, 1), sq(6, 7), up=2, lives={"h2": 1}, turn="h2")
    game.play("reset", "step h7")
    assert (game.now.turn, game.now.up) == ("mummy", 0)


def test_P84_the_mummys_goal_in_it_ends_the_game():
    game = PyramidTable(sq(6, 7), sq(4, 1), up=2, tokens=3)
    events = game.play("reset", "step h7")
    assert ended(game).reason == "tokens"
    assert "roll" not in ids(events)


def test_P85_he_can_no_longer_move_after_it():
    game = PyramidTable(sq(6, 10), sq(4, 1), mummy=sq(4, 10), up=2)
    events = game.play("reset", "step k6", "stop")
    assert ids(events)[-3:] == ["blocked", "turn", "free"]
    assert (game.now.turn, game.now.up) == ("h2", 0)


def test_P86_the_game_ends_at_once_with_a_hunters_last_mission():
    goal = BOARD.square_of["r3"]
    game = PyramidTable(BOARD.maze.ends(goal, 1, FAR)[0], sq(5, 12), mummy=FAR, missions={1: ["r3"]}).falls("1 1 1 1 1")
    game.play("die 1", BOARD.name(goal), "play 1")
    assert ended(game).winners == (1,)


@pytest.mark.parametrize(("row", "hunters", "goal"), [("P87", 2, 4), ("P88", 3, 6), ("P89", 4, 7)])
def test_P87_P88_P89_tokens_against_hunters(row, hunters, goal):
    places = (sq(6, 7), *AWAY)[:hunters]
    assert hunting(*places).now.goal == goal == SHIPPED.goal(hunters + 1)
    game = hunting(*places, tokens=goal - 1)
    game.play("step h7")
    assert ended(game).winners == (0,)
    game = hunting(*places, tokens=goal - 2)
    game.play("step h7")
    assert not game.now.over


def test_P90_the_goal_goes_by_the_hunters_at_the_start():
    game = hunting(sq(6, 7), sq(4, 1), sq(5, 12), lives={"h2": 0}, tokens=4)
    game.play("step h7")
    assert game.now.goal == 6
    assert not game.now.over


# -- special cases ----------------------------------------------------------------------------------------------------


def test_P91_five_mummy_faces_the_turn_is_lost_and_the_piece_stays():
    game = PyramidTable(*AWAY[:2], mummy=FAR).falls("M M M M M")
    events = game.play()
    assert ids(events)[:2] == ["roll", "lost-turn"]
    assert game.where("h1") == AWAY[0]
    assert game.now.turn == "h2"


def test_P92_the_next_hunter_must_then_reset():
    game = PyramidTable(*AWAY[:2], mummy=FAR).falls("M M M M M")
    events = game.play()
    assert one(events, "reset").args == ("h2", True)
    assert one(events, "hunt").args == ("interrupt", 5)
    game.play("stop")
    assert (game.now.pending.n, game.now.pending.about) == (5, "h2")


def test_P93_of_the_last_hunter_normal_turn_first_then_the_forced_reset():
    game = PyramidTable(*AWAY[:2], mummy=FAR, turn="h2").falls("M M M M M")
    game.play()
    game.bytes = [4]
    events = game.play()
    assert one(events, "hunt").args == ("turn", 8)
    events = game.play("stop")
    assert one(events, "reset").args == ("h1", True)
    assert one(events, "hunt").args == ("interrupt", 5)


def test_P94_it_happens_to_several_hunters_in_a_row():
    game = PyramidTable(*AWAY, mummy=FAR).falls("M M M M M")
    game.play()
    for piece in ("h2", "h3"):
        assert one([e for e in game.log if e.id == "reset"][-1:], "reset").args == (piece, True)
        game.falls("M M M M M").play("stop")
    assert game.now.turn == "mummy"


def test_P95_a_hunter_who_cannot_move_must_say_so_and_is_skipped():
    game = PyramidTable(sq(6, 10), sq(4, 1), mummy=sq(5, 10), up=2)
    assert game.now.pending == Ask(("h1",), (sq(6, 10),), then="answered", about=("h1", "begin"))
    events = game.play()
    assert ids(events) == ["blocked", "turn", "free"]
    assert (game.now.turn, game.now.up) == ("h2", 2)


def test_P96_such_a_hunter_may_not_keep_silent_and_reset_or_roll():
    """The question is put to everybody who may be blocked, and both answers are proven (PR2)."""
    for square in (sq(6, 10), sq(4, 1)):
        game = PyramidTable(square, sq(5, 12), mummy=sq(5, 10), up=2)
        assert isinstance(game.now.pending, Ask)
    events = game.play()
    assert ids(events) == ["free"]
    assert game.asked.moves == "resets"


def test_P97_a_forced_reset_passes_on_from_a_blocked_hunter():
    game = PyramidTable(sq(4, 1), sq(6, 10), sq(5, 12), mummy=sq(5, 10), turn="h2", up=5)
    events = game.play()
    assert ids(events)[:2] == ["blocked", "turn"]
    assert one(events, "reset").args == ("h3", True)


def test_the_mummy_die_is_rolled_openly():
    game = PyramidTable(*AWAY[:2], mummy=FAR, turn="mummy")
    assert game.now.pending.to == ALL
    assert isinstance(hunting().asked, Choose)
