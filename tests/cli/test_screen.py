"""The screen on a real practice table: keys in, what a person sees out."""

import asyncio
import contextlib
import itertools
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from mastaba.cli import text, typed
from mastaba.cli.cells import plain
from mastaba.cli.exits import Exit
from mastaba.cli.lines import Lines
from mastaba.cli.screen import Screen
from mastaba.cli.show import show_of
from mastaba.cli.show.frame import Ui, compose
from mastaba.cli.stop import Stop
from mastaba.cli.terminal import Terminal
from mastaba.core.view import View
from mastaba.net.practice import practice
from mastaba.net.store import Store
from prompt_toolkit.application import create_app_session
from snapshots import Table

SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"
DOWN, PAGE_UP, ESCAPE = "\x1b[B", "\x1b[5~", "\x1b"


class Game:
    """A screen that runs in the background, and what is typed into it."""

    def __init__(self, screen: Screen, wall, stop: Stop) -> None:
        self.screen, self.wall, self.stop = screen, wall, stop
        self.drawn = asyncio.Event()
        self.result: asyncio.Task[Exit] | None = None
        screen.app.after_render += lambda app: self.drawn.set()

    def type(self, keys: str) -> None:
        self.wall.keys.send_text(keys)

    async def sees(self, what: str | Callable[[], bool]) -> None:
        """Wait until the text is on the screen, or the condition holds, after some drawing."""
        assert self.result is not None
        good = (lambda: what in self.wall.text) if isinstance(what, str) else what
        while not good():
            assert not self.result.done(), f"the screen has ended with {self.result.result()!r}:\n{self.wall.text}"
            self.drawn.clear()
            drawn = asyncio.create_task(self.drawn.wait())
            await asyncio.wait({drawn, self.result}, return_when=asyncio.FIRST_COMPLETED, timeout=60)
            assert drawn.done() or self.result.done(), f"{what!r} never came:\n{self.wall.text}"
            drawn.cancel()

    async def ends(self) -> Exit:
        assert self.result is not None
        return await asyncio.wait_for(self.result, 60)


@contextlib.asynccontextmanager
async def game(
    wall,
    bots: int = 1,
    *,
    terminal: Terminal = Terminal("screen", False, True),  # noqa: B008
    name: str = "loot",
) -> AsyncIterator[Game]:
    async with Stop() as stop, practice(Store(), name, bots, "random", name="Ana", data=SMALL.with_name(f"{name}-small.toml")) as client:
        with create_app_session(input=wall.keys, output=wall.output):
            screen = Screen(client, terminal, stop)
            playing = Game(screen, wall, stop)
            playing.result = asyncio.create_task(screen.run())
            try:
                yield playing
            finally:
                playing.result.cancel()
                await asyncio.gather(playing.result, return_exceptions=True)


def play(script) -> None:
    asyncio.run(script())


def test_a_whole_game_is_played_by_numbers_and_ends_with_enter(wall):
    async def script() -> None:
        async with game(wall) as g:
            moves = itertools.cycle("123")
            while g.screen.snapshot is None or g.screen.snapshot.phase != "done":
                await g.sees(lambda: g.screen.snapshot is not None and (g.screen.snapshot.asked or g.screen.snapshot.phase == "done"))
                snapshot = g.screen.snapshot
                assert snapshot is not None
                if snapshot.asked:
                    step = snapshot.step
                    number = min(int(next(moves)), len(snapshot.view.moves()))
                    g.type(f"{number}\r")
                    await g.sees(lambda s=step: g.screen.snapshot is not None and g.screen.snapshot.step > s)
            await g.sees("The game is over")
            assert "wins" in wall.text or "You win" in wall.text or "share" in wall.text
            g.type("\r")
            assert await g.ends() is Exit.OK

    play(script)


