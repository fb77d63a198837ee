"""What lies on the table of The Crypt and what may be asked of it; `crypt.py` says what happens.

It branches only on what everybody has seen.  Rows of the rules' checklist are cited as C26, rulings as CR8.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations
from typing import Any

from ..rules import Choose, Move, Options, Request, Rules
from .crypt_claims import Claims
from .crypt_data import SIDES, TYPES, CryptData
from .crypt_notation import MOVES, parse, shaped, show
from .crypt_score import Known, bounds, unseen
from .moves import Listed

USUAL = Options()
Held = tuple[int, int, int]  # (seat, effort, dice) on a treasure


class Position(Rules):
    """The Crypt's table: treasures, dice, torches, collectors."""

    data: CryptData

    def __init__(self, seats: int, data: CryptData, options: Options = USUAL) -> None:
        self.pile: list[int] = []  # its top last
        self.row: list[int | None] = []  # this round's treasures by place; None: taken, collected or discarded
        self.held: dict[int, Held] = {}  # by place
        self.kept: list[list[int]] = [[] for _ in range(seats)]  # in order of arrival
        self.flipped: set[int] = set()
        self.discards: list[int] = []
        self.spent = [0] * seats  # exhausted dice
        self.tired: list[list[int]] = [[] for _ in range(seats)]  # efforts of the dice exhausted in this Collect
        self.round = 0
        self.leader: int | None = None
        self.turn: int | None = None
        self.looked: set[int] = set()  # who has used a Manuscript in this round
        self.idol_first: list[int] = []  # who has the first reward for Idols
        self.totals: list[int] = []  # the final scores
        super().__init__(seats, data, options)

    @classmethod
    def plays(cls, variant: str) -> bool:
        return variant == "" or (len(variant) == len(TYPES) and set(variant) <= set(SIDES))

    def side(self, kind: str) -> str:
        """The collector's side in play (C05)."""
        return self.sides[kind]

    @property
    def sides(self) -> dict[str, str]:
        return dict(zip(TYPES, self.options.variant or self.data.default * len(TYPES), strict=True))

    # -- treasures and dice --------------------------------------------------------------------------------------------

    def order(self) -> tuple[int, ...]:
        """The seats that are here, from the leader to the left; the last has Lights Out (C11, C17, C31)."""
        start = self.leader or 0
        seats = ((start + i) % self.seats for i in range(self.seats))
        return tuple(seat for seat in seats if seat not in self.gone)

    def column(self, seat: int, kind: str) -> list[int]:
        """The seat's treasures of a type, in order of arrival (C51); none whose type is not open yet."""
        return [card for card in self.kept[seat] if self.shown.get((card, "back")) == kind]

    def unflipped(self, seat: int, kind: str) -> list[int]:
        """Positions in the column of what lies face down and can be flipped (C60, C61, C64)."""
        return [i for i, card in enumerate(self.column(seat, kind)) if card not in self.flipped]

    def face_down(self) -> list[int]:
        """Places of the row where a treasure lies face down."""
        return [place for place, card in enumerate(self.row) if card is not None and (card, "face") not in self.shown]

    def looks(self, seat: int) -> list[Move]:
        """Manuscript B: once a round, while a face-down treasure lies there (CR8)."""
        if self.side("manuscript") == "a" or seat in self.looked or not self.face_down():
            return []
        return [("look", i) for i in self.unflipped(seat, "manuscript")]

    def heals(self, seat: int) -> list[Move]:
        """Remains A: two for one exhausted die (C84, CR9)."""
        if self.side("remains") == "b" or not self.spent[seat]:
            return []
        return [("heal", *pair) for pair in combinations(self.unflipped(seat, "remains"), 2)]

    def takes(self, seat: int) -> list[Move]:
        """Pottery B: two for a face-down treasure of the crypt (C80, C81)."""
        if self.side("pottery") == "a":
            return []
        return [("take", *pair, place) for pair in combinations(self.unflipped(seat, "pottery"), 2) for place in self.face_down()]

    def free(self, seat: int) -> int:
        """The dice on the seat's own card, not exhausted."""
        return self.data.dice - self.spent[seat] - sum(dice for owner, _, dice in self.held.values() if owner == seat)

    def claims(self, seat: int, last: bool) -> Claims:
        """What the free dice can claim: a higher total than lies there, but not where one lies oneself (C26, C30, CR2)."""
        beat: dict[int, int] = {}
        refused: dict[int, str] = {}
        for place, card in enumerate(self.row):
            owner, effort, dice = self.held.get(place, (None, 0, 0))
            if card is None:
                refused[place] = "empty-place"
            elif owner == seat:
                refused[place] = "already-yours"
            else:
                beat[place] = effort * dice
        return Claims(beat, refused, self.free(seat), last)

    # -- what may be asked of the state ---------------------------------------------------------------------------

    def known(self, look: Callable[[tuple[int, str]], Any]) -> list[Known]:
        """What everybody has, with the values that `look` gives for (card, "face"), or None; nothing for who has left."""
        holdings = []
        for seat in range(self.seats):
            values = {kind: [look((card, "face")) for card in self.column(seat, kind)] for kind in TYPES}
            dice = 0 if seat in self.gone else self.data.dice - self.spent[seat]
            holdings.append(Known(values, dice, seat in self.idol_first and seat not in self.gone))
        return holdings

    def bounds(self, look: Callable[[tuple[int, str]], Any]) -> tuple[tuple[int, int], ...]:
        """(least, most) points of each seat if the game ended now, by what `look` knows (CR11)."""
        seen = ((back, face) for (card, part), back in self.shown.items() if part == "back" and (face := look((card, "face"))) is not None)
        return bounds(self.sides, self.known(look), unseen(self.data.cards(self.seats), seen))

    def scores(self) -> tuple[int, ...]:
        """The final scores; before the end, the points that everybody can be sure of."""
        return tuple(self.totals) or tuple(least for least, _ in self.bounds(self.shown.get))

    def turn_of(self) -> int | None:
        return self.turn

    def cards_in_play(self) -> tuple[int, ...]:
        """Every handle that is a card now: deck, row, collections, discards."""
        row = (card for card in self.row if card is not None)
        return (*self.pile, *row, *chain.from_iterable(self.kept), *self.discards)

    def unknown(self) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        """Hidden handles, and the (type, value) of every card that this seat has not seen."""
        cards = self.cards_in_play()
        seen = [(self.seen(card, "back"), self.seen(card)) for card in cards if self.seen(card) is not None]
        left = unseen(self.data.cards(self.seats), seen)
        return tuple(card for card in cards if self.seen(card) is None), tuple((kind, v) for kind, vs in left.items() for v in vs)

    # -- notation -------------------------------------------------------------------------------------------------

    def show_move(self, move: Move) -> str:
        return show(move)

    def parse_move(self, text: str) -> Move:
        """recover, done, claim PLACE:EFFORT[xDICE] ..., look N, heal N N, take N N PLACE, reroll N EFFORT; all numbers from 1."""
        return parse(text)

    def why_not(self, request: Request, move: Move) -> str:
        if not isinstance(request, Choose) or not shaped(move):
            return "no-such-move"
        seat, verb = request.seat, move[0]
        if verb not in MOVES[request.moves]:
            return "not-now"
        if verb == "claim":
            return self.claims(seat, request.about).fault(move) or "not-now"
        kind = {"look": "manuscript", "heal": "remains", "take": "pottery", "reroll": "idol"}[verb]
        if self.side(kind) != {"look": "b", "heal": "a", "take": "b", "reroll": "a"}[verb]:
            return "not-in-play"
        if verb == "look" and seat in self.looked:
            return "already-looked"
        if verb == "look" and not self.face_down():
            return "nothing-face-down"
        if verb == "heal" and not self.spent[seat]:
            return "nothing-exhausted"
        positions = move[1:3] if verb in ("heal", "take") else move[1:2]
        if len(positions) == 2 and positions[0] >= positions[1]:
            return "not-in-order"
        if not all(i in range(len(self.column(seat, kind))) for i in positions):
            return "no-such-treasure"
        if not set(positions) <= set(self.unflipped(seat, kind)):
            return "already-flipped"
        return {"take": "not-face-down", "reroll": "no-such-die"}.get(verb, "no-such-move")

    def _types_and_values(self, cards: Iterable[int]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
        cards = tuple(cards)
        return tuple(self.shown[card, "back"] for card in cards), tuple(self.shown.get((card, "face")) for card in cards)


class Turn:
    """A few moves, then the claims, of which there may be thousands."""

    def __init__(self, few: Iterable[Move], claims: Claims) -> None:
        self.few, self.claims = Listed(few), claims

    def __iter__(self) -> Iterator[Move]:
        return chain(self.few, self.claims)

    def __contains__(self, move: object, /) -> bool:
        return move in self.few or move in self.claims
