"""The command line: what can be typed, which command runs, and how every failure becomes one sentence and an exit code.

It imports no library before it knows the command, so that --version and --help are instant.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from . import VERSION, text
from .show import GAMES
from .text import _

BOTS = 3  # opponents in practice if nothing is said: every game takes them


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's) and return its exit code (exits.py)."""
    argv = list(sys.argv[1:] if argv is None else argv)
    text.use(text.choose(_language_flag(argv), os.environ))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a latin-1 terminal shows question marks, not a traceback
    try:
        args = parser().parse_args(argv)
    except SystemExit as stop:  # argparse has said what is wrong
        return int(stop.code or 0)
    try:
        from .commands import guarded

        return guarded(args)
    except KeyboardInterrupt:  # while the program was still being loaded
        return 130


class Top(argparse.ArgumentParser):
    """The whole command line: a game's name in place of a command is answered with what can be done with a game."""

    def error(self, message: str) -> NoReturn:
        for game in GAMES:
            if repr(game) in message:  # no other value of the command line is named like one
                text = _(
                    "{game} is a game: mastaba open {game} opens a table for your friends, mastaba play {game} is practice against bots,"
                    " mastaba tutorial {game} teaches it."
                )
                self.exit(2, f"mastaba: {text.format(game=game)}\n")
        super().error(message)


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line, in the language in use."""
    top = Top(
        prog="mastaba",
        parents=[_looks()],
        description=_("Hidden-information board games for friends on one network: no server, no host, no cheating."),
        epilog=_(
            "examples:\n"
            "  mastaba play loot --bots 3     practise against three bots\n"
            "  mastaba open loot --seats 4    open a table for four; the others type: mastaba join\n"
            "  mastaba join                   join the table on this network\n"
            "  mastaba demo loot --seats 4    watch four programs play and verify a whole game"
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("-V", "--version", action="version", version=f"mastaba {VERSION}", help=_("show program's version number and exit"))
    top.add_argument("--interface", action="append", metavar="NAME", help=_interface_help())
    _hidden(top)  # the lobby, too, can be kept on this machine
    commands = top.add_subparsers(title=_("commands"), dest="command", metavar=_("COMMAND"), parser_class=argparse.ArgumentParser)

    looks = _looks(argument_default=argparse.SUPPRESS)  # else a flag before the command would be forgotten

    def command(name: str, help: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=help, description=help, parents=[looks])

    opening = command("open", _("open a table and wait for the others"))
    _game(opening)
    opening.add_argument("--seats", type=_count, metavar="N", help=_("how many play (default: the most that the game takes)"))
    opening.add_argument("--first", type=_count, metavar="SEAT", help=_("the seat that starts (default: a coin that all toss together)"))
    _data(opening)
    _variant(opening)
    opening.add_argument("--grace", type=_number(0, 86_400), metavar="SECONDS", default=60, help=_("how long to wait for a silent player"))
    opening.add_argument("--port", type=_number(0, 65_535), default=0, help=_("the port to listen on"))
    opening.add_argument("--private", action="store_true", help=_("only for who knows its code words, which are shown to you"))
    opening.add_argument("--no-watch", action="store_true", help=_("let nobody watch"))
    opening.add_argument(
        "--no-audit",
        action="store_true",
        help=_("pyramid: at the end do not show where the hunters were; every proof is checked all the same"),
    )
    _fresh(opening)
    _networked(opening)

    joining = command("join", _("join a table"))
    joining.add_argument("table", nargs="?", metavar="TABLE|HOST[:PORT]", help=_("a table's name, or an address (default: the only table)"))
    _fresh(joining)
    _networked(joining)

    watching = command("watch", _("watch a table that plays"))
    watching.add_argument(
        "table", nargs="?", metavar="TABLE|HOST[:PORT]", help=_("a table's name, or an address (default: the only table)")
    )
    _fresh(watching)
    _interface(watching)
    _hidden(watching)

    playing = command("play", _("practise against bots on this machine"))
    _game(playing)
    playing.add_argument("--bots", type=_count, default=BOTS, metavar="N", help=_("how many bots (default: {n})").format(n=BOTS))
    playing.add_argument("--level", type=_level, default="sensible", help=_("how well they play: random or sensible"))
    _data(playing)
    _variant(playing)

    listing = command("list", _("list the tables on this network"))
    _interface(listing)
    _json(listing)
    resuming = command("resume", _("go on with a match that was interrupted"))
    resuming.add_argument("match", nargs="?", metavar="MATCH", help=_("which one, if several wait: as they are listed"))
    _networked(resuming)
    verifying = command("verify", _("check a transcript, offline"))
    verifying.add_argument("file", metavar="FILE", help=_("a transcript"))
    _data(verifying)
    _json(verifying)
    replaying = command("replay", _("see a match again, step by step, verified on the way"))
    replaying.add_argument("file", metavar="FILE", help=_("a transcript"))
    replaying.add_argument("--as", metavar="SEAT", help=_("with what you saw yourself: your seat's number or name"))
    replaying.add_argument("--html", metavar="OUT", help=_("write one page for a browser instead"))
    _data(replaying)
    _json(replaying)
    stats = command("stats", _("your games: how many, against whom, with which result"))
    _json(stats)
    demo = command("demo", _("let programs find each other, play a whole game and verify it"))
    _game(demo)
    demo.add_argument("--seats", type=_count, metavar="N", default=4, help=_("how many play"))
    _json(demo)
    tutorial = command("tutorial", _("learn a game in a few guided turns against a bot"))
    _game(tutorial)
    rules = command("rules", _("read the rules of a game"))
    _game(rules)
    doctor = command("doctor", _("find out why players do not see each other"))
    _interface(doctor)
    _json(doctor)
    return top


def _looks(**kind: str) -> argparse.ArgumentParser:
    """The flags that may stand before or behind the command."""
    shared = argparse.ArgumentParser(add_help=False, **kind)  # type: ignore[arg-type]
    group = shared.add_argument_group(_("how it looks and speaks"))
    group.add_argument("--lang", type=_language, metavar="LANG", help=_("language: en or es"))
    group.add_argument("--plain", action="store_true", help=_("only appended lines and numbered choices (screen readers, pipes)"))
    group.add_argument("--lines", action="store_true", help=_("lines with a prompt and completion instead of the full screen"))
    group.add_argument("--ascii", action="store_true", help=_("draw with ASCII characters only"))
    group.add_argument("--no-bell", action="store_true", help=_("never ring the terminal's bell"))
    group.add_argument("--color", choices=("auto", "always", "never"), help=_("when to use colours"))
    group.add_argument("--name", help=_("the name that the others see"))
    return shared


def _networked(command: argparse.ArgumentParser) -> None:
    command.add_argument("--bot", type=_level, metavar="LEVEL", help=_("let a bot play this seat: random or sensible"))
    # how the demo drives its peers; of no use to a person
    command.add_argument("--report", action="store_true", help=argparse.SUPPRESS)
    _interface(command)
    _hidden(command)


def _fresh(command: argparse.ArgumentParser) -> None:
    command.add_argument("--fresh", action="store_true", help=_("under a fresh key, for this table alone: nobody recognises you by it"))


def _interface(command: argparse.ArgumentParser) -> None:
    """Suppressed where it is not given, else the flag before the command would be forgotten."""
    command.add_argument("--interface", action="append", metavar="NAME", default=argparse.SUPPRESS, help=_interface_help())


def _interface_help() -> str:
    return _("use this network interface alone; may be given more than once (default: all but those to containers on this machine)")


def _hidden(command: argparse.ArgumentParser) -> None:
    command.add_argument("--loopback", action="store_true", help=argparse.SUPPRESS)
    command.add_argument("--tag", default="", help=argparse.SUPPRESS)


def _json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help=_("for programs: JSON on standard output"))


def _data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", metavar="FILE", help=_("a component table of your own"))


def _variant(command: argparse.ArgumentParser) -> None:
    command.add_argument("--variant", default="", help=_("the game's own choice; crypt: six letters a or b, the collectors' sides"))


def _game(command: argparse.ArgumentParser) -> None:
    command.add_argument("game", metavar="GAME", type=_known_game, help=_("the game: {games}").format(games=", ".join(GAMES)))


def _known_game(name: str) -> str:
    if name not in GAMES:
        raise argparse.ArgumentTypeError(_("there is no game {name}; there is: {games}").format(name=repr(name), games=", ".join(GAMES)))
    return name


def _level(name: str) -> str:
    from ..core.bots import LEVELS

    if name not in LEVELS:
        raise argparse.ArgumentTypeError(
            _("there is no bot level {name}; there is: {levels}").format(name=repr(name), levels=", ".join(LEVELS))
        )
    return name


def _number(low: int, high: int) -> Callable[[str], int]:
    def convert(typed: str) -> int:
        value = int(typed.lstrip("0")[:9] or 0) if typed.isascii() and typed.isdigit() else -1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(
                _("{typed} is not a whole number from {low} to {high}").format(typed=repr(typed), low=low, high=high)
            )
        return value

    return convert


def _count(typed: str) -> int:
    """A number of seats or bots: which ones a game takes is said by the command, in one way for all games."""
    return _number(0, 99)(typed)


def _language(typed: str) -> str:
    if not text.known(typed):
        raise argparse.ArgumentTypeError(
            _("there is no language {name}; there is: {languages}").format(name=repr(typed), languages=", ".join(text.LANGUAGES))
        )
    return typed


def _language_flag(argv: Sequence[str]) -> str | None:
    """--lang is needed before there is a parser, since the parser's texts are translated."""
    for i, word in enumerate(argv):
        if word.startswith("--lang="):
            return word.removeprefix("--lang=")
        if word == "--lang" and i + 1 < len(argv):
            return argv[i + 1]
    return None


if __name__ == "__main__":
    sys.exit(main())
