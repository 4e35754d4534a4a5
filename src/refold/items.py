"""What a session shows: one frozen class per kind of item.

Rules of this file (view.md, "Items"):

- ``kind`` is the discriminator; ``key`` is unique in its session, live and replayed alike.
- Times are Unix milliseconds (``…_at_ms``, ``…_ts_ms``), durations milliseconds; None is unset.
- Text that streams is held as a rope and read as a string; both compare equal.
- What can be derived is a property, never a field. This file knows no message and no session.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Literal, TypeAlias

import attrs

from refold.json_values import Json
from refold.records import record
from refold.texts import GrownText

__all__ = [
    "AbortItem",
    "AssistantTextItem",
    "CompactionItem",
    "Item",
    "McpConnectItem",
    "McpResult",
    "McpTool",
    "NoticeItem",
    "Position",
    "ReconnectItem",
    "Stats",
    "SubagentItem",
    "TaskStatsItem",
    "ThinkingItem",
    "TokenBuckets",
    "ToolCallItem",
    "UserImageItem",
    "UserSteeringItem",
    "UserTextItem",
]


@record
class Position:
    """Where a trace holds the message that completed an item."""

    file_index: int
    ordinal: int


@record
class UserTextItem:
    """What the user said; starts a task."""

    kind: ClassVar[Literal["user_text"]] = "user_text"

    key: str
    text: str
    at_ms: int | None = None


@record
class UserSteeringItem:
    """What the user said while a task ran, with the images sent along."""

    kind: ClassVar[Literal["user_steering"]] = "user_steering"

    key: str
    text: str
    images: tuple[str, ...] | None = None
    at_ms: int | None = None


@record
class UserImageItem:
    """An image from the user; starts a task."""

    kind: ClassVar[Literal["user_image"]] = "user_image"

    key: str
    image_url: str
    at_ms: int | None = None


@record
class AssistantTextItem:
    """What the assistant said; ``streaming`` until its last piece is in."""

    kind: ClassVar[Literal["assistant_text"]] = "assistant_text"

    key: str
    _text: GrownText = attrs.field(alias="text")
    streaming: bool = False
    stop_reason: str | None = None
    at_ms: int | None = None
    trace_position: Position | None = None

    @property
    def text(self) -> str:
        """The text so far, joined once per version."""
        return str(self._text)


@record
class ThinkingItem:
    """What the assistant thought."""

    kind: ClassVar[Literal["thinking"]] = "thinking"

    key: str
    _thinking: GrownText = attrs.field(alias="thinking")
    streaming: bool = False
    stop_reason: str | None = None
    started_at_ms: int | None = None
    duration_ms: int | None = None

    @property
    def thinking(self) -> str:
        """The thinking so far, joined once per version."""
        return str(self._thinking)


@record
class ToolCallItem:
    """A tool card: the call, the decision about it, and what came out."""

    kind: ClassVar[Literal["tool_call"]] = "tool_call"

    key: str
    tool_call_id: str
    name: str = ""
    _arguments_text: GrownText = attrs.field(default="", alias="arguments_text")
    call_streaming: bool = False
    call_complete: bool = False
    call_stop_reason: str | None = None
    _output: GrownText = attrs.field(default="", alias="output")
    images: tuple[str, ...] | None = None
    output_streaming: bool = False
    output_complete: bool = False
    output_stop_reason: str | None = None
    decision: str | None = None
    decision_source: Literal["manual", "remote"] | None = None
    subagent_session_id: str | None = None
    arg_started_at_ms: int | None = None
    call_started_at_ms: int | None = None
    approval_at_ms: int | None = None
    duration_ms: int | None = None

    @property
    def arguments_text(self) -> str:
        """The arguments as the JSON text that streamed, joined once per version."""
        return str(self._arguments_text)

    @property
    def output(self) -> str:
        """The output so far, joined once per version."""
        return str(self._output)

    @property
    def parsed_arguments(self) -> Any:
        """The arguments as plain JSON data, or None while they are no JSON text."""
        try:
            return json.loads(self.arguments_text)
        except (ValueError, RecursionError):
            return None


@record
class SubagentItem:
    """A nested session that no card of this session is known to have started."""

    kind: ClassVar[Literal["subagent"]] = "subagent"

    key: str
    session_id: str


@record
class AbortItem:
    """The running task was stopped."""

    kind: ClassVar[Literal["abort"]] = "abort"

    key: str
    reason: str | None = None


@record
class ReconnectItem:
    """A request failed; it waits, was retried, or was given up."""

    kind: ClassVar[Literal["reconnect"]] = "reconnect"

    key: str
    status: str
    attempt: int
    retrying: bool = False
    gave_up: bool | None = None
    planned_delay_ms: int | None = None
    arrived_at_ms: int | None = None


@record
class CompactionItem:
    """The conversation was compacted, or is being."""

    kind: ClassVar[Literal["compaction"]] = "compaction"

    key: str
    reason: str
    mode: str
    running: bool = False
    status: str | None = None
    error_message: str | None = None
    begin_ts_ms: int | None = None
    duration_ms: int | None = None
    _summary_text: GrownText | None = attrs.field(default=None, alias="summary_text")

    @property
    def summary_text(self) -> str | None:
        """The summary so far, or None."""
        return None if self._summary_text is None else str(self._summary_text)


@record
class McpResult:
    """How connecting to one server went; ``error`` is cut to 500 UTF-16 code units."""

    server: str
    status: str
    duration_ms: int
    tools: int | None = None
    error: str | None = None


@record
class McpTool:
    """A tool an MCP server offers."""

    name: str
    description: str | None = None


@record
class McpConnectItem:
    """Connections to MCP servers."""

    kind: ClassVar[Literal["mcp_connect"]] = "mcp_connect"

    key: str
    servers: tuple[str, ...]
    running: bool = False
    begin_ts_ms: int | None = None
    duration_ms: int | None = None
    tool_count: int | None = None
    results: tuple[McpResult, ...] | None = None
    tools: tuple[McpTool, ...] | None = None
    failed: tuple[str, ...] | None = None
    aborted: bool | None = None


@record
class NoticeItem:
    """Something a foreign format shows that has no kind of its own."""

    kind: ClassVar[Literal["notice"]] = "notice"

    key: str
    name: str
    text: str | None = None
    data: Json = None
    at_ms: int | None = None


@record
class TokenBuckets:
    """Tokens of a task by bucket."""

    cache_read: int = 0
    cache_write: int = 0
    output: int = 0


@record
class Stats:
    """What a task used (reducer.md rule 24): tokens, times in ms, tokens per second."""

    context: int
    context_delta: int
    tokens: int
    tokens_delta: int
    elapsed_ms: int
    elapsed_delta_ms: int
    tokens_by_bucket: TokenBuckets
    output_tps: float | None = None


@record
class TaskStatsItem:
    """The row behind a finished task."""

    kind: ClassVar[Literal["task_stats"]] = "task_stats"

    key: str
    stats: Stats | None = None
    assistant_text: str = ""
    at_ms: int | None = None
    forkable: bool = False
    fork_position: Position | None = None


Item: TypeAlias = (
    UserTextItem
    | UserSteeringItem
    | UserImageItem
    | AssistantTextItem
    | ThinkingItem
    | ToolCallItem
    | SubagentItem
    | AbortItem
    | ReconnectItem
    | CompactionItem
    | McpConnectItem
    | NoticeItem
    | TaskStatsItem
)
