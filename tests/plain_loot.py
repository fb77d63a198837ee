"""Loot N Run as "For verifiers" in docs/rules/loot.md says it, and nothing else."""

from plain_state import Machine, do, request


class Loot(Machine):
    def lay_out(self):
        n = self.s["seats"]
        self.s |= {"again": False, "decks": [[], []], "discards": [], "ending": False, "hands": [[] for _ in range(n)]}
        self.s |= {"lifted": [], "points": [0] * n, "turn": None}
        self.goal = self.table[1][n - 2]
        self.guardians = self.table[3]

    def set_up(self):
        self.push(request("Shuffle", cards=self.s["dealt"], then="cut", about="shuffled"))

    def cut(self, one, cards):
        half = (len(cards) + 1) // 2
        self.s["decks"] = [cards[:half], cards[half:]]
        self.s["discards"] = [card for card in self.s["discards"] if card not in one["cards"]]
        self.push(self.tops())

    def tops(self):
        cards = [deck[-1] for deck in self.s["decks"] if deck and (deck[-1], "back") not in self.s["shown"]]
        return request("Reveal", cards=cards, part="back") if cards else None

    def due(self):
        a, b = self.s["decks"]
        loose = [*a, *b, *self.s["discards"]]
        if not (a and b) and (len(loose) >= 2 or (not a and not b and loose)):
            return request("Shuffle", cards=loose, then="cut", about="rebuilt")
        return self.tops()

    def next(self):
        if one := self.due():
            return one
        s = self.s
        while True:
            if not s["again"]:
                s["turn"] = s["first"] if s["turn"] is None else (s["turn"] + 1) % s["seats"]
                while s["turn"] in s["gone"]:
                    s["turn"] = (s["turn"] + 1) % s["seats"]
            s["again"] = False
            turn = request("Choose", seat=s["turn"], moves="actions", then="act")
            if self.actions(turn, s["turn"]):
                return turn

    def actions(self, one, seat):
        mine, others = self.s["hands"][seat], [x for x in range(self.s["seats"]) if x != seat and self.s["hands"][x]]
        moves = [("loot", deck) for deck in (0, 1) if self.s["decks"][deck]]
        moves += [("run",)] if mine else []
        return moves + ([("wake", x) for x in others] if mine or len(self.here) == 2 else [])

    def act(self, one, move):
        seat = one["seat"]
        if move[0] == "loot":
            card = self.s["decks"][move[1]].pop()
            self.s["hands"][seat].append(card)
            self.push(request("Reveal", cards=[card], part="face", to=[seat]))
            return
        owner = seat if move[0] == "run" else move[1]
        cards, self.s["hands"][owner] = self.s["hands"][owner], []
        self.s["discards"] += cards
        self.push(request("Reveal", cards=cards, part="face", by=owner, then=move[0], about=owner))

    def score(self, seat, cards):
        faces = [self.s["shown"][card, "face"][1] for card in cards]
        for kind in {kind for treasures in faces for kind in treasures}:
            on = sum(kind in treasures for treasures in faces)
            self.s["points"][seat] += sum(list(treasures).count(kind) for treasures in faces) * (2 if on >= 2 else 1)
        if self.s["points"][seat] >= self.goal and not self.s["ending"]:
            self.s["ending"] = True
            self.s["agenda"] = [do("last_scores")]
            hands = [(x, hand) for x, hand in enumerate(self.s["hands"]) if hand]
            self.push(*(request("Reveal", cards=hand, part="face", by=x, then="last_reveal", about=x) for x, hand in hands))

    def run(self, one, _):
        self.score(one["about"], one["cards"])

    def wake(self, one, _):
        tops = [self.s["shown"][card, "face"][0] for card in one["cards"]]
        woken = [kind for kind in self.guardians if kind in tops]
        if tops.count("amulet") >= sum(tops.count(kind) for kind in woken):
            self.score(one["about"], one["cards"])
        elif self.s["turn"] not in self.s["gone"]:
            self.push(*(do(kind, [one["about"], one["cards"]]) for kind in woken))

    def mummy(self, one, _):
        self.score(self.s["turn"], one["about"][1])

    def frank(self, one, _):
        self.s["again"] = True

    def werewolf(self, one, _):
        self.push(self.due(), do("draw"))

    def draw(self, one, _):
        self.s["lifted"] = [deck.pop() for deck in self.s["decks"] if deck]
        if self.s["lifted"]:
            seat = self.s["turn"]
            read = request("Reveal", cards=list(self.s["lifted"]), part="face", to=[seat])
            self.push(self.tops(), read, request("Choose", seat=seat, moves="keeps", then="keep"))

    def keeps(self, one, seat):
        return [move for move in (("keep",), ("keep", 0), ("keep", 1), ("keep", 0, 1)) if max(move[1:], default=0) < len(self.s["lifted"])]

    def keep(self, one, move):
        lifted, self.s["lifted"] = self.s["lifted"], []
        self.s["hands"][one["seat"]] += [lifted[i] for i in move[1:]]
        self.s["discards"] += [card for i, card in enumerate(lifted) if i not in move[1:]]

    def last_reveal(self, one, _):
        pass

    def last_scores(self, one, _):
        for seat, hand in enumerate(self.s["hands"]):
            self.score(seat, hand)
        most = max(self.s["points"][seat] for seat in self.here)
        winners = [seat for seat in self.here if self.s["points"][seat] == most]
        self.push(request("Over", scores=self.scores(), winners=winners, reason="goal"))

    def scores(self):
        return list(self.s["points"])

    def leave(self, seat):
        s = self.s
        if s["ending"]:
            return
        s["discards"] += s["hands"][seat]
        s["hands"][seat] = []
        if seat == s["turn"]:
            s["discards"] += s["lifted"]
            s["lifted"], s["again"] = [], False
            s["agenda"] = [one for one in s["agenda"] if one["kind"] != "Do" and one.get("seat") != seat and one.get("to") != [seat]]

    def lost(self):
        s = self.s
        reveals = [one for one in s["agenda"] if one["kind"] == "Reveal"]
        unread = {card for one in reveals if one["by"] is None and one["part"] == "face" for card in one["cards"]}
        dropped = any(one["by"] in s["gone"] for one in reveals)
        s["agenda"] = [one for one in s["agenda"] if one["kind"] != "Reveal" or one["by"] in self.here]
        if s["ending"]:
            s["hands"] = [hand if seat in self.here else [] for seat, hand in enumerate(s["hands"])]
            return
        if not self.cards():
            return
        if unread & {*s["lifted"]}:
            s["agenda"] = [do("draw") if one["kind"] == "Choose" else one for one in s["agenda"]]
            s["discards"] += s["lifted"]
            s["lifted"] = []
        elif (unread or dropped) and s["turn"] in self.here:
            s["again"] = True
        for hand in s["hands"]:
            s["discards"] += [card for card in hand if card in unread]
        s["hands"] = [[card for card in hand if card not in unread] for hand in s["hands"]]
        s["agenda"] = [one for one in s["agenda"] if one["kind"] != "Shuffle"]
        held = [*enumerate(s["hands"]), (s["turn"], s["lifted"])]
        held += [(one["by"], one["cards"]) for one in s["agenda"] if one["kind"] == "Reveal"]
        self.push(*(request("Reveal", cards=list(cards), part="face", by=seat) for seat, cards in held if cards), do("lay_afresh"))

    def cards(self):
        s = self.s
        return [*s["decks"][0], *s["decks"][1], *s["discards"], *s["lifted"], *(card for hand in s["hands"] for card in hand)]

    def lay_afresh(self, one, _):
        hidden = [card for card in self.cards() if (card, "face") not in self.s["shown"]]
        self.s["decks"] = [[], []]
        for name in ("discards", "lifted"):
            self.s[name] = [card for card in self.s[name] if card not in hidden]
        if hidden:
            self.push(request("Shuffle", cards=hidden, then="cut", about="relaid"))
