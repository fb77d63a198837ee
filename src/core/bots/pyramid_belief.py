"""Where each piece of Pyramid may be, as likely as public facts alone make it; reads nothing that a spectator has not seen.

A filter over the piece's trail: every announced die spreads the weights along the moves that it allows, drawn towards symbols of
the colours that the hunter still misses; every proven answer cuts.  The support is exact: a square without weight is impossible.
"""

from functools import lru_cache
from math import exp

from ..games.pyramid import Pyramid
from ..games.pyramid_data import Board
from ..games.pyramid_trail import Fact, ways

Belief = dict[int, float]  # square -> probability; they add up to one
EARLY_STOP = 0.2  # the weight of a slide that a hidden hunter would have had to stop, beside a full one
DRIFT = 0.02  # the pull of a square far from every symbol
AROUND = 1.6  # steps after which a symbol pulls less by a factor e
SHY = 0.6  # how much less hunters go next to the mummy
CACHED = 512


def beliefs(rules: Pyramid) -> dict[str, Belief]:
    """A belief for every piece in the game; certainty where the square is public."""
    return {piece: belief(rules, piece) for piece in rules.owner if rules.lives[piece]}


def belief(rules: Pyramid, piece: str) -> Belief:
    """The belief about one piece."""
    if piece in rules.public:
        return {rules.public[piece]: 1.0}
    return follow(rules.data.board, tuple(rules.trails[piece]), wanted(rules, piece))


def after(rules: Pyramid, piece: str, face: int) -> Belief:
    """What the belief will be once the piece has moved with this face of a die."""
    company = any(other != piece for other in rules.pieces())
    return follow(rules.data.board, (*rules.trails[piece], ("went", face, rules.mummy, company)), wanted(rules, piece))


def wanted(rules: Pyramid, piece: str) -> tuple[tuple[int, float], ...]:
    """(square, chance that the piece's owner has its mission) of every symbol that he may still look for."""
    played = {rules.shown[card, "face"] for hand in rules.played for card in hand}
    free: dict[str, list[int]] = {}
    for symbol, square in rules.data.board.symbols:
        if symbol not in played:
            free.setdefault(symbol[0], []).append(square)
    held: dict[str, int] = {}
    for card in rules.missions[rules.owner[piece]]:
        held[rules.backs[card]] = held.get(rules.backs[card], 0) + 1
    return tuple((square, held[letter] / len(squares)) for letter, squares in free.items() if letter in held for square in squares)


@lru_cache(CACHED)
def follow(board: Board, trail: tuple[Fact, ...], want: tuple[tuple[int, float], ...]) -> Belief:
    """The filter itself.  Trails are short, so the recursion is; the result is shared: copy it before changing it."""
    *earlier, (kind, what, mummy, company) = trail
    if kind == "at":
        return {what: 1.0}
    if kind == "among":
        return dict.fromkeys(what, 1 / len(what))
    before = follow(board, tuple(earlier), want)
    if kind == "went":
        now = _spread(board, before, (what, mummy, company), want)
    else:
        now = {square: p for square, p in before.items() if (square in what) == (kind == "in")}
    total = sum(now.values())
    return {square: p / total for square, p in now.items()}


def _spread(board: Board, before: Belief, move: tuple[int, int, bool], want: tuple[tuple[int, float], ...]) -> Belief:
    face, mummy, company = move
    pull, held, near = _pull(board, want), dict(want), distances(board)[mummy]
    now: Belief = {}
    for old, p in before.items():
        weights = [
            (new, (EARLY_STOP if early else 1.0) * pull[new] * (1 - SHY * exp(-near[new] / 3)))
            for new, early in ways(board, face, mummy, old, company)
        ]
        total = sum(weight for _, weight in weights)
        for new, weight in weights:
            silent = 1 - 0.9 * min(1.0, held.get(new, 0.0))  # with its mission he would have played it
            now[new] = now.get(new, 0.0) + p * weight / total * silent
    return now


@lru_cache(CACHED)
def _pull(board: Board, want: tuple[tuple[int, float], ...]) -> dict[int, float]:
    """How much each square attracts: symbols that may be wanted, less with distance."""
    far = distances(board)
    return {square: DRIFT + sum(chance * exp(-far[goal][square] / AROUND) for goal, chance in want) for square in board.ordinary}


@lru_cache(4)
def distances(board: Board) -> dict[int, bytes]:
    """Steps from every square to every other, with nobody in the way."""
    return {square: board.maze.distances(square) for square in board.squares}
