"""Files: profiles, known peers, match journals, transcripts and component tables.  It knows paths and locks, not what a match is.

Everything lies under one data folder (`MASTABA_HOME` overrides the platform's place): folders 0700, files 0600.  A profile
sits in a numbered slot and is locked while a process uses it, so that two terminals of one user are two players.
The first picture of the lobby waits for this module: what it does not need is imported where it is used.
"""

import contextlib
import fcntl
import functools
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import platformdirs

from ..core.errors import LocalError
from .names import looks

if TYPE_CHECKING:
    from ..core.games import Game
    from .identity import Identity

MAX_DATA = 64 * 1024  # bytes of a component table: larger ones are no card list
MAX_LINE = 240  # characters of one of its lines: tomllib's time grows with the square of a key's length
MAX_KNOWN = 4096  # peers remembered: whoever joins under ever new keys cannot fill the disk
MAX_FRESH = 4096  # identities of one table each of which the public part is remembered
MAX_RUNS = 256  # starts of a profile's programs that are known as its own
MAX_SLOTS = 64
SECRET = 32
KNOWN = "known.json"  # in a slot: {name: identity}


class Taken(LocalError):
    """Another process plays as this player."""


@contextlib.contextmanager
def disk(path: Path) -> Iterator[None]:
    """Turn what the disk refuses (full, read-only, not ours) into a LocalError with one sentence."""
    try:
        yield
    except OSError as error:
        raise LocalError("The file {0} cannot be used: {1}.", error.filename or path, error.strerror or error) from None


