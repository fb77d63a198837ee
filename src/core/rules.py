"""What every game shares: an agenda of requests (requests.py) still to be answered, knowledge, and the public digest.

A game says what it waits for (`pending`) and is told the answer (`apply`).  It branches only on what everybody has
seen, so peers that see less stay in step.  It knows neither a dealer nor a network.
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

from .plain import digest, encode, freeze
from .requests import (
    ALL as ALL,
    Answer as Answer,
    Ask as Ask,
    Audience as Audience,
    Choose as Choose,
    ChooseAll as ChooseAll,
    Do as Do,
    Event as Event,
    Hide as Hide,
    IllegalMove as IllegalMove,
    Move as Move,
    Moves as Moves,
    Options as Options,
    Over as Over,
    Request as Request,
    Reveal as Reveal,
    Roll as Roll,
    Shuffle as Shuffle,
    Statement as Statement,
    Team as Team,
    plain_request as plain_request,
)

USUAL = Options()
PRIVATE = ("peeked", "mine")  # what differs from seat to seat


class Rules:
    """One game's state as one seat knows it.  Subclasses are the games.

    Subclass contract: NAME, VERSION, SEATS; `set_up()` pushes the first requests; `next_request()` is asked whenever the
    agenda is empty; `printed()` gives (back, face) of the first handles; `show_move`/`parse_move` are the text notation.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[int]  # raised with every change that makes two programs disagree
    SEATS: ClassVar[range]
    STATIC: ClassVar[tuple[str, ...]] = ("data", "options")  # covered by the roster's hashes, never changed

    def __init__(self, seats: int, data: Any, options: Options = USUAL) -> None:
        if seats not in self.SEATS:
            raise IllegalMove("seats")
        if not self.plays(options.variant):
            raise IllegalMove("variant")
        self.data, self.options, self.seats = data, options, seats
        self.handles = 0
        self.first = 0
        self.gone: tuple[int, ...] = ()
        self.agenda: list[Request] = []
        self.shown: dict[tuple[int, str], Any] = {}  # (handle, part) -> what is printed, open to everybody
        self.peeked: dict[tuple[int, str], Any] = {}  # the same, known to this seat
        self.public: dict[str, int] = {}  # hidden values that everybody knows
        self.mine: dict[str, int] = {}  # hidden values that this seat knows
        self._events: list[Event] = []
        self._asked: tuple[int, ...] = ()  # whose decision was applied last
        self.dealt = self.fresh(len(self.printed()))  # the handles of the list of cards, in its order
        if options.first is None:
            self.agenda.append(Roll(1, seats, then="start"))
        else:
            self.start(None, (options.first + 1,))
            self._settle()

    # -- what a game fills in -------------------------------------------------------------------------------------

    @classmethod
    def plays(cls, variant: str) -> bool:
        """Is this one of the game's variants?  Empty always is; a roster may name anything."""
        return variant == ""

    def printed(self) -> tuple[tuple[Any, Any], ...]:
        """(back, face) of the first handles, as printed; a back of None: the card has no public back."""
        return ()

    def set_up(self) -> None:
        """Push the first requests; `self.first` is known."""
        raise AssertionError("a game sets itself up")

    def next_request(self) -> Request:
        """What is due when nothing is on the agenda."""
        raise AssertionError("a game never runs dry")

    def leave(self, seat: int) -> None:
        """The game's own rule for a seat that has left (RULES.md LR11, PR11, PR20, SR9, CR15)."""

    def relay(self) -> None:
        """After a seat was lost: push what makes the game's hidden cards playable again, before whatever is on the agenda.

        Where the game still deals from a deck everybody opens what he holds, and all cards that are not publicly known are shuffled
        together; elsewhere nothing is opened.
        """

    def absent(self, request: Choose | ChooseAll, seat: int) -> Move:
        """The move of a seat that has left: one that is always legal."""
        return next(iter(self.moves_of(request, seat)))

    def own_moves(self, request: Choose | ChooseAll, seat: int) -> Moves:
        """What the chooser himself knows to be legal (a subset of the public moves); may read `peeked` and `mine`."""
        return self.moves_of(request, seat)

    def own_values(self, request: "Hide", seat: int) -> Moves:
        """The hidden values that the seat itself knows to be legal answers to a Hide; reads `mine`."""
        return ()

    def disguise(self, move: Move, rng: Callable[[int], bytes]) -> Move:
        """A move that does the same, picked at random where only its owner could tell which is which; the client sends this one."""
        return move

    def scores(self) -> tuple[int, ...]:
        """Points by seat, as everybody knows them now."""
        return (0,) * self.seats

    def turn_of(self) -> int | None:
        """The seat whose turn it is, in the rulebook's sense."""
        return None

    def unknown(self) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        """(handles whose face this seat has not seen, the multiset of faces they may have): for bots."""
        return (), ()

    def show_move(self, move: Move) -> str:
        """The move in the game's text notation, which `parse_move` reads back."""
        raise AssertionError("a game has a notation")

    def parse_move(self, text: str) -> Move:
        """The move that `text` denotes; raises ValueError if it denotes none.  Legality is `apply`'s business."""
        raise AssertionError("a game has a notation")

    # -- the engine -----------------------------------------------------------------------------------------------

    def start(self, request: Request | None, value: tuple[int, ...]) -> None:
        """The starting coin has fallen (or the table option named the seat)."""
        self.first = value[0] - 1
        self.emit("first", self.first)
        self.set_up()

    def fresh(self, n: int) -> tuple[int, ...]:
        """n handles that were never used before."""
        self.handles += n
        return tuple(range(self.handles - n, self.handles))

    @property
    def pending(self) -> Request:
        """What the game waits for; never a Do."""
        return self.agenda[-1]

    @property
    def over(self) -> bool:
        return isinstance(self.pending, Over)

    def push(self, *steps: Request) -> None:
        """Do these in order, before whatever else is on the agenda."""
        self.agenda += reversed(steps)

    def emit(self, id: str, seat: int | None = None, *args: Any) -> None:
        """Report something public; `args` are plain data (handles, not faces, where faces may be hidden)."""
        self._events.append(Event(id, seat, args))

    def moves_of(self, request: Choose | ChooseAll, seat: int) -> Moves:
        """The legal moves of `seat` under `request`, from public state."""
        method = getattr(self, request.moves)
        moves: Moves = method(request) if isinstance(request, Choose) else method(request, seat)
        return moves

    def legal(self, request: Choose | ChooseAll, seat: int, move: Move) -> None:
        """Raise IllegalMove(reason id) if `seat` may not answer `request` with `move`; a move is any plain data a peer may send."""
        if move not in self.moves_of(request, seat):
            raise IllegalMove(self.why_not(request, move))

    def check(self, answer: Answer) -> None:
        """Raise IllegalMove if the answer is not legal for what is pending; changes nothing."""
        request = self.pending
        if isinstance(request, Choose):
            self.legal(request, request.seat, answer.value)
        if isinstance(request, ChooseAll):
            if set(answer.value) != set(request.seats):
                raise IllegalMove("seats")
            for seat, move in answer.value.items():
                self.legal(request, seat, move)
        if isinstance(request, Roll) and request.to == ALL:
            dice = answer.value
            if not isinstance(dice, tuple) or len(dice) != request.n or not all(d in range(1, request.sides + 1) for d in dice):
                raise IllegalMove("dice")
        if isinstance(request, Ask) and request.by is not None and not all(answer.value.values()):
            raise IllegalMove("not-there")
        if isinstance(request, Over):
            raise IllegalMove("over")

    def why_not(self, request: Request, move: Move) -> str:
        """A reason id for an illegal move."""
        return "illegal"

    def apply(self, answer: Answer) -> tuple[Event, ...]:
        """Take the answer to `pending` and return what has happened; raises IllegalMove and changes nothing if it is illegal."""
        self.check(answer)
        request = self.agenda.pop()
        self._asked = request.seats if isinstance(request, ChooseAll) else (request.seat,) if isinstance(request, (Choose, Hide)) else ()
        value = self._learn(request, answer)
        if request.then:  # type: ignore[union-attr]  # check() refuses Over
            getattr(self, request.then)(request, value)  # type: ignore[union-attr]
        self._settle()
        return self._take_events()

    def left(self, seat: int) -> tuple[Event, ...]:
        """The seat has said good-bye; the game's own rule says what that means.  A result that stands is not touched.

        If its decision was applied last, that was the absent move: the event says so.
        """
        return self._without((seat,), "left", *([True] if seat in self._asked else []))

    def lost(self, *seats: int) -> tuple[Event, ...]:
        """The others go on without seats that are silent: their keys are gone, and what only they could open is gone with them."""
        return self._without(seats, "lost")

    def _without(self, seats: tuple[int, ...], how: str, *args: Any) -> tuple[Event, ...]:
        ended = self.over
        for seat in seats:
            self.gone = tuple(sorted({*self.gone, seat}))
            self.emit(how, seat, *args)
            self.leave(seat)
        here = [s for s in range(self.seats) if s not in self.gone]
        if how == "lost" and not ended:
            self.relay()
        if len(here) <= 1 and not ended and not (self.agenda and self.over):  # unless the game's own rule has ended it
            self.agenda = [Over(self.scores(), tuple(here), "left")]
        self._settle()
        return self._take_events()

    def _learn(self, request: Request, answer: Answer) -> Any:
        """Book what the answer tells this seat; return what `then` is given."""
        if isinstance(request, Shuffle):
            retired = set(request.cards)
            for book in (self.shown, self.peeked):
                for key in [k for k in book if k[0] in retired]:
                    del book[key]
            return self.fresh(len(request.cards))
        if isinstance(request, Reveal):
            book = self.shown if request.to == ALL else self.peeked
            book.update({(card, request.part): face for card, face in answer.faces.items()})
            return None
        if isinstance(request, Roll) and request.to != ALL:
            dice = self.fresh(request.n)
            self.peeked.update({(dice[i], "face"): face for i, face in answer.faces.items()})
            self.shown.update({(dice[i], "face"): face for i, face in (answer.value or {}).items()})
            return dice
        if isinstance(request, Hide):
            self.public.pop(request.name, None)
            self.mine.pop(request.name, None)
            if answer.value is not None:
                self.mine[request.name] = answer.value
            return None
        if isinstance(request, Ask) and len(request.inside) == 1:
            self.public.update({name: request.inside[0] for name, yes in answer.value.items() if yes})
        return answer.value

    def _settle(self) -> None:
        while not self.agenda or isinstance(self.pending, Do):
            if self.agenda:
                step = self.agenda.pop()
                getattr(self, step.then)(step, None)  # type: ignore[union-attr]
            else:
                self.agenda.append(self.next_request())

    def _take_events(self) -> tuple[Event, ...]:
        events, self._events = tuple(self._events), []
        return events

    # -- copies, digests, notation --------------------------------------------------------------------------------

    def copy(self) -> Self:
        """An equal state that shares nothing mutable; data and options are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update({k: v if k in self.STATIC else _thaw(v) for k, v in self.__dict__.items()})
        return twin

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # a state changes

    def public_state(self) -> tuple[Any, ...]:
        """What all peers must agree on, as plain data: every attribute but this seat's knowledge and the static tables."""
        state = {k: v for k, v in self.__dict__.items() if k not in PRIVATE and k not in self.STATIC and k not in ("_events", "_asked")}
        state["agenda"] = tuple(plain_request(r) for r in self.agenda)
        frozen: tuple[Any, ...] = freeze(state)
        return frozen

    def digest(self) -> bytes:
        """32 bytes that name the public state."""
        return digest(b"mastaba state 1", self.NAME.encode(), encode(self.VERSION), encode(self.public_state()))

    def seen(self, card: int, part: str = "face") -> Any:
        """What this seat knows of a card's part: shown to all, or peeked at; None if it does not know."""
        return self.shown.get((card, part), self.peeked.get((card, part)))


def _thaw(value: Any) -> Any:
    """A structural copy of lists, dicts and sets; everything else in a state is immutable."""
    if type(value) is list:
        return [_thaw(x) for x in value]
    if type(value) is dict:
        return {k: _thaw(x) for k, x in value.items()}
    return set(value) if type(value) is set else value


def best(scores: Iterable[int]) -> tuple[int, ...]:
    """The seats that share the highest score."""
    scores = tuple(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == max(scores))
