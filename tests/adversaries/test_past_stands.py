"""All other seats together, with what they really hold, cannot undo what they have signed over, nor a game that is finished."""

import itertools

import pytest
from fakenet import Net
from mastaba.core.plain import BadEncoding
from mastaba.core.rules import Over
from mastaba.net.identity import Identity
from mastaba.net.log import parse
from mastaba.net.renewal import goes_on
from mastaba.net.roster import Origin, Roster
from mastaba.net.votes import cast, stands
from mastaba.net.wire import Next, Say, Vote


def play(seats, until, seed=5):
    net = Net(seats, seed=seed, first=0)
    net.connect()
    net.run(lambda: until(net), idle=4)
    return net


def the_end(honest):
    """The game is over for the honest seat, which has signed the result."""
    return lambda net: net.sessions[honest].book.finished


def certificate_of(net, liars, lost, step):
    """What the liars vote: to go on without these seats from that step, under the digest that all had then."""
    witness = net.sessions[liars[0]].book
    choice = ("go", tuple(sorted(lost)), step, witness.places[step + 1, 0].prev, ())
    return [cast(net.match.roster, 7, seat, choice, net.signers[seat]) for seat in liars]


def roster_of(net, liars, votes, honest=()):
    """The next roster as the liars make it of their votes; the honest seats that it needs have signed nothing."""
    before, choice = net.match.roster, votes[0].choice
    state = net.sessions[liars[0]].book.upto(choice[2]).table.rules
    state.lost(*(seat for seat in choice[1] if seat not in state.gone))
    remain = [seat for seat in before.here if seat not in state.gone]
    chairs = [
        type(s)(s.identity, s.name, Identity.from_secret(bytes([i]) * 32).public, bytes([i]) * 32, s.bot) if i in remain else s
        for i, s in enumerate(before.seats)
    ]
    origin = Origin(before.match, choice[2], choice[3], state.digest(), tuple(state.gone), tuple((v.data, v.signature) for v in votes))
    roster = Roster(before.game, before.rules, before.options, before.data, tuple(chairs), (), origin.plain())
    return roster.with_signatures(tuple(roster.sign(net.identities[i]) if i in remain else b"" for i in range(len(chairs))))


def give(net, honest, liars, votes):
    """The honest seat gets the votes, and as much time as it wants."""
    for vote in votes:
        net.sessions[honest].receive(liars[0], Vote(vote.data, vote.signature))
    for _ in range(6):
        net.run(lambda: False, idle=1)
        net.tick()


# seats, liars, the honest seat that is looked at, whom the liars would leave behind
COALITIONS = [
    (4, (0, 1, 2), 3, (2,)),
    (4, (0, 1, 2), 3, (3,)),
    (5, (0, 1, 2), 3, (4,)),
    (5, (0, 1, 2), 4, (3, 4)),
    (6, (0, 1, 2, 3), 4, (5,)),
]


@pytest.mark.parametrize(("seats", "liars", "honest", "lost"), COALITIONS)
def test_the_past_stands_when_all_others_vote_to_undo_a_finished_game(seats, liars, honest, lost):
    """They keep their signatures of the result back, and vote to go on from long before; one of them has perhaps nothing to lose."""
    net = Net(seats, seed=5, first=0)
    net.tamper = lambda a, b, message: () if held_back(net, liars, a, b, message) else (message,)
    net.connect()
    net.run(lambda: the_end(honest)(net), idle=4)
    session = net.sessions[honest]
    assert session.book.finished
    result, place = session.table.rules.pending, session.now.place
    assert isinstance(result, Over)
    votes = certificate_of(net, [seat for seat in liars if seat not in lost], lost, 4)
    give(net, honest, liars, votes)
    roster = roster_of(net, [seat for seat in liars if seat not in lost], votes)
    session.receive(liars[0], Next(roster.encode()))
    give(net, honest, liars, ())
    assert session.chain.renewal.fresh.get(honest) is None
    assert session.chain.renewal.assents.get(honest) is None
    assert not session.chain.past
    assert session.fault is None
    assert (session.now.place, session.table.rules.pending) == (place, result)
    assert session.snapshot().phase in ("over", "done")


