"""Rosters by themselves: good ones, and one with each fault.  A file holds the roster's bytes, as the first item of a transcript does."""

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any

from mastaba.core.plain import decode, encode
from mastaba.core.rules import Options
from mastaba.net.identity import Identity
from mastaba.net.roster import LABEL, Roster

from .rows import Expect, Row
from .scribe import NAMES, Scribe
from .tables import file_of

P = 2**255 - 19


def row(name: str, about: str, content: bytes, claim: str | None = None) -> Row:
    return Row(f"roster/{name}.roster", "roster", file_of("loot"), about, content, Expect(None, claim is None, None, claim))


def good() -> Iterator[Row]:
    for seats in (2, 6):
        yield row(f"good-{seats}", f"{seats} seats", Scribe(f"roster {seats}", "loot", seats).first.encode())
    yield row(
        "good-bots",
        "the program of seat 0 runs the bot of seat 1, and the bot of seat 2 is a program by itself",
        Scribe("roster bots", "loot", 3, bots={1: 0, 2: 2}).first.encode(),
    )
    scribe = Scribe("roster options", "loot", 3)
    options = Options(2, 86_400, "", False, False)
    yield row(
        "good-options",
        "seat 2 begins, the longest grace, nobody watches, no audit",
        scribe.sealed(replace(scribe.first, options=options)).encode(),
    )
    names = ("Ñandú", "金字塔", "x" * 48)
    yield row("good-names", "names in other letters, and one of 48 bytes", Scribe("roster names", "loot", 3, names=names).first.encode())


def by_hand(scribe: Scribe, options: Any = None, **fields: Any) -> bytes:
    """A roster with these fields, of whatever types, signed by all of its identities as far as they are known."""
    first = scribe.first
    values: dict[str, Any] = {
        "protocol": 1,
        "game": first.game,
        "rules": first.rules,
        "options": astuple(first.options) if options is None else options,
        "data": first.data,
        "origin": None,
        "seats": tuple(astuple(seat) for seat in first.seats),
    }
    unsigned = encode(tuple((values | fields).values()))
    return encode((unsigned, tuple(one.sign(LABEL, unsigned) for one in scribe.identities)))


def changed(scribe: Scribe, seat: int, place: int, value: Any) -> bytes:
    """A roster of which one field of a line (identity, name, match key, nonce, bot) is another."""
    lines = [list(astuple(one)) for one in scribe.first.seats]
    lines[seat][place] = value
    return by_hand(scribe, seats=tuple(map(tuple, lines)))


def small_order_signature(roster: Roster, scribe: Scribe) -> bytes:
    return encode((roster.unsigned(), ((1).to_bytes(32, "little") + roster.signatures[0][32:], *roster.signatures[1:])))


