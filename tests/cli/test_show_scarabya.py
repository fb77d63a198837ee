"""Scarabya as it is seen: everything fits, nothing depends on colour, and the tile that one moves tells the truth."""

import itertools

import pytest
from hypothesis import given, strategies as st
from mastaba.cli import text
from mastaba.cli.cells import ascii_only, cells, plain, wrap
from mastaba.cli.show import scarabya, show_of
from mastaba.cli.show.frame import INPUT_ROWS, POINTER_KEYS, POINTER_ROWS, Pointed, Ui, compose, numbered
from mastaba.cli.show.scarabya_ghost import Board, Ghost, Look
from mastaba.cli.show.scarabya_site import drawn, in_words, small
from mastaba.cli.show.scarabya_words import OUTSIDE, areas_words, phrase
from mastaba.cli.story import Story
from mastaba.core.games.scarabya import points_of
from mastaba.core.rules import Answer, ChooseAll, Event, IllegalMove
from mastaba.core.view import Snapshot
from sites import Sites, data_of, golden, picture
from snapshots import NAMES, Table, asked

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]
LINES = {"I": ["#####"], "J": ["#####"]}


def screen(snapshot: Snapshot, columns: int = 80, rows: int = 24, at: Look | None = None) -> list[str]:
    story = Story(scarabya)
    story.update(snapshot)
    return [plain(line) for line in compose(scarabya, snapshot, story.words, Ui(pointer=at), columns, rows)]


def placing(seed: int = 5, seats: int = 3, tiles: int = 0) -> Table:
    """A table where seat 0 is asked for a placement with so many tiles on its site."""
    table = Table(seats, seed, "sensible", "scarabya")

    def ready(t):
        return isinstance(t.dealer.spectator.pending, ChooseAll) and asked(0)(t) and len(t.dealer.spectator.placed[0]) >= tiles

    return table.until(ready)


def of(sites: Sites, seat: int | None = 0) -> Snapshot:
    """The snapshot of a table that a test has laid out."""
    view = sites.view(seat)
    return Snapshot(
        view=view,
        names=NAMES[: view.rules.seats],
        phase="play",
        step=1,
        waiting=(),
        asked=view.asked() is not None,
        log=(),
        trust=None,  # type: ignore[arg-type]  # not looked at
        linked=(True,) * view.rules.seats,
    )


def test_it_is_shown_with_a_pointer():
    assert show_of("scarabya") is scarabya
    assert isinstance(scarabya, Pointed)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_every_moment_of_a_game_fits_every_size(language, seats):
    text.use(language)
    table = Table(seats, seats, "random", "scarabya")
    sizes = itertools.cycle(SIZES)
    while not table.over:
        table.step()
        for seat in {0, seats - 1, None}:
            snapshot, (columns, rows) = table.snapshot(seat), next(sizes)
            for at in (None, scarabya.pointer(snapshot)):
                lines = screen(snapshot, columns, rows, at)
                assert len(lines) == rows - INPUT_ROWS
                assert all(cells(line) <= columns for line in lines)


def test_at_80_by_24_everybodys_sites_and_points_the_tile_and_what_enter_does_are_there():
    snapshot = placing(seats=4, tiles=3).snapshot(0)
    lines = screen(snapshot, at=scarabya.pointer(snapshot))
    rules = snapshot.view.rules
    whole = "\n".join(lines)
    for seat in range(4):
        assert NAMES[seat] in whole
        for row, line in enumerate(small(rules, seat)):
            assert seat == 0 or plain(line) in lines[3 + 1 + row]
    assert f"Ana (you) {rules.points[0]}" in whole
    assert f"Tile {rules.tile}" in whole
    assert "Log" in whole
    assert sum(line[:2].strip().isdigit() for line in lines) == 10  # ten rows of the own site, whole


def test_wide_terminals_show_all_sites_large():
    snapshot = placing(seats=4, tiles=2).snapshot(0)
    assert screen(snapshot, 120, 40)[3].count("0 1 2 3 4 5 6 7 8 9") == 4
    assert screen(snapshot, 80, 24)[3].count("0 1 2 3 4 5 6 7 8 9") == 1


# -- squares ----------------------------------------------------------------------------------------------------------


def kinds() -> Sites:
    """A site with every kind of square: an area of 1 with a scarab, one of 2 without, tiles on scarabs, rocks, open scarabs."""
    table = Sites(1, data_of(picture(("#", "31 40 42 60 63 71 72"), ("s", "41 50 99")), LINES))
    table.round("I", "50 51 52 53 54")
    return table


