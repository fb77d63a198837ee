"""The dealer's network twin: one match as one peer sees it, round by round, from bodies that others may check.

Session, verifier and spectators drive it.  It knows rows, keys, shares and the rules; not who signed or sent what.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import LocalError, PeerError
from ..plain import encode
from ..rules import Answer, Choose, ChooseAll, Event, Hide, IllegalMove, Over, Request, Rules, Shuffle
from ..seen import Learned, knowledge, news
from ..view import Trust
from . import deck
from .book import HiddenBook
from .deck import Row, Seal
from .group import BASE_TABLE, IDENTITY, Point, Scalar
from .keys import PublicKeys, Secrets
from .requests import first_stage
from .rounds import KeyCommitment, Private, Rng, ShuffleTurn, SignOff, Stage
from .transcript import Context

Sealed = dict[int, Seal]  # by the seat that sealed


@dataclass(frozen=True)
class OpenKeys:
    """What a good-bye publishes: never the sealing key, which would open what others sealed to the leaver."""

    face: Scalar
    back: Scalar
    coin: Scalar


@dataclass(frozen=True)
class Deal:
    """The keys under which a card was dealt, in an earlier match of the chain."""

    keys: dict[int, PublicKeys]
    own: Secrets | None


@dataclass(frozen=True)
class Beginning:
    """What a match begins with: nothing but the rules and the first deck, unless it goes on from another."""

    rules: Rules
    rows: dict[int, Row]
    past: dict[int, Deal] = field(default_factory=dict)
    seals: dict[tuple[int, str, int], Sealed] = field(default_factory=dict)
    shares: dict[tuple[int, str], dict[int, Point]] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    trust: Trust = field(default_factory=Trust)
    hidden: HiddenBook = field(default_factory=HiddenBook)


class Table:
    """The state of one match.  `me` and `own` are None for a verifier and for a spectator.

    Usage: while not `done`: collect bodies of `owed` seats (`make` one's own, `judge` every one), then `advance`.
    """

    def __init__(self, rules: Rules, match: bytes, data: bytes, me: int | None = None, own: Secrets | None = None) -> None:
        self.rules, self.match, self.data, self.me, self._own = rules, match, data, me, own
        self.here = tuple(seat for seat in range(rules.seats) if seat not in rules.gone)  # who takes part in this match
        self.step = self.round = 0
        self.prev = match  # D_0
        self.keys: dict[int, PublicKeys] = {}
        self.joint: tuple[Point, ...] = ()
        self.rows: dict[int, Row] = {}
        self.past: dict[int, Deal] = {}  # cards that were dealt in an earlier match of the chain
        self._seals: dict[tuple[int, str, int], Sealed] = {}  # (card, part, reader)
        self._shares: dict[tuple[int, str], dict[int, Point]] = {}
        self._private: dict[tuple[int, int], Private] = {}
        self.hidden = HiddenBook()
        self._made: tuple[Any, Private] | None = None  # this seat's body for the present round, once its player has decided
        self.taken: dict[int, Any] = {}
        self.departed: dict[int, OpenKeys] = {}
        self._filled: set[int] = set()  # departed, a slot is filled for them, but the rules have not been told yet
        self.events: list[Event] = []
        self.learned: list[Learned] = []  # by this seat alone, in this match
        self.trust = Trust()
        self.done = False
        self._list_printed()
        if not rules.gone:
            self._lay_out()
        self.stage: Stage = KeyCommitment(self)
        self._begin = Beginning(rules.copy(), dict(self.rows))

    # -- what a session does --------------------------------------------------------------------------------------

    @property
    def owed(self) -> tuple[int, ...]:
        """The seats that owe a contribution to the present round, whether it has come or not."""
        return () if self.done else self.stage.owed

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats whose contribution has not come yet."""
        return tuple(seat for seat in self.owed if seat not in self.taken)

    @property
    def decision(self) -> Choose | ChooseAll | Hide | None:
        """What this peer's player must decide next before `make` can answer for him, if anything.

        With joined requests that is one after the other, on `sight`; nothing leaves before the last is decided.
        """
        request = self.stage.asks if self.me in self.missing and self._made is None else None
        assert request is None or isinstance(request, (Choose, ChooseAll, Hide))
        return request

    @property
    def sight(self) -> Rules:
        """The rules as this seat's player sees them: with what he has decided already and not yet said."""
        return self.rules if self.decision is None else self.stage.sight

    def answer(self, rng: Rng, move: Any) -> None:
        """Take the player's decision for `decision`; IllegalMove if it is not legal as far as he knows, and nothing has changed."""
        request = self.decision
        if request is None or self.me is None:
            raise LocalError("not-asked")
        rules = self.sight
        if move not in (rules.own_values(request, self.me) if isinstance(request, Hide) else rules.own_moves(request, self.me)):
            if not isinstance(request, Hide):
                rules.legal(request, self.me, move)  # says why, where the reason depends on the seat
            raise IllegalMove(rules.why_not(request, move))
        self._made = self.stage.answer(self.me, rules.disguise(move, rng), rng)

    def make(self, rng: Rng) -> tuple[Any, Private]:
        """This seat's body for the present round, and what must be on disk to answer later ones; LocalError if `decision` is open."""
        if self.me not in self.missing or self.decision is not None:
            raise LocalError("nothing can be said now")
        return self._made or self.stage.make(self.me, None, rng)

    def remember(self, private: Private) -> None:
        """Keep the private part of this seat's contribution to the present round."""
        self._private[self.step, self.round] = private

    def judge(self, seat: int, body: Any) -> None:
        """Accept a seat's body for the present round, or raise PeerError(seat, claim) and change nothing."""
        if seat not in self.missing:
            raise PeerError(seat, "nothing-owed")
        self.taken[seat] = self.stage.check(seat, body)

    def good_bye(self) -> Any:
        """The body of this seat's good-bye: its face, back and coin keys."""
        return tuple(secret.encode() for secret in (self.own.face, self.own.back, self.own.coin))

    def depart(self, seat: int, body: Any) -> None:
        """A seat has left with this body: from now on `stand_in` fills its slots.  PeerError("bad-leave") for any other body."""
        self.departed[seat] = self.opened(seat, body)

    def opened(self, seat: int, body: Any) -> OpenKeys:
        """The keys that a seat's good-bye opens; PeerError("bad-leave") unless they are its own."""
        if not self.keys or type(body) is not tuple or [type(b) for b in body] != [bytes] * 3:
            raise PeerError(seat, "bad-leave")
        try:
            face, back, coin = (Scalar.decode(b) for b in body)
        except ValueError as error:
            raise PeerError(seat, "bad-leave", str(error)) from None
        keys = self.keys[seat]
        if [BASE_TABLE.mul(x) for x in (face, back, coin)] != [keys.face, keys.back, keys.coin]:
            raise PeerError(seat, "bad-leave", "not its keys")
        return OpenKeys(face, back, coin)

    def stand_in(self, seat: int) -> None:
        """Fill the departed seat's slot of the present round."""
        self.taken[seat] = self.stage.stand_in(seat)
        self._filled.add(seat)

    def advance(self, prev: bytes) -> None:
        """All owed bodies are in, and `prev` (32 bytes) is the digest over everything up to and with this round."""
        if self.missing or self.done:
            raise LocalError("the round is not complete")
        outcome = self.stage.finish(self.taken)
        self.taken, self.prev, self._made = {}, prev, None
        self.round += 1
        while True:
            if outcome is None:
                self.done = True
                return
            if isinstance(outcome, Stage):
                self.stage = outcome
                if outcome.owed:
                    return
                outcome = outcome.finish({})  # a request that owes nothing has no round
                continue
            if self.step > 0:  # step 0, the set-up, answers no request
                self.take(outcome)
            for seat in sorted(self._filled - set(self.rules.gone)):
                self.events += self.rules.left(seat)
            self._filled.clear()
            self.step, self.round = self.step + 1, 0
            outcome = self._first_stage(self.rules.pending)

    def take(self, answer: Answer) -> None:
        """Tell the rules the answer to what is pending."""
        before = knowledge(self.rules)
        self.events += self.rules.apply(answer)
        self.learned += news(self.match, self.step, before, knowledge(self.rules))

    def twin(self) -> "Table":
        """A table in the same state, to try joined answers on; it shares what these do not change."""
        twin = copy.copy(self)
        twin.rules, twin.hidden, twin.events, twin.learned = self.rules.copy(), self.hidden.copy(), [], []
        return twin

    def renewed(self, match: bytes, lost: Sequence[int], own: Secrets | None) -> "Table":
        """The table of a new match without the seats `lost`, from the last answered request on; this one stays as it is.

        What somebody has read stays his to open alone, under the keys of the match in which it was dealt.
        """
        rules = self.rules.copy()
        events = (*self.events, *rules.lost(*lost))
        here = Deal(self.keys, self._own)
        past = {card: self.past.get(card, here) for card, row in self.rows.items() if not row[0].is_identity()}
        shares = {k: v for k, v in self._shares.items() if k[0] in past}
        table = Table(rules, match, self.data, self.me, own)
        table._take_over(Beginning(rules.copy(), dict(self.rows), past, dict(self._seals), shares, events, self.trust, self.hidden.copy()))
        return table

    def _take_over(self, begin: "Beginning") -> None:
        self._begin = begin
        self.rows, self.past = dict(begin.rows), dict(begin.past)
        self._seals, self._shares = dict(begin.seals), dict(begin.shares)
        self.events, self.trust, self.hidden = list(begin.events), begin.trust, begin.hidden.copy()

    def again(self) -> "Table":
        """The table as it was when this match began."""
        begin = self._begin
        table = Table(begin.rules.copy(), self.match, self.data, self.me, self._own)
        table._take_over(begin)
        table._private = dict(self._private)
        return table

    def _first_stage(self, request: Request) -> Stage | Answer:
        if isinstance(request, Shuffle):
            if len(request.cards) < 2:  # one card has one order
                self.lay(request.cards, self._laid(request.cards))
                return Answer()
            return ShuffleTurn(self, request, self.here, self._laid(request.cards))
        if isinstance(request, Over):
            return SignOff(self, request)
        stage = first_stage(self, request)
        assert stage is not None, f"a {type(request).__name__} is never pending"
        return stage

    # -- what the stages use --------------------------------------------------------------------------------------

    @property
    def own(self) -> Secrets:
        """This seat's secrets."""
        if self._own is None:
            raise LocalError("a spectator holds no keys")
        return self._own

    def keys_of(self, card: int) -> dict[int, PublicKeys]:
        """The keys of all seats in the match in which the card was dealt."""
        return self.past[card].keys if card in self.past else self.keys

    def own_of(self, card: int) -> Secrets:
        """This seat's secrets of that match."""
        own = self.past[card].own if card in self.past else self._own
        if own is None:
            raise LocalError("a spectator holds no keys")
        return own

    def context(self, seat: int) -> Context:
        """What every proof of `seat` in this round binds."""
        return Context(self.match, self.step, self.round, seat)

    def recall(self, step: int, round: int) -> Private:
        """The private part kept for one of this seat's earlier contributions."""
        return self._private[step, round]

    def count(self, kind: str) -> None:
        """One more check of this kind was done and passed."""
        self.trust = replace(self.trust, **{kind: getattr(self.trust, kind) + 1})

    def set_keys(self, keys: dict[int, PublicKeys]) -> None:
        """All keys are known and proven: the joint keys are their sums.  Equal keys name the later seat."""
        seen: set[bytes] = set()
        for seat in self.here:
            data = keys[seat].encode()
            mine = {data[i : i + 32] for i in range(0, len(data), 32)}
            if seen & mine:
                raise PeerError(seat, "bad-keys", "equal keys")
            seen |= mine
        self.keys = dict(keys)
        parts = ("face", "back")[: self.width - 1]
        self.joint = tuple(sum((getattr(k, part) for k in keys.values()), IDENTITY) for part in parts)

    def lay(self, retired: Sequence[int], rows: Sequence[Row]) -> None:
        """A shuffle is complete: the rows belong to the handles that the rules will make next; the old ones mean nothing."""
        gone = set(retired)
        for card in gone:
            del self.rows[card]
            self.past.pop(card, None)
        self._seals = {k: v for k, v in self._seals.items() if k[0] not in gone}
        self._shares = {k: v for k, v in self._shares.items() if k[0] not in gone}
        self.rows.update(zip(range(self.rules.handles, self.rules.handles + len(rows)), rows, strict=True))

    def has_given(self, card: int, part: str, reader: int | None, seat: int) -> bool:
        """Has this seat already given its share of the card, to this reader or to all?"""
        if seat in self._shares.get((card, part), ()):
            return True
        return reader is not None and seat in self._seals.get((card, part, reader), ())

    def book(self, card: int, part: str, reader: int | None, seat: int, share: Point | Seal) -> None:
        """Keep a checked share."""
        if isinstance(share, Point):
            self._shares.setdefault((card, part), {})[seat] = share
        else:
            assert reader is not None
            self._seals.setdefault((card, part, reader), {})[seat] = share

    def given(self, card: int, part: str, reader: int) -> tuple[list[Seal], list[Point]]:
        """What opens the card for the reader, beside its own keys: the seals to it, and public shares of those who gave no seal."""
        sealed, shares = self._seals.get((card, part, reader), {}), self._shares.get((card, part), {})
        others = {seat: share for seat, share in shares.items() if seat not in sealed and seat != reader}
        if len(sealed) + len(others) != len(self.keys_of(card)) - 1:
            raise PeerError(reader, "not-read")
        return [sealed[seat] for seat in sorted(sealed)], [others[seat] for seat in sorted(others)]

    def face(self, card: int, part: str) -> Any:
        """What everybody knows of a card's part, or None."""
        known = self.rules.shown.get((card, part))
        if known is None and self.rows[card][0].is_identity():  # never shuffled: its row is public
            known = self._look_up(part, self.rows[card][deck.PARTS[part]])
        return known

    def open(self, card: int, part: str) -> Any:
        """What the public shares of all seats show."""
        shares = self._shares[card, part]
        return self._look_up(part, deck.open_row(part, self.rows[card], [shares[seat] for seat in self.here]))

    def unseal(self, card: int, part: str) -> Any:
        """What the shares sealed to this seat, and its own, show it."""
        assert self.me is not None
        try:
            seals, shares = self.given(card, part, self.me)
        except PeerError:  # nobody's fault: the rules show a card of which not all have given what they owe
            raise LocalError(f"card {card} cannot be read") from None
        point = deck.unseal(part, self.rows[card], shares, getattr(self.own, part), self.own.seal, seals)
        return self._look_up(part, point)

    def printed(self, part: str) -> list[tuple[Any, Point]]:
        """What may be printed on this part, each once, with its point; the order is that of the canonical encodings."""
        return self._printed[part]

    def number(self, part: str, face: Any) -> int:
        """The index of a face in `printed`."""
        return self._numbers[part][encode(face)]

    def point(self, part: str, face: Any) -> Point:
        return self._printed[part][self.number(part, face)][1]

    def _look_up(self, part: str, point: Point) -> Any:
        face = self._faces[part].get(point.encode())
        if face is None:
            raise LocalError("a card that is not in the list was opened, though every proof holds: please report this match")
        return face[0]

    def _lay_out(self) -> None:
        """The first deck is computed, never sent: public rows of what is printed."""
        for card, (back, face) in zip(self.rules.dealt, self.rules.printed(), strict=True):
            self.rows[card] = self._public_row(back, face)

    def _public_row(self, back: Any, face: Any) -> Row:
        return deck.first_row(self.point("face", face), self.point("back", back) if self.width == 3 else None)

    def _laid(self, cards: Sequence[int]) -> list[Row]:
        """The rows that enter a shuffle: a card that all have seen as its public row, the others as they are.

        Nobody can open cards that were dealt under the keys of a seat which was then lost, but all know which they are: the list
        without what is seen.  They enter as public rows, in the list's order; which of them had which handle nobody knows.
        """
        shown, backed = self.rules.shown, self.width == 3
        seen = {c: (shown.get((c, "back")) if backed else None, shown[c, "face"]) for c in self.rows if (c, "face") in shown}
        left = list(self.rules.printed())
        for card in seen.values():
            left.remove(card)
        fresh = iter(sorted(left, key=encode))
        rows = [self._public_row(*(seen[c] if c in seen else next(fresh))) if c in seen or c in self.past else self.rows[c] for c in cards]
        if any(c in self.past and c not in seen for c in cards) and next(fresh, None) is not None:
            raise LocalError("the rules shuffle only a part of the cards that were dealt before a seat was lost")
        return rows

    def _list_printed(self) -> None:
        printed = self.rules.printed()
        backed = bool(printed) and printed[0][0] is not None
        self.width = 3 if backed else 2
        self._printed: dict[str, list[tuple[Any, Point]]] = {"face": [], "back": []}
        self._numbers: dict[str, dict[bytes, int]] = {}
        self._faces: dict[str, dict[bytes, tuple[Any]]] = {}
        for part, column in (("back", 0), ("face", 1))[not backed :]:
            values = sorted({encode(card[column]): card[column] for card in printed}.items())
            points = [deck.printed_point(self.data, self.rules.NAME, part, data) for data, _ in values]
            self._printed[part] = [(value, point) for (_, value), point in zip(values, points, strict=True)]
            self._numbers[part] = {data: i for i, (data, _) in enumerate(values)}
            self._faces[part] = {point.encode(): (value,) for value, point in self._printed[part]}
