"""Who gets a seat at a table and who loses it, with how many it begins, and how a seat that is free again is given."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from lobbynet import Lazy, Room
from mastaba.core.errors import LocalError
from mastaba.core.games import GAMES
from mastaba.net.barred import MAX_BARRED, Barred
from mastaba.net.channel import Refused
from mastaba.net.guest import Guest
from mastaba.net.lobby import HASTE, PATIENCE
from mastaba.net.roster import Roster, Seat
from mastaba.net.terms import Terms
from mastaba.net.wire import Draft, Message, Ready, Sign, Sit, Stand, Table


class Unsigning(Guest):
    """It gets ready, and does not sign."""

    def take_outbox(self) -> list[tuple[int, Message]]:
        return [(link, message) for link, message in super().take_outbox() if not isinstance(message, Sign)]


def names(room: Room) -> list[str]:
    return [seat.name for seat in room.opener.state.seats]


def why(guest: Guest) -> str:
    assert isinstance(guest.trouble, Refused)
    return guest.trouble.reason


def come(room: Room, name: str, **kind: object) -> Guest:
    guest = room.guest(name, **kind)  # type: ignore[arg-type]
    room.run()
    return guest


def clock() -> Iterator[float]:
    """Seconds of which each is later than all patience since the one before."""
    now = 1.0
    while True:
        yield now
        now += PATIENCE + 1


def wait_in_vain(room: Room, times: Iterator[float]) -> None:
    """Until whoever has not done its part has lost the seat."""
    for _ in range(2):
        room.tick(next(times))


# -- turning away -------------------------------------------------------------------------------------------------------


def test_a_guest_that_is_turned_away_reads_so_and_the_seat_is_free() -> None:
    room = Room(3)
    bea, cleo = come(room, "Bea"), room.identity()
    room.opener.turn_away(bea.identity.public)
    room.run()
    assert why(bea) == "away"
    assert bea.state.phase == "ended"
    assert names(room) == ["Ana"]
    come(room, "Cleo", identity=cleo)
    assert come(room, "Dora").agreed


def test_who_was_turned_away_gets_no_seat_again_with_that_key_from_wherever_it_comes() -> None:
    room = Room(3)
    bea = come(room, "Bea", host="192.0.2.7")
    room.opener.turn_away(bea.identity.public)
    room.run()
    again = come(room, "Bea", identity=bea.identity, host="198.51.100.9")
    assert why(again) == "away"
    assert names(room) == ["Ana"]


@pytest.mark.parametrize(
    ("first", "then", "shut"),
    [
        ("192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::9", True),  # one machine has a whole /64
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
    ],
)
def test_who_was_turned_away_gets_no_seat_under_a_fresh_key_from_the_same_address(first: str, then: str, shut: bool) -> None:
    room = Room(3)
    room.opener.turn_away(come(room, "Bea", host=first).identity.public)
    room.run()
    again = come(room, "Bea", host=then)
    assert again.trouble is None or why(again) == "address"
    assert (again.trouble is not None) == shut


def test_who_shares_an_address_with_a_seated_guest_is_not_shut_out_by_another_who_was_turned_away_there() -> None:
    room = Room(4)
    bea, mal = come(room, "Bea", host="192.0.2.7"), come(room, "Mal", host="192.0.2.7")
    room.opener.turn_away(mal.identity.public)
    room.run()
    assert come(room, "Cleo", host="192.0.2.7").trouble is None
    assert names(room) == ["Ana", "Bea", "Cleo"]
    assert why(come(room, "Mal", identity=mal.identity, host="192.0.2.7")) == "away"
    for lobby in (bea, room.lobbies[3]):
        lobby.close()  # type: ignore[attr-defined]
    room.run()
    assert why(come(room, "Dora", host="192.0.2.7")) == "address"


@pytest.mark.parametrize("host", ["10.0.0.1", "127.0.0.1", "::1"])
def test_nobody_is_shut_out_by_an_address_of_the_openers_own_machine(host: str) -> None:
    room = Room(3)
    room.opener.turn_away(come(room, "Mal", host=host).identity.public)
    room.run()
    assert come(room, "Bea", host=host).trouble is None


def test_a_whole_network_in_the_openers_own_64_is_not_shut_out_by_one() -> None:
    barred = Barred(["2001:db8::1"])
    barred.turn_away(b"Mal", ["2001:db8::7"])
    assert barred.why(b"Mal", ["2001:db8::7"], []) == "away"
    assert barred.why(b"Bea", ["2001:db8::9"], []) == ""


def test_a_guest_that_takes_part_in_an_agreement_can_be_turned_away_until_all_have_signed() -> None:
    room = Room(3)
    lazy = come(room, "Mal", kind=Lazy)
    bea = come(room, "Bea")
    assert room.opener.state.phase == "ready"
    room.opener.turn_away(lazy.identity.public)
    room.run()
    assert (names(room), bea.state.phase) == (["Ana", "Bea"], "open")
    come(room, "Cleo")
    assert bea.agreed
    with pytest.raises(LocalError):
        room.opener.turn_away(bea.identity.public)


def test_the_opener_cannot_turn_itself_away() -> None:
    room = Room(3)
    room.opener.turn_away(room.opener.identity.public)
    room.run()
    assert names(room) == ["Ana"]
    assert come(room, "Bea").trouble is None


# -- late ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Lazy, Unsigning])
def test_who_is_not_ready_in_time_twice_has_no_seat_at_this_table_any_more(kind: type[Guest]) -> None:
    room, times = Room(2), clock()
    first = come(room, "Mal", kind=kind, host="192.0.2.7")
    wait_in_vain(room, times)
    assert why(first) == "unready"
    second = come(room, "Mal", kind=kind, identity=first.identity, host="198.51.100.9")
    assert room.opener.state.phase == "ready"
    wait_in_vain(room, times)
    assert why(second) == "late"
    assert why(come(room, "Mal", identity=first.identity)) == "late"
    assert come(room, "Bea").agreed


def test_fresh_keys_from_one_address_are_late_twice_together() -> None:
    room, times = Room(2), clock()
    for name in ("Mal", "Mel"):
        come(room, name, kind=Lazy, host="2001:db8:1:2::" + name[1].replace("e", "b"))
        wait_in_vain(room, times)
    assert why(come(room, "Mil", kind=Lazy, host="2001:db8:1:2::3")) == "address"
    assert come(room, "Bea", host="2001:db8:1:3::3").agreed


def test_who_was_ready_is_not_late_because_of_another() -> None:
    room, times = Room(3), clock()
    bea = come(room, "Bea")
    for _ in range(3):
        come(room, "Mal", kind=Lazy)
        wait_in_vain(room, times)
    assert names(room) == ["Ana", "Bea"]
    assert come(room, "Cleo").agreed
    assert bea.agreed


def test_who_leaves_a_full_table_at_once_again_and_again_has_no_seat_after_the_second_time() -> None:
    room = Room(3)
    bea = come(room, "Bea", kind=Lazy)  # else all is agreed before anybody can leave
    stranger = come(room, "Mal")
    for times in (1, 2):
        assert room.opener.state.phase == "ready"
        room.say(2, Stand())
        room.run()
        assert names(room) == ["Ana", "Bea"]
        if times == 1:
            room.say(2, Sit("Mal", (), False, False))
            room.run()
    room.say(2, Sit("Mal", (), False, False))
    room.run()
    assert why(stranger) == "late"
    assert bea.trouble is None


def test_who_has_done_its_part_and_waited_in_vain_leaves_without_being_counted() -> None:
    room = Room(3)
    come(room, "Mal", kind=Lazy)
    cleo = room.identity()
    now = 1.0
    for _ in range(3):
        guest = come(room, "Cleo", identity=cleo)
        assert guest.trouble is None
        for _ in range(2):
            room.tick(now)
            now += HASTE
        guest.close()
        room.run()
        assert names(room) == ["Ana", "Mal"]


def test_what_is_remembered_of_who_was_late_or_turned_away_ends_somewhere() -> None:
    barred = Barred([])
    for i in range(3 * MAX_BARRED):
        barred.late(i.to_bytes(4), [f"10.{i >> 16}.{i >> 8 & 255}.{i & 255}"])
        barred.turn_away(b"key" + i.to_bytes(4), [])
    assert len(barred._late) == len(barred._why) == MAX_BARRED
    assert barred.why(b"key" + (3 * MAX_BARRED - 1).to_bytes(4), (), ()) == "away"


# -- with fewer ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "come_here"), [(6, 2), (6, 5), (3, 2)])
def test_the_opener_begins_with_fewer_and_the_roster_has_the_size_that_sits(asked: int, come_here: int) -> None:
    room = Room(asked)
    guests = [come(room, f"P{i}") for i in range(1, come_here)]
    assert room.opener.state.may_begin
    room.opener.begin()
    room.run()
    assert room.opener.agreed
    roster = room.opener.agreed.roster
    assert len(roster.seats) == come_here
    assert roster.fault() is None
    for guest in guests:
        assert guest.agreed
        assert guest.agreed.roster == roster
        assert (guest.state.size, guest.state.asked) == (come_here, asked)
    assert any(isinstance(m, Table) and (m.phase, m.size) == ("ready", come_here) for m in room.seen)


def test_a_table_does_not_begin_with_fewer_than_the_game_takes_nor_without_the_seat_that_starts() -> None:
    room = Room(4, first=2)
    for name in ("Bea", "Cleo"):
        assert not room.opener.state.may_begin
        with pytest.raises(LocalError, match="cannot begin"):
            room.opener.begin()
        come(room, name)
    assert room.opener.state.may_begin
    room.opener.begin()
    room.run()
    assert room.opener.agreed
    with pytest.raises(LocalError):
        room.opener.begin()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_size_with_which_a_table_may_begin_is_one_that_the_game_takes(game: str) -> None:
    most = max(GAMES[game].rules.SEATS)
    may = Terms("Friday", game, most, None).may_be
    assert may == tuple(n for n in GAMES[game].rules.SEATS if 2 <= n < most)


def test_when_somebody_leaves_while_fewer_agree_the_table_has_all_its_seats_again() -> None:
    room = Room(4)
    lazy = come(room, "Mal", kind=Lazy)
    bea = come(room, "Bea")
    room.opener.begin()
    room.run()
    assert (bea.state.phase, bea.state.size) == ("ready", 3)
    room.opener.turn_away(lazy.identity.public)
    room.run()
    assert (bea.state.phase, bea.state.size) == ("open", 4)
    for name in ("Cleo", "Dora"):
        come(room, name)
    assert bea.agreed
    assert len(bea.agreed.roster.seats) == 4


@pytest.mark.parametrize("what", ["open", "empty seats", "more", "one", "none"])
def test_a_guest_leaves_a_table_of_another_size_than_it_was_offered_unless_all_who_sit_begin(what: str) -> None:
    room = Room(4)
    bea, _cleo = come(room, "Bea"), come(room, "Cleo")
    table = room.opener._table()
    bad = {
        "open": replace(table, size=3),
        "empty seats": replace(table, size=3, phase="ready", seats=table.seats[:2]),
        "more": replace(table, size=5),
        "one": replace(table, size=1, phase="ready", seats=table.seats[1:2]),
        "none": replace(table, size=0, phase="ready", seats=()),
    }[what]
    bea.receive(0, bad)
    assert why(bea) == "garbage"
    assert not any(isinstance(m, Ready) for _, m in bea.take_outbox())


def test_a_guest_signs_no_roster_of_fewer_seats_than_the_table_has_said() -> None:
    room = Room(3)
    bea, _lazy = come(room, "Bea"), come(room, "Mal", kind=Lazy)
    parts = [m for m in room.seen if isinstance(m, Ready)]
    assert len(parts) == 1
    other = Room(2)
    come(other, "Cleo")
    assert other.opener.agreed
    seats = other.opener.agreed.roster.seats
    forged = replace(
        other.opener.agreed.roster,
        seats=(
            replace(seats[0], identity=room.opener.identity.public),
            replace(seats[1], identity=bea.identity.public, name="Bea", signing=parts[0].signing, nonce=parts[0].nonce),
        ),
        signatures=(),
    )
    bea.receive(0, Draft(forged.encode()))
    assert why(bea) == "garbage"
    assert not any(isinstance(m, Sign) for _, m in bea.take_outbox())


def test_a_guest_signs_no_roster_while_the_table_says_that_a_seat_is_free() -> None:
    room = Room(4)
    bea, _lazy = come(room, "Bea"), come(room, "Mal", kind=Lazy)
    room.opener.begin()
    room.run()
    table = room.opener._table()
    bea.receive(0, replace(table, phase="open", size=4))
    bea.receive(0, replace(table, phase="ready", size=4))
    (part,) = [m for _, m in bea.take_outbox() if isinstance(m, Ready)]
    signers = [room.opener._signer.public, part.signing, room.identity().public]
    keys = zip(table.seats, signers, (bytes(32), part.nonce, bytes(32)), strict=True)
    seats = tuple(Seat(identity, name, signing, nonce, bot) for (identity, name, bot, _fresh), signing, nonce in keys)
    bea.receive(0, Draft(Roster(table.game, table.rules, room.opener.terms.options, table.cards, seats).encode()))
    assert why(bea) == "garbage"


# -- a seat that is free again -------------------------------------------------------------------------------------------


def test_who_found_the_table_full_waits_and_gets_the_seat_that_becomes_free() -> None:
    room, times = Room(3), clock()
    bea = come(room, "Bea")
    come(room, "Mal", kind=Lazy)
    cleo = come(room, "Cleo")
    assert (cleo.waits, cleo.state.phase, cleo.state.trouble) == (True, "waiting", None)
    number = room.lobbies.index(cleo)
    for _ in range(2):  # it looks again, in vain, and again
        room.link(0, number)
        cleo.join(0)
        assert cleo.look().phase == "waiting"
        room.run()
        assert cleo.state.phase == "waiting"
    wait_in_vain(room, times)
    assert room.opener.state.phase == "open"
    room.link(0, number)
    cleo.join(0)
    room.run()
    assert cleo.agreed
    assert bea.agreed


def test_who_waits_at_a_table_with_cards_of_its_own_gets_them_anew() -> None:
    room, times = Room(2, own=True), clock()
    come(room, "Mal", kind=Lazy)
    cleo = come(room, "Cleo")
    assert cleo.waits
    wait_in_vain(room, times)
    room.link(0, 2)
    cleo.join(0)
    room.run()
    assert cleo.agreed
    assert cleo.agreed.toml == room.opener.terms.toml != b""


def test_who_got_the_cards_and_then_no_seat_gets_them_anew_while_it_waits() -> None:
    room, times = Room(2, own=True), clock()
    cleo = room.guest("Cleo")
    while not cleo._asked:
        room.run(1)
    room.collect()
    held = list(room.queues[1, 0])
    room.queues[1, 0].clear()
    come(room, "Mal", kind=Lazy)
    room.queues[1, 0].extend(held)
    room.run()
    assert cleo.waits
    wait_in_vain(room, times)
    room.link(0, 1)
    cleo.join(0)
    room.run()
    assert cleo.agreed


def test_who_waits_reads_that_the_game_has_begun() -> None:
    room = Room(3)
    come(room, "Bea")
    lazy = come(room, "Mal", kind=Lazy)
    cleo = come(room, "Cleo")
    assert cleo.waits
    room.opener.turn_away(lazy.identity.public)
    room.run()
    room.opener.begin()
    room.run()
    assert room.opener.agreed
    room.link(0, 3)
    cleo.join(0)
    room.run()
    assert (why(cleo), cleo.state.phase) == ("playing", "ended")
