"""Content blocks and usage objects become payloads, whatever stands in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import JsonObject
from refold.messages import (
    ImageUrl,
    InlineData,
    InlineThinking,
    Text,
    Thinking,
    TokenCounts,
    ToolCall,
    ToolCallOutput,
)
from refold.sources.anthropic_blocks import (
    assistant_payload,
    blocks_of,
    count,
    json_text,
    result_payload,
    token_counts,
    user_payload,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "source", "data", "url", "id", "input"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
KINDS = [
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "web_search_tool_result",
    "tool_result",
    "image",
    "document",
    "of next year",
]
BLOCKS = st.dictionaries(
    st.sampled_from(
        ["text", "thinking", "signature", "name", "id", "input", "source", "data", "content"]
    ),
    JSON,
).flatmap(lambda fields: st.sampled_from(KINDS).map(lambda kind: {**fields, "type": kind}))


@pytest.mark.parametrize(
    ("block", "payload"),
    [
        ({"type": "text", "text": "hi"}, Text(role="assistant", text="hi")),
        ({"type": "text"}, Text(role="assistant", text="")),
        (
            {"type": "thinking", "thinking": "hm", "signature": "sig"},
            Thinking(role="assistant", thinking="hm", fidelity=JsonObject({"signature": "sig"})),
        ),
        (
            {"type": "redacted_thinking", "data": "AA=="},
            InlineThinking(role="assistant", data="AA==", mime_type="application/octet-stream"),
        ),
        (
            {"type": "tool_use", "id": "t", "name": "Bash", "input": {"b": 1, "a": "é"}},
            ToolCall(
                role="assistant", name="Bash", arguments='{"b": 1, "a": "é"}', tool_call_id="t"
            ),
        ),
        (
            {"type": "tool_use", "name": "Bash", "input": "no object"},
            ToolCall(role="assistant", name="Bash", arguments="{}", tool_call_id="own"),
        ),
        (
            {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"url": "u"}]},
            ToolCallOutput(
                role="user", output='{"url": "u"}', tool_call_id="s", stop_reason="completed"
            ),
        ),
        (
            {
                "type": "web_search_tool_result",
                "tool_use_id": "s",
                "content": {"type": "web_search_tool_result_error", "error_code": "x"},
            },
            ToolCallOutput(
                role="user",
                output='{"type": "web_search_tool_result_error", "error_code": "x"}',
                tool_call_id="s",
                stop_reason="failed",
            ),
        ),
        ({"type": "fallback", "from": {}}, None),
        ({"type": 7}, None),
        ({}, None),
    ],
)
def test_an_assistant_block_is_its_payload(block: dict[str, Any], payload: object) -> None:
    assert assistant_payload(block, call_id="own") == payload


@pytest.mark.parametrize(
    ("block", "payload"),
    [
        ({"type": "text", "text": "hi"}, Text(role="user", text="hi")),
        (
            {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}},
            ImageUrl(role="user", image_url="data:image/png;base64,AA=="),
        ),
        (
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            ImageUrl(role="user", image_url="https://example.org/a.png"),
        ),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}}, None),
        (
            {"type": "document", "source": {"data": "AA==", "media_type": "application/pdf"}},
            InlineData(role="user", data="AA==", mime_type="application/pdf"),
        ),
        (
            {"type": "document", "source": {"type": "text", "data": "plain"}},
            Text(role="user", text="plain"),
        ),
        ({"type": "tool_result", "tool_use_id": "t"}, None),
    ],
)
def test_a_user_block_is_its_payload(block: dict[str, Any], payload: object) -> None:
    assert user_payload(block) == payload


@pytest.mark.parametrize(
    ("block", "structured", "output", "status"),
    [
        ({"content": "a.txt"}, {"stdout": "x"}, "a.txt", "completed"),
        ({"content": ""}, {"stdout": "x"}, "", "completed"),
        ({}, "plain", "plain", "completed"),
        ({}, {"stdout": "x"}, '{"stdout": "x"}', "completed"),
        ({}, None, "", "completed"),
        ({"content": "bad", "is_error": True}, None, "bad", "failed"),
        ({"content": "cut", "is_error": True}, {"interrupted": True}, "cut", "aborted"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            None,
            "a\nb",
            "completed",
        ),
        (
            {"content": [{"type": "tool_reference", "tool_name": "T"}]},
            None,
            '{"type": "tool_reference", "tool_name": "T"}',
            "completed",
        ),
        ({"content": {"odd": 1}}, None, '{"odd": 1}', "completed"),
    ],
)
def test_a_result_is_an_output_with_its_status(
    block: dict[str, Any], structured: Any, output: str, status: str
) -> None:
    assert result_payload(block, call_id="t", structured=structured) == ToolCallOutput(
        role="user", output=output, tool_call_id="t", stop_reason=status
    )


def test_the_images_of_a_result_stand_beside_its_text() -> None:
    picture = {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}}
    block = {"tool_use_id": "t", "content": [picture, {"type": "text", "text": "a"}]}
    output = result_payload(block, call_id="other")
    assert (output.output, output.images, output.tool_call_id) == (
        "a",
        ("data:image/png;base64,AA==",),
        "t",
    )


def test_uncached_input_and_cache_writes_are_one_bucket() -> None:
    usage = {
        "input_tokens": 3,
        "cache_creation_input_tokens": 40,
        "cache_read_input_tokens": 500,
        "output_tokens": 7,
    }
    assert token_counts(usage) == TokenCounts(
        cache_read=500, cache_write=43, output=7, total=550, extra=JsonObject({"input": 3})
    )


@pytest.mark.parametrize("usage", [None, 7, "x", [], {}, {"output_tokens": True}])
def test_a_usage_that_counts_nothing_is_none(usage: Any) -> None:
    assert token_counts(usage) is None


@pytest.mark.parametrize(
    ("value", "counted"),
    [
        (3, 3),
        (3.0, 3),
        (3.5, 0),
        (-1, 0),
        (True, 0),
        ("3", 0),
        (None, 0),
        (float("nan"), 0),
        (10**400, 0),
        (1e300, 0),
    ],
)
def test_a_count_is_a_whole_number_from_nought(value: Any, counted: int) -> None:
    assert count(value) == counted


def test_a_string_is_one_text_block_and_no_block_is_left_out() -> None:
    assert blocks_of("a") == [{"type": "text", "text": "a"}]
    assert blocks_of(["a", 7, None, {"type": "x"}]) == [
        {"type": "text", "text": "a"},
        {"type": "x"},
    ]
    assert blocks_of({"type": "text"}) == []


def test_arguments_that_nest_past_any_stack_are_cut() -> None:
    value: Any = "deep"
    for _ in range(100_000):
        value = [value]
    assert json_text(value) == "[" * 100 + '"…"' + "]" * 100


@given(BLOCKS, JSON)
def test_any_block_is_read_without_an_error(block: dict[str, Any], structured: Any) -> None:
    assistant_payload(block, call_id="own")
    user_payload(block)
    result_payload(block, call_id="own", structured=structured)
    token_counts(block)


@given(JSON)
def test_any_content_is_a_list_of_blocks(content: Any) -> None:
    assert all(isinstance(block, dict) for block in blocks_of(content))
