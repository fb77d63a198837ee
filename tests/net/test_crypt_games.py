"""The Crypt over the network: treasures that one seat has looked at and another collects, joint dice, and leavers."""

from pathlib import Path

import mastaba
import pytest
from fakenet import Net
from mastaba.core.games import GAMES
from mastaba.core.rules import Choose
from mastaba.net.verify import verify

DATA = Path(mastaba.__file__).parent / "core/games/data/crypt.toml"
SMALL = Path(__file__).parents[1] / "data" / "crypt-small.toml"


def net_of(seats: int, seed: int, path: Path = SMALL) -> Net:
    net = Net(seats, seed=seed, level="sensible", game="crypt", path=path)
    net.connect()
    return net


def readers_by_events(events):
    """Who may know each treasure that lay face down, by what everybody has been told."""
    readers, row = {}, []
    for event in events:
        if event.id == "crypt":
            cards, _, values = event.args
            row = list(cards)
            readers.update({card: set() for card, value in zip(cards, values, strict=True) if value is None})
        elif event.id == "look":
            for place in event.args[0]:
                readers[row[place]].add(event.seat)
        elif event.id == "take":
            readers[event.args[1]].add(event.seat)
        elif event.id == "collected":
            for card in set(event.args[0]) & set(readers):
                readers[card].add(event.seat)
    return readers


@pytest.mark.parametrize("seats", GAMES["crypt"].rules.SEATS)
def test_a_whole_game_ends_alike_for_all_and_its_transcript_verifies(seats):
    net = net_of(seats, seats)
    net.run()
    report = net.verified()
    assert report.scores == net.sessions[0].table.rules.scores()
    assert report.winners == net.sessions[0].table.rules.pending.winners


def test_a_face_down_value_is_known_to_who_looked_took_or_collected_and_to_nobody_else(tmp_path):
    path = tmp_path / "crypt.toml"
    path.write_text(DATA.read_text().replace('default = "a"', 'default = "b"'))
    net = net_of(3, 5, path)
    net.run(lambda: any(event.id == "final" for event in net.sessions[0].table.events))
    readers = readers_by_events(net.sessions[0].table.events)
    games = [session.table.rules for session in net.sessions]
    assert {len(seats) for seats in readers.values()} >= {1, 2}  # some were looked at by one and collected by another
    for card, seats in readers.items():
        if (card, "face") not in games[0].shown:
            assert {seat for seat, game in enumerate(games) if game.seen(card) is not None} == seats
    net.run()
    rules = net.sessions[0].table.rules
    assert all(rules.seen(card) is not None for kept in rules.kept for card in kept)
    assert verify(net.sessions[0].transcript(), lambda roster: net.match.table()).complete


def test_who_leaves_with_dice_on_a_treasure_holds_nobody_up_and_collects_nothing():
    net = net_of(3, 4)
    leaver, left = net.sessions[1], []
    net.gone = {1}

    def until():
        rules = leaver.table.rules
        if not left and isinstance(rules.pending, Choose) and any(held[0] == 1 for held in rules.held.values()):
            left.append(tuple(rules.kept[1]))
            leaver.leave()
        return all(s.table.done or s.fault for s in net.sessions if s.me != 1)

    net.run(until)
    rest = [net.sessions[0], net.sessions[2]]
    assert left
    assert [s.fault for s in rest] == [None, None]
    assert all(s.table.done for s in rest)
    rules = rest[0].table.rules
    assert rules.gone == (1,)
    assert rules.kept[1] == []
    assert 1 not in rules.pending.winners
    assert verify(rest[0].transcript(), lambda roster: net.match.table()).complete
