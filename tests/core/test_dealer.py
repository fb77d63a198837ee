"""The trusted dealer, with a game made of every kind of request; and seats that must never drift apart."""

import pytest
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games.loot import Loot
from mastaba.core.rules import (
    ALL,
    Answer,
    Ask,
    Choose,
    ChooseAll,
    Do,
    Hide,
    IllegalMove,
    Over,
    Reveal,
    Roll,
    Rules,
    Shuffle,
    Statement,
    Team,
)
from mastaba.core.view import View


class Medley(Rules):
    """Three seats; each kind of request once.  Seats 1 and 2 are the team "hunters"."""

    NAME, VERSION, SEATS = "medley", 1, range(3, 4)

    def printed(self):
        return tuple(("blue" if i % 2 else "grey", i) for i in range(4))

    def set_up(self):
        self.cards, self.chosen, self.dice, self.told, self.done = (), {}, (), {}, []
        self.push(
            Shuffle(self.dealt, then="laid"),
            Team("hunters", (1, 2)),
            Roll(6, 6, to="hunters", open=(6,), then="rolled"),
            ChooseAll((0, 2), "words", then="said"),
            Hide(1, "h1", "anywhere", to="hunters", about="first"),
            Hide(1, "h1", "next_door", to="hunters"),
            Ask(("h1",), (5, 6), then="heard"),
            Do("finish"),
        )

    def laid(self, request, cards):
        self.cards = cards
        self.push(
            Reveal(cards[:2], "back", ALL),
            Reveal(cards[:1], "face", to=(0, 1)),
            Reveal(cards[:1], "face", ALL, by=0, then="opened"),
        )

    def opened(self, request, _):
        self.done.append(self.shown[request.cards[0], "face"])

    def rolled(self, request, dice):
        self.dice = dice

    def words(self, request, seat):
        return (("yes",), ("no",), ("say", seat))

    def said(self, request, moves):
        self.chosen = dict(moves)

    def anywhere(self, request):
        return Statement(all_of=((("new",), frozenset((i,) for i in range(1, 7))),))

    def next_door(self, request):
        return Statement(one_of=((("old", "new"), frozenset((i, i + 1) for i in range(1, 7))),))

    def heard(self, request, told):
        self.told = dict(told)

    def finish(self, step, _):
        self.push(Over((0, 0, 0), (0,), "done"))

    def next_request(self):
        raise AssertionError("the agenda says everything")


def player(view, rng):
    request = view.pending
    if isinstance(request, ChooseAll):
        return ("say", view.seat)
    return 4 if request.about == "first" else 5


@pytest.fixture
def medley(rng_of):
    return Dealer(lambda: Medley(3, None), [player] * 3, rng_of("medley"))


def until(dealer, kind, **fields):
    while type(dealer.spectator.pending) is not kind or any(getattr(dealer.spectator.pending, k) != v for k, v in fields.items()):
        dealer.step()
    return dealer.spectator.pending


def test_every_kind_of_request_is_answered(medley):
    assert medley.run() == Over((0, 0, 0), (0,), "done")
    assert medley.spectator.chosen == {0: ("say", 0), 2: ("say", 2)}
    assert medley.spectator.told == {"h1": True}


def test_a_shuffle_moves_truth_to_fresh_handles(medley):
    until(medley, Shuffle)
    before = sorted(zip(*[[medley.truth[card, part] for card in range(4)] for part in ("back", "face")], strict=True))
    medley.step()
    cards = medley.spectator.cards
    assert cards == (4, 5, 6, 7)
    assert sorted((medley.truth[card, "back"], medley.truth[card, "face"]) for card in cards) == before
    assert not any(card < 4 for card, _ in medley.truth)


def test_a_part_is_shown_to_those_it_is_for_and_no_other_part(medley):
    until(medley, Reveal, by=0)
    card, other = medley.spectator.cards[:2]
    assert [medley.view(s).knows(card) for s in (0, 1, 2, None)] == [medley.truth[card, "face"]] * 2 + [None] * 2
    assert [medley.view(s).knows(other, "back") for s in (0, 1, 2, None)] == [medley.truth[other, "back"]] * 4
    assert [medley.view(s).knows(other) for s in (0, 1, 2, None)] == [None] * 4
    medley.step()
    assert [medley.view(s).knows(card) for s in (2, None)] == [medley.truth[card, "face"]] * 2


