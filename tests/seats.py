"""Pseudo-terminals with the program in them, and pyte as the eyes of the person in front of each."""

import os
import re
import select
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pexpect
import pyte

SMALL = Path(__file__).parent / "data" / "loot-small.toml"
WAIT = 60
T = TypeVar("T")


class Seat:
    """A terminal with the program in it; `screen` is what a person sees."""

    def __init__(
        self, home: Path, *words: str, columns: int = 80, rows: int = 24, program: tuple[str, ...] = ("-m", "mastaba.cli"), **others: str
    ) -> None:
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}  # a terminal has its own
        environ = {**inherited, "MASTABA_HOME": str(home), "TERM": "xterm-256color", "LANGUAGE": "en", "LC_ALL": "C.UTF-8", **others}
        self.process = pexpect.spawn(
            sys.executable, [*program, *words], env=environ, dimensions=(rows, columns), encoding="utf-8", timeout=WAIT
        )
        self.before = termios.tcgetattr(self.process.child_fd)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written = ""
        self.process.logfile_read = self

    def write(self, data: str) -> None:
        self.written += data
        self.stream.feed(data)

    def flush(self) -> None: ...

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    @property
    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self.screen.display)

    def rows(self, first: int, last: int) -> str:
        return "\n".join(self.text.split("\n")[first:last])

    def sees(self, *whats: str) -> str:
        """Read until one of the texts is on the screen; returns which."""
        return self._read_until(lambda: next((what for what in whats if what in self.text), None), f"none of {whats}")

    def settles(self, *whats: str) -> None:
        """Read until all of the texts are on the screen, each once: a screen may be read while it is drawn anew."""
        self._read_until(lambda: all(self.text.count(what) == 1 for what in whats) or None, f"not once each of {whats}")

    def reads(self, pattern: str) -> str:
        """Read until the pattern is on the screen, spaces and line ends as one space; returns its first group."""
        return self._read_until(lambda: re.search(pattern, " ".join(self.text.split())), f"no {pattern}")[1]

    def _read_until(self, look: Callable[[], T | None], complaint: str) -> T:
        while (found := look()) is None:
            try:
                self.process.expect(r".+", timeout=WAIT)
            except (pexpect.EOF, pexpect.TIMEOUT) as error:
                raise AssertionError(f"{complaint} ({type(error).__name__}):\n{self.text}\n{self.written[-2000:]}") from None
        return found

    def type(self, keys: str) -> None:
        self.process.send(keys)

    def ends(self) -> int | None:
        """Read to the end; the exit code, or minus the signal that killed it."""
        self.process.expect(pexpect.EOF, timeout=WAIT)
        self.process.close()
        return self.process.exitstatus if self.process.signalstatus is None else -self.process.signalstatus

    def is_clean(self) -> None:
        """The alternate screen is left, the cursor shown, the mouse and bracketed paste off."""
        assert self.written.count("\x1b[?1049h") == self.written.count("\x1b[?1049l")
        assert self.written.rfind("\x1b[?25h") >= self.written.rfind("\x1b[?25l")
        assert self.written.rfind("\x1b[?2004l") >= self.written.rfind("\x1b[?2004h")
        assert not re.search(r"\x1b\[\?100[0-6]h", self.written)
        assert "Traceback" not in self.written


def finish(seats: list[Seat], until: str = "The game is over") -> None:
    """Each plays its last choice whenever it is asked, until the text is on every screen: by default, that the game is over."""
    acted = {id(seat): "" for seat in seats}
    playing = list(seats)
    while True:
        for seat in list(playing):
            if until in seat.text:
                playing.remove(seat)
            elif "then Enter" in seat.text and seat.rows(0, -5) != acted[id(seat)]:
                numbers = re.findall(r"[ ▸](\d) (?:loot|run|awaken|keep)", seat.text.partition("─ Your moves")[2])
                if numbers:  # else the screen is being drawn, and there is more to read
                    acted[id(seat)] = seat.rows(0, -5)
                    seat.type(f"{numbers[-1]}\r")
        if not playing:
            return
        ready, _, _ = select.select([seat.process.child_fd for seat in playing], [], [], WAIT)
        assert ready, "nothing happens any more:\n" + "\n".join(seat.text for seat in playing)
        for seat in [s for s in playing if s.process.child_fd in ready]:
            try:
                seat.process.read_nonblocking(65536, timeout=1)
            except (pexpect.EOF, pexpect.TIMEOUT) as error:
                raise AssertionError(f"{type(error).__name__}:\n{seat.text}\n{seat.written[-2000:]}") from None
