"""A vote counts while it is meant: who hears the seat again takes it back, all follow, and play goes on without a word of anybody's."""

import pytest
from fakenet import Net
from mastaba.cli.bot import overdue
from mastaba.net.log import parse
from mastaba.net.patience import LONG
from mastaba.net.renewal import parted
from mastaba.net.sight import late
from mastaba.net.verify import verify
from mastaba.net.votes import STAY, cast, without
from mastaba.net.wire import Assent, Fresh, Next, Say, Vote, unpack

BOB = 1


def evening(seats=4, seed=5, grace=3, **kwargs):
    """A match under way, all waiting for Bob, whose program is stopped for longer than the grace."""
    net = Net(seats, seed=seed, grace=grace, first=0, **kwargs)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and all(s.table.missing == (BOB,) for s in net.sessions), idle=2)
    assert all(s.table.missing == (BOB,) for s in net.sessions)
    away(net, BOB)
    net.run(lambda: all(overdue(s.snapshot()) == BOB for s in others(net)), idle=30)
    return net


def others(net):
    return [s for s in net.sessions if s.me != BOB]


def away(net, seat):
    for other in range(len(net.sessions)):
        net.cut(seat, other)


def back(net, seat, *to):
    for other in to or [other for other in range(len(net.sessions)) if other != seat]:
        net.connect((seat, other))


def ticks(net, count):
    """So many ticks, and all that is said meanwhile arrives."""
    for _ in range(count):
        settle(net)
        net.tick()
    settle(net)


def settle(net):
    """Deliver what is under way; nobody moves."""
    net.flush()
    while any(net.queues.values()):
        a, b = net.rng.choice([pair for pair, queue in net.queues.items() if queue])
        net.deliver(a, b, unpack(net.queues[a, b].popleft()))
        net.flush()


def play_to_the_end(net, seats):
    sessions = [net.sessions[seat] for seat in seats]
    net.run(lambda: all(s.table.done for s in sessions), idle=60)
    assert [s.fault for s in sessions] == [None] * len(sessions)
    assert all(s.table.done for s in sessions)
    files = {s.transcript() for s in sessions}
    assert len(files) == 1
    assert verify(files.pop(), lambda roster: net.match.table()).complete


def vote_and_play_to_the_end(net, seats):
    """Persons vote to go on whenever they may."""

    def until():
        for seat in seats:
            if (lost := overdue(net.sessions[seat].snapshot())) is not None:
                net.sessions[seat].vote(lost)
        return all(net.sessions[seat].table.done for seat in seats)

    net.run(until, idle=60)
    play_to_the_end(net, seats)


@pytest.mark.parametrize("voters", [(0,), (0, 2)])
def test_a_seat_that_is_back_is_not_left_behind_and_play_goes_on_within_two_ticks(voters):
    net = evening()
    for seat in voters:
        net.sessions[seat].vote(BOB)
    assert all(net.sessions[seat].chain.frozen for seat in voters)
    back(net, BOB)
    ticks(net, 2)
    assert not any(s.chain.frozen for s in net.sessions)
    assert all(net.sessions[seat].chain.ballot.mine.choice == STAY for seat in voters)
    play_to_the_end(net, range(4))
    assert not net.sessions[0].chain.past


def test_a_good_bye_after_a_seat_is_back_makes_no_majority_of_old_votes():
    """Two of four had voted; with the good-bye they would be two of three, against a seat that is there."""
    net = evening()
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    back(net, BOB)
    net.sessions[3].leave()
    net.run(lambda: all(3 in s.book.left for s in net.sessions if s.me != 3), idle=4)
    away(net, 3)
    assert not net.sessions[BOB].fault
    play_to_the_end(net, (0, BOB, 2))
    assert not net.sessions[0].chain.past


def test_a_good_bye_while_a_seat_is_silent_is_counted_by_votes_given_after_it():
    """The programs vote again by themselves, and each vote says which good-byes it counts."""
    net = evening()
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    ticks(net, 3)
    assert not any(s.chain.ballot.decided for s in others(net))
    net.sessions[3].leave()
    net.run(lambda: all(net.sessions[seat].chain.past for seat in (0, 2)), idle=20)
    votes, left = parted(net.match.roster, net.sessions[0].roster)
    assert [vote.choice[4] for vote in votes] == [(3,), (3,)]
    assert [one.said.seat for one in left] == [3]
    play_to_the_end(net, (0, 2))


