"""Every payload that protocol.md lists becomes its class."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from refold.decode import decode
from refold.decode.kinds import CLASSES
from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    Fact,
    GoalFinished,
    ImageUrl,
    InlineData,
    InlineThinking,
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    Message,
    Notice,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Payload,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Subagent,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
    ToolDescription,
    ToolListReady,
    UnknownPayload,
)
from tests.decode.wires import COUNTS, META, event, meta, model

LISTED: list[tuple[dict[str, Any], Payload]] = [
    (meta(), SessionMeta(**META)),
    (
        meta(source="subagent", parent_tool_call_id="c", tools=[1]),
        SessionMeta(
            **META, source="subagent", parent_tool_call_id="c", extra=JsonObject({"tools": (1,)})
        ),
    ),
    (
        model("text", role="user", text="hi", sender="parent_agent", stop_reason="completed"),
        Text(role="user", text="hi", sender="parent_agent", stop_reason="completed"),
    ),
    (model("image_url", role="user", image_url="u"), ImageUrl(role="user", image_url="u")),
    (
        model("inline_data", role="user", data="QQ==", mime_type="a/b"),
        InlineData(role="user", data="QQ==", mime_type="a/b"),
    ),
    (
        model("thinking", role="assistant", thinking="hm", fidelity={"signature": ["x"]}),
        Thinking(role="assistant", thinking="hm", fidelity=JsonObject({"signature": ("x",)})),
    ),
    (
        model("inline_thinking", role="assistant", data="QQ==", mime_type="a/b"),
        InlineThinking(role="assistant", data="QQ==", mime_type="a/b"),
    ),
    (
        model("tool_call", role="assistant", name="n", arguments='{"a', tool_call_id="c"),
        ToolCall(role="assistant", name="n", arguments='{"a', tool_call_id="c"),
    ),
    (
        model("tool_call_output", role="user", output="o", images=["u"], tool_call_id="c"),
        ToolCallOutput(role="user", output="o", images=("u",), tool_call_id="c"),
    ),
    (
        model("partial_text", role="assistant", event_type="start", text=""),
        PartialText(role="assistant", event_type="start", text=""),
    ),
    (
        model("partial_thinking", role="assistant", event_type="delta", thinking="h"),
        PartialThinking(role="assistant", event_type="delta", thinking="h"),
    ),
    (
        model(
            "partial_tool_call",
            role="assistant",
            event_type="stop",
            name="",
            arguments="}",
            tool_call_id="c",
            stop_reason="timeout",
        ),
        PartialToolCall(
            role="assistant",
            event_type="stop",
            name="",
            arguments="}",
            tool_call_id="c",
            stop_reason="timeout",
        ),
    ),
    (
        model(
            "partial_tool_call_output",
            role="user",
            event_type="delta",
            output="o",
            images=[],
            tool_call_id="c",
        ),
        PartialToolCallOutput(
            role="user", event_type="delta", output="o", images=(), tool_call_id="c"
        ),
    ),
    (event("request_begin"), RequestBegin()),
    (
        event("request_end", status="failed", error_message="e", attempt=1, retry_in_ms=500),
        RequestEnd(status="failed", error_message="e", attempt=1, retry_in_ms=500),
    ),
    (
        event("approval_decision", decision="forbidden", tool_call_id="c"),
        ApprovalDecision(decision="forbidden", tool_call_id="c"),
    ),
    (
        event("token_usage", session=COUNTS, request=COUNTS),
        TokenUsage(session=TokenCounts(**COUNTS), request=TokenCounts(**COUNTS)),
    ),
    (
        event("compaction_begin", reason="context", mode="summarize", context=9, turns=2),
        CompactionBegin(reason="context", mode="summarize", context=9, turns=2),
    ),
    (
        event("compaction_end", reason="context", mode="discard", status="failed", attempt=2),
        CompactionEnd(reason="context", mode="discard", status="failed", attempt=2),
    ),
    (event("abort"), Abort()),
    (event("subagent", session_id="child"), Subagent(session_id="child")),
    (
        event("tool_list_ready", tools=[{"name": "n", "parameters": {"type": "object"}, "x": 1}]),
        ToolListReady(
            tools=(
                ToolDescription(
                    name="n",
                    parameters=JsonObject({"type": "object"}),
                    extra=JsonObject({"x": 1}),
                ),
            )
        ),
    ),
    (event("mcp_connect_begin", servers=["a", "b"]), McpConnectBegin(servers=("a", "b"))),
    (
        event(
            "mcp_connect_end",
            status="completed",
            results=[
                {
                    "server": "a",
                    "transport": "stdio",
                    "status": "failed",
                    "duration_ms": 3,
                    "error": "e",
                }
            ],
        ),
        McpConnectEnd(
            status="completed",
            results=(
                McpServerResult(
                    server="a", transport="stdio", status="failed", duration_ms=3, error="e"
                ),
            ),
        ),
    ),
    (
        event("goal_finished", outcome="reached", rounds=2, tokens_used=10),
        GoalFinished(outcome="reached", rounds=2, tokens_used=10),
    ),
    (event("notice", name="n", data=[1]), Notice(name="n", data=(1,))),
    (event("fact", name="n", value=None), Fact(name="n", value=None)),
]


@pytest.mark.parametrize(("wire", "payload"), LISTED, ids=lambda each: getattr(each, "kind", ""))
def test_a_listed_payload_becomes_its_class(wire: dict[str, Any], payload: Payload) -> None:
    assert decode(wire) == Message(payload=payload, timestamp="t")


def test_every_kind_of_the_union_is_decoded() -> None:
    assert {type(payload) for _, payload in LISTED} == set(CLASSES.values())
    assert set(CLASSES.values()) | {UnknownPayload} == set(get_args(Payload))
