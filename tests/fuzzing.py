"""Every reader of what strangers send or leave in files, as a function of bytes that returns or raises its one documented error.

`TARGETS` maps a name to (function, what it may raise, good inputs to start from); `mutate` makes something like a good input.
"""

import atexit
import contextlib
import importlib.resources
import random
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from adversaries.liar import twist
from fakenet import MemoryJournal, Net, seeded
from lobbynet import Room
from mastaba.core import games
from mastaba.core.errors import LocalError
from mastaba.core.games import GAMES
from mastaba.core.plain import BadEncoding, decode, encode
from mastaba.core.rules import Options
from mastaba.net import log, votes
from mastaba.net.addresses import parse_target
from mastaba.net.channel import Handshake, Refused
from mastaba.net.code import Door
from mastaba.net.discovery import read_txt
from mastaba.net.guest import Guest
from mastaba.net.identity import CLIENT, Identity
from mastaba.net.match import resume, start
from mastaba.net.playback import Playback
from mastaba.net.records import Played, Player, Records
from mastaba.net.renewal import fresh_key, read_fresh
from mastaba.net.replay import Replay, Wrong, feed
from mastaba.net.roster import Roster
from mastaba.net.seen import Seen, seen_by
from mastaba.net.store import parse_game_data
from mastaba.net.verify import verify
from mastaba.net.watch import Watcher
from mastaba.net.wire import PREFIX, BadFrame, Frames, Hello, Say, Vote, pack, unpack

DATA = Path(__file__).parent / "data"
Target = tuple[Callable[[bytes], Any], tuple[type[Exception], ...], list[bytes]]


@cache
def played() -> tuple[Net, list[bytes]]:
    """A small match that was played to its end, with a vote on the way, and all frame bodies that were sent."""
    net, sent = Net(3, seed=21), []

    def keep(a: int, b: int, message: Any) -> tuple[Any, ...]:
        sent.append(pack(message)[PREFIX:])
        return (message,)

    net.tamper = keep
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 4)
    for other in (0, 2):
        net.cut(1, other)
    net.run(idle=3)
    for seat in (0, 2):
        net.sessions[seat].vote(1)
    net.run(lambda: all(net.sessions[seat].table.done for seat in (0, 2)), idle=12)
    assert net.sessions[0].table.done
    return net, sent


def session_at_work(data: bytes) -> None:
    """A running session is given a frame: whatever it is, nothing comes out but messages and closed links."""
    net = Net(3, seed=3)
    net.connect()
    for session in net.sessions:
        session.begin()
    victim = net.sessions[1]
    try:
        message = unpack(data)
    except BadFrame:
        return
    for _ in range(2):
        victim.receive(0, message)
        victim.tick(1.0)
        victim.take_outbox()
        victim.take_closes()
    assert victim.fault is None or victim.fault.seat in (0, None), "an honest seat is named"


def byte_by_byte(data: bytes) -> None:
    """A stream cut anywhere gives the same frames as the whole."""
    try:
        whole: Any = Frames().feed(data)
    except BadFrame:
        whole = None
    frames, found = Frames(), []
    try:
        for i in range(len(data)):
            found += frames.feed(data[i : i + 1])
    except BadFrame:
        assert whole is None
        return
    assert whole == found


def handshake(data: bytes) -> None:
    """Somebody who connects, and says this first and then once more."""
    shake = Handshake(CLIENT, Identity.from_secret(bytes(32)), bytes(32), bytes(32), "x")
    for _ in range(2):
        shake.receive(unpack(data))


def txt_record(data: bytes) -> None:
    """Properties as pairs of a key and a value, as a stranger's multicast packet has them."""
    parts = data.split(b"\0")
    read_txt("x._mastaba._tcp.local.", dict(zip(parts[::2], parts[1::2], strict=False)), (("10.0.0.1", 1),))


def _table(game: str) -> dict[str, Any]:
    return tomllib.loads(_toml(game).decode())


def _toml(game: str) -> bytes:
    return (importlib.resources.files(games) / "data" / f"{game}.toml").read_bytes()


def notation(game: str) -> Target:
    """Typed moves: what parses is shown and parsed again as the same."""
    rules = GAMES[game].rules(max(GAMES[game].rules.SEATS), GAMES[game].load(_table(game)), Options())

    def read(data: bytes) -> None:
        move = rules.parse_move(data.decode("utf-8", "replace"))
        assert rules.parse_move(rules.show_move(move)) == move

    typed = {
        "loot": ("loot 1", "run", "wake 2", "keep both"),
        "crypt": ("claim 1:2x3 2:1", "recover", "look 1", "heal 1 2", "take 1 2 3", "reroll 1 2", "done"),
        "scarabya": ("lot", "lay 3b 2", "place 33 43 52 53 54"),
        "pyramid": ("keep", "reset", "die 2", "pass", "play 1", "stop", "a1", "step b2"),
    }
    return read, (ValueError,), [text.encode() for text in typed[game]]


