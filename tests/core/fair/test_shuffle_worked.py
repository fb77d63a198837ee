"""The product's shuffle algebra over a group of five elements, against a proof worked by hand with every intermediate value."""

import dataclasses
import json
from pathlib import Path

import pytest
from mastaba.core.fair import shuffle
from plain_shuffle import Residues, recompute

WORKED = json.loads((Path(__file__).parents[2] / "vectors" / "shuffle-p11.json").read_text())
PROOF, CHECKED = WORKED["proof"], WORKED["verification"]
p, q, g, h = (WORKED["group"][name] for name in "pqgh")
GROUP = Residues(p, q, g)


class Z:
    """An integer modulo q, with the operators of the product's scalars."""

    def __init__(self, n):
        self.n = n % q

    def __add__(self, other):
        return Z(self.n + other.n)

    def __sub__(self, other):
        return Z(self.n - other.n)

    def __mul__(self, other):
        return Z(self.n * other.n)

    def __neg__(self):
        return Z(-self.n)

    def __eq__(self, other):
        return self.n == other.n

    __hash__ = None


class Residue:
    """An element of the subgroup, with the operators of the product's points."""

    def __init__(self, value):
        self.value = value % p

    def __add__(self, other):
        return Residue(GROUP.add(self.value, other.value))

    def __sub__(self, other):
        return Residue(GROUP.sub(self.value, other.value))

    def __mul__(self, s):
        return Residue(GROUP.mul(self.value, s.n))

    def __eq__(self, other):
        return self.value == other.value

    __hash__ = None


class Fixed:
    """The product's table of one point."""

    def __init__(self, point):
        self.point = point

    def mul(self, s):
        return self.point * s

    def mul_many(self, scalars):
        return [self.point * s for s in scalars]


def msm(points, scalars):
    return sum((P * s for P, s in zip(points, scalars, strict=True)), Residue(1))


def zs(values):
    return [Z(n) for n in values]


def points(values):
    return [Residue(value) for value in values]


def row(pair):
    """The vectors write (a, b) = (m pk^r, g^r); rows here are (c1, part)."""
    return (Residue(pair[1]), Residue(pair[0]))


def values(listed):
    return [P.value for P in listed]


G, H_0, H, P = Residue(g), Residue(h), points(WORKED["group"]["generators"]), Residue(WORKED["public_key"])
PERMUTATION = PROOF["permutation"]
R_PRIME = zs(PROOF["re_encryption_randomness_by_input"][j] for j in PERMUTATION)
U, U_PRIME = zs(PROOF["u"]), zs(PROOF["u_permuted"])
C, C_HAT = points(WORKED["permutation_commitment"]["commitments"]), points(WORKED["commitment_chain"]["chain"])
ROWS, OUT = [row(e) for e in PROOF["input"]], [row(e) for e in PROOF["output"]]
OMEGA = shuffle.Omega(*zs(PROOF["omega"]), zs(PROOF["omega_hat"]), zs(PROOF["omega_prime"]))
SENT = shuffle.Commitments(
    Residue(PROOF["t1"]), Residue(PROOF["t2"]), Residue(PROOF["t3"]), points(PROOF["t4"][::-1]), points(PROOF["t_hat"])
)
S = shuffle.Responses(*(Z(PROOF[f"s{i}"]) for i in (1, 2, 3, 4)), zs(PROOF["s_hat"]), zs(PROOF["s_prime"]))


@pytest.fixture(autouse=True)
def small_group(monkeypatch):
    monkeypatch.setattr(shuffle, "msm", msm)
    monkeypatch.setattr(shuffle, "Table", Fixed)
    monkeypatch.setattr(shuffle, "BASE_TABLE", Fixed(G))


def test_the_re_encryption():
    shuffled = WORKED["re_encryption"]
    randomness = zs(shuffled["randomness_by_input"][j] for j in shuffled["permutation"])
    out = shuffle.remask([row(e) for e in shuffled["input"]], [P], shuffled["permutation"], randomness)
    assert [[b.value, a.value] for a, b in out] == shuffled["output"]


def test_the_commitment_to_the_permutation():
    worked = WORKED["permutation_commitment"]
    c = shuffle.commit_permutation(Fixed(G), H, worked["permutation"], zs(worked["randomness_by_column"]))
    assert values(c) == worked["commitments"]


