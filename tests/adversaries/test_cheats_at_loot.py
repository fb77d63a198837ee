"""A dishonest peer at a table of Loot N Run: for each cheat, every honest peer refuses it, names the seat, and can prove it."""

from dataclasses import replace

import pytest
from adversaries.cheat import CHEAT, assert_named, dishonest, flip, once, prove, run, watched, with_body
from fakenet import Net
from mastaba.core.fair import deck
from mastaba.core.rules import Choose, Over, Reveal, Roll, Shuffle
from mastaba.net.client import Client
from mastaba.net.log import evidence
from mastaba.net.store import Store
from mastaba.net.wire import Say

BAD_BODY_OF_SHUFFLE = {
    "a flipped bit in the proof": lambda body: (body[0], flip(body[1])),
    "a shorter proof": lambda body: (body[0], body[1][:-32]),
    "a duplicated card": lambda body: (body[0][:96] + body[0][:96] + body[0][192:], body[1]),
    "two swapped cards": lambda body: (body[0][96:192] + body[0][:96] + body[0][192:], body[1]),
    "swapped backs": lambda body: (body[0][:64] + body[0][160:192] + body[0][96:160] + body[0][64:96] + body[0][192:], body[1]),
    "one card too few": lambda body: (body[0][:-96], body[1]),
    "one card too many": lambda body: (body[0] + body[0][-96:], body[1]),
    "the identity as c1": lambda body: (bytes(32) + body[0][32:], body[1]),
    "an encoding that is no point": lambda body: (b"\xff" * 32 + body[0][32:], body[1]),
}


@pytest.mark.parametrize("what", BAD_BODY_OF_SHUFFLE)
def test_a_bad_shuffle_names_the_shuffler(what):
    net = watched(3)
    once(net, Shuffle, lambda said: with_body(said, BAD_BODY_OF_SHUFFLE[what](said.body)))
    run(net)
    assert_named(net, "bad-body" if what in ("one card too few", "one card too many", "a shorter proof") else "bad-shuffle")


BAD_SHARES = {
    "a flipped bit in the share": lambda blob: flip(blob, 0),
    "a flipped bit in the proof": lambda blob: flip(blob),
    "the identity": lambda blob: bytes(32) + blob[32:],
    "a share cut short": lambda blob: blob[:-1],
    "no point": lambda blob: b"\xff" * 32 + blob[32:],
}


@pytest.mark.parametrize("what", BAD_SHARES)
def test_a_bad_share_names_its_seat(what):
    net = watched(3)
    change = BAD_SHARES[what]
    once(net, Reveal, lambda said: with_body(said, (change(said.body[0]), *said.body[1:])), lambda r: r.to == "all" and r.by is None)
    run(net)
    assert_named(net, "bad-body" if "short" in what else "bad-share")


@pytest.mark.parametrize("what", BAD_SHARES)
def test_a_bad_seal_names_its_seat_to_everybody_and_not_to_the_reader_alone(what):
    net = watched(3)
    change = BAD_SHARES[what]
    once(net, Reveal, lambda said: with_body(said, (change(said.body[0]), *said.body[1:])), lambda r: r.to != "all" and CHEAT not in r.to)
    run(net)
    assert_named(net, "bad-body" if "short" in what else "bad-share")


def test_a_copied_seal_is_refused():
    """The shared point of another's seal is not one's own: knowledge of e is proven, so it cannot be copied (CRYPTO B1)."""
    net = watched(4, seed=2)
    kept = {}

    def change(said, receiver):
        request = net.asked.get(said.step)
        if isinstance(request, Reveal) and request.to != "all" and CHEAT not in request.to:
            others = net.sessions[CHEAT].now.said
            theirs = next((one for seat, one in others.items() if seat != CHEAT), None)
            if theirs is not None and (kept.get("place") in (None, (said.step, said.round))):
                kept["place"] = said.step, said.round
                return kept.setdefault("said", with_body(said, theirs.said.body))
        return said

    dishonest(net, change)
    run(net)
    assert kept, "the test never met the case"
    assert_named(net, "bad-share")


def test_shares_of_another_round_are_refused():
    net = watched(3, seed=4)
    kept = {}

    def change(said, receiver):
        request = net.asked.get(said.step)
        if isinstance(request, Reveal) and request.to == "all" and request.by is None:
            if "first" not in kept:
                kept["first"] = said
            elif said.step != kept["first"].step and len(said.body) == 1 and kept.setdefault("at", said.step) == said.step:
                return kept.setdefault("said", with_body(said, kept["first"].body[:1]))
        return said

    dishonest(net, change)
    run(net)
    assert "said" in kept
    assert_named(net, "bad-share")


