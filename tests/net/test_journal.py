"""Journals on a real disk: torn, damaged, refused, restored; the seat comes back or says one sentence, and the others are unharmed."""

import asyncio
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fakenet import Net, seeded
from hypothesis import given, settings, strategies as st
from mastaba.core.errors import LocalError
from mastaba.core.plain import BadEncoding, decode, encode
from mastaba.net import client, enter, match
from mastaba.net.enter import interrupted
from mastaba.net.log import JOURNAL, OWN, ROSTER, THEIRS, parse, record, records
from mastaba.net.match import FileJournal, resume, start
from mastaba.net.session import Session
from mastaba.net.store import Store, write_file
from mastaba.net.wire import Say
from matches import played_by_bots

SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"
ON_DISK = 1  # the seat whose journal is a file; the others' are in memory


class DiskNet(Net):
    """A net in which seat 1 keeps its journal in a file, begins with `start` and comes back with `resume`."""

    def __init__(self, seats: int, path: Path, **kwargs: Any) -> None:
        self.path = path
        self.file: FileJournal | None = None
        self.sent: list[bytes] = []  # own contributions that have left the seat
        super().__init__(seats, **kwargs)
        self.tamper = self.watch

    def watch(self, a: int, b: int, message: Any) -> tuple[Any, ...]:
        if a == ON_DISK and isinstance(message, Say) and parse(message.body, self.match.roster).seat == ON_DISK:
            self.sent.append(message.body)
        return (message,)

    def session(self, seat: int) -> Session:
        if seat != ON_DISK:
            return super().session(seat)
        if self.file is None:
            self.file = FileJournal(self.path, True)
            return start(self.match, seat, self.signers[seat], self.file, seeded(7), (), self.identities[seat])
        session, self.file, _ = resume(self.path, seeded(8), self.identities[seat])
        return session

    def crash(self, seat: int) -> None:
        assert seat == ON_DISK
        assert self.file is not None
        self.file.close()
        for other in range(len(self.sessions)):
            self.cut(seat, other)
        self.sessions[seat] = self.session(seat)

    def come_back(self) -> None:
        self.crash(ON_DISK)
        self.connect(*((ON_DISK, other) for other in range(len(self.sessions)) if other != ON_DISK))

    def stop(self, after: int) -> None:
        """Play so many deliveries."""
        left = iter(range(after))
        self.run(lambda: next(left, None) is None or all(s.table.done for s in self.sessions))

    def own_records(self) -> list[bytes]:
        return [decode(payload)[0] for kind, payload in records(self.path.read_bytes()) if kind == OWN]


@pytest.fixture
def net(tmp_path: Path) -> Iterator[DiskNet]:
    made = DiskNet(3, tmp_path / "m.journal", seed=11)
    made.connect()
    yield made
    assert made.file is not None
    made.file.close()


def ends_well(net: DiskNet) -> None:
    net.run(idle=12)
    assert [s.fault for s in net.sessions] == [None] * 3
    assert all(s.table.done for s in net.sessions)
    assert len({s.transcript() for s in net.sessions}) == 1


@pytest.mark.parametrize("after", [20, 90, 200])
def test_a_match_is_resumed_from_its_file_and_ends(net: DiskNet, after: int) -> None:
    net.stop(after)
    net.come_back()
    ends_well(net)


def test_everything_that_left_was_on_disk_before(net: DiskNet) -> None:
    for after in (20, 60, 60):
        net.stop(after)
        assert set(net.sent) <= set(net.own_records())
    assert net.sent


def test_a_record_torn_at_any_byte_was_never_sent_and_is_dropped(net: DiskNet) -> None:
    net.stop(120)
    whole = net.path.read_bytes()
    found = records(whole)
    last = len(record(*found[-1]))
    for cut in range(1, last + 1):
        assert records(whole[:-cut]) == found[:-1]
    for cut in (1, last // 2, last - 1):
        net.path.write_bytes(whole[:-cut])
        session, journal, _ = resume(net.path, os.urandom, net.identities[ON_DISK])
        journal.close()
        assert net.path.read_bytes() == whole[:-last]
        assert session.fault is None


def test_a_file_that_had_grown_before_its_last_record_was_written_is_resumed(net: DiskNet) -> None:
    net.stop(120)
    whole = net.path.read_bytes()
    kind, payload = records(whole)[-1]
    zeros = record(kind, payload)[:8] + bytes(1 + len(payload))
    assert records(whole[: -len(zeros)] + zeros) == records(whole)[:-1]


@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=120, deadline=None)
def test_damage_anywhere_is_noticed_and_only_the_last_record_may_be_dropped(share: float, bit: int) -> None:
    parts = [record(OWN, bytes([i]) * (40 + 3 * i)) for i in range(12)]
    data = JOURNAL + b"".join(parts)
    at = int(share * len(data))
    changed = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
    try:
        found = records(changed)
    except BadEncoding:
        return
    assert at >= len(data) - len(parts[-1])
    assert found == records(data)[:-1]


