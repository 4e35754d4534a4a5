"""The OmniMessage protocol as a frozen union.

Rules of this file (protocol.md):

- One class per payload; ``kind`` is its wire ``type`` and ``category`` the envelope's.
- Fields this version doesn't know are kept in ``extra``; a payload type it doesn't know is an
  ``UnknownPayload``. Both are part of a message's identity; ``transport`` is not.
- Values only: this file knows no codec, no item and no session. Checks belong to ``decode``.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import attrs

from refold.json_values import EMPTY, Json, JsonObject
from refold.records import record

__all__ = [
    "MAX_HOPS",
    "Abort",
    "ApprovalDecision",
    "CompactionBegin",
    "CompactionEnd",
    "CompletePayload",
    "EventPayload",
    "Fact",
    "GoalFinished",
    "ImageUrl",
    "InlineData",
    "InlineThinking",
    "McpConnectBegin",
    "McpConnectEnd",
    "McpServerResult",
    "Message",
    "Notice",
    "PartialPayload",
    "PartialText",
    "PartialThinking",
    "PartialToolCall",
    "PartialToolCallOutput",
    "Payload",
    "RequestBegin",
    "RequestEnd",
    "SessionMeta",
    "SourcePosition",
    "Subagent",
    "Text",
    "Thinking",
    "TokenCounts",
    "TokenUsage",
    "ToolCall",
    "ToolCallOutput",
    "ToolDescription",
    "ToolListReady",
    "TracePosition",
    "Transport",
    "UnknownPayload",
]

MAX_HOPS = 64
"""How deep sessions nest at most: what walks them recurses."""

Category: TypeAlias = Literal["session_meta", "model_msg", "event_msg"]


@record
class TracePosition:
    """Where a message stands in a trace.

    Args:
        file_index: which file of the trace, from 0.
        ordinal: which message of the file, from 0.
    """

    file_index: int
    ordinal: int


@record
class SourcePosition:
    """Which foreign record a message was made from (sources/README.md).

    Args:
        format: the source's name.
        lane: what the format's ids are unique within.
        id: the record's own id, if it has one.
        ordinal: which message of that record, from 0.
        line: the line in the file, 1-based, if it came from one.
    """

    format: str
    lane: str | None = None
    id: str | None = None
    ordinal: int = 0
    line: int | None = None


@record
class Transport:
    """What rides on an envelope without being part of the message's identity.

    Args:
        trace_position: where a trace holds the message.
        started_at: when its fragment began, as a timestamp (laws.md, law 4).
        source: the foreign record it was made from.
    """

    trace_position: TracePosition | None = None
    started_at: str | None = None
    source: SourcePosition | None = None


# --- session_meta ---------------------------------------------------------------------------


@record
class SessionMeta:
    """What a session runs on; opens a trace. ``parent_tool_call_id`` names the spawning call.

    Recorded traces have one with a ``session_id`` alone; what is left out is empty or 0.
    """

    kind: ClassVar[Literal["session_meta"]] = "session_meta"
    category: ClassVar[Category] = "session_meta"

    session_id: str
    provider: str = ""
    model_id: str = ""
    model_context_window: int = 0
    system_prompt: str = ""
    agent_state: str = ""
    workspace: str = ""
    source: str | None = None
    parent_tool_call_id: str | None = None
    extra: JsonObject = EMPTY


# --- model_msg, complete --------------------------------------------------------------------


@record
class Text:
    """A complete text; any role but ``user`` is the assistant's."""

    kind: ClassVar[Literal["text"]] = "text"
    category: ClassVar[Category] = "model_msg"

    role: str
    text: str
    sender: str | None = None
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class ImageUrl:
    """An image of the user's, as a web or data URL."""

    kind: ClassVar[Literal["image_url"]] = "image_url"
    category: ClassVar[Category] = "model_msg"

    role: str
    image_url: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class InlineData:
    """Base64 data inside a conversation."""

    kind: ClassVar[Literal["inline_data"]] = "inline_data"
    category: ClassVar[Category] = "model_msg"

    role: str
    data: str
    mime_type: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class Thinking:
    """A complete stretch of the assistant's thinking."""

    kind: ClassVar[Literal["thinking"]] = "thinking"
    category: ClassVar[Category] = "model_msg"

    role: str
    thinking: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class InlineThinking:
    """Thinking as opaque base64 data."""

    kind: ClassVar[Literal["inline_thinking"]] = "inline_thinking"
    category: ClassVar[Category] = "model_msg"

    role: str
    data: str
    mime_type: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class ToolCall:
    """A complete call of a tool; ``arguments`` is a JSON text, not parsed here."""

    kind: ClassVar[Literal["tool_call"]] = "tool_call"
    category: ClassVar[Category] = "model_msg"

    role: str
    name: str
    arguments: str
    tool_call_id: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class ToolCallOutput:
    """What a tool gave back; ``images`` are data URLs."""

    kind: ClassVar[Literal["tool_call_output"]] = "tool_call_output"
    category: ClassVar[Category] = "model_msg"

    role: str
    output: str
    tool_call_id: str
    images: tuple[str, ...] | None = None
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


