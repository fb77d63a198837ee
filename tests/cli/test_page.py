"""A match as one page: complete in itself, inert to what players wrote, and driven by keys and buttons in a real browser."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from browser import browser
from mastaba.cli.__main__ import main
from mastaba.cli.draw import draw_of
from mastaba.cli.page import page
from mastaba.cli.reel import reel_of
from mastaba.cli.show import GAMES
from mastaba.net.replay import opened
from matches import match_files
from snapshots import Table

HOSTILE = ('</script><img src=x onerror="document.title=1">', "Ana\x1b[31m & <b>", "\u202egnp.exe\"'")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    return {game: match_files(folder, game) for game in GAMES}


@pytest.fixture(scope="module")
def window():
    with browser() as found:
        yield found


def write(files, game, folder, *words):
    path, table, _net = files[game]
    out = folder / f"{game}.html"
    assert main(["replay", str(path), "--data", str(table), "--html", str(out), *words]) == 0
    return out


def seen_again(path, table):
    """The whole match, verified to its end."""
    with opened(path) as file:
        reel = reel_of(file, path, table, None)
        while reel.go(reel.at + 1):
            pass
    return reel


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_of_every_state_is_well_formed_for_every_seat_and_spectators(game):
    table = Table(3, 7, "sensible", game)
    seen = set()
    while not table.over:
        table.step()
        if table.steps % 3 == 0 or table.over:
            for seat in (None, 0, 2):
                drawn = draw_of(game)(table.snapshot(seat, HOSTILE))
                root = ElementTree.fromstring(drawn)
                assert root.tag.endswith("svg")
                assert not [node for node in root.iter() if node.tag.endswith(("script", "img", "foreignObject", "a", "b"))]
                seen.add(drawn)
    assert len(seen) > 5


def test_a_page_replaces_no_file(files, tmp_path, capsys):
    path, table, _net = files["loot"]
    before = path.read_bytes()
    for out in (path, tmp_path):
        assert main(["replay", str(path), "--data", str(table), "--html", str(out)]) == 1
        assert f"It exists already: {out}" in " ".join(capsys.readouterr().err.split())
    assert path.read_bytes() == before


@pytest.mark.parametrize("game", GAMES)
def test_the_page_needs_nothing_from_elsewhere(files, game, tmp_path, capfd):
    text = write(files, game, tmp_path).read_text()
    outside = re.findall(r"""(?:src|href)\s*=|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", text)
    assert outside == []
    assert "default-src 'none'" in text
    assert "<noscript" not in text  # without scripts the page already shows the end and the whole log


def test_what_players_wrote_cannot_leave_its_place(files):
    path, table, _net = files["loot"]
    reel = seen_again(path, table)
    reel.playback.names = HOSTILE
    reel.playback.frames = [replace(frame, names=HOSTILE) for frame in reel.playback.frames]
    text = "".join(page(reel))
    assert text.count("<script") == 2
    assert text.count("</script") == 2
    assert "<img" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert json.loads(re.search(r'id="frames">(.*?)</script>', text)[1])["frames"]


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
@pytest.mark.parametrize("game", GAMES)
def test_keys_and_buttons_go_through_the_match_in_a_browser(files, game, tmp_path, window, capfd):
    out = write(files, game, tmp_path)
    path, table, _net = files[game]
    reel = seen_again(path, table)
    last = reel.at
    window.open(out)
    assert window.text("where") == f"0 / {last}"
    window.press("Right")
    window.press("Right")
    window.click("next")
    window.press("Left")
    assert window.text("where") == f"2 / {last}"
    window.click("last")
    assert window.text("where") == f"{last} / {last}"
    assert window.run("return document.getElementById('next').disabled") is True
    assert "The game is over" in window.text("turn")
    assert window.run("return document.querySelectorAll('#log li.later').length") == 0
    assert window.run("return document.querySelector('#board svg').getBoundingClientRect().height > 100") is True
    window.press("Home")
    assert window.text("where") == f"0 / {last}"
    assert window.run("return document.querySelectorAll('#log li:not(.later)').length") == len(reel.moment(0).words)
    window.run("document.getElementById('slider').value = 3; document.getElementById('slider').oninput()")
    assert window.text("where") == f"3 / {last}"
    assert window.errors() == []
    assert [url for url in window.asked_for() if not url.startswith(("file:", "data:"))] == []


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_hostile_name_runs_nothing_in_a_browser(files, tmp_path, window):
    path, table, _net = files["loot"]
    reel = seen_again(path, table)
    reel.playback.names = HOSTILE
    reel.playback.frames = [replace(frame, names=HOSTILE) for frame in reel.playback.frames]
    out = tmp_path / "hostile.html"
    out.write_text("".join(page(reel)), encoding="utf-8")
    window.open(out)
    window.press("End")
    assert window.run("return document.title").startswith("Loot N Run: </script>")
    assert window.run("return document.images.length") == 0
    assert window.errors() == []


def test_the_page_speaks_the_language_and_shows_what_the_seat_saw(files, tmp_path, capfd):
    path, table, _net = files["loot"]
    out = tmp_path / "es.html"
    assert main(["--lang", "es", "replay", str(path), "--data", str(table), "--as", "2", "--html", str(out)]) == 0
    text = out.read_text()
    assert '<html lang="es">' in text
    assert "Visto por P1." in text
