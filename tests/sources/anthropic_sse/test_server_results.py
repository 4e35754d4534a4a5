"""What a server tool's result says to a reader."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.sources.anthropic_sse.server_results import readable
from tests.sources.strategies_json import json_values


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            {
                "type": "bash_code_execution_result",
                "stdout": "a\n",
                "stderr": "b",
                "return_code": 1,
            },
            "a\nb",
        ),
        ({"type": "text_editor_code_execution_view_result", "content": "file"}, "file"),
        (
            [
                {
                    "type": "web_search_result",
                    "title": "A",
                    "url": "https://a.example",
                    "encrypted_content": "x",
                },
                {"type": "web_search_result", "url": "https://b.example"},
            ],
            "A https://a.example\nhttps://b.example",
        ),
        (
            {
                "type": "web_fetch_result",
                "url": "https://a.example",
                "content": {"type": "document", "source": {"type": "text", "data": "page"}},
            },
            "https://a.example\npage",
        ),
        (
            {
                "type": "web_fetch_result",
                "url": "https://a.example/x.pdf",
                "content": {"type": "document", "source": {"type": "base64", "data": "AAAA"}},
            },
            "https://a.example/x.pdf",
        ),
        ({"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}, None),
        ([{"type": "text", "text": "x"}], None),
        ([], None),
        ("text", None),
    ],
)
def test_a_result_reads_as_a_person_would_read_it(content: Any, expected: str | None) -> None:
    assert readable(content) == expected


@given(json_values)
def test_any_value_is_a_result(content: Any) -> None:
    """Law 3."""
    readable(content)
