"""A match written down without a network: all its seats in one place, each with its own keys, in the one order that a file has.

No session takes part, so that what is sent when changes no byte of it.  All randomness comes from a label.
"""

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from mastaba.core.fair.chain import Chain
from mastaba.core.fair.keys import Secrets
from mastaba.core.games import GAMES, data_hash
from mastaba.core.plain import encode
from mastaba.core.rules import Choose, ChooseAll, Hide, Options
from mastaba.net import log, votes
from mastaba.net.identity import Identity
from mastaba.net.log import LEAVE, Contribution, Signed
from mastaba.net.match import Match
from mastaba.net.renewal import fresh_key
from mastaba.net.replay import Replay
from mastaba.net.roster import Origin, Roster, Seat

from .tables import path_of

Rng = Callable[[int], bytes]
NAMES = ("Ana", "Beto", "Cleo", "Dan", "Eva", "Farid")


def stream(label: str) -> Rng:
    """Bytes that follow from the label alone: SHA-512 of it and a counter, one block after the other."""
    left, count = bytearray(), 0

    def take(n: int) -> bytes:
        nonlocal count
        while len(left) < n:
            left.extend(hashlib.sha512(f"mastaba vectors 1/{label}/{count}".encode()).digest())
            count += 1
        taken = bytes(left[:n])
        del left[:n]
        return taken

    return take


def picked(rng: Rng, options: Iterable[Any]) -> Any:
    """One of them."""
    listed = list(options)
    return listed[int.from_bytes(rng(8), "big") % len(listed)]


def item(one: Signed | log.Statement) -> bytes:
    return encode((one.data, one.signature))


def kind_of(stage: Any) -> str:
    """The name of a round's kind; of one that is answered alone, that of its first request."""
    return type(stage.first).__name__ if isinstance(stage, Chain) else type(stage).__name__


