"""The page of rules names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "reference" / "duplex-rules.md"


def test_every_test_on_the_page_exists() -> None:
    text = PAGE.read_text()
    named = set(re.findall(r"::(test_[a-z0-9_]+)", text))
    written = {
        name
        for path in HERE.glob("test_*.py")
        for name in re.findall(r"def (test_[a-z0-9_]+)\(", path.read_text())
    }

    assert named
    assert named <= written


def test_every_number_of_the_studied_tests_is_on_the_page() -> None:
    text = PAGE.read_text()
    found: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:–(\d+))?", " ".join(_numbers(text))):
        found |= set(range(int(first), int(last or first) + 1))

    assert set(range(1, 111)) <= found


def _numbers(text: str) -> list[str]:
    in_rules = re.findall(r"\(((?:\d+(?:–\d+)?(?:, )?)+)[^)]*\)", text)
    left_out = [
        line.split("|")[1] for line in text.splitlines() if re.match(r"\| [\d–, ]*\d", line)
    ]
    waiting = re.findall(r"\| (94 and the waiting in 97)", text)
    return [*in_rules, *left_out, *waiting]
