"""Peers of a match that have lost each other: announcements lead them together, and false ones cannot keep them apart."""

import asyncio
import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from mastaba.net import peers, reunion as module
from mastaba.net.addresses import MAX_TRIED, Address
from mastaba.net.discovery import Discovery, Found, TableAd
from mastaba.net.reunion import Reunion
from peernet import mute, nodes

MATCH = "aa" * 8
PEER = bytes(range(32))
KNOWN = (("10.0.0.2", 24642), ("10.0.0.3", 24642))
AD = TableAd("11" * 8, "Ana", "loot", 2, 2, "play", MATCH)
hosts = st.ip_addresses(v=4).map(str) | st.ip_addresses(v=6).map(str)
announced = st.lists(st.lists(st.tuples(hosts, st.integers(1, 65535)), min_size=1, max_size=40), max_size=20)


class Notes:
    """What the links are told: where to dial when, and what at once."""

    def __init__(self) -> None:
        self.places: dict[bytes, Callable[[], tuple[Address, ...]]] = {}
        self.hurried: list[tuple[bytes, tuple[Address, ...]]] = []

    def keep(self, identity: bytes, places: Callable[[], tuple[Address, ...]]) -> None:
        self.places[identity] = places

    def hurry(self, identity: bytes, addresses: Any) -> None:
        self.hurried.append((identity, tuple(addresses)))


def told(records: list[list[Address]], identity: bytes = PEER) -> Discovery:
    """A discovery that has heard these announcements of the peer."""
    discovery = Discovery()
    ad = replace(AD, id=identity[:8].hex())
    discovery._found = {str(i): Found(str(i), ad, "1-1", True, "", "", tuple(record)) for i, record in enumerate(records)}
    return discovery


@settings(max_examples=40)
@given(announced)
def test_where_a_peer_is_known_to_be_is_dialled_whatever_is_announced(records: list[list[Address]]) -> None:
    links = Notes()
    Reunion(links, told(records), AD, {PEER: KNOWN}, loopback=False).begin()  # type: ignore[arg-type]
    places = links.places[PEER]()
    assert places[:2] == KNOWN
    assert len(set(places)) == len(places) <= MAX_TRIED
    assert set(places) <= {*KNOWN, *(address for record in records for address in record)}


@settings(max_examples=30)
@given(st.integers(0, 63), st.integers(1, 40))
def test_each_announcer_has_its_turn_however_many_lie_and_however_much(liars: int, each: int) -> None:
    real = ("10.0.0.9", 1)
    false = [[(f"10.1.{i}.{k}", 1) for k in range(1, each + 1)] for i in range(liars)]
    links = Notes()
    Reunion(links, told([*false, [real]]), AD, {PEER: KNOWN}, loopback=False).begin()  # type: ignore[arg-type]
    for _ in range(2000):  # a chance of 14 in 64 at least, each time
        if real in links.places[PEER]():
            return
    pytest.fail("never dialled where it is")


def test_only_places_of_one_other_machine_are_dialled() -> None:
    bad = ["127.0.0.1", "224.0.0.251", "255.255.255.255", "0.0.0.0", "::1", "ff02::fb"]
    good = [("10.0.0.9", 1), ("fe80::1%1", 2)]
    links = Notes()
    Reunion(links, told([[(host, 5) for host in bad], good]), AD, {PEER: ()}, loopback=False).begin()  # type: ignore[arg-type]
    assert sorted(links.places[PEER]()) == sorted(good)


def test_what_is_announced_anew_is_dialled_at_once_and_only_once() -> None:
    links, discovery = Notes(), told([[("10.0.0.9", 1)]])
    again = Reunion(links, discovery, AD, {PEER: KNOWN}, loopback=False)  # type: ignore[arg-type]
    again._look_for(PEER)
    again._look_for(PEER)
    assert links.hurried == [(PEER, (("10.0.0.9", 1),))]
    discovery._found |= told([[("10.0.0.9", 1)], [("10.0.0.8", 1)]])._found
    again._look_for(PEER)
    assert links.hurried[1:] == [(PEER, (("10.0.0.8", 1),))]


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_two_peers_meet_though_a_crowd_of_mute_places_is_announced_for_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GREETING", 1000.0)  # one that is waited for is waited for in vain
    monkeypatch.setattr(module, "LOOK", 0.05)

    async def main() -> None:
        async with nodes(tmp_path, 2) as made, mute(made[0].profile, 10) as silent:
            looks = []
            for node, other in zip(made, reversed(made), strict=True):
                told_of = told([*([place] for place in silent.addresses), list(other.peers.addresses)], other.identity)
                monkeypatch.setattr(told_of, "announce", lambda *_: None)
                told_of._zeroconf = functools  # type: ignore[assignment]  # it has been started, and sends nothing
                gone = [("127.0.0.1", 9)]
                again = Reunion(node.peers, told_of, AD, {other.identity: tuple(gone)}, loopback=True)
                again.begin()
                away = functools.partial(lambda node, other: [] if node.handler.up else [other.identity], node, other)
                looks.append(asyncio.create_task(again.run(away, lambda: 1, False)))
            for node in made:
                await node.until(lambda node=node: node.handler.up)
            for look in looks:
                look.cancel()
            await asyncio.gather(*looks, return_exceptions=True)

    asyncio.run(main())
