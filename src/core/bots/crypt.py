"""A sensible player of The Crypt: weighs what a treasure brings against the dice it may exhaust and the rivals who may push.

It sees one seat's view, never more.  Everything is reckoned in points; before it claims it plays out its rivals' replies.
"""

from collections.abc import Iterable, Mapping, Sequence

from ..chance import Rng
from ..games.crypt import Crypt
from ..games.crypt_claims import EFFORTS
from ..games.crypt_data import TYPES
from ..games.crypt_score import unseen
from ..rules import Choose, Do, Move
from ..view import View

Part = tuple[int, int, int]  # (place, effort, dice)
Held = Mapping[int, tuple[int, int, int]]  # place -> (seat, effort, dice)

SPENT = 3.0  # what an exhausted die costs while rounds remain; in the last round it is a point
RESTED = 3.5  # what recovering a die is worth while rounds remain
RIVAL = 0.25  # the share of a rival's gain that counts as our loss
CANDIDATES = 24  # claims whose replies are played out
POWERS = ("take", "look", "heal")  # flips cost nothing: used as soon as they help


def decide(view: View, moves: Sequence[Move], rng: Rng) -> Move:
    """The move with the highest value in points; the first of equals."""
    game, request = view.rules, view.asked()
    assert isinstance(game, Crypt)
    assert isinstance(request, Choose)
    mind = Mind(game, request.seat)
    for verb in POWERS:
        found = [move for move in moves if move[0] == verb]
        if found:
            return max(found, key=lambda move: mind.worth(request.seat, move[3]) if verb == "take" else 0)
    if request.moves == "rerolls":
        return max(moves, key=lambda move: 7 - move[2] if move[0] == "reroll" and move[2] < 6 else 0)
    if request.moves != "turns":
        return moves[0]  # nothing to use: done
    return mind.turn(moves, last=bool(request.about))