CHEAT, HONEST = 0, 1  # seats of the evidence that is mutated


@cache
def evidence() -> tuple[Net, list[bytes]]:
    """A match in which CHEAT has signed bad things and nobody else has, and evidence of them: two votes, two bodies, a bad body."""
    net = Net(3, seed=23)
    net.connect()
    net.run(lambda: net.sessions[HONEST].table.step >= 3)
    book, roster = net.sessions[HONEST].book, net.match.roster
    before = [r.in_order() for r in book.rounds]
    said = next(r.said[CHEAT] for r in reversed(book.rounds) if CHEAT in r.said)
    other = log.sign(replace(said.said, body=(b"other",)), net.signers[CHEAT])
    place = replace(said.said, step=book.now.step, round=book.now.round, prev=book.now.prev, state=book.state, body=(b"bad",))
    bad = log.sign(place, net.signers[CHEAT])
    ballots = [votes.cast(roster, 1, CHEAT, choice, net.signers[CHEAT]) for choice in (("stay",), ("go", (2,), 1, bytes(32), ()))]
    statements = [log.Statement(vote.data, vote.signature) for vote in ballots]
    honest = [r.said[HONEST] for r in book.rounds if HONEST in r.said][-2:]
    good: list[tuple[Any, Any]] = [(before, (said, other)), (before, (bad,)), ((), statements)]
    nothing: list[tuple[Any, Any]] = [(before, honest), (before[:-1], honest[-1:])]
    return net, [log.evidence(roster, *pair) for pair in (*good, *nothing)]


def convict(data: bytes) -> None:
    """Evidence that is changed may prove something or nothing; against an honest seat it never does."""
    net, _ = evidence()
    report = verify(data, lambda roster: net.match.table())
    report.as_json()
    if report.ok and report.kind == "evidence":
        assert report.fault is not None
        assert report.fault.seat == CHEAT, "an honest seat is named"


@cache
def scratch() -> Path:
    """A folder for files that readers open."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


@cache
def kept() -> tuple[Identity, bytes]:
    """Whose journal it is, and its records as plain data, so that mutations are not all stopped by its check sums."""
    net = Net(2, seed=24)
    net.connect()
    first = MemoryJournal()
    start(net.match, 0, net.signers[0], first, seeded(2400), (), net.identities[0])
    net.run(lambda: net.sessions[0].table.step >= 2)
    return net.identities[0], encode(tuple(first.records + net.journals[0].records))


def come_back(data: bytes) -> None:
    """A journal with other records in it: it is resumed, or refused in words."""
    try:
        found = decode(data)
        whole = log.JOURNAL + b"".join(log.record(kind & 255, payload) for kind, payload in found)
    except (BadEncoding, TypeError, ValueError):
        whole = log.JOURNAL + data
    path = scratch() / "journal"
    path.write_bytes(whole)
    session, journal, _ = resume(path, seeded(1), kept()[0])
    journal.close()
    session.begin()
    session.take_outbox()


@cache
def sat_down() -> list[bytes]:
    """What is said in a lobby until all have signed."""
    room = Room(3)
    for _ in range(2):
        room.guest()
    room.run()
    return [pack(message)[PREFIX:] for message in room.seen]


def lobby(data: bytes) -> None:
    """A stranger, and then somebody who has a seat, say this to an opener and to a guest."""
    message = unpack(data)
    room = Room(3)
    honest = room.guest()
    room.run()
    stranger = Guest(room.identity(), "Mallory", (), seeded(5))
    room.lobbies.append(stranger)
    room.link(0, 2)
    room.link(1, 2)
    for to in (0, 1, 0):
        if (2, to) in room.queues:
            room.say(2, message, to)
            room.run()
        stranger.join(0)
        room.run()
    room.tick(1.0)
    for one in (room.opener, honest):
        assert one.agreed is None or one.agreed.roster.fault() is None


def watcher(data: bytes) -> None:
    """What answers somebody who asks to watch."""
    one = Watcher()
    one.watch(0)
    for _ in range(2):
        one.receive(0, unpack(data))
    one.take_outbox()


def sight(data: bytes) -> None:
    """What lies beside a transcript, and is believed for showing."""
    net, transcript = ended()
    playback = Playback(transcript, lambda roster: net.match.table(), Seen.decode(data))
    for _ in range(4):
        playback.forward()


@cache
def ended() -> tuple[Net, bytes]:
    net = Net(2, seed=25)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 4)
    return net, net.sessions[0].transcript()


@cache
def thinned(game: str) -> tuple[Net, bytes]:
    """A match of four in which one says good-bye, one is voted out, and one goes on answering; what its file's items say, as plain data."""
    net = Net(4, seed=26, game=game, path=DATA / f"{game}-small.toml", first=0)
    net.connect()
    quick = {"pyramid": 8}.get(game, 3)
    net.run(lambda: net.sessions[0].table.step >= quick)
    net.sessions[3].leave()
    net.run(lambda: all(3 in net.sessions[seat].table.rules.gone for seat in (0, 1, 2)))
    for other in (0, 2, 3):
        net.cut(1, other)
    net.run(idle=3)
    for seat in (0, 2):
        net.sessions[seat].vote(1)
    net.run(lambda: all(net.sessions[seat].table.done for seat in (0, 2)), idle=12)
    assert net.sessions[0].table.done
    assert net.sessions[0].table.rules.gone == (1, 3)
    said: list[tuple[Any, ...]] = []
    for item in log.unpack_file(log.TRANSCRIPT, net.sessions[0].transcript())[1:]:
        value = decode(item)
        if type(value[1]) is tuple:
            said.append(("next", 0, item))
        else:
            kind, _, _, _, seat, _, state, body = decode(value[0])[1:]
            said.append((kind, seat, body if kind == log.ANSWER else (state, body)))  # a good-bye was said before it stands there
    return net, encode((*said, ("void", 1, (999, 0, ())), ("void", 1, (1000, 0, ("x",)))))


