"""Loot N Run as a picture: two decks, and a row of cards for each player, faces where they are known."""

from ...core.view import Snapshot
from ..show import status
from ..show.loot import goal, title
from ..show.loot_words import back_letter, loot, top_word, treasure_word
from ..text import _, ngettext
from .svg import BACKS, INK, SAND, SEATS, box, picture, tag, words

CARD, TALL, GAP, WIDTH = 82, 92, 6, 960
NAME = 190


def draw(snapshot: Snapshot) -> str:
    """The table as the snapshot's seat sees it."""
    rules = loot(snapshot)
    parts = [words(10, 22, f"{title()} · {goal(snapshot)}", 18, font_weight="bold")]
    x = 10.0
    for number, deck in enumerate(rules.decks, 1):
        count = ngettext("{n} card", "{n} cards", len(deck)).format(n=len(deck))
        parts.append(words(x, 48, _("Deck {n} ").format(n=number) + f"({count})", 13))
        if deck:
            parts.append(_card(snapshot, deck[-1], x, 56, CARD))
        x += 200
    parts.append(words(x, 48, _("Discards {n}").format(n=len(rules.discards)), 13))
    if rules.discards:
        parts.append(_card(snapshot, rules.discards[-1], x, 56, CARD))
    x += 200
    for i, card in enumerate(rules.lifted):
        parts.append(_card(snapshot, card, x + i * (CARD + GAP), 56, CARD))
    y = 70.0 + TALL
    for seat in range(rules.seats):
        parts.append(_player(snapshot, seat, y))
        y += TALL + 14
    return picture(WIDTH, y + 4, title(), *parts)


def _player(snapshot: Snapshot, seat: int, y: float) -> str:
    rules = loot(snapshot)
    turn = rules.turn == seat and not rules.over
    state = status.link(snapshot, seat)
    cards = rules.hands[seat]
    step = min(CARD + GAP, (WIDTH - NAME - CARD - 10) / max(1, len(cards) - 1))
    return tag(
        "g",
        box(6, y, WIDTH - 12, TALL + 8, SAND if turn else "#fbf7ec", stroke=SEATS[seat], stroke_width=3 if turn else 1, rx=6),
        words(16, y + 26, f"{seat + 1} {status.player(snapshot, seat)}", 16, fill=SEATS[seat], font_weight="bold"),
        words(16, y + 52, str(rules.points[seat]), 22),
        words(16, y + 76, state or ngettext("{n} card", "{n} cards", len(cards)).format(n=len(cards)), 12),
        *(_card(snapshot, card, NAME + i * step, y + 4, CARD) for i, card in enumerate(cards)),
    )


def _card(snapshot: Snapshot, card: int, x: float, y: float, width: float) -> str:
    """A card: its back's colour and letter; if it is known, guardian or amulet above, treasures below."""
    back, face = snapshot.view.knows(card, "back"), snapshot.view.knows(card)
    colour = BACKS.get(back or "", "#999")
    if not face:
        mark = f"{back_letter(back)} ?"
        return box(x, y, width, TALL, colour, stroke=INK, rx=5) + words(
            x + width / 2, y + TALL / 2 + 8, mark, 22, fill="#fff", text_anchor="middle"
        )
    top, treasures = face
    lines = [top_word(top).upper() if top else "", *(treasure_word(kind) for kind in treasures)]
    return (
        box(x, y, width, TALL, "#fffdf5", stroke=colour, stroke_width=4, rx=5)
        + words(x + width - 8, y + TALL - 7, back_letter(back), 10, fill=colour, text_anchor="end", font_weight="bold")
        + "".join(
            words(x + 7, y + 18 + 17 * i, text, 11, font_weight="bold" if i == 0 else "normal") for i, text in enumerate(lines) if text
        )
    )
