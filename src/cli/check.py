"""Verifying a file: reading it within limits, replaying it, and saying in words or JSON what it proves."""

from argparse import Namespace
from pathlib import Path

from ..core.claims import Refusal
from ..core.errors import LocalError, Unfit
from ..core.fair.table import Table
from ..net.acquaintances import Acquaintances
from ..net.match import match_of
from ..net.replay import MakeTable, Wrong, opened
from ..net.roster import Roster
from ..net.store import Store
from ..net.verify import Report, verify as verify_bytes
from .exits import Exit
from .seats import called, plain, seat_words
from .show import show_of
from .show.claims import claim_words
from .terminal import Terminal, complain
from .text import _, ngettext
from .words import error_words, exit_code


def check_file(path: Path, data: Path | None) -> Report:
    """What the transcript or evidence file proves; `data`: the component table if the match had one of its own."""
    try:
        with opened(path) as file:
            return verify_bytes(file, table_maker(data))
    except Unfit as error:
        return Report("", False, refused=error)


def table_maker(data: Path | None) -> MakeTable:
    """Makes the table of a file's match.  LocalErrors say by their reason whether the match or the component table is at fault."""

    def make(roster: Roster) -> Table:
        try:
            return match_of(roster, data).table()
        except LocalError as error:
            error.reason = error.reason or Refusal.BAD_DATA
            raise

    return make


def run(args: Namespace, terminal: Terminal) -> Exit:
    """The command `verify`."""
    import json

    report, known = check_file(Path(args.file), Path(args.data) if args.data else None), Acquaintances(Store())
    if args.json:
        print(json.dumps(report.as_json(known.of)))
    else:
        for line in in_words(report, known):
            terminal.say(line)
    if report.refused is not None:
        complain(error_words(report.refused))
        return exit_code(report.refused)
    return Exit.OK if report.ok else Exit.CHEAT


def in_words(report: Report, known: Acquaintances | None = None) -> list[str]:
    """What the file proves, for a person: who sat there first, since names alone say little; nothing if it cannot be checked here."""
    names = [called(name, identity, known) for name, identity in report.seats]
    who = [seat_words(name, identity, known) for name, identity in report.seats]
    if report.refused is not None:
        return []
    if not report.ok:
        return [*who, _("This file does not hold: {why}.").format(why=_place(report.fault, names))]
    if report.kind == "evidence":
        return [*who, _("This file proves cheating: {what}.").format(what=_place(report.fault, names))]
    lines = [*who, _("Every signature and every proof in this transcript holds.")]
    title = show_of(report.game).title()
    if report.complete or report.unsigned:
        scores = ", ".join(f"{plain(name)} {score}" for (name, _identity), score in zip(report.seats, report.scores, strict=True))
        won = ", ".join(names[seat] for seat in report.winners)
        text = _("A whole game of {game}: {scores}. Won by {who}.") if won else _("A whole game of {game}: {scores}.")
        lines.append(text.format(game=title, scores=scores, who=won))
        if report.unsigned:
            lines.append(_("Not confirmed by {who}.").format(who=", ".join(names[seat] for seat in report.unsigned)))
    else:
        lines.append(_("A game of {game} that was not played to its end ({n} steps).").format(game=title, n=report.steps))
    if report.void:
        text = ngettext(
            "{n} contribution at its end is void: it was signed behind the point from which the others went on, or behind the end.",
            "{n} contributions at its end are void: they were signed behind the point from which the others went on, or behind the end.",
            report.void,
        )
        lines.append(text.format(n=report.void))
    checked = report.checked or {}
    parts = (
        ngettext("{n} signature", "{n} signatures", checked.get("signatures", 0)).format(n=checked.get("signatures", 0)),
        ngettext("{n} shuffle", "{n} shuffles", checked.get("shuffles", 0)).format(n=checked.get("shuffles", 0)),
        ngettext("{n} opening of a card", "{n} openings of cards", checked.get("shares", 0)).format(n=checked.get("shares", 0)),
        ngettext("{n} move", "{n} moves", checked.get("moves", 0)).format(n=checked.get("moves", 0)),
    )
    lines.append(_("Checked on this machine: {parts}.").format(parts=", ".join(parts)))
    if audited := checked.get("audited", 0):
        text = ngettext(
            "The audit at the end read {n} hidden move or answer and found it true.",
            "The audit at the end read {n} hidden moves and answers and found all of them true.",
            audited,
        )
        lines.append(text.format(n=audited))
    elif report.roster and not report.roster.options.audit:
        lines.append(_("This table has no audit at the end: what was hidden stays hidden, and its proofs hold."))
    return lines


def _place(fault: Wrong | None, names: list[str]) -> str:
    if fault is None:
        return "?"
    what = claim_words(fault.claim)
    if fault.seat is not None and fault.seat < len(names):
        return _("{who} in step {step}: {what}").format(who=names[fault.seat], step=fault.step, what=what)
    return what if fault.step is None else _("step {step}: {what}").format(step=fault.step, what=what)
