"""The rounds in which each kind of request is answered without a dealer: who owes what, how it is made, how it is checked.

A stage is one round.  It knows the mathematics of its request and nothing of slots, signatures or sockets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import PeerError
from ..plain import encode
from ..rules import ALL, Answer, Over, Request, Reveal, Roll, Rules, Shuffle
from . import coin, deck, keys, shuffle
from .deck import Row, Seal
from .group import IDENTITY, Point, Scalar
from .proofs import BadProof

if TYPE_CHECKING:
    from .table import Table

Rng = Callable[[int], bytes]
Body = Any  # plain data: what a contribution carries
Private = Any  # plain data: what a later round needs, kept on this seat's disk only
SALT = 32  # bytes


class Stage:
    """One round of one request.  `owed`: the seats that each owe one contribution, none depending on another."""

    owed: tuple[int, ...] = ()
    size = 1  # items of the body, where others may be joined to it

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def asks(self) -> Request | None:
        """What this seat's player must decide before the body can be made, if anything."""
        return None

    @property
    def sight(self) -> Rules:
        """The rules as its seat sees them when it is asked."""
        return self.table.rules

    @property
    def part(self) -> int:
        """How many requests its seat's player has decided already."""
        return 0

    def answer(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private] | None:
        """The player's decision: as `make`, or None if he is asked for more; IllegalMove if it is not legal."""
        return self.make(seat, answer, rng)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        """This seat's body, and what it must keep to answer later rounds; IllegalMove if `answer` is not legal."""
        raise AssertionError("every stage makes its bodies")

    def check(self, seat: int, body: Body) -> Any:
        """What a good body says; PeerError(seat, claim) for any other."""
        raise AssertionError("every stage checks its bodies")

    def finish(self, taken: dict[int, Any]) -> Stage | Answer | None:
        """All owed bodies are in: the next round, the request's answer, or None after the last of the match."""
        raise AssertionError("every stage ends")

    def stand_in(self, seat: int) -> Any:
        """What all others put in the place of a good body of a seat that has left; they have its face, back and coin keys."""
        raise AssertionError("nobody leaves before the keys are known")

    def items(self, seat: int, body: Body, *kinds: type | tuple[type, ...]) -> tuple[Any, ...]:
        """The body's items if it is a tuple of exactly these types."""
        if type(body) is not tuple or len(body) != len(kinds) or not all(type(b) is k for b, k in zip(body, kinds, strict=True)):
            raise PeerError(seat, "bad-body")
        return body

    def blobs(self, seat: int, body: Body, *sizes: int) -> tuple[bytes, ...]:
        """The body if it is byte strings of exactly these lengths: a wrong shape is told before any proof is looked at."""
        blobs = self.items(seat, body, *(bytes,) * len(sizes))
        if tuple(map(len, blobs)) != sizes:
            raise PeerError(seat, "bad-body")
        return blobs


