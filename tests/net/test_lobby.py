"""The lobby: everybody who sits signs one roster, whatever comes between, and nobody signs what he has not seen."""

from collections import deque
from dataclasses import replace

import pytest
from fakenet import match_for
from hypothesis import given, settings, strategies as st
from lobbynet import Room, seeded, terms
from mastaba.core.errors import LocalError
from mastaba.core.games import data_hash
from mastaba.core.plain import BadEncoding
from mastaba.net.addresses import needed
from mastaba.net.channel import Refused
from mastaba.net.guest import Guest
from mastaba.net.lobby import MAX_PLACES, PATIENCE, Opener
from mastaba.net.roster import Roster
from mastaba.net.terms import in_play
from mastaba.net.wire import Cards, Draft, Final, Probe, Ready, Refuse, Sign, Sit, Stand, Table, Want


def agreed_rosters(room: Room) -> set[Roster]:
    return {lobby.agreed.roster for lobby in room.lobbies if lobby.agreed}


@pytest.mark.parametrize("size", range(2, 7))
def test_a_full_table_agrees_on_one_roster_signed_by_all(size: int) -> None:
    room = Room(size, seed=size)
    for _ in range(size - 1):
        room.guest()
    room.run()
    (roster,) = agreed_rosters(room)
    assert all(lobby.agreed for lobby in room.lobbies)
    assert roster.fault() is None
    assert len(roster.seats) == size
    assert [lobby.agreed.seat for lobby in room.lobbies if lobby.agreed] == [
        [s.identity for s in roster.seats].index(lobby.identity.public) for lobby in room.lobbies
    ]
    for lobby in room.lobbies:
        assert lobby.agreed
        assert lobby.agreed.signer.public == roster.seats[lobby.agreed.seat].signing
        assert lobby.state.phase == "agreed"


def test_another_match_has_seats_for_the_same_people_alone() -> None:
    room = Room(3)
    bea, cleo = room.identity(), room.identity()
    room.opener.kept = {room.opener.identity.public: "Ana", bea.public: "Bea", cleo.public: "Cleo"}
    stranger = room.guest("Dora")
    room.run()
    assert str(stranger.trouble) == str(Refused("kept"))
    room.guest("Bea", bea)
    room.run()
    assert room.opener.state.kept == ("Cleo",)
    guest = room.guest("Cleo", cleo)
    room.run()
    assert guest.agreed


def test_the_opener_takes_the_first_seat_and_guests_follow_as_they_come() -> None:
    room = Room(3)
    for name in ("Bea", "Cleo"):
        room.guest(name)
        room.run()
    assert [s.name for s in room.opener.state.seats] == ["Ana", "Bea", "Cleo"]


def test_equal_names_are_told_apart() -> None:
    room = Room(6)
    for name in ("Ana", "ana", "Ana\x1b[2J\u202e", "Straße", "STRASSE"):
        room.guest(name)
    room.run()
    (roster,) = agreed_rosters(room)
    names = [s.name for s in roster.seats]
    assert len({name.casefold() for name in names}) == 6
    assert roster.fault() is None
    assert all(name.isprintable() for name in names)


def test_the_roster_says_which_seats_bots_play_and_the_others_have_the_votes() -> None:
    room = Room(4)
    for name, bot in (("Bea", True), ("Cleo", False), ("Dora", True)):
        room.guest(name, bot=bot)
        room.run()
        assert [seat.bot for seat in room.lobbies[1].state.seats] == [seat.bot for seat in room.opener.state.seats]
    (roster,) = agreed_rosters(room)
    assert [seat.bot for seat in roster.seats] == [None, 1, None, 3]
    assert roster.voters == (0, 2)
    assert Roster.decode(roster.encode()) == roster


