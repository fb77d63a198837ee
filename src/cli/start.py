"""The lobby, on the screen or in lines: what `mastaba` alone shows, and from which all else can be chosen; it plays nothing itself.

What is chosen is a command line, so that whoever uses the lobby learns the commands.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from prompt_toolkit.application import get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output

from ..core.errors import LocalError
from ..net.store import Store
from . import canvas
from .cells import Line, clean, cut_line, pad, rule, wrap
from .menu import ADDRESS, FIRST, FRESH, HOME, TYPED, Item, Menu, back, intro, items
from .name import NAMES, is_known, player_name
from .stop import Stop
from .terminal import Terminal
from .text import _
from .words import error_words

if TYPE_CHECKING:
    from .finder import Finder

GOODBYE = 3.0  # seconds
SETTLE = 2.5  # seconds: tables are heard within two
Words = tuple[str, ...] | None  # a command line; None: leave


class Lobby:
    """The menu, kept up to date by a Finder; `chosen` is set once the person has decided."""

    def __init__(self, store: Store, name: str | None, on_change: Callable[[], None], loopback: bool = False, tag: str = "") -> None:
        self._store, self._on_change, self._where = store, on_change, (loopback, tag)
        first = name is None and not is_known(store.root)
        known = NAMES[0] if first else player_name(name, store.root)
        self.menu = Menu(known, len(store.journals()), page=FIRST if first else HOME)
        self._finder: Finder | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.chosen: Words = None

    def begin(self) -> None:
        self._tasks.append(asyncio.create_task(self._listen()))

    async def close(self) -> None:
        """Stop listening; a network that answers slowly keeps nobody here for more than GOODBYE."""
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GOODBYE):
                await asyncio.gather(*self._tasks, return_exceptions=True)
                if self._finder is not None:
                    await self._finder.close()

    async def _listen(self) -> None:
        """The first picture comes before the libraries of the network are loaded."""
        finder = await asyncio.to_thread(_import_finder)
        self._finder = finder(self._own, self._refresh, *self._where)
        await self._finder.start()
        await asyncio.sleep(SETTLE)
        self.menu = replace(self.menu, heard=True)
        self._refresh()

    def _own(self) -> frozenset[str]:
        return frozenset(identity[:8].hex() for identity in self._store.identities())

    def _refresh(self) -> None:
        if self._finder is not None:
            message = error_words(self._finder.trouble) if self._finder.trouble else self.menu.message
            self.menu = replace(self.menu, tables=self._finder.tables(), message=message)
        self._on_change()

    def items(self) -> list[Item]:
        return items(self.menu)

    def at(self) -> int:
        """Where the cursor is."""
        keys = [item.key for item in self.items()]
        return keys.index(self.menu.cursor) if self.menu.cursor in keys else 0

    def move(self, way: int) -> None:
        found = self.items()
        if found:
            self.menu = replace(self.menu, cursor=found[(self.at() + way) % len(found)].key, message="")

    def choose(self, item: Item) -> bool:
        """Follow the item; True: a command line has been chosen."""
        if item.words:
            self.chosen = self._fresh(item.words)
            return True
        if item.key == FRESH and item.page:
            self.menu = replace(self.menu, fresh=not self.menu.fresh, cursor=FRESH, message="")
            return False
        page = item.page or self.menu.page
        self.menu = replace(self.menu, page=page, cursor=item.key if not item.page else "", message=item.why)
        return False

    def _fresh(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The command line, under the key that was chosen."""
        return (words[0], "--fresh", *words[1:]) if self.menu.fresh and words[0] in ("open", "join", "watch") else words

    def typed(self, line: str) -> bool:
        """A line on a page where one is typed; True: a command line has been chosen."""
        if self.menu.page == ADDRESS:
            if line.strip():
                self.chosen = self._fresh(("join", "--", line.strip()))
                return True
        else:
            try:
                self.menu = replace(self.menu, name=player_name(line.strip() or self.menu.name, self._store.root))
            except LocalError as error:
                self.menu = replace(self.menu, message=error_words(error))
                return False
        self.menu = replace(self.menu, page=HOME, message="")
        return False

    def back(self) -> bool:
        """One page up; True: there is none, and the person has been told so, and leaves."""
        if self.menu.page in (HOME, FIRST):
            told, self.menu = self.menu.message, replace(self.menu, message=_("Esc once more leaves."))
            return told == self.menu.message
        self.menu = replace(self.menu, page=back(self.menu), cursor="", message="")
        return False


