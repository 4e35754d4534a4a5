"""The columns of each table.

Rules of this file:

- One list per table; rows, CSV, Arrow and the reference in the docs are all made from it.
- ``file`` and ``session`` together name a session; ``task``, ``request`` and ``tool`` are places in
  it, from 0, so that tables can be joined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from refold.analysis.columns import Column, Subject, Value, column, cost, field, times, tokens
from refold.analysis.costs import Cost, cost_of
from refold.analysis.findings import SessionFigures
from refold.analysis.tokens import NO_TOKENS, ModelTokens

__all__ = ["COLUMNS", "By"]

By: TypeAlias = Literal["session", "task", "request", "tool"]

_WHOSE = (
    column("file", "text", "the trace", lambda row: row.file),
    column(
        "session",
        "integer",
        "the session's place in the trace; 0 is the main session",
        lambda row: row.place,
    ),
    column("session_id", "text", "its id", lambda row: row.session.session_id),
)


def _index(name: str) -> Column:
    return column(name, "integer", "its place in the session", lambda row: row.index)


def _count(name: str, meaning: str, of: Callable[[SessionFigures], int]) -> Column:
    return column(name, "integer", meaning, lambda row: of(row.session))


def _rows(session: SessionFigures, kind: str) -> int:
    return sum(task.kind == kind for task in session.tasks)


def _spent(row: Subject, kind: str) -> Value:
    return sum([each.duration_ms or 0 for each in row.extra if each.kind == kind])


def _request_cost(row: Subject) -> Cost | None:
    request, prices = row.row, row.analysis.prices
    if prices is None:
        return None
    used = ModelTokens(
        provider=request.provider, model=request.model, tokens=request.tokens or NO_TOKENS
    )
    return cost_of([] if request.tokens is None else [used], prices)


_SESSION = (
    *_WHOSE,
    field("parent", "integer", "the place of the session around it"),
    field("depth", "integer", "how many sessions are around it"),
    field("parent_tool", "integer", "the parent's tool that started it", "tool"),
    field("binding", "text", "how that is known: explicit, inferred, none"),
    field("agent_id", "text", "the agent's id"),
    field("provider", "text", "whose model it used last"),
    field("model", "text", "which model it used last"),
    field("source", "text", "subagent, schedule, or None for a user's"),
    field("first_ms", "integer", "first known time in it or below, Unix ms"),
    field("last_ms", "integer", "largest known time in it or below, Unix ms"),
    field("wall_ms", "integer", "ms between the two, pauses between tasks included"),
    *times(lambda row: row.session.all_times, lambda row: row.session.llm_known),
    field("compaction_ms", "integer", "ms its compactions took"),
    _count("tasks", "tasks, without compactions", lambda each: _rows(each, "task")),
    _count("compactions", "compactions", lambda each: _rows(each, "compaction")),
    _count("requests", "requests to the model", lambda each: len(each.requests)),
    _count(
        "retries",
        "requests that failed and were to be tried again",
        lambda each: sum(task.retries for task in each.tasks),
    ),
    _count("tools", "tool calls", lambda each: len(each.tools)),
    _count("aborts", "stops", lambda each: len(each.aborts)),
    _count("allowed", "calls allowed", lambda each: each.approvals.allow),
    _count("denied", "calls denied", lambda each: each.approvals.deny),
    _count("forbidden", "calls forbidden by a policy", lambda each: each.approvals.forbidden),
    _count(
        "approval_wait_ms",
        "ms in which at least one call waited for a decision",
        lambda each: each.approvals.wait_ms,
    ),
    *tokens("of its own", lambda row: row.session.own.tokens),
    column(
        "cache_hit_rate",
        "number",
        "share of its input tokens read from a cache, 0 to 1",
        lambda row: row.session.own.tokens.cache_hit_rate,
    ),
    field("output_tps", "number", "output tokens per second of LLM time, compactions left out"),
    *cost("of its own", lambda row: row.session.own.cost),
    *tokens("of it and all below", lambda row: row.session.subtree.tokens, prefix="subtree_"),
    *cost("of it and all below", lambda row: row.session.subtree.cost, prefix="subtree_"),
    column("in_doubt", "flag", "whether its reports of usage don't add up", lambda row: row.extra),
)

_TASK = (
    *_WHOSE,
    field("task", "integer", "its place in the session; None outside", "index"),
    field("kind", "text", "task, compaction, or outside for what belongs to neither"),
    field("label", "text", "how the user's text begins"),
    field("ordinal", "integer", "the message that started it, from 0 in the trace"),
    field("end_ordinal", "integer", "the first message behind it"),
    field("begin_ms", "integer", "its begin, Unix ms"),
    field("end_ms", "integer", "its end, Unix ms"),
    *times(lambda row: row.row.times, lambda row: row.row.llm_known),
    *tokens("of the session's own", lambda row: row.row.usage.tokens),
    column(
        "cache_hit_rate",
        "number",
        "share of its input tokens read from a cache, 0 to 1",
        lambda row: row.row.usage.tokens.cache_hit_rate,
    ),
    column(
        "compaction_tokens",
        "integer",
        "tokens of compactions inside it that the chat counts into it",
        lambda row: row.row.compactions.tokens.total,
    ),
    column(
        "nested_tokens",
        "integer",
        "tokens of nested sessions meanwhile",
        lambda row: row.row.nested.tokens.total,
    ),
    field("context", "integer", "tokens in the context at its end"),
    field("output_tps", "number", "its output tokens per second of LLM time"),
    field("requests", "integer", "requests to the model"),
    field("tools", "integer", "tool calls"),
    field("retries", "integer", "requests that failed and were to be tried again"),
    *cost("of the session's own", lambda row: row.row.usage.cost),
    *cost("of nested sessions meanwhile", lambda row: row.row.nested.cost, prefix="nested_"),
    *[
        column(f"compaction_{name}", "text", f"{name} of the compaction", value)
        for name, value in {
            "reason": lambda row: getattr(row.row.compaction, "reason", None),
            "mode": lambda row: getattr(row.row.compaction, "mode", None),
            "status": lambda row: getattr(row.row.compaction, "status", None),
        }.items()
    ],
)

_REQUEST = (
    *_WHOSE,
    _index("request"),
    field("task", "integer", "the task or compaction it ran in"),
    field("compaction", "flag", "whether it ran inside a compaction"),
    field("ordinal", "integer", "the message it began with, from 0 in the trace"),
    field("begin_ms", "integer", "its begin, Unix ms"),
    field("end_ms", "integer", "its end, Unix ms"),
    field("duration_ms", "integer", "ms between the two"),
    field("wait_ms", "integer", "ms of approval waits inside it"),
    field("active_ms", "integer", "ms without those"),
    column("thinking_ms", "integer", "ms it thought", lambda row: _spent(row, "thinking")),
    column("text_ms", "integer", "ms it wrote text", lambda row: _spent(row, "text")),
    column("tool_call_ms", "integer", "ms it wrote calls", lambda row: _spent(row, "tool_call")),
    field("status", "text", "how it ended; None if it never did"),
    field("error_message", "text", "what the engine said"),
    field("provider", "text", "whose model"),
    field("model", "text", "which model"),
    *tokens("of it", lambda row: row.row.tokens or NO_TOKENS),
    field("output_tps", "number", "output tokens per second of active time"),
    *cost("of it", _request_cost),
)

_TOOL = (
    *_WHOSE,
    _index("tool"),
    field("tool_call_id", "text", "the call's id"),
    field("name", "text", "the tool's name; empty for an output without a call"),
    field("task", "integer", "the task it was called in"),
    field("request", "integer", "the request it was called in"),
    field("ordinal", "integer", "the message it was called with, from 0 in the trace"),
    field("dispatched", "flag", "whether it was called in full and not refused"),
    field("decision", "text", "allow, deny, forbidden, or None if nobody was asked"),
    field("call_stop_reason", "text", "how the model ended the call"),
    field("output_stop_reason", "text", "how it ended"),
    field("ended_by", "text", "output, abort, or None if it has no end"),
    field("args_begin_ms", "integer", "when its arguments began, Unix ms"),
    field("call_ms", "integer", "when the call was complete, Unix ms"),
    field("approval_ms", "integer", "when it was decided first, Unix ms"),
    field("end_ms", "integer", "when it ended, Unix ms"),
    field("arguments_ms", "integer", "ms its arguments took"),
    field("wait_ms", "integer", "ms it waited for a decision"),
    field("run_ms", "integer", "ms it ran"),
    field("output_characters", "integer", "characters of its output"),
    field("nested_session", "integer", "the place of the session it started", "session"),
    column(
        "lane",
        "integer",
        "a lane of its own while it ran, from 0; None if it takes none",
        lambda row: row.extra,
    ),
)

COLUMNS: dict[By, tuple[Column, ...]] = {
    "session": _SESSION,
    "task": _TASK,
    "request": _REQUEST,
    "tool": _TOOL,
}
