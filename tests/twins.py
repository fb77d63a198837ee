"""Matches of Pyramid that differ only in what some may not know, over the fake network, and all that one seat sees and hears of each.

Coins, hidden dice and shuffles fall as a script says, so that two matches can have the same public answers; everything else is real.
"""

import random
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fakenet import Net, seeded
from mastaba.core.bots import decide
from mastaba.core.fair import coin, shuffle, team
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.games.pyramid_data import Board
from mastaba.core.games.pyramid_moves import ends
from mastaba.core.plain import digest, encode, freeze
from mastaba.core.rules import Event, Hide
from mastaba.net.book import Silent
from mastaba.net.identity import Identity
from mastaba.net.session import Session
from mastaba.net.wire import Message, Watch, pack

SMALL = (Path(__file__).parent / "data" / "pyramid-small.toml").read_text()
LONGER = SMALL.replace("lives = 1", "lives = 3").replace("{ 1 = 1, 2 = 2, 3 = 2, 4 = 3 }", "{ 1 = 3, 2 = 5, 3 = 7, 4 = 8 }")
SHIPPED = (Path(__file__).parents[1] / "src" / "core" / "games" / "data" / "pyramid.toml").read_text()
MUMMY = 0
HOLD = 0.3
Squares = tuple[int | None, ...]  # of all pieces in the order of play; None: out of the game


