"""Whom links call before there is a lobby."""

from .addresses import Address
from .wire import Message


class Nobody:
    """The handler of links before there is a lobby."""

    def link_up(self, link: int, identity: bytes, addresses: tuple[Address, ...]) -> None:
        """Nobody cares yet."""

    def link_down(self, link: int) -> None:
        """Nobody cares yet."""

    def receive(self, link: int, message: Message) -> None:
        """Nobody listens yet."""

    def tick(self, now: float) -> None:
        """Nothing waits yet."""

    def take_outbox(self) -> list[tuple[int, Message]]:
        return []

    def take_closes(self) -> list[tuple[int, str]]:
        return []
