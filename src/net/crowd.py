"""Who makes room when too many strangers come: nobody fills all places from one address.  It knows hosts, in order of arrival."""

import ipaddress
from collections import Counter
from collections.abc import Sequence

from .addresses import plain_host


def group(host: str) -> str:
    """The group of a host: an IPv4 address, or the /64 of an IPv6 address; a name that is no address is its own."""
    plain = plain_host(host)
    try:
        return str(ipaddress.ip_network((plain, 64 if ":" in plain else 32), strict=False))
    except ValueError:
        return plain


def makes_room(hosts: Sequence[str], newcomer: str, most: int, most_of_one: int, said: Sequence[int] = ()) -> int | None:
    """The index of the one that goes so that `newcomer` may come: of its own host, or of the host that has most places.

    Of these the one that has `said` least (0: nothing), and of several the oldest.  None if there is room.  Raises OverflowError if
    all places are taken, each from another host.
    """
    counts = Counter(hosts)
    last = [(said[i] if said else 0, i) for i in range(len(hosts))]
    if counts[newcomer] >= most_of_one:
        return min(one for one in last if hosts[one[1]] == newcomer)[1]
    if len(hosts) < most:
        return None
    crowded = max(counts.values())
    if crowded < 2:
        raise OverflowError("full")
    return min(one for one in last if counts[hosts[one[1]]] == crowded)[1]
