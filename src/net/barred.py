"""Who gets no seat at a table any more: who was turned away, and who was late twice.  It knows identities and hosts, no links.

A key costs nothing, so groups of addresses (crowd.py) are barred with it; but not while somebody sits there who may, or the opener does:
several people may share an address, as behind a router, and a whole network one /64.
"""

from collections.abc import Collection, Iterable

from .crowd import group

TWICE = 2  # times late, after which there is no seat
MAX_BARRED = 1024  # keys and groups that are remembered, the latest
HERE = "127.0.0.1", "::1"


class Barred:
    """`own`: the opener's hosts."""

    def __init__(self, own: Iterable[str]) -> None:
        self._own = {group(host) for host in (*own, *HERE)}
        self._late: dict[bytes | str, int] = {}
        self._why: dict[bytes | str, str] = {}

    def turn_away(self, identity: bytes, hosts: Collection[str]) -> None:
        """Nobody with that key, nor from those hosts."""
        self._bar(identity, "away")
        for host in hosts:
            self._bar(group(host), "address")

    def late(self, identity: bytes, hosts: Collection[str]) -> None:
        """It was not ready in time, or has not signed."""
        reasons: dict[bytes | str, str] = {identity: "late", **{group(host): "address" for host in hosts}}
        for who, why in reasons.items():
            times = self._late.pop(who, 0) + 1
            self._late[who] = times
            if times >= TWICE:
                self._bar(who, why)
        _forget(self._late)

    def why(self, identity: bytes, hosts: Iterable[str], seated: Iterable[str]) -> str:
        """The id of the reason why it gets no seat, while guests from the hosts `seated` have seats; empty if it may have one."""
        shared = self._own | {group(host) for host in seated}
        found = (self._why[one] for one in map(group, hosts) if one in self._why and one not in shared)
        return self._why.get(identity) or next(found, "")

    def _bar(self, who: bytes | str, why: str) -> None:
        self._why[who] = why
        _forget(self._why)


def _forget(known: "dict[bytes | str, int] | dict[bytes | str, str]") -> None:
    while len(known) > MAX_BARRED:
        del known[next(iter(known))]
