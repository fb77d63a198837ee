"""Random kill points over all games and scenarios: each match is resumed, ends alike for all, and verifies."""

import random
from functools import cache
from pathlib import Path
from typing import Any

from mastaba.core.games import GAMES
from mastaba.net.verify import verify
from mortal import MortalNet, fall_silent, play_on, say_good_bye, some_points

from .workers import spread

DATA = Path(__file__).parents[1] / "tests" / "data"
SCENARIOS = {"all stay": play_on, "one leaves": say_good_bye, "one is lost": fall_silent}
GOES = 1  # the seat that goes, where one does
POINTS = 500  # kill points in all


def run(share: float) -> dict[str, Any]:
    done, seed, wrong, by_game = 0, 0, [], dict.fromkeys(GAMES, 0)
    wanted = max(1, int(POINTS * share))
    while done < wanted:
        for game, killed, found in spread(one, range(seed, seed + 40)):
            done += killed
            by_game[game] += killed
            wrong += found
        seed += 40
    return {"kill points": done, "matches": seed, "by game": by_game, "wrong": wrong}


def one(seed: int) -> tuple[str, int, list[str]]:
    """One match with up to four kills: its game, how many seats died in it, and what did not hold."""
    dice = random.Random(seed)
    game, scenario = dice.choice(sorted(GAMES)), dice.choice(sorted(SCENARIOS))
    kills = some_points(dice, points(game), dice.randrange(1, 5))
    net = MortalNet(3, kills, dice.random() < 0.5, seed=seed, level="random", game=game, path=DATA / f"{game}-small.toml")
    what = f"{game}, {scenario}, seed {seed}"
    try:
        net.connect()
        net.run(SCENARIOS[scenario](net, GOES, dice.randrange(1, 12)), idle=140)
    except Exception as error:  # whatever it is, it is a finding
        return game, len(net.died), [f"{what}: {error!r}"]
    rest = [s for s in net.sessions if scenario == "all stay" or s.me != GOES]
    files = {s.transcript() for s in rest}
    report = verify(files.pop(), lambda roster: net.match.table())
    if any(s.fault for s in rest) or files or not report.ok or not (report.complete or all(s.snapshot().phase == "done" for s in rest)):
        return game, len(net.died), [f"{what}: {[s.snapshot().phase for s in rest]}, {report.fault}"]
    return game, len(net.died), []


@cache
def points(game: str) -> int:
    """How many points such a match has."""
    net = MortalNet(3, seed=1, level="random", game=game, path=DATA / f"{game}-small.toml")
    net.connect()
    net.run()
    return net.points
