"""Loot N Run on a screen and in lines: what a Snapshot looks like, and which move a typed line means.

Hidden cards read [R ??], known ones [R MU ch ne cr]: back, upper half, treasures; colour only repeats what letters say.
"""

from collections.abc import Iterable, Sequence

from ...core.games.loot import KEEPS, worth
from ...core.rules import Choose, Event, Move
from ...core.view import Snapshot
from ..cells import Line, clean, flow, fold, line_cells, pad, plain, rule
from ..text import _, ngettext
from . import status
from .loot_words import (
    back_letter,
    back_word,
    card_words,
    event_words,
    loot,
    move_phrase,
    top_code,
    top_word,
    treasure_codes,
    treasure_word,
    why,
)

__all__ = ["ask", "board", "board_words", "completions", "event", "extras", "goal", "hand_words", "help", "move", "parse", "title", "why"]

NAME = 24  # cells of the column of names, marks included
FEW = 13  # cells in which some face-down cards can be told
VERBS = {
    **dict.fromkeys(("loot", "saquear", "saquea"), "loot"),
    **dict.fromkeys(("run", "correr", "corre"), "run"),
    **dict.fromkeys(("wake", "awaken", "despertar", "despierta"), "wake"),
    **dict.fromkeys(("keep", "conservar", "conserva", "guardar"), "keep"),
}
KEPT = {
    **dict.fromkeys(("none", "ninguna", "nada"), "none"),
    **dict.fromkeys(("first", "primera"), "first"),
    **dict.fromkeys(("second", "segunda"), "second"),
    **dict.fromkeys(("both", "ambas", "dos"), "both"),
}


def title() -> str:
    return "Loot N Run"


def goal(snapshot: Snapshot) -> str:
    return _("first to {n} points").format(n=_goal(snapshot))


def ask(snapshot: Snapshot) -> str:
    """What this seat must decide now."""
    rules, me = loot(snapshot), snapshot.view.seat
    if me is None or not isinstance(rules.pending, Choose):
        return ""
    if rules.pending.moves == "keeps":
        drawn = "; ".join(card_words(snapshot, card) for card in rules.lifted)
        return _("Your Werewolf: you have drawn {cards}. Which do you keep?").format(cards=drawn)
    if not rules.hands[me]:
        alone = all(move[0] == "loot" for move in snapshot.view.moves())
        text = _("Your turn, {who}: loot, since you have no cards.") if alone else _("Your turn, {who}: loot or awaken?")
        return text.format(who=status.player(snapshot, me))
    return _("Your turn, {who}: loot, run or awaken?").format(who=status.player(snapshot, me))


def event(snapshot: Snapshot, event: Event) -> str:
    return event_words(snapshot, event)


def move(snapshot: Snapshot, move: Move) -> str:
    """The move as it can be typed, and what is known of it."""
    rules, phrase = loot(snapshot), move_phrase(snapshot, move)
    if move[0] == "loot":
        return f"{phrase} [{back_letter(snapshot.view.knows(rules.decks[move[1]][-1], 'back'))} ??]"
    if move[0] == "run":
        faces = [snapshot.view.knows(card) for card in rules.hands[snapshot.view.seat or 0]]
        return f"{phrase} (+{worth(faces)})" if all(faces) else phrase
    if move[0] == "wake":
        n = len(rules.hands[move[1]])
        count = ngettext("{n} card", "{n} cards", n).format(n=n)
        return f"{phrase} ({count})"
    return phrase


# -- the screen -------------------------------------------------------------------------------------------------------


