"""Finished matches: on disk, as a player has them, a transcript and beside it what one seat saw; and between two real clients."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fakenet import Net
from mastaba.cli import bot
from mastaba.net.client import Client
from mastaba.net.enter import join_table, open_table
from mastaba.net.seen import beside, seen_by
from mastaba.net.store import Store

DATA = Path(__file__).parent / "data"
ME = 1  # the seat whose files they are


def match_files(folder: Path, game: str, seats: int = 3) -> tuple[Path, Path, Net]:
    """(transcript, component table, the net that played it)."""
    table = DATA / f"{game}-small.toml"
    net = Net(seats, seed=5, game=game, path=table, first=1)
    net.connect()
    net.run()
    session = net.sessions[ME]
    assert session.table.done
    path = folder / f"{game}.mastaba"
    path.write_bytes(session.transcript())
    beside(path, session.me).write_bytes(seen_by(session).encode())
    return path, table, net


@asynccontextmanager
async def played_by_bots(home: Path, tag: str, patience: float = 90) -> AsyncIterator[tuple[Client, Client]]:
    """The two clients of a match of Loot N Run over loopback, with data folders "a" and "b", once their bots have ended it."""
    data = DATA / "loot-small.toml"
    async with open_table(Store(home / "a"), "loot", 2, name="Ana", data=data, loopback=True, tag=tag) as opener:
        address = f"127.0.0.1:{opener.places[0][1]}"
        async with join_table(Store(home / "b"), address, name="Beto", loopback=True, tag=tag) as guest:
            players = [asyncio.create_task(bot.play(client, "random")) for client in (opener, guest)]
            await asyncio.wait_for(asyncio.gather(opener.finished(), guest.finished()), patience)
            for player in players:
                player.cancel()
            await asyncio.gather(*players, return_exceptions=True)
            yield opener, guest
