"""The rounds of a team: its secret, and its members' word for it; values hidden anew when it is made again; its dice.

A seat that leaves in the middle passes what it owes on to the team's next; who that is depends on filled slots alone, as all see them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import PeerError
from ..rules import ALL, Answer, Reveal, Team as TeamRequest
from . import coin, team
from .book import Team
from .group import BASE_TABLE, IDENTITY, Point, Scalar
from .member import Cipher
from .proofs import BadProof
from .rounds import Body, Coin, Private, Rng, Stage
from .team import Seal

if TYPE_CHECKING:
    from .table import Table


def remaining(table: Table, seats: tuple[int, ...], passed: tuple[int, ...]) -> tuple[int, ...]:
    """Those of a team's seats that have not left, nor passed this request on."""
    return tuple(seat for seat in seats if seat not in table.rules.gone and seat not in passed)


class TeamSecret(Stage):
    """A Team, round 0: its first seat publishes T with a proof, and t sealed to each other member."""

    def __init__(self, table: Table, request: TeamRequest, passed: tuple[int, ...] = ()) -> None:
        super().__init__(table)
        self.request, self.passed = request, passed
        self.members = remaining(table, request.seats, passed)
        self.owed = self.members[:1]

    @property
    def readers(self) -> dict[int, Point]:
        return {seat: self.table.keys[seat].seal for seat in self.members[1:]}

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        body, t = team.make_secret(self.table.context(seat), self.request.name, self.readers, rng)
        return (body,), t.encode()

    def check(self, seat: int, body: Body) -> tuple[Point, dict[int, Seal]]:
        (data,) = self.blobs(seat, body, team.secret_size(len(self.readers)))
        try:
            return team.check_secret(self.table.context(seat), self.request.name, self.readers, data)
        except BadProof as error:
            raise PeerError(seat, "bad-team", str(error)) from None

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        if not self.owed:
            return Answer()  # nobody is left; the rules know
        (maker,) = self.owed
        if taken[maker] is None:
            return TeamSecret(self.table, self.request, (*self.passed, maker))
        T, seals = taken[maker]
        return TeamAcceptance(self.table, self.request, Team(self.request.name, self.members, T), seals)

    def stand_in(self, seat: int) -> None:
        """The next member makes the secret."""


class TeamAcceptance(Stage):
    """A Team, round 1: each other member accepts t (empty), or shows to all what was sealed to it: a wrong t names the maker.

    Nothing is encrypted under T before this round is complete.
    """

    def __init__(self, table: Table, request: TeamRequest, made: Team, seals: dict[int, Seal]) -> None:
        super().__init__(table)
        self.request, self.made, self.seals = request, made, seals
        self.maker = table.context(made.seats[0])
        self.owed = made.seats[1:]

    def _opened(self, seat: int) -> Scalar:
        return team.open_seal(self.maker, self.made.name, self.made.T, seat, self.seals[seat], self.table.own.seal)

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        if BASE_TABLE.mul(self._opened(seat)) == self.made.T:
            return (b"",), None
        key = self.table.keys[seat].seal
        return (team.make_complaint(self.table.context(seat), self.seals[seat], key, self.table.own.seal, rng),), None

    def check(self, seat: int, body: Body) -> bool:
        if body == (b"",):
            return True
        (data,) = self.blobs(seat, body, team.COMPLAINT)
        context, key = self.table.context(seat), self.table.keys[seat].seal
        try:
            team.check_complaint(context, self.maker, self.made.name, self.made.T, self.seals[seat], key, data)
        except BadProof as error:
            raise PeerError(seat, "false-complaint", str(error)) from None
        raise PeerError(self.maker.seat, "bad-team-secret")

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        table, book = self.table, self.table.hidden
        before = book.teams.get(self.made.name)
        t = None
        if table.me == self.maker.seat:
            t = Scalar.decode(table.recall(self.maker.step, self.maker.round))
        elif table.me in self.seals:
            t = self._opened(table.me)
        book.add(self.made, t)
        return Answer() if before is None else TeamRenewal(table, before, self.made)

    def stand_in(self, seat: int) -> bool:
        """Who leaves complains of nothing."""
        return True