def test_the_commitment_chain():
    worked = WORKED["commitment_chain"]
    exponents = shuffle.chain(zs(worked["randomness"]), zs(worked["u_permuted"]))
    assert values(shuffle._double_mul(Fixed(G), Fixed(H_0), *exponents)) == worked["chain"]


def test_the_first_message():
    R, u_products = shuffle.chain(zs(WORKED["commitment_chain"]["randomness"]), U_PRIME)
    t = shuffle.commit(Fixed(G), Fixed(H_0), H, [Fixed(P)], OUT, R, u_products, OMEGA)
    assert values(t.points()) == values(SENT.points())


def test_the_responses():
    assert [U[j] for j in PERMUTATION] == U_PRIME
    r, r_hat = (
        zs(WORKED[of][name]) for of, name in (("permutation_commitment", "randomness_by_column"), ("commitment_chain", "randomness"))
    )
    s = shuffle.respond(Z(PROOF["challenge"]), OMEGA, PERMUTATION, U, r, r_hat, R_PRIME)
    assert [x.n for x in s.scalars()] == [x.n for x in S.scalars()]


def equations(t=SENT, s=S, c=C, c_hat=C_HAT, out=OUT, u=U, challenge=PROOF["challenge"]):
    """The left side of each equation of the batch, alone: all weights but one are zero."""
    n = 3 + 2 + len(ROWS)
    sides = []
    for i in range(n):
        weights = [Z(i == j) for j in range(n)]
        listed, scalars = shuffle.batch((G, H_0, H, [P]), ROWS, out, (c, c_hat, t, s), u, Z(challenge), weights)
        sides.append(msm(listed, scalars).value)
    return sides


def test_every_equation_of_the_batch_holds_alone():
    assert equations() == [1] * 8


def test_any_weights_add_up_to_the_identity():
    for seed in range(20):
        weights = [Z(pow(3, seed * (i + 1), 1009)) for i in range(8)]
        listed, scalars = shuffle.batch((G, H_0, H, [P]), ROWS, OUT, (C, C_HAT, SENT, S), U, Z(PROOF["challenge"]), weights)
        assert msm(listed, scalars).value == 1


@pytest.mark.parametrize("place", range(8))
def test_each_commitment_stands_in_its_own_equation(place):
    t = values(SENT.points())
    t[place] = t[place] * g % p
    first, second, third, *rest = points(t)
    broken = equations(t=shuffle.Commitments(first, second, third, rest[:2], rest[2:]))
    assert [side != 1 for side in broken] == [i == place for i in range(8)]


@pytest.mark.parametrize(("name", "broken"), [("s_1", [0]), ("s_2", [1]), ("s_3", [2]), ("s_4", [3, 4])], ids=lambda value: str(value))
def test_each_sum_stands_in_its_own_equations(name, broken):
    sides = equations(s=dataclasses.replace(S, **{name: getattr(S, name) + Z(1)}))
    assert [i for i, side in enumerate(sides) if side != 1] == broken


def test_the_plain_verifier_finds_every_worked_value():
    s = {f"s_{i}": PROOF[f"s{i}"] for i in (1, 2, 3, 4)} | {"s_hat": PROOF["s_hat"], "s_prime": PROOF["s_prime"]}
    rows, out = ([(b, a) for a, b in PROOF[name]] for name in ("input", "output"))
    found = recompute(GROUP, h, values(H), [P.value], rows, out, values(C), values(C_HAT), s, PROOF["u"], PROOF["challenge"])
    assert found["c_bar"] == CHECKED["c_bar"]
    assert found["u_product"] == CHECKED["u_product"]
    assert found["c_hat"] == CHECKED["c_hat"]
    assert found["c_tilde"] == CHECKED["c_tilde"]
    assert found["e_prime"] == CHECKED["e_prime"][::-1]
    assert [found[name] for name in ("t_1", "t_2", "t_3")] == [PROOF[name] for name in ("t1", "t2", "t3")]
    assert found["t_4"] == PROOF["t4"][::-1]
    assert found["t_hat"] == PROOF["t_hat"]