def signed_file(game: str, data: bytes) -> bytes:
    """What four seats say in a match that they have agreed to ruin: all of it well signed, in its place and under the right digest.

    The file ends where a replay refuses it.
    """
    net, _ = thinned(game)
    value, keys = decode(data), list(net.signers)
    replay, items = Replay(net.match.roster, net.match.table()), [net.match.roster.encode()]
    for one in value if type(value) is tuple else ():
        shaped = type(one) is tuple and len(one) == 3 and type(one[1]) is int and one[1] in range(4)
        item = _signed(replay, keys, net.signers, *one) if shaped else None
        if item is None:
            break
        items.append(item)
        if one[0] == "void":
            continue
        try:
            feed(replay, item)
        except Wrong:
            break
        if one[0] == "next":
            keys = [fresh_key(key)[0] for key in keys]
    return log.pack_file(log.TRANSCRIPT, items)


def signed_again(game: str) -> Target:
    """Such a file is verified and seen again with one verdict, and nothing is raised."""
    net, good = thinned(game)

    def run(data: bytes) -> None:
        whole = signed_file(game, data)
        report = verify(whole, lambda roster: net.match.table())
        report.as_json()
        playback = Playback(whole, lambda roster: net.match.table())
        while playback.forward():
            pass
        assert (playback.fault is None) == report.ok

    return run, (BadEncoding,), [good]


def _signed(replay: Replay, keys: list[Identity], first: list[Identity], kind: Any, seat: int, body: Any) -> bytes | None:
    """The item that says this, or None if nothing can."""
    try:
        if kind == "next":
            return body if type(body) is bytes else None
        if kind == "void":
            step, round_, body = body
            said = log.Contribution(next(iter(replay.signed)), step, round_, seat, bytes(32), bytes(8), body)
            one = log.sign(said, first[seat])
            return encode((log.VOID, one.data, one.signature))
        place, state = (replay.table.step, replay.table.round), replay.state
        if kind == log.LEAVE:
            state, body = body
            place = replay.filled[seat].place if seat in replay.filled else (0, 0)
        said = log.Contribution(replay.roster.match, *place, seat, replay.prevs[place], state, body, kind)
        one = log.sign(said, keys[seat])
        return encode((one.data, one.signature))
    except (TypeError, ValueError):
        return None


@cache
def database() -> bytes:
    """The records of one finished match."""
    records = Records(scratch() / "good")
    records.add(Played(bytes(32), "loot", 0, True, tuple(Player(name, bytes(32), "", 3, True) for name in ("Ana", "Beto"))))
    return records.path.read_bytes()


