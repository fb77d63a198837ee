"""Who follows a match without a seat: at this peer, and at the others by their own account.  It knows numbers of links, no sockets.

Each seat tells the other seats who watches at it, and a spectator who watches at all, so that nobody watches unseen by an honest peer.
"""

from collections.abc import Mapping
from typing import NamedTuple

from .names import plain_name
from .roster import MAX_NAME, MAX_SEATS
from .wire import Watchers

MAX_WATCHERS = 8  # spectators that one peer serves: a crowd must not cost the players their bandwidth
PAUSE = 2.0  # seconds between two changes of what is shown: a peer that makes names up shall not fill the screen


class Watching(NamedTuple):
    """A spectator: its proven identity, and a name if it has given one.  Of one at another peer we have that peer's word alone."""

    identity: bytes
    name: str


class Audience:
    """`shown` is who watches, each once; it is replaced as a whole at a tick."""

    def __init__(self) -> None:
        self.shown: tuple[Watching, ...] = ()
        self._here: dict[int, Watching] = {}
        self._there: dict[int, tuple[Watching, ...]] = {}
        self._told: dict[int, Watchers] = {}
        self._changed = -PAUSE

    def come(self, link: int, identity: bytes, name: str) -> bool:
        """Somebody wants to watch over this link; False: there are enough."""
        if len(self._here) >= MAX_WATCHERS:
            return False
        self._here[link] = Watching(identity, plain_name(name, MAX_NAME))
        return True

    def link_down(self, link: int) -> None:
        for known in (self._here, self._there, self._told):
            known.pop(link, None)

    def hear(self, link: int, message: Watchers, spectator: bool) -> None:
        """The far end says who watches: at itself, or, to a `spectator`, at all peers."""
        most = MAX_WATCHERS * (MAX_SEATS if spectator else 1)
        good = [Watching(identity, plain_name(name, MAX_NAME)) for identity, name in message.watchers[:most] if len(identity) == 32]
        self._there[link] = tuple(good)

    def tick(self, now: float, served: Mapping[int, bool]) -> list[tuple[int, Watchers]]:
        """Time passes: what is to be told on the links that are `served`, each with whether it is a spectator's."""
        here = tuple(self._here.values())
        everybody = {one.identity: one for told in (*self._there.values(), here) for one in told}  # what we know ourselves comes last
        present = tuple(sorted(everybody.values()))
        if present != self.shown and now - self._changed >= PAUSE:
            self.shown, self._changed = present, now
        out = []
        for link, spectator in served.items():
            news = Watchers(tuple((one.identity, one.name) for one in (self.shown if spectator else here)))
            if news != self._told.get(link, Watchers(())):
                self._told[link] = news
                out.append((link, news))
        return out
