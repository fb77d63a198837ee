"""Pyramid, rows P01 to P18 and P98 to P109: who plays, what is dealt, the order of turns, and the game for two."""

from collections import Counter

import pytest
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.games.pyramid_data import FACES
from mastaba.core.rules import Answer, Ask, IllegalMove, Options, Reveal, Roll, Shuffle, Team
from pyramidtable import BOARD, SHIPPED, PyramidTable, ended, ids, one, sq

START, DUNGEON = BOARD.start, BOARD.dungeon


def new(seats, first=0):
    return Pyramid(seats, SHIPPED, Options(first=first))


@pytest.mark.parametrize(("seats", "pieces"), [(3, 2), (4, 3), (5, 4)])
def test_P01_one_mummy_all_others_hunters(seats, pieces):
    game = new(seats, first=1)
    assert game.first == 1
    assert list(game.owner.values()) == [(1 + n) % seats for n in range(1, seats)]
    assert len(game.owner) == pieces


def test_P01_two_to_five_players():
    for seats in (-1, 0, 1, 6):
        with pytest.raises(IllegalMove, match="seats"):
            Pyramid(seats, SHIPPED)


def test_P02_each_hunter_has_one_piece_and_three_life_tokens():
    assert new(5).lives == {"h1": 3, "h2": 3, "h3": 3, "h4": 3}
    assert sum(new(5).lives.values()) == 12


def test_P03_five_hunter_dice_with_1_2_3_4_arrow_mummy():
    game = PyramidTable(None, None)
    request = game.now.pending
    assert (request.n, request.sides, request.to, request.open) == (5, 6, "hunters", (6,))
    assert FACES == ("1", "2", "3", "4", "arrow", "mummy")


def test_P04_one_mummy_die_with_digits_only():
    assert {face for seats in (2, 3, 4, 5) for face in SHIPPED.die(seats)} == {1, 2, 3}
    assert [len(SHIPPED.die(seats)) for seats in (2, 3, 4, 5)] == [6] * 4


def test_P05_23_missions_in_five_colours_each_names_one_square():
    colours = dict(SHIPPED.colours)
    faces = [face for _, face in new(3).printed()]
    assert Counter(colours[face[0]] for face in faces) == {"white": 5, "red": 5, "blue": 5, "green": 4, "yellow": 4}
    assert sorted(faces) == sorted(BOARD.square_of)
    assert len(set(BOARD.square_of.values())) == 23


def test_P06_mummy_and_hunters_play_on_the_same_map():
    game = PyramidTable(None, None)
    assert all(twin.data.board is BOARD for twin in game.games)


def test_P07_a_coin_names_the_mummy_unless_the_table_has():
    assert Pyramid(4, SHIPPED).pending == Roll(1, 4, then="start")
    for seat in range(4):
        game = Pyramid(4, SHIPPED)
        game.start(None, (seat + 1,))
        assert game.first == new(4, first=seat).first == seat


def test_P08_the_mummy_never_sees_the_hunters_side():
    game = PyramidTable(sq(5, 7), sq(5, 10))
    assert [game.view(0).rules.square(piece) for piece in ("h1", "h2")] == [None, None]
    assert [game.view(None).rules.square(piece) for piece in ("h1", "h2")] == [None, None]
    game.falls("1 2 3 4 >").play()
    assert [game.view(0).knows(die) for die in game.now.dice] == [None] * 5


def test_P09_the_hunters_always_see_where_the_mummy_is():
    game = PyramidTable(None, None, turn="mummy").falls("1")
    game.play("step h7")
    assert {twin.mummy for twin in game.games} == {sq(6, 7)}


def test_P10_all_hunters_begin_on_the_start_square():
    assert new(5).public == dict.fromkeys(("h1", "h2", "h3", "h4"), START)


def test_P11_the_mummy_begins_on_the_sarcophagus_which_is_the_dungeon():
    assert new(3).mummy == DUNGEON == sq(7, 7)