def test_bots_at_the_table_neither_vote_nor_count():
    """Two persons and two bots: nobody is left behind by one voice, however many bots it has; Bob comes back, and a bot leaves."""
    net = evening(bots={2: 0, 3: 0})
    session = net.sessions[0]
    assert session.chain.ballot.playing == (0, BOB)
    assert overdue(session.snapshot()) is None
    assert all(overdue(net.sessions[seat].snapshot()) is None for seat in (2, 3))
    back(net, BOB)
    net.sessions[3].leave()
    play_to_the_end(net, (0, BOB, 2))


def test_a_silent_bot_is_left_behind_by_the_persons_alone():
    net = Net(4, seed=5, grace=3, first=0, bots={1: 1, 2: 2})
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and all(s.table.missing == (BOB,) for s in net.sessions), idle=2)
    away(net, BOB)
    net.run(lambda: all(overdue(net.sessions[seat].snapshot()) == BOB for seat in (0, 3)), idle=30)
    for seat in (0, 3):
        net.sessions[seat].vote(BOB)
    play_to_the_end(net, (0, 2, 3))
    votes, _ = parted(net.match.roster, net.sessions[0].roster)
    assert [vote.seat for vote in votes] == [0, 3]


def test_a_vote_is_not_taken_back_on_anothers_word_that_the_seat_is_reached():
    """Seat 0 is told that seat 2 is linked with Bob; Bob's own words do not come through."""
    net = evening()
    net.sessions[0].vote(BOB)
    net.tamper = lambda a, b, message: () if (a == BOB or b == 0) and isinstance(message, Say | Vote) else (message,)
    back(net, BOB, 2)
    ticks(net, 6)
    assert BOB in net.sessions[0].reached
    assert net.sessions[0].chain.ballot.mine.choice != STAY
    net.tamper = lambda a, b, message: (message,)
    ticks(net, 4)  # Bob has seen that it is voted against, and says that it stays: that is a word of its own
    assert net.sessions[0].chain.ballot.mine.choice == STAY
    play_to_the_end(net, range(4))


def test_a_seat_that_is_there_and_never_answers_can_still_be_left_behind():
    """It has links, it even votes to stay; only its answer takes back a vote that was given for want of an answer."""
    net = Net(4, seed=5, grace=1, first=0)
    net.players[BOB] = lambda session: (_ for _ in ()).throw(AssertionError)
    net.connect()
    net.play = lambda seat, play=net.play: None if seat == BOB else play(seat)
    net.run(lambda: all(overdue(s.snapshot()) == BOB for s in others(net)), idle=3 * LONG)
    assert all(BOB in s.reached for s in others(net))
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    ticks(net, 5)
    assert any(vote.choice == STAY for vote in net.sessions[0].chain.ballot.votes.values() if vote.seat == BOB)
    assert all(net.sessions[seat].chain.frozen for seat in (0, 2))
    net.sessions[3].vote(BOB)
    play_to_the_end(net, (0, 2, 3))
    assert net.sessions[0].chain.past


def test_a_vote_given_for_want_of_an_answer_is_taken_back_by_the_answer():
    net = Net(4, seed=5, grace=1, first=0)
    net.connect()
    hold = [True]
    net.play = lambda seat, play=net.play: None if seat == BOB and hold[0] else play(seat)
    net.run(lambda: all(overdue(s.snapshot()) == BOB for s in others(net)), idle=3 * LONG)
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    ticks(net, 3)
    assert all(net.sessions[seat].chain.frozen for seat in (0, 2))
    hold[0] = False
    play_to_the_end(net, range(4))
    assert not net.sessions[0].chain.past


def test_whoever_says_stay_again_and_again_holds_nobody_up():
    """A liar alone pretends that Bob is there: each follows it once, then leaves Bob behind all the same."""
    net = evening(seats=5)
    honest = [net.sessions[seat] for seat in (0, 2, 3)]
    liar = net.sessions[4]
    for _ in range(12):
        for session in honest:
            if overdue(session.snapshot()) == BOB:
                session.vote(BOB)
        if not liar.chain.past:
            liar.vote(None)
        ticks(net, 2)
    assert all(s.chain.past for s in honest) or all(s.chain.ballot.decided for s in honest)
    assert all(len(s.chain.ballot.votes) < 40 for s in honest)


def hold_back(net, kind, of=3):
    """Nothing of this kind comes from that seat, nor to it."""
    net.tamper = lambda a, b, message: () if of in (a, b) and isinstance(message, kind) else (message,)


