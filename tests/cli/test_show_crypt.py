"""The Crypt as it is seen: everything fits, nothing hidden shows, nothing depends on colour."""

import itertools

import pytest
from crypttable import CryptTable
from mastaba.cli import text
from mastaba.cli.cells import INERT, cells, plain
from mastaba.cli.show import crypt, crypt_words
from mastaba.cli.show.frame import INPUT_ROWS, Ui, compose, numbered
from mastaba.cli.story import Story
from mastaba.cli.typed import understand
from mastaba.core.games.crypt_claims import Claims
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.rules import Event
from mastaba.core.view import Snapshot, Trust, View
from snapshots import NAMES, Table, asked

FRESH = Ui()
SIZES = [(80, 24), (100, 30), (120, 40)]
SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")
SHAPES = {
    **dict.fromkeys(("empty-place", "already-yours", "no-such-place", "no-such-effort", "no-dice", "not-in-order", "not-enough-dice")),
    **dict.fromkeys(("one-treasure-only", "too-weak", "not-in-play", "already-looked", "nothing-face-down", "nothing-exhausted")),
    **dict.fromkeys(("no-such-treasure", "already-flipped", "not-face-down", "no-such-die", "not-now", "no-such-move")),
}


def drawn(snapshot, columns=80, rows=24, ui=FRESH):
    story = Story(crypt)
    story.update(snapshot)
    return [plain(line) for line in compose(crypt, snapshot, story.words, ui, columns, rows)]


def seen(table: CryptTable, seat: int | None, names=NAMES) -> Snapshot:
    """A position laid out on purpose, as the client of a seat is handed it."""
    view = View.of(table.games[-1 if seat is None else seat], seat)
    seats = table.now.seats
    asked_now = view.asked() is not None
    return Snapshot(view, tuple(names[:seats]), "play", 9, (), asked_now, tuple(table.log), Trust(), (True,) * seats)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("seats", "variant"), [(2, "aaaaaa"), (3, "ababab"), (4, "bbbbbb")])
def test_every_moment_of_a_game_fits_every_size(language, seats, variant):
    text.use(language)
    table = Table(seats, seats, "sensible", game="crypt", variant=variant)
    while not table.over:
        table.step()
        if table.steps % 9 and not table.over:
            continue
        for seat, (columns, rows) in zip(itertools.cycle([0, seats - 1, None]), SIZES):
            lines = drawn(table.snapshot(seat), columns, rows)
            assert len(lines) == rows - INPUT_ROWS
            assert all(cells(line) <= columns for line in lines)


def test_at_80_by_24_everything_needed_to_play_is_there():
    table = CryptTable(4, SIX, kept=[["idol 2?", "remains 1!"], ["pottery 4?", "pottery 1"]], spent=[1, 0, 0, 0], pile=["jewelry 3"] * 6)
    table.play("claim 1:3 5:2", "claim 1:5", "recover")
    screen = drawn(seen(table, 3))
    joined = "\n".join(screen)
    for seat in range(4):
        assert f"{seat + 1} {NAMES[seat]}" in joined
    assert "Leader Ana · Lights Out Dani · 1 round to come · next: Jewelry" in joined
    assert "The last turn, Dani" in joined
    row = next(i for i, line in enumerate(screen) if "1 Idol" in line)
    assert screen[row].split() == ["1", "Idol", "2", "Jewelry", "3", "Manuscript", "4", "Tapestry", "5", "Pottery", "6", "Remains"]
    assert "value 3      value 2      value 4      value 2      face down    face down" in screen[row + 1]
    assert "Beto 5       no dice      no dice      no dice      Ana 2        no dice" in screen[row + 2]
    ana, beto = (next(line for line in screen if f" {n} {NAMES[n - 1]}" in line) for n in (1, 2))
    assert "f p x" in ana
    assert ana.split()[-6:] == ["?", "-", "-", "-", "1'", "-"]
    assert beto.split()[-6:] == ["-", "-", "-", "?1", "-", "-"]