class KeyCommitment(Stage):
    """Step 0, round 0: a hash commitment to the match's public keys, so that nobody chooses his by the others'."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.owed = table.here

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        salt = rng(SALT)
        return (keys.commit(self.table.match, seat, self.table.own.public, salt),), salt

    def check(self, seat: int, body: Body) -> bytes:
        (commitment,) = self.blobs(seat, body, 32)
        return commitment

    def finish(self, taken: dict[int, Any]) -> Stage:
        return KeyProof(self.table, taken)


class KeyProof(Stage):
    """Step 0, round 1: the keys with proofs of knowledge bound to match, seat and kind."""

    def __init__(self, table: Table, commitments: dict[int, bytes]) -> None:
        super().__init__(table)
        self.owed, self.commitments = table.here, commitments

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        salt = self.table.recall(0, 0)
        return (keys.prove_keys(self.table.context(seat), self.table.own, salt, rng),), None

    def check(self, seat: int, body: Body) -> keys.PublicKeys:
        (data,) = self.blobs(seat, body, keys.BODY)
        try:
            return keys.check_keys(self.table.context(seat), data, self.commitments[seat], ())
        except BadProof as error:
            raise PeerError(seat, "bad-keys", str(error)) from None

    def finish(self, taken: dict[int, Any]) -> Answer:
        self.table.set_keys(taken)
        return Answer()


class ShuffleTurn(Stage):
    """One seat re-masks and permutes the rows that the seat before it left, with a Terelius-Wikstrom proof."""

    def __init__(self, table: Table, request: Shuffle, order: tuple[int, ...], rows: list[Row]) -> None:
        super().__init__(table)
        self.request, self.order, self.rows, self.owed = request, order, rows, order[:1]

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        rows, proof = shuffle.shuffle(self.table.context(seat), self.rows, self.table.joint, rng)
        return (b"".join(map(deck.encode_row, rows)), proof), None

    def check(self, seat: int, body: Body) -> list[Row]:
        N, k = len(self.rows), len(self.rows[0])
        data, proof = self.blobs(seat, body, 32 * k * N, shuffle.size(N, k))
        try:
            rows = [deck.decode_row(data[i : i + 32 * k], k) for i in range(0, len(data), 32 * k)]
            shuffle.verify(self.table.context(seat), self.rows, rows, self.table.joint, proof)
        except (BadProof, ValueError) as error:
            raise PeerError(seat, "bad-shuffle", str(error)) from None
        self.table.count("shuffles")
        return rows

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        rows = taken[self.order[0]]
        if self.order[1:]:
            return ShuffleTurn(self.table, self.request, self.order[1:], rows)
        self.table.lay(self.request.cards, rows)
        return Answer()

    def stand_in(self, seat: int) -> list[Row]:
        """Its turn is skipped."""
        return self.rows


class Shares(Stage):
    """A Reveal by all: each seat's share of each card, in the open or sealed to each reader but itself."""

    def __init__(self, table: Table, request: Reveal) -> None:
        super().__init__(table)
        self.request = request
        readers: tuple[int | None, ...] = (None,) if isinstance(request.to, str) else request.to
        hidden = [c for c in request.cards if table.face(c, request.part) is None]
        self.due = {
            seat: [(c, r) for c in hidden for r in readers if r != seat and not table.has_given(c, request.part, r, seat)]
            for seat in table.here
        }
        self.owed = tuple(seat for seat, due in self.due.items() if due)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t, part, context = self.table, self.request.part, self.table.context(seat)
        secret, public = getattr(t.own, part), getattr(t.keys[seat], part)
        blobs = [
            deck.make_share(context, card, part, t.rows[card], secret, public, rng)
            if reader is None
            else deck.make_seal(context, card, part, reader, t.rows[card], secret, public, t.keys[reader].seal, rng)
            for card, reader in self.due[seat]
        ]
        return tuple(blobs), None

    def check(self, seat: int, body: Body) -> list[tuple[int, int | None, Point | Seal]]:
        t, part, context = self.table, self.request.part, self.table.context(seat)
        public = getattr(t.keys[seat], part)
        given: list[tuple[int, int | None, Point | Seal]] = []
        blobs = self.blobs(seat, body, *(deck.SHARE if reader is None else deck.SEAL for _, reader in self.due[seat]))
        try:
            for (card, reader), data in zip(self.due[seat], blobs, strict=True):
                if reader is None:
                    given.append((card, reader, deck.check_share(context, card, part, t.rows[card], public, data)))
                else:
                    key = t.keys[reader].seal
                    given.append((card, reader, deck.check_seal(context, card, part, reader, t.rows[card], public, key, data)))
                t.count("shares")
        except BadProof as error:
            raise PeerError(seat, "bad-share", str(error)) from None
        return given

    def finish(self, taken: dict[int, Any]) -> Answer:
        t, request = self.table, self.request
        for seat, given in taken.items():
            for card, reader, share in given:
                t.book(card, request.part, reader, seat, share)
        faces = {}
        for card in request.cards:
            face = t.face(card, request.part)
            if face is None and request.to == ALL:
                face = t.open(card, request.part)
            elif face is None and t.me in request.to:
                face = t.unseal(card, request.part)
            if face is not None:
                faces[card] = face
        return Answer(faces=faces)

    def stand_in(self, seat: int) -> list[tuple[int, int | None, Point | Seal]]:
        """Its shares, in the open: whoever has its key computes them."""
        t, part = self.table, self.request.part
        return [(card, None, t.rows[card][0] * getattr(t.departed[seat], part)) for card in {card for card, _ in self.due[seat]}]


