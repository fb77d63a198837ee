"""Pyramid as "For verifiers" in docs/rules/pyramid.md says it, and nothing else."""

from functools import cache

from plain_state import Machine, do, request

ARROW, MUMMY = 5, 6
TEAM = "hunters"


class Board:
    def __init__(self, plain):
        self.columns, self.rows, self.squares, self.right, self.down, self.start, self.dungeon, symbols = plain
        self.symbols = dict(symbols)
        self.ordinary = [square for square in self.squares if square not in (self.start, self.dungeon)]
        self.slides, self.walk = cache(self.slides), cache(self.walk)

    def step(self, square, way):
        """The square next to this one, up, down, left or right, or None."""
        other = square + (-self.columns, self.columns, -1, 1)[way]
        edge, sides = (other, square)[way % 2], (self.down, self.right)[way // 2]
        return other if edge in sides else None

    def free(self, square, mummy):
        return square is not None and square not in (self.start, self.dungeon, mummy)

    def walk(self, origin, n, mummy):
        ends = {origin}
        for _ in range(n):
            ends = {to for square in ends for way in range(4) if self.free(to := self.step(square, way), mummy)}
        return sorted(ends)

    def slides(self, origin, mummy):
        """(squares passed, the next one or None for a full slide)."""
        found = []
        for way in range(4):
            path, square = [], self.step(origin, way)
            while self.free(square, mummy):
                path.append(square)
                square = self.step(square, way)
            found += [(path[:n], path[n] if n < len(path) else None) for n in range(1, len(path) + 1)]
        return found


class Pyramid(Machine):
    def lay_out(self):
        n = self.s["seats"]
        _, _, _, dice, self.lives, goals, colours, _, board = self.table
        self.board, self.die, self.winning, self.letters = Board(board), dice[n - 2], goals[n - 2], [letter for letter, _ in colours]
        self.s |= {"backs": {}, "dice": [], "face": 0, "goal": 0, "left_over": [], "lives": {}, "missions": [[] for _ in range(n)]}
        self.s |= {"mummy": self.board.dungeon, "owner": {}, "piles": [], "played": [[] for _ in range(n)], "queue": [], "rolled": []}
        self.s |= {"steps": 0, "tokens": 0, "trails": {}, "turn": None, "up": 0}

    def set_up(self):
        s = self.s
        seats = [(s["first"] + i) % s["seats"] for i in range(1, s["seats"])]
        s["owner"] = {f"h{i}": seat for i, seat in enumerate(seats * 2 if len(seats) == 1 else seats, 1)}
        s["lives"], s["goal"], s["piles"] = dict.fromkeys(s["owner"], self.lives), self.winning, list(s["dealt"])
        for piece in s["owner"]:
            self.put(piece, self.board.start)
        piles = [[card for card, (_, symbol) in enumerate(self.printed) if symbol[0] == letter] for letter in self.letters]
        shuffles = [request("Shuffle", cards=pile, then="deal", about=letter) for pile, letter in zip(piles, self.letters, strict=True)]
        self.push(request("Team", name=TEAM, seats=sorted(seats)), *shuffles, do("hand_out"))
        for seat in s["gone"]:
            self.leave(seat)

    def put(self, piece, square):
        self.s["public"][piece] = square
        self.s["trails"][piece] = [["at", square, self.s["mummy"], False]]

    def remove(self, piece):
        self.s["public"].pop(piece, None)
        self.s["trails"].pop(piece, None)

    def in_the_way(self, but=None):
        safe = (self.board.start, self.board.dungeon)
        return [piece for piece in self.s["owner"] if self.s["lives"][piece] and self.s["public"].get(piece) not in safe and piece != but]

    def deal(self, one, cards):
        s = self.s
        s["piles"] = [card for card in s["piles"] if card not in one["cards"]]
        for card, seat in zip(cards, s["owner"].values(), strict=False):
            s["missions"][seat].append(card)
        s["left_over"] += cards[len(s["owner"]) :]
        s["backs"] |= dict.fromkeys(cards, one["about"])

    def hand_out(self, one, _):
        seats = [seat for seat in self.here if self.s["missions"][seat]]
        self.push(*(request("Reveal", cards=list(self.s["missions"][seat]), part="face", to=[seat]) for seat in seats))

    def next(self):
        s = self.s
        if not s["queue"]:
            s["queue"] = [*s["owner"], "mummy"]
        s["turn"] = s["queue"].pop(0)
        while s["turn"] != "mummy" and not s["lives"][s["turn"]]:
            s["turn"] = s["queue"].pop(0)
        if s["turn"] == "mummy":
            return request("Roll", n=1, sides=len(self.die), then="mummy_die")
        return do("test", [s["turn"], "begin"])

    # -- a hunter -----------------------------------------------------------------------------------------------------

    def test(self, one, _):
        piece, then = one["about"]
        shut = [square for square in self.board.ordinary if square != self.s["mummy"] and not self.board.walk(square, 1, self.s["mummy"])]
        if piece not in self.s["public"] and shut:
            self.push(request("Ask", names=[piece], inside=shut, then="answered", about=[piece, then]))
        elif self.s["public"].get(piece) not in shut:
            self.push(do(then, piece))

    def answered(self, one, answers):
        piece, then = one["about"]
        self.note(piece, "in" if answers[piece] else "not", one["inside"])
        if not answers[piece]:
            self.push(do(then, piece))

    def begin(self, one, _):
        piece = one["about"]
        if self.s["up"] == 5:
            self.reset(piece)
        elif self.s["up"]:
            self.push(request("Choose", seat=self.s["owner"][piece], moves="resets", then="decide", about=piece))
        else:
            self.push(do("throw", piece))

    def throw(self, one, _):
        roll = request("Roll", n=5 - self.s["up"], sides=6, to=TEAM, open=[MUMMY], then="look", about=one["about"])
        self.push(roll)

    def reset(self, piece):
        self.push(do("hunt", ["interrupt", self.s["up"]]), do("after_reset", piece))

    def resets(self, one, seat):
        return [("keep",), ("reset",)]

    def decide(self, one, move):
        if move == ("reset",):
            self.reset(one["about"])
        else:
            self.push(do("throw", one["about"]))

    def after_reset(self, one, _):
        self.s["up"] = 0
        if self.s["lives"][one["about"]]:
            self.push(do("test", [one["about"], "throw"]))

    def look(self, one, handles):
        s = self.s
        for die in s["rolled"]:
            s["shown"].pop((die, "face"), None)
        s["rolled"], s["dice"] = handles, [die for die in handles if (die, "face") not in s["shown"]]
        s["up"] += len(handles) - len(s["dice"])
        if s["up"] < 5:
            self.push(request("Choose", seat=s["owner"][one["about"]], moves="picks", then="pick", about=one["about"]))

    def picks(self, one, seat):
        return [("again",), *(("die", n) for n in range(len(self.s["dice"])))]

    def pick(self, one, move):
        piece, seat = one["about"], one["seat"]
        if move == ("again",):
            self.push(do("throw", piece))
            return
        self.push(
            request("Reveal", cards=[self.s["dice"][move[1]]], part="face", by=seat, then="announce", about=piece, joined=True),
            request("Hide", seat=seat, name=piece, rule="allowed", to=TEAM, then="moved", about=piece, joined=True),
            request("Choose", seat=seat, moves="cards", then="play", about=piece, joined=True),
        )

    def announce(self, one, _):
        self.s["face"] = self.s["shown"][one["cards"][0], "face"]

    def allowed(self, one):
        """(all_of, one_of, apart), rows of (names, table)."""
        s, board, face, mummy = self.s, self.board, self.s["face"], self.s["mummy"]
        origin, others = s["public"].get(one["name"]), self.in_the_way(one["name"])
        origins = [square for square in board.ordinary if square != mummy] if origin is None else [origin]
        if face != ARROW:
            return [(("old", "new"), {(u, v) for u in origins for v in board.walk(u, face, mummy)})], [], others
        slides = [(u, path, beyond) for u in origins for path, beyond in board.slides(u, mummy)]
        if not others:
            return [(("old", "new"), {(u, path[-1]) for u, path, beyond in slides if beyond is None})], [], []
        seats = {u: [w for w in board.ordinary if w not in (u, mummy)] for u in origins}
        clear = {(u, path[-1], w) for u, path, _ in slides for w in seats[u] if w not in path}
        stopped = {(u, path[-1], w) for u, path, beyond in slides for w in seats[u] if w == beyond}
        full = {(u, path[-1], w) for u, path, beyond in slides for w in seats[u] if beyond is None and w not in path}
        if len(others) == 1:
            return [(("old", "new", others[0]), stopped | full)], [], []
        all_of = [(("old", "new", other), clear) for other in others]
        return all_of, [(("old", "new", other), stopped | full if other == others[0] else stopped) for other in others], []

    def moved(self, one, _):
        self.note(one["name"], "went", self.s["face"])

    def cards(self, one, seat):
        return [("pass",), *(("play", n) for n in range(len(self.s["missions"][seat])))]

    def play(self, one, move):
        if move != ("pass",):
            card, seat = self.s["missions"][one["seat"]][move[1]], one["seat"]
            self.push(request("Reveal", cards=[card], part="face", by=seat, then="laid", about=one["about"], joined=True))

    def laid(self, one, _):
        (card,), seat = one["cards"], one["by"]
        square = self.board.symbols[self.s["shown"][card, "face"]]
        self.push(request("Ask", names=[one["about"]], inside=[square], then="found", about=card, by=seat, joined=True))

    def found(self, one, _):
        (piece,), card, seat = one["names"], one["about"], one["by"]
        self.put(piece, one["inside"][0])
        self.s["missions"][seat].remove(card)
        self.s["played"][seat].append(card)
        if not self.s["missions"][seat]:
            self.finish([seat], "missions")

    def note(self, piece, kind, what):
        trail = [*self.s["trails"][piece], [kind, what, self.s["mummy"], bool(self.in_the_way(piece))]]
        if len(trail) > 48:
            trail = [["among", self.possible(trail[:24]), *trail[23][2:]], *trail[24:]]
        self.s["trails"][piece] = trail

    def possible(self, trail):
        squares = set()
        for kind, what, mummy, company in trail:
            if kind == "at":
                squares = {what}
            elif kind == "among":
                squares = {*what}
            elif kind == "went" and what == ARROW:
                squares = {path[-1] for u in squares for path, beyond in self.board.slides(u, mummy) if beyond is None or company}
            elif kind == "went":
                squares = {v for u in squares for v in self.board.walk(u, what, mummy)}
            else:
                squares = {square for square in squares if (square in what) == (kind == "in")}
        return sorted(squares)

    # -- the mummy ----------------------------------------------------------------------------------------------------

    def mummy_die(self, one, values):
        self.push(do("hunt", ["turn", self.s["up"] + self.die[values[0] - 1]]))

    def hunt(self, one, _):
        if one["about"] is not None:
            self.s["steps"] = one["about"][1]
        if self.s["steps"]:
            self.push(request("Choose", seat=self.s["first"], moves="paces", then="pace"))

    def paces(self, one, seat):
        return [("stop",), *(("step", square) for square in self.board.walk(self.s["mummy"], 1, None))]

    def pace(self, one, move):
        s = self.s
        if move == ("stop",):
            s["steps"] = 0
            return
        s["mummy"], s["steps"] = move[1], s["steps"] - 1
        met = [piece for piece in self.in_the_way() if s["public"].get(piece) == s["mummy"]]
        hidden = [piece for piece in self.in_the_way() if piece not in s["public"]]
        if met:
            self.capture(met[0])
        elif hidden:
            self.push(request("Ask", names=hidden, inside=[s["mummy"]], then="felt"))
        else:
            self.push(do("hunt"))

    def felt(self, one, answers):
        for piece in (piece for piece, yes in answers.items() if not yes):
            self.note(piece, "not", [self.s["mummy"]])
        if any(answers.values()):
            self.capture(next(piece for piece in one["names"] if answers[piece]))
        else:
            self.push(do("hunt"))

    def capture(self, piece):
        s = self.s
        s["steps"], s["lives"][piece], s["tokens"] = 0, s["lives"][piece] - 1, s["tokens"] + 1
        self.put(piece, self.board.dungeon)
        if not s["lives"][piece]:
            self.remove(piece)
        if s["tokens"] >= s["goal"]:
            self.finish([s["first"]], "tokens")

    def finish(self, winners, reason):
        self.s["agenda"] = [request("Over", scores=self.scores(), winners=winners, reason=reason)]

    def scores(self):
        s = self.s
        return [s["tokens"] if s["owner"] and seat == s["first"] else len(s["played"][seat]) for seat in range(s["seats"])]

    # -- who leaves, who is lost --------------------------------------------------------------------------------------

    def leave(self, seat):
        s = self.s
        if not s["owner"] or self.over:
            return
        for piece in [piece for piece, owner in s["owner"].items() if owner == seat]:
            s["lives"][piece] = 0
            self.remove(piece)
        if seat == s["first"] or not any(s["lives"].values()):
            self.finish([], "left")
            return
        s["goal"] = min(s["goal"], s["tokens"] + sum(s["lives"].values()))
        s["agenda"] = [kept for one in s["agenda"] if (kept := self.kept(seat, one))]
        self.push(request("Team", name=TEAM, seats=sorted({owner for owner in s["owner"].values() if owner in self.here})))

    def kept(self, seat, one):
        kind = one["kind"]
        if kind == "Ask":
            names = [name for name in one["names"] if self.s["lives"][name]]
            if names:
                return one | {"names": names, "by": None, "joined": False}
            return do("hunt") if one["then"] == "felt" else None
        if kind == "Team" or one.get("seat") == seat:
            return None
        if kind == "Reveal":
            return None if one["by"] == seat or (one["to"] != "all" and seat in one["to"]) else one
        about = one.get("about") if kind in ("Roll", "Do") else None
        piece = about[0] if isinstance(about, list) else about
        mine = isinstance(piece, str) and self.s["owner"].get(piece) == seat
        return None if mine and one["then"] != "after_reset" else one

    def lost(self):
        if self.s["owner"] and self.s["turn"] is None and not self.over:
            self.finish([], "left")