# --- model_msg, partial ---------------------------------------------------------------------


@record
class PartialText:
    """A piece of a text being streamed; ``event_type`` is ``start``, ``delta`` or ``stop``."""

    kind: ClassVar[Literal["partial_text"]] = "partial_text"
    category: ClassVar[Category] = "model_msg"

    role: str
    event_type: str
    text: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class PartialThinking:
    """A piece of a thinking being streamed."""

    kind: ClassVar[Literal["partial_thinking"]] = "partial_thinking"
    category: ClassVar[Category] = "model_msg"

    role: str
    event_type: str
    thinking: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class PartialToolCall:
    """A piece of a tool call's arguments being streamed."""

    kind: ClassVar[Literal["partial_tool_call"]] = "partial_tool_call"
    category: ClassVar[Category] = "model_msg"

    role: str
    event_type: str
    name: str
    arguments: str
    tool_call_id: str
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


@record
class PartialToolCallOutput:
    """A piece of a tool's output; ``images``, where present, replace those before."""

    kind: ClassVar[Literal["partial_tool_call_output"]] = "partial_tool_call_output"
    category: ClassVar[Category] = "model_msg"

    role: str
    event_type: str
    output: str
    tool_call_id: str
    images: tuple[str, ...] | None = None
    stop_reason: str | None = None
    fidelity: JsonObject | None = None
    extra: JsonObject = EMPTY


# --- event_msg ------------------------------------------------------------------------------


@record
class RequestBegin:
    """A request to the model begins."""

    kind: ClassVar[Literal["request_begin"]] = "request_begin"
    category: ClassVar[Category] = "event_msg"

    extra: JsonObject = EMPTY


@record
class RequestEnd:
    """A request ends; ``retry_in_ms`` is the planned wait before attempt ``attempt + 1``."""

    kind: ClassVar[Literal["request_end"]] = "request_end"
    category: ClassVar[Category] = "event_msg"

    status: str
    error_message: str | None = None
    attempt: int | None = None
    retry_in_ms: int | None = None
    extra: JsonObject = EMPTY


@record
class ApprovalDecision:
    """Somebody decided whether a call may run."""

    kind: ClassVar[Literal["approval_decision"]] = "approval_decision"
    category: ClassVar[Category] = "event_msg"

    decision: str
    tool_call_id: str
    extra: JsonObject = EMPTY


@record
class TokenCounts:
    """Tokens by bucket; ``total`` is the sender's own sum."""

    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    total: int = 0
    extra: JsonObject = EMPTY


@record
class TokenUsage:
    """Tokens used: the session's so far, and those of its last request."""

    kind: ClassVar[Literal["token_usage"]] = "token_usage"
    category: ClassVar[Category] = "event_msg"

    session: TokenCounts
    request: TokenCounts
    extra: JsonObject = EMPTY


@record
class CompactionBegin:
    """The conversation begins to be compacted; ``context`` counts tokens."""

    kind: ClassVar[Literal["compaction_begin"]] = "compaction_begin"
    category: ClassVar[Category] = "event_msg"

    reason: str
    mode: str
    context: int
    turns: int
    extra: JsonObject = EMPTY


@record
class CompactionEnd:
    """A compaction ends."""

    kind: ClassVar[Literal["compaction_end"]] = "compaction_end"
    category: ClassVar[Category] = "event_msg"

    reason: str
    mode: str
    status: str
    attempt: int | None = None
    error_message: str | None = None
    extra: JsonObject = EMPTY


