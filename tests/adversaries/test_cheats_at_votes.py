"""A dishonest peer while the table votes to go on: contradictions are proven, nobody honest is shut out, and nobody is held up."""

from dataclasses import replace

import pytest
from adversaries.cheat import CHEAT, prove
from fakenet import MemoryJournal, Net
from mastaba.cli.bot import overdue
from mastaba.core.plain import encode
from mastaba.net.identity import Identity
from mastaba.net.log import ANSWER, LEAVE, Contribution, evidence, sign
from mastaba.net.renewal import LABEL, fresh_key, parted
from mastaba.net.roster import Origin
from mastaba.net.votes import MAX_ROUNDS, STAY, cast, read
from mastaba.net.wire import Assent, Fresh, Next, Say, Vote, unpack

LOST = 1


def table(seats=4, seed=5, step=5):
    """A match under way that has just lost seat 1; the cheat is seat 0."""
    net = Net(seats, seed=seed, first=2)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= step)
    for other in range(seats):
        net.cut(LOST, other)
    net.run(lambda: False, idle=4)  # what is under way arrives
    assert not any(s.table.rules.over for s in net.sessions)
    return net, [s for s in net.sessions if s.me not in (CHEAT, LOST)]


def vote_of(net, round_, choice):
    vote = cast(net.match.roster, round_, CHEAT, choice, net.signers[CHEAT])
    return Vote(vote.data, vote.signature)


def go(net, *lost):
    return net.sessions[2].chain.ballot.choice(lost, net.sessions[2].chain.here)


def expect_proven(net, honest, claim):
    for session in honest:
        fault = session.fault or session.book.proof  # the latter when the game was over before it was found
        assert fault is not None
        assert (fault.claim, fault.seat) == (claim, CHEAT)
        report = prove(net, fault.evidence)
        assert report.ok, report.fault
        assert report.fault is not None
        assert (report.fault.claim, report.fault.seat) == (claim, CHEAT)


def test_two_votes_in_one_slot_are_a_proof_for_everybody():
    net, honest = table()
    net.sessions[2].receive(CHEAT, vote_of(net, 0, go(net, LOST)))
    net.sessions[3].receive(CHEAT, vote_of(net, 0, STAY))
    net.run(lambda: all(s.fault for s in honest), idle=6)
    expect_proven(net, honest, "two-votes")


def test_after_the_proof_the_others_go_on_without_the_cheat():
    net, honest = table(seats=5)
    net.sessions[2].receive(CHEAT, vote_of(net, 0, go(net, LOST)))
    net.sessions[3].receive(CHEAT, vote_of(net, 0, STAY))
    net.run(lambda: all(s.fault for s in honest), idle=6)
    for session in honest:
        session.vote(CHEAT)
        session.vote(LOST)  # the cheat is shown as silent, and whoever is voted against with it goes with it
    net.run(lambda: all(s.chain.past for s in honest), idle=90)
    assert all(s.chain.past for s in honest)
    assert all(CHEAT in s.table.rules.gone for s in honest)


def test_two_parts_of_one_roster_are_a_proof_for_everybody():
    net, honest = table()
    lies = iter(range(10))

    def tamper(a, b, message):
        if a == CHEAT and isinstance(message, Fresh) and message.seat == CHEAT and b == 3:
            other = replace(message, nonce=bytes([next(lies) + 1]) * 32)
            signed = encode((other.match, other.seat, other.nonce, other.signing))
            key, _ = fresh_key(net.signers[CHEAT])
            return (replace(other, signature=net.identities[CHEAT].sign(LABEL, signed), owned=key.sign(LABEL, signed)),)
        return (message,)

    net.tamper = tamper
    for session in net.sessions:
        if session.me != LOST:
            session.vote(LOST)

    def proven():
        while net.queues[CHEAT, 3]:  # the lie comes before the truth does by others
            net.deliver(CHEAT, 3, unpack(net.queues[CHEAT, 3].popleft()))
            net.flush()
        return all(s.fault for s in honest)

    net.run(proven, idle=12)
    expect_proven(net, honest, "two-parts")


