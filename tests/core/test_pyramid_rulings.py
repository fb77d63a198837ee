"""Pyramid's rulings PR1 to PR20, where the rulebook is silent."""

import pytest
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.rules import Ask, Options, Roll, Team
from pyramidtable import BOARD, SHIPPED, PyramidTable, ended, ids, one, sq

START, DUNGEON = BOARD.start, BOARD.dungeon
FAR = sq(3, 6)


def test_PR1_missions_are_hidden_from_fellow_hunters_positions_and_dice_are_not():
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=FAR).falls("1 2 3 4 >")
    game.play()
    fellow = game.view(2)
    assert [fellow.knows(die) for die in game.now.dice] == [1, 2, 3, 4, 5]
    assert fellow.rules.square("h1") == sq(4, 1)
    assert [fellow.knows(card) for card in game.now.missions[1]] == [None] * 5


@pytest.mark.parametrize(("mummy", "asked"), [(sq(5, 10), True), (sq(6, 4), True), (sq(6, 6), True), (FAR, False)])
def test_PR2_blocked_or_not_is_asked_exactly_when_some_square_is_blocked(mummy, asked):
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=mummy)
    assert isinstance(game.now.pending, Ask) == asked


def test_PR2_a_public_square_is_not_asked_about():
    game = PyramidTable(START, sq(5, 12), mummy=sq(6, 6))
    assert isinstance(game.now.pending, Roll)
    game = PyramidTable(sq(7, 6), sq(5, 12), mummy=sq(6, 6), public=("h1",))
    assert game.now.turn == "h2"  # everybody sees that h1 is blocked


def test_PR2_the_claim_names_the_set_not_the_square():
    game = PyramidTable(sq(6, 5), sq(5, 12), mummy=sq(6, 6))
    assert game.now.pending.inside == (sq(6, 5), sq(7, 6))
    game.play()
    assert "h1" not in game.now.public


def test_PR3_the_test_is_repeated_after_the_interrupt():
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=sq(4, 10), up=1)
    game.play("reset", f"step {BOARD.name(sq(5, 10))}")
    game.typed = []
    assert any(event.id == "free" and event.args == ("h1",) for event in game.log)
    assert (game.now.pending.n, game.now.pending.about) == (5, "h1")


def test_PR4_captured_by_his_own_interrupt_he_rolls_from_the_dungeon():
    game = PyramidTable(sq(6, 7), sq(4, 1), up=1)
    game.play("reset", "step h7")
    assert game.where("h1") == DUNGEON
    assert (game.now.pending.n, game.now.turn) == (5, "h1")


def test_PR5_all_hunters_blocked_the_duty_stays():
    game = PyramidTable(sq(6, 5), sq(7, 6), mummy=sq(6, 6), up=5)
    game.play()
    assert (game.now.turn, game.now.up) == ("mummy", 5)
    game.bytes = [0]
    assert one(game.play(), "hunt").args == ("turn", 6)
    events = game.play(f"step {BOARD.name(sq(6, 7))}", "stop")
    assert one(events, "reset").args == ("h1", True)


def test_PR6_square_by_square_with_answers_before_the_next_step():
    game = PyramidTable(sq(4, 1), sq(5, 12), turn="mummy")
    game.bytes = [2]
    events = game.play("step h7", "step h6")
    assert ids(events) == ["hunt", "step", "unseen", "step", "unseen", "turn"]


def test_PR6_the_square_it_starts_on_is_not_asked_and_pieces_on_public_squares_prove_nothing():
    game = PyramidTable(sq(6, 7), sq(5, 12), turn="mummy", mummy=sq(5, 7), public=("h1",))
    game.bytes = [2]
    game.play()
    assert not game.questions
    game.typed = [f"step {BOARD.name(sq(6, 7))}"]
    events = game.step()
    assert "captured" in ids(events)  # everybody saw it: nobody had to prove it


def test_PR7_the_mummy_die_is_a_joint_coin():
    game = PyramidTable(sq(4, 1), sq(5, 12), turn="mummy")
    assert game.now.pending == Roll(1, 6, to="all", then="mummy_die")


def test_PR8_ending_where_the_move_began():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR)
    assert [sq(5, 10) in game.ends("h1", face) for face in ("1", "2", "3", "4", ">")] == [False, True, False, True, False]


