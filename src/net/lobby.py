"""Before a match: a table, its seats, and the roster that all of them sign.  It knows messages and links, no sockets, no clock.

The opener is the table's clerk: it orders the seats (first come) and passes messages on.  Nothing secret or random depends
on it; each seat signs only a roster that says what it has seen (guest.py), with a nonce and a key of its own.  An opener is
a handler in the sense of links.py.
"""

import abc
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from ..core.errors import LocalError
from .addresses import Address, good_place, needed, plain_host
from .barred import Barred
from .channel import Refused, refusal
from .code import Door
from .identity import Identity, good_key, words
from .lobbyview import Agreed, LobbySeat, LobbyView
from .names import plain_name, unique
from .roster import MAX_NAME, Roster, Seat
from .terms import Seats, Terms, fresh_of
from .wire import Answer, Cards, Draft, Final, Knock, Known, Message, Probe, Ready, Refuse, Sign, Sit, Stand, Table, Want

MAX_PLACES = 8  # addresses of one seat: no seat makes the others dial the whole network
PATIENCE = 15.0  # seconds to get ready and to sign, or to answer at all: who does not makes room
HASTE = 3.0  # seconds: who leaves a full table sooner has kept all others from agreeing, whatever it has done for its part
NONCE = 32
NOBODY: Mapping[bytes, str] = {}
NAMELESS = "?"  # the name of somebody whose name has nothing printable in it

TOLD = ("rules", "cards", "version", "code")  # what an opener is told of a guest who goes again
MAX_READY = 2  # of one seat at a full table: one may have been under way, and each makes all others sign anew
Rng = Callable[[int], bytes]


class Lobby(abc.ABC):
    """What opener and guest have in common: links, words, and their own part of the roster.

    `state` is what to show; it is made anew whenever the outbox is taken, so that another thread may look at it.
    """

    def __init__(self, identity: Identity, rng: Rng, kept: Mapping[bytes, str], bot: bool) -> None:
        self.identity, self._rng, self.kept, self.bot = identity, rng, kept, bot
        self.agreed: Agreed | None = None
        self.trouble: LocalError | None = None
        self.notice: LocalError | None = None
        self._out: list[tuple[int, Message]] = []
        self._closes: list[tuple[int, str]] = []
        self._links: dict[int, tuple[bytes, tuple[Address, ...]]] = {}
        self._now = 0.0
        self._since: float | None = None  # since when we wait for others to do their part
        self._signer, self._nonce = identity, b""  # made anew by each `_fresh_ready`
        self.state = LobbyView("", "", 0, (), "joining")

    @abc.abstractmethod
    def look(self) -> LobbyView:
        """What a person sees now."""

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None:
        self._links[link] = identity, addresses

    def link_down(self, link: int) -> None:
        self._links.pop(link, None)

    @property
    def placed(self) -> Collection[int]:
        """The links that make room for nobody."""
        return ()

    def take_outbox(self) -> list[tuple[int, Message]]:
        out, self._out = self._out, []
        self.state = self.look()
        return out

    def take_closes(self) -> list[tuple[int, str]]:
        closes, self._closes = self._closes, []
        return closes

    def _fresh_ready(self) -> Ready:
        """Our part of a roster: it is never used for two, since a nonce and a match key belong to one match."""
        self._signer, self._nonce = Identity.from_secret(self._rng(32)), self._rng(NONCE)
        return Ready(self._nonce, self._signer.public)

    def _refuse(self, link: int, refused: Refused) -> None:
        self._out.append((link, refusal(refused)))
        self._closes.append((link, ""))

    def _view(self, terms: tuple[str, str, int], seats: Seats, phase: str) -> LobbyView:
        me = self.identity.public
        shown = tuple(LobbySeat(i, name, words(i), i == me, bot is not None, fresh) for i, name, bot, fresh in seats)
        phase = "ended" if self.trouble else "agreed" if self.agreed else phase
        here = [seat.identity for seat in shown]
        kept = tuple(name for identity, name in self.kept.items() if identity not in (*here, me))
        return LobbyView(*terms, shown, phase, self.trouble, self.notice, kept=kept)


