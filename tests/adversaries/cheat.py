"""A dishonest seat for tests: it plays through an honest session, and changes what leaves it, with valid signatures."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from fakenet import Net
from mastaba.net.log import Contribution, parse, sign
from mastaba.net.verify import Report, verify
from mastaba.net.wire import Message, Say

CHEAT = 0
Change = Callable[[Contribution, int], Contribution | Iterable[Contribution]]


def dishonest(net: Net, change: Change, cheat: int = CHEAT) -> list[tuple[int, int]]:
    """Have the cheat's seat say change(contribution, receiver) instead; returns the (growing) list of places where it differed."""
    changed: list[tuple[int, int]] = []

    def tamper(a: int, b: int, message: Message) -> Iterable[Message]:
        if a != cheat or not isinstance(message, Say):
            return (message,)
        said = parse(message.body, net.match.roster)
        if said.seat != cheat:
            return (message,)
        made = change(said, b)
        made = (made,) if isinstance(made, Contribution) else tuple(made)
        if made != (said,):
            changed.append((said.step, said.round))
        return [Say(s.data, s.signature) for s in (sign(one, net.signers[cheat]) for one in made)]

    net.tamper = tamper
    return changed


def run(net: Net) -> None:
    """Play until nobody can go on; the cheat's own session does not matter."""
    net.connect()
    honest = [s for i, s in enumerate(net.sessions) if i != CHEAT]
    net.run(lambda: all(s.fault for s in honest), idle=12)


def assert_named(net: Net, claim: str, cheat: int = CHEAT) -> None:
    """Every honest peer has stopped and names the cheat, with evidence that proves it to anybody; no honest seat is named."""
    for seat, session in enumerate(net.sessions):
        if seat == cheat:
            continue
        fault = session.fault
        assert fault is not None, f"seat {seat} has noticed nothing"
        assert (fault.claim, fault.seat) == (claim, cheat)
        report = prove(net, fault.evidence)
        assert report.kind == "evidence"
        assert report.ok, report.fault
        assert report.fault is not None
        assert (report.fault.claim, report.fault.seat) == (claim, cheat)
        assert (report.fault.step, report.fault.round) == fault.place


def prove(net: Net, data: bytes) -> Report:
    return verify(data, lambda roster: net.match.table())


def flip(data: bytes, at: int = -1) -> bytes:
    """The bytes with one bit changed."""
    at %= len(data)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def with_body(said: Contribution, body: Any) -> Contribution:
    return replace(said, body=body)


def watched(seats: int, seed: int = 1, **kwargs: Any) -> Net:
    """A net that remembers which request each step was."""
    net = Net(seats, seed=seed, **kwargs)
    net.asked = {}
    table = net.sessions[CHEAT].table
    first = table._first_stage

    def remember(request):
        net.asked[table.step] = request
        return first(request)

    table._first_stage = remember
    return net


def once(
    net: Net, kind: type, change: Callable[[Contribution], Contribution], extra: Callable[[Any], bool] = lambda request: True
) -> list[tuple[int, int]]:
    """Change the first contribution to a request of that kind, for all receivers alike."""
    done = {}

    def changed(said, receiver):
        request = net.asked.get(said.step)
        place = said.step, said.round
        if said.step and isinstance(request, kind) and extra(request) and done.setdefault("place", place) == place:
            return done.setdefault("said", change(said))
        return said

    return dishonest(net, changed)
