"""The Crypt in words: treasures, collectors, events, moves and reasons in the language in use; knows no layout."""

from collections.abc import Callable, Iterable
from itertools import islice

from ...core.games.crypt import Crypt
from ...core.rules import Event, Move
from ...core.view import Snapshot
from ..cells import clean
from ..text import _, ngettext, pgettext
from .status import absent, player, players

Part = tuple[int, int, int]  # (place, effort, dice)


def crypt(snapshot: Snapshot) -> Crypt:
    """The snapshot's rules, as what they are."""
    rules = snapshot.view.rules
    assert isinstance(rules, Crypt)
    return rules


def type_word(kind: str) -> str:
    words = {
        "idol": _("Idol"),
        "jewelry": _("Jewelry"),
        "manuscript": _("Manuscript"),
        "pottery": _("Pottery"),
        "remains": _("Remains"),
        "tapestry": _("Tapestry"),
    }
    return words[kind]


def type_code(kind: str) -> str:
    """Two capitals, distinct without colour."""
    codes = {
        "idol": pgettext("treasure", "ID"),
        "jewelry": pgettext("treasure", "JE"),
        "manuscript": pgettext("treasure", "MA"),
        "pottery": pgettext("treasure", "PO"),
        "remains": pgettext("treasure", "RE"),
        "tapestry": pgettext("treasure", "TA"),
    }
    return codes[kind]


def treasure(kind: str | None, value: int | None) -> str:
    """A treasure by its type and value, "?" for a value that is not known; the type is not known while the card is being turned."""
    if kind is None:
        return _("a treasure")
    return f"{type_word(kind)} {'?' if value is None else value}"


def treasures(kinds: Iterable[str], values: Iterable[int | None]) -> str:
    return ", ".join(treasure(kind, value) for kind, value in zip(kinds, values, strict=True))


def card_words(snapshot: Snapshot, card: int) -> str:
    """A treasure as this seat knows it."""
    return treasure(snapshot.view.knows(card, "back"), snapshot.view.knows(card))


def looked(snapshot: Snapshot) -> list[str]:
    """What this seat alone knows of the treasures that lie face down in the crypt, in a sentence; none if nothing."""
    row = [(place, card, snapshot.view.knows(card)) for place, card in enumerate(crypt(snapshot).row) if card is not None]
    seen = [(place, value) for place, card, value in row if value is not None and (card, "face") not in crypt(snapshot).shown]
    words = ", ".join(_("treasure {place}: {value}").format(place=place + 1, value=value) for place, value in seen)
    return [_("You have looked; only you know {treasures}.").format(treasures=words)] if seen else []


def dice_words(effort: int, dice: int) -> str:
    """Dice with one effort: "5", or "3x2" for two dice."""
    return f"{effort}x{dice}" if dice > 1 else str(effort)


def times(n: int) -> str:
    """A number of dice."""
    return ngettext("{n} die", "{n} dice", n).format(n=n)


# -- collectors -------------------------------------------------------------------------------------------------------


def collector(kind: str, side: str) -> str:
    """What a collector gives, in one sentence."""
    texts = {
        "idola": _("flip one to roll an exhausted die again after Collect"),
        "idolb": _("the first with two flips them for +5; two or more later: +2"),
        "jewelrya": _("with two or more, the dearest counts twice"),
        "jewelryb": _("+1 for each"),
        "manuscripta": _("with two or more, each counts 4"),
        "manuscriptb": _("flip one to see what lies face down in the crypt"),
        "potterya": _("two +2, three +4, four or more +8"),
        "potteryb": _("before Claim, flip two to take a face-down treasure"),
        "remainsa": _("flip two to make an exhausted die free"),
        "remainsb": _("four or more: +10"),
        "tapestrya": _("the most coins in Tapestries: +5, all who tie"),
        "tapestryb": _("three or more: +7 if alone, else +4"),
    }
    return texts[kind + side]


NEED = {"idola": 1, "idolb": 2, "jewelrya": 2, "jewelryb": 1, "manuscripta": 2, "manuscriptb": 1} | {
    **{"potterya": 2, "potteryb": 2, "remainsa": 2, "remainsb": 4, "tapestrya": 1, "tapestryb": 3},
}
FLIPS = ("idola", "manuscriptb", "potteryb", "remainsa")  # sides that need treasures face down


