"""Whatever a peer, a file or a person gives to a reader: a value, or the one error that it documents.  Past findings stay here."""

import random

import pytest
from fuzzing import attempt, evidence, mutate, signed_file, targets, thinned
from hypothesis import given, settings, strategies as st
from mastaba.core.games import GAMES
from mastaba.net.verify import verify

NAMES = (
    *("plain", "frame", "stream", "handshake", "session", "contribution", "vote", "part", "roster", "journal", "items", "file", "seen"),
    *("evidence", "resume", "lobby", "watcher", "share", "sight", "records"),
    *("txt", "address", "cards crypt", "moves crypt", "cards loot", "moves loot", "cards pyramid", "moves pyramid"),
    *("cards scarabya", "moves scarabya", "signed crypt", "signed loot", "signed pyramid", "signed scarabya"),
)
SLOW = dict.fromkeys(("cards crypt", "cards loot", "cards pyramid", "cards scarabya", "lobby", "resume", "session", "sight"), 20) | {
    "file": 12,
    **dict.fromkeys(("signed crypt", "signed loot", "signed pyramid", "signed scarabya"), 8),
    **dict.fromkeys(("evidence", "journal", "records"), 40),
}


def test_every_reader_is_here():
    assert set(NAMES) == set(targets())


def test_what_is_mutated_begins_with_what_is_good():
    net, files = evidence()
    assert [verify(data, lambda roster: net.match.table()).ok for data in files] == [True] * 3 + [False] * 2
    for game in GAMES:
        report = verify(signed_file(game, thinned(game)[1]), lambda roster, game=game: thinned(game)[0].match.table())
        assert (report.ok, report.complete, report.void) == (True, True, 2)
    for name in ("resume", "sight", "records", "share"):
        function, _, good = targets()[name]
        for data in good:
            function(data)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_like_a_good_input_is_read_or_refused(name):
    dice = random.Random(name)
    _, _, good = targets()[name]
    for data in good[:60]:
        attempt(name, data)
    for _ in range(SLOW.get(name, 300)):
        attempt(name, mutate(dice.choice(good or [b""]), dice))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("file", "lobby") and not name.startswith("signed")])
@given(data=st.binary(max_size=120))
@settings(max_examples=25)
def test_any_bytes_are_read_or_refused(name, data):
    attempt(name, data)


@pytest.mark.parametrize(
    "header", [b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xc9\xff\xff\xff\xff"]
)
def test_a_length_that_is_a_lie_costs_nothing(header):
    for name in ("plain", "frame", "contribution", "vote", "roster", "session"):
        attempt(name, header)
