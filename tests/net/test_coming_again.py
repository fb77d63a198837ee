"""A guest whom a crowd keeps out, or drops before it has a seat, comes again by itself; a full table is another matter."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lobbynet import Room
from mastaba.core.errors import LocalError
from mastaba.net import seated
from mastaba.net.channel import Refused
from mastaba.net.client import Client
from mastaba.net.enter import join_table, open_table
from mastaba.net.lobby import Opener
from mastaba.net.peers import CutOff, Peers
from mastaba.net.store import Store
from mastaba.net.wire import Refuse, Sit, Stand

DATA = Path(__file__).parents[1] / "data" / "loot-small.toml"


def test_a_guest_that_is_dropped_before_it_sits_asks_anew_over_another_link() -> None:
    room = Room(2)
    guest = room.guest()
    room.cut(0, 1)
    assert guest.waits
    assert guest.state.trouble is None
    room.link(0, 1)
    guest.join(0)
    assert not guest.waits
    room.run()
    assert guest.agreed


def test_a_guest_whose_seat_was_asked_for_and_not_given_yet_asks_anew() -> None:
    room = Room(3)
    guest = room.guest()
    while not any(isinstance(message, Sit) for _, message in guest._out):
        room.run(1)
    room.cut(0, 1)
    assert guest.waits
    room.link(0, 1)
    guest.join(0)
    room.run()
    assert [seat.name for seat in room.opener.state.seats] == ["Ana", "Ana 2"]
    assert not guest.waits


def test_a_guest_that_a_crowd_drives_out_asks_anew_and_one_that_had_a_seat_does_not() -> None:
    room = Room(3)
    guest = room.guest()
    guest.receive(0, Refuse("crowded", ""))
    assert guest.waits
    other = room.guest()
    room.run()
    room.cut(0, 2)
    assert not other.waits
    assert other.trouble is not None


@pytest.mark.parametrize("reason", ["playing", "closed", "version", "kept"])
def test_who_is_refused_for_another_reason_does_not_come_again(reason: str) -> None:
    room = Room(2)
    guest = room.guest()
    guest.receive(0, Refuse(reason, ""))
    room.cut(0, 1)
    assert not guest.waits


def test_who_has_sat_down_makes_room_for_nobody() -> None:
    room = Room(3)
    room.guest()
    room.run()
    other = room.guest()
    assert room.opener.placed == [1]
    room.say(1, Stand())
    room.run()
    assert room.opener.placed == [2]
    assert other.placed == ()


async def joined(home: Path, tag: str) -> None:
    """A guest joins a table over loopback, and both have agreed."""
    async with open_table(Store(home / "a"), "loot", 2, name="Ana", data=DATA, loopback=True, tag=tag) as opener:
        address = f"127.0.0.1:{opener.places[0][1]}"
        async with join_table(Store(home / "b"), address, name="Bea", loopback=True, tag=tag) as guest:
            began = asyncio.Event()
            for client in (opener, guest):
                client.subscribe(began.set)

            def playing(client: Client) -> bool:
                if client.ended.is_set():
                    raise AssertionError(client.failed or (client.lobby and client.lobby.trouble))
                return client.snapshot is not None

            async with asyncio.timeout(20):
                while not (playing(opener) and playing(guest)):
                    began.clear()
                    await began.wait()


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_guest_tries_to_get_through_a_crowd_until_it_is_let_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seated, "COME_AGAIN", (0.0, 0.01))
    refusals: list[LocalError] = [Refused("crowded"), CutOff("x"), Refused("crowded")]
    dial = Peers.dial

    async def kept_out(self: Peers, *asked: Any, **how: Any) -> int:
        if refusals and "attempts" not in how:
            raise refusals.pop()
        return await dial(self, *asked, **how)

    monkeypatch.setattr(Peers, "dial", kept_out)
    asyncio.run(joined(tmp_path, "crowd"))
    assert not refusals


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_guest_whose_link_is_dropped_before_it_sits_comes_back_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seated, "COME_AGAIN", (0.0, 0.01))
    dropped: list[int] = []
    receive = Opener.receive

    def drops(self: Opener, link: int, message: Any) -> None:
        if len(dropped) < 2 and link not in dropped:
            dropped.append(link)
            self._closes.append((link, "crowded" if len(dropped) == 1 else ""))
        elif link not in dropped:
            receive(self, link, message)

    monkeypatch.setattr(Opener, "receive", drops)
    asyncio.run(joined(tmp_path, "drop"))
    assert len(dropped) == 2


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
@pytest.mark.parametrize("error", [Refused("full"), Refused("playing"), LocalError("Nobody answers at {0}.", "x")])
def test_who_is_not_kept_out_by_a_crowd_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: LocalError) -> None:
    async def refused(self: Peers, *asked: Any, **how: Any) -> int:
        raise error

    monkeypatch.setattr(Peers, "dial", refused)
    with pytest.raises(LocalError) as caught:
        asyncio.run(joined(tmp_path, "told"))
    assert caught.value is error
