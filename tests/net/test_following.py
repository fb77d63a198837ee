"""Catching up: what a peer lacks is sent once over a link, in order, within bounds, whatever it says of itself."""

from dataclasses import replace

import pytest
from fakenet import Net, seeded
from mastaba.net.audience import MAX_WATCHERS
from mastaba.net.book import Silent
from mastaba.net.chain import Chain
from mastaba.net.following import BURST, EVERY
from mastaba.net.sent import AGAIN, AGAIN_SPECTATOR, MAX_UNDER_WAY
from mastaba.net.session import Session
from mastaba.net.votes import STAY, cast
from mastaba.net.wire import At, Next, Say, Vote, Watch, pack

LINK, TICK = 77, 0.25


def played(seats=3, seed=4, steps=None):
    """A match, to its end or so many steps far."""
    net = Net(seats, seed=seed)
    net.connect()
    net.run((lambda: net.sessions[0].table.step >= steps) if steps else None)
    return net


def beginning(net, read=0):
    return At(net.match.roster.match, 0, 0, net.match.roster.match, (), (), read)


def sent(session, link=LINK):
    return [message for to, message in session.take_outbox() if to == link]


def says(messages):
    return [message for message in messages if isinstance(message, Say)]


def size(messages):
    return sum(len(pack(message)) for message in messages)


def watch(session, link=LINK):
    session.link_up(link, link.to_bytes(32, "big"))
    session.receive(link, Watch(""))


def test_nothing_is_said_before_the_other_side_has_said_where_it_stands():
    net = Net(2, seed=4)
    net.connect()
    net.sessions[0].begin()
    assert not says(sent(net.sessions[0], 1))
    net.sessions[0].receive(1, beginning(net))
    assert [type(message) for message in sent(net.sessions[0], 1)] == [At, Say], "and it is told once more where we stand"


def test_a_spectator_is_sent_each_contribution_once_while_the_match_goes_on():
    net = played(steps=5)
    server = net.sessions[0]
    spectator = Session(net.match.roster, net.match.table(), Silent(), seeded(1))
    watch(server)
    spectator.link_up(0, net.identities[0].public)
    carried, send = [], net.send

    def carry(a, b, message):
        if b == LINK:
            carried.append(message)
            spectator.receive(0, message)
        else:
            send(a, b, message)

    def ended():
        for _, message in spectator.take_outbox():
            server.receive(LINK, message)
        if spectator.clock < net.clock:
            spectator.tick(net.clock)
        return spectator.table.done and server.table.done

    net.send = carry
    net.run(ended, idle=30)
    assert spectator.transcript() == server.transcript()
    assert len(says(carried)) == len(set(says(carried)))
    assert size(carried) < 1.2 * len(server.transcript())


def test_who_repeats_where_it_stands_is_not_sent_the_same_again():
    net = played()
    server = net.sessions[0]
    watch(server)
    got = []
    for tick in range(int(8 / TICK)):
        server.receive(LINK, beginning(net))
        server.tick(net.clock + tick * TICK)
        got += says(sent(server))
    assert len(got) == len(set(got)) > 10


def test_who_has_read_it_and_still_lacks_it_is_sent_it_again():
    net = played()
    server = net.sessions[0]
    watch(server)
    server.receive(LINK, beginning(net))
    first = says(sent(server))
    server.tick(net.clock + 1)
    server.receive(LINK, beginning(net, len(first) - 1))
    assert says(sent(server)) == first[:-1]


@pytest.mark.parametrize("seat", [None, 1])
def test_a_link_on_which_all_is_said_to_be_read_and_nothing_held_costs_no_more_than_a_budget(seat):
    net = played()
    server, seconds = net.sessions[0], 60
    link, again = (LINK, AGAIN_SPECTATOR) if seat is None else (seat, AGAIN)
    if seat is None:
        watch(server)
    server.take_outbox()
    got = 0
    for tick in range(int(seconds / TICK)):
        for _ in range(10):
            server.receive(link, beginning(net, (1 << 32) - 1))
        server.tick(net.clock + tick * TICK)
        got += size(says(sent(server, link)))
    assert got < 1.1 * (MAX_UNDER_WAY + again.most + again.rate * seconds)


def test_one_catch_up_a_tick_and_the_latest_place_counts():
    net = played()
    server = net.sessions[0]
    watch(server)
    server.receive(LINK, beginning(net, 0))
    assert says(sent(server))
    late = server.book.rounds[-2]
    for r in (server.book.rounds[3], late):
        server.receive(LINK, At(net.match.roster.match, r.step, r.round, r.prev, (), (), 10_000))
        assert not says(sent(server))
    server.tick(net.clock + 1)
    assert {message.body for message in says(sent(server))} == {one.data for r in server.book.rounds[-2:] for one in r.in_order()} | {
        one.data for one in server.now.in_order()
    }


