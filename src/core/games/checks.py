"""Checks on a parsed data table that every game's loader shares: each refuses in one sentence; knows no game."""

from typing import Any

from ..errors import LocalError


def need(good: bool, sentence: str, *details: object) -> None:
    """Raise LocalError with the sentence, and what stands in its {0}, {1}, ..., unless all is well."""
    if not good:
        raise LocalError(sentence, *details)


def need_keys(place: str, table: Any, names: set[str]) -> None:
    """The place in the file is a table with exactly these keys."""
    need(type(table) is dict, "{0} must be a table.", place)
    for missing in sorted(names - set(table)):
        raise LocalError("{0} lacks the key {1}.", place, missing)
    for unknown in sorted(map(quoted, set(table) - names)):
        raise LocalError("{0} has an unknown key: {1}.", place, unknown)


def is_list(value: Any, item: type) -> bool:
    """Is it a list of this exact type (a bool is no int)?"""
    return type(value) is list and all(type(x) is item for x in value)


def quoted(value: object) -> str:
    """A value from a file for a sentence: one short line without control characters."""
    return ascii(value)[:40]
