"""Pyramid, rows P19 to P64: a hunter's reset, roll, move and mission."""

import pytest
from mastaba.core.rules import Choose, Hide, IllegalMove, Reveal, Roll
from pyramidtable import BOARD, PyramidTable, at, ended, ids, one, sq

FAR = sq(3, 6)  # a mummy that is in nobody's way
EDGE = sq(7, 12)  # a corner: up and left are open
START, DUNGEON = BOARD.start, BOARD.dungeon


def alone(square, *others, **given):
    """h1 on a square, the others where they are told."""
    return PyramidTable(square, *(others or (sq(4, 1),)), mummy=given.pop("mummy", FAR), **given)


def step(direction, square):
    row, column = divmod(square, BOARD.columns)
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[direction]
    return sq(row + down, column + right)


# -- reset ------------------------------------------------------------------------------------------------------------


def test_P19_reset_roll_move_mission_in_this_order():
    game = alone(EDGE, up=2)
    assert game.asked.moves == "resets"
    game.falls("1 2 3").play("keep")
    assert game.asked.moves == "picks"
    game.play("die 1")
    assert isinstance(game.asked, Hide)
    game.play("m7")
    assert game.asked.moves == "cards"
    game.play("pass")
    assert game.now.turn == "h2"


def test_P20_reset_only_before_the_first_roll_of_ones_turn():
    game = alone(EDGE, up=1).falls("M 2 3 4")
    game.play("keep")
    assert game.refusal("reset") == "not-now"
    game.falls("1 1 1").play("again")
    assert game.refusal("reset") == "not-now"


def test_P21_reset_only_if_a_mummy_face_is_left_from_earlier_turns():
    game = alone(EDGE)
    assert game.rolls
    game.falls("M M 1 1 1").play()
    assert game.asked.moves == "picks"
    assert alone(EDGE, up=1).moves == ["keep", "reset"]


def test_P22_reset_is_voluntary():
    game = alone(EDGE, up=4).falls("1")
    assert game.moves == ["keep", "reset"]
    events = game.play("keep")
    assert "reset" not in ids(events)
    assert game.now.up == 4


def test_P23_a_reset_gives_the_mummy_an_interrupt_turn_at_once():
    game = alone(EDGE, up=3)
    events = game.play("reset")
    assert ids(events) == ["reset", "hunt"]
    assert one(events, "hunt").args == ("interrupt", 3)
    assert game.asked == Choose(0, "paces", then="pace")


def test_P24_after_it_this_hunter_rolls_all_five_dice():
    game = alone(EDGE, up=3)
    game.play("reset", "stop")
    assert game.rolls
    assert (game.now.pending.n, game.now.pending.about) == (5, "h1")


# -- roll -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("up", range(5))
def test_P25_without_reset_all_dice_that_show_no_mummy_are_rolled(up):
    game = alone(EDGE, up=up)
    if up:
        game.play("keep")
    assert game.now.pending.n == 5 - up


def test_P26_at_least_one_roll_is_made_before_moving():
    game = alone(EDGE)
    assert isinstance(game.now.pending, Roll)
    game = alone(EDGE, up=2)
    assert game.refusal("die 1") == "not-now"


def test_P27_after_each_roll_the_new_mummy_faces_are_set_aside():
    game = alone(EDGE).falls("M 1 M 2 3")
    events = game.play()
    assert one(events, "roll").args == ("h1", 5, 2)
    assert (game.now.up, len(game.now.dice)) == (2, 3)
    events = game.falls("M 1 1").play("again")
    assert (game.now.up, len(game.now.dice)) == (3, 2)


def test_P28_roll_again_as_often_as_wanted():
    game = alone(EDGE).falls("1 1 1 1 1")
    game.play()
    for _ in range(20):
        game.falls("2 2 2 2 2").play("again")
    assert game.asked.moves == "picks"


def test_P29_a_new_roll_takes_all_dice_that_show_no_mummy():
    game = alone(EDGE).falls("1 2 M 3 4")
    game.play()
    game.play("again")
    assert game.now.pending.n == 4
    for few in (("again", 0), ("again", (0, 1))):
        assert few not in game.now.picks(Choose(1, "picks", "pick"))


