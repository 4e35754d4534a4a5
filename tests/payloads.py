"""Payloads for streams that keep no discipline: awkward values first, few ids so that they collide.

Every pool is a tuple; what is picked from it, and how often, is for ``strategies`` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

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
    Notice,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
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
    TracePosition,
    Transport,
    UnknownPayload,
)
from refold.times import format_ms

__all__ = [
    "COMPLETES",
    "EVENTS",
    "IMAGES",
    "METAS",
    "ORIGINS",
    "PARTIALS",
    "START_MS",
    "TIMESTAMPS",
    "TOOLS",
    "TRANSPORTS",
    "USAGES",
    "each",
]

START_MS = 1_783_209_600_000

IDS = ("t1", "t2", "a#1", "%", "")
BODIES = ("a", "b", "ab", "", " \ufeff\n", "\x1c", "hello world", "\ud83d", "\ude00x", "\U0001f600")
REASONS = (None, "completed", "failed", "aborted", "odd")
PIECES = ("start", "delta", "delta", "stop", "restart")
IMAGES = (None, (), ("data:image/png;base64,AA",), ("u1", "u2"))
ORIGINS = ((), (), (), (), ("c1",), ("c1", "d1"), ("c2",), ("",))
USER_TEXTS = (
    "do it",
    "do it",
    "",
    "[user_steering]\nturn left\n[/user_steering]",
    "[user_steering]\n\n[/user_steering]\n ",
    "[context_summary]\nso far",
    "<context_summary>old",
    "mentions [user_steering]\nx\n[/user_steering] only",
)
TIMESTAMPS = (
    *[format_ms(START_MS + 100 * tenths) for tenths in range(40)],
    None,
    None,
    "yesterday",
    "2026-07-05",
    "2026-07-05T00:00:01+02:00",
    "2026-07-05T24:00:00Z",
)
TRANSPORTS = (None, None, Transport(trace_position=TracePosition(file_index=0, ordinal=3)))


def each(cls: Any, **choices: Sequence[Any]) -> tuple[Any, ...]:
    """Return a record for every combination of choices, by field."""
    return tuple(
        cls(**dict(zip(choices, values, strict=True))) for values in product(*choices.values())
    )


USAGES = each(
    TokenUsage,
    session=each(TokenCounts, output=(0, 7), total=(0, 5, 40)),
    request=each(
        TokenCounts, cache_read=(0, 3), cache_write=(0, 2), output=(0, 7), total=(0, 9, 40)
    ),
)
NAMED = (
    JsonObject(),
    JsonObject(),
    JsonObject({"parent_tool_call_id": "t1"}),
    JsonObject({"parent_tool_call_id": 7}),
)
METAS = each(
    SessionMeta,
    session_id=("s",),
    provider=("p",),
    model_id=("m", "n"),
    model_context_window=(1000,),
    system_prompt=("",),
    agent_state=("", "/a", "/agents/x/state", "C:\\agents\\y\\state"),
    workspace=("/w",),
    source=(None, "subagent"),
    parent_tool_call_id=(None, *IDS),
)
TOOLS = ToolListReady(
    tools=(ToolDescription(name="mcp__a__b", description="d"), ToolDescription(name="read"))
)
RESULTS = (
    McpServerResult(server="a", transport="stdio", status="failed", duration_ms=3, error="e" * 600),
    McpServerResult(server="b", transport="stdio", status="completed", duration_ms=3, tools=2),
)

# A pool a kind, so that each kind is as frequent as it is listed, whatever its choices.

COMPLETES = (
    each(Text, role=("user",), text=USER_TEXTS, stop_reason=(None, "completed"), extra=NAMED),
    each(Text, role=("assistant",), text=BODIES, stop_reason=REASONS, extra=NAMED),
    each(Text, role=("assistant",), text=BODIES, stop_reason=REASONS, extra=NAMED),
    each(Thinking, role=("assistant",), thinking=BODIES, stop_reason=REASONS),
    each(
        ToolCall,
        role=("assistant",),
        name=("run_subagent", "run_subagent", "exec", ""),
        arguments=("{}", "ab", ""),
        tool_call_id=IDS,
        stop_reason=REASONS,
    ),
    each(
        ToolCallOutput,
        role=("user",),
        output=BODIES,
        tool_call_id=IDS,
        images=IMAGES,
        stop_reason=REASONS,
    ),
    (ImageUrl(role="user", image_url="u"),),
    (
        InlineData(role="user", data="AA", mime_type="text/plain"),
        InlineThinking(role="assistant", data="AA", mime_type="x/y"),
    ),
)
PARTIALS = (
    each(PartialText, role=("assistant",), event_type=PIECES, text=BODIES, stop_reason=REASONS),
    each(
        PartialThinking,
        role=("assistant",),
        event_type=PIECES,
        thinking=BODIES,
        stop_reason=REASONS,
    ),
    each(
        PartialToolCall,
        role=("assistant",),
        event_type=PIECES,
        name=("run_subagent", "exec", ""),
        arguments=("", "a", "{}"),
        tool_call_id=IDS,
        stop_reason=REASONS,
    ),
    each(
        PartialToolCallOutput,
        role=("user",),
        event_type=PIECES,
        output=BODIES[:5],
        tool_call_id=IDS,
        images=IMAGES,
        stop_reason=REASONS,
    ),
)
EVENTS = (
    (RequestBegin(),),
    (RequestBegin(),),
    each(
        RequestEnd,
        status=("completed", "completed", "failed", "aborted", "timeout", "auth"),
        attempt=(None, None, 3),
        retry_in_ms=(None, 0, 500),
    ),
    each(ApprovalDecision, decision=("allow", "allow", "deny"), tool_call_id=IDS),
    USAGES,
    USAGES,
    each(
        CompactionBegin, reason=("manual",), mode=("summarize", "discard"), context=(5,), turns=(1,)
    ),
    each(
        CompactionEnd,
        reason=("manual",),
        mode=("summarize",),
        status=("completed", "failed", "aborted"),
        error_message=(None, "broke"),
    ),
    each(Abort, reason=(None, "user")),
    (Subagent(session_id="c1"),),
    (TOOLS,),
    (McpConnectBegin(servers=("a",)),),
    each(McpConnectEnd, status=("completed", "aborted"), results=(RESULTS,)),
    (GoalFinished(outcome="done", rounds=1, tokens_used=2),),
    each(Notice, name=("slash",), text=(None, "/clear")),
    each(Fact, name=("title", "model"), value=("x", 1, None)),
    (
        UnknownPayload(category="event_msg", body=JsonObject({"type": "later"})),
        UnknownPayload(category="model_msg", body=JsonObject({"type": "later"})),
        UnknownPayload(category="later", body=JsonObject({})),
    ),
)
