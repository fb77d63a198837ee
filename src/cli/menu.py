"""What the lobby offers: pages of items, each of which is a command line or leads to another page; it draws and runs nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .cells import cells, clean, pad
from .name import LONGEST
from .show import GAMES, show_of
from .text import _, ngettext

if TYPE_CHECKING:
    from .finder import Seen

HOME, OPEN, WATCHED, PLAY, LEARN, ADDRESS, NAME, FIRST = "home", "open", "watched", "play", "learn", "address", "name", "first"
FRESH = "f"  # the key of the item that says under which key the next table is
TYPED = (ADDRESS, NAME, FIRST)  # pages on which a line is typed


@dataclass(frozen=True)
class Item:
    """One line to choose.  `words`: the command line it stands for; `page`: where it leads; neither: `why` says why not."""

    key: str
    section: str
    label: str
    words: tuple[str, ...] = ()
    page: str = ""
    why: str = ""
    dim: bool = False


@dataclass(frozen=True)
class Menu:
    """Where the person is.  `tables` are what the network shows now, `matches` how many interrupted ones lie on disk."""

    name: str
    matches: int = 0
    tables: Sequence["Seen"] = ()
    page: str = HOME
    cursor: str = ""  # the key of the chosen item: items come and go above it
    message: str = ""
    fresh: bool = False  # the next table is opened, joined or watched under a key of its own
    heard: bool = False  # has the network been listened to for long enough to say that nobody is there?


def items(menu: Menu) -> list[Item]:
    """What can be chosen on this page, in order."""
    kind, _colon, game = menu.page.partition(":")
    if menu.page == HOME:
        alike = _namesakes(menu.tables)
        return [*_resume(menu), *(_table(seen, seen.found.service in alike) for seen in menu.tables), *_home(menu)]
    if menu.page in (OPEN, PLAY, LEARN):
        return [Item(name, _("Which game?"), show_of(name).title(), page=f"{kind}:{name}") for name in GAMES]
    if not game:
        return []
    seats = _seats(game.partition(":")[0])
    if kind == OPEN:
        texts = [(n, ngettext("{n} player", "{n} players", n).format(n=n)) for n in seats if n > 1]
        return [Item(str(n), _("How many play?"), text, page=f"{WATCHED}:{game}:{n}") for n, text in texts]
    if kind == WATCHED:
        game, _colon, count = game.partition(":")
        words, section = ("open", game, "--seats", count), _("May others watch?  The players see who does.")
        return [
            Item("y", section, _("yes: whoever is on this network"), words),
            Item("n", section, _("no: nobody"), (*words, "--no-watch")),
        ]
    if kind == PLAY:
        counts = [(n - 1, ngettext("{n} bot", "{n} bots", n - 1).format(n=n - 1)) for n in seats]
        return [
            Item(str(n), _("Against how many bots?"), text if n else _("alone"), ("play", game, "--bots", str(n))) for n, text in counts
        ]
    if kind == LEARN:
        section = show_of(game).title()
        return [
            Item("tutorial", section, _("a guided beginning against a bot"), ("tutorial", game)),
            Item("rules", section, _("the rules, to read"), ("rules", game)),
        ]
    return []


def intro(menu: Menu) -> list[str]:
    """What stands above the items, or above the line to type."""
    if menu.page == FIRST:
        return [
            _("Welcome.  mastaba is for board games with friends on one network; each has the program on his own machine."),
            _("1. There is no server: one opens a table, the others see it here.  If they do not, an address can be typed."),
            _("2. Nobody can cheat: all mix the cards together, every program checks every step, and a cheat is named with proof."),
            _("3. Your seat stays yours: after Ctrl-C or a crash choose «go on».  In a game ? explains what can be done now."),
            _("What shall the others call you?  Enter takes {name}.").format(name=clean(menu.name, LONGEST)),
        ]
    if menu.page == NAME:
        return [_("What shall the others call you?  Enter keeps {name}.").format(name=clean(menu.name, LONGEST))]
    if menu.page == ADDRESS:
        return [_("The address of the table, HOST or HOST:PORT: it stands on the opener's screen.")]
    if menu.page == HOME and not menu.tables:
        none = _("No table is heard yet: open one, and the others will see it.")
        return [none if menu.heard else _("Looking for tables on this network.")]
    return []


def back(menu: Menu) -> str:
    """The page above this one."""
    kind, colon, game = menu.page.partition(":")
    if kind == WATCHED:
        return f"{OPEN}:{game.partition(':')[0]}"
    return kind if colon else HOME


def _seats(game: str) -> Sequence[int]:
    """How many may play; the rules of the games are loaded only here, since the first picture needs none."""
    from ..core.games import GAMES as RULES

    return RULES[game].rules.SEATS


def _resume(menu: Menu) -> list[Item]:
    if not menu.matches:
        return []
    text = ngettext("go on with {n} interrupted match", "go on with one of {n} interrupted matches", menu.matches)
    return [Item("resume", _("Go on"), text.format(n=menu.matches), ("resume",))]


def _home(menu: Menu) -> list[Item]:
    section = _("What would you like?")
    key = _("the next table: under a fresh key, by which nobody recognises you") if menu.fresh else _("the next table: under your own key")
    return [
        Item("o", section, _("open a table"), page=OPEN),
        Item("p", section, _("practise against bots"), page=PLAY),
        Item("l", section, _("learn a game"), page=LEARN),
        Item("a", section, _("join by address"), page=ADDRESS),
        Item("d", section, _("find out why a table is not seen here"), ("doctor",)),
        Item("n", section, _("change your name"), page=NAME),
        Item(FRESH, section, key, page=HOME),
    ]


def _namesakes(tables: Sequence["Seen"]) -> frozenset[str]:
    """The libraries of the network are loaded only once a table has been heard."""
    if len(tables) < 2:
        return frozenset()
    from .finder import namesakes

    return namesakes(tables)


def _table(seen: "Seen", ambiguous: bool) -> Item:
    """A table: what it is called, what it plays, how many sit there, how it is doing, and who.  `ambiguous`: its name alone is none."""
    ad = seen.found.ad
    game = show_of(ad.game).title() if ad.game in GAMES else clean(ad.game, 12)
    phases = {"open": _("open"), "full": _("full"), "play": _("playing")}
    state = phases[ad.phase] if seen.answers else _("being asked") if seen.answers is None else _("not answering")
    if seen.private:
        state = _("private")
    words: tuple[str, ...] = ({"open": "join", "play": "watch"}.get(ad.phase, ""), ad.name)
    why = _("That table is full; its game is about to begin.") if not words[0] else ""
    if ad.phase == "play" and not seen.watch:
        state, why = _("not watched"), _("That game has begun, and its table does not want to be watched.")
    if not seen.found.fits:
        state = _("another version of the protocol ({versions})").format(versions=clean(seen.found.versions, 12))
        why = _("The two programs do not fit together: one of you needs a newer mastaba.")
    elif ad.game not in GAMES:
        why = _("This program does not know that game.")
    elif seen.answers is False:
        why = _("That table is announced but does not answer: a firewall there, or its program has ended.")
    elif seen.own:
        why = _("That is your own table; it is in another window of yours.")
    elif ambiguous and not seen.words:
        why = _("Several tables have that name, and this one has not said yet whose it is.")
    elif ambiguous and words[0]:
        words = (words[0], seen.words)
    elif words[0] and ("." in ad.name or ":" in ad.name or ad.name.startswith("-")):
        words = (words[0], _address(seen))  # such a name would be read as an address or a flag
    mine = " " + _("(yours)") if seen.own else ""
    who = ", ".join(clean(name, LONGEST) for name in seen.seats) + ("" if seen.audit else " · " + _("no audit"))
    program = clean(seen.found.program, 8)
    name = " ".join(filter(None, (clean(ad.name, 40) + mine, seen.words if ambiguous else "")))
    label = f"{pad(name, max(20, cells(name)))} {pad(game, 11)} {ad.taken}/{ad.size}  {pad(state, 13)} {pad(program, 6)} {who}".rstrip()
    return Item(f"table {seen.found.service}", _("Tables on this network"), label, () if why else words, why=why, dim=seen.answers is False)


def _address(seen: "Seen") -> str:
    from ..net.addresses import show_address

    return show_address(seen.found.addresses[0])
