"""Loot N Run: one class that reads like the rulebook.  It branches only on what everybody has seen.

Moves: ("loot", deck), ("run",), ("wake", seat), and ("keep", position, ...) among the Werewolf's cards.
A deck is a list of handles, its top last.  Rows of the rules' checklist are cited as L28, rulings as LR4.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, ClassVar, TypeGuard

from ..rules import ALL, Choose, Do, Move, Options, Over, Request, Reveal, Rules, Shuffle
from .loot_data import AMULET, GUARDIANS, PLAYERS, Face, LootData, load
from .moves import Listed

__all__ = ["Loot", "load", "tally", "worth"]

USUAL = Options()
KEEPS: dict[str, Move] = {"none": ("keep",), "first": ("keep", 0), "second": ("keep", 1), "both": ("keep", 0, 1)}


class Loot(Rules):
    """Two to six looters of a pyramid: take chamber cards, run with their treasures, or wake another's guardians.

    Events (seat, then arguments): first; shuffled, rebuilt (-, sizes of both decks); turn; loot (deck, card, back); run (cards);
    wake (target, cards); revealed (cards, faces); escaped, caught (awakener); mummy (target); werewolf (cards, backs); no-draw;
    frank; kept (cards, backs, rejected cards, their backs); scored (points, ((kind, symbols, points), ...)); passed;
    goal (points); over (-, scores, winners); left.
    """

    NAME: ClassVar[str] = "loot"
    VERSION: ClassVar[int] = 1
    SEATS: ClassVar[range] = PLAYERS
    data: LootData

    def __init__(self, seats: int, data: LootData, options: Options = USUAL) -> None:
        self.decks: list[list[int]] = [[], []]
        self.discards: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(seats)]  # in order of arrival
        self.lifted: list[int] = []  # drawn for the Werewolf, not yet kept or rejected
        self.points = [0] * seats
        self.turn: int | None = None
        self.again = False  # Frank: the same player has the next turn too
        self.ending = False  # the goal is reached: the last reveal is under way
        super().__init__(seats, data, options)

    # -- set-up ---------------------------------------------------------------------------------------------------

    def printed(self) -> tuple[tuple[str, Face], ...]:
        return self.data.cards

    def set_up(self) -> None:
        self.push(Shuffle(self.dealt, then="cut", about="shuffled"))

    def cut(self, request: Shuffle, cards: tuple[int, ...]) -> None:
        """Two equal decks, the backs of their tops open; an odd card goes to the first (L09, L17, L63)."""
        half = (len(cards) + 1) // 2
        self.decks = [list(cards[:half]), list(cards[half:])]
        self.discards = [card for card in self.discards if card not in request.cards]  # some may have come from a leaver meanwhile
        self.emit(request.about, None, *map(len, self.decks))
        self.push(*self.unseen_tops())

    def prepare_decks(self) -> tuple[Request, ...]:
        """What must happen before anybody draws: the decks rebuilt if that is due (L62, LR4), or the backs of new tops opened."""
        loose = (*self.decks[0], *self.decks[1], *self.discards)
        if not all(self.decks) and (len(loose) > 1 or (loose and not any(self.decks))):
            return (Shuffle(loose, then="cut", about="rebuilt"),)
        return self.unseen_tops()

    def unseen_tops(self) -> tuple[Request, ...]:
        tops = tuple(deck[-1] for deck in self.decks if deck and (deck[-1], "back") not in self.shown)
        return (Reveal(tops, "back", ALL),) if tops else ()

    # -- a turn ---------------------------------------------------------------------------------------------------

    def next_request(self) -> Request:
        """An action is complete: prepare the decks, then the next turn.  Who can do nothing at all passes unasked (L75, LR5)."""
        preparation = self.prepare_decks()
        if preparation:
            return preparation[0]
        while True:
            self.turn = self._on_turn() if self.again else self.seat_after(self.turn)
            self.again = False
            turn = Choose(self.turn, "actions", then="act")
            if len(self.actions(turn)):
                self.emit("turn", self.turn)
                return turn
            self.emit("passed", self.turn)

    def seat_after(self, seat: int | None) -> int:
        """The next seat clockwise that is still here; before the first turn, the first player."""
        seat = self.first if seat is None else (seat + 1) % self.seats
        while seat in self.gone:
            seat = (seat + 1) % self.seats
        return seat

    def may_wake_empty_handed(self) -> bool:
        """Two players need no card of their own to awaken (L34)."""
        return self.seats - len(self.gone) == 2

    def actions(self, request: Choose) -> Listed:
        """Loot from a deck that has cards; Run with cards; Awaken another who has cards, with cards of one's own (L18-L37)."""
        moves: list[Move] = [("loot", deck) for deck in (0, 1) if self.decks[deck]]
        if self.hands[request.seat]:
            moves.append(("run",))
        if self.hands[request.seat] or self.may_wake_empty_handed():
            moves += [("wake", seat) for seat in range(self.seats) if seat != request.seat and self.hands[seat]]
        return Listed(moves)

    def act(self, request: Choose, move: Move) -> None:
        if move[0] == "loot":
            self.loot(request.seat, move[1])
        elif move[0] == "run":
            self.emit("run", request.seat, tuple(self.hands[request.seat]))
            self.reveal(request.seat, then="run")
        else:
            self.emit("wake", request.seat, move[1], tuple(self.hands[move[1]]))
            self.reveal(move[1], then="wake")

    def loot(self, seat: int, deck: int) -> None:
        """Take the top card; only the taker sees its face (L20-L22)."""
        card = self.decks[deck].pop()
        self.hands[seat].append(card)
        self.emit("loot", seat, deck, card, self.shown[card, "back"])
        self.push(Reveal((card,), "face", to=(seat,)))

    def reveal(self, seat: int, then: str) -> None:
        """All the seat's cards are opened to everybody; whatever follows, they are discards (L24, L32, L38, L42, L44)."""
        cards, self.hands[seat] = tuple(self.hands[seat]), []
        self.discards += cards
        self.push(Reveal(cards, "face", ALL, by=seat, then=then, about=seat))

    # -- Run ------------------------------------------------------------------------------------------------------

    def run(self, request: Reveal, _: None) -> None:
        self.show_faces(request)
        self.score(request.about, request.cards)

    def score(self, seat: int, cards: Iterable[int]) -> None:
        """Points as in a Run (L26-L31); the game ends as soon as somebody has the goal (L66-L69)."""
        parts = tally(self.shown[card, "face"] for card in cards)
        points = sum(part[2] for part in parts)
        self.points[seat] += points
        self.emit("scored", seat, points, parts)
        if self.points[seat] >= self.data.goal(self.seats) and not self.ending:
            self.finish(seat)

    def show_faces(self, request: Reveal) -> None:
        self.emit("revealed", request.about, request.cards, tuple(self.shown[card, "face"] for card in request.cards))

    # -- Awaken ---------------------------------------------------------------------------------------------------

    def wake(self, request: Reveal, _: None) -> None:
        """As many amulets as guardians: the target escapes.  Else one benefit for each kind of guardian, in order (L39-L49)."""
        self.show_faces(request)
        tops = Counter(self.shown[card, "face"][0] for card in request.cards)
        guardians = [kind for kind in GUARDIANS if tops[kind]]
        if tops[AMULET] >= sum(tops[kind] for kind in guardians):
            self.emit("escaped", request.about, self.turn)
            self.score(request.about, request.cards)
            return
        self.emit("caught", request.about, self.turn)
        if self.turn not in self.gone:
            self.push(*(Do(kind, (request.about, request.cards)) for kind in guardians))

    def mummy(self, step: Do, _: None) -> None:
        """The awakener scores the target's cards as if he had run with them (L50, L51)."""
        target, cards = step.about
        self.emit("mummy", self.turn, target)
        self.score(self._on_turn(), cards)

    def werewolf(self, step: Do, _: None) -> None:
        """A card from each deck, looked at before deciding; the decks are rebuilt first if that is due (L52, L56)."""
        self.push(*self.prepare_decks(), Do("draw"))

    def draw(self, step: Do, _: None) -> None:
        """The next backs are open before the decision, and a rebuild waits for it (LR4, LR8)."""
        seat = self._on_turn()
        self.lifted = [deck.pop() for deck in self.decks if deck]
        if not self.lifted:
            self.emit("no-draw", seat)
            return
        self.emit("werewolf", seat, *self._with_backs(self.lifted))
        self.push(
            *self.unseen_tops(),
            Reveal(tuple(self.lifted), "face", to=(seat,)),
            Choose(seat, "keeps", then="keep"),
        )

    def keeps(self, request: Choose) -> Listed:
        """None, either, or both (L53), by position among the drawn cards."""
        return Listed(move for move in KEEPS.values() if all(position < len(self.lifted) for position in move[1:]))

    def keep(self, request: Choose, move: Move) -> None:
        """Kept cards join one's own; the others are discarded face down (L54, L55)."""
        kept = [self.lifted[position] for position in move[1:]]
        rejected = [card for card in self.lifted if card not in kept]
        self.lifted = []
        self.hands[request.seat] += kept
        self.discards += rejected
        self.emit("kept", request.seat, *self._with_backs(kept), *self._with_backs(rejected))

    def frank(self, step: Do, _: None) -> None:
        """One more turn, once this one is over (L57-L60)."""
        self.again = True
        self.emit("frank", self.turn)

    # -- the end --------------------------------------------------------------------------------------------------

    def finish(self, seat: int) -> None:
        """Pending benefits and turns are lost; everybody reveals what he still has (L68, L70)."""
        self.ending = True
        self.emit("goal", seat, self.points[seat])
        self.agenda = [Do("last_scores")]
        self.push(*(Reveal(tuple(hand), "face", ALL, by=s, then="last_reveal", about=s) for s, hand in enumerate(self.hands) if hand))

    def last_reveal(self, request: Reveal, _: None) -> None:
        self.show_faces(request)

    def last_scores(self, step: Do, _: None) -> None:
        """Player by player, each as a Run; all who tie for most win, but nobody who has left (L71-L74, LR11)."""
        for seat, hand in enumerate(self.hands):
            if hand:
                self.score(seat, hand)
        here = [seat for seat in range(self.seats) if seat not in self.gone]
        most = max(self.points[seat] for seat in here)
        winners = tuple(seat for seat in here if self.points[seat] == most)
        self.emit("over", None, self.scores(), winners)
        self.push(Over(self.scores(), winners, "goal"))

    def leave(self, seat: int) -> None:
        """His cards are discards, unseen; his turn is over (LR11).  Once the goal is reached nothing changes."""
        if self.ending:
            return
        self.discards += self.hands[seat]
        self.hands[seat] = []
        if seat == self.turn:
            self.discards += self.lifted
            self.lifted, self.again = [], False
            self.agenda = [request for request in self.agenda if not _only_for(seat, request)]

    def relay(self) -> None:
        """A seat is lost: all open what they hold, then the cards that nobody has seen are two new decks (LR11).

        A card that was just being shown to its drawer, or by the lost seat to all, is among them; whoever's turn it was has it again.
        """
        unread = {card for r in self.agenda if isinstance(r, Reveal) and r.by is None and r.part == "face" for card in r.cards}
        unshown = any(isinstance(r, Reveal) and r.by in self.gone for r in self.agenda)
        self.agenda = [r for r in self.agenda if not isinstance(r, Reveal) or (r.by is not None and r.by not in self.gone)]
        if self.ending:
            self.hands = [[] if seat in self.gone else hand for seat, hand in enumerate(self.hands)]
            return
        if not self.cards_in_play():
            return  # the first shuffle has not been made
        if unread & set(self.lifted):
            self.agenda = [Do("draw") if isinstance(r, Choose) else r for r in self.agenda]
            self.discards += self.lifted
            self.lifted = []
        elif (unread or unshown) and self.turn not in self.gone:
            self.again = True
        for hand in self.hands:
            self.discards += [card for card in hand if card in unread]
            hand[:] = [card for card in hand if card not in unread]
        held = [*enumerate(self.hands), (self.turn, self.lifted), *((r.by, r.cards) for r in self.agenda if isinstance(r, Reveal))]
        self.agenda = [r for r in self.agenda if not isinstance(r, Shuffle)]
        self.push(*(Reveal(tuple(cards), "face", ALL, by=seat) for seat, cards in held if cards), Do("lay_afresh"))

    def lay_afresh(self, step: Do, _: None) -> None:
        """The cards that nobody has seen, wherever they were."""
        hidden = tuple(card for card in self.cards_in_play() if (card, "face") not in self.shown)
        self.decks = [[], []]
        self.discards = [card for card in self.discards if card not in hidden]
        self.lifted = [card for card in self.lifted if card not in hidden]
        if hidden:
            self.push(Shuffle(hidden, then="cut", about="relaid"))
        elif any(_is_turn(request) and not self.actions(request) for request in self.agenda):
            self.agenda = [request for request in self.agenda if not _is_turn(request)]
            self.again = True  # nothing can be laid afresh: the turn is asked for anew, once the decks are prepared

    # -- what may be asked of the state ---------------------------------------------------------------------------

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def turn_of(self) -> int | None:
        return self.turn

    def cards_in_play(self) -> tuple[int, ...]:
        """Every handle that is a card now: decks, discards, hands, drawn for the Werewolf."""
        return (*self.decks[0], *self.decks[1], *self.discards, *self.lifted, *(card for hand in self.hands for card in hand))

    def unknown(self) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        hidden = tuple(card for card in self.cards_in_play() if self.seen(card) is None)
        return hidden, tuple(face for _, face in self.cards_left())

    def cards_left(self) -> tuple[tuple[str, Face], ...]:
        """(back, face) of every card that this seat has not seen, as a multiset in the order of the list of cards."""
        found = Counter((self.seen(card, "back"), self.seen(card)) for card in self.cards_in_play() if self.seen(card) is not None)
        left = []
        for card in self.data.cards:
            if found[card]:
                found[card] -= 1
            else:
                left.append(card)
        return tuple(left)

    # -- notation -------------------------------------------------------------------------------------------------

    def show_move(self, move: Move) -> str:
        if move[0] == "keep":
            return "keep " + next(word for word, keep in KEEPS.items() if keep == move)
        return " ".join((move[0], *(str(number + 1) for number in move[1:])))

    def parse_move(self, text: str) -> Move:
        """loot 1|2, run, wake SEAT (from 1), keep none|first|second|both; raises ValueError for anything else."""
        match text.lower().split():
            case ["run"]:
                return ("run",)
            case ["loot" | "wake" as verb, number] if number in ("1", "2", "3", "4", "5", "6"):
                return (verb, int(number) - 1)
            case ["keep", word] if word in KEEPS:
                return KEEPS[word]
        raise ValueError("no move of Loot N Run")

    def why_not(self, request: Request, move: Move) -> str:
        if not isinstance(request, Choose) or type(move) is not tuple or not move or type(move[0]) is not str:
            return "no-such-move"
        if (move[0] == "keep") != (request.moves == "keeps") or move[0] not in ("loot", "run", "wake", "keep"):
            return "not-now"
        if move[0] == "keep":
            return "not-drawn"
        if move[0] == "run":
            return "no-cards" if len(move) == 1 else "no-such-move"
        if len(move) != 2 or type(move[1]) is not int:
            return "no-such-move"
        if move[0] == "loot":
            return "empty-deck" if move[1] in (0, 1) else "no-such-deck"
        if not 0 <= move[1] < self.seats:
            return "no-such-seat"
        if move[1] == request.seat:
            return "not-yourself"
        if move[1] in self.gone:
            return "has-left"
        return "target-no-cards" if not self.hands[move[1]] else "no-cards"

    def _on_turn(self) -> int:
        assert self.turn is not None  # there are no guardians before the first turn
        return self.turn

    def _with_backs(self, cards: Iterable[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
        cards = tuple(cards)
        return cards, tuple(self.shown[card, "back"] for card in cards)


def tally(faces: Iterable[Face]) -> tuple[tuple[str, int, int], ...]:
    """(kind, symbols, points) of a Run: a symbol is a point, two where the kind is on two cards or more (L26-L31)."""
    symbols: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    for _, treasures in faces:
        symbols.update(treasures)
        cards.update(set(treasures))
    return tuple((kind, n, n * (2 if cards[kind] > 1 else 1)) for kind, n in sorted(symbols.items()))


def worth(faces: Iterable[Face]) -> int:
    """The points of a Run with these faces."""
    return sum(points for _, _, points in tally(faces))


def _is_turn(request: Request) -> TypeGuard[Choose]:
    """Is it the choice of an action, with which a turn begins?"""
    return isinstance(request, Choose) and request.moves == "actions"


def _only_for(seat: int, request: Request) -> bool:
    """Does the request serve only the turn of this seat?"""
    if isinstance(request, Choose):
        return request.seat == seat
    return isinstance(request, Do) or (isinstance(request, Reveal) and request.to == (seat,))
