"""The rounds of hidden values: a new value with a proof of the rule that it keeps, and proven answers to questions about values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import LocalError, PeerError
from ..rules import Answer, Ask, Hide, IllegalMove, Statement
from . import hidden
from .book import Asked, Hidden, Team
from .group import Scalar
from .member import Cipher
from .proofs import BadProof
from .rounds import Body, Private, Rng, Stage
from .team_rounds import remaining

if TYPE_CHECKING:
    from .table import Table


class Hiding(Stage):
    """A Hide: ciphertext and proof.  Size and time depend on public data alone."""

    size = 2

    def __init__(self, table: Table, request: Hide) -> None:
        super().__init__(table)
        self.request, self.owed = request, (request.seat,)

    @property
    def asks(self) -> Hide:
        return self.request

    @property
    def team(self) -> Team:
        return self.table.hidden.team(self.request.to)

    @property
    def statement(self) -> Statement:
        statement: Statement = getattr(self.table.rules, self.request.rule)(self.request)
        return statement

    def _ciphers(self, statement: Statement, new: Cipher) -> dict[str, Cipher]:
        """What the statement's names stand for."""
        rules, book = self.table.rules, self.table.hidden
        names = hidden.names_of(statement)
        for name in names:
            if name in book.ciphers and name not in rules.public and book.ciphers[name][0] != self.team:
                raise LocalError("a statement is about values of one team")
        old = {"old": book.cipher(rules, self.request.name)} if "old" in names else {}
        return {**{name: book.cipher(rules, name) for name in names if name not in ("old", "new")}, **old, "new": new}

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t, request, statement = self.table, self.request, self.statement
        known = {**t.rules.mine, **t.rules.public}
        values = {**known, **({"old": known[request.name]} if request.name in known else {}), "new": answer}
        if type(answer) is not int or not statement.holds(values):
            raise IllegalMove(t.rules.why_not(request, answer))
        C = hidden.hide(self.team.T, answer, Scalar.reduce(rng(64)))
        secret = t.hidden.secrets[self.team.T]
        ciphers = self._ciphers(statement, C)
        proof = hidden.prove(t.context(seat), request.name, self.team.T, statement, ciphers, values, secret, rng)
        return (hidden.encode_cipher(C), proof), None

    def check(self, seat: int, body: Body) -> Cipher:
        t, statement = self.table, self.statement
        _, said = self.items(seat, body, bytes, bytes)
        data, proof = self.blobs(seat, body, hidden.CIPHER, hidden.size(statement, len(said)))
        try:
            C = hidden.decode_cipher(data)
            hidden.check(t.context(seat), self.request.name, self.team.T, statement, self._ciphers(statement, C), proof)
        except BadProof as error:
            raise PeerError(seat, "bad-hidden-move", str(error)) from None
        t.count("moves")
        return C

    def finish(self, taken: dict[int, Any]) -> Answer:
        t, request, book, team = self.table, self.request, self.table.hidden, self.team
        (seat,) = self.owed
        C = taken[seat]
        if C is None:
            book.ciphers[request.name] = team, book.cipher(t.rules, request.name)
            return Answer({**t.rules.mine, **t.rules.public}.get(request.name))
        book.trail += (Hidden(t.step, seat, request, team, C, t.rules.copy()),)
        book.ciphers[request.name] = team, C
        secret = book.secrets.get(team.T)
        return Answer(None if secret is None else hidden.uncover(secret, C, hidden.values_of(self.statement)))

    def stand_in(self, seat: int) -> None:
        """The value of a seat that has left stays as it is."""


class Asking(Stage):
    """An Ask: for each value that is not public, yes or no with a proof, by the first seat of its team; a leaver passes it on.

    With `by` it is that seat's own claim: its proof of a yes, in the contribution that claims it.
    """

    def __init__(self, table: Table, request: Ask, passed: tuple[int, ...] = (), answered: dict[str, bool] | None = None) -> None:
        super().__init__(table)
        self.request, self.passed, self.answered = request, passed, dict(answered or {})
        self.names: dict[int, list[str]] = {}
        for name in request.names:
            if name not in table.rules.public and name not in self.answered:
                able = remaining(table, self._team(name).seats, passed) if request.by is None else (request.by,)
                for seat in able[:1]:
                    self.names.setdefault(seat, []).append(name)
        self.owed = tuple(sorted(self.names))

    def _team(self, name: str) -> Team:
        if name not in self.table.hidden.ciphers:
            raise LocalError(f"the rules ask for the hidden value {name} before it has one")
        return self.table.hidden.ciphers[name][0]

    def make(self, seat: int, answer: Any, rng: Rng) -> tuple[Body, Private]:
        t, book, body = self.table, self.table.hidden, []
        for name in self.names[seat]:
            T, C = self._team(name).T, book.ciphers[name][1]
            v = t.rules.mine[name]
            body.append(hidden.prove_answer(t.context(seat), name, T, C, self.request.inside, v, book.secrets[T], rng))
        return tuple(body), None

    def check(self, seat: int, body: Body) -> dict[str, bool]:
        t, answers = self.table, {}
        pairs = [self.items(seat, item, bool, bytes) for item in self.items(seat, body, *(tuple,) * len(self.names[seat]))]
        if any(len(proof) != hidden.answer_size(self.request.inside, yes) for yes, proof in pairs):
            raise PeerError(seat, "bad-body")
        for name, (yes, proof) in zip(self.names[seat], pairs, strict=True):
            if self.request.by is not None and not yes:
                raise PeerError(seat, "bad-answer", "it does not prove what it claims")
            C = t.hidden.ciphers[name][1]
            try:
                hidden.check_answer(t.context(seat), name, self._team(name).T, C, self.request.inside, yes, proof)
            except BadProof as error:
                raise PeerError(seat, "bad-answer", str(error)) from None
            answers[name] = yes
            t.count("shares")
        return answers

    def finish(self, taken: dict[int, Any]) -> Stage | Answer:
        t, public = self.table, self.table.rules.public
        left = tuple(seat for seat, answers in taken.items() if answers is None)
        for seat, answers in taken.items():
            if answers is not None:
                t.hidden.trail += (Asked(t.step, seat, self.request, answers),)
                self.answered.update(answers)
        if left:
            return Asking(t, self.request, (*self.passed, *left), self.answered)
        known = {name: public[name] in self.request.inside for name in self.request.names if name in public}
        return Answer({name: self.answered.get(name, known.get(name, False)) for name in self.request.names})

    def stand_in(self, seat: int) -> None:
        """The team's next seat answers."""
