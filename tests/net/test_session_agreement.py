"""Whole matches over a shuffled fake network with real cryptography: everybody ends with the same outcome, whatever the links do."""

import contextlib
from dataclasses import replace

import pytest
from fakenet import Net
from hypothesis import given, settings, strategies as st
from mastaba.cli.bot import overdue
from mastaba.core.errors import LocalError
from mastaba.net.log import parse
from mastaba.net.verify import verify
from mastaba.net.wire import At, Say


def outcome(net: Net) -> tuple:
    """What all seats must agree on; fails unless they do."""
    assert [s.fault for s in net.sessions] == [None] * len(net.sessions)
    assert all(s.table.done for s in net.sessions)
    files = {s.transcript() for s in net.sessions}
    assert len(files) == 1
    over = net.sessions[0].table.rules.pending
    return over.scores, over.winners, files.pop()


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_whole_match_ends_signed_and_verifies(seats):
    net = Net(seats, seed=seats)
    net.connect()
    net.run()
    scores, winners, data = outcome(net)
    report = verify(data, lambda roster: net.match.table())
    assert report.ok
    assert report.complete
    assert (report.scores, report.winners) == (scores, winners)
    assert report.checked["signatures"] > 0
    assert report.checked["shuffles"] >= seats
    assert report.checked["shares"] > 0
    assert report.checked["moves"] > 0


@pytest.mark.parametrize("seed", range(3))
def test_a_missing_link_is_bridged_by_forwarding(seed):
    net = Net(4, seed=seed)
    net.connect((0, 1), (1, 2), (2, 3))  # a chain: three of six links are missing
    net.run()
    outcome(net)


@given(seed=st.integers(0, 1 << 20), cuts=st.lists(st.tuples(st.integers(1, 400), st.integers(0, 2), st.integers(0, 2)), max_size=6))
@settings(max_examples=6, deadline=None)
def test_cut_and_healed_links_lose_nothing(seed, cuts):
    net = Net(3, seed=seed)
    net.connect()
    for steps, a, b in cuts:
        if a == b:
            continue
        left = [steps]

        def soon(left=left):
            left[0] -= 1
            return left[0] < 0

        net.run(soon)
        net.cut(a, b)
        if (a, b) not in net.queues:
            net.connect((a, b))
    net.run()
    outcome(net)


@given(seed=st.integers(0, 1 << 20), kills=st.lists(st.tuples(st.integers(1, 500), st.integers(0, 2)), min_size=1, max_size=4))
@settings(max_examples=6, deadline=None)
def test_a_killed_seat_resumes_and_never_signs_a_slot_twice(seed, kills):
    net = Net(3, seed=seed)
    said: dict[tuple, bytes] = {}

    def watch(a, b, message):
        if isinstance(message, Say):
            session = net.sessions[a]
            one = parse(message.body, session.roster)
            assert said.setdefault((one.step, one.round, one.seat), message.body) == message.body
        return (message,)

    net.tamper = watch
    net.connect()
    for steps, seat in kills:
        left = [steps]

        def soon(left=left):
            left[0] -= 1
            return left[0] < 0

        net.run(soon)
        net.crash(seat)
        net.connect(*[(seat, other) for other in range(3) if other != seat])
    net.run()
    outcome(net)


def test_all_peers_killed_at_once_play_on():
    net = Net(3, seed=5)
    net.connect()
    count = [0]

    def later():
        count[0] += 1
        return count[0] > 150

    net.run(later)
    for seat in range(3):
        net.crash(seat)
    net.connect()
    net.run()
    outcome(net)


