"""A data folder that was copied to a second machine: both are told, one stops by its own key's word alone, and nobody is named."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from mastaba.core.errors import LocalError
from mastaba.net import runs as runs_module
from mastaba.net.channel import Refused
from mastaba.net.enter import interrupted, join_table, open_table, resume
from mastaba.net.identity import Identity
from mastaba.net.peers import CutOff
from mastaba.net.runs import LATE, SIZE, Runs, genuine, state
from mastaba.net.store import Store
from mastaba.net.wire import Run
from peernet import Node, nodes
from seats import SMALL

ANA, EVE = (Identity.from_secret(bytes([n]) * 32) for n in (1, 2))
FIRST, SECOND = b"1" * SIZE, b"2" * SIZE


@pytest.mark.parametrize("refused", [False, True])
def test_a_run_stops_by_a_statement_of_its_own_identity_about_a_run_that_was_never_its_own_and_only_if_it_is_turned_away(
    refused: bool,
) -> None:
    runs = Runs(ANA, FIRST, (b"0" * SIZE,))
    for forged in (state(EVE, SECOND), Run(SECOND, bytes(64)), Run(SECOND, state(ANA, FIRST).statement), state(ANA, b"short"), runs.own):
        assert not runs.show(forged, LATE + 60, True)
    assert (runs.told, runs.stops) == (False, False)
    assert runs.show(state(ANA, SECOND), 0.0, refused)
    assert (runs.told, runs.stops) == (True, refused)


def test_an_old_statement_of_an_own_run_stops_nobody() -> None:
    """Who has it may show it for ever: a link that the last run has left behind, or a peer that lies."""
    runs = Runs(ANA, SECOND, (FIRST,))
    assert not runs.show(state(ANA, FIRST), 1.0, True)
    assert runs.show(state(ANA, FIRST), LATE + 1, True), "the folder was copied while its program ran"
    assert (runs.told, runs.stops) == (True, False)


def test_each_start_of_a_profile_is_a_run_that_the_next_ones_know(tmp_path: Path) -> None:
    with Store(tmp_path).take_profile() as profile:
        drawn = [profile.begin_run() for _ in range(3)]
    assert len({run for run, _ in drawn}) == 3
    assert [earlier for _, earlier in drawn] == [(), (drawn[0][0],), (drawn[0][0], drawn[1][0])]
    assert genuine(ANA.public, state(ANA, drawn[0][0]))
    (tmp_path / "profiles" / "1" / "runs").write_text("rubbish\n" + "zz" * 16)
    with Store(tmp_path).take_profile() as profile:
        assert profile.begin_run()[1] == ()


@contextlib.asynccontextmanager
async def copied(tmp_path: Path) -> AsyncIterator[tuple[Node, Node, Callable[[], Awaitable[Node]]]]:
    """Somebody who listens, a node, and a way to start a node from a copy of its folder."""
    async with contextlib.AsyncExitStack() as stack:
        (host,) = await stack.enter_async_context(nodes(tmp_path / "host", 1))

        async def start(home: Path) -> Node:
            node = Node(Store(home))
            stack.push_async_callback(node.close)
            await node.peers.start(None, loopback=True)
            return node

        async def copy() -> Node:
            shutil.copytree(tmp_path / "one", tmp_path / "two")
            return await start(tmp_path / "two")

        Store(tmp_path / "one").take_profile().close()
        yield host, await start(tmp_path / "one"), copy


def test_two_machines_with_one_identity_are_both_told_and_the_later_one_stops(tmp_path: Path) -> None:
    async def play() -> None:
        async with copied(tmp_path) as (host, one, copy):
            two = await copy()
            two.peers.runs._earlier = frozenset()  # the copy was taken before the first one was started
            link = await one.peers.dial(host.peers.addresses)
            with pytest.raises(Refused) as refused:
                await two.peers.dial(host.peers.addresses)
            assert refused.value.reason == "double"
            await one.until(lambda: one.peers.runs.told)
            assert [(node.peers.runs.told, node.peers.runs.stops) for node in (one, two)] == [(True, False), (True, True)]
            assert [identity for _, identity, _ in host.handler.ever] == [one.identity], "the others see one link, which stays"
            assert host.handler.down == []
            assert link in one.handler.up

    asyncio.run(play())


def test_who_starts_anew_is_let_in_as_soon_as_the_old_link_is_found_dead(tmp_path: Path) -> None:
    async def play() -> None:
        async with copied(tmp_path) as (host, one, copy):
            two = await copy()
            await one.peers.dial(host.peers.addresses)
            for task in one.peers._tasks:
                task.cancel()  # its machine has lost its power: nothing is said, nothing is closed
            await two.peers.dial(host.peers.addresses)
            assert (two.peers.runs.told, two.peers.runs.stops) == (False, False)
            await host.until(lambda: len(host.handler.ever) == 2 and len(host.handler.up) == 1)

    asyncio.run(play())


def test_one_run_at_a_time_is_looked_at_beside_a_link_that_does_not_answer(tmp_path: Path) -> None:
    """Whoever comes with ever new runs of one key would otherwise hold a socket of ours for each of them."""

    async def play() -> None:
        async with copied(tmp_path) as (host, one, copy):
            two = await copy()
            await one.peers.dial(host.peers.addresses)
            for task in one.peers._tasks:
                task.cancel()
            first = asyncio.ensure_future(two.peers.dial(host.peers.addresses))
            await host.until(lambda: bool(host.peers._settling))
            shutil.rmtree(tmp_path / "one")
            (tmp_path / "two").rename(tmp_path / "one")
            three = await copy()
            with pytest.raises(CutOff):
                await three.peers.dial(host.peers.addresses)
            assert not first.done(), "who came first still waits"
            await first
            assert len(host.handler.up) == 1

    asyncio.run(play())


def test_a_copy_of_a_folder_whose_program_runs_is_told_but_stops_nobody_by_an_old_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "LATE", 0.0)

    async def play() -> None:
        async with copied(tmp_path) as (host, one, copy):
            await one.peers.dial(host.peers.addresses)
            two = await copy()
            with pytest.raises(Refused):
                await two.peers.dial(host.peers.addresses)
            await one.until(lambda: one.peers.runs.told)
            assert [(node.peers.runs.told, node.peers.runs.stops) for node in (one, two)] == [(True, False), (True, False)]

    asyncio.run(play())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_a_match_resumed_on_two_machines_goes_on_on_one_and_names_nobody(tmp_path: Path) -> None:
    async def until(client, condition) -> None:
        changed = asyncio.Event()
        client.subscribe(changed.set)
        async with asyncio.timeout(60):
            while not condition():
                changed.clear()
                await changed.wait()

    async def main() -> None:
        kind = {"loopback": True, "tag": "two-machines"}
        async with open_table(Store(tmp_path / "a"), "loot", 2, name="Ana", data=SMALL, **kind) as ana:
            async with join_table(Store(tmp_path / "b"), f"127.0.0.1:{ana.places[0][1]}", name="Bea", **kind) as bea:
                await until(bea, lambda: bea.snapshot is not None and bea.snapshot.phase == "play")
            await until(ana, lambda: not ana.snapshot.linked[1])
            shutil.copytree(tmp_path / "b", tmp_path / "c")
            one, two = (interrupted(Store(tmp_path / home))[0] for home in "bc")
            async with resume(Store(tmp_path / "b"), one, **kind) as bea:
                await until(ana, lambda: ana.snapshot.linked[1])
                seen = []
                ana.subscribe(lambda: seen.append(ana.snapshot.linked[1]))
                async with resume(Store(tmp_path / "c"), two, **kind) as copy:
                    await until(copy, copy.ended.is_set)
                    assert isinstance(copy.failed, LocalError)
                    assert "another machine with a copy of its data" in str(copy.failed)
                await until(bea, lambda: bea.trouble is not None)
                assert "from a copy of its data" in str(bea.trouble)
                assert bea.failed is None
                assert all(seen), "nobody sees it come and go"
                assert ana.snapshot.trouble == bea.snapshot.trouble == ()
            assert interrupted(Store(tmp_path / "c")), "its match is kept"

    asyncio.run(main())
