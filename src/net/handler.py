"""What links call: the Sans-I/O side of a lobby or a match, and one that does nothing."""

from collections.abc import Collection
from typing import Protocol

from .addresses import Address
from .wire import Message


class Handler(Protocol):
    """The Sans-I/O side of a lobby or a match.  Links are numbers, never used twice; no method may raise."""

    @property
    def placed(self) -> Collection[int]:
        """The links that make room for nobody: who is there has a place, at the table or among those who watch."""

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None: ...
    def link_down(self, link: int) -> None: ...
    def receive(self, link: int, message: Message) -> None: ...
    def tick(self, now: float) -> None: ...
    def take_outbox(self) -> list[tuple[int, Message]]: ...
    def take_closes(self) -> list[tuple[int, str]]:
        """(link, reason id) of the links to close; an empty reason closes without a word."""


class Nobody:
    """A handler that says and hears nothing: before there is a lobby, and what others begin with."""

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None:
        """Nobody cares yet."""

    def link_down(self, link: int) -> None:
        """Nobody cares yet."""

    def receive(self, link: int, message: Message) -> None:
        """Nobody listens yet."""

    def tick(self, now: float) -> None:
        """Nothing waits yet."""

    @property
    def placed(self) -> Collection[int]:
        return ()

    def take_outbox(self) -> list[tuple[int, Message]]:
        return []

    def take_closes(self) -> list[tuple[int, str]]:
        return []
