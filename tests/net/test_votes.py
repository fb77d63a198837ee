"""A silent seat: the others vote, and play on in a new match; nobody is blamed, and no late vote undoes what was played."""

import itertools
from dataclasses import replace

import pytest
from adversaries.cheat import CHEAT, dishonest, with_body
from fakenet import SMALL, Net
from hypothesis import given, settings, strategies as st
from mastaba.cli.bot import overdue
from mastaba.cli.check import in_words
from mastaba.core.errors import LocalError
from mastaba.core.plain import BadEncoding
from mastaba.core.rules import Choose
from mastaba.net.ballot import Ballot
from mastaba.net.book import Silent
from mastaba.net.identity import Identity
from mastaba.net.log import TRANSCRIPT, Contribution, pack_file, parse, sign, unpack_file
from mastaba.net.renewal import goes_on
from mastaba.net.session import Session
from mastaba.net.verify import verify
from mastaba.net.votes import STAY, cast, certificate
from mastaba.net.wire import Assent, Fresh, Say, Watch

PYRAMID = SMALL.with_name("pyramid-small.toml")


def silence(net, seat):
    """The seat vanishes: no link of it stands, and nothing it says arrives."""
    for other in range(len(net.sessions)):
        net.cut(seat, other)
    net.silent = seat


def heard(net):
    """All have heard where the others stand, and with whom they are linked."""
    net.flush()
    while any(net.queues.values()):
        net.step()
    net.tick()


def play_until(net, steps):
    count = [0]

    def until():
        count[0] += 1
        return count[0] > steps or all(s.table.done for s in net.sessions)

    net.run(until)


def go_on(net, lost):
    """All others vote to go on, and play to the end."""
    rest = [s for s in net.sessions if s.me != lost]
    net.run(lambda: all(s.table.done for s in rest), idle=4)  # what is under way arrives
    if all(s.table.done for s in rest):
        return rest
    for session in rest:
        if not session.table.rules.over:
            session.vote(lost)
    net.run(lambda: all(s.table.done or s.fault for s in rest), idle=30)
    return rest


@given(seats=st.sampled_from([3, 4]), seed=st.integers(0, 1 << 20), steps=st.integers(30, 500))
@settings(max_examples=15, deadline=None)
def test_the_others_play_on_in_a_new_match(seats, seed, steps):
    net = Net(seats, seed=seed)
    net.connect()
    play_until(net, steps)
    if not net.sessions[0].table.keys or any(s.table.done for s in net.sessions):
        return
    silence(net, 1)
    rest = go_on(net, 1)
    assert [s.fault for s in rest] == [None] * len(rest)
    files = {s.transcript() for s in rest}
    assert len(files) == 1
    report = verify(files.pop(), lambda roster: net.match.table())
    assert report.ok, report.fault and (report.fault.claim, report.fault.step, report.fault.round, report.fault.seat)
    if rest[0].table.rules.over and not rest[0].table.done:
        return  # the seat was lost at the very end
    assert all(s.table.done for s in rest)
    assert report.complete
    if rest[0].chain.past:
        assert 1 not in report.winners


def of_the_result(session, message):
    """Is it this seat's signature of the result?"""
    said = parse(message.body, session.roster)
    return session.table.rules.over and (said.seat, said.step) == (session.me, session.table.step)


def at_the_end(seats=3, seed=1):
    """All have come to the end of the game, and nobody has heard from seat 1 since."""
    net = Net(seats, seed=seed)
    net.connect()
    net.tamper = lambda a, b, message: () if isinstance(message, Say) and of_the_result(net.sessions[1], message) else (message,)
    rest = [s for s in net.sessions if s.me != 1]
    net.run(lambda: all(s.table.rules.over and s.table.missing == (1,) for s in rest))
    silence(net, 1)
    return net, rest


def test_a_seat_silent_at_the_very_end_is_not_voted_on_and_the_result_stands():
    net, rest = at_the_end()
    for session in rest:
        with pytest.raises(LocalError):
            session.vote(1)
    assert [s.snapshot().phase for s in rest] == ["over", "over"]
    net.run(lambda: all(s.snapshot().phase == "done" for s in rest), idle=80)
    for session in rest:
        assert session.snapshot().phase == "done"
        assert session.snapshot().signed == (0, 2)
    report = verify(rest[0].transcript(), lambda roster: net.match.table())
    assert report.ok
    assert not report.complete
    assert (report.unsigned, report.scores, report.winners) == ((1,), *result(rest[0]))
    assert any(text.startswith("Not confirmed by P1 (") for text in in_words(report))
    assert report.as_json()["unsigned"] == [1]


