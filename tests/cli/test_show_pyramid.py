"""Pyramid as it is seen: everything fits, nothing hidden shows, nothing depends on colour, every move can be typed."""

import itertools
import random
import re
from dataclasses import replace
from importlib.resources import files

import pytest
from mastaba.cli import text
from mastaba.cli.cells import cells, plain
from mastaba.cli.show import pyramid, pyramid_words
from mastaba.cli.show.frame import INPUT_ROWS, Ui, compose
from mastaba.cli.show.pyramid_map import drawn as drawn_map
from mastaba.cli.show.pyramid_pointer import Glance, Place
from mastaba.cli.story import Story
from mastaba.core import bots
from mastaba.core.bots.pyramid_belief import beliefs
from mastaba.core.dealer import Dealer
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.games.pyramid_notation import ASKED
from mastaba.core.rules import Choose, Event, Hide, Options
from mastaba.core.view import Snapshot, Trust
from pyramidtable import BOARD, SHIPPED, PyramidTable, sq

NAMES = ("Ana", "Beto", "Caro", "Dani", "Elena")
SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]
FAR = sq(3, 6)


@pytest.fixture(autouse=True)
def _english():
    text.use("en")
    yield
    text.use("en")


def snapshot(dealer: Dealer, seat: int | None, log: tuple[Event, ...] = ()) -> Snapshot:
    view = dealer.view(seat)
    seats = view.rules.seats
    asked = view.asked() is not None
    return Snapshot(view, NAMES[:seats], "play", 3, (), asked, tuple(log), Trust(10, 5, 3, 3), (True,) * seats)


def screen(shot: Snapshot, columns: int = 80, rows: int = 24, ui: Ui | None = None) -> list[str]:
    story = Story(pyramid)
    story.update(shot)
    lines = compose(pyramid, shot, story.words, ui or Ui(pointer=pyramid.pointer(shot)), columns, rows)
    return [plain(line) for line in lines]


def moments(seats: int, seed: int, every: int):
    """A game of sensible players, shown now and then."""
    rng = random.Random(seed).randbytes
    players = [lambda view, r: bots.decide("sensible", view, r)] * seats
    dealer = Dealer(lambda: Pyramid(seats, SHIPPED, Options()), players, rng)
    log: list[Event] = []
    for step in itertools.count():
        if step % every == 0 or dealer.spectator.over:
            yield dealer, tuple(log)
        if dealer.spectator.over:
            return
        log += dealer.step()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_moment_of_a_game_fits_every_size_in_both_languages(seats):
    turn = itertools.cycle(itertools.product(["en", "es"], [0, seats - 1, None], SIZES))
    for dealer, log in moments(seats, seats, 7):
        language, seat, (columns, rows) = next(turn)
        text.use(language)
        shot = snapshot(dealer, seat, log)
        for overlay in (False, True):
            at = replace(pyramid.pointer(shot), overlay=overlay)
            lines = screen(shot, columns, rows, Ui(pointer=at))
            assert len(lines) == rows - INPUT_ROWS
            assert all(cells(line) <= columns for line in lines)
        assert all(pyramid.board_words(shot))
        assert all(pyramid.hand_words(shot))


def test_at_80_by_24_map_pieces_missions_dice_and_moves_are_all_there():
    game = PyramidTable(sq(5, 10), sq(4, 1), sq(6, 3), sq(5, 12), mummy=FAR, missions={1: ["r3", "g1"]}).falls("M 1 2 4 >")
    game.play()
    shot = snapshot(game, 1)
    shown = "\n".join(screen(shot))
    for name in ("MM Ana", "@1 Beto*", "@2 Caro", "@3 Dani", "@4 Elena", "M 1 2 4 >", "g1", "mummy 0 of 7 tokens"):
        assert name in shown
    assert "Beto: dice M 1 2 4 >. Choose a die, or roll again?" in shown
    for n, move in enumerate(shot.view.moves(), 1):
        assert f"{n}. {pyramid.move(shot, move)}" in shown
    assert all(f" {row} " in shown for row in range(1, 9))


