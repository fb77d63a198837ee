"""How a table goes on without silent seats: votes, then a new roster that all who remain sign.  It knows messages and no links.

Every part is signed by whoever made it and may be forwarded by anybody, so that no seat has to lead and none has to be reachable by all.
"""

from collections.abc import Sequence
from dataclasses import replace

from ..core.errors import LocalError
from ..core.plain import BadEncoding, decode, digest, encode
from . import wire
from .identity import Identity, good_key, verify
from .log import LEAVE, Signed, genuine, parse
from .roster import Origin, Roster
from .votes import MAX_ROUNDS, STAY, Ballot, Choice, Vote, cast, certificate, read, without

LABEL = b"mastaba fresh 1"  # every signature starts with a label of its purpose


def fresh_key(signer: Identity) -> tuple[Identity, bytes]:
    """This seat's match key and nonce in the match that goes on from the one whose key this is.

    Made from that key, which nobody else has, so that a crash in between changes nothing: a seat has one part to give in each match.
    """
    return Identity.from_secret(digest(b"mastaba fresh key 1", signer.secret)), digest(b"mastaba fresh nonce 1", signer.secret)


def _signed(message: wire.Fresh) -> bytes:
    return encode((message.match, message.seat, message.nonce, message.signing))


def read_fresh(data: bytes, signature: bytes, roster: Roster) -> wire.Fresh:
    """A seat's part of the roster of the match after this one, from its signed bytes; raises BadEncoding unless its identity signed it."""
    try:
        match, seat, nonce, signing = decode(data, 256)
        message = wire.Fresh(match, seat, nonce, signing, signature, b"")
        good = message.match == roster.match and message.seat in roster.here and len(message.nonce) == 32 and good_key(message.signing)
    except (TypeError, ValueError):
        raise BadEncoding("no part of a roster") from None
    if not good or _signed(message) != data:
        raise BadEncoding("no part of a roster")
    if not verify(roster.seats[message.seat].identity, LABEL, data, signature):
        raise BadEncoding("bad signature")
    return message


class Renewal:
    """Votes and the making of the next roster, from one seat's sight.  What `said` gives is for all links, again and again.

    `evidence` is (claim, seat, two pairs of bytes and signature) once a seat has signed what contradicts itself.
    """

    def __init__(self, roster: Roster, me: int | None, signer: Identity | None, identity: Identity | None) -> None:
        self.roster, self.me, self.signer, self.identity = roster, me, signer, identity
        self.ballot = Ballot(roster, me)
        self.fresh: dict[int, wire.Fresh] = {}
        self.assents: dict[int, wire.Assent] = {}
        self.draft: Roster | None = None
        self.remain: tuple[int, ...] = ()  # who will play on, once that is decided
        self.evidence: tuple[str, int, tuple[tuple[bytes, bytes], ...]] | None = None
        self._against: list[wire.Message] = []  # what shows it to others

    @property
    def choice(self) -> Choice | None:
        """What has been decided: ("go", seats, step, digest)."""
        return self.ballot.decided[0].choice if self.ballot.decided else None

    @property
    def lacking(self) -> tuple[int, ...]:
        """The seats whose part or signature the decided roster still lacks."""
        have = self.fresh if self.draft is None else self.assents
        return tuple(seat for seat in self.remain if seat not in have)

    def vote(self, choice: Choice) -> Vote:
        """This seat's vote in the next vote round; the caller keeps it on disk and sends it.  LocalError if there is none to give."""
        if self.me is None or self.signer is None or self.ballot.next_round >= MAX_ROUNDS:
            raise LocalError("not-asked")
        return cast(self.roster, self.ballot.next_round, self.me, choice, self.signer)

    def take_vote(self, message: wire.Vote) -> bool:
        """Book a vote; True if it is news.  Raises BadEncoding for what nobody of the roster has signed."""
        vote = read(message.body, message.signature, self.roster)
        before = (vote.round, vote.seat) in self.ballot.votes
        held = self.ballot.take(vote)
        if held is not None:
            return self._accuse("two-votes", vote.seat, ((held.data, held.signature), (vote.data, vote.signature)), message)
        return not before and (vote.round, vote.seat) in self.ballot.votes  # one older than all that are kept is no news

    def take_fresh(self, message: wire.Fresh) -> bool:
        """Book a seat's part of the next roster; True if it is news.  Raises BadEncoding if its identity has not signed it."""
        if message.match != self.roster.match or message == self.fresh.get(message.seat):
            return False
        read_fresh(_signed(message), message.signature, self.roster)
        if not verify(message.signing, LABEL, _signed(message), message.owned):
            raise BadEncoding("bad signature")
        held = self.fresh.setdefault(message.seat, message)
        if _signed(held) != _signed(message):
            pair = ((_signed(held), held.signature), (_signed(message), message.signature))
            return self._accuse("two-parts", message.seat, pair, message)
        return held is message

    def _accuse(self, claim: str, seat: int, pair: tuple[tuple[bytes, bytes], ...], message: wire.Message) -> bool:
        if self.evidence is not None:
            return False
        self.evidence = claim, seat, pair
        self._against = [message]
        return True

    def take_assent(self, message: wire.Assent) -> bool:
        """Book a seat's signature on the draft; True if it is new and good."""
        draft = self.draft
        if draft is None or message.match != draft.match or message.seat in self.assents or message.seat not in draft.here:
            return False
        if not draft.signed_by(message.seat, message.signature):
            raise BadEncoding("bad signature")
        self.assents[message.seat] = message
        return True

    def step(self, snapshot: bytes, gone: tuple[int, ...], left: Sequence[Signed] = ()) -> None:
        """Do our part as soon as it is due: `snapshot` and `gone` are those of the public state from which all go on.

        `left`: the good-byes of seats that play there still, as proof that they are not to be counted.

        A vote that comes late makes another draft: all who remain end with the same, for all have the same votes in the end.
        """
        choice = self.choice
        self.remain = tuple(seat for seat in self.roster.here if seat not in gone)
        if choice is None or self.me not in self.remain or self.signer is None or self.identity is None:
            return
        if self.me not in self.fresh:
            key, nonce = fresh_key(self.signer)
            unsigned = wire.Fresh(self.roster.match, self.me, nonce, key.public, b"", b"")
            said = _signed(unsigned)
            self.fresh[self.me] = replace(unsigned, signature=self.identity.sign(LABEL, said), owned=key.sign(LABEL, said))
        if not set(self.remain) <= set(self.fresh):
            return
        seats = tuple(
            replace(s, signing=self.fresh[i].signing, nonce=self.fresh[i].nonce) if i in self.remain else s
            for i, s in enumerate(self.roster.seats)
        )
        votes = (*((vote.data, vote.signature) for vote in self.ballot.decided), *((one.data, one.signature) for one in left))
        origin = Origin(self.roster.match, choice[2], choice[3], snapshot, gone, votes)
        draft = replace(self.roster, seats=seats, signatures=(), origin=origin.plain())
        if draft != self.draft:
            self.draft = draft
            self.assents = {self.me: wire.Assent(draft.match, self.me, draft.sign(self.identity))}

    @property
    def agreed(self) -> Roster | None:
        """The next roster with all signatures."""
        if self.draft is None or not set(self.draft.here) <= set(self.assents):
            return None
        signatures = tuple(self.assents[seat].signature if seat in self.draft.here else b"" for seat in range(len(self.roster.seats)))
        return self.draft.with_signatures(signatures)

    def said(self) -> list[wire.Message]:
        """All that others may lack."""
        votes = [wire.Vote(vote.data, vote.signature) for _, vote in sorted(self.ballot.votes.items())]
        return [*votes, *self.fresh.values(), *self.assents.values(), *self._against]