def test_nobody_opens_alone_what_he_has_not_read(medley):
    until(medley, Reveal, by=0)
    for game in medley.games:
        game.agenda.append(Reveal(game.cards[1:2], "face", ALL, by=2))
    with pytest.raises(AssertionError, match="not read"):
        medley.step()


def test_a_team_sees_its_dice_and_all_see_the_open_faces(medley):
    until(medley, Roll, to="hunters")
    medley.step()
    dice = medley.spectator.dice
    rolled = [medley.dice[die] for die in dice]
    mummies = [face if face == 6 else None for face in rolled]
    assert 6 in rolled
    assert [[medley.view(s).knows(die) for die in dice] for s in (0, 1, 2, None)] == [mummies, rolled, rolled, mummies]


def test_a_hidden_value_is_the_teams_and_must_obey_its_statement(medley):
    until(medley, Ask)
    assert [medley.view(s).rules.mine for s in (0, 1, 2, None)] == [{}, {"h1": 5}, {"h1": 5}, {}]
    assert medley.values == {"h1": 5}


def test_a_hidden_value_against_its_statement_is_refused_and_changes_nothing(rng_of):
    dealer = Dealer(lambda: Medley(3, None), [lambda view, rng: ("no",) if isinstance(view.pending, ChooseAll) else 4] * 3, rng_of(1))
    until(dealer, Hide, about=None)
    before = dealer.spectator.copy()
    with pytest.raises(IllegalMove):
        dealer.step()
    assert dealer.spectator == before
    assert dealer.values == {"h1": 4}


def test_an_illegal_simultaneous_choice_is_refused(rng_of):
    dealer = Dealer(lambda: Medley(3, None), [lambda view, rng: ("say", 0)] * 3, rng_of(1))
    until(dealer, ChooseAll)
    with pytest.raises(IllegalMove):
        dealer.step()


def test_seats_that_drift_apart_are_noticed(medley):
    until(medley, ChooseAll)
    medley.games[1].done.append("drift")
    with pytest.raises(AssertionError, match="disagree"):
        medley.step()


def test_events_that_differ_are_noticed(medley):
    until(medley, ChooseAll)
    medley.games[2].emit("only-here")
    with pytest.raises(AssertionError, match="events"):
        medley.step()


def test_players_must_fit_the_seats(rng_of):
    with pytest.raises(ValueError, match="2 players at a table of 3"):
        Dealer(lambda: Medley(3, None), [player] * 2, rng_of())


def test_a_game_without_end_is_given_up(medley):
    with pytest.raises(RuntimeError, match="no end after 2"):
        medley.run(limit=2)


def test_a_view_is_asked_only_for_its_own_decision(medley):
    until(medley, ChooseAll)
    assert [medley.view(s).asked() is not None for s in (0, 1, 2, None)] == [True, False, True, False]
    assert medley.view(2).moves() == (("yes",), ("no",), ("say", 2))
    assert medley.view(1).moves() == medley.view(None).moves() == ()
    assert medley.view(0).over is None


def test_a_view_is_a_snapshot(table):
    game = table([("green - cup",), ("green - cup",)])
    view: View = game.view(0)
    before = view.rules.copy()
    game.play("loot 1")
    assert view.rules == before
    assert isinstance(view.asked(), Choose)
    assert game.view(0).asked() is None


def test_two_dealers_with_the_same_bytes_deal_the_same_game(shipped, rng_of):
    def play():
        dealer = Dealer(lambda: Loot(3, shipped["loot"]), [lambda v, r: bots.decide("random", v, r)] * 3, rng_of("same"))
        dealer.run()
        return dealer.games

    assert play() == play()


def test_answers_are_only_computed_by_answers(medley):
    until(medley, Shuffle)
    before = medley.spectator.copy()
    assert medley.answers() == (Answer(),) * 4
    assert medley.spectator == before
