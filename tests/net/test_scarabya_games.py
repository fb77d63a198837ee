"""Scarabya over the network: choices that are committed, opened together and checked by all; with leavers, and alone."""

from pathlib import Path

import pytest
from fakenet import Net
from mastaba.core.games import GAMES
from mastaba.core.rules import ChooseAll, IllegalMove
from mastaba.net.verify import verify

SMALL = Path(__file__).parents[1] / "data" / "scarabya-small.toml"


def net_of(seats: int, seed: int) -> Net:
    net = Net(seats, seed=seed, level="random", game="scarabya", path=SMALL)
    net.connect()
    return net


@pytest.mark.parametrize("seats", GAMES["scarabya"].rules.SEATS)
def test_a_whole_game_ends_alike_for_all_and_its_transcript_verifies(seats):
    net = net_of(seats, seats)
    net.run()
    report = net.verified()
    assert report.scores == net.sessions[0].table.rules.scores()
    assert report.winners == net.sessions[0].table.rules.pending.winners


@pytest.mark.parametrize("phase", ["before it commits", "after it has committed", "while others have opened"])
def test_who_leaves_while_all_decide_holds_nobody_up_and_then_the_site_stops(phase):
    net = net_of(3, 7)
    leaver = net.sessions[1]
    net.gone = {1}
    before = []

    def due():
        request = leaver.table.rules.pending
        if not leaver.table.keys or not isinstance(request, ChooseAll):
            return False
        if phase == "before it commits":
            return leaver.table.decision is not None
        if phase == "after it has committed":
            return leaver.table.round == 0 and 1 not in leaver.table.missing
        return leaver.table.round == 1 and 1 not in leaver.table.missing

    def until():
        if not before and due():
            before.append(len(leaver.table.rules.placed[1]))
            leaver.leave()
        return all(s.table.done or s.fault for s in net.sessions if s.me != 1)

    if phase == "before it commits":
        decided = net.play
        net.play = lambda seat: None if seat == 1 and due() else decided(seat)
    net.run(until)
    rest = [net.sessions[0], net.sessions[2]]
    assert before
    assert [s.fault for s in rest] == [None, None]
    assert all(s.table.done for s in rest)
    assert len({s.transcript() for s in rest}) == 1
    rules = rest[0].table.rules
    assert rules.gone == (1,)
    assert len(rules.placed[1]) == before[0] + 1  # the tile that all were deciding about, and no other
    assert 1 not in rules.pending.winners
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete


def test_an_illegal_placement_is_refused_to_its_own_player_with_the_reason_for_his_site():
    net = net_of(2, 3)
    net.run(lambda: isinstance(net.sessions[0].table.decision, ChooseAll))
    for move, reason in ((("place", 0, 1, 2), "not-this-tile"), (("place", -1), "outside"), (("lot",), "not-now")):
        with pytest.raises(IllegalMove, match=reason):
            net.sessions[0].answer(move)
    assert net.sessions[0].table.decision is not None


@pytest.mark.parametrize("round", [0, 1, 2, 3])
def test_a_silent_seat_is_voted_out_and_the_others_play_on_with_the_sites_as_they_are(round):
    """Round 0: while the site is laid; in the others while all decide."""
    net = net_of(3, round)

    def due():
        rules = net.sessions[0].table.rules
        return rules.round == round and (isinstance(rules.pending, ChooseAll) if round else len(rules.laid) == 2)

    net.run(due)
    for other in (0, 2):
        net.cut(1, other)
    rest = [net.sessions[0], net.sessions[2]]
    net.run(lambda: all(s.table.done for s in rest), idle=4)
    assert not any(s.table.done for s in rest)
    before = rest[0].table.rules.copy()
    for session in rest:
        session.vote(1)
    net.run(lambda: all(s.table.done or s.fault for s in rest), idle=30)
    assert [s.fault for s in rest] == [None, None]
    assert all(s.table.done for s in rest)
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete
    rules = rest[0].table.rules
    assert rules.gone == (1,)
    assert 1 not in report.winners
    assert rules.placed[1] == before.placed[1]  # its site stopped where it was
    assert rules.placed[0][: len(before.placed[0])] == before.placed[0]
