"""What lies on a disk while a match of Pyramid is played, read with every key that lies there: RULES 2.4 holds for files too."""

from itertools import product
from pathlib import Path

import pytest
from fakenet import Net, seeded
from mastaba.core.errors import LocalError
from mastaba.core.fair import deck, hidden, team
from mastaba.core.fair.book import Hidden
from mastaba.core.fair.group import BASE_TABLE, Scalar
from mastaba.core.fair.transcript import Context
from mastaba.core.plain import decode
from mastaba.net.log import OWN, records
from mastaba.net.match import FileJournal, resume, start
from mastaba.net.store import Store

PYRAMID = Path(__file__).parents[2] / "src" / "core" / "games" / "data" / "pyramid.toml"
MUMMY, HUNTER = 0, 1
SECRET_MADE = 1, 0  # step and round: the seat that starts is named, so the team is the first request


class Disk:
    """One player's data folder, and what somebody reads in it who has nothing else."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.profile = Store(root).take_profile()

    def bytes(self) -> bytes:
        return b"\n".join(path.read_bytes() for path in sorted(self.root.rglob("*")) if path.is_file())

    def read(self) -> "Reading":
        (path,) = self.profile.journals()
        session, journal, _ = resume(path, seeded(9), self.profile.identity)
        journal.close()
        return Reading(session)


class Reading:
    """All that the keys of one seat open in the log that it has: each key is tried on everything."""

    def __init__(self, session) -> None:
        self.session, self.table = session, session.table
        own = self.table.own
        self.keys = [own.face, own.back, own.coin, own.seal, *self.table.hidden.secrets.values(), *self._from_seals(own.seal)]

    def _from_seals(self, s: Scalar) -> list[Scalar]:
        """What this sealing key makes of every seal of the team's secret, whoever it is for."""
        found = []
        for r in self.session.book.rounds:
            for one in r.in_order():
                if one.said.place == SECRET_MADE:
                    (body,) = one.said.body
                    context = Context(one.said.match, *SECRET_MADE, one.said.seat)
                    readers = {seat: self.table.keys[seat].seal for seat in self.table.hidden.made[0].seats[1:]}
                    T, seals = team.check_secret(context, "hunters", readers, body)
                    found += [team.open_seal(context, "hunters", T, reader, seal, s) for reader, seal in seals.items()]
        return found

    def squares(self) -> list[tuple[str, int]]:
        board, found = self.table.rules.data.board, []
        for entry in self.table.hidden.trail:
            for key in self.keys if isinstance(entry, Hidden) else ():
                try:
                    found.append((entry.request.name, hidden.uncover(key, entry.C, board.squares)))
                except LocalError:
                    continue
                break
        return found

    def dice(self) -> dict[int, int]:
        made = self.table.hidden.dice
        return {h: team.die_face(die, die.H * key) for h, die in made.items() for key in self.keys if BASE_TABLE.mul(key) == die.T}

    def missions(self) -> dict[int, str]:
        t, found = self.table, {}
        printed = {point.encode(): face for face, point in t.printed("face")}
        for (card, part, _reader), sealed in t._seals.items():
            seals = [sealed[seat] for seat in sorted(sealed)]
            for one, other in product(self.keys, repeat=2):
                point = deck.unseal(part, t.rows[card], [], one, other, seals).encode()
                if point in printed:
                    found[card] = printed[point]
        return found


@pytest.fixture(scope="module")
def disks(tmp_path_factory):
    """A match in its middle, every seat with a folder of its own; the sessions know the truth."""
    net = Net(3, seed=4, game="pyramid", path=PYRAMID, first=MUMMY)
    found, journals = [], []
    for seat in range(3):
        disk = Disk(tmp_path_factory.mktemp(f"seat{seat}"))
        journals.append(FileJournal(disk.profile.journal_path(net.match.roster.match), True))
        net.sessions[seat] = start(net.match, seat, net.signers[seat], journals[-1], seeded(seat), identity=net.identities[seat])
        found.append(disk)
    net.connect()
    net.run(lambda: len(net.sessions[MUMMY].table.hidden.trail) > 24 or net.sessions[MUMMY].table.rules.over)
    assert not net.sessions[MUMMY].table.rules.over
    for journal in journals:
        journal.close()
    return net, found


def test_the_mummys_disk_tells_no_square_no_die_and_no_mission(disks):
    _, folders = disks
    reading = folders[MUMMY].read()
    assert len(reading.keys) > 4
    assert (reading.squares(), reading.dice(), reading.missions()) == ([], {}, {})
    rules, table = reading.table.rules, reading.table
    assert (rules.mine, rules.peeked, table.learned, table.hidden.secrets) == ({}, {}, [], {})
    assert {die for die in table.hidden.dice if (die, "face") in rules.shown} <= set(rules.rolled)  # announced ones, of the last roll


def test_a_hunters_disk_read_in_the_same_way_tells_him_all_that_is_his(disks):
    """So that the mummy's test is known to look in the right places."""
    net, folders = disks
    reading, rules = folders[HUNTER].read(), net.sessions[HUNTER].table.rules
    moved = [entry for entry in reading.table.hidden.trail if isinstance(entry, Hidden)]
    found = reading.squares()
    assert len(found) == len(moved) > 5
    assert dict(found).items() >= rules.mine.items()
    assert set(reading.dice()) == set(reading.table.hidden.dice)
    held = {card for card in rules.missions[HUNTER] + rules.played[HUNTER]}
    assert set(reading.missions()) == held
    assert all(rules.seen(card) == face for card, face in reading.missions().items())


def test_no_file_of_the_mummy_has_the_teams_secret_in_it_in_any_place(disks):
    net, folders = disks
    content = folders[MUMMY].bytes()
    assert len(content) > 20_000
    for secret in net.sessions[HUNTER].table.hidden.secrets.values():
        data = secret.encode()
        for form in (data, data[::-1], data.hex().encode(), data[:16], data[16:]):
            assert form not in content
    assert net.sessions[MUMMY].table.own.seal.encode() in content  # its own keys are there


def test_the_mummys_journal_keeps_nothing_private_beside_its_keys(disks):
    _, folders = disks
    (path,) = folders[MUMMY].profile.journals()
    kept = [decode(payload)[2] for kind, payload in records(path.read_bytes()) if kind == OWN]
    assert len(kept) > 20
    assert [private for private in kept[1:] if private is not None] == []  # the first is the salt of its keys' commitment
