"""What a link may use: amounts run off with time, one of a kind has its turn a tick, and strangers share."""

from hypothesis import given, strategies as st
from mastaba.net.budget import STRANGE, STRANGERS, WANTED, Allowance, Budget, Limit, Turns

LIMIT = Limit(10, 50)


def test_what_is_within_the_limit_makes_nobody_wait():
    budget = Budget()
    assert budget.spend(50, LIMIT, 0.0) == 0
    assert budget.spend(10, LIMIT, 1.0) == 0


def test_who_has_used_more_waits_until_it_has_run_off():
    budget = Budget()
    assert budget.spend(70, LIMIT, 0.0) == 2.0
    assert budget.spend(0, LIMIT, 1.0) == 1.0
    assert budget.spend(0, LIMIT, 2.0) == 0


def test_the_limit_may_change_as_a_stranger_sits_down():
    budget = Budget()
    assert budget.spend(100, LIMIT, 0.0) == 5.0
    assert budget.spend(0, Limit(100, 1000), 0.0) == 0


def test_what_is_taken_is_within_the_limit_but_for_a_first_one_that_is_larger():
    budget = Budget()
    assert budget.take(80, LIMIT, 0.0)
    assert not budget.take(1, LIMIT, 1.0)
    assert budget.take(1, LIMIT, 4.0)


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 10)), max_size=60))
def test_over_any_time_no_more_is_taken_than_the_rate_gives_and_what_is_saved_up(asked):
    budget, now, taken = Budget(), 0.0, 0.0
    for amount, later in asked:
        now += later
        amount = min(amount, LIMIT.most)
        taken += amount if budget.take(amount, LIMIT, now) else 0
        assert taken <= LIMIT.most + LIMIT.rate * now + 1e-6


def test_a_clock_that_goes_back_gives_nothing_away():
    budget = Budget()
    budget.spend(60, LIMIT, 100.0)
    assert budget.spend(0, LIMIT, 50.0) == 1.0


def test_who_plays_may_do_what_makes_a_stranger_wait():
    amounts = (STRANGE[0].most + 8, 1000, 0.01)
    assert Allowance().charge(*amounts, 0, 0.0) == 0
    assert Allowance().charge(*amounts, 1, 0.0) == 1.0


def test_any_of_messages_bytes_and_work_makes_a_link_wait():
    for which in range(3):
        amounts = [0.0, 0.0, 0.0]
        amounts[which] = WANTED[which].most + WANTED[which].rate * 3
        assert round(Allowance().charge(*amounts, 0, 0.0), 6) == 3.0


def test_many_strangers_together_may_cause_as_much_work_as_a_few():
    def share(strangers):
        allowance, used = Allowance(), 0.0
        for second in range(1000):
            while allowance.charge(0, 0, 0.0, strangers, float(second)) == 0:
                allowance.charge(0, 0, 0.001, strangers, float(second))
                used += 0.001
        return used * strangers

    few = share(STRANGERS)
    assert share(8 * STRANGERS) < 1.1 * few
    assert few < 1000 * STRANGE[2].rate * STRANGERS * 1.1 + STRANGE[2].most * STRANGERS


def test_one_of_each_kind_has_its_turn_and_the_latest_of_the_others_waits():
    turns: Turns[int] = Turns(4)
    assert turns.take("at", 1)
    assert not turns.take("at", 2)
    assert turns.take("next", 3)
    assert not turns.take("at", 4)
    assert turns.tick() == [4]
    assert not turns.take("at", 5), "its turn is used up by what has waited"
    assert turns.tick() == [5]
    assert turns.tick() == []
    assert turns.take("at", 6)


def test_few_kinds_are_kept():
    turns: Turns[int] = Turns(4)
    assert sum(turns.take(kind, kind) for kind in range(100)) == 4
    assert len(turns.tick()) == 4
