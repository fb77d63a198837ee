"""A whole game by programs on this machine: it starts them, listens to their reports and shows what they verified.

Each is a process of its own with a home and an identity of its own; they find each other by zeroconf on the loopback
interface.  The parent plays no part in the game; children that outlive it end when their standard input does.
"""

import asyncio
import contextlib
import json
import os
import secrets
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.errors import LocalError
from ..net.store import Store, write_file
from .cells import clean
from .exits import Exit
from .stop import Stop
from .terminal import Terminal, complain
from .text import _

NAMES = ("Ana", "Beto", "Caro", "Dani", "Elena", "Faro")
LIMIT = 900.0  # seconds for the whole demo, on the slowest machine
OPENING = 20.0  # seconds for the table to be open
GOODBYE = 5.0  # seconds for a child to end by itself
LINE = 1 << 16  # bytes of one report


@dataclass
class Peer:
    """One child: what it has reported so far."""

    name: str
    process: asyncio.subprocess.Process
    identity: str = ""
    by_address: bool = False
    places: list[list[Any]] = field(default_factory=list)
    seated: int = 0
    phase: str = ""
    end: dict[str, Any] | None = None
    trouble: str = ""


class Demo:
    """Runs the children; `say` prints a sentence of progress."""

    def __init__(self, game: str, seats: int, home: Path, say: Callable[[str], None]) -> None:
        self.game, self.seats, self.home, self.say = game, seats, home, say
        self.tag = secrets.token_hex(6)  # by which the children find their own table; it protects nothing
        self.peers: list[Peer] = []
        self.discovery = "zeroconf"
        self.opened = asyncio.Event()
        self.listeners: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until every child has ended.  Raises LocalError if one fails."""
        await self._start(0, "open", self.game, "--seats", str(self.seats))
        for i in range(1, self.seats):
            await self._start(i, "join")
        self.say(_("{n} programs have started, each with an identity of its own; they look for each other.").format(n=self.seats))
        while self.listeners:
            done, _pending = await asyncio.wait(set(self.listeners), return_when=asyncio.FIRST_COMPLETED)
            self.listeners -= done  # a child that is started anew has added its own meanwhile
            for task in done:
                task.result()

    async def close(self) -> None:
        """End the children that still run: their input first, then by force."""
        for task in self.listeners:
            task.cancel()
        for peer in self.peers:
            if peer.process.stdin is not None:
                peer.process.stdin.close()
        for peer in self.peers:
            if peer.process.returncode is None:
                try:
                    await asyncio.wait_for(peer.process.wait(), GOODBYE)
                except TimeoutError:
                    peer.process.kill()
                    await peer.process.wait()

    async def _start(self, number: int, *command: str, by_address: bool = False) -> None:
        name = NAMES[number]
        words = [
            sys.executable,
            "-m",
            "mastaba.cli",
            *command,
            "--bot",
            "sensible",
            "--report",
            "--loopback",
            "--tag",
            self.tag,
            "--name",
            name,
        ]
        environ = {**os.environ, "MASTABA_HOME": str(self.home / name), "PYTHONUNBUFFERED": "1"}
        log = (self.home / f"{name}.err").open("ab")
        with log:
            process = await asyncio.create_subprocess_exec(
                *words,
                env=environ,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                limit=LINE,
                process_group=0,  # Ctrl-C is for the parent, which ends its children in good order
            )
        peer = Peer(name, process, by_address=by_address)
        if number < len(self.peers):
            self.peers[number] = peer
        else:
            self.peers.append(peer)
        self.listeners.add(asyncio.create_task(self._listen(number, peer)))

    async def _listen(self, number: int, peer: Peer) -> None:
        assert peer.process.stdout is not None
        while line := await peer.process.stdout.readline():
            report = json.loads(line)
            if report["event"] == "deaf" and not peer.by_address:
                await self._hand_over(number, peer)
                return
            self._report(number, peer, report)
        code = await peer.process.wait()
        if number and not peer.seated and not peer.by_address:
            await self._hand_over(number, peer)  # multicast cannot even begin here
            return
        if peer.end is None or code != Exit.OK:
            errors = (self.home / f"{peer.name}.err").read_text(errors="replace").strip().splitlines()
            why = peer.trouble or (peer.end or {}).get("trouble") or (errors[-1] if errors else f"{code}")
            raise LocalError("The program of {0} failed: {1}", peer.name, why)

    def _report(self, number: int, peer: Peer, report: dict[str, Any]) -> None:
        match report["event"]:
            case "identity":
                peer.identity = report["identity"]
            case "table":
                peer.places = report["places"]
                if number == 0:
                    self.opened.set()
            case "seated":
                peer.seated = report["n"]
                if number == 0:
                    self.say(_("Seats taken at the table: {n} of {all}.").format(n=peer.seated, all=self.seats))
            case "phase" if number == 0:
                peer.phase = report["phase"]
                texts = {"set-up": _("All make their keys."), "shuffle": _("All shuffle in turn; each checks every shuffle.")}
                if peer.phase in texts:
                    self.say(texts[peer.phase])
            case "log" if number == 0:
                self.say(f"  {clean(report['text'], 400)}")
            case "trouble":
                peer.trouble = report["text"]
            case "end":
                peer.end = report

    async def _hand_over(self, number: int, peer: Peer) -> None:
        """Nothing was heard: give the address instead, and say so."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.opened.wait(), OPENING)
        if not self.peers[0].places:
            raise LocalError("The loopback interface of this machine is down, or no program can listen on it.")
        if self.discovery == "zeroconf":
            self.discovery = "address"
            self.say(_("The programs hear nothing of each other by zeroconf, so they are told the table's address."))
        if peer.process.returncode is None:
            peer.process.kill()
        await peer.process.wait()
        port = self.peers[0].places[0][1]
        await self._start(number, "join", f"127.0.0.1:{port}", by_address=True)