def test_a_bots_number_moves_with_its_seat() -> None:
    room = Room(3)
    room.guest("Bea")
    room.guest("Cleo", bot=True)
    while len(room.opener.state.seats) < 3:
        room.run(1)
    room.cut(0, 1)
    room.guest("Dora")
    room.run()
    (roster,) = agreed_rosters(room)
    assert [(seat.name, seat.bot) for seat in roster.seats] == [("Ana", None), ("Cleo", 1), ("Dora", None)]


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("bot", [False, True])
@pytest.mark.parametrize("about", ["bots", "keys"])
def test_a_guest_leaves_a_table_that_tells_others_another_thing_about_it_than_it_has_said(about: str, bot: bool, fresh: bool) -> None:
    room = Room(3)
    guest = room.guest("Bea", bot=bot, fresh=fresh)
    room.run()
    assert guest.trouble is None
    ana, bea = room.opener._table().seats
    assert bea[2:] == (1 if bot else None, fresh)
    marks = (None if bot else 1, fresh) if about == "bots" else (bea[2], not fresh)
    guest.receive(0, room.opener.terms.table("open", (ana, (*bea[:2], *marks))))
    assert str(guest.trouble) == str(Refused("garbage"))


@pytest.mark.parametrize(
    ("bots", "good"),
    [
        ((None, None, None), True),
        ((None, 0, 0), True),
        ((0, 1, 2), True),
        ((None, 2, 2), False),  # seat 2 runs itself, and is a bot that runs another
        ((None, 3, None), False),
        ((None, -1, None), False),
        ((None, True, None), False),
        ((None, "1", None), False),
    ],
)
def test_a_bot_is_run_by_a_persons_seat_or_by_itself(bots: tuple[object, ...], good: bool) -> None:
    match, identities, _ = match_for(3)
    seats = tuple(replace(s, bot=bot) for s, bot in zip(match.roster.seats, bots, strict=True))  # type: ignore[arg-type]
    roster = replace(match.roster, seats=seats, signatures=())
    roster = roster.with_signatures(tuple(roster.sign(i) for i in identities))
    if good:
        assert Roster.decode(roster.encode()).fault() is None
    else:
        with pytest.raises(BadEncoding):
            Roster.decode(roster.encode())


def test_a_roster_with_two_equal_names_is_refused() -> None:
    match, identities, _ = match_for(3)
    for names, fault in ((("Straße", "STRASSE", "Bea"), "same-name-twice"), (("Ana", "Ana 2", "Bea"), None)):
        seats = tuple(replace(s, name=name) for s, name in zip(match.roster.seats, names, strict=True))
        roster = replace(match.roster, seats=seats, signatures=())
        assert roster.with_signatures(tuple(roster.sign(i) for i in identities)).fault() == fault


def test_everybody_learns_where_to_reach_everybody() -> None:
    room = Room(3)
    room.guest("Bea")
    room.guest("Cleo")
    room.run()
    for lobby in room.lobbies:
        assert lobby.agreed
        for number, places in enumerate(lobby.agreed.places):
            place = ("10.0.0.1", 1000) if number == 0 else ("10.0.0." + str(number + 1), 1000 + number)
            assert places[0] == place or lobby.agreed.seat == number or place in places


def test_a_table_with_its_own_cards_sends_them() -> None:
    room = Room(2, own=True)
    guest = room.guest()
    room.run()
    assert guest.agreed
    assert guest.agreed.toml == room.opener.terms.toml != b""
    assert data_hash(guest.agreed.cards) == guest.agreed.roster.data


def test_cards_are_sent_once_a_link() -> None:
    room = Room(2, own=True)
    room.guest()
    for _ in range(50):
        room.say(1, Want())
    room.run()
    assert sum(isinstance(m, Cards) for m in room.seen) == 1


def test_options_are_agreed_on() -> None:
    room = Room(2, first=1, grace=7)
    room.guest()
    room.run()
    (roster,) = agreed_rosters(room)
    assert (roster.options.first, roster.options.grace) == (1, 7)


