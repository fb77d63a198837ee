"""Every input of what is proven or committed to is in the challenge: with any one changed, no proof or commitment of the other is of use.

One call of each function with its inputs, and one more for each input with just that one changed: all challenges are different.
"""

from dataclasses import replace

import pytest
from fairtable import DATA, MATCH, seeded
from mastaba.core.fair import coin, deck, hidden, keys, member, shuffle, team
from mastaba.core.fair.choice_rounds import ChoiceCommitment
from mastaba.core.fair.group import BASE, BASE_TABLE, IDENTITY, Point, Scalar
from mastaba.core.fair.keys import Secrets
from mastaba.core.fair.proofs import Linear
from mastaba.core.fair.transcript import Context, Transcript
from mastaba.core.rules import Statement

RNG = seeded("binding")
A, B, C, D, E, F = (Point.hash(RNG(64)) for _ in range(6))
ONE, TWO = Scalar.of(1), Scalar.of(2)
HERE = Context(MATCH, 5, 1, 2)
ELSEWHERE = [replace(HERE, match=DATA), replace(HERE, step=6), replace(HERE, round=2), replace(HERE, seat=1)]
ROW, ROWS, OUT = (A, B, C), [(A, B, C), (D, E, F)], [(B, A, C), (E, D, F)]
SEAL, OTHER = deck.Seal(A, B), deck.Seal(A, C)
T_SEAL = team.Seal(A, ONE)
PUBLIC, OTHERS = (Secrets.generate(RNG).public for _ in range(2))
LINES, MARKED = frozenset({(0, 1), (1, 2)}), frozenset({(0, 1)})
TWO_NAMES = {"old": (A, B), "new": (C, D), "h2": (E, F)}


def drawn(transcript):
    return transcript.challenge_bytes("x", 32)


def statement(context, name, T, claim, ciphers):
    return drawn(hidden._statement(context, name, T, hidden.claim_of(claim), ciphers))


def rho(bits):
    return hidden._rho(Transcript("t"), bits).encode()


def question(context, name, T, C, squares, yes):
    return drawn(hidden._question(context, name, T, C, squares, yes)[0])


def linear(rows):
    t = Transcript("t")
    Linear(rows).append_to(t)
    return drawn(t)


class Here:
    """What a commitment to a choice takes from the table."""

    def __init__(self, match, step):
        self.match, self.step = match, step


def choice(match, step, seat, move, salt):
    return ChoiceCommitment.commitment(Here(match, step), seat, move, salt)


CLAIM = Statement(all_of=((("old", "new"), LINES),), one_of=(), apart=("h2",))
SHARE = {"label": "share", "context": HERE, "card": 3, "part": "face", "row": ROW}
TOSS = {"match": MATCH, "step": 5, "round": 1}
LATER = [("match", DATA), ("step", 6), ("round", 2)]
ITEMS = {"context": ELSEWHERE}