def result(session):
    over = session.table.rules.pending
    return over.scores, over.winners


def test_who_has_voted_to_go_on_before_the_last_answer_came_still_signs_the_result():
    """There is nothing to go on with: all vote to stay by themselves, and the majority of them frees who had voted otherwise."""
    net = Net(3, seed=4)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6)
    net.sessions[0].vote(1)
    while not net.sessions[1].table.rules.over and net.step():
        pass
    net.sessions[0].vote(None)
    net.run(lambda: all(s.table.done for s in net.sessions), idle=12)
    net.run(idle=12)
    assert not any(s.chain.past for s in net.sessions)


@pytest.mark.parametrize("seats", [5])
def test_two_silent_seats_are_left_behind_in_one_vote(seats):
    """Each would have to sign the next roster if the other alone were left behind."""
    net = Net(seats, seed=seats, first=0)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 5)
    for lost in (1, 2):
        silence(net, lost)
    rest = [s for s in net.sessions if s.me not in (1, 2)]

    def until():
        for session in rest:
            if (lost := overdue(session.snapshot())) is not None:
                session.vote(lost)
        return all(s.table.done or s.fault for s in rest)

    net.run(until, idle=140)
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    assert all(s.table.rules.gone == (1, 2) for s in rest)
    report = verify(rest[0].transcript(), lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete


def test_two_that_voted_against_each_other_across_a_cut_stay_when_it_heals():
    net = Net(3, seed=8, first=0)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 5)
    silence(net, 2)
    net.cut(0, 1)
    two = net.sessions[:2]

    def vote():
        for session in two:
            snapshot = session.snapshot()
            if (lost := overdue(snapshot)) is not None:
                session.vote(lost)

    def both_have_voted():
        vote()
        return all(session.chain.renewal.ballot.frozen for session in two)

    net.run(both_have_voted, idle=140)
    assert (0, 1) in two[0].snapshot().votes
    assert (1, 0) in two[1].snapshot().votes
    net.connect()

    def until():
        vote()
        return all(s.table.done or s.fault for s in net.sessions)

    net.run(until, idle=140)
    assert [s.fault for s in net.sessions] == [None] * 3
    assert all(s.table.done for s in net.sessions)


def test_a_seat_that_falls_silent_while_the_next_match_is_made_is_left_behind_too():
    net = Net(5, seed=3, first=0)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 5)
    silence(net, 1)
    rest = [s for s in net.sessions if s.me not in (1, 2)]

    def until():
        if net.sessions[0].chain.renewal.choice is not None:
            for other in range(5):
                net.cut(2, other)
        for session in net.sessions:
            if session.me != 1 and (lost := overdue(session.snapshot())) is not None:
                session.vote(lost)
        return all(s.table.done or s.fault for s in rest)

    net.tamper = lambda a, b, message: () if a == 2 and isinstance(message, Fresh | Assent) else (message,)
    net.run(until, idle=200)
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    for other in (0, 3):
        net.connect((2, other))
    net.run(lambda: net.sessions[2].fault is not None, idle=12)
    assert net.sessions[2].fault is not None
    assert (net.sessions[2].fault.claim, net.sessions[2].fault.seat) == ("voted-out", None)


def test_a_seat_lost_before_there_are_keys_to_sign_a_result_is_left_behind_too():
    """Without the mummy the game is over; the result is signed in a new match, and the first who is silent there must not hold it up."""
    net = Net(4, seed=5, game="pyramid", path=PYRAMID, first=3)
    net.connect()
    net.run(lambda: all(s.table.step >= 6 for s in net.sessions))
    silence(net, 3)
    net.run(lambda: False, idle=2)  # what it has said arrives, and takes back no vote
    for session in net.sessions[:3]:
        session.vote(3)
    net.tamper = lambda a, b, message: () if a == 2 and isinstance(message, Say) else (message,)
    rest = net.sessions[:2]
    net.run(lambda: all(s.chain.past for s in rest), idle=4)
    silence(net, 2)
    heard(net)
    assert all(s.table.rules.over and s.table.step == 0 for s in rest)
    for session in rest:
        session.vote(2)
    net.run(lambda: all(s.table.done for s in rest), idle=12)
    assert all(s.table.done and s.fault is None for s in rest)
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete


