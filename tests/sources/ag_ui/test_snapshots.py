"""Whole conversations: what is known isn't repeated, what is late is no new task."""

from __future__ import annotations

from typing import Any

from refold.items import AssistantTextItem, NoticeItem, ToolCallItem
from refold.json_values import JsonObject
from refold.sources.ag_ui import SOURCE
from tests.sources.folding import folded, said, view

START = {"type": "TEXT_MESSAGE_START", "messageId": "a1"}
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "a1", "delta": "hello"}
END = {"type": "TEXT_MESSAGE_END", "messageId": "a1"}


def snapshot(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"type": "MESSAGES_SNAPSHOT", "messages": list(messages)}


def user(ident: str, content: str) -> dict[str, Any]:
    return {"id": ident, "role": "user", "content": content}


def assistant(ident: str, content: str) -> dict[str, Any]:
    return {"id": ident, "role": "assistant", "content": content}


def test_a_users_message_that_only_the_last_snapshot_has_starts_no_task_behind_its_answer() -> None:
    shown = view(
        SOURCE, [START, CONTENT, END, snapshot(user("u1", "hi"), assistant("a1", "hello"))]
    )
    notice = shown.items[1]
    assert said(shown) == [("assistant_text", "hello"), ("notice", "hi")]
    assert isinstance(notice, NoticeItem)
    assert notice.name == "earlier_message"
    assert notice.data == JsonObject({"id": "u1", "role": "user"})


def test_the_next_runs_snapshot_adds_what_is_new_behind_what_is_known() -> None:
    events = [
        snapshot(user("u1", "hi")),
        START,
        CONTENT,
        END,
        snapshot(user("u1", "hi"), assistant("a1", "hello"), user("u2", "more")),
    ]
    assert said(folded(SOURCE, events)) == [
        ("user_text", "hi"),
        ("assistant_text", "hello"),
        ("task_stats", ""),
        ("user_text", "more"),
    ]


def test_ids_are_unique_per_role_only() -> None:
    events = [snapshot(user("a1", "hi")), START, CONTENT, END]
    assert [text for _, text in said(folded(SOURCE, events))] == ["hi", "hello"]


def test_a_snapshot_amends_what_is_open_and_what_a_tool_returned() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    held = {"id": "m", "role": "assistant", "toolCalls": [call]}
    result = {"id": "r", "role": "tool", "toolCallId": "c", "content": "new"}
    events = [
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
        {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "content": "old"},
        START,
        CONTENT,
        snapshot(held, result, assistant("a1", "hello, all")),
        END,
    ]
    card, text = view(SOURCE, events).items
    assert isinstance(card, ToolCallItem)
    assert isinstance(text, AssistantTextItem)
    assert (card.output, text.text) == ("new", "hello, all")


def test_messages_without_ids_are_all_shown() -> None:
    assert said(folded(SOURCE, [snapshot(user("", "a"), user("", "b"))])) == [
        ("user_text", "a"),
        ("user_text", "b"),
    ]


def test_a_call_without_text_shows_no_text() -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": "{}"}}
    shown = view(
        SOURCE, [snapshot({"id": "m", "role": "assistant", "content": None, "toolCalls": [call]})]
    )
    assert [item.kind for item in shown.items] == ["tool_call"]