@given(seed=st.integers(0, 10_000), steps=st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_when_a_guest_leaves_another_takes_the_seat_and_the_table_agrees(seed: int, steps: int) -> None:
    room = Room(3, seed=seed)
    leaver, stayer = room.guest(), room.guest()
    room.run(steps)
    gone = not room.opener.agreed and not leaver.agreed
    if gone:
        room.cut(0, 1)
    newcomer = room.guest()
    room.run()
    assert len(agreed_rosters(room)) == 1
    assert room.opener.agreed
    assert stayer.agreed
    assert bool(newcomer.agreed) == (gone and newcomer.trouble is None)
    if gone:
        assert leaver.state.phase == "ended" or leaver.waits  # who had no seat yet comes again
        assert newcomer.agreed


def test_nonce_and_match_key_are_fresh_whenever_the_table_fills_again() -> None:
    room = Room(3)
    room.guest()
    room.guest()
    while not any(isinstance(m, Draft) for m in room.seen):
        room.run(1)
    room.cut(0, 1)
    room.guest()
    room.run()
    parts = [(m.nonce, m.signing) for m in room.seen if isinstance(m, Ready)]
    (roster,) = agreed_rosters(room)
    assert {(s.nonce, s.signing) for s in roster.seats[1:]} <= set(parts)
    assert len(set(parts)) == len(parts) == 4


def test_a_guest_that_stands_up_frees_its_seat() -> None:
    room = Room(3)
    guest = room.guest("Bea")
    room.run()
    guest.close()
    room.run()
    assert guest.state.phase == "ended"
    assert [s.name for s in room.opener.state.seats] == ["Ana"]
    assert room.opener.state.phase == "open"


def test_when_the_opener_leaves_the_table_closes_for_all() -> None:
    room = Room(3)
    guest = room.guest()
    room.run()
    room.opener.close()
    room.run()
    assert guest.state.phase == room.opener.state.phase == "ended"
    assert isinstance(guest.trouble, Refused)
    assert guest.trouble.reason == "closed"


def test_one_too_many_is_told_that_the_table_is_full() -> None:
    room = Room(3)
    for _ in range(2):
        room.guest()
        room.run(8)
    late = room.guest()
    room.run()
    assert isinstance(late.trouble, Refused)
    assert late.trouble.reason in ("full", "playing")
    assert len(agreed_rosters(room)) == 1


def test_a_probe_is_answered_before_and_after_the_table_is_agreed() -> None:
    room = Room(2)
    room.guest()
    room.lobbies.append(Guest(room.identity(), "", (), seeded(9)))
    room.link(0, 2)
    room.say(2, Probe())
    room.run()
    tables = [m for m in room.seen if isinstance(m, Table)]
    assert tables[-1].game == "loot"
    assert room.opener.agreed
    room.say(2, Probe())
    room.run()
    assert room.seen[-1] == in_play(room.opener.agreed.roster, "Friday", False)


def test_other_rules_are_refused_in_words_at_both_ends() -> None:
    room = Room(2)
    guest = Guest(room.identity(), "Bea", (), seeded(1))
    room.lobbies.append(guest)
    room.link(0, 1)
    guest.join(0)
    guest.receive(0, replace(room.opener.terms.table("open", ()), rules=99))
    room.run()
    assert isinstance(guest.trouble, Refused)
    assert "99" in str(guest.trouble)
    assert room.opener.state.notice is not None
    assert "99" in str(room.opener.state.notice)


def test_an_opener_is_told_why_a_guest_cannot_play_and_reads_no_other_words_of_a_stranger() -> None:
    room = Room(3)
    room.guest()
    room.run()
    for reason in ("lost", "closed", "odd", "Ana cheats"):
        room.say(1, Refuse(reason, "x" * 64))
    room.run()
    assert room.opener.state.notice is None
    room.say(1, Refuse("version", "9" * 400))
    room.run()
    notice = room.opener.state.notice
    assert isinstance(notice, Refused)
    assert (notice.reason, notice.detail) == ("version", "9" * 40)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rules": 99}, "rules"),
        ({"game": "chess"}, "rules"),
        ({"size": 7}, "garbage"),
        ({"first": 6}, "garbage"),
        ({"grace": 1 << 30}, "garbage"),
        ({"cards": bytes(32)}, "cards"),
        ({"phase": "play"}, "playing"),
        ({"phase": "ready"}, "full"),
        ({"phase": "closed"}, "closed"),
        ({"phase": "huh"}, "closed"),
        ({"seats": ((b"short", "Ana", None, False),)}, "garbage"),
        ({"seats": ((bytes(32), "A\x1b[2J", None, False),)}, "garbage"),
        ({"seats": ((bytes(32), "Ana", None, False), (bytes(31) + b"1", "ANA", None, False))}, "garbage"),
        ({"seats": ((bytes(32), "Ana", 1, False),)}, "garbage"),
        ({"seats": ((bytes(32), "Ana", 1, False), (bytes(31) + b"1", "Bea", 1, False))}, "garbage"),
        ({"seats": tuple((bytes([i]) * 32, f"P{i}", None, False) for i in range(9))}, "garbage"),
    ],
)
def test_a_guest_does_not_sit_down_at_a_table_that_is_not_right(change: dict[str, object], reason: str) -> None:
    room = Room(2)
    guest = Guest(room.identity(), "Bea", (), seeded(1))
    guest.link_up(0, room.opener.identity.public, (("10.0.0.1", 1),))
    guest.join(0)
    guest.receive(0, replace(room.opener.terms.table("open", ()), **change))  # type: ignore[arg-type]
    assert isinstance(guest.trouble, Refused)
    assert guest.trouble.reason == reason
    assert (0, "") in guest.take_closes()
    assert not any(isinstance(m, Sit) for _, m in guest.take_outbox())