def parted(before: Roster, after: Roster) -> tuple[list[Vote], tuple[int, ...]]:
    """The votes by which `after` goes on from `before`, and the seats whose good-bye stands beside them.  Raises BadEncoding."""
    votes, left = [], set()
    for data, signature in after.come_from.votes if after.come_from is not None else ():
        try:
            said = parse(data, before)
        except BadEncoding:
            votes.append(read(data, signature, before))
        else:
            if said.kind != LEAVE or not genuine(data, signature, said, before):
                raise BadEncoding("neither a vote nor a good-bye")
            left.add(said.seat)
    return votes, tuple(sorted(left))


def goes_on(before: Roster, after: Roster, gone: tuple[int, ...]) -> tuple[int, ...]:
    """The seats without which `after` goes on from `before`; raises BadEncoding unless a certificate of those who still played says so.

    `gone` are the seats that had left by then.  Who takes the public state from there checks the origin's digest and snapshot.
    """
    origin = after.come_from
    if origin is None or origin.match != before.match:
        raise BadEncoding("not the next match")
    votes, left = parted(before, after)
    choice = certificate([seat for seat in before.here if seat not in (*gone, *left)], votes)
    if choice is None or choice == STAY or choice[2:] != (origin.step, origin.digest):
        raise BadEncoding("nobody has decided that")
    same = replace(before, seats=after.seats, signatures=after.signatures, origin=after.origin)
    kept = [(s.identity, s.name, s.bot) for s in before.seats] == [(s.identity, s.name, s.bot) for s in after.seats]
    lost = tuple(sorted({*without(choice), *left} - {*gone}))
    agreed = origin.gone == tuple(sorted({*gone, *lost}))  # else one seat of the majority could shut out all others alone
    if same != after or not kept or not agreed or after.fault() is not None:
        raise BadEncoding("not the roster of those who remain")
    return lost


def rank(before: Roster, roster: Roster) -> tuple[int, int, bytes]:
    """Which of two rosters that go on from `before` holds, if a seat has signed both: a later vote round, more votes, the larger hash."""
    votes, _ = parted(before, roster)
    return max((vote.round for vote in votes), default=-1), len(votes), roster.match