def test_the_small_and_the_large_map_show_every_wall():
    blank = {square: ("", f" {square % 90 + 10}") for square in BOARD.squares}
    for large in (False, True):
        lines = [plain(line) for line in drawn_map(BOARD, blank, large)]
        for square in BOARD.squares:
            row, column = divmod(square, BOARD.columns)
            line = lines[(2 * row + 2) if large else row + 2]
            middle = 3 + 4 * column + 2
            right_open = square in BOARD.right
            assert (line[middle + 2] != "|") == right_open
            below = lines[2 * row + 3][middle - 1 : middle + 2] if large else line[middle - 1]
            assert (below.strip(" ") in ("", " ") if large else below != "_") == (square in BOARD.down)


@pytest.mark.parametrize("seat", [0, None])
def test_the_mummy_and_spectators_see_no_hidden_piece_and_no_hidden_die(seat):
    places = (sq(5, 10), sq(4, 1))
    game = PyramidTable(*places, mummy=FAR).falls("M 1 2 4 >")
    game.play()
    shown = screen(snapshot(game, seat))
    board = "\n".join(line[:56] for line in shown)
    assert "@" not in board
    assert "dice M ? ? ? ?" in "\n".join(shown)
    other = PyramidTable(sq(6, 3), sq(5, 12), mummy=FAR).falls("M 3 3 3 3")
    other.play()
    assert screen(snapshot(other, seat)) == shown


def test_a_fellow_hunter_sees_the_piece_and_the_dice_but_no_missions():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR).falls("M 1 2 4 >")
    game.play()
    shot = snapshot(game, 2)
    shown = "\n".join(screen(shot))
    assert "@1" in shown.split("Log")[0]
    assert "dice M 1 2 4 >" in shown
    own = {shot.view.knows(card) for card in game.now.missions[2]}
    listed = set(re.findall(r"\b([wrbgy]\d) \w+ [a-m]\d", shown))
    assert listed == own


def test_reach_missions_and_both_are_marked_without_colour():
    goal = BOARD.square_of["r3"]
    start = BOARD.maze.ends(goal, 1, FAR)[0]
    game = PyramidTable(start, sq(5, 12), mummy=FAR, missions={1: ["r3", "g1"]}).falls("1 1 1 1 1")
    game.play("die 1")
    shown = "\n".join(screen(snapshot(game, 1)))
    assert "+r3" in shown
    assert "!g1" in shown
    assert "*" in shown
    assert "+r3" not in "\n".join(screen(snapshot(game, 0)))


def test_the_overlay_shows_percentages_from_public_facts_alone():
    game = PyramidTable(None, None).falls("1 1 1 1 1")
    game.play("die 1", "f7", "pass")
    for seat in (0, 1, 2, None):
        shot = snapshot(game, seat)
        shown = "\n".join(line[:56] for line in screen(shot, ui=Ui(pointer=Glance(overlay=True))))
        known = beliefs(game.now)["h1"]
        assert sorted(known) == [sq(6, 5), sq(7, 4)]
        hidden = [square for square in known if seat in (0, None) or square != sq(6, 5)]
        for square in hidden:
            assert f"{round(100 * known[square]):2}" in shown
    assert pyramid.pointer(snapshot(game, 0)).press(snapshot(game, 0), "f4") == Glance(overlay=True)


def test_the_arrow_keys_choose_steps_and_squares_and_enter_plays_them():
    game = PyramidTable(sq(4, 1), sq(5, 12), turn="mummy", mummy=sq(7, 12))
    game.bytes = [4]
    game.play()
    shot = snapshot(game, 0)
    at = pyramid.pointer(shot)
    assert isinstance(at, Place)
    assert at.move(shot) is None
    up = at.press(shot, "up")
    assert up.move(shot) == ("step", sq(6, 12))
    assert up.press(shot, "left").move(shot) == ("step", sq(7, 11))
    assert at.press(shot, "down").move(shot) is None  # no such square
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR).falls("1 1 1 1 1")
    game.play("die 1")
    shot = snapshot(game, 1)
    assert pyramid.pointer(shot).press(shot, "up").move(shot) == sq(4, 10)
    assert pyramid.pointer(shot).press(shot, "x") is None


