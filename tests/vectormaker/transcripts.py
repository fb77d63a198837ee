"""Whole transcripts that hold: every game at its sizes, good-byes, votes and next matches, the audit, results that not all have signed."""

from collections.abc import Callable, Iterator
from typing import Any

from mastaba.core.games import GAMES
from mastaba.core.rules import Over
from mastaba.net.log import Contribution, Signed, sign
from mastaba.net.votes import proof_hash

from .rows import Row, holds
from .scribe import Scribe, item
from .tables import file_of

SIZES = {game: sorted({GAMES[game].rules.SEATS[0], 2, 3, GAMES[game].rules.SEATS[-1]}) for game in GAMES}
LONG_ENOUGH = 8  # steps of a match in which something is to happen


def row(name: str, scribe: Scribe, complete: bool, about: str, void: tuple[Signed, ...] = (), shipped: bool = False) -> Row:
    data = file_of(scribe.first.game, shipped)
    return Row(f"transcript/{name}.mastaba", "transcript", data, about, scribe.file(void), holds(complete))


def first_of(game: str) -> int | None:
    """Pyramid's mummy is seat 0, so that the others are its hunters; elsewhere a coin says who begins."""
    return 0 if game == "pyramid" else None


def searched(make: Callable[[str], Scribe], fits: Callable[[Scribe], bool], label: str) -> Scribe:
    """The first of the matches with this label in which that happens."""
    for n in range(200):
        scribe = make(f"{label} {n}")
        if fits(scribe):
            return scribe
    raise AssertionError(f"no match of 200 is one with {label}")


def whole(label: str, game: str, seats: int, **options: Any) -> Scribe:
    scribe = Scribe(label, game, seats, first_of(game), **options)
    scribe.play()
    return scribe


def over(scribe: Scribe) -> Over:
    pending = scribe.table.rules.pending
    assert isinstance(pending, Over)
    return pending


def games() -> Iterator[Row]:
    for game, sizes in SIZES.items():
        for seats in sizes:
            many = "one seat, for practice" if seats == 1 else f"{seats} seats"
            yield row(
                f"{game}-{seats}", whole(f"whole {game} {seats}", game, seats), True, f"a whole game of {game}, {many}, the small table"
            )


def games_as_shipped() -> Iterator[Row]:
    for game in SIZES:
        scribe = whole(f"shipped {game}", game, 2, shipped=True)
        yield row(f"{game}-2-shipped-table", scribe, True, f"a whole game of {game}, 2 seats, the shipped table", shipped=True)


def results() -> Iterator[Row]:
    shared = searched(
        lambda label: whole(label, "scarabya", 3), lambda s: 1 < len(over(s).winners) < 3 and max(over(s).scores) > 0, "shared victory"
    )
    yield row("shared-victory", shared, True, "two of three seats share the victory")
    yield row(
        "audit",
        whole("audit", "pyramid", 4),
        True,
        "Pyramid with the audit: `Over` opens the team's secret, and all that was hidden is read",
    )
    yield row("no-audit", whole("no audit", "pyramid", 3, audit=False), True, "Pyramid at a table without the audit: `Over` says no secret")
    sides = whole("other sides", "crypt", 3, variant="aababb")
    yield row("crypt-3-other-sides", sides, True, "The Crypt with the variant `aababb`: some collectors lie on their other side")
    bots = whole("bots", "loot", 4, bots={1: 0, 3: 3})
    yield row("bots", bots, True, "the program of seat 0 runs the bot of seat 1, and the bot of seat 3 is a program by itself")
    unsigned = Scribe("not signed by all", "scarabya", 3)
    unsigned.play(lambda: unsigned.table.rules.over and unsigned.table.missing == (1, 2))
    yield row("signed-by-one-alone", unsigned, False, "a finished game whose result seats 1 and 2 have not signed")
    unsigned = Scribe("signed by nobody", "scarabya", 2)
    unsigned.play(lambda: unsigned.table.rules.over)
    yield row("signed-by-nobody", unsigned, False, "a finished game whose result nobody has signed")
    for name, steps, about in (
        ("roster-alone", None, "a roster alone: nothing was said"),
        ("unfinished", 9, "a match that was broken off"),
    ):
        scribe = Scribe(name, "loot", 3)
        if steps is not None:
            scribe.play(lambda scribe=scribe, steps=steps: scribe.table.step >= steps and len(scribe.table.missing) == 1)
        yield row(name, scribe, False, about)
    hole = Scribe("a hole in the last round", "loot", 3)
    hole.play(lambda: hole.kind == "Coin")
    hole.items.append(item(hole.signed(2, hole.body(2)[0])))
    yield row("hole-in-the-last-round", hole, False, "in the last round of a file contributions may be missing: here seat 2's stands alone")


