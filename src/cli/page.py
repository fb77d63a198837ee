"""A match as one page for a browser: nothing is loaded from elsewhere, and without scripts its end and its whole log can still be read.

What players wrote stands in it as text only; a policy in the page lets no script run but its own, and nothing be loaded.
"""

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources

from ..core.view import Snapshot
from . import VERSION
from .cells import clean
from .draw import draw_of
from .reel import Reel
from .show import status
from .text import _


def page(reel: Reel) -> Iterator[str]:
    """The HTML of a reel that has been verified to its end, piece by piece: a long match has thousands of pictures."""
    back = reel.playback
    last = back.frames[-1]
    files = resources.files(__package__) / "web"
    style, script = ((files / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    title = f"{reel.show.title()}: {', '.join(clean(name) for name in back.names)}"
    now, proof = _now(reel, last), _("This page shows a match and proves nothing; its transcript does: mastaba verify FILE.")
    log = "".join(f"<li>{escape(text)}</li>" for text in reel.moment(len(back.frames) - 1).words)
    seat = "" if back.seat is None else _("Seen by {who}.").format(who=status.player(last, back.seat))
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    yield "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{escape(os.environ.get("LANGUAGE", "en"))}">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            f"<p>{escape(seat)} {escape(status.checked(last))}</p>",
            f'<div id="board">{draw_of(back.game)(last)}</div>',
            f'<p id="turn" role="status" aria-live="polite">{escape(now)}</p>',
            _controls(),
            f'<ol id="log" aria-label="{escape(_("Log"))}">{log}</ol>',
            f"<details><summary>{escape(_('The table in words'))}</summary>",
            f'<pre id="words">{escape(chr(10).join(reel.show.board_words(last)))}</pre></details>',
            f"<footer>mastaba {VERSION}. {escape(proof)}</footer>",
            '<script type="application/json" id="frames">',
        )
    )
    for piece in _data(reel):
        yield piece.replace("<", "\\u003c")
    yield "\n".join(("</script>", f"<script>{script}</script>", "</body>", "</html>", ""))


def _data(reel: Reel) -> Iterator[str]:
    """The JSON that the script reads: frames name their picture and their table in words by number, since many share them."""
    frames = reel.playback.frames
    draw = draw_of(reel.playback.game)
    drawn: list[int] = []
    told: list[int] = []
    yield '{"pictures": ['
    yield from _distinct((json.dumps(draw(snapshot)) for snapshot in frames), drawn)
    yield '], "tables": ['
    yield from _distinct((json.dumps(reel.show.board_words(snapshot)) for snapshot in frames), told)
    yield '], "frames": ['
    for number, snapshot in enumerate(frames):
        frame = {"picture": drawn[number], "table": told[number], "told": reel.told(number), "now": _now(reel, snapshot)}
        yield ", " * (number > 0) + json.dumps(frame)
    yield "]}"


def _distinct(texts: Iterable[str], numbers: list[int]) -> Iterator[str]:
    """Each text once, with commas between them; `numbers` gets the number of each."""
    known: dict[bytes, int] = {}
    for text in texts:
        digest = hashlib.sha256(text.encode()).digest()
        if digest not in known:
            yield ", " * bool(known) + text
        numbers.append(known.setdefault(digest, len(known)))


def _now(reel: Reel, snapshot: Snapshot) -> str:
    return reel.show.ask(snapshot) if snapshot.asked else status.waiting(snapshot)


def _controls() -> str:
    buttons = (
        ("first", "|◀", _("first")),
        ("back", "◀", _("back")),
        ("play", "▶▶", _("play by itself")),
        ("next", "▶", _("next")),
        ("last", "▶|", _("last")),
    )
    made = "".join(
        f'<button type="button" id="{id}" title="{escape(label)}" aria-label="{escape(label)}">{sign}</button>'
        for id, sign, label in buttons
    )
    slider = f'<input type="range" id="slider" min="0" value="0" aria-label="{escape(_("moment"))}">'
    return f'<nav id="controls" hidden>{made}{slider}<output id="where"></output></nav>'


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