def standing(snapshot: Snapshot, seat: int, kind: str) -> str:
    """What the seat still needs for a collector, or that it has enough."""
    rules = crypt(snapshot)
    side = kind + rules.side(kind)
    if side == "idolb" and rules.idol_first:
        if seat in rules.idol_first:
            return _("you have the +5")
        taken = _("the +5 is taken by {who}").format(who=players(snapshot, tuple(rules.idol_first)))
        missing = 2 - len(rules.column(seat, kind))
        return taken + ", " + (_more(missing) if missing > 0 else _("you have the +2"))
    have = len(rules.unflipped(seat, kind) if side in FLIPS else rules.column(seat, kind))
    if have < NEED[side]:
        return _more(NEED[side] - have)
    if side in FLIPS:
        return ngettext("you can flip {n}", "you can flip {n}", have).format(n=have)
    return _("you have {n}").format(n=have)


def _more(n: int) -> str:
    return ngettext("you need {n} more", "you need {n} more", n).format(n=n)


def collector_words(snapshot: Snapshot, kind: str) -> str:
    """A collector, and what this seat still needs."""
    side = crypt(snapshot).side(kind)
    text = f"{type_word(kind)} {side.upper()}: {collector(kind, side)}"
    return f"{text}; {standing(snapshot, snapshot.view.seat, kind)}" if snapshot.view.seat is not None else text


# -- moves ------------------------------------------------------------------------------------------------------------


def example_claim(claims: Iterable[Move]) -> str:
    """A claim that is legal now, as it is typed: if that can be, of two treasures and with more effort than one; empty if there is none."""
    few = list(islice(claims, 200))
    better = [move for move in few if any(effort > 1 for _place, effort, _dice in move[1:])] or few
    best = next((move for move in better if len(move) > 2), better[-1] if better else None)
    return move_phrase(best) if best is not None else ""


def move_phrase(move: Move) -> str:
    """The move as it is typed in the language in use."""
    verb, *rest = move
    numbers = " ".join(str(number + 1) for number in rest) if verb != "claim" else ""
    if verb == "claim":
        return _("claim {parts}").format(parts=" ".join(f"{place + 1}:{dice_words(effort, dice)}" for place, effort, dice in rest))
    if verb == "reroll":
        return _("reroll {idol} {effort}").format(idol=rest[0] + 1, effort=rest[1])
    texts = {"recover": _("recover"), "done": _("done"), "look": _("look"), "heal": _("heal"), "take": _("take")}
    return f"{texts[verb]} {numbers}".strip()


def why(reason: str) -> str:
    """Why a move is not legal, by the rules' reason id."""
    reasons = {
        "empty-place": _("There is no treasure left at that place."),
        "already-yours": _("Your dice lie there already: no more can be added."),
        "no-such-place": _("There is no such place in the crypt."),
        "no-such-effort": _("A die shows 1 to 6."),
        "no-dice": _("A claim needs at least one die on each treasure."),
        "not-in-order": _("Name each treasure once, in ascending order."),
        "not-enough-dice": _("You have not so many free dice."),
        "one-treasure-only": _("In the last turn of a round you can claim one treasure only."),
        "too-weak": _("You need a higher total than the dice that lie there."),
        "not-in-play": _("That side of the collector is not in play."),
        "already-looked": _("You have looked already in this round."),
        "nothing-face-down": _("Nothing lies face down in the crypt."),
        "nothing-exhausted": _("You have no exhausted die."),
        "no-such-treasure": _("You have no such treasure."),
        "already-flipped": _("That treasure is flipped already."),
        "not-face-down": _("No treasure lies face down at that place."),
        "no-such-die": _("You have no die with that effort that was exhausted just now."),
        "not-now": _("That cannot be done now."),
        "no-such-move": _("That is no move of this game."),
    }
    return reasons.get(reason) or _("That is not allowed now ({reason}).").format(reason=clean(reason))


# -- events -----------------------------------------------------------------------------------------------------------


def event_words(snapshot: Snapshot, event: Event) -> str:
    """What has happened, as one sentence that every seat reads alike; empty for what needs no words."""
    words = _EVENTS.get(event.id)
    if words is None:
        return ""
    return words(snapshot, "" if event.seat is None else player(snapshot, event.seat), *event.args)


def part_word(part: str) -> str:
    """Where points come from."""
    return {"coins": _("coins"), "dice": _("free dice")}.get(part) or type_word(part)


