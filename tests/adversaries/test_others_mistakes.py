"""What has broken other programs (F1 to F26), tried by a dishonest peer in a whole match: every honest peer refuses it and proves it.

What a peer cannot try in a match is shown where the mathematics is tested: see the table of docs/threats.md.
"""

from collections.abc import Callable
from typing import Any

import pytest
from adversaries.cheat import assert_named, flip
from adversaries.rounds import assert_caught
from fakenet import Net
from mastaba.core.fair import deck, keys, shuffle
from mastaba.core.fair.group import BASE, Point, Scalar
from mastaba.core.fair.transcript import Context

CLAIMS = {"KeyProof": "bad-keys", "ShuffleTurn": "bad-shuffle", "Shares": "bad-share", "Coin": "bad-coin", "Chain Opening": "bad-opening"}


def items(blob: bytes) -> range:
    return range(0, len(blob), 32)


@pytest.mark.parametrize("kind", ["KeyProof", "ShuffleTurn", "Shares", "Coin", "Chain Opening"])
@pytest.mark.parametrize("share", [0.0, 0.4, 0.7, 1.0])
def test_no_item_of_what_is_proven_or_of_its_proof_can_be_another_f1(kind: str, share: float) -> None:
    def change(table: Any, body: Any, rng: Any) -> Any:
        if kind == "Chain Opening":
            number, proof = body[0]
            return ((number, flip(proof, round(share * 2) * 32)), *body[1:])
        blob = body[-1]
        return (*body[:-1], flip(blob, items(blob)[round(share * (len(items(blob)) - 1))]))

    assert_caught(kind, change, CLAIMS[kind])


def test_one_card_shifted_by_what_another_loses_is_refused_f2() -> None:
    """Where the challenge omits the output rows, this edit of a good shuffle keeps its proof."""

    def change(table: Any, body: Any, rng: Any) -> Any:
        size = 32 * len(table.stage.rows[0])
        rows = [deck.decode_row(body[0][at : at + size], size // 32) for at in range(0, len(body[0]), size)]
        X = BASE * Scalar.reduce(rng(64))
        (a, A, *more), (b, B, *others) = rows[:2]
        return b"".join(map(deck.encode_row, [(a, A + X, *more), (b, B - X, *others), *rows[2:]])), body[1]

    assert_caught("ShuffleTurn", change, "bad-shuffle")


def test_generators_of_ones_own_choice_are_of_no_use_f5() -> None:
    """It knows their logarithms, so it could open its commitments as it likes; the verifier makes its own."""
    own = shuffle.generators

    def known(N: int) -> tuple[Point, list[Point]]:
        return own(N)[0], [BASE * Scalar.of(i + 2) for i in range(N)]

    def change(table: Any, body: Any, rng: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shuffle, "generators", known)
            return table.stage.make(table.me, None, rng)[0]

    assert_caught("ShuffleTurn", change, "bad-shuffle")


def test_a_key_that_cancels_anothers_is_refused_f10() -> None:
    """It has seen another's key already and answers with the difference; neither its commitment nor a proof fits."""

    def change(table: Any, body: Any, rng: Any) -> Any:
        blob, at = body[0], keys.SALT
        mine, theirs = Point.decode(blob[at : at + 32]), BASE * Scalar.reduce(rng(64))
        return (blob[:at] + (mine - theirs).encode() + blob[at + 32 :],)

    assert_caught("KeyProof", change, "bad-keys")


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)], ids=["of the same kind", "of another kind"])
def test_two_seats_who_share_their_keys_are_refused_and_the_later_one_is_named_f10(order: slice) -> None:
    """Both know the secrets, so every commitment and proof of theirs holds; that the keys are equal is seen when all are known."""
    net, later = Net(4, seed=6), 2
    net.owns[later] = keys.Secrets(*net.owns[0].by_kind()[order])
    net.sessions[later] = net.session(later)
    net.connect()
    net.run(lambda: all(s.fault for s in net.sessions), idle=12)
    assert_named(net, "bad-keys", later)


ELSEWHERE: dict[str, Callable[[Context], Context]] = {
    "another match": lambda c: Context(bytes(32), c.step, c.round, c.seat),
    "another step": lambda c: Context(c.match, c.step + 1, c.round, c.seat),
    "another round": lambda c: Context(c.match, c.step, c.round + 1, c.seat),
    "another seat": lambda c: Context(c.match, c.step, c.round, c.seat + 1),
}


@pytest.mark.parametrize("where", ELSEWHERE)
@pytest.mark.parametrize("kind", ["KeyProof", "ShuffleTurn", "Shares", "Coin", "TeamSecret", "TeamRenewal", "Asking"])
def test_a_good_proof_from_elsewhere_is_refused_f11_f22(kind: str, where: str) -> None:
    def change(table: Any, body: Any, rng: Any) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            honest = table.context
            patch.setattr(table, "context", lambda seat: ELSEWHERE[where](honest(seat)))
            return table.stage.make(table.me, None, rng)[0]

    assert_caught(kind, change, CLAIMS.get(kind))


def share_of(table: Any, card: int, secret: Scalar, rng: Any) -> bytes:
    stage = table.stage
    public = getattr(table.keys[table.me], stage.request.part)
    return deck.make_share(table.context(table.me), card, stage.request.part, table.rows[card], secret, public, rng)


def test_a_share_of_another_key_or_without_a_proof_is_refused_f23() -> None:
    for made in (
        lambda table, body, rng: (share_of(table, table.stage.due[table.me][0][0], Scalar.reduce(rng(64)), rng), *body[1:]),
        lambda table, body, rng: (body[0][:32] + bytes(64), *body[1:]),
    ):
        assert_caught("Shares", made, "bad-share")


def test_a_share_for_a_card_that_is_not_due_is_refused_f25() -> None:
    """A good share of its own key, for another card than the rules ask for: nobody can be made to open that one either."""

    def change(table: Any, body: Any, rng: Any) -> Any:
        due = {card for card, _ in table.stage.due[table.me]}
        other = next(card for card in table.rows if card not in due)
        return (share_of(table, other, getattr(table.own, table.stage.request.part), rng), *body[1:])

    assert_caught("Shares", change, "bad-share")


def test_one_share_given_for_two_cards_is_refused_f26() -> None:
    def change(table: Any, body: Any, rng: Any) -> Any:
        assert len(body) > 1
        return (body[0], body[0], *body[2:])

    assert_caught("Shares", change, "bad-share")
