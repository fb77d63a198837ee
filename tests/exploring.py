"""The model of agreement, played: every state that two honest seats and some liars can reach, and what must hold in each.

Seats 0 and 1 are honest, the others lie: whatever they can sign they may show to one of the two and not to the other.  What passes
between the honest two passes at any time or never, so a cut needs no word of its own.
"""

import itertools
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from agreement import Program
from agreement_items import HONEST, STAY, Item, Peer, author, contradicts, order, votes_in


class State(NamedTuple):
    """All there is.  `given` counts what the liars have shown, `fallen` the crashes."""

    peers: tuple[Peer, Peer]
    given: int = 0
    fallen: int = 0


class Model(Program):
    """The steps that can be taken from a state."""

    def start(self) -> State:
        return State((self.act(Peer(0), False), self.act(Peer(1), False)))

    def voted(self, lost: int) -> State:
        """The state in which the two others, not having lied yet, have voted to go on without that seat; a liar has signed all for that."""
        s = self.start()
        for seat in self.seats:
            if seat == lost:
                continue
            vote: Item = ("votes", 0, seat, ("go", (lost,), (), ()), False)
            if seat in HONEST:
                s = self.put(s, self.votes(s.peers[seat], vote, None, True))
            else:
                s = self.told(s, 1 - lost, vote, ("assents", ("next", vote[3], 0), seat))
        return s

    def told(self, s: State, seat: int, *items: Item) -> State:
        """The liars have shown these to an honest seat."""
        p = s.peers[seat]
        for item in items:
            p = self.take(p, item)
        return self.put(s, p)

    def forked(self) -> State:
        """The state in which a liar has shown one move to the one honest seat and another to the other."""
        moves = [("says", None, 0, self.liars[0], (), value) for value in ("x", "y")]
        return self.told(self.told(self.start(), 0, moves[0]), 1, moves[1])

    def parted(self) -> State:
        """Four seats: seat 1 has said good-bye in mid-game, and one of two liars has signed what comes after seat 0's move."""
        s = next(self.leaving(self.start()))
        s = self.link(s, s.peers[0])
        s = self.told(s, 0, ("says", None, 0, self.liars[0], (), "x"))
        return self.told(s, 0, ("says", None, 2, self.liars[0], s.peers[0].log, "x"))

    def put(self, s: State, p: Peer) -> State:
        p = self.act(p, s.fallen > 0)
        return s._replace(peers=(p, s.peers[1]) if p.me == 0 else (s.peers[0], p))

    def link(self, s: State, p: Peer) -> State:
        """The other honest seat reaches this one: all that it holds arrives."""
        other = s.peers[1 - p.me]
        if p.out or other.out:
            return s  # who is voted out goes home
        told = p._replace(unheard=False, unreached=p.unreached - {other.me} if self.rules.taken_back else p.unreached)
        for item in sorted(other.held, key=order):
            if item[0] != "shows" and (self.rules.forwarded or author(item) == other.me):
                told = self.take(told, item)
        if other.next is not None and other.next != told.next:
            told = self.take(told, ("shows", other.next, other.me))
        return self.put(s, self.settle(told))

    def honest_steps(self, s: State) -> Iterator[State]:
        """Whatever may happen next to the honest two: one has waited for too long, or is reached by the other, or says good-bye."""
        for p in s.peers:
            for vote, contact in self.silences(p):
                if vote[1] < self.bounds.rounds:
                    yield self.put(s, self.votes(p, vote, None, contact))
            after = self.link(s, p)
            if after != s:
                yield after

    def leaving(self, s: State) -> Iterator[State]:
        p = s.peers[1]
        if self.bounds.leaves and p.next is None and not (p.out or self.has_left(p) or self.done(p) or p.unheard or p.fault is not None):
            yield self.put(s, self.take(p, ("leaves", p.me, self.signed(p, p.me))))

    def beyond(self, s: State) -> bool:
        """Somebody would vote in a round to which we do not look."""
        wishes = [wish[0] for p in s.peers if (wish := self.wish(p)) is not None]
        return any(vote[1] >= self.bounds.rounds for vote in (*wishes, *(v for p in s.peers for v, _ in self.silences(p))))

    # -- the liars ------------------------------------------------------------------------------------------------

    def lies(self, s: State, p: Peer) -> list[tuple[Item, ...]]:
        """All that a liar can sign and that could matter to this seat; what belongs together is shown at once."""
        found: list[tuple[Item, ...]] = []
        for liar in self.liars:
            if p.next is None:
                found += [(item,) for item in self.contributions(p, liar)]
                if liar == self.liars[0]:  # they vote alike and sign together
                    found += [tuple((*v[:2], one, *v[3:]) for one in self.liars) for v in self.ballots(p, liar)]
                    rosters = sorted({i[1] for i in p.held if i[0] == "assents"}, key=order)
                    found += [tuple(("assents", r, one) for one in self.liars if one in self.remaining(r)) for r in rosters]
            else:
                if liar in self.missing(p):
                    found.append((("says", p.next, len(p.keys), liar, p.keys, ("commitment", "keys")[len(p.keys)]),))
                highest = max((v[1] for v in votes_in(p.held)), default=0)
                if self.counts(p) and highest + 1 < self.bounds.rounds:
                    found.append((("votes", highest + 1, liar, STAY, False),))
            found += self.rosters(s, p, liar)
        return [items for items in found if not set(items) <= p.held]

    def contributions(self, p: Peer, liar: int) -> Iterator[Item]:
        if liar in self.waited_here(p):
            for value in ("result",) if self.over(p) else ("x", "y"):
                yield ("says", None, len(p.log), liar, p.log, value)
        elif p.log and not self.done(p) and liar == self.liars[0]:
            for value in ("x", "y"):
                yield ("says", None, 0, liar, (), value)

    def waited_here(self, p: Peer) -> tuple[int, ...]:
        return () if p.next is not None else self.missing(p)

    def ballots(self, p: Peer, liar: int) -> Iterator[Item]:
        """Votes to stay, and to go on from anywhere that this seat has passed."""
        highest = max((v[1] for v in votes_in(p.held)), default=0)
        choices: list[Item] = [STAY]
        for n in range(len(p.log) + 1):
            byes = tuple(sorted(self.has_left(p) - self.gone_after(p, n)))
            choices += [
                ("go", (lost,), p.log[:n], byes) for lost in self.seats if lost not in (p.me, liar) and (lost in HONEST or lost in byes)
            ]
        for round_ in range(min(highest + 2, self.bounds.rounds)):
            yield from (("votes", round_, liar, choice, False) for choice in choices)

    def rosters(self, s: State, p: Peer, liar: int) -> list[tuple[Item, ...]]:
        """A next match that all who remain have signed, shown over the liar's own link with all that stands in it."""
        world = s.peers[0].held | s.peers[1].held
        found = []
        for roster in sorted({item[1] for item in world if item[0] == "assents"}, key=order):
            here = self.remaining(roster)
            honest = {("assents", roster, seat) for seat in here if seat in HONEST}
            if liar not in here or not honest <= world or ("shows", roster, liar) in p.held or p.next == roster:
                continue
            votes = [v for v in votes_in(world) if (v[1], v[3]) == (roster[2], roster[1])]
            votes += [("votes", roster[2], other, roster[1], False) for other in self.liars if other in here]
            assents = [("assents", roster, seat) for seat in here]
            found.append((*sorted({*votes}, key=order), *assents, ("shows", roster, liar)))
        return found

    def steps(self, s: State) -> Iterator[State]:
        yield from self.honest_steps(s)
        yield from self.leaving(s)
        for p in s.peers:
            if s.given < self.bounds.shown and not p.out and not self.done(p) and p.me not in self.has_left(p):
                for items in self.lies(s, p):
                    told = p
                    for item in items:
                        told = self.take(told, item)
                    yield self.put(s, told)._replace(given=s.given + 1)
                if self.rules.taken_back and p.unreached & set(self.liars):  # it is there again, and says nothing
                    yield self.put(s, p._replace(unreached=p.unreached - set(self.liars)))._replace(given=s.given + 1)
            if s.fallen < self.bounds.crashes and not p.out and p.me not in self.has_left(p):
                after = s._replace(fallen=s.fallen + 1)
                fallen = self.crash(p, True)
                yield after._replace(peers=(fallen, s.peers[1]) if p.me == 0 else (s.peers[0], fallen))


