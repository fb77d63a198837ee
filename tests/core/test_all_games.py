"""What every game keeps to, over all games of the registry and all their seat counts, against a trusted dealer."""

import pickle
from collections import Counter
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings, strategies as st
from invariants import a_shuffle_is_forgotten, blindfold, cards_are_conserved, events_are_plain, one_digest, same_moves, state_is_plain
from mastaba.core import bots
from mastaba.core.chance import below
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES
from mastaba.core.plain import decode, encode
from mastaba.core.rules import Answer, Choose, ChooseAll, IllegalMove, Options, Shuffle
from shares import LONG

TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.rules.SEATS]
FEW = 100  # moves that are tried where there are thousands
CHEAP, THOROUGH = 100 if LONG else 30, 3  # games a table: with the dealer's own checks only, and with every check after every answer
LONG = {"pyramid"}  # where random walks last for thousands of answers: fewer games, and with the shipped data by better players
MIDGAMES: dict = {}  # made once for all examples
pytestmark = pytest.mark.parametrize(("name", "seats"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])


def random_bot(view, rng):
    return bots.decide("random", view, rng)


def sensible_bot(view, rng):
    return bots.decide("sensible", view, rng)


@pytest.fixture(scope="session")
def deal(shipped, smalls, rng_of):
    """A table of random players; `deck` is "shipped", or "small" where the game has a small deck for tests."""

    def make(name, seats, *seed, deck="shipped"):
        data = smalls[name] if deck == "small" else shipped[name]
        player = sensible_bot if name in LONG and deck == "shipped" else random_bot
        return Dealer(lambda: GAMES[name].rules(seats, data), [player] * seats, rng_of(name, seats, *seed))

    return make


def both(deal, name, seats, games, *seed):
    """So many games, each with the shipped and with the small deck."""
    for number in range(1 if name in LONG else games):
        for deck in ("shipped", "small"):
            yield deal(name, seats, *seed, number, deck=deck)


def bereft(dealer, rng, often=0.04):
    """Play on while seats leave or are lost at random moments, as long as three are there: gives each request that is asked."""
    while not dealer.spectator.over:
        here = [seat for seat in range(dealer.spectator.seats) if seat not in dealer.spectator.gone]
        if len(here) > 2 and below(rng, 1000) < 1000 * often:
            seat, how = here[below(rng, len(here))], "left" if below(rng, 3) == 0 else "lost"
            for game in dealer.games:
                getattr(game, how)(seat)
        else:
            yield dealer.spectator.pending
            dealer.step()


def steps(dealer):
    while not dealer.spectator.over:
        request = dealer.spectator.pending
        yield request, dealer.step()