@pytest.mark.parametrize("size", [100_000, 4 << 20])
def test_a_long_damaged_journal_is_refused_without_summing_it_again_and_again(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every place something begins that could be a record: all of them together are not looked at."""
    from mastaba.net import log

    summed = [0]

    def crc32(data: bytes) -> int:
        summed[0] += len(data)
        return 0

    good = record(OWN, b"x" * 100)
    monkeypatch.setattr(log.zlib, "crc32", crc32)
    with pytest.raises(BadEncoding):
        records(JOURNAL + record(OWN, b"y" * 20) + b"\x7f" + good[1:] + b"\0\0\x40\x01" * (size // 4))
    assert summed[0] <= 2 * log.MAX_SEARCH


@pytest.mark.parametrize("toml", [7, "text", None, (b"",), True])
def test_a_table_of_cards_that_is_no_bytes_is_damage(tmp_path: Path, toml: Any) -> None:
    path = tmp_path / "odd.journal"
    made = Net(2)
    path.write_bytes(JOURNAL + record(ROSTER, encode((made.match.roster.encode(), toml))))
    with pytest.raises(LocalError, match="damaged"):
        resume(path, os.urandom, made.identities[0])


def test_a_damaged_journal_is_one_sentence_and_stays_as_it_is(net: DiskNet) -> None:
    net.stop(120)
    whole = net.path.read_bytes()
    for at in (3, len(JOURNAL) + 2, len(whole) // 3, len(whole) // 2):
        damaged = whole[:at] + bytes([whole[at] ^ 64]) + whole[at + 1 :]
        net.path.write_bytes(damaged)
        with pytest.raises(LocalError, match="damaged"):
            resume(net.path, os.urandom, net.identities[ON_DISK])
        assert net.path.read_bytes() == damaged
    net.path.write_bytes(whole)
    net.come_back()
    ends_well(net)


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """No file of this process grows beyond that size: what a full disk does to a journal."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("room", [0, 1, 9, 150])
def test_a_full_disk_ends_one_seats_part_and_harms_nobody(net: DiskNet, room: int) -> None:
    net.stop(120)
    with full_at(net.path.stat().st_size + room):
        net.run(lambda: net.sessions[ON_DISK].fault is not None, idle=4)
    fault = net.sessions[ON_DISK].fault
    assert fault is not None
    assert (fault.claim, fault.seat) == ("disk", None)
    assert "cannot be used" in fault.detail
    assert [net.sessions[other].fault for other in (0, 2)] == [None, None]
    assert set(net.sent) <= set(net.own_records())
    net.come_back()  # there is room again
    ends_well(net)


def test_a_match_played_without_end_ends_before_its_journal_could_not_be_read_any_more(
    net: DiskNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    net.stop(120)
    size = net.path.stat().st_size
    with monkeypatch.context() as patch:
        patch.setattr(match, "MAX_FILE", size + 2000)
        net.run(lambda: net.sessions[ON_DISK].fault is not None, idle=4)
        fault = net.sessions[ON_DISK].fault
        assert fault is not None
        assert (fault.claim, fault.seat) == ("disk", None)
        assert "has grown larger than" in fault.detail
        assert net.path.stat().st_size <= size + 2000
    assert [net.sessions[other].fault for other in (0, 2)] == [None, None]
    net.come_back()
    ends_well(net)


def test_a_device_that_is_full_from_the_start_is_one_sentence() -> None:
    journal = FileJournal(Path("/dev/full"), False)
    with pytest.raises(LocalError, match="No space left"):
        journal.append(OWN, b"x", True)
    journal.close()


def test_an_older_journal_signs_no_slot_again_and_harms_nobody(net: DiskNet) -> None:
    """Yesterday's backup: what it has forgotten the others give back; where a private part is gone, the seat ends, and nobody is blamed."""
    net.stop(60)
    old = net.path.with_suffix(".backup")
    shutil.copy(net.path, old)
    net.stop(120)
    said = {parse(data, net.match.roster).place: data for data in net.sent}
    shutil.copy(old, net.path)
    net.come_back()
    net.run(idle=12)
    for data in net.sent:
        place = parse(data, net.match.roster).place
        assert said.setdefault(place, data) == data
    assert [net.sessions[other].fault for other in (0, 2)] == [None, None]
    mine = net.sessions[ON_DISK]
    assert mine.fault is None or (mine.fault.claim, mine.fault.seat) == ("old-journal", None)
    assert mine.fault or mine.table.done


@given(data=st.binary(max_size=400))
@settings(max_examples=150, deadline=None)
def test_any_file_is_a_journal_or_refused_in_words(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.journal"
    path.write_bytes(JOURNAL + data)
    with pytest.raises(LocalError):
        resume(path, os.urandom, Net(2).identities[0])


def kept(net: DiskNet, home: Path) -> Path:
    """The journal under a home folder, where the program looks for it."""
    net.stop(120)
    with Store(home).take_profile() as profile:
        path = profile.journal_path(net.match.roster.match)
        shutil.copy(net.path, path)
    return path


def program(home: Path, *before: str) -> "subprocess.CompletedProcess[str]":
    command = [*before, sys.executable, "-W", "error", "-m", "mastaba.cli", "resume", "--loopback", "--bot", "random"]
    environment = {**os.environ, "MASTABA_HOME": str(home)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


def one_sentence(done: "subprocess.CompletedProcess[str]", code: int = 1) -> None:
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_the_program_says_of_a_damaged_journal_which_file_it_is(net: DiskNet, tmp_path: Path) -> None:
    path = kept(net, tmp_path / "home")
    data = path.read_bytes()
    path.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])
    done = program(tmp_path / "home")
    one_sentence(done)
    assert path.name in done.stderr


def test_a_match_that_another_process_plays_is_not_resumed_a_second_time(net: DiskNet, tmp_path: Path) -> None:
    """Two bodies for one seat would sign twice, and be named."""
    home = tmp_path / "home"
    path = kept(net, home)
    before = path.read_bytes()
    with Store(home).take_profile():
        done = program(home)
    one_sentence(done, 3)
    assert "no match to resume" in done.stderr
    assert path.read_bytes() == before


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_the_program_says_of_a_read_only_disk_that_it_is_one(net: DiskNet, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to mount")
    home = tmp_path / "home"
    kept(net, home)
    mounts = f'mount --bind {home} {home} && mount -o remount,bind,ro {home} && exec "$@"'
    done = program(home, "unshare", "-m", "sh", "-c", mounts, "sh")
    one_sentence(done)
    assert "Read-only" in done.stderr


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_where_the_end_cannot_be_written_the_result_stands_and_the_journal_stays_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the very end: no transcript, so the journal is kept, and coming back writes it, with nobody else there."""

    def write(path: Path, data: bytes) -> None:
        if path.is_relative_to(tmp_path / "b"):
            raise LocalError("The file {0} cannot be used: {1}.", path, "No space left on device")
        write_file(path, data)

    async def play() -> None:
        monkeypatch.setattr(client, "write_file", write)
        async with played_by_bots(tmp_path, "full") as (opener, guest):
            assert [one.snapshot.phase if one.snapshot else "" for one in (opener, guest)] == ["done"] * 2
            assert opener.trouble is None
            assert "No space left" in str(guest.trouble)
        (journal,) = tmp_path.rglob("*.journal")
        assert journal.is_relative_to(tmp_path / "b")
        monkeypatch.undo()
        (waiting,) = interrupted(Store(tmp_path / "b"))
        async with enter.resume(Store(tmp_path / "b"), waiting, loopback=True, tag="full") as again:
            await asyncio.wait_for(again.finished(), 60)
            assert again.snapshot is not None
            assert again.snapshot.phase == "done"

    asyncio.run(play())
    assert not list(tmp_path.rglob("*.journal"))
    assert len({file.read_bytes() for file in tmp_path.rglob("*.mastaba")}) == 1
    assert len(list(tmp_path.rglob("*.mastaba"))) == 2


def test_what_the_others_said_need_not_be_synced_but_what_we_say_takes_it_along(net: DiskNet) -> None:
    net.stop(120)
    kinds = [kind for kind, _ in records(net.path.read_bytes())]
    assert kinds.index(OWN) < kinds.index(THEIRS)
    assert kinds.count(OWN) >= 2
