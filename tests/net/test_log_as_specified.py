"""Whole matches are as docs/protocol.md says: what each seat has said in each round is checked, there, by what was written from the page.

The places and digests are those of the contributions; the product's table says only what is asked for, of which cards and keys.
"""

from collections import Counter
from pathlib import Path

import plain_hidden
import plain_match as plain
import plain_shuffle
import pytest
from adversaries.rounds import kind_of
from fakenet import Net
from mastaba.core.fair import hidden
from mastaba.core.fair.chain import Trial
from mastaba.core.fair.rounds import Coin
from mastaba.core.plain import encode
from mastaba.core.rules import Roll
from mastaba.net.log import LEAVE
from mastaba.net.verify import Replay

DATA = Path(__file__).parents[1] / "data"


def row_of(row):
    return tuple(P.encode() for P in row)


def scalar_keys(keys):
    """A seat's four keys by kind."""
    return dict(zip(plain.KINDS, row_of(keys.by_kind()), strict=True))


class Reader:
    """The log of one match, read contribution by contribution beside a replay of it; `checked` counts what was found to hold."""

    def __init__(self, net, session):
        self.roster, self.table = net.match.roster, net.match.table()
        self.replay = Replay(self.roster, self.table)
        self.commitments, self.tossed, self.checked = {}, [], Counter()
        rules = self.table.rules
        for card, (back, face) in zip(rules.dealt, rules.printed(), strict=True):
            values = [("face", face), *([("back", back)] if back is not None else [])]
            first = (plain.group.identity, *(self.printed(part, encode(value)) for part, value in values))
            assert row_of(self.table.rows[card]) == first
            self.checked["printed"] += 1
        for round_ in session.book.rounds:
            prev = round_.prev
            for signed in round_.in_order():
                if signed.data not in self.replay.left.values():
                    self.read(signed, prev)
            following = plain.next_digest(prev, [one.data for one in round_.in_order()])
            assert self.replay.prev == following

    def read(self, signed, prev):
        said, stage = signed.said, self.table.stage
        if said.kind != LEAVE:
            where = (self.roster.match, said.step, said.round, said.seat)
            name = kind_of(stage)
            if name.startswith("Chain"):
                self.parts(stage, where, said.body)
            elif (check := getattr(self, f"check_{name}", None)) is not None:
                self.checked[name] += 1
                assert check(stage, where, said.body, prev), (name, where)
        if not isinstance(stage, Coin):
            self.replay.take(signed)
            return
        take = self.table.take
        self.table.take = lambda answer: (self.rolled(answer), take(answer))
        self.replay.take(signed)
        del self.table.take  # a twin of the table takes for itself

    def parts(self, chain, where, body):
        """A contribution to joined requests: its k-th part stands in round + k."""
        match, step, round_, seat = where
        trial, first = Trial(self.table, chain.first), chain.first.size
        for k, part in enumerate([body[:first], *body[first:]]):
            name = type(trial.stage).__name__
            if (check := getattr(self, f"check_{name}", None)) is not None:
                self.checked[name, k] += 1
                assert check(trial.stage, (match, step, round_ + k, seat), part, b""), (name, k)
            trial.check(seat, part)

    def keys(self, seat):
        return scalar_keys(self.table.keys[seat])

    # -- set-up, decks ------------------------------------------------------------------------------------------------

    def check_KeyCommitment(self, stage, where, body, prev):
        self.commitments[where[3]] = body[0]
        return True

    def check_KeyProof(self, stage, where, body, prev):
        return plain.keys(where, body[0], self.commitments[where[3]])

    def check_ShuffleTurn(self, stage, where, body, prev):
        k = len(stage.rows[0])
        points = plain.points_of(body[0])
        out = [tuple(points[i : i + k]) for i in range(0, len(points), k)]
        return plain_shuffle.verify(where, [row_of(row) for row in stage.rows], out, row_of(self.table.joint), body[1])

    def check_Shares(self, stage, where, body, prev):
        part, seat, X = stage.request.part, where[3], self.keys(where[3])
        for (card, reader), blob in zip(stage.due[seat], body, strict=True):
            row = row_of(self.table.rows[card])
            if reader is None:
                good = plain.share(where, card, part, row, X[part], blob)
            else:
                good = plain.seal(where, card, part, reader, row, X[part], self.keys(reader)["seal"], blob)
            self.checked["share" if reader is None else "seal"] += good is not None
            if good is None:
                return False
        return True

    def check_Opening(self, stage, where, body, prev):
        part, (X, S) = stage.request.part, row_of(stage.public(stage.hidden[0]))
        for card, (number, proof) in zip(stage.hidden, body, strict=True):
            face = sorted({encode(face) for face in self.faces(part)})[number]
            F = self.printed(part, face)
            seals, shares = stage.table.given(card, part, where[3])
            given = [row_of((seal.E, seal.V)) for seal in seals]
            if not plain.opening(where, card, part, row_of(self.table.rows[card]), F, X, S, given, row_of(shares), proof):
                return False
        return True

    def printed(self, part, value):
        return plain.printed(self.roster.data, self.roster.game, part, value)

    def faces(self, part):
        return [face if part == "face" else back for back, face in self.table.rules.printed()]

    # -- coins, choices -----------------------------------------------------------------------------------------------

    def check_Coin(self, stage, where, body, prev):
        D = plain.coin_share(where, prev, self.keys(where[3])["coin"], body[0])
        self.tossed = [*(self.tossed if where[3] != stage.owed[0] else []), D]
        self.place = where[:3]
        return D is not None

    check_TeamCoin = check_Coin

    def rolled(self, answer):
        """What the dice show follows from the shares; of a team's dice, their points."""
        request, t = self.table.rules.pending, self.table
        if not isinstance(request, Roll) or t.departed:
            return
        values = plain.coin_values(*self.place, self.tossed, request.n, request.sides)
        if request.to not in t.hidden.teams:
            assert list(answer.value) == values
            return
        assert answer.value == {i: value for i, value in enumerate(values) if value in request.open}
        T = t.hidden.teams[request.to].T.encode()
        for i in set(range(request.n)) - set(answer.value):
            H = plain_hidden.die_point(*self.place, plain.summed(self.tossed), T, i)
            assert t.hidden.dice[t.rules.handles + i].H.encode() == H
            self.checked["die"] += 1

    def check_ChoiceCommitment(self, stage, where, body, prev):
        self.commitments[where[3]] = body[0]
        return True

    def check_ChoiceOpening(self, stage, where, body, prev):
        return plain.choice(where, body) == self.commitments[where[3]]

    # -- teams --------------------------------------------------------------------------------------------------------

    def check_TeamSecret(self, stage, where, body, prev):
        return plain_hidden.secret(where, stage.request.name, {seat: self.keys(seat)["seal"] for seat in stage.readers}, body[0])[0]

    def check_TeamRenewal(self, stage, where, body, prev):
        old, new, ciphers = stage.old.T.encode(), stage.new.T.encode(), self.table.hidden.ciphers
        return all(plain_hidden.renewed(where, n, old, new, row_of(ciphers[n][1]), data) for n, data in zip(stage.names, body, strict=True))

    def check_DieOpening(self, stage, where, body, prev):
        dice = [(handle, self.table.hidden.dice[handle]) for handle in stage.hidden]
        return all(
            plain_hidden.shown_die(where, handle, die.T.encode(), die.H.encode(), die.faces, data) is not None
            for (handle, die), data in zip(dice, body, strict=True)
        )

    def check_Hiding(self, stage, where, body, prev):
        claim = stage.statement
        ciphers = {name: row_of(C) for name, C in stage._ciphers(claim, hidden.decode_cipher(body[0])).items()}
        T, name = stage.team.T.encode(), stage.request.name
        return plain_hidden.statement(where, name, T, claim.all_of, claim.one_of, claim.apart, ciphers, body[1])

    def check_Asking(self, stage, where, body, prev):
        book, inside = stage.table.hidden, stage.request.inside  # with the square that it has gone to in this very move
        asked = [(name, *book.ciphers[name]) for name in stage.names[where[3]]]
        return all(
            plain_hidden.answer(where, name, team.T.encode(), row_of(C), inside, yes, proof)
            for (name, team, C), (yes, proof) in zip(asked, body, strict=True)
        )

    def check_SignOff(self, stage, where, body, prev):
        over, made = self.table.rules.pending, [(team.seats, team.T.encode()) for team in self.table.hidden.made]
        return plain_hidden.told(body, (over.scores, over.winners, over.reason), made, where[3]) is not None


