"""Evidence of every claim that evidence can prove, made by a seat that lies once, and evidence files that prove nothing.

A forger is given each honest body before it is said, with the match as it stands, and returns another one when it has come to its case.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from mastaba.core.fair import deck, team
from mastaba.core.fair.group import BASE_TABLE, IDENTITY, Scalar
from mastaba.core.fair.proofs import prove
from mastaba.net import log

from .rows import Expect, Row, proves
from .scribe import Scribe
from .tables import file_of
from .transcripts import begun, first_of, searched

Forger = Callable[[Scribe, int, Any], Any]
ONE = Scalar.of(1)


def flip(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def row(name: str, game: str, about: str, content: bytes, expect: Expect) -> Row:
    return Row(f"evidence/{name}.evidence", "evidence", file_of(game), about, content, expect)


def lie(name: str, claim: str, about: str, game: str, forger: Forger, seats: int = 3, first: int | None = None, **options: Any) -> Row:
    """A match in which one seat says what the forger gives it, and the evidence of that."""
    found: list[tuple[int, Any]] = []
    begins = first_of(game) if first is None else first

    def played(label: str) -> Scribe:
        scribe = Scribe(label, game, seats, begins, **options)
        found[:] = [case] if (case := scribe.find(forger)) is not None else []
        return scribe

    scribe = searched(played, lambda _: bool(found), name)
    seat, body = found[0]
    bad = scribe.signed(seat, body)
    return row(name, game, about, scribe.evidence(bad), proves(claim, *bad.slot))


def at(kind: str, change: Callable[[Any], Any], fits: Callable[[Scribe, Any], bool] = lambda scribe, body: True) -> Forger:
    """A forger of what is said in a round of this kind."""
    return lambda scribe, seat, body: change(body) if scribe.kind == kind and fits(scribe, body) else None


def flipped(kind: str, place: int = -1, fits: Callable[[Scribe, Any], bool] = lambda scribe, body: True) -> Forger:
    """One bit of the first item is changed."""
    return at(kind, lambda body: (flip(body[0], place), *body[1:]), fits)


def to_all(scribe: Scribe, body: Any) -> bool:
    return bool(scribe.table.stage.request.to == "all")


def to_seats(scribe: Scribe, body: Any) -> bool:
    return not to_all(scribe, body)


def not_the_outcome(body: Any) -> Any:
    return ((body[0][0] + 1, *body[0][1:]), *body[1:])


def sealed_to_everybody(scribe: Scribe, seat: int, body: Any) -> Any:
    """With e = 0 the proof holds: V is the share itself, for all to read."""
    stage, table = scribe.table.stage, scribe.replays[seat].table
    if scribe.kind != "Shares" or stage.request.to == "all":
        return None
    card, reader = stage.due[seat][0]
    part, row_, context = stage.request.part, table.rows[card], table.context(seat)
    secret, public, key = getattr(table.own, part), getattr(table.keys[seat], part), table.keys[reader].seal
    seal = deck.Seal(IDENTITY, row_[0] * secret)
    t = deck._seal_transcript(context, card, part, reader, row_, key)
    proof = prove(t, deck._seal(row_, public, key, seal), [secret, Scalar.of(0)], scribe.rng)
    return (seal.E.encode() + seal.V.encode() + proof, *body[1:])


def other_card(body: Any) -> Any:
    """The proof of what it has read, beside the number of another face."""
    (number, proof), *rest = body
    return ((number - 1 if number else 1, proof), *rest)


def part_of_a_move(k: int, change: Callable[[Any], Any]) -> Forger:
    """The k-th part that is joined to a hunter's choice of a die."""

    def forger(scribe: Scribe, seat: int, body: Any) -> Any:
        if scribe.kind != "Move" or len(body) <= k or body[0][0] != "die":
            return None
        return (*body[:k], change(body[k]), *body[k + 1 :])

    return forger


