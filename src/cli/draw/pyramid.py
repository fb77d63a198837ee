"""Pyramid as a picture: the map with its walls and symbols, the mummy, and the pieces where they are known."""

from ...core.games.pyramid_data import Board
from ...core.view import Snapshot
from ..cells import clean
from ..show import status
from ..show.pyramid import goal, title
from ..show.pyramid_words import dice_words, number, pyramid
from ..text import _
from .svg import BACKS, INK, SAND, SEATS, STONE, box, picture, tag, unit_squares, words

CELL, LEFT, TOP, ASIDE = 44, 34, 58, 300


def draw(snapshot: Snapshot) -> str:
    """The map, and beside it the mummy and the pieces with what they have."""
    plan = pyramid(snapshot).data.board
    across, down = plan.columns * CELL, plan.rows * CELL
    letters = "".join(words(LEFT + c * CELL + CELL / 2, TOP - 8, chr(ord("a") + c), 13, text_anchor="middle") for c in range(plan.columns))
    numbers = "".join(words(LEFT - 8, TOP + r * CELL + CELL / 2 + 5, str(r + 1), 13, text_anchor="end") for r in range(plan.rows))
    place = f"translate({LEFT} {TOP}) scale({CELL})"
    return picture(
        LEFT + across + ASIDE,
        max(TOP + down + 14, 420),
        title(),
        words(10, 22, f"{title()} · {goal(snapshot)}", 18, font_weight="bold"),
        letters,
        numbers,
        tag("g", _ground(snapshot), _walls(plan), _pieces(snapshot), transform=place),
        *_aside(snapshot, LEFT + across + 20),
    )


def _at(plan: Board, square: int) -> tuple[int, int]:
    row, column = divmod(square, plan.columns)
    return column, row


def _ground(snapshot: Snapshot) -> str:
    rules = pyramid(snapshot)
    plan, colours = rules.data.board, dict(rules.data.colours)
    marks = [
        box(x + 0.12, y + 0.12, 0.76, 0.76, BACKS.get(colours[symbol[0]], "#ddd"), rx=0.12, stroke=INK, stroke_width=0.03)
        + words(x + 0.5, y + 0.62, symbol, 0.34, text_anchor="middle")
        for symbol, square in plan.symbols
        for x, y in [_at(plan, square)]
    ]
    (sx, sy), (dx, dy) = _at(plan, plan.start), _at(plan, plan.dungeon)
    return (
        unit_squares((_at(plan, s) for s in plan.squares), SAND, stroke="#dccb9f", stroke_width=0.02)
        + unit_squares([(sx, sy)], "#cfe3f5")
        + unit_squares([(dx, dy)], "#bbb")
        + "".join(marks)
    )


def _walls(plan: Board) -> str:
    """Where no way leads from a square to its neighbour: one path."""
    squares, path = set(plan.squares), []
    for square in plan.squares:
        x, y = _at(plan, square)
        if square not in plan.right:
            path.append(f"M{x + 1} {y}v1")
        if square not in plan.down:
            path.append(f"M{x} {y + 1}h1")
        if x == 0 or square - 1 not in squares:
            path.append(f"M{x} {y}v1")
        if square - plan.columns not in squares:
            path.append(f"M{x} {y}h1")
    return tag("path", d="".join(path), stroke=STONE, stroke_width=0.1, stroke_linecap="round", fill="none")


def _pieces(snapshot: Snapshot) -> str:
    rules = pyramid(snapshot)
    plan, out = rules.data.board, []
    standing = [
        (piece, seat, square) for piece, seat in rules.owner.items() if rules.lives[piece] and (square := rules.square(piece)) is not None
    ]
    crowd: dict[int, int] = {}
    for piece, seat, square in standing:
        x, y = _at(plan, square)
        n = crowd[square] = crowd.get(square, -1) + 1  # several stand on the start square
        alone = [other for _piece, _seat, other in standing].count(square) == 1
        cx, cy = (x + 0.5, y + 0.5) if alone else (x + 0.3 + 0.4 * (n % 2), y + 0.3 + 0.4 * (n // 2 % 2))
        out.append(tag("circle", cx=cx, cy=cy, r=0.24, fill=SEATS[seat], stroke="#fff", stroke_width=0.05))
        out.append(words(cx, cy + 0.11, number(piece), 0.32, fill="#fff", text_anchor="middle"))
    x, y = _at(plan, rules.mummy)
    out.append(box(x + 0.16, y + 0.16, 0.68, 0.68, INK, rx=0.1, stroke="#fff", stroke_width=0.05))
    out.append(words(x + 0.5, y + 0.62, "MM", 0.34, fill="#fff", text_anchor="middle"))
    return "".join(out)


def _aside(snapshot: Snapshot, x: float) -> list[str]:
    rules = pyramid(snapshot)
    plan = rules.data.board
    lines: list[tuple[str, str, bool]] = []
    if rules.owner:
        who = f"MM {status.player(snapshot, rules.first)}: {rules.tokens}/{rules.goal}, {plan.name(rules.mummy)}"
        lines.append((who, INK, rules.turn == "mummy"))
    for piece, seat in rules.owner.items():
        square = rules.square(piece)
        where = _("out") if not rules.lives[piece] else "??" if square is None else plan.name(square)
        missing = " ".join(clean(rules.backs[card]) for card in rules.missions[seat])
        lives = "♥" * min(rules.lives[piece], 9)
        turn = rules.turn == piece
        lines.append((f"{number(piece)} {status.player(snapshot, seat)} {status.link(snapshot, seat)}", SEATS[seat], turn))
        lines.append((f"   {where} {lives} · {missing}", INK, False))
    lines.append((_(" dice {dice}").format(dice=dice_words(snapshot)), INK, False))
    return [
        words(x, TOP + 20 + 24 * i, text, 15, fill=fill, font_weight="bold" if bold else "normal")
        for i, (text, fill, bold) in enumerate(lines)
    ]