def test_who_comes_late_follows_two_matches_without_a_seat_each():
    """One that has been voted out of the second, and a spectator who sees all of them one after the other."""
    net = Net(4, seed=5)
    net.connect()
    rest = [net.sessions[0], net.sessions[2]]
    net.run(lambda: all(s.table.step >= 6 for s in net.sessions))
    silence(net, 1)
    net.run(lambda: False, idle=2)
    for seat in (0, 2, 3):
        net.sessions[seat].vote(1)
    net.run(lambda: all(len(net.sessions[seat].chain.past) == 1 and net.sessions[seat].table.step >= 1 for seat in (0, 2, 3)), idle=12)
    silence(net, 3)
    heard(net)
    for session in rest:
        session.vote(3)
    net.run(lambda: all(len(s.chain.past) == 2 and s.table.step >= 1 for s in rest), idle=30)
    assert [len(s.chain.past) for s in rest] == [2, 2]
    assert len(net.sessions[3].chain.past) == 1
    net.connect((3, 0))
    for _ in range(8):  # seconds, in which the others play on
        steps = itertools.count()
        net.run(lambda steps=steps: next(steps) > 200)
        net.tick()
    assert net.sessions[3].fault is not None
    assert net.sessions[3].fault.claim == "voted-out"
    spectator = watching(net)
    assert spectator.roster == rest[0].roster
    assert spectator.transcript() == rest[0].transcript()


def watching(net, server=0, link=77):
    """A spectator's session that has got all that the server has to tell."""
    session = net.sessions[server]
    spectator = Session(net.match.roster, net.match.table(), Silent(), bytes)
    session.take_outbox()
    session.link_up(link, Identity.from_secret(bytes(32)).public)
    session.receive(link, Watch(""))
    spectator.link_up(link, net.identities[server].public)
    for clock in range(60):
        for message in [m for to, m in session.take_outbox() if to == link]:
            spectator.receive(link, message)
        for _, message in spectator.take_outbox():
            session.receive(link, message)
        spectator.tick(net.clock + 3.0 * clock)
        session.tick(net.clock + 3.0 * clock)
    return spectator


def lost_game(seed=5, steps=160):
    net = Net(3, seed=seed)
    net.connect()
    play_until(net, steps)
    silence(net, 1)
    rest = go_on(net, 1)
    assert rest[0].chain.past
    return net, rest


