"""In a match: what was verified, a covered hand, muted chat, the log as a file; on the screen and in lines."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from mastaba.cli import text, typed
from mastaba.cli.cells import plain
from mastaba.cli.lines import Lines
from mastaba.cli.screen import Screen
from mastaba.cli.show import show_of, status
from mastaba.cli.show.frame import Ui, compose
from mastaba.cli.stop import Stop
from mastaba.cli.story import Story
from mastaba.cli.terminal import Terminal
from mastaba.net.chat import MAX_NOTES, Chat, Line
from mastaba.net.identity import words
from mastaba.net.practice import practice
from mastaba.net.store import Store
from prompt_toolkit.application import create_app_session
from snapshots import Table

SMALL = Path(__file__).parents[1] / "data" / "loot-small.toml"
F2, F3 = "\x1bOQ", "\x1bOR"


class Game:
    def __init__(self, screen: Screen, wall) -> None:
        self.screen, self.wall = screen, wall
        self.drawn = asyncio.Event()
        screen.app.after_render += lambda app: self.drawn.set()

    def type(self, keys: str) -> None:
        self.wall.keys.send_text(keys)

    async def sees(self, what: str, present: bool = True) -> None:
        async with asyncio.timeout(60):
            while (what in self.wall.text) != present:
                self.drawn.clear()
                await self.drawn.wait()


@contextlib.asynccontextmanager
async def game(wall, bots: int = 1) -> AsyncIterator[Game]:
    async with Stop() as stop, practice(Store(), "loot", bots, "random", name="Ana", data=SMALL) as client:
        with create_app_session(input=wall.keys, output=wall.output):
            screen = Screen(client, Terminal("screen", False, True), stop)
            playing = Game(screen, wall)
            task = asyncio.create_task(screen.run())
            try:
                yield playing
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


def test_f2_and_check_open_what_was_verified_and_any_key_closes_it(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type(F2)
            await g.sees("What has been verified")
            assert "Checked on this machine" in wall.text
            assert "each player mixed the cards" in " ".join(wall.text.split())
            g.type(" ")
            await g.sees("What has been verified", present=False)
            g.type("check\r")
            await g.sees("What has been verified")

    asyncio.run(script())


WARNING = "WARNING: this is not the Anubis that you know"


def test_a_known_name_with_another_key_is_warned_of_until_that_is_acknowledged(wall):
    """It stays through moves and other messages, and in the log."""

    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            client = g.screen.client
            client.strangers = ("Anubis",)
            g.screen._changed()
            await g.sees("seen.")
            assert wall.text.count(WARNING) == 2, "in the log, and below the moves"
            g.type("nonsense\r")
            await g.sees("«nonsense»")
            g.type("loot 1\r")
            await g.sees("Ana loots deck 1")
            await g.sees("Your turn, Ana")
            await g.sees("seen.")
            g.type("\x1b")
            await g.sees("seen.", present=False)
            assert WARNING in wall.text, "the log keeps it"

    asyncio.run(script())


def test_the_question_whether_a_stranger_is_the_known_one_is_answered_by_a_yes_alone(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            client, yes = g.screen.client, []
            client._task.cancel()  # from here on the table stands still, and its snapshot is ours
            await asyncio.gather(client._task, return_exceptions=True)

            async def recognise(seat: int) -> None:
                yes.append(seat)

            client.recognise, client.strangers = recognise, ("Anubis",)
            client.snapshot = replace(client.snapshot, strangers=(1,))
            g.screen._changed()
            await g.sees("seen.")
            assert "type «yes Anubis». Esc: seen." in " ".join(wall.text.split())
            assert g.screen.ui.question == "", "nothing waits for the answer"
            g.type("yes\r")
            await g.sees("«yes» ")
            assert yes == []
            g.type("\x15yes anubis\r")
            await g.sees("From now on Anubis has this key for you.")
            assert yes == [1]
            assert "seen." not in wall.text

    asyncio.run(script())


@pytest.mark.parametrize(
    ("line", "seat"), [("yes Beto", 1), ("sí beto", 1), ("s Beto", 1), ("yes Ana", None), ("yes Caro", None), ("no Beto", None)]
)
def test_a_yes_is_for_the_stranger_that_it_names(line, seat):
    snapshot = replace(Table(3, 1).snapshot(0), strangers=(1,))
    meant = typed.understand(show_of("loot"), snapshot, [], line)
    assert (meant.value if meant.kind == "know" else None) == seat


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_question_and_its_answer_stand_in_lines_too(language, capsys):
    text.use(language)
    snapshot, yes = replace(Table(3, 1).snapshot(0), strangers=(1,)), []

    async def recognise(seat: int) -> None:
        yes.append(seat)

    client = SimpleNamespace(snapshot=snapshot, strangers=("Beto",), trouble=None, notes=(), recognise=recognise)
    lines = Lines(client, Terminal("plain", False, False), Stop())
    lines._tell()
    answer = {"en": "yes Beto", "es": "sí Beto"}[language]
    assert answer in capsys.readouterr().out
    asyncio.run(lines._typed(answer))
    assert yes == [1]
    assert "Beto" in capsys.readouterr().out


def test_who_has_looked_at_the_checks_has_acknowledged_the_warning(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.screen.client.strangers = ("Anubis",)
            g.screen._changed()
            await g.sees("seen.")
            g.type(F2)
            await g.sees("What has been verified")
            g.type(" ")
            await g.sees("What has been verified", present=False)
            assert "seen." not in wall.text

    asyncio.run(script())


def test_f3_covers_the_hand_and_while_it_is_covered_nothing_is_played(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("loot 1\r")
            await g.sees("Ana loots deck 1")
            await g.sees("Your turn, Ana")
            g.type(F3)
            await g.sees("Your hand is covered")
            await g.sees("It is your turn, and covered")
            await g.sees("F3: show ")
            await g.sees("Your cards", present=False)
            snapshot = g.screen.snapshot
            assert snapshot is not None
            g.type("loot 1\r")
            await g.sees("uncovers it, then play")
            g.type("\x1b[B\r" + F3)
            await g.sees("Your cards")
            g.type("cover\r")  # where F3 is another program's
            await g.sees("Your hand is covered")
            g.type("tapar\r")
            await g.sees("Your cards")
            assert g.screen.snapshot is not None
            assert [event.id for event in g.screen.snapshot.log].count("looted") <= 2, "what was typed blindly has not been played"

    asyncio.run(script())


def test_a_bot_plays_the_seat_until_its_person_comes_back(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.screen.client.hold = 3600.0  # the bot thinks for as long as its person lets it
            g.type("bot\r")
            await g.sees("A bot plays your seat; me: you play again.")
            g.type("me\r")
            await g.sees("You play your seat yourself.")
            assert not g.screen.deputy.on
            g.screen.client.hold = 0.0
            g.type("robot\r")
            await g.sees("The game is over: Enter")
            await g.sees("A bot plays your seat", present=False)
            assert g.screen.client.played_by, "the records call it a bot's match"
            g.type("bot\r")
            await g.sees("The game is over and everybody has signed the result.")

    asyncio.run(script())


def test_a_message_about_silence_goes_when_somebody_has_become_silent(wall):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            g.type("go on\r")
            await g.sees("There is nothing to vote on")
            g.screen._follow(replace(g.screen.snapshot, silent=((1, 0),)))
            assert g.screen.ui.message == ""

    asyncio.run(script())


def test_the_question_whether_to_go_on_without_a_seat_goes_when_the_seat_is_back(wall):
    votes: list[int | None] = []

    async def script() -> None:
        async with game(wall, 3) as g:
            await g.sees("Your turn, Ana")

            async def vote(lost: int | None) -> None:
                votes.append(lost)

            g.screen.client.vote = vote
            here = g.screen.snapshot
            g.screen._follow(replace(here, silent=((1, 0),), linked=(True, False, True, True)))
            g.type("go on\r")
            await g.sees("for good? y votes so")
            g.screen._follow(replace(here, silent=((1, 0), (2, 0)), votes=((3, 1),), linked=(True, False, True, True)))
            assert g.screen.ui.question, "another vote, and another silent seat, do not answer it"
            g.screen._follow(here)
            g.screen.app.invalidate()
            await g.sees("is there again: the vote is off.")
            assert not g.screen.ui.question
            g.type("y")
            await g.sees("> y")
            g.type("\x15go on\r")
            await g.sees("There is nothing to vote on")

    asyncio.run(script())
    assert votes == []


def test_who_is_back_is_no_longer_voted_on_in_lines_either(capsys):
    votes: list[int | None] = []

    async def vote(lost: int | None) -> None:
        votes.append(lost)

    async def script() -> None:
        here = Table(4, 2).snapshot(1)
        client = SimpleNamespace(snapshot=replace(here, silent=((0, 0),)), vote=vote, strangers=(), trouble=None, notes=())
        lines = Lines(client, Terminal("plain", True, False), Stop())
        lines._tell()
        assert not await lines._typed("go on")
        client.snapshot = here
        lines._tell()
        client.snapshot = replace(here, silent=((0, 0),))
        lines._tell()
        assert not await lines._typed("go on")

    asyncio.run(script())
    out = capsys.readouterr().out
    assert votes == []
    assert out.count("Ana is there again: the vote is off.") == 1
    assert out.count("type go on once more") == 2


def test_a_vote_can_be_called_off_while_it_stands():
    here = Table(4, 2).snapshot(1)
    called = replace(here, votes=((1, 0),))
    assert "Type go on" not in status.silence(replace(called, silent=((0, 0),)))
    assert typed.understand(show_of("loot"), called, [], "wait").kind == "vote"
    assert typed.understand(show_of("loot"), called, [], "go on").kind == "tell"


@pytest.mark.parametrize("yes", ["y", "yes", "S", "sí", "go on"])
def test_in_lines_a_question_is_answered_with_yes_or_the_same_word(yes, capsys):
    votes: list[int | None] = []

    async def vote(lost: int | None) -> None:
        votes.append(lost)

    async def script() -> None:
        here = replace(Table(4, 2).snapshot(1), silent=((0, 0),))
        lines = Lines(
            SimpleNamespace(snapshot=here, vote=vote, strangers=(), trouble=None, notes=()), Terminal("plain", True, False), Stop()
        )
        lines._tell()
        for line in (yes, "go on", "who", yes)[1 if yes == "go on" else 0 : 3]:
            assert not await lines._typed(line)
        assert votes == [], "yes answers a question that has just been asked, and no other"
        for line in ("go on", yes):
            assert not await lines._typed(line)

    asyncio.run(script())
    assert votes == [0]


@asynccontextmanager
async def lines_at_a_decision():
    """Plain lines of a practice match in which the person is asked."""
    async with Stop() as stop, practice(Store(), "loot", 1, "random", name="Ana", data=SMALL) as client:
        changed = asyncio.Event()
        client.subscribe(changed.set)
        lines = Lines(client, Terminal("plain", True, False), stop)
        while client.snapshot is None or not client.snapshot.asked:
            changed.clear()
            await asyncio.wait_for(changed.wait(), 60)
        lines._tell()
        yield lines


def test_in_lines_too_a_bot_plays_the_seat_and_what_its_person_types_is_no_move(capsys):
    async def script() -> None:
        async with lines_at_a_decision() as lines:
            for line in ("bot", "loot 1"):
                assert not await lines._typed(line)
            lines._tell()
            await asyncio.wait_for(lines.client.finished(), 60)
            lines._tell()
            lines.deputy.stand()

    asyncio.run(script())
    out = capsys.readouterr().out
    assert out.count("A bot plays your seat; me: you play again.") == 2
    assert out.count("Type a number or words") == 1
    assert "The game is over" in out


def test_the_log_is_written_to_a_new_file_and_never_over_an_old_one(wall, tmp_path):
    async def script() -> None:
        async with game(wall) as g:
            await g.sees("Your turn, Ana")
            path = tmp_path / "log.txt"
            g.type(f"export {path}\r")
            await g.sees("Written")
            assert "is the first player" in path.read_text()
            g.type("\x15export " + str(path) + "\r")
            await g.sees("It exists already")

    asyncio.run(script())


def test_a_muted_player_is_not_read_until_he_is_unmuted():
    snapshot = Table(3, 1).snapshot(0)
    story = Story(show_of("loot"))
    notes = [Line(0, 1, "hello")]
    assert story.chat(snapshot, notes) == ["Beto: «hello»"]
    meant = typed.understand(show_of("loot"), snapshot, [], "mute Beto")
    assert (meant.kind, meant.value) == ("mute", 1)
    assert "mute Beto shows it again" in typed.muted(snapshot, 1, True)
    assert typed.understand(show_of("loot"), snapshot, [], "mute").value == ["Whose chat?  For example: mute Beto"]
    assert story.mute(1)
    notes += [Line(1, 1, "unheard"), Line(2, 2, "heard")]
    assert story.chat(snapshot, notes) == ["Caro: «heard»"]
    assert not story.mute(1)
    notes += [Line(3, 1, "again")]
    assert story.chat(snapshot, notes) == ["Beto: «again»"]
    assert not any("unheard" in line for line in story.words)


def test_chat_is_read_to_the_end_however_much_is_said_and_however_late_it_is_read():
    snapshot = Table(3, 1).snapshot(0)
    story, chat = Story(show_of("loot")), Chat()
    for number in range(MAX_NOTES + 10):
        chat.add(1, f"line {number}")
        assert story.chat(snapshot, chat.lines) == [f"Beto: «line {number}»"]
    for number in range(MAX_NOTES * 2):
        chat.add(2, f"more {number}")
    assert len(chat.lines) == MAX_NOTES
    assert len(story.chat(snapshot, chat.lines)) == MAX_NOTES, "what is still kept"
    chat.add(1, "at last")
    assert story.chat(snapshot, chat.lines) == ["Beto: «at last»"]
    assert story.chat(snapshot, chat.lines) == []


def test_who_watches_is_told_in_the_log_and_on_the_page_of_checks_with_name_and_key():
    snapshot, key = Table(3, 1).snapshot(0), bytes(range(32))
    story, watched = Story(show_of("loot")), replace(snapshot, watchers=((key, "Eva\x1b[31m"), (bytes(32), "")))
    assert story.audience(snapshot) == []
    (line,) = story.audience(watched)
    assert line == f"2 watch: Eva\ufffd[31m ({words(key)}), without a name ({words(bytes(32))})."
    assert story.audience(watched) == []
    assert line in status.trust(watched)
    assert " 2 watch " in "".join(map(plain, compose(show_of("loot"), watched, story.words, Ui(), 80, 24)[:1]))
    assert story.audience(snapshot) == ["Nobody watches any more."]


@pytest.mark.parametrize("line", ["mute", "mute nobody", "mute 9", "mute Ana", "silenciar 0", "export", "exportar"])
def test_what_cannot_be_muted_or_written_is_explained(line):
    meant = typed.understand(show_of("loot"), Table(3, 1).snapshot(0), [], line)
    assert meant.kind == "tell"
    assert meant.value


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_of_what_was_verified_names_who_has_signed(language):
    text.use(language)
    table = Table(3, 2)
    early = " ".join(status.trust(table.snapshot(0)))
    done = " ".join(status.trust(table.until(lambda t: t.over).snapshot(0)))
    assert "Caro" not in early
    assert "Caro" in done


def test_lines_have_the_same_commands(tmp_path, capsys):
    async def script() -> None:
        async with lines_at_a_decision() as lines:
            for line in ("check", "cover", "mute 2", f"export {tmp_path / 'out.txt'}", f"export {tmp_path / 'out.txt'}", "mute 2"):
                assert not await lines._typed(line)

    asyncio.run(script())
    out = capsys.readouterr().out
    for said in (
        "Shuffles: each player mixed",
        "Only the full screen can cover",
        "is not shown any more",
        "Written",
        "It exists already",
        "is shown again",
    ):
        assert said in out
    assert "is the first player" in (tmp_path / "out.txt").read_text()


def test_in_lines_a_vote_that_stays_is_typed_twice_and_one_to_wait_once(capsys):
    votes: list[int | None] = []

    async def vote(lost: int | None) -> None:
        votes.append(lost)

    async def script() -> None:
        snapshot = replace(Table(4, 2).snapshot(1), silent=((0, 0),))
        lines = Lines(SimpleNamespace(snapshot=snapshot, vote=vote), Terminal("plain", True, False), Stop())
        lines.show = show_of("loot")
        lines.story = Story(lines.show)
        for line, after in (("go on", []), ("who", []), ("go on", []), ("seguir", [0]), ("wait", [0, None]), ("leave", [0, None])):
            assert not await lines._typed(line)
            assert votes == after, line

    asyncio.run(script())
    assert capsys.readouterr().out.count("Going on without Ana is for good: type go on once more") == 2
