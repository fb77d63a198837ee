"""Pyramid over the network: hidden moves that all check, one contribution a move, leavers, crashes, and what the mummy never learns."""

from pathlib import Path

import pytest
from fakenet import Net
from mastaba.cli.check import in_words
from mastaba.core.errors import LocalError, PeerError
from mastaba.core.fair import hidden
from mastaba.core.fair.chain import Trial
from mastaba.core.plain import decode
from mastaba.core.rules import Choose, Hide, IllegalMove, Team
from mastaba.net.log import OWN
from mastaba.net.verify import verify

PYRAMID = Path(__file__).parents[2] / "src" / "core" / "games" / "data" / "pyramid.toml"
SMALL = Path(__file__).parents[1] / "data" / "pyramid-small.toml"


def net_of(seats, seed, mummy=0, level="sensible", path=PYRAMID, audit=True):
    net = Net(seats, seed=seed, level=level, game="pyramid", path=path, first=mummy, audit=audit)
    net.connect()
    return net


def ended(net, *without):
    """All others have ended alike, and their file verifies."""
    rest = [s for s in net.sessions if s.me not in without]
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete
    return rest


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_whole_game_is_played_proven_and_audited(seats):
    net = net_of(seats, seats)
    net.run()
    tables = [s.table for s in ended(net)]
    uncovered = tables[0].hidden.uncovered
    assert len(uncovered) == sum(event.id == "moved" for event in tables[0].events)
    assert all(t.hidden.uncovered == uncovered for t in tables)
    assert {name for _, name, _ in uncovered} <= set(tables[0].rules.owner)


def test_a_table_may_do_without_the_audit_and_then_what_was_hidden_stays_hidden():
    net = net_of(3, 3, path=SMALL, audit=False)
    net.run()
    tables = [s.table for s in ended(net)]
    assert all(t.hidden.trail and t.hidden.published == {} and t.hidden.uncovered == () for t in tables)
    said = [one.said.body for one in net.sessions[0].book.rounds[-1].in_order()]
    assert [len(body) for body in said] == [3, 3, 3]  # scores, winners, reason: no secret
    report = verify(net.sessions[0].transcript(), lambda roster: net.match.table())
    assert report.checked["audited"] == 0
    assert report.checked["moves"] > 0
    assert any("audit" in line for line in in_words(report))


def test_a_secret_that_the_table_does_not_want_to_be_shown_is_refused():
    """Nobody can be made to read where the others have been: a body of Over with a secret in it is another body."""
    net = net_of(3, 3, path=SMALL, audit=False)
    net.run(lambda: any(s.table.rules.over and s.table.missing for s in net.sessions))
    table = next(s.table for s in net.sessions if s.table.rules.over)
    seat = table.missing[0]
    secret = next(iter(net.sessions[1].table.hidden.secrets.values())).encode()
    over = table.rules.pending
    with pytest.raises(PeerError, match="bad-body"):
        table.judge(seat, (over.scores, over.winners, over.reason, secret))


def test_the_audit_counts_what_it_has_read():
    net = net_of(3, 3, path=SMALL)
    net.run()
    tables = [s.table for s in ended(net)]
    report = verify(net.sessions[0].transcript(), lambda roster: net.match.table())
    assert report.checked["audited"] == len(tables[0].hidden.trail) > 0
    assert [t.trust.audited for t in tables] == [report.checked["audited"]] * 3
    assert any(str(report.checked["audited"]) in line and "audit" in line for line in in_words(report))


def asked(net, seat, moves):
    request = net.sessions[seat].table.sight.pending
    return net.sessions[seat].table.decision is not None and getattr(request, "moves", "hide") == moves


def test_nothing_leaves_before_die_move_and_mission_are_decided():
    net = net_of(3, 1)
    hunter = net.sessions[1]

    def in_step():
        return asked(net, 1, "picks") and len({s.now.place for s in net.sessions}) == 1

    net.run(in_step)
    while not list(hunter.table.sight.own_moves(hunter.table.decision, 1))[1:]:
        hunter.answer(("again",))
        net.run(in_step)
    place, public = hunter.now.place, hunter.table.rules.digest()
    die = list(hunter.table.sight.own_moves(hunter.table.decision, 1))[1]
    hunter.answer(die)
    assert isinstance(hunter.table.decision, Hide)
    view = hunter.snapshot().view
    assert view.asked() == hunter.table.decision
    squares = view.moves()
    with pytest.raises(IllegalMove):
        hunter.answer(next(s for s in view.rules.data.board.ordinary if s not in squares))
    hunter.answer(squares[0])
    assert isinstance(hunter.table.decision, Choose)
    assert hunter.snapshot().view.rules.square("h1") == squares[0]
    for session in net.sessions:
        assert (session.now.place, session.now.said, session.table.rules.digest()) == (place, {}, public)
    hunter.answer(("pass",))
    assert hunter.table.decision is None
    assert hunter.now.place > place
    with pytest.raises(LocalError):
        hunter.answer(("pass",))
    net.run(lambda: all(s.now.place == hunter.now.place for s in net.sessions))
    assert net.sessions[0].table.rules.mine == {}
    assert net.sessions[2].table.rules.mine == {"h1": squares[0]}


