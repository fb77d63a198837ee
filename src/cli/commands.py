"""What each command does: it joins the client to a renderer, and turns every failure into one sentence and an exit code.

What a command alone needs is imported by it: the first picture of the lobby shall not wait for the games and the network.
"""

import asyncio
import contextlib
import logging
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import LocalError
from ..net.store import Store
from . import text
from .cells import clean
from .exits import Exit
from .log import log_path, log_to_file
from .name import is_known, player_name
from .terminal import Terminal, complain
from .text import _
from .words import Usage, error_words, exit_code

if TYPE_CHECKING:
    from ..net.client import Client
    from ..net.identity import Identity
    from .play import Enter

log = logging.getLogger(__name__)
PAGE = 80  # cells for which the pages of rules are set


def guarded(args: Namespace) -> int:
    """Run the command; nothing but an exit code and one sentence comes out of a failure, details go to the log file."""
    try:
        log_to_file()
        if interfaces := getattr(args, "interface", None):
            from ..net.addresses import choose_interfaces

            choose_interfaces(interfaces)
        return int(COMMANDS[args.command](args))
    except LocalError as error:
        log.info("refused: %s", error.sentence)  # the details may name a machine
        complain(error_words(error))
        return int(exit_code(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: no second failure at exit
        return Exit.FAILURE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except OSError as error:
        log.exception("the system refused")
        complain(_("The system refuses: {why}.").format(why=clean(str(error.strerror or error))))
    except Exception:
        log.exception("a fault of the program")
        complain(_("Something went wrong inside the program; the details are in {path}.").format(path=clean(str(log_path()), 4096)))
    return Exit.FAILURE


def terminal(args: Namespace) -> Terminal:
    """The terminal of this process, as the flags want it."""
    return Terminal.of(args, os.environ, sys.stdin.isatty(), sys.stdout.isatty(), sys.stdout.encoding or "ascii")


# -- matches ----------------------------------------------------------------------------------------------------------


def open_(args: Namespace) -> Exit:
    from ..core.games import GAMES
    from ..core.rules import Options
    from ..net.code import draw
    from ..net.enter import open_table

    size = max(GAMES[args.game].rules.SEATS) if args.seats is None else args.seats
    _check_table(args.game, size)
    _check_variant(args.game, args.variant)
    if args.first is not None and not 1 <= args.first <= size:
        raise Usage("There is no seat {0} at this table.", args.first)
    if args.no_audit and args.game != "pyramid":
        raise Usage("Only Pyramid has an audit at the end.")
    first, watch = None if args.first is None else args.first - 1, not (args.no_watch or args.private)
    options = Options(first, args.grace, args.variant, watch, not args.no_audit)
    store = Store()
    kind: dict[str, Any] = {"name": player_name(args.name, store.root), "options": options, "data": _path(args.data)}

    code = draw(os.urandom) if args.private else ""

    kind |= {"code": code, "bot": _by_bot(args), "loopback": args.loopback, "tag": args.tag, "fresh": _fresh(args)}

    def again(client: "Client") -> "Enter":
        """Where the others were linked with us they look for us again."""
        port = client.places[0][1] if client.places else args.port
        players = client.players  # it may have begun with fewer than it was opened for
        return lambda: open_table(store, args.game, len(players), **kind, kept=players, port=port, slot=client.profile.slot)

    return _match(args, lambda: open_table(store, args.game, size, **kind, port=args.port), again=again)


def join(args: Namespace) -> Exit:
    from ..net.enter import interrupted, join_table, rejoin_table

    store = Store()
    kind = _seat(args, store) | {"fresh": _fresh(args)}

    def again(client: "Client") -> "Enter":
        """Whoever opened the table opens the next."""
        opener, where, code, kept, slot = client.opener, client.opener_at, client.code, client.players, client.profile.slot
        return _rejoined(terminal(args), client, lambda: rejoin_table(store, where, opener, code, kept=kept, slot=slot, **kind))

    try:
        return _match(args, lambda: join_table(store, args.table, **kind), _("Looking for the table."), again)
    except LocalError as error:
        if getattr(error, "reason", "") in ("playing", "full", "no-table"):
            with contextlib.suppress(LocalError):
                if interrupted(store):
                    complain(_("A seat of yours waits in a match that is not over: {command}").format(command=terminal(args).resume()))
        raise


def watch(args: Namespace) -> Exit:
    from ..net.enter import watch_table

    store = Store()
    named = args.name or (is_known(store.root) and not args.fresh)
    name = player_name(args.name, store.root) if named else ""
    kind: dict[str, Any] = {"name": name, "loopback": args.loopback, "tag": args.tag or "", "fresh": _fresh(args)}
    return _match(args, lambda: watch_table(store, args.table, **kind), _("Looking for a table to watch."))


def resume(args: Namespace) -> Exit:
    from ..net.enter import open_table, rejoin_table, resume
    from .resume import which

    store, here = Store(), terminal(args)
    match = which(store, here, getattr(args, "match", None))
    kind = _seat(args, store)
    roster = match.roster

    def again(client: "Client") -> "Enter":
        """As after a match that was not interrupted."""
        following: dict[str, Any] = {"kept": client.players, "slot": match.slot, "fresh": client.fresh}
        if client.opener[1] != client.identity.public:
            return _rejoined(here, client, lambda: rejoin_table(store, client.opener_at, client.opener, "", **following, **kind))
        following |= {"options": roster.options, "data": match.toml or None, "port": client.places[0][1] if client.places else 0}
        return lambda: open_table(store, roster.game, len(roster.seats), **following, **kind)

    # whether the table wanted code words is not known any more, so only one that all may watch is opened again
    return _match(args, lambda: resume(store, match, loopback=args.loopback, tag=args.tag), again=again if roster.options.watch else None)


def play(args: Namespace) -> Exit:
    from ..core.rules import Options
    from ..net.practice import practice

    _check_size(args.game, args.bots + 1, bots=True)
    _check_variant(args.game, args.variant)
    store = Store()
    kind: dict[str, Any] = {"name": player_name(args.name, store.root), "options": Options(variant=args.variant), "data": _path(args.data)}

    def enter() -> "AbstractAsyncContextManager[Client]":
        return practice(store, args.game, args.bots, args.level, **kind)

    return _match(args, enter, again=lambda client: enter)


def tutorial(args: Namespace) -> Exit:
    """A guided beginning: the person starts, at Pyramid as a hunter."""
    from ..core.rules import Options
    from ..net.practice import practice
    from .play import run
    from .tutorial import Guide

    store = Store()
    options = Options(first=1 if args.game == "pyramid" else 0)
    name = player_name(args.name, store.root)
    return asyncio.run(run(lambda: practice(store, args.game, 1, name=name, options=options), terminal(args), guide=Guide()))


def demo(args: Namespace) -> Exit:
    from .demo import run

    _check_table(args.game, args.seats)
    return run(args, terminal(args))


def _rejoined(here: Terminal, client: "Client", enter: "Enter") -> "Enter":
    here.say(_("Waiting for {who} to open the table again; Ctrl-C ends.").format(who=clean(client.opener[0])))
    return enter


def _match(args: Namespace, enter: "Enter", first: str = "", again: "Callable[[Client], Enter] | None" = None) -> Exit:
    """Play with whoever plays this seat: a person, a bot, or a bot that reports to a parent."""
    sys.setswitchinterval(0.001)  # seconds: the session's thread must not keep the keyboard waiting for five milliseconds a time
    bot = getattr(args, "bot", None)
    if getattr(args, "report", False):
        from .report import run as report

        return asyncio.run(report(enter, bot or "sensible"))
    from .play import run

    here = terminal(args)
    if first:
        here.say(first)
    return asyncio.run(run(enter, here, bot, again=again))


def _seat(args: Namespace, store: Store) -> dict[str, Any]:
    """How this program sits down at a table of others."""
    return {"name": player_name(args.name, store.root), "bot": _by_bot(args), "loopback": args.loopback, "tag": args.tag}


def _by_bot(args: Namespace) -> bool:
    """Does a bot play this seat?"""
    return bool(args.bot or args.report)


def _check_size(game: str, players: int, bots: bool = False) -> None:
    """Raises Usage if so many cannot play; the same sentence in every command."""
    from ..core.games import GAMES

    seats = GAMES[game].rules.SEATS
    least, most = min(seats), max(seats)
    if players not in seats and bots:
        raise Usage("{0} is for {1} to {2} players: beside you, {3} to {4} bots.", game, least, most, least - 1, most - 1)
    if players not in seats:
        raise Usage("{0} is for {1} to {2} players.", game, least, most)


def _check_table(game: str, size: int) -> None:
    _check_size(game, size)
    if size < 2:
        raise Usage("A table takes two players or more; alone you play with: mastaba play {0} --bots 0", game)


def _check_variant(game: str, variant: str) -> None:
    from ..core.games import GAMES

    if not GAMES[game].rules.plays(variant):
        raise Usage("{0} is no variant of {1}: crypt takes six letters a or b, the other games none.", variant, game)


def _fresh(args: Namespace) -> "Identity | None":
    """The identity of one table, and of those that follow it, if one is wanted."""
    from ..net.identity import Identity

    return Identity.generate() if args.fresh else None


def _path(typed: str | None) -> Path | None:
    return Path(typed) if typed else None


# -- without a match --------------------------------------------------------------------------------------------------


def list_(args: Namespace) -> Exit:
    from .tables import run_list

    return run_list(args, terminal(args))


def doctor(args: Namespace) -> Exit:
    from .tables import run_doctor

    return run_doctor(args, terminal(args))


def verify(args: Namespace) -> Exit:
    from .check import run

    return run(args, terminal(args))


def replay(args: Namespace) -> Exit:
    from .replay import run

    return run(args, terminal(args))


def stats(args: Namespace) -> Exit:
    from .stats import run

    return run(args, terminal(args))


def start(args: Namespace) -> Exit:
    """No command: the lobby, and then what was chosen there; for programs and pipes, what is there and what to type."""
    here, store = terminal(args), Store()
    if not sys.stdin.isatty():
        return _overview(here)
    from .start import Screen, in_lines

    kind = store, here, args.name, args.loopback, args.tag
    words = asyncio.run(Screen(*kind).run() if here.mode == "screen" else in_lines(*kind))
    if words is None:
        return Exit.OK
    from .__main__ import parser

    chosen = parser().parse_args(words)
    for flag in ("lang", "plain", "lines", "ascii", "color", "no_bell", "name", "loopback", "tag"):
        setattr(chosen, flag, getattr(args, flag))
    return COMMANDS[chosen.command](chosen)


def _overview(here: Terminal) -> Exit:
    from .tables import in_words, look

    here.say(_("Looking for tables on this network."))
    for line in in_words(asyncio.run(look())):
        here.say(line)
    here.say(_("To practise alone: mastaba play loot --bots 3.  To go on with an interrupted match: mastaba resume."))
    here.say(_("Everything else: mastaba --help"))
    return Exit.OK


def rules(args: Namespace) -> Exit:
    from importlib import resources

    pages = resources.files(__package__) / "pages"
    language = text.choose(args.lang, os.environ)
    page = pages / language / f"{args.game}.txt"
    if not page.is_file():
        page = pages / "en" / f"{args.game}.txt"
    out = terminal(args)
    lines = page.read_text(encoding="utf-8").splitlines()
    for line in lines if (out.columns() or PAGE) >= PAGE else reflowed(lines):
        out.say(line)
    return Exit.OK


def reflowed(lines: list[str]) -> list[str]:
    """A page of rules with one line a paragraph, to be broken anew at another width; tables stay as they are."""
    out: list[str] = []
    text = False
    for line in lines:
        before, text = text, line[:1].strip() != "" and "  " not in line
        if before and text:
            out[-1] += f" {line}"
        else:
            out.append(line)
    return out


COMMANDS: dict[str | None, Callable[[Namespace], Exit]] = {
    None: start,
    "open": open_,
    "join": join,
    "watch": watch,
    "resume": resume,
    "play": play,
    "tutorial": tutorial,
    "demo": demo,
    "list": list_,
    "doctor": doctor,
    "verify": verify,
    "replay": replay,
    "stats": stats,
    "rules": rules,
}
