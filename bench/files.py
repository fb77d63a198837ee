"""Rows of files: what rubbish of the largest size costs whoever checks or replays it, and how a replay's memory grows with the match."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from mastaba.core.bots import decide
from mastaba.core.fair.keys import Secrets
from mastaba.core.games import GAMES, data_hash
from mastaba.core.plain import encode
from mastaba.core.rules import Options
from mastaba.core.view import View
from mastaba.net.identity import Identity
from mastaba.net.log import (
    EVIDENCE,
    MAX_FILE,
    STATE,
    TRANSCRIPT,
    Contribution,
    Signed,
    next_digest,
    pack_file,
    sign,
    transcript,
    unpack_file,
)
from mastaba.net.match import Match
from mastaba.net.roster import Roster, Seat
from mastaba.net.store import load_game_data

from .rows import Row, row

LONG = 1500  # rounds of the long match: games of random bots that end sooner are played again


def rows() -> list[Row]:
    return [*rubbish(), memory()]


def rubbish() -> list[Row]:
    """The worst of the files of the largest size, for `verify`, `replay` and `replay --html`, beside the hash of as many bytes."""
    match, rounds = _match("loot", 2, 0)
    game = transcript(match, rounds)
    items = unpack_file(TRANSCRIPT, game)
    opening = pack_file(TRANSCRIPT, items[:1])
    files = (
        _filled(TRANSCRIPT, b""),
        _filled(opening, b""),
        _filled(opening, bytes(64)),  # the least that is stepped over in search of what is void
        _filled(opening, items[1]),
        _filled(opening, encode(("void", b"", bytes(64)))),
        _filled(game, bytes(64)),
        _filled(game, items[-1]),
        _filled(EVIDENCE + pack_file(b"", [encode((MAX_FILE, 1)), items[0]]), items[1]),
    )
    worst, most = 0.0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rubbish.mastaba"
        for i, content in enumerate(files):
            path.write_bytes(content)
            for words in (["verify"], ["replay", "--plain"], ["replay", "--html", f"{folder}/{i}.html"]):
                seconds, megabytes = _run([words[0], str(path), *words[1:]], folder)
                worst, most = max(worst, seconds), max(most, megabytes)
        hashed = min(_timed(["sha256sum", str(path)]) for _ in range(3))
    return [
        row("verify-rubbish", worst, "s", 5, peer="sha256sum of as many bytes", peers=hashed),
        row("rubbish-memory", most, "MB", 200),
    ]


def memory() -> Row:
    """What each frame of a long match takes, in the second half of the replay beside the first: alike, if memory grows with the length."""
    while len((found := _match("pyramid", 2, LONG))[1]) < LONG:
        pass
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.mastaba"
        path.write_bytes(transcript(*found))
        told = subprocess.run([sys.executable, "-m", "bench.files", "walk", str(path)], check=True, capture_output=True, text=True)
    first, second = map(float, told.stdout.split())
    return row("replay-memory", second, "KB a frame, 2nd half", 40, peer="the first half of the same", peers=first, ratio_bar=0.8)


def _match(game: str, seats: int, least: int) -> tuple[Roster, list[list[Signed]]]:
    """A match of random bots, as what its seats sign: all of it, or so many rounds."""
    data, _ = load_game_data(game)
    identities, keys = ([Identity.generate() for _ in range(seats)] for _ in range(2))
    chairs = tuple(Seat(i.public, f"P{n}", k.public, os.urandom(32)) for n, (i, k) in enumerate(zip(identities, keys, strict=True)))
    roster = Roster(game, GAMES[game].rules.VERSION, Options(first=0), data_hash(data), chairs)
    roster = roster.with_signatures(tuple(roster.sign(identity) for identity in identities))
    tables = [Match(roster, data).table(seat, Secrets.generate(os.urandom)) for seat in range(seats)]
    prev, rounds = tables[0].prev, []
    while not tables[0].done and (not least or len(rounds) < least):
        step, round_, state = tables[0].step, tables[0].round, tables[0].rules.digest()[:STATE]
        said = []
        for seat in tables[0].owed:
            while tables[seat].decision is not None:
                tables[seat].answer(os.urandom, decide("random", View.of(tables[seat].sight, seat), os.urandom))
            body, private = tables[seat].make(os.urandom)
            tables[seat].remember(private)
            said.append(sign(Contribution(roster.match, step, round_, seat, prev, state, body), keys[seat]))
        prev = next_digest(prev, (one.data for one in said))
        for table in tables:
            for one in said:
                table.judge(one.said.seat, one.said.body)
            table.advance(prev)
        rounds.append(said)
    return roster, rounds


def _filled(head: bytes, item: bytes) -> bytes:
    unit = pack_file(b"", [item])
    return head + unit * ((MAX_FILE - len(head)) // len(unit))


def _run(words: list[str], home: str) -> tuple[float, float]:
    """Seconds and megabytes of the program with these words, in a process of its own."""
    environ = {**os.environ, "MASTABA_HOME": f"{home}/home"}
    start = perf_counter()
    ended = subprocess.run(
        [sys.executable, "-m", "bench.files", "program", *words], env=environ, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return perf_counter() - start, float(ended.stdout)


def _timed(words: list[str]) -> float:
    start = perf_counter()
    subprocess.run(words, check=True, capture_output=True)
    return perf_counter() - start


def _status(name: str) -> float:
    """A figure of this process that the kernel keeps in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(name)))


def _program(words: list[str]) -> None:
    from mastaba.cli.__main__ import main

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(words)
    print(_status("VmHWM") / 1024)


def _walk(path: Path) -> None:
    from mastaba.cli.reel import reel_of
    from mastaba.net.replay import opened

    def half(frames: int) -> Iterator[float]:
        before, begun = _status("VmRSS"), reel.at
        reel.go(frames)
        yield (_status("VmRSS") - before) / (reel.at - begun)

    with opened(path) as file:
        reel = reel_of(file, path, None, None)
        reel.go(100)  # what is loaded and prepared for any match
        print(*half(LONG // 2), *half(LONG - 50))


if __name__ == "__main__":
    if sys.argv[1] == "walk":
        _walk(Path(sys.argv[2]))
    else:
        _program(sys.argv[2:])
