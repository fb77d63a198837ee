"""Who makes room when too many strangers come: nobody fills all places alone.  It knows places in order, seconds, and no sockets.

A crowd is counted by groups: an IPv4 address, or the /64 of an IPv6 address, of which one machine has all that it wants.
"""

import ipaddress
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .addresses import plain_host

YOUNG = 2.0  # seconds in which a place counts as one thing more said: who has just come has had no time to say anything


@dataclass(frozen=True, slots=True)
class Place:
    """Who has it: the group, since when, and how much has been said there."""

    group: str
    since: float
    said: int


def group(host: str) -> str:
    """The group of a host; a name that is no address is its own."""
    plain = plain_host(host)
    try:
        return str(ipaddress.ip_network((plain, 64 if ":" in plain else 32), strict=False))
    except ValueError:
        return plain


def makes_room(places: Sequence[Place], newcomer: str, most: int, most_of_one: int, now: float, choose: Callable[[int], int]) -> int | None:
    """The index of the place that is given up so that somebody of the group `newcomer` may come; None if there is room.

    It is one of the newcomer's own group if that has its share, else of the group that has most.  Of these the one goes that has said
    least, of several one that is not young, and of several such `choose` (a random number below) takes one.
    """
    counts = Counter(place.group for place in places)
    if counts[newcomer] >= most_of_one:
        crowd = {newcomer}
    elif len(places) < most:
        return None
    else:
        crowd = {one for one, n in counts.items() if n == max(counts.values())}
    young = [now - place.since < YOUNG for place in places]
    keys = {i: (place.said + young[i], young[i]) for i, place in enumerate(places) if place.group in crowd}
    least = [i for i, key in keys.items() if key == min(keys.values())]
    return least[choose(len(least))]
