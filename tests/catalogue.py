"""The message catalogues: what the sources say, brought into each .po file, and the .mo files made from them.

Run it after changing a text: `python tests/catalogue.py` adds new entries to the .po files, empty, and drops old ones.
"""

import io
import os
import tempfile
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from mastaba.net.channel import SENTENCES, UNKNOWN

SOURCES = Path(__file__).parents[1] / "src"
LOCALE = SOURCES / "cli" / "locale"
ERRORS = ("LocalError", "NothingFound", "Taken", "Usage")
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), **{error: (1,) for error in ERRORS}, "Unfit": (2,)}


def messages() -> Catalog:
    """Every text of the sources: marked ones, sentences of LocalErrors, and the reasons for which links end."""
    catalog = Catalog(charset="utf-8")
    for name, _line, text, _comments, context in extract_from_dir(SOURCES, [("**.py", "python")], keywords=KEYWORDS):
        if not name.startswith("cli") and text[:1].islower():
            continue  # said to a programmer who misuses an interface, not to a player
        catalog.add(text, locations=[(f"src/{name}", None)], context=context)  # type: ignore[list-item]  # Babel writes no line
    for text in (*SENTENCES.values(), UNKNOWN):
        catalog.add(text, locations=[("src/net/channel.py", None)])  # type: ignore[list-item]
    return catalog


def catalogues() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/mastaba.po"))


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def compile_all() -> None:
    """Make the .mo files that are missing or older than their .po; safe beside others doing the same."""
    for po in catalogues():
        mo = po.with_suffix(".mo")
        if mo.exists() and mo.stat().st_mtime >= po.stat().st_mtime:
            continue
        data = io.BytesIO()
        write_mo(data, read(po))
        with tempfile.NamedTemporaryFile(dir=po.parent, delete=False) as file:
            file.write(data.getvalue())
        os.replace(file.name, mo)


def update() -> None:
    """Bring the sources' texts into every .po file."""
    for po in catalogues():
        catalog = read(po)
        catalog.update(messages(), no_fuzzy_matching=True)
        with po.open("wb") as file:
            write_po(file, catalog, width=120, no_location=False, ignore_obsolete=True, include_lineno=False, sort_output=True)
    compile_all()


if __name__ == "__main__":
    update()
