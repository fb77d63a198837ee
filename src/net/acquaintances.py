"""Whom the players of this data folder know: what is to be said of a name and a key in a file.  It takes no lock and changes nothing."""

from enum import StrEnum

from .store import Store


class Known(StrEnum):
    """What is known of the key that bears a name."""

    YOU = "you"  # a profile of this data folder
    KNOWN = "known"  # a profile has met this key
    ANOTHER_KEY = "another-key"  # this name is known, and not with this key
    NEW = "new"


class Acquaintances:
    """All profiles count, since a file does not say which of them is asking."""

    def __init__(self, store: Store) -> None:
        self._mine = frozenset(store.identities())
        self._met: dict[str, set[bytes]] = {}
        for name, identity in store.people():
            self._met.setdefault(name.casefold(), set()).add(identity)

    def of(self, name: str, identity: bytes) -> Known:
        """Names are compared without letter case, as at a table."""
        met = self._met.get(name.casefold(), set())
        if identity in self._mine:
            return Known.YOU
        if identity in met:
            return Known.KNOWN
        if met:
            return Known.ANOTHER_KEY
        return Known.KNOWN if any(identity in keys for keys in self._met.values()) else Known.NEW
