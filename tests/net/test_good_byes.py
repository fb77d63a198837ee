"""Leaving for ever: the others go on without the leaver, nothing is lost, and a good-bye cannot be used to cheat."""

from dataclasses import replace

import pytest
from adversaries.cheat import CHEAT, assert_named, dishonest, with_body
from fakenet import Net
from mastaba.core.fair.deck import printed_point
from mastaba.core.fair.group import IDENTITY, Scalar
from mastaba.core.plain import encode
from mastaba.core.rules import Choose, Over
from mastaba.net.log import LEAVE, TRANSCRIPT, Contribution, pack_file, parse, parse_signed, sign, transcript, unpack_file
from mastaba.net.verify import verify
from mastaba.net.wire import Say


def leaves(net, seat, after):
    """Let the seat say good-bye once it may and `after` steps are behind it."""
    done = []

    def until():
        session = net.sessions[seat]
        if not done and session.table.keys and session.table.step >= after:
            done.append(session.table.step)
            session.leave()
        return all(s.table.done or s.fault for s in net.sessions if s.me not in net.gone)

    net.gone = {seat}
    return until


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("after", [1, 3, 6, 12])
def test_the_others_play_on_to_a_verified_end(seats, after):
    net = Net(seats, seed=seats * 10 + after)
    net.connect()
    net.run(leaves(net, 1, after))
    rest = [s for s in net.sessions if s.me != 1]
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    files = {s.transcript() for s in rest}
    assert len(files) == 1
    report = verify(files.pop(), lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete
    if seats == 2:
        assert report.winners == (0,)


def test_two_leavers_at_once():
    net = Net(4, seed=3)
    net.connect()
    first, second = leaves(net, 1, 5), leaves(net, 2, 5)
    net.gone = {1, 2}
    net.run(lambda: (first(), second())[1])
    rest = [net.sessions[0], net.sessions[3]]
    assert all(s.table.done and s.fault is None for s in rest)
    assert set(rest[0].table.rules.gone) == {1, 2}
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete


def test_a_leaver_and_a_crash_resume_alike():
    net = Net(3, seed=4)
    net.connect()
    net.run(lambda: leaves(net, 1, 4)() or bool(net.sessions[0].book.left))
    assert net.sessions[0].book.left
    net.crash(0)
    assert set(net.sessions[0].book.left) == {1}
    net.connect((0, 2), (0, 1))
    net.gone = {1}
    net.run(lambda: all(s.table.done for s in net.sessions if s.me != 1))
    assert all(s.table.done for s in net.sessions if s.me != 1)


def test_a_good_bye_is_seen_before_the_game_comes_to_it():
    net = Net(3, seed=4)
    net.connect()
    net.run(lambda: leaves(net, 1, 4)() or bool(net.sessions[0].book.left))
    seen = net.sessions[0].snapshot()
    assert seen.left == (1,)
    assert 1 not in seen.view.rules.gone


def test_nobody_can_leave_before_there_are_keys():
    from mastaba.core.errors import LocalError

    net = Net(2, seed=1)
    with pytest.raises(LocalError):
        net.sessions[0].leave()


@pytest.mark.parametrize("body", [(), (b"", b"", b""), (bytes(32), bytes(32), bytes(32)), (b"\xff" * 32,) * 3, 7])
def test_keys_that_are_not_the_leavers_are_refused(body):
    net = Net(3, seed=6)
    dishonest(net, lambda said, b: with_body(said, body) if said.kind == LEAVE else said)
    net.connect()
    net.run(lambda: leaves(net, CHEAT, 4)() or all(s.fault for s in net.sessions[1:]), idle=12)
    assert_named(net, "bad-leave")


def test_a_good_bye_has_the_state_that_its_seat_has_signed_in_that_slot():
    """So it is checked as every other is; and nobody honest says in one slot that the state is this, and that it is that."""
    net = Net(3, seed=6)
    dishonest(net, lambda said, b: replace(said, state=bytes(8)) if said.kind == LEAVE else said)
    net.connect()
    net.run(lambda: leaves(net, CHEAT, 4)() or all(s.fault for s in net.sessions[1:]), idle=12)
    assert_named(net, "bad-leave")


def test_a_file_with_a_good_bye_of_another_state_is_refused():
    net = Net(3, seed=6)
    net.connect()
    net.run(leaves(net, 1, 4))
    (file,) = {s.transcript() for s in net.sessions if s.me != 1}
    items = unpack_file(TRANSCRIPT, file)
    said = [parse(parse_signed(item)[0], net.match.roster) for item in items[1:]]
    at = next(i for i, one in enumerate(said) if one.kind == LEAVE)
    signed = sign(replace(said[at], state=bytes(8)), net.signers[1])
    changed = [*items[: at + 1], encode((signed.data, signed.signature)), *items[at + 2 :]]
    assert verify(file, lambda roster: net.match.table()).complete
    fault = verify(pack_file(TRANSCRIPT, changed), lambda roster: net.match.table()).fault
    assert (fault.claim, fault.seat) == ("bad-leave", None)


def test_a_good_bye_may_come_when_the_state_is_another_than_in_the_slot_that_it_names():
    """It repeats what was signed there, so what has happened since is no part of it."""
    net = Net(3, seed=6)
    net.connect()
    leaver = net.sessions[1]
    net.run(lambda: leaver.table.keys and leaver.book.state != leaver.book.last_place(1).said[1].said.state)
    assert leaver.book.state != leaver.book.last_place(1).said[1].said.state
    leaver.leave()
    net.gone = {1}
    net.run(lambda: all(s.table.done for s in net.sessions if s.me != 1))
    assert [s.fault for s in net.sessions if s.me != 1] == [None, None]
    assert verify(net.sessions[0].transcript(), lambda roster: net.match.table()).complete


@pytest.mark.parametrize("which", [0, 1, 2], ids=["face", "back", "coin"])
def test_each_key_of_a_good_bye_must_be_the_leavers_own(which):
    """With another coin key it would choose its shares of the tosses to come, with another of a card what that card is."""
    net = Net(3, seed=6)
    other = net.owns[CHEAT].seal.encode()
    dishonest(net, lambda said, b: with_body(said, (*said.body[:which], other, *said.body[which + 1 :])) if said.kind == LEAVE else said)
    net.connect()
    net.run(lambda: leaves(net, CHEAT, 4)() or all(s.fault for s in net.sessions[1:]), idle=12)
    assert_named(net, "bad-leave")


def test_who_has_left_says_nothing_more():
    net = Net(3, seed=6)
    net.connect()
    net.run(lambda: leaves(net, CHEAT, 4)() or all(CHEAT in s.book.left for s in net.sessions[1:]))
    victim = net.sessions[1]
    said = Contribution(net.match.roster.match, victim.now.step + 1, 0, CHEAT, bytes(32), bytes(8), ())
    signed = sign(said, net.signers[CHEAT])
    for session in net.sessions[1:]:
        session.receive(CHEAT, Say(signed.data, signed.signature))
    assert_named(net, "said-after-leaving")


def test_two_different_good_byes_are_a_proof():
    net = Net(3, seed=6)
    first = {}

    def change(said, receiver):
        if said.kind == LEAVE and receiver == 2 and "said" not in first:
            first["said"] = said
            earlier = net.sessions[CHEAT].book.rounds[1]
            return Contribution(said.match, 0, 1, CHEAT, earlier.prev, earlier.said[CHEAT].said.state, said.body, LEAVE)
        return said

    dishonest(net, change)
    net.connect()
    net.run(lambda: leaves(net, CHEAT, 4)() or all(s.fault for s in net.sessions[1:]), idle=12)
    named = [s.fault for s in net.sessions[1:]]
    assert all(f is not None and f.seat == CHEAT for f in named)
    assert {f.claim for f in named} <= {"two-bodies", "said-after-leaving"}


def test_a_good_bye_opens_no_card_of_anybody_else():
    """The sealing key is not in it: what others sealed to the leaver stays sealed (CRYPTO F2)."""
    net = Net(3, seed=9)
    net.connect()
    net.run(lambda: leaves(net, 1, 8)() or bool(net.sessions[0].book.left))
    body = net.sessions[0].book.left[1].said.body
    own = net.owns[1]
    assert len(body) == 3
    assert own.seal.encode() not in body
    assert set(body) == {own.face.encode(), own.back.encode(), own.coin.encode()}


def test_the_leavers_seat_at_its_own_turn_is_answered_by_the_rules():
    net = Net(3, seed=13, first=1)
    net.connect()

    def my_turn():
        session = net.sessions[1]
        if isinstance(session.table.rules.pending, Choose) and session.table.missing == (1,) and not session.book.left:
            session.leave()
            return True
        return False

    net.players[1] = lambda session: ("loot", 0)
    net.play = lambda seat, play=net.play: None if (seat == 1 and my_turn()) or (net.sessions[1].book.left and seat == 1) else play(seat)
    net.run(lambda: all(s.table.done or s.fault for s in (net.sessions[0], net.sessions[2])))
    for session in (net.sessions[0], net.sessions[2]):
        assert session.fault is None
        assert session.table.done
        assert isinstance(session.table.rules.pending, Over)
        assert session.table.rules.gone == (1,)


def test_a_file_whose_good_bye_names_another_slot_than_its_seats_last_is_refused():
    net = Net(3, seed=6)
    net.connect()
    net.run(leaves(net, CHEAT, 4))
    good_bye = net.sessions[1].book.left[CHEAT].said
    first = next(r.place for r in net.sessions[1].book.rounds if CHEAT in r.said and r.said[CHEAT].said == good_bye)
    rounds = [r for r in net.sessions[1].book.rounds if r.place < first]
    earlier = next(r for r in rounds if CHEAT in r.said and r.place == (0, 1))
    assert earlier.place < good_bye.place
    for named, claim in ((good_bye, None), (replace(good_bye, step=0, round=1, prev=earlier.prev), "bad-leave")):
        said = [r.in_order() for r in rounds]
        report = verify(transcript(net.match.roster, [*said, [sign(named, net.signers[CHEAT])]]), lambda roster: net.match.table())
        assert (report.ok, report.fault and report.fault.claim) == (claim is None, claim)


def test_the_log_says_that_a_leavers_last_move_was_not_his_own():
    for asked in (True, False):
        net = Net(3, seed=6)
        net.connect()
        net.run(lambda net=net: net.sessions[0].table.step >= 6 and any(s.table.decision is not None for s in net.sessions))
        turn = next(s.me for s in net.sessions if s.table.decision is not None)
        leaver = turn if asked else (turn + 1) % 3
        rest = [s for s in net.sessions if s.me != leaver]
        net.sessions[leaver].leave()
        net.run(lambda rest=rest, leaver=leaver: all(leaver in s.table.rules.gone for s in rest))
        for session in rest:
            (left,) = [event for event in session.table.events if event.id == "left"]
            assert (left.seat, left.args) == (leaver, (True,) if asked else ())


def test_what_a_leaver_held_can_be_read_by_all_others_together_and_by_no_fewer():
    net = Net(3, seed=4)
    net.connect()
    held: dict[int, object] = {}

    def until():
        session = net.sessions[1]
        if not held and session.table.step >= 6:
            secret = {card: face for (card, part), face in session.table.rules.peeked.items() if part == "face"}
            held.update({card: face for card, face in secret.items() if card in session.table.rows})
            if held:
                session.leave()
        return bool(held) and all(1 in net.sessions[seat].book.left for seat in (0, 2))

    net.run(until)
    assert held
    other = net.sessions[0]
    keys = [net.owns[0].face, net.owns[2].face, Scalar.decode(other.book.left[1].said.body[0])]
    roster = net.match.roster
    for card, face in held.items():
        row = other.table.rows[card]
        printed = printed_point(roster.data, roster.game, "face", encode(face))
        assert row[1] - sum((row[0] * key for key in keys), IDENTITY) == printed
        for few in (keys[:2], keys[1:], keys[2:]):
            assert row[1] - sum((row[0] * key for key in few), IDENTITY) != printed