# -- good-byes --------------------------------------------------------------------------------------------------------


def good_byes() -> Iterator[Row]:
    for game in GAMES:
        scribe = left_at(f"good-bye {game}", game, lambda s: s.between(LONG_ENOUGH // 2)() and s.table.missing[0] == 1)
        yield row(f"good-bye-{game}", scribe, True, f"{game}: seat 1 says good-bye in the game, and the others play on with its keys")
    scribe = left_at("good-bye in a shuffle", "loot", lambda s: s.at("ShuffleTurn", 1)())
    yield row("good-bye-in-a-shuffle", scribe, True, "seat 1 says good-bye when it is its turn to shuffle: the rows stay as they are")
    scribe = left_at("good-bye at the end", "loot", lambda s: s.table.rules.over and s.table.missing[0] == 1)
    yield row("good-bye-at-the-end", scribe, True, "seat 1 says good-bye instead of signing the result: the file is complete without it")
    scribe = left_at(
        "good-bye of the team's maker",
        "pyramid",
        lambda s: s.at("Asking", 1)() or (s.table.step > LONG_ENOUGH and s.table.missing[0] == 1),
        4,
    )
    yield row(
        "good-bye-of-a-hunter",
        scribe,
        True,
        "Pyramid: the hunter that made the team's secret leaves; a new secret is made, and what was hidden is hidden anew",
    )
    two = Scribe("two good-byes", "loot", 4)
    for seat in (2, 1):
        two.play(lambda seat=seat: two.table.step >= LONG_ENOUGH and two.table.missing[0] == seat)
        two.leave(seat)
    two.play()
    yield row("two-good-byes", two, True, "seats 2 and 1 leave, one after the other")


def left_at(label: str, game: str, when: Callable[[Scribe], bool], seats: int = 3, leaver: int = 1) -> Scribe:
    """A match that the leaver leaves at that moment."""

    def played(label: str) -> Scribe:
        scribe = Scribe(label, game, seats, first_of(game))
        if scribe.play(lambda: when(scribe)):
            scribe.leave(leaver)
            scribe.play()
        return scribe

    return searched(played, lambda scribe: leaver not in scribe.replays, label)


# -- votes and next matches -------------------------------------------------------------------------------------------


def begun(label: str, game: str, seats: int, step: int = LONG_ENOUGH, **options: Any) -> Scribe:
    """A match of which so many steps have been answered, or more, and nothing of the next."""

    def played(label: str) -> Scribe:
        scribe = Scribe(label, game, seats, first_of(game), **options)
        scribe.play(lambda: scribe.between(step)() and not scribe.table.rules.over)
        return scribe

    return searched(played, lambda scribe: not scribe.table.done, label)


def next_matches() -> Iterator[Row]:
    for game in GAMES:
        scribe = begun(f"next match {game}", game, 4, {"scarabya": 5}.get(game, LONG_ENOUGH))
        scribe.without(2)
        scribe.play()
        yield row(f"vote-{game}", scribe, True, f"{game}: three of four vote to go on without seat 2, and play the next match to its end")
    scribe = begun("a majority of five", "loot", 5)
    scribe.without(4, voters=(0, 1, 2))
    scribe.play()
    yield row("vote-of-a-bare-majority", scribe, True, "three votes of five; seat 3 has not voted, and plays on")
    scribe = begun("a bare majority", "loot", 4)
    scribe.without(3, voters=(0, 1, 2), round_=5)
    scribe.play()
    yield row("vote-of-a-later-round", scribe, True, "the certificate is of vote round 5")
    scribe = begun("resumed", "loot", 4)
    choice = scribe.choice((3,))
    scribe.go_on(scribe.next_roster([scribe.vote(0, choice), scribe.vote(1, choice, resumed=True), scribe.vote(2, choice)]))
    scribe.play()
    yield row("vote-of-a-resumed-seat", scribe, True, "one of the votes says that its program has come back from its journal")
    scribe = Scribe("before the keys", "loot", 3)
    scribe.without(1)
    scribe.play()
    yield row("vote-before-the-keys", scribe, True, "the next match goes on from step -1: nothing was answered, and there were no keys")
    scribe = begun("two next matches", "loot", 5)
    for lost in (4, 2):
        scribe.without(lost)
        scribe.play(scribe.between(3))
    scribe.play()
    yield row("two-next-matches", scribe, True, "a chain of three matches: seat 4 is lost, then seat 2")
    scribe = begun("bots do not vote", "loot", 5, bots={3: 0, 4: 0})
    scribe.without(2, voters=(0, 1))
    scribe.play()
    yield row("vote-with-bots", scribe, True, "two persons' votes of three are a majority; the two bots do not vote, and are not counted")
    scribe = begun("left and lost", "loot", 4)
    scribe.play(lambda: scribe.table.missing[0] == 1)
    scribe.leave(1)
    scribe.play(scribe.between(scribe.table.step + 2))
    scribe.without(3)
    scribe.play()
    yield row("good-bye-then-vote", scribe, True, "seat 1 has left, and is no voter when the others go on without seat 3")
    scribe = begun("a bye", "loot", 4)
    scribe.without(3, left=[scribe.bye(1)])
    scribe.play()
    yield row(
        "vote-with-byes",
        scribe,
        True,
        "the votes count a good-bye of seat 1 that has filled no slot yet; so two votes of three are a majority",
    )
    scribe = begun("a cheat", "loot", 4)
    last = scribe.replay.filled[3]
    pair = [sign(last, scribe.signers[3]).data, scribe.signed(3, ("other",), step=last.step, round=last.round).data]
    scribe.without(3, proof=proof_hash(pair))
    scribe.play()
    yield row("vote-after-a-proven-cheat", scribe, True, "the votes cite the hash of a proof against seat 3, which had signed two bodies")


# -- void items -------------------------------------------------------------------------------------------------------


def void(scribe: Scribe, seat: int, signer: Any, match: bytes, step: int) -> Signed:
    """A contribution that counts nowhere."""
    return sign(Contribution(match, step, 0, seat, bytes(32), bytes(8), ("late", step)), signer)


def tails() -> Iterator[Row]:
    scribe = begun("void after a vote", "loot", 4)
    lost = scribe.signers[2]
    scribe.without(2)
    cut = scribe.roster.come_from.step
    scribe.play()
    tail = tuple(void(scribe, 2, lost, scribe.first.match, step) for step in (cut + 1, cut + 2, cut + 7))
    yield row("void-after-a-vote", scribe, True, "seat 2 went on answering in the match that the others had left", tail)
    yield row("void-in-another-order", scribe, True, "the same in another order, and with one less", (tail[2], tail[0]))
    scribe = begun("back after a proof", "scarabya", 4, 4)
    first, before = list(scribe.signers), scribe.first.match
    scribe.without(3, proof=bytes(32))
    cut = scribe.roster.come_from.step
    scribe.play()
    tail = tuple(void(scribe, seat, first[seat], before, cut + 3) for seat in (0, 3, 1))
    about = "the votes cite a proof, and two of the voters had signed further: seat 2 had not, which sets the bound"
    yield row("vote-after-a-proof-goes-back", scribe, True, about, tail)
    scribe = whole("void behind the end", "scarabya", 3)
    late = void(scribe, 1, scribe.signers[1], scribe.first.match, scribe.table.step + 4)
    yield row("void-behind-the-end", scribe, True, "a contribution that was signed behind the end of a finished game", (late,))