def board(snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
    """Decks, players, own cards."""
    rules, me = loot(snapshot), snapshot.view.seat
    lines = [_decks(snapshot)]
    if rules.lifted:
        lines.append(
            [
                ("", _(" Drawn by {who}: ").format(who=status.player(snapshot, rules.turn or 0))),
                *_join(_card(snapshot, c) for c in rules.lifted),
            ]
        )
    lines.append(rule(_("Players"), columns))
    lines += [_player(snapshot, seat, columns) for seat in range(rules.seats)]
    if me is not None:
        lines.append(rule(_("Your cards"), columns))
        lines += _own(snapshot, rules.hands[me], columns, rows - len(lines))
    return lines[:rows]


def extras(snapshot: Snapshot, columns: int) -> list[list[Line]]:
    """What the codes mean, and the discards that everybody has seen."""
    signs: list[Line] = [[("class:dim", sign)] for sign in _signs(snapshot)]
    legend: list[Line] = [[("", " "), *line] for line in flow(signs, columns - 2, " · ")]
    known = [card for card in loot(snapshot).discards if snapshot.view.knows(card)]
    if not known:
        return [legend]
    cards = flow((_card(snapshot, card) for card in reversed(known)), columns - 2)
    return [legend, [rule(_("Discards"), columns, _("newest first")), *([("", " "), *line] for line in cards)]]


def _decks(snapshot: Snapshot) -> Line:
    rules = loot(snapshot)
    line: Line = [("", " ")]
    for i, deck in enumerate(rules.decks):
        top = [("class:dim", _("empty"))] if not deck else _card(snapshot, deck[-1])
        line += [
            ("", _("Deck {n} ").format(n=i + 1)),
            *top,
            ("", " " + ngettext("{n} card", "{n} cards", len(deck)).format(n=len(deck)) + "   "),
        ]
    return [*line, ("", _("Discards {n}").format(n=len(rules.discards)))]


def _player(snapshot: Snapshot, seat: int, columns: int) -> Line:
    """One row: whose turn, seat number, name, score, and the cards in order of arrival as everybody sees them."""
    rules = loot(snapshot)
    turn = rules.turn == seat and snapshot.phase == "play"
    name = status.player(snapshot, seat) + (" " + _("(you)") if seat == snapshot.view.seat else "")
    line: Line = [
        ("class:turn" if turn else "", pad(f"{'▸' if turn else ' '}{seat + 1} {name}", NAME)),
        ("", f"{rules.points[seat]:3}/{_goal(snapshot)}  "),
    ]
    room = columns - NAME - 8
    if state := status.link(snapshot, seat):
        calm = seat in snapshot.bots and not (status.away(snapshot, seat) or seat in snapshot.strangers)
        line.append(("class:dim" if calm else "class:warn", f"{state}  "))
        room -= len(state) + 2
    return [*line, *_backs(snapshot, rules.hands[seat], room)]


def _backs(snapshot: Snapshot, cards: Sequence[int], room: int) -> Line:
    """Cards as everybody sees them: one by one, or, where there are many, face-down ones in one pair of brackets after the others."""
    if not cards:
        return [("class:dim", _("no cards"))]
    up = [card for card in cards if (card, "face") in snapshot.view.rules.shown]
    if up:
        one_by_one = _join(_card(snapshot, card) if card in up else _face_down(snapshot, card) for card in cards)
        if line_cells(one_by_one) <= room:
            return one_by_one
        down, taken = [card for card in cards if card not in up], _join(_card(snapshot, card) for card in up)
        while line_cells(taken) > room - (FEW if down else 0) and len(up) > 1:
            up.pop()
            taken = [*_join(_card(snapshot, card) for card in up), ("", "… ")]
        return [*taken, *(_backs(snapshot, down, room - line_cells(taken)) if down else [])]
    backs = [snapshot.view.knows(card, "back") for card in cards]
    if len(cards) * 7 <= room:
        return _join(_face_down(snapshot, card) for card in cards)
    shown = backs if len(backs) * 2 + 4 <= room else backs[: max(1, (room - 8) // 2)]
    line: Line = [("", "["), *((f"class:{back}", f"{back_letter(back)} ") for back in shown), ("", "??]")]
    return line if len(shown) == len(backs) else [*line, ("", f" +{len(backs) - len(shown)}")]


def _face_down(snapshot: Snapshot, card: int) -> Line:
    back = snapshot.view.knows(card, "back")
    return [(f"class:{back}", f"[{back_letter(back)} ??]")]


def _own(snapshot: Snapshot, cards: Sequence[int], columns: int, rows: int) -> list[Line]:
    """Own cards with their faces: in words if there is room, in codes if not, counted if even these do not fit."""
    if not cards:
        return [[("class:dim", " " + _("none"))]]
    forms = ([_card_in_words(snapshot, card) for card in cards], [_card(snapshot, card) for card in cards])
    for items in forms:
        lines = [[("", " "), *line] for line in flow(items, columns - 2, "  " if items is forms[0] else " ")]
        if len(lines) <= rows:
            return lines
    rows = max(1, rows)
    lines = lines[:rows]
    hidden = len(cards) - sum(plain(line).count("[") for line in lines)
    return [*lines[:-1], [*lines[-1][:-2], ("", _("+{n}: type hand").format(n=hidden + 1))]]


def _card(snapshot: Snapshot, card: int) -> Line:
    """A card in codes: [R ??] or [R MU ch ne cr]."""
    back, face = snapshot.view.knows(card, "back"), snapshot.view.knows(card)
    codes = treasure_codes(loot(snapshot).data.treasures)
    inside = " ".join([top_code(face[0]), *(codes[kind] for kind in face[1])]) if face else "??"
    return [(f"class:{back}" if back else "", f"[{back_letter(back)} {inside}]")]


def _card_in_words(snapshot: Snapshot, card: int) -> Line:
    back, face = snapshot.view.knows(card, "back"), snapshot.view.knows(card)
    if not face:
        return _card(snapshot, card)
    top, treasures = face
    things = ", ".join(treasure_word(kind) for kind in treasures)
    return [(f"class:{back}" if back else "", f"[{back_letter(back)} {top_word(top).upper() + ': ' if top else ''}{things}]")]


def _join(items: Iterable[Line]) -> Line:
    line: Line = []
    for item in items:
        line += [*item, ("", " ")]
    return line


def _signs(snapshot: Snapshot) -> list[str]:
    """What the codes mean, those that are always on the screen first."""
    codes = treasure_codes(loot(snapshot).data.treasures)
    backs = (f"{back_letter(b)} {back_word(b)}" for b in ("red", "yellow", "green"))
    tops = (f"{top_code(t)} {top_word(t)}" for t in ("mummy", "werewolf", "frank", "amulet"))
    return ["?? " + _("hidden"), *backs, *tops, *(f"{code} {treasure_word(kind)}" for kind, code in codes.items())]


def _goal(snapshot: Snapshot) -> int:
    rules = loot(snapshot)
    return rules.data.goal(rules.seats)


# -- lines ------------------------------------------------------------------------------------------------------------


def board_words(snapshot: Snapshot) -> list[str]:
    """The whole table in sentences, for line mode and screen readers."""
    rules, lines = loot(snapshot), []
    for i, deck in enumerate(rules.decks, 1):
        if deck:
            text = ngettext("Deck {deck}: {n} card, on top {top}.", "Deck {deck}: {n} cards, on top {top}.", len(deck))
            lines.append(text.format(deck=i, n=len(deck), top=card_words(snapshot, deck[-1])))
        else:
            lines.append(_("Deck {deck}: empty.").format(deck=i))
    lines.append(ngettext("Discards: {n} card.", "Discards: {n} cards.", len(rules.discards)).format(n=len(rules.discards)))
    for seat in range(rules.seats):
        cards = rules.hands[seat]
        you = " " + _("(you)") if seat == snapshot.view.seat else ""
        backs = ", ".join(card_words(snapshot, card) for card in cards) or _("no cards")
        state = status.link(snapshot, seat)
        text = _("{seat}. {who}: {points} of {goal} points; {cards}").format(
            seat=seat + 1, who=status.player(snapshot, seat) + you, points=rules.points[seat], goal=_goal(snapshot), cards=backs
        )
        lines.append(f"{text}; {state}." if state else f"{text}.")
    return [*lines, ask(snapshot) if snapshot.asked else status.waiting(snapshot)]


def hand_words(snapshot: Snapshot) -> list[str]:
    """This seat's own cards, one a line, and what running with them is worth."""
    rules, me = loot(snapshot), snapshot.view.seat
    cards = rules.hands[me] if me is not None else []
    if not cards:
        return [_("You have no cards.")]
    lines = [_("Your card {n}: {card}").format(n=i, card=card_words(snapshot, card)) for i, card in enumerate(cards, 1)]
    faces = [snapshot.view.knows(card) for card in cards]
    if all(faces):
        n = worth(faces)
        lines.append(ngettext("Running now is worth {n} point.", "Running now is worth {n} points.", n).format(n=n))
    return lines


def completions(snapshot: Snapshot) -> tuple[str, ...]:
    """What can be typed now, in the language in use."""
    return tuple(move_phrase(snapshot, m) for m in snapshot.view.moves()) if snapshot.asked else ()


def parse(snapshot: Snapshot, typed: str) -> Move:
    """The move that was typed in English or Spanish: loot 1, run, awaken Beto (or his seat's number), keep both.  Raises ValueError."""
    words = fold(typed).split()
    rules = loot(snapshot)
    verb = VERBS.get(words[0]) if words else None
    rest = words[1:] if verb else words
    if verb == "run" and not rest:
        return ("run",)
    if verb == "loot":
        full = [deck for deck in (0, 1) if rules.decks[deck]]
        if not rest and len(full) == 1:
            return ("loot", full[0])
        if len(rest) == 1 and rest[0] in ("1", "2"):
            return ("loot", int(rest[0]) - 1)
    if verb in ("keep", None) and len(rest) == 1 and rest[0] in KEPT:
        return KEEPS[KEPT[rest[0]]]
    if verb == "wake":
        return ("wake", _seat(snapshot, " ".join(rest[1:] if rest[:1] == ["a"] and len(rest) > 1 else rest)))
    raise ValueError(typed)


def _seat(snapshot: Snapshot, words: str) -> int:
    """The seat with this number (from 1), or the only one whose name is or begins so; without words the only possible one."""
    names = [fold(clean(name)) for name in snapshot.names]
    if words.isascii() and words.isdigit():
        return int(words[:3]) - 1
    if words in names:
        return names.index(words)
    matching = [seat for seat, name in enumerate(names) if name.startswith(words) and (words or ("wake", seat) in snapshot.view.moves())]
    if len(matching) != 1:
        raise ValueError(words)
    return matching[0]


def help(snapshot: Snapshot) -> list[str]:
    """Help for the present decision, then the codes."""
    rules = loot(snapshot)
    if isinstance(rules.pending, Choose) and rules.pending.moves == "keeps":
        now = [
            _("keep none, first, second or both: what you keep joins your cards face down; the rest is discarded, unseen by others."),
        ]
    else:
        now = [
            _("loot 1 or loot 2: take the top card of that deck; only you see its face."),
            _("run: show all your cards and score a point for each treasure; a kind on two cards or more counts double."),
            _("awaken NAME: that player's cards are shown. With as many amulets as guardians the player escapes and scores them."),
            _("With more guardians the player loses the cards, and each kind of guardian serves you once:"),
            _("Mummy: you score their treasures. Werewolf: look at a card from each deck, keep what you like. Frank: another turn."),
            _("Red cards hold more treasure and more guardians (1 in 2), then yellow (1 in 3), then green (1 in 4)."),
        ]
    return [*now, "", " · ".join(_signs(snapshot))]
