"""Transcripts and evidence offline: what is whole verifies, what is changed does not, and the file gives no secret away."""

import io
import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakenet import Net
from fuzzing import thinned
from hypothesis import given, settings, strategies as st
from mastaba.core.claims import Claim
from mastaba.core.errors import LocalError
from mastaba.core.fair import deck
from mastaba.core.fair.group import IDENTITY
from mastaba.core.fair.table import Table
from mastaba.core.plain import encode
from mastaba.net.identity import words
from mastaba.net.log import (
    EVIDENCE,
    MAX_ITEM,
    MAX_VOID,
    MAX_VOID_BYTES,
    TRANSCRIPT,
    VOID,
    Contribution,
    evidence,
    pack_file,
    sign,
    transcript,
    unpack_file,
)
from mastaba.net.replay import Replay, begin, feed
from mastaba.net.verify import verify
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


# -- what stands behind the end ---------------------------------------------------------------------------------------


def behind(net, seat, step, match=None, signer=None):
    """A contribution of that seat that counts nowhere."""
    said = Contribution(match or net.match.roster.match, step, 0, seat, bytes(32), bytes(8), ("late", step))
    return sign(said, signer or net.signers[seat])


@pytest.fixture(scope="module")
def thinner():
    """Seat 1 was voted out and had gone on answering; the two matches of the chain."""
    net, _ = thinned("loot")
    return net, net.sessions[0]


def with_void(session, *void, before=()):
    items = unpack_file(TRANSCRIPT, session.transcript())
    return pack_file(TRANSCRIPT, [*items, *before, *(encode((VOID, one.data, one.signature)) for one in void)])


def test_what_a_next_match_made_void_stands_behind_and_is_counted(thinner):
    net, session = thinner
    cut = session.roster.come_from.step
    void = [behind(net, 1, cut + 1), behind(net, 1, cut + 2), behind(net, 0, cut + 1)]
    report = check(net, with_void(session, *void))
    assert (report.ok, report.complete, report.void) == (True, True, 3)
    plain = check(net, session.transcript())
    assert report.checked["signatures"] == plain.checked["signatures"] + 3
    assert plain.void == 0


