"""A team's secret: sealed, complained about, renewed; and dice that are a function of it."""

from collections import Counter

import pytest
from fairtable import seeded
from mastaba.core.fair import team
from mastaba.core.fair.group import BASE_TABLE, Point, Scalar
from mastaba.core.fair.hidden import hide, uncover
from mastaba.core.fair.keys import Secrets
from mastaba.core.fair.proofs import BadProof, prove
from mastaba.core.fair.transcript import Context

MATCH = bytes(32)
MAKER = Context(MATCH, 3, 0, 0)
RNG = seeded("team")
KEYS = {seat: Secrets.generate(RNG) for seat in (0, 1, 2)}
READERS = {seat: KEYS[seat].public.seal for seat in (1, 2)}


def member_at(seat):
    return Context(MATCH, 3, 1, seat)


def made(readers=READERS):
    body, t = team.make_secret(MAKER, "hunters", readers, seeded("make"))
    T, seals = team.check_secret(MAKER, "hunters", readers, body)
    return body, t, T, seals


def wrong(body_for, shift=1):
    """A body whose seal for that reader holds something else than t, with a proof that holds."""
    rng = seeded("wrong")
    t, e = Scalar.reduce(rng(64)), {seat: Scalar.reduce(rng(64)) for seat in READERS}
    T = BASE_TABLE.mul(t)
    seals = []
    for seat, e_i in e.items():
        E = BASE_TABLE.mul(e_i)
        u = t + team._mask(MAKER, "hunters", T, seat, E, READERS[seat] * e_i)
        seals.append(team.Seal(E, u + Scalar.of(shift if seat == body_for else 0)))
    proof = prove(team._making(MAKER, "hunters", READERS, T, seals), team._secret(T, seals), [t, *e.values()], rng)
    return T.encode() + b"".join(s.E.encode() + s.u.encode() for s in seals) + proof


def test_every_member_opens_the_secret_and_nobody_else_does():
    _, t, T, seals = made()
    assert BASE_TABLE.mul(t) == T
    for seat in READERS:
        assert team.open_seal(MAKER, "hunters", T, seat, seals[seat], KEYS[seat].seal) == t
    assert team.open_seal(MAKER, "hunters", T, 1, seals[1], KEYS[2].seal) != t


def test_a_team_of_one_seals_nothing():
    body, t, T, seals = made({})
    assert (len(body), seals) == (32 + 64, {})
    assert BASE_TABLE.mul(t) == T


def test_no_item_of_the_makers_body_can_be_changed():
    body, *_ = made()
    for at in range(0, len(body), 32):
        for forged in (body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :], body[:at] + bytes(32) + body[at + 32 :]):
            with pytest.raises(BadProof):
                team.check_secret(MAKER, "hunters", READERS, forged)
    for other in (Context(MATCH, 4, 0, 0), Context(MATCH, 3, 0, 1), Context(bytes([1]) * 32, 3, 0, 0)):
        with pytest.raises(BadProof):
            team.check_secret(other, "hunters", READERS, body)
    for readers, name in ((READERS, "mummies"), ({1: READERS[1]}, "hunters"), ({1: READERS[2], 2: READERS[1]}, "hunters")):
        with pytest.raises(BadProof):
            team.check_secret(MAKER, name, readers, body)


@pytest.mark.parametrize("zero", [0, 1, 2], ids=["the secret", "a seal", "another seal"])
def test_a_secret_or_a_seal_of_zero_that_would_hide_nothing_is_refused(zero):
    """With the best proof: T = 0 leaves every value in the open, and E = 0 the secret."""
    t, *e = (Scalar.of(0 if i == zero else 5 + i) for i in range(3))
    T, seals = BASE_TABLE.mul(t), []
    for (seat, S), e_i in zip(READERS.items(), e, strict=True):
        E = BASE_TABLE.mul(e_i)
        seals.append(team.Seal(E, t + team._mask(MAKER, "hunters", T, seat, E, S * e_i)))
    proof = prove(team._making(MAKER, "hunters", READERS, T, seals), team._secret(T, seals), [t, *e], RNG)
    body = T.encode() + b"".join(s.E.encode() + s.u.encode() for s in seals) + proof
    with pytest.raises(BadProof, match="the identity"):
        team.check_secret(MAKER, "hunters", READERS, body)


def test_a_wrong_secret_is_shown_by_a_complaint():
    T, seals = team.check_secret(MAKER, "hunters", READERS, wrong(2))
    assert BASE_TABLE.mul(team.open_seal(MAKER, "hunters", T, 1, seals[1], KEYS[1].seal)) == T
    assert BASE_TABLE.mul(team.open_seal(MAKER, "hunters", T, 2, seals[2], KEYS[2].seal)) != T
    complaint = team.make_complaint(member_at(2), seals[2], READERS[2], KEYS[2].seal, RNG)
    team.check_complaint(member_at(2), MAKER, "hunters", T, seals[2], READERS[2], complaint)


