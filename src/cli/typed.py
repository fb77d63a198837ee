"""What a typed line means in a match: a numbered or worded move, a question about the table, chat, or leaving.

Both renderers use it, so that everything can be typed in both; it draws nothing and sends nothing.
"""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from ..core.errors import LocalError
from ..core.rules import Move
from ..core.view import Snapshot
from ..net.lobbyview import LobbyView
from ..net.store import write_file
from .cells import clean, fold
from .show import status
from .show.frame import Show, numbered
from .text import _

# each query in English and Spanish, in whatever language the client speaks: players teach each other commands
WORDS: dict[str, str] = {
    **dict.fromkeys(("board", "b", "tablero"), "board"),
    **dict.fromkeys(("hand", "h", "mano", "cartas"), "hand"),
    **dict.fromkeys(("last", "ultimo", "ultima"), "last"),
    **dict.fromkeys(("who", "w", "quien", "turno"), "who"),
    **dict.fromkeys(("log", "registro"), "log"),
    **dict.fromkeys(("moves", "jugadas"), "moves"),
    **dict.fromkeys(("again", "otra"), "again"),
    **dict.fromkeys(("check", "verificado"), "check"),
    **dict.fromkeys(("cover", "tapar"), "cover"),
    **dict.fromkeys(("bot", "robot"), "bot"),
    **dict.fromkeys(("me", "yo"), "me"),
    **dict.fromkeys(("mute", "silenciar"), "mute"),
    **dict.fromkeys(("export", "exportar"), "export"),
    **dict.fromkeys(("help", "?", "ayuda"), "help"),
    **dict.fromkeys(("quit", "q", "exit", "salir"), "quit"),
    **dict.fromkeys(("say", "decir", "di"), "say"),
    **dict.fromkeys(("go", "seguir"), "go"),
    **dict.fromkeys(("wait", "esperar"), "wait"),
    **dict.fromkeys(("leave", "abandonar"), "leave"),
}
AT_A_WAITING_TABLE = {**dict.fromkeys(("begin", "empezar"), "begin"), **dict.fromkeys(("away", "echar"), "away")}
YES = "y", "yes", "s", "si"  # beside the word once more, after a question
LONGEST_LOG = 500  # lines printed at once


@dataclass(frozen=True)
class Typed:
    """What to do, and with what: a move, a text, lines to tell, a file, a seat to mute, to recognise or to vote without (None: wait).

    At a table that waits: begin with fewer, or the identity of a guest to turn away.
    """

    kind: Literal[
        "move",
        "say",
        "tell",
        "vote",
        "quit",
        "leave",
        "help",
        "check",
        "cover",
        "bot",
        "me",
        "mute",
        "export",
        "know",
        "nothing",
        "begin",
        "away",
    ]
    value: Any = None


def understand(show: Show, snapshot: Snapshot, story: list[str], line: str) -> Typed:
    """What the line asks for; whatever is typed, the answer is a value.  `story`: the log in words."""
    line = line.strip()
    words = fold(line).split()
    if not words:
        return Typed("nothing")
    if words[0] in YES and (stranger := _stranger(snapshot, " ".join(words[1:]))) is not None:
        return Typed("know", stranger)
    query = WORDS.get(words[0])
    if query == "quit" and len(words) == 1:
        return Typed("quit")
    if query == "say":
        said = line.partition(" ")[2].strip()
        if snapshot.view.seat is None:
            return Typed("tell", [_watching()])
        return Typed("say", said) if said else Typed("tell", [_("What shall be said?  For example: say hello")])
    if query == "help":
        return Typed("help")
    if query == "check":
        return Typed("check")
    if query == "mute":
        return _mute(snapshot, " ".join(words[1:]))
    if query == "export":
        path = line.partition(" ")[2].strip()
        return Typed("export", Path(path).expanduser()) if path else Typed("tell", [_("Into which file?  For example: export log.txt")])
    if snapshot.view.seat is None and query in ("go", "wait", "leave", "bot", "me", "cover"):
        return Typed("tell", [_watching()])
    if query == "cover" and len(words) == 1:
        return Typed("cover")
    if query in ("bot", "me") and snapshot.phase in ("done", "ended"):
        return Typed("tell", [status.waiting(snapshot)])
    if query == "bot" and len(words) == 1:
        return Typed("bot")
    if query == "me" and len(words) == 1:
        return Typed("me")
    if query in ("go", "wait"):
        return _vote(snapshot, query)
    if query == "leave" and len(words) == 1:
        return Typed("leave")
    if query not in (None, "again") and (len(words) == 1 or query == "log" or (query == "moves" and words[1:] in (["all"], ["todas"]))):
        return Typed("tell", _answer(show, snapshot, story, query, words[1:]))
    return _move(show, snapshot, line, words)