def test_a_resumed_seat_says_nothing_before_it_has_heard_the_others():
    """A restored older journal must not sign a slot that another peer already holds."""
    net = Net(2, seed=8)
    net.connect()
    count = [0]

    def later():
        count[0] += 1
        return count[0] > 60

    net.run(later)
    full = list(net.journals[1].records)
    net.journals[1].records = full[: len(full) // 2]  # yesterday's backup
    net.crash(1)
    net.sessions[1].begin()
    assert not [m for _, m in net.sessions[1].take_outbox() if isinstance(m, Say)]
    net.connect((0, 1))
    net.run()
    assert net.sessions[0].fault is None
    assert net.sessions[1].fault is None or net.sessions[1].fault.seat is None


def test_peers_hold_the_same_public_state_and_only_their_own_secrets():
    net = Net(3, seed=11)
    net.connect()

    def each_step():
        rules = [s.table.rules for s in net.sessions if s.now.place == net.sessions[0].now.place]
        assert len({r.digest() for r in rules}) == 1
        return all(s.table.done for s in net.sessions)

    net.run(each_step)
    outcome(net)


def test_a_flood_of_later_contributions_is_bounded_and_pushes_nobody_out():
    from mastaba.net.book import AHEAD
    from mastaba.net.log import Contribution, sign

    net = Net(3, seed=3)
    net.connect()
    net.flush()
    victim = net.sessions[0]

    def early(seat, step):
        said = Contribution(net.match.roster.match, step, 0, seat, bytes(32), bytes(8), (("run",),))
        signed = sign(said, net.signers[seat])
        victim.receive(seat, Say(signed.data, signed.signature))

    for step in range(5, 5 + 4 * AHEAD):
        early(1, step)
    assert len(victim.book.ahead) == AHEAD
    early(2, 5)
    assert (5, 0, 2) in victim.book.ahead
    assert victim.fault is None


def back_from_a_backup(seats, seed=8):
    """Seat 1 is back with half of its journal, and without links; what it stands at, as an At of somebody who has forgotten as much."""
    net = Net(seats, seed=seed, grace=5)
    net.connect()
    left = iter(range(30 * seats))
    net.run(lambda: next(left, None) is None)
    net.journals[1].records = net.journals[1].records[: len(net.journals[1].records) // 2]
    net.crash(1)
    session = net.sessions[1]
    while session.me not in session.table.missing:
        net.journals[1].records.pop()
        net.crash(1)
        session = net.sessions[1]
    for other in range(seats):
        if other != 1:
            session.link_up(other, net.identities[other].public)
    n = session.now
    return session, At(net.match.roster.match, n.step, n.round, n.prev, tuple(range(seats)), (), 0)


def says(session, at):
    """What it signs now: others' contributions are served to whoever lacks them."""
    said = [parse(message.body, session.roster) for _, message in session.take_outbox() if isinstance(message, Say)]
    return [one for one in said if one.seat == session.me and one.place >= (at.step, at.round)]


def test_one_liar_cannot_vouch_for_seats_that_have_not_been_heard():
    """It would have an honest seat sign once more, otherwise, what the others hold."""
    session, at = back_from_a_backup(4)
    session.link_down(3)
    session.tick(1.0)
    session.receive(0, at)  # says that it is linked with all, and that nobody has anything of seat 1
    assert session.unheard.seats == {2, 3}
    assert not says(session, at)
    session.receive(2, at)  # two say that they are linked with seat 3
    assert session.unheard.seats == set()
    assert says(session, at)


def test_where_there_is_nobody_else_to_ask_one_voucher_is_enough_after_a_while():
    session, at = back_from_a_backup(3)
    session.link_down(2)
    session.tick(100.0)
    session.receive(0, at)
    for now in (101.0, 105.0):
        session.tick(now)
        session.receive(0, at)
        assert session.unheard.seats == {2}
        assert not says(session, at)
    session.tick(106.0)
    session.receive(0, at)
    assert session.unheard.seats == set()
    assert says(session, at)


def test_nobody_waits_to_hear_who_has_said_good_bye_while_one_was_away():
    net = Net(3, seed=5)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and 1 not in net.sessions[1].table.missing)
    for other in (0, 2):
        net.cut(1, other)
    net.sessions[2].leave()
    net.run(lambda: 2 in net.sessions[0].book.left)
    net.cut(0, 2)
    net.crash(1)
    assert net.sessions[1].unheard.seats == {0, 2}
    net.connect((0, 1))
    net.run(lambda: all(s.table.done for s in net.sessions[:2]))
    assert [s.table.done for s in net.sessions[:2]] == [True, True]
    assert [s.fault for s in net.sessions[:2]] == [None, None]


def test_no_good_bye_is_signed_behind_what_has_been_forgotten():
    """Out of a backup its last slot is an older one; the others hold what it has signed since."""
    net = Net(3, seed=8)
    net.connect()
    left = iter(range(90))
    net.run(lambda: next(left, None) is None)
    net.journals[1].records = net.journals[1].records[: len(net.journals[1].records) // 2]
    net.crash(1)
    net.sessions[1].begin()
    with pytest.raises(LocalError, match="have not been heard"):
        net.sessions[1].leave()
    net.connect()
    net.run(lambda: not net.sessions[1].unheard.seats or any(s.fault for s in net.sessions))
    net.sessions[1].leave()
    net.run(lambda: 1 in net.sessions[0].book.left)
    assert [s.fault for s in net.sessions] == [None] * 3


def test_nobody_votes_again_what_has_been_forgotten():
    net = Net(3, seed=6, grace=1)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6)
    before = list(net.journals[1].records)
    net.sessions[1].vote(None)
    net.flush()
    while any(net.queues.values()):
        net.step()
    net.journals[1].records = before
    net.crash(1)
    net.sessions[1].begin()
    with pytest.raises(LocalError, match="have not been heard"):
        net.sessions[1].vote(2)
    net.cut(0, 2)
    net.connect((0, 1))
    net.run(lambda: not net.sessions[1].unheard.misses((0,)))
    net.sessions[1].vote(2)
    net.run(lambda: False, most=2000, idle=3)
    assert [s.fault for s in net.sessions[:2]] == [None] * 2
    assert {key for key in net.sessions[0].chain.renewal.ballot.votes if key[1] == 1} >= {(0, 1), (1, 1)} or net.sessions[0].chain.past


def test_who_pretends_to_stand_further_keeps_no_resumed_seat_from_voting():
    """A liar is linked with it alone, says that it stands far beyond, and sends nothing: after the grace it is not waited for."""
    net = Net(3, seed=5, first=2, grace=5)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    net.crash(0)
    net.tamper = lambda a, b, m: (replace(m, step=m.step + 1000),) if a == 2 and isinstance(m, At) else () if a == 2 else (m,)
    net.cut(1, 2)
    net.connect((0, 1), (2, 0))

    def until():
        for session in net.sessions[:2]:
            if (lost := overdue(session.snapshot())) == 2:
                with contextlib.suppress(LocalError):  # it has not been waited for long enough
                    session.vote(lost)
        return all(s.table.done for s in net.sessions[:2])

    net.run(until, idle=150)
    assert all(s.table.done and s.fault is None for s in net.sessions[:2])