def test_who_complains_of_a_right_secret_is_found_out():
    _, _, T, seals = made()
    complaint = team.make_complaint(member_at(1), seals[1], READERS[1], KEYS[1].seal, RNG)
    with pytest.raises(BadProof, match="right"):
        team.check_complaint(member_at(1), MAKER, "hunters", T, seals[1], READERS[1], complaint)


def test_a_complaint_must_show_the_point_that_its_seat_shares_with_the_maker():
    T, seals = team.check_secret(MAKER, "hunters", READERS, wrong(2))
    complaint = team.make_complaint(member_at(2), seals[2], READERS[2], KEYS[2].seal, RNG)
    forged = [complaint[:at] + bytes([complaint[at] ^ 1]) + complaint[at + 1 :] for at in (0, 32, 64)]
    for data in (*forged, complaint[:-1], complaint + b"\0", b"\xff" * 96):
        with pytest.raises(BadProof):
            team.check_complaint(member_at(2), MAKER, "hunters", T, seals[2], READERS[2], data)
    other = team.make_complaint(member_at(2), seals[1], READERS[1], KEYS[2].seal, RNG)  # of a seal that is not his
    with pytest.raises(BadProof):
        team.check_complaint(member_at(2), MAKER, "hunters", T, seals[2], READERS[2], other)


def test_a_complaint_made_with_another_key_than_ones_own_frames_no_maker():
    """It shows another point, under which what was sealed rightly looks wrong."""
    _, t, T, seals = made()
    complaint = team.make_complaint(member_at(1), seals[1], READERS[1], KEYS[2].seal, RNG)
    assert team.open_seal(MAKER, "hunters", T, 1, seals[1], KEYS[2].seal) != t
    with pytest.raises(BadProof, match="bad-proof"):
        team.check_complaint(member_at(1), MAKER, "hunters", T, seals[1], READERS[1], complaint)


def test_a_renewed_value_is_the_same_under_the_new_key():
    _, t, T, _ = made()
    new = Scalar.reduce(RNG(64))
    T_new, C = BASE_TABLE.mul(new), hide(T, 41, Scalar.reduce(RNG(64)))
    context = Context(MATCH, 3, 2, 1)
    body = team.make_renewal(context, "h1", T, T_new, t, C, RNG)
    D = team.check_renewal(context, "h1", T, T_new, C, body)
    assert uncover(new, D, range(100)) == 41
    for at in range(0, len(body), 32):
        with pytest.raises(BadProof):
            team.check_renewal(context, "h1", T, T_new, C, body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
    for args in ((context, "h2", T, T_new, C), (context, "h1", T_new, T, C), (context, "h1", T, T_new, hide(T, 42, new))):
        with pytest.raises(BadProof):
            team.check_renewal(*args, body)


def test_another_value_cannot_be_passed_off_as_renewed():
    _, t, T, _ = made()
    new, context = Scalar.reduce(RNG(64)), Context(MATCH, 3, 2, 1)
    T_new = BASE_TABLE.mul(new)
    C, other = (hide(T, v, Scalar.reduce(RNG(64))) for v in (41, 42))
    body = team.make_renewal(context, "h1", T, T_new, t, other, RNG)
    with pytest.raises(BadProof):
        team.check_renewal(context, "h1", T, T_new, C, body)


R = Point.hash(bytes(64))
FACES = (1, 2, 3, 4, 5)


def die(i, step=9):
    t = Scalar.of(12345)
    T = BASE_TABLE.mul(t)
    return t, team.Die(T, team.die_point(MATCH, step, 0, R, T, i), FACES)


def test_a_die_shows_what_was_rolled_and_nothing_else():
    context = Context(MATCH, 10, 1, 2)
    t, one = die(0)
    body = team.make_die(context, 30, one, t, RNG)
    assert team.check_die(context, 30, one, body) == team.die_face(one, one.H * t)
    for at in (0, 32, 64):
        with pytest.raises(BadProof):
            team.check_die(context, 30, one, body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :])
    _, neighbour = die(1)
    _, earlier = die(0, step=8)
    for place, handle, other in ((context, 30, neighbour), (context, 30, earlier), (context, 31, one), (Context(MATCH, 11, 1, 2), 30, one)):
        with pytest.raises(BadProof):
            team.check_die(place, handle, other, body)


def test_dice_fall_evenly_and_each_by_itself():
    counted = Counter()
    for i in range(2000):
        t, one = die(i)
        counted[team.die_face(one, one.H * t)] += 1
    assert set(counted) == set(FACES)
    assert sum((n - 400) ** 2 / 400 for n in counted.values()) < 18.5  # chi-square, 4 degrees of freedom: one in a thousand; a fixed seed
