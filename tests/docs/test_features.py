"""The page of features names only tests that exist, and says something of every feature."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "features.md").read_text()
ROWS = dict(re.findall(r"^\| ([FDTGK]\d+) \| (.*) \|$", PAGE, re.M))


def test_every_named_test_exists():
    named = re.findall(r"`([a-z/_]+\.py)::(test_\w+)`", PAGE)
    missing = [(file, test) for file, test in named if f"def {test}(" not in (TESTS / file).read_text()]
    assert len(named) > 100
    assert missing == []


def test_every_feature_has_a_row_and_every_row_shows_something_or_says_what_does_not():
    assert {f"F{n}" for n in range(1, 37)} <= set(ROWS)
    assert {id[0] for id in ROWS} == set("FDTGK")
    for id, row in ROWS.items():
        _expected, shown = row.split(" | ", 1)
        assert shown.strip(), id


def test_every_command_that_is_named_is_a_target_of_make():
    targets = re.findall(r"^([a-z-]+):", (TESTS.parent / "Makefile").read_text(), re.M)
    assert set(re.findall(r"`make ([a-z-]+)`", PAGE)) <= set(targets)
