"""A transcript on the full screen: keys go from moment to moment; it draws what show/ composes, as in the match itself."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from prompt_toolkit.application import Application, get_app_session
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import Output

from ..core.errors import LocalError
from .canvas import application, fragments, is_small, size, suspend, too_small
from .cells import cut, pad
from .reel import Reel
from .replay import fault_words
from .show.frame import Ui, compose
from .stop import Stop
from .terminal import Terminal
from .text import _
from .words import error_words

SEEN = Ui(typing=False)
FAR = 1 << 30  # a frame beyond the last
LEAP = 10  # frames that PgUp and PgDn go
PAGE = 5  # lines that the log scrolls


class ReplayScreen:
    """`input` and `output` are prompt-toolkit's (default: this process's terminal)."""

    def __init__(self, reel: Reel, terminal: Terminal, input: Input | None = None, output: Output | None = None) -> None:
        self.reel, self.terminal = reel, terminal
        self.ui = SEEN
        self.busy = False  # what lies ahead is being verified, on another thread
        self.output = output or get_app_session().output
        rows = [
            Window(self._control(self._board)),
            Window(self._control(self._where), height=1),
            Window(self._control(self._bar), height=1),
        ]
        self.app: Application[None] = application(terminal, Layout(HSplit(rows)), self._keys(), type(None), input, self.output)

    async def run(self) -> None:
        """Until the person leaves, or a signal comes."""
        async with Stop() as stop:
            stop.on_interrupt = self._leave
            stopped = asyncio.create_task(self._leave_when(stop))
            try:
                await self.app.run_async(handle_sigint=False)
            finally:
                stopped.cancel()

    async def _leave_when(self, stop: Stop) -> None:
        await stop.asked.wait()
        self._leave()

    def _leave(self) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def _control(self, text: Callable[[], StyleAndTextTuples]) -> FormattedTextControl:
        return FormattedTextControl(text, show_cursor=False)

    def _board(self) -> StyleAndTextTuples:
        columns, rows = size(self.output)
        if is_small(self.output):
            return fragments(self.terminal, too_small(columns, rows))
        moment = self.reel.moment()
        return fragments(self.terminal, compose(self.reel.show, moment.snapshot, moment.words, self.ui, columns, rows))

    def _where(self) -> StyleAndTextTuples:
        columns, _rows = size(self.output)
        text = _("Verifying what lies between.") if self.busy else fault_words(self.reel) or self.reel.where()
        return [] if is_small(self.output) else fragments(self.terminal, [[("class:turn", cut(f" {text}", columns))]])

    def _bar(self) -> StyleAndTextTuples:
        columns, _rows = size(self.output)
        text = _("Right/Left: step  PgDn/PgUp: ten  Home/End  Up/Down: log  ?: help  q: leave")
        return [] if is_small(self.output) else fragments(self.terminal, [[("class:keys", pad(f" {text}", columns))]])

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        free = Condition(lambda: not is_small(self.output) and not self.busy)
        helping = Condition(lambda: self.ui.help)
        ways: dict[str, Callable[[], int]] = {
            **dict.fromkeys(("right", " ", "n"), lambda: self.reel.at + 1),
            **dict.fromkeys(("left", "backspace", "b"), lambda: self.reel.at - 1),
            "pagedown": lambda: self.reel.at + LEAP,
            "pageup": lambda: self.reel.at - LEAP,
            "home": lambda: 0,
            "end": lambda: FAR,
        }

        @keys.add("c-c", eager=True)
        @keys.add("<sigint>", eager=True)
        @keys.add("q", eager=True)
        def _quit(event: KeyPressEvent) -> None:
            self._leave()

        @keys.add("<any>", filter=helping, eager=True)
        def _close_help(event: KeyPressEvent) -> None:
            self.ui = replace(self.ui, help=False, scroll=0)

        @keys.add("?", filter=free & ~helping)
        @keys.add("f1", filter=free & ~helping)
        def _help(event: KeyPressEvent) -> None:
            self.ui = replace(self.ui, help=True, scroll=0)

        @keys.add("up", filter=free)
        def _up(event: KeyPressEvent) -> None:
            self.ui = replace(self.ui, scroll=self.ui.scroll + PAGE)

        @keys.add("down", filter=free)
        def _down(event: KeyPressEvent) -> None:
            self.ui = replace(self.ui, scroll=max(0, self.ui.scroll - PAGE))

        for key, where in ways.items():

            @keys.add(key, filter=free & ~helping)
            def _go(event: KeyPressEvent, where: Callable[[], int] = where) -> None:
                event.app.create_background_task(self._go(where()))

        @keys.add("enter", filter=free & ~helping)
        def _on(event: KeyPressEvent) -> None:
            if self.reel.playback.at_end and self.reel.at == len(self.reel.playback.frames) - 1:
                self._leave()
            else:
                event.app.create_background_task(self._go(self.reel.at + 1))

        @keys.add("c-z", eager=True)
        def _suspend(event: KeyPressEvent) -> None:
            suspend()

        return keys

    async def _go(self, number: int) -> None:
        """Go to a moment; the screen stays alive while what lies between is verified."""
        self.busy, self.ui = True, SEEN
        self.app.invalidate()
        try:
            await asyncio.to_thread(self.reel.go, number)
        except LocalError as error:
            self.ui = self.ui.said(error_words(error))
        finally:
            self.busy = False
            self.app.invalidate()
