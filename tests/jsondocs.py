"""The JSON Schemas that docs/json.md publishes, so that every test may hold an output to them."""

import json
import re
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

PAGE = Path(__file__).parents[1] / "docs" / "json.md"
SCHEMAS = {
    json.loads(block)["$id"].removeprefix("mastaba:"): json.loads(block)
    for block in re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.S)
}


def follows(command: str, output: str) -> Any:
    """The one object in a command's standard output; fails unless it is exactly what the page promises."""
    data = json.loads(output)
    Draft202012Validator(SCHEMAS[command]).validate(data)
    return data
