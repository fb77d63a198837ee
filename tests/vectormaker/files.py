"""All files of the vectors: in groups that can be made one by one, and the index of them."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from memory import remembered

from . import accusations, certificates, contradictions, proofs, refusals, rosters, tables, transcripts
from .rows import Row

HERE = Path(__file__).parents[2] / "vectors" / "v1"
INDEX, README = "index.json", "README.md"

GROUPS: dict[str, Callable[[], Iterator[Row]]] = {
    "whole games": transcripts.games,
    "games as shipped": transcripts.games_as_shipped,
    "results": transcripts.results,
    "good-byes": transcripts.good_byes,
    "next matches": transcripts.next_matches,
    "void tails": transcripts.tails,
    "broken files": refusals.files,
    "lies in files": refusals.lies,
    "files that are not checked": refusals.unchecked,
    "certificates": certificates.certificates,
    "void items": refusals.voids,
    "evidence of lies": accusations.lies,
    "evidence of two things": contradictions.pairs,
    "evidence of nothing": contradictions.nothing_proven,
    "keys": proofs.set_up,
    "cards": proofs.cards,
    "teams": proofs.teams,
    "statements": proofs.statements,
    "questions": proofs.questions,
    "good rosters": rosters.good,
    "faulty rosters": rosters.faulty,
    "component tables": tables.tables,
}


def made(group: str) -> list[Row]:
    """The files of one group, made from their seeds."""
    with remembered():  # what one seat has verified of its match, the others take from memory
        return list(GROUPS[group]())


def index(rows: Iterable[Row]) -> bytes:
    """One line a file."""
    lines = (" " + json.dumps(one.as_json(), ensure_ascii=False) for one in rows)
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


def everything() -> dict[str, bytes]:
    """By name, all but README.md."""
    rows = [one for group in GROUPS for one in made(group)]
    found = {one.file: one.content for one in rows} | tables.copies()
    assert len(found) == len(rows) + len(tables.copies()), "two files have one name"
    return found | {INDEX: index(rows)}
