"""Transcripts and evidence offline: what is whole verifies, what is changed does not, and the file gives no secret away."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakenet import Net
from hypothesis import given, settings, strategies as st
from mastaba.core.fair import deck
from mastaba.core.fair.group import IDENTITY
from mastaba.core.plain import encode
from mastaba.net.log import EVIDENCE, TRANSCRIPT, evidence, pack_file, sign, transcript, unpack_file
from mastaba.net.verify import Replay, verify
from mastaba.net.wire import unpack

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def played():
    net = Net(3, seed=21)
    net.connect()
    net.run()
    assert net.sessions[0].table.done
    return net


def check(net, data):
    return verify(data, lambda roster: net.match.table())


def test_a_whole_match_reports_what_was_checked(played):
    report = check(played, played.sessions[1].transcript()).as_json()
    over = played.sessions[0].table.rules.pending
    assert report["version"] == 1
    assert report["ok"] is report["complete"] is True
    assert report["game"] == "loot"
    assert [s["name"] for s in report["seats"]] == ["P0", "P1", "P2"]
    assert tuple(report["winners"]) == over.winners
    assert all(report["checked"][kind] > 0 for kind in ("signatures", "shuffles", "shares", "moves"))
    assert json.loads(json.dumps(report)) == report


def test_an_unfinished_match_is_ok_and_not_complete(played):
    rounds = [r.in_order() for r in played.sessions[0].book.rounds]
    for upto in (0, 1, len(rounds) // 2, len(rounds) - 1):
        report = check(played, transcript(played.match.roster, rounds[:upto]))
        assert report.ok
        assert not report.complete
        played_out = upto == len(rounds) - 1  # all but the signatures under the result
        assert bool(report.winners) == played_out
        assert report.unsigned == ((0, 1, 2)[: len(played.sessions)] if played_out else ())


def test_every_header_byte_counts(played):
    data = played.sessions[0].transcript()
    for at in range(len(TRANSCRIPT)):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        report = check(played, changed)
        assert not report.ok
        assert report.as_json()["fault"]["claim"]


@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_any_changed_byte_is_found(played, share, bit):
    data = played.sessions[0].transcript()
    at = int(share * len(data))
    changed = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
    report = check(played, changed)
    assert not report.ok
    assert report.fault is not None


@given(share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=30, deadline=None)
def test_a_file_cut_off_anywhere_is_faulty_or_unfinished(played, share):
    data = played.sessions[0].transcript()
    report = check(played, data[: int(share * len(data))])
    assert not (report.ok and report.complete)


@given(data=st.binary(max_size=300), header=st.sampled_from([b"", TRANSCRIPT, EVIDENCE]))
@settings(max_examples=200, deadline=None)
def test_what_is_no_file_of_ours_is_refused_in_words(played, data, header):
    report = check(played, header + data)
    assert not report.ok
    assert report.fault is not None
    assert report.as_json()["version"] == 1


def test_swapped_missing_and_doubled_contributions_are_found(played):
    items = unpack_file(TRANSCRIPT, played.sessions[0].transcript())
    for changed in (items[:5] + items[6:], [*items[:5], items[6], items[5], *items[7:]], [*items[:5], items[5], *items[5:]]):
        report = check(played, pack_file(TRANSCRIPT, changed))
        assert not report.ok
        assert report.fault.claim == "out-of-order"


@pytest.mark.parametrize(
    ("changed", "claim", "named"), [({"prev": bytes(32)}, "bad-digest", True), ({"state": bytes(8)}, "bad-state", False)]
)
def test_what_is_signed_under_another_digest_or_state_is_refused(played, changed, claim, named):
    """Of two programs that hold different states none is at fault."""
    *items, _ = unpack_file(TRANSCRIPT, played.sessions[0].transcript())
    last = played.sessions[0].book.rounds[-1].in_order()[-1].said
    signed = sign(replace(last, **changed), played.signers[last.seat])
    report = check(played, pack_file(TRANSCRIPT, [*items, encode((signed.data, signed.signature))]))
    assert (report.ok, report.fault.claim, report.fault.seat) == (False, claim, last.seat if named else None)


def test_a_signature_of_the_roster_counts(played):
    items = unpack_file(TRANSCRIPT, played.sessions[0].transcript())
    roster = played.match.roster
    broken = roster.with_signatures((roster.signatures[1], *roster.signatures[1:]))
    report = check(played, pack_file(TRANSCRIPT, [broken.encode(), *items[1:]]))
    assert (report.ok, report.fault.claim) == (False, "bad-signature")


@pytest.mark.parametrize(("game", "leaver"), [("loot", None), ("loot", 1), ("crypt", None), ("crypt", 1)])
def test_the_log_tells_no_coalition_more_than_the_rules_do(game, leaver):
    """Whoever pools keys and reads the public log, with a leaver's good-bye in it, decrypts only cards that its members have seen."""
    seats = 3
    net = Net(seats, seed=33, game=game, path=DATA / f"{game}-small.toml")
    net.connect()
    net.run(lambda: leaves(net, leaver) and all(s.table.done for s in net.sessions if s.me != leaver))
    tables = [net.match.table(i, net.owns[i]) for i in range(seats)]
    replays = [Replay(net.match.roster, t) for t in tables]
    stay = set(range(seats)) - {leaver}  # one of them at least is honest
    coalitions = [c for n in range(1, seats + 1) for c in itertools.combinations(range(seats), n) if stay - set(c)]
    decrypted = without = 0
    for round_ in net.sessions[0].book.rounds:
        for signed in (s for s in round_.in_order() if s.data not in replays[0].left.values()):  # a good-bye fills many slots
            for replay, table in zip(replays, tables, strict=True):
                if signed.said.seat == table.me and (signed.said.step, signed.said.round) == (0, 0):
                    table.remember(b"")
                replay.take(signed)
        if tables[0].step == 0:
            continue
        without += bool(tables[0].departed)
        for coalition in coalitions:
            known = {k: v for i in coalition for k, v in {**tables[i].rules.shown, **tables[i].rules.peeked}.items()}
            for card, row in tables[0].rows.items():
                for part in ("face", "back"):
                    found = attack(tables[0], net.owns, coalition, card, part, row)
                    assert found is None or found == known.get((card, part)) or row[0].is_identity()
                    decrypted += found is not None
    assert decrypted > 100
    assert bool(without) == (leaver is not None)