def test_any_changed_vote_or_roster_breaks_the_chain():
    net, rest = lost_game()
    items = unpack_file(TRANSCRIPT, rest[0].transcript())
    second = next(i for i, item in enumerate(items) if i and item == rest[0].roster.encode())
    for at in (40, len(items[second]) // 2, len(items[second]) - 80):
        changed = bytearray(items[second])
        changed[at] ^= 1
        report = verify(pack_file(TRANSCRIPT, [*items[:second], bytes(changed), *items[second + 1 :]]), lambda roster: net.match.table())
        assert not report.ok


def test_a_seat_voted_out_and_back_again_finds_a_clear_end():
    net, rest = lost_game()
    for other in (0, 2):
        net.connect((1, other))
    net.run(lambda: net.sessions[1].fault is not None, idle=12)
    fault = net.sessions[1].fault
    assert fault is not None
    assert (fault.claim, fault.seat) == ("voted-out", None)
    assert all(s.fault is None for s in rest)


def test_with_two_seats_nobody_can_be_voted_out():
    net = Net(2, seed=3)
    net.connect()
    play_until(net, 30)
    silence(net, 1)
    with pytest.raises(LocalError):
        net.sessions[0].vote(1)
    net.run(idle=6)
    assert net.sessions[0].chain.renewal.choice is None
    assert not net.sessions[0].chain.past
    assert net.sessions[0].fault is None


def test_who_has_voted_to_go_on_signs_nothing_else_until_all_stay():
    net = Net(3, seed=5, first=0)
    net.connect()
    net.run(lambda: isinstance(net.sessions[0].table.rules.pending, Choose) and net.sessions[0].table.missing == (0,))
    session = net.sessions[0]
    session.vote(1)
    before = session.now.place
    session.answer(session.snapshot().view.moves()[0])
    assert session.now.place == before
    assert 0 in session.table.missing
    for other in (1, 2):
        net.sessions[other].vote(None)
    session.vote(None)
    for other in (1, 2):
        if net.sessions[other].chain.renewal.ballot.next_round == 1:
            net.sessions[other].vote(None)
    net.run()
    assert all(s.table.done for s in net.sessions)


def test_a_late_vote_undoes_nothing():
    """Two of four vote to go on, one keeps its vote back, the lost one returns: a majority to stay ends that vote for ever (A3)."""
    net = Net(4, seed=5)
    roster, keys = net.match.roster, net.signers
    ballot = Ballot(net.sessions[0].book)
    go = ("go", (3,), 7, bytes(32), ())
    for seat in (0, 1):
        assert ballot.take(cast(roster, 0, seat, go, keys[seat])) is None
    assert ballot.frozen
    for seat in (0, 1, 3):
        assert ballot.take(cast(roster, 1, seat, STAY, keys[seat])) is None
    assert not ballot.frozen
    assert ballot.take(cast(roster, 0, 2, go, keys[2])) is None
    assert not ballot.decided


def test_a_majority_that_one_of_its_makers_has_not_seen_is_voted_on_again():
    """Seat 0 came further before it saw the vote of seat 1, and voted again from there: so does seat 1, and both have one choice."""
    net = Net(3, seed=5)
    roster, keys = net.match.roster, net.signers
    earlier, later = ("go", (2,), 6, bytes(32), ()), ("go", (2,), 7, bytes(32), ())
    ballots = [Ballot(net.sessions[0].book), Ballot(net.sessions[1].book)]
    first = [cast(roster, 0, seat, earlier, keys[seat]) for seat in (0, 1)]
    for ballot in ballots:
        ballot.unreached = {2}
    ballots[0].take(first[0])
    for vote in first:
        ballots[1].take(vote)
    assert ballots[1].decided
    wish = ballots[0].wish(later[2:4], (2,), {}, False)
    assert wish == later
    again = cast(roster, ballots[0].next_round, 0, wish, keys[0])
    for ballot in ballots:
        ballot.take(again)
    ballots[0].take(first[1])
    assert not ballots[0].decided  # it has voted in a later round, and heeds the earlier one no more
    wish = ballots[1].wish(later[2:4], (2,), {}, False)
    assert (wish, ballots[1].next_round) == (later, 1)
    last = cast(roster, 1, 1, wish, keys[1])
    for ballot in ballots:
        ballot.take(last)
        assert [vote.choice for vote in ballot.decided] == [later, later]
        assert ballot.wish(later[2:4], (2,), {}, False) is None


def test_two_votes_in_one_slot_are_noticed():
    net = Net(3, seed=5)
    ballot = Ballot(net.sessions[0].book)
    one = cast(net.match.roster, 0, 1, STAY, net.signers[1])
    other = cast(net.match.roster, 0, 1, ("go", (2,), 7, bytes(32), ()), net.signers[1])
    assert ballot.take(one) is None
    assert ballot.take(other) is one


def test_half_of_the_seats_is_not_more_than_half():
    net = Net(4, seed=5)
    go = ("go", (3,), 7, bytes(32), ())
    votes = [cast(net.match.roster, 0, seat, go, net.signers[seat]) for seat in (0, 1)]
    assert certificate(range(4), votes) is None
    assert certificate((0, 1, 3), votes) == go
    against_itself = cast(net.match.roster, 0, 3, go, net.signers[3])
    assert certificate(range(4), [*votes, against_itself]) is None


@pytest.mark.parametrize("kill", [0, 2])
def test_a_crash_during_the_vote_changes_nothing(kill):
    net = Net(3, seed=5)
    net.connect()
    play_until(net, 160)
    silence(net, 1)
    net.run(lambda: False, idle=2)
    rest = [0, 2]
    for seat in rest:
        net.sessions[seat].vote(1)
    net.flush()
    for _ in range(3):
        net.step()
    net.crash(kill)
    net.connect((0, 2))
    net.run(lambda: all(net.sessions[s].table.done or net.sessions[s].fault for s in rest), idle=30)
    assert all(net.sessions[s].table.done for s in rest)
    assert net.sessions[0].transcript() == net.sessions[2].transcript()
    net.crash(kill)
    assert net.sessions[kill].table.done


@pytest.mark.parametrize("kind", ["bad body", "two bodies"])
def test_the_others_go_on_without_a_proven_cheat(kind):
    """The cheat's part ends with evidence; from the last step that nobody disputes, the others vote and play on."""
    net = Net(4, seed=8)
    done = {}

    def change(said, receiver):
        if said.step == 6 and (kind == "bad body" or receiver == 1):
            done["at"] = said.step
            return with_body(said, b"rubbish")
        return said

    dishonest(net, change)
    net.connect()
    rest = net.sessions[1:]
    net.run(lambda: all(s.fault for s in rest), idle=12)
    assert done
    assert [s.snapshot().phase for s in rest] == ["stopped"] * 3
    assert all(s.snapshot().silent == ((CHEAT, 0),) for s in rest)
    for session in rest:
        session.vote(CHEAT)
    net.run(lambda: all(s.table.done for s in rest), idle=30)
    assert all(s.table.done and s.fault is None for s in rest)
    assert len({s.transcript() for s in rest}) == 1
    report = verify(rest[0].transcript(), lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete
    assert CHEAT not in report.winners


def left_and_lost(votes_first, seed=5):
    """Of four, seat 3 falls silent when all wait for it, and seat 2 says good-bye, which only seat 0 hears from it."""
    net = Net(4, seed=seed, grace=2)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and all(s.table.missing == (3,) and s.table.round == 0 for s in net.sessions))
    silence(net, 3)
    rest = net.sessions[:2]
    net.run(lambda: all(s.snapshot().silent == ((3, 0),) for s in rest), idle=4)
    for session in rest if votes_first else ():
        session.vote(3)
    net.run(lambda: not any(net.queues.values()), idle=4)
    assert all(s.chain.renewal.choice is None for s in rest)  # two of four
    net.cut(2, 1)
    net.sessions[2].leave()
    net.run(lambda: 2 in net.sessions[0].book.left)
    net.cut(2, 0)
    net.run(lambda: 2 in net.sessions[1].book.left, idle=4)
    for session in rest if not votes_first else ():
        session.vote(3)
    net.run(lambda: all(s.chain.past for s in rest), idle=12)
    return net, rest


@pytest.mark.parametrize("votes_first", [False, True])
def test_who_has_said_good_bye_is_not_counted_when_the_others_vote(votes_first):
    """It fills no slot yet, since all wait for another seat: two of the three who still play go on."""
    net, rest = left_and_lost(votes_first)
    assert all(s.chain.past for s in rest)
    for seat in range(2):
        net.crash(seat)
    net.connect((0, 1))
    rest = net.sessions[:2]
    net.run(lambda: all(s.table.done or s.fault for s in rest), idle=12)
    assert [s.fault for s in rest] == [None, None]
    assert [s.table.done for s in rest] == [True, True]
    assert rest[0].table.rules.gone == (2, 3)
    files = {s.transcript() for s in rest}
    assert len(files) == 1
    assert verify(files.pop(), lambda roster: net.match.table()).complete


def test_who_has_made_a_majority_and_leaves_before_it_is_carried_out_counts_no_more():
    """Three of five want to go on; one of them says good-bye instead of signing the next roster, and two of four are too few."""
    net = Net(5, seed=5, grace=2)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and all(s.table.missing == (4,) and s.table.round == 0 for s in net.sessions))
    silence(net, 4)
    rest = [net.sessions[seat] for seat in (0, 1, 3)]
    net.run(lambda: all((4, 0) in s.snapshot().silent for s in rest), idle=4)
    net.tamper = lambda a, b, message: () if isinstance(message, Fresh) and message.seat == 2 else (message,)
    for seat in (0, 1, 2):
        net.sessions[seat].vote(4)
    net.run(lambda: all(s.chain.renewal.choice is not None for s in rest), idle=4)
    net.sessions[2].leave()
    net.run(lambda: all(2 in s.book.left and s.chain.renewal.choice is None for s in rest), idle=4)
    silence(net, 2)
    assert all(s.chain.renewal.choice is None and not s.chain.past for s in rest)
    net.sessions[3].vote(4)
    net.run(lambda: all(s.table.done for s in rest), idle=12)
    assert all(s.table.done and s.fault is None for s in rest)
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete


