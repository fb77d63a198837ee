"""Who may know what, and when (RULES 2.4), over whole games; and that nothing else reaches anybody."""

import pytest
from mastaba.core import bots
from mastaba.core.bots.pyramid_belief import beliefs
from mastaba.core.chance import below
from mastaba.core.dealer import Dealer
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.games.pyramid_trail import LONGEST, noted, possible
from mastaba.core.rules import ALL, Answer, Ask, Choose, Hide, Options, Reveal, Roll
from pyramidtable import BOARD, SHIPPED

SEATS = [2, 3, 4, 5]


def sensible(view, rng):
    return bots.decide("sensible", view, rng)


def wandering(view, rng):
    return bots.decide("random" if below(rng, 3) == 0 else "sensible", view, rng)


def playing(seats, rng, player=wandering, limit=600):
    """A game, yielded before every answer."""
    dealer = Dealer(lambda: Pyramid(seats, SHIPPED, Options(first=0)), [player] * seats, rng)
    for _ in range(limit):
        if dealer.spectator.over:
            return
        yield dealer
        dealer.step()


@pytest.mark.parametrize("seats", SEATS)
def test_the_knowledge_table_holds_after_every_answer(rng_of, seats):
    hunters = range(1, seats)
    for dealer in playing(seats, rng_of("table", seats)):
        now = dealer.spectator
        for seat in (0, None):
            rules = dealer.view(seat).rules
            assert rules.mine == {}
            assert rules.peeked == {}
            assert {name: rules.square(name) for name in now.owner} == {name: now.public.get(name) for name in now.owner}
        for seat in hunters:
            rules = dealer.view(seat).rules
            alive = [name for name in now.owner if now.lives[name]]
            if now.turn is not None:
                assert None not in [rules.square(name) for name in alive]
            for other in hunters:
                for card in now.missions[other] if now.turn is not None else ():
                    open_to_all = (card, "face") in now.shown
                    assert (rules.seen(card) is not None) == (open_to_all or other == seat)
            for die in now.dice:
                assert rules.seen(die) == dealer.dice[die]
        assert not [card for card in now.left_over if any(game.seen(card) for game in dealer.games)]


@pytest.mark.parametrize("seats", SEATS)
def test_every_request_shows_what_it_shows_to_whom_it_may(rng_of, seats):
    """The requests themselves, since the network does what they say: who is told a die, a mission, a square."""
    for dealer in playing(seats, rng_of("requests", seats)):
        now, request = dealer.spectator, dealer.spectator.pending
        if isinstance(request, Roll):
            public = request.to == ALL
            assert public == (now.turn == "mummy" or now.turn is None)
            assert request.open == (() if public else (6,))
        if isinstance(request, Hide):
            assert request.to == "hunters"
            assert request.seat == now.owner[request.name]
        if isinstance(request, Reveal):
            missions = request.cards[0] in now.cards_in_play()
            if request.to == ALL:
                assert request.by == now.turn_of()  # an announced die or a mission laid open: by its owner alone
            else:
                assert missions
                assert len(request.to) == 1
        if isinstance(request, Ask):
            assert not set(request.names) & set(now.public)
            assert all(now.lives[name] for name in request.names)


def swapped_missions(dealer):
    """The same match but for missions: those that a hunter still holds have other faces, of the same colours, from the cards left over."""
    now = dealer.spectator
    faces = {}
    for seat in range(1, now.seats):
        for card in now.missions[seat]:
            spare = [c for c in now.left_over if now.backs[c] == now.backs[card] and dealer.truth[c, "face"] not in faces.values()]
            if spare:
                faces[card] = dealer.truth[spare[0], "face"]
    return faces


