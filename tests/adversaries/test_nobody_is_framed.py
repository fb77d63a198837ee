"""Those who remain make the next roster together, with all their real keys: it frames nobody, and changes nothing but their own keys.

Each forgery is signed by all who remain, as a real next roster is.  Seat 3 was left behind, seat 2 has said good-bye.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fakenet import Net
from mastaba.core.plain import BadEncoding
from mastaba.core.rules import Options
from mastaba.net.book import Silent
from mastaba.net.identity import Identity
from mastaba.net.log import ANSWER, LEAVE, TRANSCRIPT, Contribution, evidence, pack_file, sign, unpack_file
from mastaba.net.renewal import goes_on
from mastaba.net.roster import Roster, Seat
from mastaba.net.session import Session
from mastaba.net.verify import verify
from mastaba.net.votes import cast
from mastaba.net.wire import Next, Say

FRAMED, LEFT = 3, 2
KEY = Identity.from_secret(b"\x07" * 32)  # of the coalition, in another's line


@pytest.fixture(scope="module")
def table():
    """A match of four that goes on with the seats 0 and 1."""
    net = Net(4, seed=5, grace=2)
    net.connect()
    net.run(lambda: net.sessions[0].table.step >= 6 and all(s.table.missing == (3,) and s.table.round == 0 for s in net.sessions))
    for other in range(3):
        net.cut(FRAMED, other)
    net.run(lambda: all(s.snapshot().silent == ((FRAMED, 0),) for s in net.sessions[:2]), idle=4)
    net.cut(LEFT, 1)
    net.sessions[LEFT].leave()
    net.run(lambda: LEFT in net.sessions[0].book.left)
    net.cut(LEFT, 0)
    net.run(lambda: LEFT in net.sessions[1].book.left, idle=4)
    for session in net.sessions[:2]:
        session.vote(FRAMED)
    net.run(lambda: all(s.chain.past and s.table.step > 2 for s in net.sessions[:2]), idle=12)
    assert net.sessions[0].roster.come_from.gone == (LEFT, FRAMED)
    return net


def signed(net: Net, roster: Roster) -> Roster:
    """With the real signatures of all who remain."""
    bare = replace(roster, signatures=())
    return bare.with_signatures(tuple(bare.sign(net.identities[i]) if i in (0, 1) else b"" for i in range(len(bare.seats))))


def line(roster: Roster, seat: int, **changes: object) -> Roster:
    seats = tuple(replace(s, **changes) if i == seat else s for i, s in enumerate(roster.seats))
    return replace(roster, seats=seats)


def origin(roster: Roster, **changes: object) -> Roster:
    return replace(roster, origin=replace(roster.come_from, **changes).plain())


def votes(change: Callable[[list[tuple[bytes, bytes]]], list[tuple[bytes, bytes]]]) -> Callable[[Net, Roster, Roster], Roster]:
    return lambda net, before, roster: origin(roster, votes=tuple(change(list(roster.come_from.votes))))


def other_good_bye(net: Net, before: Roster, roster: Roster) -> Roster:
    """A good-bye of the seat that left, signed with its match key as if it had told somebody, that opens another seat's keys."""
    said = net.sessions[LEFT].book.left[LEFT].said
    other = sign(replace(said, body=net.sessions[0].chain.past[0].table.good_bye()), net.signers[LEFT])
    return origin(roster, votes=(*roster.come_from.votes[:2], (other.data, other.signature)))


def good_bye_of_the_framed(net: Net, before: Roster, roster: Roster) -> Roster:
    place = net.sessions[0].chain.past[0].last_place(FRAMED)
    body = net.sessions[FRAMED].table.good_bye()
    leave = sign(Contribution(before.match, place.step, place.round, FRAMED, place.prev, bytes(8), body, LEAVE), KEY)
    return origin(roster, votes=(*roster.come_from.votes, (leave.data, leave.signature)))


