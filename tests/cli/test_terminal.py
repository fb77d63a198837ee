"""The mode is chosen from flags and environment before anything is drawn."""

import pytest
from mastaba.cli.__main__ import parser
from mastaba.cli.terminal import Terminal

XTERM = {"TERM": "xterm-256color"}


def chosen(*flags: str, environ: dict[str, str] = XTERM, stdin: bool = True, stdout: bool = True, encoding: str = "utf-8") -> Terminal:
    return Terminal.of(parser().parse_args([*flags, "list"]), environ, stdin, stdout, encoding)


@pytest.mark.parametrize(
    ("flags", "environ", "stdin", "stdout", "mode"),
    [
        ((), XTERM, True, True, "screen"),
        (("--lines",), XTERM, True, True, "prompt"),
        (("--plain",), XTERM, True, True, "plain"),
        (("--plain", "--lines"), XTERM, True, True, "plain"),
        ((), XTERM, False, True, "plain"),
        ((), XTERM, True, False, "plain"),
        (("--lines",), XTERM, False, True, "plain"),
        ((), {"TERM": "dumb"}, True, True, "plain"),
        ((), {}, True, True, "plain"),
    ],
)
def test_the_mode(flags, environ, stdin, stdout, mode):
    assert chosen(*flags, environ=environ, stdin=stdin, stdout=stdout).mode == mode


@pytest.mark.parametrize(
    ("flags", "environ", "colour"),
    [
        ((), XTERM, True),
        ((), {**XTERM, "NO_COLOR": "1"}, False),
        ((), {**XTERM, "NO_COLOR": ""}, True),
        (("--color", "never"), XTERM, False),
        (("--color", "always"), {**XTERM, "NO_COLOR": "1"}, True),
    ],
)
def test_colour(flags, environ, colour):
    assert chosen(*flags, environ=environ).colour is colour


@pytest.mark.parametrize(
    ("flags", "environ", "encoding", "narrow"),
    [
        ((), XTERM, "utf-8", False),
        ((), XTERM, "UTF8", False),
        ((), XTERM, "ascii", True),
        ((), XTERM, "iso-8859-1", True),
        (("--ascii",), XTERM, "utf-8", True),
        ((), {"TERM": "linux"}, "utf-8", True),
        ((), {**XTERM, "LC_ALL": "C"}, "utf-8", True),
        ((), {**XTERM, "LANG": "POSIX"}, "utf-8", True),
        ((), {**XTERM, "LC_ALL": "es_MX.UTF-8", "LANG": "C"}, "utf-8", False),
        ((), {**XTERM, "LC_ALL": "C.UTF-8"}, "utf-8", False),
    ],
)
def test_ascii(flags, environ, encoding, narrow):
    here = chosen(*flags, environ=environ, encoding=encoding)
    assert here.ascii is narrow
    assert here.text("▸ ñ").isascii() is narrow


def test_sentences_are_broken_between_words_on_a_terminal_and_a_line_each_elsewhere(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "24")
    sentence = "Ana shows cup, ring | Mummy: chest."
    Terminal("plain", False, False).say(sentence)
    Terminal("plain", False, False, wraps=True).say(sentence)
    assert capsys.readouterr().out.splitlines() == [sentence, "Ana shows cup, ring |", "Mummy: chest."]


def test_the_bell_is_turned_off_before_or_behind_the_command():
    assert chosen().bell
    assert not chosen("--no-bell").bell
    assert not Terminal.of(parser().parse_args(["list", "--no-bell"]), XTERM, True, True, "utf-8").bell
