"""Who sat at the table of a file, in words: a name is what its owner chose, the words beside it are the key's."""

from ..net.acquaintances import Known
from ..net.identity import words
from .cells import clean
from .text import _


def seat_words(name: str, identity: bytes, known: Known | None = None) -> str:
    """One seat in one line; `known`: what this profile knows of it, if that is to be said."""
    texts = {
        None: "{name} ({words})",
        Known.YOU: _("{name} ({words}): you"),
        Known.KNOWN: _("{name} ({words}): known to you"),
        Known.ANOTHER_KEY: _("{name} ({words}): not the {name} that you know"),
        Known.NEW: _("{name} ({words}): not known to you"),
    }
    return texts[known].format(name=clean(name), words=words(identity))


def called(name: str, identity: bytes, known: Known | None) -> str:
    """The same within a sentence."""
    return f"{clean(name)} ({key_words(name, identity, known)})"


def key_words(name: str, identity: bytes, known: Known | None) -> str:
    """The words of the key, and that it is not the one that this name is known with."""
    text = _("{words}, not the {name} that you know") if known is Known.ANOTHER_KEY else "{words}"
    return text.format(name=clean(name), words=words(identity))
