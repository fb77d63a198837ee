"""Loot N Run as it is seen: everything fits, nothing hidden shows, nothing depends on colour."""

import itertools
from dataclasses import replace

import pytest
from mastaba.cli import text
from mastaba.cli.canvas import too_small
from mastaba.cli.cells import INERT, cells, plain
from mastaba.cli.show import loot, loot_words, status
from mastaba.cli.show.frame import INPUT_ROWS, Ui, compose
from mastaba.cli.story import Story
from mastaba.core.rules import Event
from mastaba.core.view import Snapshot
from snapshots import DATA, NAMES, Table, asked

FRESH = Ui()
SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


def drawn(snapshot: Snapshot, columns: int = 80, rows: int = 24, ui: Ui = FRESH) -> list[str]:
    story = Story(loot)
    story.update(snapshot)
    return [plain(line) for line in compose(loot, snapshot, story.words, ui, columns, rows)]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_moment_of_a_game_fits_every_size_in_both_languages(seats):
    table = Table(seats, seed=seats)
    while not table.over:
        table.step()
        if table.steps % 23 and not table.over:
            continue
        for language, seat, (columns, rows) in zip(
            itertools.cycle(["en", "es"]), itertools.cycle([0, seats - 1, None]), SIZES, strict=False
        ):
            text.use(language)
            lines = drawn(table.snapshot(seat), columns, rows)
            assert len(lines) == rows - INPUT_ROWS
            assert all(cells(line) <= columns for line in lines)


def test_at_80_by_24_six_players_their_scores_the_turn_and_the_moves_are_all_there():
    table = Table(6, seed=3).until(lambda t: t.steps > 100 and asked(0)(t))
    snapshot = table.snapshot(0)
    screen = "\n".join(drawn(snapshot))
    rules = snapshot.view.rules
    for seat in range(6):
        assert f"{seat + 1} {NAMES[seat]}" in screen
        assert f"{rules.scores()[seat]:3}/30" in screen
    assert "Your turn, Ana" in screen
    for number, move in enumerate(snapshot.view.moves(), 1):
        assert f"{number} {loot.move(snapshot, move)}" in screen


def test_who_has_no_cards_is_told_to_awaken_only_if_that_is_offered():
    asks = set()
    for seats in (2, 3):
        table = Table(seats, seed=1)
        while not table.over:
            table.step()
            snapshot = table.snapshot(0)
            if snapshot.asked and snapshot.view.asked().moves == "actions" and not snapshot.view.rules.hands[0]:
                wakes = any(move[0] == "wake" for move in snapshot.view.moves())
                assert ("awaken" in loot.ask(snapshot)) is wakes
                asks.add(wakes)
    assert asks == {False, True}


def test_a_hand_of_thirty_cards_says_how_many_are_not_shown():
    table = Table(6, seed=1).until(asked(0))
    snapshot = table.snapshot(0)
    rules = snapshot.view.rules
    hand = [*rules.decks[0][:15], *rules.decks[1][:15]]
    for card, (back, face) in zip(hand, DATA.cards, strict=False):
        rules.shown[card, "back"] = back
        rules.peeked[card, "face"] = face
    rules.hands[0] = hand
    lines = drawn(snapshot)
    start, end = (next(i for i, line in enumerate(lines) if title in line) for title in ("Your cards", "Log"))
    shown = sum(line.count("[") for line in lines[start:end])
    hidden = next(int(line.split("+")[1].split(":")[0]) for line in lines if "type hand" in line)
    assert shown + hidden == 30
    assert len(loot.hand_words(snapshot)) == 31
    assert all(cells(line) <= 80 for line in lines)


def test_no_screen_shows_a_face_that_the_seat_has_not_seen():
    """Rows of the knowledge table: a face in front of a player is his alone until it is revealed."""
    table = Table(4, seed=9)
    for _ in range(120):
        table.step()
        for seat in (0, 2, None):
            snapshot = table.snapshot(seat)
            rules = snapshot.view.rules
            hidden = [card for hand in rules.hands for card in hand if rules.seen(card) is None]
            for card in hidden:
                assert plain(loot._card(snapshot, card)).endswith("??]")
                assert "hidden" in loot_words.card_words(snapshot, card)
        if table.over:
            break


