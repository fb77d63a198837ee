"""Scarabya in words: events, moves and reasons in the language in use, and the notation that people type; knows no layout.

A placement is typed as its first square and a letter for how the tile is turned, as in 33b: row 3, column 3, second drawing.
"""

import re
from collections import Counter
from collections.abc import Callable

from ...core.games.grid import mask_of, squares_of
from ...core.games.scarabya import Areas, Scarabya
from ...core.games.scarabya_data import PLACES, SIDE, SIDES
from ...core.rules import Event, Move
from ...core.view import Snapshot
from ..cells import clean, fold
from ..text import _, ngettext
from .status import absent, player, players

LETTERS = "abcdefgh"  # a tile has at most eight orientations
VERBS = ("place", "lay", "put", "coloca", "colocar", "pon", "poner")
LOT = ("lot", "by lot", "sorteo", "por sorteo", "azar", "al azar")
SHORT = re.compile(r"(\d)(\d)([a-h])")
BOARD = re.compile(r"([1-4])([ab]) ?([0-3])?")
OTHER: Move = ("place",)  # a placement of another tile: no squares are this one
OUTSIDE: Move = ("place", -1)  # what a placement that leaves the site comes to: the rules refuse it, and say why


def scarabya(snapshot: Snapshot) -> Scarabya:
    """The snapshot's rules, as what they are."""
    rules = snapshot.view.rules
    assert isinstance(rules, Scarabya)
    return rules


def place_word(place: int) -> str:
    """Where on the site the board of this number is laid."""
    return (_("top left"), _("top right"), _("bottom left"), _("bottom right"))[place]


def board_word(board: int, side: int) -> str:
    return f"{board + 1}{SIDES[side]}"


def tiles_words(tiles: list[str]) -> str:
    return " ".join(tiles) or _("none")


# -- moves ------------------------------------------------------------------------------------------------------------


def phrase(snapshot: Snapshot, move: Move) -> str:
    """The move as it is typed in the language in use."""
    if move[0] == "lay":
        return f"{board_word(move[1], move[2])} {move[3]}"
    return _("lot") if move[0] == "lot" else short(scarabya(snapshot), move[1:])


