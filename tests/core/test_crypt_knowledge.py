"""The Crypt: who may know what, and when (table 4.4 of the rules)."""

from crypttable import LATER, CryptTable
from mastaba.core.dealer import Dealer
from mastaba.core.games.crypt import Crypt
from mastaba.core.rules import Answer, Choose, Options

ROW = ("idol 3", "jewelry 2", "manuscript 4", "pottery 1")
SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")
ALL = [-1, 0, 1, 2]


def test_deck_and_collectors_are_known_before_the_game(shipped):
    game = Crypt(3, shipped["crypt"], Options(variant="ababab"))
    assert len(game.printed()) == 36
    assert list(game.sides.values()) == list("ababab")


def test_nobody_knows_the_order_of_the_deck():
    game = CryptTable(4, SIX, pile=LATER)
    assert all(game.who_knows(card) == [] for card in game.now.pile)
    assert [game.now.seen(card, "back") is not None for card in game.now.pile] == [False] * (len(game.now.pile) - 1) + [True]


def test_the_number_of_rounds_left_is_known():
    game = CryptTable(3, pile=LATER)
    game.play("recover", "recover", "recover")
    assert game.events("round")[-1].args == (2, 5)


def test_values_of_face_up_treasures_at_reveal_of_face_down_ones_to_nobody():
    game = CryptTable(3, ROW)
    assert [game.who_knows(card) for card in game.now.row] == [ALL, ALL, ALL, []]
    assert all(game.games[seat].seen(card, "back") is not None for card in game.now.row for seat in ALL)


def test_a_look_shows_all_face_down_ones_to_the_looker_who_keeps_the_knowledge():
    game = CryptTable(4, SIX, kept=[["manuscript 1"]], sides="aabaaa", pile=LATER)
    down = game.now.row[4:]
    game.play("look 1")
    assert [game.who_knows(card) for card in down] == [[0], [0]]
    assert [(e.seat, e.args) for e in game.events("look")] == [(0, ((4, 5),))]
    game.play("recover", "recover", "recover", "recover")
    assert [game.who_knows(card) for card in down] == [[0], [0]]


def test_seen_by_one_collected_by_another_known_to_both_until_the_end():
    for pile, knowing in ((LATER, [0, 1]), ((), ALL)):
        game = CryptTable(3, ROW, kept=[["manuscript 3"]], sides="aabaaa", dice=[6], pile=pile)
        card = game.now.row[3]
        game.play("look 1", "recover", "claim 4:2", "recover")
        assert card in game.now.kept[1]
        assert game.who_knows(card) == knowing


def test_a_take_shows_its_value_to_the_taker_alone():
    game = CryptTable(3, ROW, kept=[[], ["pottery 1", "pottery 2"]], sides="aaabaa")
    card = game.now.row[3]
    game.play("take 1 2 4")
    assert game.who_knows(card) == [1]


def test_flips_are_open_to_all_the_rest_stays_closed():
    game = CryptTable(3, ROW, kept=[["remains 1?", "remains 2?", "remains 3?"]], spent=[1, 0, 0])
    cards = list(game.now.kept[0])
    game.play("heal 1 3")
    assert [game.who_knows(card) for card in cards] == [ALL, [0], ALL]
    assert [e.args for e in game.events("flip")] == [("remains", (cards[0], cards[2]), (1, 3))]


def test_events_do_not_tell_what_lies_face_down():
    logs = []
    for hidden in ("pottery 1", "pottery 4"):
        game = CryptTable(3, (*ROW[:3], hidden), kept=[["manuscript 1"]], sides="aabaaa", pile=LATER)
        game.play("look 1", "recover", "claim 4:1", "recover")
        logs.append(game.log)
    assert logs[0] == logs[1]


def test_dice_and_rolls_are_open():
    game = CryptTable(3, ROW, pile=LATER, dice=[2])
    game.play("claim 1:4", "recover", "recover")
    views = [game.view(seat).rules for seat in (0, 1, 2, None)]
    assert all((view.spent, view.held, view.tired) == (game.now.spent, game.now.held, game.now.tired) for view in views)
    assert [e.args for e in game.events("rolled")] == [(((0, 4, 2),),)]


def test_the_exact_score_is_known_to_its_owner_bounds_to_the_others():
    game = CryptTable(3, ROW, kept=[["jewelry 3?"]])
    assert game.games[0].bounds(lambda key: game.games[0].seen(*key))[0] == (6, 6)
    low, high = game.games[1].bounds(lambda key: game.games[1].seen(*key))[0]
    assert low < 6 < high


def test_everything_in_collections_is_open_at_the_end():
    game = CryptTable(3, ROW, kept=[["jewelry 3?"], ["idol 2?"], []])
    game.play("recover", "recover")
    assert game.who_knows(game.now.kept[0][0]) == [0]
    game.play("recover")
    assert all(game.who_knows(card) == ALL for cards in game.now.kept for card in cards)


def twin_tables(data, rng_of, number):
    """Two tables alike, but that the values of treasures that will lie face down go round among those of a type."""
    for swap in (False, True):
        dealer = Dealer(lambda: Crypt(3, data, Options(first=0)), [None] * 3, rng_of("swap", number))
        dealer.step()
        if swap:
            by_type = {}
            for card in [dealer.spectator.row[3], *list(reversed(dealer.spectator.pile))[3::4]]:
                by_type.setdefault(dealer.truth[card, "back"], []).append(card)
            for cards in by_type.values():
                faces = [dealer.truth[card, "face"] for card in cards]
                for card, face in zip(cards, [*faces[1:], faces[0]], strict=True):
                    dealer.truth[card, "face"] = face
        yield dealer


def test_what_all_are_told_does_not_depend_on_what_lies_face_down(shipped, rng_of):
    for number in range(8):
        left, right = twin_tables(shipped["crypt"], rng_of, number)
        moves, answers = rng_of("moves", number), 0
        assert left.truth != right.truth
        while getattr(left.spectator.pending, "by", None) is None:  # until somebody opens what he has read
            request = left.spectator.pending
            if isinstance(request, Choose):
                options = [m for m in left.spectator.moves_of(request, request.seat) if m[0] in ("claim", "recover", "done")]
                move = options[int.from_bytes(moves(4), "big") % len(options)]
                told = [dealer.apply([Answer(move)] * 4) for dealer in (left, right)]
            else:
                told = [dealer.step() for dealer in (left, right)]
            assert told[0] == told[1]
            assert left.spectator == right.spectator
            answers += 1
        assert answers > 50
