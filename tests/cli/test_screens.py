"""Whole screens at 80 x 24, character by character, of every game in both languages: what a player sees, for review.

After a meant change: MASTABA_WRITE_SCREENS=1 pytest tests/cli/test_screens.py, then read the difference.
"""

import os
from pathlib import Path

import pytest
from mastaba.cli import text
from mastaba.cli.cells import plain
from mastaba.cli.show import GAMES, show_of
from mastaba.cli.show.frame import Pointed, Ui, compose
from mastaba.cli.story import Story
from snapshots import Table, asked

FOLDER = Path(__file__).parents[1] / "screens"
SEATS = {"loot": 4, "crypt": 3, "scarabya": 2, "pyramid": 3}
MIDDLE = {"loot": 40, "crypt": 40, "scarabya": 15, "pyramid": 40}  # steps


def screens(game: str) -> str:
    """A seat that is asked in the middle of the game, its help, what a spectator sees, and the end."""
    table, show = Table(SEATS[game], 7, game=game), show_of(game)
    story = Story(show)
    me = SEATS[game] - 1
    table.until(lambda t: t.steps > MIDDLE[game] and asked(me)(t))
    mine, stranger = table.snapshot(me), table.snapshot(None)
    story.update(mine)
    middle = list(story.words)
    over = table.until(lambda t: t.over).snapshot(me)
    story.update(over)
    pointer = show.pointer(mine) if isinstance(show, Pointed) else None
    pages = (
        ("asked", mine, middle, Ui(pointer=pointer)),
        ("help", mine, middle, Ui(help=True, pointer=pointer)),
        ("watching", stranger, middle, Ui()),
        ("over", over, story.words, Ui(again=True)),
    )
    out = []
    for name, snapshot, words, ui in pages:
        lines = compose(show, snapshot, words, ui, 80, 24)
        out += [f"== {name} ".ljust(80, "="), *(plain(line).rstrip() for line in lines)]
    return "\n".join(out) + "\n"


@pytest.mark.parametrize("language", text.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_screens_of_a_game_are_those_that_were_read_and_found_good(game, language):
    text.use(language)
    path = FOLDER / f"{game}-{language}.txt"
    if os.environ.get("MASTABA_WRITE_SCREENS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(screens(game), encoding="utf-8")
    assert screens(game) == path.read_text(encoding="utf-8")