def short(rules: Scarabya, squares: tuple[int, ...]) -> str:
    """A placement of the tile of the round as its first square and the letter of its orientation."""
    rows, columns = [s // SIDE for s in squares], [s % SIDE for s in squares]
    corner = SIDE * min(rows) + min(columns)
    letter = LETTERS[rules.data.shapes(rules.tile or "").index(mask_of(s - corner for s in squares))]
    return f"{squares[0]:02}{letter}"


def parse(snapshot: Snapshot, typed: str) -> Move:
    """33b, or squares in any order (33 43 52 53 54), with or without the tile's letter before them; for boards 3b 2 (clockwise quarters),
    or lot.  Raises ValueError.
    """
    rules, words = scarabya(snapshot), fold(typed)
    if words in LOT:
        return ("lot",)
    verb, _space, rest = words.partition(" ")
    words = rest if verb in VERBS else words
    tile, _space, rest = words.partition(" ")
    if rules.tile is not None and rest and tile.upper() in dict(rules.data.tiles):  # as placements are shown: F 35a
        if tile.upper() != rules.tile:
            return OTHER
        words = rest
    if found := BOARD.fullmatch(words):
        return ("lay", int(found[1]) - 1, SIDES.index(found[2]), int(found[3] or 0))
    if found := SHORT.fullmatch(words):
        return _placement(rules, int(found[1]), int(found[2]), LETTERS.index(found[3]))
    squares = words.split()
    if squares and all(re.fullmatch("[0-9]{2}", square) for square in squares):
        return ("place", *sorted(map(int, squares)))
    raise ValueError(typed)


def _placement(rules: Scarabya, row: int, column: int, turned: int) -> Move:
    if rules.tile is None or turned >= len(rules.data.shapes(rules.tile)):
        raise ValueError(turned)
    cells = [divmod(square, SIDE) for square in squares_of(rules.data.shapes(rules.tile)[turned])]
    moved = [(row + r, column + c - cells[0][1]) for r, c in cells]
    if not all(0 <= r < SIDE and 0 <= c < SIDE for r, c in moved):
        return OUTSIDE
    return ("place", *(SIDE * r + c for r, c in moved))


def areas_words(areas: Areas) -> str:
    """Areas by size and scarabs, those that are alike together, those that score most first."""
    alike = Counter((len(squares), found) for squares, found in areas)
    parts = []
    for (size, found), n in sorted(alike.items(), key=lambda item: -item[0][0] * item[0][1]):
        if n == 1:
            text = ngettext("an area of {size} with {n} scarab", "an area of {size} with {n} scarabs", found)
            text = text if found else _("an area of {size} without scarabs")
        else:
            text = ngettext("{areas} areas of {size} with {n} scarab each", "{areas} areas of {size} with {n} scarabs each", found)
            text = text if found else _("{areas} areas of {size} without scarabs")
        parts.append(text.format(areas=n, size=size, n=found))
    return ", ".join(parts)


# -- events -----------------------------------------------------------------------------------------------------------


def event_words(snapshot: Snapshot, event: Event) -> str:
    """What has happened, as one sentence that every seat reads alike."""
    words = _EVENTS.get(event.id)
    if words is None:
        return ""
    return words(snapshot, "" if event.seat is None else player(snapshot, event.seat), *event.args)


def turns_words(turns: int) -> str:
    """How far a board or tile is turned."""
    return (_("not turned"), _("turned by a quarter"), _("turned by a half"), _("turned by three quarters"))[turns]


def _laid(s: Snapshot, who: str, place: int, board: int, side: int, turns: int) -> str:
    return _("{who} lays board {board} {place}, {turns}.").format(
        who=who, board=board_word(board, side), place=place_word(place), turns=turns_words(turns)
    )


def _placed(s: Snapshot, who: str, tile: str, squares: tuple[int, ...], covered: int) -> str:
    where = " ".join(f"{square:02}" for square in squares)
    if not covered:
        return _("{who} places {tile} on {where}.").format(who=who, tile=tile, where=where)
    text = ngettext(
        "{who} places {tile} on {where} and covers {n} scarab.", "{who} places {tile} on {where} and covers {n} scarabs.", covered
    )
    return text.format(who=who, tile=tile, where=where, n=covered)


def _scored(s: Snapshot, who: str, points: int, areas: Areas) -> str:
    text = ngettext("{who} closes {areas}: {n} point.", "{who} closes {areas}: {n} points.", points)
    return text.format(who=who, areas=areas_words(areas), n=points)


def _over(s: Snapshot, who: str, scores: tuple[int, ...], winners: tuple[int, ...]) -> str:
    points = ", ".join(f"{player(s, seat)} {score}" for seat, score in enumerate(scores))
    if not winners:
        return _("The game is over: {points}.").format(points=points)
    return _("The game is over: {points}. Won by {who}.").format(points=points, who=players(s, winners))


_EVENTS: dict[str, Callable[..., str]] = {
    "first": lambda s, who: _("{who} is the Great Explorer.").format(who=who),
    "lot": lambda s, who: _("{who} leaves the site to chance.").format(who=who),
    "laid": _laid,
    "site": lambda s, _who, rocks, scarabs: _("The site is laid: {rocks} rocks, {scarabs} scarabs.").format(
        rocks=len(rocks), scarabs=len(scarabs)
    ),
    "mission": lambda s, _who, round, tile: _("Round {n}: the tile {tile}.").format(n=round, tile=tile),
    "discarded": lambda s, who, tile: _("{who} cannot place {tile} and discards it.").format(who=who, tile=tile),
    "placed": _placed,
    "scored": _scored,
    "over": _over,
    "left": lambda s, who, moved=False: _("{who} has left; that site stays as it is.").format(who=who) + absent(who, moved),
}


def why(reason: str) -> str:
    """Why a move is not legal, by the rules' reason id."""
    reasons = {
        "outside": _("The tile must lie inside the frame."),
        "on-rock": _("The tile must not lie on a rock."),
        "on-tile": _("The tile must not lie on another tile."),
        "not-beside": _("The tile must touch one of your tiles along a side; a corner, a rock or the frame does not count."),
        "not-at-centre": _("Your first tile must cover a centre square: 44, 45, 54 or 55."),
        "not-this-tile": _("These squares are not the tile of this round."),
        "board-laid": _("That board has been laid already."),
        "no-such-board": _("There are four boards: 1 to 4."),
        "closed-by-rocks": _("With this board rocks alone would close a space, or leave no centre square free."),
        "not-now": _("That cannot be done now."),
        "no-such-move": _("That is no move of this game."),
    }
    return reasons.get(reason) or _("That is not allowed now ({reason}).").format(reason=clean(reason))


def places_left(rules: Scarabya) -> int:
    """How many boards are still to be laid."""
    return len(PLACES) - len(rules.laid)
