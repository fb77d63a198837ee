"""What a seat can gain by going, and what it leaves behind: one toss for one seat, no key of a seat that is silent, none after the end."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from adversaries.cheat import CHEAT, watched
from fakenet import Net
from mastaba.cli import bot
from mastaba.cli.bot import overdue
from mastaba.core.fair import coin, deck
from mastaba.core.fair.group import IDENTITY
from mastaba.core.plain import decode
from mastaba.core.rules import Roll
from mastaba.net import log
from mastaba.net.enter import join_table, open_table
from mastaba.net.match import FileJournal
from mastaba.net.store import Store
from mastaba.net.verify import verify
from mastaba.net.wire import Message, Say, pack

DATA = Path(__file__).parents[1] / "data"


def vote(net: Net, lost: int) -> None:
    for session in net.sessions:
        if session.me != lost and overdue(session.snapshot()) == lost:
            session.vote(lost)


def holdings(rules: Any, seat: int) -> tuple[Any, ...]:
    """What a seat of The Crypt has: treasures, dice on treasures, dice that are spent and tired."""
    return len(rules.kept[seat]), [p for p, held in rules.held.items() if held[0] == seat], rules.spent[seat], len(rules.tired[seat])


def test_a_seat_given_up_for_a_new_toss_buys_that_toss_and_is_out_and_nobody_else_pays_e1(monkeypatch: pytest.MonkeyPatch) -> None:
    """CRYPTO E1: the cheat sees everybody's shares, dislikes what the dice will show, and keeps its own share back."""
    tosses: list[tuple[bytes, int, tuple[int, ...]]] = []
    points = set()
    plain_values, plain_point = coin.values, coin.coin_point

    def values(total: Any, match: bytes, step: int, *more: Any) -> tuple[int, ...]:
        tosses.append((match, step, plain_values(total, match, step, *more)))
        return tosses[-1][2]

    def point(match: bytes, step: int, *more: Any) -> Any:
        H = plain_point(match, step, *more)
        points.add((match, step, H.encode()))
        return H

    monkeypatch.setattr(coin, "values", values)
    monkeypatch.setattr(coin, "coin_point", point)
    assert any(given_up(seed, tosses, points) for seed in range(3))


def given_up(seed: int, tosses: list[tuple[bytes, int, tuple[int, ...]]], points: set[tuple[bytes, int, bytes]]) -> bool:
    """One such match; True: the dice fell otherwise the second time."""
    tosses.clear()
    points.clear()
    net = watched(4, seed, game="crypt", path=DATA / "crypt-small.toml", level="random", grace=3)
    kept_back: list[int] = []

    def keep_back(a: int, b: int, message: Message) -> tuple[Message, ...]:
        if a == CHEAT and isinstance(message, Say):
            said = decode(message.body)
            if said[5] == CHEAT and said[3] > 4 and isinstance(net.asked.get(said[3]), Roll) and not kept_back:
                kept_back.append(said[3])
        return () if a == CHEAT and kept_back and isinstance(message, Say) else (message,)

    net.tamper = keep_back
    net.connect()
    rest, old = net.sessions[1:], net.match.roster.match
    net.run(lambda: bool(kept_back) and net.sessions[CHEAT].table.step > kept_back[0], idle=20)
    (step,) = kept_back
    seen = [value for match, at, value in tosses if (match, at) == (old, step)]
    assert seen, "the cheat has not seen the toss that it dislikes"
    assert all(s.table.step == step for s in rest), "somebody else has"
    before = [holdings(rest[0].table.rules, seat) for seat in range(1, 4)]
    after: list[Any] = []
    for other in range(1, 4):
        net.cut(CHEAT, other)

    def until() -> bool:
        vote(net, CHEAT)
        if not after and all(s.chain.past for s in rest):
            after.extend(holdings(rest[0].table.rules, seat) for seat in range(1, 4))
        return all(s.table.done or s.fault for s in rest)

    net.run(until, idle=60)
    assert [s.fault for s in rest] == [None] * 3
    assert before == after
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok
    assert report.complete
    assert CHEAT in rest[0].table.rules.gone
    assert CHEAT not in report.winners
    anew = [value for match, _, value in tosses if match != old]
    assert not {H for match, at, H in points if (match, at) == (old, step)} & {H for match, _, H in points if match != old}
    return anew[0] != seen[0]


