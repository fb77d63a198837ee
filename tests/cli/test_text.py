"""Languages: which is chosen, and that every text is there in each."""

import re
import string

import catalogue
import pytest
from mastaba.cli import text

WHOLE = catalogue.messages()


@pytest.mark.parametrize(
    ("flag", "environ", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "C"}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LC_ALL": "POSIX", "LANG": "es_ES.UTF-8"}, "en"),
        (None, {"LANG": "es_MX.UTF-8"}, "es"),
        (None, {"LANG": "es_419"}, "es"),
        (None, {"LC_MESSAGES": "es_ES@euro", "LANG": "de_DE"}, "es"),
        (None, {"LANGUAGE": "de:es:en", "LANG": "en_US"}, "es"),
        (None, {"LANGUAGE": "es"}, "es"),
        (None, {"LANG": "fr_FR.UTF-8"}, "en"),
        ("es", {"LANG": "en_US.UTF-8"}, "es"),
        ("en", {"LANGUAGE": "es"}, "en"),
        ("es-419", {}, "es"),
        ("klingon", {"LANG": "es"}, "en"),
    ],
)
def test_the_language_follows_flag_and_environment(flag, environ, language):
    assert text.choose(flag, environ) == language


@pytest.mark.parametrize("path", catalogue.catalogues(), ids=lambda p: p.parts[-3])
def test_every_text_is_translated_and_none_is_left_over(path):
    catalog = catalogue.read(path)
    wanted = {(m.context, m.id if isinstance(m.id, str) else tuple(m.id)) for m in WHOLE if m.id}
    there = {(m.context, m.id if isinstance(m.id, str) else tuple(m.id)): m for m in catalog if m.id}
    assert not wanted - set(there), "python tests/catalogue.py brings new texts into the .po files"
    assert not set(there) - wanted, "python tests/catalogue.py drops old texts"
    for message in there.values():
        strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id


def _fields(sentence: str) -> set[str]:
    percent = set(re.findall(r"%\(\w+\)[rs]|%[rs]", sentence))
    return percent | ({str(name) for _, name, _, _ in string.Formatter().parse(sentence) if name is not None} if not percent else set())


@pytest.mark.parametrize("path", catalogue.catalogues(), ids=lambda p: p.parts[-3])
def test_translations_keep_the_fields_of_the_original(path):
    for message in catalogue.read(path):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        for translated in strings:
            assert _fields(translated) == _fields(ids[-1]), message.id


def test_spanish_is_spoken_once_it_is_chosen():
    text.use("es")
    assert text._("You have no cards.") == "No tienes cartas."
    assert text.ngettext("{n} card", "{n} cards", 2) == "{n} cartas"
    assert text.pgettext("back", "Y") == "A"
    text.use("en")
    assert text._("You have no cards.") == "You have no cards."
