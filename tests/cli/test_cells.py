"""Text of strangers on a terminal: inert, measured, cut."""

import unicodedata

import pytest
from hypothesis import given, strategies as st
from mastaba.cli.cells import INERT, MARKS, MOST, ascii_only, broken, cells, clean, cut, cut_line, flow, fold, line_cells, pad, plain, wrap
from wcwidth import wcwidth

HOSTILE = {
    "escape": "\x1b[2J\x1b]52;c;aGk=\x07",
    "c1": "\x9b31m",
    "bidi": "a\u202eb\u2066c",
    "zero-width": "\u200b" * 10_000,
    "newline": "one\r\ntwo\ttab",
    "joiner": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "tower": "a" + "\u0301" * 500,
    "surrogate": "\ud800",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_inert(name):
    shown = clean(HOSTILE[name])
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in shown)
    assert len(shown) <= MOST + 1
    assert cells(shown) <= 2 * MOST


def test_a_stranger_sees_that_something_was_there():
    assert clean("\x1b[31mred") == f"{INERT}[31mred"
    assert clean("Ana\u202eBeto") == f"Ana{INERT}Beto"


def test_towers_of_marks_are_cut():
    assert sum(unicodedata.combining(c) > 0 for c in clean("z" + "\u0335" * 99)) <= MARKS


def test_ordinary_names_stay_as_they_are():
    for name in ("Ana", "Begoña", "Ünal Öz", "李小龙", "О'Нил"):
        assert clean(name) == name


@given(st.text(max_size=300))
def test_cleaning_is_inert_and_idempotent(text):
    shown = clean(text)
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in shown)
    assert clean(shown, 10 * MOST) == shown


@given(st.text(max_size=80), st.integers(0, 40))
def test_cut_and_pad_keep_their_width(text, width):
    shown = clean(text)
    assert cells(cut(shown, width)) <= width
    assert cells(pad(shown, width)) == width


@given(st.text(max_size=200), st.integers(1, 40))
def test_wrapped_lines_fit(text, width):
    assert all(cells(line) <= width for line in wrap(clean(text), width))


@given(st.text(max_size=60))
def test_ascii_is_ascii(text):
    assert ascii_only(clean(text)).isascii()


def test_glyphs_have_ascii_stand_ins():
    assert ascii_only("─ ▸1 Begoña … ¿saquear?") == "- >1 Begona ~ saquear?"


def test_fold_forgives_case_accents_and_spaces():
    assert fold("  Despertar   a  BEGOÑA ") == "despertar a begona"


def test_lines_of_fragments_are_cut_and_flow():
    line = [("a", "12345"), ("b", "67890")]
    assert plain(cut_line(line, 7)) == "123456…"
    assert cut_line(line, 10) == line
    assert [plain(item) for item in flow([[("", "aaa")], [("", "bbb")], [("", "ccc")]], 7)] == ["aaa bbb", "ccc"]
    assert line_cells([("", "李")]) == 2


@given(st.text(max_size=60))
def test_the_quick_count_of_cells_is_the_careful_one(text):
    assert cells(text) == sum(max(0, wcwidth(char)) for char in text)


@given(st.text(alphabet="ab ñ名", max_size=80), st.integers(4, 30))
def test_a_broken_line_loses_no_word_and_is_too_wide_only_for_a_word_that_is(text, width):
    lines = broken(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    for line in lines:
        assert cells(line) <= width or any(cells(word) > width for word in line.split()) or len(line.split()) == 1


def test_what_is_indented_stays_so_and_columns_are_kept_where_they_fit():
    assert broken("  one two three", 11) == ["  one two", "  three"]
    assert broken("a   b", 80) == ["a   b"]
    assert broken("", 80) == [""]
    assert broken("see /a/very/long/path", 10) == ["see /a/very/long/path"]
