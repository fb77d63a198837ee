"""The words that every game needs about a running match: who, whose turn, what is waited for, what was verified, how it ended.

It knows snapshots and no particular game; everything returned is safe to show.
"""

from ...core.rules import ChooseAll, Event, Over, Reveal, Roll, Shuffle
from ...core.view import Snapshot
from ...net.identity import words
from ..cells import clean, cut
from ..text import _, ngettext
from .claims import claim_words, going_on, trouble_words

NAME_CELLS = 16


def player(snapshot: Snapshot, seat: int) -> str:
    """The seat's name, harmless and short."""
    return cut(clean(snapshot.names[seat]).strip() or "?", NAME_CELLS)


def players(snapshot: Snapshot, seats: tuple[int, ...]) -> str:
    """Several names, in words."""
    return names(tuple(player(snapshot, s) for s in seats))


def names(known: tuple[str, ...]) -> str:
    """The same for names that are safe to show."""
    return _("{names} and {last}").format(names=", ".join(known[:-1]), last=known[-1]) if len(known) > 1 else "".join(known)


def result(snapshot: Snapshot) -> str:
    """Who has won, once the game is over; else an empty text."""
    over = snapshot.view.over
    if over is None:
        return ""
    if not over.winners:  # alone one plays for points
        return _("The game is over.")
    points = over.scores[over.winners[0]]
    if over.winners == (snapshot.view.seat,):
        return ngettext("You win with {n} point!", "You win with {n} points!", points).format(n=points)
    if len(over.winners) == 1:
        return ngettext("{who} wins with {n} point.", "{who} wins with {n} points.", points).format(
            who=player(snapshot, over.winners[0]), n=points
        )
    return ngettext("{who} share the victory with {n} point.", "{who} share the victory with {n} points.", points).format(
        who=players(snapshot, over.winners), n=points
    )


def waiting(snapshot: Snapshot) -> str:
    """What the match waits for now, in one sentence."""
    seats, owing = len(snapshot.names), snapshot.waiting
    others = tuple(s for s in owing if s != snapshot.view.seat)
    if snapshot.phase in ("ended", "stopped"):
        return trouble(snapshot) or _("The match has ended.")
    here = tuple(s for s in range(seats) if s not in snapshot.view.rules.gone)
    missing = tuple(s for s in here if s not in snapshot.signed)
    if snapshot.phase == "done" and missing:
        return _("The game is over. {result} Not confirmed by {who}.").format(result=result(snapshot), who=players(snapshot, missing))
    if snapshot.phase == "done":
        return _("The game is over and everybody has signed the result. {result}").format(result=result(snapshot))
    if snapshot.phase == "over":
        return _("{result} Waiting for the signature of {who}.").format(result=result(snapshot), who=players(snapshot, missing))
    if snapshot.phase == "set-up":
        return _("Making keys: {n} of {all} are ready.").format(n=seats - len(owing), all=seats)
    request = snapshot.view.pending
    if isinstance(request, Shuffle):
        gone = snapshot.view.rules.gone
        mixed = min(owing) - sum(s < min(owing) for s in gone) if owing else seats - len(gone)
        return _("Shuffling: {n} of {all} have mixed.").format(n=mixed, all=seats - len(gone))
    if snapshot.asked:
        return _("It is your turn.")
    if isinstance(request, Roll):
        return (
            _("All toss a coin together: waiting for {who}.").format(who=players(snapshot, others))
            if others
            else _("All toss a coin together.")
        )
    if isinstance(request, Reveal):
        return _("Opening cards: waiting for {who}.").format(who=players(snapshot, others)) if others else _("Opening cards.")
    if isinstance(request, ChooseAll):
        return _("Waiting for {who}.").format(who=players(snapshot, others))
    if isinstance(request, Over):
        return result(snapshot)
    turn = getattr(request, "seat", None)
    if turn is None:
        return _("One moment.")
    if snapshot.view.seat == turn:
        return _("It is your turn.")
    text = _("It is {who}'s turn.").format(who=player(snapshot, turn))
    if turn in snapshot.left:
        return _("{who} has left.").format(who=player(snapshot, turn))
    return text if snapshot.linked[turn] else text + " " + _("{who} is not answering.").format(who=player(snapshot, turn))


