"""Who sat at the table of a file, in words: a name is what its owner chose, the words beside it are the key's."""

from ..net.acquaintances import Acquaintances, Known
from ..net.identity import words
from ..net.names import plain_name
from ..net.roster import MAX_NAME
from .cells import clean
from .text import _


def plain(name: str) -> str:
    """The name as it is shown: harmless, and without anything that looks like the words of a key."""
    return clean(plain_name(name, MAX_NAME)) or "?"


def seat_words(name: str, identity: bytes, known: Acquaintances | None = None) -> str:
    """One seat in one line; `known`: whom this profile knows, if that is to be said."""
    texts = {
        None: "{name} ({words})",
        Known.YOU: _("{name} ({words}): you"),
        Known.KNOWN: _("{name} ({words}): known to you"),
        Known.OTHER_NAME: _("{name} ({words}): known to you as {other}"),
        Known.ANOTHER_KEY: _("{name} ({words}): not the {name} that you know"),
        Known.NEW: _("{name} ({words}): not known to you"),
    }
    other = plain(known.name_of(identity)) if known else ""
    return texts[known.of(name, identity) if known else None].format(name=plain(name), words=words(identity), other=other)


def called(name: str, identity: bytes, known: Acquaintances | None = None) -> str:
    """The same within a sentence."""
    return f"{plain(name)} ({key_words(name, identity, known)})"


def key_words(name: str, identity: bytes, known: Acquaintances | None = None) -> str:
    """The words of the key, and that it is not the one that this name is known with."""
    text = _("{words}, not the {name} that you know") if known and known.of(name, identity) is Known.ANOTHER_KEY else "{words}"
    return text.format(name=plain(name), words=words(identity))
