"""What every full screen has in common: its styles, its colours, and lines made into fragments; it knows no game and no client."""

import os
import signal
from collections.abc import Callable
from typing import TypeVar

from prompt_toolkit.application import Application, get_app_session, run_in_terminal
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import AnyContainer, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from .cells import Line, ascii_only, cut, wrap
from .terminal import MIN_COLUMNS, MIN_ROWS, Terminal
from .text import _

R = TypeVar("R")
STYLE = Style.from_dict(
    {
        "title": "reverse bold",
        "turn": "bold",
        "chosen": "reverse",
        "warn": "bold ansibrightred",
        "dim": "",
        "rule": "",
        "keys": "reverse",
        "red": "ansired bold",
        "yellow": "ansiyellow bold",
        "green": "ansigreen bold",
        "blue": "ansibrightblue bold",
        "white": "bold",
        "wall": "",
        "me": "bold",
        "rock": "ansired",
        "tile": "ansicyan",
        "scarab": "ansiyellow bold",
        "area": "ansigreen bold",
        "ghost": "reverse",
    }
)


def application(
    terminal: Terminal, layout: Layout, keys: KeyBindings, result: type[R], input: Input | None = None, output: Output | None = None
) -> Application[R]:
    """A full screen that ends with a `result`; `input` and `output` are prompt-toolkit's (default: this process's terminal)."""
    app: Application[R] = Application(
        layout=layout,
        key_bindings=keys,
        style=STYLE,
        full_screen=True,
        mouse_support=False,  # selecting and scrolling stay the terminal's
        color_depth=None if terminal.colour else ColorDepth.DEPTH_1_BIT,
        input=input,
        output=output or get_app_session().output,
    )
    app.ttimeoutlen = app.timeoutlen = 0.1  # seconds after which a lone Escape counts, and begins nothing with the key after it
    return app


def fragments(terminal: Terminal, lines: list[Line]) -> StyleAndTextTuples:
    """The lines as this terminal can show them."""
    out: StyleAndTextTuples = []
    for i, line in enumerate(lines):
        out += [(style, ascii_only(text) if terminal.ascii else text) for style, text in line]
        if i < len(lines) - 1:
            out.append(("", "\n"))
    return out


def size(output: Output) -> tuple[int, int]:
    """Columns and rows."""
    now = output.get_size()
    return now.columns, now.rows


def is_small(output: Output) -> bool:
    """Is there less room than any screen needs?"""
    columns, rows = size(output)
    return columns < MIN_COLUMNS or rows < MIN_ROWS


def too_small(columns: int, rows: int, question: str = "") -> list[Line]:
    """What is shown instead of a screen that does not fit; a question that has been asked comes first, and of that its end."""
    if question:
        return [[("class:warn", cut(text, columns))] for text in wrap(question, max(1, columns))][-max(1, rows) :]
    sentence = _("This window has {columns} x {rows} characters; the game needs {least_columns} x {least_rows}. q leaves.").format(
        columns=columns, rows=rows, least_columns=MIN_COLUMNS, least_rows=MIN_ROWS
    )
    return [[("", cut(text, columns))] for text in wrap(sentence, max(1, columns))][: max(1, rows)]


def if_it_fits(terminal: Terminal, output: Output, screen: AnyContainer, question: Callable[[], str] = lambda: "") -> HSplit:
    """The screen, or in a small window why it is not there; it is in the layout all the same, so that it can have the focus."""
    small = Condition(lambda: is_small(output))
    why = FormattedTextControl(lambda: fragments(terminal, too_small(*size(output), question())))
    return HSplit([ConditionalContainer(screen, ~small), ConditionalContainer(Window(why, always_hide_cursor=True), small)])


def suspend() -> None:
    """Ctrl-Z: the whole job stops, as a shell expects; SIGSTOP, because nobody can be listening for it."""
    run_in_terminal(lambda: os.kill(0, signal.SIGSTOP))
