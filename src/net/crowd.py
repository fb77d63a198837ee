"""Who makes room when too many strangers come: nobody fills all places from one address.  It knows hosts, in order of arrival."""

from collections import Counter
from collections.abc import Sequence


def makes_room(hosts: Sequence[str], newcomer: str, most: int, most_of_one: int) -> int | None:
    """The index of the one that goes so that `newcomer` may come: the oldest of its own host, or of the host that has most places.

    None if there is room.  Raises OverflowError if all places are taken, each from another host.
    """
    counts = Counter(hosts)
    if counts[newcomer] >= most_of_one:
        return hosts.index(newcomer)
    if len(hosts) < most:
        return None
    busiest = max(counts, key=counts.__getitem__)
    if counts[busiest] < 2:
        raise OverflowError("full")
    return hosts.index(busiest)
