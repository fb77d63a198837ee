"""A verifier of whole transcripts, written from docs/protocol.md, docs/state.md and docs/rules alone; nothing is the product's.

It follows the file item by item and stops at the first that is not as the pages say (AssertionError), or where the file ends.  Votes are
left to the product: of a next match it checks roster, digest and state.
"""

import plain_match
import plain_signature
from plain_cards import IDENTITY, Cards
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
        assert not self.items, "something behind the end"

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
        self.here, self.own, self.left, self.open, self.filled = self.machine.here, {}, {}, {}, set()
        commitments = self.play(self.here, lambda where, body: self.blobs(body, 32)[0])
        keys = self.play(self.here, lambda where, body: plain_match.keys(where, *self.blobs(body, 416), commitments[where[3]]))
        points = [point for seat in self.here for point in keys[seat]]
        assert len({*points, IDENTITY}) == 4 * len(self.here) + 1
        self.keys = keys
        self.joint = [plain_match.summed([keys[seat][kind] for seat in self.here]) for kind in (0, 1)][: 1 + self.backed]
        self.step, self.round = 1, 0

    # -- 1, 4 contributions, rounds -----------------------------------------------------------------------------------

    def blobs(self, body, *sizes):
        assert isinstance(body, tuple)
        assert [len(one) for one in body if isinstance(one, bytes)] == list(sizes)
        assert len(body) == len(sizes)
        return body

    def author(self):
        """Of the next contribution; None at the end of the file."""
        return decode(decode(self.items[0])[0])[5] if self.items else None

    def take(self):
        data, signature = decode(self.items.pop(0))
        protocol, kind, match, step, round_, seat, prev, state, body = decode(data)
        assert (protocol, match) == (1, self.match)
        assert len(data) <= 98304
        assert signed(self.signing[seat], b"mastaba contribution 1", data, signature)
        return data, kind, (step, round_), seat, prev, state, body

    def play(self, owed, check, stand_in=None):
        """One round: what each seat says, by `check(where, body)`, or what stands for it once it has left; {} if nobody owes anything."""
        said, taken, here = {}, {}, (self.step, self.round)
        if not owed:
            return {}
        self.prevs[here] = self.prev
        state = self.machine.digest()[:8]
        for seat in sorted(owed):
            if seat not in self.left and self.author() != seat:
                continue  # only in the last round of a file
            if seat not in self.left:
                data, kind, place, _, prev, signed_state, body = self.take()
                if kind == "leave":
                    assert (place, prev, signed_state) == self.own[seat]
                    assert self.prevs[place] == prev
                    self.good_bye(seat, data, body)
                else:
                    assert (kind, place, prev, signed_state) == ("answer", here, self.prev, state)
                    taken[seat] = check((self.match, *here, seat), body)
                    assert taken[seat] is not None, (self.machine.pending, seat)
                    said[seat], self.own[seat] = data, (here, prev, state)
                    self.count("said")
            if seat in self.left:
                said[seat], taken[seat] = self.left[seat], stand_in(seat) if stand_in else None
                self.filled.add(seat)
        if {*said} != {*owed}:
            assert not self.items, "a contribution is missing"
            raise End
        self.prev = plain_match.next_digest(self.prev, [said[seat] for seat in sorted(said)])
        self.round += 1
        return taken

    def good_bye(self, seat, data, body):
        secrets = [scalar(secret) for secret in self.blobs(body, 32, 32, 32)]
        assert [group.mul_G(x) for x in secrets] == list(self.keys[seat][:3])
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
        first = self.size(self.machine.pending)
        for k, part in enumerate([body[:first], *body[first:]]):
            one = self.machine.pending
            assert isinstance(part, tuple)
            assert k == 0 or one["joined"]
            self.part(one, (match, step, round_ + k, seat), part)
            self.count(f"{one['kind']} {k}")
        assert not self.machine.pending.get("joined")
        return True

    def part(self, one, where, body):
        if one["kind"] == "Choose":
            assert len(body) == 1
            assert one["seat"] == where[3]
            assert self.machine.legal(where[3], body[0])
            self.machine.apply(body[0])
        elif one["kind"] == "Reveal":
            self.machine.apply(faces=self.shown_dice(one, where, body) if self.is_die(one) else self.opening(one, where, body))
        elif one["kind"] == "Hide":
            self.hide(one, where, body)
        else:
            self.machine.apply(self.answers(one, where, body, [name for name in one["names"] if name not in self.machine.s["public"]]))

    def chooseall(self, one):
        commitments = self.play(one["seats"], lambda where, body: self.blobs(body, 32)[0], lambda seat: b"")

        def check(where, body):
            move, salt = body
            assert len(salt) == 32
            assert plain_match.choice(where, body) == commitments[where[3]]
            assert self.machine.legal(where[3], move)
            self.count("choice")
            return move

        moves = self.play(one["seats"], check, lambda seat: self.machine.absent(one, seat))
        self.machine.apply({seat: moves[seat] for seat in one["seats"]})
