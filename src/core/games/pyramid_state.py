"""What lies where at a table of Pyramid, and what may be asked of it; the course of the game is in pyramid.py.

A piece is "h1", "h2", ... in the order of play after the mummy; its square is the hidden value of that name.  What a seat knows of
hidden squares and faces is read here for that seat's own player alone.
"""

from typing import Any, ClassVar

from ..chance import Rng, pick as one_of
from ..rules import Choose, ChooseAll, Hide, Move, Moves, Options, Request, Rules
from .moves import Listed
from .pyramid_data import PLAYERS, PyramidData
from .pyramid_moves import ends
from .pyramid_notation import parse_move, show_move, why_not
from .pyramid_trail import Fact, noted

USUAL = Options()
THE_MUMMY = "mummy"  # whose turn it is, when it is no piece's


class PyramidState(Rules):
    """Everything public but the agenda, and the moves that a seat knows to be legal."""

    SEATS: ClassVar[range] = PLAYERS
    data: PyramidData

    def __init__(self, seats: int, data: PyramidData, options: Options = USUAL) -> None:
        self.owner: dict[str, int] = {}  # piece -> seat, in the order of play
        self.lives: dict[str, int] = {}  # life tokens left; 0: out of the game
        self.tokens = 0  # life tokens that the mummy has won
        self.goal = 0  # that it needs, once it is known who plays
        self.mummy = data.board.dungeon  # its square
        self.steps = 0  # that the mummy may still take
        self.up = 0  # hunter dice that show a mummy
        self.dice: list[int] = []  # handles of the others, of the latest roll
        self.rolled: list[int] = []  # all handles of the latest roll
        self.face = 0  # the announced die
        self.turn: str | None = None
        self.queue: list[str] = []  # who is still to come in this round
        self.missions: list[list[int]] = [[] for _ in range(seats)]  # not yet played
        self.played: list[list[int]] = [[] for _ in range(seats)]
        self.backs: dict[int, str] = {}  # a dealt card -> the letter of its colour
        self.left_over: list[int] = []
        self.piles: list[int] = []  # not yet shuffled and dealt
        self.trails: dict[str, list[Fact]] = {}  # what is public of a hidden square since it was last known
        super().__init__(seats, data, options)

    def printed(self) -> tuple[tuple[None, str], ...]:
        """Backs show colours, and a pile has one colour: so the back needs no hiding (P13)."""
        return tuple((None, f"{letter}{n + 1}") for letter, _ in self.data.colours for n in range(self._count(letter)))

    # -- what may be asked of the state ---------------------------------------------------------------------------

    def scores(self) -> tuple[int, ...]:
        """Life tokens for the mummy, missions played for a hunter."""
        return tuple(self.tokens if self.owner and seat == self.first else len(self.played[seat]) for seat in range(self.seats))

    def turn_of(self) -> int | None:
        return self.first if self.turn == THE_MUMMY else self.owner.get(self.turn or "")

    def pieces(self) -> tuple[str, ...]:
        """Those that the mummy can meet: in the game, and neither on the start square nor in the dungeon."""
        safe = (self.data.board.start, self.data.board.dungeon)
        return tuple(piece for piece in self.owner if self.lives[piece] and self.public.get(piece) not in safe)

    def square(self, piece: str) -> int | None:
        """Where a piece stands, as this seat knows."""
        return self.public.get(piece, self.mine.get(piece))

    def cards_in_play(self) -> tuple[int, ...]:
        """Every handle that is a mission card now."""
        return tuple(card for hand in (*self.missions, *self.played, self.left_over, self.piles) for card in hand)

    def unknown(self) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        """Missions and cards left over that this seat has not seen."""
        cards = self.cards_in_play() if self.owner else self.dealt
        seen = {self.seen(card) for card in cards}
        return tuple(card for card in cards if self.seen(card) is None), tuple(face for _, face in self.printed() if face not in seen)

    def own_moves(self, request: Choose | ChooseAll, seat: int) -> Moves:
        """A die must be playable, a mission's symbol be where the piece stands; missions first (P39, P40, P58, PR13)."""
        if request.moves == "picks":
            faces = [self.seen(die) for die in self.dice]
            return Listed([("again",), *(("die", n) for n, face in enumerate(faces) if self.targets(request.about, face))])
        if request.moves == "cards":
            return Listed([*(("play", n) for n in self.playable(request.about)), ("pass",)])
        return self.moves_of(request, seat)

    def own_values(self, request: Hide, seat: int) -> Listed:
        return Listed(self.targets(request.name, self.face))

    def targets(self, piece: str, face: int) -> tuple[int, ...]:
        """Where the piece can go with this face of a die, as a hunter knows."""
        origin, others = self.square(piece), [self.square(other) for other in self._others(piece)]
        if origin is None or None in others or not face:
            return ()
        return ends(self.data.board, face, self.mummy, origin, (square for square in others if square is not None))

    def playable(self, piece: str) -> tuple[int, ...]:
        """The places, among its owner's missions, of those whose symbol the piece stands on, as the owner knows."""
        square = self.square(piece)
        symbol = None if square is None else self.data.board.symbol_at.get(square)
        return tuple(n for n, card in enumerate(self.missions[self.owner[piece]]) if symbol and self.seen(card) == symbol)

    def disguise(self, move: Move, rng: Rng) -> Move:
        """Among equal dice one at random: always the first would tell that the dice before it differ."""
        if isinstance(move, tuple) and move[:1] == ("die",) and len(move) == 2 and move[1] in range(len(self.dice)):
            faces = [self.seen(die) for die in self.dice]
            return ("die", one_of(rng, [n for n, face in enumerate(faces) if face == faces[move[1]]]))
        return move

    # -- notation -------------------------------------------------------------------------------------------------

    def show_move(self, move: Move) -> str:
        return show_move(self.data.board, move)

    def parse_move(self, text: str) -> Move:
        """keep, reset, again, die N, SQUARE, pass, play N, stop, step SQUARE; N from 1; raises ValueError for anything else."""
        return parse_move(self.data.board, text)

    def why_not(self, request: Request, move: Move) -> str:
        return why_not(self, request, move)

    # -- small parts ----------------------------------------------------------------------------------------------

    def _count(self, letter: str) -> int:
        return sum(symbol[0] == letter for symbol, _ in self.data.names)

    def _others(self, piece: str) -> tuple[str, ...]:
        """The other pieces that are in the way of this one."""
        return tuple(other for other in self.pieces() if other != piece)

    def _place(self, piece: str, square: int) -> None:
        """The piece's square is known to everybody, until its next move."""
        self.public[piece] = square
        self.mine.pop(piece, None)
        self.trails[piece] = [("at", square, self.mummy, False)]

    def _note(self, piece: str, kind: str, what: Any) -> None:
        """One more public fact about a hidden square."""
        self.trails[piece] = noted(self.data.board, self.trails[piece], (kind, what, self.mummy, bool(self._others(piece))))

    def _remove(self, piece: str) -> None:
        self.public.pop(piece, None)
        self.mine.pop(piece, None)
        self.trails.pop(piece, None)
