"""Links over real sockets on loopback: one link a peer, liveness, limits, and an end for everybody who does not behave."""

import asyncio
import contextlib
import gc
import hashlib
import socket
import ssl
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from lobbynet import seeded, terms
from mastaba.core.errors import LocalError
from mastaba.net import links, peers
from mastaba.net.addresses import Address
from mastaba.net.channel import Refused
from mastaba.net.guest import Guest
from mastaba.net.identity import Identity
from mastaba.net.lobby import Opener
from mastaba.net.peers import ask_table
from mastaba.net.tls import server_context
from mastaba.net.wire import MAX_FRAME, PREFIX, Bye, Hello, Note, Proof, Refuse, Say, pack, unpack
from peernet import PATIENCE, Node, Recorder, greeted, mute, raw, run

pytestmark = [pytest.mark.lan, pytest.mark.xdist_group("terminals")]


async def read(reader: asyncio.StreamReader) -> Any:
    return unpack(await reader.readexactly(int.from_bytes(await reader.readexactly(PREFIX), "big")))


async def drained(reader: asyncio.StreamReader) -> list[Any]:
    """All messages until the other side ends the link."""
    found = []
    try:
        async with asyncio.timeout(10):
            while True:
                found.append(await read(reader))
    except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
        return found


def test_messages_go_both_ways_under_proven_identities(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        link = await a.peers.dial(b.peers.addresses, b.identity)
        await a.until(lambda: a.handler.up)
        await b.until(lambda: b.handler.up)
        assert a.handler.up == {link: b.identity}
        assert list(b.handler.up.values()) == [a.identity]
        await a.peers.call(a.handler.say, link, Note("hello"))
        await b.until(lambda: b.handler.got)
        assert [m for _, m in b.handler.got] == [Note("hello")]

    run(tmp_path, 2, play)


def test_both_kinds_of_addresses_reach_one_port(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        for host in ("127.0.0.1", "::1") if Path("/proc/net/if_inet6").exists() else ("127.0.0.1",):
            link = await a.peers.dial([(host, b.port)])
            await a.until(lambda link=link: link in a.handler.up)
            await a.peers.call(a.handler.close, link, "")
            await b.until(lambda: not b.handler.up and b.handler.down)

    run(tmp_path, 2, play, loopback=False)


def test_loopback_is_announced_only_when_there_is_nothing_else(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        hosts = [host for host, _ in made[0].peers.addresses]
        assert "127.0.0.1" not in hosts or hosts == ["127.0.0.1"]

    run(tmp_path, 1, play, loopback=False)


def test_a_large_message_arrives_whole(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        link = await a.peers.dial(b.peers.addresses)
        await a.until(lambda: a.handler.up)
        await b.until(lambda: b.handler.up)
        big = Say(bytes(100_000), bytes(64))
        assert link in a.handler.up
        for _ in range(20):
            await b.peers.call(b.handler.say, next(iter(b.handler.up)), big)
        await a.until(lambda: len(a.handler.got) == 20)
        assert {m for _, m in a.handler.got} == {big}

    run(tmp_path, 2, play)


def test_when_both_dial_one_link_is_left_and_it_works(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        for number in range(5):
            await asyncio.gather(a.peers.dial(b.peers.addresses), b.peers.dial(a.peers.addresses), return_exceptions=True)
            a.peers.keep(b.identity, lambda: b.peers.addresses)
            text = Note(f"still here {number}")
            while text not in [m for _, m in b.handler.got]:  # what is said on the link that has to go may be lost
                for link in list(a.handler.up):
                    await a.peers.call(a.handler.say, link, text)
                ticks = b.handler.ticks
                await b.until(lambda text=text, ticks=ticks: text in [m for _, m in b.handler.got] or b.handler.ticks > ticks + 1)
            await a.until(lambda: len(a.handler.up) == 1)
            await b.until(lambda: len(b.handler.up) == 1)
            a.peers.forget(b.identity)
            for link in list(a.handler.up):
                await a.peers.call(a.handler.close, link, "")
            await b.until(lambda: not b.handler.up)

    run(tmp_path, 2, play)


def test_the_link_that_the_smaller_identity_dialled_stays(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        small, large = made
        link = await large.peers.dial(small.peers.addresses)
        await small.until(lambda: small.handler.up)
        kept = await small.peers.dial(large.peers.addresses)
        await small.until(lambda: list(small.handler.up) == [kept])
        await large.until(lambda: link not in large.handler.up and len(large.handler.up) == 1)
        with pytest.raises(Refused) as caught:
            await large.peers.dial(small.peers.addresses)
        assert caught.value.reason == "double"
        assert list(small.handler.up) == [kept]

    run(tmp_path, 2, play)


def test_who_dials_from_elsewhere_is_not_kept_out_by_a_link_that_leads_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "SILENCE", 1000.0)

    async def play(made: list[Node]) -> None:
        small, large = made
        dead = await small.peers.dial(large.peers.addresses)
        await large.until(lambda: large.handler.up)
        for link in large.peers._links.values():  # its cable is cut: nothing arrives there, nothing leaves
            link.writer.transport.pause_reading()
        monkeypatch.setattr(large.peers, "_write", lambda link, frame: None)
        monkeypatch.setattr(small.peers._of[large.identity], "since", -1000.0)  # it has been up for long
        moved = peers.Peers(large.profile, large.pool, Recorder())
        await moved.start(loopback=True)
        moved.keep(small.identity, lambda: small.peers.addresses)
        await small.until(lambda: list(small.handler.up.values()) == [large.identity] and dead not in small.handler.up)
        await moved.close()

    run(tmp_path, 2, play)


def test_a_kept_peer_is_dialled_again_after_a_link_is_cut_and_after_it_restarts(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        a.peers.keep(b.identity, lambda: b.peers.addresses)
        await a.until(lambda: a.handler.up)
        (link,) = a.handler.up
        await b.until(lambda: b.handler.up)
        await b.peers.call(b.handler.close, next(iter(b.handler.up)), "")
        await a.until(lambda: a.handler.up and link not in a.handler.up)
        port, identity = b.port, b.identity
        await b.peers.close()
        await a.until(lambda: not a.handler.up)
        again = peers.Peers(b.profile, b.pool, b.handler)
        await again.start(port, loopback=True)
        await a.until(lambda: a.handler.up)
        assert list(a.handler.up.values()) == [identity]
        await again.close()

    run(tmp_path, 2, play)


def test_who_does_not_answer_is_dialled_again_ever_less_often_and_after_a_good_link_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shortest, longest = 0.0123, 0.09
    monkeypatch.setattr(links, "BACK_OFF", (shortest, longest))
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def counted(seconds: float, *more: Any) -> None:
        if any(seconds == min(shortest * 2**n, longest) for n in range(4)):
            pauses.append(seconds)
        await sleep(seconds, *more)

    async def play(made: list[Node]) -> None:
        a, b = made
        monkeypatch.setattr(asyncio, "sleep", counted)
        port = b.port
        await b.peers.close()
        a.peers.keep(b.identity, lambda: (("127.0.0.1", port),))
        await a.until(lambda: len(pauses) >= 6)
        assert pauses[:6] == [shortest, 2 * shortest, 4 * shortest, longest, longest, longest]
        again = peers.Peers(b.profile, b.pool, b.handler)
        await again.start(port, loopback=True)
        await a.until(lambda: a.handler.up)
        monkeypatch.setattr(a.peers._of[b.identity], "since", -1000.0)  # it has been up for long
        pauses.clear()
        await again.close()
        await a.until(lambda: len(pauses) >= 2)
        assert pauses[:2] == [shortest, 2 * shortest]

    run(tmp_path, 2, play)


def test_a_forgotten_peer_is_not_dialled_again(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        a.peers.keep(b.identity, lambda: b.peers.addresses)
        await a.until(lambda: a.handler.up)
        a.peers.forget(b.identity)
        (link,) = a.handler.up
        await a.peers.call(a.handler.close, link, "")
        ticks = a.handler.ticks
        await a.until(lambda: a.handler.ticks > ticks + 3)
        assert not a.handler.up

    run(tmp_path, 2, play)


def test_a_new_handler_is_told_of_the_links_that_are_up(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        link = await a.peers.dial(b.peers.addresses)
        session = Recorder()
        await a.peers.set_handler(session)
        assert session.up == {link: b.identity}
        await b.until(lambda: b.handler.up)
        await b.peers.call(b.handler.say, next(iter(b.handler.up)), Note("hi"))
        await a.until(lambda: session.got)
        assert a.handler.got == []

    run(tmp_path, 2, play)


def test_one_s_own_address_is_refused(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        with pytest.raises(Refused) as caught:
            await made[0].peers.dial(made[0].peers.addresses)
        assert caught.value.reason == "self"
        assert not made[0].handler.ever

    run(tmp_path, 1, play)


def test_somebody_else_at_the_address_is_not_linked_and_the_next_address_is_tried(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b, c = made
        with pytest.raises(Refused) as caught:
            await a.peers.dial(b.peers.addresses, c.identity)
        assert caught.value.reason == "somebody-else"
        link = await a.peers.dial([*b.peers.addresses, *c.peers.addresses], c.identity)
        await a.until(lambda: a.handler.up == {link: c.identity})

    run(tmp_path, 3, play)


def test_a_handshake_that_breaks_off_is_tried_again(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        lines: list[asyncio.Task[Any] | None] = []

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """A line to b that breaks in all handshakes but the last that is tried, after TLS."""
            lines.append(asyncio.current_task())
            bad = len(lines) < peers.ATTEMPTS
            there, back = await asyncio.open_connection(*b.peers.addresses[0])

            async def answers() -> None:
                while data := await there.read(1 << 16):
                    writer.write(data)

            task = asyncio.create_task(answers())
            try:
                said = 0
                while (data := await reader.read(1 << 16)) and not (bad and said):
                    back.write(data)
                    said += 1
            finally:
                for end in (back, writer):
                    end.transport.abort()
                await asyncio.gather(task, back.wait_closed(), writer.wait_closed(), return_exceptions=True)

        async with await asyncio.start_server(relay, "127.0.0.1", 0) as line:
            link = await a.peers.dial([line.sockets[0].getsockname()], b.identity)
            await a.until(lambda: a.handler.up == {link: b.identity})
            assert len(lines) == peers.ATTEMPTS
            running = [task for task in lines if task]
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    run(tmp_path, 2, play)


def test_far_ends_that_say_nothing_keep_nobody_waiting_and_are_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GREETING", 1000.0)  # whoever waits for one of them waits in vain
    monkeypatch.setattr(peers, "STAGGER", 0.0)

    async def play(made: list[Node]) -> None:
        a, b = made
        async with mute(b.profile, 6) as silent:
            link = await a.peers.dial([*silent.addresses, *b.peers.addresses], b.identity)
            await a.until(lambda: a.handler.up == {link: b.identity})
            async with asyncio.timeout(PATIENCE):
                for _ in range(silent.met):
                    await silent.ended.acquire()

    run(tmp_path, 2, play)


def test_of_several_ways_to_one_peer_one_is_taken_and_the_others_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet = peers._meet

    async def play(made: list[Node]) -> None:
        a, b = made
        barrier = asyncio.Barrier(4)

        async def met(*asked: Any) -> Any:
            answer = await meet(*asked)
            await barrier.wait()  # on all of them the peer has proven itself, at the same moment
            return answer

        monkeypatch.setattr(peers, "_meet", met)
        open_ways, closed = 0, asyncio.Event()

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal open_ways
            open_ways += 1
            there, back = await asyncio.open_connection(*b.peers.addresses[0])

            async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
                with contextlib.suppress(OSError):
                    while data := await source.read(1 << 16):
                        target.write(data)
                target.close()

            await asyncio.gather(carry(reader, back), carry(there, writer))
            open_ways -= 1
            closed.set()

        async def until_open(n: int) -> None:
            async with asyncio.timeout(PATIENCE):
                while open_ways > n:
                    closed.clear()
                    await closed.wait()

        async with await asyncio.start_server(relay, [f"127.0.0.{i}" for i in range(1, 5)], 0) as ways:
            link = await a.peers.dial([s.getsockname() for s in ways.sockets], b.identity)
            await a.until(lambda: a.handler.up == {link: b.identity})
            await b.until(lambda: b.handler.up)
            await until_open(1)
            assert len(b.handler.ever) == 1  # the far end never had more than this one
            assert a.handler.up == {link: b.identity}
            await a.peers.close()
            await until_open(0)

    run(tmp_path, 2, play)


def test_who_greets_well_and_makes_no_link_of_it_does_not_stand_before_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GREETING", 0.5)

    async def play(made: list[Node]) -> None:
        a, b = made
        profile, certificate = b.profile, ssl.PEM_cert_to_DER_cert(b.profile.certificate.read_text())
        met = 0

        async def never_links(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal met
            met += 1
            with contextlib.suppress(Refused, OSError, asyncio.CancelledError):
                await peers._greet(reader, writer, "server", Identity.generate(), hashlib.sha256(certificate).digest())
                await reader.read()
            writer.transport.abort()

        async with await asyncio.start_server(never_links, "127.0.0.1", 0, ssl=server_context(profile)) as server:
            link = await a.peers.dial([server.sockets[0].getsockname(), *b.peers.addresses])
            await a.until(lambda: a.handler.up == {link: b.identity})
            assert met == 1

    run(tmp_path, 2, play)


@asynccontextmanager
async def swallowing(a: Node, b: Node) -> AsyncIterator[Address]:
    """The address of a relay to b that hands on what b says, and a's hello, and swallows a's proof."""

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*b.peers.addresses[0])

        async def answers() -> None:
            while data := await there.read(1 << 16):
                writer.write(data)

        task = asyncio.create_task(answers())
        with contextlib.suppress(OSError, asyncio.CancelledError):
            while data := await reader.read(1 << 16):
                if not proving:
                    back.write(data)
        for end in (back, writer):
            end.transport.abort()
        await asyncio.gather(task, return_exceptions=True)

    proving: list[bytes] = []
    introduce = peers._introduce

    async def introduced(stream: peers.Stream, proof: bytes) -> None:
        if stream.writer.get_extra_info("peername")[1] == port:
            proving.append(proof)
        await introduce(stream, proof)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peers, "_introduce", introduced)
        async with await asyncio.start_server(relay, "127.0.0.1", 0) as server:
            host, port = server.sockets[0].getsockname()
            yield host, port


@pytest.mark.parametrize("way", ["keep", "hurry"])
def test_a_relay_that_swallows_our_proof_keeps_no_peer_of_the_match_from_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.setattr(peers, "GREETING", 0.5)
    monkeypatch.setattr(links, "BACK_OFF", (1000.0, 1000.0))  # it is one dial that gets there
    monkeypatch.setattr(peers, "STAGGER", 0.3)

    async def play(made: list[Node]) -> None:
        a, b = made
        async with swallowing(a, b) as relay:
            if way == "keep":
                a.peers.keep(b.identity, lambda: [relay, *b.peers.addresses])
            else:
                a.peers._kept[b.identity] = asyncio.create_task(asyncio.Event().wait())  # type: ignore[arg-type]
                a.peers.hurry(b.identity, [relay, *b.peers.addresses])
            await a.until(lambda: list(a.handler.up.values()) == [b.identity])
            a.peers.forget(b.identity)

    run(tmp_path, 2, play)


def test_who_begins_a_link_with_a_good_bye_has_made_none(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        certificate = hashlib.sha256(ssl.PEM_cert_to_DER_cert(b.profile.certificate.read_text())).digest()
        met = 0

        async def says_bye(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal met
            met += 1
            with contextlib.suppress(OSError):
                await peers._greet(reader, writer, "server", Identity.generate(), certificate)
                writer.write(pack(Bye()))
                await reader.read()
            writer.transport.abort()

        async with await asyncio.start_server(says_bye, "127.0.0.1", 0, ssl=server_context(b.profile)) as server:
            with pytest.raises(LocalError, match="Nobody answers"):
                await a.peers.dial([server.sockets[0].getsockname()])
            assert met == peers.ATTEMPTS
            assert not a.handler.ever

    run(tmp_path, 2, play)


def test_a_kept_peer_is_dialled_again_whatever_a_dial_has_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        dial, tried = a.peers.dial, 0

        async def fails_once(*asked: Any, **how: Any) -> int:
            nonlocal tried
            tried += 1
            if tried == 1:
                raise AttributeError("nonce")
            return await dial(*asked, **how)

        monkeypatch.setattr(a.peers, "dial", fails_once)
        a.peers.keep(b.identity, lambda: b.peers.addresses)
        await a.until(lambda: list(a.handler.up.values()) == [b.identity])

    run(tmp_path, 2, play)
    assert "dialling" in caplog.messages


@pytest.mark.parametrize("when", ["before one is chosen", "after"])
def test_a_dial_that_is_given_up_leaves_no_stream_open(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    aborted: asyncio.Queue[str] = asyncio.Queue()

    class Fake:
        """A stream as far as it is looked at here."""

        def __init__(self, host: str) -> None:
            self.writer = self.transport = self
            self.host = host

        def abort(self) -> None:
            aborted.put_nowait(self.host)

    async def main() -> None:
        begun, going, both = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def meet(address: Address, *rest: Any) -> Any:
            if address[0] == "slow" or when != "after":
                begun.set()
                with contextlib.suppress(asyncio.CancelledError):  # it has just proven itself
                    await both.wait()
                going.set()
                if when == "after":
                    with contextlib.suppress(asyncio.CancelledError):
                        await both.wait()
            else:
                await begun.wait()
            return Fake(address[0]), b""

        monkeypatch.setattr(peers, "_meet", meet)
        dialling = asyncio.create_task(peers._race([("quick", 1), ("slow", 2)], Identity.generate(), None, []))
        await (going if when == "after" else begun).wait()
        dialling.cancel()
        both.set()
        with pytest.raises(asyncio.CancelledError):
            await dialling
        async with asyncio.timeout(PATIENCE):
            assert {await aborted.get(), await aborted.get()} == {"quick", "slow"}

    asyncio.run(main())


def test_only_where_a_handshake_broke_off_is_dialled_again(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        calls = {"no TLS": 0, "TLS": 0}

        def hang_up(kind: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]:
            def at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                calls[kind] += 1
                writer.transport.abort()

            return at_once

        context = server_context(made[1].profile)
        async with (
            await asyncio.start_server(hang_up("no TLS"), "127.0.0.1", 0) as plain,
            await asyncio.start_server(hang_up("TLS"), "127.0.0.1", 0, ssl=context) as broken,
        ):
            with pytest.raises(peers.CutOff, match="Nobody answers"):
                await made[0].peers.dial([server.sockets[0].getsockname() for server in (plain, broken)])
        assert calls == {"no TLS": 1, "TLS": peers.ATTEMPTS}

    run(tmp_path, 2, play)


def test_nobody_there_is_said_in_words(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        for host in ("127.0.0.1", "no..such..host", "a" * 300, "\0"):
            with pytest.raises(LocalError, match="Nobody answers") as caught:
                await made[0].peers.dial([(host, port)])
            assert not isinstance(caught.value, peers.CutOff), "there is nobody: it need not be tried again"
        with pytest.raises(LocalError):
            await made[0].peers.dial([])

    run(tmp_path, 1, play)


def test_a_port_that_is_taken_is_said_in_words(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        with pytest.raises(LocalError, match="cannot be used"):
            await made[1].peers.start(made[0].port, loopback=True)

    run(tmp_path, 2, play)


@pytest.mark.parametrize(
    "garbage",
    [
        b"\xff\xff\xff\xff",
        pack(Note("before any proof")),
        (5).to_bytes(4, "big") + b"\xc1\xc1\xc1\xc1\xc1",
        (4000).to_bytes(4, "big") + bytes(4000),
        pack(Proof(bytes(64), bytes(16), bytes(64))),
    ],
)
def test_garbage_in_the_handshake_ends_the_connection_and_no_link_is_told(tmp_path: Path, garbage: bytes) -> None:
    async def play(made: list[Node]) -> None:
        reader, writer = await raw(made[0].port)
        writer.write(garbage)
        said = await drained(reader)
        writer.close()
        assert [type(m) for m in said] == [Hello, Refuse]
        assert said[1].reason == "garbage"
        assert not made[0].handler.ever

    run(tmp_path, 1, play)


def test_another_protocol_version_is_refused_in_words_at_both_ends(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        reader, writer = await raw(made[0].port)
        writer.write(pack(Hello(7, 9, "99", Identity.generate().public, bytes(32))))
        said = await drained(reader)
        writer.close()
        assert said[-1] == Refuse("version", "1-1")
        assert "1-1" in str(Refused("version", "1-1"))
        await made[0].until(lambda: made[0].peers.turned_away)
        assert "7-9" in str(made[0].peers.turned_away)

    run(tmp_path, 1, play)


@pytest.mark.parametrize("garbage", [b"\xff\xff\xff\xff", b"\0\0\0\1\xc1", b"\0\2\0\1", pack(Hello(1, 1, "", bytes(32), bytes(32)))])
def test_garbage_on_a_link_ends_that_link_alone(tmp_path: Path, garbage: bytes) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        kept = await a.peers.dial(b.peers.addresses)
        identity = Identity.generate()
        reader, writer = await greeted(a, identity)
        await a.until(lambda: identity.public in a.handler.up.values())
        writer.write(garbage)
        said = await drained(reader)
        writer.close()
        await a.until(lambda: identity.public not in a.handler.up.values())
        assert said[-1:] in ([Refuse("garbage", "")], [])
        assert list(a.handler.up) == [kept]

    run(tmp_path, 2, play)


def test_a_silent_connection_does_not_stay_and_cannot_keep_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GREETING", 0.5)

    async def play(made: list[Node]) -> None:
        a, b = made
        crowd = [await asyncio.open_connection("127.0.0.1", a.port) for _ in range(40)]
        ends = [reader.read() for reader, _ in crowd]
        async with asyncio.timeout(10):
            assert await asyncio.gather(*ends, return_exceptions=True)
        for _, writer in crowd:
            writer.close()
        link = await b.peers.dial(a.peers.addresses)
        await b.until(lambda: link in b.handler.up)

    run(tmp_path, 2, play)


def test_who_greets_a_byte_at_a_time_is_not_waited_for_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "GREETING", 1.0)

    async def play(made: list[Node]) -> None:
        reader, writer = await raw(made[0].port)
        hello = pack(Hello(1, 1, "slow", Identity.generate().public, bytes(32)))
        ended = asyncio.create_task(drained(reader))
        for at in range(len(hello)):
            ticks = made[0].handler.ticks
            await made[0].until(lambda ticks=ticks: made[0].handler.ticks > ticks or ended.done())
            if ended.done():
                break
            writer.write(hello[at : at + 1])
        assert [type(m) for m in await ended] == [Hello]
        assert at < len(hello) - 1, "it was heard to the end"
        writer.close()
        assert not made[0].handler.ever

    run(tmp_path, 1, play)


def test_an_endless_message_ends_its_link_before_it_is_stored(tmp_path: Path) -> None:
    """A frame says how long it is: one byte too many, and no byte of it is waited for."""

    async def play(made: list[Node]) -> None:
        identity = Identity.generate()
        reader, writer = await greeted(made[0], identity)
        await made[0].until(lambda: made[0].handler.up)
        writer.write((MAX_FRAME + 1).to_bytes(PREFIX, "big"))
        assert (await drained(reader))[-1:] == [Refuse("garbage", "")]
        await made[0].until(lambda: not made[0].handler.up)
        writer.close()

    run(tmp_path, 1, play)


def test_no_more_than_a_few_greet_at_once_from_one_host(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        crowd = [await asyncio.open_connection("127.0.0.1", made[0].port) for _ in range(peers.MAX_GREETING_PER_GROUP + 5)]
        ends = [asyncio.create_task(reader.read()) for reader, _ in crowd]
        done, waiting = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < 5:
            more, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            done |= more
        assert len(waiting) == peers.MAX_GREETING_PER_GROUP == len(made[0].peers._greeting)
        for _, writer in crowd:
            writer.close()
        await asyncio.gather(*ends, return_exceptions=True)

    run(tmp_path, 1, play)


def test_a_link_that_falls_silent_is_declared_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "SILENCE", 0.5)

    async def play(made: list[Node]) -> None:
        identity = Identity.generate()
        reader, writer = await greeted(made[0], identity)
        await made[0].until(lambda: made[0].handler.up)
        await made[0].until(lambda: made[0].handler.down)
        assert Refuse("silent", "") in await drained(reader)
        writer.close()

    run(tmp_path, 1, play)


def test_honest_links_ping_and_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "SILENCE", 1.0)
    monkeypatch.setattr(links, "PING", 0.2)

    async def play(made: list[Node]) -> None:
        a, b = made
        link = await a.peers.dial(b.peers.addresses)
        await a.until(lambda: a.handler.ticks > 10)  # 2.5 s, in which nothing but pings is said
        assert list(a.handler.up) == [link]
        assert not b.handler.down

    run(tmp_path, 2, play)


def test_who_never_reads_is_cut_off_before_memory_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(made: list[Node]) -> None:
        a = made[0]
        reader, writer = await greeted(a, Identity.generate())
        await a.until(lambda: a.handler.up)
        (link,) = a.handler.up
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(2000):
            await a.peers.call(a.handler.say, link, Say(bytes(100_000), bytes(64)))
            if a.handler.down:
                break
        await a.until(lambda: a.handler.down == [link])
        writer.transport.abort()
        assert reader

    run(tmp_path, 1, play)


def test_strangers_cannot_take_a_kept_peer_s_place_and_make_room_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "MAX_LINKS", 3)

    async def play(made: list[Node]) -> None:
        a, b = made
        crowd = [await greeted(a, Identity.generate()) for _ in range(3)]
        await a.until(lambda: len(a.handler.up) == 3)
        newcomer = Identity.generate()
        _, writer = await greeted(a, newcomer)
        gone = [asyncio.create_task(drained(reader)) for reader, _ in crowd]
        (first,), _ = await asyncio.wait(gone, return_when=asyncio.FIRST_COMPLETED)
        assert Refuse("crowded", "") in first.result()
        await a.until(lambda: newcomer.public in a.handler.up.values() and len(a.handler.up) == 3)
        writer.close()
        a.peers.keep(b.identity, lambda: b.peers.addresses)
        await a.until(lambda: b.identity in a.handler.up.values())
        for _, other in crowd:
            other.close()
        await asyncio.gather(*gone)

    run(tmp_path, 2, play)


def test_closing_says_bye(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        a, b = made
        await a.peers.dial(b.peers.addresses)
        await b.until(lambda: b.handler.up)
        await a.peers.close()
        await b.until(lambda: b.handler.down)
        assert b.handler.got[-1][1] == Bye()

    run(tmp_path, 2, play)


def test_a_whole_lobby_over_real_links_agrees_and_a_stranger_may_look(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        opener, *others = made
        table = Opener(opener.profile.identity, "Ana", terms(4, own=True), opener.peers.addresses, seeded(1))
        await opener.peers.set_handler(table)
        identity, seen = await ask_table(opener.peers.addresses)
        assert (identity, seen.phase, len(seen.seats)) == (opener.identity, "open", 1)
        guests = []
        for number, node in enumerate(others):
            guest = Guest(node.profile.identity, "Ana", node.peers.addresses, seeded(number + 2))
            await node.peers.set_handler(guest)
            link = await node.peers.dial(opener.peers.addresses)
            await node.peers.call(guest.join, link)
            guests.append(guest)
        for node, lobby in zip(made, (table, *guests), strict=True):
            await node.until(lambda lobby=lobby: lobby.agreed)
        assert len({lobby.agreed.roster for lobby in (table, *guests) if lobby.agreed}) == 1
        recorders = [Recorder() for _ in made]
        for node, recorder, lobby in zip(made, recorders, (table, *guests), strict=True):
            await node.peers.set_handler(recorder)
            for seat, places in zip(lobby.agreed.roster.seats, lobby.agreed.places, strict=True):
                if seat.identity != node.identity:
                    node.peers.keep(seat.identity, lambda places=places: places)
        for node, recorder in zip(made, recorders, strict=True):
            await node.until(lambda recorder=recorder: len(recorder.up) == 3)

    run(tmp_path, 4, play)


def test_asking_a_player_without_a_table_is_answered_in_words(tmp_path: Path) -> None:
    async def play(made: list[Node]) -> None:
        await made[0].peers.set_handler(Guest(made[0].profile.identity, "x", (), seeded(0)))
        with pytest.raises(Refused) as caught:
            await ask_table(made[0].peers.addresses)
        assert caught.value.reason == "no-table"

    run(tmp_path, 1, play)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_an_attempt_that_is_given_up_leaves_no_socket_open_however_far_it_had_come(host: str) -> None:
    """Cancelled at each point of its way in turn; an open socket that nobody holds is a ResourceWarning, which is an error here."""

    async def give_up() -> None:
        server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        for turns in range(60):
            attempt = asyncio.create_task(peers._connect((host, port)))
            for _ in range(turns % 20):
                await asyncio.sleep(0)
            attempt.cancel()
            with contextlib.suppress(asyncio.CancelledError, OSError):
                await attempt
        server.close()
        while late := [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]:
            await asyncio.wait(late)

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        asyncio.run(give_up())
        gc.collect()
    assert [str(one.message) for one in seen if one.category is ResourceWarning] == []
