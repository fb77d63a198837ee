"""Errors in words and as exit codes; it knows no command."""

from ..core.errors import LocalError
from .cells import clean
from .exits import Exit
from .text import _

REASONS = {
    "usage": Exit.USAGE,
    "version": Exit.VERSION,
    "rules": Exit.VERSION,
    "no-table": Exit.NOTHING,
    **dict.fromkeys(("closed", "silent", "away", "unready", "late", "address"), Exit.PEERS),
}


class Usage(LocalError):
    """What was typed makes no sense, though its form is right."""

    reason = "usage"


def error_words(error: LocalError) -> str:
    """One sentence for a person."""
    ids = {"not-asked": _("Nothing is asked of you now.")}
    sentence = ids.get(error.sentence) or _(error.sentence)
    return sentence.format(*(clean(str(detail), 4096) for detail in error.details)) if error.details else sentence


def exit_code(error: LocalError) -> Exit:
    """The exit code of a failed command: a refusal by the other side (net.channel.Refused) says why by a reason id."""
    return REASONS.get(getattr(error, "reason", ""), Exit.FAILURE)