def test_PR9_a_forced_roll_looks_like_a_wanted_one():
    forced = PyramidTable(sq(5, 10), sq(6, 10), mummy=sq(4, 10)).falls("1 1 1 1 1 2 2 2 2 2")
    wanted = PyramidTable(sq(5, 12), sq(6, 10), mummy=sq(4, 10)).falls("1 1 1 1 1 2 2 2 2 2")
    seen, known = [], []
    for game in (forced, wanted):
        game.play()
        known.append(game.moves)
        seen.append((list(game.now.moves_of(game.asked, game.asked.seat)), [(e.id, e.args) for e in game.play("again")]))
    assert known == [["again"], ["again", "die 1", "die 2", "die 3", "die 4", "die 5"]]
    assert seen[0] == seen[1]


def test_PR10_start_and_dungeon_are_known_origins():
    game = PyramidTable(START, DUNGEON, mummy=FAR).falls("1 1 1 1 1")
    game.play("die 1")
    rule = game.now.allowed(game.asked)
    assert {row[0] for _, table in rule.all_of for row in table} == {START}


def test_PR11_an_eliminated_seat_keeps_seeing_the_hunters_side():
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR, lives={"h1": 0}, turn="h2").falls("1 2 3 4 >")
    game.play()
    assert game.view(1).rules.square("h2") == sq(5, 12)
    assert [game.view(1).knows(die) for die in game.now.dice] == [1, 2, 3, 4, 5]
    assert [game.view(0).knows(card) for card in game.now.missions[1]] == [None] * 5


def test_PR12_the_goal_is_never_more_than_the_hunters_can_still_give():
    for hunters in (1, 2, 3, 4):
        assert SHIPPED.goals[hunters - 1] <= SHIPPED.lives * max(hunters, 1)
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR, lives={"h2": 1, "h3": 1}, tokens=3)
    assert game.now.goal == 6
    game.leave(1)
    assert game.now.goal == 5  # three taken, two left to take


def test_PR13_the_question_of_the_mission_has_the_same_form_everywhere():
    seen = []
    for goal, missions in ((BOARD.square_of["r3"], ["r3", "g1"]), (sq(5, 12), ["w1", "w2"])):
        start = BOARD.maze.ends(goal, 1, FAR)[0]
        game = PyramidTable(start, sq(4, 1), mummy=FAR, missions={1: missions}).falls("1 1 1 1 1")
        game.play("die 1", BOARD.name(goal))
        seen.append((game.now.pending, list(game.now.cards(game.now.pending))))
    assert seen[0] == seen[1]


def test_PR13_the_client_offers_to_play_first():
    goal = BOARD.square_of["r3"]
    game = PyramidTable(BOARD.maze.ends(goal, 1, FAR)[0], sq(4, 1), mummy=FAR, missions={1: ["r3", "g1"]}).falls("1 1 1 1 1")
    game.play("die 1", BOARD.name(goal))
    assert game.moves[0] == "play 1"


def test_PR14_cards_left_over_and_missions_in_hand_stay_closed_at_the_end():
    game = PyramidTable(sq(6, 7), sq(4, 1), turn="mummy", tokens=3)
    game.bytes = [0]
    game.play("step h7")
    assert ended(game).winners == (0,)
    assert not [card for card in (*game.now.left_over, *game.now.missions[2]) if game.view(0).knows(card)]


def test_PR15_what_is_public_of_a_position():
    goal = BOARD.square_of["r3"]
    game = PyramidTable(BOARD.maze.ends(goal, 1, FAR)[0], DUNGEON, START, mummy=FAR, missions={1: ["r3", "g1"]}).falls("1 1 1 1 1")
    assert game.now.public == {"h2": DUNGEON, "h3": START}
    game.play("die 1", BOARD.name(goal), "play 1")
    assert game.now.public == {"h1": goal, "h2": DUNGEON, "h3": START}


def test_PR16_no_pair_has_the_dungeon_as_its_origin_while_the_square_is_hidden():
    from mastaba.core.games.pyramid_moves import walks

    pairs = [walks(BOARD, steps, DUNGEON, None) for steps in (1, 2, 3, 4)]
    assert [sum(old == new for old, new in table) for table in pairs] == [0, 72, 0, 72]
    assert not [old for table in pairs for old, _ in table if old in (START, DUNGEON)]


