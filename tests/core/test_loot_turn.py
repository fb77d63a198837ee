"""Loot N Run, rows L18 to L32: Loot and Run."""

import pytest
from mastaba.core.games.loot import worth
from mastaba.core.rules import ALL, Answer, Choose, Reveal

ONE = ("green - cup",)


def scored(events):
    return [(event.seat, event.args[0]) for event in events if event.id == "scored"]


def test_L18_three_players_without_cards_must_loot(table):
    game = table([(), ONE, ONE])
    assert game.moves == ["loot 1", "loot 2"]
    assert game.refusal("run") == "no-cards"
    assert game.refusal("wake 2") == "no-cards"


def test_L19_with_cards_you_may_still_loot_without_limit(table):
    deck = ["green - cup"] * 20
    game = table([ONE, ONE], decks=(deck, deck))
    for _ in range(15):
        game.play("loot 1", "loot 2")
    assert [len(hand) for hand in game.now.hands] == [16, 16]


@pytest.mark.parametrize(("deck", "taken"), [(1, "red - cup"), (2, "yellow - crown")])
def test_L20_loot_takes_the_top_of_either_deck(table, deck, taken):
    game = table([(), ONE, ONE], decks=(["green - cup", "red - cup"], ["green - cup", "yellow - crown"]))
    game.play(f"loot {deck}")
    assert game.hand(0) == [taken]
    assert len(game.now.decks[deck - 1]) == 1


def test_L21_only_the_taker_sees_its_face(table):
    game = table([(), ONE, ONE])
    card = game.now.decks[0][-1]
    game.apply([Answer(("loot", 0))] * 4)
    assert game.now.pending == Reveal((card,), "face", to=(0,))
    game.settle()
    assert [game.view(s).knows(card) for s in (0, 1, 2, None)] == [game.truth[card, "face"], None, None, None]


def test_L22_loot_takes_exactly_one_card(table):
    game = table([ONE, ONE, ONE])
    cards = [len(deck) for deck in game.now.decks]
    game.play("loot 2")
    assert len(game.now.hands[0]) == 2
    assert [len(deck) for deck in game.now.decks] == [cards[0], cards[1] - 1]


def test_L23_no_card_in_either_deck_no_loot(table):
    game = table([ONE, ONE, ONE], decks=(["green - cup"], []), turn=2)
    game.play("loot 1")
    assert game.moves == ["run", "wake 2", "wake 3"]
    assert game.refusal("loot 1") == game.refusal("loot 2") == "empty-deck"


def test_L24_run_reveals_all_ones_cards_to_everybody(table):
    hand = ["red mummy cup", "green - crown", "yellow amulet ring"]
    game = table([hand, ONE, ONE])
    cards = tuple(game.now.hands[0])
    game.apply([Answer(("run",))] * 4)
    assert game.now.pending == Reveal(cards, "face", ALL, by=0, then="run", about=0)
    events = game.settle()
    assert [view.knows(card) for view in map(game.view, (1, 2, None)) for card in cards] == [game.truth[c, "face"] for c in cards] * 3
    assert next(e.args for e in events if e.id == "revealed") == (cards, tuple(game.truth[c, "face"] for c in cards))


def test_L24_nobody_runs_with_only_some_cards(table):
    game = table([("red - cup", "red - ring"), ONE, ONE])
    for move in (("run", 0), ("run", 1), ("run", (0,))):
        assert move not in game.now.moves_of(game.asked, 0)
        assert game.now.why_not(game.asked, move) == "no-such-move"


def test_L25_run_needs_a_card_with_two_players_too(table):
    for hands in ([(), ONE], [(), ONE, ONE]):
        game = table(hands)
        assert "run" not in game.moves
        assert game.refusal("run") == "no-cards"


def test_L26_run_scores_a_point_for_each_symbol(table):
    game = table([("red - cup chest ring", "green - crown", "yellow - necklace scarab"), ONE, ONE])
    events = game.play("run")
    assert scored(events) == [(0, 6)]
    assert game.now.scores() == (6, 0, 0)


def test_L27_guardians_and_amulets_are_ignored_in_a_run(table):
    game = table([("red mummy cup", "green werewolf crown", "yellow frank ring", "green amulet scarab"), ONE, ONE])
    events = game.play("run")
    assert scored(events) == [(0, 4)]
    assert not {e.id for e in events} & {"mummy", "werewolf", "frank", "escaped", "caught"}
    assert game.asked == Choose(1, "actions", then="act")


def test_L28_type_on_two_cards_counts_double(table):
    game = table([("red - cup ring", "green - cup"), ONE, ONE])
    events = game.play("run")
    assert scored(events) == [(0, 5)]
    assert next(e.args[1] for e in events if e.id == "scored") == (("cup", 2, 4), ("ring", 1, 1))


def test_L29_several_kinds_can_double_in_one_run(table):
    game = table([("red - cup ring", "green - cup ring crown"), ONE, ONE])
    assert scored(game.play("run")) == [(0, 9)]


@pytest.mark.parametrize(("cards", "points"), [(1, 1), (2, 4), (3, 6), (4, 8), (5, 10)])
def test_L30_three_or_more_cards_of_a_kind_still_only_double(table, cards, points):
    game = table([("green - cup",) * cards, ONE, ONE])
    assert scored(game.play("run")) == [(0, points)]


def test_L31_doubling_counts_cards_not_symbols(table):
    assert scored(table([("red - cup cup ring",), ONE, ONE]).play("run")) == [(0, 3)]
    assert worth([("", ("cup", "cup", "cup"))]) == 3


def test_L32_after_scoring_the_cards_are_discarded(table):
    game = table([("red - cup", "green - cup"), ONE, ONE])
    cards = game.now.hands[0]
    game.play("run")
    assert game.now.hands[0] == []
    assert game.now.discards == cards
    assert game.now.hands[1:] != [[], []]
