"""Text on a terminal: what others wrote made inert, widths in cells, cutting, and lines of styled fragments.

It knows neither games nor languages.  A line is a list of (style, text), the form that prompt-toolkit draws.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable

from wcwidth import wcwidth

Line = list[tuple[str, str]]

INERT = "\N{REPLACEMENT CHARACTER}"
MOST = 200  # characters of a peer's text that are ever looked at: a megabyte of zero-width marks ends here
COMBINING = "\u0300"  # printable characters below it are one cell wide
MARKS = 2  # combining marks a letter may carry: towers of them reach into the lines above
_ASCII = str.maketrans("─│…·▸—↑↓«»", '-|~.>-^v""', "¿¡") | {ord(INERT): "?"}
_REGIONAL = re.compile("[\U0001f1e6-\U0001f1ff]")


def clean(text: str, most: int = MOST) -> str:
    """What a peer, file or user wrote, safe to show: one line, no control, escape, bidi or zero-width character takes effect.

    Each run of such characters becomes one replacement character; variation selectors and skin tones, which
    terminals measure differently, are dropped; flags become their letters.
    """
    cut = text[:most] + ("…" if len(text) > most else "")
    cut = _REGIONAL.sub(lambda m: chr(ord("A") + ord(m[0]) - 0x1F1E6), cut)
    out: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", cut):
        kind = unicodedata.category(char)
        if "\ufe00" <= char <= "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff":
            continue
        if kind[0] == "M" or (wcwidth(char) == 0 and kind[0] not in "CZ"):
            marks += 1
            if out and marks <= MARKS:
                out.append(char)
            continue
        marks = 0
        if kind in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or wcwidth(char) < 0:
            if out[-1:] != [INERT]:
                out.append(INERT)
        else:
            out.append(" " if kind == "Zs" else char)
    return "".join(out)


def fold(text: str) -> str:
    """The text without case, accents and doubled spaces, as people type it."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in bare if not unicodedata.combining(c)).split())


def ascii_only(text: str) -> str:
    """The text in ASCII for terminals without more: accents off, our glyphs replaced, anything else a question mark."""
    folded = unicodedata.normalize("NFKD", text.translate(_ASCII))
    return "".join(c if c < "\x7f" else "?" for c in folded if not unicodedata.combining(c))


def cells(text: str) -> int:
    """The width in terminal cells, counted by character as prompt-toolkit does."""
    if text.isprintable() and max(text, default="") < COMBINING:
        return len(text)
    return sum(max(0, wcwidth(c)) for c in text)


def cut(text: str, width: int) -> str:
    """The text in at most `width` cells, an ellipsis for what is missing."""
    if cells(text) <= width:
        return text
    kept, used = "", 0
    for char in text:
        used += max(0, wcwidth(char))
        if used > width - 1:
            break
        kept += char
    return kept + "…" if width > 0 else ""


def pad(text: str, width: int) -> str:
    """The text in exactly `width` cells."""
    text = cut(text, width)
    return text + " " * (width - cells(text))


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, broken at spaces; longer words are cut."""
    return list(_wrapped(text, width))


@functools.lru_cache(maxsize=1024)  # each frame shows the log, and most of it stood in the frame before
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cells(joined) <= width:
            lines[-1] = joined
        elif lines[-1]:
            lines.append(cut(word, width))
        else:
            lines[-1] = cut(word, width)
    return tuple(lines)


def broken(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` cells, broken at spaces and indented alike; a longer word, such as a path, stays where it is."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    lines = [""]
    for word in re.findall(r" *[^ ]+", text):
        if lines[-1] and cells(lines[-1] + word) > width >= cells(word.lstrip(" ")):
            lines.append(indent + word.lstrip(" "))
        else:
            lines[-1] += word
    return lines


def plain(line: Iterable[tuple[str, str]]) -> str:
    """The line without its styles."""
    return "".join(text for _, text in line)


def line_cells(line: Line) -> int:
    """The width of a line of fragments."""
    return cells(plain(line))


def cut_line(line: Line, width: int) -> Line:
    """The line in at most `width` cells, an ellipsis for what is missing."""
    if line_cells(line) <= width:
        return line
    out: Line = []
    room = width - 1
    for style, text in line:
        if cells(text) > room:
            out.append((style, cut(text, room + 1) if room >= 0 else ""))
            break
        out.append((style, text))
        room -= cells(text)
    return out


def flow(items: Iterable[Line], width: int, gap: str = " ") -> list[Line]:
    """The items in order, as many on each line as fit."""
    lines: list[Line] = []
    for item in items:
        if lines and line_cells(lines[-1]) + cells(gap) + line_cells(item) <= width:
            lines[-1] = [*lines[-1], ("", gap), *item]
        else:
            lines.append(cut_line(item, width))
    return lines


def rule(title: str, columns: int, end: str = "") -> Line:
    """A line that separates panes, with a title and perhaps a remark at its right end."""
    left = f"─ {title} "
    right = f" {end} ─" if end else ""
    return [("class:rule", left + "─" * max(0, columns - len(left) - len(right)) + right)]
