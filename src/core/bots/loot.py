"""A sensible player of Loot N Run: weighs what it may win against what its cards' backs tempt others to do.

It sees one seat's view, never more.  Everything is reckoned in points, by sampling the faces that hidden cards can have.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from ..chance import Rng, shuffled
from ..games.loot import Loot, worth
from ..games.loot_data import AMULET, GUARDIANS, Face
from ..rules import Choose, Move
from ..view import View

SAMPLES = 24  # guesses of the hidden faces behind one decision
TURN = 2.5  # what a turn is worth on average: Frank's benefit, and the price of a Run
DRAW = 3.5  # what the Werewolf's draw is worth


def decide(view: View, moves: Sequence[Move], rng: Rng) -> Move:
    """The move with the highest value in points; the first of equals."""
    game, request = view.rules, view.asked()
    assert isinstance(game, Loot)
    assert isinstance(request, Choose)
    mind = Mind(game, request.seat, rng)
    return max(moves, key=mind.value)


class Mind:
    """One decision: the position as the seat sees it, and guesses of what it does not see."""

    def __init__(self, game: Loot, seat: int, rng: Rng) -> None:
        self.game, self.seat = game, seat
        self.hand: list[Face] = [game.seen(card) for card in game.hands[seat]]
        self.others = [s for s in range(game.seats) if s != seat and s not in game.gone]
        self.guesses = [self._guess(rng) for _ in range(SAMPLES)]

    def value(self, move: Move) -> float:
        if move[0] == "keep":
            return self.held([*self.hand, *(self.game.seen(self.game.lifted[i]) for i in move[1:])])
        if move[0] == "run":
            return self.run()
        if move[0] == "loot":
            top = self.game.decks[move[1]][-1]
            return sum(self.held([*self.hand, guess[top]]) for guess in self.guesses) / SAMPLES
        return self.held(self.hand) + self.wake(move[1])

    def run(self) -> float:
        """Points now; when they end the game, what matters is who wins it."""
        points = worth(self.hand)
        mine = self.game.points[self.seat] + points
        if mine < self.game.data.goal(self.game.seats):
            return points
        return points + self._final({self.seat: points})

    def held(self, hand: Sequence[Face]) -> float:
        """What the cards are worth in front of us until the next turn: nothing if somebody wakes guardians among them."""
        points = worth(hand)
        return points * (1 - self.danger(len(hand))) if caught(hand) else points + TURN * self.danger(len(hand))

    def danger(self, cards: int) -> float:
        """The chance that somebody awakens us before our next turn; many cards tempt them."""
        wakers = len(self.others) if len(self.others) == 1 else sum(1 for s in self.others if self.game.hands[s])
        return 1 - (1 - min(0.12 * cards, 0.6)) ** min(wakers, 3)

    def wake(self, target: int) -> float:
        """The average, over the guesses, of what we win less what the target wins, his points shared out among his rivals."""
        share = 1 / len(self.others)
        total = 0.0
        for guess in self.guesses:
            hand = [guess[card] for card in self.game.hands[target]]
            points, tops = worth(hand), Counter(top for top, _ in hand)
            if caught(hand):
                won = points if tops["mummy"] else 0
                total += won + DRAW * bool(tops["werewolf"]) + TURN * bool(tops["frank"]) + points * share
                total += self._end(self.seat, won)
            else:
                total -= TURN * share
                total += self._end(target, points)
        return total / SAMPLES

    def _end(self, seat: int, points: int) -> float:
        """What it means that this seat scores: something only if that ends the game."""
        if self.game.points[seat] + points < self.game.data.goal(self.game.seats):
            return 0.0
        return self._final({seat: points})

    def _final(self, scored: dict[int, int]) -> float:
        """Is the end good for us?  Plus or minus a large sum by whether we lead once all cards are open."""
        wins = 0
        for guess in self.guesses:
            totals = {}
            for seat in (self.seat, *self.others):
                hand = [] if seat in scored else [guess[card] for card in self.game.hands[seat]]
                totals[seat] = self.game.points[seat] + scored.get(seat, 0) + worth(hand)
            wins += totals[self.seat] == max(totals.values())
        return 60.0 * wins / len(self.guesses) - 30.0

    def _guess(self, rng: Rng) -> dict[int, Face]:
        """A face for every card that matters: the known ones, and for the others unseen faces with the same back."""
        left: dict[str, list[Face]] = {}
        for back, face in shuffled(rng, self.game.cards_left()):
            left.setdefault(back, []).append(face)
        faces: dict[int, Face] = {}
        tops = (deck[-1] for deck in self.game.decks if deck)
        for card in (*tops, *(card for hand in self.game.hands for card in hand), *self.game.lifted):
            known: Face | None = self.game.seen(card)
            faces[card] = known if known is not None else left[self.game.shown[card, "back"]].pop()
        return faces


def caught(hand: Iterable[Face]) -> bool:
    """Would an awakening of these cards find more guardians than amulets?"""
    tops = Counter(top for top, _ in hand)
    return sum(tops[kind] for kind in GUARDIANS) > tops[AMULET]
