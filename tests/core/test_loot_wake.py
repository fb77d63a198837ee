"""Loot N Run, rows L33 to L61: Awaken and the guardians' benefits."""

import pytest
from mastaba.core.rules import ALL, Answer, Choose, Reveal

ONE = ("green - cup",)
MUMMY, WOLF, FRANK, AMULET = "red mummy chest", "red werewolf ring", "yellow frank crown", "green amulet cup"
DEEP = (["green - ring", "yellow - ring", "red - scarab"], ["green - ring", "green - ring", "yellow - crown"])


def ids(events):
    return [event.id for event in events]


def scored(events):
    return [(event.seat, event.args[0]) for event in events if event.id == "scored"]


def test_L33_three_players_need_a_card_of_their_own_to_awaken(table):
    assert "wake 2" not in table([(), ONE, ONE]).moves
    assert "wake 2" in table([ONE, ONE, ONE]).moves


def test_L34_two_players_need_none(table):
    game = table([(), (MUMMY,)])
    assert "wake 2" in game.moves
    assert "caught" in ids(game.play("wake 2"))


def test_L35_without_cards_two_players_may_loot_or_awaken_not_run(table):
    assert table([(), ONE]).moves == ["loot 1", "loot 2", "wake 2"]


def test_L36_the_target_is_another_player_of_your_choice(table):
    game = table([ONE, ONE, ONE, ONE], turn=1)
    assert [move for move in game.moves if move.startswith("wake")] == ["wake 1", "wake 3", "wake 4"]
    assert game.refusal("wake 2") == "not-yourself"
    game.play("wake 4")
    assert game.now.hands[3] == []


def test_L37_the_target_must_have_a_card(table):
    game = table([ONE, (), ONE])
    assert [move for move in game.moves if move.startswith("wake")] == ["wake 3"]
    assert game.refusal("wake 2") == "target-no-cards"
    assert table([ONE, (), ()]).moves == ["loot 1", "loot 2", "run"]


def test_L38_all_the_targets_cards_are_revealed_to_everybody(table):
    game = table([ONE, (MUMMY, "red - cup", AMULET), ONE])
    cards = tuple(game.now.hands[1])
    game.apply([Answer(("wake", 1))] * 4)
    assert game.now.pending == Reveal(cards, "face", ALL, by=1, then="wake", about=1)
    game.settle()
    assert all(game.view(s).knows(card) == game.truth[card, "face"] for s in (0, 1, 2, None) for card in cards)


def test_L39_only_the_targets_amulets_and_guardians_count(table):
    assert "caught" in ids(table([(AMULET, AMULET), (MUMMY,), ONE]).play("wake 2"))
    assert "escaped" in ids(table([(MUMMY, FRANK), (AMULET,), ONE]).play("wake 2"))


@pytest.mark.parametrize("hand", [(AMULET, MUMMY), (AMULET, AMULET, WOLF), (AMULET,), (AMULET, AMULET, MUMMY, FRANK)])
def test_L40_as_many_amulets_as_guardians_escapes(table, hand):
    assert "escaped" in ids(table([ONE, hand, ONE]).play("wake 2"))


def test_L41_no_amulet_and_no_guardian_escapes(table):
    assert "escaped" in ids(table([ONE, ("red - cup",), ONE]).play("wake 2"))


def test_L42_who_escapes_scores_as_in_a_run_and_discards(table):
    game = table([ONE, ("red - cup ring", "green - cup"), ONE])
    cards = game.now.hands[1]
    assert scored(game.play("wake 2")) == [(1, 5)]
    assert game.now.scores() == (0, 5, 0)
    assert game.now.discards == cards
    assert game.now.hands[1] == []


def test_L43_on_an_escape_the_awakener_gets_nothing(table):
    game = table([ONE, (AMULET, MUMMY), ONE])
    events = game.play("wake 2")
    assert game.now.scores()[0] == 0
    assert not {"mummy", "werewolf", "frank"} & set(ids(events))
    assert game.asked == Choose(1, "actions", then="act")


@pytest.mark.parametrize("hand", [(WOLF,), (FRANK, "red - cup"), (AMULET, WOLF, FRANK)])
def test_L44_more_guardians_than_amulets_catches_the_target(table, hand):
    game = table([ONE, hand, ONE], DEEP)
    cards = game.now.hands[1]
    assert "caught" in ids(game.play("wake 2"))
    assert game.now.scores() == (0, 0, 0)
    assert game.now.hands[1] == []
    assert game.now.discards == cards


def test_L45_outnumbered_amulets_cancel_no_guardian(table):
    game = table([ONE, (AMULET, MUMMY, FRANK), ONE], DEEP)
    assert [e for e in ids(game.play("wake 2")) if e in ("mummy", "werewolf", "frank")] == ["mummy", "frank"]


@pytest.mark.parametrize("hand", [(MUMMY, WOLF, FRANK), ("red - cup",)])
def test_L46_the_awakeners_cards_stay_face_down_and_untouched(table, hand):
    game = table([("red - cup", "red - ring"), hand, ONE], DEEP)
    cards = list(game.now.hands[0])
    game.play("wake 2")
    assert game.now.hands[0] == cards
    assert [game.view(1).knows(card) for card in cards] == [None, None]


def test_L47_the_awakener_gets_every_kind_of_benefit_revealed(table):
    game = table([ONE, (FRANK, WOLF, MUMMY), ONE], DEEP)
    events = game.play("wake 2", "keep none")
    assert {"mummy", "werewolf", "frank"} <= set(ids(events))
    assert "mummy" not in ids(table([ONE, (FRANK, WOLF), ONE], DEEP).play("wake 2", "keep none"))