def faulty() -> Iterator[Row]:
    scribe = Scribe("faulty rosters", "loot", 3)
    first = scribe.first
    name, lines = NAMES[0], first.seats
    swapped = first.with_signatures((first.signatures[1], first.signatures[0], first.signatures[2]))
    yield row("bad-signature", "two signatures have changed places", swapped.encode(), "bad-signature")
    yield row("bad-signature-empty", "a signature is empty", first.with_signatures((b"", *first.signatures[1:])).encode(), "bad-signature")
    yield row("bad-signature-one-less", "a signature is missing", first.with_signatures(first.signatures[:2]).encode(), "bad-signature")
    yield row(
        "bad-signature-small-order",
        "R of a signature is the neutral point, of order 1",
        small_order_signature(first, scribe),
        "bad-signature",
    )
    match_key = Identity.from_secret(scribe.signers[0].secret)
    by_match_key = first.with_signatures((match_key.sign(LABEL, first.unsigned()), *first.signatures[1:]))
    yield row("bad-signature-by-the-match-key", "the match key has signed in place of the identity", by_match_key.encode(), "bad-signature")
    yield row("same-key-twice-identities", "seats 0 and 1 have one identity", changed(scribe, 1, 0, lines[0].identity), "same-key-twice")
    yield row("same-key-twice-match-keys", "seats 0 and 1 have one match key", changed(scribe, 1, 2, lines[0].signing), "same-key-twice")
    yield row("same-name-twice", "seats 0 and 1 have one name", changed(scribe, 1, 1, name), "same-name-twice")
    yield row(
        "same-name-twice-case", "two names differ in upper and lower case alone", changed(scribe, 1, 1, name.upper()), "same-name-twice"
    )
    yield row("same-name-twice-folding", "two names that are equal under full case folding: ß is ss", sharp_s(), "same-name-twice")
    for about, key in {
        "the neutral point": 1,
        "a point of order 2": P - 1,
        "a point of order 4": 0,
        "no canonical encoding: y is 2^255 - 19 + 3": P + 3,
        "the encoding of no point": 2,
    }.items():
        word = {1: "order-1", P - 1: "order-2", 0: "order-4", P + 3: "not-canonical", 2: "no-point"}[key]
        yield row(f"bad-key-{word}", f"the match key of seat 1 is {about}", changed(scribe, 1, 2, key.to_bytes(32, "little")), "bad-key")
    yield row("bad-key-identity", "the identity of seat 1 is a point of order 4", changed(scribe, 1, 0, bytes(32)), "bad-key")
    options = astuple(first.options)
    for word, about, content in (
        ("protocol", "protocol 2", by_hand(scribe, protocol=2)),
        ("rules", "a rules version that is text", by_hand(scribe, rules="1")),
        ("no-origin", "an origin that is empty text", by_hand(scribe, origin="")),
        ("data", "a data hash of 31 bytes", by_hand(scribe, data=first.data[:-1])),
        ("first", "a first seat that does not exist", by_hand(scribe, (3, *options[1:]))),
        ("grace", "a grace of 86401 seconds", by_hand(scribe, (None, 86_401, *options[2:]))),
        ("grace-boolean", "a grace that is true", by_hand(scribe, (None, True, *options[2:]))),
        ("variant", "a variant of 65 bytes", by_hand(scribe, (None, 60, "v" * 65, *options[3:]))),
        ("watch", "watch is 1 and not true", by_hand(scribe, (None, 60, "", 1, True))),
        ("options", "an option too few", by_hand(scribe, options[:4])),
        ("seven-seats", "seven seats", by_hand(scribe, seats=tuple(astuple(s) for s in (lines * 3)[:7]))),
        ("no-seats", "no seats", by_hand(scribe, seats=())),
        ("name-empty", "an empty name", changed(scribe, 1, 1, "")),
        ("name-long", "a name of 49 bytes", changed(scribe, 1, 1, "x" * 49)),
        ("name-bytes", "a name that is bytes", changed(scribe, 1, 1, b"Beto")),
        ("nonce", "a nonce of 31 bytes", changed(scribe, 1, 3, bytes(31))),
        ("bot-of-a-bot", "the bot of seat 1 is run by seat 2, which is a bot", bot_of_a_bot(scribe)),
        ("bot-of-nobody", "a bot is run by a seat that does not exist", changed(scribe, 1, 4, 3)),
        ("bot-boolean", "a bot is run by seat true", changed(scribe, 2, 4, True)),
        ("short-line", "a seat without the field for a bot", by_hand(scribe, seats=tuple(astuple(s)[:4] for s in lines))),
        ("not-shortest", "the roster's first number in two bytes", not_shortest(scribe)),
        ("signature-length", "a signature of 63 bytes", first.with_signatures((first.signatures[0][:63], *first.signatures[1:])).encode()),
        ("something-behind", "a byte behind the roster", first.encode() + b"\xc0"),
    ):
        yield row(f"bad-roster-{word}", about, content, "bad-roster")


def sharp_s() -> bytes:
    scribe = Scribe("sharp s", "loot", 2, names=("Weiß", "Beto"))
    return changed(scribe, 1, 1, "WEISS")


def bot_of_a_bot(scribe: Scribe) -> bytes:
    lines = [list(astuple(one)) for one in scribe.first.seats]
    lines[1][4], lines[2][4] = 2, 2
    return by_hand(scribe, seats=tuple(map(tuple, lines)))


def not_shortest(scribe: Scribe) -> bytes:
    unsigned, _ = decode(by_hand(scribe))
    loose = unsigned[:1] + b"\xcc\x01" + unsigned[2:]
    return encode((loose, tuple(one.sign(LABEL, loose) for one in scribe.identities)))
