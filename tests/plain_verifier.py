"""A verifier of whole transcripts, written from docs/protocol.md, docs/state.md and docs/rules alone; nothing is the product's.

It follows the file item by item and stops at the first that is not as the pages say (AssertionError), or where the file ends.  Votes are
left to the product: of a next match it checks roster, digest and state.
"""

import plain_match
import plain_signature
from plain_cards import IDENTITY, Cards
from plain_claims import blobs, judged, need
from plain_games import GAMES
from plain_hidden import group
from plain_secrets import Secrets, scalar
from plain_state import data_hash, decode, encode, hashed, table_of


class End(Exception):
    """The file ends here."""


def items_of(data, header=b"mastaba transcript 1\n"):
    assert data.startswith(header)
    items, at = [], len(header)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        assert at + 4 + size <= len(data), "cut off in an item"
        items.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return items


def signed(key, label, data, signature):
    return plain_signature.holds(key, label + b"\0" + data, signature)


class Verifier(Cards, Secrets):
    """`complete`, `machine` and the counts in `checked` say how it ended."""

    def __init__(self, data, toml):
        self.items, self.toml = items_of(data), toml
        self.checked, self.complete = {}, False
        self.rows, self.past, self.seals, self.shares = {}, {}, {}, {}
        self.teams, self.made, self.ciphers, self.dice, self.trail = {}, [], {}, {}, []
        try:
            self.begin(self.items.pop(0))
            while not self.complete:
                if self.items and self.is_roster(self.items[0]):
                    self.go_on(self.items.pop(0))
                self.request(self.machine.pending)
        except End:
            return
        need(not self.items, "out-of-order")

    def count(self, what):
        self.checked[what] = self.checked.get(what, 0) + 1

    # -- 3 rosters ----------------------------------------------------------------------------------------------------

    def is_roster(self, item):
        return isinstance(decode(item)[1], tuple)

    def roster(self, item):
        unsigned, signatures = decode(item)
        protocol, game, rules, options, data, origin, seats = decode(unsigned)
        gone = () if origin is None else origin[4]
        assert protocol == 1
        assert len(signatures) == len(seats)
        for i, (seat, signature) in enumerate(zip(seats, signatures, strict=True)):
            assert signature == b"" if i in gone else signed(seat[0], b"mastaba roster 1", unsigned, signature)
        assert len({seat[0] for seat in seats}) == len(seats)
        self.match, self.game, self.signing = hashed(b"mastaba match 1", unsigned), game, [seat[2] for seat in seats]
        return game, rules, options, data, origin, seats

    def begin(self, item):
        game, rules, options, data, origin, seats = self.roster(item)
        table = table_of(game, self.toml)
        assert origin is None
        assert data == data_hash(table)
        self.data, self.machine = data, GAMES[game](table, len(seats), options)
        assert rules == self.machine.VERSION
        values = {part: sorted({encode(card[i]) for card in self.machine.printed}) for i, part in enumerate(("back", "face"))}
        self.backed = bool(self.machine.printed) and self.machine.printed[0][0] is not None
        self.faces = {part: values[part] for part in ("face", "back")[: 1 + self.backed]}
        self.points = {part: [plain_match.printed(data, game, part, value) for value in listed] for part, listed in self.faces.items()}
        for card, printed in enumerate(self.machine.printed):
            self.rows[card] = self.public_row(printed)
        self.set_up()

    def public_row(self, printed):
        values = {"back": printed[0], "face": printed[1]}
        return (IDENTITY, *(self.points[part][self.faces[part].index(encode(values[part]))] for part in self.faces))

    def go_on(self, item):
        """The next match of the chain."""
        before, keys = self.match, self.keys
        *_, origin, _ = self.roster(item)
        match, step, digest, snapshot, gone, _ = origin
        assert (match, step, digest, self.round) == (before, self.step - 1, self.prev, 0)
        self.machine.lose([seat for seat in gone if seat not in self.machine.s["gone"]])
        assert (self.machine.digest(), self.machine.s["gone"]) == (snapshot, list(gone))
        self.past = {card: self.past.get(card, keys) for card, row in self.rows.items() if row[0] != IDENTITY}
        self.shares = {key: given for key, given in self.shares.items() if key[0] in self.past}
        self.count("next match")
        self.set_up()

    def set_up(self):
        self.step, self.round, self.prev, self.prevs = 0, 0, self.match, {}
        self.here, self.keys, self.own, self.left, self.open, self.filled = self.machine.here, {}, {}, {}, {}, set()
        commitments = self.play(self.here, lambda where, body: blobs(body, 32)[0])
        keys = self.play(self.here, lambda where, body: plain_match.keys(where, *blobs(body, 416), commitments[where[3]]), claim="bad-keys")
        points = [point for seat in self.here for point in keys[seat]]
        need(len({*points, IDENTITY}) == 4 * len(self.here) + 1, "bad-keys")
        self.keys = keys
        self.joint = [plain_match.summed([keys[seat][kind] for seat in self.here]) for kind in (0, 1)][: 1 + self.backed]
        self.step, self.round = 1, 0

    # -- 1, 4 contributions, rounds -----------------------------------------------------------------------------------

    def next_said(self):
        """The next contribution, with whatever the file may hold there; None at its end."""
        if not self.items:
            return None
        need(not self.is_roster(self.items[0]), "out-of-order")
        data, signature = decode(self.items[0])
        protocol, kind, match, step, round_, seat, prev, state, body = decode(data)
        need((protocol, match) == (1, self.match) and len(data) <= 98304, "another match")
        need(signed(self.signing[seat], b"mastaba contribution 1", data, signature), "bad-signature")
        return data, kind, (step, round_), seat, prev, state, body

    def play(self, owed, check, stand_in=None, claim="bad-body"):
        """One round: what each seat says, by `check(where, body)`, or what stands for it once it has left; {} if nobody owes anything."""
        said, taken, here, last = {}, {}, (self.step, self.round), -1
        if not owed:
            return {}
        self.prevs[here] = self.prev
        state = self.machine.digest()[:8]

        def fill():
            for seat in {*owed} & {*self.left} - {*said}:
                said[seat], taken[seat] = self.left[seat], stand_in(seat) if stand_in else None
                self.filled.add(seat)

        fill()
        while {*said} != {*owed}:
            one = self.next_said()
            if one is None:
                raise End
            data, kind, place, seat, prev, signed_state, body = one
            missing = {*owed} - {*said}
            if kind == "leave":
                need(seat in missing and seat > last, "out-of-order")
                before, _, held = self.own.get(seat, (None, None, None))
                need((place, signed_state) == (before, held), "bad-leave")
                need(self.prevs[place] == prev, "bad-digest")
                self.good_bye(seat, data, body)
                fill()
            else:
                need(place == here and seat > last, "out-of-order")
                need(prev == self.prev, "bad-digest")
                need(signed_state == state, "bad-state")
                need(seat in missing, "nothing-owed")
                taken[seat] = judged(claim, check, (self.match, *here, seat), body)
                said[seat], self.own[seat] = data, (here, prev, state)
                self.count("said")
            last = seat
            self.items.pop(0)
        self.prev = plain_match.next_digest(self.prev, [said[seat] for seat in sorted(said)])
        self.round += 1
        return taken

    def good_bye(self, seat, data, body):
        need(self.keys, "bad-leave")
        need(isinstance(body, tuple) and [type(secret) for secret in body] == [bytes] * 3, "bad-leave")
        secrets = [judged("bad-leave", scalar, secret) for secret in body]
        need([group.mul_G(x) for x in secrets] == list(self.keys[seat][:3]), "bad-leave")
        self.left[seat], self.open[seat] = data, secrets
        self.count("good-bye")

    def request(self, one):
        getattr(self, one["kind"].lower() if one["kind"] != "Reveal" or one["by"] is None else "alone")(one)
        for seat in sorted(self.filled - {*self.machine.s["gone"]}):
            self.machine.left(seat)
        self.filled = set()
        self.step, self.round = self.step + 1, 0

    # -- 9.1 what one seat answers alone, and what is joined to it ----------------------------------------------------

    def is_die(self, one):
        return bool(one["cards"]) and all(card in self.dice for card in one["cards"])

    def size(self, one):
        if one["kind"] == "Reveal":
            public = [
                (card, one["part"]) in self.machine.s["shown"] if self.is_die(one) else self.known(card, one["part"])
                for card in one["cards"]
            ]
            return sum(not known for known in public)
        if one["kind"] == "Ask":
            return sum(name not in self.machine.s["public"] for name in one["names"])
        return 1 if one["kind"] == "Choose" else 2

    def alone(self, one):
        if not self.size(one):
            self.machine.apply(faces={card: self.known(card, one["part"])[0] for card in one["cards"]})
            return
        passed = []
        while True:
            seat = one["seat"] if one["kind"] == "Choose" else one["by"]
            if one["kind"] == "Reveal" and self.is_die(one):
                members = self.members(self.dice[one["cards"][0]][0])
                able = [
                    x for x in ([seat] if seat in members else []) + list(members) if x not in self.machine.s["gone"] and x not in passed
                ]
                seat = able[0]
            self.play([seat], self.parts)
            if seat not in self.left:
                return
            if one["kind"] == "Choose":
                self.machine.apply(self.machine.absent(one, seat))
                return
            if not self.is_die(one):
                self.machine.apply(faces=self.opened_by_all(one["cards"], one["part"], "all"))
                return
            passed.append(seat)

    choose = alone

    def parts(self, where, body):
        match, step, round_, seat = where
        need(isinstance(body, tuple))
        first = self.size(self.machine.pending)
        for k, part in enumerate([body[:first], *body[first:]]):
            one = self.machine.pending
            need(k == 0 or one.get("joined"))
            need(isinstance(part, tuple))
            self.part(one, (match, step, round_ + k, seat), part)
            self.count(f"{one['kind']} {k}")
        need(not self.machine.pending.get("joined"))
        return True

    def part(self, one, where, body):
        if one["kind"] == "Choose":
            need(len(body) == 1)
            need(self.machine.legal(where[3], body[0]), "illegal-move")
            self.machine.apply(body[0])
        elif one["kind"] == "Reveal":
            claim, check = ("bad-die", self.shown_dice) if self.is_die(one) else ("bad-opening", self.opening)
            self.machine.apply(faces=judged(claim, check, one, where, body))
        elif one["kind"] == "Hide":
            judged("bad-hidden-move", self.hide, one, where, body)
        else:
            names = [name for name in one["names"] if name not in self.machine.s["public"]]
            self.machine.apply(judged("bad-answer", self.answers, one, where, body, names))

    def chooseall(self, one):
        commitments = self.play(one["seats"], lambda where, body: blobs(body, 32)[0], lambda seat: b"")

        def check(where, body):
            need(isinstance(body, tuple) and len(body) == 2 and isinstance(body[1], bytes) and len(body[1]) == 32)
            move, _ = body
            need(plain_match.choice(where, body) == commitments[where[3]], "bad-commitment")
            need(self.machine.legal(where[3], move), "illegal-move")
            self.count("choice")
            return move

        moves = self.play(one["seats"], check, lambda seat: self.machine.absent(one, seat))
        self.machine.apply({seat: moves[seat] for seat in one["seats"]})
