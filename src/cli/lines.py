"""A match in lines: everything is appended, nothing is rewritten; for screen readers, pipes and dumb terminals.

The same match is played to its end here as on the screen.
"""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ..core.errors import LocalError
from ..core.rules import IllegalMove
from ..core.view import Snapshot
from ..net.addresses import show_address
from . import typed
from .bot import Deputy, overdue
from .cells import clean, fold
from .exits import Exit
from .show import lobby as lobby_words, show_of, status
from .show.frame import Show
from .stop import Stop
from .story import Story
from .terminal import Terminal, complain
from .text import _
from .tutorial import Guide
from .typist import Typist
from .words import error_words

if TYPE_CHECKING:
    from ..net.client import Client


class Lines:
    """One match.  `patient`: nobody sits at a terminal; moves that a script has written in one go wait until one is asked for."""

    def __init__(
        self,
        client: "Client",
        terminal: Terminal,
        stop: Stop,
        *,
        seat_plays_itself: bool = False,
        guide: Guide | None = None,
        again: bool = False,
    ) -> None:
        self.client, self.terminal, self.stop = client, terminal, stop
        self.again, self.wants_again = again, False  # another match with the same people: may it be offered, is it wanted?
        self.bot, self.guide = seat_plays_itself, guide
        self.deputy = Deputy(client)
        self.patient = not sys.stdin.isatty()
        self.changed = asyncio.Event()
        self.show: Show | None = None
        self.story: Story | None = None
        self.asked_at = (-1, 0)  # the decision whose choices have been printed
        self.answered = (-1, 0)
        self.said = ""  # the last line about lobby or progress
        self.linked: tuple[bool, ...] = ()
        self.left: tuple[int, ...] = ()
        self.warned: set[str] = set()
        self.interrupted = False  # Ctrl-C has been pressed once
        self.sure: tuple[str, int | None] | None = None  # what has been typed once, and is done when it is typed again
        self.silence: tuple[object, ...] = ()

    async def run(self) -> Exit:
        """Until the match is over, the person leaves or a signal comes; says in the end how it went."""
        self.client.subscribe(self.changed.set)
        self.stop.on_interrupt = self.interrupt
        async with self._input() as typist:
            ended = asyncio.create_task(self.client.finished())
            stopped = asyncio.create_task(self.stop.asked.wait())
            change = asyncio.create_task(self.changed.wait())
            line: asyncio.Task[str | None] | None = None
            try:
                while True:
                    self._tell()
                    if typist is not None and line is None:
                        line = asyncio.create_task(typist.next())
                    tasks = {ended, stopped, change, *((line,) if line is not None and self._listens(typist, line) else ())}
                    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                    if change.done():
                        self.changed.clear()
                        change = asyncio.create_task(self.changed.wait())
                    if stopped.done():
                        return Exit.INTERRUPTED
                    if ended.done():
                        ended.result()
                        self._tell()
                        snapshot = self.client.snapshot
                        may = snapshot is not None and self.again and not self.patient and status.all_stayed(snapshot)
                        if may and line is not None:
                            self.terminal.say(_("Type again for another match with the same people; anything else leaves."))
                            await self._offer(line, stopped)
                        return Exit.OK
                    if line is not None and line.done() and self._listens(typist, line):
                        text, line = line.result(), None
                        if text is None:
                            complain(_nobody_types(self.client.resumable))
                            return Exit.USAGE
                        if await self._typed(text):
                            return Exit.OK
            finally:
                self.stop.on_interrupt = self.stop.asked.set
                self.deputy.stand()
                for task in (ended, stopped, change, line):
                    if task is not None:
                        task.cancel()

    async def _offer(self, line: "asyncio.Task[str | None]", stopped: "asyncio.Task[Any]") -> None:
        """After the end: wait for a line, and meanwhile say who wants another match."""
        while not line.done() and not stopped.done():
            change = asyncio.create_task(self.changed.wait())
            await asyncio.wait({line, stopped, change}, return_when=asyncio.FIRST_COMPLETED)
            change.cancel()
            self.changed.clear()
            self._tell()
        said = line.result() if line.done() else None
        self.wants_again = typed.WORDS.get((said or "").strip().casefold()) == "again"
        if self.wants_again:
            await self.client.again()

    def interrupt(self) -> None:
        """Ctrl-C: where nothing of the match is kept, a person is told so, and has to mean it."""
        snapshot = self.client.snapshot
        playing = snapshot is not None and snapshot.phase not in ("done", "ended")
        if not playing or self.client.resumable or self.patient or self.bot or self.interrupted:
            self.stop.asked.set()
        else:
            self.interrupted = True
            self.terminal.say(_("Nothing of this match is kept: Ctrl-C once more leaves, anything else plays on."))

    @contextlib.asynccontextmanager
    async def _input(self) -> AsyncIterator["Typist | Prompt | None"]:
        if self.bot:
            yield None
        elif self.terminal.mode == "prompt":
            from prompt_toolkit.patch_stdout import patch_stdout

            with patch_stdout():
                yield Prompt(self)
        else:
            yield Typist()

    def _listens(self, typist: Any, line: asyncio.Task[str | None]) -> bool:
        """May the next line be used now?  An input that never held a line is noticed at once."""
        snapshot = self.client.snapshot if self.show is not None else None  # nothing is answered before it has been told
        if not self.patient or not line.done() or line.cancelled():
            return True
        text = line.result()
        if text is None and typist.silent:
            return True
        if text is not None and (typist.source.alone or (snapshot is not None and typed.is_query(text))):
            return True
        if snapshot is None:
            return self._locked() or (text is not None and typed.is_for_a_waiting_table(text))
        return (snapshot.asked and snapshot.decision != self.answered) or overdue(snapshot) is not None

    def _locked(self) -> bool:
        """Does a private table want its code words?"""
        return self.client.lobby is not None and self.client.lobby.phase == "private"

    def _tell(self) -> None:
        """Print what is new."""
        snapshot = self.client.snapshot
        for text in warnings(self.client):
            if text not in self.warned:
                self.warned.add(text)
                self.terminal.say(text)
        if snapshot is None:
            if self.client.lobby is not None:
                self._once("\n".join(lobby_words.lines(self.client.lobby, self.client.table_at)))
            return
        if self.show is None or self.story is None:
            self.show = show_of(snapshot.view.rules.NAME)
            self.story = Story(self.show)
        if snapshot.phase in ("set-up", "shuffle"):
            self._once(status.waiting(snapshot))
        for text in self.story.update(snapshot):
            self.terminal.say(text)
        self._links(snapshot)
        lost = self.sure[1] if self.sure is not None else None
        if lost is not None and (back := typed.returned(snapshot, lost)):
            self.sure = None
            self.terminal.say(back)
        late = tuple(seat for seat, seconds in snapshot.silent if not seconds), snapshot.votes, snapshot.phase == "stopped"
        if late != self.silence:  # a countdown that is printed every second helps nobody
            self.silence = late
            self._once(status.silence(snapshot))
        for text in (*self.story.audience(snapshot), *self.story.chat(snapshot, self.client.notes)):
            self.terminal.say(text)
        if snapshot.again and self.again and status.all_stayed(snapshot):
            self._once(status.after(snapshot, self.again))
        if snapshot.asked and not self.bot and not self.deputy.on and self.asked_at != snapshot.decision:
            self.asked_at = snapshot.decision
            hand = self.show.hand_words(snapshot)
            if self.guide is not None and (lesson := self.guide(snapshot)):
                self.terminal.say(_("Lesson: {text}").format(text=lesson))
            for text in (*hand, self.show.ask(snapshot), *typed.choices(self.show, snapshot), _("Type a number or words; help explains.")):
                self.terminal.say(text)

    def _links(self, snapshot: Snapshot) -> None:
        for seat, (now, before) in enumerate(zip(snapshot.linked, self.linked or snapshot.linked, strict=True)):
            if now != before:
                text = _("{who} is back.") if now else _("{who} is not answering.")
                if seat not in snapshot.left:
                    self.terminal.say(text.format(who=status.player(snapshot, seat)))
        self.linked = snapshot.linked
        for seat in snapshot.left:
            if seat not in (*self.left, *snapshot.view.rules.gone, snapshot.view.seat):
                self.terminal.say(_("{who} has left.").format(who=status.player(snapshot, seat)))
        self.left = snapshot.left

    def _once(self, text: str) -> None:
        if text and text != self.said:
            self.said = text
            self.terminal.say(text)

    async def _before_the_game(self, line: str) -> None:
        view = self.client.lobby
        if view is None:
            return
        meant = typed.before_the_game(view, line)
        try:
            if meant.kind == "begin":
                await self.client.begin_now()
            elif meant.kind == "away":
                await self.client.turn_away(meant.value)
            else:
                for text in meant.value:
                    self.terminal.say(text)
        except LocalError as error:
            self.terminal.say(error_words(error))

    async def _typed(self, line: str) -> bool:
        """Do what was typed; True: leave."""
        snapshot, self.interrupted = self.client.snapshot, False
        if snapshot is None or self.show is None or self.story is None:
            if typed.WORDS.get(line.strip().casefold()) == "quit":
                return True
            if self._locked():
                await self.client.enter(line)
                return False
            await self._before_the_game(line)
            return False
        meant = typed.understand(self.show, snapshot, self.story.words, line)
        if self.sure is not None and fold(line).strip() in typed.YES:
            meant = typed.Typed("vote" if self.sure[0] == "vote" else "leave", self.sure[1])
        if meant.kind == "quit":
            return True
        if meant.kind == "tell":
            for text in meant.value:
                self.terminal.say(text)
        elif meant.kind == "help":
            for text in (*self.show.help(snapshot), "", *status.commands()):
                self.terminal.say(text)
        elif meant.kind == "check":
            for text in status.trust(snapshot):
                self.terminal.say(text)
        elif meant.kind == "cover":
            self.terminal.say(_("Only the full screen can cover your hand; what stands in lines stays there."))
        elif meant.kind in ("bot", "me"):
            (self.deputy.sit if meant.kind == "bot" else self.deputy.stand)()
            self.asked_at = (-1, 0)  # who plays again is asked again
            self.terminal.say(self.deputy.words())
        elif meant.kind == "move" and self.deputy.on:
            self.terminal.say(self.deputy.words())
            return False
        elif meant.kind == "mute":
            self.terminal.say(typed.muted(snapshot, meant.value, self.story.mute(meant.value)))
        try:
            for_good = meant.kind == "leave" or (meant.kind == "vote" and meant.value is not None)
            once = meant.kind, meant.value
            if for_good and self.sure != once:
                self.sure = once
                text = _(
                    "Leaving is for ever: the others play on without you, and all of them together can then read what you held."
                    " Type leave once more. (quit keeps your seat.)"
                )
                text = typed.leaves(snapshot, text)
                if meant.kind == "vote":
                    text = _("Going on without {who} is for good: type go on once more to vote so.")
                self.terminal.say(text.format(who=status.player(snapshot, meant.value) if meant.kind == "vote" else ""))
                return False
            self.sure = None
            if meant.kind == "leave":
                await self.client.leave()
                return True
            if meant.kind == "say":
                await self.client.note(meant.value)
            elif meant.kind == "know":
                await self.client.recognise(meant.value)
                self.terminal.say(typed.recognised(snapshot, meant.value))
            elif meant.kind == "export":
                self.terminal.say(typed.export(meant.value, self.story.words))
            elif meant.kind == "vote":
                await self.client.vote(meant.value)
            elif meant.kind == "move":
                await self.client.answer(meant.value)
                self.answered = snapshot.decision
        except IllegalMove as error:
            self.terminal.say(self.show.why(str(error)))
        except LocalError as error:
            self.terminal.say(error_words(error))
        return False


