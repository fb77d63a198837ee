"""Crowds of strangers: whoever floods from one address makes room for himself, not for others."""

import random

import pytest
from hypothesis import given, strategies as st
from mastaba.net.crowd import YOUNG, Place, group, makes_room

OLD = 100.0


def goes(groups, newcomer, most, most_of_one, said=(), since=(), now=OLD, choose=lambda n: 0):
    places = [Place(one, since[i] if since else 0.0, said[i] if said else 0) for i, one in enumerate(groups)]
    return makes_room(places, newcomer, most, most_of_one, now, choose)


def test_there_is_room_until_it_is_full():
    assert goes([], "a", 3, 2) is None
    assert goes(["a", "b"], "a", 3, 2) is None


def test_a_group_that_has_its_share_loses_one_of_its_own():
    assert goes(["b", "a", "a"], "a", 9, 2) == 1


def test_when_it_is_full_one_of_the_busiest_group_goes():
    assert goes(["b", "a", "a"], "c", 3, 2) == 1
    assert goes(["b", "a", "a"], "b", 3, 2) == 1


def test_of_one_group_the_one_that_has_said_least_goes():
    assert goes(["a", "a", "a", "b"], "a", 9, 3, [1, 0, 1, 0]) == 1
    assert goes(["b", "a", "a", "c", "c"], "d", 5, 3, [0, 1, 2, 2, 0]) == 4


def test_of_those_who_have_said_as_little_one_goes_at_random():
    found = {goes(["a"] * 4 + ["b"], "c", 5, 9, [1, 0, 0, 0, 0], choose=random.Random(seed).randrange) for seed in range(50)}
    assert found == {1, 2, 3}


def test_who_has_just_come_goes_after_those_who_have_been_there_for_longer():
    since = [OLD - YOUNG, OLD - YOUNG / 2, OLD - YOUNG]
    found = {goes(["a"] * 3, "b", 3, 9, since=since, choose=random.Random(seed).randrange) for seed in range(50)}
    assert found == {0, 2}


def test_talking_much_drives_nobody_out_who_has_just_come():
    """What counts has an end, and who has just come has one thing more to his credit."""
    assert goes(["a"] * 3, "a", 9, 3, said=[2, 2, 1], since=[0.0, 0.0, OLD], choose=lambda n: 0) == 0


def test_where_all_have_just_come_one_of_those_who_have_said_least_goes():
    assert goes(["a", "b", "c"], "d", 3, 2, said=[1, 0, 1], since=[OLD] * 3) == 1


def test_when_everybody_has_one_place_anybody_may_have_to_go():
    found = {goes(["a", "b", "c"], "d", 3, 2, choose=random.Random(seed).randrange) for seed in range(50)}
    assert found == {0, 1, 2}


@pytest.mark.parametrize(
    ("hosts", "groups"),
    [
        (["2001:db8:1:2::1", "2001:db8:1:2:ffff::9%eth0"], 1),
        (["2001:db8:1:2::1", "2001:db8:1:3::1"], 2),
        (["10.0.0.1", "10.0.0.2"], 2),
        (["10.0.0.1", "::ffff:10.0.0.1"], 1),
        (["fe80::1%2", "fe80::2%2"], 1),
        (["somewhere", "elsewhere"], 2),
    ],
)
def test_a_group_is_an_ipv4_address_or_a_64_of_ipv6(hosts, groups):
    assert len({group(host) for host in hosts}) == groups


@given(st.lists(st.sampled_from("aaaab"), max_size=300), st.integers(0, 1000))
def test_a_flood_from_one_group_never_costs_another_its_place(arrivals, seed):
    here: list[Place] = [Place("guest", 0.0, 0)]
    choose = random.Random(seed).randrange
    for now, host in enumerate(arrivals):
        index = makes_room(here, host, 8, 4, float(now), choose)
        if index is not None:
            del here[index]
        here.append(Place(host, float(now), 0))
        assert "guest" in [place.group for place in here]
        assert len(here) <= 8
        assert [place.group for place in here].count(host) <= 4
