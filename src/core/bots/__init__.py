"""Players that see one seat's redacted rules and answer a request; know nothing that the seat does not."""

from ..chance import Rng, pick
from ..errors import LocalError
from ..rules import Move
from ..view import View
from . import crypt, loot, pyramid, scarabya

LEVELS = ("random", "sensible")
SENSIBLE = {"crypt": crypt.decide, "loot": loot.decide, "pyramid": pyramid.decide, "scarabya": scarabya.decide}


def decide(level: str, view: View, rng: Rng) -> Move:
    """A legal move for the decision that `view` is asked for; raises LocalError if it is asked for none or the level is unknown."""
    moves = view.moves()
    if level not in LEVELS:
        raise LocalError(f"no bot is called {level!r}; there are {', '.join(LEVELS)}")
    if not moves:
        raise LocalError("this seat is not asked for a move")
    if level == "random" or len(moves) == 1:
        return pick(rng, moves)
    return SENSIBLE[view.rules.NAME](view, moves, rng)