def test_P30_only_the_latest_roll_counts():
    game = alone(EDGE).falls("1 1 1 1 1")
    game.play()
    old = list(game.now.dice)
    game.falls("2 2 2 2 2").play("again")
    assert not set(old) & set(game.now.dice)
    assert [game.view(1).knows(die) for die in old] == [None] * 5
    assert [game.view(1).knows(die) for die in game.now.dice] == [2] * 5


def test_P31_mummy_faces_stay_aside_over_turns_until_a_reset():
    game = alone(EDGE).falls("M M 1 1 1")
    game.play("die 1", "m7", "pass")
    assert (game.now.turn, game.now.up) == ("h2", 2)
    game.falls("M 1 1").play("keep", "die 1", BOARD.name(game.ends("h2", "1")[0]), "pass")
    game.falls("1").play("stop")
    assert (game.now.turn, game.now.up) == ("h1", 3)
    game.play("reset", "stop")
    assert game.now.up == 0


# -- move -------------------------------------------------------------------------------------------------------------


def test_P32_one_die_of_the_latest_roll_that_shows_no_mummy():
    game = alone(EDGE).falls("M 1 2 M 3")
    game.play()
    assert game.moves == ["again", "die 1", "die 2", "die 3"]
    assert game.refusal("die 4") == "no-such-die"


@pytest.mark.parametrize(("face", "told"), [("1", 1), ("2", 2), (">", 5)])
def test_P33_the_result_is_announced_to_the_mummy_before_moving(face, told):
    game = alone(EDGE).falls(f"{face} {face} {face} {face} {face}")
    events = game.play("die 1")
    assert one(events, "announce").args == ("h1", told)
    assert isinstance(game.asked, Hide)
    assert game.view(0).knows(game.now.dice[0]) == told


def test_P34_nothing_else_is_told():
    game = alone(EDGE).falls("1 2 3 4 >")
    events = game.play("die 2", "m6", "pass")
    assert ids(events) == ["roll", "announce", "moved", "turn"]
    assert [e.args for e in events][:3] == [("h1", 5, 0), ("h1", 2), ("h1",)]
    assert [game.view(0).knows(die) for die in game.now.dice] == [None, 2, None, None, None]


def test_P35_moves_go_up_down_left_right_never_diagonally():
    assert alone(sq(5, 10)).ends("h1", "1") == at((4, 10), (6, 10))
    middle = sq(3, 7)
    game = alone(middle, mummy=sq(7, 12))
    assert set(game.ends("h1", "1")) == {step(d, middle) for d in ("up", "down", "left", "right")} & set(BOARD.maze.ends(middle, 1))
    assert step("up", step("left", middle)) not in game.ends("h1", "1")


def test_P36_direction_may_change():
    assert sq(6, 11) in alone(EDGE).ends("h1", "2")  # up, then left


def test_P37_the_same_square_may_be_entered_several_times():
    assert EDGE in alone(EDGE).ends("h1", "4")  # to and fro, twice


def test_P38_the_whole_number_must_be_moved():
    assert sq(6, 12) not in alone(EDGE).ends("h1", "2")


def test_P39_a_die_that_cannot_be_moved_in_full_cannot_be_chosen():
    game = PyramidTable(sq(5, 10), sq(6, 10), mummy=sq(4, 10)).falls("1 2 3 4 >")
    game.play()
    assert game.moves == ["again", "die 2", "die 4"]
    for die in ("die 1", "die 3", "die 5"):
        assert game.refusal(die) == "not-playable"


def test_P40_no_die_of_the_roll_playable_the_hunter_must_roll_again():
    game = PyramidTable(sq(5, 10), sq(6, 10), mummy=sq(4, 10)).falls("1 1 3 3 >")
    game.play()
    assert game.moves == ["again"]
    game.falls("1 1 1 2 M").play("again")
    assert game.moves == ["again", "die 4"]


def test_P41_walls_cannot_be_crossed_and_the_outer_edge_is_wall():
    for square in BOARD.squares:
        row, column = divmod(square, BOARD.columns)
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            other = (row + dr) * BOARD.columns + column + dc
            if not (0 <= column + dc < BOARD.columns and other in BOARD.squares):
                assert other not in BOARD.maze.ends(square, 1)
    assert sq(6, 10) not in alone(sq(6, 11)).ends("h1", "1")  # a wall between


