"""The command `stats`: a player's own games by game, opponent and bot, with a plot in text, or as JSON."""

import json
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..net.acquaintances import Acquaintances
from ..net.records import Played, Records
from ..net.store import Store
from ..net.verify import seat_json
from .cells import clean, pad
from .exits import Exit
from .seats import key_words
from .show import GAMES, show_of
from .terminal import Terminal
from .text import _, ngettext

BAR = 30  # cells of a full bar
NAME = 22  # cells of the column of names
SHOWN = 12  # opponents listed


@dataclass
class Tally:
    """Matches of one kind: all, those won, and the scores of those that were played to their end."""

    label: str
    key: str
    played: int = 0
    won: int = 0
    unfinished: int = 0
    scores: list[int] = field(default_factory=list)

    def add(self, match: Played) -> None:
        me = match.players[match.me]
        self.played += 1
        self.won += me.won
        self.unfinished += not match.complete
        self.scores += [me.score] if match.complete else []


@dataclass(frozen=True)
class Stats:
    """games, opponents and bots: what a person played.  hired: matches in which a bot played this player's own seat, by level."""

    games: list[Tally]
    opponents: list[Tally]
    bots: list[Tally]
    hired: list[Tally]


def run(args: Namespace, terminal: Terminal) -> Exit:
    """Print them.  Raises LocalError."""
    stats, known = count(Records(Store().root).all()), Acquaintances(Store())
    if args.json:
        print(json.dumps(as_json(stats, known)))
    else:
        for text in in_words(stats, known):
            terminal.say(text)
    return Exit.OK


def count(matches: Iterable[Played]) -> Stats:
    """The tallies, most played first; an opponent is an identity, called by the name last seen."""
    kinds: tuple[dict[str, Tally], ...] = ({}, {}, {}, {})
    games, opponents, bots, hired = kinds
    for match in matches:
        if not 0 <= match.me < len(match.players):
            continue
        if level := match.players[match.me].bot:
            hired.setdefault(level, Tally(level, level)).add(match)
            continue
        games.setdefault(match.game, Tally(match.game, match.game)).add(match)
        others = [player for seat, player in enumerate(match.players) if seat != match.me]
        for level in {player.bot for player in others if player.bot}:
            bots.setdefault(level, Tally(level, level)).add(match)
        for player in others:
            if not player.bot:
                tally = opponents.setdefault(player.identity.hex(), Tally(player.name, player.identity.hex()))
                tally.label = player.name
                tally.add(match)
    ranked = [sorted(kind.values(), key=lambda tally: (-tally.played, tally.label)) for kind in kinds]
    return Stats(*ranked)


def as_json(stats: Stats, known: Acquaintances | None = None) -> dict[str, Any]:
    """The documented form, version 1; `known`: what this profile knows of the opponents."""

    def rows(tallies: list[Tally], key: str) -> list[dict[str, Any]]:
        return [
            {key: tally.key, "played": tally.played, "won": tally.won, "unfinished": tally.unfinished}
            | {"best": max(tally.scores, default=None), "mean": round(sum(tally.scores) / len(tally.scores), 2) if tally.scores else None}
            | (seat_json(tally.label, bytes.fromhex(tally.key), known.of if known else None) if key == "identity" else {})
            for tally in tallies
        ]

    return {
        "version": 1,
        "games": rows(stats.games, "game"),
        "opponents": rows(stats.opponents, "identity"),
        "bots": rows(stats.bots, "level"),
        "played_by_bot": rows(stats.hired, "level"),
    }


def in_words(stats: Stats, known: Acquaintances | None = None) -> list[str]:
    """Tables with a bar each: how many of the matches were won.  Opponents are told apart by the words of their keys."""
    if not (stats.games or stats.hired):
        return [_("No match has been finished on this machine yet.")]
    titles = (
        (_("By game"), stats.games),
        (_("Against"), stats.opponents[:SHOWN]),
        (_("Against bots"), stats.bots),
        (_("Played for you by a bot"), stats.hired),
    )
    lines: list[str] = []
    for title, tallies in titles:
        if tallies:
            lines += [*([""] if lines else []), title]
            lines += [_row(tally, *_names(tally, tallies is titles[1][1], known)) for tally in tallies]
    if len(stats.opponents) > SHOWN:
        more = len(stats.opponents) - SHOWN
        lines.append(ngettext("and {n} more player", "and {n} more players", more).format(n=more))
    return lines


def _names(tally: Tally, is_person: bool, known: Acquaintances | None) -> tuple[str, str]:
    """What a tally is called, and for a person the key."""
    if is_person:
        identity = bytes.fromhex(tally.key)
        return clean(tally.label), key_words(tally.label, identity, known)
    return show_of(tally.key).title() if tally.key in GAMES else clean(tally.label), ""


def _row(tally: Tally, label: str, key: str) -> str:
    share = tally.won / tally.played
    bar = pad("█" * round(share * BAR), BAR)
    text = ngettext("{won} of {n} match won", "{won} of {n} matches won", tally.played).format(won=tally.won, n=tally.played)
    mean = (
        _("{mean} points on average, {best} at best").format(
            mean=f"{round(sum(tally.scores) / len(tally.scores), 1):g}", best=max(tally.scores)
        )
        if tally.scores
        else ""
    )
    return f"  {pad(label, NAME)} {bar} {round(100 * share):3} %  " + "; ".join(part for part in (text, mean, key) if part)
