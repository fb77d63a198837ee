"""Which language a person reads: it finds the catalogue and translates English texts; it knows no game and no terminal.

The wire, files and events carry ids; only this layer turns them into words.
"""

import gettext as catalogues
import os
from collections.abc import Mapping
from pathlib import Path

DOMAIN = "mastaba"
LOCALE = Path(__file__).with_name("locale")
LANGUAGES = ("en", "es")

_catalogue: catalogues.NullTranslations = catalogues.NullTranslations()


def choose(flag: str | None, environ: Mapping[str, str]) -> str:
    """The language to speak: the flag's, else the first known one of LANGUAGE, LC_ALL, LC_MESSAGES, LANG, else English.

    Every Spanish (es_419, es_MX.UTF-8) is "es"; C, POSIX and unknown languages are "en".
    """
    first = next((environ[name] for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    for wish in (flag or first).split(":"):
        if known(wish):
            return _language(wish)
    return "en"


def known(wish: str) -> bool:
    """Is es, es_MX.UTF-8, es-419 or the like a language that is spoken here?"""
    return _language(wish) in LANGUAGES


def _language(wish: str) -> str:
    return wish.replace("-", "_").split(".")[0].split("_")[0].lower()


def use(language: str) -> None:
    """Speak `language` from now on; argparse, which asks gettext's default domain, does so too."""
    global _catalogue
    _catalogue = catalogues.translation(DOMAIN, LOCALE, [language], fallback=True)
    catalogues.bindtextdomain(DOMAIN, str(LOCALE))
    catalogues.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = language


def _(message: str) -> str:
    """The text in the language in use."""
    return _catalogue.gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """The singular or plural text for n in the language in use."""
    return _catalogue.ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """The text whose meaning depends on a context, such as a two-letter code."""
    return _catalogue.pgettext(context, message)


def N_(message: str) -> str:
    """Mark a text for the catalogue that is translated later."""
    return message


ARGPARSE = (  # argparse's own texts, which it looks up in our domain
    N_("usage: "),
    N_("options"),
    N_("positional arguments"),
    N_("show this help message and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
    N_("invalid %(type)s value: %(value)r"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
)