class Script:
    """How coins, dice and shuffles fall: `faces` by (step, die) and `orders` by the step of a shuffle, drawn where they say nothing."""

    def __init__(self, seed: int, faces: dict[tuple[int, int], int] | None = None, orders: dict[int, list[int]] | None = None) -> None:
        self.seed, self.faces, self.orders = seed, dict(faces or {}), dict(orders or {})
        self.dice: dict[bytes, tuple[int, int]] = {}
        self.announced: set[tuple[int, int]] = set()
        self.seats = 0
        self._shuffle, self._seat, self._order = 0, 0, list[int]()

    @contextmanager
    def running(self, seats: int) -> Iterator[None]:
        self.seats = seats
        with ExitStack() as stack:
            for module, name, stand_in in (
                (coin, "values", self._values),
                (team, "die_point", self._die_point(team.die_point)),
                (team, "die_face", self._die_face),
                (team, "check_die", self._check_die(team.check_die)),
                (shuffle, "shuffle", self._turn(shuffle.shuffle)),
                (shuffle, "draw_permutation", self._permutation),
                (Pyramid, "disguise", lambda rules, move, rng: move),  # the pick among equal dice falls on the first chosen
            ):
                stack.enter_context(patch.object(module, name, stand_in))
            yield

    def _values(self, total: Any, match: bytes, step: int, round: int, n: int, sides: int) -> tuple[int, ...]:
        dice = random.Random(f"{self.seed} coin {step}")
        return tuple(dice.randrange(sides) + 1 for _ in range(n))

    def _die_point(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def point(match: bytes, step: int, round: int, R: Any, T: Any, i: int) -> Any:
            H = honest(match, step, round, R, T, i)
            self.dice[H.encode()] = step, i
            return H

        return point

    def _die_face(self, die: team.Die, S: Any) -> int:
        which = self.dice[die.H.encode()]
        return self.faces.setdefault(which, random.Random(f"{self.seed} die {which}").choice(die.faces))

    def _check_die(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def check(context: Any, handle: int, die: team.Die, body: bytes) -> Any:
            self.announced.add(self.dice[die.H.encode()])
            return honest(context, handle, die, body)

        return check

    def _turn(self, honest: Callable[..., Any]) -> Callable[..., Any]:
        def turn(context: Any, rows: Any, keys: Any, rng: Any) -> Any:
            if context.step != self._shuffle:
                self._shuffle, self._order = context.step, list(range(len(rows)))
            self._seat = context.seat
            return honest(context, rows, keys, rng)

        return turn

    def _permutation(self, N: int, rng: Any) -> list[int]:
        """The last one to shuffle brings the cards into the script's order, which nobody at the table could."""
        dice = random.Random(f"{self.seed} shuffle {self._shuffle} {self._seat}")
        permutation = dice.sample(range(N), N)
        if self._seat == self.seats - 1:
            wanted = self.orders.setdefault(self._shuffle, dice.sample(range(N), N))
            permutation = [self._order.index(card) for card in wanted]
        self._order = [self._order[j] for j in permutation]
        return permutation


class Watched(Net):
    """A net with a spectator (the last of `sessions`) that keeps what each seat heard and said (kind and length alone) and could see."""

    def __init__(self, seats: int, seed: int, table: str, audit: bool, hold: float) -> None:
        with tempfile.NamedTemporaryFile(suffix=".toml") as file:
            Path(file.name).write_text(table)
            super().__init__(seats, seed, game="pyramid", path=Path(file.name), first=MUMMY, audit=audit)
        self.spectator = seats
        self.sessions.append(Session(self.match.roster, self.match.table(), Silent(), seeded(seed)))
        self.identities.append(Identity.from_secret(bytes(31) + b"\1"))
        for session in self.sessions:
            session.hold = hold
        self.heard: list[list[tuple[float, str, int, str, int]]] = [[] for _ in self.sessions]
        self.saw: list[list[tuple[Any, ...]]] = [[] for _ in self.sessions]

    def connect(self, *pairs: tuple[int, int]) -> None:
        n = self.spectator
        super().connect(*((a, b) for a in range(n) for b in range(a)))
        self.queues[n, MUMMY], self.queues[MUMMY, n] = deque(), deque()
        self.sessions[MUMMY].link_up(n, self.identities[n].public)
        self.sessions[n].link_up(MUMMY, self.identities[MUMMY].public)
        self.send(n, MUMMY, Watch(""))

    def send(self, a: int, b: int, message: Message) -> None:
        self.heard[a].append((self.clock, "to", b, type(message).__name__, len(pack(message))))
        super().send(a, b, message)

    def deliver(self, a: int, b: int, message: Message) -> None:
        self.heard[b].append((self.clock, "from", a, type(message).__name__, len(pack(message))))
        super().deliver(a, b, message)
        self._look(b)

    def play(self, seat: int) -> None:
        super().play(seat)
        self._look(seat)

    def _look(self, seat: int) -> None:
        s = self.sessions[seat].snapshot()
        rules = s.view.rules
        private = digest(encode(freeze((sorted(rules.mine.items()), sorted(rules.peeked.items())))))
        state = s.phase, s.step, s.part, s.waiting, s.asked, s.linked, s.signed, s.trust, len(s.log), rules.digest(), private
        if self.saw[seat][-1:] != [state]:
            self.saw[seat].append(state)


class Match:
    """One whole match; with `moves` the players decide so, else they are bots.  `decided` by seat: (is it a hidden square, the move)."""

    def __init__(self, seed: int, seats: int, script: Script, moves: list[list[Any]] | None = None, **table: Any) -> None:
        self.seed, self.seats, self.script, self._table = seed, seats, script, table
        self.net = Watched(seats, seed, **table)
        self.decided: list[list[tuple[bool, Any]]] = [[] for _ in range(seats)]
        self._dice = random.Random(f"{seed} players")  # not the net's: its order of delivery shall be the same whoever plays
        self._moves = [deque(of_seat) for of_seat in moves] if moves is not None else None
        self.net.players = dict.fromkeys(range(seats), self._decide)
        with script.running(seats):
            self.net.connect()
            self.net.run()
        assert [s.fault for s in self.net.sessions] == [None] * (seats + 1)
        assert all(s.table.done for s in self.net.sessions)

    def _decide(self, session: Session) -> Any:
        seat, request = session.me or 0, session.table.decision
        if self._moves is not None:
            move = self._moves[seat].popleft()
        else:
            level = "random" if self._dice.random() < 0.4 else "sensible"
            move = decide(level, session.snapshot().view, self._dice.randbytes)
        self.decided[seat].append((isinstance(request, Hide), move))
        return move

    @property
    def rules(self) -> Pyramid:
        rules = self.net.sessions[MUMMY].table.rules
        assert isinstance(rules, Pyramid)
        return rules

    @property
    def events(self) -> list[Event]:
        return self.net.sessions[MUMMY].table.events

    def path(self) -> list[int]:
        """The squares of all hidden moves, in order."""
        squares = {seat: iter([move for hidden, move in of if hidden]) for seat, of in enumerate(self.decided)}
        return [next(squares[event.seat]) for event in self.events if event.id == "moved" and event.seat is not None]

    def missions(self) -> dict[int, str]:
        """Every dealt card and what is printed on it."""
        dealt = sorted(self.rules.backs)
        printed = [face for _, face in self.rules.printed()]
        out, first = {}, 0
        for step in sorted(self.script.orders):  # a pile after the other
            order = self.script.orders[step]
            out.update({dealt[first + i]: printed[first + card] for i, card in enumerate(order)})
            first += len(order)
        return out

    def again(self, path: list[int], faces: dict[tuple[int, int], int], orders: dict[int, list[int]]) -> "Match":
        """The same public moves over other squares, dice and missions."""
        hides = [deque[int]() for _ in range(self.seats)]
        for seat, square in zip([e.seat for e in self.events if e.id == "moved"], path, strict=True):
            hides[seat or 0].append(square)
        moves = [[hides[seat].popleft() if hidden else move for hidden, move in of] for seat, of in enumerate(self.decided)]
        return Match(self.seed, self.seats, Script(self.script.seed, faces, orders), moves, **self._table)


# -- twins ------------------------------------------------------------------------------------------------------------


def played(seed: int, seats: int, table: str = LONGER, audit: bool = False, hold: float = 0.0) -> Match:
    """A match of bots."""
    return Match(seed, seats, Script(seed), table=table, audit=audit, hold=hold)


def twin_for_the_mummy(match: Match, dice: random.Random) -> Match:
    """Other squares, dice and missions wherever public answers leave a choice."""
    faces = {which: face if which in match.script.announced else dice.randint(1, 5) for which, face in match.script.faces.items()}
    return match.again(elsewhere(match, dice), faces, other_orders(match, set(), dice))


def twin_for_a_hunter(match: Match, hunter: int, dice: random.Random) -> Match:
    """The same squares and dice; other missions wherever that hunter has not seen them."""
    return match.again(match.path(), match.script.faces, other_orders(match, {*match.rules.missions[hunter]}, dice))


def other_orders(match: Match, known: set[int], dice: random.Random) -> dict[int, list[int]]:
    """Other orders of the piles: cards that were played or are `known` stay in their places, all others are mixed."""
    rules, dealt, orders, first = match.rules, sorted(match.rules.backs), {}, 0
    fixed = known | {card for cards in rules.played for card in cards}
    for step in sorted(match.script.orders):
        order = list(match.script.orders[step])
        free = [i for i in range(len(order)) if dealt[first + i] not in fixed]
        for i, card in zip(free, dice.sample([order[i] for i in free], len(free)), strict=True):
            order[i] = card
        orders[step], first = order, first + len(order)
    return orders


Filter = Callable[[Squares], list[Squares]]


def elsewhere(match: Match, dice: random.Random) -> list[int]:
    """Other squares for all hidden moves, under which every public answer is as it was; found from the public events alone.

    Forward the set of all places where all pieces may be together, then back from one of the last, through as many as can be that differ.
    """
    board, pieces = match.rules.data.board, list(match.rules.owner)
    at: Squares = (board.start,) * len(pieces)
    truth, layers, moved, mummy, face, path = [at], [{at: [at]}], [0], board.dungeon, 0, iter(match.path())
    for event in match.events:
        if event.id == "step":
            mummy = event.args[0]
        if event.id == "announce":
            face = event.args[1]
        if event.id not in ("moved", "unseen", "captured", "mission", "blocked", "free"):
            continue
        k = pieces.index(event.args[0]) if event.id != "unseen" else -1
        follow = _follower(board, pieces, event, k, mummy, face)
        following: dict[Squares, list[Squares]] = {}
        for squares in layers[-1]:
            for after in follow(squares):
                following.setdefault(after, []).append(squares)
        layers.append(following)
        moved.append(k if event.id == "moved" else -1)
        at = (*at[:k], next(path), *at[k + 1 :]) if event.id == "moved" else follow(at)[0]
        truth.append(at)
        assert at in following, "the truth itself does not fit what is public"
    return _back(layers, truth, moved, dice)


def _back(layers: list[dict[Squares, list[Squares]]], truth: list[Squares], moved: list[int], dice: random.Random) -> list[int]:
    def unlike(n: int) -> Callable[[Squares], tuple[int, float]]:
        return lambda squares: (sum(a != b for a, b in zip(squares, truth[n], strict=True)), dice.random())

    found, last = [], len(layers) - 1
    here = max(layers[last], key=unlike(last))
    for n in range(last, 0, -1):
        if moved[n] >= 0:
            square = here[moved[n]]
            assert square is not None
            found.append(square)
        here = max(layers[n][here], key=unlike(n - 1))
    return found[::-1]


def _follower(board: Board, pieces: list[str], event: Event, k: int, mummy: int, face: int) -> Filter:
    """Where all pieces may be after the event, by where they were; empty if it cannot have happened."""
    safe = (None, board.start, board.dungeon)

    def moves(squares: Squares) -> list[Squares]:
        others = [s for i, s in enumerate(squares) if i != k and s is not None and s not in safe]
        origin = squares[k]
        assert origin is not None
        return [(*squares[:k], new, *squares[k + 1 :]) for new in ends(board, face, mummy, origin, others)]

    def captured(squares: Squares) -> list[Squares]:
        sent = board.dungeon if event.args[2] else None
        return [(*squares[:k], sent, *squares[k + 1 :])] if [i for i, s in enumerate(squares) if s == event.args[1]] == [k] else []

    shut = board.maze.shut((s for s in board.ordinary if s != mummy), mummy)
    holds: dict[str, Callable[[Squares], bool]] = {
        "unseen": lambda squares: event.args[0] not in squares,
        "mission": lambda squares: squares[k] == event.args[3],
        "blocked": lambda squares: squares[k] in shut,
        "free": lambda squares: squares[k] not in shut,
    }
    if event.id in ("moved", "captured"):
        return moves if event.id == "moved" else captured
    return lambda squares: [squares] if holds[event.id](squares) else []


def difference(one: Match, other: Match, seat: int) -> str | None:
    """The first thing that the seat saw, said or heard in one match and not in the other; None if both were the same to it."""
    a, b = one.net, other.net
    for what, mine, theirs in (
        ("messages", a.heard[seat], b.heard[seat]),
        ("views", a.saw[seat], b.saw[seat]),
        ("events", a.sessions[seat].table.events, b.sessions[seat].table.events),
    ):
        for n, (x, y) in enumerate(zip(mine, theirs, strict=False)):
            if x != y:
                return f"{what} {n}: {x} / {y}"
        if len(mine) != len(theirs):
            return f"{what}: {len(mine)} / {len(theirs)}"
    return None