def held_back(net, liars, a, b, message):
    """The liars sign no result that the honest get to see."""
    if a not in liars or b in liars or not isinstance(message, Say):
        return False
    said = parse(message.body, net.match.roster)
    return said.seat in liars and net.sessions[said.seat].table.rules.over and said.step == net.sessions[said.seat].table.step


@pytest.mark.parametrize(("seats", "liars", "honest", "lost"), COALITIONS)
@pytest.mark.parametrize("back", [4, 12])
def test_the_past_stands_when_all_others_vote_to_go_back_in_mid_game(seats, liars, honest, lost, back):
    net = play(seats, lambda net: net.sessions[honest].table.step >= 22)
    session = net.sessions[honest]
    voters = [seat for seat in liars if seat not in lost]
    assert all(session.book.signed[seat] > back + 1 for seat in voters)
    before = session.table.step
    votes = certificate_of(net, voters, lost, back)
    give(net, honest, liars, votes)
    session.receive(liars[0], Next(roster_of(net, voters, votes).encode()))
    net.run(idle=8)
    assert not session.chain.past
    assert session.fault is None
    assert session.table.step > before


@pytest.mark.parametrize("proof", [None, bytes(32)])
def test_the_past_stands_before_a_vote_that_cites_a_proof_which_nobody_has(proof):
    net = play(4, lambda net: net.sessions[3].table.step >= 22)
    session = net.sessions[3]
    choice = certificate_of(net, (0, 1, 2), (3,), 4)[0].choice
    votes = [cast(net.match.roster, 7, seat, choice, net.signers[seat], proof, True) for seat in (0, 1, 2)]
    give(net, 3, (0, 1, 2), votes)
    net.run(idle=8)
    assert not session.chain.past
    assert session.table.done or session.table.step > 22


def test_the_past_stands_in_every_roster_that_the_contributions_at_hand_speak_against():
    """The bound is part of what makes a next roster: for live peers, spectators and files alike."""
    net = play(4, lambda net: net.sessions[3].table.step >= 22)
    book = net.sessions[3].book
    for step in range(2, 22):
        if any((step + 1, 0) not in net.sessions[seat].book.places for seat in (0, 3)):
            continue
        votes = certificate_of(net, (0, 1), (2,), step)
        votes += [cast(net.match.roster, 7, 3, votes[0].choice, net.signers[3])]
        roster = roster_of(net, (0, 1), votes)
        good = all(book.signed[seat] <= step + 1 for seat in (0, 1, 3))
        if good:
            assert goes_on([net.match.roster], roster, (), book.signed, ()) == (2,)
        else:
            with pytest.raises(BadEncoding, match="behind"):
                goes_on([net.match.roster], roster, (), book.signed, ())


@pytest.mark.parametrize("cited", list(itertools.product([False, True], repeat=3)))
@pytest.mark.parametrize("proven", [False, True])
def test_the_past_stands_as_far_as_the_one_who_plays_on_and_has_signed_least_has_come(cited, proven):
    """Only after a known proof, and then nobody has more undone than somebody who plays on has left open."""
    net = Net(4)
    signed = {0: 9, 1: 7, 2: 12, 3: 2}
    for step in range(12):
        choice = ("go", (3,), step, bytes(32), ())
        votes = [cast(net.match.roster, 0, seat, choice, net.signers[seat], bytes(32) if cited[seat] else None) for seat in range(3)]
        bounds = [proven and step + 1 >= 7 if cited[seat] else step + 1 >= signed[seat] for seat in range(3)]
        assert [stands(vote, signed, (0, 1, 2), proven) for vote in votes] == bounds