def test_ones_own_values_are_shown_and_marked_as_known_to_oneself_alone():
    table = CryptTable(4, SIX, kept=[["idol 2?", "idol 4", "remains 1!"]], sides="aabaaa")
    snapshot = seen(table, 0)
    assert crypt.hand_words(snapshot) == ["Idol: 1. 2 (only you know), 2. 4", "Remains: 1. 1 (flipped)"]
    assert any(line.split()[-6:] == ["24", "-", "-", "-", "1'", "-"] for line in drawn(snapshot))


def test_after_a_look_the_looker_reads_the_values_and_nobody_else():
    table = CryptTable(4, SIX, kept=[["manuscript 1"]], sides="aabaaa")
    table.play("look 1")
    assert "you know 3   you know 4" in "\n".join(drawn(seen(table, 0)))
    assert crypt.hand_words(seen(table, 0))[0] == "You have looked; only you know treasure 5: 3, treasure 6: 4."
    assert crypt_words.looked(seen(table, 1)) == []
    for seat in (1, 2, 3, None):
        assert "face down    face down" in "\n".join(drawn(seen(table, seat)))


def test_bounds_are_shown_while_values_are_hidden_and_points_when_they_are_known():
    table = CryptTable(3, kept=[["jewelry 4?"]])
    assert any("7    " in line for line in drawn(seen(table, 0)) if "1 Ana" in line)
    assert any(" 4-7 " in line for line in drawn(seen(table, 1)) if "1 Ana" in line)


def test_no_screen_shows_a_value_that_the_seat_has_not_seen():
    table = Table(4, 9, "sensible", game="crypt", variant="bbbbbb")
    checked = 0
    while not table.over:
        table.step()
        for seat in (0, 2, None):
            snapshot = table.snapshot(seat)
            rules = snapshot.view.rules
            hidden = [card for cards in (rules.row, *rules.kept) for card in cards if card is not None and rules.seen(card) is None]
            for card in hidden:
                if rules.seen(card, "back"):
                    assert crypt_words.card_words(snapshot, card).endswith(" ?")
                    checked += 1
    assert checked > 100


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_is_distinct_without_colour(language):
    text.use(language)
    assert len({crypt_words.type_code(kind) for kind in TYPES}) == 6
    assert len({crypt_words.type_word(kind) for kind in TYPES}) == 6
    assert len({crypt_words.collector(kind, side) for kind in TYPES for side in "ab"}) == 12
    table = CryptTable(3, spent=[1, 0, 0])
    table.play("claim 1:1")
    assert len(set(crypt._dice_of(seen(table, 0), 0).split())) == 3  # free, placed, exhausted


def test_the_collectors_say_what_a_seat_still_needs():
    table = CryptTable(3, kept=[["idol 1", "pottery 1", "remains 2!", "remains 3"], ["idol 3!", "idol 4!"]], sides="baabba")
    for game in table.games:
        game.idol_first = [1]
    words = {kind: crypt_words.collector_words(seen(table, 0), kind).split("; ")[-1] for kind in TYPES}
    assert words["idol"] == "the +5 is taken by Beto, you need 1 more"
    assert words["pottery"] == "you need 1 more"
    assert words["remains"] == "you need 2 more"
    assert words["jewelry"] == "you need 2 more"
    assert crypt_words.standing(seen(table, 1), 1, "idol") == "you have the +5"


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_event_of_many_games_has_words(language):
    text.use(language)
    silent = {"turn"}
    variants = ["aaaaaa", "bbbbbb", "abbbab", "babaab", "bababa"]
    tables = [Table(2 + i % 3, i, "sensible", game="crypt", variant=v).until(lambda t: False) for i, v in enumerate(variants)]
    met = {event.id for table in tables for event in table.log}
    assert {"claim", "pushed", "recover", "look", "heal", "take", "flip", "collected", "rolled", "idols", "scored", "over"} <= met
    for table in tables:
        snapshot = table.snapshot(0)
        for event in table.log:
            assert bool(crypt.event(snapshot, event)) == (event.id not in silent), event