def test_cards_that_are_not_the_announced_ones_are_refused() -> None:
    room = Room(2, own=True)
    for toml in (b"", b"\xff", b"[[[[" * 9000, b"players = 3", room.opener.terms.toml.replace(b"red", b"blue")):
        guest = Guest(room.identity(), "Bea", (), seeded(1))
        guest.link_up(0, room.opener.identity.public, (("10.0.0.1", 1),))
        guest.join(0)
        guest.receive(0, room.opener.terms.table("open", ()))
        guest.receive(0, Cards(toml))
        assert isinstance(guest.trouble, LocalError)
        assert guest.state.phase in ("joining", "ended")


def drafted() -> tuple[Room, Guest, Roster]:
    """A guest that is ready, and the honest draft that is on its way."""
    room = Room(2)
    guest = room.guest("Bea")
    while not (room.queues[0, 1] and isinstance(room.seen[-1], Ready)):
        room.run(1)
        room.collect()
    draft = room.opener._draft
    assert draft
    return room, guest, draft


@pytest.mark.parametrize("what", ["game", "options", "audit", "data", "name", "bot", "order", "key", "twice", "origin", "signed", "size"])
def test_a_guest_signs_no_roster_that_differs_from_what_it_saw(what: str) -> None:
    _, guest, draft = drafted()
    one, two = draft.seats
    bad = {
        "game": lambda: replace(draft, rules=draft.rules + 1),
        "options": lambda: replace(draft, options=replace(draft.options, grace=1)),
        "audit": lambda: replace(draft, options=replace(draft.options, audit=False)),
        "data": lambda: replace(draft, data=bytes(32)),
        "name": lambda: replace(draft, seats=(one, replace(two, name="Eve"))),
        "bot": lambda: replace(draft, seats=(replace(one, bot=0), two)),
        "order": lambda: replace(draft, seats=(two, one)),
        "key": lambda: replace(draft, seats=(replace(one, signing=bytes(32)), two)),
        "twice": lambda: replace(draft, seats=(replace(one, signing=two.signing), two)),
        "origin": lambda: replace(draft, origin=(bytes(32), 1)),
        "signed": lambda: draft.with_signatures((bytes(64), bytes(64))),
        "size": lambda: replace(draft, seats=(one, two, replace(one, identity=bytes(31) + b"1"))),
    }[what]()
    guest.take_outbox()
    guest.receive(0, Draft(bad.encode()))
    assert not any(isinstance(m, Sign) for _, m in guest.take_outbox())
    assert isinstance(guest.trouble, Refused)


