"""A seat that lies at random, with cuts and crashes around it: nobody honest is named, nobody parts unproven, nobody is stuck."""

import pytest
from adversaries.liar import play

RUNS = 20
PAST = (7, 13, 27, 41, 52, 59, 130, 163, 181, 9719)  # seeds that have found something


@pytest.mark.parametrize("seed", [*PAST, *range(1_000, 1_000 + RUNS)])
def test_a_table_with_a_random_liar_keeps_every_promise(seed):
    outcome = play(seed)
    assert not outcome.wrong
    assert outcome.ends


def test_the_liars_do_lie_and_honest_tables_are_among_them():
    """The runs above are not empty: over a few seeds there are tables with and without a liar, lies that were told, and proofs."""
    outcomes = [play(seed) for seed in range(13, 23)]
    assert any(outcome.liar is None for outcome in outcomes)
    assert sum(outcome.lies for outcome in outcomes) > 30
    assert any(outcome.crashes for outcome in outcomes)
