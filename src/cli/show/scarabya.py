"""Scarabya on a screen and in lines: what a Snapshot looks like, and which move a typed line means."""

from itertools import islice

from ...core.games.grid import squares_of
from ...core.games.scarabya import points_of
from ...core.games.scarabya_data import PLACES
from ...core.rules import ChooseAll, Event, Move
from ...core.view import Snapshot
from ..cells import Line, cut, wrap
from ..text import _, ngettext
from . import status
from .frame import Pointer
from .scarabya_ghost import Look, pointer
from .scarabya_site import NARROW, WIDE, beside_each_other, drawn, in_words, shape, small
from .scarabya_words import LETTERS, event_words, parse, phrase, place_word, places_left, scarabya, tiles_words, why

__all__ = [
    "ask",
    "board",
    "board_words",
    "choices",
    "completions",
    "event",
    "extras",
    "goal",
    "hand_words",
    "help",
    "move",
    "parse",
    "pointed",
    "pointer",
    "title",
    "why",
]

ASIDE = 18  # cells of the column between the sites
LISTED = 12  # numbered placements: there may be two hundred


def title() -> str:
    return "Scarabya"


def goal(snapshot: Snapshot) -> str:
    rules = scarabya(snapshot)
    if not rules.round:
        return _("the site is being laid")
    return _("round {n} of {all}").format(n=rules.round, all=rules.data.rounds)


def ask(snapshot: Snapshot) -> str:
    """What this seat must decide now."""
    rules = scarabya(snapshot)
    if snapshot.view.asked() is None:
        return ""
    if not isinstance(rules.pending, ChooseAll):
        return _("Great Explorer, lay a board {place}: a board, its side, its turns.").format(place=place_word(len(rules.laid)))
    n = len(snapshot.view.moves())
    text = ngettext("Place the tile {tile}: it fits in {n} way.", "Place the tile {tile}: it fits in {n} ways.", n)
    return text.format(tile=rules.tile, n=n)


def event(snapshot: Snapshot, event: Event) -> str:
    return event_words(snapshot, event)


def move(snapshot: Snapshot, move: Move) -> str:
    """The move as it can be typed, and what is known of it."""
    words = phrase(snapshot, move)
    if move[0] != "place" or snapshot.view.seat is None:
        return words
    areas = scarabya(snapshot).would_close(snapshot.view.seat, move[1:])
    return f"{words} (+{points_of(areas)})" if areas else words


# -- the screen -------------------------------------------------------------------------------------------------------


