"""Before a match, seen by a guest: looking at a table, taking a seat, signing the roster.  It knows messages and links, no sockets.

A guest believes its opener nothing that it can check: it signs only what it has seen, and plays only under all signatures.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..core.errors import LocalError
from ..core.games import GAMES, data_hash
from ..core.plain import BadEncoding
from ..core.rules import Options
from .addresses import Address, good_place
from .channel import Refused
from .code import Door
from .identity import Identity
from .lobby import MAX_PLACES, NAMELESS, NOBODY, PATIENCE, Lobby, Rng, loopback
from .lobbyview import Agreed, LobbyView
from .names import plain_name
from .roster import MAX_NAME, Roster, good_bots
from .store import load_game_data, parse_game_data
from .terms import fresh_of, shown
from .wire import Answer, Cards, Draft, Final, Knock, Known, Message, Probe, Refuse, Sign, Sit, Stand, Table, Want

TRIES = 3  # code words that a guest may try, each over a link of its own


class Guest(Lobby):
    """Somebody who wants a seat.  Dial the opener, then call `join` with that link; `places` is where other guests reach us."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        places: tuple[Address, ...],
        rng: Rng,
        code: str = "",
        kept: Mapping[bytes, str] = NOBODY,
        bot: bool = False,
        fresh: bool = False,
    ) -> None:
        super().__init__(identity, rng, kept, bot)
        self._fresh = fresh  # was the identity made for this table alone?
        self._name, self._places = plain_name(name, MAX_NAME) or NAMELESS, places[:MAX_PLACES]
        self._code = code  # a private table's code words, as soon as they have been typed
        self._private: Table | None = None  # what such a table says before it has been convinced
        self._door: Door | None = None
        self.wrong = 0  # code words tried that were not those of the table
        self._convinced = False  # and so are we: it has proven that it knows them too
        self._opener: int | None = None
        self._table: Table | None = None
        self._asked_for = 0  # seats of the table as it was opened: it may begin with fewer
        self._cards: Any = None
        self._toml = b""
        self._draft: Roster | None = None
        self._asked = False  # for a seat
        self._dropped = False  # the link has ended without a word, and we had no seat yet
        self._readied = False
        self._waited = False  # at a full table

    def look(self) -> LobbyView:
        table = self._table or self._private
        terms = (plain_name(table.name, MAX_NAME), table.game, table.size) if table else ("", "", 0)
        seated = table is not None and self._seat(table) is not None
        phase = table.phase if table and seated else self._unseated()
        view = self._view(terms, table.seats if table else (), phase)
        if self.again:
            left = LocalError("Those are not the code words of that table. Tries left: {0}.", TRIES - self.wrong)
            view = replace(view, phase="private", trouble=None, notice=left)
        if self.waits:
            view = replace(view, phase=self._unseated(), trouble=None)
        if (self.full or self._waited) and view.phase == "joining":
            view = replace(view, phase="waiting")
        return replace(view, audit=table is None or table.audit, asked=self._asked_for)

    def _unseated(self) -> str:
        return "private" if self._private and not self._code else "joining"

    def enter(self, code: str) -> None:
        """Try these code words at the private table; they are not told to it."""
        if self._private and self._opener is not None and not self._code:
            self._code, self._since = code, None
            if not self.trouble:  # else with the next link
                self._knock()

    @property
    def again(self) -> bool:
        """Were the code words wrong, and may others be tried?  The link has ended with them: `join` another one."""
        return 0 < self.wrong < TRIES and not self._convinced and getattr(self.trouble, "reason", "code") == "code"

    @property
    def waits(self) -> bool:
        """Was the table full, or a crowd in the way, so that a link may do better after a while?  `join` it."""
        return self.full or self._dropped or getattr(self.trouble, "reason", "") == "crowded"

    @property
    def full(self) -> bool:
        """Was the table full?  A seat may become free."""
        return getattr(self.trouble, "reason", "") == "full"

    @property
    def parted(self) -> bool:
        """Has the link to the opener ended?"""
        return self._opener is not None and self._opener not in self._links

    def _knock(self) -> None:
        assert self._opener is not None
        self._door = Door(self._code, self.identity.public, self._links[self._opener][0], False, self._rng)
        self._say(Knock(self._door.share))

    def join(self, link: int) -> None:
        """Ask for a seat over this link, which is up; after wrong code words they are wanted anew, and where it had to wait all is."""
        if self.again or self.waits:
            self._waited = self._waited or self.full
            self._door, self.trouble, self._since, self._dropped = None, None, None, False
            self._convinced, self._table, self._cards, self._draft, self._asked, self._readied = False, None, None, None, False, False
        self._opener = link
        self._say(Probe())

    def close(self) -> None:
        """Give up the seat, unless all is agreed."""
        if self._opener is not None and not self.agreed:
            self._say(Stand())
            self._closes.append((self._opener, ""))
            self.trouble = self.trouble or Refused("closed")

    def link_down(self, link: int) -> None:
        super().link_down(link)
        if link == self._opener and not self.agreed:
            self._dropped = self.trouble is None and (self._table is None or self._seat(self._table) is None)
            self.trouble = self.trouble or Refused("closed")

    def tick(self, now: float) -> None:
        waits_for_us = self._private is not None and not self._code
        if self._opener is None or self._asked or self.trouble or waits_for_us:
            return
        self._since = now if self._since is None else self._since
        if now - self._since > PATIENCE:
            self._fail(Refused("silent"))

    def receive(self, link: int, message: Message) -> None:
        if link != self._opener:
            if isinstance(message, Probe | Sit):
                self._refuse(link, Refused("no-table"))
            return
        if self.trouble or self.agreed:
            return
        try:
            match message:
                case Refuse():
                    raise Refused(message.reason, message.detail)
                case Table() if message.phase == "private" and not self._convinced:
                    self._stand_before(message)
                case Answer() if self._door is not None and not self._convinced:
                    self._prove(message)
                case Table():
                    self._see(message)
                case Cards() if self._table is not None and self._cards is None:
                    self._take_cards(message.toml)
                case Draft() if self._readied:
                    self._check_draft(_roster(message.roster))
                case Final() if self._draft is not None:
                    self._finish(_roster(message.roster), message.places)
        except LocalError as error:
            self._fail(error)

    def _stand_before(self, table: Table) -> None:
        check_terms(table)
        if self._private is None:
            self._private, self._since = table, None
        if self._code and self._door is None:  # one guess a link, whatever the table says
            self._knock()

    def _prove(self, answer: Answer) -> None:
        """The table proves first that it knows the words: whoever only pretends to be it gets no seat's answer from us."""
        assert self._door is not None
        try:
            self._door.meet(answer.share)
        except ValueError:
            raise Refused("garbage") from None
        if not self._door.check(answer.proof):
            self.wrong, self._code = self.wrong + 1, ""
            raise Refused("code")
        self._convinced = True
        self._say(Known(self._door.proof))

    def _say(self, message: Message) -> None:
        if self._opener is not None:
            self._out.append((self._opener, message))

    def _fail(self, error: LocalError) -> None:
        """It ends here, in words at both ends."""
        self.trouble = self.trouble or error
        if self._opener is not None and self._opener in self._links:
            self._refuse(self._opener, error if isinstance(error, Refused) else Refused("cards"))

    def _see(self, table: Table) -> None:
        if (self._code or self._private) and not self._convinced:
            raise Refused("code")  # a table of that name without a lock is another table
        check_terms(table)
        if self._table is None:
            self._asked_for = table.size
        elif _terms(table) != _terms(self._table) or not self._may_be_for(table):
            raise Refused("garbage")
        _check_seats(table)
        first, self._table = self._table is None, table
        me = self._seat(table)
        if me is not None and table.seats[me][2:] != (me if self.bot else None, self._fresh):
            raise Refused("garbage")  # it tells the others another thing than we have said
        if table.phase == "ready" and me is not None and self._asked:
            if not self._readied:
                self._readied = True
                self._say(self._fresh_ready())
        elif table.phase != "open":
            raise Refused({"ready": "full", "play": "playing"}.get(table.phase, "closed"))
        else:
            self._readied, self._draft = False, None
        if first and table.own:
            self._say(Want())
        elif first:
            self._use_cards(load_game_data(table.game)[0])

    def _may_be_for(self, table: Table) -> bool:
        """As many seats as at first, or fewer: those who are here, when all are asked to agree."""
        return table.size == self._asked_for or (table.size < self._asked_for and table.phase == "ready" and len(table.seats) == table.size)

    def _seat(self, table: Table) -> int | None:
        return next((seat for seat, (identity, *_) in enumerate(table.seats) if identity == self.identity.public), None)

    def _take_cards(self, toml: bytes) -> None:
        assert self._table is not None
        self._use_cards(parse_game_data(self._table.game, toml))
        self._toml = toml

    def _use_cards(self, cards: Any) -> None:
        assert self._table is not None
        if data_hash(cards) != self._table.cards:
            raise Refused("cards")
        self._cards, self._asked = cards, True
        self._say(Sit(self._name, self._places, self.bot, self._fresh))

    def _check_draft(self, draft: Roster) -> None:
        """Sign only what we have seen, with our own nonce and key in our own seat."""
        assert self._table is not None
        table = self._table
        mine = [s for s in draft.seats if s.identity == self.identity.public]
        if [(s.nonce, s.signing) for s in mine] != [(self._nonce, self._signer.public)]:
            return  # made from an earlier Ready of ours; the one of the last is under way
        seen = Roster(table.game, table.rules, _options(table), table.cards, draft.seats)
        same = shown(draft.seats, fresh_of(table.seats)) == table.seats and len(draft.seats) == table.size
        if draft != seen or not same or draft.fault() != "bad-signature":
            raise Refused("garbage")
        self._draft = draft
        self._say(Sign(draft.sign(self.identity)))

    def _finish(self, roster: Roster, places: tuple[tuple[Address, ...], ...]) -> None:
        assert self._draft is not None
        assert self._table is not None
        assert self._opener is not None
        if roster.with_signatures(()) != self._draft or roster.fault() or len(places) != len(roster.seats):
            raise Refused("garbage")
        opener, dialled = self._links[self._opener]
        local = loopback(dialled)
        checked = [tuple(p for p in seat if good_place(*p, local))[:MAX_PLACES] for seat in places]
        for number, seat in enumerate(roster.seats):
            if seat.identity == opener:
                checked[number] = (*dialled, *checked[number])  # the way that is known to work comes first
        me = [s.identity for s in roster.seats].index(self.identity.public)
        self.agreed = Agreed(roster, me, self._signer, self._cards, self._toml, tuple(checked), fresh_of(self._table.seats))


