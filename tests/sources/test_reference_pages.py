"""What the reference pages of the stream sources show does what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[2] / "docs" / "reference" / "sources"
SNIPPETS = [
    (page, snippet)
    for page in ("ag-ui", "anthropic-sse", "openai-sse")
    for snippet in re.findall(r"```python\n(.*?)```", (PAGES / f"{page}.md").read_text(), re.DOTALL)
]


@pytest.mark.parametrize(("page", "snippet"), SNIPPETS, ids=[page for page, _ in SNIPPETS])
def test_a_snippet_runs(page: str, snippet: str) -> None:
    exec(compile(snippet, f"{page}.md", "exec"), {"__name__": page})


def test_every_page_shows_a_snippet() -> None:
    assert len(SNIPPETS) == 3
