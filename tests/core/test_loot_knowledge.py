"""Loot N Run: who may know what, and when (the knowledge table), against the dealer's truth in whole games."""

import pytest
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games.loot import Loot
from mastaba.core.rules import Options, Shuffle


class Watch:
    """What the knowledge table grants, kept beside a game from its events and requests alone."""

    def __init__(self, seats):
        self.seats = seats
        self.backs, self.faces = set(), set()  # handles open to all
        self.own = [set() for _ in range(seats)]  # handles whose face the seat may know as well

    def see(self, request, game, events):
        if isinstance(request, Shuffle):
            for book in (self.backs, self.faces, *self.own):
                book -= set(request.cards)
        for event in events:
            if event.id == "loot":
                self.own[event.seat].add(event.args[1])
            if event.id == "werewolf":
                self.own[event.seat] |= set(event.args[0])
            if event.id == "revealed":
                self.faces |= set(event.args[0])
        if not game.agenda or type(game.pending).__name__ in ("Choose", "Over"):
            self.backs |= {deck[-1] for deck in game.decks if deck}


@pytest.mark.parametrize("deck", ["small", "loot"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_views_hold_exactly_what_the_knowledge_table_grants(shipped, small, rng_of, deck, seats):
    data = small if deck == "small" else shipped["loot"]
    for seed in range(12 if deck == "small" else 4):
        rng = rng_of("knowledge", deck, seats, seed)
        dealer = Dealer(lambda: Loot(seats, data), [lambda v, r: bots.decide("random", v, r)] * seats, rng)
        watch = Watch(seats)
        while not dealer.spectator.over:
            request = dealer.spectator.pending
            events = dealer.step()
            game = dealer.spectator
            watch.see(request, game, events)
            if type(game.pending).__name__ not in ("Choose", "Over"):
                continue
            for seat in (*range(seats), None):
                rules = dealer.view(seat).rules
                known = {**rules.shown, **rules.peeked}
                assert all(dealer.truth[key] == printed for key, printed in known.items())
                faces = {card for card, part in known if part == "face"}
                assert faces == watch.faces | (set() if seat is None else watch.own[seat])
                assert {card for card, part in known if part == "back"} == watch.backs
                assert rules.mine == {}


def faces(game, seat, cards):
    return [game.view(seat).knows(card) is not None for card in cards]


ONE = ("green - cup",)


def test_list_of_cards_goal_and_options_are_public(table):
    game = table([ONE, ONE])
    for seat in (0, 1, None):
        rules = game.view(seat).rules
        assert rules.printed() == game.now.data.cards
        assert rules.data.goal(2) == 35
        assert rules.options == Options(first=0)


def test_scores_and_sizes_are_public(table):
    game = table([("red - cup",), ONE, ONE])
    game.play("run", "loot 1")
    for seat in (0, 1, 2, None):
        rules = game.view(seat).rules
        assert rules.scores() == (1, 0, 0)
        assert [len(deck) for deck in rules.decks] == [2, 3]
        assert len(rules.discards) == 1


def test_deck_cards_below_the_top_are_nobodys(table):
    game = table([ONE, ONE])
    for seat in (0, 1, None):
        view = game.view(seat)
        assert [view.knows(card, part) for deck in game.now.decks for card in deck[:-1] for part in ("back", "face")] == [None] * 8


def test_which_deck_a_player_took_from_is_public(table):
    game = table([ONE, ONE])
    card = game.now.decks[1][-1]
    assert next(e.args for e in game.play("loot 2") if e.id == "loot") == (1, card, "green")


def test_a_hand_card_is_its_owners_until_he_runs_is_awakened_or_the_game_ends(table):
    for move, points in (("run", 0), ("wake 2", 0), ("run", 34)):
        game = table([("red - cup",), ("red - ring",), ONE], points=[points, 0, 0])
        mine, other = game.now.hands[0], game.now.hands[1]
        assert faces(game, 0, mine + other) == [True, False]
        assert faces(game, 1, mine + other) == [False, True]
        assert faces(game, None, mine + other) == [False, False]
        game.play(move)
        assert faces(game, None, mine + other) == [move == "run", move == "wake 2" or points == 34]


def test_which_werewolf_card_is_kept_is_public_its_face_is_not(table):
    game = table([ONE, ("red werewolf ring",), ONE], decks=(("green - ring", "red - cup"), ("green - ring", "yellow - cup")))
    game.play("wake 2")
    first, second = game.now.lifted
    events = game.play("keep second")
    assert next(e.args for e in events if e.id == "kept") == ((second,), ("yellow",), (first,), ("red",))
    assert faces(game, 0, [first, second]) == [True, True]
    for seat in (1, 2, None):
        assert faces(game, seat, [first, second]) == [False, False]


def test_decks_and_rejected_cards_are_not_opened_at_the_end(table):
    game = table([ONE, ("red werewolf ring",), ("red - cup",)], points=[0, 0, 34], decks=(["red - ring"] * 3, ["red - cup"] * 3))
    game.play("wake 2", "keep none", "loot 1", "run")
    assert game.now.over
    rejected = [card for card in game.now.discards if game.face(card) in ("red - ring", "red - cup")][:2]
    hidden = [card for deck in game.now.decks for card in deck] + rejected
    assert faces(game, None, hidden) == [False] * len(hidden)
    assert all(faces(game, None, [card for hand in game.now.hands for card in hand]))


def test_unknown_is_what_the_seat_has_not_seen(table):
    game = table([("red - cup", "green - crown"), ("yellow - chest",), ONE], discards=("red mummy scarab",))
    for seat, seen in ((0, 3), (1, 2), (2, 2), (None, 1)):
        rules = game.view(seat).rules
        hidden, left = rules.unknown()
        assert len(hidden) == len(left) == len(game.now.cards_in_play()) - seen
        assert sorted(left) == sorted(game.truth[card, "face"] for card in hidden)
