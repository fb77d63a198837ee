"""Names and texts as strangers send them: made harmless, cut to size, told apart.  It knows nothing of who sends them."""

import functools
import re
import unicodedata
from collections.abc import Collection

# letters of other alphabets, and digits, that look like those of key words (identity.py)
_LOOKS = str.maketrans("аоіјѕрһԁкткмнвгοαιυνκτρѵ01ıɩɡɑոսօꟷーᐨㅡ一ـ", "aoijsphdktkmhbroaiuvktpvoiiiganuo------")
_WORD = "[bdfghjklmnprstvz][aiou][bdfghjklmnprstvz][aiou][bdfghjklmnprstvz]"
_ALONE = f"(?<![^\\W_]){_WORD}(?![^\\W_])"
# two words with a hyphen or the like between them, or three with whatever is no letter
_KEY = re.compile(rf"{_WORD}(?:-{_WORD}){{3}}")
_KEY_WORDS = re.compile(rf"{_ALONE}(?:(?:[\W_]*[^\w\s][\W_]*|_+){_ALONE})+|{_ALONE}(?:[\W_]+{_ALONE}){{2,}}")


def clean(text: str, size: int) -> str:
    """The text on one line without control, format (bidi, zero width) and unassigned characters, in NFC, in at most `size` bytes of UTF-8.

    Everything that could move a cursor, reorder a line or hide in it is dropped; it is cut between characters, never inside one.
    A cleaned text stays as it is when cleaned again.
    """
    spaced = "".join(" " if c.isspace() else c for c in text[: 4 * size])  # composing takes the square of the length
    shown = "".join(c for c in spaced if c == " " or unicodedata.category(c)[0] not in "CZ")
    line = " ".join(unicodedata.normalize("NFC", shown).split())
    return line.encode()[:size].decode(errors="ignore").strip()


@functools.lru_cache(maxsize=256)  # names are looked at again for every picture of a table
def plain_name(text: str, size: int) -> str:
    """The name of a person or a table, cleaned, and without what looks like the words of a key, which only the program writes beside it.

    Such words are two or more of the form of `identity.word` with hyphens or the like between them, or three or more in a row, also in
    letters that only look so.  They are dropped.  A plain name stays as it is; what has nothing else in it becomes empty.
    """
    name = clean(text, size)
    while found := _key_words(name):
        name = clean(f"{name[: found[0]]} {name[found[1] :]}".strip(" -‐‑‒–—(["), size)
    return name


def is_key(typed: str) -> bool:
    """Has this the form of the words of a whole key (identity.words)?  No plain name has."""
    return _KEY.fullmatch(typed.strip().casefold()) is not None


def looks(name: str) -> str:
    """What the name looks like: names that people take for the same have the same looks."""
    return "".join(map(_look, name))


def unique(name: str, taken: Collection[str], size: int) -> str:
    """The name, or "name 2", "name 3", ... so that no two people at one table are called alike (letter case does not tell apart)."""
    folded = {other.casefold() for other in taken}
    number, candidate = 1, name
    while candidate.casefold() in folded:
        number += 1
        suffix = f" {number}"
        candidate = clean(name, size - len(suffix)) + suffix
    return candidate


def _look(letter: str) -> str:
    """A letter without case, marks and alphabet."""
    bare = unicodedata.normalize("NFKD", letter.casefold())
    return "".join(c for c in bare if not unicodedata.combining(c)).translate(_LOOKS)


def _key_words(name: str) -> tuple[int, int] | None:
    """Where in the name the first key words stand."""
    shapes = [_look(letter) for letter in name]
    found = _KEY_WORDS.search("".join(shapes))
    if found is None:
        return None
    starts = [0]
    for shape in shapes:
        starts.append(starts[-1] + len(shape))
    first = max(i for i in range(len(name)) if starts[i] <= found.start())
    last = next(i for i in range(1, len(name) + 1) if starts[i] >= found.end())
    return first, last
