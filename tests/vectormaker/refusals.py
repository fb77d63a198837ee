"""Transcripts that do not hold, one failure each, and transcripts that a program without that game or table does not check."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mastaba.core.plain import decode, encode
from mastaba.core.rules import Options
from mastaba.net import log
from mastaba.net.log import MAX_VOID, TRANSCRIPT, Signed, pack_file

from .accusations import flip, flipped
from .rows import REFUSED, Expect, Row, false
from .scribe import Scribe, item
from .tables import file_of
from .transcripts import begun, void, whole


def row(name: str, about: str, content: bytes, expect: Expect, game: str = "loot") -> Row:
    return Row(f"transcript/{name}.mastaba", "transcript", file_of(game), about, content, expect)


def pack(items: list[bytes]) -> bytes:
    return pack_file(TRANSCRIPT, items)


def resigned(scribe: Scribe, at: int, **changes: Any) -> Signed:
    """The contribution in this place of the file, changed and signed again."""
    data, _ = decode(scribe.items[at])
    said = log.parse(data, scribe.roster)
    return log.sign(replace(said, **changes), scribe.signers[said.seat])


def slot(scribe: Scribe, at: int) -> tuple[int, int, int]:
    said = log.parse(decode(scribe.items[at])[0], scribe.roster)
    return said.step, said.round, said.seat


def files() -> Iterator[Row]:
    """What is wrong with the file itself."""
    scribe = whole("refused", "loot", 2)
    items, good = scribe.items, scribe.file()
    yield row("unknown-file", "another version in the first line", good.replace(b"transcript 1", b"transcript 2", 1), false("unknown-file"))
    yield row("empty", "the first line alone", TRANSCRIPT, false("empty"))
    yield row("cut-off", "the last byte is missing", good[:-1], false("cut-off"))
    yield row("cut-off-in-a-length", "it ends within the length of an item", good + b"\0\0", false("cut-off"))
    yield row("bad-item", "the fourth contribution is no array", pack([*items[:4], b"\x01"]), false("bad-item", 0, 1))
    long = pack(items[:4]) + (98561).to_bytes(4, "big") + bytes(98561)
    yield row("bad-item-too-long", "an item of 98561 bytes", long, false("bad-item"))
    data, signature = decode(items[1])
    loose = b"\x92\xc5" + len(data).to_bytes(2, "big") + data + b"\xc4\x40" + signature
    shaped = loose if len(data) < 256 else b"\x92\xc6" + len(data).to_bytes(4, "big") + data + b"\xc4\x40" + signature
    yield row("bad-item-not-shortest", "a length in more bytes than it needs", pack([items[0], shaped]), false("bad-item", 0, 0))
    seat_9 = resigned(scribe, 1)
    wrong = seat_9.data.replace(b"\x00\x00\x00" + b"\xc4\x20", b"\x00\x00\x09" + b"\xc4\x20", 1)
    unseated = encode((wrong, scribe.signers[0].sign(log.LABEL, wrong)))
    yield row("bad-item-no-such-seat", "a contribution of seat 9", pack([items[0], unseated]), false("bad-item", 0, 0))
    yield row(
        "bad-signature",
        "one bit of a contribution's signature is changed",
        pack([*items[:5], encode((decode(items[5])[0], flip(decode(items[5])[1])))]),
        false("bad-signature", *slot(scribe, 5)),
    )
    by_another = encode((decode(items[5])[0], scribe.signers[1 - slot(scribe, 5)[2]].sign(log.LABEL, decode(items[5])[0])))
    yield row(
        "bad-signature-by-another-seat",
        "another seat has signed it",
        pack([*items[:5], by_another]),
        false("bad-signature", *slot(scribe, 5)),
    )
    small = encode((decode(items[5])[0], (1).to_bytes(32, "little") + decode(items[5])[1][32:]))
    yield row(
        "bad-signature-small-order",
        "R is the neutral point, of order 1",
        pack([*items[:5], small]),
        false("bad-signature", *slot(scribe, 5)),
    )
    yield row(
        "another-match",
        "the first contribution names another match",
        pack([items[0], item(resigned(scribe, 1, match=bytes(32)))]),
        false("another-match", 0, 0),
    )
    yield row(
        "out-of-order-swapped",
        "two contributions of one round change places",
        pack([items[0], items[2], items[1]]),
        false("out-of-order", *slot(scribe, 1)),
    )
    at = next(i for i in range(3, len(items)) if slot(scribe, i)[0] == 3)
    yield row(
        "out-of-order-missing",
        "a contribution in the middle is missing",
        pack([*items[:at], *items[at + 1 :]]),
        false("out-of-order", *slot(scribe, at + 2))
        if slot(scribe, at + 1)[:2] == slot(scribe, at)[:2]
        else false("out-of-order", *slot(scribe, at + 1)),
    )
    yield row(
        "out-of-order-twice", "a contribution stands twice", pack([*items[: at + 1], *items[at:]]), false("out-of-order", *slot(scribe, at))
    )
    behind = resigned(scribe, len(items) - 1, step=slot(scribe, len(items) - 1)[0] + 1)
    yield row(
        "out-of-order-behind-the-end",
        "a contribution behind the last signature of the result",
        pack([*items, item(behind)]),
        false("out-of-order", *behind.slot),
    )
    yield row(
        "bad-digest",
        "a contribution names another digest",
        pack([*items[:5], item(resigned(scribe, 5, prev=bytes(32)))]),
        false("bad-digest", *slot(scribe, 5)),
    )
    yield row(
        "bad-state",
        "a contribution names another public state: nobody is named",
        pack([*items[:5], item(resigned(scribe, 5, state=bytes(8)))]),
        false("bad-state", *slot(scribe, 5)[:2]),
    )


def lies() -> Iterator[Row]:
    """What a seat has signed."""
    for name, forger in {
        "bad-keys": flipped("KeyProof"),
        "bad-share": flipped("Shares"),
        "bad-coin": flipped("Coin"),
        "illegal-move": lambda scribe, seat, body: (("fly",),) if scribe.kind == "Move" else None,
        "bad-outcome": lambda scribe, seat, body: (*body[:2], "so") if scribe.kind == "SignOff" else None,
        "bad-body": lambda scribe, seat, body: (*body, 1) if scribe.kind == "Shares" else None,
    }.items():
        game = "scarabya" if name == "bad-outcome" else "loot"
        scribe = Scribe(f"refused {name}", game, 3)
        case = scribe.find(forger)
        assert case is not None
        bad = scribe.signed(*case)
        yield row(
            name,
            f"a contribution that is {name}; as evidence it would prove so",
            pack([*scribe.items, item(bad)]),
            false(name, *bad.slot),
            game,
        )
    scribe = begun("refused good-byes", "loot", 3)
    seat = scribe.table.missing[0]
    table = scribe.replays[seat].table
    keys = tuple(x.encode() for x in (table.own.face, table.own.coin, table.own.back))
    place = scribe.replay.filled[seat].place
    bad = scribe.bye(seat, keys)
    yield row(
        "bad-leave", "a good-bye with keys that are not its seat's", pack([*scribe.items, item(bad)]), false("bad-leave", *place, seat)
    )
    bad = scribe.bye(seat, state=bytes(8))
    yield row(
        "bad-leave-state",
        "a good-bye with another state than its seat's own answer there",
        pack([*scribe.items, item(bad)]),
        false("bad-leave", *place, None),
    )
    other = next(one for one in range(3) if one not in scribe.table.missing)
    bad = scribe.bye(other)
    about = "a good-bye that does not stand at the first slot that it fills"
    yield row("out-of-order-good-bye", about, pack([*scribe.items, item(bad)]), false("out-of-order", *bad.slot))
    scribe.leave(seat)
    scribe.play(lambda: scribe.table.step > 12)
    again = scribe.signed(seat, (("run",),))
    about = "a seat answers after its good-bye, and nothing is owed by it there"
    yield row("nothing-owed-after-good-bye", about, pack([*scribe.items, item(again)]), false("nothing-owed", *again.slot))


# -- rosters in a transcript --------------------------------------------------------------------------------------------


def unchecked() -> Iterator[Row]:
    """What is no fault of the file: a program without that game, these rules or that table does not check it."""
    scribe = Scribe("not checked", "loot", 2)
    first = scribe.first
    for name, changes, about in (
        ("unknown-game", {"game": "senet"}, "a game that does not exist"),
        ("other-rules", {"rules": first.rules + 1}, "another version of the rules"),
        ("other-data", {"data": bytes(32)}, "another component table"),
        ("bad-table-variant", {"options": Options(None, 60, "wide")}, "a variant that the game does not have"),
    ):
        roster = scribe.sealed(replace(first, **changes))
        yield row(f"refused-{name}", refusal(name.removesuffix("-variant"), about), pack([roster.encode()]), REFUSED)
    crypt = Scribe("not checked at The Crypt", "crypt", 2).first
    scribe = Scribe("five at The Crypt", "loot", 5)
    roster = scribe.sealed(replace(scribe.first, game="crypt", rules=crypt.rules, data=crypt.data))
    yield row("refused-bad-table-seats", refusal("bad-table", "The Crypt with five seats"), pack([roster.encode()]), REFUSED, "crypt")


def refusal(name: str, about: str) -> str:
    return f"{about}: the program refuses to check it ({name})"


# -- void items -----------------------------------------------------------------------------------------------------------


def voids() -> Iterator[Row]:
    scribe = begun("bad void", "scarabya", 4, 4)
    first, signer = scribe.first.match, scribe.signers[2]
    scribe.without(2)
    cut = scribe.roster.come_from.step
    scribe.play()
    assert scribe.table.done
    good = void(scribe, 2, signer, first, cut + 1)

    def tail(*late: Signed) -> bytes:
        return scribe.file(late)

    at = void(scribe, 2, signer, first, cut).slot
    yield row(
        "bad-void-signature",
        "a void item that another seat has signed",
        tail(void(scribe, 2, scribe.signers[0], first, cut + 1)),
        false("bad-void"),
        "scarabya",
    )
    yield row(
        "bad-void-another-match",
        "a void item of no match of the file",
        tail(void(scribe, 2, signer, bytes(32), cut + 1)),
        false("bad-void"),
        "scarabya",
    )
    yield row(
        "bad-void-counts",
        "a void item of a step that counts",
        tail(void(scribe, 2, signer, first, cut)),
        false("bad-void", *at),
        "scarabya",
    )
    yield row("bad-void-twice", "a void item stands twice", tail(good, good), false("bad-void"), "scarabya")
    many = [void(scribe, 2, signer, first, cut + 1 + n) for n in range(MAX_VOID + 1)]
    yield row("bad-void-too-many", f"{MAX_VOID + 1} void items", tail(*many), false("bad-void"), "scarabya")
    yield row(
        "out-of-order-behind-void",
        "a contribution behind a void item",
        tail(good) + pack_file(b"", scribe.items[-1:]),
        false("out-of-order", *last_slot(scribe)),
        "scarabya",
    )
    half = begun("void in a game", "scarabya", 3, 4)
    late = void(half, 1, half.signers[1], half.first.match, half.table.step + 5)
    yield row(
        "bad-void-before-the-end", "a void item of a match that is not over", half.file([late]), false("bad-void", *late.slot), "scarabya"
    )


def last_slot(scribe: Scribe) -> tuple[int, int, int]:
    return slot(scribe, len(scribe.items) - 1)
