"""A dishonest peer at a table of The Crypt: claims, flips, openings and coins; all honest peers refuse it, name it, and can prove it."""

from pathlib import Path

import pytest
from adversaries.cheat import CHEAT, assert_named, flip, once, run, watched, with_body
from fakenet import Net
from mastaba.core.rules import Choose, Reveal, Roll

SMALL = Path(__file__).parents[1] / "data" / "crypt-small.toml"


def table(seed: int = 2, **options) -> Net:
    return watched(3, seed=seed, game="crypt", path=SMALL, first=CHEAT, **options)


ILLEGAL = {
    "more dice than there are": ("claim", (0, 1, 9)),
    "no effort": ("claim", (0, 0, 1)),
    "an effort of seven": ("claim", (0, 7, 1)),
    "a treasure that is not there": ("claim", (9, 1, 1)),
    "a negative treasure": ("claim", (-1, 1, 1)),
    "no dice": ("claim", (0, 1, 0)),
    "the same treasure twice": ("claim", (0, 1, 1), (0, 2, 1)),
    "a true effort": ("claim", (0, True, 1)),
    "a claim of nothing": ("claim",),
    "a recovery with words": ("recover", 1),
    "a flip of cards never taken": ("heal", 0, 1),
    "a look without the card for it": ("look", 0),
    "nothing": None,
    "bytes": b"claim",
}


@pytest.mark.parametrize("move", ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_claim_or_flip_names_its_seat(move):
    net = table()
    once(net, Choose, lambda said: with_body(said, (move,)))
    run(net)
    assert_named(net, "illegal-move")


@pytest.mark.parametrize("what", ["another face", "a flipped proof"])
def test_a_collected_treasure_cannot_be_opened_as_another(what):
    net = table(seed=2, level="random")

    def change(said):
        (number, proof), *rest = said.body
        faces = len(net.sessions[CHEAT].table.printed("face"))
        bad = ((number + 1) % faces, proof) if what == "another face" else (number, flip(proof))
        return with_body(said, (bad, *rest))

    changed = once(net, Reveal, change, lambda r: r.by == CHEAT)
    run(net)
    assert changed, "the test never met the case"
    assert_named(net, "bad-opening")


def test_a_bad_share_of_a_treasure_for_another_names_its_seat_to_all():
    net = table()
    once(
        net,
        Reveal,
        lambda said: with_body(said, (flip(said.body[0], 40), *said.body[1:])),
        lambda r: r.by is None and r.to != "all" and CHEAT not in r.to,
    )
    run(net)
    assert_named(net, "bad-share")


def test_a_die_cannot_be_steered():
    """The roll for a collected treasure is a joint coin: a share that is not the one due is refused."""
    net = table()
    changed = once(net, Roll, lambda said: with_body(said, (flip(said.body[0], 3),)))
    run(net)
    assert changed
    assert_named(net, "bad-coin")
