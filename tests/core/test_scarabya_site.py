"""Scarabya, rows S01 to S12 and S55: what is in the box, and the site that the Great Explorer lays."""

from collections import Counter
from itertools import islice

import cell_by_cell as twin
import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.errors import LocalError
from mastaba.core.games.grid import mask_of, squares_of
from mastaba.core.games.scarabya import Scarabya, load
from mastaba.core.games.scarabya_data import CENTRE, SITE, pieces_left
from mastaba.core.rules import Answer, Choose, IllegalMove, Options, Roll
from sites import PLAIN, SHIPPED, Sites, args, data_of, no_player, picture, shipped

DATA = load(SHIPPED)


def test_S01_up_to_four_players():
    for seats in (1, 2, 3, 4):
        assert Scarabya(seats, DATA).seats == seats
    for seats in (-1, 0, 5, 100):
        with pytest.raises(IllegalMove, match="seats"):
            Scarabya(seats, DATA)
    assert len(DATA.boards) == 4
    assert sum("".join(side).count("#") for side in (board[0] for board in DATA.boards)) == 8


def test_S02_twelve_tiles_one_of_each_the_same_for_all():
    assert len(DATA.tiles) == 12
    assert len({frozenset(DATA.shapes(name)) for name, _ in DATA.tiles}) == 12
    assert {mask.bit_count() for name, _ in DATA.tiles for mask in DATA.shapes(name)} == {5}
    table = Sites(4)
    table.mission("T")
    assert len({tuple(table.now.fits(seat)) for seat in range(4)}) == 1


def test_S03_a_mission_for_each_tile():
    assert Scarabya(2, DATA).missions == [name for name, _ in DATA.tiles]


def test_S04_72_tokens_of_1_to_4():
    assert DATA.tokens == ((1, 18), (2, 18), (3, 18), (4, 18))
    assert sum(n for _, n in DATA.tokens) == 72


def test_S05_a_coin_names_the_great_explorer_unless_the_table_has(rng_of):
    assert Scarabya(4, DATA).pending == Roll(1, 4, then="start")
    dealer = Dealer(lambda: Scarabya(4, DATA), [no_player] * 4, rng_of("S05"))
    dealer.step()
    assert dealer.spectator.explorer == dealer.spectator.first == dealer.spectator.pending.seat
    for seat in range(4):
        assert Scarabya(4, DATA, Options(first=seat)).pending == Choose(seat, "pieces", then="lay")


def test_S06_missions_are_drawn_by_a_coin_among_those_left():
    table = Sites()
    assert table.now.pending == Roll(1, 12, then="open")
    table.round("T", "33 43 52 53 54")
    assert table.now.pending == Roll(1, 11, then="open")
    assert "T" not in table.now.missions


def test_S07_the_great_explorer_lays_four_boards_in_the_open():
    table = Sites(3, boards=())
    events = [event for board in ("2b 3", "4a 0", "1a 1", "3b 2") for event in table.say(table.now.parse_move(f"lay {board}"))]
    assert args(events, "laid") == [(0, 0, 1, 1, 3), (0, 1, 3, 0, 0), (0, 2, 0, 0, 1), (0, 3, 2, 1, 2)]
    ((_, rocks, scarabs),) = args(events, "site")
    assert (len(rocks), len(scarabs)) == (8, 24)
    assert table.now.laid == [(1, 1, 3), (3, 0, 0), (0, 0, 1), (2, 1, 2)]


def test_S08_and_S09_every_board_in_every_place_on_either_side_in_four_rotations():
    """32 ways to lay the first board, then 24, 16 and 8: all 98,304 arrangements of the shipped boards."""
    table, ways = Sites(boards=()), []
    for _ in range(4):
        moves = list(table.now.pieces(table.now.pending))
        assert moves[-1] == ("lot",)
        ways.append(len(moves) - 1)
        table.say(moves[0])
    assert ways == [32, 24, 16, 8]
    turned = {DATA.rocks([(0, 0, turns)]) for turns in range(4)}
    assert len(turned) == 4
    assert DATA.rocks([(0, 0, 0)]) != DATA.rocks([(0, 1, 0)])


def test_boards_are_turned_clockwise():
    # 1a has rocks at row 1 column 1 and row 3 column 4; a quarter clockwise takes (r, c) to (c, 4 - r)
    assert [squares_of(DATA.rocks([(0, 0, turns)])) for turns in range(4)] == [(11, 34), (13, 41), (10, 33), (3, 31)]


def test_S10_all_play_on_the_same_site():
    table = Sites(4)
    assert {game.free(seat) for game in table.games for seat in range(4)} == {SITE & ~DATA.rocks([(b, 0, 0) for b in range(4)])}


