"""A table of The Crypt from the command line: its collectors' sides are chosen there, checked, and played with."""

import os
import subprocess
import sys

import pytest
from mastaba.cli.__main__ import main


@pytest.mark.parametrize("game", ["crypt", "loot"])
def test_what_is_no_variant_of_the_game_is_refused(capsys, game):
    assert main(["play", game, "--bots", "1", "--variant", "xx"]) == 2
    assert f"xx is no variant of {game}: crypt takes six letters a or b" in capsys.readouterr().err
    assert main(["open", game, "--variant", "xx"]) == 2


def test_the_chosen_sides_are_played_with_in_lines():
    command = [sys.executable, "-m", "mastaba.cli", "play", "crypt", "--bots", "1", "--variant", "ababab", "--plain"]
    typed = "board\nclaim 9:1\nnonsense\nquit\n"
    done = subprocess.run(
        command, input=typed, env={**os.environ, "LANGUAGE": "en"}, capture_output=True, text=True, timeout=100, check=False
    )
    sides = [line.split()[2][0] for line in done.stdout.splitlines() if line.startswith("Collector ")][:6]
    assert sides == list("ABABAB"), done.stdout + done.stderr
    assert "Traceback" not in done.stderr