def statistics(data: bytes) -> None:
    """A damaged database of finished matches."""
    records = Records(scratch() / "bad")
    records.path.parent.mkdir(exist_ok=True)
    for path in records.path.parent.iterdir():
        path.unlink()
    records.path.write_bytes(data)
    records.all()


@cache
def targets() -> dict[str, Target]:
    """All of them."""
    net, frames = played()
    roster, past = net.match.roster, net.sessions[0].chain
    says = [m for m in map(unpack, frames) if isinstance(m, Say)]
    ballots = [m for m in map(unpack, frames) if isinstance(m, Vote)]
    transcript = net.sessions[0].transcript()
    journal = log.JOURNAL + b"".join(log.record(kind, payload) for kind, payload in net.journals[0].records)
    hello = pack(Hello(1, 1, "x", Identity.from_secret(bytes(31) + b"\1").public, bytes(32)))[PREFIX:]
    txt = b"txtvers\x001\0id\x000011223344556677\0pv\x001-1\0g\0loot\0n\x001/3\0st\0open\0m\x000011223344556677"
    found: dict[str, Target] = {
        "plain": (lambda data: encode(decode(data)) == data or _fail(), (BadEncoding,), frames[:40]),
        "frame": (unpack, (BadFrame,), frames[:400]),
        "stream": (byte_by_byte, (), [len(body).to_bytes(PREFIX, "big") + body for body in frames[:20]]),
        "handshake": (handshake, (BadFrame, Refused), [hello]),
        "session": (session_at_work, (), frames[:200]),
        "contribution": (lambda data: log.parse(data, roster), (BadEncoding,), [say.body for say in says[:100]]),
        "vote": (lambda data: votes.read(data, bytes(64), roster), (BadEncoding,), [vote.body for vote in ballots]),
        "part": (lambda data: read_fresh(data, bytes(64), roster), (BadEncoding,), [encode((roster.match, 0, bytes(32), bytes(32)))]),
        "roster": (lambda data: Roster.decode(data).fault(), (BadEncoding,), [roster.encode(), past.roster.encode()]),
        "journal": (log.records, (BadEncoding,), [journal]),
        "items": (lambda data: log.unpack_file(log.TRANSCRIPT, data), (BadEncoding,), [transcript]),
        "file": (lambda data: verify(data, lambda roster: net.match.table()).as_json(), (), [transcript, ended()[1]]),
        "evidence": (convict, (), evidence()[1]),
        "resume": (come_back, (LocalError,), [kept()[1]]),
        "lobby": (lobby, (BadFrame,), sat_down()),
        "watcher": (watcher, (BadFrame,), [*frames[-3:], *sat_down()]),
        "share": (Door("a-b-c", bytes(32), bytes(32), True, seeded(1)).meet, (ValueError,), [Door("a", b"", b"", False, seeded(2)).share]),
        "seen": (Seen.decode, (BadEncoding,), [seen_by(net.sessions[0]).encode()]),
        "sight": (sight, (BadEncoding, LocalError, Wrong), [seen_by(ended()[0].sessions[0]).encode()]),
        "records": (statistics, (LocalError,), [database()]),
        "txt": (txt_record, (), [txt]),
        "address": (lambda data: parse_target(data.decode("utf-8", "replace")), (LocalError,), [b"[fe80::1]:24642", b"10.0.0.1:1"]),
    }
    for game in GAMES:
        found[f"cards {game}"] = (lambda data, game=game: parse_game_data(game, data), (LocalError,), [_toml(game)])
        found[f"moves {game}"] = notation(game)
        found[f"signed {game}"] = signed_again(game)
    return found


def _fail() -> None:
    raise AssertionError("not canonical")


def attempt(name: str, data: bytes) -> None:
    """Give it the bytes; any error but the documented one is a finding and comes out."""
    function, errors, _ = targets()[name]
    with contextlib.suppress(*errors):
        function(data)


def mutate(data: bytes, dice: random.Random) -> bytes:
    """Something like it: plain data inside is changed as plain data, everything else byte by byte."""
    if dice.random() < 0.5:
        try:
            return encode(twist(decode(data), dice))
        except (BadEncoding, ValueError, TypeError, OverflowError):
            pass
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at = dice.randrange(len(changed) + 1)
        match dice.randrange(4):
            case 0:
                changed[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                changed[at:at] = dice.choice((b"\xff" * 4, b"\xdd\xff\xff\xff\xff", b"\0", dice.randbytes(dice.randrange(9))))
            case 2:
                del changed[at : at + dice.choice((1, 4, 40))]
            case _:
                del changed[at:]
    return bytes(changed)
