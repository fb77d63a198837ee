"""The product's verdict on what the vectors hold: proofs and values as JSON, rosters, component tables."""

import tomllib
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from mastaba.core.claims import Claim
from mastaba.core.fair import coin, deck, hidden, keys, member, shuffle, team
from mastaba.core.fair.choice_rounds import ChoiceCommitment
from mastaba.core.fair.group import IDENTITY, Point, Scalar, ScalarList
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from mastaba.core.games import GAMES, data_hash
from mastaba.core.plain import BadEncoding, decode, encode
from mastaba.core.rules import Statement
from mastaba.net.roster import Roster

Inputs = dict[str, Any]
PROOFS: dict[str, Callable[[Inputs], bool]] = {}


def proof(name: str) -> Callable[[Callable[[Inputs], bool | None]], None]:
    """The function returns False for another value, and raises for a bad proof."""

    def keep(check: Callable[[Inputs], bool | None]) -> None:
        def verdict(inputs: Inputs) -> bool:
            try:
                return check(inputs) is not False
            except (BadProof, ValueError):
                return False

        PROOFS[name] = verdict

    return keep


raw = bytes.fromhex


def point(text: str) -> Point:
    return Point.decode(raw(text))


def points(texts: list[str]) -> tuple[Point, ...]:
    return tuple(map(point, texts))


def context(told: Inputs) -> Context:
    return Context(raw(told["match"]), told["step"], told["round"], told["seat"])


@proof("keys")
def _(x: Inputs) -> None:
    keys.check_keys(context(x["context"]), raw(x["keys"]), raw(x["commitment"]), ())


@proof("key commitment")
def _(x: Inputs) -> bool:
    return keys._commit(raw(x["match"]), x["seat"], raw(x["public"]), raw(x["salt"])) == raw(x["commitment"])


@proof("printed point")
def _(x: Inputs) -> bool:
    return deck.printed_point(raw(x["data"]), x["game"], x["part"], raw(x["value"])) == point(x["point"])


@proof("share")
def _(x: Inputs) -> None:
    deck.check_share(context(x["context"]), x["card"], x["part"], points(x["row"]), point(x["X"]), raw(x["share"]))


@proof("seal")
def _(x: Inputs) -> None:
    deck.check_seal(
        context(x["context"]), x["card"], x["part"], x["reader"], points(x["row"]), point(x["X"]), point(x["S"]), raw(x["seal"])
    )


@proof("opening")
def _(x: Inputs) -> None:
    seals, public = [deck.Seal(*points(pair)) for pair in x["seals"]], (point(x["X"]), point(x["S"]))
    where = context(x["context"]), x["card"], x["part"], points(x["row"])
    deck.check_opening(*where, point(x["F"]), public, seals, points(x["shares"]), raw(x["opening"]))


@proof("coin share")
def _(x: Inputs) -> None:
    where = context(x["context"])
    H = coin.coin_point(where.match, where.step, where.round, raw(x["digest"]))
    coin.check_coin_share(where, H, point(x["X"]), raw(x["share"]))


@proof("coin values")
def _(x: Inputs) -> bool:
    total = sum(points(x["shares"]), IDENTITY)
    return coin.values(total, raw(x["match"]), x["step"], x["round"], x["n"], x["sides"]) == tuple(x["values"])


@proof("shuffle")
def _(x: Inputs) -> None:
    parts = 1 + len(x["P"])
    out = [deck.decode_row(b"".join(map(raw, row)), parts) for row in x["out"]]
    shuffle.verify(context(x["context"]), [points(row) for row in x["rows"]], out, points(x["P"]), raw(x["shuffle"]))


@proof("choice")
def _(x: Inputs) -> bool:
    place: Any = SimpleNamespace(match=raw(x["match"]), step=x["step"])
    return ChoiceCommitment.commitment(place, x["seat"], decode(raw(x["move"])), raw(x["salt"])) == raw(x["commitment"])


@proof("team secret")
def _(x: Inputs) -> None:
    team.check_secret(context(x["context"]), x["name"], {seat: point(S) for seat, S in x["readers"]}, raw(x["secret"]))


@proof("team seal")
def _(x: Inputs) -> bool:
    seal = team.Seal(point(x["E"]), Scalar.decode(raw(x["u"])))
    t = team.open_seal(context(x["context"]), x["name"], point(x["T"]), x["reader"], seal, Scalar.decode(raw(x["s"])))
    return t.encode() == raw(x["t"])


@proof("complaint")
def _(x: Inputs) -> None:
    seal = team.Seal(point(x["E"]), Scalar.decode(raw(x["u"])))
    team.check_complaint(context(x["context"]), context(x["maker"]), x["name"], point(x["T"]), seal, point(x["S"]), raw(x["complaint"]))


@proof("renewal")
def _(x: Inputs) -> None:
    C: Any = points(x["C"])
    team.check_renewal(context(x["context"]), x["name"], point(x["old"]), point(x["T"]), C, raw(x["renewal"]))


@proof("die point")
def _(x: Inputs) -> bool:
    return team.die_point(raw(x["match"]), x["step"], x["round"], point(x["R"]), point(x["T"]), x["i"]) == point(x["H"])


@proof("die")
def _(x: Inputs) -> bool:
    die = team.Die(point(x["T"]), point(x["H"]), tuple(x["faces"]))
    return bool(team.check_die(context(x["context"]), x["handle"], die, raw(x["die"])) == x["face"])


@proof("statement")
def _(x: Inputs) -> None:
    rows = [tuple((tuple(names), frozenset(map(tuple, table))) for names, table in x[key]) for key in ("all_of", "one_of")]
    claim = Statement(rows[0], rows[1], tuple(x["apart"]))
    ciphers: Any = {name: points(C) for name, C in x["ciphers"].items()}
    hidden.check(context(x["context"]), x["name"], point(x["T"]), claim, ciphers, raw(x["statement"]))


@proof("question")
def _(x: Inputs) -> None:
    C: Any = points(x["C"])
    hidden.check_answer(context(x["context"]), x["name"], point(x["T"]), C, x["inside"], x["yes"], raw(x["answer"]))


@proof("one out of many")
def _(x: Inputs) -> None:
    scalars = [Scalar.decode(raw(entry)) for entry in x["entries"]]
    entries = ScalarList(b"".join(i.to_bytes(2, "little") for i in range(len(scalars))), [scalars])
    M: Any = points(x["M"])
    member.verify(context(x["context"]).transcript(x["label"]), point(x["T"]), M, entries, raw(x["member"]))


def roster_fault(data: bytes) -> str | None:
    """A claim, or None."""
    try:
        return Roster.decode(data).fault()
    except BadEncoding:
        return Claim.BAD_ROSTER


def table_hash(game: str, toml: str) -> tuple[bytes, bytes]:
    """A component table as plain data, encoded, and its hash."""
    data = GAMES[game].load(tomllib.loads(toml))
    return encode(data.plain), data_hash(data)
