"""A dishonest seat at Pyramid, for tests: its forgeries are made from honest bodies, with the secret that it has anyway.

The cheat's own session stays honest and makes honest bodies; a forger is given each before it leaves, with the table as it was then.
"""

from pathlib import Path

import pytest
from adversaries.cheat import CHEAT, assert_named, dishonest, run, with_body
from fakenet import Net
from mastaba.core.fair import hidden
from mastaba.core.fair.chain import Trial
from mastaba.core.fair.group import Scalar
from mastaba.core.fair.hidden_rounds import Hiding
from mastaba.core.rules import Choose

PYRAMID = Path(__file__).parents[2] / "src" / "core" / "games" / "data" / "pyramid.toml"
SMALL = Path(__file__).parents[1] / "data" / "pyramid-small.toml"

MUMMY = 2  # the cheat is the hunters' first seat: it makes their secret, answers questions and leads the first piece
ONE = Scalar.of(1)


def pyramid(seed=1, mummy=MUMMY, level="random", path=PYRAMID):
    return Net(3, seed=seed, game="pyramid", path=path, first=mummy, level=level)


def forge(net, forger, cheat=CHEAT):
    """Let forger(table, body), asked before each of the cheat's bodies, return another to send instead, once."""
    table, forged = net.sessions[cheat].table, {}
    honest = table.make

    def make(rng):
        body, private = honest(rng)
        if not forged and (other := forger(table, body)) is not None:
            forged[table.step, table.round] = other
        return body, private

    table.make = make
    dishonest(
        net, lambda said, receiver: with_body(said, forged[said.step, said.round]) if (said.step, said.round) in forged else said, cheat
    )
    return forged


def assert_caught(net, forger, claim):
    forged = forge(net, forger)
    run(net)
    assert forged, "the test never met the case"
    assert_named(net, claim)


def assert_caught_in_some_match(forger, claim):
    """What depends on where the bots go may need a second match."""
    for seed in range(1, 20):
        net = pyramid(seed, path=SMALL)
        forged = forge(net, forger)
        run(net)
        if forged:
            assert_named(net, claim)
            return
    pytest.fail("the test never met the case")


def at_hide(table, body):
    """A trial of the cheat's contribution that waits for its hidden move; None if it has none."""
    request = table.rules.pending
    if not isinstance(request, Choose) or len(body) == 1 or not isinstance(body[0], tuple) or body[0][0] != "die":
        return None
    trial = Trial(table, table.stage.first)
    trial.check(CHEAT, body[:1])
    trial.check(CHEAT, body[1])
    assert isinstance(trial.stage, Hiding)
    return trial


def hidden_move(choose):
    """A forger of hidden moves: choose(rules, statement, values) gives the square to stand on, or None to wait for another chance."""

    def forger(table, body):
        trial = at_hide(table, body)
        if trial is None:
            return None
        stage, rules = trial.stage, trial.twin.rules
        statement, name = stage.statement, stage.request.name
        known = {**rules.mine, **rules.public}
        legal = {**known, "old": known[name], "new": rules.own_values(stage.request, CHEAT)._moves[0]}
        square = choose(rules, statement, legal)
        if square is None:
            return None
        T = stage.team.T
        C = hidden.hide(T, square, Scalar.reduce(bytes(64)) + ONE)
        proof = pretended(trial, statement, C, legal)
        return (*body[:2], (hidden.encode_cipher(C), proof), *body[3:])

    return forger


def pretended(trial, statement, C, values):
    """A proof about C made as if these were the values."""
    t, stage = trial.twin, trial.stage
    T, ciphers = stage.team.T, stage._ciphers(statement, C)
    rng = bytes  # nothing about a forgery needs to be hidden
    return hidden.prove(t.context(CHEAT), stage.request.name, T, statement, ciphers, values, t.hidden.secrets[T], rng)


def other_squares(rules, values):
    """Squares where the move may not end."""
    board = rules.data.board
    return [s for s in board.ordinary if s not in (rules.mummy, *rules.targets(rules.turn, rules.face))]


def trial_secret(t):
    return t.hidden.secrets[t.hidden.team("hunters").T]


def through_a_wall(rules, statement, values):
    """A square that would be near enough if there were no walls."""
    columns, u = rules.data.board.columns, values["old"]
    near = [s for s in other_squares(rules, values) if abs(s // columns - u // columns) + abs(s % columns - u % columns) == rules.face]
    return near[0] if near and rules.face < 5 else None