def reads(table: Any, owns: list[Any], coalition: tuple[int, ...], card: int, part: str) -> bool:
    """Do these seats' keys, all public shares and all seals to them open this part of a card?"""
    row, shares = table.rows[card], dict(table._shares.get((card, part), {}))
    for reader in coalition:
        for seat, seal in table._seals.get((card, part, reader), {}).items():
            shares[seat] = seal.V - seal.E * owns[reader].seal
        shares[reader] = row[0] * getattr(owns[reader], part)
    point = row[deck.PARTS[part]] - sum(shares.values(), IDENTITY)
    return table._faces[part].get(point.encode()) is not None


@pytest.mark.parametrize("game", ["loot", "crypt"])
def test_nothing_anywhere_lets_all_others_together_open_a_card_of_a_seat_that_fell_silent_leaving_3(game: str) -> None:
    """No escrow: with all their keys, journals and files, and all that was ever sent, n - 1 seats read nothing that it alone has seen."""
    silent = 1
    net = Net(3, seed=9, game=game, path=DATA / f"{game}-small.toml", grace=3)
    heard: list[bytes] = []

    def hear(a: int, b: int, message: Message) -> tuple[Message, ...]:
        heard.append(pack(message))
        return (message,)

    net.tamper = hear
    net.connect()
    table = net.sessions[silent].table

    def mine() -> list[tuple[int, str]]:
        return [key for key in table.rules.peeked if key not in table.rules.shown and key[0] in table.rows]

    net.run(lambda: bool(mine()) and table.step > 6)
    secret = mine()
    assert secret, "the test never met the case"
    for other in (0, 2):
        net.cut(silent, other)
    rest = [net.sessions[0], net.sessions[2]]
    held = rest[0].table
    for card, part in secret:
        assert not reads(held, net.owns, (0, 2), card, part)
        assert reads(held, net.owns, (0, 1, 2), card, part)  # the attack works where it should

    def until() -> bool:
        vote(net, silent)
        return all(s.table.done or s.fault for s in rest)

    net.run(until, idle=60)
    assert [s.fault for s in rest] == [None, None]
    own, signer = net.owns[silent], net.signers[silent]
    everything = b"".join(heard) + b"".join(p for seat in (0, 2) for _, p in net.journals[seat].records) + rest[0].transcript()
    for name in ("face", "back", "coin", "seal"):
        assert getattr(own, name).encode() not in everything
    assert signer.secret not in everything
    for card, part in secret:  # nor does anything that was said since
        old = rest[0].chain.past[0].table if rest[0].chain.past else held
        assert not reads(old, net.owns, (0, 2), card, part)


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
def test_when_all_have_signed_no_journal_and_no_key_of_the_match_is_left_on_any_disk_leaving_5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets: set[bytes] = set()
    append = FileJournal.append

    def spy(self: FileJournal, kind: int, payload: bytes, sync: bool) -> None:
        append(self, kind, payload, sync)
        if kind == log.SECRETS:
            _, signer, own, *_ = decode(payload)
            secrets.update((signer, own, *(own[at : at + 32] for at in range(0, len(own), 32))))
            assert signer in self.path.read_bytes()

    monkeypatch.setattr(FileJournal, "append", spy)

    async def play() -> None:
        async with open_table(
            Store(tmp_path / "a"), "loot", 2, name="Ana", data=DATA / "loot-small.toml", loopback=True, tag="going"
        ) as opener:
            address = f"127.0.0.1:{opener.places[0][1]}"
            async with join_table(Store(tmp_path / "b"), address, name="Beto", loopback=True, tag="going") as guest:
                players = [asyncio.create_task(bot.play(client, "random")) for client in (opener, guest)]
                await asyncio.wait_for(asyncio.gather(opener.finished(), guest.finished()), 90)
                assert [client.snapshot.phase if client.snapshot else "" for client in (opener, guest)] == ["done"] * 2
                for player in players:
                    player.cancel()
                await asyncio.gather(*players, return_exceptions=True)

    asyncio.run(play())
    assert len(secrets) == 2 * 6
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len([path for path in files if path.suffix == ".mastaba"]) == 2
    assert not [path for path in files if path.suffix == ".journal"]
    for path in files:
        data = path.read_bytes()
        assert not [one for one in secrets if one in data], path
        assert b"127.0.0.1" not in data, f"where the others were, in {path}"
