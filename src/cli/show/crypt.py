"""The Crypt on a screen and in lines: what a Snapshot looks like, and which move a typed line means.

Values read 1 to 4, "?" where this seat does not know them, "3'" when flipped; colour only repeats what letters say.
"""

from ...core.games.crypt_data import TYPES
from ...core.rules import Choose, Event, Move
from ...core.view import Snapshot
from ..cells import Line, cells, cut, fold, pad, rule, wrap
from ..text import _, ngettext
from . import status
from .crypt_words import (
    card_words,
    collector_words,
    crypt,
    dice_words,
    event_words,
    example_claim,
    looked,
    move_phrase,
    times,
    type_code,
    type_word,
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
    "title",
    "why",
]

NAME, DICE, POINTS = 21, 9, 8  # cells of the columns of the players' table
HEAD = 5  # cells of a type's code and side, and a space
VERBS = {
    **dict.fromkeys(("claim", "reclamar", "reclama"), "claim"),
    **dict.fromkeys(("recover", "recuperar", "recupera"), "recover"),
    **dict.fromkeys(("look", "mirar", "mira"), "look"),
    **dict.fromkeys(("heal", "curar", "cura"), "heal"),
    **dict.fromkeys(("take", "tomar", "toma"), "take"),
    **dict.fromkeys(("reroll", "repetir", "repite"), "reroll"),
    **dict.fromkeys(("done", "stop", "listo", "basta"), "done"),
}


def title() -> str:
    return _("The Crypt")


def goal(snapshot: Snapshot) -> str:
    rules = crypt(snapshot)
    rounds = len(rules.printed()) // rules.data.deck(rules.seats).row
    return (_("round {n} of {all}") if rules.round else _("{all} rounds")).format(n=rules.round, all=rounds)


def ask(snapshot: Snapshot) -> str:
    """What this seat must decide now."""
    rules, request, me = crypt(snapshot), snapshot.view.asked(), snapshot.view.seat
    if not isinstance(request, Choose) or me is None:
        return ""
    if request.moves == "befores":
        return _("Before Claim: take a face-down treasure for two Pottery, or done?")
    if request.moves == "rerolls":
        efforts = ", ".join(map(str, rules.tired[me]))
        return _("Exhausted with effort {efforts}: flip an Idol to roll again, or done?").format(efforts=efforts)
    if request.moves == "afters":
        return _("Before the end: flip two Remains to make a die free, or done?")
    who, dice, example = status.player(snapshot, me), times(rules.free(me)), example_claim(rules.claims(me, request.about))
    if request.about:
        return _("The last turn, {who}: recover, or claim one treasure ({dice} free).").format(who=who, dice=dice)
    if not example:
        return _("Your turn, {who}: recover; there is nothing that you can claim.").format(who=who)
    return _("Your turn, {who}: recover or claim ({dice} free), for example {move}").format(who=who, dice=dice, move=example)


def event(snapshot: Snapshot, event: Event) -> str:
    return event_words(snapshot, event)


def move(snapshot: Snapshot, move: Move) -> str:
    """The move as it can be typed, and what it means here."""
    rules, phrase, me = crypt(snapshot), move_phrase(move), snapshot.view.seat
    if me is None:
        return phrase
    match move:
        case ("recover",):
            return (
                f"{phrase} (+{times(rules.spent[me])})"
                if rules.spent[me]
                else _("{phrase} (nothing exhausted: a pass)").format(phrase=phrase)
            )
        case ("claim", (place, _effort, _dice)):
            card = rules.row[place]
            return f"{phrase} ({card_words(snapshot, card)})" if card is not None else phrase
        case ("take", _a, _b, place):
            card = rules.row[place]
            return f"{phrase} ({card_words(snapshot, card)})" if card is not None else phrase
        case ("look", _) | ("heal", *_):
            kind = "manuscript" if move[0] == "look" else "remains"
            return f"{phrase} ({_flipped(snapshot, kind, move[1:])})"
        case ("reroll", idol, _):
            return f"{phrase} ({_flipped(snapshot, 'idol', (idol,))})"
    return phrase


def _flipped(snapshot: Snapshot, kind: str, positions: tuple[int, ...]) -> str:
    column = crypt(snapshot).column(snapshot.view.seat or 0, kind)
    return ", ".join(card_words(snapshot, column[i]) for i in positions)


# -- the screen -------------------------------------------------------------------------------------------------------