def test_a_card_that_all_have_been_shown_is_no_longer_face_down_in_its_row():
    table = Table(3, seed=5).until(lambda table: len(table.snapshot(None).view.rules.hands[1]) >= 2)
    for seat, width in itertools.product((0, 1, None), (80, 120)):
        snapshot = table.snapshot(seat)
        rules = snapshot.view.rules
        first = rules.hands[1][0]
        assert plain(loot._player(snapshot, 1, width)).count("??]") == len(rules.hands[1]), "one's own are face down for the others"
        face = next(face for back, face in rules.data.cards if back == rules.shown[first, "back"])
        rules.shown[first, "face"] = face
        row = plain(loot._player(snapshot, 1, width))
        assert plain(loot._card(snapshot, first)) in row
        assert row.count("??]") == len(rules.hands[1]) - 1


@pytest.mark.parametrize("known", [1, 3, 30])
def test_a_row_of_many_cards_says_that_some_are_shown_and_fits(known):
    snapshot = Table(3, seed=5).until(lambda table: table.snapshot(None).view.rules.hands[1]).snapshot(None)
    rules = snapshot.view.rules
    hand = rules.hands[1] = list(range(30))
    for card in hand:
        rules.shown[card, "back"] = "red"
    for card in hand[:known]:
        rules.shown[card, "face"] = next(face for back, face in rules.data.cards if back == "red")
    for columns in (80, 120):
        row = plain(loot._player(snapshot, 1, columns))
        assert cells(row) <= columns
        assert plain(loot._card(snapshot, hand[0])) in row
        assert ("??" in row) == (known < 30)


def test_every_kind_of_card_is_distinct_without_colour():
    for language in ("en", "es"):
        text.use(language)
        tops = [loot_words.top_code(top) for top in ("mummy", "werewolf", "frank", "amulet", "")]
        treasures = list(loot_words.treasure_codes(DATA.treasures).values())
        backs = [loot_words.back_letter(back) for back in ("red", "yellow", "green")]
        for kinds in (tops, treasures, backs):
            assert len(set(kinds)) == len(kinds)
        assert not {code.lower() for code in tops} & set(treasures), "a guardian's code must not read like a treasure's"


def test_treasures_of_a_table_of_ones_own_have_codes_of_their_own():
    codes = loot_words.treasure_codes(("cup", "cudgel", "culet", "c"))
    assert len(set(codes.values())) == 4
    assert all(len(code) == 2 for code in codes.values())


def test_the_chosen_move_is_marked_without_colour():
    snapshot = Table(3, seed=2).until(asked(0)).snapshot(0)
    assert any("▸2 " in line for line in drawn(snapshot, ui=Ui(cursor=1)))
    assert not any("▸2 " in line for line in drawn(snapshot))


def test_every_event_of_many_games_has_words_in_both_languages():
    silent = {"turn"}
    tables = [Table(2 + seed % 5, seed, "sensible" if seed % 2 else "random").until(lambda t: False) for seed in range(6)]
    met = {event.id for table in tables for event in table.log}
    assert {"loot", "run", "wake", "escaped", "caught", "mummy", "werewolf", "kept", "frank", "goal", "over"} <= met
    for language in ("en", "es"):
        text.use(language)
        for table in tables:
            snapshot = table.snapshot(0)
            for event in table.log:
                assert bool(loot.event(snapshot, event)) == (event.id not in silent), event


@pytest.mark.parametrize("event", [Event("passed", 1), Event("no-draw", 0), Event("left", 1), Event("rebuilt", None, (3, 2))])
def test_rare_events_have_words(event):
    snapshot = Table(2, seed=1).until(asked(0)).snapshot(0)
    assert loot.event(snapshot, event)


def test_every_reason_why_a_move_is_illegal_has_words():
    known = {
        "no-cards",
        "target-no-cards",
        "not-yourself",
        "has-left",
        "empty-deck",
        "no-such-deck",
        "no-such-seat",
        "not-drawn",
        "not-now",
        "no-such-move",
    }
    sentences = {loot.why(reason) for reason in known}
    assert len(sentences) == len(known)
    assert not any("(" in sentence for sentence in sentences)
    assert "made-up" in loot.why("made-up")


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_offered_can_be_typed(language):
    text.use(language)
    table = Table(5, seed=4)
    for _ in range(200):
        if table.over:
            break
        for seat in range(5):
            snapshot = table.snapshot(seat)
            for move in snapshot.view.moves():
                assert loot.parse(snapshot, loot_words.move_phrase(snapshot, move)) == move
                assert loot.parse(snapshot, f"  {loot_words.move_phrase(snapshot, move).upper()} ") == move
        table.step()