def test_P12_pieces_of_missing_hunters_stay_out():
    assert list(new(3).owner) == ["h1", "h2"]


def test_P13_missions_are_sorted_by_back_and_each_pile_is_shuffled_alone():
    game = PyramidTable(None, None)
    fresh = new(3)
    shuffles = [request for request in reversed(fresh.agenda) if isinstance(request, Shuffle)]
    faces = dict(zip(fresh.dealt, (face for _, face in fresh.printed()), strict=True))
    assert [{faces[card][0] for card in request.cards} for request in shuffles] == [{"w"}, {"r"}, {"b"}, {"g"}, {"y"}]
    assert not game.now.piles


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_P14_each_hunter_takes_one_card_of_each_colour(seats):
    game = PyramidTable(seats=seats)
    for seat in range(1, seats):
        assert [game.now.backs[card] for card in game.now.missions[seat]] == ["w", "r", "b", "g", "y"]
    assert game.now.missions[0] == []


def test_P15_missions_are_hidden_from_all_others_fellow_hunters_too():
    game = PyramidTable(None, None, None)
    for owner in (1, 2, 3):
        for card in game.now.missions[owner]:
            assert [seat for seat in (0, 1, 2, 3) if game.view(seat).knows(card)] == [owner]
            assert game.view(None).knows(card) is None


def test_P16_the_cards_left_over_are_put_aside_unseen():
    game = PyramidTable(None, None)
    assert len(game.now.left_over) == 23 - 10
    assert all(game.view(seat).knows(card) is None for card in game.now.left_over for seat in (0, 1, 2, None))


def test_P17_the_seat_left_of_the_mummy_begins_then_clockwise():
    assert list(new(4, first=2).owner.items()) == [("h1", 3), ("h2", 0), ("h3", 1)]
    game = PyramidTable(None, None)
    assert game.now.turn == "h1"
    assert game.now.turn_of() == 1


def test_P18_all_hunters_play_once_then_the_mummy_and_again():
    game = PyramidTable(None, sq(5, 10), sq(5, 12))
    turns = []
    for _ in range(3):
        turns.append(game.now.turn)
        game.falls("2 2 2 2 2").play("die 1", BOARD.name(game.ends(game.now.turn, "2")[0]), "pass")
    assert turns == ["h1", "h2", "h3"]
    assert game.now.turn == "mummy"
    game.falls("1").play("stop")
    assert game.now.turn == "h1"


def _first(game):
    """Where the first die can go, in text."""
    return BOARD.name(game.ends(game.now.turn, "1")[0])


# -- elimination, two players -----------------------------------------------------------------------------------------


def test_P98_eliminated_hunters_are_skipped_and_stop_no_arrow():
    game = PyramidTable(sq(7, 12), sq(7, 11), sq(5, 5), mummy=sq(3, 6), lives={"h2": 0})
    assert game.ends("h1", ">") == tuple(sorted((sq(7, 8), *BOARD.maze.slide(sq(7, 12), 0)[-1:])))
    game.falls("1 1 1 1 1").play("die 1", "m7", "pass")
    assert game.now.turn == "h3"
    assert "h2" not in game.now.pieces()


def test_P99_two_players_one_leads_two_pieces_with_the_tokens_of_both():
    game = new(2)
    assert game.owner == {"h1": 1, "h2": 1}
    assert game.lives == {"h1": 3, "h2": 3}
    assert isinstance(game.pending, Team)
    assert game.pending.seats == (1,)


def test_P100_ten_missions_two_of_each_colour():
    game = PyramidTable(seats=2)
    assert [game.now.backs[card] for card in game.now.missions[1]] == list("wwrrbbggyy")
    assert all(game.view(1).knows(card) for card in game.now.missions[1])


def test_P101_each_piece_has_a_full_turn_in_the_same_order_then_the_mummy():
    game = PyramidTable(seats=2)
    turns = []
    for _ in range(4):
        turns.append(game.now.turn)
        if game.now.turn == "mummy":
            game.falls("1").play("stop")
        else:
            game.falls("1 1 1 1 1").play("die 1", _first(game), "pass")
    assert turns == ["h1", "h2", "mummy", "h1"]