def test_after_its_assent_a_seat_returns_when_most_stay():
    """Three of four are about to go on; the signature of one has not come yet when Bob is back."""
    net = evening()
    hold_back(net, Assent)
    for session in others(net):
        session.vote(BOB)
    ticks(net, 3)
    assert all(net.sessions[seat].chain.renewal.assents for seat in (0, 2))
    assert all(net.sessions[seat].chain.frozen for seat in (0, 2))
    back(net, BOB)
    ticks(net, 3)
    assert not any(s.chain.past or s.chain.frozen for s in net.sessions)
    net.tamper = lambda a, b, message: (message,)
    play_to_the_end(net, range(4))


def test_a_seat_returns_from_the_next_match_until_it_has_given_its_keys_there():
    """Even the one that has given its keys already: nobody can play there without those who stay."""
    net = evening()
    net.tamper = lambda a, b, message: () if a == 3 and isinstance(message, Say) else (message,)
    for session in others(net):
        session.vote(BOB)
    ticks(net, 3)
    assert [s.now.place for s in others(net)] == [(0, 0), (0, 0), (0, 1)]
    assert all(s.chain.past for s in others(net))
    back(net, BOB)
    ticks(net, 3)
    net.tamper = lambda a, b, message: (message,)
    ticks(net, 3)
    assert not any(s.chain.past for s in net.sessions)
    play_to_the_end(net, range(4))


def test_a_seat_never_returns_once_keys_are_given_there():
    net = evening()
    net.tamper = lambda a, b, m: () if a == 3 and isinstance(m, Say) and parse_place(net, m) == (0, 1) else (m,)
    for session in others(net):
        session.vote(BOB)
    net.run(lambda: all(s.now.place == (0, 1) for s in others(net)), idle=6)
    assert all(s.now.place == (0, 1) for s in others(net))
    back(net, BOB)
    ticks(net, 6)
    assert all(s.chain.past for s in others(net))
    net.tamper = lambda a, b, message: (message,)
    play_to_the_end(net, (0, 2, 3))
    net.run(lambda: net.sessions[BOB].fault is not None, idle=12)
    assert net.sessions[BOB].fault.claim == "voted-out"


def parse_place(net, message, seat=3):
    roster = net.sessions[seat].roster
    try:
        return parse(message.body, roster).place
    except ValueError:
        return None


def test_a_seat_heard_and_lost_again_makes_no_vote_go_to_and_fro():
    net = evening(seed=7)
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    for _ in range(4):
        back(net, BOB)
        ticks(net, 1)
        away(net, BOB)
        ticks(net, 1)
    before = {(s.me, len(s.chain.ballot.votes)) for s in others(net)}
    ticks(net, 20)
    assert {(s.me, len(s.chain.ballot.votes)) for s in others(net)} == before
    assert all(len(s.chain.ballot.votes) <= 16 for s in others(net))
    vote_and_play_to_the_end(net, (0, 2, 3))


@pytest.mark.parametrize("killed", [0, 2])
def test_a_crash_does_not_make_a_vote_stand_for_ever(killed):
    """The grounds of a vote are in the journal with it."""
    net = evening()
    for seat in (0, 2):
        net.sessions[seat].vote(BOB)
    ticks(net, 1)
    net.crash(killed)
    back(net, killed, *(seat for seat in (0, 2, 3) if seat != killed))
    ticks(net, 3)
    assert net.sessions[killed].chain.frozen
    back(net, BOB)
    ticks(net, 4)
    assert not any(s.chain.frozen for s in net.sessions)
    play_to_the_end(net, range(4))


def three(grace=10):
    """Three seats: seat 1 is away, and the honest seat 2 has voted it out together with the liar, who keeps its own signature back."""
    net = Net(3, seed=5, grace=grace, first=0)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6, idle=2)
    away(net, BOB)
    net.run(lambda: all(overdue(s.snapshot()) == BOB for s in others(net)), idle=60)
    return net


def test_one_liar_of_three_makes_nobody_believe_that_it_was_voted_out():
    net = three()
    net.tamper = lambda a, b, message: () if a == 0 and isinstance(message, Assent | Next) else (message,)
    for session in others(net):
        session.vote(BOB)
    ticks(net, 3)
    roster = net.sessions[0].roster
    assert roster.come_from.gone == (BOB,)
    assert not net.sessions[2].chain.past
    net.cut(0, 2)
    back(net, BOB, 0)
    for _ in range(30):
        net.sessions[BOB].receive(0, Next(roster.encode()))
        ticks(net, 1)
    assert net.sessions[BOB].fault is None
    net.cut(0, BOB)
    back(net, BOB, 2)
    vote_and_play_to_the_end(net, (BOB, 2))


