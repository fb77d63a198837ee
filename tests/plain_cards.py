"""Cards as sections 5 and 6 of docs/protocol.md have them: rows, shuffles, shares, seals, openings; for tests/plain_verifier.py."""

import plain_match
import plain_shuffle
from plain_claims import blobs, need, pairs
from plain_hidden import group
from plain_state import decode, encode, same

IDENTITY = group.identity
PARTS = {"face": 1, "back": 2}  # the place in a row
KEYS = {"face": 0, "back": 1, "seal": 3}  # among the keys of a seat


class Cards:
    """What a verifier does with cards; it has `rows`, `seals`, `shares`, and for cards of an earlier match `past`, their keys."""

    # -- 5 shuffles ---------------------------------------------------------------------------------------------------

    def shuffle(self, one):
        rows = self.entering(one["cards"])
        if len(rows) >= 2:
            for seat in self.here:
                check, skip = (lambda where, body, rows=rows: self.shuffled(where, body, rows)), (lambda _, rows=rows: rows)
                rows = self.play([seat], check, skip, "bad-shuffle")[seat]
        for card in one["cards"]:
            del self.rows[card]
            self.past.pop(card, None)
        self.seals = {key: given for key, given in self.seals.items() if key[0] in self.rows}
        self.shares = {key: given for key, given in self.shares.items() if key[0] in self.rows}
        self.rows |= dict(enumerate(rows, self.machine.s["handles"]))
        self.machine.apply()

    def entering(self, cards):
        shown, left = self.machine.s["shown"], list(self.machine.printed)
        seen = {card: (shown.get((card, "back")), shown[card, "face"]) for card in self.rows if (card, "face") in shown}
        for card in seen.values():
            left.remove(next(one for one in left if same(one, card)))
        fresh = iter(sorted(left, key=encode))
        return [
            self.public_row(seen[card]) if card in seen else self.public_row(next(fresh)) if card in self.past else self.rows[card]
            for card in cards
        ]

    def shuffled(self, where, body, rows):
        k = len(rows[0])
        data, proof = blobs(body, 32 * k * len(rows), 32 * (5 * len(rows) + k + 7))
        points = plain_match.points_of(data)
        out = [tuple(points[i : i + k]) for i in range(0, len(points), k)]
        self.count("shuffle")
        return out if plain_shuffle.verify(where, rows, out, self.joint, proof) else None

    # -- 5 cards ------------------------------------------------------------------------------------------------------

    def known(self, card, part):
        """What all know of a part: (it,), or None."""
        shown = self.machine.s["shown"]
        if (card, part) in shown:
            return (shown[card, part],)
        row = self.rows.get(card)
        return (self.look_up(part, row[PARTS[part]]),) if row and row[0] == IDENTITY else None

    def look_up(self, part, point):
        return decode(self.faces[part][self.points[part].index(point)])

    def reveal(self, one):
        faces = self.opened_by_all(one["cards"], one["part"], one["to"])
        self.machine.apply(faces=faces)

    def opened_by_all(self, cards, part, to):
        hidden = [card for card in cards if self.known(card, part) is None]
        readers = [None] if to == "all" else to
        due = {}
        for seat in self.here:
            due[seat] = [(c, r) for c in hidden for r in readers if r != seat and not self.given_by(c, part, r, seat)]

        def check(where, body):
            seat = where[3]
            X, given = self.keys[seat][KEYS[part]], []
            sizes = [96 if reader is None else 160 for _, reader in due[seat]]
            for (card, reader), blob in zip(due[seat], blobs(body, *sizes), strict=True):
                if reader is None:
                    one = plain_match.share(where, card, part, self.rows[card], X, blob)
                else:
                    one = plain_match.seal(where, card, part, reader, self.rows[card], X, self.keys[reader][KEYS["seal"]], blob)
                    assert one is None or one[0] != IDENTITY
                if one is None:
                    return None
                given.append((card, reader, one))
                self.count("share" if reader is None else "seal")
            return given

        def stand_in(seat):
            x = self.open[seat][KEYS[part]]
            return [(card, None, group.mul(self.rows[card][0], x)) for card, _ in due[seat]]

        for seat, given in self.play([seat for seat in self.here if due[seat]], check, stand_in, "bad-share").items():
            for card, reader, one in given:
                book = self.shares.setdefault((card, part), {}) if reader is None else self.seals.setdefault((card, part, reader), {})
                book[seat] = one
        if to != "all":
            return {}
        return {card: known[0] if (known := self.known(card, part)) else self.opened(card, part) for card in cards}

    def given_by(self, card, part, reader, seat):
        return seat in self.shares.get((card, part), {}) or (reader is not None and seat in self.seals.get((card, part, reader), {}))

    def opened(self, card, part):
        shares = self.shares[card, part]
        return self.look_up(part, plain_match.less(self.rows[card][PARTS[part]], *(shares[seat] for seat in self.here)))

    def opening(self, one, where, body):
        """Cards opened by their reader."""
        part, faces = one["part"], {}
        hidden = [card for card in one["cards"] if self.known(card, part) is None]
        for number, proof in pairs(body, len(hidden), int):
            need(0 <= number < len(self.faces[part]) and len(proof) == 96)
        for card, (number, proof) in zip(hidden, body, strict=True):
            keys = self.past.get(card, self.keys)[where[3]]
            X, S = keys[KEYS[part]], keys[KEYS["seal"]]
            sealed, shared = self.seals.get((card, part, where[3]), {}), self.shares.get((card, part), {})
            seals = [sealed[seat] for seat in sorted(sealed)]
            shares = [shared[seat] for seat in sorted(shared) if seat not in sealed and seat != where[3]]
            assert plain_match.opening(where, card, part, self.rows[card], self.points[part][number], X, S, seals, shares, proof)
            faces[card] = decode(self.faces[part][number])
            self.count("opening")
        return {card: faces[card] if card in faces else self.known(card, part)[0] for card in one["cards"]}
