"""Spectators follow and verify everything, see what all have seen, and can do nothing."""

import pytest
from adversaries.cheat import CHEAT, dishonest, with_body
from fakenet import Net, seeded
from mastaba.core.errors import LocalError
from mastaba.core.rules import Options
from mastaba.net.audience import MAX_WATCHERS
from mastaba.net.book import Silent
from mastaba.net.identity import Identity
from mastaba.net.roster import MAX_NAME
from mastaba.net.session import Session
from mastaba.net.terms import in_play
from mastaba.net.watch import Watcher
from mastaba.net.wire import At, Note, Say, Watch, Watchers

LINK = 77


def watching(net, server=0):
    """A spectator's session, linked with one peer, by the spectator's own handler."""
    net.sessions[server].about = in_play(net.match.roster, "Friday", False)
    watcher = Watcher()
    watcher.watch(LINK)
    net.sessions[server].link_up(LINK, Identity.from_secret(bytes(32)).public)
    return watcher


def exchange(net, spectator, server=0):
    """Carry messages between the spectator and the peer until neither has any."""
    session = net.sessions[server]
    while True:
        there = spectator.take_outbox()
        for link, message in there:
            assert link == LINK
            session.receive(LINK, message)
        back = [(link, m) for link, m in session.take_outbox()]
        for link, message in back:
            if link == LINK:
                spectator.receive(LINK, message)
            elif (server, link) in net.queues:
                session._out.append((link, message))
        net.flush()
        if not there and not any(link == LINK for link, _ in back):
            return


def test_a_spectator_verifies_a_whole_match_and_holds_no_secret():
    net = Net(3, seed=4)
    net.connect()
    net.run()
    server = net.sessions[0]
    server.about = in_play(net.match.roster, "Friday", False)
    spectator = Session(net.match.roster, net.match.table(), Silent(), seeded(1))
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, Watch(""))
    spectator.link_up(LINK, net.identities[0].public)
    exchange(net, spectator)
    assert spectator.table.done
    assert spectator.fault is None
    assert spectator.transcript() == server.transcript()
    trust, ours = spectator.snapshot().trust, server.snapshot().trust
    assert (trust.shuffles, trust.shares, trust.moves) == (ours.shuffles, ours.shares, ours.moves)
    assert trust.signatures == sum(len(r.said) for r in server.book.rounds)
    assert spectator.table.rules.peeked == {}
    assert spectator.snapshot().view.seat is None


def test_who_has_not_asked_to_watch_is_told_nothing():
    net = Net(2, seed=4)
    net.connect()
    server = net.sessions[0]
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, At(net.match.roster.match, 0, 0, net.match.roster.match, (), (), 0))
    server.tick(10.0)
    assert not [m for link, m in server.take_outbox() if link == LINK]


def test_a_table_may_refuse_spectators_and_serves_only_so_many():
    net = Net(2, seed=4)
    server = net.sessions[0]
    for link in range(100, 100 + MAX_WATCHERS + 1):
        server.link_up(link, Identity.from_secret(link.to_bytes(32, "big")).public)
        server.receive(link, Watch(""))
    assert server.take_closes() == [(100 + MAX_WATCHERS, "no-watching")]
    from dataclasses import replace

    closed = replace(net.match.roster, options=Options(watch=False))
    session = Session(closed, net.match.table(), Silent(), seeded(1))
    session.link_up(LINK, Identity.from_secret(bytes(32)).public)
    session.receive(LINK, Watch(""))
    assert session.take_closes() == [(LINK, "no-watching")]


def test_a_spectator_cannot_speak():
    net = Net(2, seed=4)
    net.connect()
    server = net.sessions[0]
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, Watch(""))
    net.sessions[1].begin()
    said = net.sessions[1].now.said[1]
    say = Say(said.data, said.signature)
    server.receive(LINK, say)
    server.receive(LINK, Note("hello"))
    assert 1 not in server.now.said
    assert server.chat.lines == ()


def test_chat_goes_to_seats_and_to_no_spectator():
    net = Net(3, seed=4)
    net.connect()
    server = net.sessions[0]
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, Watch("Eva"))
    server.note("only for you")
    assert sorted(link for link, m in server.take_outbox() if isinstance(m, Note)) == [1, 2]


def tick(net, seconds=3):
    for _ in range(seconds):
        net.tick()
        while net.step():
            pass


