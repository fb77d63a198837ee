"""`mastaba` alone: the first run, tables that come and go, and every way on from there."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from mastaba.cli import finder, text
from mastaba.cli.__main__ import parser
from mastaba.cli.cells import line_cells, plain
from mastaba.cli.finder import Seen
from mastaba.cli.menu import FIRST, Menu, back, items
from mastaba.cli.name import player_name
from mastaba.cli.start import Lobby, Screen, compose
from mastaba.cli.tables import in_words
from mastaba.cli.terminal import Terminal
from mastaba.core.errors import LocalError
from mastaba.net.discovery import Found, TableAd
from mastaba.net.enter import open_table
from mastaba.net.store import Store
from prompt_toolkit.application import create_app_session
from seats import Seat

DOWN, ESCAPE = "\x1b[B", "\x1b"


def seen(name: str = "Friday", game: str = "loot", phase: str = "open", *, answers=True, fits: bool = True, own: bool = False) -> Seen:
    found = Found(f"{name}.local.", TableAd("00" * 8, name, game, 1, 4, phase), "1-1", fits, "0.1.0", "", (("127.0.0.1", 5),))
    return Seen(found, answers, ("Ana", "Beto"), own)


TABLES = (
    seen(),
    seen("Saturday", phase="play"),
    seen("Full", phase="full"),
    seen("Dead", answers=False),
    seen("New", fits=False),
    seen("Mine", own=True),
    seen("\x1b[31mEvil\u202e", game="chess"),
    seen("10.0.0.1"),
    seen("-Dash", answers=None),
)


def test_open_tables_are_joined_playing_ones_watched_and_the_others_say_why_not():
    found = {item.key: item for item in items(Menu("Ana", tables=TABLES)) if item.key.startswith("table")}
    chosen = [item.words or item.why for item in found.values()]
    assert chosen[:2] == [("join", "Friday"), ("watch", "Saturday")]
    assert [word[:14] for word in chosen[2:7]] == ["That table is ", "That table is ", "The two progra", "That is your o", "This program d"]
    assert chosen[7:] == [("join", "127.0.0.1:5")] * 2, "a name that would be read as an address or a flag is not used"
    assert [item.dim for item in found.values()].count(True) == 1


def test_a_private_table_is_called_so_and_one_that_nobody_may_watch_is_not_offered():
    private = replace(seen("Secret"), private=True)
    closed = replace(seen("Closed", phase="play"), watch=False)
    first, second = (item for item in items(Menu("Ana", tables=(private, closed))) if item.key.startswith("table"))
    assert " private " in first.label
    assert first.words == ("join", "Secret")
    assert " not watched " in second.label
    assert not second.words
    assert "does not want to be watched" in second.why


def test_tables_of_one_name_are_shown_and_taken_by_the_words_of_their_keys():
    first, second, third = (replace(seen(), identity=bytes([n]) * 32) for n in range(3))
    first, second, third = (replace(one, found=replace(one.found, service=f"{n}.local.")) for n, one in enumerate((first, second, third)))
    third = replace(third, identity=b"", answers=None)
    found = [item for item in items(Menu("Ana", tables=(first, second, third, seen("Other")))) if item.key.startswith("table")]
    assert [item.words for item in found] == [("join", first.words), ("join", second.words), (), ("join", "Other")]
    assert [first.words in found[0].label, second.words in found[1].label, "-" in found[3].label] == [True, True, False]
    assert "has not said yet whose it is" in found[2].why
    said = "\n".join(in_words([first, second, seen("Other")]))
    assert said.count(first.words) == said.count(second.words) == 1


def test_a_table_that_still_answers_stays_though_somebody_has_said_good_bye_in_its_name(monkeypatch):
    """Announcements are nobody's word; it goes once it does not answer."""
    table, other = seen().found, seen("Saturday").found
    heard, answers = [table, other], {table.service: True, other.service: True}

    async def ask(found):
        return Seen(found, answers[found.service])

    monkeypatch.setattr(finder, "ask", ask)
    monkeypatch.setattr(finder, "EVERY", 0.0)

    async def script() -> None:
        changed = asyncio.Event()
        looking = finder.Finder(frozenset, changed.set)
        looking._discovery = SimpleNamespace(tables=lambda: tuple(heard), trouble=None, close=lambda: asyncio.sleep(0))
        running = asyncio.create_task(looking._run())

        async def until(names) -> None:
            async with asyncio.timeout(20):
                while [table.found.ad.name for table in looking.tables() if table.answers] != names:
                    changed.clear()
                    await changed.wait()

        await until(["Friday", "Saturday"])
        heard.clear()
        for _ in range(5):
            changed.clear()
            await changed.wait()
        assert [table.found.ad.name for table in looking.tables()] == ["Friday", "Saturday"]
        answers[other.service] = False
        await until(["Friday"])
        async with asyncio.timeout(20):
            while len(looking.tables()) > 1:
                changed.clear()
                await changed.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(script())


