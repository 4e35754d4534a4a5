"""The reference page names every record type and subtype that the tables know."""

from __future__ import annotations

import re
from pathlib import Path

from refold.sources.claude_stream_json.stepping import RECORD_TYPES
from refold.sources.claude_stream_json.systems import SUBTYPES

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "claude-stream-json.md"


def test_every_type_and_subtype_is_on_the_page() -> None:
    first_cells = "\n".join(
        line.split("|")[1] for line in PAGE.read_text().splitlines() if line.startswith("| `")
    )
    named = set(re.findall(r"`([a-z_]+)`", first_cells))

    assert {*RECORD_TYPES, *SUBTYPES} - {"system"} == named
