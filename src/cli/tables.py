"""The tables on this network, and what is wrong when there are none: `list` and `doctor`, in words or JSON."""

import asyncio
import json
from argparse import Namespace

from ..net.addresses import show_address
from ..net.discovery import MAX_FOUND, Discovery, Found
from ..net.doctor import Check, examine
from ..net.store import Store
from .cells import clean, pad
from .exits import Exit
from .finder import Seen, ask, namesakes
from .terminal import Terminal
from .text import _

LISTEN = 2.5  # seconds: tables are heard within two


async def look(loopback: bool = False, tag: str = "") -> list[Seen]:
    """The tables heard in a few seconds, each asked itself.  Raises LocalError where nothing can be heard."""
    heard: dict[str, Found] = {}

    def hear() -> None:
        heard.update({found.service: found for found in discovery.tables() if len(heard) < MAX_FOUND})

    discovery = Discovery(hear, tag)
    try:
        await discovery.start(loopback)
        await asyncio.sleep(LISTEN)
        tables = discovery.tables()
    finally:
        await discovery.close()
    asked = await asyncio.gather(*map(ask, (heard | {found.service: found for found in tables}).values()))
    announced = {found.service for found in tables}
    return [seen for seen in asked if seen.answers or seen.found.service in announced]  # anybody can say good-bye in a table's name


def run_list(args: Namespace, terminal: Terminal) -> Exit:
    """The command `list`; exit code 3 if there is no table."""
    seen = asyncio.run(look())
    if args.json:
        print(json.dumps({"version": 1, "tables": [_as_json(table) for table in seen]}))
    else:
        for text in in_words(seen):
            terminal.say(text)
    return Exit.OK if seen else Exit.NOTHING


def in_words(seen: list[Seen]) -> list[str]:
    """One line a table, and what to type."""
    if not seen:
        return [
            _("No table was heard on this network."),
            _("To open one: mastaba open loot.  To join by address: mastaba join HOST[:PORT].  If that surprises you: mastaba doctor."),
        ]
    lines, alike = [], namesakes(seen)
    for table in seen:
        ad, address = table.found.ad, show_address(table.found.addresses[0])
        phases = {"open": _("open"), "full": _("full"), "play": _("playing")}
        state = phases[ad.phase] if table.answers else _("not answering")
        if table.private:
            state = _("private")
        elif ad.phase == "play" and not table.watch:
            state = _("playing, nobody may watch")
        if not table.found.fits:
            state = _("speaks another version of the protocol ({versions})").format(versions=clean(table.found.versions))
        who = ", ".join(clean(name, 24) for name in table.seats)
        name = f"{clean(ad.name)} {table.words}".rstrip() if table.found.service in alike else clean(ad.name)
        lines.append(f"{pad(name, max(20, len(name)))} {pad(clean(ad.game), 9)} {ad.taken}/{ad.size}  {state}  {address}  {who}".rstrip())
    there = [table for table in seen if table.answers and table.found.fits]
    if any(table.found.ad.phase == "open" for table in there):
        lines.append(_("To join: mastaba join NAME, or an address."))
    if any(table.found.ad.phase == "play" and table.watch for table in there):
        lines.append(_("To watch: mastaba watch NAME, or an address."))
    if alike:
        lines.append(_("Where several have one name, the words of the key behind it stand in place of NAME."))
    return lines


def _as_json(table: Seen) -> dict[str, object]:
    ad = table.found.ad
    return {
        "name": ad.name,
        "identity": table.identity.hex() or None,
        "words": table.words or None,
        "game": ad.game,
        "taken": ad.taken,
        "size": ad.size,
        "phase": ad.phase,
        "fits": table.found.fits,
        "answers": table.answers,
        "private": table.private,
        "watch": table.watch,
        "players": list(table.seats),
        "addresses": [show_address(address) for address in table.found.addresses],
    }


def run_doctor(args: Namespace, terminal: Terminal) -> Exit:
    """The command `doctor`; exit code 1 if something is wrong."""
    checks = asyncio.run(examine(Store()))
    if args.json:
        print(json.dumps({"version": 1, "checks": [{"id": c.id, "ok": c.ok, "detail": c.detail} for c in checks]}))
    else:
        for text in diagnosis(checks):
            terminal.say(text)
    return Exit.OK if all(check.ok for check in checks) else Exit.FAILURE


def diagnosis(checks: tuple[Check, ...]) -> list[str]:
    """Each check as a line, and what can be done about what is wrong."""
    titles = {
        "program": _("this program"),
        "disk": _("data folder"),
        "interface": _("network interface"),
        "multicast": _("multicast heard on"),
        "discovery": _("tables heard"),
        "listen": _("listening on port"),
        "reach": _("own address answers"),
        "table": _("table answers"),
    }
    advice = {
        "disk": _("Give the folder back to yourself or free some space; MASTABA_HOME names another one."),
        "interface": _("Connect this machine to the network that the others are on."),
        "multicast": _("A firewall drops multicast (UDP port 5353), or the network keeps its machines apart: join by address."),
        "discovery": _("Tables cannot be heard here: join by address."),
        "listen": _("Choose another port with --port."),
        "reach": _("A firewall on this machine refuses connections: allow the port, or let somebody else open the table."),
        "table": _("The table is announced but cannot be reached: a firewall there, or its program has ended."),
    }
    yes, no = _("ok"), _("NOT OK")
    lines = [f"{pad(yes if c.ok else no, 7)} {titles.get(c.id, clean(c.id))}: {clean(c.detail)}" for c in checks]
    wrong = dict.fromkeys(check.id for check in checks if not check.ok)
    return [*lines, *(advice[id] for id in wrong if id in advice), *([] if wrong else [_("Nothing is wrong on this machine.")])]
