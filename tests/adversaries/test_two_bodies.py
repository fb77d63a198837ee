"""Two signed bodies for one slot, in every kind of round: every honest peer names the seat, and anybody can check the evidence of both."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from adversaries import cheat
from adversaries.cheat import dishonest, flip, prove
from fakenet import Net
from mastaba.cli.__main__ import main
from mastaba.core.fair.chain import Chain
from mastaba.core.fair.choice_rounds import ChoiceCommitment, Move
from mastaba.core.fair.rounds import Stage
from mastaba.core.plain import decode
from mastaba.net.log import EVIDENCE, parse, parse_signed, unpack_file

DATA = Path(__file__).parents[1] / "data"
LEAVER = 1  # where a hunter leaves, so that his team is made anew

# kind of round: game, seats, who begins (in Pyramid the mummy), the cheat, and who is told something else
KINDS = {
    "KeyCommitment": ("loot", 3, None, 0, 1),
    "KeyProof": ("loot", 3, None, 0, 1),
    "ShuffleTurn": ("loot", 3, None, 0, 1),
    "Shares": ("loot", 3, None, 0, 1),
    "Coin": ("loot", 3, None, 0, 1),
    "Chain Move": ("loot", 3, 0, 0, 1),
    "Chain Opening": ("loot", 3, None, 0, 1),
    "SignOff": ("loot", 3, None, 0, 1),
    "ChoiceCommitment": ("scarabya", 3, None, 0, 1),
    "ChoiceOpening": ("scarabya", 3, None, 0, 1),
    "TeamSecret": ("pyramid", 3, 2, 0, 1),
    "TeamAcceptance": ("pyramid", 4, 2, 1, 3),
    "TeamCoin": ("pyramid", 3, 2, 0, 1),
    "Asking": ("pyramid", 3, 2, 0, 1),
    "TeamRenewal": ("pyramid", 4, 2, 0, 3),
}


def kind_of(stage: Any) -> str:
    return f"Chain {type(stage.first).__name__}" if isinstance(stage, Chain) else type(stage).__name__


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


def split(kind: str) -> tuple[Net, dict[tuple[int, int], Any]]:
    """A match in which the cheat says one thing to the victim and another to everybody else, once, in a round of this kind."""
    game, seats, first, liar, victim = KINDS[kind]
    net = Net(seats, seed=6, game=game, path=DATA / f"{game}-small.toml", first=first, level="random")
    table, others = net.sessions[liar].table, {}
    honest = table.make

    def make(rng: Any) -> Any:
        mine, here = not others and kind_of(table.stage) == kind, (table.step, table.round)
        if mine and table._made is None:
            others[here] = another(table, honest(rng)[0], rng)
        body, private = honest(rng)
        if mine and table._made is not None:
            others[here] = another(table, body, rng)
        return body, private

    table.make = make
    dishonest(net, lambda said, to: replace(said, body=others[said.place]) if to == victim and said.place in others else said)
    return net, others


def proof_of(session: Any) -> Any:
    """Why it has stopped; or, where the result was signed by all already, what it has learned since."""
    return session.fault or session.book.proof


def leave_on_the_way(net: Net) -> None:
    session = net.sessions[LEAVER]
    if session.table.step >= 8 and LEAVER not in session.book.left and not session.fault:
        session.leave()


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_proven_to_everybody(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    liar = KINDS[kind][3]
    monkeypatch.setattr(cheat, "CHEAT", liar)
    net, others = split(kind)
    gone = {LEAVER} if kind == "TeamRenewal" else set()
    honest = [s for s in net.sessions if s.me not in {liar, *gone}]

    def until() -> bool:
        if gone:
            leave_on_the_way(net)
        return all(proof_of(s) for s in honest)

    net.connect()
    net.run(until, idle=12)
    assert others, "the test never met the case"
    (place,) = others
    both = 0
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
            assert accused(net, fault.evidence) == {(*place, liar)}
    assert both
    third_party(fault.evidence, liar, tmp_path / kind, KINDS[kind][0], capfd)


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
        assert set(told) == {"version", "kind", "ok", "fault"}
        if code == 0:
            assert told["fault"]["seat"] == liar


def test_no_kind_of_round_is_missing() -> None:
    """Moves, openings, hidden values and dice are parts of one contribution, whose round is a Chain's."""

    def below(kind: type) -> set[str]:
        return {kind.__name__, *(name for one in kind.__subclasses__() for name in below(one))}

    parts = {"Chain", "Move", "Opening", "Hiding", "DieOpening"}
    assert below(Stage) - parts - {"Stage"} == {kind for kind in KINDS if not kind.startswith("Chain")}