@pytest.mark.parametrize(
    "event",
    [
        *(Event("left", 1), Event("skipped", 0), Event("rested", 0, (2,)), Event("recover", 1, (0,))),
        *(Event("tie", None, ((0, 1),)), Event("tied", 1, ((),)), Event("tied", 1, ((3, 4),))),
        *(Event("reroll", 0, (5, 2)), Event("reroll", 0, (5, 6))),
    ],
)
def test_rare_events_have_words(event):
    assert crypt.event(Table(2, 1, game="crypt").until(asked(0)).snapshot(0), event)


def test_every_reason_why_a_move_is_illegal_has_words():
    sentences = {crypt.why(reason) for reason in SHAPES}
    assert len(sentences) == len(SHAPES)
    assert not any("(" in sentence for sentence in sentences)
    assert "made-up" in crypt.why("made-up")
    assert Claims({}, {}, 3, False).fault(("claim", (0, 1, 1))) in SHAPES


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_offered_can_be_typed_and_is_legal(language):
    text.use(language)
    for number, variant in enumerate(("aaaaaa", "bbbbbb", "abbbab")):
        table = Table(2 + number, number, game="crypt", variant=variant)
        while not table.over:
            for seat in range(2 + number):
                snapshot = table.snapshot(seat)
                if not snapshot.asked:
                    continue
                moves = numbered(crypt, snapshot)
                assert 1 <= len(moves) <= 30
                legal = snapshot.view.rules.moves_of(snapshot.view.asked(), seat)
                for move in moves:
                    assert move in legal
                    assert crypt.parse(snapshot, f"  {crypt_words.move_phrase(move).upper()} ") == move
                    assert crypt.move(snapshot, move)
                for phrase in crypt.completions(snapshot):
                    assert crypt.parse(snapshot, phrase) in legal
            table.step()


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("claim 1:3 2:4x2", ("claim", (0, 3, 1), (1, 4, 2))),
        ("reclama 2:4×2 1:3", ("claim", (0, 3, 1), (1, 4, 2))),
        ("claim 2 4", ("claim", (1, 4, 1))),
        ("Reclamar 2 4 4", ("claim", (1, 4, 2))),
        ("claim 1=3", ("claim", (0, 3, 1))),
        ("recuperar", ("recover",)),
        ("mirar 1", ("look", 0)),
        ("curar 2 1", ("heal", 0, 1)),
        ("tomar 1 2 5", ("take", 0, 1, 4)),
        ("repetir 1 5", ("reroll", 0, 5)),
        ("listo", ("done",)),
    ],
)
def test_moves_can_be_typed_in_either_language(typed, move):
    assert crypt.parse(seen(CryptTable(4, SIX), 0), typed) == move


@pytest.mark.parametrize(
    "typed", ["", "claim", "claim 1", "claim 1 2 3", "claim 1:3 2", "dance", "٣", "claim " + "1:1 " * 500, "heal", "claim 0:1"]
)
def test_what_is_no_move_is_refused_with_a_sentence(typed):
    snapshot = seen(CryptTable(4, SIX), 0)
    with pytest.raises(ValueError, match="no move of The Crypt"):
        crypt.parse(snapshot, typed)
    if typed:
        assert understand(crypt, snapshot, [], typed).kind == "tell"


def test_hostile_names_stay_in_their_columns():
    names = ("\x1b[31mA\n", "B\u202e" + "x" * 300, "\u200b" * 4000, "😀" * 40)
    table = CryptTable(4, SIX)
    table.play("claim 1:3x2", "claim 2:6")
    snapshot = seen(table, 2, names)
    lines = drawn(snapshot)
    assert len(lines) == 22
    assert all(cells(line) <= 80 for line in lines)
    assert "\x1b" not in "".join((*lines, *crypt.board_words(snapshot)))
    assert INERT in "".join(lines)
    assert any("3x2" in line for line in lines)


