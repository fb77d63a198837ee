"""Crowds of strangers: whoever floods from one address makes room for himself, not for others."""

import pytest
from hypothesis import given, strategies as st
from mastaba.net.crowd import makes_room


def test_there_is_room_until_it_is_full():
    assert makes_room([], "a", 3, 2) is None
    assert makes_room(["a", "b"], "a", 3, 2) is None


def test_a_host_that_has_its_share_loses_its_own_oldest():
    assert makes_room(["b", "a", "a"], "a", 9, 2) == 1


def test_when_it_is_full_the_oldest_of_the_busiest_host_goes():
    assert makes_room(["b", "a", "a"], "c", 3, 2) == 1
    assert makes_room(["b", "a", "a"], "b", 3, 2) == 1


def test_of_one_host_the_one_that_has_said_least_goes_and_of_several_such_the_oldest():
    assert makes_room(["a", "a", "a", "b"], "a", 9, 3, [1, 0, 0, 0]) == 1
    assert makes_room(["b", "a", "a", "c", "c"], "d", 5, 3, [0, 1, 2, 2, 0]) == 4


def test_when_everybody_has_one_place_nobody_goes():
    with pytest.raises(OverflowError):
        makes_room(["a", "b", "c"], "d", 3, 2)


@given(st.lists(st.sampled_from("aaaab"), max_size=300))
def test_a_flood_from_one_host_never_costs_another_its_place(arrivals):
    here: list[str] = ["guest"]
    for host in arrivals:
        index = makes_room(here, host, 8, 4)
        if index is not None:
            del here[index]
        here.append(host)
        assert "guest" in here
        assert len(here) <= 8
        assert here.count(host) <= 4
