"""The program on real pseudo-terminals: it plays, it is left, it is killed, and the terminal stays clean."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pexpect
import pytest
from seats import SMALL, WAIT, Seat, finish

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


@pytest.fixture
def practice(tmp_path):
    seats = []

    def start(*words: str, **environ: str) -> Seat:
        seat = Seat(tmp_path / "home", "play", "loot", "--bots", "1", "--data", str(SMALL), "--name", "Ana", *words, **environ)
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.process.close(force=True)


@pytest.mark.parametrize("way", ["quit", "ctrl-c", "int", "term", "hup"])
def test_however_it_is_left_the_terminal_is_clean(practice, way):
    seat = practice()
    seat.sees("Your turn, Ana")
    assert termios.tcgetattr(seat.process.child_fd) != seat.before, "the screen is in raw mode"
    if way == "quit":
        seat.type("q")
        seat.sees("Leave?")
        seat.type("y")
    elif way == "ctrl-c":
        seat.type("\x03")
        seat.sees("Leave?")
        seat.type("\x03")
    elif way == "int":
        seat.process.kill(signal.SIGINT)
        seat.sees("Leave?")
        seat.process.kill(signal.SIGINT)
    else:
        seat.process.kill(signal.SIGTERM if way == "term" else signal.SIGHUP)
    seat.process.expect(pexpect.EOF, timeout=WAIT)
    seat.is_clean()
    seat.process.close()
    assert seat.process.exitstatus == (0 if way == "quit" else 130), seat.written[-500:]


def test_two_fast_ctrl_c_leave_without_another_question(practice):
    seat = practice()
    seat.sees("Your turn, Ana")
    seat.type("\x03\x03")
    assert seat.ends() == 130
    seat.is_clean()


def test_flow_control_stops_nothing_and_takes_no_key(practice):
    seat = practice()
    seat.sees("Your turn, Ana")
    flags = termios.tcgetattr(seat.process.child_fd)[0]
    assert not flags & termios.IXON, "Ctrl-S goes to the program"
    seat.type("\x13\x11loot 1\r")
    seat.sees("Ana loots deck 1")


@pytest.mark.parametrize("depth", ["DEPTH_1_BIT", "DEPTH_4_BIT", "DEPTH_8_BIT", "DEPTH_24_BIT"])
def test_every_depth_of_colour_shows_the_same_in_colours_that_every_terminal_has(practice, depth):
    seat = practice(PROMPT_TOOLKIT_COLOR_DEPTH=depth)
    seat.sees("Your turn, Ana")
    seat.sees("Deck 1 ")
    seat.sees("─ Your moves")
    codes = {code for found in re.findall(r"\x1b\[([\d;]+)m", seat.written) for code in found.split(";")}
    assert codes <= {"0", "1", "7", *map(str, (*range(30, 38), *range(90, 98)))}, "bold, reverse and the sixteen colours"
    assert codes & set(map(str, range(30, 98))) == set() if depth == "DEPTH_1_BIT" else codes & set(map(str, range(30, 98)))


def test_resizing_wildly_leaves_a_right_screen(practice):
    seat = practice()
    seat.sees("Your turn, Ana")
    for columns, rows in [(40, 10), (200, 60), (1, 1), (80, 24), (79, 23), (120, 40)]:
        seat.resize(columns, rows)
    seat.settles("Your turn, Ana", "─ Players")
    seat.type("loot 1\r")
    seat.sees("Ana loots deck 1")


def test_suspending_gives_the_terminal_back_and_resuming_redraws(practice):
    seat = practice()
    seat.sees("Your turn, Ana")
    seat.type("\x1a")
    while "\x1b[?1049l" not in seat.written:
        seat.process.expect(r".+", timeout=WAIT)
    _pid, status = os.waitpid(seat.process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    shown = len(seat.written)
    seat.process.kill(signal.SIGCONT)
    while "Your turn, Ana" not in seat.written[shown:].replace("\x1b[0m", "") and "\x1b[?1049h" not in seat.written[shown:]:
        seat.process.expect(r".+", timeout=WAIT)
    seat.type("loot 1\r")
    seat.sees("Ana loots deck 1")


def test_lines_with_a_prompt_play_too(practice):
    seat = practice("--lines")
    seat.sees("Type a number or words")
    seat.type("board\r")
    seat.sees("Deck 1:")
    seat.type("lo\t")
    seat.type(" 1\r")
    seat.sees("Ana loots deck")
    seat.type("quit\r")
    assert seat.ends() == 0
    assert "\x1b[?1049h" not in seat.written


def test_plain_lines_on_a_terminal_rewrite_nothing(practice):
    seat = practice("--plain")
    seat.sees("Type a number or words")
    seat.type("1\r")
    seat.sees("Ana loots deck 1")
    seat.type("quit\r")
    assert seat.ends() == 0
    assert "\x1b" not in seat.written


@pytest.fixture
def table(tmp_path):
    """Opens a table on one terminal and joins it from another: loopback only, under a tag of its own."""
    seats = []
    tag = os.urandom(6).hex()

    def start(home: str, *words: str) -> Seat:
        seat = Seat(tmp_path / home, *words, "--loopback", "--tag", tag)
        seats.append(seat)
        return seat

    yield start
    for seat in seats:
        seat.process.close(force=True)


OPEN = ("open", "loot", "--seats", "2", "--data", str(SMALL), "--name", "Ana")


def test_two_people_on_two_terminals_play_a_whole_game_and_both_verify(table, tmp_path):
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto")
    finish([ana, beto])
    for seat in (ana, beto):
        seat.type("\r")
        assert seat.ends() == 0
        seat.is_clean()
        assert "everybody has signed the result" in seat.written
    transcripts = [next((tmp_path / home / "transcripts").glob("*.mastaba")).read_bytes() for home in "ab"]
    assert transcripts[0] == transcripts[1]
    assert not list(tmp_path.glob("?/profiles/*/matches/*.journal")), "a finished match leaves no keys behind"


def left_alone(table):
    """Ana, in a game with Beto whose program has been killed."""
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    beto.process.kill(signal.SIGKILL)
    ana.sees("not answering")
    return ana


def test_a_killed_player_is_said_to_be_silent_and_comes_back_to_the_same_game(table, tmp_path):
    ana = left_alone(table)
    again = table("b", "resume")
    again.sees("Your turn", "It is ")
    finish([ana, again])
    for seat in (ana, again):
        seat.type("\r")
        assert seat.ends() == 0


def test_a_killed_player_who_just_starts_again_is_offered_the_game_first_and_plays_on(table):
    ana = left_alone(table)
    again = table("b")
    again.sees("Go on")
    again.type("\r")
    again.sees("Your turn", "It is ")
    finish([ana, again])
    for seat in (ana, again):
        seat.type("\r")
        assert seat.ends() == 0


def test_leaving_keeps_the_seat(table):
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto", "--plain")
    beto.sees("loot 1", "first player")
    beto.type("\x03")
    assert beto.ends() == 130
    assert "Your seat stays yours" in beto.written
    ana.sees("not answering")
    again = table("b", "resume")
    again.sees("Your turn", "It is ")


def three(table, *words: str) -> list[Seat]:
    """Ana, Beto and Caro at one table whose match has begun."""
    ana = table("a", "open", "loot", "--seats", "3", "--data", str(SMALL), "--name", "Ana", *words)
    ana.sees("Waiting for 2 more players")
    seats = [ana, table("b", "join", "--name", "Beto"), table("c", "join", "--name", "Caro")]
    for seat in seats:
        seat.sees("Your turn", "It is ")
    return seats


def test_the_others_vote_and_go_on_without_a_player_who_is_gone(table):
    ana, beto, caro = three(table, "--grace", "1")
    caro.process.kill(signal.SIGKILL)
    finish([ana, beto], until="Type go on")
    ana.type("go on\r")
    ana.sees("Go on without Caro for good?")
    ana.type("y")
    beto.sees("Ana would go on without Caro")
    beto.type("go on\r")
    beto.sees("Go on without Caro for good?")
    beto.type("y")
    finish([ana, beto])
    for seat in (ana, beto):
        assert "Caro" in seat.text
        seat.type("\r")
        assert seat.ends() == 0
        assert "signed the result" in seat.written


def test_who_was_voted_out_is_told_so_once_and_the_match_is_offered_no_more(table):
    ana, beto, caro = three(table, "--grace", "1")
    caro.process.kill(signal.SIGKILL)
    finish([ana, beto], until="Type go on")
    for seat in (ana, beto):
        seat.type("go on\r")
        seat.sees("Go on without Caro for good?")
        seat.type("y")
    for seat in (ana, beto):
        seat.sees("Caro does not answer any more")
    back = table("c", "resume")
    back.sees("The match has ended for you: the others have voted to go on without your seat.")
    back.type("\r")
    assert back.ends() == 6
    assert "The match has ended for you" in back.written
    again = table("c", "resume")
    assert again.ends() == 3
    assert "There is no match to resume" in again.written
    start = table("c", "--name", "Caro")
    start.sees("What would you like?")
    assert "interrupted" not in start.text


def test_a_good_bye_lets_the_others_play_on(table):
    ana, beto, caro = three(table)
    caro.type("leave\r")
    caro.sees("Leave for ever?")
    caro.type("y")
    assert caro.ends() == 0
    caro.is_clean()
    finish([ana, beto])
    for seat in (ana, beto):
        assert "has left" in seat.text, "it is said beside the seat"
        seat.type("\r")
        assert seat.ends() == 0


def test_a_terminal_that_is_closed_leaves_a_seat_to_come_back_to(table):
    ana = table("a", *OPEN)
    ana.sees("Waiting for 1 more player")
    beto = table("b", "join", "--name", "Beto")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ")
    handle = os.pidfd_open(beto.process.pid)
    os.dup2(
        os.open(os.devnull, os.O_RDWR), beto.process.child_fd
    )  # the terminal's window is closed: a hang-up, and nothing can be written any more
    ready, _, _ = select.select([handle], [], [], WAIT)
    os.close(handle)
    assert ready, "the program outlives its terminal"
    ana.sees("not answering")
    again = table("b", "resume")
    again.sees("Your turn", "It is ")


def test_a_table_that_is_closed_is_said_so_at_the_other_end(table):
    ana = table("a", "open", "loot", "--seats", "3", "--name", "Ana")
    ana.sees("Waiting for 2 more players")
    beto = table("b", "join", "--name", "Beto")
    beto.sees("Waiting for 1 more player")
    ana.type("q")
    ana.sees("Leave?")
    ana.type("y")
    assert ana.ends() == 0
    assert beto.ends() == 6
    beto.is_clean()
    assert "The table has been closed" in beto.written


def test_ctrl_c_ends_the_search_for_a_table(table):
    seat = table("a", "join", "--name", "Ana")
    seat.sees("Looking for the table")
    seat.process.kill(signal.SIGINT)
    assert seat.ends() == 130


def test_the_demo_finds_its_peers_by_zeroconf_and_all_verify(tmp_path):
    environ = {**os.environ, "MASTABA_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-m", "mastaba.cli", "demo", "loot", "--seats", "3", "--json"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["discovery"] == "zeroconf"
    assert result["verified"] is True
    assert sorted(seat["name"] for seat in result["seats"]) == ["Ana", "Beto", "Caro"]
    assert len({seat["identity"] for seat in result["seats"]}) == 3
    assert max(seat["score"] for seat in result["seats"]) == next(seat["score"] for seat in result["seats"] if seat["winner"])
    assert Path(result["transcript"]).parent == tmp_path / "home" / "transcripts"
    check = subprocess.run(
        [*command[:3], "verify", result["transcript"]], env=environ, capture_output=True, text=True, timeout=60, check=False
    )
    assert check.returncode == 0
    assert "A whole game of Loot N Run" in check.stdout


@pytest.mark.parametrize("plain", [False, True])
def test_a_private_table_is_joined_by_code_words_typed_at_a_prompt(table, plain):
    ana = table("a", *OPEN, "--private")
    ana.sees("The code words of this table")
    words = re.search(r"for your friends: (\w{5}-\w{5}-\w{5})", ana.text)
    assert words is not None
    mal = table("c", "join", "--name", "Mal")
    mal.sees("type its code words")
    assert "Ana," not in mal.text
    for left in (2, 1):
        mal.type("babab babab babab\r")
        mal.sees(f"not the code words of that table. Tries left: {left}.")
    mal.type("babab babab babab\r")
    assert mal.ends() == 1
    assert "not the code words" in mal.written
    beto = table("b", "join", "--name", "Beto", *(["--plain"] if plain else []))
    beto.sees("type its code words")
    beto.type("babab\r")
    beto.sees("Tries left: 2.")
    beto.type(words[1].upper().replace("-", " ") + "\r")
    for seat in (ana, beto):
        seat.sees("Your turn", "It is ", "first player")


def test_rules_are_set_anew_for_a_narrow_terminal(tmp_path):
    seat = Seat(tmp_path / "home", "rules", "loot", columns=46)
    assert seat.ends() == 0
    lines = seat.written.replace("\r", "").splitlines()
    assert [line for line in lines if len(line) > 46] == []
    assert "You loot the chambers of a pyramid and run" in lines, "a paragraph is filled, not chopped"


@pytest.mark.parametrize("mode", ["--lines", "--plain"])
def test_where_nothing_is_kept_the_first_ctrl_c_only_asks(practice, mode):
    seat = practice(mode)
    seat.sees("Type a number or words")
    seat.type("\x03")
    seat.sees("Nothing of this match is kept")
    seat.type("1\r")
    seat.sees("Ana loots deck 1")
    seat.type("\x03")
    while seat.written.count("Nothing of this match is kept") < 2:
        seat.process.expect(r".+", timeout=WAIT)
    seat.type("\x03")
    assert seat.ends() == 130
    assert "Traceback" not in seat.written


def test_ctrl_c_ends_the_demo_with_a_sentence_and_all_its_programs(tmp_path):
    seat = Seat(tmp_path / "home", "demo", "loot", "--seats", "2")
    seat.sees("programs have started")
    seat.type("\x03")
    assert seat.ends() == 130
    assert "Interrupted: the programs have been ended" in seat.written
    assert "Traceback" not in seat.written
    assert "failed" not in seat.written
