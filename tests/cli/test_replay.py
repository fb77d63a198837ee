"""Replay on the screen, in lines and as JSON: any moment, seen by all or by one's own seat, and refused where the file does not hold."""

import asyncio
import io
import json

import pytest
from mastaba.cli.__main__ import main
from mastaba.cli.reel import reel_of
from mastaba.cli.replay_screen import ReplayScreen
from mastaba.cli.show import GAMES
from mastaba.cli.terminal import Terminal
from mastaba.cli.text import use
from mastaba.net.acquaintances import Acquaintances
from mastaba.net.identity import words
from mastaba.net.log import TRANSCRIPT, pack_file, unpack_file
from mastaba.net.replay import opened
from mastaba.net.seen import beside
from mastaba.net.store import Store
from matches import ME, match_files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("matches")
    return {game: match_files(folder, game) for game in GAMES}


def type_in(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def replay(files, game, *words):
    path, table, _net = files[game]
    return main(["--plain", "replay", str(path), "--data", str(table), *words])


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_read_line_by_line_to_its_result(files, game, monkeypatch, capfd):
    type_in(monkeypatch, "\n" * 2000)
    assert replay(files, game) == 0
    out = capfd.readouterr().out
    assert "The game is over and everybody has signed the result." in out
    assert "Verified: the whole file." in out
    assert "That was the last moment." in out


@pytest.mark.parametrize("game", GAMES)
def test_lines_go_anywhere_and_show_the_table(files, game, monkeypatch, capfd):
    type_in(monkeypatch, "go 5\nboard\nback\ngo 999999\ngo 0\nback\nlog\ncheck\nhand\nwhat\ngo there\nquit\n")
    assert replay(files, game) == 0
    out = capfd.readouterr().out
    for text in ("[5]", "[4]", "[0]", "Checked on this machine", "A spectator has no cards.", "«what» is no command here.", "Where to?"):
        assert text in out


def test_what_one_saw_oneself_is_shown_and_to_nobody_else(files, monkeypatch, capfd):
    type_in(monkeypatch, "go 40\nhand\n" * 3)
    assert replay(files, "loot", "--as", str(ME + 1)) == 0
    mine = capfd.readouterr().out
    type_in(monkeypatch, "go 40\nboard\n" * 3)
    assert replay(files, "loot") == 0
    public = capfd.readouterr().out
    assert "Your card 1:" in mine
    assert "(hidden)" not in next(line for line in mine.splitlines() if line.startswith("Your card 1"))
    assert "Your card" not in public


@pytest.mark.parametrize(("seat", "known"), [(str(ME + 1), True), (f"P{ME}", True), ("p1", True), ("1", False), ("nobody", False)])
def test_only_the_seat_whose_files_they_are_can_be_seen_by(files, seat, known, monkeypatch, capfd):
    type_in(monkeypatch, "quit\n")
    assert replay(files, "loot", "--as", seat) == (0 if known else 1)
    said = capfd.readouterr().err
    assert ("there is no file" in said or "Nobody at this table is called nobody." in said) == (not known)


def test_without_the_file_of_what_was_seen_it_says_so(files, tmp_path, capfd):
    path, table, _net = files["loot"]
    alone = tmp_path / "alone.mastaba"
    alone.write_bytes(path.read_bytes())
    assert main(["replay", str(alone), "--data", str(table), "--as", "2"]) == 1
    assert "there is no file" in capfd.readouterr().err
    beside(alone, 1).write_bytes(b"rubbish")
    assert main(["replay", str(alone), "--data", str(table), "--as", "2"]) == 1
    assert "is damaged" in capfd.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_json_has_every_frame_with_its_events_and_words(files, game, capfd):
    assert replay(files, game, "--json") == 0
    data = json.loads(capfd.readouterr().out)
    session = files[game][2].sessions[0]
    assert set(data) == {"version", "ok", "complete", "game", "seats", "as", "winners", "scores", "fault", "frames"}
    assert (data["version"], data["ok"], data["complete"], data["game"], data["as"]) == (1, True, True, game, None)
    assert tuple(data["scores"]) == session.table.rules.pending.scores
    events = [event for frame in data["frames"] for event in frame["events"]]
    assert [event["id"] for event in events] == [event.id for event in session.table.events]
    assert all(set(frame) == {"step", "phase", "events", "words"} for frame in data["frames"])
    assert data["frames"][-1]["phase"] == "done"


def damaged(files, tmp_path):
    path, table, _net = files["loot"]
    items = unpack_file(TRANSCRIPT, path.read_bytes())
    place = len(items) // 2
    items[place] = items[place][:-1] + bytes([items[place][-1] ^ 1])
    bad = tmp_path / "bad.mastaba"
    bad.write_bytes(pack_file(TRANSCRIPT, items))
    return bad, table


def test_a_changed_file_is_shown_up_to_where_it_holds_and_named(files, tmp_path, monkeypatch, capfd):
    bad, table = damaged(files, tmp_path)
    type_in(monkeypatch, "go 9999\n")
    assert main(["--plain", "replay", str(bad), "--data", str(table)]) == 5
    assert "From here on this file does not hold: P" in capfd.readouterr().out
    assert main(["replay", str(bad), "--data", str(table), "--json"]) == 5
    data = json.loads(capfd.readouterr().out)
    assert (data["ok"], data["complete"], data["fault"]["claim"]) == (False, False, "bad-signature")
    assert len(data["frames"]) > 2


def test_what_is_no_transcript_is_one_sentence(tmp_path, capfd):
    assert main(["replay", str(tmp_path / "nothing")]) == 1
    junk = tmp_path / "junk"
    junk.write_bytes(b"\0" * 100)
    assert main(["replay", str(junk)]) == 5
    assert main(["replay", str(junk), "--json"]) == 5
    out, err = capfd.readouterr()
    assert "Traceback" not in err
    assert json.loads(out)["ok"] is False


# -- the screen ---------------------------------------------------------------------------------------------------------


def on_the_screen(files, wall, steps, game="loot", seat=None, known=None):
    """Press each key and read the wall once what belongs to it is there; then leave."""
    path, table, _net = files[game]
    seen = []

    async def sees(text):
        while text not in wall.text:
            await asyncio.sleep(0)
        seen.append(wall.text)

    async def play():
        running = asyncio.create_task(ReplayScreen(reel, Terminal("screen", False, True), wall.keys, wall.output).run())
        for key, text in steps:
            wall.keys.send_text(key)
            await sees(text)
        wall.keys.send_text("q")
        await running

    with opened(path) as file:
        reel = reel_of(file, path, table, seat, known)
        asyncio.run(asyncio.wait_for(play(), 60))
        return reel, seen


RIGHT, LEFT, HOME, END, PGDN = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[6~"


@pytest.mark.parametrize("game", GAMES)
def test_keys_go_from_moment_to_moment_and_to_the_end(files, wall, game):
    steps = [
        (RIGHT, "Moment 1."),
        (RIGHT, "Moment 2."),
        (LEFT, "Moment 1."),
        (HOME, "Moment 0."),
        (END, "whole file"),
    ]
    reel, seen = on_the_screen(files, wall, steps, game)
    assert reel.at == len(reel.playback.frames) - 1
    assert f"Moment {reel.at} of {reel.at}." in seen[-1]
    assert reel.show.title() in seen[-1]


def test_a_seat_sees_its_cards_on_the_screen_and_help_opens_and_closes(files, wall):
    _reel, seen = on_the_screen(
        files, wall, [(PGDN, "Moment 10."), (END, "whole file"), ("?", "Right, space or n: one moment on."), ("\r", "─ Log ─")], seat="2"
    )
    assert all("Your cards" in text for text in (seen[1], seen[3]))
    assert "say TEXT" not in seen[2], "nothing is typed where a match is only seen again"


def test_enter_goes_on_and_leaves_at_the_end(files, wall):
    path, table, _net = files["loot"]
    with opened(path) as file:
        reel = reel_of(file, path, table, None)
        reel.go(10**6)
        wall.keys.send_text("\r")
        asyncio.run(asyncio.wait_for(ReplayScreen(reel, Terminal("screen", False, True), wall.keys, wall.output).run(), 60))
        assert reel.playback.at_end


def test_the_screen_begins_with_who_sits_there_and_marks_who_only_has_a_known_name(files, wall):
    net = files["loot"][2]
    with Store().take_profile() as profile:
        profile.meet("P0", net.identities[0].public)
        profile.meet("P2", bytes(32))
    wall.resize(120, 40)
    _reel, seen = on_the_screen(files, wall, [("", "P0 (")], known=Acquaintances(Store()))
    log = " ".join(seen[0].split("─ Log")[1].split())
    for seat, known in enumerate(("known to you", "not known to you", "not the P2 that you know")):
        assert f"P{seat} ({words(net.identities[seat].public)}): {known}" in log
    assert seen[0].split("─ Log")[0].count("not the one you know") == 1


def test_a_window_that_is_too_small_says_so_and_can_be_left(files, wall):
    wall.resize(40, 10)
    on_the_screen(files, wall, [("", "80 x 24")])


def test_a_changed_file_is_shown_on_the_screen_up_to_where_it_holds(files, wall, tmp_path):
    bad, table = damaged(files, tmp_path)
    _reel, seen = on_the_screen({"loot": (bad, table, None)}, wall, [(END, "does not hold")])
    assert "a signature is not valid" in seen[0]


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_keys_of_a_replay_fit_80_cells(files, wall, language):
    use(language)
    leave = {"en": "q: leave", "es": "q: sal"}[language]
    _reel, seen = on_the_screen(files, wall, [("", leave)])
    assert seen[0].splitlines()[-1].endswith(leave)
