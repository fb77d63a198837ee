"""A transcript seen again: frames are true, what a seat saw is shown to itself, and what does not fit is refused."""

import pickle
from pathlib import Path

import pytest
from fakenet import Net
from hypothesis import given, settings, strategies as st
from mastaba.core.errors import LocalError
from mastaba.core.plain import BadEncoding, encode
from mastaba.core.seen import Learned
from mastaba.net.log import TRANSCRIPT, pack_file, unpack_file
from mastaba.net.playback import Playback
from mastaba.net.seen import SEEN, Seen, seen_by
from mastaba.net.verify import Wrong

DATA = Path(__file__).parents[1] / "data"
GAMES = ("loot", "crypt", "pyramid", "scarabya")


def play(game: str) -> Net:
    net = Net(3, seed=5, game=game, path=DATA / f"{game}-small.toml", first=1)
    net.connect()
    net.run()
    assert net.sessions[0].table.done
    return net


@pytest.fixture(scope="module")
def loot():
    return play("loot")


def to_the_end(net: Net, seen: Seen | None = None, data: bytes | None = None) -> Playback:
    back = Playback(data or net.sessions[0].transcript(), lambda roster: net.match.table(), seen)
    while back.forward():
        pass
    return back


@pytest.mark.parametrize("game", GAMES)
def test_the_last_frame_is_what_each_seat_and_a_spectator_saw_at_the_end(game):
    net = play(game)
    for session in net.sessions:
        back = to_the_end(net, Seen.decode(seen_by(session).encode()))
        assert back.complete
        assert back.frames[-1].view.rules == session.table.rules
        assert back.frames[-1].log == tuple(session.table.events)
    last = to_the_end(net).frames[-1]
    assert last.view.rules.digest() == net.sessions[0].table.rules.digest()
    assert (last.view.rules.peeked, last.view.rules.mine) == ({}, {})


@pytest.mark.parametrize("game", GAMES)
def test_a_frame_is_what_it_was_whenever_it_is_looked_at_again(game):
    net = play(game)
    back = Playback(net.sessions[1].transcript(), lambda roster: net.match.table(), seen_by(net.sessions[1]))
    shown, rules = [back.frames[0]], [back.frames[0].view.rules.copy()]
    while back.forward():
        shown.append(back.frames[-1])
        rules.append(back.replay.table.rules.copy())
    assert len(shown) > 10
    for at in (*range(len(shown) - 1, -1, -1), *range(len(shown))):
        assert back.frames[at] == shown[at]
        assert back.frames[at].view.rules == shown[at].view.rules == rules[at]
    assert list(back.frames[3:-2]) == shown[3:-2]


