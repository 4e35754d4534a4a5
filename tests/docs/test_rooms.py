"""The pages about the code tell the truth: all rooms in the order that the layers have, all rules."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT
from tests.test_layers import ORDER, SOURCE

ROOMS = (ROOT / "docs" / "explanation" / "rooms.md").read_text("utf-8")
RULES = (ROOT / "docs" / "reference" / "rules.md").read_text("utf-8")


def test_the_page_has_the_rooms_in_their_order() -> None:
    table = ROOMS[ROOMS.index("## Room by room") : ROOMS.index("## Where do I look?")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == ORDER


def test_every_rule_stands_on_its_page_once_and_in_order() -> None:
    numbers = re.findall(r"^\| (\d+) \|", RULES, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 41)]


def test_files_that_the_pages_name_exist() -> None:
    named = set(re.findall(r"`((?:\w+/)*\w+\.py)`", ROOMS + RULES))
    assert named
    assert [each for each in sorted(named) if not (SOURCE / each).exists()] == []