@pytest.mark.parametrize("piece", ["h1", "h2"])
def test_P102_either_piece_can_fulfil_any_of_the_missions(piece):
    here = BOARD.maze.ends(BOARD.square_of["r3"], 1, sq(3, 6))[0]
    places = [here if p == piece else None for p in ("h1", "h2")]
    game = PyramidTable(*places, turn=piece, missions={1: ["r3", "g1"]}, seats=2, mummy=sq(3, 6))
    events = game.falls("1 1 1 1 1").play("die 1", BOARD.name(BOARD.square_of["r3"]), "play 1")
    assert one(events, "mission").args[0] == piece
    assert len(game.now.missions[1]) == 1


def test_P103_the_hunter_wins_with_all_ten_played():
    here = BOARD.maze.ends(BOARD.square_of["r3"], 1, sq(3, 6))[0]
    game = PyramidTable(here, None, missions={1: ["r3"]}, seats=2, mummy=sq(3, 6))
    game.falls("1 1 1 1 1").play("die 1", BOARD.name(BOARD.square_of["r3"]), "play 1")
    assert ended(game).winners == (1,)
    assert ended(game).scores == (0, 10)


def test_P104_the_mummy_wins_with_three_tokens_from_whichever_piece():
    assert [SHIPPED.goal(seats) for seats in (2, 3, 4, 5)] == [3, 4, 6, 7]
    for piece in ("h1", "h2"):
        places = [sq(6, 7) if p == piece else sq(5, 12) for p in ("h1", "h2")]
        game = PyramidTable(*places, seats=2, turn="mummy", tokens=2)
        game.falls("1").play("step h7")
        assert ended(game).winners == (0,)
        assert ended(game).reason == "tokens"


def test_P105_no_piece_can_be_eliminated_before_the_game_is_over():
    game = PyramidTable(sq(6, 7), None, seats=2, turn="mummy", tokens=2, lives={"h1": 1})
    events = game.falls("1").play("step h7")
    assert ids(events)[-2:] == ["out", "over"]


def test_P106_next_hunter_in_the_special_cases_means_the_other_piece():
    game = PyramidTable(sq(5, 7), sq(5, 10), seats=2, up=4, mummy=sq(3, 6))
    events = game.play("keep")
    events = game.falls("M").play()
    assert ids(events)[-2:] == ["reset", "hunt"]
    assert one(events, "reset").args == ("h2", True)


def test_P107_honesty_is_replaced_by_proofs():
    """Where a piece is hidden, every question about it is an Ask: nothing is taken on anybody's word."""
    game = PyramidTable(sq(5, 7), sq(5, 10), seats=2, turn="mummy").falls("1")
    game.step()
    game.typed = ["step h7"]
    game.step()
    assert game.now.pending == Ask(("h1", "h2"), (sq(6, 7),), then="felt")


def test_P108_the_backs_of_unplayed_missions_are_everybodys():
    game = PyramidTable(None, None)
    for seat in (0, None):
        view = game.view(seat).rules
        assert sorted(view.backs[card] for card in view.missions[1]) == sorted("wrbgy")


def test_P109_nothing_asks_whom_a_hunter_helps():
    """A hunter may end anywhere within reach, and pass by a mission: no rule looks at the others' interest."""
    game = PyramidTable(sq(5, 7), sq(5, 10), mummy=sq(3, 6)).falls("1 1 1 1 1")
    game.play("die 1")
    assert game.moves == [BOARD.name(square) for square in game.ends("h1", "1")]


def test_the_set_up_opens_missions_to_their_owners_alone():
    game, opened = new(3), []
    while game.turn is None:
        if isinstance(game.pending, Reveal):
            opened.append((game.pending.to, len(game.pending.cards)))
        game.apply(Answer())
    assert opened == [((1,), 5), ((2,), 5)]