# -- what must hold ---------------------------------------------------------------------------------------------------


def settled(model: Model, p: Peer, other: Peer) -> bool:
    """Its player has an end, or waits for nobody but liars, which no rule can help.

    That is: voted out, gone, a result, a next match whose keys all or all but liars have given, or no honest seat left beside it.
    """
    if p.out or other.out or model.has_left(p) & set(HONEST) or model.done(p) or model.finished(p):
        return True
    if p.next is not None:
        return set(model.missing(p)) <= set(model.liars)
    if other.next is not None and p.me not in model.remaining(other.next) and model.gave(other, other.me):
        return True  # left behind, if a liar gives its keys: it may keep them, and the other can neither go back nor be believed alone
    agrees = p.fault is not None and other.next is None and other.log[: len(p.log)] == p.log
    return model.over(p) and (set(model.missing(p)) <= set(model.liars) or agrees)


def broken(model: Model, before: State, s: State) -> str:
    """What does not hold in this state, or in the step to it, or ""."""
    items = s.peers[0].held | s.peers[1].held
    for item in items:
        if author(item) in HONEST and contradicts(item, items):
            return f"the honest seat {author(item)} has signed twice"
    proven = any(contradicts(item, items) for item in items)
    one, other = s.peers
    ends = [(p.next, p.log if p.next is None else p.keys) for p in s.peers if model.done(p)]
    n = min(len(one.log), len(other.log))
    if one.next is None is other.next and not proven and one.log[:n] != other.log[:n]:
        return "two histories without a proof"
    if len(ends) == 2 and ends[0] != ends[1] and not proven:
        return "two ends without a proof"
    here, there = model.decided(one), model.decided(other)
    if here and there and here[0] == there[0] and here[1] != there[1] and not proven and one.next is None is other.next:
        return "two choices in one vote round without a proof"
    for was, now in zip(before.peers, s.peers, strict=True):
        mine = model.mine(now)
        if model.finished(was) and (now.out or now.next) and (was.fault is None or mine is None or mine[3] == STAY):
            return "a finished game is undone"
        if now.next is not None and was.next is None and not proven and behind(model, now):
            return "a step is undone that those who vote have signed over"
        twin = s.peers[1 - now.me]
        if now.out and not was.out and twin.me in model.remaining(now.out) and twin.next != now.out and not proven:
            return "voted out by a next match in which no honest seat is"
    return ""