def test_who_does_not_answer_is_said_in_words():
    table = Table(3, 7, "sensible", game="crypt").until(lambda t: asked(1)(t) and t.steps > 10)
    snapshot = table.snapshot(0, linked=(True, False, True))
    assert any("2 Beto not answering" in line for line in drawn(snapshot))
    assert any("not answering" in line for line in crypt.board_words(snapshot))


def test_the_whole_table_in_words():
    table = CryptTable(3, ("idol 3", "jewelry 2", "manuscript 4", "pottery 3"), kept=[["idol 2?"]], spent=[1, 0, 0])
    table.play("claim 1:3x2")
    words = crypt.board_words(seen(table, 1))
    assert words[:5] == [
        "Round 1 of 36. Leader Ana · Lights Out Caro · last round.",
        "Place 1: Idol 3; held by Ana with 3x2.",
        "Place 2: Jewelry 2; no dice.",
        "Place 3: Manuscript 4; no dice.",
        "Place 4: Pottery ?, face down; no dice.",
    ]
    assert words[5].startswith("1. Ana: dice 0 free, 2 placed, 1 exhausted; points ")
    assert words[5].endswith("; Idol ?.")
    assert sum(line.startswith("Collector ") for line in words) == 6


@pytest.mark.parametrize(
    ("kept", "sides", "plays", "said"),
    [
        ((), "", (), "recover or claim"),
        ((["pottery 1", "pottery 2"],), "aaabaa", (), "Before Claim"),
        ((["idol 1"],), "", ("claim 2:5", "recover", "recover", "recover"), "effort 5"),
        ((["remains 1", "remains 2"],), "", ("claim 2:5", "recover", "recover", "recover"), "Before the end"),
    ],
)
def test_every_question_has_a_sentence_and_help(kept, sides, plays, said):
    table = CryptTable(4, SIX, kept=kept, sides=sides, dice=[1])
    table.play(*plays)
    snapshot = seen(table, 0)
    assert said in crypt.ask(snapshot)
    assert crypt.help(snapshot)[0]
    assert len(drawn(snapshot, ui=Ui(help=True))) == 22


def test_without_a_deal_there_is_a_screen_too():
    table = Table(3, 1, game="crypt")
    assert len(drawn(table.snapshot(0))) == 22
    assert crypt.board_words(table.snapshot(None))


def test_a_column_of_many_treasures_takes_the_room_that_others_do_not_need():
    kept = [["remains 1!", "remains 2!", "remains 3!", "remains 4!"], ["idol 2?"], ["pottery 1", "pottery 2", "pottery 3", "pottery 4"], []]
    lines = drawn(seen(CryptTable(4, kept=kept, sides="aaaaaa"), 0))
    assert next(line for line in lines if "1 Ana" in line).split()[-2] == "1'2'3'4'"
    assert next(line for line in lines if "3 Caro" in line).split()[-3] == "1234"


@pytest.mark.parametrize(("spent", "said"), [(0, "recover (nothing exhausted: a pass)"), (2, "recover (+2 dice)")])
def test_recovering_nothing_is_legal_and_said_to_be_a_pass(spent, said):
    """Row C39."""
    snapshot = seen(CryptTable(3, spent=[spent, 0, 0]), 0)
    assert crypt.move(snapshot, ("recover",)) == said
    assert ("recover",) in snapshot.view.moves()


def test_while_the_treasures_are_not_dealt_there_is_no_empty_title():
    lines = drawn(Table(4, 3, game="crypt").snapshot(0))
    titles = [i for i, line in enumerate(lines) if line.startswith("─ ")]
    assert all(not lines[i + 1].startswith("─") for i in titles)
