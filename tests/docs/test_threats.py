"""The page of threats names only tests that exist, and has every claim that a program can make against a seat."""

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = (TESTS.parent / "docs" / "threats.md").read_text()
CLAIM = re.compile(r"^\| `([a-z-]+)` \| seat \|", re.MULTILINE)
RULED_OUT = {"not-read"}  # no game asks a seat to open what it has not been given


def test_every_named_test_exists():
    named = re.findall(r"`([a-z/_]+\.py)::(test_\w+)`", PAGE)
    assert len(named) > 80
    assert [(file, test) for file, test in named if f"def {test}(" not in (TESTS / file).read_text()] == []
    everything = "".join(path.read_text() for path in TESTS.rglob("test_*.py"))
    assert [test for test in re.findall(r"\btest_\w+\b(?!\.py)", PAGE) if f"def {test}(" not in everything] == []


def test_every_attack_has_a_test():
    rows = re.findall(r"^\| (.+) \|$", PAGE, re.MULTILINE)
    assert len(rows) > 80
    assert not [row for row in rows if row.endswith("| -")]


def test_every_claim_against_a_seat_has_its_row():
    shown = set(CLAIM.findall((TESTS.parent / "docs" / "protocol.md").read_text())) - RULED_OUT
    assert len(shown) > 20
    assert set(re.findall(r"^\| `([a-z-]+)`:", PAGE, re.MULTILINE)) == shown
