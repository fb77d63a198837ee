"""A client and whoever plays it: the screen, lines or a bot, from sitting down to the farewell."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING

from ..core.view import Snapshot
from . import bot as bots
from .exits import Exit
from .lines import Lines, farewell
from .stop import Stop
from .terminal import Terminal
from .tutorial import Guide

if TYPE_CHECKING:
    from ..net.client import Client

Enter = Callable[[], "AbstractAsyncContextManager[Client]"]
FAULTS_OF_NOBODY = ("desync", "disk", "old-journal")


async def run(
    enter: Enter,
    terminal: Terminal,
    bot: str | None = None,
    guide: Guide | None = None,
    again: "Callable[[Client], Enter] | None" = None,
) -> Exit:
    """Enter the client, play, leave in good order, and say how it went.  Raises LocalError.

    `again` gives the way to another match with the same people, for as long as they want one.
    """
    following: Enter | None = enter
    code = Exit.OK
    while following is not None:
        code, following = await _once(following, terminal, bot, guide, again)
    return code


async def _once(
    enter: Enter, terminal: Terminal, bot: str | None, guide: Guide | None, again: "Callable[[Client], Enter] | None"
) -> tuple[Exit, Enter | None]:
    async with Stop() as stop, AsyncExitStack() as stack:
        client = await _entered(stack, enter(), stop)
        if client is None:
            return Exit.INTERRUPTED, None
        wanted = False
        watching = client.snapshot is not None and client.snapshot.view.seat is None
        if watching and not sys.stdin.isatty():
            left = await Lines(client, terminal, stop, seat_plays_itself=True).run()  # nobody is there to type, and nothing to be typed
        elif bot is not None:
            left = await _with_bot(client, bot, Lines(client, terminal, stop, seat_plays_itself=True))
        elif terminal.mode == "screen":
            from .screen import Screen

            screen = Screen(client, terminal, stop, guide=guide, again=again is not None)
            left, wanted = await screen.run(), screen.wants_again
        else:
            lines = Lines(client, terminal, stop, guide=guide, again=again is not None)
            left, wanted = await lines.run(), lines.wants_again
        trouble = client.failed or (client.lobby.trouble if client.snapshot is None and client.lobby else None)
        if left is Exit.OK and trouble:
            raise trouble
        farewell(client, terminal)
        code = outcome(client.snapshot) if left is Exit.OK else left
        return code, again(client) if again is not None and wanted else None


async def _entered(stack: AsyncExitStack, context: "AbstractAsyncContextManager[Client]", stop: Stop) -> "Client | None":
    """The client, or None if a signal came while it was being made: looking for a table takes a while."""
    entering = asyncio.create_task(stack.enter_async_context(context))
    stopped = asyncio.create_task(stop.asked.wait())
    await asyncio.wait({entering, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if entering.done():
        return entering.result()
    entering.cancel()
    await asyncio.gather(entering, return_exceptions=True)
    return None


async def _with_bot(client: "Client", level: str, lines: Lines) -> Exit:
    client.played_by = level
    player = asyncio.create_task(bots.play(client, level))
    watching = asyncio.create_task(lines.run())
    try:
        await asyncio.wait({player, watching}, return_when=asyncio.FIRST_COMPLETED)
        if player.done():
            player.result()  # a bot never stops by itself: this raises what went wrong
        return await watching
    finally:
        for task in (player, watching):
            task.cancel()
        await asyncio.gather(player, watching, return_exceptions=True)


def outcome(snapshot: Snapshot | None) -> Exit:
    """The exit code of a match that was not left."""
    if snapshot is None or snapshot.phase not in ("ended", "stopped"):
        return Exit.OK
    claim, seat, _ = snapshot.trouble[0] if snapshot.trouble else ("", None, "")
    if seat is not None:
        return Exit.CHEAT
    return Exit.FAILURE if claim in FAULTS_OF_NOBODY else Exit.PEERS