def lies() -> Iterator[Row]:
    yield lie(
        "bad-body-commitment", "bad-body", "a commitment to keys of 31 bytes", "loot", at("KeyCommitment", lambda body: (body[0][:-1],))
    )
    yield lie("bad-body", "bad-body", "a move with another item behind it", "loot", at("Move", lambda body: (*body, 1)))
    yield lie(
        "bad-body-index",
        "bad-body",
        "an opened card with a number that no face has",
        "loot",
        at("Opening", lambda body: ((99, body[0][1]), *body[1:])),
    )
    yield lie("bad-keys", "bad-keys", "keys whose last proof does not hold", "loot", flipped("KeyProof"))
    yield lie("bad-keys-other-than-committed", "bad-keys", "keys other than those that were committed to", "loot", flipped("KeyProof", 40))
    yield lie(
        "bad-shuffle",
        "bad-shuffle",
        "a shuffle with one bit of its proof changed",
        "loot",
        at("ShuffleTurn", lambda body: (body[0], flip(body[1]))),
    )
    yield lie(
        "bad-shuffle-swapped-cards",
        "bad-shuffle",
        "two rows change places after the proof was made",
        "loot",
        at("ShuffleTurn", lambda body: (body[0][96:192] + body[0][:96] + body[0][192:], body[1])),
    )
    yield lie(
        "bad-shuffle-same-card-twice",
        "bad-shuffle",
        "one row stands twice",
        "loot",
        at("ShuffleTurn", lambda body: (body[0][:96] * 2 + body[0][192:], body[1])),
    )
    yield lie("bad-share", "bad-share", "a share for all whose proof does not hold", "loot", flipped("Shares", -1, to_all))
    yield lie(
        "bad-share-no-point",
        "bad-share",
        "a share that is the encoding of no point",
        "loot",
        at("Shares", lambda body: (b"\xff" * 32 + body[0][32:], *body[1:]), to_all),
    )
    yield lie("bad-share-sealed", "bad-share", "a sealed share whose proof does not hold", "loot", flipped("Shares", -1, to_seats))
    yield lie(
        "bad-share-sealed-to-everybody", "bad-share", "a sealed share with E = identity, whose proof holds", "loot", sealed_to_everybody
    )
    yield lie("bad-opening", "bad-opening", "a card is opened as another one", "loot", at("Opening", other_card))
    yield lie("bad-coin", "bad-coin", "a share of a coin whose proof does not hold", "loot", flipped("Coin"))
    yield lie(
        "bad-coin-of-a-team",
        "bad-coin",
        "a share of the coin for the hunters' dice whose proof does not hold",
        "pyramid",
        flipped("TeamCoin"),
    )
    yield lie(
        "bad-commitment",
        "bad-commitment",
        "the salt that is opened is not the one that was committed to",
        "scarabya",
        at("ChoiceOpening", lambda body: (body[0], flip(body[1]))),
    )
    yield lie("illegal-move", "illegal-move", "a move that the rules do not know", "loot", at("Move", lambda body: (("fly", 7),)))
    yield lie(
        "illegal-move-boolean",
        "illegal-move",
        "true in the place of the number 1",
        "loot",
        at("Move", lambda body: (("loot", True),), lambda s, body: body == (("loot", 1),)),
    )
    yield lie(
        "illegal-move-joined",
        "illegal-move",
        "a mission that the hunter does not have, joined to a good move",
        "pyramid",
        part_of_a_move(3, lambda part: (("play", 77),)),
    )
    yield lie("bad-outcome", "bad-outcome", "another result than the game has", "scarabya", at("SignOff", not_the_outcome))
    yield lie(
        "bad-outcome-secret",
        "bad-outcome",
        "a team's secret that is not its own",
        "pyramid",
        at("SignOff", lambda body: (*body[:3], bytes(32)), lambda s, body: len(body) == 4),
    )
    yield lie("bad-team", "bad-team", "a team's secret without a proof that holds", "pyramid", flipped("TeamSecret"))
    yield lie(
        "bad-die",
        "bad-die",
        "a hidden die is shown with a proof that does not hold",
        "pyramid",
        part_of_a_move(1, lambda part: (flip(part[0]),)),
    )
    yield lie(
        "bad-die-no-point",
        "bad-die",
        "what shows a hidden die is no point",
        "pyramid",
        part_of_a_move(1, lambda part: (b"\xff" * 32 + part[0][32:],)),
    )
    yield lie(
        "bad-hidden-move",
        "bad-hidden-move",
        "a hidden move whose proof does not hold",
        "pyramid",
        part_of_a_move(2, lambda part: (part[0], flip(part[1]))),
    )
    yield lie(
        "bad-hidden-move-no-cover",
        "bad-hidden-move",
        "a ciphertext whose first half is the identity",
        "pyramid",
        part_of_a_move(2, lambda part: (bytes(32) + part[0][32:], part[1])),
    )
    yield lie(
        "bad-answer",
        "bad-answer",
        "an answer whose proof does not hold",
        "pyramid",
        at("Asking", lambda body: ((body[0][0], flip(body[0][1])), *body[1:])),
    )
    yield lie(
        "bad-answer-joined",
        "bad-answer",
        "a mission is laid whose symbol is elsewhere: the proof of the yes does not hold",
        "pyramid",
        part_of_a_move(5, lambda part: ((part[0][0], flip(part[0][1])), *part[1:])),
    )
    yield from of_others()