def test_every_seat_knows_who_watches_at_any_of_them_and_when_they_go():
    net = Net(3, seed=4)
    net.connect()
    eva, nameless = (Identity.from_secret(bytes([n]) * 32).public for n in (7, 8))
    for seat, link, who, name in ((0, LINK, eva, "Eva"), (2, LINK, nameless, "")):
        net.sessions[seat].link_up(link, who)
        net.sessions[seat].receive(link, Watch(name))
    tick(net, 6)
    expected = tuple(sorted([(eva, "Eva"), (nameless, "")]))
    assert [s.snapshot().watchers for s in net.sessions] == [expected] * 3
    net.sessions[0].link_down(LINK)
    tick(net, 6)
    assert [s.snapshot().watchers for s in net.sessions] == [((nameless, ""),)] * 3
    net.cut(1, 2)
    tick(net, 6)
    assert net.sessions[1].snapshot().watchers == (), "known by the link with the seat that serves them"


def test_a_spectator_is_told_who_else_watches():
    net = Net(2, seed=4)
    net.connect()
    eva = Identity.from_secret(bytes([7]) * 32).public
    net.sessions[1].link_up(LINK, eva)
    net.sessions[1].receive(LINK, Watch("Eva"))
    tick(net, 6)
    spectator = Session(net.match.roster, net.match.table(), Silent(), seeded(1))
    me = Identity.from_secret(bytes(32)).public
    net.sessions[0].link_up(LINK, me)
    net.sessions[0].receive(LINK, Watch("Max"))
    spectator.link_up(LINK, net.identities[0].public)
    watch_on(net, spectator, 0)
    assert spectator.snapshot().watchers == tuple(sorted([(eva, "Eva"), (me, "Max")]))


def test_a_seat_that_makes_spectators_up_fills_neither_memory_nor_screen():
    net = Net(2, seed=4)
    net.connect()
    server = net.sessions[0]
    crowd = Watchers(tuple((n.to_bytes(32, "big"), f"Eva - vigij-jitit\x1b[2J{n}") for n in range(300)))
    server.receive(1, crowd)
    tick(net)
    shown = server.snapshot().watchers
    assert len(shown) == MAX_WATCHERS
    assert {name for _, name in shown} == {f"Eva - [2J{n}" for n in range(MAX_WATCHERS)}
    changes = []
    for n in range(40):  # ever new ones, four times a second
        server.receive(1, Watchers(((n.to_bytes(32, "little"), "x" * 60),)))
        server.tick(net.clock + n / 4)
        changes.append(server.snapshot().watchers)
    assert len(set(changes)) <= 6
    assert all(len(name.encode()) <= MAX_NAME for shown in changes for _, name in shown)
    server.receive(LINK, Watchers(((bytes(32), "stranger"),)))
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, Watchers(((bytes(32), "stranger"),)))
    server.tick(net.clock + 60)
    assert "stranger" not in [name for _, name in server.snapshot().watchers]


def test_a_spectator_finds_the_match_by_asking_and_gets_the_tables_own_cards():
    net = Net(2, seed=4)
    net.connect()
    server = net.sessions[0]
    watcher = watching(net)
    server.about = in_play(net.match.roster, "Friday", True)
    server.toml = net.match.toml
    exchange(net, watcher)
    assert watcher.trouble is None
    assert watcher.found is not None
    assert watcher.found.roster == net.match.roster
    assert watcher.found.toml == net.match.toml


def test_a_spectator_follows_those_who_go_on_without_a_proven_cheat():
    net = Net(4, seed=8)
    dishonest(net, lambda said, receiver: with_body(said, b"rubbish") if said.step == 6 else said)
    net.connect()
    rest = net.sessions[1:]
    server = net.sessions[1]
    server.about = in_play(net.match.roster, "Friday", False)
    spectator = Session(net.match.roster, net.match.table(), Silent(), seeded(1))
    server.link_up(LINK, Identity.from_secret(bytes(32)).public)
    server.receive(LINK, Watch(""))
    spectator.link_up(LINK, net.identities[1].public)
    exchange(net, spectator, 1)
    net.run(lambda: all(s.fault for s in rest), idle=12)
    assert all(s.fault for s in rest)
    watch_on(net, spectator, 1)
    assert spectator.fault is not None
    assert (spectator.snapshot().phase, spectator.fault.seat) == ("stopped", CHEAT)
    for session in rest:
        session.vote(CHEAT)
    net.run(lambda: all(s.table.done for s in rest), idle=30)
    watch_on(net, spectator, 1)
    assert spectator.fault is None
    assert spectator.snapshot().phase == "done"
    assert spectator.transcript() == server.transcript()
    with pytest.raises(LocalError):
        spectator.vote(2)


def watch_on(net, spectator, server):
    """What the peer has told the spectator meanwhile was dropped by the net; they tell each other where they stand until both are still."""
    for _ in range(30):
        net.clock += 2.0
        spectator.tick(net.clock)
        net.sessions[server].tick(net.clock)
        exchange(net, spectator, server)
