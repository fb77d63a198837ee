"""Another match: who sits down again is who has played, and nobody waits for ever for somebody who is not there."""

import asyncio
import contextlib
import os
from pathlib import Path

import pytest
from mastaba.net import enter
from mastaba.net.enter import open_table, rejoin_table
from mastaba.net.store import Store, Taken

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


def test_the_profile_that_has_played_is_taken_again_or_it_is_said_that_it_cannot_be(tmp_path: Path) -> None:
    async def main() -> None:
        store, tag = Store(tmp_path), os.urandom(6).hex()
        with store.take_profile(1) as other, store.take_profile(2) as played:
            mine = played.identity.public
            with pytest.raises(Taken, match="Another mastaba"):
                async with open_table(store, "loot", 2, name="Ana", loopback=True, tag=tag, slot=2):
                    pass
            with pytest.raises(Taken, match="Another mastaba"):
                async with rejoin_table(store, (("127.0.0.1", 9),), ("Beto", bytes(32)), "", name="Ana", loopback=True, tag=tag, slot=2):
                    pass
            assert other.identity.public != mine
        async with open_table(store, "loot", 2, name="Ana", loopback=True, tag=tag, slot=2) as again:
            assert again.profile.identity.public == mine

    asyncio.run(main())


def test_somebody_else_who_answers_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enter, "AGAIN", 0.01)
    monkeypatch.setattr(enter, "LOOK", 0.3)

    async def main() -> None:
        tag = os.urandom(6).hex()
        async with (
            asyncio.timeout(20),
            open_table(Store(tmp_path / "a"), "loot", 2, name="Ana", loopback=True, tag=tag) as other,
            contextlib.AsyncExitStack() as stack,
        ):
            again = rejoin_table(Store(tmp_path / "b"), other.places, ("Ana", bytes(32)), "", name="Beto", loopback=True, tag=tag)
            with pytest.raises(enter.NothingFound, match="Ana does not open the table again"):
                await stack.enter_async_context(again)

    asyncio.run(main())