def test_PR17_an_interrupt_too_ends_at_the_first_capture():
    game = PyramidTable(sq(6, 7), sq(5, 7), up=4)
    events = game.play("reset", "step h7")
    assert ids(events).count("captured") == 1
    assert game.rolls


def test_PR18_the_dice_belong_to_nobody():
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=FAR).falls("M M 1 1 1")
    game.play("die 1", BOARD.name(game.ends("h1", "1")[0]), "pass", "keep")
    assert (game.now.pending.n, game.now.pending.about) == (3, "h2")


def test_PR19_no_rule_knows_of_talk():
    assert not [name for name in dir(Pyramid) if "talk" in name or "chat" in name]


# -- leaving ----------------------------------------------------------------------------------------------------------


def test_PR20_a_hunter_who_leaves_is_treated_as_eliminated():
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR)
    events = game.leave(1)
    assert ids(events)[0] == "left"
    assert game.now.lives["h1"] == 0
    assert isinstance(game.now.pending, Team)
    assert game.now.pending.seats == (2, 3)
    game.play()
    assert game.now.turn == "h2"
    assert [game.view(0).knows(card) for card in game.now.missions[1]] == [None] * 5


@pytest.mark.parametrize(
    ("up", "script"),
    [
        (0, ()),
        (0, ("again",)),
        (0, ("die 1",)),
        (0, ("die 1", "b4")),
        (3, ()),
        (3, ("keep",)),
        (3, ("keep", "die 1")),
        (3, ("keep", "die 1", "b4")),
    ],
)
def test_PR20_the_turn_of_a_leaver_is_over_at_every_point_of_it(up, script):
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR, up=up).falls("2 2 2 2 2 2 2 2 2 2")
    where = BOARD.name(game.ends("h1", "2")[0])
    game.play(*(where if text == "b4" else text for text in script))
    game.leave(1)
    while isinstance(game.now.pending, Team):
        game.step()
    assert game.now.turn == "h2"
    assert game.now.up == up
    assert isinstance(game.now.pending, Roll) or game.now.pending.about == "h2"


def test_PR20_who_leaves_during_his_own_interrupt_leaves_the_mummy_its_steps():
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR, up=3)
    game.play("reset")
    game.leave(1)
    game.step()
    assert game.asked.seat == 0
    game.play("stop")
    assert (game.now.turn, game.now.up) == ("h2", 0)


def test_PR20_a_leaver_is_not_asked_where_he_is():
    game = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), turn="mummy")
    game.bytes = [2]
    game.typed = ["step h7"]
    game.step()
    game.step()
    assert game.questions.names == ("h1", "h2", "h3")
    game.leave(2)
    game.step()
    assert game.questions.names == ("h1", "h3")


@pytest.mark.parametrize("leaver", [0, 1])
def test_PR20_the_mummy_or_the_last_hunter_leaving_ends_without_a_winner(leaver):
    game = PyramidTable(sq(4, 1), sq(5, 12), mummy=FAR)
    if leaver:
        game.leave(2)
    game.leave(leaver)
    assert (ended(game).winners, ended(game).reason) == ((), "left")


def test_PR20_two_players_either_leaving_ends_without_a_winner():
    for leaver in (0, 1):
        game = PyramidTable(sq(4, 1), sq(5, 12), seats=2, mummy=FAR)
        game.leave(leaver)
        assert ended(game).winners == ()


def test_PR20_leaving_before_the_coin_and_before_the_deal():
    game = Pyramid(4, SHIPPED)
    game.left(2)
    game.apply(_answer((1,)))
    assert game.lives == {"h1": 3, "h2": 0, "h3": 3}
    assert game.pending == Team("hunters", (1, 3))
    game = Pyramid(4, SHIPPED)
    game.left(2)
    game.apply(_answer((3,)))  # the coin falls on the seat that has left
    assert game.over


def test_a_seat_lost_before_the_deal_is_done_ends_the_game_and_later_opens_nothing():
    early = Pyramid(4, SHIPPED, Options(first=0))
    early.lost(2)
    assert early.over
    late = PyramidTable(sq(4, 1), sq(5, 12), sq(6, 3), mummy=FAR)
    known = dict(late.now.shown)
    for twin in late.games:
        twin.lost(2)
    assert not late.now.over
    assert late.now.shown == known


def _answer(value):
    from mastaba.core.rules import Answer

    return Answer(value)
