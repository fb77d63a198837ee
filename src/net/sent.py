"""What has been sent on one link, so that nothing is sent again while it may be under way.  It knows places and counts, no links.

The far end says in each `At` where it stands and how many contributions it has read; what it lacks though it has read it is sent again.
"""

from .budget import Budget, Limit
from .log import Signed

MAX_UNDER_WAY = 256 << 10  # bytes; who is slow, or says nothing, is not sent all that there is at once
LOST = 10.0  # seconds without a contribution read, though some are under way, after which they count as read
AGAIN, AGAIN_SPECTATOR = Limit(64 << 10, 1 << 20), Limit(8 << 10, 128 << 10)  # bytes that may be sent again
Where = tuple[int, int, int]  # (match of the chain, step, round)


class Sent:
    """`heard` for each At that comes, `take` before each contribution that goes out."""

    def __init__(self, again: Limit) -> None:
        self._again, self._budget = again, Budget()
        self._count = 0  # contributions sent
        self._read, self._lost = 0, 0  # of these: read, as far as we know; and how many more than they said
        self._since = 0.0  # when they last read one, or had read all
        self._furthest: Where = (0, -1, 0)
        self._kept: dict[bytes, tuple[int, Where, int]] = {}  # by signature: the count when last sent, place and bytes
        self._size = 0  # bytes of these

    def heard(self, where: Where, read: int, now: float) -> None:
        """The far end stands there and has read so many."""
        read = min(read + self._lost, self._count)
        if read > self._read or read == self._count:
            self._read, self._since = max(read, self._read), now
        elif self._read < self._count and now - self._since >= LOST:
            self._lost += self._count - read
            self._read, self._since = self._count, now
        if where > self._furthest:
            self._furthest = where
            self._kept = {key: one for key, one in self._kept.items() if one[1] >= where}
            self._size = sum(size for _, _, size in self._kept.values())

    def take(self, one: Signed, where: Where, now: float) -> bool:
        """May this contribution, of that place, be sent now, since they lack it?  Then it counts as sent."""
        size, last = len(one.data) + len(one.signature), self._kept.get(one.signature)
        if last is not None and last[0] > self._read:
            return False
        if (last is not None or where < self._furthest) and not self._budget.take(size, self._again, now):
            return False
        if last is None and where >= self._furthest:
            if self.full:
                return False
            self._size += size
        self.count(now)
        if where >= self._furthest:
            self._kept[one.signature] = self._count, where, size
        return True

    def count(self, now: float) -> None:
        """A contribution goes out that is sent whatever has been sent: what proves a cheat."""
        if self._read == self._count:
            self._since = now
        self._count += 1

    @property
    def full(self) -> bool:
        """Is so much under way, or not taken, that nothing more is sent?"""
        return self._size >= MAX_UNDER_WAY
