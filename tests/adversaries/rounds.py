"""Every kind of round there is, in a small match with a seat that lies in exactly one of them, once.

`lie(kind, change, to_all)` plays such a match to the point where the honest peers have noticed, or get no further.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from adversaries.cheat import dishonest, prove
from fakenet import Net
from mastaba.core.fair.chain import Chain

DATA = Path(__file__).parents[1] / "data"
Place = tuple[int, int]
Change = Callable[[Any, Any, Any], Any]  # of (table, honest body, rng): the body that is said instead

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


def lie(kind: str, change: Change, to_all: bool, seed: int = 2) -> tuple[Net, list[Any], set[Place]]:
    """The net, the honest sessions that are still there, and where the lie was told."""
    game, seats, first, liar, victim = KINDS[kind]
    net = Net(seats, seed=seed, game=game, path=DATA / f"{game}-small.toml", first=first, level="random")
    table, lies = net.sessions[liar].table, {}
    honest = table.make

    def make(rng: Any) -> Any:
        mine, here = not lies and kind_of(table.stage) == kind, (table.step, table.round)
        if mine and table._made is None:
            lies[here] = change(table, honest(rng)[0], rng)
        body, private = honest(rng)
        if mine and table._made is not None:
            lies[here] = change(table, body, rng)
        return body, private

    table.make = make  # type: ignore[method-assign]
    dishonest(net, lambda said, to: replace(said, body=lies[said.place]) if (to_all or to == victim) and said.place in lies else said, liar)
    gone = {LEAVER} if kind == "TeamRenewal" else set()
    rest = [s for s in net.sessions if s.me not in {liar, *gone}]

    def until() -> bool:
        if gone:
            _leave(net.sessions[LEAVER])
        return all(proof_of(s) for s in rest)

    net.connect()
    net.run(until, idle=12)
    assert lies, "the test never met the case"
    return net, rest, set(lies)


def _leave(session: Any) -> None:
    if session.table.step >= 8 and LEAVER not in session.book.left and not session.fault:
        session.leave()


def proof_of(session: Any) -> Any:
    """Why it has stopped; or, where the result was signed by all already, what it has learned since."""
    return session.fault or session.book.proof


def assert_caught(kind: str, change: Change, claim: str | None) -> None:
    """The lie is told to all: each honest peer stops there, names the liar and the claim (None: any), and its evidence proves it."""
    net, rest, places = lie(kind, change, True)
    for session in rest:
        fault = proof_of(session)
        assert fault is not None, f"seat {session.me} has noticed nothing"
        assert (fault.seat, fault.claim) == (KINDS[kind][3], claim or fault.claim)
        assert {fault.place} == places
        report = prove(net, fault.evidence)
        assert report.ok
        assert report.fault is not None
        assert (report.fault.claim, report.fault.seat) == (fault.claim, fault.seat)