def test_P42_the_mummys_square_is_neither_entered_nor_crossed():
    game = alone(EDGE, mummy=sq(7, 11))
    for face in "1234":
        assert sq(7, 11) not in game.ends("h1", face)
    assert sq(7, 10) not in game.ends("h1", "2")


@pytest.mark.parametrize(("row", "place"), [("P43", START), ("P44", DUNGEON)])
def test_P43_P44_start_and_dungeon_cannot_be_entered_or_crossed(row, place):
    for neighbour in BOARD.maze.ends(place, 1, FAR):
        game = alone(neighbour)
        for face in ("1", "2", "3", "4", ">"):
            assert place not in game.ends("h1", face)


def test_P45_other_hunters_may_be_passed_over_and_count_as_steps():
    assert alone(EDGE, sq(7, 11)).ends("h1", "2") == at((5, 12), (6, 11), (7, 10), (7, 12))


def test_P46_passing_over_jumps_no_wall_mummy_start_or_dungeon():
    game = alone(sq(7, 8), sq(7, 9))
    assert game.ends("h1", "2") == tuple(s for s in BOARD.maze.ends(sq(7, 8), 2, FAR) if s != sq(7, 9))


def test_P47_a_move_may_not_end_on_another_hunter():
    game = alone(EDGE, sq(7, 11)).falls("1 1 1 1 1")
    game.play("die 1")
    assert game.moves == ["m7"]
    assert game.refusal("l8") == "taken"


def test_P48_start_and_dungeon_hold_any_number_of_hunters():
    game = PyramidTable(DUNGEON, DUNGEON, START, START)
    assert [game.now.public[piece] for piece in ("h1", "h2", "h3", "h4")] == [DUNGEON, DUNGEON, START, START]
    assert game.now.pieces() == ()


@pytest.mark.parametrize("face", ["2", "4"])
def test_P49_a_numbered_move_may_end_where_it_began(face):
    assert EDGE in alone(EDGE).ends("h1", face)
    assert START not in alone(START).ends("h1", face)


def test_P50_the_arrow_goes_straight_on_to_the_square_before_the_nearest_obstacle():
    assert alone(EDGE).ends("h1", ">") == tuple(sorted((sq(7, 8), BOARD.maze.slide(EDGE, 0)[-1])))