def board(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Torches and deck, the crypt with the dice on it, the players with dice, points and treasures by type."""
    widths = _type_widths(snapshot, columns)
    lines = [[("", f" {_torches(snapshot, 9)}")], *_row(snapshot, columns), _heading(snapshot, widths, columns)]
    lines += [_player(snapshot, seat, points, widths) for seat, points in enumerate(_points(snapshot))]
    return lines[:rows]


def extras(snapshot: Snapshot, columns: int) -> list[list[Line]]:
    """The collectors with what this seat needs, its own treasures, and what the signs mean."""
    collectors: list[Line] = [rule(_("Collectors"), columns)]
    for kind in TYPES:
        collectors += [[("", f" {text}")] for text in wrap(collector_words(snapshot, kind), columns - 2)]
    legend: list[Line] = [[("class:dim", f" {text}")] for text in wrap(_legend(), columns - 2)]
    if snapshot.view.seat is None:
        return [collectors, legend]
    own: list[Line] = [[("", f" {text}")] for line in hand_words(snapshot) for text in wrap(line, columns - 2)]
    return [collectors, [rule(_("Your treasures"), columns), *own], legend]


def _torches(snapshot: Snapshot, room: int = status.NAME_CELLS) -> str:
    """Who leads, who has Lights Out, in so many cells each, and what is left of the deck."""
    rules = crypt(snapshot)
    if rules.leader is None:
        return _("The treasures are not dealt yet.")
    order = rules.order()
    last = order[0] if rules.seats == 2 else order[-1]
    leader, last_name = (cut(status.player(snapshot, seat), room) for seat in (order[0], last))
    torches = _("Leader {leader} · Lights Out {last}").format(leader=leader, last=last_name)
    if not rules.pile:
        return torches + " · " + _("last round")
    rounds = len(rules.pile) // rules.data.deck(rules.seats).row
    left = ngettext("{n} round to come", "{n} rounds to come", rounds).format(n=rounds)
    kind = snapshot.view.knows(rules.pile[-1], "back")
    return f"{torches} · {left} · " + _("next: {kind}").format(kind=type_word(kind) if kind else "?")


def _row(snapshot: Snapshot, columns: int) -> list[Line]:
    """The crypt, a column for each place: number and type, value, whose dice lie there."""
    rules = crypt(snapshot)
    if not rules.row:
        return []
    width = min(22, (columns - 1) // len(rules.row))
    lines: list[Line] = [[("", " ")], [("", " ")], [("", " ")]]
    for place, card in enumerate(rules.row):
        held = rules.held.get(place)
        kind = None if card is None else snapshot.view.knows(card, "back")
        head = f"{place + 1} {type_word(kind) if kind else '…' if card is not None else '—'}"
        mine = held is not None and held[0] == snapshot.view.seat
        lines[0].append(("class:title" if mine else "", pad(cut(head, width - 1), width)))
        lines[1].append(("", pad(f"  {cut(_value(snapshot, card), width - 3)}", width)))
        lines[2].append(
            ("class:turn" if mine else "class:dim" if held is None else "", pad(f"  {_dice_on(snapshot, place, width - 3)}", width))
        )
    return lines


def _value(snapshot: Snapshot, card: int | None) -> str:
    if card is None:
        return _("empty")
    value, known = snapshot.view.knows(card), (card, "face") in snapshot.view.rules.shown
    if value is None:
        return _("face down")
    return _("value {n}").format(n=value) if known else _("you know {n}").format(n=value)


def _dice_on(snapshot: Snapshot, place: int, width: int) -> str:
    """Owner and dice on a treasure: the dice are never cut off."""
    held = crypt(snapshot).held.get(place)
    if held is None:
        return _("no dice") if crypt(snapshot).row[place] is not None else ""
    owner, effort, dice = held
    dice_text = " " + dice_words(effort, dice)
    return cut(status.player(snapshot, owner), width - cells(dice_text)) + dice_text


def _heading(snapshot: Snapshot, widths: list[int], columns: int) -> Line:
    rules = crypt(snapshot)
    heads = "".join(pad(f"{type_code(kind)} {rules.side(kind).upper()}", width) for kind, width in zip(TYPES, widths, strict=True))
    text = pad(_("  Player"), NAME) + pad(_("dice"), DICE) + pad(_("points"), POINTS) + heads
    return [("class:rule", cut(text, columns))]


def _type_widths(snapshot: Snapshot, columns: int) -> list[int]:
    """Cells of the columns of treasures: alike while all treasures fit so, else each as wide as what lies in it."""
    room = columns - NAME - DICE - POINTS
    alike = max(6, min(12, room // len(TYPES)))
    seats = range(crypt(snapshot).seats)
    needs = [max(HEAD, *(len(_column(snapshot, seat, kind)) + 1 for seat in seats)) for kind in TYPES]
    if max(needs) <= alike:
        return [alike] * len(TYPES)
    while sum(needs) > room:
        needs[needs.index(max(needs))] -= 1
    return needs


def _player(snapshot: Snapshot, seat: int, points: str, widths: list[int]) -> Line:
    """One row: turn, name, dice free/placed/exhausted, points or bounds, values by type in order of arrival."""
    rules = crypt(snapshot)
    turn = rules.turn == seat and snapshot.phase == "play"
    state = status.link(snapshot, seat) or (_("(you)") if seat == snapshot.view.seat else "")
    name = cut(status.player(snapshot, seat), NAME - 4 - cells(state))
    line: Line = [("class:turn" if turn else "", pad(f"{'▸' if turn else ' '}{seat + 1} {name} {state}", NAME))]
    line.append(("", pad(_dice_of(snapshot, seat), DICE)))
    line.append(("", pad(points, POINTS)))
    for kind, width in zip(TYPES, widths, strict=True):
        line.append(("", pad(_column(snapshot, seat, kind), width - 1) + " "))
    return line


def _dice_of(snapshot: Snapshot, seat: int) -> str:
    """A letter a die: free, on a treasure, exhausted."""
    rules = crypt(snapshot)
    free, spent = rules.free(seat), rules.spent[seat]
    placed = rules.data.dice - free - spent
    return " ".join([_("f")] * free + [_("p")] * placed + ["x"] * spent)


def _points(snapshot: Snapshot) -> list[str]:
    """By seat: the points, or between which they lie."""
    rules = crypt(snapshot)
    if rules.totals:
        return [str(total) for total in rules.totals]
    bounds = rules.bounds(lambda key: rules.seen(*key))
    return [str(least) if least == most else f"{least}-{most}" for least, most in bounds]


def _column(snapshot: Snapshot, seat: int, kind: str) -> str:
    """The values of one type: "3'" is flipped."""
    rules = crypt(snapshot)
    values = [
        ("?" if snapshot.view.knows(card) is None else str(snapshot.view.knows(card))) + ("'" if card in rules.flipped else "")
        for card in rules.column(seat, kind)
    ]
    return "".join(values) or "-"


def _legend() -> str:
    codes = " · ".join(f"{type_code(kind)} {type_word(kind)}" for kind in TYPES)
    signs = _("dice: f free, p placed, x exhausted · treasures: ? hidden, 3' flipped · points: from-to while values are hidden")
    return f"{codes} · {signs}"


# -- lines ------------------------------------------------------------------------------------------------------------


def board_words(snapshot: Snapshot) -> list[str]:
    """The whole table in sentences, for line mode and screen readers."""
    rules = crypt(snapshot)
    lines = [f"{goal(snapshot).capitalize()}. {_torches(snapshot)}."]
    for place, card in enumerate(rules.row):
        if card is None:
            lines.append(_("Place {place}: empty.").format(place=place + 1))
            continue
        held = rules.held.get(place)
        text = (
            f"{card_words(snapshot, card)}, {_value(snapshot, card)}" if (card, "face") not in rules.shown else card_words(snapshot, card)
        )
        if held is None:
            lines.append(_("Place {place}: {treasure}; no dice.").format(place=place + 1, treasure=text))
        else:
            lines.append(
                _("Place {place}: {treasure}; held by {who} with {dice}.").format(
                    place=place + 1, treasure=text, who=status.player(snapshot, held[0]), dice=dice_words(*held[1:])
                )
            )
    lines += [_player_words(snapshot, seat, points) for seat, points in enumerate(_points(snapshot))]
    lines += [_("Collector {text}.").format(text=collector_words(snapshot, kind)) for kind in TYPES]
    return [*lines, ask(snapshot) if snapshot.asked else status.waiting(snapshot)]


def _player_words(snapshot: Snapshot, seat: int, points: str) -> str:
    rules = crypt(snapshot)
    you = " " + _("(you)") if seat == snapshot.view.seat else ""
    placed = rules.data.dice - rules.free(seat) - rules.spent[seat]
    things = "; ".join(
        f"{type_word(kind)} {' '.join(_one(snapshot, card) for card in column)}" for kind in TYPES if (column := rules.column(seat, kind))
    )
    text = _("{seat}. {who}: dice {free} free, {placed} placed, {spent} exhausted; points {points}; {treasures}").format(
        seat=seat + 1,
        who=status.player(snapshot, seat) + you,
        free=rules.free(seat),
        placed=placed,
        spent=rules.spent[seat],
        points=points,
        treasures=things or _("no treasures"),
    )
    state = status.link(snapshot, seat)
    return f"{text}; {state}." if state else f"{text}."


def _one(snapshot: Snapshot, card: int) -> str:
    value = snapshot.view.knows(card)
    text = "?" if value is None else str(value)
    return _("{value} (flipped)").format(value=text) if card in crypt(snapshot).flipped else text


def hand_words(snapshot: Snapshot) -> list[str]:
    """This seat's treasures by type, numbered as moves name them, and who knows their values; and what it has looked at in the crypt."""
    rules, me = crypt(snapshot), snapshot.view.seat
    if me is None or not rules.kept[me]:
        return [_("You have no treasures.")]
    return looked(snapshot) + [
        f"{type_word(kind)}: " + ", ".join(f"{i}. {_own(snapshot, card)}" for i, card in enumerate(column, 1))
        for kind in TYPES
        if (column := rules.column(me, kind))
    ]


def _own(snapshot: Snapshot, card: int) -> str:
    rules = crypt(snapshot)
    value = snapshot.view.knows(card)
    if card in rules.flipped:
        return _("{value} (flipped)").format(value=value)
    return str(value) if (card, "face") in rules.shown else _("{value} (only you know)").format(value=value)


def choices(snapshot: Snapshot) -> tuple[Move, ...]:
    """The moves that are numbered: everything but claims, and for each treasure the claim with the fewest dice and least effort."""
    request = snapshot.view.asked()
    if not isinstance(request, Choose) or request.moves != "turns":
        return snapshot.view.moves()
    rules = crypt(snapshot)
    claims = rules.claims(request.seat, request.about)
    listed: dict[int, Move] = {}
    for move in claims:
        if len(move) > 2:
            break  # claims of one treasure come first
        listed.setdefault(move[1][0], move)
    return (*rules.turns(request).few, *listed.values())


def completions(snapshot: Snapshot) -> tuple[str, ...]:
    """What can be typed now, in the language in use; claims of several treasures are typed on."""
    request = snapshot.view.asked() if snapshot.asked else None
    if not isinstance(request, Choose):
        return ()
    if request.moves != "turns":
        return tuple(move_phrase(m) for m in snapshot.view.moves())
    rules = crypt(snapshot)
    single = (move for move in rules.claims(request.seat, True) if len(move) == 2)
    return tuple(move_phrase(m) for m in (*rules.turns(request).few, *single))


def parse(snapshot: Snapshot, typed: str) -> Move:
    """The move that was typed in English or Spanish: claim 1:3 2:4x2 (or claim 1 3), recover, heal 1 2, done.  Raises ValueError."""
    verb, *words = fold(typed).replace("=", ":").replace("×", "x").split() or [""]
    if verb not in VERBS:
        raise ValueError("no move of The Crypt")
    if VERBS[verb] == "claim" and 2 <= len(words) <= 4 and len(set(words[1:])) == 1 and ":" not in typed:
        words = [f"{words[0]}:{words[1]}x{len(words) - 1}"]  # a treasure and the equal efforts of its dice: 1 4 4
    return crypt(snapshot).parse_move(" ".join([VERBS[verb], *words]))


def help(snapshot: Snapshot) -> list[str]:
    """Help for the present decision, then collectors and signs."""
    request = snapshot.view.asked()
    question = request.moves if isinstance(request, Choose) else "turns"
    if question == "turns":
        now = [
            _("claim 1:3: a die with effort 3 on treasure 1. claim 1:3 4:2x2: besides, two dice with effort 2 on treasure 4."),
            _("A treasure that somebody holds needs a higher total: dice times effort. His dice go back to him."),
            _("At the end of the round each of your dice is rolled: below its effort it is exhausted. Effort 1 is safe."),
            _("recover: all your exhausted dice are free again; without any it is a pass."),
            _("In the last turn of a round only one treasure can be claimed."),
            _("look 1: flip your first Manuscript. heal 1 2: flip your first and second Remains. Both only where their side is in play."),
        ]
    elif question == "befores":
        now = [_("take 1 2 5: flip your first and second Pottery and take the face-down treasure 5. done: take none (any more).")]
    elif question == "rerolls":
        now = [_("reroll 1 5: flip your first Idol and roll a die with effort 5 again. done: leave it exhausted.")]
    else:
        now = [_("heal 1 2: flip your first and second Remains; a free die is a point. done: keep it as it is.")]
    own = hand_words(snapshot) if snapshot.view.seat is not None else []
    return [*now, "", *own, "", *(collector_words(snapshot, kind) for kind in TYPES), "", _legend()]
