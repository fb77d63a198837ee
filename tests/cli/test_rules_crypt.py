"""The Crypt's rules page: narrow enough for any terminal, with the numbers of the shipped cards, and moves that are understood."""

import re
from pathlib import Path

import mastaba
import pytest
from crypttable import CryptTable
from mastaba.cli.show import crypt
from mastaba.cli.text import LANGUAGES
from mastaba.core.games.crypt_data import TYPES
from mastaba.core.view import Snapshot, Trust, View
from snapshots import NAMES, shipped

PAGES = Path(mastaba.__file__).parent / "cli/pages"
TYPE = {"en": "Type:", "es": "Escribe:"}


def page(language):
    return (PAGES / language / "crypt.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_at_most_78_columns_wide_and_plain(language):
    text = page(language)
    assert max(map(len, text.splitlines())) <= 78
    assert text.replace("\n", "").isprintable()
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_numbers_of_the_shipped_cards(language):
    data = shipped("crypt")
    rows = re.findall(r"^ +(\d) +(\d\d) +(\d) \+ (\d) +(\d)$", page(language), re.MULTILINE)
    decks = [(n, len(data.cards(n)), data.deck(n)) for n in (2, 3, 4)]
    assert [tuple(map(int, row)) for row in rows] == [(n, cards, d.up, d.down, cards // d.row) for n, cards, d in decks]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_page_says_to_type_is_understood(language):
    view = View.of(CryptTable(4).games[0], 0)
    snapshot = Snapshot(view, NAMES[:4], "play", 1, (), True, (), Trust(), (True,) * 4)
    typed = [re.split(r"  +", line.split(TYPE[language])[1].strip())[0] for line in page(language).splitlines() if TYPE[language] in line]
    verbs = [crypt.parse(snapshot, text)[0] for text in typed]
    assert verbs == ["claim", "claim", "recover", "reroll", "look", "take", "heal", "done"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_both_sides_of_every_collector(language):
    sides = re.findall(r"^(?:  \w+| {2}) +([AB])  \S", page(language), re.MULTILINE)
    assert sides == ["A", "B"] * len(TYPES)