# a function that hashes its inputs; the inputs; other values of each, one at a time
CASES = {
    "share": (
        lambda **k: drawn(deck._transcript(**k)),
        SHARE,
        {**ITEMS, "label": ["seal"], "card": [4], "part": ["back"], "row": [(D, B, C), (A, D, C), (A, B, D), (A, B)]},
    ),
    "seal": (
        lambda **k: drawn(deck._seal_transcript(**k)),
        {"context": HERE, "card": 3, "part": "face", "reader": 1, "row": ROW, "S": D},
        {**ITEMS, "card": [4], "part": ["back"], "reader": [0], "row": [(A, B, D)], "S": [E]},
    ),
    "opening": (
        lambda **k: drawn(deck._opening_transcript(**k)),
        {"context": HERE, "card": 3, "part": "face", "row": ROW, "F": D, "seals": [SEAL], "shares": [E]},
        {
            **ITEMS,
            "card": [4],
            "part": ["back"],
            "row": [(A, B, D)],
            "F": [E],
            "seals": [[OTHER], [deck.Seal(C, B)], [SEAL, SEAL], []],
            "shares": [[F], [E, E], []],
        },
    ),
    "printed": (
        lambda **k: deck.printed_point(**k).encode(),
        {"data_hash": DATA, "game": "loot", "part": "face", "value": b"7"},
        {"data_hash": [MATCH], "game": ["crypt"], "part": ["back"], "value": [b"8"]},
    ),
    "coin point": (
        lambda **k: coin.coin_point(**k).encode(),
        {**TOSS, "digest": b"so far"},
        {**{name: [value] for name, value in LATER}, "digest": [b"otherwise"]},
    ),
    "coin values": (  # of 6 or 12 sides and of 20 or 21 dice, all from the same words, were they not bound
        lambda **k: bytes((value - 1) % 6 for value in coin.values(**k)[:20]),
        {"total": A, **TOSS, "n": 20, "sides": 6},
        {"total": [B], **{name: [value] for name, value in LATER}, "n": [21], "sides": [12]},
    ),
    "key commitment": (
        keys.commit,
        {"match": MATCH, "seat": 2, "public": PUBLIC, "salt": bytes(32)},
        {"match": [DATA], "seat": [1], "public": [OTHERS], "salt": [b"\1" * 32]},
    ),
    "key": (lambda **k: drawn(keys._transcript(**k)), {"context": HERE, "kind": "face"}, {**ITEMS, "kind": ["back"]}),
    "choice": (
        choice,
        {"match": MATCH, "step": 5, "seat": 2, "move": ("place", 1), "salt": bytes(32)},
        {"match": [DATA], "step": [6], "seat": [1], "move": [("place", 2)], "salt": [b"\1" * 32]},
    ),
    "linear": (
        linear,
        {"rows": ((A, ((BASE, 0), (B, 1))), (C, ((D, 1),)))},
        {
            "rows": [
                ((E, ((BASE, 0), (B, 1))), (C, ((D, 1),))),
                ((A, ((BASE, 0), (E, 1))), (C, ((D, 1),))),
                ((A, ((BASE, 0), (B, 1))), (C, ((E, 1),))),
                ((A, ((BASE, 0), (B, 0))), (C, ((D, 1),))),
                ((A, ((BASE, 0), (B, 1))), (C, ((D, 0),))),
                ((A, ((BASE, 0),)), (C, ((D, 1),))),
                ((A, ((BASE, 0), (B, 1))),),
            ]
        },
    ),
    "statement": (
        statement,
        {"context": HERE, "name": "h1", "T": A, "claim": CLAIM, "ciphers": TWO_NAMES},
        {
            **ITEMS,
            "name": ["h2"],
            "T": [B],
            "claim": [
                replace(CLAIM, all_of=((("new", "old"), LINES),)),
                replace(CLAIM, all_of=((("h2", "new"), LINES),), apart=("old",)),
                replace(CLAIM, all_of=((("old", "new"), LINES | {(2, 3)}),)),
                replace(CLAIM, all_of=(*CLAIM.all_of, *CLAIM.all_of)),
                replace(CLAIM, one_of=((("old", "new"), MARKED),)),
                replace(CLAIM, apart=("old",)),
                replace(CLAIM, apart=("old", "h2")),
                replace(CLAIM, apart=("h2", "old")),
            ],
            "ciphers": [{**TWO_NAMES, name: (A, A)} for name in TWO_NAMES],
        },
    ),
    "rho": (rho, {"bits": [(A, B), (C, D)]}, {"bits": [[(E, B), (C, D)], [(A, E), (C, D)], [(A, B), (C, E)], [(A, B)], []]}),
    "question": (
        question,
        {"context": HERE, "name": "h1", "T": A, "C": (B, C), "squares": [3, 5], "yes": True},
        {**ITEMS, "name": ["h2"], "T": [D], "C": [(D, C), (B, D)], "squares": [[3], [3, 6]], "yes": [False]},
    ),
    "one of many": (
        lambda **k: member._challenge(Transcript("t"), **k).encode(),
        {"n": 2, "m": 3, "points": [A.encode(), B.encode()]},
        {"n": [3], "m": [2], "points": [[A.encode(), C.encode()], [C.encode(), B.encode()]]},
    ),
    "shuffle": (
        lambda **k: drawn(shuffle._statement(**k)),
        {"context": HERE, "rows": ROWS, "out": OUT, "keys": [A, B]},
        {
            **ITEMS,
            "rows": [ROWS[::-1], [ROWS[0], (D, E, A)], [(D, B, C), ROWS[1]]],
            "out": [OUT[::-1], [OUT[0], (E, D, A)], [(D, A, C), OUT[1]]],
            "keys": [[B, A], [A, C], [C, B]],
        },
    ),
    "shuffle u": (
        lambda **k: shuffle._challenge_u(Transcript("t"), **k)[0].encode(),
        {"c": [A, B]},
        {"c": [[B, A], [A, C], [C, B]]},
    ),
    "shuffle challenge": (
        lambda c_hat, **t: shuffle._challenge(Transcript("t"), c_hat, shuffle.Commitments(**t)).encode(),
        {"c_hat": [A, B], "t_1": A, "t_2": B, "t_3": C, "t_4": [D, E], "t_hat": [F, A]},
        {
            "c_hat": [[A, C], [C, B]],
            "t_1": [D],
            "t_2": [D],
            "t_3": [D],
            "t_4": [[D, A], [A, E]],
            "t_hat": [[F, B], [B, A]],
        },
    ),
    "team": (
        lambda **k: drawn(team._making(**k)),
        {"context": HERE, "name": "hunters", "readers": {1: A, 3: B}, "T": C, "seals": [T_SEAL, T_SEAL]},
        {
            **ITEMS,
            "name": ["others"],
            "readers": [{0: A, 3: B}, {1: A, 4: B}, {1: D, 3: B}, {1: A, 3: D}],
            "T": [D],
            "seals": [[T_SEAL, team.Seal(A, TWO)], [team.Seal(B, ONE), T_SEAL]],
        },
    ),
    "team seal": (
        lambda **k: team._mask(**k).encode(),
        {"context": HERE, "name": "hunters", "T": A, "reader": 1, "E": B, "K": C},
        {**ITEMS, "name": ["others"], "T": [D], "reader": [2], "E": [D], "K": [D]},
    ),
    "team complaint": (
        lambda **k: drawn(team._complaining(**k)),
        {"context": HERE, "seal": T_SEAL},
        {**ITEMS, "seal": [team.Seal(B, ONE), team.Seal(A, TWO)]},
    ),
    "team renewal": (
        lambda **k: drawn(team._renewing(**k)),
        {"context": HERE, "name": "h1", "old": A, "T": B, "C": (A, B), "D": (C, D)},
        {**ITEMS, "name": ["h2"], "old": [E], "T": [E], "C": [(E, B), (A, E)], "D": [(E, D), (C, E)]},
    ),
    "team die": (lambda **k: drawn(team._showing(**k)), {"context": HERE, "handle": 40}, {**ITEMS, "handle": [41]}),
    "die": (
        lambda **k: team.die_point(**k).encode(),
        {**TOSS, "R": A, "T": B, "i": 0},
        {**{name: [value] for name, value in LATER}, "R": [C], "T": [C], "i": [1]},
    ),
    "die face": (  # of so many faces that two fall alike once in 65536
        lambda H, S: team.die_face(team.Die(IDENTITY, H, tuple(range(1 << 16))), S).to_bytes(2, "big"),
        {"H": A, "S": B},
        {"H": [C], "S": [C]},
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_every_input_changes_the_challenge(what):
    make, inputs, others = CASES[what]
    assert inputs.keys() == others.keys()
    once = make(**inputs)
    assert make(**inputs) == once
    seen = {once}
    for name, values in others.items():
        for value in values:
            seen.add(make(**{**inputs, name: value}))
    assert len(seen) == 1 + sum(map(len, others.values()))


def test_the_generators_of_lists_and_shuffles_are_all_different():
    points = [*member.generators(6)[0], *shuffle.generators(6)[1], shuffle.generators(6)[0], BASE, BASE_TABLE.mul(TWO)]
    assert len({P.encode() for P in points}) == len(points) == 12 + 7 + 2
