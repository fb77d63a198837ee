"""Two signed bodies for one slot, in every kind of round: every honest peer names the seat, and anybody can check the evidence of both."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from adversaries.cheat import flip, prove
from adversaries.rounds import DATA, KINDS, lie, proof_of
from fakenet import Net
from fuzzing import evidence
from mastaba.cli.__main__ import main
from mastaba.core.fair.chain import Chain
from mastaba.core.fair.choice_rounds import ChoiceCommitment, Move
from mastaba.core.fair.rounds import Stage
from mastaba.core.plain import decode
from mastaba.net.log import EVIDENCE, parse, parse_signed, sign, unpack_file
from mastaba.net.wire import Message, Say


def another(table: Any, body: Any, rng: Any) -> Any:
    """Another body for the present round: a good one where there is more than one, else something else."""
    stage, me = table.stage, table.me
    if isinstance(stage, Chain) and isinstance(stage.first, Move) and len(body) == 1:
        other = next((m for m in table.rules.own_moves(table.rules.pending, me) if m != body[0]), None)
        made = (other,) if other is not None else body
    elif isinstance(stage, ChoiceCommitment):
        made = stage.make(me, next(iter(table.rules.own_moves(stage.request, me))), rng)[0]
    else:
        made = stage.make(me, None, rng)[0]
    return made if made != body else (*body, b"other")


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_proven_to_everybody(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game, _, _, liar, _ = KINDS[kind]
    both, seed = 0, 2
    while not both:  # who hears of the bad one first names that; whoever has accepted the good one holds two
        assert seed < 6, "nobody holds two bodies"
        both, evidence = told_to_one(kind, seed)
        seed += 1
    third_party(evidence, liar, tmp_path / kind, game, capfd)


def told_to_one(kind: str, seed: int) -> tuple[int, bytes]:
    """One seat alone is told the lie; all honest ones find out: how many by two bodies, and the evidence of the last."""
    liar, both = KINDS[kind][3], 0
    net, honest, places = lie(kind, another, False, seed)
    for session in honest:
        fault = proof_of(session)
        assert fault is not None, f"seat {session.me} has noticed nothing"
        assert fault.seat == liar
        report = prove(net, fault.evidence)
        assert report.ok
        assert report.fault is not None
        assert (report.fault.claim, report.fault.seat) == (fault.claim, liar)
        if fault.claim == "two-bodies":
            both += 1
            assert accused(net, fault.evidence) == {(*place, liar) for place in places}
    return both, fault.evidence


def accused(net: Net, evidence: bytes) -> set[tuple[int, int, int]]:
    """The slots of the two different bodies that the file shows."""
    counts, *items = unpack_file(EVIDENCE, evidence)
    before, against = decode(counts)
    bodies = {parse_signed(item)[0] for item in items[before:]}
    assert len(bodies) == against == 2
    said = [parse(body, net.match.roster) for body in bodies]
    return {(*one.place, one.seat) for one in said}


def third_party(evidence: bytes, liar: int, path: Path, game: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Somebody who has seen nothing of the match runs `mastaba verify FILE --json`: exit code 0 if it proves its claim, else 5."""
    for data, code in ((evidence, 0), (flip(evidence), 5)):
        path.write_bytes(data)
        capfd.readouterr()
        assert main(["verify", str(path), "--json", "--data", str(DATA / f"{game}-small.toml")]) == code
        told = json.loads(capfd.readouterr().out)
        assert {"version": 1, "kind": "evidence", "ok": code == 0}.items() <= told.items()
        assert set(told) == {"version", "kind", "ok", "game", "seats", "fault"}
        if code == 0:
            assert told["fault"]["seat"] == liar


def test_evidence_of_other_kinds_is_checked_by_third_parties_too(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Two bodies, one bad body, two votes; and what an honest seat has honestly said, which proves nothing."""
    _, files = evidence()
    claims = ["two-bodies", "bad-body", "two-votes", None, None]
    for number, (data, claim) in enumerate(zip(files, claims, strict=True)):
        path = tmp_path / f"{number}.evidence"
        path.write_bytes(data)
        capfd.readouterr()
        assert main(["verify", str(path), "--json", "--data", str(DATA / "loot-small.toml")]) == (0 if claim else 5)
        told = json.loads(capfd.readouterr().out)
        assert (told["version"], told["kind"], told["ok"]) == (1, "evidence", claim is not None)
        assert told["fault"]["claim"] == (claim or "proves-nothing")


def test_no_kind_of_round_is_missing() -> None:
    """Moves, openings, hidden values and dice are parts of one contribution, whose round is a Chain's."""

    def below(kind: type) -> set[str]:
        return {kind.__name__, *(name for one in kind.__subclasses__() for name in below(one))}

    parts = {"Chain", "Move", "Opening", "Hiding", "DieOpening"}
    assert below(Stage) - parts - {"Stage"} == {kind for kind in KINDS if not kind.startswith("Chain")}


def test_half_of_the_seats_cannot_make_an_honest_program_look_odd_and_stay_unseen() -> None:
    """Two of four tell one seat another state than all others: its program stops, and still finds what they have signed twice."""
    net, on = Net(4, seed=5, first=2, grace=5), []

    def tamper(a: int, b: int, message: Message) -> tuple[Message, ...]:
        if not on or a not in (2, 3) or b != 0 or not isinstance(message, Say) or net.sessions[0].fault:
            return (message,)
        said = parse(message.body, net.sessions[a].roster)
        if said.seat != a:
            return ()
        odd = sign(replace(said, state=bytes(8)), net.signers[a])
        return (Say(odd.data, odd.signature),)

    net.tamper = tamper
    net.connect()
    net.run(lambda: min(s.table.step for s in net.sessions) >= 5 and {2, 3} <= set(net.sessions[0].table.owed))
    on.append(True)
    honest = net.sessions[:2]
    net.run(lambda: all(s.fault and s.fault.seat is not None for s in honest), idle=60)
    for session in honest:
        assert session.fault is not None
        assert session.fault.claim == "two-bodies"
        assert session.fault.seat in (2, 3)
