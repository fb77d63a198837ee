"""A sensible player of Pyramid: hunters plan ways to their missions and keep away, the mummy hunts by what it can believe.

It sees one seat's view, never more.  Everything is reckoned in missions: what a move brings, less what a capture would cost.
"""

from collections.abc import Callable, Sequence

from ..chance import Rng, below
from ..games.pyramid import Pyramid
from ..games.pyramid_data import ARROW, DICE
from ..rules import Choose, Hide, Move
from ..view import View
from .pyramid_belief import Belief, after, beliefs, distances

MISSION = 3.0  # what a mission is worth: more than the way to the next one costs
STEP = 0.14  # what a step nearer to the next mission is worth
CAPTURE = 6.0  # what a capture costs: a token and the way back
RESET, KEPT = 0.14, 2.0  # what fresh dice are worth for each mummy face beyond so many
MUMMY_FACE = 0.2  # what another mummy face costs
PLACE, NEAR = 0.2, 0.8  # what it is worth to stand near pieces that may be there, and how that shrinks with a step
BEAM = 40  # ways that the mummy keeps in mind


def decide(view: View, moves: Sequence[Move], rng: Rng) -> Move:
    """The best move for whoever is asked; among equals one at random."""
    game, request = view.rules, view.asked()
    assert isinstance(game, Pyramid)
    assert isinstance(request, (Choose, Hide))
    if isinstance(request, Choose) and request.moves == "paces":
        return _best(moves, Hunt(game).value, rng)
    piece = request.name if isinstance(request, Hide) else request.about
    return _best(moves, Plan(game, piece).value, rng)


def _best(moves: Sequence[Move], value: Callable[[Move], float], rng: Rng) -> Move:
    valued = [(value(move), below(rng, 1 << 30), move) for move in moves]
    return max(valued, key=lambda v: v[:2])[2]


class Plan:
    """A hunter's decision for one piece."""

    def __init__(self, game: Pyramid, piece: str) -> None:
        self.game, self.piece = game, piece
        self.far = distances(game.data.board)
        self.mummy_far = game.data.board.maze.distances(game.mummy)
        seat = game.owner[piece]
        self.goals = {game.data.board.square_of[game.seen(card)] for card in game.missions[seat]}
        self.faces: dict[int, float] = {}
        self.seen_at: dict[int, Belief] = {}

    def value(self, move: Move) -> float:
        if isinstance(move, int):
            return self.at(move, self.game.face)
        if move[0] in ("keep", "reset"):
            return self.reset() if move[0] == "reset" else 0.0
        if move[0] == "again":
            return self.again(DICE - self.game.up)
        if move[0] == "die":
            return self.with_face(self.game.seen(self.game.dice[move[1]]))
        return 1.0 if move[0] == "play" else 0.0

    def with_face(self, face: int) -> float:
        """The best that can be done with this face; nothing where it cannot be moved."""
        if face not in self.faces:
            self.faces[face] = max((self.at(square, face) for square in self.game.targets(self.piece, face)), default=-9.0)
        return self.faces[face]

    def at(self, square: int, face: int) -> float:
        """What it is worth to be here at the end of the move."""
        goals, worth = self.goals, 0.0
        if square in goals:
            if len(goals) == 1:
                return 100.0
            goals, worth = goals - {square}, MISSION
        worth -= STEP * min(self.far[goal][square] for goal in goals)
        return worth - CAPTURE * self.danger(square, face, square in self.goals)

    def danger(self, square: int, face: int, public: bool) -> float:
        """The chance of being caught before the next turn: can the mummy come here, and will it look here?"""
        game = self.game
        need = self.mummy_far[square] - game.up
        faces = game.data.die(game.seats)
        reach = sum(die >= need for die in faces) / len(faces)
        if self.mummy_far[square] > game.up + max(faces):
            reach = 0.1 if self.mummy_far[square] <= 2 * game.up + max(faces) else 0.0
        if public:
            return reach
        if face not in self.seen_at:
            self.seen_at[face] = after(game, self.piece, face)
        return reach * min(1.0, 2.5 * self.seen_at[face].get(square, 0.0) + 0.05)

    def again(self, dice: int) -> float:
        """Roll so many dice again: the best of them on average, less what the new mummies cost."""
        values = sorted(self.with_face(face) for face in range(1, ARROW + 1))
        mean, below_ = 0.0, (1 / 6) ** dice  # the chance that no die is better than a mummy
        mean += below_ * (values[0] - 0.5)
        for n, value in enumerate(values, 2):
            up_to = (n / 6) ** dice
            mean += (up_to - below_) * value
            below_ = up_to
        return mean - MUMMY_FACE * dice / 6

    def reset(self) -> float:
        """Fresh dice, and a weaker mummy from now on, against an interrupt now."""
        game = self.game
        square = game.square(self.piece)
        gain = RESET * (game.up - KEPT)
        if square is not None and square not in (game.data.board.start, game.data.board.dungeon) and self.mummy_far[square] <= game.up:
            known = self.piece in game.public
            gain -= CAPTURE * (0.9 if known else 0.35)
        return gain


class Hunt:
    """The mummy's decision: the way of the steps left on which it is likeliest to meet somebody, and ends well placed."""

    def __init__(self, game: Pyramid) -> None:
        self.game, self.board = game, game.data.board
        self.far = distances(self.board)
        self.mass: dict[int, float] = {}  # square -> pieces expected there
        self.near: dict[int, float] = {}
        safe = (self.board.start, self.board.dungeon)
        believed = list(beliefs(game).values())
        for known in believed:
            for square, p in known.items():
                if square not in safe:
                    self.mass[square] = self.mass.get(square, 0.0) + p
        self.pull = dict(self.mass)
        for known in believed:
            for square, p in known.items():
                if square in safe:  # it must come out
                    for outside in self.board.maze.ends(square, 2):
                        self.pull[outside] = self.pull.get(outside, 0.0) + 0.15 * p
        self.first = self._ways()

    def value(self, move: Move) -> float:
        return self.first.get(None if move == ("stop",) else move[1], -1.0)

    def _ways(self) -> dict[int | None, float]:
        """For a stop, and for each first step, the worth of the best way that begins so."""
        here = self.game.mummy
        best: dict[int | None, float] = {None: self.place(here)}
        ways: list[tuple[float, int, frozenset[int], int | None]] = [(0.0, here, frozenset((here,)), None)]
        for _ in range(self.game.steps):
            longer: list[tuple[float, int, frozenset[int], int | None]] = []
            for caught, square, been, first in ways:
                for new in self.board.maze.ends(square, 1):
                    won = caught + (0.0 if new in been else self.mass.get(new, 0.0))
                    longer.append((won, new, been | {new}, first if first is not None else new))
            longer.sort(key=lambda way: -way[0] - self.place(way[1]))
            ways = longer[:BEAM]
            for caught, square, _been, first in longer:
                best[first] = max(best.get(first, -1.0), caught + self.place(square))
        return best

    def place(self, square: int) -> float:
        """How well the square lies for the next hunt."""
        if square not in self.near:
            self.near[square] = PLACE * sum(p * NEAR ** self.far[square][other] for other, p in self.pull.items())
        return self.near[square]