def test_no_more_than_a_burst_and_a_window_is_sent_for_one_at():
    net = played()
    server = net.sessions[0]
    watch(server)
    server.receive(LINK, beginning(net))
    got = says(sent(server))
    assert len(got) <= BURST
    assert size(got) < MAX_UNDER_WAY + 100_000


def test_a_peer_in_an_earlier_match_is_sent_what_it_lacks_of_it_once_and_the_roster_of_the_next_now_and_then():
    net = Net(3, seed=5)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6)
    for other in (0, 2):
        net.cut(1, other)
    net.run(lambda: False, idle=4)
    for seat in (0, 2):
        net.sessions[seat].vote(1)
    net.run(lambda: all(net.sessions[seat].chain.past for seat in (0, 2)), idle=12)
    server = net.sessions[0]
    assert server.chain.past
    net.clock += 10
    server.tick(net.clock)
    server.link_up(LINK, net.identities[1].public)
    server.take_outbox()
    got = []
    for tick in range(int(6 / TICK)):
        server.receive(LINK, beginning(net))
        server.tick(net.clock + tick * TICK)
        got += sent(server)
    assert len(says(got)) == len(set(says(got))) > 10
    assert sum(isinstance(message, Next) for message in got) == 6 / EVERY


def test_where_digests_differ_the_rounds_before_are_sent_each_once_until_all_have_been():
    net = played()
    server = net.sessions[0]
    place = server.book.rounds[-1]
    before = {one.data for r in server.book.rounds[:-1] for one in r.in_order()}
    got = []
    for tick in range(12):
        server.receive(1, At(net.match.roster.match, place.step, place.round, bytes(32), (), (), (1 << 32) - 1))
        server.tick(net.clock + tick * TICK)
        got += [message.body for message in says(sent(server, 1)) if message.body in before]
        if set(got) == before:
            break
    assert set(got) == before
    assert len(got) == len(before)


def test_one_new_vote_of_a_seat_is_looked_at_a_tick_and_the_latest_is_not_lost(monkeypatch):
    net = played(steps=5)
    victim = net.sessions[1]
    looked = []
    take = victim.chain.renewal.take_vote
    monkeypatch.setattr(victim.chain.renewal, "take_vote", lambda message: looked.append(message) or take(message))
    for round_ in range(50):
        vote = cast(net.match.roster, round_, 0, STAY, net.signers[0])
        victim.receive(0, Vote(vote.data, vote.signature))
    assert len(looked) == 1
    other = cast(net.match.roster, 0, 2, STAY, net.signers[2])
    victim.receive(0, Vote(other.data, other.signature))
    assert len(looked) == 2, "another seat's has its own turn"
    victim.tick(net.clock + TICK)
    assert len(looked) == 3
    assert {(0, 0), (49, 0), (0, 2)} <= set(victim.chain.renewal.ballot.votes)


def test_votes_that_are_known_already_take_no_turn_and_no_signature_is_checked_again(monkeypatch):
    net = played(steps=5)
    victim = net.sessions[1]
    old, new = (cast(net.match.roster, round_, 0, STAY, net.signers[0]) for round_ in (0, 1))
    victim.receive(0, Vote(old.data, old.signature))
    victim.tick(net.clock + TICK)
    for _ in range(20):
        victim.receive(0, Vote(old.data, old.signature))
    victim.receive(0, Vote(new.data, new.signature))
    assert (1, 0) in victim.chain.renewal.ballot.votes


def test_one_roster_of_a_next_match_is_looked_at_a_tick(monkeypatch):
    net = played(steps=5)
    victim = net.sessions[1]
    looked = []
    monkeypatch.setattr(Chain, "follow", lambda self, roster, by, now: looked.append(roster))
    rosters = [replace(net.match.roster, data=bytes([n]) * 32) for n in range(60)]
    for roster in rosters:
        victim.receive(0, Next(roster.encode()))
    assert looked == rosters[:1]
    victim.tick(net.clock + TICK)
    assert looked == [rosters[0], rosters[-1]]


def test_only_so_many_watch_and_they_keep_their_links():
    net = played(steps=5)
    server = net.sessions[0]
    for link in range(100, 100 + MAX_WATCHERS):
        watch(server, link)
    server.link_up(99, bytes(32))
    assert set(server.placed) == {1, 2, *range(100, 100 + MAX_WATCHERS)}