class Scribe:
    """One chain of matches.  `replays` are those of the seats that still play, by seat; `items` is the file so far."""

    def __init__(
        self,
        label: str,
        game: str,
        seats: int,
        first: int | None = None,
        bots: Mapping[int, int] = MappingProxyType({}),
        names: tuple[str, ...] = NAMES,
        variant: str = "",
        audit: bool = True,
        shipped: bool = False,
        same_keys: tuple[int, ...] = (),
    ) -> None:
        self.rng = stream(label)
        toml = path_of(game, shipped).read_bytes()
        data = GAMES[game].load(tomllib.loads(toml.decode()))
        self.identities = [Identity.from_secret(self.rng(32)) for _ in range(seats)]
        self.signers = [Identity.from_secret(self.rng(32)) for _ in range(seats)]
        self.spare: list[Identity] = []  # of seats that a forged roster adds
        keys = enumerate(zip(self.identities, self.signers, strict=True))
        chairs = tuple(Seat(i.public, names[n], s.public, self.rng(32), bots.get(n)) for n, (i, s) in keys)
        bare = Roster(game, GAMES[game].rules.VERSION, Options(first, variant=variant, audit=audit), data_hash(data), chairs)
        self.first = bare.with_signatures(tuple(bare.sign(one) for one in self.identities))
        assert self.first.fault() is None
        self.match = Match(self.first, data, toml)
        own = [Secrets.generate(self.rng) for _ in range(seats)]
        owns = [own[same_keys[0]] if seat in same_keys else own[seat] for seat in range(seats)]
        self.replays = {seat: Replay(self.first, self.match.table(seat, owns[seat])) for seat in range(seats)}
        self.chain = [self.first]
        self.items = [self.first.encode()]
        self.likes: Callable[[Any, Any, list[Any]], list[Any]] = lambda rules, request, moves: moves

    # -- what a seat says -------------------------------------------------------------------------------------------

    @property
    def replay(self) -> Replay:
        return next(iter(self.replays.values()))

    @property
    def table(self) -> Any:
        return self.replay.table

    @property
    def roster(self) -> Roster:
        return self.chain[-1]

    @property
    def kind(self) -> str:
        return kind_of(self.table.stage)

    def body(self, seat: int) -> tuple[Any, Any]:
        """What the seat would say honestly, and what it keeps of it; its player picks moves at random."""
        table = self.replays[seat].table
        while (request := table.decision) is not None:
            rules = table.sight
            assert isinstance(request, Choose | ChooseAll | Hide)
            moves = rules.own_values(request, seat) if isinstance(request, Hide) else rules.own_moves(request, seat)
            table.answer(self.rng, picked(self.rng, self.likes(rules, request, list(moves))))
        return table.make(self.rng)

    def signed(self, seat: int, body: Any, **changes: Any) -> Signed:
        """A contribution of the seat to the round under way, with these fields changed."""
        r = self.replay
        said = Contribution(self.roster.match, r.table.step, r.table.round, seat, r.prev, r.state, body)
        return log.sign(replace(said, **changes), self.signers[seat])

    def tell(self, signed: Signed, private: Any = None) -> None:
        for seat, replay in self.replays.items():
            if private is not None and seat == signed.said.seat:
                replay.table.remember(private)
            replay.take(signed)
        self.items.append(item(signed))

    def say(self, seat: int) -> Signed:
        body, private = self.body(seat)
        signed = self.signed(seat, body)
        self.tell(signed, private)
        return signed

    def play(self, until: Callable[[], bool] = lambda: False) -> bool:
        """On to where `until` holds, before the next seat says anything; False if the match is over first."""
        while not until():
            if self.table.done:
                return False
            self.say(self.table.missing[0])
        return True

    def find(self, forger: Callable[["Scribe", int, Any], Any]) -> tuple[int, Any] | None:
        """On to the first honest body for which `forger(self, seat, body)` gives another: (seat, that); None if there is none."""
        while not self.table.done:
            seat = self.table.missing[0]
            body, private = self.body(seat)
            if (forged := forger(self, seat, body)) is not None:
                return seat, forged
            self.tell(self.signed(seat, body), private)
        return None

    def at(self, kind: str, seat: int | None = None) -> Callable[[], bool]:
        """Is it this seat's turn, or anybody's, to say something in a round of this kind?"""
        return lambda: (
            not self.table.done and self.kind == kind and self.table.missing[0] in (seat, *range(6))[: 1 if seat is not None else 7]
        )

    def between(self, step: int) -> Callable[[], bool]:
        """Has so much been answered, and nobody said anything since?"""
        return lambda: self.table.step >= step and self.table.round == 0 and not self.replay.datas.keys() - self.replay.left.keys()

    def bye(self, seat: int, body: Any = None, **changes: Any) -> Signed:
        """The seat's good-bye, as it would be said now."""
        last = self.replay.filled[seat]
        prev = self.replay.prevs[last.place]
        said = Contribution(
            self.roster.match, last.step, last.round, seat, prev, last.state, body or self.replays[seat].table.good_bye(), LEAVE
        )
        return log.sign(replace(said, **changes), self.signers[seat])

    def leave(self, seat: int) -> Signed:
        """It says good-bye; its turn has to be the next."""
        signed = self.bye(seat)
        self.tell(signed)
        del self.replays[seat]
        return signed

    # -- the next match ---------------------------------------------------------------------------------------------

    def vote(self, seat: int, choice: votes.Choice, round_: int = 0, proof: bytes | None = None, resumed: bool = False) -> votes.Vote:
        return votes.cast(self.roster, round_, seat, choice, self.signers[seat], proof, resumed)

    def choice(self, lost: tuple[int, ...], byes: tuple[int, ...] = ()) -> votes.Choice:
        return ("go", lost, self.table.step - 1, self.replay.prev, byes)

    def next_roster(self, ballots: Iterable[votes.Vote], left: Iterable[Signed] = ()) -> Roster:
        """The roster that goes on by these votes, signed by all who remain."""
        before, ballots, left = self.roster, list(ballots), list(left)
        _, lost, step, digest, byes = ballots[0].choice
        rules = self.table.rules.copy()
        rules.lost(*sorted({*lost, *byes} - {*rules.gone}))
        gone = tuple(rules.gone)
        signed = tuple((one.data, one.signature) for one in (*ballots, *left))
        chairs = []
        for seat, chair in enumerate(before.seats):
            if seat not in gone:
                key, nonce = fresh_key(self.signers[seat])
                chair = replace(chair, signing=key.public, nonce=nonce)
            chairs.append(chair)
        origin = Origin(before.match, step, digest, rules.digest(), gone, signed)
        return self.sealed(replace(before, seats=tuple(chairs), origin=origin.plain()))

    def sealed(self, roster: Roster) -> Roster:
        """With the signatures of all who play there."""
        bare = replace(roster, signatures=())
        keys = {one.public: one for one in (*self.identities, *self.spare)}
        return bare.with_signatures(tuple(bare.sign(keys[s.identity]) if i in bare.here else b"" for i, s in enumerate(bare.seats)))

    def go_on(self, roster: Roster) -> None:
        for seat in [seat for seat in self.replays if seat not in roster.here]:
            del self.replays[seat]
        for seat, replay in self.replays.items():
            replay.go_on(roster)
            replay.table._own = Secrets.generate(self.rng)
            self.signers[seat] = fresh_key(self.signers[seat])[0]
        self.chain.append(roster)
        self.items.append(roster.encode())

    def without(self, *lost: int, voters: Iterable[int] | None = None, left: Iterable[Signed] = (), **grounds: Any) -> Roster:
        """Those who remain vote, and the match goes on without these seats and those whose good-byes stand beside the votes."""
        left = list(left)
        byes = tuple(one.said.seat for one in left)
        remain = [seat for seat in self.roster.voters if seat not in (*lost, *byes, *self.table.rules.gone)]
        choice = self.choice(tuple(lost), byes)
        roster = self.next_roster([self.vote(seat, choice, **grounds) for seat in (remain if voters is None else voters)], left)
        self.go_on(roster)
        return roster

    # -- files --------------------------------------------------------------------------------------------------------

    def file(self, void: Iterable[Signed] = ()) -> bytes:
        """The transcript so far."""
        return log.pack_file(log.TRANSCRIPT, [*self.items, *(encode((log.VOID, one.data, one.signature)) for one in void)])

    def evidence(self, *against: Signed | log.Statement, items: list[bytes] | None = None) -> bytes:
        """The file that holds these against what was said so far."""
        said = self.items if items is None else items
        return log.pack_file(log.EVIDENCE, [encode((len(said), len(against))), *said, *map(item, against)])