def test_moves_can_be_typed_in_either_language_and_by_number_or_name():
    snapshot = Table(4, seed=5).until(lambda t: t.steps > 40 and asked(0)(t)).snapshot(0)
    for typed in ("wake 2", "awaken beto", "despertar a Beto", "despierta be", "AWAKEN BETO"):
        assert loot.parse(snapshot, typed) == ("wake", 1)
    assert loot.parse(snapshot, "correr") == loot.parse(snapshot, "run") == ("run",)
    assert loot.parse(snapshot, "saquear 2") == ("loot", 1)
    assert loot.parse(snapshot, "both") == loot.parse(snapshot, "conservar ambas") == ("keep", 0, 1)
    for typed in ("", "loot", "loot 3", "loot 1 2", "run 1", "wake nobody", "keep", "dance", "٣", "wake " + "9" * 5000):
        try:
            move = loot.parse(snapshot, typed)
        except ValueError:
            continue
        assert move not in snapshot.view.moves()


def test_hostile_names_stay_in_their_row():
    names = ("\x1b[31mA\n", "B\u202e" + "x" * 300, "\u200b" * 4000, "😀" * 40)
    table = Table(4, seed=6).until(lambda t: t.steps > 30 and asked(0)(t))
    snapshot = table.snapshot(0, names)
    lines = drawn(snapshot)
    assert len(lines) == 22
    assert all(cells(line) <= 80 for line in lines)
    assert "\x1b" not in "".join(lines)
    assert INERT in "".join(lines)
    assert "\x1b" not in "".join(loot.board_words(snapshot))


def test_who_does_not_answer_is_said_in_words():
    table = Table(3, seed=7).until(lambda t: asked(1)(t) and t.steps > 10)
    snapshot = table.snapshot(0, linked=(True, False, True))
    assert "Beto is not answering" in status.waiting(snapshot)
    assert any("not answering" in line for line in drawn(snapshot))
    assert any("not answering" in line for line in loot.board_words(snapshot))


def test_the_progress_of_a_shuffle_is_said():
    table = Table(4, seed=8).until(lambda t: t.snapshot(0).phase == "shuffle")
    assert status.waiting(table.snapshot(0, waiting=(2,))) == "Shuffling: 2 of 4 have mixed."
    assert status.waiting(table.snapshot(0, waiting=(1, 3), phase="set-up")) == "Making keys: 2 of 4 are ready."


def test_the_end_names_the_winners():
    table = Table(3, seed=11).until(lambda t: False)
    snapshot = table.snapshot(None)
    over = snapshot.view.over
    assert over is not None
    assert all(NAMES[seat] in status.waiting(snapshot) for seat in over.winners)
    assert str(max(over.scores)) in status.waiting(snapshot)


def test_a_proven_cheat_is_named_and_a_disagreement_names_nobody():
    table = Table(3, seed=12).until(asked(0))
    proven = table.snapshot(0, phase="ended", trouble=(("bad-shuffle", 2, "x"),))
    assert status.waiting(proven) == "Caro was caught cheating: shuffled without a valid proof."
    torn = table.snapshot(0, phase="ended", trouble=(("desync", None, "step 9"),))
    assert "step 9" in status.waiting(torn)
    assert not any(name in status.waiting(torn) for name in NAMES)


def test_a_window_that_is_too_small_is_told_its_true_size():
    for columns, rows in [(79, 24), (80, 23), (60, 20), (20, 5), (10, 3), (1, 1)]:
        lines = [plain(line) for line in too_small(columns, rows)]
        assert len(lines) <= rows
        assert all(cells(line) <= columns for line in lines)
    assert "79 x 24" in plain(too_small(79, 24)[0])


def test_help_fits_and_scrolls():
    snapshot = Table(3, seed=2).until(asked(0)).snapshot(0)
    first = drawn(snapshot, ui=Ui(help=True))
    assert any("Help" in line for line in first)
    assert any("amulets as guardians" in line for line in first)
    assert len(first) == 22
    assert drawn(snapshot, ui=Ui(help=True, scroll=5_000))


def test_a_seat_with_another_key_is_marked_in_its_row():
    snapshot = replace(Table(3, seed=5).snapshot(0), strangers=(1,))
    assert ["not the one you know" in row for row in (plain(loot._player(snapshot, seat, 80)) for seat in range(3))] == [False, True, False]
    assert "not the one you know" in " ".join(loot.board_words(snapshot))
    assert any(text.startswith("WARNING: this is not the Beto that you know") for text in status.trust(snapshot))
