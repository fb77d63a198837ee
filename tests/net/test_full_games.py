"""The games as they are shipped, over the fake network with real cryptography, at every seat count, to a verified end."""

from pathlib import Path

import mastaba.core.games
import pytest
from fakenet import Net
from mastaba.core.games import GAMES
from shares import LONG

DATA = Path(mastaba.core.games.__file__).parent / "data"


@pytest.mark.parametrize("seed", [1, 2] if LONG else [1])
@pytest.mark.parametrize(("game", "seats"), [(g, n) for g in ("loot", "scarabya", "crypt") for n in GAMES[g].rules.SEATS if n > 1])
def test_a_game_as_shipped_ends_verified(game, seats, seed):
    net = Net(seats, seed=seed, game=game, path=DATA / f"{game}.toml")
    net.connect()
    net.run()
    report = net.verified()
    assert report.winners == net.sessions[0].table.rules.pending.winners
