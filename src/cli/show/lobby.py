"""A table that waits for players, in words and on the screen; it knows views of the lobby and no game."""

from typing import Any

from ..cells import Line, clean, cut, cut_line, pad
from ..text import _, ngettext
from .frame import Ui, leaving, rule


def lines(view: Any) -> list[str]:
    """The table in sentences."""
    texts = [
        _("Table {name}: {game}, {n} of {size} seats taken.").format(
            name=clean(view.name), game=clean(view.game), n=len(view.seats), size=view.size
        )
    ]
    texts += [_("Seat {n}: {who}").format(n=i, who=f"{clean(seat[0])} ({clean(seat[1])})") for i, seat in enumerate(view.seats, 1)]
    return texts


def compose(view: Any, ui: Ui, columns: int, rows: int) -> list[Line]:
    """The waiting table as a screen."""
    missing = view.size - len(view.seats)
    out: list[Line] = [[("class:title", pad(f" mastaba · {clean(view.game)} · {clean(view.name)}", columns))]]
    waiting = ngettext("Waiting for {n} more player.", "Waiting for {n} more players.", missing).format(n=missing)
    out += [[("class:wait", f"  {waiting if missing else _('Everybody is here: agreeing on the table.')}")], rule(_("Seats"), columns)]
    for i in range(view.size):
        seat = view.seats[i] if i < len(view.seats) else None
        out.append([("", cut(f"  {i + 1}  {pad(clean(seat[0]), 20)}  {clean(seat[1])}" if seat else f"  {i + 1}  …", columns))])
    hint = ("class:warn", leaving()) if ui.leaving else ("class:dim", "  " + _("Others on this network type: mastaba join"))
    return [cut_line(line, columns) for line in [*out, [], [hint]]][:rows]