def lied(dealer, request, answer, seat, rng):
    """What a hunter is told in another match with the same public answers: other squares, dice and missions."""
    if isinstance(request, Hide):
        return Answer(BOARD.ordinary[below(rng, len(BOARD.ordinary))])
    if isinstance(request, Roll) and request.to != ALL:
        return Answer(answer.value, {i: 1 + below(rng, 5) for i in answer.faces})
    if isinstance(request, Reveal) and request.to != ALL and answer.faces:
        pile = [face for _, face in dealer.spectator.printed()]
        return Answer(faces={c: next(f for f in pile[below(rng, 23) :] + pile if f[0] == face[0]) for c, face in answer.faces.items()})
    return answer


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("number", range(3))
def test_two_matches_with_the_same_answers_look_the_same_to_who_may_not_know_the_difference(rng_of, seats, number):
    """Beside every hunter's rules run a twin's, which are told other squares, dice and missions; all else is equal.

    From what they make public nobody can tell which of the two matches he is in: neither mummy nor spectators, nor, of missions, fellows.
    """
    rng = rng_of("lies", seats, number)
    dealer = Dealer(lambda: Pyramid(seats, SHIPPED, Options(first=0)), [wandering] * seats, rng_of("leak", seats, number))
    twins = {seat: dealer.games[seat].copy() for seat in range(1, seats)}
    different = 0
    for _ in range(300):
        request = dealer.spectator.pending
        if dealer.spectator.over:
            break
        answers = dealer.answers()
        events = dealer.apply(answers)
        mummy = dealer.games[0].public_state()
        for seat, twin in twins.items():
            assert twin.apply(lied(dealer, request, answers[seat], seat, rng)) == events
            assert twin.public_state() == mummy
            different += twin.mine != dealer.games[seat].mine
    assert different > 100
    assert dealer.view(0).rules == dealer.games[-1]  # the mummy knows what a spectator knows, and nothing more


@pytest.mark.parametrize("seats", SEATS)
def test_other_squares_and_missions_change_nothing_that_the_mummy_may_see(rng_of, seats):
    """At every decision: move every hidden piece elsewhere and change every hidden mission; the mummy's view is equal, moves included."""
    decisions = 0
    for dealer in playing(seats, rng_of("elsewhere", seats), limit=400):
        if not isinstance(dealer.spectator.pending, Choose):
            continue
        decisions += 1
        faces = swapped_missions(dealer)
        mummy, spectator = dealer.view(0).rules, dealer.view(None).rules
        for hunter in dealer.games[1:-1]:
            twin = hunter.copy()
            twin.mine = {name: BOARD.ordinary[(square + 7) % len(BOARD.ordinary)] for name, square in twin.mine.items()}
            twin.peeked.update({(card, "face"): face for card, face in faces.items() if (card, "face") in twin.peeked})
            assert twin.public_state() == mummy.public_state() == spectator.public_state()
            assert list(twin.moves_of(twin.pending, twin.pending.seat)) == list(mummy.moves_of(mummy.pending, mummy.pending.seat))
    assert decisions > 40


@pytest.mark.parametrize("seats", SEATS)
def test_what_everybody_can_work_out_always_contains_the_truth_and_reads_no_secret(rng_of, seats):
    for dealer in playing(seats, rng_of("belief", seats), limit=400):
        now = dealer.spectator
        if now.turn is None:
            continue
        known = beliefs(now)
        assert all(beliefs(game) == known for game in dealer.games[1:-1])
        for piece in now.owner:
            if now.lives[piece] and piece not in now.public:
                assert sum(known[piece].values()) == pytest.approx(1)
                assert set(known[piece]) == set(possible(BOARD, tuple(now.trails[piece])))
                assert dealer.values[piece] in known[piece]


def test_a_trail_stays_short_and_loses_no_possibility():
    trail, plain = [("at", BOARD.start, BOARD.dungeon, False)], [("at", BOARD.start, BOARD.dungeon, False)]
    for n in range(5 * LONGEST):
        fact = ("went", 1 + n % 4, BOARD.dungeon, True) if n % 3 else ("not", (BOARD.ordinary[n % 70],), BOARD.dungeon, True)
        trail, plain = noted(BOARD, trail, fact), [*plain, fact]
        assert len(trail) <= LONGEST
        assert possible(BOARD, tuple(trail)) == possible(BOARD, tuple(plain))


def test_among_equal_dice_one_is_picked_at_random(rng_of):
    dealer = Dealer(lambda: Pyramid(3, SHIPPED, Options(first=0)), [sensible] * 3, rng_of("equal"))
    while not isinstance(dealer.spectator.pending, Choose):
        dealer.step()
    game = dealer.games[1]
    for die, face in zip(game.dice, (3, 1, 3, 3), strict=False):
        game.peeked[die, "face"] = face
    chosen = {game.disguise(("die", 0), rng_of(n)) for n in range(60)}
    equal = {("die", n) for n, die in enumerate(game.dice) if game.seen(die) == 3}
    assert chosen == equal
    assert game.disguise(("again",), rng_of(0)) == ("again",)
    assert game.disguise(("die", 99), rng_of(0)) == ("die", 99)
