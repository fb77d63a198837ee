"""Lines from standard input, for an event loop; it knows no match.

A daemon thread reads them, because an event loop cannot wait for files and hangs on /dev/null.
"""

import asyncio
import contextlib
import functools
import os
import select
import sys
import threading
from typing import TextIO

LONGEST = 4096  # characters of one typed line; a file without line ends ends here


class Source:
    """Lines of an open file, for all who read it one after another.

    `alone`: the last line came by itself, after all before it had been answered; else it may have been written together with
    others, before it was known what would be asked.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._held = bytearray()
        self.alone = file.isatty() or self._dry()

    def line(self) -> str | None:
        """Wait for the next line; None once the input has ended.  Raises OSError or ValueError where there is none."""
        try:
            file = self._file.fileno()
        except OSError:  # no file of the system's
            text = self._file.readline(LONGEST)
            return text.rstrip("\r\n") if text else None
        alone = not self._held and (self._dry() or self.alone)  # after one that was answered at once the next may already be here
        while (end := self._held.find(b"\n") + 1) == 0 and len(self._held) < LONGEST:
            chunk = os.read(file, LONGEST)
            if not chunk:
                break
            self._held += chunk
        end = min(end or LONGEST, LONGEST)
        line, self._held = bytes(self._held[:end]), self._held[end:]
        self.alone = alone and not self._held
        return line.decode(self._file.encoding, "replace").rstrip("\r\n") if line else None

    def _dry(self) -> bool:
        """Is there nothing to be read now?  Raises nothing: of an input that is closed that is found out by reading."""
        try:
            return not select.select([self._file.fileno()], [], [], 0)[0]
        except (OSError, ValueError):
            return False


@functools.cache
def source(file: TextIO) -> Source:
    """The one of this file: what one reader has left is the next one's."""
    return Source(file)


class Typist:
    """Lines from standard input; None once it has ended.  None is read before it is wanted: it may be the next typist's."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self.source = source(sys.stdin)
        self.silent = True  # nothing has been typed yet
        self._wanted = threading.Semaphore(0)
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def _read(self) -> None:
        while True:
            self._wanted.acquire()
            try:
                line = self.source.line()
            except (OSError, ValueError):
                line = None
            with contextlib.suppress(RuntimeError):  # the loop is closed: the program is about to end
                self._loop.call_soon_threadsafe(self.lines.put_nowait, line)
            if line is None:
                return

    async def next(self) -> str | None:
        self._wanted.release()
        line = await self.lines.get()
        if line is not None:
            self.silent = False
        return line
