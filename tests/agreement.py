"""A model of agreement, small enough to be looked at whole: what one honest seat accepts, votes and signs.  exploring.py plays it.

It follows docs/protocol.md sections 4, 8 and 10, with all that does not matter for agreement left out: a digest is the history itself,
a signature is that only its seat can make an item, a proof is two items that contradict each other, and a next match is a round of
commitments and one of keys.  `Rules` has a switch for each rule, so that the model can be seen to need it.
Two rules go further than section 10, so that the model stays small.  `freed`: a seat that has signed the result and holds a proof may vote
to go on, where the program says good-bye.  `given_up`: the "stay" of one member without keys ends a next match, without a majority.
"""

from typing import Any

from agreement_items import HONEST, STAY, Bounds, Item, Peer, Rules, author, contradicts, latest, order, votes_in


class Program:
    """What a seat's program does, under these rules and within these bounds."""

    def __init__(self, rules: Rules | None = None, bounds: Bounds | None = None) -> None:
        self.rules, self.bounds = rules or Rules(), bounds or Bounds()
        self.seats = tuple(range(self.bounds.seats))
        self.liars = self.seats[len(HONEST) :]
        middle = ((0,),) if self.bounds.seats == 3 else ((0,), self.liars)
        self.plan = (self.liars[:1], *middle, self.seats)  # who owes something to which round; in the last all sign the result

    # -- rounds ---------------------------------------------------------------------------------------------------

    def remaining(self, roster: Item) -> tuple[int, ...]:
        """Who plays in this next match."""
        _, lost, _, byes = roster[1]
        return tuple(seat for seat in self.seats if seat not in lost and seat not in byes)

    def owed(self, p: Peer) -> tuple[tuple[int, ...], ...]:
        return self.plan if p.next is None else (self.remaining(p.next),) * 2

    def done(self, p: Peer) -> bool:
        return len(p.log if p.next is None else p.keys) == len(self.owed(p))

    def over(self, p: Peer) -> bool:
        """Nothing is open in the first match but signatures under the result."""
        return len(p.log) >= len(self.plan) - 1

    def finished(self, p: Peer) -> bool:
        """It has signed the result of the first match, which stands."""
        return p.next is None and self.over(p) and (len(p.log) == len(self.plan) or p.me in [item[3] for item in p.got])

    def keeps(self, p: Peer) -> bool:
        """It heeds no certificate any more: it has a result, and has not voted itself, after a proof, to go on from further back."""
        mine = self.mine(p)
        free = self.rules.freed and p.fault is not None and mine is not None and mine[3] != STAY
        return self.rules.kept and self.finished(p) and not free

    def missing(self, p: Peer) -> tuple[int, ...]:
        log, got = (p.log, p.got) if p.next is None else (p.keys, p.given)
        owed = () if self.done(p) else self.owed(p)[len(log)]
        return tuple(seat for seat in owed if seat not in [item[3] for item in got])

    def has_left(self, p: Peer) -> frozenset[int]:
        return frozenset(item[1] for item in p.held if item[0] == "leaves")

    def gone_after(self, p: Peer, n: int) -> frozenset[int]:
        """Who had left in the state after so many rounds: a round to which it owed something has been filled by its good-bye."""
        byes = [item for item in p.held if item[0] == "leaves"]
        return frozenset(seat for _, seat, last in byes if any(seat in self.plan[i] for i in range(last + 1, n)))

    def take(self, p: Peer, item: Item) -> Peer:
        """An item arrives, or is made here."""
        if item in p.held:
            return p
        seat = author(item)
        here = item[1] == p.next if item[0] == "says" else p.next is None  # what belongs to an earlier match ends no later one
        proven = self.rules.compared and here and seat != p.me and contradicts(item, p.held)
        heard = p.unreached - {seat} if item[0] in ("says", "votes") and self.rules.taken_back else p.unreached
        disk = p.disk | {item} if item[0] == "leaves" else p.disk
        p = p._replace(held=p.held | {item}, unreached=heard, disk=disk)
        return self.settle(p._replace(fault=seat) if proven and p.fault is None and not self.done(p) else p)

    def settle(self, p: Peer) -> Peer:
        """Accept what fits, close rounds, go over to next matches and back from them."""
        while True:
            after = self.change(self.accept(p))
            if after == p:
                return p
            p = after

    def accept(self, p: Peer) -> Peer:
        while p.fault is None and not self.done(p):
            log, got = (p.log, p.got) if p.next is None else (p.keys, p.given)
            lacking = self.missing(p)
            new = [i for i in p.held if i[0] == "says" and i[3] in lacking and i[4] == log and i[1:3] == (p.next, len(log))]
            left = () if p.next is not None else [i[1] for i in p.held if i[0] == "leaves" and i[1] in lacking and i[2] < len(log)]
            new += [("says", None, len(log), seat, log, "bye") for seat in left]
            if new:
                first = min(new, key=order)
                got, disk = (*got, first), p.disk | {first} if first[5] != "bye" else p.disk
                p = p._replace(got=got, disk=disk) if p.next is None else p._replace(given=got, disk=disk)
            elif lacking:
                break
            else:
                log = (*log, tuple(sorted((i[3], i[5]) for i in got)))
                p = p._replace(log=log, got=(), followed=frozenset()) if p.next is None else p._replace(keys=log, given=())
        return p

    # -- next matches ---------------------------------------------------------------------------------------------

    def change(self, p: Peer) -> Peer:
        """Go back from a next match that is ended, over to one that all have signed, or believe to be voted out."""
        if p.out or self.keeps(p) or (p.next and self.done(p)):
            return p
        if p.next is not None and self.counts(p) and self.is_ended(p, p.next):
            back = p._replace(next=None, keys=(), given=(), ended=p.ended | {p.next})
            liars = sorted({author(i) for i in p.held if i[:2] == ("says", None) or i[0] in ("votes", "leaves") if contradicts(i, p.held)})
            return back._replace(fault=liars[0] if liars and self.rules.compared else None)
        assents = [item for item in p.held if item[0] == "assents"]
        for roster in sorted({item[1] for item in assents} - p.ended - {p.next}, key=order):
            whole = {item[2] for item in assents if item[1] == roster} >= set(self.remaining(roster))
            if whole and (p.next is None or roster[2] > p.next[2]) and self.goes_on(p, roster):
                if p.me not in self.remaining(roster):
                    return p._replace(out=roster)
                kept = {i for i in assents if i[1] == roster} | {i for i in votes_in(p.held) if (i[1], i[3]) == (roster[2], roster[1])}
                ended = p.ended | {p.next} if p.next is not None else p.ended
                return p._replace(next=roster, keys=(), given=(), ended=ended, fault=None, disk=p.disk | kept)
        return p

    def goes_on(self, p: Peer, roster: Item) -> bool:
        """Is this seat to follow that roster, which all have signed, into its match or out of the table?"""
        _, choice, round_ = roster
        n = len(choice[2])
        here = self.remaining(roster)
        shown = {i[2] for i in p.held if i[:2] == ("shows", roster)} & set(here)
        played = {i[3] for i in p.held if i[:2] == ("says", roster) and i[2] >= 1} & set(here)
        shown = played if self.rules.by_keys and p.me not in here else shown | played
        most = 2 * len(shown) > len(here) if self.rules.shown else 2 * len(shown) >= len(here)
        if not self.heeded(p, choice, [v for v in votes_in(p.held) if v[1] == round_ and v[3] == choice]):
            return False
        if p.log[:n] != choice[2][: len(p.log)]:
            return False
        if p.me not in here:
            return most
        if p.next is None:
            return len(p.log) >= n and (bool(shown) or self.decided(p) == (round_, choice))
        return bool(shown) and bool(most or not p.keys)

    def gave(self, p: Peer, seat: int) -> bool:
        """Has this seat given its keys in the next match?"""
        return len(p.keys) == 2 or (len(p.keys) == 1 and seat in [item[3] for item in p.given])

    def counts(self, p: Peer) -> bool:
        """Do the votes of the first match count for this seat?"""
        return p.next is None or not self.gave(p, p.me) or self.dead(p, p.next)

    def dead(self, p: Peer, roster: Item) -> bool:
        """Has one who plays there, and has not given its keys, said "stay" since, so that it gives none?"""
        others = [seat for seat in self.remaining(roster) if not (p.next == roster and self.gave(p, seat))]
        return self.rules.given_up and any(v[1] > roster[2] and v[2] in others and v[3] == STAY for v in votes_in(p.held))

    def is_ended(self, p: Peer, roster: Item) -> bool:
        later = {v[1] for v in votes_in(p.held) if v[1] > roster[2]}
        return self.rules.returns and (any(self.stays(p, round_) for round_ in later) or (p.next == roster and self.dead(p, roster)))

    # -- votes ----------------------------------------------------------------------------------------------------

    def mine(self, p: Peer) -> Item | None:
        return latest(p.held).get(p.me)

    def most(self, votes: int, voters: int) -> bool:
        return votes * self.rules.share > voters

    def stays(self, p: Peer, round_: int) -> bool:
        """Has more than half said "stay" in this vote round?"""
        playing = set(self.seats) - self.has_left(p)
        staying = [v for v in votes_in(p.held) if v[1] == round_ and v[2] in playing and v[3] == STAY]
        return 2 * len(staying) > len(playing)

    def heeded(self, p: Peer, choice: Item, votes: list[Item]) -> bool:
        """Do these votes, all the same, decide their choice for this seat?"""
        _, lost, history, byes = choice
        n = len(history)
        voters = set(self.seats) - self.gone_after(p, n) - set(byes)
        votes = [v for v in votes if v[2] in voters and v[2] not in lost]
        if not set(byes) <= self.has_left(p) or not self.most(len(votes), len(voters)):
            return False
        said = {seat: self.signed(p, seat) for seat in voters}
        least = min(said[seat] for seat in voters - set(lost)) if voters - set(lost) else -1
        return not self.rules.past or all(p.fault in lost and least <= n if v[4] else said[v[2]] <= n for v in votes)

    def signed(self, p: Peer, seat: int) -> int:
        """The last round of the first match in which it has said something that this seat holds; -1: none."""
        return max((item[2] for item in p.held if item[:2] == ("says", None) and item[3] == seat), default=-1)

    def signed_here(self, p: Peer, seat: int) -> int:
        """The last round in which this seat has accepted something of it; 0: none."""
        rounds = [*([who for who, _ in done] for done in p.log), [item[3] for item in p.got]]
        return max((n for n, seats in enumerate(rounds) if seat in seats), default=0)

    def decided(self, p: Peer) -> tuple[int, Item] | None:
        """The vote round and choice of the certificate that this seat heeds."""
        mine, votes = self.mine(p), votes_in(p.held)
        if self.keeps(p):
            return None
        for round_ in sorted({v[1] for v in votes if mine is None or v[1] >= mine[1]}, reverse=True):
            if self.stays(p, round_):
                return None
            here = [v for v in votes if v[1] == round_ and v[3] != STAY and v[2] not in self.has_left(p)]
            for choice in sorted({v[3] for v in here}, key=order):
                if self.heeded(p, choice, [v for v in here if v[3] == choice]):
                    return round_, choice
        return None

    def frozen(self, p: Peer) -> bool:
        """It signs nothing else in this match now."""
        mine = self.mine(p)
        if p.next is not None:  # who has taken its vote for it back gives no keys
            return len(p.keys) == 1 and mine is not None and mine[3] == STAY and mine[1] > p.next[2]
        bound = [i[1][2] for i in p.held if i[0] == "assents" and i[2] == p.me]
        stayed = any(self.stays(p, v[1]) for v in votes_in(p.held) if bound and v[1] > max(bound))
        return (mine is not None and mine[3] != STAY) or (bool(bound) and not stayed) or self.decided(p) is not None

    def here(self, p: Peer) -> tuple[Any, ...]:
        """From where this seat would go on: after a proof, from what all who vote so are seen to agree on."""
        n = len(p.log)
        for v in latest(p.held).values() if p.fault is not None and self.rules.agreed else ():
            if p.fault in (v[3][1] if v[3] != STAY else ()) and v[2] != p.fault and len(v[3][2]) <= len(p.log):
                theirs, signed = v[3][2], self.signed_here(p, v[2])
                n = min(n, max(len(theirs), signed) if p.log[: len(theirs)] == theirs else signed)
        return p.log[:n]

    def choice(self, p: Peer, lost: set[int]) -> Item:
        history = self.here(p)
        byes = self.has_left(p) - self.gone_after(p, len(history))
        return ("go", tuple(sorted(lost)), history, tuple(sorted(byes)))

    def still_lost(self, p: Peer) -> set[int]:
        """Whom its latest vote leaves behind with good reason."""
        mine = self.mine(p)
        if p.fault is not None:
            return {p.fault}
        lost = mine[3][1] if mine is not None and mine[3] != STAY else ()
        owes = len(p.log) == p.awaited
        return {seat for seat in lost if seat in p.unreached or (owes and self.waited(p, seat)) or not self.rules.taken_back}

    def waited(self, p: Peer, seat: int) -> bool:
        owed = () if len(p.log) == len(self.plan) else self.plan[len(p.log)]
        return seat in owed and seat not in [item[3] for item in p.got]

    def vote(self, p: Peer, choice: Item) -> Item:
        """A vote in the vote round in which this seat may vote now."""
        mine, highest = self.mine(p), max((v[1] for v in votes_in(p.held)), default=0)
        return (
            "votes",
            highest if mine is None or mine[1] < highest else mine[1] + 1,
            p.me,
            choice,
            p.fault is not None and choice != STAY,
        )

    def wish(self, p: Peer) -> tuple[Item, tuple[int, bool] | None] | None:
        """What the program votes now by itself, and whose "stay" it follows."""
        mine, votes = self.mine(p), votes_in(p.held)
        if not votes or p.out or p.me in self.has_left(p) or self.done(p) or not self.counts(p):
            return None
        if p.next is None and self.over(p) and p.fault is None:
            stood = mine is not None and mine[3] == STAY and mine[1] == max(v[1] for v in votes)
            going = mine is None or mine[3] == STAY or self.still_lost(p) or not self.rules.taken_back
            return None if stood or (self.decided(p) and going) else (self.vote(p, STAY), None)
        if mine is None or mine[3] == STAY:
            other = self.joins(p, -1 if mine is None else mine[1])
            return (self.vote(p, STAY), other) if other is not None else None
        lost = self.still_lost(p)
        waits = any(seat not in p.unreached for seat in lost)
        other = None if waits else self.joins(p, mine[1])
        if not lost or other is not None:
            return self.vote(p, STAY), other
        wish = self.choice(p, lost)
        return (self.vote(p, wish), None) if p.next is None and self.again(p, mine, wish) else None

    def again(self, p: Peer, mine: Item, wish: Item) -> bool:
        """Is it to vote so again, so that all who have voted alike end with equal votes?"""
        decided = self.decided(p)
        if decided is not None:
            makers = {v[2] for v in votes_in(p.held) if v[1] == decided[0] and v[3] == decided[1]} - {p.me}
            if not any(v[2] in makers and v[1] > decided[0] for v in votes_in(p.held)):
                return (wish[1], wish[3]) != (mine[3][1], mine[3][3]) or len(wish[2]) < len(mine[3][2])
        others = [v for v in votes_in(p.held) if v[2] not in wish[1] and v[3] != STAY and set(v[3][1]) & set(wish[1])]
        return wish != mine[3] or any(v[1] > mine[1] for v in others)

    def joins(self, p: Peer, after: int) -> tuple[int, bool] | None:
        """The seat whose later "stay" (True), or whose vote against this one, it follows with a "stay"."""
        mine = self.mine(p)
        others = {seat: v for seat, v in sorted(latest(p.held).items()) if seat != p.me and seat not in self.has_left(p)}
        if not self.rules.joined or (all(v[3] == STAY for v in others.values()) and (mine is None or mine[3] == STAY)):
            return None
        for seat, v in others.items():
            follows = seat, v[3] == STAY or not self.rules.apart
            if v[1] > after and follows not in p.followed and (v[3] == STAY or p.me in v[3][1]):
                return follows
        return None

    def other_stays(self, p: Peer, round_: int) -> bool:
        """Does another seat say "stay" in this vote round or later?"""
        return any(v[1] >= round_ and v[3] == STAY and v[2] != p.me for v in latest(p.held).values())

    def others_differ(self, p: Peer, mine: Item) -> bool:
        return any(v[1] >= mine[1] and v[3] != mine[3] for v in latest(p.held).values())

    def silences(self, p: Peer) -> list[tuple[Item, bool]]:
        """The votes that this seat's person can give: to wait, or without a seat that is out of contact (True) or gives no answer."""
        mine, decided = self.mine(p), self.decided(p)
        free = p.fault is not None and (self.rules.freed or not self.finished(p))
        if p.next is not None:
            called_back = self.counts(p) and mine is not None and mine[3] != STAY and self.other_stays(p, mine[1])
            return [(self.vote(p, STAY), False)] if called_back else []
        if p.out or p.me in self.has_left(p) or (self.over(p) and not free) or self.done(p):
            return []
        if p.fault is not None:
            waits = {(p.fault, False)}
        else:
            called = {seat for v in latest(p.held).values() if v[3] != STAY for seat in v[3][1]}
            waits = {(seat, True) for seat in (*called, *self.missing(p))}
            have = [i[2] for i in p.held if decided is not None and i[0] == "assents" and i[1][1:] == decided[::-1]]
            lacking = set(self.remaining(("next", *decided[::-1]))) - {*have} if decided is not None else self.missing(p)
            waits |= {(seat, contact) for seat in lacking for contact in (True, False)}
        found = []
        if mine is not None and p.fault is None and mine[3] != STAY and self.others_differ(p, mine):
            found.append((self.vote(p, STAY), False))
        for seat, contact in sorted(waits):
            lost = {seat} | (self.still_lost(p) if decided is None else set())
            if seat == p.me or seat in self.has_left(p) or 2 * (len(self.seats) - len(self.has_left(p) | lost)) <= len(self.seats):
                continue
            choice = self.choice(p, lost)
            if mine is None or mine[3] != choice:
                found.append((self.vote(p, choice), contact))
        return found

    def votes(self, p: Peer, vote: Item, follows: tuple[int, bool] | None = None, contact: bool | None = None) -> Peer:
        """Sign a vote, with what it stands for on disk."""
        lost = frozenset(vote[3][1]) if vote[3] != STAY else frozenset[int]()
        unreached = p.unreached & lost | (lost if contact else frozenset())
        followed = p.followed | {follows} if follows is not None else p.followed
        awaited = p.awaited if contact is None and lost else len(p.log)
        return self.sign(p._replace(unreached=unreached, followed=followed, awaited=awaited), vote)

    # -- what it does by itself and at once -----------------------------------------------------------------------

    def sign(self, p: Peer, item: Item) -> Peer:
        return self.take(p._replace(disk=p.disk | {item} if self.rules.disk_first else p.disk), item)

    def act(self, p: Peer, second: bool) -> Peer:
        """Sign what is owed, vote again as others have, assent to what is decided; `second`: a player may choose otherwise now."""
        while not p.out and p.me not in self.has_left(p):
            wish, assent = self.wish(p), self.assent(p)
            if p.me in self.missing(p) and p.fault is None and not p.unheard and not self.frozen(p):
                log = p.log if p.next is None else p.keys
                value = ("commitment", "keys")[len(log)] if p.next else "result" if self.over(p) else "y" if second else "x"
                p = self.sign(p, ("says", p.next, len(log), p.me, log, value))
            elif wish is not None and wish[0][1] < self.bounds.rounds:
                p = self.votes(p, *wish)
            elif assent is not None:
                p = self.sign(p, assent)
            else:
                break
        return p

    def assent(self, p: Peer) -> Item | None:
        decided = self.decided(p)
        if p.next is not None or decided is None or p.log[: len(decided[1][2])] != decided[1][2]:
            return None
        roster = ("next", decided[1], decided[0])
        item = ("assents", roster, p.me)
        return item if p.me in self.remaining(roster) and item not in p.held else None

    def crash(self, p: Peer, second: bool) -> Peer:
        """All is lost but the disk; what has been accepted is accepted again in its order."""
        old = Peer(p.me, disk=p.disk, held=p.disk, ended=p.ended, out=p.out, unheard=True, unreached=p.unreached)
        old = self.accept(old)
        old = self.settle(old._replace(next=p.next, awaited=len(old.log)) if p.next is not None else old._replace(awaited=len(old.log)))
        return self.act(old, second)
