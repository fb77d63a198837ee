"""What kind of terminal this is, decided before anything is drawn; it draws nothing itself.

prompt-toolkit does not guard against pipes and dumb terminals, so the mode never depends on it.
"""

import contextlib
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .cells import ascii_only

MIN_COLUMNS, MIN_ROWS = 80, 24
Mode = Literal["screen", "prompt", "plain"]


@dataclass(frozen=True)
class Terminal:
    """mode: the screen, lines with a prompt, or bare appended lines; ascii: nothing but ASCII; colour: may use colours."""

    mode: Mode
    ascii: bool
    colour: bool

    @classmethod
    def of(cls, args: Namespace, environ: Mapping[str, str], stdin_tty: bool, stdout_tty: bool, encoding: str) -> "Terminal":
        """Decide from the flags --plain, --lines, --ascii, --color, from TERM and NO_COLOR, and from what is a terminal."""
        term = environ.get("TERM", "")
        capable = stdin_tty and stdout_tty and term not in ("", "dumb", "emacs")
        mode: Mode = "plain" if args.plain or not capable else "prompt" if args.lines else "screen"
        locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")  # Python itself no longer asks
        narrow = args.ascii or term == "linux" or locale in ("C", "POSIX") or not encoding.lower().replace("-", "").startswith("utf8")
        colour = {"always": True, "never": False}.get(args.color or "auto", capable and not environ.get("NO_COLOR"))
        return cls(mode, narrow, colour)

    def text(self, text: str) -> str:
        """The text as this terminal can show it."""
        return ascii_only(text) if self.ascii else text

    def say(self, text: str = "") -> None:
        """Append one line to standard output at once."""
        print(self.text(text), flush=True)


def complain(sentence: str) -> None:
    """One sentence on standard error, in whatever encoding it has."""
    encoding = sys.stderr.encoding or "ascii"
    with contextlib.suppress(OSError):  # the terminal may have been closed
        print(f"mastaba: {sentence}".encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)
