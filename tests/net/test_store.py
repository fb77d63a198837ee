"""Files: slots and locks, modes, atomic writes, known peers, component tables; what the disk refuses is one sentence."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from mastaba.core.errors import LocalError
from mastaba.core.games import data_hash
from mastaba.net import store as store_module
from mastaba.net.store import MAX_DATA, Store, load_game_data, parse_game_data, write_file


def modes(root: Path) -> dict[str, int]:
    return {str(p.relative_to(root)): stat.S_IMODE(p.stat().st_mode) for p in (root, *root.rglob("*"))}


def test_folders_are_0700_and_files_0600_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = Store(tmp_path / "deep" / "home")
        with store.take_profile() as profile:
            profile.name = "Ana"
            profile.meet("Bea", bytes(32))
            write_file(profile.journal_path(bytes(32)), b"x")
            write_file(store.transcript_path("loot", bytes(32)), b"x")
    finally:
        os.umask(old)
    for name, mode in modes(store.root).items():
        assert mode == (0o700 if (store.root / name).is_dir() else 0o600), name


def test_an_identity_is_made_once_and_kept(tmp_path: Path) -> None:
    with Store(tmp_path).take_profile() as profile:
        first = profile.identity.public
        profile.make_certificate()
        certificate = profile.certificate.read_bytes()
    with Store(tmp_path).take_profile() as profile:
        assert (profile.slot, profile.identity.public) == (1, first)
        profile.make_certificate()
        assert profile.certificate.read_bytes() != certificate, "no table is recognised by it"


def test_two_processes_of_one_user_are_two_players(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from mastaba.net.store import Store; "
        "p = Store(Path(sys.argv[1])).take_profile(); print(p.slot, p.identity.public.hex())"
    )
    with Store(tmp_path).take_profile() as profile:
        done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True)
        slot, public = done.stdout.split()
        assert (profile.slot, int(slot)) == (1, 2)
        assert public != profile.identity.public.hex()
    again = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True)
    assert again.stdout.split()[0] == "1"  # the lock went with its process


def test_a_slot_in_use_is_refused_in_words(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.take_profile(3), pytest.raises(LocalError, match="Another mastaba"):
        store.take_profile(3)
    with store.take_profile(3) as profile:
        assert profile.slot == 3


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path / "there"))
    assert Store().root == tmp_path / "there"


def test_a_damaged_identity_is_said_in_words_and_never_replaced(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.take_profile().close()
    path = tmp_path / "profiles" / "1" / "identity"
    path.write_bytes(b"short")
    with pytest.raises(LocalError, match="damaged"):
        store.take_profile()
    assert path.read_bytes() == b"short"


@pytest.mark.parametrize("content", [b"", b"\xff", b"[]", b'{"Bea": 1}', b'{"Bea": "zz"}', b"{" * 10_000])
def test_damaged_books_count_as_empty(tmp_path: Path, content: bytes) -> None:
    store = Store(tmp_path)
    store.take_profile().close()
    for name in ("known.json", "profile.json"):
        (tmp_path / "profiles" / "1" / name).write_bytes(content)
    with store.take_profile() as profile:
        assert profile.name is None
        assert profile.known("Bea") is None


def test_a_known_name_with_a_new_key_is_noticed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.take_profile() as profile:
        assert profile.meet("Bea", b"1" * 32)
        assert profile.meet("Bea", b"1" * 32)
    with store.take_profile() as profile:
        assert profile.known("Bea") == b"1" * 32
        assert not profile.meet("Bea", b"2" * 32)
        assert profile.meet("Cleo", b"2" * 32)


def test_known_peers_are_forgotten_before_they_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_KNOWN", 5)
    with Store(tmp_path).take_profile() as profile:
        for i in range(9):
            profile.meet(f"P{i}", bytes([i]) * 32)
        assert [profile.known(f"P{i}") is not None for i in range(9)] == [False] * 4 + [True] * 5


def test_the_name_is_kept(tmp_path: Path) -> None:
    with Store(tmp_path).take_profile() as profile:
        profile.name = "Begoña 😀"
    with Store(tmp_path).take_profile() as profile:
        assert profile.name == "Begoña 😀"


def test_journals_belong_to_their_slot_and_come_newest_first(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.take_profile() as one, store.take_profile() as two:
        match = bytes(32)
        assert one.journal_path(match) != two.journal_path(match)
        for number, path in enumerate((one.journal_path(b"a" * 32), two.journal_path(match), one.journal_path(match))):
            path.write_bytes(b"x")
            os.utime(path, (number, number))
        assert [slot for slot, _ in store.journals()] == [1, 2, 1]
        assert one.journals() == (one.journal_path(match), one.journal_path(b"a" * 32))


def test_a_write_that_fails_leaves_the_old_file_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_file(path, b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LocalError, match="No space left"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LocalError, match="cannot be used"):
        Store(tmp_path / "file").take_profile()


def test_built_in_cards_come_with_the_program() -> None:
    data, toml = load_game_data("loot")
    assert data_hash(parse_game_data("loot", toml)) == data_hash(data)


def test_a_player_s_file_is_read_and_differs(tmp_path: Path) -> None:
    small = Path(__file__).parent.parent / "data" / "loot-small.toml"
    data, toml = load_game_data("loot", small)
    assert toml == small.read_bytes()
    assert data_hash(data) != data_hash(load_game_data("loot")[0])


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"x = ",
        b"x = 1",
        b"[[[[" * 9000,
        b"a." * 20_000 + b"b = 1",
        b"#" * (MAX_DATA + 1),
        b"cards = 3",
        b"[[cards]]\nback = []",
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "cards.toml"
    path.write_bytes(content)
    with pytest.raises(LocalError) as caught:
        load_game_data("loot", path)
    assert len(str(caught.value)) < 500


def test_a_missing_file_and_an_unknown_game_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LocalError, match="cannot be used"):
        load_game_data("loot", tmp_path / "none.toml")
    for path in (None, tmp_path):
        with pytest.raises(LocalError):
            load_game_data("chess", path)


def test_a_remembered_key_is_replaced_by_a_persons_yes_alone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.take_profile() as profile:
        assert profile.meet("Bea", b"1" * 32)
        for name in ("Bea", "BEA", "B\u00e9a", "B\u0435a".replace("\u0435", "e"), "Be\u0430"):
            assert not profile.meet(name, b"2" * 32), "also a name that only looks like it"
        assert profile.known("Be\u0430") == b"1" * 32
    with store.take_profile() as profile:
        assert not profile.meet("Bea", b"2" * 32), "no answer is no"
        assert profile.meet("Bea", b"1" * 32)
        profile.recognise("BEA", b"2" * 32)
    with store.take_profile() as profile:
        assert profile.meet("Bea", b"2" * 32)
        assert not profile.meet("Bea", b"1" * 32)


def test_identities_of_one_table_are_known_again_and_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_FRESH", 3)
    store = Store(tmp_path)
    made = [bytes([n]) * 32 for n in range(5)]
    with store.take_profile() as profile:
        for public in (*made, made[-1]):
            profile.made_fresh(public)
        assert store.identities() == (profile.identity.public, *made[2:])
    (tmp_path / "profiles" / "1" / "fresh").write_bytes(b"\xff\xfe rubbish")
    assert len(store.identities()) == 1
