"""A table that waits for players, in words and on the screen; it knows views of the lobby and no game."""

from ...net.addresses import Address, show_address
from ...net.lobbyview import LobbySeat, LobbyView
from ..cells import Line, cells, clean, cut, cut_line, pad, rule, wrap
from ..text import _, ngettext
from ..words import error_words
from .frame import Ui, warned
from .status import names

NAME_CELLS = 24
MESSAGE_ROWS = 3


def lines(view: LobbyView, places: tuple[Address, ...]) -> list[str]:
    """The table in sentences."""
    if view.phase in ("joining", "private", "waiting"):
        return [_waiting(view)]
    if view.phase == "ended":
        return []  # why is said at the end, and who sits there is no more of interest
    text = _("Table {name} ({game}): {n} of {size} seats taken.")
    taken = text.format(name=clean(view.table), game=clean(view.game), n=len(view.seats), size=view.size)
    return [
        taken,
        *(f"{i}. {clean(seat.name)}{_marks(seat)} - {clean(seat.words)}{_sign(seat)}" for i, seat in enumerate(view.seats, 1)),
        _waiting(view),
        *_audit(view),
        *how_to_join(view, places),
        *_code(view),
        *_commands(view),
    ]


def compose(view: LobbyView, places: tuple[Address, ...], ui: Ui, columns: int, rows: int) -> list[Line]:
    """The waiting table as a screen."""
    out: list[Line] = [[("class:title", pad(f" mastaba · {clean(view.game)} · {clean(view.table)}", columns))]]
    room = max(columns - 2, 1)
    out += [[("class:wait", f"  {line}")] for line in wrap(_waiting(view), room)]
    message: list[Line] = [[], *([("class:warn", line)] for line in wrap(ui.question or ui.message or warned(ui), columns)[:MESSAGE_ROWS])]
    if view.phase in ("private", "joining", "waiting"):
        return [cut_line(line, columns) for line in [*out, *message]][:rows]  # who sits there is not known
    out.append(rule(_("Seats"), columns))
    for i in range(view.size):
        if i < len(view.seats):
            seat = view.seats[i]
            name = cut(clean(seat.name), NAME_CELLS - cells(_marks(seat))) + _marks(seat)
            out.append([("", f"  {i + 1}  {pad(name, NAME_CELLS)}  "), ("class:dim", clean(seat.words)), ("class:warn", _sign(seat))])
        else:
            out.append([("", f"  {i + 1}  …")])
    key = _("The words beside a name are its key: the same player has the same words every time.")
    hints = (*_code(view), *_audit(view), *how_to_join(view, places), key, *_commands(view))
    out += [[], *([("class:dim", f"  {line}")] for text in hints for line in wrap(text, room)), *message]
    return [cut_line(line, columns) for line in out][:rows]


def _private(view: LobbyView) -> str:
    text = _("{name} is a private table: type its code words. They are not told to it; both sides prove that they know them.")
    return " ".join(filter(None, (error_words(view.notice) if view.notice else "", text.format(name=clean(view.table)))))


def _code(view: LobbyView) -> list[str]:
    """What the opener of a private table tells his friends, on another way than this network."""
    return [_("The code words of this table, for your friends: {code}").format(code=clean(view.code))] if view.code else []


def _audit(view: LobbyView) -> list[str]:
    """Said before anybody sits down for good: it changes what all learn at the end."""
    return [] if view.audit else [_("This table has no audit at the end: where the hunters were stays hidden. Every proof is checked.")]


def _commands(view: LobbyView) -> list[str]:
    """What the opener can type."""
    guest = next((clean(seat.name, NAME_CELLS) for seat in view.seats if not seat.me), "")
    away = [_("away {name}: turn that guest away.").format(name=guest)] if view.opens and guest and view.phase != "agreed" else []
    return [*away, *([_("begin, or F4: begin with those who are here.")] if view.may_begin else [])]


def how_to_join(view: LobbyView, places: tuple[Address, ...]) -> list[str]:
    """What those type who are not here yet."""
    if len(view.seats) >= view.size:
        return []
    address = show_address(places[0]) if places else ""
    if view.kept:
        text = _("Another match of the same people: a seat is kept for {who}, who types again, or later: mastaba join {address}")
        return [text.format(who=names(tuple(clean(name, NAME_CELLS) for name in view.kept)), address=address).rstrip()]
    if not places:
        return [_("The others type: mastaba join")]
    return [_("The others type: mastaba join, or if that finds nothing: mastaba join {address}").format(address=address)]


def _marks(seat: LobbySeat) -> str:
    return "".join(" " + mark for mark, holds in ((_("(you)"), seat.me), (_("(bot)"), seat.bot)) if holds)


def _sign(seat: LobbySeat) -> str:
    sign = _("not the one you know") if seat.stranger else _("under a fresh key") if seat.fresh else ""
    return f" - {sign}" if sign else ""


def _waiting(view: LobbyView) -> str:
    missing = view.size - len(view.seats)
    if view.phase == "private":
        return _private(view)
    if view.phase == "joining":
        return _("Asking for a seat.")
    if view.phase == "waiting":
        return _("The table is full. As soon as a seat is free this program asks for it; quit leaves.")
    if view.size < view.asked:
        text = _("{who} begins with {n} players, though the table was opened for {asked}: agreeing on the table.")
        return text.format(who=clean(view.seats[0].name, NAME_CELLS) if view.seats else "?", n=view.size, asked=view.asked)
    if missing:
        return ngettext("Waiting for {n} more player.", "Waiting for {n} more players.", missing).format(n=missing)
    return _("Everybody is here: agreeing on the table.")