class Prompt:
    """Lines with a prompt, completion and history, where the terminal can do that."""

    def __init__(self, lines: Lines) -> None:
        from prompt_toolkit import PromptSession

        from .complete import Words

        self.silent = False
        self._lines = lines
        self._session: PromptSession[str] = PromptSession("> ", completer=Words(self._words), complete_while_typing=False)

    def _words(self) -> tuple[str, ...]:
        snapshot, show = self._lines.client.snapshot, self._lines.show
        return show.completions(snapshot) if snapshot is not None and show is not None else ()

    async def next(self) -> str | None:
        while True:
            try:
                return await self._session.prompt_async(handle_sigint=False)
            except EOFError:
                return "quit"
            except KeyboardInterrupt:
                self._lines.stop.on_interrupt()


def warnings(client: "Client") -> list[str]:
    """What does not stop the game but has to be known: a name under a new key, a network without multicast."""
    texts = [status.another_key(name) for name in client.strangers]
    return texts + ([error_words(client.trouble)] if client.trouble is not None else [])


def farewell(client: "Client", terminal: Terminal) -> None:
    """After a match: how it ended, what was checked, and where the files lie; or that one can come back."""
    snapshot = client.snapshot
    if snapshot is None:
        return
    if snapshot.phase not in ("done", "ended", "stopped"):
        if client.gone:
            terminal.say(_("You have left for good; the others play on without you.") if status.heard(snapshot) else _unheard(terminal))
        elif client.resumable:
            terminal.say(_("Your seat stays yours: {command}").format(command=terminal.resume()))
        return
    terminal.say(status.waiting(snapshot))
    terminal.say(status.checked(snapshot))
    if snapshot.view.seat is None and client.opener_at:
        terminal.say(where_to_watch(client, snapshot))
    if client.transcript is not None:
        terminal.say(_("Transcript: {path}").format(path=clean(str(client.transcript), 4096)))
    if client.evidence is not None:
        terminal.say(_("Evidence: {path}").format(path=clean(str(client.evidence), 4096)))


def where_to_watch(client: "Client", snapshot: Snapshot) -> str:
    """To who has watched: who wants to play again, and how that match can be watched, too."""
    text = _("If they play again, this watches it: mastaba watch {address}").format(address=show_address(client.opener_at[0]))
    return " ".join(filter(None, (status.wanting(snapshot), text)))


def _nobody_types(with_others: bool) -> str:
    if with_others:
        return _("This game needs a person, and standard input has ended; let a bot play with --bot LEVEL.")
    return _("This game needs a person, and standard input has ended; bots alone play with: mastaba demo GAME")


def _unheard(terminal: Terminal) -> str:
    text = _("You have left for good, but nobody has heard it yet: they wait until you run this while another is there: {command}")
    return text.format(command=terminal.resume())