def test_what_stands_behind_a_finished_game_is_void_and_before_its_end_nothing_is(played):
    late = behind(played, 2, 500)
    assert check(played, with_void(played.sessions[0], late)).void == 1
    rounds = [r.in_order() for r in played.sessions[0].book.rounds]
    report = check(played, transcript(played.match.roster, rounds[: len(rounds) // 2], (), [late]))
    assert (report.ok, report.fault.claim, report.fault.seat) == (False, "bad-void", 2)


def test_a_transcript_is_packed_with_as_many_void_contributions_as_are_allowed(played):
    rounds = [r.in_order() for r in played.sessions[0].book.rounds]
    many = [behind(played, 1, step) for step in range(500, 500 + MAX_VOID + 10)]
    assert check(played, transcript(played.match.roster, rounds, (), [*many[:3], *many[:3]])).void == 3
    assert check(played, transcript(played.match.roster, rounds, (), many)).void == MAX_VOID
    large = [replace(one.said, body=bytes(90_000)) for one in many[:20]]
    data = transcript(played.match.roster, rounds, (), [sign(said, played.signers[1]) for said in large])
    assert check(played, data).void == MAX_VOID_BYTES // 90_300


@pytest.mark.parametrize(
    ("bad", "claim"),
    [
        ("another's signature", "bad-void"),
        ("of no match of the file", "bad-void"),
        ("of a step that counts", "bad-void"),
        ("the same twice", "bad-void"),
        ("too many", "bad-void"),
        ("something behind it", "out-of-order"),
        ("a roster behind it", "out-of-order"),
    ],
)
def test_a_void_tail_is_checked_like_everything_else(thinner, bad, claim):
    net, session = thinner
    cut = session.roster.come_from.step
    good, items = behind(net, 1, cut + 1), unpack_file(TRANSCRIPT, session.transcript())
    tail = {
        "another's signature": lambda: with_void(session, behind(net, 1, cut + 1, signer=net.signers[0])),
        "of no match of the file": lambda: with_void(session, behind(net, 1, cut + 1, bytes(32))),
        "of a step that counts": lambda: with_void(session, behind(net, 1, cut)),
        "the same twice": lambda: with_void(session, good, good),
        "too many": lambda: with_void(session, *(behind(net, 1, cut + 1 + i) for i in range(MAX_VOID + 1))),
        "something behind it": lambda: pack_file(TRANSCRIPT, [*unpack_file(TRANSCRIPT, with_void(session, good)), items[-1]]),
        "a roster behind it": lambda: pack_file(TRANSCRIPT, [*unpack_file(TRANSCRIPT, with_void(session, good)), items[0]]),
    }
    report = check(net, tail[bad]())
    assert (report.ok, report.fault.claim) == (False, claim)


def test_a_next_match_knows_what_each_seat_has_signed_in_the_one_before_be_it_void(thinner):
    net, session = thinner
    first, cut = net.match.roster.match, session.roster.come_from.step
    for void, latest in (((), cut), ((behind(net, 1, cut + 4), behind(net, 1, cut + 2)), cut + 4)):
        replay, items = begin(with_void(session, *void), lambda roster: net.match.table())
        while replay.roster.match == first:
            feed(replay, next(items))
        assert replay.signed[first][1] >= latest
        assert (replay.signed[first][1] == cut + 4) == bool(void)
        for item in items:
            feed(replay, item)
        assert set(replay.signed) == {first, session.roster.match}
        assert len(replay.void) == len(void)


# -- what is wrong with a file ----------------------------------------------------------------------------------------


def broken_files(played):
    """By claim: a file of which nothing else is the matter."""
    data = played.sessions[0].transcript()
    items = unpack_file(TRANSCRIPT, data)
    said = played.sessions[0].book.rounds[0].in_order()[0]
    elsewhere = sign(replace(said.said, match=bytes(32)), played.signers[said.said.seat])
    counts = encode((1, 1))
    return {
        "unknown-file": b"mastaba transcript 2\n" + data[len(TRANSCRIPT) :],
        "empty": TRANSCRIPT,
        "cut-off": data[:-1],
        "bad-item": pack_file(TRANSCRIPT, [*items[:4], b"\x81\xa1x\x01"]),
        "bad-roster": pack_file(TRANSCRIPT, [encode((b"", ())), *items[1:]]),
        "another-match": pack_file(TRANSCRIPT, [items[0], encode((elsewhere.data, elsewhere.signature))]),
        "out-of-order": pack_file(TRANSCRIPT, [items[0], items[2], items[1]]),
        "not-evidence": pack_file(EVIDENCE, [counts, items[0], items[1], items[2]]),
        "proves-nothing": pack_file(EVIDENCE, [counts, items[0], items[1]]),
    }


def test_what_is_wrong_with_a_file_has_a_claim_of_its_own(played):
    for claim, data in broken_files(played).items():
        report = check(played, data)
        assert (report.ok, report.fault.claim) == (False, claim)
        assert report.as_json()["fault"]["claim"] == claim


def test_no_text_of_a_file_or_of_a_library_is_a_claim(played):
    items = unpack_file(TRANSCRIPT, played.sessions[0].transcript())
    for item in (b"\xdf\xff\xff\xff\xff", b"\xc1", b"\xa6<b>hi", encode(("Mallory", "is here")), b"\x92\xc4\x01", bytes(100_000)):
        for data in (pack_file(TRANSCRIPT, [item]), pack_file(TRANSCRIPT, [items[0], item]), pack_file(EVIDENCE, [item, *items[:2]])):
            assert check(played, data).fault.claim in Claim


def test_a_step_that_does_not_add_up_is_a_fault_of_the_file_and_nothing_is_raised(played, monkeypatch):
    """As in a live match, where it ends the match and names nobody."""

    def refuse(table, answer):
        raise LocalError("a card that is not in the list was opened, though every proof holds: please report this match")

    monkeypatch.setattr(Table, "take", refuse)
    report = check(played, played.sessions[0].transcript())
    assert (report.ok, report.fault.claim, report.fault.seat) == (False, "desync", None)


def test_the_seats_of_every_report_are_named_by_their_keys_once_the_roster_holds(played):
    files = broken_files(played)
    named = {claim for claim, data in files.items() if [s["identity"] for s in check(played, data).as_json()["seats"]]}
    assert named == set(files) - {"unknown-file", "empty", "bad-roster"}
    (seat, *_) = check(played, files["proves-nothing"]).as_json()["seats"]
    identity = played.match.roster.seats[0].identity
    assert (seat["name"], seat["identity"], seat["words"]) == ("P0", identity.hex(), words(identity))


def test_no_more_than_an_item_of_a_file_is_read_at_a_time(played):
    class Counted(io.BytesIO):
        largest = 0

        def read(self, size=-1, /):
            assert size >= 0
            self.largest = max(self.largest, size)
            return super().read(size)

    data = played.sessions[0].transcript()
    for content, ok in ((data, True), (data + bytes(64 << 10), False), (TRANSCRIPT + b"\xff" * 4 + bytes(1 << 20), False)):
        stream = Counted(content)
        assert check(played, stream).ok is ok
        assert stream.largest <= MAX_ITEM