@record
class Abort:
    """Somebody stopped the running task."""

    kind: ClassVar[Literal["abort"]] = "abort"
    category: ClassVar[Category] = "event_msg"

    reason: str | None = None
    extra: JsonObject = EMPTY


@record
class Subagent:
    """A pointer from a parent trace to a direct child session."""

    kind: ClassVar[Literal["subagent"]] = "subagent"
    category: ClassVar[Category] = "event_msg"

    session_id: str
    extra: JsonObject = EMPTY


@record
class ToolDescription:
    """A tool the model may call; ``parameters`` is its JSON schema."""

    name: str
    description: str | None = None
    parameters: Json = None
    extra: JsonObject = EMPTY


@record
class ToolListReady:
    """The tools of the session are known."""

    kind: ClassVar[Literal["tool_list_ready"]] = "tool_list_ready"
    category: ClassVar[Category] = "event_msg"

    tools: tuple[ToolDescription, ...]
    extra: JsonObject = EMPTY


@record
class McpConnectBegin:
    """Connections to MCP servers begin."""

    kind: ClassVar[Literal["mcp_connect_begin"]] = "mcp_connect_begin"
    category: ClassVar[Category] = "event_msg"

    servers: tuple[str, ...]
    extra: JsonObject = EMPTY


@record
class McpServerResult:
    """How connecting to one MCP server went; ``tools`` counts what it offers."""

    server: str
    transport: str
    status: str
    duration_ms: int
    tools: int | None = None
    error: str | None = None
    extra: JsonObject = EMPTY


@record
class McpConnectEnd:
    """Connections to MCP servers were made, failed or given up."""

    kind: ClassVar[Literal["mcp_connect_end"]] = "mcp_connect_end"
    category: ClassVar[Category] = "event_msg"

    status: str
    results: tuple[McpServerResult, ...]
    extra: JsonObject = EMPTY


@record
class GoalFinished:
    """A goal the session worked towards was reached or given up."""

    kind: ClassVar[Literal["goal_finished"]] = "goal_finished"
    category: ClassVar[Category] = "event_msg"

    outcome: str
    rounds: int
    tokens_used: int
    extra: JsonObject = EMPTY


@record
class Notice:
    """Something a foreign format shows that OmniMessage has no word for (sources/README.md)."""

    kind: ClassVar[Literal["notice"]] = "notice"
    category: ClassVar[Category] = "event_msg"

    name: str
    text: str | None = None
    data: Json = None
    extra: JsonObject = EMPTY


@record
class Fact:
    """The latest value of something that adds no item: title, model, plan (sources/README.md)."""

    kind: ClassVar[Literal["fact"]] = "fact"
    category: ClassVar[Category] = "event_msg"

    name: str
    value: Json
    extra: JsonObject = EMPTY


# --- the rest -------------------------------------------------------------------------------


@record
class UnknownPayload:
    """A payload of a type this version doesn't know: kept whole, changes no item, counted.

    Args:
        category: the envelope's ``type``, as it was.
        body: the payload, with its ``type`` if it has one.
    """

    kind: ClassVar[Literal["unknown"]] = "unknown"

    category: str
    body: JsonObject


CompletePayload: TypeAlias = (
    Text | ImageUrl | InlineData | Thinking | InlineThinking | ToolCall | ToolCallOutput
)
PartialPayload: TypeAlias = PartialText | PartialThinking | PartialToolCall | PartialToolCallOutput
EventPayload: TypeAlias = (
    RequestBegin
    | RequestEnd
    | ApprovalDecision
    | TokenUsage
    | CompactionBegin
    | CompactionEnd
    | Abort
    | Subagent
    | ToolListReady
    | McpConnectBegin
    | McpConnectEnd
    | GoalFinished
    | Notice
    | Fact
)
Payload: TypeAlias = SessionMeta | CompletePayload | PartialPayload | EventPayload | UnknownPayload


@record
class Message:
    """One message: what it says, when, and through which sessions it came.

    Args:
        payload: its content.
        timestamp: ISO 8601, as it was written; None if there was none.
        origin: session ids, outer to inner; empty for the main session.
        transport: what is not part of its identity, if anything.
        extra: envelope fields this version doesn't know.
    """

    payload: Payload
    timestamp: str | None = None
    origin: tuple[str, ...] = ()
    transport: Transport | None = attrs.field(default=None, eq=False)
    extra: JsonObject = EMPTY
