"""Component tables, requests, public states and the machine that all games share, written from docs/state.md alone.

A request is a dictionary of its kind and fields; a state is one of lists, mappings and sets.  Nothing is the product's.
"""

import hashlib
import tomllib

import msgpack


def encode(value):
    return msgpack.packb(value, use_bin_type=True)


def decode(data):
    """Plain data with arrays as tuples; whoever has written it otherwise than in its one encoding is refused."""
    value = msgpack.unpackb(data, use_list=False)
    assert encode(value) == data
    return value


def hashed(*parts):
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


# -- 1, 2 component tables and what is printed ------------------------------------------------------------------------


def table_of(game, toml):
    """The component table as plain data."""
    t = tomllib.loads(toml)
    if game == "crypt":
        decks = [t["deck"][n] for n in "234"]
        decks = [[[d["copies"][v] for v in "1234"], d["face_up"], d["face_down"]] for d in decks]
        return ["crypt", t["types"], t["values"], t["dice"], decks, t["collectors"]["default"]]
    if game == "loot":
        cards = [[card["back"], [card["top"], card["treasures"]]] for card in t["cards"]]
        return ["loot", [t["goal"][n] for n in "23456"], t["treasures"], t["guardians"], cards]
    if game == "scarabya":
        tokens = [[value, t["tokens"][str(value)]] for value in range(1, t["largest_scoring_area"] + 1)]
        boards = [[board["a"], board["b"]] for board in t["boards"]]
        return ["scarabya", t["rounds"], t["largest_scoring_area"], tokens, [[k, v] for k, v in t["tiles"].items()], boards]
    dice = t["mummy_faces"]
    dice = [dice] * 4 if isinstance(dice, list) else [dice[n] for n in "1234"]
    names = [[f"{letter}{i}", name] for letter in t["colours"] for i, name in enumerate(t["symbols"][letter], 1)]
    colours = [[k, v] for k, v in t["colours"].items()]
    goals = [t["lives_to_win"][n] for n in "1234"]
    return ["pyramid", t["hunter_dice"], t["hunter_faces"], dice, t["lives"], goals, colours, names, board_of(t["map"])]


def board_of(text):
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    columns, rows = max(map(len, lines)) // 4, len(lines) // 2
    lines = [line.ljust(4 * columns + 1) for line in lines]
    squares, right, down, marks = [], [], [], {}
    for row in range(rows):
        middle, below = lines[2 * row + 1], lines[2 * row + 2]
        for column in range(columns):
            if middle.find("|") < 4 * column + 2 < middle.rfind("|"):
                square = row * columns + column
                squares.append(square)
                marks[square] = middle[4 * column + 1 : 4 * column + 4].strip()
                if middle[4 * column + 4] == " ":
                    right.append(square)
                if below[4 * column + 2] == " ":
                    down.append(square)
    place = {mark: square for square, mark in marks.items()}
    symbols = [[mark, square] for square, mark in marks.items() if mark not in ("", "E", "M")]
    return [columns, rows, squares, right, down, place["E"], place["M"], symbols]


def data_hash(table):
    return hashed(b"mastaba data 1", encode(table))


def printed_of(table, seats):
    """(back, face) of every card of the list."""
    if table[0] == "loot":
        return [(back, face) for back, face in table[4]]
    if table[0] == "crypt":
        copies = dict(zip(table[2], table[4][seats - 2][0], strict=True))
        return [(kind, value) for kind in table[1] for value in table[2] for _ in range(copies[value])]
    if table[0] == "pyramid":
        return [(None, symbol) for symbol, _ in table[7]]
    return []


# -- 3 requests -------------------------------------------------------------------------------------------------------


FIELDS = {
    "Shuffle": ("cards", "then", "about"),
    "Reveal": ("cards", "part", "to", "by", "then", "about", "joined"),
    "Choose": ("seat", "moves", "then", "about", "joined"),
    "ChooseAll": ("seats", "moves", "then", "about"),
    "Team": ("name", "seats", "then", "about"),
    "Roll": ("n", "sides", "to", "open", "then", "about"),
    "Hide": ("seat", "name", "rule", "to", "then", "about", "joined"),
    "Ask": ("names", "inside", "then", "about", "by", "joined"),
    "Do": ("then", "about"),
    "Over": ("scores", "winners", "reason"),
}
USUAL = {"to": "all", "by": None, "about": None, "then": "", "open": (), "joined": False}


