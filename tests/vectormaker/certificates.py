"""Transcripts with a next roster that no votes decide on, or that does not fit the match before; all who play on have signed it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from mastaba.core.plain import decode, encode
from mastaba.net.identity import Identity
from mastaba.net.log import VOID
from mastaba.net.roster import Roster, Seat
from mastaba.net.votes import Vote

from .refusals import pack, row
from .rows import Row, false
from .scribe import Scribe
from .transcripts import begun, void

EARLY = 2  # steps: the coin has fallen, and no card was touched
KEY = Identity.from_secret(b"\x07" * 32)  # nobody's

Change = Callable[[Scribe, Roster, Roster], Roster]


def line(seat: int, **changes: Any) -> Change:
    """Another line of that seat."""
    return lambda scribe, before, after: replace(
        after, seats=tuple(replace(s, **changes) if i == seat else s for i, s in enumerate(after.seats))
    )


def origin(**changes: Any) -> Change:
    return lambda scribe, before, after: replace(after, origin=replace(after.come_from, **changes).plain())


def signed_by(change: Callable[[list[tuple[bytes, bytes]]], list[tuple[bytes, bytes]]]) -> Change:
    """Other votes and good-byes."""
    return lambda scribe, before, after: replace(
        after, origin=replace(after.come_from, votes=tuple(change(list(after.come_from.votes)))).plain()
    )


def voted(make: Callable[[Scribe, tuple[Any, ...]], list[Vote]]) -> Change:
    """Votes of other kinds, with the good-bye behind them; `make` is given the honest choice."""

    def change(scribe: Scribe, before: Roster, after: Roster) -> Roster:
        byes = after.come_from.votes[2:]
        choice = decode(after.come_from.votes[0][0])[5]
        return replace(
            after, origin=replace(after.come_from, votes=(*((v.data, v.signature) for v in make(scribe, choice)), *byes)).plain()
        )

    return change


def bye_with_other_keys(scribe: Scribe, before: Roster, after: Roster) -> Roster:
    bad = scribe.bye(LEFT, tuple(x.encode() for x in (scribe.replays[0].table.own.face,) * 3))
    return replace(after, origin=replace(after.come_from, votes=(*after.come_from.votes[:2], (bad.data, bad.signature))).plain())


LOST, LEFT, REMAIN = 3, 2, (0, 1)

CERTIFICATES: dict[str, tuple[str, Change]] = {
    "old-key": ("seat 0 has its old match key again", lambda s, b, a: line(0, signing=b.seats[0].signing)(s, b, a)),
    "old-nonce": ("seat 0 has its old nonce again", lambda s, b, a: line(0, nonce=b.seats[0].nonce)(s, b, a)),
    "same-nonce-twice": ("seats 0 and 1 have the same nonce", lambda s, b, a: line(0, nonce=a.seats[1].nonce)(s, b, a)),
    "key-of-the-lost": ("the match key of the lost seat is replaced", line(LOST, signing=KEY.public)),
    "nonce-of-the-lost": ("the nonce of the lost seat is replaced", line(LOST, nonce=bytes(32))),
    "name-of-the-lost": ("the name of the lost seat is replaced", line(LOST, name="Mallory")),
    "identity-of-the-lost": ("the identity of the lost seat is replaced", line(LOST, identity=KEY.public)),
    "lost-is-a-bot": ("the lost seat is marked as a bot", line(LOST, bot=0)),
    "key-of-who-left": ("the match key of the seat that left is replaced", line(LEFT, signing=KEY.public)),
    "another-name": ("seat 0 has another name", line(0, name="Anna")),
    "one-is-a-bot": ("seat 0 is marked as a bot of seat 1", line(0, bot=1)),
    "key-of-another": ("seat 0 has the old key of the lost seat", lambda s, b, a: line(0, signing=b.seats[LOST].signing)(s, b, a)),
    "other-options": ("the grace is another", lambda s, b, a: replace(a, options=replace(a.options, grace=61))),
    "other-rules": ("another version of the rules", lambda s, b, a: replace(a, rules=a.rules + 1)),
    "other-data": ("another component table", lambda s, b, a: replace(a, data=bytes(32))),
    "other-game": ("another game", lambda s, b, a: replace(a, game="crypt")),
    "one-seat-more": ("a seat more", lambda s, b, a: replace(a, seats=(*a.seats, Seat(KEY.public, "Mallory", KEY.public, bytes(32))))),
    "seats-swapped": ("seats 0 and 1 have changed places", lambda s, b, a: replace(a, seats=(a.seats[1], a.seats[0], *a.seats[2:]))),
    "half": ("one vote of three voters: the lost seat is a voter too", signed_by(lambda votes: [votes[0], votes[2]])),
    "no-votes": ("a good-bye without votes", signed_by(lambda votes: votes[2:])),
    "vote-twice": ("one vote stands twice", signed_by(lambda votes: [votes[0], *votes])),
    "votes-in-another-order": ("the votes are not in the order of their seats", signed_by(lambda votes: [votes[1], votes[0], votes[2]])),
    "bye-before-votes": ("the good-bye stands before the votes", signed_by(lambda votes: [votes[2], *votes[:2]])),
    "no-bye": ("the votes count a good-bye that does not stand behind them", signed_by(lambda votes: votes[:2])),
    "bye-twice": ("the good-bye stands twice", signed_by(lambda votes: [*votes, votes[2]])),
    "bye-with-other-keys": ("the good-bye opens keys that are not its seat's", bye_with_other_keys),
    "bye-not-counted": ("the votes do not count the good-bye", voted(lambda s, c: [s.vote(seat, (*c[:4], ())) for seat in REMAIN])),
    "two-vote-rounds": ("the votes are of two vote rounds", voted(lambda s, c: [s.vote(seat, c, seat) for seat in REMAIN])),
    "two-choices": ("the votes are for two steps", voted(lambda s, c: [s.vote(0, c), s.vote(1, (*c[:2], c[2] - 1, *c[3:]))])),
    "stay": ("the votes are to stay", voted(lambda s, c: [s.vote(seat, ("stay",)) for seat in REMAIN])),
    "vote-of-the-lost": ("the lost seat's own vote makes the majority", voted(lambda s, c: [s.vote(0, c), s.vote(LOST, c)])),
    "vote-of-the-bye": (
        "the vote of the seat whose good-bye is counted makes the majority",
        voted(lambda s, c: [s.vote(0, c), s.vote(LEFT, c)]),
    ),
    "signed-by-another": ("seat 1's vote is signed by seat 0", voted(lambda s, c: [s.vote(0, c), forged_vote(s, c)])),
    "another-match": ("the origin names another match", origin(match=bytes(32))),
    "one-more-is-gone": ("seat 1 is gone too, and has not signed", origin(gone=(1, LEFT, LOST))),
    "not-all-signed": ("the signature of seat 1, which remains, is missing", lambda s, b, a: a),
}


def forged_vote(scribe: Scribe, choice: tuple[Any, ...]) -> Vote:
    vote = scribe.vote(1, choice)
    return replace(vote, signature=scribe.vote(0, choice).signature)


def certificates() -> Iterator[Row]:
    scribe = begun("certificates", "loot", 4, EARLY)
    scribe.spare = [KEY]
    before, step = scribe.roster, scribe.table.step
    bye = scribe.bye(LEFT)
    choice = scribe.choice((LOST,), (LEFT,))
    good = scribe.next_roster([scribe.vote(seat, choice) for seat in REMAIN], [bye])
    for name, (about, change) in CERTIFICATES.items():
        roster = scribe.sealed(change(scribe, before, good))
        if name == "not-all-signed":
            roster = good.with_signatures((good.signatures[0], b"", *good.signatures[2:]))
        yield row(
            f"bad-certificate-{name}", f"next roster: {about}", pack([*scribe.items, roster.encode()]), false("bad-certificate", step)
        )
    elsewhere = (*choice[:3], bytes(32), choice[4])
    other_digest = voted(lambda s, c: [s.vote(seat, elsewhere) for seat in REMAIN])(
        scribe, before, origin(digest=bytes(32))(scribe, before, good)
    )
    for name, changed, about in (
        ("digest", other_digest, "votes and origin name another digest than the match has come to"),
        ("snapshot", origin(snapshot=bytes(32))(scribe, before, good), "another public state"),
    ):
        forged = pack([*scribe.items, scribe.sealed(changed).encode()])
        yield row(f"bad-origin-{name}", f"next roster: {about}", forged, false("bad-origin", step))
    yield from behind()
    roster = scribe.sealed(origin(step=step)(scribe, before, good))
    about = "next roster: its origin is a step that has not been answered"
    yield row("out-of-order-next-match", about, pack([*scribe.items, roster.encode()]), false("out-of-order", step, 0))
    about = "a first roster with an origin: the match that it goes on from is missing"
    yield row("out-of-order-no-first-match", about, pack([good.encode()]), false("out-of-order"))
    bad = pack([*scribe.items, encode((good.unsigned(), (1, 2)))])
    yield row("bad-roster-next-match", "next roster: signatures that are numbers", bad, false("bad-roster"))


def behind() -> Iterator[Row]:
    """The past stands: a vote that cites no proof goes back behind nothing that its own seat has signed over."""
    scribe = begun("the past", "loot", 4, EARLY)
    scribe.play(scribe.between(scribe.table.step + 1))
    step = scribe.table.step
    choice, before = scribe.choice((LOST,)), scribe.first.match
    good = scribe.next_roster([scribe.vote(seat, choice) for seat in (0, 1, 2)])
    late = void(scribe, 0, scribe.signers[0], before, step + 1)
    tail = encode((VOID, late.data, late.signature))
    about = "the past stands: a void item shows that seat 0, which votes, had signed a step above the one that follows the votes' step"
    yield row("bad-certificate-past", about, pack([*scribe.items, good.encode(), tail]), false("bad-certificate", step))
    half = scribe.next_roster([scribe.vote(seat, choice) for seat in (0, 1)])
    about = "next roster: two votes of four voters, half and no more"
    yield row("bad-certificate-exactly-half", about, pack([*scribe.items, half.encode()]), false("bad-certificate", step))
    after_a_proof = scribe.next_roster([scribe.vote(seat, choice, proof=bytes(32)) for seat in (0, 1, 2)])
    every = [void(scribe, seat, scribe.signers[seat], before, step + 1) for seat in (0, 1, 2)]
    tails = [encode((VOID, one.data, one.signature)) for one in every]
    about = "the past stands also where the votes cite a proof, if every seat that plays on had signed further"
    yield row("bad-certificate-past-of-all", about, pack([*scribe.items, after_a_proof.encode(), *tails]), false("bad-certificate", step))
