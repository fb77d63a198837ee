"""Names and texts as strangers send them: made harmless, cut to size, told apart.  It knows nothing of who sends them."""

import unicodedata
from collections.abc import Collection


def clean(text: str, size: int) -> str:
    """The text on one line without control, format (bidi, zero width) and unassigned characters, in NFC, in at most `size` bytes of UTF-8.

    Everything that could move a cursor, reorder a line or hide in it is dropped; it is cut between characters, never inside one.
    A cleaned text stays as it is when cleaned again.
    """
    spaced = "".join(" " if c.isspace() else c for c in text)
    shown = "".join(c for c in spaced if c == " " or unicodedata.category(c)[0] not in "CZ")
    line = " ".join(unicodedata.normalize("NFC", shown).split())
    return line.encode()[:size].decode(errors="ignore").strip()


def unique(name: str, taken: Collection[str], size: int) -> str:
    """The name, or "name 2", "name 3", ... so that no two people at one table are called alike (letter case does not tell apart)."""
    folded = {other.casefold() for other in taken}
    number, candidate = 1, name
    while candidate.casefold() in folded:
        number += 1
        suffix = f" {number}"
        candidate = clean(name, size - len(suffix)) + suffix
    return candidate
