"""The program and a verifier from the pages alone agree on contributions that are signed and wrong: on the verdict, and on the claim."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from fakenet import Net
from mastaba.core.games import GAMES
from mastaba.core.plain import encode
from mastaba.net.log import LEAVE, TRANSCRIPT, pack_file, parse, parse_signed, sign, unpack_file
from mastaba.net.verify import verify
from plain_claims import Refused
from plain_verifier import Verifier

DATA = Path(__file__).parents[1] / "data"


def changed(value, rng, pool):
    """Plain data with something else in one place of it."""
    if isinstance(value, tuple) and value and rng.random() < 0.75:
        i = rng.randrange(len(value))
        return (*value[:i], changed(value[i], rng, pool), *value[i + 1 :])
    others = [None, 0, True, b"", (), "x", (value,), rng.choice(pool)]
    if isinstance(value, bytes) and value:
        i = rng.randrange(len(value))
        point = rng.choice([bytes(32), b"\xff" * 32, bytes([1]) + bytes(31)])
        others += [value[:-1], value + b"\0", value[:i] + bytes([value[i] ^ 1 << rng.randrange(8)]) + value[i + 1 :]]
        others += [value[: i // 32 * 32] + point + value[i // 32 * 32 + 32 :]]
    if type(value) is int:
        others += [value + 1, value - 1, -value, bool(value), 1 << 40, str(value)]
    if type(value) is bool:
        others += [not value, int(value)]
    if isinstance(value, tuple):
        others += [value[:-1], value + value[-1:], (*value, 0), value[::-1], value * 2]
    return rng.choice(others)


def lies(said, before, keys, rng, pool):
    """The same contribution with one thing about it that is not so."""
    place = rng.choice(before)
    last = next((one for one in reversed(before) if one.seat == said.seat), said)
    good_bye = replace(last, kind=LEAVE, body=keys)
    return rng.choice(
        [
            replace(said, step=said.step + rng.choice((0, 1)), round=said.round + rng.choice((0, 1))),
            replace(said, seat=place.seat),
            replace(said, prev=place.prev),
            replace(said, state=place.state),
            replace(said, body=place.body),
            replace(said, kind=LEAVE, body=keys),
            good_bye,
            replace(good_bye, state=place.state),
            replace(good_bye, body=changed(keys, rng, pool)),
            *(replace(said, body=changed(said.body, rng, pool)) for _ in range(8)),
        ]
    )


def of_the_page(file, text):
    try:
        Verifier(file, text)
    except Refused as refused:
        return refused.claim
    return None


@pytest.mark.parametrize("name", GAMES)
def test_program_and_page_have_one_verdict_and_one_claim(name):
    rng, text, claims = random.Random(f"one verdict {name}"), (DATA / f"{name}-small.toml").read_text(), Counter()
    for seats in (2, 3):
        net = Net(seats, seed=seats, game=name, path=DATA / f"{name}-small.toml", level="random")
        net.connect()
        net.run()
        items = unpack_file(TRANSCRIPT, net.sessions[0].transcript())
        said = [parse(parse_signed(item)[0], net.match.roster) for item in items[1:]]
        pool = [part for one in said for part in one.body][:40]
        for _ in range(14):
            n = rng.randrange(1, len(said))
            own = net.owns[said[n].seat]
            keys = tuple(key.encode() for key in (own.face, own.back, own.coin))
            lie = lies(said[n], said[:n], keys, rng, pool)
            signed = sign(lie, net.signers[lie.seat])
            file = pack_file(TRANSCRIPT, [*items[: n + 1], encode((signed.data, signed.signature))])
            report = verify(file, lambda roster, net=net: net.match.table())
            claim = report.fault.claim if report.fault else None
            assert of_the_page(file, text) == claim, (said[n], lie)
            claims[claim] += 1
    assert len(claims) > 4, claims