def test_a_choice_in_a_list_is_made_by_arrows_too():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR, up=2)
    shot = snapshot(game, 1)
    at = pyramid.pointer(shot)
    assert at.move(shot) is None
    assert at.press(shot, "right").move(shot) == ("keep",)
    assert at.press(shot, "left").move(shot) == ("reset",)
    assert "▸1. keep" in at.press(shot, "down").words(shot)


def test_dice_are_listed_by_what_they_show_and_equal_ones_once():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR).falls("4 1 4 > 4")
    game.play()
    shot = snapshot(game, 1)
    assert [pyramid.move(shot, move) for move in pyramid.choices(shot)] == ["again (5 dice)", "move 4", "move 1", "arrow"]
    assert pyramid.completions(shot) == ("again", "move 4", "move 1", "arrow")
    assert pyramid.pointer(shot).words(shot) == "1. again (5 dice)   2. move 4   3. move 1   4. arrow"
    assert pyramid.pointer(shot).press(shot, "left").move(shot) == pyramid.parse(shot, "arrow")


def test_who_has_no_mission_to_play_is_told_why_he_is_asked_and_passes_with_enter():
    """The question is there after every move, so that the time until the answer does not depend on what is hidden (G3, PR13)."""
    goal = BOARD.square_of["r1"]
    for mission, moves in (("r1", ["play scarab", "pass"]), ("r2", ["pass"])):
        game = PyramidTable(BOARD.maze.ends(goal, 1, FAR)[0], sq(5, 12), mummy=FAR, missions={1: [mission, "g1"]}).falls("1 1 1 1 1")
        game.play("die 1", BOARD.name(goal))
        shot = snapshot(game, 1)
        assert shot.view.asked().moves == "cards"
        assert [pyramid.move(shot, move) for move in pyramid.choices(shot)] == moves
        assert pyramid.pointer(shot).move(shot) == (None if moves[1:] else ("pass",))
        assert ("pass" in pyramid.ask(shot)) == (not moves[1:])


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_move_can_be_typed_as_it_is_written(language):
    text.use(language)
    kinds = set()
    for dealer, log in moments(3, 11, 1):
        request = dealer.spectator.pending
        if isinstance(request, (Choose, Hide)):
            shot = snapshot(dealer, request.seat, log)
            kinds.add("hide" if isinstance(request, Hide) else request.moves)
            for move in pyramid.choices(shot):
                assert pyramid.parse(shot, pyramid_words.move_phrase(shot, move)) == move
                assert pyramid.move(shot, move).startswith(pyramid_words.move_phrase(shot, move))
            for move in shot.view.moves():
                assert pyramid.parse(shot, dealer.spectator.show_move(move)) == move
            assert pyramid.completions(shot)
            assert pyramid.ask(shot)
            assert pyramid.help(shot)
    assert kinds == {"hide", "paces", "resets", "picks", "cards"}


def test_words_for_faces_directions_and_symbols():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR).falls("1 2 4 > 2")
    game.play()
    shot = snapshot(game, 1)
    assert pyramid.parse(shot, "move 4") == pyramid.parse(shot, "mover 4") == ("die", 2)
    assert pyramid.parse(shot, "arrow") == pyramid.parse(shot, "Flecha") == ("die", 3)
    assert pyramid.parse(shot, "move 3") == ("die", 5)  # no such die: the rules refuse it
    for nonsense in ("", "move", "move 9", "die", "die x", "go home", "play gold", "step", "a9", "die 0", "die ٣"):
        with pytest.raises(ValueError, match=r"no (move|square)"):
            pyramid.parse(shot, nonsense)
    game = PyramidTable(sq(4, 1), sq(5, 12), turn="mummy", mummy=sq(7, 12))
    game.bytes = [4]
    game.play()
    shot = snapshot(game, 0)
    for typed in ("up", "arriba", "m7", "step m7", "paso m7"):
        assert pyramid.parse(shot, typed) == ("step", sq(6, 12))
    assert pyramid.parse(shot, "right") == ("step", sq(7, 12) + 1)  # a wall: the rules refuse it
    goal = BOARD.square_of["r1"]
    game = PyramidTable(BOARD.maze.ends(goal, 1, FAR)[0], sq(5, 12), mummy=FAR, missions={1: ["r1", "g1"]}).falls("1 1 1 1 1")
    game.play("die 1", BOARD.name(goal))
    shot = snapshot(game, 1)
    assert pyramid.parse(shot, "scarab") == pyramid.parse(shot, "r1") == pyramid.parse(shot, "play scarab") == ("play", 0)
    text.use("es")
    assert pyramid.parse(shot, "escarabajo") == ("play", 0)


