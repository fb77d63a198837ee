"""The rules pages: one for each game and language, narrow enough for any terminal, with the numbers of the shipped cards."""

import re
import tomllib
from collections import Counter
from pathlib import Path

import mastaba
import pytest
from mastaba.cli.show import loot as words
from mastaba.cli.text import LANGUAGES
from mastaba.core.games.loot import load

PAGES = Path(mastaba.__file__).parent / "cli/pages"
TYPE = {"en": "Type:", "es": "Escribe:"}


def page(language, game="loot"):
    return (PAGES / language / f"{game}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_at_most_78_columns_wide_and_plain(language):
    text = page(language)
    assert max(map(len, text.splitlines())) <= 78
    assert text.replace("\n", "").isprintable()
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_the_numbers_of_the_shipped_cards(language):
    data = load(tomllib.loads((PAGES.parents[1] / "core/games/data/loot.toml").read_text()))
    text = page(language)
    backs = Counter(back for back, _ in data.cards)
    rows = re.findall(r"^    \w+ +(\d+) +1 \w+ (\d) +(\d[.,]\d+)$", text, re.MULTILINE)
    assert [int(cards) for cards, _, _ in rows] == [backs["red"], backs["yellow"], backs["green"]]
    assert [int(one_in) for _, one_in, _ in rows] == [2, 3, 4]
    assert str(len(data.cards)) in text
    assert str(data.goal(2)) in text
    assert str(data.goal(6)) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_page_says_to_type_is_understood(language):
    typed = [line.split(TYPE[language])[1].split()[0] for line in page(language).splitlines() if TYPE[language] in line]
    assert [words.VERBS[verb] for verb in typed] == ["loot", "run", "wake", "keep"]
