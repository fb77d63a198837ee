"""A seat that plays by itself: it decides from the seat's view on a thread of its own, and answers as a person's client does."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ..core.bots import decide
from ..core.errors import LocalError
from ..core.view import Snapshot
from .text import _

if TYPE_CHECKING:
    from ..net.client import Client

LEVEL = "sensible"  # of a bot that stands in for a person


class Deputy:
    """A bot in a person's seat, in the person's own program, for as long as the person wants it."""

    def __init__(self, client: "Client") -> None:
        self._client = client
        self._task: asyncio.Task[None] | None = None

    @property
    def on(self) -> bool:
        """Is the bot playing now?"""
        return self._task is not None and not self._task.done()

    def sit(self) -> None:
        """The bot plays from now on; in the records the match is the bot's.  Votes stay the person's."""
        if not self.on:
            self._client.played_by = LEVEL
            self._task = asyncio.create_task(play(self._client, LEVEL))
            self._task.add_done_callback(_report)

    def stand(self) -> None:
        """The person plays again."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def words(self) -> str:
        """Who plays this seat."""
        return _("A bot plays your seat; me: you play again.") if self.on else _("You play your seat yourself.")


def _report(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        task.get_loop().call_exception_handler({"message": "the bot has stopped", "exception": error})


async def play(client: "Client", level: str) -> None:
    """Answer every decision of this seat until cancelled.  The view is a copy: the bot sees and touches nothing else, and never votes."""
    changed = asyncio.Event()
    client.subscribe(changed.set)
    loop = asyncio.get_running_loop()
    answered = (-1, 0)
    with ThreadPoolExecutor(1, "bot") as pool:
        while True:
            changed.clear()
            snapshot = client.snapshot
            if snapshot is not None and snapshot.asked and snapshot.decision != answered:
                until = loop.time() + client.hold
                move = await loop.run_in_executor(pool, decide, level, snapshot.view, os.urandom)
                await asyncio.sleep(until - loop.time())  # how long it thought would tell what it holds
                answered = snapshot.decision
                try:
                    await client.answer(move)
                except LocalError as error:
                    if error.sentence != "not-asked":  # else the person whose seat it is has been quicker
                        raise
            await changed.wait()


def overdue(snapshot: Snapshot) -> int | None:
    """The seat without which this one may now vote to go on: its grace is over; None if there is none, or this seat has voted."""
    me = snapshot.view.seat
    gone = {*snapshot.view.rules.gone, *snapshot.left}
    persons = {seat for seat in range(len(snapshot.names)) if seat not in gone and seat not in snapshot.bots}
    voted = {seat for seat, lost in snapshot.votes if lost is not None}  # a "stay" may be the program's, and its grounds gone
    if snapshot.phase in ("over", "done") or me not in persons or me in voted:
        return None
    late = [seat for seat, seconds in snapshot.silent if seconds == 0 and 2 * len(persons - {seat}) > len(persons)]
    return late[0] if late else None