def turn(snapshot: Snapshot) -> str:
    """What the match waits for, and since when if that is a while: nobody is hurried, but all know that it is not the network."""
    text = waiting(snapshot)
    minutes = max((n for seat, n in snapshot.minutes if seat in snapshot.waiting), default=0)
    return ngettext("{sentence} ({n} minute)", "{sentence} ({n} minutes)", minutes).format(sentence=text, n=minutes) if minutes else text


def verified(snapshot: Snapshot) -> str:
    """What this program has itself checked of the deck, in a few words."""
    if snapshot.phase == "set-up":
        return _("making keys")
    if isinstance(snapshot.view.pending, Shuffle):
        return _("deck is being mixed by all")
    if snapshot.trust.shuffles:
        return ngettext("deck verified: {n} shuffle checked", "deck verified: {n} shuffles checked", snapshot.trust.shuffles).format(
            n=snapshot.trust.shuffles
        )
    return ""


def checked(snapshot: Snapshot) -> str:
    """Everything this program has checked so far, in one sentence."""
    trust = snapshot.trust
    parts = (
        ngettext("{n} signature", "{n} signatures", trust.signatures).format(n=trust.signatures),
        ngettext("{n} shuffle", "{n} shuffles", trust.shuffles).format(n=trust.shuffles),
        ngettext("{n} opening of a card", "{n} openings of cards", trust.shares).format(n=trust.shares),
        ngettext("{n} move", "{n} moves", trust.moves).format(n=trust.moves),
    )
    counts = trust.signatures, trust.shuffles, trust.shares, trust.moves
    told = [part for part, n in zip(parts, counts, strict=True) if n]
    return _("Checked on this machine: {parts}.").format(parts=", ".join(told) or _("nothing yet"))


def _audit(snapshot: Snapshot) -> list[str]:
    """What becomes, or became, of what was hidden."""
    if not snapshot.view.rules.options.audit:
        return [_("This table has no audit at the end: what was hidden stays hidden, and its proofs hold.")]
    if snapshot.trust.audited:
        return [_("Audit: the secret of those who hid something was shown at the end; all of it was read and checked once more.")]
    return []


def trust(snapshot: Snapshot) -> list[str]:
    """What was verified, by whom, and what that means: paragraphs for a page."""
    done, seats = snapshot.trust, len(snapshot.names)
    lines = [
        *(another_key(snapshot.names[seat]) for seat in snapshot.strangers),
        checked(snapshot),
        *([watching(snapshot)] if snapshot.watchers else []),
        *([fresh_keys(snapshot)] if snapshot.fresh else []),
        "",
        _("Signatures: every answer came from the player whose name it bears, in its place, and nobody has said two things at once."),
    ]
    if done.shuffles:
        lines.append(
            _(
                "Shuffles: each player mixed the cards and proved that they are still the same cards. As long as one of the {n} keeps"
                " his own mixing to himself, as this program does with yours, nobody knows or chose the order."
            ).format(n=seats)
        )
    if done.shares:
        lines.append(
            _("Openings: a face-down card opens only when all give their share of its key; each share came with a proof that it is right.")
        )
    lines += [
        _("Moves: each was legal by the rules, also where it was made in secret."),
        _("Every player's program checks the same, on its own machine. A false step stops the match and names its author, with a proof."),
        *_audit(snapshot),
        _("At the end all sign the result; anybody can check the transcript later: mastaba verify FILE."),
    ]
    if snapshot.signed:
        lines.append(_("The result has been signed by {who}.").format(who=players(snapshot, snapshot.signed)))
    return lines


def watching(snapshot: Snapshot) -> str:
    """Who follows the match without a seat: how many, and each one's name, if one was given, and key."""
    n = len(snapshot.watchers)
    if not n:
        return _("Nobody watches any more.")
    nameless = _("without a name")
    who = ", ".join(f"{clean(name) or nameless} ({words(identity)})" for identity, name in snapshot.watchers)
    return ngettext("{n} watches: {who}.", "{n} watch: {who}.", n).format(n=n, who=who)


