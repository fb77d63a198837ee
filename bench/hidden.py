"""Pyramid's hidden moves on its own board: proofs over the largest set of pairs, the arrow past three others, and five hidden dice."""

import os
import tomllib
from pathlib import Path

from mastaba.core.fair import coin, hidden, team
from mastaba.core.fair.group import BASE_TABLE, IDENTITY, Scalar
from mastaba.core.fair.keys import Secrets
from mastaba.core.fair.transcript import Context
from mastaba.core.games import pyramid
from mastaba.core.games.pyramid_data import ARROW, DICE, FACES, MUMMY, Board
from mastaba.core.games.pyramid_moves import ends, statement
from mastaba.core.rules import Statement

from .rows import Row, row, seconds

DATA = Path(__file__).parents[1] / "src" / "core" / "games" / "data" / "pyramid.toml"
OTHERS = ("h2", "h3", "h4")
SEATS = 5
PLACE = Context(bytes(32), 1, 0, 1)
RUNS = 15


def _scalar() -> Scalar:
    return Scalar.reduce(os.urandom(64))


def _positions(board: Board, face: int) -> dict[str, int]:
    """A move past three others on ordinary squares."""
    for old in board.ordinary:
        others = [square for square in board.ordinary if square != old][-len(OTHERS) :]
        for new in ends(board, face, board.dungeon, old, others) if old not in others else ():
            return {"old": old, "new": new, **dict(zip(OTHERS, others, strict=True))}
    raise AssertionError("the board has room for four")


def _proof(name: str, board: Board, face: int, bars: tuple[float, float, float]) -> list[Row]:
    """Rows of a move with this die, the mummy in the dungeon: its sets are the largest there."""
    said: Statement = statement(board, face, board.dungeon, None, OTHERS)
    values = _positions(board, face)
    t = _scalar()
    T = BASE_TABLE.mul(t)
    ciphers = {n: hidden.hide(T, v, _scalar()) for n, v in values.items()}

    def prove() -> bytes:
        C = hidden.hide(T, values["new"], _scalar())
        return hidden.encode_cipher(C) + hidden.prove(PLACE, "h1", T, said, {**ciphers, "new": C}, values, t, os.urandom)

    sent = prove()

    def verify() -> None:
        """From the bytes on the wire to the verdict."""
        C = hidden.decode_cipher(sent[: hidden.CIPHER])
        hidden.check(PLACE, "h1", T, said, {**ciphers, "new": C}, sent[hidden.CIPHER :])

    verify()
    made, checked = seconds(prove, verify, runs=RUNS)
    return [
        row(f"{name}-prove", made * 1e3, "ms", bars[0]),
        row(f"{name}-verify", checked * 1e3, "ms", bars[1]),
        row(f"{name}-bytes", len(sent), "B", bars[2]),
    ]


def _roll() -> Row:
    """What one hunter's program does in a roll at a table of five: its share of the coin, the check of all, the faces of five dice."""
    secrets = [Secrets.generate(os.urandom) for _ in range(SEATS)]
    keys = [secret.public.coin for secret in secrets]
    H = coin.coin_point(bytes(32), 1, 0, bytes(32))
    contexts = [Context(bytes(32), 1, 0, seat) for seat in range(SEATS)]
    sent = [coin.make_coin_share(*args, os.urandom) for args in zip(contexts, [H] * SEATS, [s.coin for s in secrets], keys, strict=True)]
    t = _scalar()
    T = BASE_TABLE.mul(t)
    faces = tuple(face for face in range(1, len(FACES) + 1) if face != MUMMY)

    def roll() -> None:
        coin.make_coin_share(contexts[0], H, secrets[0].coin, keys[0], os.urandom)
        shares = [coin.check_coin_share(*args) for args in zip(contexts, [H] * SEATS, keys, sent, strict=True)]
        R = sum(shares, IDENTITY)
        values = coin.values(R, bytes(32), 1, 0, DICE, len(FACES))
        dice = [team.Die(T, team.die_point(bytes(32), 1, 0, R, T, i), faces) for i in range(len(values))]
        for die in dice:
            team.die_face(die, die.H * t)

    (taken,) = seconds(roll, runs=RUNS)
    return row("dice-roll", taken * 1e3, "ms", 20)


def rows() -> list[Row]:
    board = pyramid.load(tomllib.loads(DATA.read_text())).board
    longest = max(range(1, ARROW), key=lambda face: len(statement(board, face, board.dungeon, None, ()).all_of[0][1]))
    return [
        *_proof("hidden-move", board, longest, (6, 4, 1500)),
        *_proof("arrow", board, ARROW, (60, 40, 6000)),
        _roll(),
    ]