def test_random_games_end_and_seats_that_see_less_stay_in_step(deal, name, seats):
    for number in range(CHEAP // 5 if name in LONG else CHEAP):
        dealer = deal(name, seats, "cheap", number, deck="small" if number % 10 else "shipped")
        over = dealer.run(limit=5_000)
        assert over.winners or seats == 1  # alone one plays for points
        assert over.scores == dealer.spectator.scores()
        if name != "pyramid":  # there the mummy counts tokens and a hunter missions
            assert all(over.scores[seat] == max(over.scores) for seat in over.winners)


def test_public_state_has_one_digest_after_every_answer(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "digest"):
        digests = []
        for _ in steps(dealer):
            digests.append(one_digest(dealer))
        assert all(one != other for one, other in pairwise(digests))  # every answer changes it


def test_no_rule_reads_a_secret(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "secret"):
        blind = [blindfold(game.copy()) for game in dealer.games]
        for _, answers in _with_answers(dealer):
            same_moves(blind[0], dealer.spectator)
            for game, answer in zip(blind, answers, strict=True):
                game.apply(answer)
        assert all(game.public_state() == dealer.spectator.public_state() for game in blind)


def _with_answers(dealer):
    """Play; before each answer is applied it stands in `dealer.last`, one a seat and the spectators' at the end."""
    while not dealer.spectator.over:
        dealer.last = dealer.answers()
        request = dealer.spectator.pending
        yield request, dealer.last
        dealer.apply(dealer.last)


def test_a_rule_that_reads_a_secret_would_be_found(deal, name, seats):
    game = blindfold(deal(name, seats, "trap").spectator)
    with pytest.raises(AssertionError, match="read a secret"):
        game.seen(0)


def test_copies_pickles_and_replays_give_an_equal_state(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "copy"):
        start = [game.copy() for game in dealer.games]
        told, states = [], []
        for _ in _with_answers(dealer):
            told.append(dealer.last)
            states.append([game.copy() for game in dealer.games])
            for game in dealer.games:
                assert game.copy() == game == pickle.loads(pickle.dumps(game))
        for answers, then in zip(told, states, strict=True):
            assert start == then  # also: no copy was changed by what came after it
            for game, answer in zip(start, answers, strict=True):
                game.apply(answer)
        assert start == list(dealer.games)


def test_public_state_is_plain_data(deal, name, seats):
    for dealer in both(deal, name, seats, 1, "plain"):
        for _ in steps(dealer):
            state_is_plain(dealer)


def test_events_are_plain_data_and_name_no_hidden_face(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "events"):
        told = {}  # events are the same for a spectator, so they can hold only what is public
        for _, events in steps(dealer):
            events_are_plain(events, seats, told)


def test_cards_are_conserved(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "cards"):
        printed = Counter(dealer.spectator.printed())
        for _ in steps(dealer):
            cards_are_conserved(dealer, printed)


def test_a_shuffle_retires_its_handles_and_all_knowledge_of_them(deal, name, seats):
    shuffles = 0
    for dealer in both(deal, name, seats, THOROUGH, "shuffle"):
        for request, _ in steps(dealer):
            if isinstance(request, Shuffle):
                shuffles += 1
                a_shuffle_is_forgotten(dealer, request)
    assert shuffles >= 2 or not deal(name, seats).spectator.printed()


def test_every_legal_move_is_accepted_and_has_a_notation(deal, name, seats):
    for dealer in both(deal, name, seats, 1, "legal"):
        while not dealer.spectator.over:
            game, request = dealer.spectator, dealer.spectator.pending
            asked = [request.seat] if isinstance(request, Choose) else request.seats if isinstance(request, ChooseAll) else ()
            for seat in asked:
                moves = game.moves_of(request, seat)
                assert list(moves)
                for move in islice(moves, 0, None, sum(1 for _ in moves) // FEW + 1):
                    assert move in moves
                    assert game.parse_move(game.show_move(move)) == move
                    assert decode(encode(move)) == move
                    if isinstance(request, Choose):
                        game.copy().apply(Answer(move))
                texts = [game.show_move(move) for move in moves]
                assert len(set(texts)) == len(texts)
                assert set(dealer.games[seat].own_moves(request, seat)) <= set(moves)
            dealer.step()


def test_the_move_of_an_absent_seat_is_legal(deal, name, seats):
    for dealer in both(deal, name, seats, THOROUGH, "absent"):
        for _ in steps(dealer):
            request = dealer.spectator.pending
            if isinstance(request, Choose):
                assert dealer.spectator.absent(request, request.seat) in dealer.spectator.moves_of(request, request.seat)


def test_an_illegal_answer_changes_nothing_and_raises(deal, name, seats):
    wrong = [None, (), ("nothing",), ("loot", 9), ("wake", seats), True, 1 << 63, (((),),), "x" * 50]
    for dealer in both(deal, name, seats, 1, "illegal"):
        for _ in steps(dealer):
            game = dealer.spectator
            if isinstance(game.pending, Choose):
                before = game.copy()
                for move in wrong:
                    with pytest.raises(IllegalMove) as refused:
                        game.apply(Answer(move))
                    assert str(refused.value).replace("-", "").isalpha()
                assert game == before


def test_the_end_takes_no_more_answers(deal, name, seats):
    dealer = deal(name, seats, "end", deck="small")
    dealer.run()
    before = dealer.spectator.copy()
    with pytest.raises(IllegalMove, match="over"):
        dealer.spectator.apply(Answer())
    assert dealer.spectator == before


def test_somebody_may_leave_at_any_moment(deal, name, seats):
    for number in range(30):
        dealer = deal(name, seats, "leave", number, deck="small")
        scores, here = dealer.spectator.scores(), set(range(seats))
        while not dealer.spectator.over:
            if below(dealer.rng, 12) == 0 and len(here) > 1:
                seat = sorted(here)[below(dealer.rng, len(here))]
                here.discard(seat)
                dealer.leave(seat)
            else:
                dealer.step()
            if name != "crypt":  # it scores at the end: what is sure of a score before may shrink
                assert all(new >= old for new, old in zip(dealer.spectator.scores(), scores, strict=True))
            scores = dealer.spectator.scores()
            if isinstance(dealer.spectator.pending, Choose):
                assert dealer.spectator.pending.seat in here
        assert set(dealer.spectator.pending.winners) <= here
        result = dealer.spectator.pending
        for seat in sorted(here)[1:]:
            dealer.leave(seat)
        assert dealer.spectator.pending == result  # who leaves after the end changes no result


def test_a_named_first_seat_needs_no_coin(deal, shipped, name, seats):
    for seat in range(seats):
        game = GAMES[name].rules(seats, shipped[name], Options(first=seat))
        assert game.first == seat
        assert type(game.pending).__name__ != "Roll"


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=6) | st.binary(max_size=6),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(move=plain)
def test_garbage_is_refused_with_a_reason(deal, name, seats, move):
    if (name, seats) not in MIDGAMES:
        dealer = deal(name, seats, "garbage", deck="small")
        while (dealer.spectator.handles == len(dealer.spectator.dealt) > 0) or not isinstance(dealer.spectator.pending, Choose):
            dealer.step()
        MIDGAMES[name, seats] = dealer.spectator
    with pytest.raises(IllegalMove) as refused:
        MIDGAMES[name, seats].apply(Answer(move))
    assert str(refused.value)


def test_who_is_asked_has_a_move_whoever_leaves_or_is_lost_whenever(deal, rng_of, name, seats):
    """Where nothing is left to be laid afresh, too: the turn is then asked for anew."""
    for number in range(3 if name in LONG else 40):
        dealer = deal(name, seats, "bereft", number, deck="small")
        for request in islice(bereft(dealer, rng_of(name, seats, "leavers", number)), 600):
            if isinstance(request, Choose):
                assert dealer.view(request.seat).moves(), (number, request)