def leaves(net, seat):
    """Let the seat say good-bye as soon as it has seen a card that not all have seen; True: whoever should has left."""
    session = net.sessions[seat or 0]
    if seat is not None and session.table.keys and session.table.rules.peeked and seat not in session.book.left:
        session.leave()
    return seat is None or seat in session.book.left


def attack(table, owns, coalition, card, part, row):
    """What these seats' keys, a leaver's published ones, all public shares and all seals to them make of a row."""
    shares = dict(table._shares.get((card, part), {}))
    for reader in coalition:
        for seat, seal in table._seals.get((card, part, reader), {}).items():
            shares[seat] = seal.V - seal.E * owns[reader].seal
    for seat in coalition:
        shares[seat] = row[0] * getattr(owns[seat], part)
    for seat, keys in table.departed.items():
        shares[seat] = row[0] * getattr(keys, part)
    point = row[deck.PARTS[part]] - sum(shares.values(), IDENTITY)
    face = table._faces[part].get(point.encode())
    return face and face[0]


def test_what_is_encoded_twice_is_equal(played):
    """One value has one encoding: the file of a match is the same at every peer."""
    assert len({s.transcript() for s in played.sessions}) == 1
    assert encode((1, "a")) == encode([1, "a"])


def test_no_honest_seat_is_named_by_evidence_made_of_what_it_has_honestly_said():
    """Every prefix of an honest match, and every honest contribution as the accused one: nothing is proven."""
    net = Net(3, seed=21, first=0)
    net.connect()
    left = []

    def leave_early():
        if not left and net.sessions[1].table.keys and net.sessions[1].table.step > 3:
            left.append(net.sessions[1].leave())
        return all(s.table.done for s in net.sessions if s.me != 1)

    net.run(leave_early)
    rounds = [r.in_order() for r in net.sessions[0].book.rounds]
    said = list(dict.fromkeys(one for round_ in rounds for one in round_))
    assert any(one.said.kind == "leave" for one in said)
    for at, one in enumerate(said):
        if at % 4 and one.said.kind != "leave" and at > 12:
            continue
        for before in (said[:at], said[: at + 1], said[: max(0, at - 1)], said[: at + 3]):
            assert not check(net, evidence(net.match.roster, [before], [one])).ok
        other = said[at - 1]
        assert not check(net, evidence(net.match.roster, [said[:at]], [one, other])).ok


def test_who_leaves_while_anothers_keys_are_under_way_is_not_named():
    """The good-bye names the slot of its keys; a peer that still lacks somebody else's keys keeps it until it can be judged."""
    net = Net(3, seed=5, first=0)
    net.connect()
    net.run(lambda: all(s.now.place == (0, 1) for s in net.sessions))
    leaver, peer = net.sessions[1], net.sessions[2]
    while not leaver.table.keys:
        net.flush()
        queue = next(pair for pair, q in net.queues.items() if q and pair[1] == 1)
        leaver.receive(queue[0], unpack(net.queues[queue].popleft()))
    leaver.leave()
    net.flush()
    while net.queues[1, 2]:
        peer.receive(1, unpack(net.queues[1, 2].popleft()))
    assert not peer.table.keys
    assert peer.fault is None
    net.run(lambda: all(s.table.done or s.fault for s in net.sessions if s.me != 1))
    assert [s.fault for s in net.sessions if s.me != 1] == [None, None]
    assert peer.table.rules.gone == (1,)
