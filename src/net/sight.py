"""What a renderer may know of a session: its phase, who is waited for and for how long yet, who may be left behind; it changes nothing."""

import math
from typing import TYPE_CHECKING

from ..core.rules import Shuffle
from ..core.view import Snapshot, Trust, View

if TYPE_CHECKING:
    from .session import Session

PATIENCE = 10  # times the grace: how long a player who is there may think before the others may go on without him


def phase(session: "Session") -> str:
    """The phase of a Snapshot."""
    t = session.table
    if session.fault:
        return "stopped" if outcast(session) is not None else "ended"
    if t.done or t.step == 0:
        return "done" if t.done else "set-up"
    if t.rules.over:
        return "over"
    return "shuffle" if isinstance(t.rules.pending, Shuffle) else "play"


def outcast(session: "Session") -> int | None:
    """The seat that is proven to have cheated, if the others may go on without it: they vote, as for a silent one."""
    fault, playing = session.fault, session.chain.renewal.ballot.playing
    if fault is None or session.me is None or fault.seat not in playing or fault.seat == session.me:
        return None
    return fault.seat if len(playing) > 2 and fault.place[0] > 0 else None


def silent(session: "Session") -> tuple[tuple[int, int], ...]:
    """(seat, seconds left) of the seats that are waited for: nobody reaches them, or they have thought for very long."""
    cheat = outcast(session)
    if cheat is not None:
        return ((cheat, 0),)
    found = []
    for (seat, _, reached), since in session.waits.items():
        left = session.roster.options.grace * (PATIENCE if reached else 1) - (session.clock - since)
        if not reached or left <= session.roster.options.grace:
            found.append((seat, max(0, math.ceil(left))))
    return tuple(sorted(found))


def snapshot(session: "Session") -> Snapshot:
    """Everything that is shown of the match, immutable."""
    t, fault, now = session.table, session.fault, phase(session)
    return Snapshot(
        view=View.of(t.sight, session.me),
        names=tuple(s.name for s in session.roster.seats),
        phase=now,
        step=t.step,
        waiting=t.missing,
        asked=t.decision is not None and not fault,
        part=t.stage.part if t.decision is not None else 0,
        log=tuple(t.events),
        trust=Trust(session.book.verified, t.trust.shuffles, t.trust.shares, t.trust.moves),
        linked=tuple(seat == session.me or seat in session.linked for seat in range(t.rules.seats)),
        signed=tuple(sorted(t.taken)) if now == "over" else t.here if now == "done" else (),
        silent=silent(session),
        votes=session.chain.renewal.ballot.last(),
        trouble=((fault.claim, fault.seat, fault.detail),) if fault else (),
    )
