"""Before a match is followed: which table it is, its cards, its first roster.  It knows messages and one link, no sockets.

A spectator holds no key and owes nothing; what it is told it verifies like every peer.
"""

from typing import Any

from ..core.errors import LocalError
from ..core.games import data_hash
from ..core.plain import BadEncoding
from .channel import Refused
from .guest import check_terms
from .handler import Nobody
from .match import Match
from .roster import Roster
from .store import load_game_data, parse_game_data
from .terms import fresh_of, shown
from .wire import Cards, Message, Next, Probe, Refuse, Table, Want, Watch


class Watcher(Nobody):
    """A handler for links.py: asks the peer at the far end of `watch`'s link for a match to follow, and fills `found` or `trouble`."""

    def __init__(self, name: str = "") -> None:
        self._name = name  # told to those who play
        self.found: Match | None = None
        self.trouble: LocalError | None = None
        self.table: Table | None = None
        self._cards: Any = None
        self._toml = b""
        self._link: int | None = None
        self._out: list[tuple[int, Message]] = []

    def watch(self, link: int) -> None:
        """Ask over this link, which is up."""
        self._link = link
        self._out.append((link, Probe()))

    def receive(self, link: int, message: Message) -> None:
        if link != self._link or self.trouble or self.found:
            return
        try:
            match message:
                case Refuse():
                    raise Refused(message.reason, message.detail)
                case Table() if self.table is None:
                    self._see(link, message)
                case Cards() if self.table is not None and self._cards is None:
                    self._toml = message.toml
                    self._use(link, parse_game_data(self.table.game, message.toml))
                case Next() if self._cards is not None:
                    self._finish(Roster.decode(message.roster))
        except BadEncoding:
            self.trouble = Refused("garbage")
        except LocalError as error:
            self.trouble = error

    def _see(self, link: int, table: Table) -> None:
        check_terms(table)
        if table.phase != "play":
            raise LocalError("The game at this table has not begun.")
        self.table = table
        if table.own:
            self._out.append((link, Want()))
        else:
            self._use(link, load_game_data(table.game)[0])

    def _use(self, link: int, cards: Any) -> None:
        self._cards = cards
        self._out.append((link, Watch(self._name)))

    def _finish(self, roster: Roster) -> None:
        seats = self.table.seats if self.table else ()
        fresh = fresh_of(seats)
        if roster.fault() is not None or roster.origin is not None or roster.data != data_hash(self._cards):
            raise Refused("garbage")
        if shown(roster.seats, fresh) != seats:
            raise Refused("garbage")  # its marks are of other seats
        self.found = Match(roster, self._cards, self._toml, fresh)

    def link_down(self, link: int) -> None:
        if link == self._link and self.found is None:
            self.trouble = self.trouble or Refused("closed")

    def take_outbox(self) -> list[tuple[int, Message]]:
        out, self._out = self._out, []
        return out
