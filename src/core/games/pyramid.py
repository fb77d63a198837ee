"""Pyramid: one class that reads like the rulebook.  It branches only on what everybody has seen, so never on where a hunter hides.

Moves: ("keep",) or ("reset",); ("again",) or ("die", n) among the dice without a mummy; a square where the piece goes (a hidden value);
("pass",) or ("play", n) among one's missions; ("stop",) or ("step", square) of the mummy.  Rows of the rules' checklist are cited as P28,
rulings as PR4.  A piece is "h1", "h2", ... in the order of play after the mummy; its square is the hidden value of that name.
"""

from typing import ClassVar

from ..rules import ALL, Ask, Audience, Choose, Do, Hide, Move, Over, Request, Reveal, Roll, Shuffle, Statement, Team
from .moves import Listed
from .pyramid_data import DICE, FACES, MUMMY, PLAYERS, PyramidData, load
from .pyramid_moves import statement
from .pyramid_state import THE_MUMMY, PyramidState

__all__ = ["Pyramid", "load"]

TEAM = "hunters"


class Pyramid(PyramidState):
    """One mummy hunts two to four pieces through a pyramid of which it does not see who stands where.

    Events (seat, then arguments): first (the mummy); dealt; turn (piece or "mummy"); blocked, free (piece); reset (piece, forced);
    hunt ("turn" or "interrupt", steps); step (square, steps left); unseen (-, square, pieces not there); stop (square);
    captured (piece, square, lives left); out (piece); roll (piece, dice, mummies); again (piece); lost-turn (piece);
    announce (piece, face); moved (piece); mission (piece, card, symbol, square);
    over (-, scores, winners, reason); left, lost.
    """

    NAME: ClassVar[str] = "pyramid"
    VERSION: ClassVar[int] = 1
    SEATS: ClassVar[range] = PLAYERS
    data: PyramidData

    # -- set-up ---------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """The mummy is drawn; the seats after it lead a piece each, two if there is only one (P01, P07, P99)."""
        seats = [(self.first + n) % self.seats for n in range(1, self.seats)]
        self.owner = {f"h{n}": seat for n, seat in enumerate(seats * (2 if len(seats) == 1 else 1), 1)}
        self.lives = {piece: self.data.lives for piece in self.owner}
        self.goal = self.data.goal(self.seats)
        for piece in self.owner:
            self._place(piece, self.data.board.start)
        piles = []
        for letter, _ in self.data.colours:
            pile = tuple(card for card, (_, face) in zip(self.dealt, self.printed(), strict=True) if face[0] == letter)
            piles.append(Shuffle(pile, then="deal", about=letter))
        self.piles = list(self.dealt)
        self.push(Team(TEAM, tuple(sorted(set(seats)))), *piles, Do("hand_out"))
        for seat in self.gone:
            self.leave(seat)

    def deal(self, request: Shuffle, cards: tuple[int, ...]) -> None:
        """From each pile a card for each piece; the rest is put aside unseen (P13-P16, P100)."""
        self.piles = [card for card in self.piles if card not in request.cards]
        for card, seat in zip(cards, self.owner.values(), strict=False):
            self.missions[seat].append(card)
            self.backs[card] = request.about
        self.left_over += cards[len(self.owner) :]
        self.backs.update(dict.fromkeys(cards[len(self.owner) :], request.about))

    def hand_out(self, step: Do, _: None) -> None:
        """A hunter's missions are hidden from fellow hunters too (P15, PR1)."""
        seats = [seat for seat in range(self.seats) if self.missions[seat] and seat not in self.gone]
        self.push(*(Reveal(tuple(self.missions[seat]), "face", to=(seat,)) for seat in seats))
        self.emit("dealt")

    # -- the round ------------------------------------------------------------------------------------------------

    def next_request(self) -> Request:
        """All hunters in the game once, then the mummy, and again (P17, P18, P98)."""
        if not self.queue:
            self.queue = [*self.owner, THE_MUMMY]
        while (who := self.queue.pop(0)) != THE_MUMMY and not self.lives[who]:
            pass
        self.turn = who
        if who == THE_MUMMY:
            self.emit("turn", self.first, who)
            return Roll(1, len(self.data.die(self.seats)), then="mummy_die")
        self.emit("turn", self.owner[who], who)
        return Do("test", (who, "begin"))

    def test(self, step: Do, _: None) -> None:
        """Who cannot move at all must say so and is skipped; the others prove that they can (P95, P96, PR2, PR3, PR5)."""
        piece, then = step.about
        shut = self.data.board.maze.shut((s for s in self.data.board.ordinary if s != self.mummy), self.mummy)
        if piece in self.public:
            self._tested(piece, then, self.public[piece] in shut)
        elif shut:
            self.push(Ask((piece,), shut, then="answered", about=(piece, then)))
        else:
            self.push(Do(then, piece))

    def answered(self, request: Ask, truth: dict[str, bool]) -> None:
        piece, then = request.about
        self._note(piece, "in" if truth[piece] else "not", request.inside)
        if not truth[piece]:
            self.emit("free", self.owner[piece], piece)
        self._tested(piece, then, truth[piece])

    def _tested(self, piece: str, then: str, blocked: bool) -> None:
        if blocked:
            self.emit("blocked", self.owner[piece], piece)
        else:
            self.push(Do(then, piece))

    # -- a hunter's turn ------------------------------------------------------------------------------------------

    def begin(self, step: Do, _: None) -> None:
        """Five mummies must be reset, fewer may be, none cannot (P20-P22, P91-P94)."""
        if self.up == DICE:
            self._reset(step.about, forced=True)
        elif self.up:
            self.push(Choose(self.owner[step.about], "resets", then="decide", about=step.about))
        else:
            self.push(Do("throw", step.about))

    def resets(self, request: Choose) -> Listed:
        return Listed([("keep",), ("reset",)])

    def decide(self, request: Choose, move: Move) -> None:
        if move == ("reset",):
            self._reset(request.about, forced=False)
        else:
            self.push(Do("throw", request.about))

    def _reset(self, piece: str, forced: bool) -> None:
        """The mummy has an interrupt turn of as many steps as dice show it, at once (P23, P79)."""
        self.emit("reset", self.owner[piece], piece, forced)
        self.push(Do("hunt", ("interrupt", self.up)), Do("after_reset", piece))

    def after_reset(self, step: Do, _: None) -> None:
        """No die shows a mummy any more.  Who was eliminated in the interrupt rolls nothing; the captured one rolls (P81-P83, PR3, PR4)."""
        self.up = 0
        if self.lives[step.about]:
            self.push(Do("test", (step.about, "throw")))

    def throw(self, step: Do, _: None) -> None:
        """All dice that show no mummy, never fewer (P24, P25, P29)."""
        self.push(Roll(DICE - self.up, len(FACES), to=TEAM, open=(MUMMY,), then="look", about=step.about))

    def look(self, request: Roll, dice: tuple[int, ...]) -> None:
        """Mummies are set aside; with five of them the turn is lost, else one picks a die or rolls again (P26-P31, P91)."""
        for book in (self.shown, self.peeked):
            for die in self.rolled:  # results rolled over are gone (P30)
                book.pop((die, "face"), None)
        self.rolled = list(dice)
        self.dice = [die for die in dice if (die, "face") not in self.shown]
        self.up += len(dice) - len(self.dice)
        seat = self.owner[request.about]
        self.emit("roll", seat, request.about, len(dice), len(dice) - len(self.dice))
        if self.up == DICE:
            self.emit("lost-turn", seat, request.about)
        else:
            self.push(Choose(seat, "picks", then="pick", about=request.about))

    def picks(self, request: Choose) -> Listed:
        """Rolling again is always allowed: so nobody sees whether one had to (P28, P32, P40, PR9)."""
        return Listed([("again",), *(("die", n) for n in range(len(self.dice)))])

    def pick(self, request: Choose, move: Move) -> None:
        """Die, move and mission go out together, so that nothing but the die shows whether there was a choice (P33, P34, PR13)."""
        seat, piece = request.seat, request.about
        if move == ("again",):
            self.emit("again", seat, piece)
            self.push(Do("throw", piece))
            return
        self.push(
            Reveal((self.dice[move[1]],), "face", ALL, by=seat, then="announce", about=piece, joined=True),
            Hide(seat, piece, "allowed", to=TEAM, then="moved", about=piece, joined=True),
            Choose(seat, "cards", then="play", about=piece, joined=True),
        )

    def announce(self, request: Reveal, _: None) -> None:
        self.face = self.shown[request.cards[0], "face"]
        self.emit("announce", self.owner[request.about], request.about, self.face)

    def allowed(self, request: Hide) -> Statement:
        """What the announced die allows from the piece's square, whatever that is."""
        return statement(self.data.board, self.face, self.mummy, self.public.get(request.name), self._others(request.name))

    def moved(self, request: Hide, _: int | None) -> None:
        self._note(request.name, "went", self.face)
        self.emit("moved", request.seat, request.name)

    def cards(self, request: Choose) -> Listed:
        """Playing is voluntary, one mission a move (P60, P62)."""
        return Listed([("pass",), *(("play", n) for n in range(len(self.missions[request.seat])))])

    def play(self, request: Choose, move: Move) -> None:
        if move != ("pass",):
            card = self.missions[request.seat][move[1]]
            self.push(Reveal((card,), "face", ALL, by=request.seat, then="laid", about=request.about, joined=True))

    def laid(self, request: Reveal, _: None) -> None:
        """The card is open to all; that the piece stands on its symbol is proven with it (P58, P59)."""
        symbol = self.shown[request.cards[0], "face"]
        square = self.data.board.square_of[symbol]
        self.push(Ask((request.about,), (square,), then="found", about=request.cards[0], by=request.by, joined=True))

    def found(self, request: Ask, _: dict[str, bool]) -> None:
        """Who plays his last mission wins at once, alone (P64, P86, P103)."""
        (piece,), (square,), card = request.names, request.inside, request.about
        seat, symbol = self.owner[piece], self.shown[card, "face"]
        self._place(piece, square)
        self.missions[seat].remove(card)
        self.played[seat].append(card)
        self.emit("mission", seat, piece, card, symbol, square)
        if not self.missions[seat]:
            self.finish((seat,), "missions")

    # -- the mummy ------------------------------------------------------------------------------------------------

    def mummy_die(self, request: Roll, dice: tuple[int, ...]) -> None:
        """Up to its die and the mummy faces; these stay (P65-P67, P78)."""
        self.push(Do("hunt", ("turn", self.up + self.data.die(self.seats)[dice[0] - 1])))

    def hunt(self, step: Do, _: None) -> None:
        """A turn begins with its kind; then square by square: a step, the answers, the next step or a stop (P70, P80, PR6)."""
        if step.about is not None:
            kind, self.steps = step.about
            self.emit("hunt", self.first, kind, self.steps)
        if self.steps:
            self.push(Choose(self.first, "paces", then="pace"))

    def paces(self, request: Choose) -> Listed:
        """Stop, or a neighbouring square without a wall between; start and dungeon are never entered (P67-P69)."""
        return Listed([("stop",), *(("step", square) for square in self.data.board.maze.ends(self.mummy, 1))])

    def pace(self, request: Choose, move: Move) -> None:
        if move == ("stop",):
            self.steps = 0
            self.emit("stop", self.first, self.mummy)
            return
        self.mummy, self.steps = move[1], self.steps - 1
        self.emit("step", self.first, self.mummy, self.steps)
        here = [piece for piece in self.pieces() if self.public.get(piece) == self.mummy]
        hidden = tuple(piece for piece in self.pieces() if piece not in self.public)
        if here:
            self.capture(here[0])
        elif hidden:
            self.push(Ask(hidden, (self.mummy,), then="felt"))
        else:
            self.push(Do("hunt"))

    def felt(self, request: Ask, truth: dict[str, bool]) -> None:
        """Every hidden piece has proven that it is here or not (P71, PR6)."""
        absent = tuple(piece for piece, here in truth.items() if not here)
        for piece in absent:
            self._note(piece, "not", (self.mummy,))
        if len(absent) < len(truth):
            self.capture(next(piece for piece, here in truth.items() if here))
        else:
            self.emit("unseen", None, self.mummy, absent)
            self.push(Do("hunt"))

    def capture(self, piece: str) -> None:
        """To the dungeon, for a life token; the mummy stays and its turn ends (P71-P77, P87-P89)."""
        self.steps = 0
        self.lives[piece] -= 1
        self.tokens += 1
        self._place(piece, self.data.board.dungeon)
        self.emit("captured", self.owner[piece], piece, self.mummy, self.lives[piece])
        if not self.lives[piece]:
            self._remove(piece)
            self.emit("out", self.owner[piece], piece)
        if self.tokens >= self.goal:
            self.finish((self.first,), "tokens")

    # -- the end, and leaving -------------------------------------------------------------------------------------

    def finish(self, winners: tuple[int, ...], reason: str) -> None:
        self.emit("over", None, self.scores(), winners, reason)
        self.agenda = [Over(self.scores(), winners, reason)]

    def leave(self, seat: int) -> None:
        """A hunter who leaves is as good as eliminated; without the mummy, or without a hunter, nobody wins (PR11, PR12, PR20)."""
        if not self.owner or (self.agenda and self.over):
            return  # before the starting coin has fallen set_up sees to it; a result stands
        for piece in [piece for piece, owner in self.owner.items() if owner == seat]:
            self.lives[piece] = 0
            self._remove(piece)
        if seat == self.first or not any(self.lives.values()):
            self.finish((), "left")
            return
        self.goal = min(self.goal, self.tokens + sum(self.lives.values()))
        self.agenda = [kept for request in self.agenda for kept in self._still_due(seat, request)]
        here = sorted({owner for owner in self.owner.values() if owner not in self.gone})
        self.push(Team(TEAM, tuple(here)))

    def relay(self) -> None:
        """A seat is lost.  Nothing is opened or dealt anew; a game whose missions are not all dealt ends, since nobody has played yet."""
        if self.owner and self.turn is None and not (self.agenda and self.over):
            self.finish((), "left")

    def _still_due(self, seat: int, request: Request) -> tuple[Request, ...]:
        """What remains of a request when the seat has left: nothing of its own turn, but the mummy's interrupt goes on."""
        if isinstance(request, Ask):
            names = tuple(name for name in request.names if self.lives[name])
            if names:
                return (Ask(names, request.inside, request.then, request.about),)
            return (Do("hunt"),) if request.then == "felt" else ()
        if isinstance(request, Team):
            return ()
        if isinstance(request, (Choose, Hide)):
            return () if request.seat == seat else (request,)
        if isinstance(request, Reveal):
            return () if seat in (request.by, *_seats(request.to)) else (request,)
        piece = request.about if isinstance(request, (Roll, Do)) else None
        if isinstance(piece, tuple):
            piece = piece[0]
        mine = piece in self.owner and self.owner[piece] == seat
        return () if mine and getattr(request, "then", "") != "after_reset" else (request,)


def _seats(to: Audience) -> tuple[int, ...]:
    return to if isinstance(to, tuple) else ()
