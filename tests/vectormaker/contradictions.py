"""Evidence of two things that contradict each other, and evidence files that prove nothing."""

from collections.abc import Iterator
from dataclasses import replace

from mastaba.core.plain import encode
from mastaba.net import log
from mastaba.net.identity import Identity
from mastaba.net.log import EVIDENCE, Contribution, Signed, Statement, pack_file
from mastaba.net.renewal import LABEL, fresh_key
from mastaba.net.votes import STAY

from .accusations import row
from .rows import Row, false, proves
from .scribe import Scribe, item
from .transcripts import begun


def part(scribe: Scribe, seat: int, nonce: bytes) -> Statement:
    """A seat's part of the next roster."""
    data = encode((scribe.roster.match, seat, nonce, fresh_key(scribe.signers[seat])[0].public))
    return Statement(data, scribe.identities[seat].sign(LABEL, data))


def pairs() -> Iterator[Row]:
    scribe = begun("pairs", "loot", 3)
    last = scribe.replay.filled[0]
    one = log.sign(last, scribe.signers[0])
    other = log.sign(replace(last, body=("other",)), scribe.signers[0])
    start = scribe.items[:1]
    yield row(
        "two-bodies",
        "loot",
        "two bodies for one slot, beside the match so far",
        scribe.evidence(one, other),
        proves("two-bodies", *one.slot),
    )
    about = "the same beside the roster alone: what was said in between is not needed"
    yield row("two-bodies-roster-alone", "loot", about, scribe.evidence(one, other, items=start), proves("two-bodies", *one.slot))
    bye, second = scribe.bye(0), scribe.bye(0, state=bytes(8))
    yield row(
        "two-bodies-good-byes",
        "loot",
        "two different good-byes",
        scribe.evidence(bye, second, items=start),
        proves("two-bodies", *bye.slot),
    )
    later = scribe.signed(0, (("run",),))
    assert later.said.place > bye.said.place
    yield row(
        "said-after-leaving",
        "loot",
        "a contribution to a slot behind the good-bye",
        scribe.evidence(bye, later, items=start),
        proves("said-after-leaving", *later.slot),
    )
    go = scribe.choice((2,))
    two = [Statement(vote.data, vote.signature) for vote in (scribe.vote(0, go, 3), scribe.vote(0, STAY, 3))]
    yield row("two-votes", "loot", "go and stay in vote round 3", scribe.evidence(*two, items=start), proves("two-votes", None, 3, 0))
    two = [part(scribe, 0, bytes([n]) * 32) for n in (1, 2)]
    yield row("two-parts", "loot", "two parts of one next roster", scribe.evidence(*two, items=start), proves("two-parts", None, None, 0))
    elsewhere = log.sign(replace(last, match=bytes(32), step=1, round=0), scribe.signers[0])
    yield row(
        "two-matches",
        "loot",
        "two answers under one match key, of two matches",
        scribe.evidence(one, elsewhere, items=start),
        proves("two-matches", *max(one.slot, elsewhere.slot)),
    )


def nothing_proven() -> Iterator[Row]:
    scribe = begun("proves nothing", "loot", 3, 2)
    last = scribe.replay.filled[0]
    one, said = log.sign(last, scribe.signers[0]), scribe.items
    start, whole = said[:1], said
    now = scribe.signed(scribe.table.missing[0], scribe.body(scribe.table.missing[0])[0])
    ballots = [scribe.vote(0, STAY, n) for n in (3, 4)]
    votes = [Statement(vote.data, vote.signature) for vote in ballots]
    keys = log.sign(replace(last, match=bytes(32), step=0, round=1), scribe.signers[0])
    by_another = log.sign(now.said, scribe.signers[(now.said.seat + 1) % 3])
    other_prev = log.sign(replace(now.said, prev=bytes(32), body=()), scribe.signers[now.said.seat])

    def nothing(name: str, about: str, *against: Signed | Statement, items: list[bytes] = whole) -> Row:
        return row(f"proves-nothing-{name}", "loot", about, scribe.evidence(*against, items=items), false("proves-nothing"))

    yield nothing("good-contribution", "an honest contribution", now)
    yield nothing("said-already", "a contribution that stands in what was said", one)
    yield nothing("same-twice", "the same contribution twice", one, one, items=start)
    yield nothing("votes-of-two-rounds", "two votes of two vote rounds", *votes, items=start)
    yield nothing(
        "keys-of-two-matches", "an answer, and the keys of another match: a seat may go over while keys are made", one, keys, items=start
    )
    yield nothing("another-digest", "a bad body under another digest", other_prev)
    places = (now.said.step, now.said.round)
    yield row(
        "bad-item",
        "loot",
        "what is accused is no contribution",
        pack_file(EVIDENCE, [encode((len(said), 1)), *said, b"\x01"]),
        false("bad-item", *places),
    )
    yield row(
        "bad-signature",
        "loot",
        "the accused contribution is signed by another seat",
        scribe.evidence(by_another),
        false("bad-signature", *now.slot),
    )
    for name, counts, against, about in (
        ("numbers", (len(said) + 1, 1), [now], "the file has fewer items than it says"),
        ("three-accused", (len(said), 3), [now, one, now], "it accuses with three items"),
        ("none-accused", (len(said), 0), [], "it accuses with no item"),
        ("something-behind", (len(said), 1), [now, one], "an item more than it says"),
    ):
        yield row(
            f"not-evidence-{name}", "loot", about, pack_file(EVIDENCE, [encode(counts), *said, *map(item, against)]), false("not-evidence")
        )
    yield from framed()


def framed() -> Iterator[Row]:
    """Those who remain make a next match, and what they sign there in the name of one who is gone proves nothing."""
    scribe = begun("framed", "loot", 4, 2)
    own = scribe.signers[3]
    choice = scribe.choice((3,))
    good = scribe.next_roster([scribe.vote(seat, choice) for seat in (0, 1, 2)])
    key = Identity.from_secret(b"\x07" * 32)
    bad = scribe.sealed(replace(good, seats=(*good.seats[:3], replace(good.seats[3], signing=key.public))))
    for name, roster, signer, expect, about in (
        (
            "bad-certificate-framed",
            bad,
            key,
            false("bad-certificate", scribe.table.step),
            "seat 3 is gone; the others have put a key of their own into its line, and sign twice with it",
        ),
        (
            "bad-signature-who-is-gone",
            good,
            own,
            false("bad-signature", 0, 0, 3),
            "seat 3 is gone; what it signs in the next match, even twice, proves nothing",
        ),
    ):
        said = [Contribution(roster.match, 0, 0, 3, roster.match, bytes(8), (bytes([n]) * 32,)) for n in (1, 2)]
        pair = [log.sign(one, signer) for one in said]
        yield row(name, "loot", about, scribe.evidence(*pair, items=[*scribe.items, roster.encode()]), expect)