def crossed(later=False):
    """Three seats, a cut, and the cheat on both sides of it, who goes on with each without the other, by one vote round or by two."""
    net = Net(3, seed=5, first=2)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        net.cut(a, b)
    net.identities.append(net.identities[CHEAT])
    net.journals.append(MemoryJournal())
    twin = net.session(CHEAT)  # the cheat's second self
    twin.restore(list(net.journals[CHEAT].records))
    twin.unheard.expect(())
    twin.chain.journal = twin.book.journal = net.journals[3]
    net.sessions.append(twin)
    net.connect((0, 1), (3, 2))
    net.run(lambda: False, idle=2)  # what seats have said before the cut takes back no vote
    if later:
        net.sessions[2].vote(None)
        net.run(lambda: False, idle=2)
        net.sessions[2].vote(1)
        net.run(lambda: False, idle=2)
    for seat, lost in ((0, 2), (1, 2), (3, 1), (2, 1))[: 3 if later else 4]:
        net.sessions[seat].vote(lost)
    honest = [net.sessions[1], net.sessions[2]]
    net.run(lambda: all(s.chain.past for s in honest), idle=6)
    assert all(s.chain.past for s in honest)
    rounds = [{v.round for v in parted(s.chain.past[0].roster, s.roster)[0]} for s in honest]
    assert rounds == ([{0}, {1}] if later else [{0}, {0}])
    return net, honest


def test_who_votes_on_both_sides_of_a_cut_is_proven_when_the_sides_meet():
    """More than half cannot prevent three seats across a cut from playing two games; the crossing seat is named when they meet."""
    net, honest = crossed()
    net.connect((1, 2))
    net.run(lambda: all(s.fault for s in honest), idle=12)
    expect_proven(net, honest, "two-votes")


def test_who_plays_on_both_sides_of_a_cut_is_proven_when_the_sides_meet():
    """By votes of different rounds, which an honest seat may give; what nobody honest does is to play in both matches."""
    net, honest = crossed(later=True)
    net.run(lambda: all(s.book.played(CHEAT) for s in honest), idle=30)
    assert all(s.book.played(CHEAT) for s in honest)
    third = net.session(1)  # another on the first side, who hears of it from there alone
    third.restore(list(net.journals[1].records))
    third.link_up(0, net.identities[2].public)
    net.connect((1, 2))
    net.run(lambda: all(s.fault or s.book.proof for s in honest), idle=12)
    expect_proven(net, honest, "two-matches")
    for signed in reversed(honest[0].book.against):
        third.receive(0, Say(signed.data, signed.signature))
    assert third.take_closes() == []
    expect_proven(net, [third], "two-matches")


@pytest.mark.parametrize(
    ("mine", "theirs", "claim"),
    [
        ((7, ANSWER), (1, ANSWER), "two-matches"),
        ((7, ANSWER), (0, ANSWER), None),  # it went over while the keys were made
        ((0, ANSWER), (0, ANSWER), None),
        ((7, LEAVE), (1, ANSWER), None),  # a good-bye names a slot that it has filled, and plays nothing
        ((7, ANSWER), (7, LEAVE), None),
    ],
)
def test_only_who_has_played_in_two_matches_is_proven_to(mine, theirs, claim):
    net = Net(3, seed=5, first=2)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    two = [
        sign(Contribution(match, step, 0, CHEAT, bytes(32), bytes(8), (), kind), net.signers[CHEAT])
        for match, (step, kind) in ((net.match.roster.match, mine), (bytes(32), theirs))
    ]
    assert two[0].contradicts(two[1]) == claim
    report = prove(net, evidence(net.match.roster, (), two))
    assert (report.ok, report.fault.claim) == (claim is not None, claim or "proves-nothing")
    session = net.sessions[2]
    session.receive(CHEAT, Say(two[1].data, two[1].signature))
    assert (session.fault and session.fault.claim) == ("two-matches" if theirs == (1, ANSWER) else None)
    assert session.take_closes() == []
    forged = sign(two[1].said, net.signers[1])
    session.receive(CHEAT, Say(forged.data, forged.signature))
    assert session.take_closes() == [(CHEAT, "garbage")]