class Opening(Stage):
    """A Reveal by one seat that has read the cards: it says what they are, each with one proof, also after others have left."""

    def __init__(self, table: Table, request: Reveal) -> None:
        super().__init__(table)
        assert request.by is not None
        self.request, self.by = request, request.by
        self.hidden = [c for c in request.cards if table.face(c, request.part) is None]
        self.owed, self.size = (self.by,) if self.hidden else (), len(self.hidden)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t, part, body = self.table, self.request.part, []
        for card in self.hidden:
            face = t.rules.seen(card, part)
            own = t.own_of(card)
            secrets = (getattr(own, part), own.seal)
            seals, shares = t.given(card, part, seat)
            proof = deck.make_opening(
                t.context(seat), card, part, t.rows[card], t.point(part, face), secrets, self.public(card), seals, shares, rng
            )
            body.append((t.number(part, face), proof))
        return tuple(body), None

    def public(self, card: int) -> tuple[Point, Point]:
        """The opener's face or back key and sealing key, of the match in which the card was dealt."""
        public = self.table.keys_of(card)[self.by]
        return getattr(public, self.request.part), public.seal

    def check(self, seat: int, body: Body) -> dict[int, Any]:
        t, part = self.table, self.request.part
        faces = {}
        pairs = [self.items(seat, item, int, bytes) for item in self.items(seat, body, *(tuple,) * len(self.hidden))]
        if not all(0 <= number < len(t.printed(part)) and len(proof) == deck.OPENING for number, proof in pairs):
            raise PeerError(seat, "bad-body")
        for card, (number, proof) in zip(self.hidden, pairs, strict=True):
            face, point = t.printed(part)[number]
            try:
                seals, shares = t.given(card, part, seat)
                deck.check_opening(t.context(seat), card, part, t.rows[card], point, self.public(card), seals, shares, proof)
            except BadProof as error:
                raise PeerError(seat, "bad-opening", str(error)) from None
            faces[card] = face
            t.count("shares")
        return faces

    def stand_in(self, seat: int) -> None:
        """It cannot open them any more; all who remain do, in a round of shares."""
        return None

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        opened = taken.get(self.by, {})
        if opened is None:
            return Shares(self.table, Reveal(self.request.cards, self.request.part, ALL))
        return Answer(faces={c: opened[c] if c in opened else self.table.face(c, self.request.part) for c in self.request.cards})


class Coin(Stage):
    """A public Roll: each seat's share of a point that nobody can foresee or steer, hashed into dice."""

    def __init__(self, table: Table, request: Roll) -> None:
        super().__init__(table)
        self.request, self.owed = request, table.here
        self.H = coin.coin_point(table.match, table.step, table.round, table.prev)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t = self.table
        return (coin.make_coin_share(t.context(seat), self.H, t.own.coin, t.keys[seat].coin, rng),), None

    def check(self, seat: int, body: Body) -> Point:
        (data,) = self.blobs(seat, body, coin.SHARE)
        try:
            point = coin.check_coin_share(self.table.context(seat), self.H, self.table.keys[seat].coin, data)
        except BadProof as error:
            raise PeerError(seat, "bad-coin", str(error)) from None
        self.table.count("shares")
        return point

    def finish(self, taken: dict[int, Any]) -> Answer:
        t = self.table
        total = sum((taken[seat] for seat in self.owed), IDENTITY)
        return Answer(coin.values(total, t.match, t.step, t.round, self.request.n, self.request.sides))

    def stand_in(self, seat: int) -> Point:
        return self.H * self.table.departed[seat].coin


class SignOff(Stage):
    """The last round: every seat signs scores, winners and reason, over the digest of all before; so the last step is cross-checked.

    Unless the table wants no audit, each member of a team adds the team's secrets: with the first that come everybody reads what was
    hidden, and checks it all once more.
    """

    def __init__(self, table: Table, request: Over) -> None:
        super().__init__(table)
        self.outcome = (request.scores, request.winners, request.reason)
        self.owed = table.here

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        book = self.table.hidden
        return (*self.outcome, *(book.secrets[team.T].encode() for team in book.due(self.table.rules, seat))), None

    def check(self, seat: int, body: Body) -> Any:
        book, size = self.table.hidden, len(self.outcome)
        due = book.due(self.table.rules, seat)
        if type(body) is not tuple:
            raise PeerError(seat, "bad-body")
        secrets = self.blobs(seat, body[size:], *(32,) * len(due))
        if encode(body[:size]) != encode(self.outcome):
            raise PeerError(seat, "bad-outcome")
        try:
            book.publish((team, Scalar.decode(t)) for team, t in zip(due, secrets, strict=True))
        except ValueError as error:
            raise PeerError(seat, "bad-outcome", str(error)) from None
        self.table.trust = replace(self.table.trust, audited=book.audited)
        return body

    def finish(self, taken: dict[int, Any]) -> None:
        return None

    def stand_in(self, seat: int) -> None:
        """Who has left does not sign the outcome."""