def test_who_comes_back_when_one_of_two_has_gone_home_is_told_that_they_went_on():
    """What the one who has gone home has signed in that match shows its roster, too."""
    net = three()
    for session in others(net):
        session.vote(BOB)
    play_to_the_end(net, (0, 2))
    away(net, 0)
    back(net, BOB, 2)
    net.run(lambda: net.sessions[BOB].fault is not None, idle=12)
    assert net.sessions[BOB].fault.claim == "voted-out"


def test_who_has_signed_the_result_still_says_stay_so_that_others_are_free_to_sign():
    """One that had voted before the last answers came is bound until most say so."""
    net = Net(3, seed=4, first=0)
    net.tamper = lambda a, b, message: () if a == 1 and isinstance(message, Say) and is_result(net.sessions[1], message) else (message,)
    net.connect()
    net.run(lambda: all(net.sessions[seat].book.finished for seat in (0, 2)), idle=4)
    session = net.sessions[0]
    assert session.book.finished
    assert not session.table.done
    go = cast(net.match.roster, 0, 1, ("go", (2,), 4, session.book.places[5, 0].prev, ()), net.signers[1])
    session.receive(1, Vote(go.data, go.signature))
    ticks(net, 2)
    assert [vote.choice for vote in session.chain.ballot.latest().values() if vote.seat in (0, 2)] == [STAY, STAY]
    assert session.chain.ballot.stays(0)


def is_result(session, message):
    return session.table.rules.over and parse(message.body, session.roster).step == session.table.step


def test_one_who_keeps_its_keys_back_holds_nobody_in_a_next_match_of_two():
    """The liar goes on with seat 2 and never gives its keys; Bob comes back, and the two honest seats go on without the liar."""
    net = three()
    net.tamper = lambda a, b, m: () if a == 0 and isinstance(m, Say) and parse_place(net, m, 0) == (0, 1) else (m,)
    for session in others(net):
        session.vote(BOB)
    ticks(net, 3)
    assert net.sessions[2].chain.past
    assert 2 in net.sessions[2].now.said  # it has given its keys
    back(net, BOB, 2)
    ticks(net, 4)
    assert not net.sessions[2].chain.past
    away(net, 0)
    vote_and_play_to_the_end(net, (BOB, 2))
    assert 0 in net.sessions[2].table.rules.gone


@pytest.mark.parametrize("patience", [15, 80])
def test_a_seat_that_waits_for_a_silent_one_itself_is_not_called_silent(patience):
    """Seat 0 is back from a crash and signs nothing before seat 2 is heard, which is gone for good; nobody lies, however late they vote."""
    net = Net(3, seed=5, first=0, grace=5)
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5 and 0 in net.sessions[1].table.missing)
    net.crash(0)
    away(net, 2)
    net.connect((0, 1))
    ticks(net, patience)

    def until():
        for session in net.sessions[:2]:
            if 2 in late(session) and not session.chain.frozen:
                session.vote(2)
        return all(s.table.done for s in net.sessions[:2])

    net.run(until, idle=150)
    assert all(s.table.done and s.fault is None for s in net.sessions[:2])
    assert net.sessions[0].table.rules.gone == (2,)


def test_who_gives_no_part_of_the_next_match_is_left_behind_with_those_who_were_lost_before():
    """Five seats: Bob is away; seat 4 votes with the others, stays linked, and then does nothing more."""
    net = evening(seats=5)
    net.tamper = lambda a, b, m: () if isinstance(m, Fresh | Assent) and m.seat == 4 else (m,)
    honest = [net.sessions[seat] for seat in (0, 2, 3)]
    for session in (*honest, net.sessions[4]):
        session.vote(BOB)

    def until():
        for session in honest:
            if 4 in late(session) and 4 not in without(session.chain.ballot.mine.choice):
                session.vote(4)
        return all(s.chain.past for s in honest)

    net.run(until, idle=200)
    assert all(s.chain.past for s in honest)
    play_to_the_end(net, (0, 2, 3))
    assert net.sessions[0].table.rules.gone == (BOB, 4)