def uncounted(net: Net, before: Roster, roster: Roster) -> Roster:
    """Votes that do not list the good-bye which stands behind them."""
    choice = ("go", (FRAMED,), roster.come_from.step, roster.come_from.digest, ())
    two = [cast(before, 9, seat, choice, net.signers[seat]) for seat in (0, 1)]
    return origin(roster, votes=(*((v.data, v.signature) for v in two), roster.come_from.votes[2]))


FORGERIES = {
    "the key of the one left behind": lambda net, b, r: line(r, FRAMED, signing=KEY.public),
    "the nonce of the one left behind": lambda net, b, r: line(r, FRAMED, nonce=bytes(32)),
    "the name of the one left behind": lambda net, b, r: line(r, FRAMED, name="Mallory"),
    "the identity of the one left behind": lambda net, b, r: line(r, FRAMED, identity=KEY.public),
    "the one left behind is a bot": lambda net, b, r: line(r, FRAMED, bot=0),
    "the key of the one that left": lambda net, b, r: line(r, LEFT, signing=KEY.public),
    "an old key of one that remains": lambda net, b, r: line(r, 0, signing=b.seats[0].signing),
    "an old nonce of one that remains": lambda net, b, r: line(r, 0, nonce=b.seats[0].nonce),
    "an old key of another that remains": lambda net, b, r: line(r, 0, signing=b.seats[1].signing),
    "the key of the one left behind as a new key": lambda net, b, r: line(r, 0, signing=b.seats[FRAMED].signing),
    "one new key twice": lambda net, b, r: line(r, 0, signing=r.seats[1].signing),
    "one new nonce twice": lambda net, b, r: line(r, 0, nonce=r.seats[1].nonce),
    "another name of one that remains": lambda net, b, r: line(r, 0, name="Mallory"),
    "one that remains is a bot": lambda net, b, r: line(r, 0, bot=1),
    "two seats in each other's place": lambda net, b, r: replace(r, seats=(r.seats[1], r.seats[0], *r.seats[2:])),
    "one seat more": lambda net, b, r: replace(r, seats=(*r.seats, Seat(KEY.public, "Eve", KEY.public, bytes(32), None))),
    "one seat less": lambda net, b, r: replace(r, seats=r.seats[:3]),
    "another game": lambda net, b, r: replace(r, game="crypt"),
    "another version of the rules": lambda net, b, r: replace(r, rules=r.rules + 1),
    "other options": lambda net, b, r: replace(r, options=Options(None, 86_400)),
    "other cards": lambda net, b, r: replace(r, data=bytes(32)),
    "one vote less": votes(lambda v: [v[0], v[2]]),
    "no votes": votes(lambda v: [v[2]]),
    "a vote twice": votes(lambda v: [v[0], v[0], v[2]]),
    "votes in another order": votes(lambda v: [v[1], v[0], v[2]]),
    "a good-bye before the votes": votes(lambda v: [v[2], v[0], v[1]]),
    "no good-bye": votes(lambda v: v[:2]),
    "a good-bye twice": votes(lambda v: [*v, v[2]]),
    "a good-bye that the votes do not count": uncounted,
    "a good-bye with other keys": other_good_bye,
    "a good-bye of the one left behind under another key": good_bye_of_the_framed,
    "one more is gone": lambda net, b, r: origin(r, gone=(1, 2, 3)),
    "one less is gone": lambda net, b, r: origin(r, gone=(FRAMED,)),
    "another step": lambda net, b, r: origin(r, step=r.come_from.step - 1),
    "another digest": lambda net, b, r: origin(r, digest=bytes(32)),
    "another snapshot": lambda net, b, r: origin(r, snapshot=bytes(32)),
    "another match": lambda net, b, r: origin(r, match=bytes(32)),
}


def before_of(net: Net) -> tuple[Roster, Roster, list[bytes]]:
    """The first roster, the next one, and the file's items up to the next one."""
    session = net.sessions[0]
    items = unpack_file(TRANSCRIPT, session.transcript())
    return net.match.roster, session.roster, items[: items.index(session.roster.encode())]


