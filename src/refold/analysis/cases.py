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
from refold.analysis.accounts import Books, Standing
from refold.analysis.clock import seen_here
from refold.analysis.marks import AbortMark, SegmentKind, Tool, UsagePoint
from refold.analysis.moments import Moment
from refold.analysis.tokens import tokens_of
from refold.markers import is_blank, steering_text
from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
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
from refold.records import evolve, evolver, positional

__all__ = ["CASES", "Case", "starting"]

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


def starting(books: Books, payload: Payload, moment: Moment) -> Books:
    """Start a task with a user's message: the one before ends (rule 16)."""
    tasks = tasking.compaction_ended(books.tasks, None, moment)
    tasks = tasking.task_closed(tasks, moment.clock, moment.ordinal, books.context)
    label = payload.text if type(payload) is Text else "(image)"
    requests = requesting.given_up(books.requests)
    for compacting in (False, True):
        requests = requesting.left_open(requests, compacting=compacting)
    return evolve(
        books,
        tasks=tasking.task_opened(tasks, moment, label),
        requests=requests,
        tools=tooling.stopped(books.tools, None, by_abort=False),
        standing=Standing(),
    )


def _text(books: Books, payload: Text, moment: Moment) -> Books:
    if payload.role != "user":
        return _assistant_text(books, payload, moment)
    steering = None if moment.compacting else steering_text(payload.text)
    if steering is None:
        return books
    books = _placed(books)
    if books.tasks.task is not None or not books.tasks.may_reopen:
        return books
    return evolve(
        books,
        tasks=tasking.task_opened(books.tasks, moment, steering),
        requests=requesting.left_open(books.requests, compacting=False),
        standing=placing.request_seen(books.standing),
    )


def _assistant_text(books: Books, payload: Text, moment: Moment) -> Books:
    books = _written(books, "text", len(payload.text), moment)
    if moment.compacting or is_blank(payload.text):
        return books
    return _with_standing(books, placing.text_placed(books.standing))


def _thinking(books: Books, payload: Thinking, moment: Moment) -> Books:
    books = _written(books, "thinking", len(payload.thinking), moment)
    return books if moment.compacting or is_blank(payload.thinking) else _placed(books)


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
    placed = tools.rows.slots > books.tools.rows.slots
    books = _waited(_with_tools(books, tools), tool)
    return _placed(books) if placed else books


def _tool_call_output(books: Books, payload: ToolCallOutput, moment: Moment) -> Books:
    tools = tooling.put_out(books.tools, payload, moment, books.tasks.task)
    placed = tools.rows.slots > books.tools.rows.slots
    standing = placing.output_seen(books.standing)
    if placed:
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
    placed = requests.reconnects is not books.requests.reconnects
    tasks = tasking.request_ended(books.tasks, payload, moment)
    books = _ended(books, requests, tasks)
    return _placed(books) if placed else books


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


def _compaction_begin(books: Books, payload: CompactionBegin, moment: Moment) -> Books:
    tasks = tasking.compaction_ended(books.tasks, None, moment)
    if not moment.compacting and tasks.task is not None and placing.wraps_up(books.standing):
        books = _wrapped_up(evolve(books, tasks=tasks), moment)
        tasks = books.tasks
    return _placed(
        evolve(
            books,
            tasks=tasking.compaction_begun(tasks, payload, moment),
            requests=requesting.left_open(books.requests, compacting=True),
        )
    )


def _wrapped_up(books: Books, moment: Moment) -> Books:
    clock = seen_here(moment.clock, moment.at_ms, in_task=True)
    tasks = tasking.task_closed(books.tasks, clock, moment.ordinal, books.context)
    return evolve(
        books,
        tasks=evolve(tasks, may_reopen=True),
        requests=requesting.left_open(books.requests, compacting=False),
        tools=tooling.stopped(books.tools, None, by_abort=False),
    )


def _compaction_end(books: Books, payload: CompactionEnd, moment: Moment) -> Books:
    tasks, runs = books.tasks, books.tasks.compaction is not None
    if not runs:
        tasks = tasking.compaction_begun(tasks, payload, moment)
    books = evolve(
        books,
        tasks=tasking.compaction_ended(tasks, payload, moment),
        requests=requesting.left_open(books.requests, compacting=True),
    )
    return books if runs else _placed(books)


def _abort(books: Books, payload: Abort, moment: Moment) -> Books:
    mark = AbortMark(
        ordinal=moment.ordinal,
        at_ms=moment.at_ms,
        task=books.tasks.task,
        reason=payload.reason,
    )
    return _placed(
        evolve(
            books,
            aborts=books.aborts.append(mark),
            requests=requesting.given_up(books.requests),
            tools=tooling.stopped(books.tools, moment.at_ms, by_abort=True),
        )
    )


def _other_item(books: Books, payload: Payload, moment: Moment) -> Books:
    del payload, moment
    return _placed(books)


def _span(books: Books, moment: Moment) -> int | None:
    return books.tasks.compaction if moment.compacting else books.tasks.task


def _placed(books: Books) -> Books:
    standing = placing.something_placed(books.standing)
    return books if standing is books.standing else _with_standing(books, standing)


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
    "compaction_begin": _compaction_begin,
    "compaction_end": _compaction_end,
    "abort": _abort,
    "mcp_connect_begin": _other_item,
    "notice": _other_item,
}
