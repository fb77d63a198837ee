"""A table under an identity of its own: all are told, nobody remembers it, and whose it was is known at home alone."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from fakenet import match_for
from lobbynet import Room
from mastaba.cli.show import lobby as lobby_words
from mastaba.net.enter import interrupted, join_table, open_table, resume
from mastaba.net.identity import Identity
from mastaba.net.store import Store
from mastaba.net.terms import in_play
from mastaba.net.watch import Watcher
from mastaba.net.wire import Cards, Next
from seats import SMALL

WAIT = 60


def test_all_at_a_table_are_told_who_sits_there_under_a_fresh_key() -> None:
    room = Room(3)
    room.guest("Bea", fresh=True)
    room.guest("Cleo")
    room.run()
    assert [lobby.agreed is not None for lobby in room.lobbies] == [True] * 3
    assert [lobby.agreed.fresh for lobby in room.lobbies if lobby.agreed] == [(1,)] * 3
    for lobby in room.lobbies:
        view = lobby.look()
        assert [seat.fresh for seat in view.seats] == [False, True, False]
        assert sum("under a fresh key" in line for line in lobby_words.lines(view, ())) == 1


def test_a_spectator_follows_no_table_whose_marks_are_of_other_seats_than_play() -> None:
    match, _, _ = match_for(2)
    for fresh, right in (((), True), ((1,), True), ((2,), False)):
        table = in_play(match.roster, "Ana", True, fresh)
        if not right:
            table = replace(table, seats=(*table.seats, (bytes(32), "Mal", None, True)))
        watcher = Watcher("")
        watcher.watch(1)
        watcher.receive(1, table)
        watcher.receive(1, Cards(match.toml))
        watcher.receive(1, Next(match.roster.encode()))
        assert (watcher.found is not None, watcher.trouble is None) == (right, right)
        assert watcher.found is None or watcher.found.fresh == fresh


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_nobody_remembers_a_fresh_key_which_lasts_through_a_resume_and_is_known_at_home(tmp_path: Path) -> None:
    here, there = Store(tmp_path / "a"), Store(tmp_path / "b")
    fresh = Identity.generate()

    async def until(client, condition) -> None:
        changed = asyncio.Event()
        client.subscribe(changed.set)
        async with asyncio.timeout(WAIT):
            while not condition():
                changed.clear()
                await changed.wait()

    async def main() -> None:
        async with open_table(here, "loot", 2, name="Ana", data=SMALL, loopback=True, tag="fresh") as ana:
            port = ana.places[0][1]
            async with join_table(there, f"127.0.0.1:{port}", name="Bea", loopback=True, tag="fresh", fresh=fresh) as bea:
                await until(bea, lambda: bea.snapshot is not None and bea.snapshot.view.rules.first is not None)
                await until(ana, lambda: ana.snapshot is not None)
                assert [client.snapshot.fresh for client in (ana, bea)] == [(1,), (1,)]
                assert ana.players == {ana.identity.public: "Ana", fresh.public: "Bea"}
                assert ana.profile.known("Bea") is None
                assert bea.profile.known("Ana") == ana.identity.public
                assert bea.profile.identity.public != fresh.public
                first = bea.profile.certificate.read_bytes()
            (match,) = interrupted(there)
            assert fresh.secret in match.path.read_bytes()
            async with resume(there, match, loopback=True, tag="fresh") as bea:
                await until(bea, lambda: bea.snapshot is not None)
                assert bea.identity.public == bea.fresh.public == fresh.public
                assert bea.snapshot.fresh == (1,)
                assert bea.profile.certificate.read_bytes() != first
                await until(ana, lambda: ana.snapshot.linked[1])

    asyncio.run(main())
    assert fresh.public in there.identities()
    assert fresh.public not in here.identities()
    kept = [path for path in (tmp_path / "b").rglob("*") if path.is_file() and fresh.secret in path.read_bytes()]
    assert [path.suffix for path in kept] == [".journal"], "it goes with the match"
