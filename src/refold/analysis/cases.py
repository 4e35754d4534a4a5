"""What each kind of message does to the books of its session.

Rules of this file:

- One table from kind to case; a case is ``(books, payload, moment) -> books``, total on any
  decoded payload. A kind without a case changes no figure.
- A case names what happens in the order it happens; how is in the file of each part.
- Inside a compaction a session's own texts, thinkings and calls belong to the summary: they are
  written (segments) but start, place and call nothing (reducer.md rule 29).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.analysis import requests as requesting
from refold.analysis import standing as placing
from refold.analysis import tasks as tasking
from refold.analysis import tools as tooling
from refold.analysis.accounts import Books
from refold.analysis.marks import SegmentKind, UsagePoint
from refold.analysis.moments import Moment
from refold.analysis.task_cases import abort, compaction_begin, compaction_end, placed, reopening
from refold.analysis.tokens import tokens_of
from refold.analysis.tool_marks import Tool
from refold.markers import is_blank, steering_text
from refold.messages import (
    ApprovalDecision,
    ImageUrl,
    InlineThinking,
    PartialToolCall,
    Payload,
    RequestBegin,
    RequestEnd,
    Text,
    Thinking,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolver, positional

__all__ = ["CASES", "Case"]

Case: TypeAlias = Callable[[Books, Any, Moment], Books]

_point = positional(UsagePoint)
_with_requests = evolver(Books, "requests")
_with_tools = evolver(Books, "tools")
_with_standing = evolver(Books, "standing")
_decided = evolver(Books, "tools", "requests")
_put_out = evolver(Books, "tools", "standing")
_begun = evolver(Books, "requests", "standing")
_ended = evolver(Books, "requests", "tasks")
_used = evolver(Books, "usage", "requests", "context")


def _text(books: Books, payload: Text, moment: Moment) -> Books:
    if payload.role != "user":
        return _assistant_text(books, payload, moment)
    steering = None if moment.compacting else steering_text(payload.text)
    if steering is None:
        return books
    books = placed(books)
    if books.tasks.task is not None or not books.tasks.may_reopen:
        return books
    return reopening(books, steering, moment)


def _assistant_text(books: Books, payload: Text, moment: Moment) -> Books:
    books = _written(books, "text", len(payload.text), moment)
    if moment.compacting or is_blank(payload.text):
        return books
    return _with_standing(books, placing.text_placed(books.standing))


def _thinking(books: Books, payload: Thinking, moment: Moment) -> Books:
    books = _written(books, "thinking", len(payload.thinking), moment)
    return books if moment.compacting or is_blank(payload.thinking) else placed(books)


def _inline_thinking(books: Books, payload: InlineThinking, moment: Moment) -> Books:
    return _written(books, "thinking", len(payload.data), moment)


def _image(books: Books, payload: ImageUrl, moment: Moment) -> Books:
    del payload, moment  # one that starts no task joins a steering, which stands already
    return books


def _tool_call_partial(books: Books, payload: PartialToolCall, moment: Moment) -> Books:
    if payload.event_type != "start":
        return books
    tools = tooling.arguments_begun(books.tools, payload.tool_call_id, moment.at_ms)
    return books if tools is books.tools else _with_tools(books, tools)


def _tool_call(books: Books, payload: ToolCall, moment: Moment) -> Books:
    books = _written(books, "tool_call", len(payload.arguments), moment)
    if moment.compacting:
        tools = tooling.start_forgotten(books.tools, payload.tool_call_id)
        return _with_tools(books, tools)
    tools, tool = tooling.called(
        books.tools, payload, moment, books.tasks.task, books.requests.outside
    )
    is_new = tools.rows.slots > books.tools.rows.slots
    books = _waited(_with_tools(books, tools), tool)
    return placed(books) if is_new else books


def _tool_call_output(books: Books, payload: ToolCallOutput, moment: Moment) -> Books:
    tools = tooling.put_out(books.tools, payload, moment, books.tasks.task)
    is_new = tools.rows.slots > books.tools.rows.slots
    standing = placing.output_seen(books.standing)
    if is_new:
        standing = placing.something_placed(standing)
    return _put_out(books, tools, standing)


def _approval_decision(books: Books, payload: ApprovalDecision, moment: Moment) -> Books:
    tools, tool = tooling.decided(books.tools, payload, moment)
    requests = requesting.approval_passed(books.requests, moment)
    return _waited(_decided(books, tools, requests), tool)


def _request_begin(books: Books, payload: RequestBegin, moment: Moment) -> Books:
    del payload
    requests = requesting.begun(books.requests, moment, _span(books, moment))
    if moment.compacting:
        return _with_requests(books, requests)
    return _begun(books, requests, placing.request_seen(books.standing))


def _request_end(books: Books, payload: RequestEnd, moment: Moment) -> Books:
    requests = requesting.ended(books.requests, payload, moment, _span(books, moment))
    is_new = requests.reconnects is not books.requests.reconnects
    tasks = tasking.request_ended(books.tasks, payload, moment)
    books = _ended(books, requests, tasks)
    return placed(books) if is_new else books


def _token_usage(books: Books, payload: TokenUsage, moment: Moment) -> Books:
    tokens = tokens_of(payload.request)
    point = _point(
        moment.ordinal,
        moment.at_ms,
        books.tasks.task,
        books.tasks.compaction,
        requesting.current(books.requests, compacting=moment.compacting),
        moment.within,
        moment.about.provider,
        moment.about.model,
        tokens,
        payload.session.total,
    )
    return _used(
        books,
        books.usage.append(point),
        requesting.metered(books.requests, tokens, moment),
        books.context if moment.compacting else tokens.total,
    )


def _other_item(books: Books, payload: Payload, moment: Moment) -> Books:
    del payload, moment
    return placed(books)


def _span(books: Books, moment: Moment) -> int | None:
    return books.tasks.compaction if moment.compacting else books.tasks.task


def _written(books: Books, kind: SegmentKind, characters: int, moment: Moment) -> Books:
    requests = requesting.written(books.requests, kind, characters, moment)
    return books if requests is books.requests else _with_requests(books, requests)


def _waited(books: Books, tool: Tool | None) -> Books:
    """Count a tool's wait for its approval, if both its ends are known by now."""
    if tool is None or not tool.wait_ms:
        return books
    return _with_requests(books, requesting.waited(books.requests, tool.wait_ms))


CASES: dict[str, Case] = {
    "text": _text,
    "thinking": _thinking,
    "inline_thinking": _inline_thinking,
    "image_url": _image,
    "tool_call": _tool_call,
    "tool_call_output": _tool_call_output,
    "partial_tool_call": _tool_call_partial,
    "request_begin": _request_begin,
    "request_end": _request_end,
    "approval_decision": _approval_decision,
    "token_usage": _token_usage,
    "compaction_begin": compaction_begin,
    "compaction_end": compaction_end,
    "abort": abort,
    "mcp_connect_begin": _other_item,
    "notice": _other_item,
}
