"""Loot N Run in words: cards, events, moves and reasons in the language in use; knows no layout."""

from collections.abc import Callable, Iterable

from ...core.games.loot import Loot
from ...core.rules import Event, Move
from ...core.view import Snapshot
from ..cells import clean
from ..text import _, ngettext, pgettext
from .status import absent, player, players

Face = tuple[str, tuple[str, ...]]


def loot(snapshot: Snapshot) -> Loot:
    """The snapshot's rules, as what they are."""
    rules = snapshot.view.rules
    assert isinstance(rules, Loot)
    return rules


def back_word(back: str) -> str:
    return {"red": _("red"), "yellow": _("yellow"), "green": _("green")}[back]


def back_letter(back: str | None) -> str:
    """One letter, distinct without colour."""
    letters = {"red": pgettext("back", "R"), "yellow": pgettext("back", "Y"), "green": pgettext("back", "G")}
    return letters[back] if back else "?"


def top_word(top: str) -> str:
    """The guardian or amulet in the upper half of a face; "nothing" for an empty one."""
    return {"mummy": _("Mummy"), "werewolf": _("Werewolf"), "frank": _("Frank"), "amulet": _("amulet"), "": _("nothing")}[top]


def top_code(top: str) -> str:
    """Two letters: capitals for guardians and amulets."""
    codes = {
        "mummy": pgettext("code", "MU"),
        "werewolf": pgettext("code", "WE"),
        "frank": pgettext("code", "FR"),
        "amulet": pgettext("code", "AM"),
    }
    return codes.get(top, "--")


def treasure_word(kind: str) -> str:
    """The treasure's name; kinds of a table of one's own are called as the table calls them."""
    words = {
        "cup": _("cup"),
        "chest": _("chest"),
        "necklace": _("necklace"),
        "crown": _("crown"),
        "ring": _("ring"),
        "scarab": _("scarab"),
    }
    return words.get(kind) or clean(kind)


def treasure_codes(kinds: Iterable[str]) -> dict[str, str]:
    """Two small letters a kind, no two alike: the usual ones, else the first free pair of the kind's own letters."""
    usual = {
        "cup": pgettext("code", "cu"),
        "chest": pgettext("code", "ch"),
        "necklace": pgettext("code", "ne"),
        "crown": pgettext("code", "cr"),
        "ring": pgettext("code", "ri"),
        "scarab": pgettext("code", "sc"),
    }
    codes = {kind: usual[kind] for kind in kinds if kind in usual}
    for kind in kinds:
        letters = [c for c in kind if c.isalpha()] + list("abcdefghijklmnopqrstuvwxyz")
        free = (letters[0] + c for c in letters[1:] if letters[0] + c not in codes.values())
        codes.setdefault(kind, next(free, "??"))
    return codes


def face_words(face: Face) -> str:
    """A face as read aloud: what the upper half holds, then the treasures."""
    top, treasures = face
    things = ", ".join(treasure_word(kind) for kind in treasures)
    return f"{top_word(top)}: {things}" if top else things


def card_words(snapshot: Snapshot, card: int) -> str:
    """A card as this seat knows it: its back, and its face or that it is hidden."""
    back, face = snapshot.view.knows(card, "back"), snapshot.view.knows(card)
    colour = back_word(back) if back else _("unknown back")
    return f"{colour} ({face_words(face)})" if face else _("{colour} (hidden)").format(colour=colour)


def backs_words(backs: Iterable[str]) -> str:
    """Backs in order, in words."""
    return ", ".join(back_word(back) for back in backs) or _("none")


def move_phrase(snapshot: Snapshot, move: Move) -> str:
    """The move as it is typed in the language in use."""
    verb = move[0]
    if verb == "loot":
        return _("loot {deck}").format(deck=move[1] + 1)
    if verb == "run":
        return _("run")
    if verb == "wake":
        return _("awaken {who}").format(who=player(snapshot, move[1]))
    keep = {("keep",): _("keep none"), ("keep", 0): _("keep first"), ("keep", 1): _("keep second"), ("keep", 0, 1): _("keep both")}
    return keep[move]


def event_words(snapshot: Snapshot, event: Event) -> str:
    """What has happened, as one sentence that every seat reads alike; empty for what needs no words."""
    words = _EVENTS.get(event.id)
    if words is None:
        return ""
    return words(snapshot, "" if event.seat is None else player(snapshot, event.seat), *event.args)


