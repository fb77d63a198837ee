"""Private tables: only who knows the code words sits down, nobody tells them, and somebody in the middle learns nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from lobbynet import Lazy, Room, seeded
from mastaba.core.fair.group import IDENTITY
from mastaba.core.rules import Options
from mastaba.net.channel import Refused
from mastaba.net.code import MOST, PROOF, Door, draw, tidy
from mastaba.net.guest import Guest
from mastaba.net.lobby import Opener
from mastaba.net.terms import in_play
from mastaba.net.wire import Answer, Knock, Known, Message, Probe, Ready, Refuse, Sit, Table, Want, pack

CODE = "babab-lusab-zuzuz"


def private(size: int = 2, **kwargs) -> Room:
    room = Room(size, **kwargs)
    room.opener.terms = replace(room.opener.terms, code=CODE)
    return room


def said(room: Room, kind: type) -> list[Message]:
    return [message for message in room.seen if isinstance(message, kind)]


@pytest.mark.parametrize("typed", [CODE, "  Babab LUSAB  zuzuz ", "babab-LUSAB zuzuz"])
def test_who_knows_the_words_sits_down_however_he_types_them(typed):
    room = private()
    guest = room.guest("Bea")
    room.run()
    assert guest.state.phase == "private"
    assert (guest.state.table, guest.state.game, guest.state.seats) == ("Friday", "loot", ())
    assert not said(room, Sit)
    guest.enter(typed)
    room.run()
    assert guest.agreed
    assert room.opener.agreed
    assert room.opener.state.code == CODE


def test_who_waits_at_a_full_private_table_is_not_asked_for_its_words_again():
    room = private()
    lazy, late = room.guest("Mal", kind=Lazy), room.guest("Cleo")
    room.run()
    for guest in (lazy, late):
        guest.enter(CODE)
        room.run()
    assert (late.state.phase, late.waits) == ("waiting", True)
    room.opener.turn_away(lazy.identity.public)
    room.run()
    room.link(0, 2)
    late.join(0)
    room.run()
    assert late.agreed


@pytest.mark.parametrize("typed", ["", "babab-lusab", "babab-lusab-zuzuq", "x" * 10_000, "\x00", "babab--lusab-zuzuz-a"])
def test_wrong_words_are_refused_and_make_no_place(typed):
    room = private()
    guest = room.guest("Mal")
    room.run()
    guest.enter(typed or " ")
    room.run()
    assert isinstance(guest.trouble, Refused)
    assert guest.trouble.reason == "code"
    assert len(room.opener.state.seats) == 1
    assert not said(room, Known), "who is not convinced by the table proves nothing to it"
    friend = room.guest("Bea")
    room.run()
    friend.enter(CODE)
    room.run()
    assert friend.agreed


def test_a_guest_tries_three_times_each_over_a_link_of_its_own():
    room = private()
    guest = room.guest("Bea")
    room.run()
    for left in ("2", "1"):
        guest.enter("babab")
        room.run()
        assert guest.parted
        assert guest.again
        assert guest.state.phase == "private"
        assert left in str(guest.state.notice)
        room.link(0, room.lobbies.index(guest))
        guest.join(0)
        room.run()
    assert len(said(room, Knock)) == 2
    guest.enter(CODE)
    room.run()
    assert guest.agreed


def test_the_words_never_travel_and_strangers_learn_no_names():
    room = private()
    guest = room.guest("Bea")
    room.run()
    tables = said(room, Table)
    assert [(table.phase, table.seats) for table in tables] == [("private", ())]
    guest.enter(CODE)
    room.run()
    wire = b"".join(map(pack, room.seen))
    assert not any(word.encode() in wire for word in CODE.split("-"))


@pytest.mark.parametrize(
    "message",
    [
        Want(),
        Sit("Mal", (), False, False),
        Ready(bytes(32), bytes(32)),
        Known(bytes(PROOF)),
        Knock(bytes(32)),
        Knock(b""),
        Knock(b"\xff" * 32),
    ],
)
def test_whatever_a_stranger_sends_he_does_not_sit(message):
    room = private()
    room.guest("Mal")
    room.run()
    room.say(1, message)
    room.say(1, Sit("Mal", (), False, False))
    room.run()
    assert len(room.opener.state.seats) == 1
    assert said(room, Refuse)
    assert (1, 0) not in room.queues, "his link is closed"


def test_one_link_is_one_guess():
    room = private()
    guest = room.guest("Mal")
    room.run()
    doors = [Door(code, guest.identity.public, room.opener.identity.public, False, seeded(n)) for n, code in enumerate(("wrong", CODE))]
    for door in doors:
        room.say(1, Knock(door.share))
    room.run()
    assert len(said(room, Answer)) <= 1
    assert len(room.opener.state.seats) == 1


def test_an_impostor_who_opens_a_table_of_the_same_name_gets_no_guest():
    room = private()
    room.opener.terms = replace(room.opener.terms, code="some-other-words")
    guest = room.guest("Bea")
    room.run()
    guest.enter(CODE)
    room.run()
    assert guest.trouble is not None
    assert not guest.agreed
    unlocked = Room(2, seed=3)
    late = Guest(unlocked.identity(), "Bea", (), seeded(9), CODE)
    unlocked.lobbies.append(late)
    unlocked.link(0, 1)
    late.join(0)
    unlocked.run()
    assert isinstance(late.trouble, Refused)
    assert late.trouble.reason == "code", "who was told code words sits down at no table that wants none"
    assert len(unlocked.opener.state.seats) == 1


def test_somebody_in_the_middle_passes_nothing_on():
    rng: Callable[[int], bytes] = seeded(1)
    guest, middle, opener = b"g" * 32, b"m" * 32, b"o" * 32
    left = Door(CODE, guest, middle, False, rng)  # the guest believes that the one in the middle is the opener
    right = Door(CODE, middle, opener, True, rng)  # and the opener that he is a guest
    left.meet(right.share)
    right.meet(left.share)
    assert not left.check(right.proof)
    assert not right.check(left.proof)


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_sides_agree_exactly_if_the_words_do(mine, yours):
    guest = Door(mine, b"g" * 32, b"o" * 32, False, seeded(1))
    opener = Door(yours, b"g" * 32, b"o" * 32, True, seeded(2))
    guest.meet(opener.share)
    opener.meet(guest.share)
    same = tidy(mine) == tidy(yours)
    assert guest.check(opener.proof) is same
    assert opener.check(guest.proof) is same
    assert not guest.check(guest.proof), "a proof sent back proves nothing"


@pytest.mark.parametrize("share", [IDENTITY.encode(), b"\xff" * 32, b"", b"\x01" * 31])
def test_shares_that_would_fix_the_key_are_refused(share):
    door = Door(CODE, b"g" * 32, b"o" * 32, True, seeded(1))
    with pytest.raises(ValueError, match=r"\w"):
        door.meet(share)


def test_before_a_share_has_come_nothing_counts_as_a_proof():
    door = Door(CODE, b"g" * 32, b"o" * 32, True, seeded(1))
    assert not door.check(bytes(PROOF))
    assert not door.check(b"")


def test_code_words_are_drawn_afresh_and_can_be_typed():
    codes = {draw(seeded(n)) for n in range(50)}
    assert len(codes) == 50
    assert all(code.isascii() and tidy(code) == code and len(code) <= MOST for code in codes)


def test_a_table_that_nobody_watches_tells_strangers_no_names_while_it_plays():
    room = Room(2)
    room.guest("Bea")
    room.run()
    assert isinstance(room.opener, Opener)
    assert room.opener.agreed
    roster = room.opener.agreed.roster
    assert [name for _, name, *_ in in_play(roster, "Friday", False).seats] == ["Ana", "Bea"]
    hidden = replace(roster, options=Options(watch=False))
    table = in_play(hidden, "Friday", False)
    assert (table.seats, table.size) == ((), 2)


def test_a_probe_of_a_private_table_is_answered_as_often_as_it_is_asked():
    room = private()
    room.guest("Mal")
    room.run()
    room.say(1, Probe())
    room.run()
    assert len(said(room, Table)) == 2
