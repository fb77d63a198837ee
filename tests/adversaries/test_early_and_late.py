"""Answers that come too early, too late or not at all: nothing is gained, nobody honest is named, and the others play on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from adversaries.cheat import CHEAT, assert_named, dishonest, watched
from fakenet import Net
from mastaba.cli.bot import overdue
from mastaba.core.fair.choice_rounds import ChoiceCommitment, ChoiceOpening
from mastaba.core.rules import Choose, Reveal
from mastaba.net.log import sign
from mastaba.net.terms import in_play
from mastaba.net.verify import verify
from mastaba.net.votes import cast
from mastaba.net.wire import At, Bye, Message, Next, Note, Probe, Say, Vote, Want, Watch, pack

DATA = Path(__file__).parents[1] / "data"


def scarabya() -> Net:
    return Net(3, seed=6, game="scarabya", path=DATA / "scarabya-small.toml", level="random")


def opened_early(net: Net, then: str) -> list[tuple[int, int]]:
    """The cheat shows its choice in the round of commitments, under a digest that it cannot know; `then` it "says it again", or not."""
    table, known = net.sessions[CHEAT].table, {}
    honest = table.make

    def make(rng: Any) -> Any:
        body, private = honest(rng)
        if isinstance(table.stage, ChoiceCommitment) and not known:
            known[table.step] = private
        return body, private

    table.make = make  # type: ignore[method-assign]

    def change(said: Any, receiver: int) -> Any:
        if said.step in known and said.round == 0:
            return said, replace(said, round=1, body=known[said.step])
        return () if said.step in known and then == "is silent" else said

    return dishonest(net, change)


def test_a_choice_shown_before_all_are_committed_binds_its_seat_and_nobody_waits_for_it() -> None:
    """Its digest cannot be right, since the commitments of others are in it; the right one later is a second body."""
    net = scarabya()
    opened_early(net, "says it again")
    net.connect()
    net.run(lambda: all(s.fault for s in net.sessions[1:]), idle=12)
    assert_named(net, "two-bodies")


def test_a_choice_shown_early_and_then_kept_back_is_silence_and_names_nobody() -> None:
    net = scarabya()
    opened_early(net, "is silent")
    net.connect()
    net.run(lambda: False, idle=12)
    for session in net.sessions[1:]:
        assert session.fault is None
        assert isinstance(session.table.stage, ChoiceOpening)
        assert CHEAT in session.table.missing
        assert overdue(session.snapshot()) is None  # its grace runs


def test_another_answer_after_the_round_is_over_is_a_second_body_and_changes_nothing() -> None:
    """Late: the round is complete and the game has gone on; what was agreed stays as it was at everybody's."""
    net = watched(3, seed=6, first=CHEAT)
    late: dict[str, Any] = {}

    def change(said: Any, receiver: int) -> Any:
        if isinstance(net.asked.get(said.step), Choose) and "said" not in late:
            late["said"] = said
        return said

    dishonest(net, change)
    net.connect()
    net.run(lambda: "said" in late and all(s.table.step > late["said"].step + 1 for s in net.sessions))
    said = late["said"]
    before = [next(r for r in s.book.rounds if r.place == said.place).said[CHEAT].data for s in net.sessions[1:]]
    other = sign(replace(said, body=(("run",),)), net.signers[CHEAT])
    for session in net.sessions[1:]:
        session.receive(CHEAT, Say(other.data, other.signature))
    assert_named(net, "two-bodies")
    assert [next(r for r in s.book.rounds if r.place == said.place).said[CHEAT].data for s in net.sessions[1:]] == before


def test_the_same_answer_again_and_again_is_nothing() -> None:
    net = Net(3, seed=6)
    net.tamper = lambda a, b, message: (message,) * 3 if isinstance(message, Say) else (message,)
    net.connect()
    net.run()
    assert [s.fault for s in net.sessions] == [None] * 3
    assert all(s.table.done for s in net.sessions)


def test_a_storm_of_any_message_is_answered_with_little_and_changes_nothing() -> None:
    net = Net(3, seed=5)
    last: dict[type, Message] = {}

    def keep(a: int, b: int, message: Message) -> tuple[Message, ...]:
        if (a, b) == (CHEAT, 1):
            last[type(message)] = message
        return (message,)

    net.tamper = keep
    net.connect()
    net.sessions[CHEAT].note("hello")
    net.run(lambda: net.sessions[1].table.step >= 6)
    victim, roster = net.sessions[1], net.match.roster
    victim.about, victim.toml = in_play(roster, "Friday", True), bytes(60_000)
    vote = cast(roster, 0, CHEAT, ("stay",), net.signers[CHEAT])
    assert set(last) == {At, Note, Say}
    for message in (*last.values(), Probe(), Want(), Watch(""), Vote(vote.data, vote.signature), Next(roster.encode()), Bye()):
        victim.tick(net.clock)
        net.flush()
        for _ in range(500):
            victim.receive(CHEAT, message)
        answers = victim.take_outbox()
        assert sum(len(pack(answer)) for _, answer in answers) < 200_000, message
        for receiver, answer in answers:
            net.send(1, receiver, answer)
        assert victim.take_closes() == []
    net.run()
    assert [s.fault for s in net.sessions] == [None] * 3
    assert all(s.table.done for s in net.sessions)


def refuse(net: Net) -> list[int]:
    """The cheat is there, and answers everything but what would open a card."""
    refused: list[int] = []

    def tamper(a: int, b: int, message: Message) -> tuple[Message, ...]:
        table = net.sessions[CHEAT].table
        if a != CHEAT or not isinstance(message, Say):
            return (message,)
        if not refused and table.step > 3 and isinstance(net.asked.get(table.step), Reveal):
            refused.append(table.step)
        return () if refused else (message,)

    net.tamper = tamper
    return refused


def test_who_refuses_its_shares_is_waited_for_and_then_left_behind_and_nobody_is_named() -> None:
    net = watched(4, seed=5, grace=1)
    refused = refuse(net)
    net.connect()
    rest = net.sessions[1:]

    def until() -> bool:
        for session in rest:
            if overdue(session.snapshot()) == CHEAT:
                session.vote(CHEAT)
        return all(s.table.done or s.fault for s in rest)

    net.run(until, idle=80)
    assert refused
    assert [s.fault for s in rest] == [None] * 3
    assert all(CHEAT in s.table.rules.gone for s in rest)
    (file,) = {s.transcript() for s in rest}
    report = verify(file, lambda roster: net.match.table())
    assert report.ok
    assert report.complete
    assert CHEAT not in report.winners


def test_with_two_seats_refused_shares_end_nothing_the_match_is_kept_and_nobody_is_named() -> None:
    net = watched(2, seed=5, grace=1)
    refused = refuse(net)
    net.connect()
    net.run(lambda: False, idle=40)
    honest = net.sessions[1]
    assert refused
    assert honest.fault is None
    assert honest.snapshot().phase in ("play", "shuffle")
    assert CHEAT in honest.table.missing
    report = verify(honest.transcript(), lambda roster: net.match.table())
    assert report.ok
    assert not report.complete
    net.crash(1)  # kept: the seat comes back to where it was
    assert net.sessions[1].table.step == honest.table.step
