"""Nothing leaks: two matches over the network with the same public answers are the same to every seat that may not know the difference.

The same view, the same events, the same messages sent and received, in the same order, at the same times, of the same lengths.
"""

import random
from functools import cache

import pytest
from mastaba.net.session import Session
from twins import HOLD, MUMMY, SMALL, difference, played, twin_for_a_hunter, twin_for_the_mummy

MATCHES = [(2, 1, True, 0.0), (3, 3, False, HOLD), (4, 4, True, 0.0), (5, 5, False, 0.0)]
match_of = cache(played)


@pytest.mark.parametrize(("seats", "seed", "audit", "hold"), MATCHES)
def test_other_squares_dice_and_missions_are_the_same_to_mummy_and_spectators(seats, seed, audit, hold):
    one = match_of(seed, seats, audit=audit, hold=hold)
    other = twin_for_the_mummy(one, random.Random(seed))
    for seat in (MUMMY, one.net.spectator):
        assert difference(one, other, seat) is None
        assert len(one.net.heard[seat]) > 100
        assert len(one.net.saw[seat]) > 30
    for hidden in (lambda match: match.path(), lambda match: match.script.faces, lambda match: match.missions()):
        assert hidden(one) != hidden(other)
    assert (difference(one, other, 1) or "").startswith("views")  # a hunter sees that it is another match


@pytest.mark.parametrize(("seats", "seed", "audit", "hold"), MATCHES[1:2])
def test_other_missions_are_the_same_to_fellow_hunters(seats, seed, audit, hold):
    one, hunter = match_of(seed, seats, audit=audit, hold=hold), 1
    other = twin_for_a_hunter(one, hunter, random.Random(seed))
    for seat in (hunter, MUMMY, one.net.spectator):
        assert difference(one, other, seat) is None
    assert one.path() == other.path()
    changed = {card for card, face in one.missions().items() if other.missions()[card] != face}
    owners = [seat for seat in range(2, seats) if changed & {*one.rules.missions[seat]}]
    assert owners
    assert all((difference(one, other, seat) or "").startswith("views") for seat in owners)


def test_a_message_whose_length_tells_of_a_square_is_found(monkeypatch):
    """That the comparison sees what it is there for: a program that says more on some squares than on others."""
    honest = Session.answer

    def telling(session, move):
        honest(session, move)
        if isinstance(move, int):
            session.note("." * (1 + move))

    monkeypatch.setattr(Session, "answer", telling)
    one = played(3, 3, table=SMALL)
    other = twin_for_the_mummy(one, random.Random(3))
    assert one.path() != other.path()
    assert (difference(one, other, MUMMY) or "").startswith("messages")
