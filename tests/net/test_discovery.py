"""Discovery: strangers' records make a table or nothing; on loopback tables are seen, change, and go, apart by tag."""

import asyncio
import errno
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from mastaba.core.errors import LocalError
from mastaba.net import discovery as module
from mastaba.net.discovery import TYPE, Discovery, TableAd, read_txt, usable, write_txt
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

AD = TableAd("00112233445566aa", "Friday", "loot", 2, 4, "open")
PLACES = (("10.0.0.1", 99),)
SERVICE = f"Friday (001122).{TYPE}"


def encoded(txt: dict[str, str]) -> dict[bytes, bytes | None]:
    return {k.encode(): v.encode() for k, v in txt.items()}


def test_what_is_announced_is_read_back() -> None:
    txt = write_txt(AD, "tag", "1.2.3")
    found = read_txt(SERVICE, encoded(txt), PLACES)
    assert found
    assert (found.ad, found.tag, found.program, found.fits, found.versions) == (AD, "tag", "1.2.3", True, "1-1")
    assert next(iter(txt)) == "txtvers"
    assert sum(len(k) + len(v) + 2 for k, v in txt.items()) <= 200  # RFC 6763 section 6.2
    assert all(len(k) <= 9 for k in txt)


def test_a_table_of_a_later_version_is_shown_and_does_not_fit() -> None:
    found = read_txt(SERVICE, encoded(write_txt(AD, "", "") | {"pv": "2-3"}), PLACES)
    assert found
    assert not found.fits
    assert found.versions == "2-3"


@pytest.mark.parametrize(
    "change",
    [
        {b"txtvers": b"2"},
        {b"txtvers": None},
        {b"id": b"zz"},
        {b"id": b"00"},
        {b"pv": b"1"},
        {b"pv": b"1-x"},
        {b"pv": b"-1-1"},
        {b"n": b"2"},
        {b"n": b"2/99999"},
        {b"n": "٣/٣".encode()},
        {b"st": b"huh"},
        {b"st": None},
        {b"g": b""},
        {b"g": b"\xff\xfe"},
        {b"\xff": b"1"},
        {b"v": b"x" * 255},
    ],
)
def test_a_record_that_is_not_ours_is_skipped(change: dict[bytes, bytes | None]) -> None:
    assert read_txt(SERVICE, encoded(write_txt(AD, "", "")) | change, PLACES) is None
    assert read_txt(SERVICE, encoded(write_txt(AD, "", "")), ()) is None


KEYS = st.sampled_from([b"txtvers", b"id", b"pv", b"g", b"n", b"st", b"v", b"tag"]) | st.binary(max_size=9)
VALUES = st.none() | st.binary(max_size=80) | st.sampled_from([b"1", b"1-1", b"2/4", b"open", b"loot", b"0011223344556677", b"\x1b[2J"])


@given(st.text(max_size=70), st.dictionaries(KEYS, VALUES))
def test_a_stranger_s_record_gives_a_harmless_table_or_nothing(name: str, properties: dict[bytes, bytes | None]) -> None:
    found = read_txt(f"{name}.{TYPE}", encoded(write_txt(AD, "", "")) | properties, PLACES)
    if found:
        texts = (found.ad.name, found.ad.game, found.ad.phase, found.ad.id, found.versions, found.program, found.tag)
        assert all(text.isprintable() for text in texts)
        assert read_txt(f"{name}.{TYPE}", properties, PLACES) in (None, found)


def test_another_machine_s_loopback_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_hosts", lambda: ("10.0.0.1",))
    assert usable(["127.0.0.1", "10.0.0.2", "::1", "fe80::1%2"]) == ["10.0.0.2", "fe80::1%2"]
    assert usable(["127.0.0.1"]) == []
    monkeypatch.setattr(module, "own_hosts", lambda: ("127.0.0.1",))
    assert usable(["127.0.0.1"]) == ["127.0.0.1"]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.EADDRINUSE, "in use"), "Another program"),
        (OSError(errno.EACCES, "denied"), "denied"),
        (RuntimeError("no interfaces"), "no network interface"),
    ],
)
def test_where_multicast_dns_cannot_start_is_said_in_words(error: Exception, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**kwargs: Any) -> None:
        raise error

    monkeypatch.setattr(module, "AsyncZeroconf", refuse)

    async def main() -> None:
        discovery = Discovery()
        with pytest.raises(LocalError, match=words):
            await discovery.start()
        discovery.announce(AD, 1)
        assert discovery.tables() == ()
        await discovery.close()

    asyncio.run(main())


# -- on loopback ----------------------------------------------------------------------------------------------------