def watched(snapshot: Snapshot) -> str:
    """How many follow the match, in two words; empty if nobody does."""
    n = len(snapshot.watchers)
    return ngettext("{n} watches", "{n} watch", n).format(n=n) if n else ""


def fresh_keys(snapshot: Snapshot) -> str:
    """Who plays under a key that was made for this table alone."""
    n = len(snapshot.fresh)
    text = ngettext("{who} plays under a fresh key, for this table alone.", "{who} play under fresh keys, for this table alone.", n)
    return text.format(who=players(snapshot, snapshot.fresh))


def another_key(name: str) -> str:
    """The question whether somebody known by this name is the same person, which only the person can answer."""
    text = _("WARNING: this is not the {who} that you know, but another key. If it is {who} all the same, type «yes {who}».")
    return text.format(who=clean(name))


def two_are_left(snapshot: Snapshot) -> bool:
    """Do too few play yet to leave one behind by a vote?  A proven cheat can always be."""
    return len({*range(len(snapshot.names))} - {*snapshot.view.rules.gone, *snapshot.left}) < 3 and snapshot.phase != "stopped"


def voting(snapshot: Snapshot) -> tuple[object, ...]:
    """What a message about silence and votes speaks of: when it differs, the message is old."""
    return snapshot.phase, snapshot.votes, tuple(seat for seat, seconds in snapshot.silent if not seconds)


def heard(snapshot: Snapshot) -> bool:
    """Is another player there, who hears what this seat says and passes it on?"""
    return any(linked for seat, linked in enumerate(snapshot.linked) if seat != snapshot.view.seat)


def all_stayed(snapshot: Snapshot) -> bool:
    """Has the match come to its end with all players, so that the same can begin another?"""
    return snapshot.phase == "done" and not snapshot.view.rules.gone and not snapshot.left


def wanting(snapshot: Snapshot) -> str:
    """Who wants to play another match; empty if nobody does."""
    return (
        ngettext("{who} wants to play again.", "{who} want to play again.", len(snapshot.again)).format(
            who=players(snapshot, snapshot.again)
        )
        if snapshot.again
        else ""
    )


def after(snapshot: Snapshot, again: bool) -> str:
    """What can be typed once the game is over; `again`: another match with the same people can be offered."""
    if not again or not all_stayed(snapshot):
        return _("The game is over: Enter leaves.")
    if snapshot.again:
        return wanting(snapshot) + " " + _("So do you? Type again. Enter leaves.")
    return _("The game is over: Enter leaves; again: another match with the same people.")


def silence(snapshot: Snapshot) -> str:
    """Who has cheated or is silent, for how long that is borne, what the others have voted, and what can be typed; empty if all is well."""
    texts, late = [], False
    if snapshot.phase in ("done", "ended"):
        return ""
    for seat, lost in () if two_are_left(snapshot) else snapshot.votes:
        if lost is None:
            texts.append(_("{who} would wait.").format(who=player(snapshot, seat)))
        else:
            texts.append(_("{who} would go on without {lost}.").format(who=player(snapshot, seat), lost=player(snapshot, lost)))
    for seat, seconds in snapshot.silent:
        who = player(snapshot, seat)
        if snapshot.phase == "stopped":
            late = True
            texts.append(trouble(snapshot))
        elif seconds:
            text = ngettext("{who} is silent: {n} more second of grace.", "{who} is silent: {n} more seconds of grace.", seconds)
            texts.append(text.format(who=who, n=seconds))
        elif two_are_left(snapshot):
            text = _(
                "{who} is silent. Wait, or quit and resume together: all is kept. Who has left must run mastaba resume once, to tell you."
            )
            texts.append(text.format(who=who))
        else:
            late = True
            texts.append(_("{who} is silent.").format(who=who))
    voted = dict(snapshot.votes)
    if snapshot.view.seat is None or two_are_left(snapshot):
        return " ".join(texts)
    if late or lacking(snapshot):
        texts += [going_on(snapshot.view.rules.NAME)] if snapshot.view.seat not in voted else []
    return " ".join(texts)


