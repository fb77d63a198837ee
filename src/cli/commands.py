"""What each command does: it joins the client to a renderer, and turns every failure into one sentence and an exit code."""

import asyncio
import logging
import logging.handlers
import os
import sys
from argparse import Namespace
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import LocalError
from ..core.games import GAMES
from ..net.store import Store
from . import text
from .cells import clean
from .exits import Exit
from .name import player_name
from .terminal import Terminal, complain
from .text import _
from .words import error_words

if TYPE_CHECKING:
    from ..net.client import Client

log = logging.getLogger(__name__)


def guarded(args: Namespace) -> int:
    """Run the command; nothing but an exit code and one sentence comes out of a failure, details go to the log file."""
    try:
        _log_to_file()
        return int(COMMANDS[args.command](args))
    except LocalError as error:
        log.info("refused: %s", error)
        complain(error_words(error))
        return int(getattr(error, "exit", Exit.FAILURE))
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
        complain(_("Something went wrong inside the program; the details are in {path}.").format(path=clean(str(_log_path()), 4096)))
    return Exit.FAILURE


def terminal(args: Namespace) -> Terminal:
    """The terminal of this process, as the flags want it."""
    return Terminal.of(args, os.environ, sys.stdin.isatty(), sys.stdout.isatty(), sys.stdout.encoding or "ascii")


# -- matches ----------------------------------------------------------------------------------------------------------


def play(args: Namespace) -> Exit:
    from ..net.client import practice

    seats = args.bots + 1
    if seats not in GAMES[args.game].rules.SEATS:
        raise LocalError("{0} is for {1} to {2} players.", args.game, min(GAMES[args.game].rules.SEATS), max(GAMES[args.game].rules.SEATS))
    store = Store()
    return _match(args, lambda: practice(store, args.game, args.bots, args.level, name=player_name(args.name, store.root)))


def _match(args: Namespace, enter: "Callable[[], AbstractAsyncContextManager[Client]]", bot: str | None = None) -> Exit:
    from .play import run

    return asyncio.run(run(enter, terminal(args), bot))


# -- without a match --------------------------------------------------------------------------------------------------


def rules(args: Namespace) -> Exit:
    pages = resources.files(__package__) / "pages"
    language = text.choose(args.lang, os.environ)
    page = pages / language / f"{args.game}.txt"
    if not page.is_file():
        page = pages / "en" / f"{args.game}.txt"
    out = terminal(args)
    for line in page.read_text(encoding="utf-8").splitlines():
        out.say(line)
    return Exit.OK


COMMANDS: dict[str | None, Callable[[Namespace], Exit]] = {
    "play": play,
    "rules": rules,
}


def _log_path() -> Path:
    return Store().root / "log" / "mastaba.log"


def _log_to_file() -> None:
    """Nothing is logged to the terminal, which belongs to the game."""
    path = _log_path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=1 << 20, backupCount=1, delay=True, encoding="utf-8", errors="replace"
        )
    except OSError:
        return  # a full or read-only disk is reported by whoever needs it for more than a log
    logging.raiseExceptions = False
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("zeroconf").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
