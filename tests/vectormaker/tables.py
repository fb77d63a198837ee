"""Component tables: where they are, and their data hashes as files."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mastaba.core.games import GAMES, data_hash
from mastaba.core.plain import encode

from .rows import Expect, Row

TESTS = Path(__file__).parents[1]
SMALL = {game: TESTS / "data" / f"{game}-small.toml" for game in GAMES}
SHIPPED = {game: TESTS.parent / "src" / "core" / "games" / "data" / f"{game}.toml" for game in GAMES}


def path_of(game: str, shipped: bool) -> Path:
    return (SHIPPED if shipped else SMALL)[game]


def file_of(game: str, shipped: bool = False) -> str:
    """Where the table lies among the vectors."""
    return f"data/{path_of(game, shipped).name}"


def copies() -> dict[str, bytes]:
    """The component tables themselves, which have no line in the index: the files that need them name them."""
    return {file_of(game, shipped): path_of(game, shipped).read_bytes() for game in GAMES for shipped in (False, True)}


def tables() -> Iterator[Row]:
    for game in GAMES:
        for shipped in (False, True):
            data = GAMES[game].load(tomllib.loads(path_of(game, shipped).read_text()))
            told = {"game": game, "plain": encode(data.plain).hex(), "hash": data_hash(data).hex()}
            name = path_of(game, shipped).stem
            about = f"the {'shipped' if shipped else 'small'} table of {game} as plain data, and its hash"
            yield Row(f"table/{name}.json", "table", file_of(game, shipped), about, as_json(told), Expect())


def as_json(value: dict[str, Any]) -> bytes:
    """One field a line."""
    lines = (f" {json.dumps(key)}: {json.dumps(one)}" for key, one in value.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()
