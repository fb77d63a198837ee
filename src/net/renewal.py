"""How a table goes on without silent seats: votes, then a new roster that all who remain sign.  It knows messages and no links.

Every part is signed by whoever made it and may be forwarded by anybody, so that no seat has to lead and none has to be reachable by all.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..core.errors import LocalError
from ..core.plain import BadEncoding, decode, digest, encode
from . import wire
from .ballot import Ballot
from .book import Book
from .identity import Identity, good_key, verify
from .log import LEAVE, Signed, genuine, parse
from .roster import Origin, Roster, Seat
from .votes import MAX_ROUNDS, STAY, Choice, Vote, byes, cast, certificate, proof_hash, read, stands, without

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

    def __init__(self, book: Book, signer: Identity | None, identity: Identity | None, resumed: bool = False) -> None:
        self.book, self.roster, self.me, self.signer, self.identity = book, book.roster, book.table.me, signer, identity
        self.ballot = Ballot(book)
        self.resumed = resumed
        self.signed_round = -1  # the latest vote round of which this seat has signed a next roster
        self.fresh: dict[int, wire.Fresh] = {}
        self.assents: dict[int, wire.Assent] = {}
        self.draft: Roster | None = None
        self.remain: tuple[int, ...] = ()  # who will play on, once that is decided
        self.evidence: tuple[str, int, tuple[tuple[bytes, bytes], ...]] | None = None
        self._against: list[wire.Message] = []  # what shows it to others

    @property
    def choice(self) -> Choice | None:
        """What has been decided: ("go", seats, step, digest)."""
        decided = self.ballot.decided
        return decided[0].choice if decided else None

    @property
    def frozen(self) -> bool:
        """This seat has voted to go on, or signed a next roster that no majority has taken back: it signs nothing else in this match."""
        bound = self.signed_round >= 0 and not self.ballot.stays_after(self.signed_round)
        return self.ballot.frozen or bound or self.choice is not None

    @property
    def lacking(self) -> tuple[int, ...]:
        """The seats whose part or signature the decided roster still lacks."""
        have = self.fresh if self.draft is None else self.assents
        return tuple(seat for seat in self.remain if seat not in have)

    def vote(self, choice: Choice) -> Vote:
        """This seat's vote in the next vote round; the caller keeps it on disk and sends it.  LocalError if there is none to give."""
        if self.me is None or self.signer is None or self.ballot.next_round >= MAX_ROUNDS:
            raise LocalError("not-asked")
        fault = self.book.fault
        proof = proof_hash(fault.against) if fault is not None and fault.seat is not None and choice != STAY else None
        return cast(self.roster, self.ballot.next_round, self.me, choice, self.signer, proof, self.resumed)

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

    def step(self, decided: Sequence[Vote], snapshot: bytes, gone: tuple[int, ...]) -> None:
        """Do our part as soon as it is due: `snapshot` and `gone` are those of the public state from which all go on.

        A vote that comes late makes another draft: all who remain end with the same, for all have the same votes in the end.
        """
        choice = decided[0].choice
        self.remain = tuple(seat for seat in self.roster.here if seat not in gone)
        if self.me not in self.remain or self.signer is None or self.identity is None:
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
        signed: list[Vote | Signed] = [*decided, *(self.book.good_byes[seat] for seat in byes(choice))]
        votes = tuple((one.data, one.signature) for one in signed)
        origin = Origin(self.roster.match, choice[2], choice[3], snapshot, gone, votes)
        draft = replace(self.roster, seats=seats, signatures=(), origin=origin.plain())
        if draft != self.draft:
            self.draft, self.signed_round = draft, decided[0].round
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
        return [*self.ballot.said(), *self.fresh.values(), *self.assents.values(), *self._against]


def parted(before: Roster, after: Roster) -> tuple[list[Vote], list[Signed]]:
    """The votes by which `after` goes on from `before`, and the good-byes that stand behind them.  Raises BadEncoding."""
    votes: list[Vote] = []
    left: list[Signed] = []
    for data, signature in after.come_from.votes if after.come_from is not None else ():
        try:
            said = parse(data, before)
        except BadEncoding:
            votes.append(read(data, signature, before))
            if left:
                raise BadEncoding("a good-bye before a vote") from None
        else:
            if said.kind != LEAVE or not genuine(data, signature, said, before):
                raise BadEncoding("neither a vote nor a good-bye")
            left.append(Signed(data, signature, said))
    return votes, left


def goes_on(
    chain: Sequence[Roster], after: Roster, gone: Collection[int], said: Mapping[int, int], proven: Collection[int] | None = None
) -> tuple[int, ...]:
    """The seats without which `after` goes on from the last roster of the chain; raises BadEncoding unless a certificate says so.

    `gone` are the seats that had left in the state from which it goes on, `said` the highest step at which each seat has signed a
    contribution, as far as it is known, and `proven` the seats against which a proof is known (None: a file holds none, and what a vote
    says of one is believed).  Whoever takes the public state from there checks the origin's digest and snapshot, and the good-byes' keys.
    """
    before, origin = chain[-1], after.come_from
    if origin is None or origin.match != before.match:
        raise BadEncoding("not the next match")
    votes, left = parted(before, after)
    voters = [seat for seat in before.voters if seat not in gone]
    choice = certificate(voters, votes)
    if choice is None or choice == STAY or choice[2:4] != (origin.step, origin.digest):
        raise BadEncoding("nobody has decided that")
    ordered = [vote.seat for vote in votes] == sorted(vote.seat for vote in votes)
    if not ordered or tuple(one.said.seat for one in left) != byes(choice) or set(byes(choice)) & set(gone):
        raise BadEncoding("other good-byes than those that are counted")
    lost = tuple(sorted({*without(choice), *byes(choice)} - {*gone}))
    remain = [seat for seat in before.here if seat not in (*gone, *lost)]
    persons, known = [seat for seat in remain if seat in voters], proven is None or bool(set(proven) & set(without(choice)))
    if not all(stands(vote, said, persons, known) for vote in votes):
        raise BadEncoding("behind what those who vote have signed")
    old = {value for roster in chain for seat in roster.seats for value in (seat.signing, seat.nonce)}
    fresh = [value for seat in remain for value in (after.seats[seat].signing, after.seats[seat].nonce)]
    same = replace(before, seats=_renewed(before, after, remain), signatures=after.signatures, origin=after.origin)
    agreed = origin.gone == tuple(sorted({*gone, *lost}))  # else one seat of the majority could shut out all others alone
    if same != after or not agreed or old & set(fresh) or len(set(fresh)) < len(fresh) or after.fault() is not None:
        raise BadEncoding("not the roster of those who remain")
    return lost


def _renewed(before: Roster, after: Roster, remain: Collection[int]) -> tuple[Seat, ...]:
    """The seats of the old roster, in which those that remain have the new keys and nonces."""
    if len(before.seats) != len(after.seats):
        raise BadEncoding("not the roster of those who remain")
    pairs = enumerate(zip(before.seats, after.seats, strict=True))
    return tuple(replace(old, signing=new.signing, nonce=new.nonce) if i in remain else old for i, (old, new) in pairs)


def rank(before: Roster, roster: Roster) -> tuple[int, int, bytes]:
    """Which of two rosters that go on from `before` holds, if a seat has signed both: a later vote round, more votes, the larger hash."""
    votes, _ = parted(before, roster)
    return max((vote.round for vote in votes), default=-1), len(votes), roster.match
