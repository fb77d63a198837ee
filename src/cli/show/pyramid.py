"""Pyramid on a screen and in lines: what a Snapshot looks like, and which move a typed line means.

On the map: MM the mummy, @1 @2 pieces as this seat may see them, <> start, ## dungeon, a letter and a digit a symbol; before them
* a square within reach, ! one's own mission, + both.  Colour only repeats what letters say.
"""

from ...core.bots.pyramid_belief import beliefs
from ...core.rules import Choose, Event, Hide, Move
from ...core.view import Snapshot
from ..cells import Line, cut, flow, pad, wrap
from ..text import _, ngettext
from . import status
from .frame import Pointer
from .pyramid_map import beside, drawn, size
from .pyramid_pointer import Glance, pointer
from .pyramid_typed import parse
from .pyramid_words import (
    choices,
    colour_word,
    dice_words,
    event_words,
    face_word,
    mission_words,
    move_phrase,
    number,
    piece_word,
    pyramid,
    square_word,
    squares_words,
    symbol_word,
    why,
)

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


ASIDE = 32  # cells of the column beside the map, at most


def title() -> str:
    return "Pyramid"


def goal(snapshot: Snapshot) -> str:
    rules = pyramid(snapshot)
    return _("mummy {n} of {goal} tokens").format(n=rules.tokens, goal=rules.goal)


def ask(snapshot: Snapshot) -> str:
    """What this seat must decide now."""
    rules, request = pyramid(snapshot), snapshot.view.asked()
    if isinstance(request, Hide):
        return _("{who}, you move with {face}: to which square?").format(who=piece_word(snapshot, request.name), face=face_word(rules.face))
    if not isinstance(request, Choose):
        return ""
    if request.moves == "paces":
        text = ngettext("You are the mummy on {square}: {n} step left.", "You are the mummy on {square}: {n} steps left.", rules.steps)
        return text.format(square=square_word(snapshot, rules.mummy), n=rules.steps)
    who = piece_word(snapshot, request.about)
    if request.moves == "resets":
        text = ngettext(
            "{who}: {n} die shows a mummy. Keep it, or reset (the mummy moves first)?",
            "{who}: {n} dice show mummies. Keep them, or reset (the mummy moves first)?",
            rules.up,
        )
        return text.format(who=who, n=rules.up)
    if request.moves == "picks":
        return _("{who}: dice {dice}. Choose a die, or roll again?").format(who=who, dice=dice_words(snapshot))
    if snapshot.view.moves() == (("pass",),):  # asked all the same: the time until the answer must not depend on what is hidden
        return _("{who}: you are on none of your missions: pass. (Asked every time, so that the mummy cannot tell.)").format(who=who)
    return _("{who}: play a mission?").format(who=who)


def event(snapshot: Snapshot, event: Event) -> str:
    return event_words(snapshot, event)


def move(snapshot: Snapshot, move: Move) -> str:
    """The move as it can be typed, and what is known of it."""
    rules, phrase = pyramid(snapshot), move_phrase(snapshot, move)
    if isinstance(move, int):
        symbol = rules.data.board.symbol_at.get(move)
        return f"{phrase} ({symbol_word(snapshot, symbol)})" if symbol else phrase
    if move[0] == "again":
        n = 5 - rules.up
        return f"{phrase} ({ngettext('{n} die', '{n} dice', n).format(n=n)})"
    return phrase


# -- the screen -------------------------------------------------------------------------------------------------------


