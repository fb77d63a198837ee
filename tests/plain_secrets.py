"""Coins, teams, dice and hidden values as sections 6.5 and 9 of docs/protocol.md have them; for tests/plain_verifier.py."""

import plain_hidden
import plain_match
from plain_claims import blobs, need, pairs
from plain_hidden import ORDER, group

IDENTITY = group.identity
COIN, SEAL = 2, 3  # among the keys of a seat


def scalar(data):
    n = int.from_bytes(data, "little")
    assert len(data) == 32
    assert n < ORDER
    return n


class Secrets:
    """What a verifier does with coins, `teams` (and all that were `made`), `dice`, `ciphers`, and the `trail` that the audit follows."""

    # -- 6.5, 9.3 coins and dice --------------------------------------------------------------------------------------

    def roll(self, one):
        place, prev = (self.match, self.step, self.round), self.prev
        H = plain_match.coin_point(*place, prev)
        shares = self.play(
            self.here,
            lambda where, body: plain_match.coin_share(where, prev, self.keys[where[3]][COIN], *blobs(body, 96)),
            lambda seat: group.mul(H, self.open[seat][COIN]),
            "bad-coin",
        )
        values = plain_match.coin_values(*place, [shares[seat] for seat in self.here], one["n"], one["sides"])
        self.count("coin")
        if one["to"] == "all":
            self.machine.apply(values)
            return
        _, T = self.teams[one["to"]]
        R, faces = plain_match.summed(shares.values()), [face for face in range(1, one["sides"] + 1) if face not in one["open"]]
        shown = {i: value for i, value in enumerate(values) if value in one["open"]}
        for i in set(range(one["n"])) - set(shown):
            self.dice[self.machine.s["handles"] + i] = T, plain_hidden.die_point(*place, R, T, i), faces
            self.count("die")
        self.machine.apply(faces=shown)

    def members(self, T):
        return next(members for members, key in self.made if key == T)

    def shown_dice(self, one, where, body):
        hidden = [card for card in one["cards"] if (card, one["part"]) not in self.machine.s["shown"]]
        faces = {}
        for card, blob in zip(hidden, blobs(body, *(96,) * len(hidden)), strict=True):
            faces[card] = plain_hidden.shown_die(where, card, *self.dice[card], blob)
            assert faces[card] is not None
        return {card: faces[card] if card in faces else self.machine.s["shown"][card, one["part"]] for card in one["cards"]}

    # -- 9.2, 9.4 teams and hidden values -----------------------------------------------------------------------------

    def team(self, one):
        name, passed = one["name"], []
        while members := [seat for seat in one["seats"] if seat not in self.machine.s["gone"] and seat not in passed]:
            readers = {seat: self.keys[seat][SEAL] for seat in members[1:]}

            def made(where, body, readers=readers):
                good, T, seals = plain_hidden.secret(where, name, readers, *blobs(body, 96 * (1 + len(readers))))
                return T if good and IDENTITY not in (T, *(E for E, _ in seals.values())) else None

            T = self.play(members[:1], made, claim="bad-team")[members[0]]
            if T is not None:
                self.play(members[1:], lambda where, body: body == (b"",) or (blobs(body, 96) and None), claim="false-complaint")
                before, self.teams[name] = self.teams.get(name), (tuple(members), T)
                self.made.append((tuple(members), T))
                if before:
                    self.renew(before, (tuple(members), T))
                self.count("team")
                break
            passed.append(members[0])
        self.machine.apply()

    def renew(self, old, new):
        names = sorted(name for name, (team, _) in self.ciphers.items() if team == old and name not in self.machine.s["public"])
        passed = []
        while names:
            able = [seat for seat in new[0] if seat in old[0] and seat not in self.machine.s["gone"] and seat not in passed][:1]
            if not able:
                return

            def renewed(where, body):
                for name, blob in zip(names, blobs(body, *(160,) * len(names)), strict=True):
                    if blob[:32] == IDENTITY or not plain_hidden.renewed(where, name, old[1], new[1], self.ciphers[name][1], blob):
                        return None
                    self.count("renewal")
                return [(blob[:32], blob[32:64]) for blob in body]

            ciphers = self.play(able, renewed, claim="bad-renewal")[able[0]]
            if ciphers is not None:
                self.ciphers |= {name: (new, C) for name, C in zip(names, ciphers, strict=True)}
                return
            passed += able

    def cipher(self, name):
        public = self.machine.s["public"]
        return plain_hidden.known(public[name]) if name in public else self.ciphers[name][1]

    def hide(self, one, where, body):
        team, (all_of, one_of, apart) = self.teams[one["to"]], self.machine.allowed(one)
        rows = [(row, frozenset(table)) for row, table in all_of], [(row, frozenset(table)) for row, table in one_of]
        need(isinstance(body[1], bytes) if len(body) == 2 else False)
        possible = all(table for _, table in all_of)
        blobs(body, 64, plain_hidden.statement_size(*rows, apart) if possible else len(body[1]))
        assert possible
        assert body[0][:32] != IDENTITY
        C, names = (body[0][:32], body[0][32:]), {*apart, *(name for row, _ in all_of for name in row)} - {"old", "new"}
        ciphers = {name: self.cipher(name) for name in names} | {"new": C, "old": self.cipher(one["name"])}
        assert plain_hidden.statement(where, one["name"], team[1], *rows, apart, ciphers, body[1])
        self.ciphers[one["name"]] = team, C
        self.trail.append(("hide", team[1], C, one["name"], (*rows, apart), dict(self.machine.s["public"])))
        self.machine.apply()
        return True

    def ask(self, one):
        public, answered, passed = self.machine.s["public"], {}, []
        while True:
            due = {}
            for name in one["names"]:
                if name not in public and name not in answered:
                    for seat in [x for x in self.ciphers[name][0][0] if x not in self.machine.s["gone"] and x not in passed][:1]:
                        due.setdefault(seat, []).append(name)
            if not due:
                break
            taken = self.play(due, lambda where, body, due=due: self.answers(one, where, body, due[where[3]]), claim="bad-answer")
            for seat, answers in taken.items():
                answered |= answers or {}
                passed += [] if answers else [seat]
        self.machine.apply({name: answered[name] if name in answered else public.get(name) in one["inside"] for name in one["names"]})

    def answers(self, one, where, body, names):
        answers, n = {}, len({*one["inside"]})
        for yes, proof in pairs(body, len(names), bool):
            need(len(proof) == (plain_hidden.member_size(n) if yes else 96 * n))
        for name, (yes, proof) in zip(names, body, strict=True):
            team, C = self.ciphers[name]
            assert yes or one["by"] is None
            assert plain_hidden.answer(where, name, team[1], C, one["inside"], yes, proof)
            answers[name] = yes
            self.count("answer")
        self.trail.append(("ask", answers, one["inside"]))
        return answers

    # -- Over, 9.6 the audit ------------------------------------------------------------------------------------------

    def over(self, one):
        result, secrets = [one["scores"], one["winners"], one["reason"]], {}
        made = self.made if self.machine.options[4] else []

        def check(where, body):
            need(isinstance(body, tuple))
            blobs(body[3:], *(32,) * sum(where[3] in members for members, _ in made))
            told = plain_hidden.told([*map(plain_list, body[:3]), *body[3:]], [*map(plain_list, result)], made, where[3])
            assert told is not None
            secrets.update(told)
            return body

        self.play(self.here, check, claim="bad-outcome")
        if made and {T for _, T in made} <= {*secrets}:
            self.audit(secrets)
        self.complete = True

    def audit(self, secrets):
        values = {}
        for kind, *entry in self.trail:
            if kind == "ask":
                answers, inside = entry
                assert all((values[name] in inside) == yes for name, yes in answers.items())
                continue
            T, C, name, (all_of, one_of, apart), public = entry
            known = values | public
            names, table = next(row for row in all_of if "new" in row[0])
            new = plain_hidden.uncovered(secrets[T], C, {line[names.index("new")] for line in table})
            known |= {"old": known[name], "new": new}
            holds = [tuple(known[n] for n in names) in table for names, table in all_of]
            one = [tuple(known[n] for n in names) in table for names, table in one_of]
            assert all(holds)
            assert not one or sum(one) == 1
            assert new not in [known[n] for n in apart]
            values[name] = new
            self.count("audited")


def plain_list(value):
    return [plain_list(one) for one in value] if isinstance(value, (list, tuple)) else value
