"""What the verifiers written from docs/protocol.md (`plain_*.py`) say of proofs and values as JSON; nothing is the product's."""

from collections.abc import Callable
from typing import Any

import msgpack
import plain_hidden
import plain_match
import plain_shuffle
from plain_proofs import place, verify

Inputs = dict[str, Any]
PROOFS: dict[str, Callable[[Inputs], bool]] = {}
G = plain_hidden.G


def proof(name: str) -> Callable[[Callable[[Inputs], Any]], None]:
    def keep(check: Callable[[Inputs], Any]) -> None:
        def verdict(inputs: Inputs) -> bool:
            try:
                return bool(check(inputs))
            except (AssertionError, ValueError, RuntimeError):  # what is no point is no proof
                return False

        PROOFS[name] = verdict

    return keep


raw = bytes.fromhex


def points(texts: list[str]) -> tuple[bytes, ...]:
    return tuple(map(raw, texts))


def where(told: Inputs) -> tuple[Any, ...]:
    return raw(told["match"]), told["step"], told["round"], told["seat"]


@proof("keys")
def _(x: Inputs) -> Any:
    found = plain_match.keys(where(x["context"]), raw(x["keys"]), raw(x["commitment"]))
    return found and len({*found, bytes(32)}) == 5


@proof("key commitment")
def _(x: Inputs) -> Any:
    place_ = raw(x["match"]), None, None, x["seat"]
    return plain_match.key_commitment(place_, raw(x["public"]), raw(x["salt"])) == raw(x["commitment"])


@proof("printed point")
def _(x: Inputs) -> Any:
    return plain_match.printed(raw(x["data"]), x["game"], x["part"], raw(x["value"])) == raw(x["point"])


@proof("share")
def _(x: Inputs) -> Any:
    return plain_match.share(where(x["context"]), x["card"], x["part"], points(x["row"]), raw(x["X"]), raw(x["share"]))


@proof("seal")
def _(x: Inputs) -> Any:
    about = where(x["context"]), x["card"], x["part"], x["reader"], points(x["row"]), raw(x["X"]), raw(x["S"])
    found = plain_match.seal(*about, raw(x["seal"]))
    return found and found[0] != bytes(32)


@proof("opening")
def _(x: Inputs) -> Any:
    about = where(x["context"]), x["card"], x["part"], points(x["row"]), raw(x["F"]), raw(x["X"]), raw(x["S"])
    return plain_match.opening(*about, [points(pair) for pair in x["seals"]], points(x["shares"]), raw(x["opening"]))


@proof("coin share")
def _(x: Inputs) -> Any:
    return plain_match.coin_share(where(x["context"]), raw(x["digest"]), raw(x["X"]), raw(x["share"]))


@proof("coin values")
def _(x: Inputs) -> Any:
    return plain_match.coin_values(raw(x["match"]), x["step"], x["round"], points(x["shares"]), x["n"], x["sides"]) == x["values"]


@proof("shuffle")
def _(x: Inputs) -> Any:
    rows, out = ([points(row) for row in x[key]] for key in ("rows", "out"))
    return plain_shuffle.verify(where(x["context"]), rows, out, points(x["P"]), raw(x["shuffle"]))


@proof("choice")
def _(x: Inputs) -> Any:
    move = msgpack.unpackb(raw(x["move"]))
    return plain_match.choice((raw(x["match"]), x["step"], None, x["seat"]), (move, raw(x["salt"]))) == raw(x["commitment"])


@proof("team secret")
def _(x: Inputs) -> Any:
    good, T, seals = plain_hidden.secret(where(x["context"]), x["name"], {seat: raw(S) for seat, S in x["readers"]}, raw(x["secret"]))
    return good and bytes(32) not in (T, *(E for E, _ in seals.values()))


@proof("team seal")
def _(x: Inputs) -> Any:
    t = opened(x)
    return plain_hidden.group.mul_G(t) == raw(x["T"]) and t == int.from_bytes(raw(x["t"]), "little")


def opened(x: Inputs) -> int:
    s = int.from_bytes(raw(x["s"]), "little")
    return plain_hidden.opened(where(x["context"]), x["name"], raw(x["T"]), x["reader"], (raw(x["E"]), raw(x["u"])), s)


@proof("complaint")
def _(x: Inputs) -> Any:
    """Section 9.2: K || proof, and the maker's mask from K."""
    data, T, E, u = raw(x["complaint"]), raw(x["T"]), raw(x["E"]), raw(x["u"])
    t = place("team complaint", *where(x["context"]))
    t.add(b"p", "E", E)
    t.add(b"s", "u", u)
    if not verify(t, [(raw(x["S"]), [(G, 0)]), (data[:32], [(E, 0)])], data[32:]):
        return False
    t = place("team seal", *where(x["maker"]))
    t.add(b"b", "name", x["name"].encode())
    t.add(b"p", "T", T)
    t.number("reader", x["context"]["seat"])
    t.add(b"p", "E", E)
    t.add(b"p", "K", data[:32])
    secret = (int.from_bytes(u, "little") - plain_hidden.drawn(t, "mask")) % plain_hidden.ORDER
    return plain_hidden.group.mul_G(secret) != T


@proof("renewal")
def _(x: Inputs) -> Any:
    return plain_hidden.renewed(where(x["context"]), x["name"], raw(x["old"]), raw(x["T"]), points(x["C"]), raw(x["renewal"]))


@proof("die point")
def _(x: Inputs) -> Any:
    return plain_hidden.die_point(raw(x["match"]), x["step"], x["round"], raw(x["R"]), raw(x["T"]), x["i"]) == raw(x["H"])


@proof("die")
def _(x: Inputs) -> Any:
    return plain_hidden.shown_die(where(x["context"]), x["handle"], raw(x["T"]), raw(x["H"]), x["faces"], raw(x["die"])) == x["face"]


@proof("statement")
def _(x: Inputs) -> Any:
    rows = [[(tuple(names), list(map(tuple, table))) for names, table in x[key]] for key in ("all_of", "one_of")]
    ciphers = {name: points(C) for name, C in x["ciphers"].items()}
    return plain_hidden.statement(where(x["context"]), x["name"], raw(x["T"]), *rows, x["apart"], ciphers, raw(x["statement"]))


@proof("question")
def _(x: Inputs) -> Any:
    return plain_hidden.answer(where(x["context"]), x["name"], raw(x["T"]), points(x["C"]), x["inside"], x["yes"], raw(x["answer"]))


@proof("one out of many")
def _(x: Inputs) -> Any:
    entries = [int.from_bytes(raw(entry), "little") for entry in x["entries"]]
    t = place(x["label"], *where(x["context"]))
    return plain_hidden.member(t, raw(x["T"]), points(x["M"]), entries, raw(x["member"]))
