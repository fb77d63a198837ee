"""The Crypt as a picture: the treasures of the round with the dice on them, and what each player has."""

from ...core.games.crypt_data import TYPES
from ...core.view import Snapshot
from ..show import status
from ..show.crypt import goal, title
from ..show.crypt_words import crypt, times, type_code, type_word
from ..text import _
from .svg import INK, SAND, SEATS, box, picture, tag, words

TYPE_COLOURS = dict(zip(TYPES, ("#8c6d1f", "#7a3f99", "#a8641f", "#b3413a", "#4a4a4a", "#1f5fa8"), strict=True))
CARD, TALL, GAP, WIDTH = 116, 120, 10, 1010
ROW, NAME, COLUMN = 92, 210, 132


def draw(snapshot: Snapshot) -> str:
    """The row of treasures above, a line for each player below."""
    rules = crypt(snapshot)
    leader = _("Leader: {who}").format(who=status.player(snapshot, rules.leader)) if rules.leader is not None else ""
    parts = [words(10, 22, f"{title()} · {goal(snapshot)} · {leader}".rstrip(" ·"), 18, font_weight="bold")]
    parts += [_place(snapshot, place, 10 + place * (CARD + GAP)) for place in range(len(rules.row))]
    top = 50.0 + TALL + 24
    parts += [words(NAME + i * COLUMN, top, f"{type_word(kind)} {rules.side(kind).upper()}", 13) for i, kind in enumerate(TYPES)]
    parts += [_player(snapshot, seat, top + 10 + seat * (ROW + 8)) for seat in range(rules.seats)]
    return picture(max(WIDTH, len(rules.row) * (CARD + GAP) + 20), top + 16 + rules.seats * (ROW + 8), title(), *parts)


def _place(snapshot: Snapshot, place: int, x: float) -> str:
    """A treasure with its number, type, value if it is known, and the dice that hold it."""
    rules = crypt(snapshot)
    card, held = rules.row[place], rules.held.get(place)
    if card is None:
        return box(x, 40, CARD, TALL, "none", stroke="#bbb", stroke_dasharray="5 4", rx=6) + words(x + 8, 58, str(place + 1), 13)
    kind, value = snapshot.view.knows(card, "back"), snapshot.view.knows(card)
    out = box(x, 40, CARD, TALL, TYPE_COLOURS.get(kind, "#999"), stroke=INK, rx=6)
    out += words(x + 8, 58, str(place + 1), 13, fill="#fff") + words(x + CARD / 2, 96, _value(value), 30, fill="#fff", text_anchor="middle")
    out += words(x + CARD / 2, 118, type_word(kind) if kind else "", 13, fill="#fff", text_anchor="middle")
    if held is not None:
        owner, effort, dice = held
        out += "".join(_die(x + 8 + 26 * i, 128, str(effort), SEATS[owner]) for i in range(min(dice, 4)))
    return out


def _die(x: float, y: float, text: str, colour: str) -> str:
    return box(x, y, 22, 22, colour, rx=4, stroke="#fff") + words(x + 11, y + 16, text, 14, fill="#fff", text_anchor="middle")


def _player(snapshot: Snapshot, seat: int, y: float) -> str:
    rules = crypt(snapshot)
    turn = rules.turn == seat and not rules.over
    least, most = (rules.totals[seat],) * 2 if rules.totals else rules.bounds(lambda key: rules.seen(*key))[seat]
    points = str(least) if least == most else f"{least}-{most}"
    dice = "".join(_die(16 + 26 * i, y + 58, "", SEATS[seat]) for i in range(rules.free(seat)))
    spent = _("{dice} exhausted").format(dice=times(rules.spent[seat])) if rules.spent[seat] else ""
    return tag(
        "g",
        box(6, y, WIDTH - 12, ROW, SAND if turn else "#fbf7ec", stroke=SEATS[seat], stroke_width=3 if turn else 1, rx=6),
        words(16, y + 22, f"{seat + 1} {status.player(snapshot, seat)}", 16, fill=SEATS[seat], font_weight="bold"),
        words(16, y + 46, points, 18),
        dice,
        words(80, y + 46, status.link(snapshot, seat) or spent, 11),
        *(_cards(snapshot, seat, kind, NAME + i * COLUMN, y + 10) for i, kind in enumerate(TYPES)),
    )


def _cards(snapshot: Snapshot, seat: int, kind: str, x: float, y: float) -> str:
    """One type's treasures in order of arrival; what is flipped is pale."""
    rules, out = crypt(snapshot), []
    for i, card in enumerate(rules.column(seat, kind)):
        cx, cy = x + 30 * (i % 4), y + 38 * (i // 4)
        pale = 0.4 if card in rules.flipped else 1.0
        out.append(box(cx, cy, 26, 34, TYPE_COLOURS[kind], rx=4, opacity=pale))
        out.append(words(cx + 13, cy + 16, type_code(kind), 9, fill="#fff", text_anchor="middle"))
        out.append(words(cx + 13, cy + 30, _value(snapshot.view.knows(card)), 13, fill="#fff", text_anchor="middle"))
    return "".join(out)


def _value(value: int | None) -> str:
    return "?" if value is None else str(value)
