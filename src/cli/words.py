"""Errors in words: the sentence of a LocalError in the language in use, with its details made harmless; it knows no command."""

from ..core.errors import LocalError
from .cells import clean
from .text import _


def error_words(error: LocalError) -> str:
    """One sentence for a person."""
    ids = {"not-asked": _("Nothing is asked of you now.")}
    sentence = ids.get(error.sentence) or _(error.sentence)
    return sentence.format(*(clean(str(detail), 4096) for detail in error.details)) if error.details else sentence
