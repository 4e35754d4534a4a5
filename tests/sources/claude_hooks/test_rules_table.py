"""The table of rules names every one of the forwarder's 96 tests once, and tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TABLE = (ROOT / "docs" / "reference" / "claude-code-rules.md").read_text(encoding="utf-8")
RULES = TABLE[TABLE.index("## The rules") : TABLE.index("## Where the default differs")]
FOLDERS = ("tests/sources/claude_hooks", "tests/policies")


def test_every_rule_stands_in_the_table_once() -> None:
    cells = re.findall(r"^\| ([\d, ]+) \|", RULES, re.MULTILINE)
    numbers = [int(each) for cell in cells for each in cell.split(", ")]
    assert sorted(numbers) == list(range(1, 97))


def test_every_test_the_table_names_exists() -> None:
    named = re.findall(r"`(test_\w+)::(test_\w+)`", RULES)
    assert named
    missing = [(file, test) for file, test in named if f"def {test}(" not in _source(file)]
    assert missing == []


def _source(file: str) -> str:
    paths = [ROOT / folder / f"{file}.py" for folder in FOLDERS]
    return "".join(path.read_text(encoding="utf-8") for path in paths if path.exists())
