"""Signals that end the program, for its whole life.

Nothing else installs handlers, so that a second Ctrl-C cannot cut the good-bye short.
"""

import asyncio
import signal
from collections.abc import Callable
from types import TracebackType


class Stop:
    """`async with Stop() as stop`: INT calls `on_interrupt` (default: like the others); TERM, HUP and QUIT set `asked`."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.on_interrupt: Callable[[], None] = self.asked.set

    async def __aenter__(self) -> "Stop":
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, lambda: self.on_interrupt())
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            loop.add_signal_handler(number, self.asked.set)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            loop.remove_signal_handler(number)
