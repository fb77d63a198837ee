"""Tutorials: every lesson fits its pane in both languages, belongs to a decision that the game has, and is read in whole games."""

import asyncio

import pytest
from mastaba.cli import text
from mastaba.cli.cells import plain, wrap
from mastaba.cli.show import GAMES, show_of
from mastaba.cli.show.frame import LEAST_LOG, Ui, compose
from mastaba.cli.story import Story
from mastaba.cli.tutorial import LESSONS, Guide
from mastaba.core.rules import Choose, ChooseAll, Options
from mastaba.net.practice import practice
from mastaba.net.store import Store
from seats import Seat
from snapshots import Table


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_game_has_lessons_and_each_fits_its_pane(language):
    text.use(language)
    assert set(LESSONS) == set(GAMES)
    for game, kinds in LESSONS.items():
        for lesson in (lesson for lessons in kinds.values() for lesson in lessons):
            assert len(wrap(text._(lesson), 78)) <= LEAST_LOG, (game, lesson)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_each_lesson_is_said_once_and_is_whole_on_the_screen_while_its_decision_lasts(game, language):
    text.use(language)
    table, show, guides = Table(2, 7, game=game), show_of(game), (Guide(), Guide())
    story, said, kinds = Story(show), ([], []), set()
    while not table.over:
        for seat, guide in enumerate(guides):
            snapshot = table.snapshot(seat, ("W" * 16, "M" * 16))
            lesson = guide(snapshot)
            assert guide(snapshot) == lesson, "looking again moves nothing on"
            if snapshot.asked:
                request = snapshot.view.asked()
                kinds.add(request.moves if isinstance(request, Choose | ChooseAll) else "square")
                if lesson and len(said[seat]) < 6:
                    story.update(snapshot)
                    long = "What was just typed is not understood, and why takes two lines. " * 2
                    lines = [plain(line) for line in compose(show, snapshot, story.words, Ui(lesson=lesson, message=long), 80, 24)]
                    assert lesson in " ".join(" ".join(lines).split()), lines
                if lesson:
                    said[seat].append(lesson)
        table.step()
    for lessons in said:
        assert lessons
        assert len(lessons) == len(set(lessons))
    assert kinds & set(LESSONS[game])
    assert kinds - {"square"} <= set(LESSONS[game]), "no decision is without a lesson"


@pytest.mark.parametrize(("game", "first"), [("loot", 0), ("pyramid", 1)])
def test_a_tutorial_is_a_practice_table_where_the_person_starts_or_hunts(game, first):
    async def script() -> None:
        async with practice(Store(), game, 1, name="Ana", options=Options(first=first)) as client:
            changed = asyncio.Event()
            client.subscribe(changed.set)
            guide = Guide()
            while client.snapshot is None or not client.snapshot.asked:
                changed.clear()
                await asyncio.wait_for(changed.wait(), 60)
            assert guide(client.snapshot) == LESSONS[game]["actions" if game == "loot" else "picks"][0]

    asyncio.run(script())


@pytest.mark.lan
@pytest.mark.xdist_group("terminals")
@pytest.mark.parametrize("mode", ["screen", "--plain"])
def test_the_tutorial_guides_from_one_decision_to_the_next(tmp_path, mode):
    seat = Seat(tmp_path / "home", "tutorial", "loot", "--name", "Ana", *([] if mode == "screen" else [mode]))
    try:
        seat.sees("Lesson")
        seat.sees("The colour of a card")
        seat.type("loot 1\r")
        seat.sees("Only you see the face")
        seat.type("loot 2\r")
        seat.sees("run scores all your", "awaken reveals", "Your Werewolf", "Only you see")
        seat.type("\x03")
        seat.sees("Leave?" if mode == "screen" else "Ctrl-C once more leaves")
        seat.type("\x03")
        assert seat.ends() == 130
        seat.is_clean()
    finally:
        seat.process.close(force=True)
