"""Bringing the peers of a running match together again, wherever they are now: it knows links, addresses and announcements, no session.

While somebody of the match has no link, all show the match on the network, and dial whoever of it shows himself at a new address.
What is heard is unauthenticated: a link to an address counts only if the seat's identity is proven at its far end.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping

from ..core.errors import LocalError
from .addresses import Address, own_hosts
from .discovery import Discovery, TableAd
from .links import Links

LOOK = 1.0  # seconds between looks at who has a link, and at our own addresses
MAX_PLACES = 16  # addresses of one peer, the latest heard first: who announces a thousand makes us dial no more


class Reunion:
    """`ad` is what is announced, with the match's tag; `places` is where each other identity was last known to be."""

    def __init__(
        self, links: Links, discovery: Discovery, ad: TableAd, places: Mapping[bytes, tuple[Address, ...]], loopback: bool
    ) -> None:
        self._links, self._discovery, self._ad, self._loopback = links, discovery, ad, loopback
        self._places = dict(places)
        self._hosts = own_hosts(loopback)
        self._shown = False
        self.trouble: LocalError | None = None  # why nobody can hear us

    def begin(self) -> None:
        """Stay linked with everybody of the match."""
        for identity, addresses in self._places.items():
            self._links.keep(identity, addresses)

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
                self._links.keep(identity, self._places[identity])

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
        known = self._places[identity]
        new = tuple(a for found in self._discovery.of_match(self._ad.match, identity[:8].hex()) for a in found.addresses if a not in known)
        if new:
            self._places[identity] = (*new, *known)[:MAX_PLACES]
            self._links.keep(identity, self._places[identity])