BAD_OPENINGS = {
    "another face": lambda number, proof, faces: ((number + 1) % faces, proof),
    "a flipped bit": lambda number, proof, faces: (number, flip(proof)),
    "a number that is no face": lambda number, proof, faces: (faces, proof),
    "a negative number": lambda number, proof, faces: (-1, proof),
}


@pytest.mark.parametrize("what", BAD_OPENINGS)
def test_a_card_cannot_be_opened_as_another(what):
    net = watched(3, level="random", seed=3)
    net.players[CHEAT] = lambda session: run_if_possible(session)

    def change(said):
        number, proof = said.body[0]
        faces = len(net.sessions[CHEAT].table.printed("face"))
        return with_body(said, (BAD_OPENINGS[what](number, proof, faces), *said.body[1:]))

    once(net, Reveal, change, lambda r: r.by == CHEAT)
    run(net)
    assert_named(net, "bad-body" if "number" in what else "bad-opening")


def run_if_possible(session):
    moves = session.snapshot().view.moves()
    return ("run",) if ("run",) in moves else moves[0]


@pytest.mark.parametrize(
    "move", [("loot", 2), ("loot", True), ("wake", CHEAT), ("wake", 99), ("run",), (), ("pass",), None, b"", -1, ("keep", 0)]
)
def test_an_illegal_move_names_its_seat(move):
    net = watched(3, first=CHEAT)
    once(net, Choose, lambda said: with_body(said, (move,)))
    run(net)
    assert_named(net, "illegal-move")


@pytest.mark.parametrize("body", [(), None, 7, (("loot", 0), 1), "loot"])
def test_a_body_of_no_shape_names_its_seat(body):
    net = watched(3, first=CHEAT)
    once(net, Choose, lambda said: with_body(said, body))
    run(net)
    assert_named(net, "bad-body")


@pytest.mark.parametrize("at", [0, 40, -1])
def test_a_bad_coin_share_names_its_seat(at):
    net = watched(3)
    once(net, Roll, lambda said: with_body(said, (flip(said.body[0], at),)))
    run(net)
    assert_named(net, "bad-coin")


def test_a_copied_coin_share_is_refused():
    net = watched(3)

    def change(said):
        others = net.sessions[CHEAT].now.said
        theirs = [one for seat, one in others.items() if seat != CHEAT]
        return with_body(said, theirs[0].said.body if theirs else (bytes(96),))

    once(net, Roll, change)
    run(net)
    assert_named(net, "bad-coin")


def test_another_outcome_names_its_seat():
    net = watched(3)
    once(net, Over, lambda said: with_body(said, ((99, *said.body[0][1:]), (CHEAT,), said.body[2])))
    run(net)
    assert_named(net, "bad-outcome")


@pytest.mark.parametrize("round_", [0, 1])
def test_bad_keys_name_their_seat(round_):
    net = watched(3)
    change = {0: lambda body: (bytes(31),), 1: lambda body: (flip(body[0], 40),)}[round_]
    dishonest(net, lambda said, b: with_body(said, change(said.body)) if (said.step, said.round) == (0, round_) else said)
    run(net)
    assert_named(net, ["bad-body", "bad-keys"][round_])


def test_keys_other_than_those_committed_to_are_refused():
    """A rogue key chosen after the others' keys are known does not fit its commitment (F10)."""
    net = watched(3)
    other = Net(3, seed=77)
    rogue = other.sessions[CHEAT]

    def change(said, receiver):
        if (said.step, said.round) != (0, 1):
            return said
        rogue.table.round = 1
        from mastaba.core.fair import keys
        from mastaba.core.fair.transcript import Context

        context = Context(net.match.roster.match, 0, 1, CHEAT)
        return with_body(said, (keys.prove_keys(context, rogue.table.own, bytes(32), other.rng.randbytes),))

    dishonest(net, change)
    run(net)
    assert_named(net, "bad-keys")