def test_L48_each_kind_pays_once(table):
    game = table([ONE, (MUMMY, MUMMY, WOLF, WOLF, FRANK, FRANK), ONE], DEEP)
    events = game.play("wake 2", "keep none")
    assert [ids(events).count(kind) for kind in ("mummy", "werewolf", "frank")] == [1, 1, 1]
    assert [seat for seat, _ in scored(events)] == [0]


def test_L49_the_order_is_mummy_werewolf_frank(table):
    game = table([ONE, (FRANK, WOLF, MUMMY), ONE], DEEP)
    events = game.play("wake 2", "keep both")
    assert [e for e in ids(events) if e in ("mummy", "werewolf", "kept", "frank", "turn")] == ["mummy", "werewolf", "kept", "frank", "turn"]


def test_L50_mummy_the_awakener_scores_the_targets_cards_as_a_run(table):
    game = table([ONE, ("red mummy cup ring", "green - cup", "yellow amulet ring", "red mummy chest"), ONE])
    assert scored(game.play("wake 2")) == [(0, 9)]
    assert game.now.scores() == (9, 0, 0)


def test_L51_mummy_the_awakeners_own_cards_are_neither_added_nor_discarded(table):
    game = table([("red - chest", "red - cup"), (MUMMY,), ONE])
    own = list(game.now.hands[0])
    assert scored(game.play("wake 2")) == [(0, 1)]
    assert game.now.hands[0] == own


def test_L52_werewolf_draws_the_top_of_each_deck_and_looks_first(table):
    game = table([ONE, (WOLF,), ONE], DEEP)
    tops = tuple(deck[-1] for deck in game.now.decks)
    game.play("wake 2")
    assert game.asked == Choose(0, "keeps", then="keep")
    assert tuple(game.now.lifted) == tops
    assert [game.view(0).knows(card) for card in tops] == [("", ("scarab",)), ("", ("crown",))]
    assert [game.view(s).knows(card) for s in (1, 2, None) for card in tops] == [None] * 6


@pytest.mark.parametrize(("keep", "hand"), [("none", []), ("first", [0]), ("second", [1]), ("both", [0, 1])])
def test_L53_werewolf_keeps_none_either_or_both(table, keep, hand):
    game = table([ONE, (WOLF,), ONE], DEEP)
    before = len(game.now.hands[0])
    game.play("wake 2")
    assert game.moves == ["keep none", "keep first", "keep second", "keep both"]
    pair = list(game.now.lifted)
    game.play(f"keep {keep}")
    assert game.now.hands[0][before:] == [pair[i] for i in hand]


def test_L54_kept_cards_join_the_face_down_cards(table):
    game = table([ONE, (WOLF,), ONE], DEEP)
    game.play("wake 2", "keep both")
    assert game.hand(0) == ["green - cup", "red - scarab", "yellow - crown"]
    assert [game.view(1).knows(card) for card in game.now.hands[0]] == [None] * 3


def test_L55_rejected_cards_are_discarded_face_down(table):
    game = table([ONE, (WOLF,), ONE], DEEP)
    game.play("wake 2", "keep second")
    rejected = game.now.discards[-1]
    assert game.face(rejected) == "red - scarab"
    assert [game.view(s).knows(rejected) for s in (0, 1, 2, None)] == [("", ("scarab",)), None, None, None]


def test_L56_an_empty_deck_is_rebuilt_before_the_werewolf_draws(table):
    game = table([ONE, (WOLF, "red - cup"), ONE], decks=(["green - ring"], []))
    shuffle = game.play_until_shuffle("wake 2")
    assert len(shuffle.cards) == 3  # the last card of the decks, and the two of the caught target
    game.settle()
    assert game.asked == Choose(0, "keeps", then="keep")
    assert len(game.now.lifted) == 2


def test_L57_frank_gives_one_more_turn_with_any_action(table):
    game = table([ONE, (FRANK,), ONE], DEEP)
    game.play("wake 2")
    assert game.asked == Choose(0, "actions", then="act")
    assert game.moves == ["loot 1", "loot 2", "run", "wake 3"]


def test_L58_two_franks_give_one_extra_turn(table):
    game = table([ONE, (FRANK, FRANK), ONE], DEEP)
    game.play("wake 2", "loot 1")
    assert game.asked.seat == 1


def test_L59_the_extra_turn_obeys_every_rule(table):
    game = table([ONE, (FRANK,), ()], DEEP)
    game.play("wake 2")
    assert game.moves == ["loot 1", "loot 2", "run"]
    assert game.refusal("wake 3") == "target-no-cards"
    two = table([(), (FRANK,)], DEEP)  # woken without a card: L18 holds in the extra turn
    two.play("wake 2")
    assert two.moves == ["loot 1", "loot 2"]


def test_L60_an_awakening_in_an_extra_turn_earns_another(table):
    game = table([ONE, (FRANK,), (FRANK,), ONE], DEEP)
    game.play("wake 2", "wake 3")
    assert game.asked.seat == 0
    game.play("loot 1")
    assert game.asked.seat == 1


def test_L61_after_the_extra_turn_the_seat_after_the_awakener_plays(table):
    game = table([ONE, ONE, ONE, (FRANK,)], DEEP, turn=1)
    game.play("wake 4", "loot 1")
    assert game.asked.seat == 2