def test_the_title_and_the_bell_say_once_that_it_is_my_turn(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            assert wall.written.count("\x07") - wall.written.count("\x1b]2;") == 1, "one bell beside those that end a title"
            assert "\x1b]2;Your turn - mastaba\x07" in wall.written

    play(script)


def test_without_the_bell_the_title_alone_says_that_it_is_my_turn(wall):
    async def script() -> None:
        async with game(wall, terminal=Terminal("screen", False, True, bell=False)) as g:
            await g.sees("Your turn, Ana")
            assert "\x1b]2;Your turn - mastaba\x07" in wall.written
            assert wall.written.count("\x07") == wall.written.count("\x1b]2;"), "none but those that end a title"

    play(script)


def test_what_changes_nothing_draws_nothing(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            drawn, client = g.screen.app.render_counter, g.screen.client
            for _ in range(20):  # a network client is told so at every tick of the clock
                assert client.snapshot is not None
                client.snapshot = replace(client.snapshot, view=View.of(client.snapshot.view.rules, 0))
                client._changed()
                await asyncio.sleep(0)
            g.type("x")
            await g.sees("> x")
            assert g.screen.app.render_counter == drawn + 1, "the letter alone"

    play(script)


def test_a_move_is_chosen_with_arrows_and_nothing_is_chosen_before(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            assert g.screen.snapshot is not None
            step = g.screen.snapshot.step
            g.type("\r")
            g.type(DOWN)
            await g.sees("▸1 ")
            assert g.screen.snapshot.step == step, "Enter alone plays nothing"
            g.type("\r")
            await g.sees("Ana loots deck 1")

    play(script)


def test_moves_are_typed_in_words_of_either_language(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("saquear 2\r")
            await g.sees("Ana loots deck 2")

    play(script)


def test_tab_completes_a_move(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("lo\t")
            await g.sees("> loot")

    play(script)


def test_what_is_no_move_is_explained(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("dance\r")
            await g.sees("«dance» is no move")
            g.type("99\r")
            await g.sees("There is no choice 99")
            g.type("wake 1\r")
            await g.sees("You cannot awaken your own guardians")

    play(script)


def test_help_opens_with_a_question_mark_and_closes_with_any_key(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("?")
            await g.sees("any key: back")
            assert "two cards or more counts double" in " ".join(wall.text.split())
            g.type(" ")
            await g.sees(lambda: "any key: back" not in wall.text)
            assert g.screen.buffer.text == ""

    play(script)


@pytest.mark.parametrize("key", ["\r", ESCAPE, DOWN, "\t", "?", "q", "\x7f", "\x1bOP"])
def test_any_key_closes_the_page_and_does_nothing_else(wall, key):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            assert g.screen.snapshot is not None
            step = g.screen.snapshot.step
            g.type("?")
            await g.sees("any key: back")
            g.type(key)
            await g.sees(lambda: "any key: back" not in wall.text)
            assert (g.screen.buffer.text, g.screen.ui.question, g.screen.ui.cursor, g.screen.snapshot.step) == ("", "", None, step)
            g.type("loot 2\r")
            await g.sees("Ana loots deck 2")

    play(script)


@pytest.mark.parametrize("opened", ["?", "q", "leave\r"])
def test_the_first_letter_that_is_typed_at_a_page_or_a_question_is_not_lost(wall, opened):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type(opened)
            await g.sees({"?": "Also: board", "q": "Leave?"}.get(opened, "Leave for ever?"))
            g.type("loot 2\r")
            await g.sees("Ana loots deck 2")
            assert g.screen.ui.question == ""

    play(script)


@pytest.mark.parametrize(("language", "key", "leaves"), [("en", "y", True), ("en", "s", False), ("es", "s", True), ("es", "n", False)])
def test_yes_is_a_key_of_the_language_that_is_spoken(wall, language, key, leaves):
    async def script() -> None:
        text.use(language)
        async with game(wall) as g:
            await g.sees("Ana:")
            g.type("q")
            await g.sees(lambda: g.screen.ui.question != "")
            g.type(key)
            if leaves:
                assert await g.ends() is Exit.OK
            else:
                await g.sees(lambda: g.screen.ui.question == "")

    play(script)


def test_what_went_wrong_is_no_longer_said_after_the_next_thing_that_is_done(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            for act in (DOWN, "say hello\r", "?"):
                g.type("dance\r")
                await g.sees("«dance» is no move")
                g.type(act)
                await g.sees(lambda: "«dance»" not in wall.text)

    play(script)


def test_q_asks_once_and_any_other_key_stays(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("q")
            await g.sees("Leave?")
            g.type("n")
            await g.sees(lambda: "Leave?" not in wall.text)
            g.type("q")
            await g.sees("Leave?")
            g.type("y")
            assert await g.ends() is Exit.OK

    play(script)


@pytest.mark.parametrize("line", ["quien", "quitarx", "otra", "registro"])
@pytest.mark.parametrize("name", ["loot", "pyramid"])
def test_no_key_takes_the_first_letter_of_a_word(wall, line, name):
    async def script() -> None:
        async with game(wall, name=name) as g:
            await g.sees("Your moves")
            g.type(line)
            await g.sees(f"> {line}")
            assert g.screen.ui.question == ""

    play(script)


@pytest.mark.parametrize("word", ["quit\r", "quitar\r"])
def test_the_word_that_asks_is_no_answer(wall, word):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your moves")
            g.type(word)
            await g.sees("Leave?")
            g.type("x")
            await g.sees("> x")
            assert g.screen.ui.question == ""

    play(script)


def test_ctrl_c_asks_and_a_second_one_leaves(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("\x03")
            await g.sees("Leave?")
            g.type("\x03")
            assert await g.ends() is Exit.INTERRUPTED

    play(script)


def test_a_letter_that_begins_a_move_is_no_command(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("l")
            await g.sees("> l")
            g.type("q")
            await g.sees("> lq")
            assert "Leave?" not in wall.text

    play(script)


def test_a_signal_ends_the_screen_and_restores_the_terminal(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            signal.raise_signal(signal.SIGTERM)
            assert await g.ends() is Exit.INTERRUPTED
            assert "\x1b[?1049l" in wall.written
            assert wall.written.rindex("\x1b[?25h") > wall.written.rindex("\x1b[?25l")
            assert "\x1b[?1000h" not in wall.written, "the mouse stays the terminal's"

    play(script)


@pytest.mark.parametrize("name", ["loot", "pyramid", "scarabya", "crypt"])
def test_a_screen_that_starts_in_too_small_a_window_says_so_and_is_there_once_it_fits(wall, name):
    async def script() -> None:
        wall.resize(80, 23)
        async with game(wall, name=name) as g:
            await g.sees("80 x 23")
            wall.resize(80, 24)
            g.screen.app._on_resize()
            await g.sees(lambda: "Log" in wall.text)
            g.type("xx")
            await g.sees("> xx")

    play(script)


def test_too_small_a_window_says_so_swallows_moves_and_comes_back(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            assert g.screen.snapshot is not None
            step = g.screen.snapshot.step
            wall.resize(79, 24)
            g.screen.app._on_resize()
            await g.sees("79 x 24")
            g.type("1\r")
            wall.resize(100, 30)
            g.screen.app._on_resize()
            await g.sees("Your turn, Ana")
            assert g.screen.snapshot.step == step
            assert g.screen.buffer.text == ""

    play(script)


@pytest.mark.parametrize("size", [(79, 24), (30, 10), (12, 3)])
def test_in_too_small_a_window_too_q_is_seen_to_ask_and_its_answer_counts(wall, size):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            wall.resize(*size)
            g.screen.app._on_resize()
            await g.sees(lambda: "Your turn" not in wall.text)
            g.type("q")
            await g.sees(lambda: "other key stays." in " ".join(wall.text.split()))
            g.type("n")
            await g.sees(lambda: "q leaves" in " ".join(wall.text.split()) or "This window" in wall.text)
            g.type("q")
            await g.sees(lambda: "other key stays." in " ".join(wall.text.split()))
            g.type("y")
            assert await g.ends() is Exit.OK

    play(script)


def test_every_size_from_1_by_1_to_200_by_60_draws(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            for columns, rows in [(1, 1), (2, 3), (10, 3), (20, 5), (40, 10), (60, 20), (79, 23), (80, 24), (81, 25), (120, 40), (200, 60)]:
                wall.resize(columns, rows)
                g.drawn.clear()
                g.screen.app._on_resize()
                await g.sees(g.drawn.is_set)
            assert "Your turn, Ana" in wall.text

    play(script)


def test_without_colour_nothing_is_coloured_and_with_ascii_nothing_else_is_written(wall):
    async def script() -> None:
        async with game(wall, terminal=Terminal("screen", True, False)) as g:
            await g.sees("Your turn, Ana")
            g.type("1\r")
            await g.sees("Ana loots deck 1")
            assert wall.written.isascii()
            assert not any(f"\x1b[0;{colour}m" in wall.written or f";{colour}m" in wall.written for colour in (31, 32, 33, 91, 92, 93))

    play(script)


def test_the_screen_speaks_spanish(wall):
    async def script() -> None:
        text.use("es")
        async with game(wall) as g:
            await g.sees("Tu turno, Ana")
            g.type("saquear 1\r")
            await g.sees("Ana saquea el mazo 1")
            g.type("?")
            await g.sees("Ayuda")

    play(script)


def test_chat_is_shown_inert(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("say hello there\r")
            await g.sees("Ana: «hello there»")

    play(script)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_key_bar_fits_80_cells(wall, language):
    async def script() -> None:
        text.use(language)
        async with game(wall) as g:
            await g.sees("Ana")
            assert "…" not in wall.rows[23]
            assert len(wall.rows[23].strip()) > 40

    play(script)


def test_a_tile_is_moved_turned_and_placed_by_keys_and_letters_are_typed_in_a_line(wall):
    async def script() -> None:
        async with game(wall, 0, name="scarabya") as g:
            await g.sees("arrows: board")
            g.type(" ")
            await g.sees("turned by a quarter")
            g.type("\r")
            await g.sees("Ana lays board 1a top left, turned by a quarter.")
            g.type("lot\r")
            await g.sees("it fits in")
            screen = g.screen
            assert screen.snapshot is not None
            tile = screen.snapshot.view.rules.tile
            keys = {"down": DOWN, " ": " ", "/": "/", "right": "\x1b[C", "up": "\x1b[A", "left": "\x1b[D"}
            at = screen.ui.pointer
            for name in (*keys, *["up", "left"] * 10):  # into the corner, where no first tile may lie
                at = at.press(screen.snapshot, name)
                g.type(keys[name])
            await g.sees(lambda: screen.ui.pointer == at)
            assert at.reason(screen.snapshot) in ("not-at-centre", "on-rock")
            step = screen.snapshot.step
            g.type("\r")
            await g.sees(lambda: screen.ui.message != "")
            assert screen.snapshot.step == step, "an illegal placement is refused"
            g.type(f"{screen.show.completions(screen.snapshot)[0]}\r")
            await g.sees(f"Ana places {tile} on")

    play(script)


@pytest.mark.parametrize("language", ["en", "es"])
def test_before_a_good_bye_the_screen_says_whole_who_can_then_read_what_one_held(wall, language):
    async def script() -> None:
        text.use(language)
        async with game(wall) as g:
            await g.sees(lambda: g.screen.snapshot is not None and g.screen.snapshot.asked)
            g.type("leave\r")
            await g.sees(lambda: g.screen.ui.question != "")
            held = {"en": "All others together can then read what you held.", "es": "Todos juntos podrán leer lo que tenías."}[language]
            alone = replace(g.screen.snapshot, linked=(True, False))
            for snapshot in (g.screen.snapshot, alone):
                question = typed.leaves(snapshot, g.screen.ui.question)
                lines = compose(show_of("loot"), snapshot, [], Ui(question=question), 80, 24)
                assert held in question
                assert question in " ".join(map(plain, lines))

    play(script)


@pytest.mark.parametrize("language", ["en", "es"])
def test_before_a_good_bye_lines_say_who_can_then_read_what_one_held(language, capsys):
    text.use(language)
    snapshot = Table(3, 1).until(lambda table: table.steps == 30).snapshot(0)
    client = SimpleNamespace(snapshot=snapshot, strangers=(), trouble=None, notes=(), lobby=None)
    lines = Lines(client, Terminal("plain", True, False), Stop())
    lines._tell()
    assert not asyncio.run(lines._typed("leave"))
    said = " ".join(capsys.readouterr().out.split())
    assert {"en": "all of them together can then read what you held", "es": "entre todos podran leer lo que tenias"}[language] in said
