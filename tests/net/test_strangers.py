"""Links of strangers over real sockets: they are read slowly, answered seldom, and hold nobody up; who plays is read as fast as ever."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from mastaba.net import budget, links
from mastaba.net.budget import Limit
from mastaba.net.identity import Identity
from mastaba.net.links import Link
from mastaba.net.wire import BadFrame, Bye, Frames, Hello, Note, Ping, Pong, Probe, Want, pack, unpack
from peernet import PATIENCE, Node, greeted, nodes, run

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


async def stranger(node: Node) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter]:
    """A link made by hand, once the handler has been told of it."""
    identity = Identity.generate()
    reader, writer = await greeted(node, identity)
    await node.until(lambda: identity.public in node.handler.up.values())
    return next(link for link, one in node.handler.up.items() if one == identity.public), reader, writer


async def counted(reader: asyncio.StreamReader, kind: type, frames: Frames) -> int:
    """How many of these messages come until the next good-bye or the end."""
    found = 0
    with contextlib.suppress(OSError):
        async with asyncio.timeout(PATIENCE):
            while data := await reader.read(1 << 16):
                messages = [unpack(body) for body in frames.feed(data)]
                found += sum(isinstance(message, kind) for message in messages)
                if any(isinstance(message, Bye) for message in messages):
                    break
    return found


async def all_get_through(made: list[Node], number: int) -> None:
    """What the second says arrives at the first, all of it, in order, while whatever else goes on."""
    a, b = made
    a.peers.keep(b.identity, lambda: b.peers.addresses)
    await a.until(lambda: b.identity in a.handler.up.values())
    await b.until(lambda: b.handler.up)
    link = next(link for link, one in a.handler.up.items() if one == b.identity)
    notes = [Note(str(n)) for n in range(number)]
    for note in notes:
        await b.peers.call(b.handler.say, next(iter(b.handler.up)), note)
    await a.until(lambda: len([one for one in a.handler.got if one[0] == link]) == number)
    assert [message for one, message in a.handler.got if one == link] == notes
    a.peers.forget(b.identity)


@pytest.mark.parametrize("question", [Probe(), Want()])
def test_who_asks_all_the_time_is_heard_once_a_tick_and_holds_nobody_up(tmp_path: Path, question: Probe | Want) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        link, _, writer = await stranger(a)
        writer.write(pack(question) * 5000)
        await all_get_through(made, 300)
        ticks = a.handler.ticks
        await a.until(lambda: a.handler.ticks > ticks + 8)
        heard = [message for one, message in a.handler.got if one == link]
        assert 1 < len(heard) <= a.handler.ticks + 1
        assert set(heard) == {question}
        writer.close()

    run(tmp_path, 2, play)


def test_pings_are_answered_once_a_tick_and_never_not_at_all(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        _, reader, writer = await stranger(a)
        for number in range(10):
            writer.write(pack(Ping(bytes([number]) * 8)))
        ticks = a.handler.ticks
        await a.until(lambda: a.handler.ticks > ticks + 3)
        closing = asyncio.create_task(counted(reader, Pong, Frames()))
        await a.peers.close()
        assert 2 <= await closing <= 5
        writer.close()

    run(tmp_path, 1, play)


def test_over_its_budget_a_stranger_is_not_read_and_who_plays_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "STRANGE", (Limit(0.01, 5), *budget.STRANGE[1:]))

    async def play(made: list[Node]) -> None:
        a = made[0]
        link, _, writer = await stranger(a)
        writer.write(b"".join(pack(Note(str(n))) for n in range(3000)))
        await all_get_through(made, 2000)
        heard = [message for one, message in a.handler.got if one == link]
        assert heard == [Note(str(n)) for n in range(links.MAX_BATCH)], "one batch, and not one lost of it"
        writer.close()

    run(tmp_path, 2, play)


def test_what_a_stranger_says_within_its_budget_is_read_whole(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        link, _, writer = await stranger(a)
        notes = [Note(str(n)) for n in range(int(budget.STRANGE[0].most) + 8)]
        writer.write(b"".join(map(pack, notes)))
        await a.until(lambda: len(a.handler.got) >= len(notes))
        assert [message for one, message in a.handler.got if one == link] == notes
        writer.close()

    run(tmp_path, 1, play)


def test_the_worker_takes_few_messages_of_one_link_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        number, _, writer = await stranger(a)
        link: Link = a.peers._links[number]
        bodies = [pack(Note(str(n)))[4:] for n in range(100)]
        assert await a.peers.call(a.peers._receive, link, bodies) == links.MAX_BATCH
        assert len(a.handler.got) == links.MAX_BATCH
        monkeypatch.setattr(links, "MAX_SLICE", -1.0)
        assert await a.peers.call(a.peers._receive, link, bodies) == 1, "nor more than takes a moment"
        writer.close()

    run(tmp_path, 1, play)


def test_a_link_that_ends_while_it_has_to_rest_is_gone_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "STRANGE", (Limit(1e-6, 1), *budget.STRANGE[1:]))

    async def play(made: list[Node]) -> None:
        a = made[0]
        link, _, writer = await stranger(a)
        writer.write(pack(Note("x")) * 100)
        await a.until(lambda: a.handler.got)
        await a.peers.call(a.handler.close, link, "")
        await a.until(lambda: a.handler.down == [link])
        running = [task for task in a.peers._tasks if task.get_coro().__name__ == "_run"]  # type: ignore[union-attr]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*running)
        writer.close()

    run(tmp_path, 1, play)


def test_a_handshake_after_the_handshake_is_garbage(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        number, _, writer = await stranger(a)
        with pytest.raises(BadFrame):
            await a.peers.call(a.peers._receive, a.peers._links[number], [pack(Hello(1, 1, "", bytes(32), bytes(32)))[4:]])
        writer.close()

    run(tmp_path, 1, play)


def test_links_with_a_place_at_the_table_make_room_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MAX_LINKS", 2)

    async def play(made: list[Node]) -> None:
        a = made[0]
        seated, _, writer = await stranger(a)
        a.handler.placed = (seated,)
        others = [await stranger(a) for _ in range(6)]
        await a.until(lambda: len(a.handler.up) == 3)
        assert seated in a.handler.up
        for _, _, other in (*others, (0, None, writer)):
            other.close()

    run(tmp_path, 1, play)


def test_all_nodes_close(tmp_path: Path) -> None:
    """A link at rest does not hold up the end."""

    async def main() -> None:
        async with nodes(tmp_path, 1) as made:
            _, _, writer = await stranger(made[0])
            writer.write(pack(Note("x")) * 5000)
            await made[0].until(lambda: made[0].handler.got)
        writer.close()

    asyncio.run(main())