@pytest.mark.parametrize("kind", [Shuffle, Reveal, Choose, Roll, Over])
def test_two_bodies_in_one_slot_are_a_proof(kind):
    """Another body to each receiver, both validly signed (F18): whoever sees both names the seat, and shows both."""
    net = watched(4, seed=2, first=CHEAT if kind is Choose else None)
    done = {}

    def change(said, receiver):
        request = net.asked.get(said.step)
        if (
            said.step
            and isinstance(request, kind)
            and done.setdefault("place", (said.step, said.round)) == (said.step, said.round)
            and receiver == 1
        ):
            return replace(said, body=(*said.body, b"other") if kind is not Choose else (("loot", 1 - said.body[0][1]),))
        return said

    dishonest(net, change)
    run(net)
    assert done
    named = [s.fault or s.book.proof for i, s in enumerate(net.sessions) if i != CHEAT]
    assert all(f is not None and f.seat == CHEAT for f in named)
    assert any(prove(net, f.evidence).ok for f in named if f)
    for session in net.sessions[1:]:  # whoever holds a result that all have signed keeps it, and the proof beside it
        assert session.snapshot().phase == ("done" if session.table.done else "ended" if kind is Over else "stopped")
        assert session.fault is None or not session.table.done


def test_a_result_that_all_have_signed_stands_and_the_proof_is_kept_beside_it(tmp_path):
    """The cheat signs the outcome twice: whoever has all signatures keeps them, and a file that proves what he did after that."""
    net = watched(3, seed=3)
    changed = dishonest(
        net, lambda said, b: with_body(said, (*said.body, b"other")) if isinstance(net.asked.get(said.step), Over) and b == 1 else said
    )
    run(net)
    net.run(lambda: False, idle=3)  # each hears where the other stands
    assert changed
    one, other = net.sessions[1:]
    assert one.fault is not None
    assert (one.snapshot().phase, one.fault.seat) == ("ended", CHEAT)
    assert other.fault is None
    assert other.snapshot().phase == "done"
    assert other.book.proof is not None
    report = prove(net, other.transcript())
    assert report.ok
    assert report.complete
    with Store(tmp_path).take_profile() as profile:
        client = Client(Store(tmp_path), profile)
        client._keep_proof(other)
        assert client.evidence is not None
        report = prove(net, client.evidence.read_bytes())
    assert report.ok
    assert (report.fault.claim, report.fault.seat) == ("two-bodies", CHEAT)


def test_two_good_moves_to_two_peers_are_found_out():
    """Both bodies are legal, so only comparing them shows the cheat: the digests part, and the rounds behind are exchanged."""
    net = watched(4, seed=6, first=CHEAT)
    done = {}

    def change(said, receiver):
        if (
            isinstance(net.asked.get(said.step), Choose)
            and done.setdefault("place", (said.step, said.round)) == (said.step, said.round)
            and receiver == 1
        ):
            return replace(said, body=(("loot", 1 - said.body[0][1]),))
        return said

    dishonest(net, change)
    run(net)
    assert_named(net, "two-bodies")


def test_two_decks_from_one_shuffler_are_found_out():
    """Two valid decks, each with a good proof, to two peers (CRYPTO A1): nobody judges one by the other, and the shuffler is named."""
    net = watched(4, seed=9)
    second = {}

    def change(said, receiver):
        request = net.asked.get(said.step)
        if (
            isinstance(request, Shuffle)
            and receiver == 2
            and second.setdefault("place", (said.step, said.round)) == (said.step, said.round)
        ):
            if "body" not in second:
                from mastaba.core.fair import shuffle
                from mastaba.core.fair.transcript import Context

                table = net.sessions[1].table
                rows = [table.rows[c] for c in request.cards]
                context = Context(net.match.roster.match, said.step, said.round, CHEAT)
                out, proof = shuffle.shuffle(context, rows, table.joint, net.rng.randbytes)
                second["body"] = (b"".join(map(deck.encode_row, out)), proof)
            return with_body(said, second["body"])
        return said

    dishonest(net, change)
    run(net)
    assert "body" in second
    assert_named(net, "two-bodies")


def test_a_last_move_that_differs_is_found_out_by_the_sign_off():
    """Without the round of signatures nobody would ever compare the last step (CRYPTO A4)."""
    net = watched(3, seed=12)
    done = {}

    def change(said, receiver):
        if isinstance(net.asked.get(said.step), Over) and receiver == 1:
            done["said"] = True
            return replace(said, state=bytes(8))
        return said

    dishonest(net, change)
    run(net)
    assert done
    # a wrong state digest under the right prev is a difference between programs: nobody is named, until both bodies meet
    faults = [s.fault for i, s in enumerate(net.sessions) if i != CHEAT and s.fault]
    assert faults
    assert all(f.seat in (None, CHEAT) for f in faults)


