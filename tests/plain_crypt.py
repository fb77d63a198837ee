"""The Crypt as "For verifiers" in docs/rules/crypt.md says it, with the points of its rules, and nothing else."""

from itertools import combinations, product

from plain_state import Machine, do, request


class Crypt(Machine):
    def lay_out(self):
        n = self.s["seats"]
        self.s |= {"discards": [], "flipped": set(), "held": {}, "idol_first": [], "kept": [[] for _ in range(n)], "leader": None}
        self.s |= {"looked": set(), "pile": [], "round": 0, "row": [], "spent": [0] * n, "tired": [[] for _ in range(n)], "totals": []}
        self.s |= {"turn": None}
        self.types, self.dice = self.table[1], self.table[3]
        _, self.up, self.down = self.table[4][n - 2]
        self.side = dict(zip(self.types, self.options[2] or self.table[5] * 6, strict=True))

    def set_up(self):
        self.push(request("Shuffle", cards=self.s["dealt"], then="stack"))

    def stack(self, one, cards):
        self.s["pile"] = cards

    def next(self):
        return do("reveal" if self.s["pile"] else "finish")

    def order(self):
        n, start = self.s["seats"], self.s["leader"] or 0
        return [seat for seat in ((start + i) % n for i in range(n)) if seat in self.here]

    def shown(self, card, part="face"):
        return self.s["shown"].get((card, part))

    def column(self, seat, kind):
        return [card for card in self.s["kept"][seat] if self.shown(card, "back") == kind]

    def unflipped(self, seat, kind):
        return [i for i, card in enumerate(self.column(seat, kind)) if card not in self.s["flipped"]]

    def face_down(self):
        return [place for place, card in enumerate(self.s["row"]) if card is not None and self.shown(card) is None]

    def free(self, seat):
        return self.dice - self.s["spent"][seat] - sum(dice for owner, _, dice in self.s["held"].values() if owner == seat)

    # -- a round ------------------------------------------------------------------------------------------------------

    def reveal(self, one, _):
        s = self.s
        s["leader"] = s["first"] if s["leader"] is None else (s["leader"] + 1) % s["seats"]
        while s["leader"] in s["gone"]:
            s["leader"] = (s["leader"] + 1) % s["seats"]
        s["row"] = [s["pile"].pop() for _ in range(self.up + self.down)]
        s["held"], s["looked"], s["turn"], s["tired"] = {}, set(), None, [[] for _ in range(s["seats"])]
        s["round"] += 1
        row, order = list(s["row"]), self.order()
        backs = [card for card in (*row, *s["pile"][-1:]) if self.shown(card, "back") is None]
        self.push(
            request("Reveal", cards=backs, part="back") if backs else None,
            request("Reveal", cards=row[: self.up], part="face", then="laid", about=row),
            *(do("before", [seat]) for seat in order),
            *(do("claim_turn", [seat]) for seat in (order + order[:1] if s["seats"] == 2 else order)),
            do("collect"),
        )

    def laid(self, one, _):
        pass

    flips = laid

    def before(self, one, _):
        (seat,) = one["about"]
        if self.takes(seat):
            self.push(request("Choose", seat=seat, moves="befores", then="act_before"))

    def befores(self, one, seat):
        return [("done",), *self.takes(seat), *self.looks(seat), *self.heals(seat)]

    def act_before(self, one, move):
        self.use(one["seat"], move, do("before", [one["seat"]]))

    def claim_turn(self, one, _):
        (seat,) = one["about"]
        self.s["turn"] = seat
        self.push(do("ask_claim", [seat, not any(other.get("then") == "claim_turn" for other in self.s["agenda"])]))

    def ask_claim(self, one, _):
        seat, last = one["about"]
        asked = request("Choose", seat=seat, moves="turns", then="act", about=last)
        if (self.free(seat) or self.heals(seat)) and len(self.turns(asked, seat)) > 1:
            self.push(asked)
        else:
            self.s["spent"][seat] = 0

    def turns(self, one, seat):
        return [("recover",), *self.looks(seat), *self.heals(seat), *self.claims(seat, one["about"])]

    def claims(self, seat, last):
        lying = {place: self.s["held"].get(place, (None, 0, 0)) for place, card in enumerate(self.s["row"]) if card is not None}
        beat = {place: effort * dice for place, (owner, effort, dice) in lying.items() if owner != seat}
        free, found = self.free(seat), []
        for n in range(1, (1 if last else free) + 1):
            for places in combinations(sorted(beat), n):
                for dice in product(range(1, free + 1), repeat=n):
                    if sum(dice) <= free:
                        parts = [[(p, e, d) for e in range(1, 7) if e * d > beat[p]] for p, d in zip(places, dice, strict=True)]
                        found += [("claim", *claim) for claim in product(*parts)]
        return found

    def looks(self, seat):
        if self.side["manuscript"] == "a" or seat in self.s["looked"] or not self.face_down():
            return []
        return [("look", i) for i in self.unflipped(seat, "manuscript")]

    def heals(self, seat):
        if self.side["remains"] == "b" or not self.s["spent"][seat]:
            return []
        return [("heal", i, j) for i, j in combinations(self.unflipped(seat, "remains"), 2)]

    def takes(self, seat):
        if self.side["pottery"] == "a":
            return []
        return [("take", i, j, place) for i, j in combinations(self.unflipped(seat, "pottery"), 2) for place in self.face_down()]

    def act(self, one, move):
        seat = one["seat"]
        if move[0] == "claim":
            self.s["held"] |= {place: [seat, effort, dice] for place, effort, dice in move[1:]}
        elif move[0] == "recover":
            self.s["spent"][seat] = 0
        else:
            self.use(seat, move, do("ask_claim", [seat, one["about"]]))

    def flip(self, seat, kind, *places):
        column = self.column(seat, kind)
        cards = [column[i] for i in places]
        self.s["flipped"] |= {*cards}
        return request("Reveal", cards=cards, part="face", by=seat, then="flips", about=[seat, kind])

    def use(self, seat, move, back):
        s = self.s
        if move[0] == "look":
            s["looked"].add(seat)
            cards = [s["row"][place] for place in self.face_down()]
            self.push(self.flip(seat, "manuscript", move[1]), request("Reveal", cards=cards, part="face", to=[seat]), back)
        elif move[0] == "heal":
            s["spent"][seat] -= 1
            self.push(self.flip(seat, "remains", *move[1:]), back)
        elif move[0] == "take":
            flip, card = self.flip(seat, "pottery", *move[1:3]), self.lift(move[3])
            s["kept"][seat].append(card)
            self.push(flip, request("Reveal", cards=[card], part="face", to=[seat]), do("idols"), back)

    def lift(self, place):
        card, self.s["row"][place] = self.s["row"][place], None
        return card

    def collect(self, one, _):
        s = self.s
        s["turn"] = None
        s["discards"] += [self.lift(place) for place, card in enumerate(s["row"]) if card is not None and place not in s["held"]]
        reads, dice = [], []
        for seat in self.order():
            places = sorted(place for place, (owner, _, _) in s["held"].items() if owner == seat)
            if not places:
                s["spent"][seat] = 0
            closed = [s["row"][place] for place in places if place in self.face_down()]
            reads += [request("Reveal", cards=closed, part="face", to=[seat])] if closed else []
            s["kept"][seat] += [self.lift(place) for place in places]
            dice += [[seat, place, s["held"][place][1]] for place in places for _ in range(s["held"][place][2])]
        dice = [die for die in dice if die[2] > 1]
        roll = request("Roll", n=len(dice), sides=6, then="roll", about=dice) if dice else do("roll", [])
        self.push(*reads, roll, *(do("idol_turn", [seat]) for seat in self.order()), do("idols"))

    def roll(self, one, values):
        for seat in self.order():
            mine = [(effort, value) for (owner, _, effort), value in zip(one["about"], values or [], strict=True) if owner == seat]
            self.s["tired"][seat] = [effort for effort, value in mine if value < effort]
            self.s["spent"][seat] += len(self.s["tired"][seat])
        self.s["held"] = {}

    def idol_turn(self, one, _):
        (seat,) = one["about"]
        if len(self.rerolls(one, seat)) > 1:
            self.push(request("Choose", seat=seat, moves="rerolls", then="reroll"))

    def rerolls(self, one, seat):
        idols = self.unflipped(seat, "idol") if self.side["idol"] == "a" else []
        return [("done",), *(("reroll", i, effort) for i in idols for effort in sorted({*self.s["tired"][seat]}))]

    def reroll(self, one, move):
        seat = one["seat"]
        if move[0] == "reroll":
            again = request("Roll", n=1, sides=6, then="rerolled", about=[seat, move[2]])
            self.push(self.flip(seat, "idol", move[1]), again, do("idol_turn", [seat]))

    def rerolled(self, one, values):
        seat, effort = one["about"]
        if values[0] >= effort:
            self.s["tired"][seat].remove(effort)
            self.s["spent"][seat] -= 1

    def idols(self, one, _):
        if self.side["idol"] == "b" and not self.s["idol_first"]:
            self.s["idol_first"] = [seat for seat in self.order() if len(self.column(seat, "idol")) >= 2]
            for seat in self.s["idol_first"]:
                column = self.column(seat, "idol")
                self.push(
                    self.flip(seat, "idol", *sorted(sorted(range(len(column)), key=lambda i: (self.shown(column[i]) is None, i))[:2]))
                )

    # -- the end ------------------------------------------------------------------------------------------------------

    def finish(self, one, _):
        self.push(*(do("after", [seat]) for seat in self.order()), do("open"))

    def after(self, one, _):
        (seat,) = one["about"]
        if self.heals(seat):
            self.push(request("Choose", seat=seat, moves="afters", then="act_after"))

    def afters(self, one, seat):
        return [("done",), *self.heals(seat)]

    def act_after(self, one, move):
        self.use(one["seat"], move, do("after", [one["seat"]]))

    def closed(self, seat, but=()):
        cards = [card for card in self.s["kept"][seat] if card not in but and self.shown(card) is None]
        return request("Reveal", cards=cards, part="face", by=seat) if cards else None

    def open(self, one, _):
        self.push(*(self.closed(seat) for seat in self.order()), do("score"))

    def score(self, one, _):
        self.s["totals"] = self.points([self.holding(seat, None) for seat in range(self.s["seats"])])
        self.tie(self.best(self.order(), self.s["totals"]), 1)

    def best(self, seats, points):
        return [seat for seat in seats if points[seat] == max(points[x] for x in seats)]

    def tie(self, seats, attempt):
        dice = sum(self.free(seat) for seat in seats)
        if len(seats) > 1 and dice:
            self.push(request("Roll", n=dice, sides=6, then="broken", about=[seats, attempt]))
        else:
            self.push(request("Over", scores=self.scores(), winners=seats, reason="deck"))

    def broken(self, one, values):
        (tied, attempt), values = one["about"], list(values)
        sums = {seat: sum(values.pop(0) for _ in range(self.free(seat))) for seat in tied}
        here = [seat for seat in tied if seat in self.here]
        self.tie(self.best(here, sums) if here else self.best(self.order(), self.s["totals"]), attempt + 1)

    def holding(self, seat, fill):
        """(values by type, free dice, the first reward for Idols) of a seat; `fill`: 0 for the cheapest unknown, -1 for the dearest."""
        gone, values = seat in self.s["gone"], {}
        for kind in self.types:
            known = [self.shown(card) for card in self.column(seat, kind)]
            left = self.unseen(kind) if None in known else []
            missing = known.count(None)
            values[kind] = [v for v in known if v is not None] + (left[len(left) - missing :] if fill else left[:missing])
        return values, 0 if gone else self.dice - self.s["spent"][seat], seat in self.s["idol_first"] and not gone

    def unseen(self, kind):
        left = sorted(value for back, value in self.printed if back == kind)
        for (card, part), back in self.s["shown"].items():
            if part == "back" and back == kind and self.shown(card) is not None:
                left.remove(self.shown(card))
        return left

    def points(self, holdings):
        return [self.points_of(holding, holdings) for holding in holdings]

    def points_of(self, holding, holdings):
        values, dice, first = holding
        total = dice + sum(map(sum, values.values()))
        n, side = {kind: len(values[kind]) for kind in self.types}, self.side
        if side["idol"] == "b":
            total += 5 if first else 2 if n["idol"] >= 2 else 0
        total += n["jewelry"] if side["jewelry"] == "b" else max(values["jewelry"]) if n["jewelry"] >= 2 else 0
        if side["manuscript"] == "a" and n["manuscript"] >= 2:
            total += sum(4 - v for v in values["manuscript"])
        if side["pottery"] == "a":
            total += {0: 0, 1: 0, 2: 2, 3: 4}.get(n["pottery"], 8)
        if side["remains"] == "b" and n["remains"] >= 4:
            total += 10
        tapestries = [other["tapestry"] for other, _, _ in holdings]
        if side["tapestry"] == "a":
            total += 5 if sum(values["tapestry"]) == max(map(sum, tapestries)) > 0 else 0
        elif n["tapestry"] >= 3:
            total += 7 if sum(len(other) >= 3 for other in tapestries) == 1 else 4
        return total

    def scores(self):
        if self.s["totals"]:
            return list(self.s["totals"])
        seats = range(self.s["seats"])
        sure = [[self.holding(x, 0 if x == seat else -1) for x in seats] for seat in seats]
        return [self.points_of(holdings[seat], holdings) for seat, holdings in zip(seats, sure, strict=True)]

    # -- who leaves, who is lost --------------------------------------------------------------------------------------

    def leave(self, seat):
        s = self.s
        if s["totals"]:
            return
        s["discards"] += s["kept"][seat]
        s["kept"][seat] = []
        s["held"] = {place: held for place, held in s["held"].items() if held[0] != seat}
        s["agenda"] = [one for one in s["agenda"] if not self.only_for(seat, one)]

    def only_for(self, seat, one):
        kind, about = one["kind"], one.get("about")
        if kind == "Reveal":
            return one["by"] == seat or one["to"] == [seat]
        if kind == "Roll":
            return one["then"] == "rerolled" and about[0] == seat
        return (
            one["seat"] == seat if kind == "Choose" else kind == "Do" and one["then"] != "roll" and about is not None and about[0] == seat
        )

    def cards(self):
        s = self.s
        return [
            *s["pile"],
            *(card for card in s["row"] if card is not None),
            *(card for kept in s["kept"] for card in kept),
            *s["discards"],
        ]

    def lost(self):
        if self.s["totals"] or not self.cards() or any(one["kind"] == "Shuffle" for one in self.s["agenda"]):
            return
        reveals = [one for one in self.s["agenda"] if one["kind"] == "Reveal" and one["by"] is None and one["part"] == "face"]
        unread = {card for one in reveals for card in one["cards"]}
        self.push(*(self.closed(seat, unread) for seat in self.order()), do("lay_afresh"))

    def lay_afresh(self, one, _):
        hidden = [card for card in self.cards() if self.shown(card) is None]
        if hidden:
            self.push(request("Shuffle", cards=hidden, then="relaid"))

    def relaid(self, one, cards):
        s, new = self.s, dict(zip(one["cards"], cards, strict=True))
        new[None] = None
        for name in ("pile", "row", "discards"):
            s[name] = [new.get(card, card) for card in s[name]]
        s["kept"] = [[new.get(card, card) for card in kept] for kept in s["kept"]]
        for other in s["agenda"]:
            if other["kind"] == "Reveal":
                other["cards"] = [new.get(card, card) for card in other["cards"]]
                if other["then"] == "laid":
                    other["about"] = [new.get(card, card) for card in other["about"]]
        row = [card for card in s["row"] if card is not None]
        candidates = [*row, *(card for kept in s["kept"] for card in kept), *s["pile"][-1:]]
        backs = [card for card in candidates if self.shown(card, "back") is None]
        if backs:
            self.push(request("Reveal", cards=backs, part="back", then="laid", about=row))