def behind(model: Model, p: Peer) -> bool:
    """Has this seat gone back behind a round after which one who voted for that has signed?"""
    assert p.next is not None
    _, choice, round_ = p.next
    n = len(choice[2])
    voted = [v[2] for v in votes_in(p.held) if (v[1], v[3]) == (round_, choice)]
    return n < len(p.log) and any(model.signed(p, seat) > n for seat in voted)


@dataclass
class Explored:
    """What a search has found: the states, what is broken (with the path to it), and states from which an honest seat has no way out."""

    states: int = 0
    whole: bool = True  # nothing was left out for want of room
    broken: str = ""
    path: tuple[State, ...] = ()
    stuck: State | None = None


def explore(model: Model, most: int = 1_000_000, start: State | None = None) -> Explored:
    """Look at every state that can be reached; then at whether from each the honest two can come to an end without the liars' help."""
    start = start or model.start()
    parents: dict[State, State | None] = {start: None}
    found_in, queue = [start], deque([start])
    while queue and len(parents) < most:
        state = queue.popleft()
        for after in model.steps(state):
            if after in parents:
                continue
            parents[after] = state
            if what := broken(model, state, after):
                return Explored(len(parents), False, what, tuple(path(parents, after)))
            found_in.append(after)
            queue.append(after)
    found, open_ends = Explored(len(parents), not queue), set(queue)
    ways: dict[State, list[State]] = {}
    good: deque[State] = deque()
    for state in found_in:
        if all(settled(model, p, state.peers[1 - p.me]) for p in state.peers) or model.beyond(state) or state in open_ends:
            good.append(state)
        for after in model.honest_steps(state):
            ways.setdefault(after, []).append(state)
    free = set(good)
    while good:
        for before in ways.get(good.popleft(), ()):
            if before not in free:
                free.add(before)
                good.append(before)
    found.stuck = next((state for state in found_in if state not in free), None)
    found.path = tuple(path(parents, found.stuck)) if found.stuck else ()
    return found


def meet(model: Model, s: State, most: int = 12) -> State | None:
    """The honest two are linked from now on, and no person does anything: where they come to rest, or None if they never do."""
    for _ in range(most):
        before = s
        for seat in HONEST:
            s = model.link(s, s.peers[seat])
        if s == before:
            return s
    return None


def path(parents: dict[State, State | None], state: State | None) -> list[State]:
    steps = []
    while state is not None:
        steps.append(state)
        state = parents[state]
    return steps[::-1]


def walk(model: Model, seed: int, length: int = 60) -> tuple[str, State]:
    """One way through the states, taken by chance: what is broken on it, or "", and where it ends."""
    rng, state = random.Random(seed), model.start()
    for _ in range(length):
        after = list(model.steps(state))
        if not after:
            break
        before, state = state, rng.choice(after)
        if what := broken(model, before, state):
            return what, state
    return "", state


def show(states: tuple[State, ...]) -> str:
    """A path as text: what each honest seat holds that it did not hold a step before, and where it stands."""
    lines = []
    for before, after in itertools.pairwise(states):
        for was, now in zip(before.peers, after.peers, strict=True):
            if was == now:
                continue
            new = sorted(now.held - was.held, key=order)
            at = f"match 2 {now.next[1][1]} keys {len(now.keys)}" if now.next else f"round {len(now.log)}"
            what = " OUT" if now.out else f" fault {now.fault}" if now.fault is not None else ""
            lines.append(f"seat {now.me} ({at}{what}, unreached {set(now.unreached) or '-'}): " + "; ".join(map(short, new)))
    return "\n".join(lines)


def short(item: Item) -> str:
    def roster(r: Item) -> str:
        return f"R(without {r[1][1]} after {len(r[1][2])}, vote round {r[2]})"

    match item:
        case ("says", match, n, seat, _, value):
            return f"{seat} says {value} in round {n}" + (f" of {roster(match)}" if match else "")
        case ("votes", round_, seat, choice, proof):
            go = "stay" if choice == STAY else f"go without {choice[1]} after {len(choice[2])} byes {choice[3]}"
            return f"{seat} votes {go} in vote round {round_}" + (" with proof" if proof else "")
        case ("assents" | "shows" as what, r, seat):
            return f"{seat} {what} {roster(r)}"
    return str(item)
