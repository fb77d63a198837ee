"""What a typed line means: whatever is typed, the answer is one of a few things to do."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import get_args, get_type_hints

import mastaba
import pytest
from hypothesis import given, strategies as st
from mastaba.cli import bot, text, typed
from mastaba.cli.cells import plain, wrap
from mastaba.cli.finder import Seen
from mastaba.cli.lines import farewell
from mastaba.cli.show import lobby, loot, loot_words, show_of, status
from mastaba.cli.show.frame import Ui, compose
from mastaba.cli.tables import in_words
from mastaba.core.rules import Event
from mastaba.net.discovery import TableAd
from mastaba.net.lobbyview import LobbySeat, LobbyView
from snapshots import Table, asked

TABLE = Table(4, seed=5).until(lambda t: t.steps > 40 and asked(0)(t) and t.dealer.spectator.pending.moves == "actions")
MINE = TABLE.snapshot(0)
OTHERS = TABLE.snapshot(1)
STORY = [f"line {n}" for n in range(30)]


def understood(line: str, snapshot=MINE) -> typed.Typed:
    return typed.understand(loot, snapshot, STORY, line)


@pytest.mark.parametrize(
    ("line", "kind", "value"),
    [
        ("", "nothing", None),
        ("   ", "nothing", None),
        ("1", "move", ("loot", 0)),
        ("run", "move", ("run",)),
        ("quit", "quit", None),
        ("Q", "quit", None),
        ("salir", "quit", None),
        ("?", "help", None),
        ("ayuda", "help", None),
        ("leave", "leave", None),
        ("abandonar", "leave", None),
        ("say  Hola, Beto", "say", "Hola, Beto"),
        ("decir hola", "say", "hola"),
        ("log 3", "tell", ["line 27", "line 28", "line 29"]),
        ("last", "tell", ["line 29"]),
        ("última", "tell", ["line 29"]),
    ],
)
def test_commands_in_both_languages(line, kind, value):
    assert understood(line) == typed.Typed(kind, value)


def test_queries_answer_from_the_snapshot():
    assert any("Deck 1" in line for line in understood("board").value)
    assert "Your turn, Ana" in understood("who").value[0]
    assert understood("hand").value[0].startswith("Your card 1")
    assert len(understood("moves").value) == len(MINE.view.moves())
    assert understood("check").kind == "check"
    assert "signatures" in status.trust(MINE)[0]
    assert understood("log 99999999999999999999").value == STORY
    assert understood("log x").value == STORY[-10:]


def test_nobody_moves_out_of_turn():
    assert understood("1", OTHERS).kind == "tell"
    assert "not your turn" in understood("run", OTHERS).value[0]


@given(st.text(max_size=100))
def test_whatever_is_typed_is_understood_or_explained(line):
    for snapshot in (MINE, OTHERS):
        meant = understood(line, snapshot)
        assert meant.kind in get_args(get_type_hints(typed.Typed)["kind"])
        if meant.kind == "tell":
            assert meant.value
            assert all("\x1b" not in said for said in meant.value)


def test_who_says_for_how_many_minutes_a_seat_has_been_thinking():
    thinking = replace(OTHERS, waiting=(OTHERS.view.pending.seat,))
    assert "minute" not in understood("who", thinking).value[0]
    for minutes, said in ((1, "'s turn. (1 minute)"), (12, "'s turn. (12 minutes)")):
        assert understood("turno", replace(thinking, minutes=((thinking.waiting[0], minutes),))).value[0].endswith(said)


def test_a_vote_is_only_possible_when_somebody_has_been_silent_for_long():
    assert understood("go on").kind == "tell"
    waiting = replace(OTHERS, silent=((0, 30),))
    assert understood("go on", waiting).kind == "tell"
    assert status.silence(waiting) == "Ana is silent: 30 more seconds of grace."
    late = replace(OTHERS, silent=((0, 0),), votes=((2, 0), (3, None)))
    assert understood("go on", late) == understood("seguir", late) == typed.Typed("vote", 0)
    assert understood("wait", late) == understood("esperar", late) == typed.Typed("vote", None)
    said = status.silence(late)
    assert "Type go on, or wait" in said
    assert "Caro would go on without Ana" in said
    assert "Dani would wait" in said


def test_with_two_players_a_silent_one_is_waited_for():
    table = Table(2, seed=1).until(asked(1))
    said = status.silence(replace(table.snapshot(0), silent=((1, 0),)))
    assert "all is kept" in said
    assert "go on" not in said
    late = replace(table.snapshot(0, names=("W" * 16, "M" * 16)), silent=((1, 0),), votes=((0, None),))
    for language in ("en", "es"):
        text.use(language)
        assert len(wrap(status.silence(late), 78)) == 2
        for word in ("go on", "wait"):
            meant = understood(word, late)
            assert meant.kind == "tell"
            assert meant.value == [text._("With two players nobody can be left behind: the match waits, and can be resumed.")]


def test_what_to_vote_fits_the_screen_and_is_not_asked_of_who_has_voted():
    for language in ("en", "es"):
        text.use(language)
        late = replace(OTHERS, silent=((0, 0),), votes=((2, 0),))
        how = text._("Type go on, or wait. Points stay; dealt cards are shown, and the rest is shuffled.")
        assert how in status.silence(late)
        assert len(wrap(status.silence(late), 78)) <= 2
        for name, game_words in zip(("pyramid", "scarabya"), ("mummy", "site") if language == "en" else ("momia", "sitio"), strict=True):
            asked_there = Table(3, seed=1, game=name).snapshot(0)
            said = status.silence(replace(asked_there, silent=((1, 0),), votes=((2, 1),)))
            assert game_words in said
            assert how not in said
            assert len(wrap(said, 78)) <= 2
        me = late.view.seat
        assert how not in status.silence(replace(late, votes=((me, 0),)))


def test_who_has_said_good_bye_has_left_before_the_game_comes_to_it():
    text.use("en")
    leaving = replace(OTHERS, left=(0,), linked=(False, True, True, True))
    assert status.link(leaving, 0) == "has left"
    assert status.link(replace(OTHERS, linked=leaving.linked), 0) == "not answering"
    three = replace(Table(3, seed=1).until(asked(1)).snapshot(0), left=(1,), silent=((2, 0),))
    assert understood("go on", three).kind == "tell", "the vote of one would be all"


def test_another_match_is_offered_only_where_all_have_stayed():
    over = Table(2, seed=1).until(lambda t: t.over).snapshot(0)
    assert status.all_stayed(over)
    assert not status.all_stayed(replace(over, left=(1,)))
    assert not status.all_stayed(replace(over, phase="ended"))


def test_every_event_that_the_rules_can_emit_has_words():
    core = Path(mastaba.__file__).parent / "core"
    sources = "".join((core / name).read_text() for name in ("games/loot.py", "rules.py"))
    ids = set(re.findall(r'emit\("([a-z-]+)"', sources)) | set(re.findall(r'about="(shuffled|rebuilt|relaid)"', sources)) | {"left", "lost"}
    assert {"relaid", "lost", "loot"} <= ids
    assert ids - {"turn"} <= set(loot_words._EVENTS)
    for language in ("en", "es"):
        text.use(language)
        for event in (Event("lost", 1), Event("relaid", None, (4, 3)), Event("left", 2)):
            assert loot.event(MINE, event)


class Told:
    """A terminal that keeps what it is told."""

    def __init__(self):
        self.said = []

    def say(self, line):
        self.said.append(line)

    def resume(self):
        return "mastaba resume"


def test_who_leaves_while_nobody_is_there_is_told_that_nobody_has_heard_it():
    text.use("en")
    client = SimpleNamespace(snapshot=MINE, gone=True, resumable=True)
    here, alone = Told(), Told()
    farewell(client, here)
    assert here.said == ["You have left for good; the others play on without you."]
    client.snapshot = replace(MINE, linked=(True, False, False, False))
    farewell(client, alone)
    assert "nobody has heard it yet" in alone.said[0]
    assert "mastaba resume" in alone.said[0]
    assert typed.leaves(client.snapshot, "Leave?").startswith("Nobody is there to hear it")
    assert typed.leaves(MINE, "Leave?") == "Leave?"


def test_a_bot_never_votes():
    cast = []

    class Seat:
        snapshot = replace(OTHERS, asked=False, silent=((0, 0),))
        hold = 0.0

        def subscribe(self, watcher):
            self.watcher = watcher

        async def vote(self, lost):
            cast.append(lost)

    async def run():
        task = asyncio.create_task(bot.play(Seat(), "random"))
        for _turn in range(5):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert cast == []


def test_the_list_says_how_to_join_and_to_watch_where_that_can_be_done():
    text.use("en")

    def seen(phase, private=False, watch=True):
        ad = TableAd("a" * 16, "Ana", "loot", 2, 2, phase)
        return Seen(
            SimpleNamespace(service="Ana", ad=ad, addresses=(("127.0.0.1", 24642),), fits=True, versions="1"),
            True,
            ("Ana",),
            private=private,
            watch=watch,
        )

    assert any("mastaba join NAME" in line for line in in_words([seen("open")]))
    assert "mastaba watch NAME" in in_words([seen("play")])[-1]
    for table in (seen("full"), seen("play")):
        assert not any("mastaba join NAME" in line for line in in_words([table]))
    assert len(in_words([seen("full")])) == 1
    (closed,) = in_words([seen("play", watch=False)])
    assert "nobody may watch" in closed
    private, how = in_words([seen("open", private=True)])
    assert "private" in private
    assert "mastaba join NAME" in how


def test_the_beginning_of_a_move_is_answered_with_a_whole_one_that_is_legal_now():
    for language, verb in (("en", "loot"), ("es", "saquear")):
        text.use(language)
        table = Table(2, seed=1).until(asked(0))
        (said,) = understood(verb, table.snapshot(0)).value
        assert f"{verb} 1" in said


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_example_of_the_crypt_is_always_a_legal_move(language):
    text.use(language)
    crypt, examples = show_of("crypt"), 0
    for seed in range(3):
        table = Table(3, seed, game="crypt")
        while not table.over:
            for seat in range(3):
                snapshot = table.snapshot(seat)
                request = snapshot.view.asked()
                if request is None or request.moves != "turns" or request.about:
                    continue
                example = re.search(r"(?:claim|reclamar) [1-9].*$", crypt.ask(snapshot))
                if example is not None:
                    snapshot.view.check(crypt.parse(snapshot, example[0]))
                    examples += 1
                else:
                    assert not any(move[0] == "claim" for move in snapshot.view.moves())
            table.step()
    assert examples > 20


def test_where_not_all_choices_are_numbered_it_is_said_how_to_see_them():
    text.use("en")
    table = Table(2, 3, game="scarabya").until(
        lambda t: len(list(t.dealer.view(0).moves())) > 20 and t.dealer.view(0).rules.tile is not None
    )
    show, snapshot = show_of("scarabya"), table.snapshot(0)
    count = len(snapshot.view.moves())
    for line in ("moves", "jugadas"):
        said = typed.understand(show, snapshot, [], line).value
        assert f"of {count}: moves all lists every one" in said[-1]
    for line in ("moves all", "jugadas todas"):
        listed = typed.understand(show, snapshot, [], line).value
        assert len(listed) == count
        assert all(show.parse(snapshot, one.split(" (")[0]) in snapshot.view.moves() for one in listed)
    assert "moves all" not in " ".join(understood("moves").value), "where all are numbered there is nothing to say"


def test_a_table_at_which_all_sit_does_not_say_how_to_join():
    text.use("en")
    seats = tuple(LobbySeat(bytes(32), name, "w-x-y-z", name == "Ana") for name in ("Ana", "Beto"))
    for size, phase, joins in ((3, "open", True), (2, "ready", False)):
        view = LobbyView("Ana", "loot", size, seats, phase)
        for said in ("\n".join(lobby.lines(view, ())), "\n".join(map(plain, lobby.compose(view, (), Ui(), 80, 24)))):
            assert ("The others type" in said) is joins


@pytest.mark.parametrize("columns", [40, 80])
def test_a_waiting_table_says_of_each_seat_whether_a_bot_plays_it(columns):
    text.use("en")
    seats = LobbySeat(bytes(32), "Ana", "w-x-y-z", True), LobbySeat(bytes(32), "B" * 48, "w-x-y-z", False, True)
    view = LobbyView("Ana", "loot", 3, seats, "open")
    for said in (lobby.lines(view, ()), [plain(line) for line in lobby.compose(view, (), Ui(), columns, 24)]):
        assert ["(bot)" in line for line in said if "Ana (you)" in line or "BBB" in line] == [False, True]


@pytest.mark.parametrize("game", ["loot", "crypt", "pyramid", "scarabya"])
def test_the_list_of_players_says_which_seats_bots_play(game):
    text.use("en")
    show, snapshot = show_of(game), Table(3, 1, game=game).until(asked(0)).snapshot(0)
    assert not any(" bot." in line for line in show.board_words(snapshot))
    marked = {seat: [line for line in show.board_words(replace(snapshot, bots=(seat,))) if " bot." in line] for seat in range(3)}
    assert sum(map(len, marked.values())) >= 2  # the mummy of Pyramid is not in its list of hunters
    assert all(snapshot.names[seat] in line for seat, lines in marked.items() for line in lines)


@pytest.mark.parametrize("game", ["loot", "crypt", "pyramid", "scarabya"])
def test_a_move_that_was_made_for_somebody_who_has_left_is_not_called_his_own(game):
    text.use("en")
    show, snapshot = show_of(game), Table(3, 1, game=game).snapshot(0)
    assert "The last move of Beto was made by the programs." in show.event(snapshot, Event("left", 1, (True,)))
    assert "made by the programs" not in show.event(snapshot, Event("left", 1))


def test_a_long_log_is_scrolled_to_its_beginning():
    text.use("en")
    table = Table(2, seed=1).until(asked(0))
    log = [f"entry {n}." for n in range(1000)]
    up, seen = 0, ""
    while "entry 0." not in seen:
        seen = "\n".join(map(plain, compose(loot, table.snapshot(0), log, Ui(scroll=up), 80, 24)))
        told = re.search(r"PgUp: (\d+) more lines", seen)
        first = re.search(r"entry (\d+)\.", seen)
        assert first is not None
        assert (int(told[1]) if told else 0) == int(first[1])
        up += 5
        assert up < 2000


def test_what_is_not_in_the_notation_is_not_called_too_little_and_di_says():
    assert understood("loot nowhere").value[0].startswith("«loot nowhere» is not understood; write it like this: loot")
    assert understood("di hola") == typed.Typed("say", "hola")