def of_others() -> Iterator[Row]:
    """Those lies that take more than one body."""
    twins = Scribe("bad-keys-of-another-seat", "loot", 3, same_keys=(0, 2))
    twins.play(twins.at("KeyProof", 2))
    bad = twins.signed(2, twins.body(2)[0])
    yield row("bad-keys-of-another-seat", "loot", "seat 2 has the same keys as seat 0", twins.evidence(bad), proves("bad-keys", 0, 1, 2))

    idle = searched(lambda label: played_to(label, "loot", "Move"), lambda s: not s.table.done, "nothing-owed")
    seat = next(seat for seat in (2, 1, 0) if seat not in idle.table.missing)
    bad = idle.signed(seat, (("run",),))
    yield row("nothing-owed", "loot", "a move of a seat whose turn it is not", idle.evidence(bad), proves("nothing-owed", *bad.slot))

    for name, wrong, about in (
        ("bad-team-secret", True, "seat 1 has sealed another secret to seat 2, which shows it: seat 1 is named"),
        ("false-complaint", False, "seat 2 shows a secret that was right"),
    ):
        scribe = Scribe(name, "pyramid", 3, 0)
        scribe.play(scribe.at("TeamSecret"))
        body, private = wrong_secret(scribe) if wrong else scribe.body(1)
        scribe.tell(scribe.signed(1, body), private)
        stage, table = scribe.table.stage, scribe.replays[2].table
        complaint = team.make_complaint(table.context(2), stage.seals[2], table.keys[2].seal, table.own.seal, scribe.rng)
        assert not wrong or scribe.body(2)[0] != (b"",)
        bad = scribe.signed(2, (complaint,))
        yield row(name, "pyramid", about, scribe.evidence(bad), proves(name, *bad.slot[:2], 1 if wrong else 2))

    scribe = searched(lambda label: renewed(label), lambda s: not s.table.done, "bad-renewal")
    seat = scribe.table.missing[0]
    body, _ = scribe.body(seat)
    bad = scribe.signed(seat, (flip(body[0]), *body[1:]))
    yield row(
        "bad-renewal",
        "pyramid",
        "a hidden value is hidden anew with a proof that does not hold",
        scribe.evidence(bad),
        proves("bad-renewal", *bad.slot),
    )

    scribe = begun("bad-leave", "loot", 3)
    table = scribe.replays[0].table
    keys = tuple(x.encode() for x in (table.own.face, table.own.coin, table.own.back))
    earlier = log.sign(replace(scribe.bye(0).said, step=0, round=0, prev=scribe.first.match), scribe.signers[0])
    for name, bad, about in (
        ("bad-leave", scribe.bye(0, keys), "a good-bye with the keys of back and coin in each other's place"),
        ("bad-leave-body", scribe.bye(0, keys[:2]), "a good-bye with two keys"),
        ("bad-leave-slot", earlier, "a good-bye that names the slot of the commitment"),
        ("bad-leave-state", scribe.bye(0, state=bytes(8)), "a good-bye with another state than the answer in the slot that it names"),
    ):
        yield row(name, "loot", about, scribe.evidence(bad), proves("bad-leave", *bad.slot))

    scribe = begun("in a next match", "loot", 4)
    scribe.without(3)
    case = scribe.find(flipped("Shares"))
    assert case is not None
    bad = scribe.signed(*case)
    yield row(
        "bad-share-in-a-next-match", "loot", "what was said is a chain of two matches", scribe.evidence(bad), proves("bad-share", *bad.slot)
    )

    scribe = begun("after a good-bye", "loot", 3)
    scribe.play(lambda: scribe.table.missing[0] == 1)
    scribe.leave(1)
    case = scribe.find(flipped("Shares"))
    assert case is not None
    bad = scribe.signed(*case)
    yield row(
        "bad-share-after-a-good-bye", "loot", "a good-bye stands in what was said", scribe.evidence(bad), proves("bad-share", *bad.slot)
    )


def played_to(label: str, game: str, kind: str, seats: int = 3) -> Scribe:
    scribe = Scribe(label, game, seats, first_of(game))
    scribe.play(scribe.at(kind))
    return scribe


def renewed(label: str) -> Scribe:
    """Pyramid for four, in which a hunter leaves whose team has values hidden, up to the round in which they are hidden anew."""
    scribe = Scribe(label, "pyramid", 4, 0)
    if scribe.play(lambda: scribe.table.step > 12 and scribe.table.missing[0] == 1):
        scribe.leave(1)
        scribe.play(scribe.at("TeamRenewal"))
    return scribe


def wrong_secret(scribe: Scribe) -> tuple[Any, Any]:
    """A secret of seat 1 whose proof holds, and with it another one sealed to seat 2."""
    table = scribe.replays[1].table
    context, readers, name = table.context(1), table.stage.readers, table.stage.request.name
    t, e = (Scalar.reduce(scribe.rng(64)) for _ in range(2))
    T, E = BASE_TABLE.mul(t), BASE_TABLE.mul(e)
    seal = team.Seal(E, t + ONE + team._mask(context, name, T, 2, E, readers[2] * e))
    proof = prove(team._making(context, name, readers, T, [seal]), team._secret(T, [seal]), [t, e], scribe.rng)
    return (T.encode() + E.encode() + seal.u.encode() + proof,), t.encode()