# a match: game, seats, seed, who leaves after how many steps; and what it must have shown
MATCHES = {
    "loot": (("loot", 3, 21, None), {"printed", "ShuffleTurn", "share", "seal", ("Opening", 0), "Coin"}),
    "crypt": (("crypt", 3, 4, None), {"ShuffleTurn", "seal", "Coin"}),
    "scarabya": (("scarabya", 3, 5, None), {"ChoiceOpening", "Coin"}),
    "pyramid": (
        ("pyramid", 4, 5, 12),
        {"TeamSecret", "TeamRenewal", "TeamCoin", "die", "Asking", ("DieOpening", 1), ("Hiding", 2), ("Opening", 4), ("Asking", 5)},
    ),
}


@pytest.mark.parametrize("game", MATCHES)
def test_every_contribution_of_a_match_is_as_the_page_says(game):
    (name, seats, seed, after), shown = MATCHES[game]
    net = Net(seats, seed=seed, game=name, path=DATA / f"{name}-small.toml", first=0 if after else None, level="random")
    net.connect()
    leaver = net.sessions[1]
    rest = [s for s in net.sessions if s is not leaver or after is None]

    def until():
        if after is not None and leaver.table.step >= after and leaver.me not in leaver.book.left:
            leaver.leave()
        return all(s.table.done for s in rest)

    net.run(until)
    assert [s.fault for s in rest] == [None] * len(rest)
    reader = Reader(net, rest[0])
    assert reader.table.done
    assert shown | {"KeyProof", "SignOff"} <= set(reader.checked), reader.checked