def run(args: Namespace, terminal: Terminal) -> Exit:
    """The command `demo`."""
    return asyncio.run(_run(args, terminal))


async def _run(args: Namespace, terminal: Terminal) -> Exit:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mastaba-demo-") as home:
        demo = Demo(args.game, args.seats, Path(home), (lambda text: None) if args.json else terminal.say)
        async with Stop() as stop:
            game, stopped = asyncio.create_task(demo.run()), asyncio.create_task(stop.asked.wait())
            try:
                await asyncio.wait({game, stopped}, timeout=LIMIT, return_when=asyncio.FIRST_COMPLETED)
                if stopped.done():
                    demo.say(_("Interrupted: the programs have been ended, and nothing is kept."))
                    return Exit.INTERRUPTED
                if not game.done():
                    raise LocalError("The programs did not finish within {0} minutes.", int(LIMIT / 60))
                game.result()
            finally:
                for task in (game, stopped):
                    task.cancel()
                await asyncio.gather(game, stopped, return_exceptions=True)
                await demo.close()
        return _result(args, terminal, demo, time.monotonic() - began)


def _result(args: Namespace, terminal: Terminal, demo: Demo, seconds: float) -> Exit:
    ends = {peer.identity: peer.end or {} for peer in demo.peers}
    first = demo.peers[0].end or {}
    agreed = all(
        (end["scores"], end["winners"], end["seats"]) == (first["scores"], first["winners"], first["seats"]) for end in ends.values()
    )
    verified = agreed and all(end["verified"] for end in ends.values()) and set(first["seats"]) == set(ends)
    names = {peer.identity: peer.name for peer in demo.peers}
    seats = [  # in seat order, which is that of their arrival
        {"name": names.get(identity, "?"), "identity": identity, "score": score, "winner": seat in first["winners"]}
        for seat, (identity, score) in enumerate(zip(first["seats"], first["scores"], strict=True))
    ]
    child = Path(first["transcript"])
    kept = Store().root / "transcripts" / child.name
    write_file(kept, child.read_bytes())
    if args.json:
        head = {"version": 1, "game": args.game, "seats": seats, "verified": verified, "steps": first["steps"]}
        print(json.dumps({**head, "seconds": round(seconds, 1), "discovery": demo.discovery, "transcript": str(kept)}))
    else:
        for seat in seats:
            mark = _("wins") if seat["winner"] else ""
            held = _("verified the whole game") if ends.get(seat["identity"], {}).get("verified") else _("could NOT verify the game")
            terminal.say(f"{seat['name']:8} {seat['score']:3}  {held}  {mark}".rstrip())
        terminal.say(_("{steps} steps in {seconds} seconds.").format(steps=first["steps"], seconds=round(seconds, 1)))
        terminal.say(_("Transcript: {path}").format(path=clean(str(kept), 4096)))
    if not verified:
        complain(_("The programs do not agree about the game."))
    return Exit.OK if verified else Exit.CHEAT
