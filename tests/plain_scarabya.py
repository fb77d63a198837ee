"""Scarabya as "For verifiers" in docs/rules/scarabya.md says it, and nothing else.  A square is 10 * row + column."""

from plain_state import Machine, request

SITE = {10 * r + c for r in range(10) for c in range(10)}
CENTRE = {44, 45, 54, 55}
CORNERS = (0, 5, 50, 55)


def turned(rows):
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def beside(square):
    row, column = divmod(square, 10)
    return {
        10 * r + c for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)) if 0 <= r < 10 and 0 <= c < 10
    }


def spaces(ground):
    """The spaces of a set of squares that hang together along sides."""
    ground, found = set(ground), []
    while ground:
        space, edge = set(), {min(ground)}
        while edge:
            space |= edge
            edge = {b for a in edge for b in beside(a)} & ground - space
        found.append(space)
        ground -= space
    return found


class Scarabya(Machine):
    def lay_out(self):
        n = self.s["seats"]
        self.rounds, self.largest, self.tiles, self.boards = self.table[1], self.table[2], dict(self.table[4]), self.table[5]
        self.s |= {"explorer": 0, "laid": [], "missions": list(self.tiles), "placed": [[] for _ in range(n)], "points": [0] * n}
        self.s |= {"round": 0, "tile": None}
        self.legal_sites = {}

    def set_up(self):
        self.s["explorer"] = self.s["first"]
        self.next_explorer()

    def next_explorer(self):
        while self.s["explorer"] in self.s["gone"]:
            self.s["explorer"] = (self.s["explorer"] + 1) % self.s["seats"]

    def marks(self, laid, mark):
        found = set()
        for (board, side, quarters), corner in zip(laid, CORNERS, strict=False):
            rows = self.boards[board][side]
            for _ in range(quarters):
                rows = turned(rows)
            found |= {corner + 10 * r + c for r in range(5) for c in range(5) if rows[r][c] == mark}
        return found

    def left_over(self, laid):
        used = {board for board, _, _ in laid}
        return [(board, side, q) for board in range(4) if board not in used for side in (0, 1) for q in range(4)]

    def may_become_legal(self, laid):
        if len(laid) < 4:
            return any(self.may_become_legal([*laid, piece]) for piece in self.left_over(laid))
        ground = SITE - self.marks(laid, "#")
        return bool(CENTRE & ground) and all(len(space) > self.largest for space in spaces(ground))

    def ways(self):
        laid = [tuple(piece) for piece in self.s["laid"]]
        return [piece for piece in self.left_over(laid) if self.may_become_legal([*laid, piece])]

    def next(self):
        s = self.s
        if len(s["laid"]) < 4:
            return request("Choose", seat=s["explorer"], moves="pieces", then="lay")
        while s["round"] < self.rounds:
            if len(s["missions"]) > 1:
                return request("Roll", n=1, sides=len(s["missions"]), then="open")
            self.open(None, [1])
            if s["agenda"]:
                return s["agenda"].pop()
        best = max((s["points"][seat] for seat in self.here), default=0)
        winners = [seat for seat in self.here if s["points"][seat] == best] if s["seats"] > 1 else []
        return request("Over", scores=self.scores(), winners=winners, reason="rounds")

    def pieces(self, one, seat):
        return [*(("lay", *piece) for piece in self.ways()), ("lot",)]

    def lay(self, one, move):
        if move == ("lot",):
            self.push(request("Roll", n=1, sides=len(self.ways()), then="lay_by_lot"))
        else:
            self.s["laid"].append(list(move[1:]))

    def lay_by_lot(self, one, values):
        self.s["laid"].append(list(self.ways()[values[0] - 1]))
        if len(self.s["laid"]) < 4:
            self.push(request("Roll", n=1, sides=len(self.ways()), then="lay_by_lot"))

    def open(self, one, values):
        s = self.s
        s["tile"] = s["missions"].pop(values[0] - 1)
        s["round"] += 1
        able = [seat for seat in self.here if self.placements(None, seat)]
        if able:
            self.push(request("ChooseAll", seats=able, moves="placements", then="place"))
        else:
            s["tile"] = None

    def covered(self, seat):
        return {square for _, squares in self.s["placed"][seat] for square in squares}

    def placements(self, one, seat):
        shapes = []
        for rows in (self.tiles[self.s["tile"]], [row[::-1] for row in self.tiles[self.s["tile"]]]):
            for _ in range(4):
                shape = [10 * r + c for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "#"]
                if shape not in [one for one, _, _ in shapes]:
                    shapes.append((shape, len(rows), len(rows[0])))
                rows = turned(rows)
        mine = self.covered(seat)
        ground = SITE - self.marks(self.s["laid"], "#") - mine
        among = {b for a in mine for b in beside(a)} - mine if mine else CENTRE
        found = []
        for shape, height, width in shapes:
            for r in range(11 - height):
                for c in range(11 - width):
                    squares = [10 * r + c + square for square in shape]
                    if ground.issuperset(squares) and not among.isdisjoint(squares):
                        found.append(("place", *squares))
        return found

    def gain(self, seat, squares):
        ground = SITE - self.marks(self.s["laid"], "#") - self.covered(seat) - {*squares}
        scarabs, edge = self.marks(self.s["laid"], "s"), {b for a in squares for b in beside(a)}
        closed = [space for space in spaces(ground) if len(space) <= self.largest and space & edge]
        return sum(len(space) * len(space & scarabs) for space in closed)

    def place(self, one, moves):
        gains = {seat: self.gain(seat, moves[seat][1:]) for seat in one["seats"]}
        for seat in one["seats"]:
            self.s["placed"][seat].append([self.s["tile"], list(moves[seat][1:])])
            self.s["points"][seat] += gains[seat]
        self.s["tile"] = None

    def absent(self, one, seat):
        moves = self.moves(one, seat)
        return moves[0] if one["kind"] == "Choose" else min(moves, key=lambda move: self.gain(seat, move[1:]))

    def scores(self):
        return list(self.s["points"])

    def leave(self, seat):
        s = self.s
        if s["agenda"] and self.pending["kind"] == "ChooseAll":
            self.pending["seats"] = [x for x in self.pending["seats"] if x != seat]
            if not self.pending["seats"]:
                s["agenda"].pop()
                s["tile"] = None
        if seat == s["explorer"] and len(s["laid"]) < 4 and self.here:
            self.next_explorer()
            if s["agenda"] and self.pending["kind"] == "Choose":
                s["laid"], s["agenda"] = [], []