def _claim(s: Snapshot, who: str, parts: tuple[Part, ...]) -> str:
    claims = ", ".join(_("treasure {place} with {dice}").format(place=place + 1, dice=dice_words(e, n)) for place, e, n in parts)
    return _("{who} claims {claims}.").format(who=who, claims=claims)


def _rolled(s: Snapshot, who: str, rolls: tuple[Part, ...]) -> str:
    def roll(effort: int, value: int) -> str:
        text = _("effort {effort} rolls {value}, exhausted") if value < effort else _("effort {effort} rolls {value}")
        return text.format(effort=effort, value=value)

    return f"{who}: " + "; ".join(roll(effort, value) for _place, effort, value in rolls) + "."


def _recover(s: Snapshot, who: str, n: int) -> str:
    if not n:
        return _("{who} recovers nothing and waits.").format(who=who)
    return _("{who} recovers {dice}.").format(who=who, dice=times(n))


def _reroll(s: Snapshot, who: str, effort: int, value: int) -> str:
    text = _("{who} rolls again: effort {effort} rolls {value}, still exhausted.") if value < effort else ""
    return (text or _("{who} rolls again: effort {effort} rolls {value}, free.")).format(who=who, effort=effort, value=value)


def _scored(s: Snapshot, who: str, points: int, parts: tuple[tuple[str, int], ...]) -> str:
    text = ngettext("{who} has {n} point: {parts}.", "{who} has {n} points: {parts}.", points)
    return text.format(who=who, n=points, parts=", ".join(f"{part_word(part)} {n}" for part, n in parts))


def _tied(s: Snapshot, who: str, values: tuple[int, ...]) -> str:
    if not values:
        return _("{who} has no free die to roll.").format(who=who)
    return _("{who} rolls {values} = {sum}.").format(who=who, values=" + ".join(map(str, values)), sum=sum(values))


def _over(s: Snapshot, who: str, scores: tuple[int, ...], winners: tuple[int, ...]) -> str:
    points = ", ".join(f"{player(s, seat)} {score}" for seat, score in enumerate(scores))
    return _("The game is over: {points}. Won by {who}.").format(points=points, who=players(s, winners))


_EVENTS: dict[str, Callable[..., str]] = {
    "first": lambda s, who: _("{who} is the first leader.").format(who=who),
    "shuffled": lambda s, _who, n: _("{n} treasures are shuffled.").format(n=n),
    "round": lambda s, who, n, left: _("Round {n}: {who} leads.").format(n=n, who=who),
    "crypt": lambda s, _who, cards, kinds, values: _("In the crypt: {treasures}.").format(treasures=treasures(kinds, values)),
    "claim": _claim,
    "pushed": lambda s, who, by, place, dice: _("{who} is pushed off treasure {place} and takes back {dice}.").format(
        who=who, place=place + 1, dice=times(dice)
    ),
    "recover": _recover,
    "skipped": lambda s, who: _("{who} can do nothing.").format(who=who),
    "look": lambda s, who, places: _("Manuscript: {who} looks at what lies face down.").format(who=who),
    "heal": lambda s, who: _("Remains: {who} makes an exhausted die free.").format(who=who),
    "take": lambda s, who, place, card, kind: _("Pottery: {who} takes treasure {place}: {kind}, face down.").format(
        who=who, place=place + 1, kind=type_word(kind)
    ),
    "flip": lambda s, who, kind, cards, values: _("{who} flips {treasures}.").format(
        who=who, treasures=treasures([kind] * len(values), values)
    ),
    "discarded": lambda s, _who, cards, kinds, values: _("Nobody claimed {treasures}.").format(treasures=treasures(kinds, values)),
    "rested": lambda s, who, n: _("{who} was pushed out everywhere and recovers {dice}.").format(who=who, dice=times(n)),
    "collected": lambda s, who, cards, kinds: _("{who} collects {kinds}.").format(who=who, kinds=", ".join(map(type_word, kinds))),
    "rolled": _rolled,
    "reroll": _reroll,
    "idols": lambda s, who: _("{who} is the first with two Idols: +5.").format(who=who),
    "final": lambda s, _who: _("The deck is empty: the game ends."),
    "scored": _scored,
    "tie": lambda s, _who, seats: _("{who} tie and roll their free dice.").format(who=players(s, seats)),
    "tied": _tied,
    "over": _over,
    "left": lambda s, who, moved=False: _("{who} has left; the treasures are out of the game.").format(who=who) + absent(who, moved),
}