def before_the_game(view: LobbyView, line: str) -> Typed:
    """The same at a table that waits for players."""
    word, _space, name = fold(line).partition(" ")
    query = AT_A_WAITING_TABLE.get(word)
    if query is not None and not view.opens:
        return Typed("tell", [_("That is for the player who has opened the table.")])
    if query == "begin" and not name:
        return Typed("begin")
    if query == "away":
        found = [seat for i, seat in enumerate(view.seats, 1) if not seat.me and name in (str(i), fold(clean(seat.name)))]
        return Typed("away", found[0].identity) if len(found) == 1 else Typed("tell", [_("Which guest?  For example: away 2")])
    return Typed("tell", [_("The game has not begun yet; quit leaves the table.")])


def is_for_a_waiting_table(line: str) -> bool:
    """Is it done at once while players are waited for?  All else that a script has written is for the match."""
    return fold(line).partition(" ")[0] in AT_A_WAITING_TABLE


def is_query(line: str) -> bool:
    """Is it answered at any time, and not by what somebody is asked just then?"""
    words = fold(line).split()
    return not words or (words[0] in YES and len(words) > 1) or WORDS.get(words[0]) not in (None, "go", "wait")


def _vote(snapshot: Snapshot, word: str) -> Typed:
    """A vote on the seat that is silent: the one others have voted on, or whose grace is over."""
    lacking = status.lacking(snapshot)
    if not lacking and (word == "go" or not snapshot.votes):
        return Typed("tell", [_("There is nothing to vote on: nobody is silent for so long.")])
    if status.two_are_left(snapshot):
        return Typed("tell", [_("With two players nobody can be left behind: the match waits, and can be resumed.")])
    return Typed("vote", lacking[0] if word == "go" else None)


def returned(snapshot: Snapshot, lost: int) -> str:
    """Said when a seat that was to be voted on is no longer silent; empty while it is."""
    back = _("{who} is there again: the vote is off.").format(who=status.player(snapshot, lost))
    return "" if lost in status.lacking(snapshot) else back


def goes_on(snapshot: Snapshot, lost: int) -> str:
    """Asked before a vote to go on without that seat: it is signed, and stays."""
    return _("Go on without {who} for good? y votes so, any other key does not.").format(who=status.player(snapshot, lost))


def leaves(snapshot: Snapshot, question: str) -> str:
    """The question before a good-bye, and that nobody hears it now, if that is so."""
    unheard = _("Nobody is there to hear it: they wait until you resume it once.")
    return question if status.heard(snapshot) else f"{unheard} {question}"


def _stranger(snapshot: Snapshot, name: str) -> int | None:
    """The seat with this name whose key is not the known one."""
    return next((seat for seat in snapshot.strangers if name == fold(clean(snapshot.names[seat]))), None)


def recognised(snapshot: Snapshot, seat: int) -> str:
    """What a yes has done."""
    return _("From now on {who} has this key for you.").format(who=status.player(snapshot, seat))


def _mute(snapshot: Snapshot, name: str) -> Typed:
    """The seat with this number or name, whose chat is to be shown no more, or again."""
    matching = [seat for seat, known in enumerate(snapshot.names) if name in (str(seat + 1), fold(clean(known)))]
    if len(matching) != 1 or matching[0] == snapshot.view.seat:
        other = next((clean(name) for seat, name in enumerate(snapshot.names) if seat != snapshot.view.seat), "")
        return Typed("tell", [_("Whose chat?  For example: mute {name}").format(name=other)])
    return Typed("mute", matching[0])