def test_every_event_has_words_in_both_languages():
    happened: dict[str, Event] = {}
    for seats in (2, 4):
        for dealer, log in moments(seats, 5 + seats, 500):
            happened.update({event.id: event for event in log if event.seat is None or event.seat < 2})
            shot = snapshot(dealer, None, log)
    shot = snapshot(PyramidTable(None, None, None, None), None)
    events = [
        *happened.values(),
        Event("out", 1, ("h1",)),
        Event("lost-turn", 1, ("h1",)),
        Event("left", 1),
        Event("lost", 1),
        Event("blocked", 1, ("h1",)),
        Event("free", 1, ("h1",)),
        Event("over", None, ((0, 0, 0), (), "left")),
        Event("over", None, ((0, 0, 0), (0,), "tokens")),
        Event("over", None, ((0, 5, 0), (1,), "missions")),
    ]
    assert {"turn", "roll", "announce", "step", "captured", "over", "hunt", "reset", "mission"} <= set(happened)
    said = {}
    for language in ("en", "es"):
        text.use(language)
        said[language] = [pyramid.event(shot, event) for event in events if event.id != "moved"]
        assert all(said[language])
    assert not [one for one, other in zip(said["en"], said["es"], strict=True) if one == other]
    assert pyramid.event(shot, Event("unheard-of", 1)) == ""


def test_every_reason_of_the_rules_is_explained():
    reasons = {
        "not-playable", "no-such-die", "not-there", "no-such-mission", "no-such-square", "not-adjacent", "never-entered", "wall",
        "mummy-there", "taken", "out-of-reach", "not-now", "no-such-move",
    }  # fmt: skip
    texts = {pyramid.why(reason) for reason in reasons}
    assert len(texts) == len(reasons)
    assert not any("{" in said or "not allowed now" in said for said in texts)
    assert "odd" in pyramid.why("odd")
    assert set(ASKED.values()) == {"resets", "picks", "cards", "paces"}


def test_a_table_before_the_coin_has_fallen_can_be_shown():
    dealer = Dealer(lambda: Pyramid(4, SHIPPED), [lambda v, r: None] * 4, b"".join)
    for seat in (0, None):
        shot = snapshot(dealer, seat)
        assert len(screen(shot)) == 22
        assert pyramid.board_words(shot)
        assert pyramid.hand_words(shot)


def test_hostile_names_take_no_effect():
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR)
    shot = replace(snapshot(game, 0), names=("\x1b[31mAna", "B\neto", "C" * 500))
    for lines in (screen(shot), pyramid.board_words(shot)):
        assert not [line for line in lines if "\x1b" in line or "\n" in line]
        assert all(cells(line) <= 200 for line in lines)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_rules_page_is_narrow_plain_and_has_the_shipped_numbers(language):
    page = (files("mastaba.cli") / "pages" / language / "pyramid.txt").read_text(encoding="utf-8")
    assert max(map(len, page.splitlines())) <= 78
    assert page.replace("\n", "").isprintable()
    assert str(len(SHIPPED.names)) in page
    for players in range(3, 6):
        assert str(SHIPPED.goal(players)) in page
    flowed = " ".join(page.split())
    for players in (2, 3, 5):
        assert " ".join(map(str, SHIPPED.die(players))) in flowed
    text.use(language)
    game = PyramidTable(sq(5, 10), sq(4, 1), mummy=FAR).falls("1 2 3 4 >")
    game.play()
    shot = snapshot(game, 1)
    said = [line.split(":", 1)[1].split("   ")[0].strip() for line in page.splitlines() if line.strip().startswith(("Type:", "Escribe:"))]
    assert said
    for typed in said:
        if typed.split()[0] not in ("play", "jugar", "up", "arriba"):
            assert game.now.show_move(pyramid.parse(shot, typed)).split()[0] in ("keep", "again", "die")
