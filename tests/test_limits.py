"""docs/limits.md says what the program does: every bound with its value, and none is missing."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| [^|]+ \| ([0-9.]+) \| `([a-z_/]+)\.py` ([A-Z_]+) \|", re.MULTILINE)
ROWS = [(value, module, name) for value, module, name in ROW.findall((ROOT / "docs" / "limits.md").read_text())]
OF_NO_ATTACK = {
    ("core/games/" + module, name)
    for module, name in (
        *(
            (f"{game}_data", name)
            for game, names in {
                "crypt": ("MAX_DICE",),
                "loot": ("MAX_KINDS", "MAX_GOAL"),
                "pyramid": ("MAX_COLOURS", "MAX_DIE", "MAX_LIVES"),
                "scarabya": ("MAX_SQUARES", "MAX_LARGEST", "MAX_TOKENS"),
            }.items()
            for name in names
        ),
    )
}  # numbers of a component table that only keep it readable


@pytest.mark.parametrize(("value", "module", "name"), ROWS, ids=[f"{module}-{name}" for _, module, name in ROWS])
def test_a_limit_on_the_page_is_the_program_s(value, module, name):
    assert getattr(importlib.import_module("mastaba." + module.replace("/", ".")), name) == float(value)


def test_no_limit_is_missing_on_the_page():
    defined = set()
    for path in (ROOT / "src").rglob("*.py"):
        module = str(path.relative_to(ROOT / "src").with_suffix(""))
        defined |= {(module, name) for name in re.findall(r"^(MAX_[A-Z_]+) = ", path.read_text(), re.MULTILINE)}
    assert defined - {(module, name) for _, module, name in ROWS} == OF_NO_ATTACK
