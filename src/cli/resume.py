"""Which of several interrupted matches to go on with: it lists them and asks; it plays nothing itself."""

import sys
import time

from ..net.enter import Kept, interrupted
from ..net.search import NothingFound
from ..net.store import Store
from .cells import clean, fold
from .show import GAMES, show_of
from .terminal import Terminal, complain
from .text import _
from .words import Usage


def which(store: Store, terminal: Terminal, named: str | None) -> Kept:
    """The match that is meant: the named one, the only one, or the one that a person chooses.  Raises LocalError, KeyboardInterrupt."""
    matches = interrupted(store)
    if not matches:
        raise NothingFound("There is no match to resume.")
    if named is not None:
        found = [match for match in matches if match.id.startswith(fold(named))]
        if len(found) == 1:
            return found[0]
        _list(terminal, matches)
        raise Usage("No match, or more than one, is called {0}.", named)
    if len(matches) == 1:
        return matches[0]
    _list(terminal, matches)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Usage("Several matches wait; name one: mastaba resume {0}", matches[0].id)
    while True:
        terminal.say(_("Which one? Type its number; Enter takes 1."))
        line = sys.stdin.readline()
        if not line:
            raise Usage("Several matches wait; name one: mastaba resume {0}", matches[0].id)
        number = line.strip() or "1"
        if number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= len(matches):
            return matches[int(number[:6]) - 1]
        complain(_("There is no choice {number}; choose from 1 to {last}.").format(number=clean(number, 6), last=len(matches)))


def _list(terminal: Terminal, matches: list[Kept]) -> None:
    """One line a match: number, name, game, since when it waits, players."""
    for number, match in enumerate(matches, 1):
        roster = match.roster
        title = show_of(roster.game).title() if roster.game in GAMES else clean(roster.game, 12)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(match.changed))
        terminal.say(f"{number}. {match.id}  {title}, {when}: {', '.join(clean(seat.name, 24) for seat in roster.seats)}")
