"""Pyramid's worked cases PX01 to PX26, with their numbers; squares are (row, column) from 0."""

import pytest
from mastaba.core.games.pyramid_moves import full_slides, walks
from pyramidtable import BOARD, PyramidTable, at, ended, ids, one, sq

START, DUNGEON = BOARD.start, BOARD.dungeon
FAR = sq(3, 6)
EDGE = sq(7, 12)
FACES = ("1", "2", "3", "4", ">")


def test_PX01_two_mummies_aside_three_dice_then_two():
    game = PyramidTable(sq(2, 3), sq(5, 12), mummy=FAR, up=2).falls("M 1 2 1 4")
    game.play("keep")
    game.play("again")
    assert game.now.up == 3
    faces = [game.view(1).knows(die) for die in game.now.dice]
    assert faces == [1, 4]  # the 2 of the first roll is gone
    assert game.moves == ["again", "die 1", "die 2"]


def test_PX02_four_steps_to_the_scarab_whose_card_he_lays():
    game = PyramidTable(sq(2, 3), sq(5, 12), mummy=FAR, missions={1: ["r1", "g1"]}).falls("1 4 1 1 1")
    events = game.play("die 2", BOARD.name(sq(4, 1)), "play 1")
    assert one(events, "announce").args == ("h1", 4)
    assert one(events, "mission").args[2:] == ("r1", sq(4, 1))
    assert game.now.public["h1"] == sq(4, 1)


def test_PX03_reset_of_three_then_five_dice():
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=FAR, up=3, turn="h2")
    events = game.play("reset")
    assert one(events, "hunt").args == ("interrupt", 3)
    game.play("stop")
    assert (game.now.pending.n, game.now.pending.about) == (5, "h2")


PX04 = {
    "1": at((6, 5), (7, 4)),
    "2": at((6, 4), (6, 6)),
    "3": at((5, 4), (5, 6), (6, 3), (6, 5), (6, 7), (7, 4), (7, 6)),
    "4": at((5, 5), (5, 7), (6, 4), (6, 6), (7, 3)),
}
PX05 = {
    "1": at((6, 7), (7, 8)),
    "2": at((5, 7), (6, 6), (6, 8), (7, 9)),
    "3": at((5, 6), (5, 8), (6, 5), (6, 7), (6, 9), (7, 6), (7, 8), (7, 10)),
    "4": at((5, 5), (5, 7), (5, 9), (6, 6), (6, 8), (7, 9), (7, 11)),
}


@pytest.mark.parametrize("face", "1234")
def test_PX04_ends_from_the_start(face):
    assert PyramidTable(START, DUNGEON).ends("h1", face) == PX04[face]


@pytest.mark.parametrize("face", "1234")
def test_PX05_ends_from_the_dungeon(face):
    assert PyramidTable(DUNGEON, START, mummy=FAR).ends("h1", face) == PX05[face]


def test_PX06_arrow_from_the_start():
    assert PyramidTable(START, DUNGEON).ends("h1", ">") == at((6, 5), (7, 4))


def test_PX07_arrow_from_the_dungeon():
    assert PyramidTable(DUNGEON, START, mummy=FAR).ends("h1", ">") == at((5, 7), (7, 12))


@pytest.mark.parametrize(
    ("other", "mummy", "end"),
    [(START, FAR, (7, 8)), (sq(7, 9), FAR, (7, 10)), (sq(7, 11), FAR, None), (START, sq(7, 10), (7, 11))],
)
def test_PX08_arrow_to_the_left_from_the_corner(other, mummy, end):
    ends = PyramidTable(EDGE, other, mummy=mummy).ends("h1", ">")
    assert [square for square in ends if square // BOARD.columns == 7] == ([sq(*end)] if end else [])


def test_PX09_number_from_the_corner_over_another_hunter():
    game = PyramidTable(EDGE, sq(7, 11), mummy=FAR)
    assert game.ends("h1", "1") == at((6, 12))
    assert game.ends("h1", "2") == at((5, 12), (6, 11), (7, 10), (7, 12))


def test_PX10_the_mummy_is_not_jumped():
    game = PyramidTable(EDGE, START, mummy=sq(7, 11))
    assert game.ends("h1", "1") == at((6, 12))
    assert game.ends("h1", "2") == at((5, 12), (6, 11), (7, 12))
    assert game.ends("h1", "3") == at((5, 11), (6, 12))


def test_PX11_from_the_start_past_another_hunter():
    game = PyramidTable(START, sq(6, 5))
    assert sq(6, 7) in game.ends("h1", "3")
    assert sq(6, 5) not in game.ends("h1", "3")


def test_PX12_a_taken_dead_end_does_not_block():
    game = PyramidTable(sq(5, 10), sq(6, 10), mummy=sq(4, 10))
    assert [game.ends("h1", face) for face in ("1", "3", ">")] == [(), (), ()]
    assert sq(5, 10) in game.ends("h1", "2")
    assert sq(5, 10) in game.ends("h1", "4")
    assert game.rolls  # not blocked: nobody is asked, and he rolls


def test_PX13_squares_where_a_hunter_is_blocked():
    found = {m: BOARD.maze.shut([s for s in BOARD.ordinary if s != m], m) for m in (*BOARD.ordinary, DUNGEON)}
    assert {m: shut for m, shut in found.items() if shut} == {
        sq(5, 10): at((6, 10)),
        sq(6, 4): at((7, 4)),
        sq(6, 6): at((6, 5), (7, 6)),
    }


@pytest.mark.parametrize("mummy", [sq(5, 10), sq(6, 4), sq(6, 6), sq(4, 4)])
@pytest.mark.parametrize("other", [sq(4, 10), sq(5, 4), sq(6, 7), START])
def test_PX13_whatever_the_other_hunters_do(mummy, other):
    for square in BOARD.ordinary:
        if square not in (mummy, other):
            game = PyramidTable(square, other, mummy=mummy)
            stuck = not any(game.ends("h1", face) for face in FACES)
            assert stuck == (square in BOARD.maze.shut([s for s in BOARD.ordinary if s != mummy], mummy))


def test_PX14_blocked_by_his_own_interrupt():
    game = PyramidTable(sq(6, 10), sq(4, 1), mummy=sq(3, 10), up=2)
    events = game.play("reset", f"step {BOARD.name(sq(4, 10))}", f"step {BOARD.name(sq(5, 10))}")
    assert "blocked" in ids(events)
    assert "roll" not in ids(events)
    assert (game.now.turn, game.now.pending.n) == ("h2", 5)


def test_PX15_a_capture_ends_the_turn_and_the_other_hunter_is_safe():
    game = PyramidTable(sq(6, 5), sq(5, 6), mummy=sq(6, 6), turn="mummy")
    game.bytes = [4]
    events = game.play(f"step {BOARD.name(sq(6, 5))}")
    assert one(events, "hunt").args == ("turn", 3)
    assert one(events, "captured").args[0] == "h1"
    assert (game.now.mummy, game.now.turn, game.now.lives["h2"]) == (sq(6, 5), "h1", 3)


def test_PX16_first_round_one_mummy_face_die_1():
    game = PyramidTable(None, None, up=1, turn="mummy")
    game.bytes = [0]
    game.play()
    assert game.now.steps == 2
    assert BOARD.maze.within(DUNGEON, 2) == at((5, 7), (6, 6), (6, 7), (6, 8), (7, 8), (7, 9))
    assert "stop" in game.moves


def test_PX17_the_last_hunter_rolls_the_fifth_mummy():
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=FAR, turn="h2", up=4).falls("M")
    game.play("keep")
    game.bytes = [4]
    assert one(game.play(), "hunt").args == ("turn", 8)
    events = game.play("stop")
    assert one(events, "reset").args == ("h1", True)
    assert one(events, "hunt").args == ("interrupt", 5)
    game.play("stop")
    assert (game.now.pending.n, game.now.pending.about) == (5, "h1")


