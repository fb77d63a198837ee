"""A model of agreement, small enough to be looked at whole: rounds, digests, forwarding, a crash, votes, the next match, and one liar.

It follows docs/protocol.md sections 4, 8 and 10 for three seats, with all that does not matter for agreement left out: a digest is the
history itself, a signature is that only its seat can make an item, and a proof is two items that contradict each other.  Seats 0 and 1
are honest, seat 2 lies: whatever it can sign it may show to one of them and not to the other.  What passes between the honest two passes
at any time or never, so a cut needs no word of its own.  `Rules` has a switch for each rule, so that the model can be seen to need it.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

HONEST, LIAR, SEATS = (0, 1), 2, (0, 1, 2)
PLAN = ((LIAR,), (0,), SEATS)  # who owes something to which round; in the last all sign the result
Item = tuple[Any, ...]  # ("says", match, round, seat, history, value), ("votes", round, seat, choice) or ("assents", roster, seat)
STAY: Item = ("stay",)


@dataclass(frozen=True)
class Rules:
    """The rules of the protocol, each of which can be left out."""

    disk_first: bool = True  # what is signed is on disk before it leaves
    compared: bool = True  # two bodies of one slot are noticed
    forwarded: bool = True  # what others have said is passed on
    dropped: bool = True  # a majority is none any more once one who made it has voted in a later round
    agreed: bool = True  # after a proof, votes go down to what all agree on
    doubted: bool = True  # nobody was voted out by those who have voted again since
    half: int = 2  # votes that make a majority of three


@dataclass(frozen=True)
class Bounds:
    """How far to look: what the liar may show in all, crashes, vote rounds."""

    shown: int = 4
    crashes: int = 1
    rounds: int = 2


class Peer(NamedTuple):
    """An honest seat: the match it is in (None: the first), what it has accepted there, and every item that it holds."""

    me: int
    match: Item | None = None
    log: tuple[tuple[tuple[int, Any], ...], ...] = ()  # by round: (seat, value)
    got: tuple[Item, ...] = ()  # to the present round
    disk: frozenset[Item] = frozenset()  # what a crash leaves
    held: frozenset[Item] = frozenset()
    fault: bool = False  # the liar is proven to lie, and this seat has stopped
    proof: bool = False
    out: bool = False  # voted out
    unheard: bool = False  # back from a crash, and the other honest seat has not been heard


class State(NamedTuple):
    """All there is.  `given` counts what the liar has shown, `fallen` the crashes."""

    peers: tuple[Peer, Peer]
    given: int = 0
    fallen: int = 0


order = cache(repr)  # of items, so that a search takes the same way each time


@cache
def plan(match: Item | None) -> tuple[tuple[int, ...], ...]:
    """A match that goes on is only signed: it is enough to see who plays in it."""
    return PLAN if match is None else (remaining(match),)


def remaining(roster: Item) -> tuple[int, ...]:
    """Who plays on after this choice or in this match."""
    return tuple(seat for seat in SEATS if seat != roster[1])


def over(p: Peer) -> bool:
    """Nothing is open but signatures under the result."""
    return len(p.log) >= len(plan(p.match)) - 1


def done(p: Peer) -> bool:
    return len(p.log) == len(plan(p.match))


def missing(p: Peer) -> tuple[int, ...]:
    owed = () if done(p) else plan(p.match)[len(p.log)]
    return tuple(seat for seat in owed if seat not in [item[3] for item in p.got])


def contradicts(item: Item, held: frozenset[Item]) -> bool:
    """Is there another item of the same slot?"""
    if item[0] == "says":
        return any(one[0] == "says" and one[1:4] == item[1:4] and one != item for one in held)
    return item[0] == "votes" and any(one[0] == "votes" and one[1:3] == item[1:3] and one != item for one in held)


class Model:
    """The steps that can be taken from a state, under these rules and within these bounds."""

    def __init__(self, rules: Rules = Rules(), bounds: Bounds = Bounds()) -> None:
        self.rules, self.bounds = rules, bounds

    # -- one peer -------------------------------------------------------------------------------------------------

    def take(self, p: Peer, item: Item) -> Peer:
        """An item arrives, or is made here."""
        if item in p.held:
            return p
        here = item[1] == p.match if item[0] == "says" else p.match is None  # what belongs to an earlier match ends no later one
        proven = self.rules.compared and here and contradicts(item, p.held)
        p = p._replace(held=p.held | {item}, proof=p.proof or proven, fault=p.fault or (proven and not done(p)))
        return self.settle(p)

    def settle(self, p: Peer) -> Peer:
        """Accept what fits, close rounds, follow the roster of the next match."""
        while not p.fault and not done(p):
            lacking = missing(p)
            now = (p.match, len(p.log))
            new = [i for i in p.held if i[0] == "says" and i[3] in lacking and i[4] == p.log and i[1:3] == now]
            if new:
                first = min(new, key=order)
                p = p._replace(got=(*p.got, first), disk=p.disk | {first})
            elif lacking:
                break
            else:
                p = p._replace(log=(*p.log, tuple(sorted((i[3], i[5]) for i in p.got))), got=())
        return self.follow(p)

    def follow(self, p: Peer) -> Peer:
        """Go over to the next match once all who remain have signed its roster."""
        if p.out or (p.match is not None and (p.log or not self._later(p))):
            return p
        signed = {i[1] for i in p.held if i[0] == "assents"}
        ready = [r for r in signed if {i[2] for i in p.held if i[0] == "assents" and i[1] == r} >= set(remaining(r))]
        ready = [r for r in ready if p.me in remaining(r) and self._holds(p, r) and (p.match is None or r[3] > p.match[3])]
        if not ready:
            return p
        roster = max(ready, key=lambda r: r[3])
        kept = {i for i in p.held if i[0] == "assents" and i[1] == roster}  # a roster is on disk with its votes and signatures
        kept |= {i for i in p.held if i[0] == "votes" and (i[1], i[3]) == (roster[3], ("go", *roster[1:3]))}
        return self.settle(p._replace(match=roster, log=(), got=(), fault=False, disk=p.disk | kept | {("entered", roster)}))

    def shut_out(self, p: Peer, other: Peer) -> Peer:
        """Learn that it was voted out, once it holds all that the other honest seat does; not if that has voted again and is still here."""
        if p.out or done(p) or (p.match is not None and p.log):
            return p
        signed = {i[1] for i in p.held if i[0] == "assents" and p.me not in remaining(i[1])}
        whole = [r for r in signed if {i[2] for i in p.held if i[0] == "assents" and i[1] == r} >= set(remaining(r))]
        again = {r: other.match != r and any(i[0] == "votes" and i[2] == other.me and i[1] > r[3] for i in p.held) for r in whole}
        dropped = self.rules.doubted
        return p._replace(out=any(not (dropped and again[r]) for r in whole if p.match is None or r[3] > p.match[3]))

    def _later(self, p: Peer) -> bool:
        return any(i[0] == "assents" and i[1][3] > p.match[3] for i in p.held) if p.match is not None else True

    def _holds(self, p: Peer, roster: Item) -> bool:
        """We have come as far as the roster goes on from, on the same branch."""
        return p.match is not None or p.log[: len(roster[2])] == roster[2]

    # -- votes ----------------------------------------------------------------------------------------------------

    def mine(self, p: Peer) -> Item | None:
        votes = [i for i in p.held if i[0] == "votes" and i[2] == p.me]
        return max(votes, key=lambda i: i[1], default=None)

    def decided(self, p: Peer) -> Item | None:
        """The vote (ours or another's) with the choice of the highest vote round that has a majority, without those left behind."""
        mine = self.mine(p)
        for round_ in reversed(range(self.bounds.rounds)):
            if mine is not None and round_ < mine[1]:
                return None  # who has voted in a round heeds no earlier one
            votes = [i for i in p.held if i[0] == "votes" and i[1] == round_]
            for vote in sorted(votes, key=order) if len(votes) >= self.rules.half else ():
                same = {i[2] for i in votes if i[3] == vote[3] and vote[3][1:2] != (i[2],)}
                again = self.rules.dropped and any(i[0] == "votes" and i[2] in same - {p.me} and i[1] > round_ for i in p.held)
                if len(same) >= self.rules.half and not again:
                    return vote
        return None

    def going(self, p: Peer) -> Item | None:
        """What is decided, if that is to go on."""
        decided = self.decided(p)
        return decided if decided is not None and decided[3] != STAY else None

    def frozen(self, p: Peer) -> bool:
        """Who has voted to go on signs nothing else in that match until a majority stays."""
        mine, decided = self.mine(p), self.decided(p)
        going = mine is not None and mine[3] != STAY
        return p.match is None and going and (decided is None or decided[3] != STAY)

    def agreed(self, p: Peer) -> tuple[Any, ...]:
        """From where this seat would go on: after a proof, from what the other honest seat is seen to agree on."""
        if not p.fault or not self.rules.agreed:
            return p.log
        other = 1 - p.me
        votes = [i for i in p.held if i[0] == "votes" and i[2] == other and i[3] != STAY]
        if not votes:
            return p.log
        theirs = max(votes, key=lambda i: i[1])[3][2]
        if len(theirs) > len(p.log):
            return p.log
        signed = max([n for n, r in enumerate((*p.log, p.got)) if other in [x[3] if x[0] == "says" else x[0] for x in r]], default=0)
        return theirs if p.log[: len(theirs)] == theirs and len(theirs) >= signed else p.log[:signed]

    def vote(self, p: Peer) -> Item | None:
        """What this seat may vote now, as far as we look."""
        wish = self.wish(p)
        return wish if wish is not None and wish[1] < self.bounds.rounds else None

    def beyond(self, s: State) -> bool:
        """Somebody would vote in a round to which we do not look."""
        return any((wish := self.wish(p)) is not None and wish[1] >= self.bounds.rounds for p in s.peers)

    def wish(self, p: Peer) -> Item | None:
        """What this seat may vote now, in whatever vote round it would be."""
        mine, decided = self.mine(p), self.going(p)
        if p.match is not None or p.out or done(p) or (decided is not None and LIAR not in remaining(decided[3])):
            return None
        highest = max((i[1] for i in p.held if i[0] == "votes"), default=0)
        round_ = highest if mine is None or mine[1] < highest else mine[1] + 1
        if decided is not None:
            choice = ("go", LIAR, self.agreed(p))  # it has not signed what has been decided
        elif over(p) and not p.fault:
            choice = STAY if any(i[0] == "votes" for i in p.held) else None
        elif p.fault:
            choice = ("go", LIAR, self.agreed(p))
        else:
            lost = self._silent(p, mine)
            choice = ("go", lost, p.log) if lost is not None else None
        if choice is None:
            return None
        if mine is not None and mine[3] == choice and mine[1] >= highest:
            return None
        return ("votes", round_, p.me, choice)

    def _silent(self, p: Peer, mine: Item | None) -> int | None:
        """The seat without which it would go on: as before, or whom it waits for; but not the other honest one once that is heard."""
        if any(i[0] == "votes" and i[2] == 1 - p.me for i in p.held):
            return LIAR
        return mine[3][1] if mine is not None and mine[3] != STAY else next((seat for seat in reversed(missing(p)) if seat != p.me), None)

    def assent(self, p: Peer) -> Item | None:
        vote = self.going(p)
        if p.match is not None or p.out or vote is None or vote[3][1] == p.me or p.log[: len(vote[3][2])] != vote[3][2]:
            return None
        item = ("assents", ("roster", vote[3][1], vote[3][2], vote[1]), p.me)
        return None if item in p.held else item

    # -- all of them ----------------------------------------------------------------------------------------------

    def act(self, p: Peer, second: bool) -> Peer:
        """What a program does by itself and at once: sign what is owed, vote again as others have, assent to what is decided."""
        while True:
            item = self.due(p, second)
            if item is None:
                return p
            p = self.take(p._replace(disk=p.disk | {item} if self.rules.disk_first else p.disk), item)

    def due(self, p: Peer, second: bool) -> Item | None:
        if p.me in missing(p) and not (p.fault or p.out or p.unheard or self.frozen(p)):
            again = "y" if second else "x"  # after a crash a player may choose otherwise
            value = "result" if p.match is not None or over(p) else again
            return ("says", p.match, len(p.log), p.me, p.log, value)
        mine = self.mine(p)
        if p.fault or over(p) or (mine is not None and mine[3] != STAY):
            return (self.vote(p) if self.going(p) is None else None) or self.assent(p)
        return self.assent(p)

    def honest_steps(self, s: State) -> Iterator[State]:
        """Whatever may happen next to the honest two: one has waited for too long, or all that one holds reaches the other."""
        for p in s.peers:
            item = self.vote(p)
            if item is not None:
                yield self.put(s, self.take(p._replace(disk=p.disk | {item} if self.rules.disk_first else p.disk), item))
            other = s.peers[1 - p.me]
            told = p._replace(unheard=False)
            for item in sorted(other.held, key=order):
                if self.rules.forwarded or other.me == (item[3] if item[0] == "says" else item[2]):
                    told = self.take(told, item)
            told = self.shut_out(told, other)
            if told != p:
                yield self.put(s, told)

    def put(self, s: State, p: Peer) -> State:
        p = self.act(p, s.fallen > 0)
        return s._replace(peers=(p, s.peers[1]) if p.me == 0 else (s.peers[0], p))

    def crash(self, s: State, p: Peer) -> State:
        """All is lost but the disk; what has been accepted is accepted again in its order."""
        back = Peer(p.me, unheard=True, disk=p.disk, out=p.out)
        entered = [i[1] for i in p.disk if i[0] == "entered"]
        back = self.settle(back._replace(held=frozenset(i for i in p.disk if i[0] != "entered")))
        if entered:
            back = self.settle(back._replace(match=max(entered, key=lambda r: r[3]), log=(), got=()))
        return self.put(s._replace(fallen=s.fallen + 1), back)

    def lies(self, s: State, p: Peer) -> list[Item]:
        """All that the liar can sign and that could matter to this seat."""
        found: list[Item] = []
        if p.match is None:
            if not done(p) and LIAR in plan(None)[len(p.log)]:
                found += [("says", None, len(p.log), LIAR, p.log, v) for v in (("result",) if over(p) else ("x", "y"))]
            elif p.log:
                found += [("says", None, 0, LIAR, (), v) for v in ("x", "y")]
            goes = [("go", lost, p.log) for lost in HONEST if lost != p.me]
            highest = max((i[1] for i in p.held if i[0] == "votes"), default=0)
            found += [("votes", r, LIAR, c) for r in range(min(highest + 2, self.bounds.rounds)) for c in (STAY, *goes)]
            found += [("assents", i[1], LIAR) for i in p.held if i[0] == "assents" and LIAR in remaining(i[1])]
        elif LIAR in remaining(p.match):
            found.append(("says", p.match, 0, LIAR, (), "result"))
        return [i for i in found if i not in p.held]

    def steps(self, s: State) -> Iterator[State]:
        yield from self.honest_steps(s)
        for p in s.peers:
            if s.given < self.bounds.shown and not p.out:
                for item in self.lies(s, p):
                    yield self.put(s, self.take(p, item))._replace(given=s.given + 1)
            if s.fallen < self.bounds.crashes and not p.out:
                yield self.crash(s, p)


# -- what must hold ---------------------------------------------------------------------------------------------------


def settled(p: Peer, other: Peer) -> bool:
    """Its player has an end: voted out, a result that all or all but the liar have signed, or a proof where the other has the result."""
    agrees = p.fault and p.match == other.match and other.log[: len(p.log)] == p.log
    return p.out or done(p) or (over(p) and (set(missing(p)) <= {LIAR} or agrees))


def broken(model: Model, s: State) -> str:
    """What does not hold in this state, or ""."""
    items = s.peers[0].held | s.peers[1].held
    for item in items:
        author = item[3] if item[0] == "says" else item[2]
        if author in HONEST and contradicts(item, items):
            return f"the honest seat {author} has signed twice"
    proven = any(contradicts(item, items) for item in items)
    one, other = s.peers
    if one.match == other.match and not proven:
        n = min(len(one.log), len(other.log))
        if one.log[:n] != other.log[:n]:
            return "two histories without a proof"
    if done(one) and done(other) and (one.match, one.log) != (other.match, other.log) and not proven:
        return "two ends without a proof"
    here, there = model.going(one), model.going(other)
    if here and there and here[1] == there[1] and here[3] != there[3] and not proven and one.match is None is other.match:
        return "two choices in one vote round without a proof"
    return ""


@dataclass
class Explored:
    """What a search has found: the states, what is broken (with the path to it), and states from which an honest seat has no way out."""

    states: int = 0
    whole: bool = True  # nothing was left out for want of room
    broken: str = ""
    path: tuple[State, ...] = ()
    stuck: State | None = None


def explore(model: Model, most: int = 1_000_000) -> Explored:
    """Look at every state that can be reached; then at whether from each the honest two can come to an end without the liar's help."""
    start = State((model.act(Peer(0), False), model.act(Peer(1), False)))
    parents: dict[State, State | None] = {start: None}
    order, queue = [start], deque([start])
    while queue and len(parents) < most:
        state = queue.popleft()
        for after in model.steps(state):
            if after in parents:
                continue
            parents[after] = state
            if what := broken(model, after):
                return Explored(len(parents), False, what, tuple(path(parents, after)))
            order.append(after)
            queue.append(after)
    found, open_ends = Explored(len(parents), not queue), set(queue)
    ways: dict[State, list[State]] = {}
    good: deque[State] = deque()
    for state in order:
        if (settled(*state.peers) and settled(*state.peers[::-1])) or model.beyond(state) or state in open_ends:
            good.append(state)
        for after in model.honest_steps(state):
            ways.setdefault(after, []).append(state)
    free = set(good)
    while good:
        for before in ways.get(good.popleft(), ()):
            if before not in free:
                free.add(before)
                good.append(before)
    found.stuck = next((state for state in order if state not in free), None)
    return found


def path(parents: dict[State, State | None], state: State | None) -> list[State]:
    steps = []
    while state is not None:
        steps.append(state)
        state = parents[state]
    return steps[::-1]
