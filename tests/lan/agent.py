"""One player without a screen, for tests: opens a table or joins one, and prints a JSON line for all that happens.

agent.py open NAME SIZE        announce a table, wait until it is agreed
agent.py join NAME TABLE|HOST:PORT    find the table, sit down, wait until it is agreed
agent.py list NUMBER           wait until so many tables are seen
"""

import asyncio
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mastaba.core.errors import LocalError
from mastaba.net.addresses import parse_target
from mastaba.net.discovery import Discovery, Found, TableAd
from mastaba.net.guest import Guest
from mastaba.net.lobby import Lobby, Opener
from mastaba.net.peers import Peers
from mastaba.net.store import Store, load_game_data
from mastaba.net.terms import Terms


def say(event: str, **what: Any) -> None:
    print(json.dumps({"event": event, **what}), flush=True)


class Recorder:
    """The handler after the lobby: counts the links that are up."""

    def __init__(self) -> None:
        self.up: set[int] = set()

    def link_up(self, link: int, identity: bytes, addresses: Any) -> None:
        self.up.add(link)

    def link_down(self, link: int) -> None:
        self.up.discard(link)

    placed = ()

    def receive(self, link: int, message: Any) -> None: ...
    def tick(self, now: float) -> None: ...
    def take_outbox(self) -> list[Any]:
        return []

    def take_closes(self) -> list[Any]:
        return []


async def seen(discovery: Discovery, heard: asyncio.Event, number: int, name: str | None = None) -> list[Found]:
    while True:
        found = [f for f in discovery.tables() if name in (None, f.ad.name)]
        if len(found) >= number:
            return found
        heard.clear()
        await heard.wait()


async def play(peers: Peers, lobby: Lobby, changed: asyncio.Event, identity: bytes) -> None:
    while not lobby.agreed:
        if lobby.trouble:
            raise lobby.trouble
        changed.clear()
        await changed.wait()
    recorder = Recorder()
    await peers.set_handler(recorder)
    for seat, places in zip(lobby.agreed.roster.seats, lobby.agreed.places, strict=True):
        if seat.identity != identity:
            peers.keep(seat.identity, lambda places=places: places)
    while len(recorder.up) < len(lobby.agreed.roster.seats) - 1:
        changed.clear()
        await changed.wait()
    say("agreed", match=lobby.agreed.roster.match.hex(), names=[s.name for s in lobby.agreed.roster.seats])
    end = asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)  # until the test has seen all
    end.add_done_callback(lambda _: changed.set())
    told = len(recorder.up)
    while not end.done():
        changed.clear()
        await changed.wait()
        if len(recorder.up) != told and not end.done():
            told = len(recorder.up)
            say("links", number=told)


async def main(command: str, name: str, *more: str) -> None:
    changed, heard = asyncio.Event(), asyncio.Event()
    discovery = Discovery(heard.set)
    with Store().take_profile() as profile, ThreadPoolExecutor(1) as pool:
        peers = Peers(profile, pool, Recorder(), changed.set)
        try:
            await discovery.start()
            if command == "list":
                found = await seen(discovery, heard, int(name))
                say("tables", tables=[[f.ad.name, f.ad.id, list(f.addresses)] for f in found])
                return
            await peers.start()
            if command == "open":
                size = int(more[0])
                terms = Terms(name, "loot", size, load_game_data("loot")[0])
                lobby: Lobby = Opener(profile.identity, name, terms, peers.addresses, os.urandom)
                await peers.set_handler(lobby)
                port = peers.addresses[0][1]
                discovery.announce(TableAd(profile.identity.public[:8].hex(), name, "loot", 1, size, "open"), port)
                say("open", port=port, id=profile.identity.public[:8].hex())
            else:
                lobby = guest = Guest(profile.identity, name, peers.addresses, os.urandom)
                await peers.set_handler(guest)
                target = more[0]
                say("looking")
                addresses = (parse_target(target),) if ":" in target else (await seen(discovery, heard, 1, target))[0].addresses
                await peers.call(guest.join, await peers.dial(addresses))
            await play(peers, lobby, changed, profile.identity.public)
        except LocalError as error:
            say("trouble", why=str(error))
        finally:
            await discovery.close()
            await peers.close()


asyncio.run(main(*sys.argv[1:]))
