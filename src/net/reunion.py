"""Bringing the peers of a running match together again, wherever they are now: it knows links, addresses and announcements, no session.

While somebody of the match has no link, all show the match on the network, and dial whoever of it shows himself at a new address.
What is heard is unauthenticated: a link to an address counts only if the seat's identity is proven at its far end.
"""

import asyncio
import functools
import itertools
import random
from collections.abc import Callable, Collection, Mapping

from ..core.errors import LocalError
from .addresses import MAX_TRIED, Address, good_place, own_hosts
from .discovery import Discovery, TableAd
from .links import Links

LOOK = 1.0  # seconds between looks at who has a link, and at our own addresses


class Reunion:
    """`ad` is what is announced, with the match's tag; `places` is where each other identity was last known to be."""

    def __init__(
        self, links: Links, discovery: Discovery, ad: TableAd, places: Mapping[bytes, tuple[Address, ...]], loopback: bool
    ) -> None:
        self._links, self._discovery, self._ad, self._loopback = links, discovery, ad, loopback
        self._places = dict(places)
        self._heard: dict[bytes, set[Address]] = {}  # where each was announced to be at the last look
        self._hosts = own_hosts(loopback)
        self._shown = False
        self.trouble: LocalError | None = None  # why nobody can hear us

    def begin(self) -> None:
        """Stay linked with everybody of the match."""
        for identity in self._places:
            self._links.keep(identity, functools.partial(self._where, identity))

    async def run(self, away: Callable[[], Collection[bytes]], port: Callable[[], int | None], always: bool) -> None:
        """Until cancelled.  `away` gives the identities without a link; `always`: show the match even if there are none."""
        while True:
            await asyncio.sleep(LOOK)
            self._follow_own_addresses(away())
            await self._show(always or bool(away()), port())
            for identity in away():
                self._look_for(identity)

    def _follow_own_addresses(self, away: Collection[bytes]) -> None:
        """Links from an address that is no longer ours are dead, though TCP does not know yet; and a new one is worth a try at once."""
        hosts = own_hosts(self._loopback)
        if hosts != self._hosts:
            self._hosts = hosts
            self._links.drop_stranded(hosts)
            for identity in away:
                self._links.hurry(identity, self._where(identity))

    async def _show(self, wanted: bool, port: int | None) -> None:
        if wanted and not self._discovery.started and self.trouble is None:
            try:
                await self._discovery.start(self._loopback)
            except LocalError as error:
                self.trouble = error
        if not self._discovery.started or wanted == self._shown or port is None:
            return
        self._shown = wanted
        if wanted:
            self._discovery.announce(self._ad, port)
        else:
            self._discovery.withdraw()

    def _look_for(self, identity: bytes) -> None:
        heard = self._announced(identity)
        fresh = [address for address in heard if address not in self._heard.get(identity, ())]
        self._heard[identity] = set(heard)
        if fresh:
            self._links.hurry(identity, fresh)

    def _where(self, identity: bytes) -> tuple[Address, ...]:
        """What to dial: where the peer is known to have been, and in what room is left some of where it is announced to be."""
        known = self._places[identity]
        return (*known, *self._announced(identity))[:MAX_TRIED]

    def _announced(self, identity: bytes) -> list[Address]:
        """Where it is announced to be, each announcer in turn, in an order that nobody can foresee: thousands of false ones, from
        one announcer or many, delay the peer's own, and do not push it out.
        """
        known = self._places[identity]
        found = self._discovery.of_match(self._ad.match, identity[:8].hex())
        lists = [random.sample(one.addresses, len(one.addresses)) for one in found]
        random.shuffle(lists)
        mixed = dict.fromkeys(address for turn in itertools.zip_longest(*lists) for address in turn if address and address not in known)
        return [(host, port) for host, port in mixed if good_place(host.partition("%")[0], port, self._loopback)]
