"""What kind of terminal this is, decided before anything is drawn; it draws nothing itself.

prompt-toolkit does not guard against pipes and dumb terminals, so the mode never depends on it.
"""

import contextlib
import shutil
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .cells import ascii_only, broken

MIN_COLUMNS, MIN_ROWS = 80, 24
NARROWEST = 20  # cells below which no line is broken
Mode = Literal["screen", "prompt", "plain"]


@dataclass(frozen=True)
class Terminal:
    """mode: the screen, lines with a prompt, or bare appended lines; ascii: nothing but ASCII; colour: may use colours.

    wraps: standard output is a terminal, and lines are broken between words at its width; in a pipe or file a sentence is a line.
    lang: the language that was asked for by a flag, if any.  bell: may ring when the turn comes back.
    """

    mode: Mode
    ascii: bool
    colour: bool
    wraps: bool = False
    lang: str = ""
    bell: bool = True

    @classmethod
    def of(cls, args: Namespace, environ: Mapping[str, str], stdin_tty: bool, stdout_tty: bool, encoding: str) -> "Terminal":
        """Decide from the flags --plain, --lines, --ascii, --color, from TERM and NO_COLOR, and from what is a terminal."""
        term = environ.get("TERM", "")
        capable = stdin_tty and stdout_tty and term not in ("", "dumb", "emacs")
        mode: Mode = "plain" if args.plain or not capable else "prompt" if args.lines else "screen"
        locale = next((environ[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name)), "")  # Python itself no longer asks
        narrow = args.ascii or term == "linux" or locale in ("C", "POSIX") or not encoding.lower().replace("-", "").startswith("utf8")
        colour = {"always": True, "never": False}.get(args.color or "auto", capable and not environ.get("NO_COLOR"))
        return cls(mode, narrow, colour, stdout_tty, args.lang or "", not args.no_bell)

    def text(self, text: str) -> str:
        """The text as this terminal can show it."""
        return ascii_only(text) if self.ascii else text

    def say(self, text: str = "") -> None:
        """Append one line to standard output at once."""
        lines = self.text(text).split("\n")
        if (columns := self.columns()) is not None:
            lines = [part for line in lines for part in broken(line, columns)]
        print("\n".join(lines), flush=True)

    def resume(self) -> str:
        """The command that goes on with a match in the same language."""
        return "mastaba resume" + (f" --lang {self.lang}" if self.lang else "")

    def columns(self) -> int | None:
        """The width at which lines are broken now, or None."""
        return max(NARROWEST, shutil.get_terminal_size().columns) if self.wraps else None


def complain(sentence: str) -> None:
    """One sentence on standard error, in whatever encoding it has."""
    encoding, lines = sys.stderr.encoding or "ascii", [f"mastaba: {sentence}"]
    with contextlib.suppress(OSError):  # the terminal may have been closed
        if sys.stderr.isatty():
            lines = broken(lines[0], max(NARROWEST, shutil.get_terminal_size().columns))
        print("\n".join(lines).encode(encoding, "replace").decode(encoding), file=sys.stderr, flush=True)
