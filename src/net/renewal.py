"""How a table goes on without a silent seat: votes, then a new roster that all who remain sign.  It knows messages and no links.

Every part is signed by whoever made it and may be forwarded by anybody, so that no seat has to lead and none has to be reachable by all.
"""

from dataclasses import replace

from ..core.errors import LocalError
from ..core.plain import BadEncoding, digest, encode
from . import wire
from .identity import Identity, good_key, verify
from .roster import Origin, Roster, Seat
from .votes import MAX_ROUNDS, STAY, Ballot, Choice, Vote, cast, certificate, read

LABEL = b"mastaba fresh 1"  # every signature starts with a label of its purpose


def fresh_key(signer: Identity, choice: Choice) -> tuple[Identity, bytes]:
    """This seat's match key and nonce in the match that goes on by that choice.

    Made from the key of the match before, which nobody else has, so that a crash in between changes nothing.
    """
    secret = digest(b"mastaba fresh key 1", signer.secret, encode(choice))
    return Identity.from_secret(secret), digest(b"mastaba fresh nonce 1", signer.secret, encode(choice))


def _signed(message: wire.Fresh) -> bytes:
    return encode((message.match, message.seat, message.nonce, message.signing))


class Renewal:
    """Votes and the making of the next roster, from one seat's sight.  `outbox` is for all links; it is said again from time to time."""

    def __init__(self, roster: Roster, me: int | None, signer: Identity | None, identity: Identity | None) -> None:
        self.roster, self.me, self.signer, self.identity = roster, me, signer, identity
        self.ballot = Ballot(roster, me)
        self.fresh: dict[int, wire.Fresh] = {}
        self.assents: dict[int, wire.Assent] = {}
        self.draft: Roster | None = None
        self.evidence: tuple[Vote, Vote] | None = None

    @property
    def choice(self) -> Choice | None:
        """What has been decided: ("go", seat, step, digest)."""
        return self.ballot.decided[0].choice if self.ballot.decided else None

    def vote(self, choice: Choice) -> Vote:
        """This seat's vote in the next vote round; the caller keeps it on disk and sends it.  LocalError if there is none to give."""
        if self.me is None or self.signer is None or self.choice is not None or self.ballot.next_round >= MAX_ROUNDS:
            raise LocalError("not-asked")
        return cast(self.roster, self.ballot.next_round, self.me, choice, self.signer)

    def take_vote(self, message: wire.Vote) -> bool:
        """Book a vote; True if it is new.  Raises BadEncoding for what nobody of the roster has signed."""
        vote = read(message.body, message.signature, self.roster)
        before = len(self.ballot.votes)
        held = self.ballot.take(vote)
        if held is not None:
            self.evidence = self.evidence or (held, vote)
        return len(self.ballot.votes) > before

    def take_fresh(self, message: wire.Fresh) -> bool:
        """Book a seat's part of the next roster; the first one counts.  Raises BadEncoding if its identity has not signed it."""
        if message.seat in self.fresh or message.match != self.roster.match:
            return False
        if message.seat not in self.roster.here or not good_key(message.signing) or len(message.nonce) != 32:
            raise BadEncoding("no part of a roster")
        if not verify(self.roster.seats[message.seat].identity, LABEL, _signed(message), message.signature):
            raise BadEncoding("bad signature")
        self.fresh[message.seat] = message
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

    def step(self, snapshot: bytes, gone: tuple[int, ...]) -> None:
        """Do our part as soon as it is due: `snapshot` and `gone` are those of the public state from which all go on."""
        choice = self.choice
        remain = [seat for seat in self.roster.here if seat not in gone]
        if choice is None or self.me not in remain or self.signer is None or self.identity is None:
            return
        if self.me not in self.fresh:
            key, nonce = fresh_key(self.signer, choice)
            unsigned = wire.Fresh(self.roster.match, self.me, nonce, key.public, b"")
            self.fresh[self.me] = replace(unsigned, signature=self.identity.sign(LABEL, _signed(unsigned)))
        if self.draft is None and set(remain) <= set(self.fresh):
            seats = tuple(
                Seat(s.identity, s.name, self.fresh[i].signing, self.fresh[i].nonce) if i in remain else s
                for i, s in enumerate(self.roster.seats)
            )
            votes = tuple((vote.data, vote.signature) for vote in self.ballot.decided)
            origin = Origin(self.roster.match, choice[2], choice[3], snapshot, gone, votes)
            self.draft = replace(self.roster, seats=seats, signatures=(), origin=origin.plain())
            self.assents[self.me] = wire.Assent(self.draft.match, self.me, self.draft.sign(self.identity))

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
        return [*votes, *self.fresh.values(), *self.assents.values()]


def goes_on(before: Roster, after: Roster, gone: tuple[int, ...]) -> Choice:
    """The choice by which `after` goes on from `before`; raises BadEncoding unless a certificate of those who still played says so.

    `gone` are the seats that had left by then.  Who takes the public state from there checks the origin's digest and snapshot.
    """
    origin = after.come_from
    if origin is None or origin.match != before.match:
        raise BadEncoding("not the next match")
    votes = [read(data, signature, before) for data, signature in origin.votes]
    choice = certificate([seat for seat in before.here if seat not in gone], votes)
    if choice is None or choice == STAY or choice[2:] != (origin.step, origin.digest) or choice[1] in after.here:
        raise BadEncoding("nobody has decided that")
    same = replace(before, seats=after.seats, signatures=after.signatures, origin=after.origin)
    kept = [(s.identity, s.name) for s in before.seats] == [(s.identity, s.name) for s in after.seats]
    if same != after or not kept or after.fault() is not None:
        raise BadEncoding("not the roster of those who remain")
    return choice