def next_roster(net, honest, seats, gone, votes, step_off=0):
    """A roster that the cheat makes up, signed by itself alone."""
    step, digest = honest[0].chain.here
    state = honest[0].table.rules.copy()
    state.lost(LOST)
    chairs = tuple(
        replace(s, nonce=bytes(32), signing=Identity.from_secret(bytes(31) + b"\1").public) if i in seats else s
        for i, s in enumerate(net.match.roster.seats)
    )
    origin = Origin(net.match.roster.match, step + step_off, digest, state.digest(), gone, tuple((v.body, v.signature) for v in votes))
    roster = replace(net.match.roster, seats=chairs, signatures=(), origin=origin.plain())
    return roster.with_signatures(tuple(roster.sign(net.identities[CHEAT]) if i == CHEAT else b"" for i in range(len(chairs))))


def test_nobody_can_shut_out_all_others_by_a_roster_that_he_signs_alone():
    """A real majority to go on without one seat is no leave to go on without everybody else."""
    net, honest = table()
    for session in net.sessions:
        if session.me != LOST:
            session.vote(LOST)
    net.tamper = lambda a, b, message: () if isinstance(message, Assent) else (message,)
    net.run(lambda: all(s.chain.renewal.choice for s in honest), idle=6)
    votes = [Vote(v.data, v.signature) for v in honest[0].chain.renewal.ballot.decided]
    roster = next_roster(net, honest, (CHEAT,), (1, 2, 3), votes)
    assert roster.fault() is None
    for session in honest:
        session.receive(CHEAT, Next(roster.encode()))
    assert [s.fault for s in honest] == [None, None]
    assert not any(s.chain.past for s in honest)
    net.tamper = lambda a, b, message: (message,)
    net.run(lambda: all(s.table.done for s in honest), idle=30)
    assert all(s.table.done and s.fault is None for s in honest)


def test_a_roster_that_can_never_be_followed_holds_nobody_up():
    net, honest = table()
    roster = next_roster(net, honest, (CHEAT,), (1,), [], step_off=1 << 20)
    for session in honest:
        session.receive(CHEAT, Next(roster.encode()))
    for session in net.sessions:
        if session.me != LOST:
            session.vote(LOST)
    net.run(lambda: all(s.table.done for s in honest), idle=30)
    assert all(s.table.done and s.fault is None for s in honest)


@pytest.mark.parametrize("last", [63, 64, 1000, MAX_ROUNDS - 1])
def test_a_vote_in_the_last_round_uses_up_nobodys_rounds(last):
    net, honest = table()
    early = vote_of(net, last, STAY)
    for session in honest:
        session.receive(CHEAT, early)
    for _ in range(3):
        for session in honest:
            session.vote(LOST)
    net.run(lambda: False, idle=2)
    assert all(s.chain.renewal.ballot.next_round < 200 for s in honest)
    assert all(s.fault is None for s in honest)


def test_a_voter_who_calls_vote_after_vote_fills_no_memory():
    net, honest = table()
    victim = honest[0]
    for round_ in range(200):
        victim.receive(CHEAT, vote_of(net, round_, STAY))
    assert sum(seat == CHEAT for _, seat in victim.chain.renewal.ballot.votes) <= 16
    assert victim.fault is None


def test_the_vote_of_whoever_is_to_be_left_behind_does_not_count():
    net, honest = table(seats=4)
    against_itself = cast(net.match.roster, 0, LOST, go(net, LOST), net.signers[LOST])
    honest[0].receive(CHEAT, Vote(against_itself.data, against_itself.signature))
    for session in honest:
        session.vote(LOST)
    net.tamper = lambda a, b, message: () if CHEAT in (a, b) else (message,)
    net.run(lambda: False, idle=4)
    assert all(s.chain.renewal.choice is None for s in honest)  # two of four, and his own


def test_a_contribution_signed_after_the_vote_opens_nothing_in_the_next_match():
    """The cheat votes to go on and still fills slots of the old match: they are void, and nobody takes them for the new one's."""
    net, honest = table()
    for session in net.sessions:
        if session.me != LOST:
            session.vote(LOST)
    net.run(lambda: all(s.chain.past for s in honest), idle=30)
    old = net.match.roster.match
    said = Contribution(old, honest[0].table.step, 0, CHEAT, bytes(32), bytes(8), (("run",),))
    signed = sign(said, net.signers[CHEAT])
    for session in honest:
        session.receive(CHEAT, Say(signed.data, signed.signature))
        assert session.take_closes() == []
        assert session.fault is None