def test_PX18_and_the_first_hunter_loses_his_last_token_in_the_normal_turn():
    game = PyramidTable(sq(6, 7), sq(5, 12), turn="mummy", up=5, lives={"h1": 1})
    game.bytes = [4]
    events = game.play("step h7")
    assert ids(events)[-5:] == ["captured", "out", "turn", "reset", "hunt"]
    assert one(events, "reset").args == ("h2", True)


def test_PX19_one_die_left_that_is_not_playable_is_rolled_again():
    game = PyramidTable(sq(5, 10), sq(6, 10), mummy=sq(4, 10), up=4).falls("1")
    game.play("keep")
    assert game.moves == ["again"]
    for face in "3>":
        game.falls(face).play("again")
        assert game.moves == ["again"]
    game.falls("2").play("again")
    assert game.moves == ["again", "die 1"]
    events = game.falls("M").play("again")
    assert "lost-turn" in ids(events)


def test_PX20_two_hunters_goal_4_one_of_them_out():
    game = PyramidTable(None, sq(6, 7), turn="mummy", lives={"h1": 0}, tokens=3)
    game.bytes = [0]
    game.play("step h7")
    assert ended(game).winners == (0,)


def test_PX21_the_interrupt_takes_the_last_needed_token():
    game = PyramidTable(sq(4, 1), sq(6, 7), up=1, tokens=3)
    events = game.play("reset", "step h7")
    assert ended(game).winners == (0,)
    assert "roll" not in ids(events)


def test_PX22_a_card_held_back_can_be_played_after_2_there_and_back():
    goal = BOARD.square_of["r3"]
    game = PyramidTable(goal, sq(5, 12), mummy=FAR, missions={1: ["r3", "g1"]}).falls("2 2 2 2 2")
    game.play("die 1", BOARD.name(goal))
    assert game.moves == ["play 1", "pass"]


def test_PX23_two_players_piece_1_gets_five_mummies():
    game = PyramidTable(sq(4, 1), sq(5, 12), seats=2, mummy=FAR).falls("M M M M M")
    events = game.play()
    assert one(events, "lost-turn").args == ("h1",)
    assert one(events, "reset").args == ("h2", True)


def test_PX24_two_players_captures_of_both_pieces_count_together():
    game = PyramidTable(None, sq(6, 7), seats=2, turn="mummy", lives={"h1": 1}, tokens=2)
    game.bytes = [0]
    game.play("step h7")
    assert ended(game).winners == (0,)


def test_PX25_squares_the_mummy_can_reach_from_the_dungeon():
    assert [len(BOARD.maze.within(DUNGEON, steps)) for steps in range(9)] == [0, 2, 6, 12, 15, 19, 23, 29, 32]


def test_PX26_pairs_with_both_ends_ordinary():
    assert [len(walks(BOARD, steps, DUNGEON, None)) for steps in (1, 2, 3, 4)] == [170, 312, 446, 614]
    assert len(full_slides(BOARD, DUNGEON, None)) == 170


def test_PX26_at_most_so_many_with_the_mummy_elsewhere():
    most = [max(len(walks(BOARD, steps, mummy, None)) for mummy in BOARD.ordinary) for steps in (1, 2, 3, 4)]
    assert most == [168, 309, 440, 607]