def test_only_a_good_bye_that_its_seat_has_signed_makes_fewer_more_than_half():
    net, rest = left_and_lost(False)
    before, roster = rest[0].chain.past[0].roster, rest[0].roster
    *votes, good_bye = roster.come_from.votes
    assert goes_on([before], roster, (), {}) == (2, 3)
    answer = next(r.said[2] for r in rest[0].chain.past[0].rounds if 2 in r.said)
    for other in (None, (answer.data, answer.signature), (good_bye[0], votes[0][1])):
        origin = replace(roster.come_from, votes=(*votes, *([other] if other else [])))
        changed = replace(roster, origin=origin.plain(), signatures=())
        signed = tuple(changed.sign(net.identities[seat]) if seat in (0, 1) else b"" for seat in range(4))
        with pytest.raises(BadEncoding):
            goes_on([before], changed.with_signatures(signed), (), {})


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("told", [False, True])
def test_who_cheats_after_its_good_bye_ends_nobodys_game(seats, told):
    """Whether or not the rules have been told yet that it has left; with three seats two are left, and both want to go on."""
    net = Net(seats, seed=6)
    net.connect()
    rest = net.sessions[1:]
    net.run(lambda: all(s.table.step >= 6 and CHEAT not in s.table.owed for s in rest))
    net.sessions[CHEAT].leave()
    net.flush()
    net.run(lambda: all(CHEAT in (s.table.rules.gone if told else s.book.left) for s in rest), idle=4)
    assert all((CHEAT in s.table.rules.gone) == told for s in rest)
    said = Contribution(net.match.roster.match, rest[0].now.step + 1, 0, CHEAT, bytes(32), bytes(8), ())
    signed = sign(said, net.signers[CHEAT])
    rest[0].receive(CHEAT, Say(signed.data, signed.signature))
    net.run(lambda: all(s.fault for s in rest), idle=12)
    assert {(s.fault.claim, s.fault.seat) for s in rest} == {("said-after-leaving", CHEAT)}
    assert [s.snapshot().phase for s in rest] == ["stopped"] * len(rest)
    for session in rest:
        session.vote(CHEAT)
    net.run(lambda: all(s.table.done for s in rest), idle=30)
    assert all(s.table.done and s.fault is None for s in rest)
    assert len({s.transcript() for s in rest}) == 1
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete


