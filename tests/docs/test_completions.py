"""What is generated for share/: shells complete every command and flag, and the man pages name them, in both languages."""

import os
import runpy
import subprocess
from pathlib import Path

import pytest
import setuptools
from mastaba.cli import text
from mastaba.cli.__main__ import parser

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made():
    before = Path.cwd(), setuptools.setup, os.environ.get("LANGUAGE")
    os.chdir(ROOT)
    setuptools.setup = lambda **kind: None
    try:
        return runpy.run_path("setup.py")["generated"]()
    finally:
        os.chdir(before[0])
        setuptools.setup = before[1]
        text.use(before[2] or "en")


def commands():
    return next(action.choices for action in parser()._actions if action.dest == "command")


@pytest.mark.parametrize("path", ["man/man1/mastaba.1", "man/es/man1/mastaba.1"])
def test_a_man_page_names_every_command_and_every_flag(made, path):
    page = made[path].replace("\\-", "-")
    for name, command in commands().items():
        assert f"mastaba {name}" in page
        shown = [a for a in command._actions if a.help != "==SUPPRESS==" and a.dest != "help"]
        assert [flag for action in shown for flag in action.option_strings if flag.startswith("--") and flag not in page] == []
    assert ("opciones" in page) == ("/es/" in path)


def typed(made, line):
    """What bash offers after this line."""
    script = f"{made['bash-completion/completions/mastaba']}\nCOMP_WORDS=({line}) COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))\n"
    script += '_shtab_mastaba\nprintf "%s\\n" "${COMPREPLY[@]}"\n'
    if line.endswith(" "):
        script = script.replace(f"({line})", f"({line} '')")
    return set(subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=30, check=True).stdout.split())


def test_bash_completes_commands_games_levels_and_flags(made):
    assert typed(made, "mastaba ") >= set(commands())
    assert typed(made, "mastaba rep") == {"replay"}
    assert typed(made, "mastaba play lo") == {"loot"}
    assert typed(made, "mastaba play loot --level s") == {"sensible"}
    assert typed(made, "mastaba replay --h") >= {"--html"}


def test_every_shell_has_every_command(made):
    for path in ("bash-completion/completions/mastaba", "zsh/site-functions/_mastaba", "fish/vendor_completions.d/mastaba.fish"):
        assert [name for name in commands() if name not in made[path]] == []
