"""Which of the tables heard is meant: a name, the words of a key, or the only one; none of several without a choice."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mastaba.cli.show import lobby
from mastaba.core.errors import LocalError
from mastaba.net import inquiry, search
from mastaba.net.channel import Refused
from mastaba.net.discovery import Found, TableAd
from mastaba.net.identity import words
from mastaba.net.lobbyview import LobbySeat, LobbyView
from mastaba.net.search import NothingFound
from mastaba.net.seated import Seated
from mastaba.net.store import Store

KEYS = [bytes([n]) * 32 for n in range(4)]


def table(number: int, name: str, phase: str = "open") -> Found:
    ad = TableAd(KEYS[number][:8].hex(), name, "loot", 1, 4, phase)
    return Found(f"{name}{number}.local.", ad, "1-1", True, "0.1.0", "", ((f"10.0.0.{number}", 5),))


class Heard:
    """Discovery, with what is heard given."""

    trouble = None

    def __init__(self, *tables: Found) -> None:
        self._tables = tables

    async def start(self, loopback: bool) -> None: ...
    async def close(self) -> None: ...

    def tables(self) -> tuple[Found, ...]:
        return self._tables


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    async def ask_table(addresses: Any) -> tuple[bytes, None]:
        number = int(addresses[0][0].rpartition(".")[2])
        if number == 3:
            raise Refused("no-table")  # a table that is announced and does not answer
        return KEYS[number], None

    monkeypatch.setattr(inquiry, "ask_table", ask_table)
    monkeypatch.setattr(search, "LOOK", 0.2)
    monkeypatch.setattr(search, "SETTLE", 0.1)
    return iter(())


def find(tmp_path: Path, target: str | None, *tables: Found, phase: str = "open") -> Any:
    async def script() -> Any:
        with Store(tmp_path).take_profile() as profile:
            client = Seated(Store(tmp_path), profile, True, "")
            client._discovery = Heard(*tables)  # type: ignore[assignment]
            try:
                return await client._find(target, phase)
            finally:
                await client.close()

    return asyncio.run(script())


def test_of_several_tables_of_one_name_none_is_taken_and_their_keys_are_named(tmp_path: Path) -> None:
    tables = table(0, "Ana"), table(1, "Ana"), table(2, "Bea"), table(3, "Ana")
    with pytest.raises(LocalError) as refused:
        find(tmp_path, "Ana", *tables)
    said = refused.value.sentence.format(*refused.value.details)
    assert "Several tables are called Ana" in said
    assert [words(key) in said for key in KEYS] == [True, True, False, False]
    assert "10.0.0.1:5" in said


@pytest.mark.parametrize("name", ["ana", "\u0410na", "\u00c1na"])
def test_a_table_whose_name_looks_like_another_s_is_of_the_same_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(LocalError, match="Several tables are called"):
        find(tmp_path, "Ana", table(0, "Ana"), table(1, name))


def test_a_table_is_taken_by_its_keys_words_and_must_prove_that_key(tmp_path: Path) -> None:
    tables = table(0, "Ana"), table(1, "Ana"), table(3, "Ana")
    assert find(tmp_path, words(KEYS[1]).upper(), *tables) == ((("10.0.0.1", 5),), KEYS[1])
    with pytest.raises(NothingFound, match="No table here has the key"):
        find(tmp_path, words(KEYS[2]), *tables)
    with pytest.raises(LocalError):
        find(tmp_path, words(KEYS[1]), *tables, phase="play")


def test_a_table_that_calls_itself_by_the_words_of_a_key_is_not_taken_for_it(tmp_path: Path) -> None:
    with pytest.raises(NothingFound, match="No table here has the key"):
        find(tmp_path, words(KEYS[1]), table(0, words(KEYS[1])))


def test_a_name_of_one_table_alone_is_enough(tmp_path: Path) -> None:
    assert find(tmp_path, "bea", table(0, "Ana"), table(2, "Bea")) == ((("10.0.0.2", 5),), None)


def test_without_a_name_several_tables_are_named_and_by_their_keys_if_their_names_are_one(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="name one: Ana, Bea"):
        find(tmp_path, None, table(0, "Ana"), table(2, "Bea"))
    with pytest.raises(LocalError, match=words(KEYS[1])):
        find(tmp_path, None, table(0, "Ana"), table(1, "Ana"))
    assert find(tmp_path, None, table(0, "Ana"), table(1, "Ana", "play"))[0] == (("10.0.0.0", 5),)


def test_the_lobby_marks_who_bears_a_known_name_under_another_key(tmp_path: Path) -> None:
    async def script() -> None:
        with Store(tmp_path).take_profile() as profile:
            client = Seated(Store(tmp_path), profile, True, "")
            profile.meet("Bea", KEYS[1])
            seats = tuple(
                LobbySeat(key, name, words(key), me, fresh=fresh)
                for key, name, me, fresh in ((KEYS[0], "Ana", True, False), (KEYS[2], "Bea", False, False), (KEYS[3], "Bea", False, True))
            )
            view = LobbyView("Ana", "loot", 4, (*seats, LobbySeat(KEYS[1], "BEA", words(KEYS[1]), False)), "open")
            assert [seat.stranger for seat in client._marked(view).seats] == [False, True, False, False]
            said = lobby.lines(client._marked(view), ())
            assert [("not the one you know" in line, "under a fresh key" in line) for line in said[1:5]] == [
                (False, False),
                (True, False),
                (False, True),
                (False, False),
            ]
            await client.close()

    asyncio.run(script())
