"""Every state of a small model of agreement: no honest seat signs twice, no two ends without a proof, and always a way to an end."""

import pytest
from agreement import Bounds, Explored, Model, Rules, explore


def holds(found: Explored) -> bool:
    return not found.broken and found.stuck is None


@pytest.mark.parametrize("bounds", [Bounds(shown=2, crashes=0, rounds=2), Bounds(shown=1, crashes=1, rounds=3)])
def test_no_state_of_the_model_breaks_a_promise_and_from_each_there_is_a_way_to_an_end(bounds):
    found = explore(Model(bounds=bounds))
    assert found.whole
    assert found.states > 2000
    assert not found.broken, found.path
    assert found.stuck is None


WEAKENED = {
    "disk_first": (Rules(disk_first=False), Bounds(shown=1, crashes=1, rounds=1), "has signed twice"),
    "half": (Rules(half=1), Bounds(shown=1, crashes=0, rounds=1), "two choices in one vote round without a proof"),
    "compared": (Rules(compared=False), Bounds(shown=2, crashes=0, rounds=2), "stuck"),
    "agreed": (Rules(agreed=False), Bounds(shown=2, crashes=0, rounds=1), "stuck"),
    "forwarded": (Rules(forwarded=False), Bounds(shown=1, crashes=0, rounds=2), "stuck"),
    "dropped": (Rules(dropped=False), Bounds(shown=1, crashes=0, rounds=3), "stuck"),
}


@pytest.mark.parametrize("rule", WEAKENED)
def test_without_a_rule_the_model_finds_what_the_rule_prevents(rule):
    rules, bounds, what = WEAKENED[rule]
    found = explore(Model(rules, bounds))
    assert what in (found.broken or ("stuck" if found.stuck else ""))
    assert holds(explore(Model(bounds=bounds), most=500))  # the same search, with the rule