def test_an_interrupted_match_is_offered_first():
    assert items(Menu("Ana", matches=2, tables=TABLES))[0].words == ("resume",)
    assert all(item.words != ("resume",) for item in items(Menu("Ana")))


def test_the_first_picture_waits_for_no_library_that_it_does_not_draw_with():
    """The network, the cryptography and the games are loaded while a person reads."""
    loaded = "import sys, mastaba.cli.commands, mastaba.cli.start; print(*sys.modules)"
    names = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    late = {"zeroconf", "cryptography", "msgpack", "sqlite3", "tomllib", "mastaba.core.rules", "mastaba.net.discovery", "mastaba.net.peers"}
    assert "prompt_toolkit" in names
    assert late & set(names) == set()


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "page", ["home", "open", "open:loot", "watched:loot:3", "play", "play:scarabya", "learn", "learn:crypt", "first", "name", "address"]
)
def test_every_page_fits_every_size_and_the_cursor_is_seen(page, language):
    text.use(language)
    menu = Menu("Ana", 1, TABLES * 3, page, message="x" * 300)
    count = len(items(menu))
    for columns, rows in [(80, 22), (100, 30), (200, 58)]:
        for at in range(max(1, count)):
            lines = compose(menu, at, columns, rows)
            assert len(lines) <= rows
            assert all(line_cells(line) <= columns for line in lines)
            assert any("▸" in plain(line) for line in lines) == bool(count)
            assert "\x1b" not in "".join(map(plain, lines))
    if page == "first":
        assert not any("…" in plain(line) for line in compose(menu, 0, 80, 22)[:-1]), "three things to know, whole"


def test_a_table_is_opened_after_one_question_whether_others_may_watch():
    counts = items(Menu("Ana", page="open:loot"))
    assert {item.words for item in counts} == {()}
    menu = Menu("Ana", page=counts[1].page)
    assert [item.words for item in items(menu)] == [("open", "loot", "--seats", "3"), ("open", "loot", "--seats", "3", "--no-watch")]
    assert back(menu) == "open:loot"
    assert back(Menu("Ana", page="open:loot")) == "open"


def test_the_next_table_can_be_under_a_fresh_key_and_what_is_no_table_is_not(tmp_path):
    lobby = Lobby(Store(tmp_path), "Ana", lambda: None)
    lobby.menu = replace(lobby.menu, tables=TABLES[:2], page="home", matches=1)
    own = next(item for item in lobby.items() if item.key == "f")
    assert "your own key" in own.label
    assert not lobby.choose(own)
    assert "under a fresh key" in next(item for item in lobby.items() if item.key == "f").label
    chosen = []
    for item in lobby.items():
        if item.words:
            lobby.choose(item)
            chosen.append(lobby.chosen)
    assert chosen == [("resume",), ("join", "--fresh", "Friday"), ("watch", "--fresh", "Saturday"), ("doctor",)]
    lobby.menu = replace(lobby.menu, page="address")
    assert lobby.typed("-odd")
    args = parser().parse_args(lobby.chosen)
    assert (args.command, args.fresh, args.table) == ("join", True, "-odd")


class Start:
    """The lobby on a screen that runs in the background."""

    def __init__(self, screen: Screen, wall) -> None:
        self.screen, self.wall = screen, wall
        self.drawn = asyncio.Event()
        self.task: asyncio.Task[tuple[str, ...] | None] | None = None
        screen.app.after_render += lambda app: self.drawn.set()

    def type(self, keys: str) -> None:
        self.wall.keys.send_text(keys)

    async def sees(self, what: str | Callable[[], bool]) -> None:
        good = (lambda: what in self.wall.text) if isinstance(what, str) else what
        assert self.task is not None
        while not good():
            self.drawn.clear()
            drawn = asyncio.create_task(self.drawn.wait())
            await asyncio.wait({drawn, self.task}, return_when=asyncio.FIRST_COMPLETED, timeout=60)
            assert drawn.done(), f"{what!r} never came:\n{self.wall.text}"

    async def ends(self) -> tuple[str, ...] | None:
        assert self.task is not None
        return await asyncio.wait_for(self.task, 60)