def _scored(s: Snapshot, who: str, points: int, parts: tuple[tuple[str, int, int], ...]) -> str:
    def part(kind: str, symbols: int, worth: int) -> str:
        count = f"{symbols} {treasure_word(kind)}"
        return f"{count} x2 = {worth}" if worth > symbols else count

    text = ngettext("{who} scores {n} point: {parts}.", "{who} scores {n} points: {parts}.", points)
    return text.format(who=who, n=points, parts=", ".join(part(*p) for p in parts))


def _kept(s: Snapshot, who: str, cards: tuple[int, ...], backs: tuple[str, ...], rejected: tuple[int, ...], others: tuple[str, ...]) -> str:
    return _("{who} keeps {kept} and discards, face down, {rejected}.").format(
        who=who, kept=backs_words(backs), rejected=backs_words(others)
    )


def _revealed(s: Snapshot, who: str, cards: tuple[int, ...], faces: tuple[Face, ...]) -> str:
    return _("{who} shows {faces}.").format(who=who, faces=" | ".join(face_words(face) for face in faces))


def _over(s: Snapshot, who: str, scores: tuple[int, ...], winners: tuple[int, ...]) -> str:
    points = ", ".join(f"{player(s, seat)} {score}" for seat, score in enumerate(scores))
    return _("The game is over: {points}. Won by {who}.").format(points=points, who=players(s, winners))


_EVENTS: dict[str, Callable[..., str]] = {
    "first": lambda s, who: _("{who} is the first player.").format(who=who),
    "shuffled": lambda s, _who, a, b: _("The cards are shuffled and cut into decks of {a} and {b}.").format(a=a, b=b),
    "rebuilt": lambda s, _who, a, b: _("A deck was empty: decks and discards are shuffled into decks of {a} and {b}.").format(a=a, b=b),
    "loot": lambda s, who, deck, card, back: _("{who} loots deck {deck}: a {colour} card.").format(
        who=who, deck=deck + 1, colour=back_word(back)
    ),
    "run": lambda s, who, cards: ngettext("{who} runs with {n} card.", "{who} runs with {n} cards.", len(cards)).format(
        who=who, n=len(cards)
    ),
    "wake": lambda s, who, target, cards: _("{who} awakens the guardians of {target}.").format(who=who, target=player(s, target)),
    "revealed": _revealed,
    "escaped": lambda s, who, by: _("{who} escapes!").format(who=who),
    "caught": lambda s, who, by: _("{who} is caught and scores nothing.").format(who=who),
    "mummy": lambda s, who, target: _("Mummy: {who} scores the treasures of {target}.").format(who=who, target=player(s, target)),
    "werewolf": lambda s, who, cards, backs: _("Werewolf: {who} looks at {backs}.").format(who=who, backs=backs_words(backs)),
    "no-draw": lambda s, who: _("Werewolf: there is no card that {who} could draw.").format(who=who),
    "kept": _kept,
    "frank": lambda s, who: _("Frank: {who} has another turn.").format(who=who),
    "scored": _scored,
    "passed": lambda s, who: _("{who} can do nothing and passes.").format(who=who),
    "goal": lambda s, who, points: _("{who} has reached the goal with {n}: everybody shows the cards that are left.").format(
        who=who, n=points
    ),
    "over": _over,
    "left": lambda s, who, moved=False: _("{who} has left; the cards go to the discards.").format(who=who) + absent(who, moved),
    "lost": lambda s, who: _("{who} does not answer any more: the others go on, and show the cards they have.").format(who=who),
    "relaid": lambda s, _who, a, b: _("The cards that nobody has seen are shuffled into decks of {a} and {b}.").format(a=a, b=b),
}


def why(reason: str) -> str:
    """Why a move is not legal, by the rules' reason id."""
    reasons = {
        "no-cards": _("You need at least one card of your own for that: loot first."),
        "target-no-cards": _("That player has no cards to be awakened."),
        "not-yourself": _("You cannot awaken your own guardians: choose another player."),
        "has-left": _("That player has left."),
        "empty-deck": _("That deck is empty."),
        "no-such-deck": _("There are two decks: 1 and 2."),
        "no-such-seat": _("There is no such player at this table."),
        "not-drawn": _("You have drawn only one card: keep first, or keep none."),
        "not-now": _("That cannot be done now."),
        "no-such-move": _("That is no move of this game."),
    }
    return reasons.get(reason) or _("That is not allowed now ({reason}).").format(reason=clean(reason))