class Watch:
    """A Discovery on loopback, and a way to wait for what it shows.  Each test has a tag of its own."""

    def __init__(self, tag: str) -> None:
        self._changed = asyncio.Event()
        self.discovery = Discovery(self._changed.set, tag)

    async def until(self, condition: Callable[[], Any]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    def shown(self) -> list[tuple[str, int, str]]:
        return [(f.ad.name, f.ad.taken, f.ad.phase) for f in self.discovery.tables()]


def run(n: int, play: Callable[[list[Watch]], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        tag = os.urandom(6).hex()
        watches = [Watch(tag) for _ in range(n)]
        try:
            for watch in watches:
                await watch.discovery.start(loopback=True)
            await play(watches)
        finally:
            await asyncio.gather(*(watch.discovery.close() for watch in watches))

    asyncio.run(main())


lan = pytest.mark.lan
group = pytest.mark.xdist_group("terminals")


@lan
@group
def test_a_table_is_seen_changes_and_goes() -> None:
    async def play(watches: list[Watch]) -> None:
        opener, other = watches
        opener.discovery.announce(AD, 4321)
        await other.until(lambda: other.shown() == [("Friday", 2, "open")])
        (found,) = other.discovery.tables()
        assert found.addresses == (("127.0.0.1", 4321),)
        opener.discovery.announce(TableAd(AD.id, AD.name, AD.game, 4, 4, "full"), 4321)
        await other.until(lambda: other.shown() == [("Friday", 4, "full")])
        opener.discovery.withdraw()
        await other.until(lambda: other.shown() == [])

    run(2, play)


@lan
@group
def test_tables_of_one_name_are_told_apart_and_a_closing_one_says_good_bye() -> None:
    async def play(watches: list[Watch]) -> None:
        one, two, other = watches
        one.discovery.announce(AD, 1)
        two.discovery.announce(TableAd("ff" * 8, "Friday", "loot", 1, 2, "open"), 2)
        await other.until(lambda: len(other.shown()) == 2)
        assert [name for name, _, _ in other.shown()] == ["Friday", "Friday"]
        await two.discovery.close()
        await other.until(lambda: other.shown() == [("Friday", 2, "open")])

    run(3, play)


@lan
@group
def test_tags_keep_tables_apart() -> None:
    async def play(watches: list[Watch]) -> None:
        opener, friend = watches
        stranger, open_eyes = Watch("another-tag"), Watch("")
        try:
            for watch in (stranger, open_eyes):
                await watch.discovery.start(loopback=True)
            opener.discovery.announce(AD, 1)
            await friend.until(friend.shown)
            for watch in (stranger, open_eyes):
                await watch.until(lambda watch=watch: any(watch.discovery._found.values()))  # it has been heard
                assert AD.id not in [f.ad.id for f in watch.discovery.tables()]
        finally:
            await stranger.discovery.close()
            await open_eyes.discovery.close()

    run(2, play)


@lan
@group
def test_every_name_can_be_announced() -> None:
    names = ["n" * 64, "ñ" * 32, "😀" * 16, "a.b. c", "tab\tnew\nline\x1b[31m\u202e", "", "-2"]

    async def play(watches: list[Watch]) -> None:
        *openers, other = watches
        for number, (opener, name) in enumerate(zip(openers, names, strict=True)):
            opener.discovery.announce(TableAd(f"{number:016x}", name, "loot", 1, 2, "open"), 1)
        await other.until(lambda: len(other.shown()) == len(names))
        assert all(name.isprintable() and name for name, _, _ in other.shown())
        assert [opener.discovery.trouble for opener in openers] == [None] * len(names)

    run(len(names) + 1, play)


@lan
@group
def test_who_announces_many_false_tables_makes_us_remember_few_and_junk_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_FOUND", 6)
    most = 0

    async def play(watches: list[Watch]) -> None:
        (watch,) = watches
        liar = AsyncZeroconf(interfaces=["127.0.0.1"])

        def count() -> bool:
            nonlocal most
            most = max(most, len(watch.discovery._found))
            return len(watch.shown()) == 6

        async def announce(i: int) -> None:
            junk: dict[Any, Any] = {b"\xff\xfe": b"\xff" * 200} if i % 2 else dict(write_txt(AD, watch.discovery._tag, ""))
            name = f"false {i}.{TYPE}"
            info = AsyncServiceInfo(TYPE, name, port=1, properties=junk, server=f"f{i}.local.", parsed_addresses=["127.0.0.1"])
            await (await liar.async_register_service(info, cooperating_responders=True))

        async def flood() -> None:
            for wave in range(8):  # a table that came while there was no room comes again
                await asyncio.gather(*map(announce, range(24 * wave, 24 * wave + 24)))

        flooding = asyncio.create_task(flood())
        try:
            await watch.until(count)
            assert most <= 6
        finally:
            flooding.cancel()
            await asyncio.gather(flooding, return_exceptions=True)
            await liar.async_close()

    run(1, play)


@lan
@group
def test_names_without_end_are_forgotten_and_a_real_table_among_them_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """zeroconf would keep ten thousand of them, plan to ask for each again for ever, and grow with that."""
    most, pause = 60, 0.002
    monkeypatch.setattr(module, "MAX_HEARD", most)
    monkeypatch.setattr(module, "WATCH", 0.01)
    service = b"\x08_mastaba\x04_tcp\x05local\x00"

    async def play(watches: list[Watch]) -> None:
        watch, opener = watches
        forgets, kept = asyncio.Semaphore(0), []
        forget = watch.discovery._forget_strangers

        async def counted() -> None:
            assert watch.discovery._zeroconf
            cache = watch.discovery._zeroconf.zeroconf.cache
            kept.append(len(cache.entries_with_name(TYPE)))
            await forget()
            forgets.release()

        monkeypatch.setattr(watch.discovery, "_forget_strangers", counted)

        async def flood() -> None:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
                out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
                while True:
                    table = b"\x10" + os.urandom(8).hex().encode() + b"\xc0\x0c"
                    head = b"\0\0\x84\0\0\0\0\x01\0\0\0\0" + service + b"\0\x0c\0\x01\0\0\x11\x94"
                    out.sendto(head + len(table).to_bytes(2, "big") + table, ("224.0.0.251", 5353))
                    await asyncio.sleep(pause)

        flooding = asyncio.create_task(flood())
        try:
            async with asyncio.timeout(60):
                for _ in range(4):
                    await forgets.acquire()
                opener.discovery.announce(AD, 1)
                await watch.until(watch.shown)
                for _ in range(2):
                    await forgets.acquire()
            assert max(kept) < 3 * most + module.MAX_FOUND
        finally:
            flooding.cancel()
            await asyncio.gather(flooding, return_exceptions=True)

    run(2, play)


@lan
@group
def test_a_table_whose_answer_was_lost_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AGAIN", (0.1, 1.0))
    asked = []
    request = AsyncServiceInfo.async_request

    async def lossy(info: AsyncServiceInfo, *rest: Any) -> bool:
        asked.append(info.name)
        return asked.count(info.name) > 2 and await request(info, *rest)

    monkeypatch.setattr(AsyncServiceInfo, "async_request", lossy)

    async def play(watches: list[Watch]) -> None:
        opener, other = watches
        opener.discovery.announce(AD, 4321)
        await other.until(lambda: other.shown() == [("Friday", 2, "open")])

    run(2, play)


def test_after_an_answer_the_next_one_that_is_lost_is_asked_for_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answered(info: AsyncServiceInfo, *rest: Any) -> bool:
        properties = encoded(write_txt(AD, "", ""))
        whole = AsyncServiceInfo(TYPE, info.name, port=99, properties=properties, server="x.local.", parsed_addresses=["10.0.0.1"])
        monkeypatch.setattr(AsyncServiceInfo, "parsed_scoped_addresses", lambda *_: ["10.0.0.1"])
        info.port, info._properties = whole.port, properties
        return True

    async def main() -> None:
        monkeypatch.setattr(AsyncServiceInfo, "async_request", answered)
        discovery = Discovery()
        discovery._pause = module.AGAIN[1]
        discovery._found[SERVICE] = None
        await discovery._resolve(None, SERVICE)  # type: ignore[arg-type]
        assert [found.ad.name for found in discovery.tables()] == ["Friday"]
        assert discovery._pause == module.AGAIN[0]

    asyncio.run(main())


@lan
@group
def test_an_announcement_that_failed_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WATCH", 0.05)
    troubles = []
    publish = Discovery._publish_once

    async def fails_twice(discovery: Discovery, wanted: Any) -> None:
        if len(troubles) < 2:
            troubles.append(discovery.trouble)
            raise OSError(errno.ENETUNREACH, "no route")
        await publish(discovery, wanted)

    monkeypatch.setattr(Discovery, "_publish_once", fails_twice)

    async def play(watches: list[Watch]) -> None:
        opener, other = watches
        opener.discovery.announce(AD, 4321)
        await other.until(lambda: other.shown() == [("Friday", 2, "open")])
        assert str(troubles[1]).startswith("This table cannot be announced")
        await opener.until(lambda: opener.discovery.trouble is None)

    run(2, play)


@lan
@group
@pytest.mark.parametrize(("fate", "end"), [("stays", "there"), ("killed", "7[5-9]")])
def test_a_lobby_that_is_open_for_two_hours_keeps_who_is_there_and_forgets_who_is_not(fate: str, end: str) -> None:
    hours = Path(__file__).with_name("hours.py")
    done = subprocess.run([sys.executable, hours, fate], capture_output=True, text=True, timeout=100, check=False)
    assert re.fullmatch(end, done.stdout.strip()), done.stderr
