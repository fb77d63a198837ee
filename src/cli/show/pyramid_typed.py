"""Which move of Pyramid a typed line means, in English or Spanish; it draws nothing."""

import re

from ...core.games.pyramid_data import ARROW
from ...core.rules import Choose, Hide, Move
from ...core.view import Snapshot
from ..cells import fold
from .pyramid_words import pyramid, symbol_word

SIDE = {"up": -1, "arriba": -1, "down": 1, "abajo": 1}
ACROSS = {"left": -1, "izquierda": -1, "right": 1, "derecha": 1}
WORDS = {
    **dict.fromkeys(("keep", "conservar", "mantener"), "keep"),
    **dict.fromkeys(("reset", "reiniciar"), "reset"),
    **dict.fromkeys(("again", "roll", "otra vez", "otra", "tirar"), "again"),
    **dict.fromkeys(("pass", "pasar", "paso"), "pass"),
    **dict.fromkeys(("stop", "stay", "parar", "quedarse"), "stop"),
}
VERBS = {
    **dict.fromkeys(("step", "paso", "go", "ir"), "step"),
    **dict.fromkeys(("die", "dado"), "die"),
    **dict.fromkeys(("move", "mover", "mueve"), "face"),
    **dict.fromkeys(("play", "jugar", "juega"), "play"),
}
FACES = {"arrow": ARROW, ">": ARROW, "flecha": ARROW, "1": 1, "2": 2, "3": 3, "4": 4}


def parse(snapshot: Snapshot, typed: str) -> Move:
    """The move that was typed in English or Spanish; raises ValueError.

    keep, reset, again, die 2 or move 3 or arrow, g7, play 1 or the symbol's name, pass, stop, step g7 or g7 or up, down, left, right.
    """
    rules, request = pyramid(snapshot), snapshot.view.asked()
    text = fold(typed)
    words = text.split()
    plan = rules.data.board
    if isinstance(request, Hide):
        return plan.named(words[-1] if words[:-1] in ([], ["to"], ["a"], ["go"], ["ir"]) and words else "")
    if text in WORDS:
        return (WORDS[text],)
    paces = isinstance(request, Choose) and request.moves == "paces"
    if paces and len(words) == 1 and (text in SIDE or text in ACROSS):
        return ("step", rules.mummy + SIDE.get(text, 0) * plan.columns + ACROSS.get(text, 0))
    if paces and len(words) == 1 and re.fullmatch(r"[a-z][0-9]{1,2}", text):
        return ("step", plan.named(text))
    if len(words) == 2 and VERBS.get(words[0]) == "step":
        return ("step", plan.named(words[1]))
    if len(words) == 2 and VERBS.get(words[0]) in ("die", "play") and re.fullmatch("[1-9][0-9]?", words[1]):
        return (VERBS[words[0]], int(words[1]) - 1)
    face = FACES.get(words[-1]) if words and (words == ["arrow"] or words == ["flecha"] or VERBS.get(words[0]) == "face") else None
    if face and len(words) <= 2:
        return ("die", next(iter([n for n, die in enumerate(rules.dice) if snapshot.view.knows(die) == face]), len(rules.dice)))
    return _mission_named(snapshot, " ".join(words[1:] if words and VERBS.get(words[0]) == "play" else words))


def _mission_named(snapshot: Snapshot, text: str) -> Move:
    """The mission with this symbol, by name or sign."""
    me = snapshot.view.seat
    for n, card in enumerate(pyramid(snapshot).missions[me] if me is not None else ()):
        face = snapshot.view.knows(card)
        if face and text in (face, fold(symbol_word(snapshot, face))):
            return ("play", n)
    raise ValueError("no move of Pyramid")