def board(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """This seat's site (the first one's for spectators), what there is to know about the round, and the other sites."""
    return pointed(snapshot, Look(snapshot.view.seat or 0), columns, rows)


def pointed(snapshot: Snapshot, at: Pointer, columns: int, rows: int) -> list[Line]:
    """The same with what the person moves over a site, or with another player's site in the first place."""
    assert isinstance(at, Look)
    rules = scarabya(snapshot)
    blocks = [([_name(snapshot, at.seat, WIDE), *drawn(rules, at.seat, at.marks(snapshot))], WIDE), (_aside(snapshot, rows), ASIDE)]
    others = [seat for seat in range(rules.seats) if seat != at.seat]
    wide = columns >= WIDE + ASIDE + 4 + len(others) * (WIDE + 2)
    for seat in others:
        width = WIDE if wide else NARROW
        site = drawn(rules, seat, {}) if wide else [[], *small(rules, seat)]
        blocks.append(([_name(snapshot, seat, width), *site], width))
    return beside_each_other(blocks)[:rows]


def extras(snapshot: Snapshot, columns: int) -> list[list[Line]]:
    """What the signs mean."""
    return [[[("class:dim", f" {text}")] for text in wrap(_legend(), columns - 2)]]


def _name(snapshot: Snapshot, seat: int, width: int) -> Line:
    """Whose site it is and its points; the name gives way."""
    rules = scarabya(snapshot)
    mark = "x" if seat in rules.gone else "…" if seat in snapshot.waiting and isinstance(rules.pending, ChooseAll) else ""
    points = f" {rules.points[seat]}{mark}"
    me = seat == snapshot.view.seat
    name = status.player(snapshot, seat) + (" " + _("(you)") if me and width == WIDE else "")
    return [("class:turn" if me else "", cut(name, width - len(points)) + points)]


def _aside(snapshot: Snapshot, rows: int) -> list[Line]:
    """The tile of the round, those to come, and those that went."""
    rules = scarabya(snapshot)
    lines: list[Line] = [[]]
    if len(rules.laid) < len(PLACES):
        lines.append([("", ngettext("{n} board to lay", "{n} boards to lay", places_left(rules)).format(n=places_left(rules)))])
    if rules.tile:
        lines.append([("class:turn", _("Tile {tile}").format(tile=rules.tile))])
        lines += [[("class:tile", f" {text.replace('#', rules.tile * 2).replace('.', '  ')}")] for text in shape(_squares(snapshot, 0))]
        lines.append([])
    lines += [[("", text)] for text in wrap(_("To come: {tiles}").format(tiles=tiles_words(rules.missions)), ASIDE)]
    return lines[:rows]


def _squares(snapshot: Snapshot, turned: int) -> tuple[int, ...]:
    rules = scarabya(snapshot)
    return squares_of(rules.data.shapes(rules.tile or "")[turned])


def _legend() -> str:
    return _(
        ". ground · * scarab · ## rock · TT tile T · Tt tile T on a scarab · 2. 2* scored area of 2 squares, with a scarab · "
        "[] the tile in your hand · +. +* what it would close · … still decides"
    )


# -- lines ------------------------------------------------------------------------------------------------------------


def choices(snapshot: Snapshot) -> tuple[Move, ...]:
    """The moves that are numbered: of placements those that score most now, of boards those that are not turned."""
    moves = snapshot.view.moves()
    if not isinstance(snapshot.view.asked(), ChooseAll) or snapshot.view.seat is None:
        return tuple(move for move in moves if move[0] != "lay" or move[3] == 0)
    rules, me = scarabya(snapshot), snapshot.view.seat
    ranked = sorted(moves, key=lambda move: -points_of(rules.would_close(me, move[1:])))
    return tuple(islice(ranked, LISTED))


def board_words(snapshot: Snapshot) -> list[str]:
    """The table in sentences, then every site row by row, this seat's first."""
    rules, me = scarabya(snapshot), snapshot.view.seat or 0
    lines = [
        _("Round {n} of {all}. Tiles to come: {tiles}.").format(n=rules.round, all=rules.data.rounds, tiles=tiles_words(rules.missions))
    ]
    for seat in sorted(range(rules.seats), key=lambda s: (s - me) % rules.seats):
        text = ngettext("{who}: {n} point; tiles placed: {tiles}", "{who}: {n} points; tiles placed: {tiles}", rules.points[seat])
        placed = [tile for tile, _squares in rules.placed[seat]]
        line = text.format(who=status.player(snapshot, seat), n=rules.points[seat], tiles=tiles_words(placed))
        state = status.link(snapshot, seat)
        lines += [f"{line}; {state}." if state else f"{line}.", *in_words(rules, seat)]
    return [*lines, ask(snapshot) if snapshot.asked else status.waiting(snapshot)]


def hand_words(snapshot: Snapshot) -> list[str]:
    """The tile of the round in all its orientations, by letter."""
    rules = scarabya(snapshot)
    if rules.tile is None:
        return [_("Tiles to come: {tiles}.").format(tiles=tiles_words(rules.missions))]
    turned = [f"{LETTERS[i]} {' / '.join(shape(squares_of(s)))}" for i, s in enumerate(rules.data.shapes(rules.tile))]
    return [_("Tile {tile}, row by row: {shapes}").format(tile=rules.tile, shapes="; ".join(turned))]


def completions(snapshot: Snapshot) -> tuple[str, ...]:
    """What can be typed now, in the language in use."""
    return tuple(phrase(snapshot, m) for m in snapshot.view.moves()) if snapshot.asked else ()


def help(snapshot: Snapshot) -> list[str]:
    """Help for the present decision, then the signs."""
    rules = scarabya(snapshot)
    if len(rules.laid) < len(PLACES):
        now = [
            _("The Great Explorer lays four boards; all play on the same site. Type a board, its side and its clockwise quarters: 3b 2."),
            _("Or move it by keys: arrows another board, space turns, / flips, Enter lays it. lot leaves the rest to chance."),
        ]
    else:
        now = [
            _("With nothing typed, arrows move the tile, space turns it, / mirrors it, Enter places it; F4 shows the next site."),
            _("Or type its first square and a letter, as in 33b: row 3, column 3, second drawing below. Or all its squares."),
            _("The first tile covers a centre square, later ones touch a tile of yours along a side."),
            _("A closed space of at most {n} squares is an area: each open scarab in it scores its number of squares.").format(
                n=rules.data.largest
            ),
            *hand_words(snapshot),
        ]
    return [*now, "", _legend()]
