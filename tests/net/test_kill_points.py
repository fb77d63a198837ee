"""A program killed, or a machine without power, at any write, send or receive: the seat comes back, and nothing is lost or said twice."""

import random
from pathlib import Path

import pytest
from mastaba.core.games import GAMES
from mastaba.net.verify import verify
from mortal import MortalNet, fall_silent, play_on, say_good_bye, some_points

DATA = Path(__file__).parents[1] / "data"
SCENARIOS = {"all stay": play_on, "one leaves": say_good_bye, "one is lost": fall_silent}
GOES = 1  # the seat that goes, where one does


def played(game, scenario, seed, kills=(), power=False):
    """A whole match of three with these kills, until whoever has not gone is done."""
    net = MortalNet(3, list(kills), power, seed=seed, level="random", game=game, path=DATA / f"{game}-small.toml")
    net.connect()
    net.run(SCENARIOS[scenario](net, GOES, 2 + seed % 8), idle=140)
    return net


def check(net, scenario):
    """All who are left have the same signed end, and it verifies."""
    rest = [s for s in net.sessions if scenario == "all stay" or s.me != GOES]
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete


@pytest.mark.parametrize("power", [False, True], ids=["killed", "power-cut"])
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("game", GAMES)
def test_a_seat_killed_at_any_point_comes_back_and_plays_on(game, scenario, power):
    rng = random.Random(f"{game} {scenario} {power}")
    kills = some_points(rng, 400, 3)
    net = played(game, scenario, rng.randrange(1000), kills, power)
    assert net.died
    check(net, scenario)


@pytest.mark.parametrize("point", range(0, 90, 7))
def test_each_moment_of_the_key_set_up_can_be_the_last(point):
    net = played("loot", "all stay", 4, [point])
    assert net.died
    check(net, "all stay")