def test_S11_eight_rocks_and_24_scarabs_in_every_arrangement_that_is_tried(rng_of):
    for number in range(60):
        dealer = Dealer(lambda: Scarabya(2, DATA, Options(first=1)), [no_player] * 2, rng_of("S11", number))
        dealer.apply([Answer(("lot",))] * 3)
        while len(dealer.spectator.laid) < 4:
            dealer.step()
        assert dealer.spectator.rocks.bit_count() == 8
        assert dealer.spectator.scarabs.bit_count() == 24
        assert not dealer.spectator.rocks & dealer.spectator.scarabs
        assert not dealer.spectator.rocks & CENTRE  # SR4: all four are free


def test_S12_rocks_are_alike():
    table = Sites()
    assert table.now.rocks == mask_of((11, 34, 8, 35, 72, 84, 77, 98))


# -- by lot, and what may not be laid ---------------------------------------------------------------------------------


def test_SR4_by_lot_each_way_to_lay_the_next_board_is_equally_likely(rng_of):
    first = Counter()
    for number in range(200):
        dealer = Dealer(lambda: Scarabya(2, DATA, Options(first=0)), [no_player] * 2, rng_of("lot", number))
        dealer.apply([Answer(("lot",))] * 3)
        sides = []
        while len(dealer.spectator.laid) < 4:
            sides.append(dealer.spectator.pending.sides)
            dealer.step()
        assert sides == [32, 24, 16, 8]
        first[dealer.spectator.laid[0]] += 1
    assert len(first) >= 30
    assert max(first.values()) < 22


def test_a_lot_in_the_middle_lays_what_is_left(rng_of):
    table = Sites(boards=PLAIN[:2])
    table.say(("lot",))
    assert table.now.pending == Roll(1, 16, then="lay_by_lot")
    table.say((16,))
    table.say((1,))
    assert table.now.laid[:2] == [(0, 0, 0), (1, 0, 0)]
    assert sorted(piece[0] for piece in table.now.laid) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("lay 1a 0", "board-laid"), ("lay 1b 3", "board-laid")],
)
def test_a_board_lies_once(text, reason):
    table = Sites(boards=PLAIN[:1])
    with pytest.raises(IllegalMove, match=reason):
        table.say(table.now.parse_move(text))


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (("lay", 4, 0, 0), "no-such-board"),
        (("lay", -1, 0, 0), "no-such-board"),
        (("lay", 1, 2, 0), "no-such-move"),
        (("lay", 1, 0, 4), "no-such-move"),
        (("lay", True, 0, 0), "no-such-move"),
        (("lay", 1, False, 0), "no-such-move"),
        (("lay", 1, 0), "no-such-move"),
        (("lot", 1), "no-such-move"),
        (["lot"], "no-such-move"),
        (("place", 1, 2, 3, 4, 5), "not-now"),
        (("dance",), "no-such-move"),
    ],
)
def test_what_is_no_board_is_refused(move, reason):
    table = Sites(boards=())
    before = table.now.digest()
    with pytest.raises(IllegalMove) as refused:
        table.say(move)
    assert str(refused.value) == reason
    assert table.now.digest() == before


def test_S55_no_site_begins_with_a_closed_space():
    """Rocks alone close a single square with a scarab on 1a: that side cannot be laid, so nothing is ever scored for it."""
    table = shipped()
    table["boards"][0] = {"a": ["..#..", ".#s#.", "..#..", ".....", "....."], "b": ["....."] * 5}
    data = load(table)
    for turns in range(4):
        assert not data.may_lay([(0, 0, turns)])
        assert data.may_lay([(0, 1, turns)])


def test_SR3_a_table_of_ones_own_is_refused_only_if_no_arrangement_is_legal():
    table = shipped()
    bad = ["..#..", ".#.#.", "..#..", ".....", "....."]
    table["boards"][0] = {"a": bad, "b": ["....."] * 5}
    data = load(table)
    game = Sites(data=data, boards=()).now
    moves = list(game.pieces(game.pending))
    assert ("lay", 0, 1, 0) in moves
    assert not any(move[:3] == ("lay", 0, 0) for move in moves)
    with pytest.raises(IllegalMove, match="closed-by-rocks"):
        game.apply(Answer(("lay", 0, 0, 0)))
    table["boards"][0] = {"a": bad, "b": bad}
    with pytest.raises(LocalError, match="However the boards"):
        load(table)


def test_SR3_a_site_without_a_free_centre_square_cannot_be_laid():
    table = shipped()
    table["boards"] = [{"a": ["#...#", *["....."] * 3, "#...#"], "b": ["....."] * 5}] * 4
    data = load(table)
    game = Sites(data=data, boards=("1a 0", "2a 0", "3a 0")).now
    assert not any(move[:3] == ("lay", 3, 0) for move in game.pieces(game.pending))
    assert ("lay", 3, 1, 0) in game.pieces(game.pending)