def test_a_draft_with_another_nonce_of_ours_is_not_signed() -> None:
    _, guest, draft = drafted()
    one, two = draft.seats
    guest.receive(0, Draft(replace(draft, seats=(one, replace(two, nonce=bytes(32)))).encode()))
    assert not any(isinstance(m, Sign) for _, m in guest.take_outbox())


def test_a_guest_learns_of_the_others_addresses_only_what_it_needs_to_link_with_them() -> None:
    """Bea and Cleo are on one network with the opener, Dora on another; all have more interfaces than that."""
    room = Room(4)
    here, beside, far = (("10.0.0.2", 5), ("172.16.0.2", 5)), (("10.0.0.3", 5), ("192.168.9.3", 5)), (("10.5.0.4", 5), ("192.168.9.4", 5))
    guests = []
    for number, (name, places) in enumerate((("Bea", here), ("Cleo", beside), ("Dora", far)), 1):
        guest = Guest(room.identity(), name, (*places, (f"2001:db8:{number}::1", 5)), seeded(number))
        room.lobbies.append(guest)
        room.queues[0, number], room.queues[number, 0] = deque(), deque()
        room.opener.link_up(number, guest.identity.public, ((places[0][0], 50_000),))
        guest.link_up(0, room.opener.identity.public, (("10.0.0.1", 1000),))
        guest.join(0)
        guests.append(guest)
        room.run()
    bea, cleo, dora = (guest.agreed.places for guest in guests)
    assert bea[2] == (("10.0.0.3", 5),)
    assert cleo[1] == (("10.0.0.2", 5),)
    assert bea[3] == (("10.5.0.4", 5),), "where it has reached the opener, though that is no network of Bea's"
    assert cleo[3] == (("10.5.0.4", 5), ("192.168.9.4", 5)), "and another network that both are on"
    assert dora[2] == (("10.0.0.3", 5), ("192.168.9.3", 5))
    assert all("2001" not in host for places in (bea[2], bea[3], cleo[1], cleo[3], dora[1], dora[2]) for host, _ in places)
    assert room.opener.agreed is not None
    assert room.opener.agreed.places[1] == (("10.0.0.2", 5),)


def test_a_peer_on_the_opener_s_own_machine_is_found_by_the_others() -> None:
    """What the opener sees of it, loopback, is of no use to them."""
    said = (("127.0.0.1", 5), ("10.0.0.1", 5), ("192.168.9.1", 5))
    assert needed(said[:1], said, (("10.0.0.2", 5),)) == (("10.0.0.1", 5),)
    assert needed(said[:1], said, (("10.99.0.2", 5),)) == said, "all of it rather than nothing"
    assert needed(said[:1], said, (("10.0.0.1", 6),), True) == said[:1]


@pytest.mark.parametrize("what", ["unsigned", "forged", "places", "other"])
def test_a_guest_plays_only_under_all_signatures(what: str) -> None:
    room, guest, draft = drafted()
    guest.receive(0, Draft(draft.encode()))
    good = draft.with_signatures((draft.sign(room.opener.identity), draft.sign(guest.identity)))
    final = {
        "unsigned": Final(draft.encode(), ((), ())),
        "forged": Final(draft.with_signatures((bytes(64), good.signatures[1])).encode(), ((), ())),
        "places": Final(good.encode(), ((),)),
        "other": Final(replace(good, rules=9).encode(), ((), ())),
    }[what]
    guest.receive(0, final)
    assert guest.agreed is None
    assert guest.trouble is not None


