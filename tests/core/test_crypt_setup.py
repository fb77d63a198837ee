"""The Crypt, rows C01 to C18: set-up, the round, Reveal."""

from collections import Counter

import pytest
from crypttable import LATER, RICH, CryptTable
from mastaba.core.games.crypt import Crypt
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.rules import ALL, Choose, IllegalMove, Options, Reveal, Roll, Shuffle

SIZES = {2: 24, 3: 36, 4: 48}
ROW = ("idol 3", "jewelry 2", "remains 4")


@pytest.fixture
def crypt(shipped):
    return lambda seats, **options: Crypt(seats, shipped["crypt"], Options(**{"first": 0, **options}))


@pytest.mark.parametrize("seats", [1, 5])
def test_C01_two_to_four_players(crypt, seats):
    assert [crypt(n).seats for n in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(IllegalMove, match="seats"):
        crypt(seats)


def test_C02_48_treasures_of_six_types_with_values_1_to_4(shipped):
    cards = Counter(shipped["crypt"].cards(4))
    assert cards == {(kind, value): 2 for kind in TYPES for value in (1, 2, 3, 4)}
    assert TYPES == ("idol", "jewelry", "manuscript", "pottery", "remains", "tapestry")


def test_C03_three_servant_dice_each(crypt):
    game = crypt(4)
    assert [game.free(seat) for seat in range(4)] == [3, 3, 3, 3]


def test_C04_two_torches_leader_and_lights_out():
    game = CryptTable(3, leader=1)
    assert game.now.leader == 1
    assert game.asked == Choose(1, "turns", then="act", about=False)
    game.play("recover", "recover")
    assert game.asked == Choose(0, "turns", then="act", about=True)  # Lights Out


@pytest.mark.parametrize("variant", ["aaaaaa", "bbbbbb", "abbaba"])
def test_C05_six_collectors_with_any_combination_of_sides(crypt, variant):
    assert "".join(crypt(2, variant=variant).side(kind) for kind in TYPES) == variant


@pytest.mark.parametrize("variant", ["a", "aaaaabb", "aaaaac", "AAAAAA", "aaaaa "])
def test_C05_anything_else_is_no_choice_of_sides(crypt, variant):
    with pytest.raises(IllegalMove, match="variant"):
        crypt(2, variant=variant)


def test_C06_all_a_unless_the_table_chooses(crypt):
    assert crypt(2).sides == dict.fromkeys(TYPES, "a")


@pytest.mark.parametrize("seats", SIZES)
def test_C07_treasures_are_removed_by_number_of_players(crypt, seats):
    printed = Counter(crypt(seats).printed())
    twice = {2: (), 3: (2, 3), 4: (1, 2, 3, 4)}[seats]
    assert printed.total() == SIZES[seats]
    assert printed == {(kind, value): 2 if value in twice else 1 for kind in TYPES for value in (1, 2, 3, 4)}


def test_C08_the_deck_is_shuffled_face_down(crypt):
    game = crypt(3)
    assert game.pending == Shuffle(game.dealt, then="stack")
    assert not game.shown


def test_C09_all_dice_start_free(crypt):
    assert crypt(3).spent == [0, 0, 0]


def test_C10_the_first_leader_by_option_or_by_a_joint_coin(crypt):
    assert crypt(3, first=2).first == 2
    assert crypt(3, first=None).pending == Roll(1, 3, then="start")


@pytest.mark.parametrize(("seats", "leader", "order"), [(3, 0, [0, 1, 2]), (3, 2, [2, 0, 1]), (4, 1, [1, 2, 3, 0])])
def test_C11_lights_out_is_to_the_leaders_right(seats, leader, order):
    game = CryptTable(seats, leader=leader)
    asked = []
    for _ in range(seats):
        asked.append((game.asked.seat, game.asked.about))
        game.start("recover")
    assert asked == [(seat, seat == order[-1]) for seat in order]


def test_C12_two_players_the_leader_has_both_torches():
    game = CryptTable(2, leader=1)
    asked = []
    for _ in range(3):
        asked.append((game.asked.seat, game.asked.about))
        game.start("recover")
    assert asked == [(1, False), (0, False), (1, True)]


def test_C13_a_round_is_reveal_claim_collect_pass():
    game = CryptTable(2, ROW, pile=LATER, dice=[6])
    game.play("claim 1:2", "recover", "recover")
    ids = [event.id for event in game.log]
    assert [i for i in ids if i in ("round", "crypt", "claim", "collected", "rolled")] == [
        "round",
        "crypt",
        "claim",
        "collected",
        "rolled",
        "round",
        "crypt",
    ]
    assert [event.seat for event in game.events("round")] == [0, 1]


@pytest.mark.parametrize(("seats", "up", "down"), [(2, 2, 1), (3, 3, 1), (4, 4, 2)])
def test_C14_treasures_by_number_of_players(seats, up, down):
    game = CryptTable(seats)
    assert len(game.now.row) == up + down
    assert game.now.face_down() == list(range(up, up + down))


def test_C15_the_first_drawn_lie_face_up_the_last_face_down():
    game = CryptTable(4, ("idol 1", "idol 2", "idol 3", "idol 4", "remains 1", "remains 2"))
    assert [game.now.shown.get((card, "face")) for card in game.now.row] == [1, 2, 3, 4, None, None]
    assert game.events("crypt")[0].args[1:] == (("idol",) * 4 + ("remains",) * 2, (1, 2, 3, 4, None, None))


def test_C16_the_types_of_face_down_treasures_and_of_the_top_of_the_deck_are_open():
    game = CryptTable(4, pile=["tapestry 4", "pottery 3"])
    assert [game.now.seen(card, "back") for card in game.now.row] == [game.truth[card, "back"] for card in game.now.row]
    assert [game.now.seen(card, "back") for card in game.now.pile] == [None, "pottery"]


def test_C16_backs_are_opened_before_faces(shipped, rng_of):
    game = Crypt(2, shipped["crypt"], Options(first=0))
    deck = CryptTable.__mro__[1](lambda: game.copy(), [None, None], rng_of(1))
    deck.step()
    row, top = tuple(deck.spectator.row), deck.spectator.pile[-1]
    assert deck.spectator.pending == Reveal((*row, top), "back", ALL)
    deck.step()
    assert deck.spectator.pending == Reveal(row[:2], "face", ALL, then="laid", about=row)


def test_C17_claim_begins_with_the_leader_and_goes_to_the_left():
    game = CryptTable(4, leader=2)
    seats = []
    for _ in range(4):
        seats.append(game.asked.seat)
        game.start("recover")
    assert seats == [2, 3, 0, 1]


def test_C18_each_turn_is_one_action():
    for action in ("claim 1:1", "recover"):
        game = CryptTable(3)
        game.play(action)
        assert game.asked.seat == 1


def test_the_rich_deck_of_these_tests_makes_whole_rounds():
    assert [len(RICH.cards(n)) % RICH.deck(n).row for n in (2, 3, 4)] == [0, 0, 0]