def test_the_next_roster_itself_is_good(table):
    before, roster, items = before_of(table)
    assert goes_on([before], signed(table, roster), (), {}, ()) == (LEFT, FRAMED)
    assert verify(pack_file(TRANSCRIPT, [*items, roster.encode()]), lambda roster: table.match.table()).ok


@pytest.mark.parametrize("forgery", FORGERIES)
def test_nobody_is_framed_by_a_next_roster_that_changes_more_than_the_keys_of_those_who_remain(table, forgery):
    before, roster, items = before_of(table)
    forged = signed(table, FORGERIES[forgery](table, before, roster))
    assert forged != roster
    report = verify(pack_file(TRANSCRIPT, [*items, forged.encode()]), lambda roster: table.match.table())
    assert not report.ok
    spectator = Session(before, table.match.table(), Silent(), bytes)
    spectator.link_up(0, table.identities[0].public)
    for one in table.sessions[0].chain.past[0].in_order():
        spectator.book.take(one.data, one.signature)
    spectator.receive(0, Next(forged.encode()))
    spectator.tick(1.0)
    assert spectator.roster == before
    for twin in (Contribution(forged.match, 0, 0, FRAMED, bytes(32), bytes(8), (body,)) for body in (b"a" * 32, b"b" * 32)):
        said = sign(twin, KEY)
        assert not proves(table, items, forged, said)


def proves(net: Net, items: list[bytes], forged: Roster, said: object) -> bool:
    other = sign(replace(said.said, body=(bytes(32),)), KEY)
    made = evidence(forged, (), (said, other), tuple(items))
    return verify(made, lambda roster: net.match.table()).ok


def test_nobody_is_framed_by_what_is_signed_in_the_name_of_a_seat_that_does_not_play(table):
    """Even under the true next roster: a seat that is gone has only an old key there, and its number proves nothing."""
    _before, roster, items = before_of(table)
    for kind in (ANSWER, LEAVE):
        for step in (0, 5):
            two = [
                sign(Contribution(roster.match, step, 0, FRAMED, bytes(32), bytes(8), (body,), kind), table.signers[FRAMED])
                for body in (1, 2)
            ]
            assert not verify(evidence(roster, (), two, tuple(items)), lambda roster: table.match.table()).ok
            for one in two:
                session = table.sessions[0]
                session.receive(1, Say(one.data, one.signature))
                assert session.fault is None


def test_nobody_is_framed_by_a_key_from_further_back_in_the_chain(table):
    """With an old key one file would be complete, and a proof against its seat."""
    net = Net(4, seed=6)
    net.connect()
    net.run(lambda: all(s.table.step >= 6 for s in net.sessions))
    for lost, rest in ((1, (0, 2, 3)), (3, (0, 2))):
        for other in range(4):
            net.cut(lost, other)
        net.run(lambda: False, idle=3)
        for seat in rest:
            net.sessions[seat].vote(lost)
        if lost == 1:
            net.run(lambda rest=rest: all(net.sessions[s].chain.past and net.sessions[s].table.step > 2 for s in rest), idle=12)
    net.run(lambda: all(len(net.sessions[s].chain.past) == 2 for s in (0, 2)), idle=12)
    session = net.sessions[0]
    first, second, third = *(book.roster for book in session.chain.past), session.roster
    assert goes_on([first, second], third, second.come_from.gone, {}) == (3,)
    old = signed(net, line(third, 0, signing=first.seats[0].signing))
    with pytest.raises(BadEncoding):
        goes_on([first, second], old, second.come_from.gone, {})
    items = unpack_file(TRANSCRIPT, session.transcript())
    at = items.index(third.encode())
    assert verify(pack_file(TRANSCRIPT, items[: at + 1]), lambda roster: net.match.table()).ok
    assert not verify(pack_file(TRANSCRIPT, [*items[:at], old.encode()]), lambda roster: net.match.table()).ok