def test_no_seat_makes_others_dial_the_world() -> None:
    room, guest, draft = drafted()
    guest.receive(0, Draft(draft.encode()))
    good = draft.with_signatures((draft.sign(room.opener.identity), draft.sign(guest.identity)))
    hostile = (("224.0.0.1", 80), ("127.0.0.1", 22), ("example.org", 80), ("0.0.0.0", 1), ("10.0.0.9", 0), ("fe80::1%1", 5))
    many = tuple((f"10.1.0.{i}", 80) for i in range(200))
    guest.receive(0, Final(good.encode(), (hostile, many)))
    assert guest.agreed
    assert guest.agreed.places[0] == (("10.0.0.1", 1000),)
    assert len(guest.agreed.places[1]) == MAX_PLACES


@pytest.mark.parametrize("lazy", ["never-ready", "never-signs"])
def test_who_does_not_get_ready_or_sign_makes_room(lazy: str) -> None:
    room = Room(2)
    guest = room.guest()
    room.lobbies.append(Guest(room.identity(), "Lazy", (), seeded(5)))
    room.cut(0, 1)
    room.link(0, 2)
    room.say(2, Sit("Lazy", (), False, False))
    room.run()
    if lazy == "never-signs":
        room.say(2, Ready(bytes(32), room.identity().public))
        room.run()
    room.tick(1.0)
    room.tick(2.0 + PATIENCE)
    assert [s.name for s in room.opener.state.seats] == ["Ana"]
    assert guest.agreed is None
    room.guest("Bea")
    room.run()
    assert room.opener.agreed


def test_a_guest_that_is_never_answered_says_so() -> None:
    guest = Guest(Room(2).identity(), "Bea", (), seeded(1))
    guest.link_up(0, bytes(32), ())
    guest.join(0)
    guest.tick(100.0)
    guest.tick(101.0 + PATIENCE)
    assert isinstance(guest.trouble, Refused)
    assert guest.trouble.reason == "silent"


MESSAGES = st.one_of(
    st.just(Probe()),
    st.just(Want()),
    st.just(Stand()),
    st.builds(
        Sit, st.text(max_size=10), st.lists(st.tuples(st.text(max_size=5), st.integers(0, 70_000)), max_size=3).map(tuple), st.booleans()
    ),
    st.builds(Ready, st.binary(max_size=32), st.binary(max_size=32)),
    st.builds(Ready, st.binary(min_size=32, max_size=32), st.integers(1, 50).map(lambda i: Room(2, seed=i).identity().public)),
    st.builds(Sign, st.binary(max_size=64)),
    st.builds(Draft, st.binary(max_size=99)),
    st.builds(Final, st.binary(max_size=99), st.just(())),
    st.builds(Cards, st.binary(max_size=99)),
    st.builds(Refuse, st.text(max_size=9), st.text(max_size=9)),
    st.builds(lambda phase: replace(terms(2).table("open", ()), phase=phase), st.sampled_from(["open", "ready", "play", "closed", ""])),
)


@given(st.lists(MESSAGES, max_size=12))
@settings(max_examples=150, deadline=None)
def test_hostile_messages_never_break_a_lobby_nor_get_a_match_without_signatures(messages: list[object]) -> None:
    room = Room(3)
    honest = room.guest()
    room.lobbies.append(Guest(room.identity(), "Mallory", (), seeded(5)))
    room.link(0, 2)
    room.link(1, 2)
    for message in messages:
        for to in (0, 1):
            if (2, to) in room.queues:
                room.say(2, message, to)  # type: ignore[arg-type]
        room.run()
    for lobby in (room.opener, honest):
        assert lobby.agreed is None or lobby.agreed.roster.fault() is None
    assert isinstance(room.opener, Opener)
    assert room.opener.state.phase in ("open", "ready", "agreed")
    assert honest.trouble is None  # a stranger's messages are not the opener's
