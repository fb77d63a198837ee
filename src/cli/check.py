"""Verifying a file: reading it within limits, replaying it, and saying in words or JSON what it proves."""

from argparse import Namespace
from pathlib import Path

from ..core.errors import LocalError
from ..core.plain import BadEncoding
from ..net.log import read_limited
from ..net.match import match_of
from ..net.store import disk
from ..net.verify import Report, Wrong, verify as verify_bytes
from .cells import clean
from .exits import Exit
from .show.claims import claim_words
from .terminal import Terminal
from .text import _, ngettext


def check_file(path: Path, data: Path | None) -> Report:
    """What the transcript or evidence file proves; `data`: the component table if the match had one of its own.  Raises LocalError."""
    try:
        with disk(path), path.open("rb") as file:
            content = read_limited(file)
    except BadEncoding as error:
        raise LocalError("The file {0} is no transcript: {1}.", path, error) from None
    return verify_bytes(content, lambda roster: match_of(roster, data).table())


def run(args: Namespace, terminal: Terminal) -> Exit:
    """The command `verify`."""
    import json

    report = check_file(Path(args.file), Path(args.data) if args.data else None)
    if args.json:
        print(json.dumps(report.as_json()))
    else:
        for line in in_words(report):
            terminal.say(line)
    return Exit.OK if report.ok else Exit.CHEAT


def in_words(report: Report) -> list[str]:
    """What the file proves, for a person."""
    names = [clean(name) for name, _identity in report.seats] or [clean(s.name) for s in report.roster.seats] if report.roster else []
    if not report.ok:
        return [_("This file does not hold: {why}.").format(why=_place(report.fault, names))]
    if report.kind == "evidence":
        return [_("This file proves cheating: {what}.").format(what=_place(report.fault, names))]
    lines = [_("Every signature and every proof in this transcript holds.")]
    if report.complete or report.unsigned:
        scores = ", ".join(f"{name} {score}" for name, score in zip(names, report.scores, strict=True))
        won = ", ".join(names[seat] for seat in report.winners)
        text = _("A whole game of {game}: {scores}. Won by {who}.") if won else _("A whole game of {game}: {scores}.")
        lines.append(text.format(game=report.game, scores=scores, who=won))
        if report.unsigned:
            lines.append(_("Not confirmed by {who}.").format(who=", ".join(names[seat] for seat in report.unsigned)))
    else:
        lines.append(_("A game of {game} that was not played to its end ({n} steps).").format(game=report.game, n=report.steps))
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
