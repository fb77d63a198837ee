"""The command line as a process: what is fast, what is refused, and which exit code says so."""

import json
import logging
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import mastaba.cli
import pytest
from mastaba.cli.__main__ import GAMES, main, parser
from mastaba.cli.commands import COMMANDS
from mastaba.cli.log import briefly
from mastaba.cli.typed import export
from mastaba.core.errors import LocalError
from mastaba.core.games import GAMES as RULES

ROOT = Path(__file__).parents[2]
SMALL = ROOT / "tests" / "data" / "loot-small.toml"
DATA = ["--data", str(SMALL)]


def run(*words: str, typed: str | None = "", **environ: str) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own; `typed` is its standard input (None: /dev/null)."""
    feed = {"input": typed} if typed is not None else {"stdin": subprocess.DEVNULL}
    command = [sys.executable, "-X", "dev", "-W", "error", "-m", "mastaba.cli", *words]
    return subprocess.run(command, env={**os.environ, **environ}, capture_output=True, text=True, timeout=100, check=False, **feed)


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == mastaba.cli.VERSION
    assert run("--version").stdout == f"mastaba {mastaba.cli.VERSION}\n"


def test_the_version_and_help_import_no_library():
    script = (
        "import sys; from mastaba.cli.__main__ import main; before = set(sys.modules); code = main(sys.argv[1:]);"
        "print('\\n'.join(sorted(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    for flag in ("--version", "--help"):
        done = subprocess.run([sys.executable, "-c", script, flag], capture_output=True, text=True, timeout=60, check=True)
        loaded = {name.partition(".")[0] for name in done.stderr.split()}
        assert not loaded & {
            "msgpack",
            "cryptography",
            "zeroconf",
            "prompt_toolkit",
            "platformdirs",
            "wcwidth",
            "ifaddr",
            "asyncio",
            "ssl",
            "socket",
        }
        inside = {name for name in done.stderr.split() if name.startswith("mastaba.")}
        assert inside <= {"mastaba.cli", "mastaba.cli.__main__", "mastaba.cli.show", "mastaba.cli.text"}


@pytest.mark.parametrize(
    "words",
    [
        ["dance"],
        ["play", "loot", "--bots", "0"],
        ["play", "loot", "--bots", "9"],
        ["play", "loot", "--bots", "two"],
        ["play", "chess", "--bots", "1"],
        ["play", "loot", "--bots", "1", "--level", "genius"],
        ["open", "loot", "--seats", "1"],
        ["open", "loot", "--seats", "7"],
        ["open", "loot", "--seats", "0"],
        ["open", "loot", "--seats", "2", "--first", "3"],
        ["open", "loot", "--first", "0"],
        ["open", "scarabya", "--seats", "1"],
        ["demo", "scarabya", "--seats", "1"],
        ["--lang", "fr", "list"],
        ["list", "--lang", "klingon"],
        ["open", "loot", "--port", "70000"],
        ["open", "loot", "--port", "00000000170000"],
        ["demo", "loot", "--seats", "1"],
        ["--color", "green", "list"],
        ["verify"],
    ],
)
def test_usage_errors_are_one_sentence_and_exit_code_2(words, capfd):
    assert main(words) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert err.strip()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_in_place_of_a_command_is_answered_with_what_to_type(game, capfd):
    assert main([game]) == 2
    err = capfd.readouterr().err
    assert all(f"mastaba {command} {game}" in err for command in ("open", "play", "tutorial"))
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("far", [0, 99])
def test_a_wrong_number_of_players_is_refused_in_one_sentence_by_every_command_with_the_bounds_of_the_game(game, far, capfd):
    seats = RULES[game].rules.SEATS
    bounds = f"{game} is for {min(seats)} to {max(seats)} players"
    for words in (["open", game, "--seats", str(far)], ["demo", game, "--seats", str(far)], ["play", game, "--bots", str(far or 6)]):
        assert main(words) == 2
        assert bounds in capfd.readouterr().err, words
    assert f"{min(seats) - 1} to {max(seats) - 1} bots" in (main(["play", game, "--bots", "99"]), capfd.readouterr().err)[1]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_practice_without_a_number_of_bots_is_a_table_that_the_game_takes(game):
    assert parser().parse_args(["play", game]).bots + 1 in RULES[game].rules.SEATS


def test_a_language_that_is_not_spoken_is_refused_once_and_those_that_are_are_named(capfd):
    assert main(["--lang", "fr", "rules", "loot"]) == 2
    assert "there is no language 'fr'; there is: en, es" in capfd.readouterr().err
    assert main(["--lang", "es-419", "rules", "loot"]) == 0
    assert "Momia" in capfd.readouterr().out


def test_every_command_of_the_help_runs_something():
    actions = [a for a in parser()._actions if a.dest == "command"]
    assert set(actions[0].choices) == {name for name in COMMANDS if name}


def test_flags_may_stand_before_or_behind_the_command():
    before = parser().parse_args(["--plain", "--lang", "es", "rules", "loot"])
    behind = parser().parse_args(["rules", "loot", "--plain", "--lang", "es"])
    assert vars(before) == vars(behind)
    assert (before.plain, before.lang, before.ascii) == (True, "es", False)


@pytest.mark.parametrize(("language", "word"), [("en", "usage: "), ("es", "uso: ")])
def test_help_and_errors_speak_the_language_asked_for(language, word, capfd):
    assert main(["--lang", language, "--help"]) == 0
    assert capfd.readouterr().out.startswith(word)
    assert main(["--lang", language, "play"]) == 2
    assert capfd.readouterr().err.startswith(word)


@pytest.mark.parametrize("language", ["en", "es"])
def test_rules_are_printed_in_the_language(language, capfd):
    assert main(["rules", "loot", "--lang", language]) == 0
    out = capfd.readouterr().out
    assert "LOOT N RUN" in out
    assert ("Momia" in out) == (language == "es")
    assert all(len(line) <= 80 for line in out.splitlines())


def test_a_missing_or_foreign_file_is_one_sentence(tmp_path, capfd):
    assert main(["verify", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capfd.readouterr().err
    junk = tmp_path / "junk"
    junk.write_bytes(os.urandom(2000))
    assert main(["verify", str(junk)]) == 5
    assert "does not hold" in capfd.readouterr().out
    assert main(["verify", str(tmp_path)]) == 1
    assert "Traceback" not in capfd.readouterr().err


def test_a_hostile_file_name_is_shown_inert(tmp_path, capfd):
    assert main(["verify", str(tmp_path / "\x1b]52;c;aGk=\x07\u202e")]) == 1
    err = capfd.readouterr().err
    assert "\x1b" not in err
    assert "\u202e" not in err


def test_a_faulty_table_of_cards_is_refused_in_one_sentence(tmp_path, capfd):
    bad = tmp_path / "bad.toml"
    bad.write_text("cards = 1")
    assert main(["play", "loot", "--bots", "1", "--data", str(bad)]) == 1
    err = capfd.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_a_page_and_a_log_are_not_written_into_a_folder_that_is_not_there(tmp_path, capfd):
    assert main(["replay", str(tmp_path / "any"), "--html", str(tmp_path / "typo" / "page.html")]) == 1
    assert f"There is no folder {tmp_path / 'typo'}" in capfd.readouterr().err
    with pytest.raises(LocalError, match="no folder"):
        export(tmp_path / "typo" / "log.txt", [])
    assert not (tmp_path / "typo").exists()


def test_network_trouble_is_one_line_of_the_log_and_a_fault_of_the_program_has_its_traceback(tmp_path):
    path = tmp_path / "log"
    handler = logging.FileHandler(path)
    handler.addFilter(briefly)
    for error in (ConnectionResetError(104, "Connection reset by peer"), KeyError("seat")):
        kind = type(error), error, None
        handler.handle(logging.LogRecord("asyncio", logging.ERROR, "", 0, "Fatal error on %s\ntransport: %s", ("SSL", "x"), kind))
    handler.close()
    lines = path.read_text().splitlines()
    assert lines[0] == "Fatal error on SSL: [Errno 104] Connection reset by peer"
    assert lines[1] == "Fatal error on SSL"
    assert lines[-1] == "KeyError: 'seat'"


def test_nothing_to_resume_is_exit_code_3(capfd):
    assert main(["resume"]) == 3
    assert "no match to resume" in capfd.readouterr().err


def test_a_data_folder_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    done = run("play", "loot", "--bots", "1", MASTABA_HOME=str(tmp_path / "file" / "home"))
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_an_ended_input_in_a_game_for_a_person_is_exit_code_2():
    done = run("play", "loot", "--bots", "1", typed=None)
    assert done.returncode == 2
    assert "mastaba demo" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_reader_that_goes_away_is_no_traceback():
    command = f"{sys.executable} -m mastaba.cli rules loot | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_every_encoding_of_the_terminal_gets_readable_text(encoding):
    done = run("rules", "loot", "--lang", "es", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert "LOOT N RUN" in done.stdout


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_whole_game_by_a_script_through_a_pipe_verifies(game):
    data = ["--data", str(SMALL.with_name(f"{game}-small.toml"))]
    typed = "help\ncheck\n" + "1\nhand\nboard\nlast\nwho\nlog 3\nmoves\n2\n3\n" * 200
    done = run("play", game, "--bots", "1", *data, "--name", "Ana", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "everybody has signed the result" in done.stdout
    for said in ("Type a number or words", "1. ", "say TEXT: chat", "Moves: each was legal by the rules"):
        assert said in done.stdout
    path = done.stdout.split("Transcript: ")[1].strip()
    report = run("verify", path, *data, "--json")
    assert report.returncode == 0
    assert json.loads(report.stdout)["complete"] is True
    content = bytearray(Path(path).read_bytes())
    content[len(content) // 2] ^= 1
    Path(path).write_bytes(content)
    assert run("verify", path, *data).returncode == 5


def test_moves_that_come_late_and_in_one_go_wait_for_their_turn_as_those_that_come_at_once(driven, tmp_path):
    ana = driven(tmp_path / "a", "play", "loot", "--bots", "1", *DATA, "--name", "Ana", tag=False)
    until(ana, "Type a number or words")  # it has looked for a line, and there was none
    said, _ = ana.communicate("1\n" * 400, timeout=60)
    assert "not your turn" not in said
    assert "everybody has signed the result" in said
    assert ana.returncode == 0


def test_a_game_in_spanish_in_plain_lines():
    typed = "ayuda\nbailar\ntablero\nsaquear 1\nsaquear 2\nsalir\n"
    done = run("play", "loot", "--bots", "1", *DATA, "--name", "Ana", "--lang", "es", "--plain", typed=typed)
    assert done.returncode == 0, done.stderr
    assert "Tu turno, Ana" in done.stdout
    assert "no es ninguna jugada" in done.stdout


def test_a_dumb_terminal_gets_no_escape():
    done = run("play", "loot", "--bots", "1", *DATA, typed="1\nquit\n", TERM="dumb")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr


@pytest.fixture
def driven():
    """Ana and Beto at one table, each driven by a program through pipes; what each says line by line, and what is said to it."""
    private = ["--loopback", "--tag", os.urandom(6).hex()]
    seats = []

    def start(home, *words, tag=True):
        environ = {**os.environ, "MASTABA_HOME": str(home), "LANGUAGE": "en", "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "mastaba.cli", *words, "--plain", *(private if tag else ())]
        seats.append(subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1))
        return seats[-1]

    yield start
    for seat in seats:
        seat.kill()
        seat.communicate()


def until(seat, *texts):
    """Read lines up to the first that holds one of the texts; returns it."""
    for line in seat.stdout:
        if any(text in line for text in texts):
            return line
    raise AssertionError(f"none of {texts} came")


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_what_is_typed_through_a_pipe_is_answered_at_once_whoever_is_to_move(driven, tmp_path):
    ana = driven(tmp_path / "a", "open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana", "--first", "1")
    until(ana, "Waiting for 1 more player")
    print("hello?", file=ana.stdin)
    until(ana, "The game has not begun yet")
    beto = driven(tmp_path / "b", "join", "--name", "Beto")
    until(ana, "Type a number or words")
    until(beto, "It is Ana's turn", "is the first player")
    for typed, answer in (
        ("say hello", "Beto: «hello»"),
        ("board", "Deck 1"),
        ("1", "It is not your turn to decide. It is Ana's turn."),
        ("loot 1", "It is not your turn to decide."),
        ("dance", "«dance» is no command; type help."),
    ):
        print(typed, file=beto.stdin)
        until(beto, answer)
    until(ana, "Beto: «hello»")
    print("quit", file=beto.stdin)
    assert "Your seat stays yours" in until(beto, "Your seat")
    assert beto.wait(60) == 0