@dataclass
class _Sitter:
    """Somebody at the opener's table; the opener itself has no link."""

    identity: bytes
    name: str
    link: int | None
    reached: tuple[Address, ...]  # where we see it, at the port that it listens on
    places: tuple[Address, ...]  # that, and what else it says
    bot: bool
    fresh: bool
    hosts: tuple[str, ...] = ()  # from where it has come
    ready: Ready | None = None
    readied: int = 0  # how often, since the table is full
    signature: bytes | None = None


class Opener(Lobby):
    """The clerk of a table.  `places` is where guests reach us.  Full, it has everybody sign, and fills `agreed`."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        terms: Terms,
        places: tuple[Address, ...],
        rng: Rng,
        kept: Mapping[bytes, str] = NOBODY,
        bot: bool = False,
        fresh: bool = False,
    ) -> None:
        super().__init__(identity, rng, kept, bot)
        self.terms, self._asked = terms, terms.size
        self._barred = Barred([host for host, _ in places])
        self._sitters = [_Sitter(identity.public, plain_name(name, MAX_NAME) or NAMELESS, None, (), places[:MAX_PLACES], bot, fresh)]
        self._phase = "open"
        self._draft: Roster | None = None
        self._doors: dict[int, Door | None] = {}  # links that have knocked at a private table; None: they know its code words
        self._came: dict[int, float] = {}  # links, since when: who comes and does not sit down makes room again
        self._served: set[int] = set()  # links that have got the cards: 64 KiB are sent once, however often they are wanted
        self.state = self.look()

    def look(self) -> LobbyView:
        terms = self.terms
        view = self._view((terms.name, terms.game, terms.size), self._seats(), self._phase)
        may_begin = self._phase == "open" and len(self._sitters) in terms.may_be
        return replace(view, code=terms.code, audit=terms.options.audit, asked=self._asked, opens=True, may_begin=may_begin)

    @property
    def placed(self) -> Collection[int]:
        """Who has sat down keeps the link, whoever comes."""
        return [sitter.link for sitter in self._sitters if sitter.link is not None]

    def close(self) -> None:
        """The opener goes: so does the table, unless it is agreed."""
        if not self.agreed:
            self.trouble = self.trouble or Refused("closed")
            self._closes += [(link, "closed") for link in self._links]

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None:
        super().link_up(link, identity, addresses)
        self._came[link] = self._now

    def link_down(self, link: int) -> None:
        super().link_down(link)
        self._came.pop(link, None)
        self._served.discard(link)
        self._doors.pop(link, None)
        self._stand(link)

    def tick(self, now: float) -> None:
        self._now = now
        for link, since in self._came.items():
            if now - (since or now) > PATIENCE and self._at(link) is None:
                self._closes.append((link, "silent"))
        if self._phase != "ready" or self.agreed:
            return
        self._since = now if self._since is None else self._since
        if now - self._since > PATIENCE:
            for sitter in [s for s in self._sitters if self._owes(s)]:
                self._barred.late(sitter.identity, sitter.hosts)
                self._dismiss(sitter, Refused(self._barred.why(sitter.identity, (), ()) or "unready"))
            self._since = now

    def turn_away(self, identity: bytes) -> None:
        """This guest loses the seat, and gets none here again.  LocalError once all have signed."""
        sitter = next((s for s in self._sitters if s.identity == identity and s.link is not None), None)
        if self.agreed or self.trouble:
            raise Refused("playing" if self.agreed else "closed")
        if sitter is not None:
            self._barred.turn_away(identity, sitter.hosts)
            self._dismiss(sitter, Refused("away"))

    def begin(self) -> None:
        """Begin with those who are here, though the table was opened for more.  Raises LocalError if they are too few."""
        if self.agreed or self.trouble or self._phase != "open":
            raise Refused("playing" if self.agreed else "closed" if self.trouble else "full")
        if len(self._sitters) not in self.terms.may_be:
            raise LocalError("The game cannot begin with those who are here now.")
        self.terms = replace(self.terms, size=len(self._sitters))
        self._agree()

    def receive(self, link: int, message: Message) -> None:
        stranger = bool(self.terms.code) and not (link in self._doors and self._doors[link] is None)
        match message:
            case Probe() if stranger:
                self._out.append((link, self.terms.table("private", ())))
            case Knock() if stranger and link not in self._doors:
                self._knock(link, message.share)
            case Known() if stranger:
                self._known(link, message.proof)
            case Probe():
                self._out.append((link, self._table()))
            case _ if stranger:
                self._refuse(link, Refused("private"))
            case Refuse() if message.reason in TOLD:  # why a guest cannot play here; anybody can send that, so it says nothing else
                self.notice = Refused(message.reason, message.detail[:40])
            case Want() if self.terms.toml and link not in self._served:
                self._served.add(link)
                self._out.append((link, Cards(self.terms.toml)))
            case Sit():
                self._sit(link, message)
            case Stand():
                self._stand(link)
            case Ready():
                self._ready(link, message)
            case Sign():
                self._sign(link, message.signature)

    def _knock(self, link: int, share: bytes) -> None:
        """One attempt a link: whoever guesses has to make a channel for each guess."""
        if link not in self._links:
            return
        door = Door(self.terms.code, self._links[link][0], self.identity.public, True, self._rng)
        try:
            door.meet(share)
        except ValueError:
            self._refuse(link, Refused("garbage"))
            return
        self._doors[link] = door
        self._out.append((link, Answer(door.share, door.proof)))

    def _known(self, link: int, proof: bytes) -> None:
        door = self._doors.get(link)
        if door is None or not door.check(proof):
            self.notice = Refused("code")
            self._refuse(link, self.notice)
            return
        self._doors[link] = None
        self._out.append((link, self._table()))

    def _seats(self) -> Seats:
        return tuple((s.identity, s.name, seat if s.bot else None, s.fresh) for seat, s in enumerate(self._sitters))

    def _table(self) -> Table:
        phase = "closed" if self.trouble else "play" if self.agreed else self._phase
        return self.terms.table(phase, self._seats())

    def _tell(self, message: Message) -> None:
        self._out += [(s.link, message) for s in self._sitters if s.link is not None]

    def _at(self, link: int) -> _Sitter | None:
        return next((s for s in self._sitters if s.link == link), None)

    def _sit(self, link: int, sit: Sit) -> None:
        if self._at(link) or link not in self._links:
            return
        identity, seen = self._links[link]
        hosts = tuple(host for host, _ in seen)
        if why := self._why_not(identity, hosts):
            self._refuse(link, Refused(why))
            return
        name = unique(plain_name(sit.name, MAX_NAME) or NAMELESS, [s.name for s in self._sitters], MAX_NAME)
        self._sitters.append(_Sitter(identity, name, link, *_places(seen, sit.places), sit.bot, sit.fresh, hosts))
        if len(self._sitters) == self.terms.size:
            self._agree()
        else:
            self._tell(self._table())

    def _why_not(self, identity: bytes, hosts: tuple[str, ...]) -> str:
        """The id of the reason why who comes from there gets no seat now; empty if there is one."""
        if self.agreed or self.trouble:
            return "playing" if self.agreed else "closed"
        if self.kept and identity not in self.kept:
            return "kept"
        barred = self._barred.why(identity, hosts, [host for s in self._sitters for host in s.hosts])
        return barred or ("" if self._phase == "open" else "full")

    def _agree(self) -> None:
        """All are here: everybody is asked for a part of the roster."""
        self._phase, self._since = "ready", None
        self._tell(self._table())
        self._sitters[0].ready = self._fresh_ready()

    def _owes(self, sitter: _Sitter) -> bool:
        """Has it not done its part of what is being agreed?"""
        return sitter.link is not None and (sitter.ready is None or (self._draft is not None and sitter.signature is None))

    def _stand(self, link: int) -> None:
        """Who gives up a seat while all agree, and has not waited in vain for others, counts as late: else nobody might ever agree."""
        sitter = self._at(link)
        if sitter is None or self.agreed:
            return
        if self._phase == "ready" and (self._owes(sitter) or self._since is None or self._now - self._since < HASTE):
            self._barred.late(sitter.identity, sitter.hosts)
        self._free(sitter)

    def _dismiss(self, sitter: _Sitter, why: Refused) -> None:
        if sitter.link is not None:
            self._refuse(sitter.link, why)
        self._free(sitter)

    def _free(self, sitter: _Sitter) -> None:
        """A seat is free again: whatever was being agreed is void, and there are as many seats as at first."""
        self._sitters.remove(sitter)
        self._phase, self._draft = "open", None
        self.terms = replace(self.terms, size=self._asked)
        for other in self._sitters:
            other.ready = other.signature = None
            other.readied = 0
        self._tell(self._table())

    def _ready(self, link: int, ready: Ready) -> None:
        sitter = self._at(link)
        if sitter is None or self._phase != "ready" or self.agreed or sitter.readied == MAX_READY:
            return
        sitter.readied += 1
        others = {s.ready.signing for s in self._sitters if s.ready and s is not sitter}
        if len(ready.nonce) != NONCE or not good_key(ready.signing) or ready.signing in others:
            self._refuse(link, Refused("key"))
            self._stand(link)
            return
        sitter.ready = ready  # the last one counts: an earlier one may have been under way when the table was full before
        parts = [(s, s.ready) for s in self._sitters if s.ready]
        if len(parts) < self.terms.size:
            return
        seats = tuple(Seat(s.identity, s.name, r.signing, r.nonce, seat if s.bot else None) for seat, (s, r) in enumerate(parts))
        table = self._table()
        self._draft = Roster(table.game, table.rules, self.terms.options, table.cards, seats)
        self._since = None  # all have their time for this draft
        for s in self._sitters:
            s.signature = None
        self._sitters[0].signature = self._draft.sign(self.identity)
        self._tell(Draft(self._draft.encode()))

    def _sign(self, link: int, signature: bytes) -> None:
        sitter = self._at(link)
        if sitter is None or self._draft is None or self.agreed or not self._draft.signed_by(self._sitters.index(sitter), signature):
            return  # a signature of the draft before this one may still be under way
        sitter.signature = signature
        signatures = tuple(s.signature for s in self._sitters if s.signature)
        if len(signatures) < self.terms.size:
            return
        roster = self._draft.with_signatures(signatures)
        for s in self._sitters:
            if s.link is not None:
                self._out.append((s.link, Final(roster.encode(), self._needed(s))))
        places, fresh = self._needed(self._sitters[0]), fresh_of(self._seats())
        self.agreed = Agreed(roster, 0, self._signer, self.terms.cards, self.terms.toml, places, fresh)

    def _needed(self, by: _Sitter) -> tuple[tuple[Address, ...], ...]:
        """Where each seat may be reached, as far as this one needs it."""
        here = by.link is None or loopback(by.reached)
        return tuple(s.places if s is by else needed(s.reached, s.places, by.places, here) for s in self._sitters)


def loopback(addresses: tuple[Address, ...]) -> bool:
    return all(plain_host(host) in ("127.0.0.1", "::1") for host, _ in addresses)


def _places(seen: tuple[Address, ...], said: tuple[Address, ...]) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """Where a guest may be reached: the host that we see, at the port that it says; and that with what else it says."""
    local = loopback(seen)
    first = [(plain_host(host), port) for host, _ in seen for _, port in said[:1] if good_place(plain_host(host), port, local)]
    return tuple(first), tuple(dict.fromkeys((*first, *(place for place in said if good_place(*place, local)))))[:MAX_PLACES]