@contextlib.asynccontextmanager
async def lobby(wall, tag: str = "", terminal: Terminal = Terminal("screen", False, True)) -> AsyncIterator[Start]:  # noqa: B008
    with create_app_session(input=wall.keys, output=wall.output):
        screen = Screen(Store(), terminal, None, True, tag or os.urandom(6).hex())
        start = Start(screen, wall)
        start.task = asyncio.create_task(screen.run())
        try:
            yield start
        finally:
            start.task.cancel()
            await asyncio.gather(start.task, return_exceptions=True)


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_the_first_run_asks_for_a_name_and_leads_to_a_game_against_bots(wall):
    async def script() -> None:
        async with lobby(wall) as g:
            await g.sees("What shall the others call you?")
            assert "Nobody can cheat" in wall.text
            assert g.screen.lobby.menu.page == FIRST
            g.type("Zoe\r")
            await g.sees("you are Zoe")
            g.type("p")
            await g.sees("Which game?")
            g.type(DOWN + "\r")
            await g.sees("Against how many bots?")
            g.type(ESCAPE)
            await g.sees("Which game?")
            g.type(DOWN + "\r")
            await g.sees("Against how many bots?")
            g.type("3")
            assert await g.ends() == ("play", "loot", "--bots", "3")
            assert player_name(None, Store().root) == "Zoe"

    asyncio.run(script())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_tables_come_and_go_by_themselves_and_own_ones_are_marked(wall, tmp_path):
    async def script() -> None:
        player_name("Beto", Store().root)
        tag = os.urandom(6).hex()
        async with lobby(wall, tag) as g:
            await g.sees("No table is heard yet")
            other = Store(tmp_path / "other")
            async with open_table(other, "loot", 3, name="Ana", loopback=True, tag=tag):
                await g.sees(lambda: "Loot N Run" in wall.text and "Ana" in wall.text and "1/3" in wall.text and "open" in wall.text)
                async with open_table(Store(), "crypt", 2, name="Beto", table="Night", loopback=True, tag=tag):
                    await g.sees("Night (yours)")
                    assert g.screen.lobby.items()[g.screen.lobby.at()].words == ("join", "Ana"), "the cursor stays where it was"
                await g.sees(lambda: "Night" not in wall.text)
                g.type("\r")
                assert await g.ends() == ("join", "Ana")

    asyncio.run(script())


@pytest.mark.parametrize(("keys", "page"), [("q", "home"), ("\x03", "home"), (ESCAPE, "home"), ("o" + ESCAPE + "q", "open")])
@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_it_is_left_with_q_escape_and_ctrl_c(wall, keys, page):
    async def script() -> None:
        player_name("Beto", Store().root)
        async with lobby(wall) as g:
            await g.sees("you are Beto")
            g.type(keys[:1])
            if keys == ESCAPE:
                await g.sees("Esc once more leaves.")
                g.type(ESCAPE)
            if page == "open":
                await g.sees("Which game?")
                g.type(ESCAPE)
                await g.sees("open a table")
                g.type("q")
            assert await g.ends() is None
            assert "\x1b[?1049l" in wall.written

    asyncio.run(script())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_it_starts_in_a_small_window_too(wall):
    async def script() -> None:
        player_name("Beto", Store().root)
        wall.resize(80, 23)
        async with lobby(wall) as g:
            await g.sees("80 x 23")
            wall.resize(80, 24)
            g.screen.app._on_resize()
            await g.sees("What would you like?")

    asyncio.run(script())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_small_window_says_so_and_swallows_choices(wall):
    async def script() -> None:
        player_name("Beto", Store().root)
        async with lobby(wall) as g:
            await g.sees("you are Beto")
            for columns, rows in [(1, 1), (40, 10), (79, 23)]:
                wall.resize(columns, rows)
                g.screen.app._on_resize()
                g.type("p")
            await g.sees("79 x 23")
            wall.resize(80, 24)
            g.screen.app._on_resize()
            await g.sees("open a table")
            assert g.screen.lobby.menu.page == "home"

    asyncio.run(script())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
@pytest.mark.parametrize("mode", ["screen", "--plain"])
def test_from_the_start_to_a_game_and_out_of_it(tmp_path, mode):
    private = ["--loopback", "--tag", os.urandom(6).hex()]
    seat = Seat(tmp_path / "h", *([] if mode == "screen" else [mode]), *private)
    try:
        seat.sees("What shall the others call you?")
        seat.type("Zoe\r")
        if mode == "screen":
            seat.sees("practise against bots")
            seat.type("p")
            seat.sees("Which game?")
            seat.type(DOWN + "\r")
            seat.sees("Against how many bots?")
            seat.type("1")
        else:
            for line in ("practise against bots", "Which game?", "how many bots"):
                seat.sees(line)
                seat.type({"pr": "2\r", "Wh": "2\r", "ho": "1\r"}[line[:2]])
        seat.sees("Your turn, Zoe")
        seat.type("q" if mode == "screen" else "quit\r")
        if mode == "screen":
            seat.sees("Leave?")
            seat.type("y")
        assert seat.ends() == 0
        seat.is_clean()
    finally:
        seat.process.close(force=True)


def test_a_name_with_key_words_is_refused_where_it_is_typed_and_dropped_where_it_was_kept(tmp_path):
    with pytest.raises(LocalError, match="words of a key"):
        player_name("Bea vigij-jitit", tmp_path)
    assert not (tmp_path / "name").exists()
    (tmp_path / "name").write_text("Bea vigij-jitit")
    assert player_name(None, tmp_path) == "Bea"
    lobby = Lobby(Store(tmp_path), None, lambda: None)
    lobby.menu = replace(lobby.menu, page="name")
    assert not lobby.typed("Ana - vigij-jitit")
    assert (lobby.menu.page, lobby.menu.name) == ("name", "Bea")
    assert "words of a key" in lobby.menu.message
    lobby.typed("Ana")
    assert (lobby.menu.page, lobby.menu.name) == ("home", "Ana")