def five(grace=10):
    """Five seats, of which seat 1 is lost; the cheat is seat 0, and the other three are more than half."""
    net = Net(5, seed=5, first=2, grace=grace)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    for other in range(5):
        net.cut(LOST, other)
    net.run(lambda: all((LOST, 0) in s.snapshot().silent for s in net.sessions if s.me != LOST), idle=30)
    return net, net.sessions[2:]


@pytest.mark.parametrize("how", ["a proof that nobody has", "rubbish far ahead"])
def test_one_vote_that_does_not_stand_spoils_no_certificate_of_the_others(how):
    net, honest = five(grace=3)
    key = net.signers[CHEAT]

    def tamper(a, b, message):
        if a != CHEAT or not isinstance(message, Vote):
            return (message,)
        own = read(message.body, message.signature, net.match.roster)
        if own.seat != CHEAT:
            return (message,)
        if how == "rubbish far ahead":
            said = sign(Contribution(net.match.roster.match, 100_000, 0, CHEAT, bytes(32), bytes(8), ()), key)
            return (Say(said.data, said.signature), message)
        vote = cast(net.match.roster, own.round, CHEAT, own.choice, key, bytes(32))
        return (Vote(vote.data, vote.signature),)

    net.tamper = tamper
    net.sessions[CHEAT].vote(LOST)

    def until():  # the cheat signs another roster than they do, and is left behind in the end
        for session in honest:
            if (lost := overdue(session.snapshot())) is not None:
                session.vote(lost)
        return all(s.chain.past for s in honest)

    net.run(until, idle=150)
    assert all(s.chain.past for s in honest)
    assert [s.fault for s in honest] == [None] * 3


def test_half_of_the_seats_in_the_last_vote_round_use_up_nobodys_rounds():
    net = Net(4, seed=5, first=2, grace=5)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    honest = net.sessions[:2]
    for liar, against in ((2, 0), (3, 1)):
        choice = net.sessions[liar].chain.ballot.choice((against,), net.sessions[liar].chain.here)
        vote = cast(net.match.roster, MAX_ROUNDS - 1, liar, choice, net.signers[liar])
        for session in honest:
            session.receive(liar, Vote(vote.data, vote.signature))
    net.run(lambda: False, idle=3)
    net.sessions[3].leave()
    net.run(lambda: all(3 in s.book.left for s in honest), idle=4)
    for other in range(4):
        net.cut(2, other)
        net.cut(3, other)
    net.run(lambda: all((2, 0) in s.snapshot().silent for s in honest), idle=30)
    for session in honest:
        session.vote(2)
    net.run(lambda: all(s.table.done for s in honest), idle=30)
    assert all(s.table.done and s.fault is None for s in honest)


@pytest.mark.parametrize("elsewhere", [{"prev": bytes(32)}, {"step": 1_000_000}])
@pytest.mark.parametrize("seats", [3, 4])
def test_a_good_bye_that_never_comes_into_force_holds_nobody_up(seats, elsewhere):
    """It opens the right keys and names a slot that is not there: its seat is left behind as a silent one is."""
    net = Net(seats, seed=5, first=2, grace=5)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5)
    liar = net.sessions[2]
    said = liar.book.last_place(2).said[2].said
    good_bye = sign(replace(said, kind=LEAVE, body=liar.table.good_bye(), **elsewhere), net.signers[2])
    honest = [s for s in net.sessions if s.me != 2]
    for session in honest:
        session.receive(2, Say(good_bye.data, good_bye.signature))
    net.tamper = lambda a, b, message: () if a == 2 else (message,)

    def until():
        for session in honest:
            if (lost := overdue(session.snapshot())) is not None:
                session.vote(lost)
        return all(s.table.done for s in honest)

    net.run(until, idle=150)
    assert all(s.table.done and s.fault is None for s in honest)