class Mind:
    """One decision: the position as the seat sees it, and what each treasure of the row would bring to each seat."""

    def __init__(self, game: Crypt, seat: int) -> None:
        self.game, self.seat = game, seat
        seen = [(game.seen(c, "back"), game.seen(c)) for c in game.cards_in_play() if game.seen(c) is not None]
        self.left = unseen(game.data.cards(game.seats), seen)
        self.sets = [{kind: [self.guess(c) for c in game.column(s, kind)] for kind in TYPES} for s in range(game.seats)]
        self.rounds = len(game.pile) // game.data.deck(game.seats).row
        self._worth: dict[tuple[int, int], float] = {}

    def guess(self, card: int) -> float:
        """The value of a treasure, or the average of what it may be."""
        value = self.game.seen(card)
        if value is not None:
            return float(value)
        rest = self.left.get(self.game.seen(card, "back"), ())
        return sum(rest) / len(rest) if rest else 2.5

    def worth(self, seat: int, place: int) -> float:
        """What the treasure at a place would bring to a seat: coins, and what the collector adds or may add later."""
        key = (seat, place)
        if key not in self._worth:
            card = self.game.row[place]
            assert card is not None
            kind, value = self.game.shown[card, "back"], self.guess(card)
            self._worth[key] = value + self._bonus(seat, kind, value)
        return self._worth[key]

    def _bonus(self, seat: int, kind: str, value: float) -> float:
        """Rewards reached now, and hope for rewards to come, which fades as the deck runs out."""
        mine, hope, side = self.sets[seat][kind], min(1.0, self.rounds / 4), self.game.side(kind)
        n = len(mine)
        match kind + side:
            case "idola":
                return 0.8 * hope
            case "idolb":
                if self.game.idol_first:
                    return 0.0 if seat in self.game.idol_first else (0.8 * hope, 2.0)[n] if n < 2 else 0.0
                return (2.0 * hope, 5.0)[n] if n < 2 else 0.0
            case "jewelrya":
                if n == 0:
                    return 0.5 * value * hope
                return max(*mine, value) - (max(mine) if n > 1 else 0)
            case "jewelryb":
                return 1.0
            case "manuscripta":
                if n == 0:
                    return 0.5 * (4 - value) * hope
                return 4 - value + (4 - mine[0] if n == 1 else 0)
            case "manuscriptb":
                return 0.5 * hope
            case "potterya":
                return (0.9 * hope, 2 + 0.6 * hope, 2 + hope, 4.0)[n] if n < 4 else 0.0
            case "potteryb" | "remainsa":
                return (1.6 if n % 2 else 0.8) * (hope if kind == "pottery" else 1 if n % 2 else hope)
            case "remainsb":
                return (0.7 * hope, 1.6 * hope, 3.2 * hope, 10.0)[n] if n < 4 else 0.0
            case "tapestrya":
                return self._most(seat, value, hope)
        return (0.8 * hope, 1.8 * hope, 5.0)[n] if n < 3 else 0.0

    def _most(self, seat: int, value: float, hope: float) -> float:
        """Tapestry A: five points for the most, the surer the nearer the end."""
        mine = sum(self.sets[seat]["tapestry"])
        best = max((sum(self.sets[s]["tapestry"]) for s in range(self.game.seats) if s != seat), default=0.0)
        before, after = mine - best, mine + value - best
        return 5 * (_chance(after, hope) - _chance(before, hope) * (mine > 0))

    # -- one turn -------------------------------------------------------------------------------------------------

    def turn(self, moves: Iterable[Move], last: bool) -> Move:
        """Recover or claim: the claims that look best are judged again by what is left of them after the replies."""
        later = self._later()
        value = {part: self.part(self.seat, part, self.game.held, later) for part in self._parts(self.seat, self.game.held)}
        recover, claims = ("recover",), []
        for move in moves:
            if move[0] == "claim":
                claims.append((sum(value[part] for part in move[1:]), move))
        claims.sort(key=lambda scored: -scored[0])
        scored = [(self.replies(move[1:], later), move) for _, move in claims[:CANDIDATES]]
        rest = self.game.spent[self.seat] * (RESTED if self.rounds else 1.0)
        return max([(self.replies((), later) + rest, recover), *scored], key=lambda s: s[0])[1]

    def _later(self) -> tuple[int, ...]:
        """The seats that still have a claim turn in this round, in order."""
        steps = [step for step in reversed(self.game.agenda) if isinstance(step, Do) and step.then == "claim_turn"]
        return tuple(step.about[0] for step in steps)

    def cost(self, effort: int, dice: int) -> float:
        """What dice placed with this effort are likely to cost."""
        return dice * (effort - 1) / 6 * (SPENT if self.rounds else 1.0)

    def free(self, seat: int, held: Held) -> int:
        return self.game.data.dice - self.game.spent[seat] - sum(dice for owner, _, dice in held.values() if owner == seat)

    def part(self, seat: int, part: Part, held: Held, later: Sequence[int]) -> float:
        """What claiming one treasure is worth to a seat: its chance to stay there, and the rival who loses it."""
        place, effort, dice = part
        gain = self.worth(seat, place)
        if place in held:
            gain += RIVAL * self.worth(held[place][0], place)
        return gain * self.stays(seat, effort * dice, place, held, later) - self.cost(effort, dice)

    def stays(self, seat: int, strength: int, place: int, held: Held, later: Sequence[int]) -> float:
        """The chance that nobody who is still to play pushes us off: the more it costs him and the less it brings, the better."""
        chance = 1.0
        for rival in later:
            dice = self.free(rival, held)
            needed = next((n for n in range(1, dice + 1) if 6 * n > strength), None)
            if rival == seat or needed is None:
                continue
            cheapest = min(self.cost(strength // n + 1, n) + 0.8 * (n - 1) for n in range(needed, dice + 1) if strength // n < 6)
            chance *= 1 - max(0.0, min(0.7, 0.22 * (self.worth(rival, place) - cheapest)))
        return chance

    def _parts(self, seat: int, held: Held) -> list[Part]:
        """All single treasures the seat could claim."""
        dice, found = self.free(seat, held), []
        for place, card in enumerate(self.game.row):
            owner, effort, n = held.get(place, (None, 0, 0))
            if card is not None and owner != seat:
                found += [(place, e, d) for d in range(1, dice + 1) for e in EFFORTS if e * d > effort * n]
        return found

    def replies(self, parts: Sequence[Part], later: Sequence[int]) -> float:
        """Play the round to its end: each later seat makes its best claim.  Our points, less a share of the rivals'."""
        held = dict(self.game.held)
        held.update({place: (self.seat, effort, dice) for place, effort, dice in parts})
        for i, rival in enumerate(later):
            if rival != self.seat:
                for place, effort, dice in self.best(rival, held, later[i + 1 :], one=i == len(later) - 1):
                    held[place] = (rival, effort, dice)
        total = 0.0
        for place, (owner, effort, dice) in held.items():
            gain = self.worth(owner, place)
            total += gain - self.cost(effort, dice) if owner == self.seat else -RIVAL * gain
        return total

    def best(self, seat: int, held: Held, later: Sequence[int], one: bool) -> list[Part]:
        """A claim that looks best to a seat, treasure by treasure; none if nothing is worth its dice."""
        options = sorted(((self.part(seat, part, held, later), part) for part in self._parts(seat, held)), reverse=True)
        chosen: list[Part] = []
        dice = self.free(seat, held)
        for value, part in options:
            if value > 0 and part[2] <= dice and all(part[0] != other[0] for other in chosen):
                chosen.append(part)
                dice -= part[2]
                if one:
                    break
        return chosen


def _chance(lead: float, hope: float) -> float:
    """How sure a lead in coins is: certain at the end, less so while treasures are to come."""
    return min(1.0, max(0.0, 0.5 + lead / (1 + 5 * hope)))