def board(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """The map, and beside it who is where with what is missing."""
    return pointed(snapshot, Glance(), columns, rows)


def pointed(snapshot: Snapshot, at: Pointer, columns: int, rows: int) -> list[Line]:
    """The same with the square that the person points at, or with the overlay."""
    assert isinstance(at, Glance)
    plan = pyramid(snapshot).data.board
    below = _missions(snapshot, columns)
    large = size(plan, True)[1] + len(below) <= rows
    width = size(plan, large)[0]
    aside = _aside(snapshot, min(ASIDE, columns - width - 2))
    lines = beside(drawn(plan, _cells(snapshot, at), large), aside, width)
    return [*lines[: max(0, rows - len(below))], *below][:rows]


def extras(snapshot: Snapshot, columns: int) -> list[list[Line]]:
    """What the signs mean."""
    return [[[("class:dim", f" {text}")] for text in wrap(_legend(snapshot), columns - 2)]]


def _cells(snapshot: Snapshot, at: Glance) -> dict[int, tuple[str, str]]:
    """What is drawn on every square."""
    rules = pyramid(snapshot)
    plan, colours = rules.data.board, dict(rules.data.colours)
    reach, mine = _reach(snapshot), _own_squares(snapshot)
    chances = _chances(snapshot) if at.overlay else {}
    out = {}
    for square in plan.squares:
        sign = "+" if square in reach and square in mine else "*" if square in reach else "!" if square in mine else " "
        style, text = "", "  "
        if square in plan.symbol_at:
            text = plan.symbol_at[square]
            style = f"class:{colours[text[0]]}"
        if at.overlay:
            n = round(100 * chances.get(square, 0.0))
            style, text, sign = ("class:area", f"{min(n, 99):2}", sign) if chances.get(square, 0.0) > 0 else ("class:dim", " .", sign)
        if square in (plan.start, plan.dungeon):
            style, text = "class:dim", "<>" if square == plan.start else "##"
        here = [piece for piece in rules.owner if rules.lives[piece] and rules.square(piece) == square]
        if here:
            numbers = "".join(map(number, here))
            own = any(rules.owner[piece] == snapshot.view.seat for piece in here)
            style = "class:turn" if own else "class:me"
            sign, text = ("@", f"{numbers:2}"[:2]) if len(here) > 1 else (sign, f"@{numbers}")
            if len(here) > 2:
                text = f"{len(here)}x"
        if square == rules.mummy:
            style, text = "class:warn", "MM"
        if square in reach:
            style = "class:ghost" if square != at.square() else "class:chosen"
        if square == at.square():
            sign, style = "▸", "class:chosen"
        out[square] = (style, sign + text)
    return out


def _reach(snapshot: Snapshot) -> tuple[int, ...]:
    """Squares that this seat may choose now; for a die that is being chosen, where the playable dice lead."""
    rules, request = pyramid(snapshot), snapshot.view.asked()
    if isinstance(request, Hide):
        return snapshot.view.moves()
    if isinstance(request, Choose) and request.moves == "paces":
        return rules.data.board.maze.within(rules.mummy, rules.steps)
    if isinstance(request, Choose) and request.moves == "picks":
        faces = {snapshot.view.knows(die) for die in rules.dice}
        return tuple({square for face in faces for square in rules.targets(request.about, face)})
    return ()


def _own_squares(snapshot: Snapshot) -> set[int]:
    """The squares of this seat's unplayed missions."""
    rules, me = pyramid(snapshot), snapshot.view.seat
    faces = [snapshot.view.knows(card) for card in rules.missions[me]] if me is not None else []
    return {rules.data.board.square_of[face] for face in faces if face}


def _chances(snapshot: Snapshot) -> dict[int, float]:
    """How many hunters to expect on each square, from public facts alone."""
    out: dict[int, float] = {}
    for known in beliefs(pyramid(snapshot)).values():
        for square, p in known.items():
            out[square] = out.get(square, 0.0) + p
    return out


def _aside(snapshot: Snapshot, width: int) -> list[Line]:
    """The mummy, the pieces with life tokens, place and missing colours, and the dice."""
    rules = pyramid(snapshot)
    lines: list[Line] = []
    if rules.owner:
        mark = "▸" if rules.turn == "mummy" else " "
        you = "*" if snapshot.view.seat == rules.first else ""
        lines.append([("class:warn", pad(f"{mark}MM {status.player(snapshot, rules.first)}{you}", width))])
        steps = ngettext("{n} step left", "{n} steps left", rules.steps).format(n=rules.steps) if rules.steps else ""
        lines.append([("", cut(f"   {rules.data.board.name(rules.mummy)} {rules.tokens}/{rules.goal} {steps}", width))])
    for piece in rules.owner:
        lines += _piece(snapshot, piece, width)
    lines.append([("", cut(_(" dice {dice}").format(dice=dice_words(snapshot)), width))])
    return lines


def _piece(snapshot: Snapshot, piece: str, width: int) -> list[Line]:
    rules = pyramid(snapshot)
    seat, me = rules.owner[piece], rules.owner[piece] == snapshot.view.seat
    mark = "▸" if rules.turn == piece else " "
    tokens = f" {'o' * rules.lives[piece] if rules.lives[piece] <= 5 else rules.lives[piece]}"
    if not rules.lives[piece]:
        tokens = " " + _("out")
    name = f"{mark}@{number(piece)} {status.player(snapshot, seat)}{'*' if me else '!' if seat in snapshot.strangers else ''}"
    lines: list[Line] = [[("class:turn" if mark == "▸" or me else "", pad(name, width - len(tokens)) + tokens)]]
    state = status.away(snapshot, seat)
    where = rules.square(piece)
    place = state or ("" if not rules.lives[piece] else rules.data.board.name(where) if where is not None else "??")
    backs, room = [rules.backs[card] for card in rules.missions[seat]], max(0, width - 4 - len(place))
    letters = next((text for text in (" ".join(backs), "".join(backs)) if len(text) <= room), "".join(backs))
    lines.append([("class:warn" if state else "", cut(f"   {place} ", width)), ("class:dim", cut(letters, room))])
    return lines


def _missions(snapshot: Snapshot, columns: int) -> list[Line]:
    """This seat's own missions, by name."""
    rules, me = pyramid(snapshot), snapshot.view.seat
    if me is None or me == rules.first or not rules.missions[me]:
        return []
    items: list[Line] = []
    for card in rules.missions[me]:
        face = snapshot.view.knows(card)
        if face:
            square = rules.data.board.name(rules.data.board.square_of[face])
            colour = dict(rules.data.colours)[face[0]]
            items.append([(f"class:{colour}", f"{face} {symbol_word(snapshot, face)} {square}")])
    head: Line = [("", _(" Missions: "))]
    first, *rest = flow(items, columns - 14, "  ") or [[("class:dim", _("none"))]]
    return [[*head, *first], *([("", "   "), *line] for line in rest)]


def _legend(snapshot: Snapshot) -> str:
    colours = ", ".join(f"{letter} {colour_word(colour)}" for letter, colour in pyramid(snapshot).data.colours)
    return (
        _(
            "MM mummy · @1 @2 hunters · <> start · ## dungeon · * within reach · ! your mission, + both · o life tokens · "
            "letters: missing missions · dice: M mummy, > arrow, ? hidden"
        )
        + f" · {colours}"
    )


# -- lines ------------------------------------------------------------------------------------------------------------


def board_words(snapshot: Snapshot) -> list[str]:
    """The whole table in sentences, and the map in characters, for line mode and screen readers."""
    rules = pyramid(snapshot)
    plan = rules.data.board
    lines = ["".join(text for _style, text in line) for line in drawn(plan, _cells(snapshot, Glance()), True)]
    if rules.owner:
        mummy = _("The mummy, {who}, is at {square} and has {n} of {goal} life tokens.")
        lines.append(
            mummy.format(
                who=status.player(snapshot, rules.first), square=square_word(snapshot, rules.mummy), n=rules.tokens, goal=rules.goal
            )
        )
    for piece in rules.owner:
        lines.append(_piece_words(snapshot, piece))
    for piece, known in beliefs(rules).items() if rules.owner else ():
        if piece not in rules.public:
            likely = sorted(known, key=lambda square: -known[square])[:6]
            text = _("Everybody can know of {who}: {n} squares are possible; likeliest {squares}.")
            lines.append(text.format(who=piece_word(snapshot, piece), n=len(known), squares=squares_words(snapshot, likely)))
    lines.append(_("Dice: {dice}.").format(dice=dice_words(snapshot)))
    return [*lines, ask(snapshot) if snapshot.asked else status.waiting(snapshot)]


def _piece_words(snapshot: Snapshot, piece: str) -> str:
    rules = pyramid(snapshot)
    seat = rules.owner[piece]
    you = " " + _("(you)") if seat == snapshot.view.seat else ""
    who = piece_word(snapshot, piece) + you
    if not rules.lives[piece]:
        return _("@{n}. {who}: out of the game.").format(n=number(piece), who=who)
    colours = ", ".join(colour_word(dict(rules.data.colours)[rules.backs[card]]) for card in rules.missions[seat]) or _("none")
    text = ngettext(
        "@{n}. {who}: {lives} life token, at {square}; missing missions: {colours}.",
        "@{n}. {who}: {lives} life tokens, at {square}; missing missions: {colours}.",
        rules.lives[piece],
    )
    where = square_word(snapshot, rules.square(piece))
    line = text.format(n=number(piece), who=who, lives=rules.lives[piece], square=where, colours=colours)
    state = status.link(snapshot, seat)
    return f"{line} {state}." if state else line


def hand_words(snapshot: Snapshot) -> list[str]:
    """This seat's own missions, in one line: it is said before every decision."""
    rules, me = pyramid(snapshot), snapshot.view.seat
    if me is None or me == rules.first:
        return [_("The mummy has no missions.")] if me is not None else [_("You have no missions.")]
    faces = [face for card in rules.missions[me] if (face := snapshot.view.knows(card))]
    missions = "; ".join(mission_words(snapshot, face) for face in faces)
    return [_("Your missions: {missions}.").format(missions=missions)] if faces else [_("You have no missions.")]


def completions(snapshot: Snapshot) -> tuple[str, ...]:
    """What can be typed now, in the language in use."""
    return tuple(move_phrase(snapshot, m) for m in choices(snapshot)) if snapshot.asked else ()


def help(snapshot: Snapshot) -> list[str]:
    """Help for the present decision, then the signs."""
    request = snapshot.view.asked()
    kind = "hide" if isinstance(request, Hide) else request.moves if isinstance(request, Choose) else ""
    now = {
        "hide": [_("Type the square, for example g7, or point at it with the arrow keys: * marks those that you can reach.")],
        "paces": [
            _("Type a direction or a neighbouring square, or use the arrow keys; stop ends your turn. You may stop at any time."),
            _("On every square that you enter the hunters prove whether one is there. A capture ends your turn."),
            _("F4 shows how likely each square is to hold a hunter, in percent: reckoned from what everybody has seen."),
        ],
        "resets": [
            _("keep: roll the dice that show no mummy."),
            _("reset: the mummy first takes as many steps as dice show it; then you roll all five."),
        ],
        "picks": [
            _("move 3, or arrow: the mummy is told this number, not where you go. A number must be walked in full."),
            _("again: roll all dice that show no mummy once more. Mummies stay aside, and help the mummy; with five you lose your turn."),
            _("The arrow goes straight on until something is in the way."),
        ],
        "cards": [_("play and the symbol's name: lay the mission open; the mummy then knows where you are. pass: keep it.")],
    }.get(kind, [_("The hunters look for their missions unseen; the mummy hears only which die they use.")])
    return [*now, "", _legend(snapshot)]
