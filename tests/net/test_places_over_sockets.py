"""Seats given and lost over real sockets, with announcements."""

import asyncio
import os
from pathlib import Path

import pytest
from lobbynet import Lazy, seeded
from mastaba.net import lobby
from mastaba.net.addresses import show_address
from mastaba.net.client import Client
from mastaba.net.enter import join_table, open_table
from mastaba.net.guest import Guest
from mastaba.net.store import Store
from peernet import PATIENCE, nodes

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


async def until(client: Client, what: str) -> None:
    """Until the client's table is in that phase, "play" being the match."""
    changed = asyncio.Event()
    client.subscribe(changed.set)
    async with asyncio.timeout(PATIENCE):
        while what != ("play" if client.snapshot is not None else client.lobby.phase if client.lobby else ""):
            changed.clear()
            await changed.wait()


def test_a_stranger_that_takes_the_last_seat_again_and_again_loses_it_and_who_waits_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "PATIENCE", 3.0)
    kind = {"loopback": True, "tag": os.urandom(6).hex()}

    async def main() -> None:
        async with nodes(tmp_path / "s", 1) as (stranger,), open_table(Store(tmp_path / "a"), "loot", 2, name="Ana", **kind) as ana:

            async def sit() -> Guest:
                guest = Lazy(stranger.profile.identity, "Mal", stranger.peers.addresses, seeded(1))
                await stranger.peers.set_handler(guest)
                await stranger.peers.call(guest.join, await stranger.peers.dial(ana.places))
                return guest

            guest = await sit()
            await until(ana, "ready")
            async with join_table(Store(tmp_path / "b"), show_address(ana.places[0]), name="Bea", **kind) as bea:
                await until(bea, "waiting")
                reasons = []
                while reasons[-1:] not in (["late"], ["playing"]):
                    await stranger.until(lambda guest=guest: guest.trouble and guest.parted)
                    reasons.append(guest.trouble.reason)  # type: ignore[union-attr]
                    guest = await sit()
                assert reasons[0] == "unready"
                await until(bea, "play")
                await until(ana, "play")
                assert ana.snapshot is not None
                assert ana.snapshot.names == ("Ana", "Bea")

    asyncio.run(main())


def test_a_full_table_whose_seat_is_free_again_is_announced_as_open(tmp_path: Path) -> None:
    kind = {"loopback": True, "tag": os.urandom(6).hex()}

    async def main() -> None:
        async with nodes(tmp_path / "s", 1) as (stranger,), open_table(Store(tmp_path / "a"), "loot", 2, name="Ana", **kind) as ana:
            guest = Lazy(stranger.profile.identity, "Mal", stranger.peers.addresses, seeded(1))
            await stranger.peers.set_handler(guest)
            await stranger.peers.call(guest.join, await stranger.peers.dial(ana.places))
            await until(ana, "ready")
            await ana.turn_away(stranger.identity)
            await until(ana, "open")
            async with join_table(Store(tmp_path / "b"), name="Bea", **kind):  # it takes none that is announced as full
                await until(ana, "play")

    asyncio.run(main())


def test_who_comes_with_a_bot_is_known_for_it_by_all(tmp_path: Path) -> None:
    kind = {"loopback": True, "tag": os.urandom(6).hex()}

    async def main() -> None:
        async with (
            open_table(Store(tmp_path / "a"), "loot", 3, name="Ana", **kind) as ana,
            join_table(Store(tmp_path / "b"), name="Bot", bot=True, **kind) as bot,
        ):
            await until(bot, "open")
            await ana.begin_now()
            for client in (ana, bot):
                await until(client, "play")
                assert client.snapshot is not None
                assert client.snapshot.bots == (1,)
                assert client.snapshot.names == ("Ana", "Bot")

    asyncio.run(main())
