"""What a renderer may know of a session: its phase, who is waited for and for how long yet, who may be left behind; it changes nothing."""

from collections.abc import Collection, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.errors import LocalError
from ..core.rules import Shuffle
from ..core.view import Snapshot, View
from .names import plain_name
from .roster import MAX_NAME
from .votes import without

if TYPE_CHECKING:
    from .session import Session


def phase(session: "Session") -> str:
    """The phase of a Snapshot."""
    t = session.table
    if session.fault:
        return "stopped" if outcast(session) is not None else "ended"
    if t.done or t.step == 0:
        return "done" if t.done else "set-up"
    if t.rules.over:
        return "done" if stands(session) else "over"
    return "shuffle" if isinstance(t.rules.pending, Shuffle) else "play"


def outcast(session: "Session") -> int | None:
    """The seat that is proven to have cheated, if the others may go on without it: they vote, as for a silent one.

    Also one that had said good-bye: it may have told some what others have not heard, and nobody can end the game of those who stay.
    """
    fault = session.fault
    if fault is None or fault.seat not in session.roster.here or fault.seat == session.me or session.book.finished:
        return None
    return fault.seat if session.chain.ballot.may_lose(fault.seat) and not _agreed(session, fault.seat) else None


def _agreed(session: "Session", cheat: int) -> bool:
    """The game is over, and all but the cheat have signed the result, or stand where we do: there is nothing left to go on with."""
    t, here = session.table, (*session.now.place, session.now.prev)
    if not t.rules.over:
        return False
    others = [peer.at for peer in session.peers.values() if peer.seat not in (None, cheat, *t.rules.gone)]
    with_us = [at is not None and ((at.step, at.round) > here[:2] or (at.step, at.round, at.prev) == here) for at in others]
    return set(t.here) - set(t.rules.gone) - set(t.taken) <= {cheat} or (with_us != [] and all(with_us))


def silent(session: "Session") -> tuple[tuple[int, int], ...]:
    """(seat, seconds left) of the seats that are waited for: nobody reaches them, or they have thought for very long."""
    cheat = outcast(session)
    if cheat is not None:
        return ((cheat, 0),)
    gone = session.table.rules.gone
    return tuple(wait for wait in session.patience.silent() if wait[0] not in gone)


def late(session: "Session") -> tuple[int, ...]:
    """The seats without which the others may go on now."""
    return tuple(seat for seat, left in silent(session) if not left)


def check_going(session: "Session", lost: int, outcast: int | None) -> None:
    """LocalError unless this seat may vote now to go on without that one."""
    if lost == outcast:
        return
    ballot = session.chain.ballot
    if not ballot.may_lose(lost):
        raise LocalError("With two players nobody can be left behind: the match waits, and can be resumed.")
    if (played_out(session) and outcast is None) or lost not in ballot.here or lost == session.me or session.me not in ballot.playing:
        raise LocalError("not-asked")
    if lost in session.reached and lost not in late(session):
        raise LocalError("{0} is there again: nobody has to go on without this player.", session.roster.seats[lost].name)


def played_out(session: "Session") -> bool:
    """There is nothing left to go on with; but in the set-up of a match the result cannot be signed before all have keys."""
    return session.table.rules.over and session.table.step > 0


def stands(session: "Session") -> bool:
    """The result stands without the signatures of seats that are silent at the very end: there is nothing left to vote on."""
    t = session.table
    return t.rules.over and bool(t.missing) and session.me not in t.missing and set(t.missing) <= set(late(session))


def waits(session: "Session", reached: Collection[int]) -> dict[int, Hashable]:
    """The seats that must do something before this one can go on, each with what changes when it has done it."""
    t, renewal = session.table, session.chain.renewal
    found: dict[int, Hashable] = {}
    if session.fault or t.done:
        return found
    if renewal.choice is not None:
        found = dict.fromkeys(renewal.lacking, "its part of the next match")
    else:
        found = {seat: session.now.place for seat in t.missing if seat not in bound(session)}
        away = (session.unheard.seats | session.chain.ballot.called) - set(reached)
        found |= {seat: "any sign" for seat in away if seat not in found}
    return {seat: what for seat, what in found.items() if seat != session.me and seat not in t.rules.gone}


def awaited(session: "Session") -> dict[int, frozenset[Hashable]]:
    """What each seat is waited for: with its part of the present round or, once it is decided to go on, of the next match."""
    t, renewal = session.table, session.chain.renewal
    if session.fault or t.done:
        return {}
    if renewal.choice is not None:
        return dict.fromkeys(renewal.lacking, frozenset(["fresh" if renewal.draft is None else "assent"]))
    return {seat: frozenset([session.now.place]) for seat in t.missing if seat not in bound(session)}


def lacks(session: "Session") -> dict[int, frozenset[Hashable]]:
    """What each seat has not done, of all that it can ever be waited for; a vote for want of an answer ends when it has done it."""
    t, renewal = session.table, session.chain.renewal
    owed = set(t.missing) - bound(session)
    return {
        seat: frozenset([*([session.now.place] if seat in owed else []), *(["fresh"] if seat not in renewal.fresh else []), "assent"])
        - ({"assent"} if seat in renewal.assents else set())
        for seat in session.roster.here
    }


def bound(session: "Session") -> set[int]:
    """The seats that sign nothing now because they have voted to go on without one that is silent here, too: they do not owe an answer."""
    ballot = session.chain.ballot
    away = {seat for seat in ballot.here if seat not in session.reached} | set(session.patience.late)
    return {seat for seat, vote in ballot.latest().items() if (set(without(vote.choice)) - {session.me}) & away and seat != session.me}


def snapshot(session: "Session") -> Snapshot:
    """Everything that is shown of the match, immutable."""
    t, fault, now = session.table, session.fault, phase(session)
    there = {session.me, *session.linked}
    if session.me is None:  # a spectator has one link, and believes its far end who else is there
        there.update(seat for peer in session.peers.values() if peer.at for seat in peer.at.seats)
    return Snapshot(
        view=View.of(t.sight, session.me),
        names=tuple(plain_name(s.name, MAX_NAME) for s in session.roster.seats),
        phase=now,
        step=t.step,
        waiting=t.missing,
        asked=t.decision is not None and not fault,
        part=t.stage.part if t.decision is not None else 0,
        log=tuple(t.events),
        trust=replace(t.trust, signatures=session.book.verified),
        linked=tuple(seat in there for seat in range(t.rules.seats)),
        signed=t.here if t.done else tuple(sorted(t.taken)) if t.rules.over else (),
        silent=silent(session),
        minutes=session.patience.minutes(),
        left=tuple(sorted(session.book.left)),
        again=tuple(sorted(session.wishes)) if now == "done" else (),
        bots=tuple(i for i, s in enumerate(session.roster.seats) if s.bot is not None),
        votes=session.chain.ballot.last(),
        undone=session.chain.undoing or session.chain.undone,
        trouble=((fault.claim, fault.seat, fault.detail),) if fault else (),
        watchers=session.audience.shown,
        fresh=session.fresh,
    )
