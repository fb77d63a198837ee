"""Which key does what on the screen of a match; it draws nothing."""

from dataclasses import replace
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from .canvas import suspend
from .show.frame import POINTER_KEYS
from .text import pgettext

if TYPE_CHECKING:
    from .screen import Screen

NO = "nNqQ? "  # with these one only answers a question or closes a page; other characters go on into the line that is typed
QUIT = "quit", "quitar"  # their first letter asks already
PAGE = 5  # lines that PgUp scrolls


def bindings(screen: "Screen") -> KeyBindings:
    """The keys of the screen of a match."""
    keys = KeyBindings()
    small = Condition(screen.small)
    asked = Condition(lambda: bool(screen.ui.question))
    helping = Condition(lambda: screen.ui.help or screen.ui.trust)
    empty = Condition(lambda: not screen.buffer.text)
    plain = ~small & ~asked & ~helping
    begun = plain & Condition(lambda: screen.snapshot is not None)
    veiled = Condition(lambda: screen.ui.veiled)
    pointing = Condition(lambda: screen.ui.pointer is not None)

    @keys.add("c-c", eager=True)
    @keys.add("<sigint>", eager=True)
    def _interrupted(event: KeyPressEvent) -> None:
        screen.interrupt()

    @keys.add("<any>", filter=asked, eager=True)
    def _confirm(event: KeyPressEvent) -> None:
        before, screen.quitting = screen.quitting, ""
        if before in QUIT and event.data and event.data in "\r\n":
            return  # the word has asked already
        if before and event.data and any(word.startswith(before + event.data) for word in QUIT):
            screen.quitting = before + event.data
            return
        screen.ui, screen.about = replace(screen.ui, question=""), None
        if event.data and event.data in pgettext("keys that say yes", "yY"):
            screen.on_yes()
            return
        if before[1:] and event.data.isalpha():
            screen.buffer.insert_text(before)  # another word that begins with q
        _typed_on(event)

    @keys.add("<any>", filter=small & ~asked, eager=True)
    def _swallow(event: KeyPressEvent) -> None:
        """No blind moves: what is not on the screen cannot be played."""
        if event.data == "q":
            screen.ask_to_leave()

    @keys.add("<any>", filter=helping & ~asked & ~small, eager=True)  # else prompt-toolkit's own Enter and Escape come first
    def _close_help(event: KeyPressEvent) -> None:
        screen.ui = replace(screen.ui, help=False, trust=False, scroll=0)
        _typed_on(event)

    def _typed_on(event: KeyPressEvent) -> None:
        """The first letter of a command closes what is open, and is not lost."""
        if event.data.isprintable() and event.data not in NO and not screen.small():
            screen.buffer.insert_text(event.data)

    @keys.add("pageup", filter=~small & ~asked, eager=True)
    @keys.add("c-up", filter=~small & ~asked, eager=True)
    def _up(event: KeyPressEvent) -> None:
        screen.scroll(-PAGE if helping() else PAGE)

    @keys.add("pagedown", filter=~small & ~asked, eager=True)
    @keys.add("c-down", filter=~small & ~asked, eager=True)
    def _down(event: KeyPressEvent) -> None:
        screen.scroll(PAGE if helping() else -PAGE)

    @keys.add("f1", filter=begun)
    @keys.add("?", filter=begun & empty)
    def _help(event: KeyPressEvent) -> None:
        screen.ui = replace(screen.ui, help=True, scroll=0, message="")

    @keys.add("f2", filter=begun)
    def _trust(event: KeyPressEvent) -> None:
        screen.ui = replace(screen.ui, trust=True, scroll=0, message="", warning="")

    @keys.add("f3", filter=~small & ~asked, eager=True)
    def _veil(event: KeyPressEvent) -> None:
        screen.cover()

    @keys.add("f4", filter=plain & Condition(screen.may_begin))
    def _begin(event: KeyPressEvent) -> None:
        screen.ask_to_begin()

    @keys.add("c-s", eager=True)
    @keys.add("c-q", eager=True)
    def _flow(event: KeyPressEvent) -> None:
        """Typed by who is used to stopping terminals with it: nothing stops, and no next key is taken literally."""

    @keys.add("q", filter=plain & empty)
    def _quit(event: KeyPressEvent) -> None:
        screen.ask_to_leave()
        screen.quitting = "q"

    for key in POINTER_KEYS:

        @keys.add(key, filter=plain & empty & pointing & ~veiled, eager=True)
        def _press(event: KeyPressEvent, key: str = key) -> None:
            screen.press(key)

    @keys.add("up", filter=plain & empty)
    @keys.add("left", filter=plain & empty)
    def _previous(event: KeyPressEvent) -> None:
        screen.point(-1)

    @keys.add("down", filter=plain & empty)
    @keys.add("right", filter=plain & empty)
    def _next(event: KeyPressEvent) -> None:
        screen.point(1)

    @keys.add("escape", filter=plain)
    def _clear(event: KeyPressEvent) -> None:
        screen.buffer.reset()
        screen.ui = replace(screen.ui, message="", warning="", cursor=None, scroll=0)

    @keys.add("tab", filter=plain)
    def _complete(event: KeyPressEvent) -> None:
        if screen.buffer.complete_state:
            screen.buffer.complete_next()
        else:
            screen.buffer.start_completion(insert_common_part=True)

    @keys.add("c-z", eager=True)
    def _suspend(event: KeyPressEvent) -> None:
        suspend()

    return keys