def test_SR3_on_the_shipped_boards_rocks_never_close_a_space(rng_of):
    """A sample here, cell by cell; the rules themselves check every arrangement that is laid."""
    rng = rng_of("connected")
    for _ in range(25):
        laid = ()
        while len(laid) < 4:
            pieces = pieces_left(laid)
            laid = (*laid, pieces[rng(1)[0] % len(pieces)])
        free = {divmod(s, 10) for s in squares_of(SITE & ~DATA.rocks(laid))}
        assert len(twin.spaces(free)) == 1
        assert DATA.may_lay(laid)


def test_SX10_the_X_that_fits_on_no_centre_square():
    table = Sites(3, boards=("1a 0", "2a 2", "3a 3", "4b 0"))
    assert {34, 46, 53, 65} <= set(squares_of(table.now.rocks))
    events = table.mission("X")
    assert args(events, "discarded") == [(0, "X"), (1, "X"), (2, "X")]
    assert table.now.pending == Roll(1, 11, then="open")  # nobody was asked
    table.mission("P")
    assert all(set(move[1:]) & {44, 45, 54, 55} for move in table.now.fits(0))  # SR2: the next tile is the first
    for tile in ("F", "I", "Z"):
        assert len(Sites(2, boards=("1a 0", "2a 2", "3a 3", "4b 0")).now.data.shapes(tile)) > 0


def test_SR9_who_leaves_before_the_site_is_laid_hands_it_on():
    table = Sites(3, boards=PLAIN[:2])
    table.leave(0)
    assert table.now.pending == Choose(1, "pieces", then="lay")
    assert table.now.laid == []  # the next seat lays it afresh
    table.leave(1)
    assert table.now.over


def test_SR9_a_lot_goes_on_without_its_explorer():
    table = Sites(3, boards=PLAIN[:1])
    table.say(("lot",))
    table.leave(0)
    assert isinstance(table.now.pending, Roll)
    for _ in range(3):
        table.say((1,))
    assert len(table.now.laid) == 4


def test_a_coin_that_falls_on_who_has_left_makes_the_next_seat_the_explorer():
    table = Dealer(lambda: Scarabya(3, DATA), [no_player] * 3, bytes)
    table.leave(1)
    table.apply([Answer((2,))] * 4)
    assert table.spectator.pending.seat == 2


# -- a table of one's own ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.pop("rounds"), "rounds"),
        (lambda t: t.update(extra=1), "known|unknown|has no"),
        (lambda t: t.update(players=[1, 4]), "players"),
        (lambda t: t.update(rounds=13), "rounds"),
        (lambda t: t.update(rounds=True), "rounds"),
        (lambda t: t.update(largest_scoring_area=5), "must have 6"),
        (lambda t: t.update(largest_scoring_area=0), "largest_scoring_area"),
        (lambda t: t["tokens"].update({"5": 1}), "known|unknown|has no"),
        (lambda t: t["tokens"].update({"1": -1}), "tokens 1"),
        (lambda t: t.update(tiles={}), "1 to 26"),
        (lambda t: t["tiles"].update(A=["####"]), "must have 5"),
        (lambda t: t["tiles"].update(A=["##...", "..###"]), "hang together"),
        (lambda t: t["tiles"].update(A=["#####."]), "rows"),
        (lambda t: t["tiles"].update(A=["###", "##"]), "rows"),
        (lambda t: t["tiles"].update(A=["#####", "....."]), "empty row"),
        (lambda t: t["tiles"].update(A=["####x"]), "drawn with"),
        (lambda t: t["tiles"].update(A=[]), "rows"),
        (lambda t: t["tiles"].update(A=["#####", "#####"]), "5 to 9"),
        (lambda t: t["tiles"].update({"\x1b[2J": ["#####"]}), "letter"),
        (lambda t: t.update(boards=t["boards"][:3]), "4 boards"),
        (lambda t: t["boards"][1].update(a=["....."] * 4), "Board 2a"),
        (lambda t: t["boards"][1].update(b=["....x"] * 5), "Board 2b"),
        (lambda t: t["boards"][2].pop("b"), "boards 3"),
        (lambda t: t.update(boards=7), "4 boards"),
    ],
)
def test_a_table_that_is_not_playable_is_refused_with_a_sentence(change, words):
    table = shipped()
    change(table)
    with pytest.raises(LocalError, match=words):
        load(table)


def test_own_tiles_up_to_nine_squares_are_played():
    data = data_of(picture(), {"O": ["###", "###", "###"], "A": ["#####", "#...."]})
    table = Sites(data=data)
    table.mission("O")
    assert len(table.now.fits(0)) == 16
    assert len(list(islice(table.now.fits(1), 3))) == 3
