"""One module a game, each reading like its rulebook; knows no cryptography and no network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ..plain import digest, encode
from ..rules import Rules
from . import crypt, loot, pyramid, scarabya


class Data(Protocol):
    """A checked component table."""

    @property
    def plain(self) -> tuple[Any, ...]: ...


@dataclass(frozen=True, slots=True)
class Game:
    """How to check a parsed data table (raises LocalError), and the rules that play with it."""

    load: Callable[[dict[str, Any]], Data]
    rules: type[Rules]


GAMES: dict[str, Game] = {
    "crypt": Game(crypt.load, crypt.Crypt),
    "loot": Game(loot.load, loot.Loot),
    "pyramid": Game(pyramid.load, pyramid.Pyramid),
    "scarabya": Game(scarabya.load, scarabya.Scarabya),
}


def data_hash(data: Data) -> bytes:
    """32 bytes that name a component table."""
    return digest(b"mastaba data 1", encode(data.plain))