def lacking(snapshot: Snapshot) -> tuple[int, ...]:
    """The seats without which the others may vote to go on, now: somebody has called it, or their grace is over; and they are not back."""
    silent = dict(snapshot.silent)
    called = [lost for _seat, lost in snapshot.votes if lost in silent]
    return tuple(dict.fromkeys(seat for seat in (*called, *(s for s, left in silent.items() if not left)) if seat is not None))


def link(snapshot: Snapshot, seat: int) -> str:
    """How a seat is doing, whether its key is another than before or fresh, or that a bot plays it; empty if there is nothing to say."""
    mark = _("bot") if seat in snapshot.bots else _("under a fresh key") if seat in snapshot.fresh else ""
    return away(snapshot, seat) or (_("not the one you know") if seat in snapshot.strangers else mark)


def away(snapshot: Snapshot, seat: int) -> str:
    """Gone, or not answering; empty if it is there."""
    if seat in snapshot.view.rules.gone or seat in snapshot.left:
        return _("has left")
    if not snapshot.linked[seat] and seat != snapshot.view.seat:
        return _("not answering")
    return ""


def absent(who: str, moved: bool) -> str:
    """After somebody has left: who made the last move in his name, if one was due."""
    return " " + _("The last move of {who} was made by the programs.").format(who=who) if moved else ""


def void(snapshot: Snapshot, event: Event) -> str:
    """What a seat had signed that does not count, where a file is shown that has it; empty for any other event."""
    if event.id != "void" or event.seat is None:
        return ""
    step, n = event.args
    text = ngettext(
        "Void: {n} contribution that {who} had signed, for step {step}.",
        "Void: {n} contributions that {who} had signed, for step {step} and later.",
        n,
    )
    return text.format(n=n, who=player(snapshot, event.seat), step=step)


def trouble(snapshot: Snapshot) -> str:
    """What went wrong, in words; empty if nothing did."""
    return " ".join(in_words(snapshot, id, seat, detail) for id, seat, detail in snapshot.trouble[-3:])


def in_words(snapshot: Snapshot, id: str, seat: int | None, detail: str) -> str:
    """One trouble: (id, seat or None, detail) of Snapshot."""
    who = player(snapshot, seat) if seat is not None and 0 <= seat < len(snapshot.names) else _("somebody")
    text = trouble_words(id) if seat is None or id in ("silent", "left") else _("{who} was caught cheating: {claim}.")
    return text.format(who=who, claim=claim_words(id), detail=clean(detail).removesuffix("."))


def commands_in_brief(watching: bool) -> str:
    """What can be typed beside moves on the screen, where the table and the hand are seen anyway."""
    if watching:
        return _("You are watching. You can type: board, last, who, log, check, mute NAME, export FILE, quit.")
    return _(
        "Also: board, hand, last, who, log, check, cover, bot, me, say TEXT, mute NAME, export FILE; quit keeps your seat,"
        " leave is for ever, go on and wait are votes."
    )


def replay_keys() -> str:
    """The keys where a match is only seen again."""
    return _(
        "Right, space or n: one moment on. Left or b: one back. PgDn, PgUp: ten. Home, End: the first, the last. Up, Down: the log."
        " Enter: on, and out at the end. q: leave."
    )


def commands() -> list[str]:
    """What can be typed at any time."""
    return [
        _("board: the table.  hand: your cards.  last: what happened last.  who: whose turn.  log N: the last N lines."),
        _(
            "moves: your choices again; moves all: also those without a number.  check: what was verified, and what that means."
            "  export FILE: write the log to a file."
        ),
        _("bot: a bot plays your seat from now on.  me: you play it again."),
        _("cover: hide your hand from who looks over your shoulder, or show it again."),
        _("say TEXT: chat.  mute NAME: show that player's chat no more, or again."),
        _("quit: go; your seat stays yours.  leave: for ever; the others play on.  go on, wait: your vote when somebody is silent."),
    ]