class TeamRenewal(Stage):
    """A Team that there was before, round 2: every value hidden under the old key is hidden under the new one, with proofs."""

    def __init__(self, table: Table, old: Team, new: Team, passed: tuple[int, ...] = ()) -> None:
        super().__init__(table)
        self.old, self.new, self.passed = old, new, passed
        self.names = table.hidden.under(table.rules, old)
        able = tuple(seat for seat in remaining(table, new.seats, passed) if seat in old.seats)
        self.owed = able[:1] if self.names else ()

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t, context, book = self.table.hidden.secrets[self.old.T], self.table.context(seat), self.table.hidden
        ciphers = ((name, book.ciphers[name][1]) for name in self.names)
        return tuple(team.make_renewal(context, name, self.old.T, self.new.T, t, C, rng) for name, C in ciphers), None

    def check(self, seat: int, body: Body) -> list[Cipher]:
        context, book = self.table.context(seat), self.table.hidden
        blobs = self.blobs(seat, body, *(team.RENEWAL,) * len(self.names))
        try:
            return [
                team.check_renewal(context, name, self.old.T, self.new.T, book.ciphers[name][1], data)
                for name, data in zip(self.names, blobs, strict=True)
            ]
        except BadProof as error:
            raise PeerError(seat, "bad-renewal", str(error)) from None

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        for seat, ciphers in taken.items():
            if ciphers is None:
                return TeamRenewal(self.table, self.old, self.new, (*self.passed, seat))
            self.table.hidden.ciphers.update({name: (self.new, C) for name, C in zip(self.names, ciphers, strict=True)})
        return Answer()

    def stand_in(self, seat: int) -> None:
        """The next member hides them anew."""


class TeamCoin(Coin):
    """A Roll to a team: all seats' coin says which dice show a face of `open`; the others' faces are a function of it that the team has."""

    def finish(self, taken: dict[int, Any]) -> Answer:
        t, request = self.table, self.request
        R = sum((taken[seat] for seat in self.owed), IDENTITY)
        values = coin.values(R, t.match, t.step, t.round, request.n, request.sides)
        public = {i: value for i, value in enumerate(values) if value in request.open}
        faces = tuple(face for face in range(1, request.sides + 1) if face not in request.open)
        T = t.hidden.team(request.to).T
        dice = {i: team.Die(T, team.die_point(t.match, t.step, t.round, R, T, i), faces) for i in range(request.n) if i not in public}
        t.hidden.dice.update({t.rules.handles + i: die for i, die in dice.items()})
        secret = t.hidden.secrets.get(T)
        seen = {} if secret is None else {i: team.die_face(die, die.H * secret) for i, die in dice.items()}
        return Answer(public, seen)


class DieOpening(Stage):
    """A Reveal of a team's dice by one of its seats: each with a proof that it fell so."""

    def __init__(self, table: Table, request: Reveal, passed: tuple[int, ...] = ()) -> None:
        super().__init__(table)
        self.request, self.passed = request, passed
        self.hidden = [c for c in request.cards if (c, request.part) not in table.rules.shown]
        self.size = len(self.hidden)
        members = table.hidden.team_of(table.hidden.dice[self.hidden[0]].T).seats if self.hidden else ()
        able = remaining(table, (request.by, *members) if request.by in members else members, passed)
        self.owed = able[:1]

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t = self.table
        dice = ((c, t.hidden.dice[c]) for c in self.hidden)
        return tuple(team.make_die(t.context(seat), c, die, t.hidden.secrets[die.T], rng) for c, die in dice), None

    def check(self, seat: int, body: Body) -> dict[int, int]:
        t, faces = self.table, {}
        blobs = self.blobs(seat, body, *(team.DIE,) * len(self.hidden))
        try:
            for card, data in zip(self.hidden, blobs, strict=True):
                faces[card] = team.check_die(t.context(seat), card, t.hidden.dice[card], data)
                t.count("shares")
        except BadProof as error:
            raise PeerError(seat, "bad-die", str(error)) from None
        return faces

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        opened: dict[int, int] = {}
        for seat, faces in taken.items():
            if faces is None:
                return DieOpening(self.table, self.request, (*self.passed, seat))
            opened = faces
        shown = {c: self.table.rules.shown[c, self.request.part] for c in self.request.cards if c not in self.hidden}
        return Answer(faces={**shown, **opened})

    def stand_in(self, seat: int) -> None:
        """The team's next seat opens them."""


def is_die(table: Table, request: Reveal) -> bool:
    """Does it concern dice, and not cards?"""
    return request.to == ALL and bool(request.cards) and all(card in table.hidden.dice for card in request.cards)
