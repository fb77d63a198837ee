"""Loot N Run, rows L01 to L17: the cards, the set-up, and what lies open on the table."""

from collections import Counter
from statistics import mean

import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games.loot import Loot
from mastaba.core.games.loot_data import AMULET, BACKS, GUARDIANS
from mastaba.core.rules import ALL, Choose, IllegalMove, Options, Reveal, Roll, Shuffle

FIRST = ("red - cup", "yellow - chest")
PLENTY = ("green - ring",) * 4


def test_L01_two_to_six_players(shipped):
    for seats in (2, 3, 4, 5, 6):
        assert Loot(seats, shipped["loot"]).seats == seats
    for seats in (-1, 0, 1, 7, 100):
        with pytest.raises(IllegalMove, match="seats"):
            Loot(seats, shipped["loot"])


def test_L02_54_cards_12_red_18_yellow_24_green(shipped):
    assert Counter(back for back, _ in shipped["loot"].cards) == {"red": 12, "yellow": 18, "green": 24}


def test_L03_one_guardian_or_one_amulet_or_nothing_on_top(shipped):
    tops = Counter(top for _, (top, _) in shipped["loot"].cards)
    assert set(tops) == {"", AMULET, *GUARDIANS}
    assert tops[AMULET] == 9


def test_L04_one_to_three_treasures_of_six_kinds(shipped):
    assert {len(found) for _, (_, found) in shipped["loot"].cards} == {1, 2, 3}
    symbols = Counter(kind for _, (_, found) in shipped["loot"].cards for kind in found)
    assert symbols == dict.fromkeys(("cup", "chest", "necklace", "crown", "ring", "scarab"), 16)


def test_L05_guardians_are_mummy_werewolf_and_frank(shipped):
    assert {top for _, (top, _) in shipped["loot"].cards} - {"", AMULET} == {"mummy", "werewolf", "frank"}
    assert GUARDIANS == ("mummy", "werewolf", "frank")


def test_L06_a_guardian_in_2_red_3_yellow_4_green_cards(shipped):
    for back, each in (("red", 2), ("yellow", 3), ("green", 4)):
        tops = [top for b, (top, _) in shipped["loot"].cards if b == back]
        guardians = Counter(top for top in tops if top in GUARDIANS)
        assert guardians == {"mummy": 2, "werewolf": 2, "frank": 2}
        assert len(tops) == each * guardians.total()


def test_L07_dangerous_backs_carry_more_treasure(shipped):
    symbols = [mean(len(found) for b, (_, found) in shipped["loot"].cards if b == back) for back in BACKS]
    assert symbols == [1.25, 2.0, 2.5]


@pytest.mark.parametrize("seats", range(2, 7))
def test_L08_every_score_starts_at_0(shipped, seats):
    assert Loot(seats, shipped["loot"]).scores() == (0,) * seats


def test_L09_all_cards_are_shuffled_together_and_cut_into_two_equal_decks(shipped, rng_of):
    dealer = Dealer(lambda: Loot(4, shipped["loot"], Options(first=0)), [None] * 4, rng_of("L09"))
    request = dealer.spectator.pending
    assert isinstance(request, Shuffle)
    assert request.cards == tuple(range(54))
    events = dealer.step()
    assert [len(deck) for deck in dealer.spectator.decks] == [27, 27]
    assert sorted(dealer.spectator.cards_in_play()) == list(range(54, 108))  # fresh handles
    assert (events[-1].id, events[-1].args) == ("shuffled", (27, 27))


def test_L10_the_discard_pile_starts_empty(shipped):
    assert Loot(3, shipped["loot"]).discards == []


def test_L11_a_coin_names_the_first_player_unless_the_table_has(shipped, rng_of):
    assert Loot(4, shipped["loot"]).pending == Roll(1, 4, then="start")
    dealer = Dealer(lambda: Loot(4, shipped["loot"]), [None] * 4, rng_of("L11"))
    first = dealer.step()[0]
    assert first.id == "first"
    while not isinstance(dealer.spectator.pending, Choose):
        dealer.step()
    assert dealer.spectator.pending.seat == first.seat == dealer.spectator.turn_of()
    assert isinstance(Loot(4, shipped["loot"], Options(first=2)).pending, Shuffle)
    assert Loot(4, shipped["loot"], Options(first=2)).first == 2


def test_L11_each_seat_is_first_as_often_as_the_coin_says(shipped):
    for seats in (2, 6):
        firsts = set()
        for face in range(1, seats + 1):
            game = Loot(seats, shipped["loot"])
            game.start(None, (face,))
            firsts.add(game.first)
        assert firsts == set(range(seats))


def test_L12_a_turn_is_exactly_one_of_loot_run_awaken(table):
    game = table([FIRST, FIRST, FIRST])
    assert game.moves == ["loot 1", "loot 2", "run", "wake 2", "wake 3"]
    for move in ("loot 1", "run", "wake 2"):
        game = table([FIRST, FIRST, FIRST])
        game.play(move)
        assert game.asked.seat == 1


def test_L13_then_the_next_player_clockwise_is_on_turn(table):
    game = table([FIRST, FIRST, FIRST], decks=(["green - cup"] * 5, ["green - cup"] * 5), turn=1)
    seats = []
    for _ in range(6):
        seats.append(game.asked.seat)
        game.play("loot 1" if len(seats) % 2 else "loot 2")
    assert seats == [1, 2, 0, 1, 2, 0]


def test_L14_you_may_look_at_your_own_cards_at_any_time(table):
    game = table([FIRST, FIRST])
    game.play("loot 1", "loot 2", "loot 2")
    for seat in (0, 1):
        view = game.view(seat)
        assert [view.knows(card) for card in view.rules.hands[seat]] == [game.truth[card, "face"] for card in view.rules.hands[seat]]


def test_L15_cards_in_front_of_a_player_stay_face_down(table):
    game = table([FIRST, FIRST, FIRST])
    game.play("loot 1", "loot 2", "loot 1")
    for seat in (0, 1, 2):
        for other in {0, 1, 2, None} - {seat}:
            assert [game.view(other).knows(card) for card in game.now.hands[seat]] == [None] * 3


def test_L16_number_and_backs_of_cards_in_front_are_open_to_all(table):
    game = table([FIRST, FIRST, FIRST], decks=(["red - cup", "green - cup"], ["red - cup", "yellow - cup"]))
    game.play("loot 1", "loot 2")
    for seat in (0, 1, 2, None):
        view = game.view(seat)
        assert [view.knows(card, "back") for card in view.rules.hands[0]] == ["red", "yellow", "green"]
        assert [view.knows(card, "back") for card in view.rules.hands[1]] == ["red", "yellow", "yellow"]


def test_L17_the_back_of_each_top_is_open_to_all(table, shipped, rng_of):
    dealer = Dealer(lambda: Loot(2, shipped["loot"], Options(first=0)), [None] * 2, rng_of("L17"))
    dealer.step()
    tops = tuple(deck[-1] for deck in dealer.spectator.decks)
    assert dealer.spectator.pending == Reveal(tops, "back", ALL)
    game = table([FIRST, FIRST], decks=(["red - cup", "green - cup", "yellow - cup"], PLENTY))
    for _ in range(2):
        game.play("loot 1")
        top = game.now.decks[0][-1]
        assert [view.knows(top, "back") for view in map(game.view, (0, 1, None))] == [game.truth[top, "back"]] * 3
