"""SVG markup from numbers and texts; whatever is put in is escaped, so that a player's name stays a text."""

from collections.abc import Iterable
from html import escape

BACKS = {"red": "#b3413a", "yellow": "#d9a520", "green": "#3f8a52", "white": "#f4f1e6", "blue": "#3b6ea5"}
STONE, SAND, INK, GOLD = "#7a5a3c", "#f1e3c0", "#2b2118", "#e0a800"
TILES = ("#4a8f9c", "#5b7fb3", "#3f7f86", "#6f6fa8")  # neighbours differ; the letter says which tile it is
SEATS = ("#1f5fa8", "#b3413a", "#2f7d4a", "#7a3f99", "#a8641f", "#3a3a3a")  # by seat; beside each stands its number


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element; `inside` is markup already, attributes are escaped (font_size becomes font-size, class_ class)."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(inside)}</{name}>" if inside else f"<{name}{written}/>"


def words(x: float, y: float, text: str, size: float = 14, **attributes: object) -> str:
    """A line of text whose baseline begins there."""
    return tag("text", escape(text), x=x, y=y, font_size=size, **({"fill": INK} | attributes))


def box(x: float, y: float, width: float, height: float, fill: str, **attributes: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **attributes)


def unit_squares(squares: Iterable[tuple[float, float]], fill: str, **attributes: object) -> str:
    """Squares of side 1 by their upper left corners, as one path: a board has hundreds."""
    path = "".join(f"M{_short(x)} {_short(y)}h1v1h-1z" for x, y in squares)
    return tag("path", d=path, fill=fill, **attributes) if path else ""


def picture(width: float, height: float, label: str, *inside: str) -> str:
    """The whole; `label` is what it shows, for who cannot see it."""
    size = f"0 0 {_short(width)} {_short(height)}"
    return tag("svg", *inside, xmlns="http://www.w3.org/2000/svg", viewBox=size, role="img", aria_label=label, font_family="sans-serif")


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