def test_every_kind_of_square_is_distinct_without_colour():
    rules = kinds().now
    rows = [plain(line) for line in drawn(rules, 0, {})][1:]
    two = {square: rows[square // 10][2 + 2 * (square % 10) :][:2] for square in range(100)}
    found = {"rock": two[31], "area": two[61], "scored": two[41], "tile": two[51], "covered": two[50], "scarab": two[99], "ground": two[0]}
    assert found == {"rock": "##", "area": "2.", "scored": "1*", "tile": "II", "covered": "Ii", "scarab": " *", "ground": " ."}
    one = {square: plain(small(rules, 0)[square // 10])[square % 10] for square in range(100)}
    assert [one[s] for s in (31, 61, 41, 51, 99, 0)] == ["#", "2", "1", "I", "*", "."]
    assert all(ascii_only(line) == line for line in rows)


def test_boards_that_are_not_laid_are_blank_and_the_one_in_hand_is_not():
    sites = Sites(2, boards=("1a 0",))
    at = scarabya.pointer(of(sites))
    assert isinstance(at, Board)
    rows = [plain(line) for line in drawn(sites.now, 0, at.marks(of(sites)))][1:]
    assert rows[0] == "0  * . . * . : : :## :"
    assert rows[5].strip() == "5"
    assert not any(kind in "".join(in_words(sites.now, 0)[5:]) for kind in ("ground", "scarab", "rock"))


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_words_for_a_site_cover_every_square_of_every_row(language):
    text.use(language)
    for row, sentence in enumerate(in_words(golden(1).now, 0)):
        assert sentence.startswith(f"{'Row' if language == 'en' else 'Fila'} {row}: ")
        columns = []
        for part in sentence.partition(": ")[2].rstrip(".").split(", "):
            first, _dash, last = part.rpartition(" ")[2].partition("-")
            columns += range(int(first), int(last or first) + 1)
        assert columns == list(range(10))


def test_the_words_for_squares_say_what_they_are():
    lines = in_words(kinds().now, 0)
    assert lines[4] == "Row 4: rock 0, scored scarab (area of 1) 1, rock 2, ground 3-9."
    assert lines[5] == "Row 5: tile I on a scarab 0, tile I 1-4, ground 5-9."
    assert lines[6] == "Row 6: rock 0, area of 2 1-2, rock 3, ground 4-9."
    assert lines[9] == "Row 9: ground 0-8, scarab 9."


# -- the tile that is moved -------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(POINTER_KEYS), max_size=40), st.integers(0, 11))
def test_a_ghost_stays_in_the_frame_keeps_its_shape_and_says_what_the_rules_say(keys, seed):
    snapshot = GHOSTS[seed % len(GHOSTS)]
    rules, at = snapshot.view.rules, scarabya.pointer(snapshot)
    for key in keys:
        at = at.press(snapshot, key) or at
    assert isinstance(at, Ghost)
    squares = at.squares
    assert squares == tuple(sorted(squares))
    assert rules._is_tile(squares)
    move = at.move(snapshot)
    legal = move in rules.fits(0)
    assert (at.reason(snapshot) == "") == legal
    marks = {cell for _style, cell in at.marks(snapshot).values()}
    if at.seat != 0:
        assert marks == set()
    elif legal:
        assert marks <= {"[]", "[*", "+.", "+*"}
    else:
        assert marks <= {"!!", "??"}
        assert scarabya.why(at.reason(snapshot)) in at.words(snapshot)


GHOSTS = [placing(seed, tiles=tiles).snapshot(0) for seed, tiles in ((1, 0), (2, 3), (3, 6))]


def test_a_ghost_tells_the_points_that_the_placement_then_scores():
    checked = 0
    for snapshot in GHOSTS[1:]:
        rules = snapshot.view.rules
        for move in rules.fits(0):
            words = Ghost(0, move[1:], 0).words(snapshot)
            points = points_of(rules.would_close(0, move[1:]))
            assert (f"+{points} point" in words) == (points > 0)
            assert ("closes" in words) == (bool(rules.would_close(0, move[1:])) and not points)
            after = rules.copy()
            others = {seat: next(iter(rules.fits(seat))) for seat in rules.pending.seats}
            after.apply(Answer({**others, 0: move}))
            assert after.scores()[0] - rules.scores()[0] == points
            checked += points > 0
    assert checked


def test_arrows_turns_and_flips_move_the_tile():
    sites = Sites(2, data_of(picture(), {"L": ["#...", "####"], "I": ["#####"]}))
    sites.mission("L")
    snapshot = of(sites)
    at = Ghost(0, (44, 54, 55, 56, 57), 0)
    presses = {
        "left": (43, 53, 54, 55, 56),
        "right": (45, 55, 56, 57, 58),
        "up": (34, 44, 45, 46, 47),
        "down": (54, 64, 65, 66, 67),
        " ": (44, 45, 54, 64, 74),
        "/": (47, 54, 55, 56, 57),
    }
    assert {key: at.press(snapshot, key).squares for key in presses} == presses
    four = at
    for _ in range(4):
        four = four.press(snapshot, " ")
    assert four == at
    corner = Ghost(0, (55, 65, 75, 85, 95), 0)
    assert corner.press(snapshot, "down") == corner  # the frame stops it
    assert Ghost(0, (9, 19, 29, 39, 49), 0).press(snapshot, " ").squares == (5, 6, 7, 8, 9)  # pushed back inside


def test_o_shows_the_next_players_site_and_moving_comes_back():
    snapshot = placing(seats=3, tiles=2).snapshot(0)
    at = scarabya.pointer(snapshot)
    seats = []
    for _ in range(3):
        at = at.press(snapshot, "f4")
        seats.append(at.seat)
        assert screen(snapshot, at=at)[2].startswith(NAMES[at.seat])
    assert seats == [1, 2, 0]
    assert at.press(snapshot, "f4").press(snapshot, "left").seat == 0
    assert Look(0).press(of(golden(1)), "f4") is None  # alone there is nobody to look at


def test_who_is_not_asked_can_still_look():
    snapshot = placing(seats=3, tiles=1).snapshot(None)
    at = scarabya.pointer(snapshot)
    assert type(at) is Look
    assert at.move(snapshot) is None
    assert at.press(snapshot, "left") is None
    assert at.press(snapshot, "f4").seat == 1


def test_a_board_is_chosen_turned_and_flipped_before_it_is_laid():
    snapshot = of(Sites(2, boards=("2a 0",)))
    at = scarabya.pointer(snapshot)
    assert at.move(snapshot) == ("lay", 0, 0, 0)
    at = at.press(snapshot, "right")
    assert at.move(snapshot) == ("lay", 2, 0, 0)  # board 2 lies already
    at = at.press(snapshot, "left").press(snapshot, "left").press(snapshot, " ").press(snapshot, "/")
    assert at.move(snapshot) == ("lay", 3, 1, 1)
    assert "4b top right, turned by a quarter" in at.words(snapshot)


# -- what is typed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_offered_can_be_typed(language):
    text.use(language)
    for snapshot in (*GHOSTS, of(Sites(2, boards=())), of(Sites(2, boards=("3b 1",)))):
        moves = snapshot.view.moves()
        assert [scarabya.parse(snapshot, phrase(snapshot, move)) for move in moves] == list(moves)
        assert scarabya.completions(snapshot) == tuple(phrase(snapshot, move) for move in moves)
        assert len(set(scarabya.completions(snapshot))) == len(moves)


def test_squares_verbs_and_both_languages_are_understood():
    snapshot = GHOSTS[0]
    assert scarabya.parse(snapshot, "place 54 33 43 52 53") == ("place", 33, 43, 52, 53, 54)
    assert scarabya.parse(snapshot, "33 43 52 53 54") == ("place", 33, 43, 52, 53, 54)
    first = snapshot.view.moves()[0]
    assert scarabya.parse(snapshot, f"coloca {phrase(snapshot, first).upper()}") == first
    laying = of(Sites(2, boards=()))
    assert scarabya.parse(laying, "lay 3b 2") == scarabya.parse(laying, "pon 3B2") == ("lay", 2, 1, 2)
    assert scarabya.parse(laying, "1a") == ("lay", 0, 0, 0)
    assert scarabya.parse(laying, "lot") == scarabya.parse(laying, "Sorteo") == ("lot",)


@pytest.mark.parametrize("typed", ["", "33z", "33 4", "place", "5a", "1c 0", "1a 4", "T", "33b 44b", "x" * 500])
def test_what_is_no_move_is_a_value_error(typed):
    snapshot = GHOSTS[0]
    with pytest.raises(ValueError):  # noqa: PT011
        scarabya.parse(snapshot, typed)


def test_a_placement_that_leaves_the_site_is_refused_by_the_rules_with_their_reason():
    sites = Sites(2, data_of(picture(), LINES))
    sites.mission("I")
    snapshot = of(sites)
    assert scarabya.parse(snapshot, "48a") == OUTSIDE
    assert scarabya.parse(snapshot, "95b") == OUTSIDE
    with pytest.raises(IllegalMove, match="outside"):
        sites.now.legal(sites.now.pending, 0, OUTSIDE)


def test_few_moves_are_numbered_the_best_first():
    snapshot = GHOSTS[2]
    moves = numbered(scarabya, snapshot)
    points = [points_of(snapshot.view.rules.would_close(0, move[1:])) for move in moves]
    assert len(moves) == min(12, len(snapshot.view.moves()))
    assert points == sorted(points, reverse=True)
    assert points[0] == max(points_of(snapshot.view.rules.would_close(0, m[1:])) for m in snapshot.view.moves())
    laying = of(Sites(2, boards=()))
    assert len(numbered(scarabya, laying)) == 9  # each board on either side, not turned, and by lot
    assert numbered(scarabya, of(golden(2))) == ()


@pytest.mark.parametrize("language", ["en", "es"])
def test_lines_say_the_tile_its_orientations_and_every_site(language):
    text.use(language)
    snapshot = placing(seats=3, tiles=3).snapshot(1)
    rules = snapshot.view.rules
    words = scarabya.board_words(snapshot)
    assert [name for line in words for name in NAMES if line.startswith(f"{name}:")] == ["Beto", "Caro", "Ana"]  # one's own first
    assert len(words) == 1 + 3 * 11 + 1
    (hand,) = scarabya.hand_words(snapshot)
    assert hand.count(";") + 1 == len(rules.data.shapes(rules.tile))
    assert all(line for line in scarabya.help(snapshot)[:4])


# -- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_event_of_many_games_has_words(language):
    text.use(language)
    met = set()
    for seed in range(8):
        table = Table(1 + seed % 4, seed, "random", "scarabya").until(lambda t: False)
        snapshot = table.snapshot(0)
        for event in (*table.log, Event("left", 0)):
            met.add(event.id)
            sentence = scarabya.event(snapshot, event)
            assert sentence.endswith(".")
            assert "{" not in sentence
    assert met == {"first", "lot", "laid", "site", "mission", "placed", "scored", "discarded", "over", "left"}


def test_events_say_what_happened():
    table = kinds()
    snapshot = of(table)
    words = [
        scarabya.event(snapshot, event)
        for event in Sites(1, data_of(picture(("#", "31 40 42"), ("s", "41 50")), LINES)).round("I", "50 51 52 53 54")
    ]
    assert words == [
        "Round 1: the tile I.",
        "Ana places I on 50 51 52 53 54 and covers 1 scarab.",
        "Ana closes an area of 1 with 1 scarab: 1 point.",
        "Round 2: the tile J.",
    ]


def test_every_reason_why_a_move_is_illegal_has_words():
    known = {
        "outside",
        "on-rock",
        "on-tile",
        "not-beside",
        "not-at-centre",
        "not-this-tile",
        "board-laid",
        "no-such-board",
        "closed-by-rocks",
        "not-now",
        "no-such-move",
    }
    sentences = {scarabya.why(reason) for reason in known}
    assert len(sentences) == len(known)
    assert not any("(" in sentence for sentence in sentences)
    assert "made-up" in scarabya.why("made-up")


def test_the_end_alone_names_no_winner():
    snapshot = of(golden(1))
    assert scarabya.event(snapshot, Event("over", None, ((48,), ()))) == "The game is over: Ana 48."


def test_what_is_shown_of_a_placement_can_be_typed_with_the_letter_of_its_tile():
    snapshot = placing().snapshot(0)
    tile = snapshot.view.rules.tile
    for move in list(snapshot.view.moves())[:12]:
        at = Ghost(0, move[1:], 0)
        shown = at.words(snapshot).partition(":")[0]
        assert shown == f"{tile} {phrase(snapshot, move)}"
        squares = " ".join(f"{square:02}" for square in move[1:])
        for typed in (shown, shown.lower(), f"place {shown}", f"{tile} {squares}"):
            assert scarabya.parse(snapshot, typed) == move
    other = next(letter for letter in "FILN" if letter != tile)
    with pytest.raises(IllegalMove, match="not-this-tile"):
        snapshot.view.rules.legal(snapshot.view.asked(), 0, scarabya.parse(snapshot, f"{other} 33a"))


def test_areas_that_are_alike_are_told_together_and_the_dearest_first():
    one, two, four = (0,), (1, 2), (3, 4, 5, 6)
    assert areas_words(((one, 0), (two, 1), (one, 0), (four, 2), (one, 0))) == (
        "an area of 4 with 2 scarabs, an area of 2 with 1 scarab, 3 areas of 1 without scarabs"
    )
    assert areas_words(((two, 1), (two, 1))) == "2 areas of 2 with 1 scarab each"


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_a_placement_would_do_is_told_whole_in_the_two_lines_there_are(language):
    text.use(language)
    for tiles in (2, 4, 6, 8):
        snapshot = placing(tiles=tiles).snapshot(0)
        for move in snapshot.view.moves():
            assert len(wrap(Ghost(0, move[1:], 0).words(snapshot), 78)) <= POINTER_ROWS
