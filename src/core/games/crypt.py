"""The Crypt: one class that reads like the rulebook.  It branches only on what everybody has seen.

Moves, with places of the row and positions in one's own column of a type counted from 0: ("claim", (place, effort, dice), ...),
("recover",), ("look", manuscript), ("heal", remains, remains), ("take", pottery, pottery, place), ("reroll", idol, effort), ("done",).
Rows of the rules' checklist are cited as C26, rulings as CR8.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import chain
from typing import ClassVar

from ..rules import ALL, Choose, Do, Move, Over, Request, Reveal, Roll, Shuffle
from .crypt_data import PLAYERS, load
from .crypt_score import tally, total
from .crypt_state import Position, Turn
from .moves import Listed

__all__ = ["Crypt", "load"]


class Crypt(Position):
    """Two to four heirs place servant dice on treasures: high effort pushes others out, and exhausts.

    The table's variant names the collectors' sides, by type in the order of TYPES: "aababb"; empty: the data's default.

    Events (seat, then arguments): first; shuffled (-, cards); round (leader, number, rounds left); crypt (-, cards, types, values or None);
    turn (last?); claim (parts); pushed (by, place, dice); recover (dice); skipped; look (places); heal; take (place, card, type);
    flip (type, cards, values); discarded (-, cards, types, values or None); rested (dice); collected (cards, types);
    rolled (((place, effort, value), ...)); reroll (effort, value); idols (points); final (-); scored (points, ((part, points), ...));
    tie (-, seats); tied (values); over (-, scores, winners); left.
    """

    NAME: ClassVar[str] = "crypt"
    VERSION: ClassVar[int] = 1
    SEATS: ClassVar[range] = PLAYERS
    # -- set-up and torches ---------------------------------------------------------------------------------------

    def printed(self) -> tuple[tuple[str, int], ...]:
        return self.data.cards(self.seats)

    def set_up(self) -> None:
        self.push(Shuffle(self.dealt, then="stack"))

    def stack(self, request: Shuffle, cards: tuple[int, ...]) -> None:
        self.pile = list(cards)
        self.emit("shuffled", None, len(cards))

    def next_request(self) -> Request:
        """A round is complete: the next one, or the end when the deck is empty (C91)."""
        return Do("reveal" if self.pile else "finish")

    def pass_torches(self) -> None:
        """To the left, over seats that have left (C57, CR15)."""
        self.leader = self.first if self.leader is None else (self.leader + 1) % self.seats
        while self.leader in self.gone:
            self.leader = (self.leader + 1) % self.seats

    # -- I Reveal -------------------------------------------------------------------------------------------------

    def reveal(self, step: Do, _: None) -> None:
        """The first treasures lie face up, the last face down; the types of all, and of the next top, are open (C14-C16)."""
        self.pass_torches()
        deck = self.data.deck(self.seats)
        row = [self.pile.pop() for _ in range(deck.row)]
        self.row, self.held, self.turn, self.looked = list(row), {}, None, set()
        self.tired = [[] for _ in range(self.seats)]
        self.round += 1
        self.emit("round", self.leader, self.round, len(self.pile) // deck.row)
        backs = tuple(card for card in (*row, *self.pile[-1:]) if (card, "back") not in self.shown)
        order = self.order()
        turns = [*order, *(order[:1] if self.seats == 2 else ())]  # two players: the leader has both torches (C34)
        self.push(
            *((Reveal(backs, "back", ALL),) if backs else ()),
            Reveal(tuple(row[: deck.up]), "face", ALL, then="laid", about=tuple(row)),
            *(Do("before", (seat,)) for seat in order),
            *(Do("claim_turn", (seat,)) for seat in turns),
            Do("collect"),
        )

    def laid(self, request: Reveal, _: None) -> None:
        self.emit("crypt", None, request.about, *self._types_and_values(request.about))

    # -- the collectors' powers -----------------------------------------------------------------------------------

    def flip(self, seat: int, kind: str, *positions: int) -> Reveal:
        """Turn these face up, whichever the owner chose: everybody sees them (C59, C63)."""
        column = self.column(seat, kind)
        cards = tuple(column[i] for i in positions)
        self.flipped |= set(cards)
        return Reveal(cards, "face", ALL, by=seat, then="flips", about=(seat, kind))

    def flips(self, request: Reveal, _: None) -> None:
        self.emit("flip", *request.about, request.cards, tuple(self.shown[card, "face"] for card in request.cards))

    def use(self, seat: int, move: Move, back: Do) -> None:
        """A power with flips, then `back` to the question."""
        match move:
            case ("look", manuscript):
                places = self.face_down()
                self.looked.add(seat)
                self.emit("look", seat, tuple(places))
                cards = tuple(card for place in places if (card := self.row[place]) is not None)
                self.push(self.flip(seat, "manuscript", manuscript), Reveal(cards, "face", to=(seat,)), back)
            case ("heal", a, b):
                self.spent[seat] -= 1
                self.emit("heal", seat)
                self.push(self.flip(seat, "remains", a, b), back)
            case ("take", a, b, place):
                flip, card = self.flip(seat, "pottery", a, b), self._lift(place)
                self.kept[seat].append(card)
                self.emit("take", seat, place, card, self.shown[card, "back"])
                self.push(flip, Reveal((card,), "face", to=(seat,)), Do("idols"), back)

    def before(self, step: Do, _: None) -> None:
        """Before Claim, once round from the leader: who can take by Pottery B is asked, until he stops (CR8)."""
        (seat,) = step.about
        if self.takes(seat):
            self.push(Choose(seat, "befores", then="act_before"))

    def befores(self, request: Choose) -> Listed:
        seat = request.seat
        return Listed([("done",), *self.takes(seat), *self.looks(seat), *self.heals(seat)])

    def act_before(self, request: Choose, move: Move) -> None:
        if move != ("done",):
            self.use(request.seat, move, Do("before", (request.seat,)))

    # -- II Claim -------------------------------------------------------------------------------------------------

    def claim_turn(self, step: Do, _: None) -> None:
        """One seat's turn; the last one of the round has Lights Out (C31, C32)."""
        (self.turn,) = step.about
        last = not any(isinstance(other, Do) and other.then == "claim_turn" for other in self.agenda)
        self.emit("turn", self.turn, last)
        self.push(Do("ask_claim", (self.turn, last)))

    def ask_claim(self, step: Do, _: None) -> None:
        """A question whose answer is public and unique is not asked: the recovery, or skipping the turn (C40, C41, CR4)."""
        seat, last = step.about
        request = Choose(seat, "turns", then="act", about=last)
        choices = iter(self.turns(request))
        next(choices)  # recover is always there
        if (self.free(seat) or self.heals(seat)) and next(choices, None) is not None:
            self.push(request)
        elif self.spent[seat]:
            self.recover(seat)
        else:
            self.emit("skipped", seat)

    def turns(self, request: Choose) -> Turn:
        """Recover, use a power first, or claim (C18, C33, CR9)."""
        seat = request.seat
        return Turn([("recover",), *self.looks(seat), *self.heals(seat)], self.claims(seat, request.about))

    def act(self, request: Choose, move: Move) -> None:
        seat = request.seat
        if move[0] == "claim":
            self.claim(seat, move[1:])
        elif move[0] == "recover":
            self.recover(seat)
        else:
            self.use(seat, move, Do("ask_claim", (seat, request.about)))

    def claim(self, seat: int, parts: Iterable[tuple[int, int, int]]) -> None:
        """Dice are placed; the ones that were there go back to their owner (C28)."""
        parts = tuple(parts)
        self.emit("claim", seat, parts)
        for place, effort, dice in parts:
            if place in self.held:
                owner, _, returned = self.held[place]
                self.emit("pushed", owner, seat, place, returned)
            self.held[place] = (seat, effort, dice)

    def recover(self, seat: int) -> None:
        """All exhausted dice are free again; dice on treasures stay (C37-C39)."""
        self.emit("recover", seat, self.spent[seat])
        self.spent[seat] = 0

    # -- III Collect ----------------------------------------------------------------------------------------------

    def collect(self, step: Do, _: None) -> None:
        """What nobody claimed is discarded unseen; who was pushed out everywhere rests; the others collect, then roll (C42-C55)."""
        self.turn = None
        unclaimed = tuple(self._lift(place) for place, card in enumerate(self.row) if card is not None and place not in self.held)
        self.discards += unclaimed
        if unclaimed:
            self.emit("discarded", None, unclaimed, *self._types_and_values(unclaimed))
        closed, dice = [], []
        for seat in self.order():
            places = sorted(place for place, held in self.held.items() if held[0] == seat)
            if not places and self.spent[seat]:
                self.emit("rested", seat, self.spent[seat])
                self.spent[seat] = 0
            hidden = tuple(card for place in self.face_down() if place in places and (card := self.row[place]) is not None)
            won = tuple(self._lift(place) for place in places)
            if won:
                self.kept[seat] += won
                self.emit("collected", seat, won, tuple(self.shown[card, "back"] for card in won))
            if hidden:
                closed.append(Reveal(hidden, "face", to=(seat,)))
            dice += [(seat, place, self.held[place][1]) for place in places for _ in range(self.held[place][2])]
        rolled = tuple(die for die in dice if die[2] > 1)  # effort 1 is not rolled (C48)
        self.push(
            *closed,
            Roll(len(rolled), 6, then="roll", about=rolled) if rolled else Do("roll", ()),
            *(Do("idol_turn", (seat,)) for seat in self.order()),
            Do("idols"),
        )

    def roll(self, request: Roll | Do, values: tuple[int, ...] | None) -> None:
        """A roll below its effort exhausts the die; all others are free (C46, C47)."""
        thrown = list(zip(request.about, values or (), strict=True))
        for seat in self.order():
            mine = tuple((place, effort, value) for (owner, place, effort), value in thrown if owner == seat)
            self.tired[seat] = [effort for _, effort, value in mine if value < effort]
            self.spent[seat] += len(self.tired[seat])
            if mine:
                self.emit("rolled", seat, mine)
        self.held = {}

    def idol_turn(self, step: Do, _: None) -> None:
        """Idol A, once round from the leader: with a die exhausted in this Collect, until the seat stops (C65-C69, CR6)."""
        (seat,) = step.about
        if len(self.rerolls(Choose(seat, "rerolls", then="reroll"))) > 1:
            self.push(Choose(seat, "rerolls", then="reroll"))

    def rerolls(self, request: Choose) -> Listed:
        """Stop, or an Idol for a die, named by its effort."""
        idols = self.unflipped(request.seat, "idol") if self.side("idol") == "a" else []
        return Listed([("done",), *(("reroll", idol, effort) for idol in idols for effort in sorted(set(self.tired[request.seat])))])

    def reroll(self, request: Choose, move: Move) -> None:
        if move != ("done",):
            seat, (_, idol, effort) = request.seat, move
            again = Roll(1, 6, then="rerolled", about=(seat, effort))
            self.push(self.flip(seat, "idol", idol), again, Do("idol_turn", (seat,)))

    def rerolled(self, request: Roll, values: tuple[int, ...]) -> None:
        """The new roll decides by the same effort (C67)."""
        seat, effort = request.about
        self.emit("reroll", seat, effort, values[0])
        if values[0] >= effort:
            self.tired[seat].remove(effort)
            self.spent[seat] -= 1

    def idols(self, step: Do, _: None) -> None:
        """Idol B: all who have two when that happens first flip them; open values first, then the earliest (C70-C74, CR7)."""
        if self.side("idol") == "a" or self.idol_first:
            return
        self.idol_first = [seat for seat in self.order() if len(self.column(seat, "idol")) >= 2]
        for seat in self.idol_first:
            column = self.column(seat, "idol")
            two = sorted(range(len(column)), key=lambda i: ((column[i], "face") not in self.shown, i))[:2]
            self.emit("idols", seat)
            self.push(self.flip(seat, "idol", *sorted(two)))

    # -- the end --------------------------------------------------------------------------------------------------

    def finish(self, step: Do, _: None) -> None:
        """Remains A may be used once more before anything is opened (CR9)."""
        self.emit("final")
        self.push(*(Do("after", (seat,)) for seat in self.order()), Do("open"))

    def after(self, step: Do, _: None) -> None:
        (seat,) = step.about
        if self.heals(seat):
            self.push(Choose(seat, "afters", then="act_after"))

    def afters(self, request: Choose) -> Listed:
        return Listed([("done",), *self.heals(request.seat)])

    def act_after(self, request: Choose, move: Move) -> None:
        if move != ("done",):
            self.use(request.seat, move, Do("after", (request.seat,)))

    def open(self, step: Do, _: None) -> None:
        """All collections are opened to everybody (CR14)."""
        closed = {seat: tuple(card for card in self.kept[seat] if (card, "face") not in self.shown) for seat in self.order()}
        self.push(*(Reveal(cards, "face", ALL, by=seat) for seat, cards in closed.items() if cards), Do("score"))

    def score(self, step: Do, _: None) -> None:
        """Coins, the collectors' bonuses, a point for each free die (C92-C94); then ties for the first place are rolled."""
        parts = tally(self.sides, [holding.guess({}, dear=False) for holding in self.known(self.shown.get)])
        self.totals = [total(p) for p in parts]
        for seat in self.order():
            self.emit("scored", seat, self.totals[seat], parts[seat])
        self.tie(self._first(self.order(), self.totals.__getitem__))

    def tie(self, seats: tuple[int, ...], attempt: int = 1) -> None:
        """Who tie for the first place roll their free dice, none counting 0, until one is ahead or none has any (C96-C99, CR12)."""
        dice = [(seat, n) for seat in seats for n in range(self.free(seat))]
        if len(seats) > 1 and dice:
            self.emit("tie", None, seats)
            self.push(Roll(len(dice), 6, then="broken", about=(seats, attempt)))
        else:
            self.emit("over", None, self.scores(), seats)
            self.push(Over(self.scores(), seats, "deck"))

    def broken(self, request: Roll, values: tuple[int, ...]) -> None:
        tied, attempt = request.about
        thrown, sums = iter(values), {}
        for seat in tied:
            mine = tuple(next(thrown) for _ in range(self.free(seat)))
            sums[seat] = sum(mine)
            self.emit("tied", seat, mine)
        here = [seat for seat in tied if seat not in self.gone]
        if here:
            self.tie(self._first(here, sums.__getitem__), attempt + 1)
        else:
            self.tie(self._first(self.order(), self.totals.__getitem__), attempt + 1)

    def leave(self, seat: int) -> None:
        """His dice leave the treasures, and his own treasures are out, unseen; his turns are over (CR15)."""
        if self.totals:
            return  # everything is open and scored: he only cannot win
        self.discards += self.kept[seat]
        self.kept[seat] = []
        self.held = {place: held for place, held in self.held.items() if held[0] != seat}
        self.agenda = [request for request in self.agenda if not _only_for(seat, request)]

    def relay(self) -> None:
        """A seat is lost: all open what they hold, then every treasure that nobody has seen is another one, wherever it lies (CR15).

        Dice stay on their places, whatever type lies there now; what was being shown to somebody is shown anew.
        """
        if self.totals or not self.cards_in_play() or any(isinstance(r, Shuffle) for r in self.agenda):
            return  # all is open, or not yet dealt
        unread = {card for r in self.agenda if isinstance(r, Reveal) and r.by is None and r.part == "face" for card in r.cards}
        closed = {seat: tuple(c for c in self.kept[seat] if c not in unread and (c, "face") not in self.shown) for seat in self.order()}
        self.push(*(Reveal(cards, "face", ALL, by=seat) for seat, cards in closed.items() if cards), Do("lay_afresh"))

    def lay_afresh(self, step: Do, _: None) -> None:
        hidden = tuple(card for card in self.cards_in_play() if (card, "face") not in self.shown)
        if hidden:
            self.push(Shuffle(hidden, then="relaid"))

    def relaid(self, request: Shuffle, cards: tuple[int, ...]) -> None:
        """Each fresh card takes the place of an old one; types are open again where they were to be."""
        new = dict(zip(request.cards, cards, strict=True))
        self.pile, self.discards = [new.get(c, c) for c in self.pile], [new.get(c, c) for c in self.discards]
        self.row = [None if c is None else new.get(c, c) for c in self.row]
        self.kept = [[new.get(c, c) for c in kept] for kept in self.kept]
        for i, r in enumerate(self.agenda):
            if isinstance(r, Reveal):
                about = tuple(new.get(c, c) for c in r.about) if r.then == "laid" else r.about
                self.agenda[i] = replace(r, cards=tuple(new.get(c, c) for c in r.cards), about=about)
        self.emit("shuffled", None, len(cards))
        row = tuple(card for card in self.row if card is not None)
        open_backs = tuple(c for c in (*row, *chain.from_iterable(self.kept), *self.pile[-1:]) if (c, "back") not in self.shown)
        if open_backs:
            self.push(Reveal(open_backs, "back", ALL, then="laid", about=row))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _lift(self, place: int) -> int:
        """Take the treasure from its place, which stays empty (C83)."""
        card, self.row[place] = self.row[place], None
        assert card is not None
        return card

    def _first(self, seats: Iterable[int], points: Callable[[int], int]) -> tuple[int, ...]:
        """Those of the seats with the most points."""
        seats = tuple(seats)
        most = max(points(seat) for seat in seats)
        return tuple(seat for seat in seats if points(seat) == most)


def _only_for(seat: int, request: Request) -> bool:
    """Does the request serve only this seat?"""
    if isinstance(request, Choose):
        return request.seat == seat
    if isinstance(request, Reveal):
        return request.by == seat or request.to == (seat,)
    if isinstance(request, Roll):
        return request.then == "rerolled" and bool(request.about[0] == seat)
    return isinstance(request, Do) and request.then != "roll" and request.about is not None and bool(request.about[0] == seat)
