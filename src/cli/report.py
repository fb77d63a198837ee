"""A bot's seat that tells a parent program what happens, as lines of JSON on standard output; the demo listens.

Events: {"event": "identity", "identity": hex}, "table" (places: [[host, port], ...]), "seated" (n), "deaf", "phase" (phase),
"log" (text), "end" (phase, scores, winners, steps, transcript, verified, seats: identities in seat order) and "trouble" (text).
The seat ends with its parent: when standard input ends.
"""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from ..core.errors import LocalError
from . import bot as bots
from .check import check_file
from .exits import Exit
from .play import outcome
from .show import show_of, status
from .stop import Stop
from .story import Story
from .typist import Typist
from .words import error_words, exit_code

if TYPE_CHECKING:
    from ..net.addresses import Address
    from ..net.client import Client

HEARING = 5.0  # seconds after which a program that has found no table says that it hears nothing


def tell(event: str, **fields: object) -> None:
    """One line for the parent; hostile characters are escaped."""
    print(json.dumps({"event": event, **fields}), flush=True)


async def run(enter: "Callable[[], AbstractAsyncContextManager[Client]]", level: str) -> Exit:
    """Play a whole match with a bot and verify its transcript; the exit code says how it went."""
    async with Stop() as stop:
        orphaned = asyncio.create_task(_parent_gone(stop))
        deaf = asyncio.create_task(_say_deaf())
        match = asyncio.create_task(_match(enter, level, deaf))
        stopped = asyncio.create_task(stop.asked.wait())
        try:
            await asyncio.wait({match, stopped}, return_when=asyncio.FIRST_COMPLETED)
            return match.result() if match.done() else Exit.INTERRUPTED
        except LocalError as error:
            tell("trouble", text=error_words(error))
            return exit_code(error)
        finally:
            for task in (match, deaf, orphaned, stopped):
                task.cancel()
            await asyncio.gather(match, deaf, orphaned, stopped, return_exceptions=True)


async def _match(enter: "Callable[[], AbstractAsyncContextManager[Client]]", level: str, deaf: asyncio.Task[None]) -> Exit:
    async with enter() as client:
        telling = Telling(client, deaf)
        client.subscribe(telling.changed)
        telling.changed()
        client.played_by = level
        client.hold = 0.0  # all seats of a demo are programs
        player = asyncio.create_task(bots.play(client, level))
        ended = asyncio.create_task(client.finished())
        try:
            await asyncio.wait({player, ended}, return_when=asyncio.FIRST_COMPLETED)
            if player.done():
                player.result()  # a bot never stops by itself: this raises what went wrong
            ended.result()
        finally:
            for task in (player, ended):
                task.cancel()
            await asyncio.gather(player, ended, return_exceptions=True)
        telling.changed()
        snapshot = client.snapshot
        if snapshot is None:
            if client.lobby is not None and client.lobby.trouble is not None:
                raise client.lobby.trouble
            return Exit.PEERS
        over = snapshot.view.over
        verified, seats = False, []
        if client.transcript is not None:
            report = await asyncio.to_thread(check_file, client.transcript, None)
            verified = report.ok and report.complete
            seats = [identity.hex() for _name, identity in report.seats]
        tell(
            "end",
            phase=snapshot.phase,
            scores=list(over.scores) if over else [],
            winners=list(over.winners) if over else [],
            steps=snapshot.step,
            transcript=str(client.transcript or ""),
            verified=verified,
            seats=seats,
            trouble=status.trouble(snapshot),
        )
        return outcome(snapshot)


class Telling:
    """Turns every change of the client into events."""

    def __init__(self, client: "Client", deaf: asyncio.Task[None]) -> None:
        self.client, self.deaf = client, deaf
        self.phase, self.seated = "", 0
        self.places: tuple[Address, ...] = ()
        self.story: Story | None = None
        tell("identity", identity=client.identity.public.hex())

    def changed(self) -> None:
        lobby, snapshot = self.client.lobby, self.client.snapshot
        if lobby is not None and len(lobby.seats) != self.seated:
            self.deaf.cancel()
            self.seated = len(lobby.seats)
            tell("seated", n=self.seated)
        if self.client.places != self.places:
            self.places = self.client.places
            tell("table", places=self.places)
        if snapshot is None:
            return
        self.deaf.cancel()
        if snapshot.phase != self.phase:
            self.phase = snapshot.phase
            tell("phase", phase=self.phase)
        self.story = self.story or Story(show_of(snapshot.view.rules.NAME))
        for text in self.story.update(snapshot):
            tell("log", text=text)


async def _say_deaf() -> None:
    await asyncio.sleep(HEARING)
    tell("deaf")


async def _parent_gone(stop: Stop) -> None:
    typist = Typist()
    while await typist.next() is not None:
        pass
    stop.asked.set()