def test_the_mummy_and_its_journal_know_nothing_hidden_before_the_end():
    """Its table holds no secret, position or die, its disk nothing beside what all have said but its own keys' salt."""
    net = net_of(3, 1)
    mummy, checked = net.sessions[0].table, []

    def until():
        if mummy.step and not mummy.rules.over:
            assert (mummy.rules.mine, mummy.rules.peeked, mummy.hidden.secrets) == ({}, {}, {})
            checked.append(mummy.step)
        return all(s.table.done for s in net.sessions)

    net.run(until)
    ended(net)
    assert len(set(checked)) > 100
    kept = [decode(payload)[2] for kind, payload in net.journals[0].records if kind == OWN]
    assert len(kept) > 50
    assert [private for private in kept[1:] if private is not None] == []
    for table in (s.table for s in net.sessions[1:]):
        assert set(table.hidden.secrets) == {team.T for team in table.hidden.made}


def test_every_hidden_move_is_as_long_as_the_public_state_says():
    """The mummy's own table foretells the number of bytes, from what it knows: so their number tells it nothing."""
    net = net_of(4, 2)
    mummy, seen = net.sessions[0].table, []
    judge = mummy.judge

    def watch(seat, body):
        if getattr(mummy.rules.pending, "moves", "") == "picks" and len(body) > 1:
            trial = Trial(mummy, mummy.stage.first)
            trial.check(seat, body[:1])
            trial.check(seat, body[1])
            cipher, proof = body[2]
            seen.append((len(cipher), len(proof)) == (hidden.CIPHER, hidden.claim_of(trial.stage.statement).size))
            mission = len(body[4:])
            assert (len(body), mission) == ((4, 0) if body[3] == (("pass",),) else (6, 2))
        judge(seat, body)

    mummy.judge = watch
    net.run()
    ended(net)
    assert len(seen) > 10
    assert all(seen)


@pytest.mark.parametrize("who", [1, 2], ids=["the maker of the secret", "another hunter"])
def test_a_killed_hunter_comes_back_with_the_teams_secret(who):
    net = net_of(3, 3)
    net.run(lambda: len(net.sessions[0].table.hidden.trail) > 6)
    before = dict(net.sessions[who].table.hidden.secrets)
    net.crash(who)
    assert net.sessions[who].table.hidden.secrets == before != {}
    net.connect(*((who, other) if who > other else (other, who) for other in range(3) if other != who))
    net.run()
    ended(net)


def test_a_hunter_killed_between_die_and_square_is_asked_again():
    net = net_of(3, 1)
    net.run(lambda: asked(net, 1, "hide"))
    assert asked(net, 1, "hide")
    net.crash(1)
    assert not asked(net, 1, "hide")
    net.connect((1, 0), (2, 1))
    net.run()
    ended(net)


def leaving(net, seat, when):
    done = []

    def until():
        session = net.sessions[seat]
        if not done and session.table.keys and when(session.table):
            done.append(True)
            session.leave()
        return all(s.table.done or s.fault for s in net.sessions if s.me != seat)

    net.gone = {seat}
    return until


@pytest.mark.parametrize("who", [1, 2], ids=["the maker of the secret", "another hunter"])
@pytest.mark.parametrize("moves", [0, 1, 7])
def test_when_a_hunter_leaves_the_others_take_a_new_secret_and_hide_anew(who, moves):
    net = net_of(4, 10 + moves)
    net.run(leaving(net, who, lambda t: bool(t.hidden.made) and len(t.hidden.trail) >= moves))
    rest = ended(net, who)
    teams = rest[0].table.hidden.made
    assert len(teams) == 2
    assert who in teams[0].seats
    assert who not in teams[1].seats
    assert teams[0].T != teams[1].T
    assert teams[1].T not in net.sessions[who].table.hidden.secrets
    if moves:
        assert rest[0].table.hidden.uncovered


def test_the_maker_leaves_before_the_secret_is_made():
    net = net_of(4, 5)
    play = net.sessions[1]._act

    def silent_at_the_team():
        if not (isinstance(play.__self__.table.rules.pending, Team) and play.__self__.table.step):
            play()

    net.sessions[1]._act = silent_at_the_team
    net.run(leaving(net, 1, lambda t: isinstance(t.rules.pending, Team)))
    rest = ended(net, 1)
    assert all(1 not in team.seats for team in rest[0].table.hidden.made)


@pytest.mark.parametrize("seats", [2, 3])
def test_when_the_mummy_or_the_last_hunter_leaves_nobody_wins(seats):
    for leaver in (0, 1) if seats == 2 else (0,):
        net = net_of(seats, 6)
        net.run(leaving(net, leaver, lambda t: len(t.hidden.trail) > 3))
        rest = ended(net, leaver)
        assert rest[0].table.rules.pending.winners == ()


@pytest.mark.parametrize("steps", [4, 9])
def test_a_silent_hunter_is_left_behind_and_what_was_hidden_stays_hidden(steps):
    net = net_of(4, 8)
    net.run(lambda: len(net.sessions[0].table.hidden.trail) >= steps)
    for other in range(4):
        net.cut(2, other)
    net.silent = 2
    rest = [s for s in net.sessions if s.me != 2]
    net.run(lambda: all(s.table.done for s in rest), idle=4)
    for session in rest:
        session.vote(2)
    net.run(lambda: all(s.table.done or s.fault for s in rest), idle=30)
    rest = ended(net, 2)
    made = rest[0].table.hidden.made
    assert len(made) == 2
    assert 2 not in made[1].seats
    assert len(rest[0].table.hidden.uncovered) > steps
