"""Whose a table is that was heard: what is announced proves nothing, so the table itself is asked, once, on a link of the moment."""

import asyncio
from collections.abc import Callable, Iterable

from ..core.errors import LocalError
from .addresses import show_address
from .discovery import Found
from .identity import words
from .peers import ask_table

MAX_ASKED = 8  # tables asked at the same time, and named to a person who has to choose


class Inquiry:
    """Asks the tables that it is shown; `on_answer` is called in the event loop whenever one has answered."""

    def __init__(self, on_answer: Callable[[], None]) -> None:
        self._on_answer = on_answer
        self._room = asyncio.Semaphore(MAX_ASKED)
        self._tasks: dict[str, asyncio.Task[bytes]] = {}

    def identity(self, found: Found) -> bytes:
        """Who has proven to be at the table; empty as long as nobody has."""
        if found.service not in self._tasks:
            self._tasks[found.service] = asyncio.create_task(self._ask(found))
            self._tasks[found.service].add_done_callback(lambda task: self._on_answer())
        task = self._tasks[found.service]
        return task.result() if task.done() and not task.cancelled() else b""

    async def choices(self, tables: Iterable[Found]) -> str:
        """These tables for a person: the words and the address of each, a few at most."""
        some = list(tables)[:MAX_ASKED]
        for found in some:
            self.identity(found)
        answers = await asyncio.gather(*(self._tasks[found.service] for found in some))
        named = (
            f"{words(identity)} ({show_address(found.addresses[0])})" for found, identity in zip(some, answers, strict=True) if identity
        )
        return ", ".join(sorted(named))

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _ask(self, found: Found) -> bytes:
        async with self._room:
            try:
                identity, _table = await ask_table(found.addresses)
            except LocalError:
                return b""
        return identity