def test_what_is_kept_of_a_frame_does_not_grow_with_the_log(loot):
    back = to_the_end(loot)
    sizes = [len(pickle.dumps(kept)) for kept in back.frames._kept]
    assert len(back.frames[-1].log) > 30
    assert max(sizes) < 1.5 * sizes[len(sizes) // 2]


@given(seats=st.sampled_from([3, 4]), seed=st.integers(0, 1 << 20), steps=st.integers(60, 500))
@settings(max_examples=5, deadline=None)
def test_after_a_vote_the_whole_chain_is_seen_as_its_seats_saw_it(seats, seed, steps):
    net = Net(seats, seed=seed)
    net.connect()
    left = iter(range(steps))
    net.run(lambda: next(left, None) is None or any(s.table.done for s in net.sessions))
    if not net.sessions[0].table.keys or any(s.table.done for s in net.sessions):
        return
    for other in range(seats):
        net.cut(1, other)
    rest = [s for s in net.sessions if s.me != 1]
    net.run(lambda: all(s.table.done for s in rest), idle=4)
    for session in rest:
        if not session.table.done and not session.table.rules.over:
            session.vote(1)
    net.run(lambda: all(s.table.done or s.fault for s in rest), idle=30)
    for session in rest:
        back = to_the_end(net, seen_by(session), session.transcript())
        assert back.fault is None
        assert back.frames[-1].view.rules == session.table.rules


@given(seed=st.integers(0, 1 << 20), steps=st.integers(60, 400), game=st.sampled_from(GAMES))
@settings(max_examples=5, deadline=None)
def test_a_seat_that_was_killed_and_came_back_has_forgotten_nothing_that_it_saw(seed, steps, game):
    net = Net(3, seed=seed, game=game, path=DATA / f"{game}-small.toml")
    net.connect()
    left = iter(range(steps))
    net.run(lambda: next(left, None) is None or all(s.table.done for s in net.sessions))
    before = seen_by(net.sessions[1]).learned
    net.crash(1)
    assert seen_by(net.sessions[1]).learned == before
    for other in (0, 2):
        net.connect((1, other))
    net.run()
    back = to_the_end(net, seen_by(net.sessions[1]))
    assert back.frames[-1].view.rules == net.sessions[1].table.rules


def test_a_seat_sees_its_cards_from_the_step_on_at_which_it_learned_them(loot):
    session = loot.sessions[1]
    seen = seen_by(session)
    assert seen.learned
    back = to_the_end(loot, seen)
    for learned in seen.learned:
        before = [f for f in back.frames if f.step <= learned.step]
        assert all(f.view.rules.peeked.get(learned.key) is None for f in before)
    assert any(f.view.rules.peeked for f in back.frames)
    assert {one.step for one in seen.learned} <= {f.step - 1 for f in back.frames} | {f.step for f in back.frames}


def test_each_frame_adds_something_and_the_first_is_before_everything(loot):
    back = to_the_end(loot)
    assert back.frames[0].phase == "set-up"
    assert back.frames[0].log == ()
    grown = [len(b.log) - len(a.log) for a, b in zip(back.frames, back.frames[1:-1], strict=False)]
    assert min(grown) > 0
    assert back.frames[-1].phase == "done"
    assert back.at_end
    assert not back.forward()


def test_a_changed_byte_is_found_when_it_is_reached_and_not_before(loot):
    items = unpack_file(TRANSCRIPT, loot.sessions[0].transcript())
    place = len(items) // 2
    items[place] = items[place][:-1] + bytes([items[place][-1] ^ 1])
    back = to_the_end(loot, data=pack_file(TRANSCRIPT, items))
    assert back.fault is not None
    assert back.fault.claim == "bad-signature"
    assert back.fed == place - 1
    assert (back.frames[-1].phase, back.frames[-1].trouble[0][0]) == ("ended", "bad-signature")
    assert len(back.frames) > 2


def test_what_is_no_transcript_is_refused_at_once():
    with pytest.raises(Wrong):
        Playback(b"mastaba nothing", lambda roster: None)


@pytest.mark.parametrize(
    ("book", "key", "value"),
    [
        ("peeked", (1 << 20, "face"), 3),
        ("peeked", (0, "face"), "a word that is on no card"),
        ("peeked", (0, "edge"), 1),
        ("shown", (0, "face"), 1),
        ("mine", 5, 1),
        ("mine", "c1", "x"),
        ("mine", "c1", -1),
    ],
)
def test_what_no_seat_can_have_learned_is_refused(loot, book, key, value):
    match = loot.match.roster.match
    with pytest.raises(LocalError, match="does not fit"):
        to_the_end(loot, Seen(match, 0, (Learned(match, 1, book, key, value),)))


def test_what_was_seen_in_another_match_is_refused(loot):
    with pytest.raises(LocalError, match="another match"):
        to_the_end(loot, Seen(bytes(32), 0, ()))
    with pytest.raises(LocalError, match="another match"):
        to_the_end(loot, Seen(loot.match.roster.match, 7, ()))


@pytest.mark.parametrize(
    "data",
    [b"", SEEN, SEEN + b"\0\0", pack_file(SEEN, [encode((b"", 0)), encode((1, 2))]), pack_file(SEEN, [encode((b"", 0)), encode((1,) * 5)])],
)
def test_a_damaged_file_of_what_was_seen_is_no_traceback(data):
    with pytest.raises(BadEncoding):
        Seen.decode(data)