def check_terms(table: Table) -> None:
    """Can we play this at all?  Raises LocalError."""
    game = GAMES.get(table.game)
    if game is None:
        raise Refused("rules", table.game)
    if table.rules != game.rules.VERSION:
        raise Refused("rules", f"{table.game} {table.rules} / {game.rules.VERSION}")
    if table.size not in game.rules.SEATS or (table.first is not None and table.first >= table.size) or table.grace > 86_400:
        raise Refused("garbage")
    if not game.rules.plays(table.variant):
        raise Refused("rules", f"{table.game} {table.variant}")


def _check_seats(table: Table) -> None:
    """Names go on the screens of all: an opener that passes on one that is not plain, or two alike, is no honest program."""
    names = [name for _, name, *_ in table.seats]
    clean_names = all(name and plain_name(name, MAX_NAME) == name for name in names)
    if len(names) > table.size or len({name.casefold() for name in names}) < len(names) or not clean_names:
        raise Refused("garbage")
    if any(len(identity) != 32 for identity, *_ in table.seats) or not good_bots(tuple(bot for _, _, bot, _ in table.seats)):
        raise Refused("garbage")


def _terms(table: Table) -> tuple[Any, ...]:
    return table.name, table.game, table.rules, table.cards, table.own, _options(table)


def _options(table: Table) -> Options:
    return Options(table.first, table.grace, table.variant, table.watch, table.audit)


def _roster(data: bytes) -> Roster:
    try:
        return Roster.decode(data)
    except BadEncoding:
        raise Refused("garbage") from None