def test_a_state_that_differs_names_nobody():
    net = watched(2, seed=3)
    dishonest(net, lambda said, b: replace(said, state=bytes(8)) if said.step == 1 else said)
    run(net)
    fault = net.sessions[1].fault
    assert fault is not None
    assert (fault.claim, fault.seat) == ("desync", None)


def test_a_wrong_digest_alone_names_nobody():
    """A digest that nobody can explain may be another's doing: its seat is only silent (CRYPTO A2)."""
    net = watched(3, seed=3)
    dishonest(net, lambda said, b: replace(said, prev=bytes(32)) if said.step == 1 else said)
    run(net)
    assert all(s.fault is None for i, s in enumerate(net.sessions) if i != CHEAT)
    assert all(CHEAT in s.table.missing for i, s in enumerate(net.sessions) if i != CHEAT)


def test_a_contribution_that_nobody_owes_names_its_seat():
    net = watched(3, seed=3, first=1)
    done = {}

    def change(said, receiver):
        if said.step == 0 and said.round == 1:
            return said
        request = net.asked.get(said.step)
        if isinstance(request, Shuffle) and said.round == CHEAT and "extra" not in done:
            done["extra"] = True
        return said

    dishonest(net, change)
    net.connect()
    net.run(
        lambda: (
            isinstance(net.sessions[1].table.rules.pending, Choose)
            and net.sessions[1].table.step > 2
            and 1 in net.sessions[1].table.missing
        )
    )
    from mastaba.net.log import Contribution, sign

    victim = net.sessions[1]
    before = next(r for r in victim.book.rounds if CHEAT not in r.said)
    for here, state in ((before, bytes(8)), (victim.now, victim.book.state)):
        assert victim.fault is None  # under another state it proves nothing
        said = Contribution(net.match.roster.match, here.step, here.round, CHEAT, here.prev, state, (("run",),))
        signed = sign(said, net.signers[CHEAT])
        victim.receive(CHEAT, Say(signed.data, signed.signature))
    assert victim.fault is not None
    assert (victim.fault.claim, victim.fault.seat) == ("nothing-owed", CHEAT)
    assert prove(net, victim.fault.evidence).ok


def test_rubbish_in_an_honest_name_closes_the_link_and_names_nobody():
    """Whoever forwards a forged message is on the other end of the link; the claimed author is a victim (CRYPTO A9)."""
    net = watched(3, seed=3)
    net.connect()
    net.flush()
    victim = net.sessions[1]
    from mastaba.net.log import Contribution, sign

    said = Contribution(net.match.roster.match, 0, 0, 2, victim.now.prev, victim.book.state, (bytes(32),))
    forged = sign(said, net.signers[CHEAT])  # says seat 2, signed by the cheat
    victim.receive(CHEAT, Say(forged.data, forged.signature))
    assert victim.fault is None
    assert victim.take_closes() == [(CHEAT, "garbage")]


def test_messages_of_another_match_are_not_this_one(monkeypatch):
    """Same people, same seats, same step: the match's hash is in every signed byte (CRYPTO A5)."""
    net, old = watched(2, seed=3), Net(2, seed=3)
    replayed = Net(2, seed=4)
    replayed.connect()
    replayed.flush()
    for a, b in ((0, 1),):
        for session in replayed.sessions:
            session.begin()
        said = replayed.sessions[a].now.said[a]
        say = Say(said.data, said.signature)
        net.connect()
        net.sessions[b].receive(a, say)
        assert net.sessions[b].fault is None
        assert net.sessions[b].take_closes() == [(a, "garbage")]
    assert old.match.roster.match == net.match.roster.match != replayed.match.roster.match


def test_evidence_that_proves_nothing_is_refused():
    net = Net(3, seed=1)
    net.connect()
    net.run()
    session = net.sessions[1]
    rounds = [r.in_order() for r in session.book.rounds]
    good = rounds[-1][0]
    made_up = evidence(net.match.roster, rounds[:-1], (good,))
    assert not prove(net, made_up).ok
    same_twice = evidence(net.match.roster, (), (good, good))
    assert not prove(net, same_twice).ok
    assert not prove(net, evidence(net.match.roster, (), ())).ok
