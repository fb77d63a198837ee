"""The whole screen as lines: panes above each other in the space there is; pure, and knows nothing of prompt-toolkit.

The game draws its own panes (Show); what is here is the same for all games.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from ...core.rules import Event, Move
from ...core.view import Snapshot, View
from ..cells import Line, clean, cut, cut_line, flow, line_cells, pad, rule, wrap
from ..text import _, ngettext
from . import status

INPUT_ROWS = 2  # the line that is typed, and the keys: not drawn here
WRAPPED = 300  # entries of the log that are looked at for what is seen without scrolling
LEAST_LOG, GOOD_LOG = 3, 6  # lines of log that are always there; that come before extras


class Show(Protocol):
    """How one game is shown.  Everything returned is in the language in use and safe to show."""

    def title(self) -> str: ...
    def goal(self, snapshot: Snapshot) -> str: ...
    def ask(self, snapshot: Snapshot) -> str:
        """What this seat must decide now, in one sentence."""

    def board(self, snapshot: Snapshot, columns: int, rows: int) -> list[Line]:
        """At most `rows` lines of at most `columns` cells: what one must see to play, in 80 x 12 too."""

    def extras(self, snapshot: Snapshot, columns: int) -> list[list[Line]]:
        """Panes that are shown while there is room, the most useful first."""

    def board_words(self, snapshot: Snapshot) -> list[str]: ...
    def hand_words(self, snapshot: Snapshot) -> list[str]: ...
    def event(self, snapshot: Snapshot, event: Event) -> str: ...
    def move(self, snapshot: Snapshot, move: Move) -> str: ...
    def parse(self, snapshot: Snapshot, typed: str) -> Move:
        """The move that was typed, in English or the language in use; raises ValueError.  It need not be legal."""

    def completions(self, snapshot: Snapshot) -> tuple[str, ...]: ...
    def why(self, reason: str) -> str: ...
    def help(self, snapshot: Snapshot) -> list[str]: ...


POINTER_ROWS = 2  # lines that say what Enter would do
POINTER_KEYS = ("up", "down", "left", "right", " ", "/", "f4")  # no letters: those begin words, in one language or another


class Pointer(Protocol):
    """What a person moves over the board by keys, where a list of moves would be too long.  Immutable."""

    def press(self, snapshot: Snapshot, key: str) -> "Pointer | None":
        """The pointer after one of POINTER_KEYS; None if the key means nothing here."""

    def move(self, snapshot: Snapshot) -> Move | None:
        """What Enter plays; None: nothing."""

    def words(self, snapshot: Snapshot) -> str:
        """What Enter would do, or why it may not, in one line."""

    def keys(self) -> str:
        """The keys that move it, in a few words."""


@runtime_checkable
class Abridged(Show, Protocol):
    """A game with more moves than can be listed."""

    def choices(self, snapshot: Snapshot) -> tuple[Move, ...]:
        """The few moves that are numbered; all others can be typed."""


@runtime_checkable
class Pointed(Abridged, Protocol):
    """A game with a pointer: it is made anew for every decision, and shown in place of the list of moves."""

    def pointer(self, snapshot: Snapshot) -> Pointer: ...
    def pointed(self, snapshot: Snapshot, at: Pointer, columns: int, rows: int) -> list[Line]:
        """The board, as `board` draws it, with the pointer on it."""


def numbered(show: Show, snapshot: Snapshot) -> tuple[Move, ...]:
    """The moves that have a number when this seat is asked."""
    if not snapshot.asked:
        return ()
    return show.choices(snapshot) if isinstance(show, Abridged) else snapshot.view.moves()


@dataclass(frozen=True)
class Ui:
    """What the person has done to the screen: lines scrolled up in the log, the chosen move, a lesson, a question to answer, a message.

    `warning` stands where messages do whenever there is none, until the person has seen it.

    `cursor` is a place in the list of moves; games with a pointer have that instead.  `help` and `trust`: that page is open, in place
    of the table; `veiled`: nothing is drawn that only this seat knows, since somebody looks over its shoulder; `again`: after the end
    the same people may play another match; `typing`: commands can be typed (not where a match is only seen again).
    """

    scroll: int = 0
    cursor: int | None = None
    pointer: Pointer | None = None
    help: bool = False
    trust: bool = False
    veiled: bool = False
    again: bool = False
    typing: bool = True
    lesson: str = ""
    warning: str = ""
    question: str = ""
    message: str = ""

    def said(self, message: str) -> "Ui":
        return replace(self, message=message)


def compose(show: Show, snapshot: Snapshot, log: Sequence[str], ui: Ui, columns: int, rows: int) -> list[Line]:
    """Exactly rows - INPUT_ROWS lines; `log` is the whole log in words, oldest first."""
    room = rows - INPUT_ROWS
    watching, covered = ui.typing and not ui.veiled and snapshot.view.seat is None, ui.veiled and snapshot.asked
    if ui.veiled:
        snapshot, ui = (
            veil(snapshot),
            replace(ui, pointer=None, cursor=None, message=ui.message or warned(ui) or _("Your hand is covered: F3 uncovers it.")),
        )
    turn, message, moves = _turn(show, snapshot, watching, columns), _message(snapshot, ui, columns), _moves(show, snapshot, ui, columns)
    if covered:
        turn = [[("class:turn", "▸ " + _("It is your turn, and covered: F3 shows it."))]]
        moves = [rule(_("Your moves"), columns), [("class:dim", "  " + _("covered: F3 shows them"))]]
    paged = ui.help or ui.trust  # a page has the room of the moves too
    top, bottom = [_title(show, snapshot, columns), *turn], [*([] if paged else moves), *message]
    middle = room - len(top) - len(bottom)
    if paged:
        pages = (_("Help"), _help(show, snapshot, ui, watching)), (_("What has been verified"), status.trust(snapshot))
        title, texts = pages[0 if ui.help else 1]
        body = _page(title, texts, ui, columns, middle)
    else:
        lesson = [rule(_("Lesson"), columns), *([("class:turn", f" {text}")] for text in wrap(ui.lesson, columns - 2))]
        lesson = lesson if ui.lesson and not ui.scroll else []
        least = LEAST_LOG + 1 - (len(turn) - 1) - (len(message) - 1)  # the second lines of others take from the log, not from the board
        lesson = lesson[1:] if len(lesson) > least else lesson  # it is read whole, if need be without its title
        least = max(least, len(lesson))
        if ui.pointer is not None and isinstance(show, Pointed):
            board = show.pointed(snapshot, ui.pointer, columns, middle - least)
        else:
            board = show.board(snapshot, columns, middle - least)
        more = False
        for pane in show.extras(snapshot, columns):
            fits = fit(pane, max(0, middle - len(board) - len(lesson) - 1 - max(GOOD_LOG, rows // 3)))
            board, more = board + fits, more or len(fits) < len(pane)
        board = board[: middle - len(lesson)] + lesson
        left = middle - len(board)
        reach = WRAPPED + ui.scroll  # the rest of a long log is not broken into lines before it is wanted
        story, earlier = _log_lines(log[-reach:], columns), max(0, len(log) - reach)
        above = max(0, len(story) - (left - 1))
        up = min(ui.scroll, above)
        ends = _("?: signs and more") if more else "", _more_lines(above - up + earlier)
        body = [*board, rule(_("Log"), columns, " · ".join(filter(None, ends))), *story[above - up : len(story) - up]]
    lines = [*top, *body[:middle], *([[]] * (middle - len(body))), *bottom]
    return [cut_line(line, columns) for line in lines]


def fit(pane: list[Line], rows: int) -> list[Line]:
    """The part of a pane that is worth its room: all of it, or its first lines; a title with nothing below it is not."""
    return pane if len(pane) <= rows else pane[:rows] if rows > 1 or (rows == 1 and pane[0][0][0] != "class:rule") else []


def _title(show: Show, snapshot: Snapshot, columns: int) -> Line:
    left = f" {show.title()} · {show.goal(snapshot)}"
    right = " · ".join(filter(None, (status.watched(snapshot), status.verified(snapshot)))) + " "
    return [("class:title", pad(left, columns - line_cells([("", right)])) + right)]


def _turn(show: Show, snapshot: Snapshot, watching: bool, columns: int) -> list[Line]:
    """Whose turn it is, in words; who is silent comes first.  In two lines if need be."""
    silence = "" if snapshot.asked else status.silence(snapshot)
    style, text = ("turn", show.ask(snapshot)) if snapshot.asked else ("warn", silence) if silence else ("wait", status.turn(snapshot))
    text = text + " " + _("You are watching.") if watching else text
    marks = "▸ " if snapshot.asked else "  ", "  "
    return [[(f"class:{style}", mark + line)] for mark, line in zip(marks, wrap(text, columns - 2), strict=False)]


def _moves(show: Show, snapshot: Snapshot, ui: Ui, columns: int) -> list[Line]:
    if ui.pointer is not None and (snapshot.asked or snapshot.phase == "play"):
        style = "class:chosen" if snapshot.asked else "class:dim"
        words = wrap(ui.pointer.words(snapshot) or _("none now"), columns - 2)[:POINTER_ROWS]
        return [rule(_("Your moves"), columns, ui.pointer.keys()), *([(style, f" {text} ")] for text in words)]
    moves = numbered(show, snapshot)
    if not moves:
        over = snapshot.phase in ("done", "ended")
        text = status.after(snapshot, ui.again) if over else _("none now")
        return [rule(_("Your moves"), columns), [("class:turn" if over and ui.again and snapshot.again else "class:dim", f"  {text}")]]
    items: list[Line] = []
    for i, move in enumerate(moves):
        chosen = i == ui.cursor
        items.append([("class:chosen" if chosen else "", f"{'▸' if chosen else ' '}{i + 1} {show.move(snapshot, move)} ")])
    return [rule(_("Your moves"), columns, _("number or words, then Enter")), *flow(items, columns, " ")]


def _message(snapshot: Snapshot, ui: Ui, columns: int) -> list[Line]:
    text = (
        ui.question or ui.message or warned(ui) or (status.silence(snapshot) if snapshot.asked else "")
    )  # what went wrong stands at the top
    first, *more = wrap(text, columns)
    return [[("class:warn", text)] for text in (first, *([cut(" ".join(more), columns)] if more else []))]


def warned(ui: Ui) -> str:
    """The warning that has not been acknowledged, and how it is."""
    return ui.warning + " " + _("Esc: seen.") if ui.warning else ""


def _more_lines(n: int) -> str:
    return ngettext("PgUp: {n} more line", "PgUp: {n} more lines", n).format(n=n) if n else ""


def _log_lines(log: Sequence[str], columns: int) -> list[Line]:
    lines: list[Line] = []
    for text in log:
        first, *more = wrap(text, columns - 2)
        lines += [[("", f"  {first}")], *([("", f"    {cut(rest, columns - 4)}")] for rest in more)]
    return lines


def _help(show: Show, snapshot: Snapshot, ui: Ui, watching: bool) -> list[str]:
    """The present decision, what else can be typed, and the rest."""
    texts = show.help(snapshot)
    if not ui.typing:
        return [status.replay_keys(), "", *texts]
    now = texts.index("") if "" in texts else len(texts)
    return [*texts[:now], "", status.commands_in_brief(watching), *texts[now:]]


def _page(title: str, paragraphs: list[str], ui: Ui, columns: int, rows: int) -> list[Line]:
    texts = [line for paragraph in paragraphs for line in (wrap(paragraph, columns - 2) if paragraph else [""])]
    if len(texts) >= rows:
        texts = [text for text in texts if text]
    start = min(ui.scroll, max(0, len(texts) - (rows - 1)))
    back = _("any key: back; a letter begins a line") if ui.typing else _("any key: back")
    end = _("PgDn: more") if len(texts) - start > rows - 1 else back
    return [rule(title, columns, end), *([("", f"  {text}")] for text in texts[start : start + rows - 1])]


def veil(snapshot: Snapshot) -> Snapshot:
    """The table as a spectator sees it: what only this seat knows is not there to be drawn."""
    rules = snapshot.view.rules.copy()
    rules.peeked, rules.mine = {}, {}
    return replace(snapshot, view=View(rules, None), asked=False)


def note(snapshot: Snapshot, seat: int, text: str) -> str:
    """A line of chat."""
    return f"{status.player(snapshot, seat)}: «{clean(text)}»"
