"""Pyramid's moves in text, and why a move is refused; knows what a move may look like, and asks the rules for the rest."""

from typing import TYPE_CHECKING

from ..rules import Choose, Hide, Move, Request
from .moves import Listed
from .pyramid_data import Board

if TYPE_CHECKING:
    from .pyramid_state import PyramidState

WORDS = ("keep", "reset", "again", "pass", "stop")
NUMBERED = {"die": "picks", "play": "cards"}  # verb -> the question that it answers
ASKED = {"keep": "resets", "reset": "resets", "again": "picks", "pass": "cards", "stop": "paces", "step": "paces", **NUMBERED}


def show_move(board: Board, move: Move) -> str:
    """keep, reset, again, die N, SQUARE, pass, play N, stop, step SQUARE; N counts from 1."""
    if isinstance(move, int):
        return board.name(move)
    verb, *rest = move
    if not rest:
        return str(verb)
    return f"{verb} {board.name(rest[0]) if verb == 'step' else rest[0] + 1}"


def parse_move(board: Board, text: str) -> Move:
    """The move that `show_move` would write so, but for case and spaces; raises ValueError for anything else."""
    match text.lower().split():
        case [word] if word in WORDS:
            return (word,)
        case [square]:
            return board.named(square)
        case ["step", square]:
            return ("step", board.named(square))
        case [verb, number] if verb in NUMBERED and len(number) <= 2 and number.isascii() and number.isdigit() and number[0] != "0":
            return (verb, int(number) - 1)
    raise ValueError("no move of Pyramid")


def why_not(rules: "PyramidState", request: Request, move: Move) -> str:
    """A reason id; for the mover's own copy of the rules also where only he can know it (another hunter stands there)."""
    if isinstance(request, Hide):
        return _no_way(rules, request, move)
    if not isinstance(request, Choose) or type(move) is not tuple or not move or type(move[0]) is not str:
        return "no-such-move"
    verb = move[0]
    if verb not in ASKED:
        return "no-such-move"
    if ASKED[verb] != request.moves:
        return "not-now"
    numbered = verb in NUMBERED or verb == "step"
    if len(move) != 1 + numbered or (numbered and type(move[1]) is not int):
        return "no-such-move"
    if verb == "die":
        return "not-playable" if move[1] in range(len(rules.dice)) else "no-such-die"
    if verb == "play":
        return "not-there" if move[1] in range(len(rules.missions[request.seat])) else "no-such-mission"
    return _no_step(rules, move[1])


def _no_step(rules: "PyramidState", square: int) -> str:
    board = rules.data.board
    if square not in board.squares:
        return "no-such-square"
    row, column = divmod(square, board.columns)
    far = abs(row - rules.mummy // board.columns) + abs(column - rules.mummy % board.columns)
    if far != 1:
        return "not-adjacent"
    return "never-entered" if square in (board.start, board.dungeon) else "wall"


def _no_way(rules: "PyramidState", request: Hide, move: Move) -> str:
    board = rules.data.board
    if type(move) is not int or move not in board.squares:
        return "no-such-square"
    if move in (board.start, board.dungeon):
        return "never-entered"
    if move == rules.mummy:
        return "mummy-there"
    if move in Listed(rules.square(piece) for piece in rules.pieces() if piece != request.name):
        return "taken"
    return "out-of-reach"
