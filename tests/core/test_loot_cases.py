"""Loot N Run: the worked cases LX01 to LX23, with their numbers."""

import pytest
from mastaba.core.games.loot import worth
from mastaba.core.rules import Choose, Over

ONE = ("green - cup",)
CARD = "yellow - ring"


def faces(*cards):
    return [("", tuple(card.split("+"))) for card in cards]


def ids(events):
    return [event.id for event in events]


def scored(events):
    return [(event.seat, event.args[0]) for event in events if event.id == "scored"]


def sizes(game):
    return [len(deck) for deck in game.now.decks]


def test_LX01_cups_and_crowns_double():
    assert worth(faces("cup+necklace+scarab", "cup+crown", "crown")) == 10


def test_LX02_three_cards_with_cups_only_double():
    assert worth(faces("cup+chest", "cup", "cup")) == 7


def test_LX03_rings_and_scarabs_double():
    assert worth(faces("ring+scarab", "necklace+ring+scarab", "ring", "scarab")) == 13


def test_LX04_a_single_card(table):
    assert worth(faces("chest+crown+ring")) == 3
    assert scored(table([("red - chest crown ring",), ONE, ONE]).play("run")) == [(0, 3)]


def test_LX05_two_cups_on_one_card():
    assert worth(faces("cup+cup")) == 2
    assert worth(faces("cup+cup", "cup")) == 6


def test_LX06_the_rulebooks_example(table):
    hand = ("red amulet cup", "red werewolf ring", "yellow frank crown", "green frank chest")
    for keep, kept in (("none", 0), ("first", 1), ("both", 2)):
        game = table([ONE, hand, ONE])
        before = sizes(game)
        assert "caught" in ids(game.play("wake 2"))
        assert sizes(game) == [before[0] - 1, before[1] - 1]
        game.play(f"keep {keep}")
        assert len(game.now.hands[0]) == 1 + kept
        assert game.asked == Choose(0, "actions", then="act")
        game.play("loot 1")
        assert game.asked.seat == 1


def test_LX07_one_amulet_holds_one_mummy(table):
    game = table([ONE, ("red amulet cup", "red mummy ring", "green - chest"), ONE])
    events = game.play("wake 2")
    assert scored(events) == [(1, 3)]
    assert "escaped" in ids(events)


def test_LX08_neither_guardian_nor_amulet(table):
    game = table([ONE, ("green - necklace", "green - necklace crown"), ONE])
    assert scored(game.play("wake 2")) == [(1, 5)]


def test_LX09_the_amulet_saves_nothing_but_its_treasure_counts(table):
    game = table([ONE, ("red mummy chest necklace crown", "red werewolf necklace", "red amulet crown"), ONE])
    events = game.play("wake 2")
    assert scored(events) == [(0, 9)]
    assert ids(events)[-1] == "werewolf"


def test_LX10_the_awakeners_amulets_do_not_count(table):
    game = table([("red amulet cup",) * 3, ("green frank ring",), ONE])
    assert "caught" in ids(game.play("wake 2"))


def test_LX11_the_end_is_scored_with_face_down_cards(table):
    hands = [("red - cup ring", "green - crown chest"), ("red - cup crown", "green - cup", "red - crown ring"), (), ()]
    game = table(hands, points=[33, 30, 0, 0])
    events = game.play("run")
    assert scored(events) == [(0, 4), (1, 9)]
    assert game.now.pending == Over((37, 39, 0, 0), (1,), "goal")


def test_LX12_the_mummy_ends_the_game_before_werewolf_and_frank(table):
    hands = [("green - ring",), ("red mummy cup chest", "red werewolf crown", "red frank scarab"), ONE]
    game = table(hands, points=[31, 0, 0])
    events = game.play("wake 2")
    assert scored(events) == [(0, 4), (0, 1), (2, 1)]
    assert game.now.pending == Over((36, 0, 1), (0,), "goal")
    assert not {"werewolf", "frank"} & set(ids(events))


def test_LX13_an_escape_ends_the_game_in_anothers_turn(table):
    game = table([ONE, ("red - cup ring",), ONE], points=[0, 33, 0])
    game.play("wake 2")
    assert game.now.pending == Over((1, 35, 1), (1,), "goal")


@pytest.mark.parametrize(("seats", "over"), [(6, True), (5, False)])
def test_LX14_six_players_end_at_30(table, seats, over):
    game = table([("red - cup ring",), *[ONE] * (seats - 1)], points=[28] + [0] * (seats - 1))
    game.play("run")
    assert game.now.scores()[0] == 30
    assert game.now.over == over


@pytest.mark.parametrize(("discards", "total", "new"), [(10, 30, [15, 15]), (11, 31, [16, 15])])
def test_LX15_the_last_card_of_a_deck_is_looted(table, discards, total, new):
    game = table([ONE, ONE, ONE], decks=([CARD], [CARD] * 20), discards=[CARD] * discards)
    assert len(game.play_until_shuffle("loot 1").cards) == total
    game.settle()
    assert sizes(game) == new


def test_LX16_no_discards_are_no_obstacle(table):
    game = table([ONE, ONE, ONE], decks=([CARD], [CARD] * 6))
    assert len(game.play_until_shuffle("loot 1").cards) == 6
    game.settle()
    assert sizes(game) == [3, 3]


def test_LX17_one_card_is_left(table):
    game = table([ONE, ONE, ONE], decks=([CARD], [CARD]))
    events = game.play("loot 2")
    assert "rebuilt" not in ids(events)
    assert [move for move in game.moves if move.startswith("loot")] == ["loot 1"]


def test_LX18_the_targets_cards_are_discards_before_the_draw(table):
    hand = ("red werewolf cup", "red - ring", "green - crown", "green - cup")
    game = table([ONE, hand, ONE], decks=([CARD], []))
    assert len(game.play_until_shuffle("wake 2").cards) == 5
    events = game.settle()
    assert [e.args for e in events if e.id == "rebuilt"] == [(3, 2)]
    assert sizes(game) == [2, 1]
    assert len(game.now.lifted) == 2


def test_LX19_the_rebuild_waits_for_the_keep_decision(table):
    game = table([ONE, ("red werewolf cup",), ONE], decks=([CARD], [CARD]))
    assert "rebuilt" not in ids(game.play("wake 2"))
    assert sizes(game) == [0, 0]
    assert game.asked.moves == "keeps"
    shuffle = game.play_until_shuffle("keep first")
    assert len(shuffle.cards) == 2  # the rejected card and the target's
    game.settle()
    assert sizes(game) == [1, 1]


def test_LX20_nobody_can_draw(table):
    game = table([(), ONE, ONE], decks=([CARD], []), turn=2)
    events = game.play("loot 1")
    assert [e.seat for e in events if e.id == "passed"] == [0]
    assert game.moves == ["run", "wake 3"]


def test_LX21_two_players_one_with_a_card(table):
    game = table([(), ONE])
    assert game.moves == ["loot 1", "loot 2", "wake 2"]
    assert game.refusal("run") == "no-cards"


def test_LX22_two_players_without_cards(table):
    assert table([(), ()]).moves == ["loot 1", "loot 2"]


def test_LX23_a_shared_victory(table):
    game = table([("red - cup ring",), ("red - cup ring",), ("red - cup",)], points=[39, 39, 39], goal=41)
    game.play("run")
    assert game.now.pending == Over((41, 41, 40), (0, 1), "goal")
