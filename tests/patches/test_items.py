"""What changed between two versions of an item."""

from __future__ import annotations

from typing import Any, get_args

from refold.items import (
    AssistantTextItem,
    Item,
    McpConnectItem,
    McpTool,
    ThinkingItem,
    ToolCallItem,
)
from refold.patches import patch
from refold.patches.items import DIFFERS, diff_items
from refold.records import evolve
from refold.texts import grow, rope
from refold.views import item_json

TEXT = AssistantTextItem(key="assistant_text:1", text="a", streaming=True)


def _diff(before: Item, after: Item, *, pure: bool = False) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    diff_items(before, after, "/items/3", pure, operations)
    document = {"items": [0, 0, 0, item_json(before)]}
    assert patch(document, operations)["items"][3] == item_json(after)
    return operations


def test_a_text_that_grew_is_one_append() -> None:
    before = evolve(TEXT, _text=rope("x" * 10_000))
    after = evolve(before, _text=grow(before._text, "yz"))
    assert _diff(before, after) == [{"op": "append", "path": "/items/3/text", "value": "yz"}]
    assert [each["op"] for each in _diff(before, after, pure=True)] == ["replace"]


def test_a_text_that_a_complete_settles_unchanged_is_not_sent_again() -> None:
    before = evolve(TEXT, _text=rope("same"))
    after = evolve(before, _text="same", streaming=False, stop_reason="completed")
    assert _diff(before, after) == [
        {"op": "replace", "path": "/items/3/streaming", "value": False},
        {"op": "add", "path": "/items/3/stop_reason", "value": "completed"},
    ]


def test_a_text_that_a_complete_lengthens_is_appended_to() -> None:
    before = evolve(TEXT, _text=grow(rope("Half"), " d"))
    assert _diff(before, evolve(before, _text="Half done")) == [
        {"op": "append", "path": "/items/3/text", "value": "one"}
    ]


def test_a_text_that_became_another_is_replaced() -> None:
    before = evolve(TEXT, _text=rope("one"))
    assert _diff(before, evolve(before, _text="two")) == [
        {"op": "replace", "path": "/items/3/text", "value": "two"}
    ]


def test_a_pair_that_two_pieces_complete_is_replaced() -> None:
    before = evolve(TEXT, _text=rope("a\ud83d"))
    after = evolve(before, _text=grow(before._text, "\ude00"))
    assert _diff(before, after) == [
        {"op": "replace", "path": "/items/3/text", "value": "a\U0001f600"}
    ]


def test_fields_come_and_go() -> None:
    before = ThinkingItem(key="thinking:1", thinking="a", started_at_ms=1)
    after = evolve(before, started_at_ms=None, duration_ms=5)
    assert _diff(before, after) == [
        {"op": "remove", "path": "/items/3/started_at_ms"},
        {"op": "add", "path": "/items/3/duration_ms", "value": 5},
    ]


def test_a_cards_texts_grow_side_by_side() -> None:
    before = ToolCallItem(key="tool_call:1", tool_call_id="1", arguments_text="{", output=rope("x"))
    after = evolve(before, _arguments_text=grow("{", "}"), _output=grow(rope("x"), "y"))
    assert _diff(before, after) == [
        {"op": "append", "path": "/items/3/arguments_text", "value": "}"},
        {"op": "append", "path": "/items/3/output", "value": "y"},
    ]


def test_records_inside_an_item_are_compared_as_json() -> None:
    before = McpConnectItem(key="mcp_connect:1", servers=("a",), tools=(McpTool(name="x"),))
    after = evolve(before, tools=(McpTool(name="x"), McpTool(name="y")))
    assert _diff(before, after) == [
        {"op": "add", "path": "/items/3/tools/1", "value": {"name": "y"}}
    ]


def test_an_item_of_another_kind_is_replaced() -> None:
    other = ThinkingItem(key="assistant_text:1", thinking="a")
    assert _diff(TEXT, other) == [{"op": "replace", "path": "/items/3", "value": item_json(other)}]


def test_equal_items_need_no_operation() -> None:
    assert _diff(TEXT, evolve(TEXT, streaming=True)) == []


def test_every_kind_of_item_can_be_compared() -> None:
    assert set(DIFFERS) == set(get_args(Item))


def test_an_item_with_another_key_is_replaced() -> None:
    other = evolve(TEXT, key="assistant_text:2")
    assert _diff(TEXT, other) == [{"op": "replace", "path": "/items/3", "value": item_json(other)}]
