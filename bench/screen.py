"""Rows of the screen of a match: how long a key takes to appear while others' proofs are checked, and how often a game is drawn.

A person on a pseudo-terminal plays a whole network game against bots in programs of their own, which run at the lowest priority,
as if they had machines of their own.
"""

import contextlib
import os
import re
import secrets
import select
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from time import monotonic, perf_counter

import pexpect
import pyte

from .rows import Row, row

BOTS = 3
KEY, UNDO = "x", "\x7f"  # a letter at the prompt, and away with it
PAUSE = 0.05  # seconds between two keys: somebody who types fast
WAIT = 20.0  # seconds after which nothing comes any more
COUNTS = "BENCH_COUNTS"  # the environment's name for the file into which the program writes what it has counted
BARE = "from prompt_toolkit import prompt; prompt('> ')"


def rows() -> list[Row]:
    ours, bare, frames, changes = _game()
    screen, prompt = (quantiles(delays, n=20)[-1] * 1e3 for delays in (ours, bare))
    return [
        row("key-to-screen", screen, f"ms, 95 % of {len(ours)}", 50, peer="a bare prompt", peers=prompt),
        row("frames-drawn", frames, f"for {changes} changes", 2 * changes),
    ]


class Terminal:
    """A pseudo-terminal with a Python program in it, and what a person sees there."""

    def __init__(self, *argv: str, **environ: str) -> None:
        environ |= {"TERM": "xterm-256color", "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}
        self.child = pexpect.spawn(sys.executable, [*argv], env={**os.environ, **environ}, dimensions=(24, 80), encoding="utf-8")
        self.child.delaybeforesend = None
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    def reads(self, until: float) -> float | None:
        """When the next piece of output came, which is now on the screen; None if none came until then."""
        ready, _, _ = select.select([self.child.child_fd], [], [], max(0.0, until - monotonic()))
        came = perf_counter()
        if not ready:
            return None
        try:
            self._stream.feed(self.child.read_nonblocking(1 << 16, timeout=1))
        except pexpect.EOF:
            raise AssertionError("\n".join(["the program has ended:", *self.lines])) from None
        return came

    def sees(self, what: str) -> float:
        """When the text came, in part of a line."""
        came = 0.0
        while what not in "\n".join(self.lines):
            came = self.reads(monotonic() + WAIT) or self._stays_away(what)
        return came

    def taps(self, key: str, shown: str) -> float:
        """Seconds from the key until a line is what it makes of the prompt."""
        typed = perf_counter()
        self.child.send(key)
        while True:
            came = self.reads(monotonic() + WAIT) or self._stays_away(shown)
            if shown in self.lines:
                return came - typed

    def _stays_away(self, what: str) -> float:
        raise AssertionError("\n".join([f"{what!r} never came:", *self.lines]))


class Player:
    """Whoever sits there: plays the last choice whenever asked."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal, self._answered = terminal, [""]

    def plays(self) -> None:
        lines = self._terminal.lines
        text, board = "\n".join(lines), lines[:-5]
        if "─ Your moves" in text and board != self._answered:
            numbers = re.findall(r"[ ▸](\d) (?:loot|run|awaken|keep)", text.split("─ Your moves")[1])
            if numbers:
                self._answered = board
                self._terminal.child.send(f"{numbers[-1]}\r")


def _game() -> tuple[list[float], list[float], int, int]:
    """Our delays and a bare prompt's in seconds, the frames drawn, and how many changes there were to draw: public events, and keys."""
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as home, _bots(home) as tag:
        counts = Path(home) / "counts"
        words = ("join", "--name", "Ana", "--loopback", "--tag", tag)
        person = Terminal("-m", "bench.screen", *words, MASTABA_HOME=f"{home}/person", **{COUNTS: str(counts)})
        prompt = Terminal("-c", BARE)
        prompt.sees(">")
        person.sees("─ Players")
        player = Player(person)
        while "The game is over" not in "\n".join(person.lines):
            for key, shown in ((KEY, f"> {KEY}"), (UNDO, ">")):
                ours.append(person.taps(key, shown))
                bare.append(prompt.taps(key, shown))
            player.plays()
            until = monotonic() + PAUSE
            while monotonic() < until:
                person.reads(until)
        person.sees("everybody has signed")
        for terminal in (person, prompt):
            terminal.child.send("\r")
            terminal.child.expect(pexpect.EOF)
            terminal.child.close()
        frames, events = map(int, counts.read_text().split())
    return ours, bare, frames, events + len(ours)


@contextlib.contextmanager
def _bots(home: str) -> Iterator[str]:
    """A table with bots on it that waits for one more; the tag by which it is found."""
    tag = secrets.token_hex(6)
    with contextlib.ExitStack() as stack:
        for i, words in enumerate((["open", "loot", "--seats", str(BOTS + 1)], *[["join"]] * (BOTS - 1))):
            command = ["nice", "-n", "19", sys.executable, "-m", "mastaba.cli", *words]
            command += ["--bot", "sensible", "--report", "--loopback", "--tag", tag, "--name", f"P{i}"]
            environ = {**os.environ, "MASTABA_HOME": f"{home}/{i}"}
            child = subprocess.Popen(command, env=environ, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            stack.callback(child.wait)
            stack.callback(child.kill)
        yield tag


def _counted() -> int:
    """The program itself; at its end it writes the number of its frames and of the match's public events."""
    from mastaba.cli.__main__ import main
    from mastaba.cli.screen import Screen

    screens: list[Screen] = []
    run = Screen.run

    async def kept(screen: Screen) -> object:
        screens.append(screen)
        return await run(screen)

    Screen.run = kept  # type: ignore[method-assign,assignment]
    code = main(sys.argv[1:])
    snapshot = screens[0].snapshot
    Path(os.environ[COUNTS]).write_text(f"{screens[0].app.render_counter} {len(snapshot.log) if snapshot else 0}")
    return code


if __name__ == "__main__":
    sys.exit(_counted())
