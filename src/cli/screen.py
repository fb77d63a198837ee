"""The full screen of a match, on prompt-toolkit: it draws what show/ composes, and turns keys into moves for the client.

It never waits: everything goes through the client, and every change of a snapshot redraws.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import get_app, get_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import BufferControl, Float, FloatContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output

from ..core.errors import LocalError
from ..core.rules import IllegalMove, Move
from ..core.view import Snapshot
from . import typed
from .bot import Deputy
from .canvas import application, fragments, if_it_fits, is_small, size
from .cells import fold, pad
from .complete import Words
from .exits import Exit
from .keys import bindings
from .lines import warnings, where_to_watch
from .show import lobby, show_of, status
from .show.frame import Pointed, Show, Ui, compose, numbered
from .stop import Stop
from .story import Story
from .terminal import Terminal
from .text import _
from .tutorial import Guide
from .words import error_words

if TYPE_CHECKING:
    from ..net.client import Client

log = logging.getLogger(__name__)


class Screen:
    """One match on one terminal; `input` and `output` are prompt-toolkit's (default: this process's terminal)."""

    def __init__(
        self,
        client: "Client",
        terminal: Terminal,
        stop: Stop,
        input: Input | None = None,
        output: Output | None = None,
        guide: Guide | None = None,
        again: bool = False,
    ) -> None:
        self.client, self.terminal, self.stop = client, terminal, stop
        self.show: Show | None = None
        self.story: Story | None = None
        self.snapshot: Snapshot | None = None
        self.guide = guide
        self.ui = Ui(again=again)
        self.quitting = ""  # what has been typed of the word quit, whose first letter has asked already
        self.wants_again = False  # another match with the same people
        self.deputy = Deputy(client)
        self.warned: set[str] = set()
        self.logged: set[str] = set()  # the warnings that stand in the log
        self.news: tuple[object, ...] = ()  # what was last drawn of the client
        self.on_yes: Callable[[], None] = lambda: None
        self.about: int | None = None  # the seat that the question would go on without
        self.others_moved = True  # since this seat's last answer: the bell is for turns that come back, not for each question
        self.buffer = Buffer(completer=Words(self._phrases), multiline=False, accept_handler=self._accept)
        self.output = output or get_app_session().output
        self.app = application(terminal, self._layout(), bindings(self), Exit, input, self.output)

    async def run(self) -> Exit:
        """Until the person leaves, or a signal comes: OK after the end of the match or `quit`, else INTERRUPTED."""
        self.client.subscribe(self._changed)
        self.stop.on_interrupt = self.interrupt
        asyncio.get_running_loop().set_exception_handler(self._failed)
        stopped = asyncio.create_task(self._leave_when_stopped())
        try:
            return await self.app.run_async(pre_run=self._changed, handle_sigint=False, set_exception_handler=False)
        finally:
            stopped.cancel()
            self.deputy.stand()
            self.stop.on_interrupt = self.stop.asked.set
            asyncio.get_running_loop().set_exception_handler(None)
            self.output.clear_title()
            self.output.flush()

    # -- what the client tells ------------------------------------------------------------------------------------

    def _changed(self) -> None:
        snapshot, client = self.client.snapshot, self.client
        news = (snapshot, client.lobby, client.places, client.notes, client.failed, client.ended.is_set(), warnings(client))
        if news == self.news:
            return  # a tick of the clock, or a message that changed nothing
        self.news = news
        if snapshot is not None:
            self._follow(snapshot)
        if self.client.failed is not None or (snapshot is None and self.client.ended.is_set()):
            self._exit(Exit.OK)  # the table was closed, or the match could not begin: said once the screen is gone
        for text in warnings(self.client):
            if text not in self.warned:
                self.warned.add(text)
                self.ui = replace(self.ui, warning=" ".join(filter(None, (self.ui.warning, text))))
            if self.story is not None and text not in self.logged:
                self.logged.add(text)
                self.story.tell(text)
        self.app.invalidate()

    def _follow(self, snapshot: Snapshot) -> None:
        before, self.snapshot = self.snapshot, snapshot
        if self.show is None or self.story is None:
            self.show = show_of(snapshot.view.rules.NAME)
            self.story = Story(self.show)
        self.story.update(snapshot)
        self.story.audience(snapshot)
        self.story.chat(snapshot, self.client.notes)
        if self.guide is not None:
            self.ui = replace(self.ui, lesson=self.guide(snapshot))
        if snapshot.view.rules.turn_of() != snapshot.view.seat:
            self.others_moved = True
        words = self.deputy.words() if self.deputy.on and not self.over() else ""
        if before is not None and status.voting(before) != status.voting(snapshot):
            self.ui = self.ui.said(words)  # the message spoke of what was before
        if before is None or before.decision != snapshot.decision or before.asked != snapshot.asked:
            at = self.show.pointer(snapshot) if isinstance(self.show, Pointed) else None
            self.ui = replace(self.ui, cursor=None, pointer=at, message=words)
        if before is not None and before.again != snapshot.again and self.watching():
            self.ui = self.ui.said(where_to_watch(self.client, snapshot))
        if self.about is not None and (back := typed.returned(snapshot, self.about)):
            self.about, self.ui = None, replace(self.ui, question="", message=back)
        if snapshot.asked and not (before is not None and before.asked) and self.others_moved and not self.deputy.on:
            self.others_moved = False
            if self.terminal.bell:
                self.output.bell()
            self._title(_("Your turn"))
        elif before is not None and before.asked and not snapshot.asked:
            self._title("mastaba")

    def _title(self, text: str) -> None:
        self.output.set_title(f"{text} - mastaba" if text != "mastaba" else text)
        self.output.flush()

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception in a key or a task: the game goes on, the log has the details."""
        log.error("a fault of the screen: %s", context.get("message"), exc_info=context.get("exception"))
        self.ui = self.ui.said(_("Something went wrong inside the program; the details are in the log file."))
        self.app.invalidate()

    # -- what is drawn --------------------------------------------------------------------------------------------

    def _layout(self) -> Layout:
        board = Window(FormattedTextControl(self._board, show_cursor=False), always_hide_cursor=True)
        prompt = BufferControl(self.buffer, input_processors=[BeforeInput("> ")])
        typing = Window(prompt, height=1)
        keys = Window(FormattedTextControl(self._key_bar), height=1, always_hide_cursor=True)
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        large = FloatContainer(HSplit([board, typing, keys]), [menu])
        return Layout(if_it_fits(self.terminal, self.output, large, lambda: self.ui.question), focused_element=typing)

    def small(self) -> bool:
        """Is there too little room to play?"""
        return is_small(self.output)

    def _board(self) -> StyleAndTextTuples:
        columns, rows = size(self.output)
        if self.snapshot is not None and self.show is not None and self.story is not None:
            return fragments(self.terminal, compose(self.show, self.snapshot, self.story.words, self.ui, columns, rows))
        if self.client.lobby is not None:
            return fragments(self.terminal, lobby.compose(self.client.lobby, self.client.table_at, self.ui, columns, rows))
        return fragments(self.terminal, [[("", " " + _("One moment."))]])

    def _key_bar(self) -> StyleAndTextTuples:
        columns, _rows = size(self.output)
        text = _("Enter: play  Tab: complete  PgUp: log  ?: help  F2: checks  F3: cover  q: leave")
        if self.ui.veiled:
            text = _("Enter: play  Tab: complete  PgUp: log  ?: help  F2: checks  F3: show  q: leave")
        elif self.watching():
            text = _("PgUp: log  ?: help  F2: checks  q: leave")
        if self.snapshot is None:
            locked = self.client.lobby is not None and self.client.lobby.phase == "private"
            text = _("Enter: try the code words  q: leave") if locked else _("The game begins when all are here.  q: leave")
            text = _("The game begins when all are here, or with F4.  q: leave") if self.may_begin() else text
        return fragments(self.terminal, [[("class:keys", pad(f" {text}", columns))]])

    def _phrases(self) -> tuple[str, ...]:
        return self.show.completions(self.snapshot) if self.show is not None and self.snapshot is not None else ()

    # -- keys -----------------------------------------------------------------------------------------------------

    def interrupt(self) -> None:
        """Ctrl-C: ask once, then go."""
        if self.ui.question or self.over():
            self._exit(Exit.OK if self.over() else Exit.INTERRUPTED)
        else:
            self.ask_to_leave()

    def play_again(self) -> None:
        """After the end: another match with the same people."""
        self.wants_again = True

        async def leave() -> None:
            await self._do(self.client.again())
            self._exit(Exit.OK)

        self._start(leave())

    def may_play_again(self) -> bool:
        return self.ui.again and self.snapshot is not None and status.all_stayed(self.snapshot)

    def over(self) -> bool:
        return self.snapshot is not None and self.snapshot.phase in ("done", "ended")

    def ask_to_leave(self) -> None:
        if self.over():
            self._exit(Exit.OK)
            return
        if self.snapshot is not None and self.snapshot.phase == "stopped":
            question = _("Leave? The match stays stopped; the evidence is kept. y leaves, any other key stays.")
        elif self.client.resumable and self.snapshot is not None:
            question = _("Leave? Your seat stays yours ({command}). y leaves, any other key stays.").format(command=self.terminal.resume())
        else:
            question = _("Leave? Nothing is kept: y leaves, any other key stays.")
        self._ask(question, lambda: self._exit(Exit.OK))

    def _ask(self, question: str, on_yes: Callable[[], None]) -> None:
        self.ui, self.on_yes, self.quitting, self.about = replace(self.ui, question=question), on_yes, "", None
        self.app.invalidate()

    def _exit(self, code: Exit) -> None:
        if self.app.is_running and not self.app.is_done:
            self.app.exit(result=code)

    async def _leave_when_stopped(self) -> None:
        await self.stop.asked.wait()
        self._exit(Exit.INTERRUPTED)

    def scroll(self, lines: int) -> None:
        self.ui = replace(self.ui, scroll=max(0, min(self.ui.scroll + lines, 10_000)))

    def point(self, way: int) -> None:
        """Choose among the numbered moves; nothing is chosen until the person does."""
        moves = len(numbered(self.show, self.snapshot)) if self.snapshot is not None and self.show is not None else 0
        if moves:
            start = self.ui.cursor if self.ui.cursor is not None else (-1 if way > 0 else 0)
            self.ui = replace(self.ui, cursor=(start + way) % moves, message="")

    def watching(self) -> bool:
        """Has this person no seat?"""
        return self.snapshot is not None and self.snapshot.view.seat is None

    def cover(self) -> None:
        """Hide what this seat alone sees, or show it again; who watches sees nothing of the kind."""
        if self.watching():
            return
        self.ui = replace(self.ui, veiled=not self.ui.veiled, message="")

    def press(self, key: str) -> None:
        """A key for the game's pointer."""
        if self.snapshot is not None and self.ui.pointer is not None:
            self.ui = replace(self.ui, pointer=self.ui.pointer.press(self.snapshot, key) or self.ui.pointer, message="")

    # -- what is typed --------------------------------------------------------------------------------------------

    def _accept(self, buffer: Buffer) -> bool:
        """Enter: the typed line, or the chosen move; after the end it leaves."""
        self.ui = self.ui.said("")
        if self.over() and not buffer.text.strip():
            self._exit(Exit.OK)
            return False
        if self.may_play_again() and typed.WORDS.get(fold(buffer.text).strip()) == "again":
            self.play_again()
            return False
        if self.client.lobby is not None and self.client.lobby.phase == "private" and buffer.text.strip():
            self._start(self._do(self.client.enter(buffer.text)))
            return False
        if self.snapshot is None or self.show is None or self.story is None:
            self._before_the_game(buffer.text)
            return False
        moves = () if self.ui.veiled else numbered(self.show, self.snapshot)
        if not buffer.text.strip() and self.ui.pointer is not None and self.snapshot.asked and not self.ui.veiled:
            move = self.ui.pointer.move(self.snapshot)
            if move is not None:
                self._start(self._play(self.show, move))
            return False
        if not buffer.text.strip() and self.ui.cursor is not None and self.ui.cursor < len(moves):
            self._start(self._play(self.show, moves[self.ui.cursor]))
            return False
        meant = typed.understand(self.show, self.snapshot, self.story.words, buffer.text)
        self.ui = replace(self.ui, scroll=0)
        if self.ui.veiled and meant.kind == "move":
            self.ui = self.ui.said(_("Your hand is covered: F3 uncovers it, then play."))
        elif meant.kind == "quit":
            self.ask_to_leave()
        elif meant.kind == "help":
            self.ui = replace(self.ui, help=True, scroll=0)
        elif meant.kind == "leave":
            question = _("Leave for ever? All others together can then read what you held. y leaves, any other key stays.")
            self._ask(typed.leaves(self.snapshot, question), self._leave)
        elif meant.kind == "check":
            self.ui = replace(self.ui, trust=True, warning="")
        elif meant.kind == "cover":
            self.cover()
        elif meant.kind in ("bot", "me"):
            (self.deputy.sit if meant.kind == "bot" else self.deputy.stand)()
            self.ui = self.ui.said(self.deputy.words())
        elif meant.kind == "mute":
            self.ui = self.ui.said(typed.muted(self.snapshot, meant.value, self.story.mute(meant.value)))
        elif meant.kind == "know":
            self._start(self._do(self.client.recognise(meant.value)))
            self.ui = replace(self.ui, warning="", message=typed.recognised(self.snapshot, meant.value))
        elif meant.kind == "export":
            self._start(self._do(self._export(meant.value)))
        elif meant.kind == "say":
            self._start(self._do(self.client.note(meant.value)))
        elif meant.kind == "vote":
            lost = meant.value
            if lost is None:
                self._vote(None)
            else:
                self._ask(typed.goes_on(self.snapshot, lost), lambda: self._vote(lost))
                self.about = lost
        elif meant.kind == "move":
            self._start(self._play(self.show, meant.value))
        elif meant.kind == "tell":
            self.ui = self.ui.said(" ".join(meant.value))
        return False

    def _before_the_game(self, line: str) -> None:
        if self.client.lobby is None:
            return
        meant = typed.before_the_game(self.client.lobby, line)
        if meant.kind == "begin":
            self._start(self._do(self.client.begin_now()))
        elif meant.kind == "away":
            self._start(self._do(self.client.turn_away(meant.value)))
        else:
            self.ui = self.ui.said(" ".join(meant.value))

    def may_begin(self) -> bool:
        """Could the table that waits begin with those who are here?"""
        return self.snapshot is None and self.client.lobby is not None and self.client.lobby.may_begin

    def ask_to_begin(self) -> None:
        """The key for it may be pressed by mistake, so it asks."""
        question = _("Begin with those who are here? y begins, any other key does not.")
        self._ask(question, lambda: self._start(self._do(self.client.begin_now())))

    def _vote(self, lost: int | None) -> None:
        self._start(self._do(self.client.vote(lost)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        get_app().create_background_task(work)

    async def _export(self, path: Path) -> None:
        if self.story is not None:
            self.ui = self.ui.said(typed.export(path, self.story.words))

    async def _play(self, show: Show, move: Move) -> None:
        if self.deputy.on:
            self.ui = self.ui.said(self.deputy.words())
            return
        try:
            await self._do(self.client.answer(move))
        except IllegalMove as error:
            self.ui = self.ui.said(show.why(str(error)))
        self.app.invalidate()

    async def _do(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except LocalError as error:
            self.ui = self.ui.said(error_words(error))
        self.app.invalidate()

    def _leave(self) -> None:
        """A good-bye: it has to be sent before the screen ends."""

        async def leave() -> None:
            await self.client.leave()
            self._exit(Exit.OK)

        self._start(self._do(leave()))
