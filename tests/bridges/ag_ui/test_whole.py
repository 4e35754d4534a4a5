"""The whole conversation as AG-UI messages."""

from __future__ import annotations

from typing import Any

from ag_ui.core import Message as PublishedMessage
from hypothesis import given, settings
from pydantic import TypeAdapter

from refold import Session, finalize, replay
from refold.bridges.ag_ui import conversation
from refold.messages import (
    ApprovalDecision,
    ImageUrl,
    Message,
    Notice,
    SessionMeta,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
)
from tests.bridges.ag_ui.reading import contents, read_back
from tests.strategies import chaotic_streams, disciplined_streams

_ADAPTER: TypeAdapter[Any] = TypeAdapter(list[PublishedMessage])


def session_of(*payloads: Any) -> Session:
    return replay([Message(payload=each) for each in payloads], now_ms=0)


def test_every_kind_of_item_is_a_message_or_an_activity() -> None:
    session = session_of(
        Text(role="user", text="hi"),
        ImageUrl(role="user", image_url="data:image/png;base64,AA"),
        Thinking(role="assistant", thinking="hm"),
        Text(role="assistant", text="ok"),
        ToolCall(role="assistant", name="f", arguments="{}", tool_call_id="c"),
        ToolCallOutput(role="user", output="no", tool_call_id="c", stop_reason="failed"),
        Notice(name="n", text="x"),
    )
    image = {"type": "image", "source": {"type": "data", "value": "AA", "mimeType": "image/png"}}
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    assert conversation(session) == [
        {"id": "user_text:1", "role": "user", "content": "hi"},
        {"id": "user_image:1", "role": "user", "content": [image]},
        {"id": "thinking:1", "role": "reasoning", "content": "hm"},
        {"id": "assistant_text:1", "role": "assistant", "content": "ok"},
        {"id": "tool_call:c", "role": "assistant", "toolCalls": [call]},
        {
            "id": "tool_call:c:result",
            "role": "tool",
            "content": "no",
            "toolCallId": "c",
            "error": "failed",
            "metadata": {"stopReason": "failed"},
        },
        {
            "id": "notice:1",
            "role": "activity",
            "activityType": "refold.notice",
            "content": {"kind": "notice", "key": "notice:1", "name": "n", "text": "x"},
        },
    ]


def test_a_nested_session_is_attributed() -> None:
    meta = SessionMeta(
        session_id="s",
        provider="",
        model_id="",
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace="",
        parent_tool_call_id="c",
    )
    session = replay(
        [
            Message(payload=ToolCall(role="assistant", name="f", arguments="{}", tool_call_id="c")),
            Message(payload=ApprovalDecision(decision="allow", tool_call_id="c")),
            Message(payload=meta, origin=("a/b",)),
            Message(payload=Text(role="assistant", text="x"), origin=("a/b",)),
        ],
        now_ms=0,
    )
    assert conversation(session)[-1] == {
        "id": "a%2Fb/assistant_text:1",
        "role": "assistant",
        "content": "x",
        "subagentRunId": "a/b",
    }


@settings(max_examples=60)
@given(chaotic_streams())
def test_any_conversation_has_the_published_shapes(messages: list[Message]) -> None:
    session = replay(messages, now_ms=0)
    _ADAPTER.validate_python(conversation(session))


@settings(max_examples=30)
@given(disciplined_streams())
def test_a_conversation_reads_back_as_it_was(messages: list[Message]) -> None:
    session = finalize(replay(messages, now_ms=0))
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": conversation(session)}
    shown, _ = contents(read_back([snapshot]), None)
    expected, _ = contents(session)
    assert shown == expected
