"""The claims: one enumeration, two pages that say the same of each, and a sentence for each in every language; no other id is named."""

import ast
import re
from pathlib import Path

import pytest
from jsondocs import SCHEMAS
from mastaba.cli.show.claims import claim_words
from mastaba.cli.text import LANGUAGES, use
from mastaba.core.claims import Claim, Refusal
from mastaba.core.errors import PeerError, Unfit
from mastaba.net.book import Fault
from mastaba.net.replay import Wrong

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `([a-z-]+)` \| ((?:seat|file|match)(?:, match)?) \| (.+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "protocol.md").read_text())
NAMERS = {"PeerError": 1, "Wrong": 0, "Fault": 0, "BadFile": 0}  # which argument is the claim


def test_the_enumeration_and_both_pages_are_one():
    assert [claim for claim, _, _ in ROWS] == list(Claim)
    assert ROW.findall((ROOT / "docs" / "json.md").read_text()) == ROWS
    assert {kind for _, of, _ in ROWS for kind in of.split(", ")} == {"seat", "file", "match"}


def test_every_refusal_is_on_the_page_and_in_the_schemas():
    rows = re.findall(r"^\| `([a-z-]+)` \| [^|]+ \|$", (ROOT / "docs" / "json.md").read_text(), re.MULTILINE)
    assert rows == list(Refusal)
    for command in ("verify", "replay"):
        (form,) = [form for form in SCHEMAS[command]["oneOf"] if "refused" in form["properties"]]
        assert form["properties"]["refused"]["enum"] == list(Refusal)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_claim_has_a_sentence(language):
    use(language)
    sentences = [claim_words(claim) for claim in Claim]
    assert all(sentences)
    assert len(set(sentences)) == len(sentences)
    use("en")
    assert language == "en" or not set(sentences) & {claim_words(claim) for claim in Claim}


def test_whoever_names_a_claim_takes_it_from_the_enumeration():
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for call in (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)):
            at = NAMERS.get(getattr(call.func, "id", getattr(call.func, "attr", "")))
            if at is not None and len(call.args) > at and isinstance(call.args[at], ast.Constant):
                found.add(call.args[at].value)
    assert len(found) > 30
    assert found <= set(Claim)


@pytest.mark.parametrize("make", [lambda text: PeerError(0, text), Wrong, lambda text: Fault(text, 0), lambda text: Unfit(text, "")])
def test_no_other_text_can_be_a_claim(make):
    with pytest.raises(ValueError, match="is not a valid"):
        make("12 exceeds max_map_len(0)")
