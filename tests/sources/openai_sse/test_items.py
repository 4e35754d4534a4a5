"""Output items: every reading takes every value."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.openai_sse import items
from refold.sources.openai_sse.item_results import item_output
from tests.sources.strategies_json import json_values

_KINDS = st.sampled_from(
    [
        "message",
        "reasoning",
        "function_call",
        "custom_tool_call",
        "mcp_call",
        "shell_call",
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "tool_search_call",
        "shell_call_output",
        "mcp_list_tools",
        "new_call",
    ]
)
_FIELDS = st.sampled_from(
    [
        "content",
        "summary",
        "arguments",
        "input",
        "code",
        "action",
        "queries",
        "outputs",
        "results",
        "result",
        "output",
        "error",
    ]
)


@given(_KINDS, st.dictionaries(_FIELDS, json_values, max_size=4))
def test_any_item_can_be_read(kind: str, fields: dict[str, Any]) -> None:
    """Law 3."""
    item = {**fields, "type": kind}
    for reading in (
        items.message_text,
        items.refusal_of,
        items.reasoning_text,
        items.call_name,
        items.item_notice,
    ):
        reading(item)
    item_output(item, "c")
    items.reasoning_fidelity(item)
    items.arguments_of(item)


@given(st.text(), st.data())
def test_pieces_of_a_json_string_join_to_that_of_the_whole(whole: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(whole)))
    joined = items.quoted(whole[:cut]) + items.quoted(whole[cut:])
    assert joined == items.quoted(whole)
    assert json.loads(f'"{joined}"') == whole
