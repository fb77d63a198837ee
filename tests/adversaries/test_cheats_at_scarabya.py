"""A dishonest peer at a table of Scarabya: what it commits to and what it opens; all honest peers refuse it, name it, and can prove it."""

from pathlib import Path

import pytest
from adversaries.cheat import CHEAT, assert_named, dishonest, flip, run, with_body
from fakenet import Net
from mastaba.core.fair.choice_rounds import ChoiceCommitment, ChoiceOpening
from mastaba.core.games.scarabya import Scarabya
from mastaba.core.rules import ChooseAll

SMALL = Path(__file__).parents[1] / "data" / "scarabya-small.toml"


def cheat_at(round: int, change, seats: int = 3) -> Net:
    """A table at which seat CHEAT sends change(body, net) in that round of the first question to all."""
    net = Net(seats, seed=5, level="random", game="scarabya", path=SMALL)
    asked: list[int] = []
    table = net.sessions[CHEAT].table
    first = table._first_stage

    def remember(request):
        if isinstance(request, ChooseAll) and not asked:
            asked.append(table.step)
        return first(request)

    table._first_stage = remember

    def changed(said, receiver):
        if asked and (said.step, said.round) == (asked[0], round):
            return with_body(said, change(said.body, net))
        return said

    dishonest(net, changed)
    run(net)
    return net


def squares(body):
    return body[0][1:]


@pytest.mark.parametrize(
    "change",
    [
        lambda body, net: (("place", *squares(body)[:-1], squares(body)[-1] + 1), body[1]),
        lambda body, net: (next(m for m in net.sessions[CHEAT].table.rules.fits(CHEAT) if m != body[0]), body[1]),
        lambda body, net: (body[0], flip(body[1])),
    ],
    ids=["another square", "another legal placement", "another salt"],
)
def test_what_is_opened_is_what_was_committed_to(change):
    assert_named(cheat_at(1, change), "bad-commitment")


@pytest.mark.parametrize(
    "body",
    [(), (None,), 7, (("place", 33), b"short"), (("place", 33), b"x" * 32, 1), ("place", "x" * 32)],
)
def test_an_opening_that_is_none_is_refused(body):
    net = cheat_at(1, lambda real, net: body)
    fault = net.sessions[1].fault
    assert (fault.seat, fault.claim) in ((CHEAT, "bad-body"), (CHEAT, "bad-commitment"))


@pytest.mark.parametrize("body", [(), (b"",), (b"x" * 31,), (b"x" * 33,), (7,), (b"x" * 32, b"x" * 32), None])
def test_a_commitment_that_is_none_is_refused(body):
    assert_named(cheat_at(0, lambda real, net: body), "bad-body")


ILLEGAL = {
    "two tiles away from the centre": ("place", 0, 1, 10, 11, 20),
    "no tile": ("place", 44),
    "nothing": None,
    "a pass": ("pass",),
    "a true square": ("place", True, 45, 54, 55, 65),
    "outside": ("place", 95, 96, 105, 106, 115),
}


@pytest.mark.parametrize("move", ILLEGAL.values(), ids=ILLEGAL)
def test_an_illegal_placement_well_committed_to_is_refused_by_all(move):
    """The cheat's own program lets it pass: it commits to the move and opens it properly."""
    net = Net(3, seed=6, level="random", game="scarabya", path=SMALL)
    session = net.sessions[CHEAT]

    class Lenient(Scarabya):
        def legal(self, request, seat, chosen):
            if not (isinstance(request, ChooseAll) and seat == CHEAT):
                super().legal(request, seat, chosen)

        def place(self, request, moves):
            """What the cheat makes of it does not matter."""

        def own_moves(self, request, seat):
            return (move,) if isinstance(request, ChooseAll) else super().own_moves(request, seat)

    session.table.rules.__class__ = Lenient
    play = net.play

    def stubborn(seat):
        if seat == CHEAT and isinstance(session.table.decision, ChooseAll) and session.snapshot().asked:
            session.answer(move)
        else:
            play(seat)

    net.play = stubborn
    run(net)
    assert_named(net, "illegal-move")


OTHER = 1  # the seat that the cheat copies


def copies(net: Net, copied) -> list[tuple[int, int]]:
    """In both rounds of a choice the cheat says copied(table, round), if that is anything, and only when OTHER has said its own part."""
    session = net.sessions[CHEAT]
    table, play, make, places = session.table, net.play, session.table.make, []

    def waits() -> bool:
        return isinstance(table.stage, (ChoiceCommitment, ChoiceOpening)) and OTHER not in session.now.said

    def copying(rng):
        body, private = make(rng)
        other = copied(table, body) if isinstance(table.stage, (ChoiceCommitment, ChoiceOpening)) else None
        if other is not None:
            places.append((table.step, table.round))
        return (body if other is None else other), private

    net.play = lambda seat: None if seat == CHEAT and waits() else play(seat)
    session._too_early = waits
    table.make = copying
    return places


def anothers(net):
    """What OTHER has committed to, and then the move and salt that open it."""
    return lambda table, own: net.sessions[CHEAT].now.said[OTHER].said.body


def of_an_earlier_step(net):
    """What the cheat has committed to, and opened, in an earlier step of the match."""
    before: dict[int, tuple[int, object]] = {}

    def copied(table, own):
        step, body = before.setdefault(table.round, (table.step, own))
        return None if step == table.step else body

    return copied


def of_another_match(net):
    """What the same seat has committed to, and opened, in the same step of another match."""
    other = Net(3, seed=8, level="random", game="scarabya", path=SMALL)
    other.connect()
    other.run()
    said = {r.place: r.said[CHEAT].said.body for r in other.sessions[CHEAT].book.rounds if CHEAT in r.said}
    return lambda table, own: said[table.step, table.round]


@pytest.mark.parametrize("whose", [anothers, of_an_earlier_step, of_another_match])
def test_anothers_commitment_copied_cannot_be_opened(whose):
    """A commitment binds match, step and seat: who copies one, and then what opens it where it was made, has opened nothing."""
    net = Net(3, seed=7, level="random", game="scarabya", path=SMALL)
    places = copies(net, whose(net))
    run(net)
    (step, first), (same, second) = places
    assert (same, first, second) == (step, 0, 1)
    assert_named(net, "bad-commitment")