@pytest.mark.parametrize(
    ("obstacle", "given", "end"),
    [
        ("mummy", {"mummy": sq(7, 10)}, (7, 11)),
        ("hunter", {"other": sq(7, 9)}, (7, 10)),
        ("dungeon", {}, (7, 8)),
    ],
)
def test_P51_obstacles_are_mummy_hunters_walls_start_and_dungeon(obstacle, given, end):
    game = alone(EDGE, given.get("other", sq(4, 1)), mummy=given.get("mummy", FAR))
    assert [square for square in game.ends("h1", ">") if square // BOARD.columns == 7] == [sq(*end)]


def test_P51_the_start_stops_an_arrow_too():
    assert sq(7, 4) in BOARD.maze.ends(START, 1)  # no wall between
    assert {square % BOARD.columns for square in alone(sq(7, 4), sq(5, 12)).ends("h1", ">")} == {4}


def test_P52_the_arrow_must_move_at_least_one_square():
    game = alone(EDGE, sq(7, 11))
    assert [square for square in game.ends("h1", ">") if square // BOARD.columns == 7] == []
    assert EDGE not in game.ends("h1", ">")


def test_P53_the_arrows_direction_is_free():
    game = alone(EDGE).falls("> > > > >")
    game.play("die 1")
    assert len(game.moves) == 2


def test_P54_from_start_and_dungeon_the_first_step_goes_through_an_exit_and_counts():
    game = alone(START, mummy=DUNGEON)
    assert game.ends("h1", "1") == game.ends("h1", ">") == at((6, 5), (7, 4))
    assert alone(DUNGEON).ends("h1", "1") == at((6, 7), (7, 8))


@pytest.mark.parametrize("place", [START, DUNGEON])
def test_P55_a_hunter_on_start_or_dungeon_cannot_be_captured(place):
    game = PyramidTable(place, place, turn="mummy", mummy=BOARD.maze.ends(place, 1)[0]).falls("1")
    game.play()
    assert game.refusal(f"step {BOARD.name(place)}") in ("never-entered", "wall")
    assert f"step {BOARD.name(place)}" not in game.moves


def test_P56_the_dungeon_has_two_exits():
    assert BOARD.maze.ends(DUNGEON, 1) == at((6, 7), (7, 8))


def test_P57_a_hunter_cannot_decline_to_move():
    game = alone(EDGE).falls("1 1 1 1 1")
    game.play()
    assert game.refusal("pass") == "not-now"
    assert game.refusal("stop") == "not-now"
    game.play("die 1")
    assert game.refusal("m8") == "out-of-reach"  # standing still is no move of 1


# -- mission ----------------------------------------------------------------------------------------------------------

GOAL = BOARD.square_of["r3"]
BEFORE = BOARD.maze.ends(GOAL, 1, FAR)[0]


def on_goal(*played, missions=("r3", "g1"), face="1"):
    game = alone(BEFORE, sq(5, 12), missions={1: list(missions)}).falls(" ".join([face] * 5))
    events = game.play("die 1", BOARD.name(GOAL), *played)
    return game, events


def test_P58_ending_on_the_symbol_of_a_mission_lets_you_play_it():
    game, _ = on_goal()
    assert game.moves == ["play 1", "pass"]
    assert game.refusal("play 2") == "not-there"
    assert game.refusal("play 3") == "no-such-mission"


def test_P59_it_is_laid_face_up_for_all():
    game, events = on_goal("play 1")
    card = one(events, "mission").args[1]
    assert {game.view(seat).knows(card) for seat in (0, 1, 2, None)} == {"r3"}
    assert game.now.public["h1"] == GOAL


def test_P60_playing_is_voluntary():
    game, events = on_goal("pass")
    assert "mission" not in ids(events)
    assert len(game.now.missions[1]) == 2


def test_P61_only_the_end_of_a_move_counts():
    game = alone(GOAL, sq(5, 12), missions={1: ["r3", "g1"]})
    assert game.rolls  # nothing is asked before the move
    game.falls("1 1 1 1 1").play("die 1", BOARD.name(BEFORE))
    assert game.moves == ["pass"]


def test_P62_at_most_one_mission_a_move():
    assert len(set(BOARD.square_of.values())) == len(BOARD.symbols)  # one symbol a square
    game, events = on_goal("play 1")
    assert ids(events).count("mission") == 1
    assert game.now.turn == "h2"


def test_P63_a_card_held_back_can_be_played_after_another_move_there():
    game, _ = on_goal("pass")
    game.falls("2 2 2 2 2").play("die 1", BOARD.name(game.ends("h2", "2")[0]), "pass")
    game.falls("1").play("stop")
    game.falls("2 2 2 2 2").play("die 1", BOARD.name(GOAL))
    assert game.moves == ["play 1", "pass"]


def test_P64_who_plays_his_last_mission_wins_at_once_alone():
    game, events = on_goal("play 1", missions=["r3"])
    assert ended(game).winners == (1,)
    assert ended(game).reason == "missions"
    assert ids(events)[-2:] == ["mission", "over"]


def test_a_mission_that_is_not_there_cannot_be_played():
    """Its owner proves in the same breath that the piece stands on its symbol; without that the play is none."""
    game = alone(BEFORE, sq(5, 12), missions={1: ["r3", "g1"]}).falls("1 1 1 1 1")
    with pytest.raises(IllegalMove, match="not-there"):
        game.play("die 1", BOARD.name(GOAL), "play 2")
    assert len(game.now.missions[1]) == 2
    assert "h1" not in game.now.public


def test_die_move_and_mission_are_joined():
    game = alone(BEFORE, sq(5, 12), missions={1: ["r3", "g1"]}).falls("1 1 1 1 1")
    game.play()
    game.typed = ["die 1", BOARD.name(GOAL), "play 1"]
    joined = []
    while game.typed or isinstance(game.now.pending, Reveal):
        game.step()
        joined.append((type(game.now.pending).__name__, getattr(game.now.pending, "joined", None)))
    assert joined == [("Reveal", True), ("Hide", True), ("Choose", True), ("Reveal", True), ("Ask", True)]