def _import_finder() -> "type[Finder]":
    from .finder import Finder

    return Finder


def compose(menu: Menu, at: int, columns: int, rows: int) -> list[Line]:
    """At most `rows` lines; of a long list the part around the cursor."""
    top: list[Line] = [[("class:title", pad(" mastaba · " + _("you are {name}").format(name=clean(menu.name, 24)), columns))]]
    top += [[("", f"  {text}")] for paragraph in intro(menu) for text in wrap(paragraph, columns - 4)]
    body: list[Line] = []
    chosen, section = 0, ""
    for i, item in enumerate(items(menu)):
        if item.section != section:
            section = item.section
            body.append(rule(section, columns))
        style = "class:chosen" if i == at else "class:dim" if item.dim else ""
        if i == at:
            chosen = len(body)
        letter = item.key if len(item.key) == 1 else " "
        body.append([(style, f" {'▸' if i == at else ' '} {letter} {item.label} ")])
    room = max(1, rows - len(top) - 1)
    first = max(0, min(chosen - room // 2, len(body) - room))
    message = wrap(menu.message, columns - 2)[:1] or [""]
    lines = [*top, *body[first : first + room]]
    return [cut_line(line, columns) for line in [*lines[: rows - 1], *([[]] * (rows - 1 - len(lines))), [("class:warn", f" {message[0]}")]]]


class Screen:
    """The lobby on the full screen; `run` returns the chosen command line, or None."""

    def __init__(
        self,
        store: Store,
        terminal: Terminal,
        name: str | None,
        loopback: bool = False,
        tag: str = "",
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.terminal = terminal
        self.output = output or get_app_session().output
        self.lobby = Lobby(store, name, lambda: self.app.invalidate(), loopback, tag)
        self.buffer = Buffer(multiline=False, accept_handler=self._accept)
        keys = Window(FormattedTextControl(self._key_bar), height=1, always_hide_cursor=True)
        prompt = BufferControl(self.buffer, input_processors=[BeforeInput("> ")])
        body = Window(FormattedTextControl(self._body, show_cursor=False), always_hide_cursor=True)
        typing = Window(prompt, height=1, always_hide_cursor=~Condition(self._typing))
        large = HSplit([body, typing, keys])
        layout = Layout(canvas.if_it_fits(terminal, self.output, large), focused_element=typing)
        self.app = canvas.application(terminal, layout, self._keys(), bool, input, self.output)

    async def run(self) -> Words:
        async with Stop() as stop:
            stopped = asyncio.create_task(self._leave_when_stopped(stop))
            stop.on_interrupt = self._leave
            try:
                await self.app.run_async(pre_run=self.lobby.begin, handle_sigint=False)
            finally:
                stopped.cancel()
                await self.lobby.close()
        return self.lobby.chosen

    async def _leave_when_stopped(self, stop: Stop) -> None:
        await stop.asked.wait()
        self._leave()

    def _leave(self) -> None:
        self.lobby.chosen = None
        self._end()

    def _end(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=True)

    def _typing(self) -> bool:
        return self.lobby.menu.page in TYPED

    def _body(self) -> StyleAndTextTuples:
        columns, rows = canvas.size(self.output)
        return canvas.fragments(self.terminal, compose(self.lobby.menu, self.lobby.at(), columns, rows - 2))

    def _key_bar(self) -> StyleAndTextTuples:
        columns, _rows = canvas.size(self.output)
        typing, choosing = _("Enter: done  Esc: back  Ctrl-C: leave"), _("Up/Down, Enter: choose  Esc: back  q: leave")
        return canvas.fragments(self.terminal, [[("class:keys", pad(f" {typing if self._typing() else choosing}", columns))]])

    def _accept(self, buffer: Buffer) -> bool:
        if self.lobby.typed(buffer.text):
            self._end()
        return False

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        small = Condition(lambda: canvas.is_small(self.output))
        typing = Condition(self._typing)
        choosing = ~small & ~typing

        @keys.add("c-c", eager=True)
        @keys.add("<sigint>", eager=True)
        @keys.add("q", filter=~typing | small, eager=True)
        def _quit(event: KeyPressEvent) -> None:
            self._leave()

        @keys.add("<any>", filter=small, eager=True)
        def _swallow(event: KeyPressEvent) -> None:
            """No blind choices."""

        @keys.add("up", filter=choosing)
        @keys.add("s-tab", filter=choosing)
        def _up(event: KeyPressEvent) -> None:
            self.lobby.move(-1)

        @keys.add("down", filter=choosing)
        @keys.add("tab", filter=choosing)
        def _down(event: KeyPressEvent) -> None:
            self.lobby.move(1)

        @keys.add("enter", filter=choosing)
        def _choose(event: KeyPressEvent) -> None:
            found = self.lobby.items()
            if found and self.lobby.choose(found[self.lobby.at()]):
                self._end()

        @keys.add("escape", filter=~small)
        def _back(event: KeyPressEvent) -> None:
            typed = bool(self.buffer.text)
            self.buffer.reset()
            if not typed and self.lobby.back():
                self._leave()

        @keys.add("<any>", filter=choosing)
        def _letter(event: KeyPressEvent) -> None:
            """An item's letter, or the number of players."""
            for item in self.lobby.items():
                if item.key == event.data and self.lobby.choose(item):
                    self._end()
                    return
                if item.key == event.data:
                    return

        @keys.add("c-z", eager=True)
        def _suspend(event: KeyPressEvent) -> None:
            canvas.suspend()

        return keys


async def in_lines(store: Store, terminal: Terminal, name: str | None, loopback: bool = False, tag: str = "") -> Words:
    """The lobby as numbered lines, printed anew after each choice; an empty line looks again, q leaves."""
    from .typist import Typist

    async with Stop() as stop:
        lobby = Lobby(store, name, lambda: None, loopback, tag)
        lobby.begin()
        typist = Typist()
        stopped = asyncio.create_task(stop.asked.wait())
        try:
            if lobby.menu.page == HOME:
                terminal.say(_("Looking for tables on this network."))
                await asyncio.wait({stopped}, timeout=SETTLE)
            while not stopped.done():
                _print(terminal, lobby)
                line = asyncio.create_task(typist.next())
                await asyncio.wait({line, stopped}, return_when=asyncio.FIRST_COMPLETED)
                text = line.result() if line.done() else None
                line.cancel()
                if text is None or text.strip() == "q":
                    return None
                if _chosen(terminal, lobby, text):
                    return lobby.chosen
            return None
        finally:
            stopped.cancel()
            await lobby.close()


def _print(terminal: Terminal, lobby: Lobby) -> None:
    for text in intro(lobby.menu):
        terminal.say(text)
    section = ""
    for i, item in enumerate(lobby.items(), 1):
        if item.section != section:
            section = item.section
            terminal.say(section)
        terminal.say(f"{i}. {' '.join(item.label.split())}")
    if lobby.menu.page not in TYPED:
        terminal.say(_("Type a number; Enter looks again; b goes back; q leaves."))


def _chosen(terminal: Terminal, lobby: Lobby, text: str) -> bool:
    """Follow what was typed; True: a command line has been chosen."""
    if lobby.menu.page in TYPED:
        done = lobby.typed(text)
        if lobby.menu.message:
            terminal.say(lobby.menu.message)
        return done
    found, number = lobby.items(), text.strip()
    if number == "b":
        lobby.back()
    elif number.isascii() and number.isdigit() and 1 <= int(number[:4]) <= len(found):
        done = lobby.choose(found[int(number[:4]) - 1])
        if lobby.menu.message:
            terminal.say(lobby.menu.message)
        return done
    return False