def write_file(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace the file's content in one step (mode 0600): after a crash there is the old or the new one.  Raises LocalError."""
    import tempfile

    with disk(path):
        make_folder(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")  # made 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines([data] if isinstance(data, bytes) else data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the name, too, survives a power cut
        finally:
            os.close(folder)


class Profile:
    """One locked slot: who we are to others, and whom we know.  Close it (or leave its `with`) to free the slot."""

    def __init__(self, folder: Path, lock: int) -> None:
        self.folder, self._lock = folder, lock
        self.slot = int(folder.name)
        self.certificate, self.key = folder / "channel.crt", folder / "channel.key"
        self._known_file, self._fresh_file = folder / KNOWN, folder / "fresh"
        with disk(folder):
            self.identity = self._make_identity()
            self._known = _read_json(self._known_file)
            self._alike = {looks(name): name for name in self._known}
            self._config = _read_json(folder / "profile.json")

    @property
    def name(self) -> str | None:
        """The player's name as last chosen, or None."""
        name = self._config.get("name")
        return name if isinstance(name, str) else None

    @name.setter
    def name(self, name: str) -> None:
        self._config["name"] = name
        write_file(self.folder / "profile.json", json.dumps(self._config, ensure_ascii=False).encode())

    def meet(self, name: str, public: bytes) -> bool:
        """Remember who bears this name, if nobody does yet.  False: somebody known by it, or by what looks like it, has another key."""
        before = self.known(name)
        if before not in (None, public):
            return False
        self._remember(name, public, before is None)
        return True

    def recognise(self, name: str, public: bytes) -> None:
        """A person says that this key is the one of that name from now on, whatever was known before."""
        self._known.pop(self._alike.get(looks(name), name), None)
        self._remember(name, public, True)

    def known(self, name: str) -> bytes | None:
        """The 32-byte identity remembered under this name, or under one that looks like it."""
        try:
            return bytes.fromhex(self._known[self._alike[looks(name)]])
        except (KeyError, TypeError, ValueError):
            return None

    def _remember(self, name: str, public: bytes, write: bool) -> None:
        self._known.pop(name, None)
        self._known[name], self._alike[looks(name)] = public.hex(), name  # last in the file: the longest unseen are forgotten first
        for oldest in list(self._known)[: max(0, len(self._known) - MAX_KNOWN)]:
            del self._known[oldest]
            self._alike.pop(looks(oldest), None)
        if write:
            write_file(self._known_file, json.dumps(self._known, ensure_ascii=False, indent=0).encode())

    def journal_path(self, match: bytes) -> Path:
        """Where the journal of a match lies; its folder exists.  A slot's matches are its identity's alone."""
        folder = self.folder / "matches"
        with disk(folder):
            make_folder(folder)
        return folder / f"{match.hex()}.journal"

    def journals(self) -> tuple[Path, ...]:
        """The journals of this slot, newest first."""
        return _newest(self.folder.glob("matches/*.journal"))

    def begin_run(self) -> tuple[bytes, tuple[bytes, ...]]:
        """A new run (runs.py), and the earlier ones of this profile, the latest of which are remembered."""
        path, run = self.folder / "runs", os.urandom(16)
        with disk(path):
            known = path.read_text().split() if path.exists() else []
        earlier = [line for line in known if len(line) == 32 and all(digit in "0123456789abcdef" for digit in line)][-MAX_RUNS:]
        write_file(path, "\n".join([*earlier, run.hex()]).encode())
        return run, tuple(map(bytes.fromhex, earlier))

    def made_fresh(self, public: bytes) -> None:
        """An identity for one table was made here: who we were is known again later.  The key itself is kept with the match alone."""
        with disk(self._fresh_file):
            known = self._fresh_file.read_text().split() if self._fresh_file.exists() else []
        if public.hex() not in known:  # else it goes on at the next table of the same people
            write_file(self._fresh_file, "\n".join([*known, public.hex()][-MAX_FRESH:]).encode())

    def close(self) -> None:
        """Free the slot; harmless when repeated."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> "Profile":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _make_identity(self) -> "Identity":
        from .identity import Identity

        path = self.folder / "identity"
        if not path.exists():
            write_file(path, Identity.generate().secret)
        secret = path.read_bytes()
        if len(secret) != SECRET:
            raise LocalError("The identity in {0} is damaged; move the file away to become somebody new.", path)
        return Identity.from_secret(secret)

    def make_certificate(self) -> None:
        """TLS wants paths; the certificate names nobody, since identities are proven inside the channel: it is another one each time."""
        import datetime

        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        key = Ed25519PrivateKey.generate()
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "mastaba")])
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(datetime.datetime(2020, 1, 1))
            .not_valid_after(datetime.datetime(9999, 12, 31))  # peers never look: a wrong clock must not stop a game
            .sign(key, None)
        )
        write_file(self.key, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        write_file(self.certificate, certificate.public_bytes(Encoding.PEM))


class Store:
    """The data folder: `root`, or `MASTABA_HOME`, or the platform's place for user data."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or Path(os.environ.get("MASTABA_HOME") or platformdirs.user_data_dir("mastaba"))

    def take_profile(self, slot: int | None = None) -> Profile:
        """Lock and return that slot's profile, or the first that no process uses; made on first use.  Raises LocalError."""
        for number in range(1, MAX_SLOTS + 1) if slot is None else (slot,):
            folder = self.root / "profiles" / str(number)
            with disk(folder):
                make_folder(folder)
                lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(lock)
                    continue
            try:
                return Profile(folder, lock)
            except BaseException:
                os.close(lock)
                raise
        raise Taken("Another mastaba is playing as this player.")

    def identities(self) -> tuple[bytes, ...]:
        """The public identities of all slots, in use or not, and those made for one table each; a damaged one is left out."""
        from .identity import Identity

        found = []
        for path in sorted(self.root.glob("profiles/*/identity")):
            with contextlib.suppress(OSError, ValueError):
                found.append(Identity.from_secret(path.read_bytes()).public)
        for path in sorted(self.root.glob("profiles/*/fresh")):
            with contextlib.suppress(OSError, ValueError):
                found += [bytes.fromhex(line) for line in path.read_text().split()[:MAX_FRESH]]
        return tuple(found)

    def people(self) -> Iterator[tuple[str, bytes]]:
        """(name, public identity) of whoever has been met by any slot, and of the slots themselves; what is damaged is left out."""
        from .identity import Identity

        for folder in sorted(self.root.glob("profiles/*")):
            with contextlib.suppress(OSError, ValueError):
                name = _read_json(folder / "profile.json").get("name")
                mine = Identity.from_secret((folder / "identity").read_bytes()).public
                known = _read_json(folder / KNOWN)
                yield from [(name, mine)] if isinstance(name, str) else []
                yield from ((who, bytes.fromhex(key)) for who, key in known.items() if isinstance(key, str) and len(key) == 2 * SECRET)

    def journals(self) -> tuple[tuple[int, Path], ...]:
        """(slot, journal) of every match on disk, newest first, whether or not the slot is free."""
        paths = _newest(self.root.glob("profiles/*/matches/*.journal"))
        return tuple((int(path.parts[-3]), path) for path in paths if path.parts[-3].isdecimal())

    def transcript_path(self, game: str, match: bytes) -> Path:
        """Where the transcript of a match lies; its folder exists."""
        import datetime

        folder = self.root / "transcripts"
        with disk(folder):
            make_folder(folder)
        return folder / f"{datetime.date.today().isoformat()}-{game}-{match.hex()[:12]}.mastaba"


def load_game_data(game: str, path: Path | None = None) -> tuple[Any, bytes]:
    """The component table of a game: the one that comes with the program, or a player's file (TOML, at most 64 KiB).

    Returns what the game's `load` makes of it (its `.plain` is hashed) and the TOML text, which a table with cards of its
    own sends to its guests.  Raises LocalError for an unknown game or a bad file.
    """
    if path is None:
        return _own_data(game)
    with disk(path), path.open("rb") as file:
        text = file.read(MAX_DATA + 1)
    return parse_game_data(game, text), text


def parse_game_data(game: str, text: bytes) -> Any:
    """The component table in TOML text, ours or a peer's.  Raises LocalError."""
    import tomllib

    _known_game(game)
    if len(text) > MAX_DATA:
        raise LocalError("The table of cards is larger than {0} KiB.", MAX_DATA // 1024)
    try:
        lines = text.decode()
        if any(len(line) > MAX_LINE for line in lines.split("\n")):
            raise LocalError("The table of cards has a line of more than {0} characters.", MAX_LINE)
        table = tomllib.loads(lines)
    except (ValueError, RecursionError) as error:
        raise LocalError("The table of cards is not TOML: {0}", str(error) or type(error).__name__) from None
    return _known_game(game).load(table)


@functools.cache
def _own_data(game: str) -> tuple[Any, bytes]:
    import importlib.resources

    _known_game(game)
    text = (importlib.resources.files("mastaba.core.games") / "data" / f"{game}.toml").read_bytes()
    return parse_game_data(game, text), text


def _known_game(game: str) -> "Game":
    """The game of that name; raises LocalError.  The rules of all games are loaded when the first one is wanted, not before."""
    from ..core.games import GAMES

    if game not in GAMES:
        raise LocalError("There is no game {0}.", game)
    return GAMES[game]


def make_folder(path: Path) -> None:
    """Make the folder and whatever lacks above it, each 0700 (mkdir's own `parents` would leave them open to others)."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def _newest(paths: Iterator[Path]) -> tuple[Path, ...]:
    def changed(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except FileNotFoundError:  # deleted meanwhile by the process that plays it
            return 0.0

    return tuple(sorted(paths, key=changed, reverse=True))


def _read_json(path: Path) -> dict[str, Any]:
    """The object in the file; an absent or damaged file counts as empty, for nothing in it is needed to play."""
    try:
        value = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
