"""The command `replay`: a transcript step by step, on the screen, in lines, as JSON or as one page; verified while it is shown."""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..core.claims import Refusal
from ..core.errors import LocalError
from ..core.plain import freeze
from ..core.rules import Over
from ..net.acquaintances import Acquaintances
from ..net.replay import Wrong, as_stream, opened
from ..net.roster import Roster
from ..net.store import Store, write_file
from ..net.verify import first_roster, seats_json
from .cells import clean, fold
from .exits import Exit
from .reel import Reel, reel_of
from .seats import called
from .show import status
from .show.claims import claim_words
from .terminal import Terminal, complain
from .text import _
from .typed import new_file

LONGEST = 200  # characters of a typed line
WORDS = {
    **dict.fromkeys(("", "next", "n", "siguiente"), "next"),
    **dict.fromkeys(("back", "b", "atras"), "back"),
    **dict.fromkeys(("go", "ir"), "go"),
    **dict.fromkeys(("board", "tablero"), "board"),
    **dict.fromkeys(("hand", "mano", "cartas"), "hand"),
    **dict.fromkeys(("log", "registro"), "log"),
    **dict.fromkeys(("check", "verificado"), "check"),
    **dict.fromkeys(("quit", "q", "exit", "salir"), "quit"),
}


def run(args: Namespace, terminal: Terminal) -> Exit:
    """Show the file; exit code 5 if it does not hold as far as it was shown.  Raises LocalError."""
    path, data, roster = Path(args.file), Path(args.data) if args.data else None, None
    as_object = args.json and not args.html
    known = None if args.html else Acquaintances(Store())  # who reads a page knows others
    try:
        if args.html:
            new_file(Path(args.html))
        with opened(path) as file:
            roster = first_roster(file)
            return _show(reel_of(as_stream(file), path, data, getattr(args, "as"), known), args, terminal)
    except Wrong as wrong:
        if as_object:
            print(json.dumps(_head(False, roster, known) | {"fault": wrong.as_json()}))
        else:
            complain(_("This file does not hold: {why}.").format(why=claim_words(wrong.claim)))
        return Exit.CHEAT
    except LocalError as error:
        if as_object:
            print(json.dumps(_head(False, roster, known) | {"refused": error.reason or Refusal.UNREADABLE}))
        raise


def _show(reel: Reel, args: Namespace, terminal: Terminal) -> Exit:
    if args.html:
        return _write_page(reel, Path(args.html), terminal)
    if args.json:
        return _print_json(reel)
    if terminal.mode == "screen":
        from .replay_screen import ReplayScreen

        asyncio.run(ReplayScreen(reel, terminal).run())
    else:
        _lines(reel, terminal)
    return _outcome(reel)


def _head(ok: bool, roster: Roster | None, known: Acquaintances | None) -> dict[str, Any]:
    """What every object begins with."""
    game = roster.game if roster else None
    return {"version": 1, "ok": ok, "game": game, "seats": seats_json(roster, known.of if known else None)}


def _outcome(reel: Reel) -> Exit:
    return Exit.CHEAT if reel.playback.fault is not None else Exit.OK


def fault_words(reel: Reel) -> str:
    """Why the file does not hold, or nothing."""
    fault = reel.playback.fault
    if fault is None:
        return ""
    seats = enumerate(reel.playback.roster.seats)
    who = "".join(called(seat.name, seat.identity, reel.known) + ": " for i, seat in seats if i == fault.seat)
    return _("From here on this file does not hold: {why}.").format(why=who + claim_words(fault.claim))


# -- lines ------------------------------------------------------------------------------------------------------------


def _lines(reel: Reel, terminal: Terminal) -> None:
    """Enter for the next moment; everything is appended.  Ends with standard input."""
    terminal.say(_("Enter: next.  back.  go N.  board.  hand.  log.  check.  quit."))
    _say(terminal, ["[0]", *reel.moment().fresh, *reel.show.board_words(reel.moment().snapshot)])
    while line := sys.stdin.readline(LONGEST):
        words = fold(line).split() or [""]
        query = WORDS.get(words[0])
        snapshot = reel.moment().snapshot
        if query == "quit":
            return
        if query == "board":
            _say(terminal, reel.show.board_words(snapshot))
        elif query == "hand":
            _say(terminal, [_("A spectator has no cards.")] if snapshot.view.seat is None else reel.show.hand_words(snapshot))
        elif query == "log":
            _say(terminal, reel.moment().words)
        elif query == "check":
            terminal.say(status.checked(snapshot))
        elif query in ("next", "back", "go"):
            _walk(reel, terminal, query, words[1:])
        else:
            terminal.say(_("«{typed}» is no command here.").format(typed=clean(line.strip(), 40)))


def _walk(reel: Reel, terminal: Terminal, query: str, rest: list[str]) -> None:
    if query == "go" and not (rest and rest[0].isascii() and rest[0].isdigit()):
        terminal.say(_("Where to?  For example: go 20"))
        return
    target = int(rest[0][:9]) if query == "go" else reel.at + (1 if query == "next" else -1)
    moved = reel.go(target)
    if not moved and query == "next":
        terminal.say(_("That was the last moment."))
    else:
        _tell(reel, terminal, reel.moment().fresh)


def _tell(reel: Reel, terminal: Terminal, texts: Sequence[str]) -> None:
    snapshot = reel.moment().snapshot
    now = fault_words(reel) if snapshot.phase == "ended" else reel.show.ask(snapshot) if snapshot.asked else status.waiting(snapshot)
    _say(terminal, [f"[{reel.at}]", *texts, now])
    if reel.playback.at_end and reel.at == len(reel.playback.frames) - 1:
        terminal.say(reel.where())


def _say(terminal: Terminal, texts: Sequence[str]) -> None:
    for text in texts:
        if text:
            terminal.say(text)


# -- for programs, and as a page --------------------------------------------------------------------------------------


def _to_the_end(reel: Reel) -> None:
    while reel.go(reel.at + 1):
        pass


def _print_json(reel: Reel) -> Exit:
    _to_the_end(reel)
    print(json.dumps(as_json(reel)))
    return _outcome(reel)


def as_json(reel: Reel) -> dict[str, Any]:
    """The documented form, version 1, of a reel that has been verified to its end."""
    back = reel.playback
    over = back.frames[-1].view.pending
    told, frames = 0, []
    for number, snapshot in enumerate(back.frames):
        events = [{"id": e.id, "seat": e.seat, "args": _plain(e.args)} for e in snapshot.log[told:]]
        told = max(told, len(snapshot.log))
        frames.append({"step": snapshot.step, "phase": snapshot.phase, "events": events, "words": list(reel.moment(number).fresh)})
    ended = back.complete and isinstance(over, Over)
    return _head(back.fault is None, back.roster, reel.known) | {
        "complete": back.complete,
        "as": back.seat,
        "winners": list(over.winners) if ended and isinstance(over, Over) else [],
        "scores": list(over.scores) if ended and isinstance(over, Over) else [],
        "fault": back.fault.as_json() if back.fault else None,
        "frames": frames,
    }


def _plain(value: Any) -> Any:
    """Plain data as JSON has it."""
    value = freeze(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


def _write_page(reel: Reel, path: Path, terminal: Terminal) -> Exit:
    from .page import page

    _to_the_end(reel)
    write_file(path, (piece.encode() for piece in page(reel)))
    terminal.say(_("The page is written: {path}").format(path=clean(str(path), 4096)))
    if reel.playback.fault is not None:
        complain(fault_words(reel))
    return _outcome(reel)
