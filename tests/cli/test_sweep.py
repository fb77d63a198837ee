"""Every size from 1x1 to 200x60, both languages, all games and pages: nothing is too wide or too long, and whose turn it is is said.

With MASTABA_LONG=1 every single size is tried, which takes half an hour; otherwise a grid of them.
"""

import itertools

import pytest
from mastaba.cli import start, text
from mastaba.cli.canvas import too_small
from mastaba.cli.cells import ascii_only, line_cells, plain
from mastaba.cli.menu import Menu
from mastaba.cli.show import GAMES, lobby, show_of, status
from mastaba.cli.show.frame import INPUT_ROWS, Pointed, Ui, compose
from mastaba.cli.story import Story
from mastaba.cli.terminal import MIN_COLUMNS, MIN_ROWS
from mastaba.net.lobbyview import LobbySeat, LobbyView
from shares import LONG
from snapshots import NAMES, Table

SEATS = {"loot": 6, "crypt": 4, "scarabya": 4, "pyramid": 5}
WHOLE = range(MIN_COLUMNS, 201), range(MIN_ROWS, 61)
GRID = (80, 81, 100, 120, 199, 200), (24, 25, 31, 45, 60)
SIZES = [*itertools.product(*(WHOLE if LONG else GRID))]
pytestmark = [pytest.mark.timeout(3600)] if LONG else []
HOSTILE = ("Ana\x1b[2J\u202e", "ⵣ" * 60, "Caro\n\r\t", "名前" * 20, "e\u0301" * 30, "Faro")
LONGEST = "An answer that is explained at length. " * 9


@pytest.mark.parametrize("language", ["en", "es"])
def test_below_the_floor_every_size_says_so_and_fits(language):
    text.use(language)
    for columns in range(1, 201):
        for rows in range(1, 61):
            if columns >= MIN_COLUMNS and rows >= MIN_ROWS:
                continue
            lines = too_small(columns, rows)
            assert 1 <= len(lines) <= rows
            assert all(line_cells(line) <= columns for line in lines)
            if columns >= 20 and rows >= 8:
                assert f"{columns} x {rows}" in " ".join(map(plain, lines)).replace("\n", " ")


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_page_of_every_game_fits_every_size(game, language):
    text.use(language)
    table, show = Table(SEATS[game], 11, "sensible" if game == "loot" else "random", game=game), show_of(game)
    story = Story(show)
    moments = 0
    while not table.over and moments < 6:
        for _ in range(1 + 13 * moments):
            if not table.over:
                table.step()
        moments += 1
        asked = next((s for s in range(SEATS[game]) if table.dealer.view(s).asked()), None)
        for seat in {asked, 0, None} - ({None} if asked is None and moments > 1 else set()):
            snapshot = table.snapshot(seat, HOSTILE)
            story.update(snapshot)
            pointer = show.pointer(snapshot) if isinstance(show, Pointed) and snapshot.asked else None
            pages = (
                Ui(pointer=pointer),
                Ui(help=True),
                Ui(help=True, scroll=7, question=LONGEST),
                Ui(trust=True, scroll=3),
                Ui(veiled=True, pointer=pointer),
                Ui(lesson=LONGEST, message=LONGEST, pointer=pointer),
            )
            for (columns, rows), ui in itertools.product(SIZES if moments == 3 and seat == asked else SIZES[:: len(SIZES) - 1], pages):
                lines = compose(show, snapshot, story.words, ui, columns, rows)
                assert len(lines) == rows - INPUT_ROWS
                assert all(line_cells(line) <= columns for line in lines), (columns, rows, ui)
                drawn = "\n".join(map(plain, lines))
                assert drawn.replace("\n", "").isprintable(), (columns, rows, ui)
                assert ascii_only(drawn).isascii()
                turn = show.ask(snapshot) if snapshot.asked and not ui.veiled else status.waiting(snapshot)
                if not ui.veiled:
                    assert plain(lines[1])[2:].startswith(turn[:12]), "whose turn it is stands in the second line"


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_table_that_waits_and_the_pages_of_the_lobby_fit_every_size(language):
    text.use(language)
    seats = tuple(LobbySeat(bytes(32), name, "one two three four", i == 0) for i, name in enumerate(HOSTILE))
    views = [LobbyView("Ana's", "loot", 6, seats[:n], phase, code="ab-cd-ef") for n, phase in ((0, "joining"), (0, "private"), (6, "open"))]
    pages = ("home", "open", "open:loot", "play", "play:scarabya", "learn", "learn:crypt", "first", "name", "address")
    for columns, rows in SIZES:
        for view in views:
            lines = lobby.compose(view, (("fe80::1", 24642),), Ui(message=LONGEST), columns, rows - INPUT_ROWS)
            assert len(lines) <= rows - INPUT_ROWS
            assert all(line_cells(line) <= columns for line in lines)
        for page in pages:
            lines = start.compose(Menu("Ana", 3, page=page, message=LONGEST), 0, columns, rows - INPUT_ROWS)
            assert len(lines) <= rows - INPUT_ROWS
            assert all(line_cells(line) <= columns for line in lines)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_with_all_seats_taken_every_player_is_seen_and_what_has_no_room_leaves_a_sign(game, language):
    """At 80 x 24, all through a game: nobody's row is cut off, and a pane that is cut or left out says how to see it."""
    text.use(language)
    seats = SEATS[game]
    table, show = Table(seats, 12, "sensible" if game in ("loot", "crypt") else "random", game=game), show_of(game)
    story, moments = Story(show), 0
    while not table.over:
        table.step()
        moments += 1
        if moments % 23 and not table.over:
            continue
        asked = next((seat for seat in range(seats) if table.dealer.view(seat).asked()), 0)
        snapshot = table.snapshot(asked)
        story.update(snapshot)
        lines = [plain(line) for line in compose(show, snapshot, story.words, Ui(), 80, 24)]
        log = next(i for i, line in enumerate(lines) if line.startswith(f"─ {text._('Log')} "))
        above = "\n".join(lines[2:log])
        assert all(NAMES[seat] in above for seat in range(seats)), above
        panes = ["\n".join(plain(line).strip() for line in pane) for pane in show.extras(snapshot, 80)]
        drawn = "\n".join(line.strip() for line in lines)
        assert all(pane in drawn for pane in panes) or text._("?: signs and more") in lines[log], above
        assert not lines[log - 1].startswith("─"), "a title has something below it"
        told = [plain(line) for line in compose(show, snapshot, story.words, Ui(message=LONGEST), 80, 24)]
        board = len(show.board(snapshot, 80, 12))
        assert told[2 : 2 + board] == lines[2 : 2 + board], "a long message takes its room from the log"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_covered_hand_shows_no_more_than_a_spectator_sees_and_that_it_is_asked(game):
    seats = SEATS[game]
    table, show = Table(seats, 4, game=game), show_of(game)
    covered = Ui(veiled=True)
    for _ in range(12):
        for _ in range(7):
            if not table.over:
                table.step()
        stranger = table.snapshot(None)
        for seat in range(seats):
            mine = table.snapshot(seat)
            shown, seen = ([plain(line) for line in compose(show, who, [], covered, 80, 30)] for who in (mine, stranger))
            told = {"▸ It is your turn, and covered: F3 shows it.", "  covered: F3 shows them"}
            assert set(shown) - set(seen) == (told if mine.asked else set())