def test_a_file_in_which_one_said_good_bye_and_another_was_left_behind_verifies():
    """The good-bye fills its slot of the round that the others were in when they voted."""
    net = Net(4, seed=6)
    net.connect()
    rest = net.sessions[2:]
    net.run(lambda: all(s.table.step >= 6 and 0 not in s.table.owed for s in rest))
    net.sessions[0].leave()
    net.run(lambda: all(0 in s.table.rules.gone and 0 in s.now.said for s in rest))
    silence(net, 1)
    for session in rest:
        session.vote(1)
    net.run(lambda: all(s.table.done for s in rest), idle=30)
    assert [s.table.done for s in rest] == [True, True]
    assert rest[0].roster.come_from.step == rest[0].chain.past[0].rounds[-1].step
    report = verify(rest[0].transcript(), lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete


def test_a_file_in_which_all_have_signed_to_go_on_from_another_state_is_refused():
    net, rest = lost_game()
    items, roster = unpack_file(TRANSCRIPT, rest[0].transcript()), rest[0].roster
    before = items[: items.index(roster.encode())]
    for snapshot, claim in ((roster.come_from.snapshot, None), (bytes(32), "bad-origin")):
        changed = replace(roster, origin=replace(roster.come_from, snapshot=snapshot).plain(), signatures=())
        signed = tuple(changed.sign(net.identities[seat]) if seat in changed.here else b"" for seat in range(3))
        report = verify(pack_file(TRANSCRIPT, [*before, changed.with_signatures(signed).encode()]), lambda roster: net.match.table())
        assert (report.ok, report.fault and report.fault.claim) == (claim is None, claim)


def test_a_seat_that_is_there_again_is_not_voted_out_any_more():
    """The grace is over, the others are asked; it comes back before anybody has answered."""
    net = Net(3, seed=5)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6)
    silence(net, 1)
    net.run(lambda: overdue(net.sessions[0].snapshot()) == 1, idle=200)
    assert overdue(net.sessions[0].snapshot()) == 1
    net.connect((1, 0), (2, 1))
    net.tick()
    assert overdue(net.sessions[0].snapshot()) is None
    with pytest.raises(LocalError, match="is there again"):
        net.sessions[0].vote(1)
    net.sessions[0].vote(None)
    net.run()
    assert not any(s.chain.past for s in net.sessions)
