"""Terminals and locales of every kind: depths of colour, none, ASCII, a Linux console, a dumb terminal, several kinds of Spanish."""

import re

import pytest
from mastaba.cli.show import GAMES
from seats import Seat

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


@pytest.fixture
def play(tmp_path):
    seats = []

    def start(game: str, *words: str, **environ: str) -> Seat:
        seat = Seat(tmp_path / "home", "play", game, "--bots", "1", "--name", "Zoe", *words, **environ)
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.process.close(force=True)


def leave(seat: Seat) -> str:
    """Out by two Ctrl-C, on a clean terminal; everything that was written."""
    seat.type("\x03\x03")
    assert seat.ends() == 130
    seat.is_clean()
    return seat.written


def colours(written: str) -> set[str]:
    """The colours that were asked for: ANSI 16, 256, or true colour."""
    codes = {code for sequence in re.findall(r"\x1b\[([0-9;]*)m", written) for code in [sequence]}
    return {code for code in codes if re.search(r"(^|;)(3[0-8]|9[0-7]|4[0-8])(;|$)", code)}


@pytest.mark.parametrize("depth", ["DEPTH_1_BIT", "DEPTH_4_BIT", "DEPTH_8_BIT", "DEPTH_24_BIT"])
def test_every_depth_of_colour_shows_the_same_text(play, depth):
    seat = play("loot", PROMPT_TOOLKIT_COLOR_DEPTH=depth)
    seat.sees("Your turn, Zoe", "It is ")
    seat.sees("Deck 1 ")
    written = leave(seat)
    assert bool(colours(written)) == (depth != "DEPTH_1_BIT")
    assert not re.search(r"[34]8;2;", written) or depth == "DEPTH_24_BIT"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_color_and_ascii_are_kept_by_every_game(play, game):
    seat = play(game, "--ascii", NO_COLOR="1")
    seat.sees("Your moves")
    written = leave(seat)
    assert written.isascii()
    assert not colours(written)


@pytest.mark.parametrize("environ", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}, {"TERM": "linux"}])
def test_a_terminal_of_ascii_gets_ascii(play, environ):
    seat = play("loot", **environ)
    seat.sees("Your turn, Zoe", "It is ")
    assert leave(seat).isascii()


def test_a_dumb_terminal_gets_plain_lines(play):
    seat = play("loot", TERM="dumb")
    seat.sees("Type a number or words")
    seat.type("quit\r")
    assert seat.ends() == 0
    assert "\x1b" not in seat.written


@pytest.mark.parametrize("locale", ["es_419.UTF-8", "es_MX.UTF-8", "es_ES.UTF-8"])
def test_every_spanish_is_spanish(play, locale):
    seat = play("loot", LANGUAGE="", LC_ALL=locale)
    seat.sees("Tus jugadas", "Tu turno")
    leave(seat)