def request(kind, **fields):
    assert set(fields) <= set(FIELDS[kind]), (kind, fields)
    return {"kind": kind, **{name: fields[name] if name in fields else USUAL[name] for name in FIELDS[kind]}}


def do(then, about=None):
    return request("Do", then=then, about=about)


def plain_request(one):
    return [one["kind"], *(one[name] for name in FIELDS[one["kind"]])]


# -- 4 the machine ----------------------------------------------------------------------------------------------------


class Machine:
    """What all games share; a game has `lay_out()`, `set_up()`, `next()`, `leave(seat)`, `lost()`, `scores()`, a method for each rule."""

    VERSION = 1

    def __init__(self, table, seats, options):
        self.table, self.options = table, options
        self.printed = printed_of(table, seats)
        dealt = list(range(len(self.printed)))
        self.s = {"agenda": [], "dealt": dealt, "first": 0, "gone": [], "handles": len(dealt), "public": {}, "seats": seats, "shown": {}}
        self.lay_out()
        if options[0] is None:
            self.push(request("Roll", n=1, sides=seats, then="start"))
        else:
            self.start(None, [options[0] + 1])
            self.settle()

    def start(self, one, values):
        self.s["first"] = values[0] - 1  # value 1 is seat 0
        self.set_up()

    @property
    def pending(self):
        return self.s["agenda"][-1]

    @property
    def over(self):
        return bool(self.s["agenda"]) and self.pending["kind"] == "Over"

    @property
    def here(self):
        return [seat for seat in range(self.s["seats"]) if seat not in self.s["gone"]]

    def push(self, *steps):
        self.s["agenda"] += reversed([one for one in steps if one])

    def settle(self):
        while not self.s["agenda"] or self.pending["kind"] == "Do":
            if self.s["agenda"]:
                one = self.s["agenda"].pop()
                getattr(self, one["then"])(one, None)
            else:
                self.push(self.next())

    def fresh(self, n):
        self.s["handles"] += n
        return list(range(self.s["handles"] - n, self.s["handles"]))

    def apply(self, value=None, faces=None):
        """The answer to what is pending: a move, {seat: move}, values, {name: bool}; and the faces that all see, by handle or place."""
        one, s = self.s["agenda"].pop(), self.s
        if one["kind"] == "Shuffle":
            s["shown"] = {key: face for key, face in s["shown"].items() if key[0] not in one["cards"]}
            value = self.fresh(len(one["cards"]))
        elif one["kind"] == "Reveal" and one["to"] == "all":
            s["shown"] |= {(card, one["part"]): face for card, face in faces.items()}
        elif one["kind"] == "Roll" and one["to"] != "all":
            value = self.fresh(one["n"])
            s["shown"] |= {(value[i], "face"): face for i, face in faces.items()}
        elif one["kind"] == "Hide":
            s["public"].pop(one["name"], None)
        elif one["kind"] == "Ask" and len(one["inside"]) == 1:
            s["public"] |= {name: one["inside"][0] for name, yes in value.items() if yes}
        if one["then"]:
            getattr(self, one["then"])(one, value)
        self.settle()

    def left(self, *seats):
        self.without(seats, False)

    def lose(self, seats):
        self.without(seats, True)

    def without(self, seats, lost):
        ended = self.over
        for seat in seats:
            self.s["gone"] = sorted({*self.s["gone"], seat})
            self.leave(seat)
        if lost and not ended:
            self.lost()
        if len(self.here) <= 1 and not self.over:
            self.s["agenda"] = [request("Over", scores=self.scores(), winners=self.here, reason="left")]
        self.settle()

    def lost(self):
        """Nothing, unless a game says otherwise."""

    def legal(self, seat, move):
        return any(same(move, one) for one in self.moves(self.pending, seat))

    def moves(self, one, seat):
        return getattr(self, one["moves"])(one, seat)

    def absent(self, one, seat):
        return next(iter(self.moves(one, seat)))

    # -- 5 the public state -------------------------------------------------------------------------------------------

    def public_state(self):
        state = self.s | {"agenda": [plain_request(one) for one in self.s["agenda"]]}
        return plain(state)

    def digest(self):
        return hashed(b"mastaba state 1", self.table[0].encode(), encode(self.VERSION), encode(self.public_state()))


def plain(value):
    if isinstance(value, dict):
        return sorted(([plain(k), plain(v)] for k, v in value.items()), key=lambda pair: encode(pair[0]))
    if isinstance(value, set):
        return sorted(map(plain, value), key=encode)
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def same(a, b):
    """Equal as plain data, where an array of either kind is an array and true is not 1."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b