def export(path: Path, words: list[str]) -> str:
    """Write the log to a new file, and say so.  Raises LocalError."""
    new_file(path)
    write_file(path, "".join(f"{text}\n" for text in words).encode())
    return _("Written: {path}").format(path=clean(str(path), 4096))


def new_file(path: Path) -> None:
    """A person's file replaces nothing, and goes into a folder that is there: no mistyped one is made.  Raises LocalError."""
    if path.exists():
        raise LocalError("It exists already: {0}", path)
    if not path.parent.is_dir():
        raise LocalError("There is no folder {0}.", path.parent)


def muted(snapshot: Snapshot, seat: int, now: bool) -> str:
    """What has become of a seat's chat."""
    text = _("{who}'s chat is not shown any more; mute {name} shows it again.") if now else _("{who}'s chat is shown again.")
    return text.format(who=status.player(snapshot, seat), name=clean(snapshot.names[seat]))


def _watching() -> str:
    return _("You are watching: the players cannot hear you, and nothing is asked of you.")


def choices(show: Show, snapshot: Snapshot) -> list[str]:
    """The legal moves as numbered lines, or the best known of them where there are too many."""
    listed = [f"{i}. {show.move(snapshot, move)}" for i, move in enumerate(numbered(show, snapshot), 1)]
    count = len(_legal(snapshot))
    if count <= len(listed):
        return listed
    if count > LONGEST_LOG:
        return [*listed, _("There are very many more; they can be typed: help says how.")]
    return [
        *listed,
        _("These are {n} of {all}: moves all lists every one. Those without a number are typed.").format(n=len(listed), all=count),
    ]


def _legal(snapshot: Snapshot) -> list[Move]:
    """The legal moves, as many as anybody would read."""
    return list(islice(snapshot.view.moves(), LONGEST_LOG + 1))


def _move(show: Show, snapshot: Snapshot, line: str, words: list[str]) -> Typed:
    if snapshot.view.seat is None:
        return Typed("tell", [_watching()])
    if not snapshot.asked:
        late = _("It is not your turn to decide.") if _may_be_a_move(show, snapshot, line) else _no_command(line)
        return Typed("tell", [late + " " + status.waiting(snapshot)])
    if len(words) == 1 and words[0].isascii() and words[0].isdigit():
        moves = numbered(show, snapshot)
        number = int(words[0][:6])
        if 1 <= number <= len(moves):
            return Typed("move", moves[number - 1])
        return Typed(
            "tell", [_("There is no choice {number}; choose from 1 to {last}.").format(number=clean(words[0], 6), last=len(moves))]
        )
    try:
        return Typed("move", show.parse(snapshot, line))
    except ValueError:
        alike = [phrase for phrase in show.completions(snapshot) if fold(phrase).split()[:1] == words[:1]]
        text = (
            _("«{typed}» is not understood; write it like this: {move}") if alike else _("«{typed}» is no move and no command; type help.")
        )
        return Typed("tell", [text.format(typed=clean(line, 40), move=alike[0] if alike else "")])


def _may_be_a_move(show: Show, snapshot: Snapshot, line: str) -> bool:
    """Out of turn that is not known for certain: what places mean depends on what is asked."""
    try:
        show.parse(snapshot, line)
    except ValueError:
        return any(letter.isdigit() for letter in line)
    return True


def _no_command(line: str) -> str:
    return _("«{typed}» is no command; type help.").format(typed=clean(line, 40))


def _answer(show: Show, snapshot: Snapshot, story: list[str], query: str, rest: list[str]) -> list[str]:
    if query == "board":
        return show.board_words(snapshot)
    if query == "hand":
        return show.hand_words(snapshot)
    if query == "moves":
        if not snapshot.asked:
            return [status.waiting(snapshot)]
        return [show.move(snapshot, move) for move in _legal(snapshot)] if rest else choices(show, snapshot)
    if query == "who":
        return [show.ask(snapshot) if snapshot.asked else status.turn(snapshot)]
    if query == "last":
        return story[-1:] or [_("Nothing has happened yet.")]
    n = int(rest[0][:6]) if rest and rest[0].isascii() and rest[0].isdigit() else 10
    return story[-max(1, min(n, LONGEST_LOG)) :] or [_("Nothing has happened yet.")]
