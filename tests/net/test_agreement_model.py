"""Every state of a small model of agreement: no honest seat signs twice, no two ends without a proof, and always a way to an end."""

import random
from collections.abc import Callable

import pytest
from agreement_items import Bounds, Item, Rules
from exploring import Explored, Model, State, explore, meet, walk

MOVE: Item = ("says", None, 0, 2, (), "x")


def start(model: Model) -> State:
    return model.start()


def without_the_liar(model: Model) -> State:
    return model.voted(2)


def without_an_honest_seat(model: Model) -> State:
    return model.voted(0)


def told_to_one(model: Model) -> State:
    return model.told(model.start(), 0, MOVE)


def bound_by_an_assent(model: Model) -> State:
    """Seat 1 has voted with the liar to go on without seat 0, of which it heard nothing, and the liar keeps its assent back."""
    choice = ("go", (0,), (), ())
    s = model.put(model.start(), model.votes(model.start().peers[1], ("votes", 0, 1, choice, False), None, True))
    return model.told(s, 1, ("votes", 0, 2, choice, False))


def holds(found: Explored) -> bool:
    return not found.broken and found.stuck is None


@pytest.mark.parametrize(
    ("bounds", "begin", "least"),
    [
        (Bounds(shown=2, crashes=0, rounds=1), start, 4000),
        (Bounds(shown=1, crashes=1, rounds=1), start, 1000),
        (Bounds(shown=1, crashes=0, rounds=2), without_the_liar, 1500),
        (Bounds(shown=1, crashes=0, rounds=2), without_an_honest_seat, 900),
        (Bounds(shown=0, crashes=0, rounds=3), Model.forked, 70),
    ],
)
def test_no_state_of_the_model_breaks_a_promise_and_from_each_there_is_a_way_to_an_end(bounds, begin, least):
    model = Model(bounds=bounds)
    found = explore(model, start=begin(model))
    assert found.whole
    assert found.states >= least
    assert not found.broken, found.path
    assert found.stuck is None


Begin = Callable[[Model], State]
WEAKENED: dict[str, tuple[Rules, Bounds, Begin, str]] = {
    "disk_first": (Rules(disk_first=False), Bounds(1, 1, 1), start, "has signed twice"),
    "share": (Rules(share=4), Bounds(1, 0, 1), start, "two choices in one vote round without a proof"),
    "agreed": (Rules(agreed=False), Bounds(0, 0, 3), Model.forked, "stuck"),
    "freed": (Rules(freed=False), Bounds(0, 0, 3), Model.forked, "stuck"),
    "kept": (Rules(kept=False), Bounds(3, 0, 1), without_an_honest_seat, "a finished game is undone"),
    "past": (Rules(past=False), Bounds(2, 0, 1, 4, True), Model.parted, "a step is undone that those who vote have signed over"),
    "shown": (Rules(shown=False), Bounds(2, 0, 2), without_an_honest_seat, "voted out by a next match in which no honest seat is"),
    "by_keys": (Rules(by_keys=False), Bounds(1, 0, 2), without_an_honest_seat, "voted out by a next match in which no honest seat is"),
    "returns": (Rules(returns=False), Bounds(1, 0, 2), without_the_liar, "stuck"),
    "given_up": (Rules(given_up=False), Bounds(1, 0, 2), without_the_liar, "stuck"),
}


@pytest.mark.parametrize("rule", WEAKENED)
def test_without_a_rule_the_model_finds_what_the_rule_prevents(rule):
    rules, bounds, begin, what = WEAKENED[rule]
    weak, whole = Model(rules, bounds), Model(bounds=bounds)
    found = explore(weak, start=begin(weak))
    assert what in (found.broken or ("stuck" if found.stuck else ""))
    found = explore(whole, most=1000, start=begin(whole))
    assert not found.broken if bounds.seats > 3 else holds(found)  # two liars of four can refuse to go on


@pytest.mark.parametrize(
    ("rule", "begin", "rests"),
    [
        ("compared", Model.forked, lambda model, peer: peer.fault == 2),
        ("forwarded", told_to_one, lambda model, peer: model.finished(peer)),
        ("taken_back", bound_by_an_assent, lambda model, peer: not model.frozen(peer)),
        ("joined", bound_by_an_assent, lambda model, peer: not model.frozen(peer)),
        ("apart", bound_by_an_assent, lambda model, peer: not model.frozen(peer)),
    ],
)
def test_two_honest_seats_that_meet_go_on_by_themselves_and_need_the_rule_for_it(rule, begin, rests):
    for on in (True, False):
        model = Model(Rules(**{rule: on}), Bounds(rounds=99))
        rest = meet(model, begin(model))
        assert rest is not None
        assert all(rests(model, peer) for peer in rest.peers) == on


def test_seats_that_are_heard_and_lost_again_come_to_rest():
    """Whatever has happened before, linked seats stop voting when nobody calls a vote any more."""
    model = Model(bounds=Bounds(shown=6, crashes=1, rounds=99))
    for seed in range(100):
        assert meet(model, walk(model, seed, random.Random(seed).randrange(4, 24))[1]) is not None


@pytest.mark.parametrize("bounds", [Bounds(8, 1, 3), Bounds(8, 1, 3, 4, True)])
def test_no_way_through_the_model_with_more_lies_breaks_a_promise(bounds):
    model = Model(bounds=bounds)
    assert {walk(model, seed, 40)[0] for seed in range(100)} == {""}


def test_two_of_four_seats_cannot_undo_what_they_have_signed_over():
    bounds = Bounds(shown=3, crashes=0, rounds=1, seats=4, leaves=True)
    model = Model(bounds=bounds)
    found = explore(model, start=model.parted())
    assert found.whole
    assert found.states >= 1000
    assert not found.broken, found.path
