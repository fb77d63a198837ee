"""Whom the players of this data folder know: what is to be said of a name and a key in a file.  It takes no lock and changes nothing."""

from enum import StrEnum

from .names import looks
from .store import Store


class Known(StrEnum):
    """What is known of the key that bears a name."""

    YOU = "you"  # a profile of this data folder
    KNOWN = "known"  # a profile has met this key under this name
    OTHER_NAME = "other-name"  # under another name alone, and nobody under this one
    ANOTHER_KEY = "another-key"  # this name is known, and not with this key
    NEW = "new"


class Acquaintances:
    """All profiles count, since a file does not say which of them is asking."""

    def __init__(self, store: Store) -> None:
        self._mine = frozenset(store.identities())
        self._met: dict[str, set[bytes]] = {}
        self._names: dict[bytes, str] = {}
        for name, identity in store.people():
            self._names[identity] = name
            self._met.setdefault(looks(name), set()).add(identity)

    def of(self, name: str, identity: bytes) -> Known:
        """Names that look alike are the same name, as at a table."""
        met = self._met.get(looks(name), set())
        if identity in self._mine:
            return Known.YOU
        if identity in met:
            return Known.KNOWN
        if met:
            return Known.ANOTHER_KEY
        return Known.OTHER_NAME if self.name_of(identity) else Known.NEW

    def name_of(self, identity: bytes) -> str:
        """A name under which a profile has met this key, or nothing."""
        return self._names.get(identity, "")
