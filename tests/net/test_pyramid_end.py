"""The end of Pyramid: each hunter gives the team's secrets with the result, and with the first of them all that was hidden is read."""

from dataclasses import replace
from pathlib import Path

import plain_hidden as plain
import pytest
from fakenet import Net
from mastaba.cli.__main__ import main
from mastaba.core.errors import PeerError
from mastaba.core.fair import hidden
from mastaba.core.fair.book import Asked, Hidden
from mastaba.net.log import ANSWER, LEAVE
from mastaba.net.verify import verify

SMALL = Path(__file__).parents[1] / "data" / "pyramid-small.toml"
MUMMY = 0


def waits_at_the_end(session):
    """It signs no result by itself."""
    session._too_early = lambda: session.table.rules.over


def played_out(seats, seed, *leavers, audit=True):
    """A match whose result is there; these seats say good-bye instead of signing it, and the others end alike."""
    net = Net(seats, seed=seed, game="pyramid", path=SMALL, first=MUMMY, audit=audit)
    net.connect()
    for leaver in leavers:
        waits_at_the_end(net.sessions[leaver])
    rest = [s for s in net.sessions if s.me not in leavers]

    def until():
        for session in map(net.sessions.__getitem__, leavers):
            if session.table.rules.over and session.me not in session.book.left:
                session.leave()
        return all(s.table.done or s.fault for s in rest)

    net.run(until)
    assert [s.fault for s in rest] == [None] * len(rest)
    assert all(s.table.done for s in rest)
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok, report.fault
    assert report.complete
    last = rest[0].book.rounds[-1].said
    assert {seat: one.said.kind for seat, one in last.items()} == {seat: LEAVE if seat in leavers else ANSWER for seat in range(seats)}
    return rest, report


@pytest.mark.parametrize("leavers", [(1,), (2,), (1, 2)], ids=["the maker of the secret", "another hunter", "all hunters but one"])
def test_who_leaves_instead_of_signing_the_result_keeps_nothing_from_the_audit(leavers, tmp_path, monkeypatch, capsys):
    seats = len(leavers) + 2
    rest, report = played_out(seats, 3, *leavers)
    for session in rest:
        table = session.table
        assert len(table.hidden.uncovered) == sum(event.id == "moved" for event in table.events) > 0
        assert table.hidden.uncovered == rest[0].table.hidden.uncovered
        assert table.trust.audited == report.checked["audited"] == len(table.hidden.trail)
    file = tmp_path / "match.mastaba"
    file.write_bytes(rest[0].transcript())
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path))
    assert main(["verify", str(file), "--data", str(SMALL)]) == 0
    assert f"The audit at the end read {report.checked['audited']} hidden" in capsys.readouterr().out


def test_where_all_hunters_leave_instead_of_signing_what_was_hidden_stays_hidden():
    rest, report = played_out(3, 3, 1, 2)
    (mummy,) = rest
    assert mummy.table.hidden.trail
    assert (mummy.table.hidden.published, mummy.table.hidden.uncovered, mummy.table.trust.audited) == ({}, (), 0)
    assert report.checked["audited"] == 0


def test_without_an_audit_who_leaves_at_the_end_changes_nothing():
    rest, report = played_out(3, 3, 1, audit=False)
    assert all(s.table.hidden.trail and (s.table.hidden.published, s.table.hidden.uncovered) == ({}, ()) for s in rest)
    assert report.checked["audited"] == 0
    said = rest[0].book.rounds[-1].said
    assert [len(said[seat].said.body) for seat in (0, 2)] == [3, 3]  # scores, winners, reason: no secret


def test_what_is_told_and_read_at_the_end_is_as_specified():
    """Section 9.6 of docs/protocol.md: who adds which secret, and what it shows; also of keys that were made anew."""
    net = Net(4, seed=17, game="pyramid", path=SMALL, first=MUMMY)
    net.connect()
    rest = [s for s in net.sessions if s.me != 1]

    def until():
        if net.sessions[1].table.hidden.trail and 1 not in net.sessions[1].book.left:
            net.sessions[1].leave()
        return all(s.table.done for s in rest)

    net.run(until)
    assert [s.fault for s in rest] == [None] * 3
    table = rest[0].table
    over, book = table.rules.pending, table.hidden
    keys = [(team.seats, team.T.encode()) for team in book.made]
    assert [seats for seats, _ in keys] == [(1, 2, 3), (2, 3)]
    said = {seat: one.said.body for seat, one in rest[0].book.rounds[-1].said.items() if seat != 1}
    result = over.scores, over.winners, over.reason
    secrets = {seat: plain.told(body, result, keys, seat) for seat, body in said.items()}
    assert secrets[MUMMY] == {}
    assert secrets[2] == secrets[3]
    assert set(secrets[2]) == {T for _, T in keys}
    assert plain.told(said[2][:-1], result, keys, 2) is plain.told((*said[2][:-1], said[2][3]), result, keys, 2) is None
    read = []
    for entry in book.trail:
        if isinstance(entry, Hidden):
            C = tuple(P.encode() for P in entry.C)
            among = hidden.values_of(getattr(entry.rules, entry.request.rule)(entry.request))
            read.append((entry.step, entry.request.name, plain.uncovered(secrets[2][entry.team.T.encode()], C, among)))
    assert tuple(read) == book.uncovered != ()


def test_a_refused_contribution_to_the_end_leaves_nothing_behind():
    """Neither the first of two secrets, if the second is wrong, nor all of them, if what they show names somebody."""
    net = Net(3, seed=3, game="pyramid", path=SMALL, first=MUMMY)
    net.connect()
    for session in net.sessions:
        waits_at_the_end(session)
    net.run(lambda: all(s.table.rules.over for s in net.sessions))
    table = net.sessions[MUMMY].table
    over, book = table.rules.pending, table.hidden
    t = net.sessions[1].table.hidden.secrets[book.made[0].T].encode()
    good = (over.scores, over.winners, over.reason, t)
    book.made *= 2
    with pytest.raises(PeerError, match="bad-outcome"):
        table.judge(1, (*good, bytes(32)))
    assert book.published == {}
    book.made = book.made[:1]
    honest = book.trail
    asked = [entry for entry in honest if isinstance(entry, Asked) and entry.answers][-1]
    book.trail = (*honest, replace(asked, answers={name: not yes for name, yes in asked.answers.items()}))
    for _ in range(2):
        with pytest.raises(PeerError, match="bad-audit"):
            table.judge(1, good)
        assert (book.published, book.uncovered, book.audited) == ({}, (), 0)
    book.trail = honest
    table.judge(1, good)
    assert book.audited == table.trust.audited == len(honest)
