"""Which reducer takes which message: the table, and the way down to the session it belongs to.

Rules of this file (reducer.md rule 1, and "Words"):

- Every payload kind stands in a table; a test proves that they cover the union. Two of them have a
  twin for what comes inside a compaction (rule 29).
- A message with an origin belongs to the session nested under it. The way down is as long as the
  origin, which is bounded: nothing else here recurses.
- Around a complete or an event, this file alone keeps the session's time: what a task has seen, the
  previous time, and where the next task may start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.boundaries import MOVING, PLAIN, advance
from refold.maps import EMPTY_MAP, Map
from refold.messages import (
    MAX_HOPS,
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
    TokenUsage,
    ToolCall,
    ToolCallOutput,
    ToolListReady,
    UnknownPayload,
)
from refold.records import evolver
from refold.reduce import calls, compactions, connections, remarks, requests, users
from refold.reduce.fragments import (
    grow_text,
    grow_thinking,
    open_text,
    open_thinking,
    settle_text,
    settle_thinking,
    stop_text,
    stop_thinking,
)
from refold.reduce.nesting import (
    Role,
    bind,
    born,
    heard,
    let_float,
    named_call,
    note_parent,
    take_awaited,
    tell_meta,
)
from refold.reduce.places import count, last_placed
from refold.reduce.tasks import close_for_good, see
from refold.reduce.usage import token_usage
from refold.session import freeze_session, thaw_session
from refold.state import Draft, Requests
from refold.times import parse_ms

__all__ = [
    "COMPLETES",
    "COMPLETES_INSIDE",
    "EVENTS",
    "PARTIALS",
    "PARTIALS_INSIDE",
    "reduce",
    "reduce_as_nested",
    "reduce_own",
    "role_of",
]

# A session, a payload and its time in Unix ms, the message; the caller's clock, in Unix ms, and the
# calls decided on this client.
Case: TypeAlias = Callable[[Draft, Any, int | None, Message, int, Map[bool]], None]
PartialCase: TypeAlias = Callable[[Draft, Any, Message], None]

# Events that close a task for good that only an idle has closed (rule 20).
_CLOSING = (RequestBegin, McpConnectBegin)
# Completes that may start a task take their time themselves.
_SEEN_LATER = (Text, ImageUrl)

_reopening = evolver(Requests, "may_reopen")


# --- partials ---------------------------------------------------------------------------------

PARTIALS: dict[type[Any], dict[str, PartialCase]] = {
    PartialText: {"delta": grow_text, "start": open_text, "stop": stop_text},
    PartialThinking: {"delta": grow_thinking, "start": open_thinking, "stop": stop_thinking},
    PartialToolCall: {
        "delta": calls.call_delta,
        "start": calls.call_start,
        "stop": calls.call_stop,
    },
    PartialToolCallOutput: {
        "delta": calls.output_delta,
        "start": calls.output_start,
        "stop": calls.output_stop,
    },
}
PARTIALS_INSIDE: dict[type[Any], dict[str, PartialCase]] = {
    PartialText: {
        "delta": compactions.text_delta_inside,
        "start": compactions.text_start_inside,
        "stop": compactions.text_stop_inside,
    },
    PartialThinking: {
        "delta": compactions.thinking_delta_inside,
        "start": compactions.thinking_start_inside,
        "stop": compactions.thinking_stop_inside,
    },
    PartialToolCall: {
        "delta": compactions.call_delta_inside,
        "start": compactions.call_start_inside,
        "stop": compactions.call_stop_inside,
    },
    PartialToolCallOutput: PARTIALS[PartialToolCallOutput],
}


# --- completes --------------------------------------------------------------------------------


def _text(
    draft: Draft,
    payload: Text,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    if payload.role == "user":
        users.user_text(draft, payload, at_ms, now_ms)
    else:
        see(draft, at_ms)
        settle_text(draft, payload, at_ms, message)


def _text_inside(
    draft: Draft,
    payload: Text,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    if payload.role == "user":
        users.user_text(draft, payload, at_ms, now_ms)
    else:
        compactions.text_inside(draft, payload)


def _tool_call(
    draft: Draft,
    payload: ToolCall,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    calls.tool_call(draft, payload, at_ms, message)
    if draft.aside.awaiting is not EMPTY_MAP:
        take_awaited(draft, payload.tool_call_id)


def _output(
    draft: Draft,
    payload: ToolCallOutput,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    calls.tool_call_output(draft, payload, at_ms)
    if draft.aside.awaiting is not EMPTY_MAP:
        take_awaited(draft, payload.tool_call_id)


def _image_url(
    draft: Draft, payload: ImageUrl, at_ms: int | None, message: Message, now_ms: int, _: object
) -> None:
    users.image_url(draft, payload, at_ms, now_ms)


def _nothing(draft: Draft, payload: object, *circumstances: object) -> None:
    """Change no item."""


COMPLETES: dict[type[Any], Case] = {
    Text: _text,
    ImageUrl: _image_url,
    InlineData: _nothing,
    InlineThinking: _nothing,
    Thinking: settle_thinking,
    ToolCall: _tool_call,
    ToolCallOutput: _output,
}
COMPLETES_INSIDE: dict[type[Any], Case] = {
    Text: _text_inside,
    ImageUrl: _image_url,
    InlineData: _nothing,
    InlineThinking: _nothing,
    Thinking: lambda draft, payload, *_: compactions.thinking_inside(draft, payload),
    ToolCall: lambda draft, payload, *_: compactions.call_inside(draft, payload),
    ToolCallOutput: lambda draft, payload, at_ms, *_: calls.tool_call_output(draft, payload, at_ms),
}


# --- events -----------------------------------------------------------------------------------


def _compaction_begin(
    draft: Draft, payload: CompactionBegin, at_ms: int | None, *circumstances: object
) -> None:
    """Finalize the task first if the compaction wraps it up (rule 29)."""
    if draft.task is not None and not draft.requests.output_since and draft.compacting is None:
        last = last_placed(draft)
        if last is not None and last.kind == "assistant_text":
            close_for_good(draft)
            draft.requests = _reopening(draft.requests, True)
    if draft.task is not None and draft.task.provisional and draft.compacting is None:
        close_for_good(draft)
    compactions.begin(draft, payload, at_ms)


EVENTS: dict[type[Any], Case] = {
    RequestBegin: requests.request_begin,
    RequestEnd: requests.request_end,
    ApprovalDecision: calls.approval_decision,
    TokenUsage: token_usage,
    CompactionBegin: _compaction_begin,
    CompactionEnd: lambda draft, payload, at_ms, *_: compactions.end(draft, payload, at_ms),
    Abort: lambda draft, payload, *_: requests.abort(draft, payload),
    Subagent: _nothing,
    ToolListReady: lambda draft, payload, *_: connections.tool_list_ready(draft, payload),
    McpConnectBegin: lambda draft, payload, at_ms, *_: connections.mcp_connect_begin(
        draft, payload, at_ms
    ),
    McpConnectEnd: lambda draft, payload, at_ms, *_: connections.mcp_connect_end(
        draft, payload, at_ms
    ),
    GoalFinished: lambda draft, payload, *_: remarks.goal_finished(draft, payload),
    Notice: lambda draft, payload, at_ms, *_: remarks.notice(draft, payload, at_ms),
    Fact: lambda draft, payload, *_: remarks.fact(draft, payload),
}


def role_of(payload: Payload) -> Role:
    """Tell what a message is to the rules: complete, event, partial, session_meta or unknown."""
    kind = type(payload)
    if kind in PARTIALS:
        known = payload.event_type in PARTIALS[kind]  # type: ignore[union-attr]
        return "partial" if known else "unknown"
    if kind in COMPLETES:
        return "complete"
    if kind is SessionMeta:
        return "session_meta"
    if type(payload) is UnknownPayload and payload.category != "event_msg":
        return "unknown"
    return "event"


# --- one message ------------------------------------------------------------------------------


def reduce(draft: Draft, message: Message, now_ms: int, decided: Map[bool]) -> None:
    """Apply a message to the draft of a main session.

    Args:
        draft: the session.
        message: the message, its own or one of a session nested in it.
        now_ms: the caller's clock, in Unix ms.
        decided: ids of tool calls decided on this client, for the whole tree.
    """
    if not message.origin:
        reduce_own(draft, message, now_ms, decided)
    elif len(message.origin) <= MAX_HOPS:
        _reduce_nested(draft, message, now_ms, decided, 0)
    else:
        count(draft, "unknown")


def reduce_own(draft: Draft, message: Message, now_ms: int, decided: Map[bool]) -> None:
    """Apply a message that belongs to the session itself: ``reduce`` for an empty origin."""
    payload = message.payload
    kind = type(payload)
    if draft.aside.compacting is None:
        partials, completes = PARTIALS, COMPLETES
    else:
        partials, completes = PARTIALS_INSIDE, COMPLETES_INSIDE
    if kind in partials:
        step = partials[kind].get(payload.event_type)  # type: ignore[union-attr]
        if step is None:
            count(draft, "unknown")
        else:
            step(draft, payload, message)
    elif kind is not SessionMeta:
        _reduce_lasting(draft, completes.get(kind), message, now_ms, decided)


def _reduce_lasting(
    draft: Draft, case: Case | None, message: Message, now_ms: int, decided: Map[bool]
) -> None:
    """Apply a complete or an event.

    Args:
        draft: the session.
        case: the reducer of a complete; None for what is none.
        message: the message.
        now_ms: the caller's clock, in Unix ms.
        decided: ids of tool calls decided on this client.
    """
    payload = message.payload
    kind = type(payload)
    at_ms = parse_ms(message.timestamp)
    if case is None:
        case = EVENTS.get(kind, _nothing)
        if case is _nothing and _is_passed_by(draft, payload):
            return
        task = draft.task
        if task is not None and draft.aside.compacting is None:
            if task.provisional and kind in _CLOSING:
                close_for_good(draft)
            see(draft, at_ms)
    elif kind not in _SEEN_LATER and draft.aside.compacting is None:
        see(draft, at_ms)
    case(draft, payload, at_ms, message, now_ms, decided)
    if at_ms is not None:
        draft.previous_ms = at_ms
    before = draft.aside.boundary
    if before is not PLAIN or kind in MOVING:
        boundary = advance(before, payload)
        if boundary is not before:
            draft.boundary = boundary


def _is_passed_by(draft: Draft, payload: Payload) -> bool:
    """Count what isn't known; tell whether it isn't even an event."""
    if type(payload) is UnknownPayload:
        count(draft, "unknown")
        return payload.category != "event_msg"
    return False


def reduce_as_nested(
    child: Draft, message: Message, now_ms: int, decided: Map[bool], depth: int
) -> None:
    """Apply a message to the nested session it came through, times and meta included (rule 3).

    Args:
        child: the session at ``depth`` hops of the message's origin.
        message: the message.
        now_ms: the caller's clock, in Unix ms.
        decided: ids of tool calls decided on this client.
        depth: how many hops of the origin were taken; at least one.
    """
    if depth < len(message.origin):
        _reduce_nested(child, message, now_ms, decided, depth)
    else:
        reduce_own(child, message, now_ms, decided)
    assert child.nest is not None
    at_ms = parse_ms(message.timestamp)
    child.nest = heard(child.nest, role_of(message.payload), at_ms, now_ms)
    if depth == len(message.origin) and type(message.payload) is SessionMeta:
        child.nest = tell_meta(child.nest, message.payload)


def _reduce_nested(
    draft: Draft, message: Message, now_ms: int, decided: Map[bool], depth: int
) -> None:
    session_id = message.origin[depth]
    session = draft.subagents.get(session_id)
    if session is None:
        child = born(now_ms)
        let_float(draft, session_id, child)
    else:
        child = thaw_session(session)
    reduce_as_nested(child, message, now_ms, decided, depth + 1)
    role = role_of(message.payload)
    own = message if depth + 1 == len(message.origin) else None
    binds = _bind_if_due(draft, session_id, child, own, role)
    draft.subagents = draft.subagents.put(session_id, freeze_session(child))
    if binds and session is not None:
        draft.subagents = draft.subagents.moved_to_end(session_id)
    note_parent(draft, message, role, parse_ms(message.timestamp))


def _bind_if_due(
    draft: Draft, session_id: str, child: Draft, own: Message | None, role: Role
) -> bool:
    """Bind a session at its first lasting message, or when its session_meta names its call.

    Args:
        draft: the parent.
        session_id: the nested session's.
        child: the nested session.
        own: the message, if it is the nested session's own.
        role: what the message is.

    Returns:
        Whether the session was bound for the first time.
    """
    assert child.nest is not None
    binding = child.nest.binding
    name = None if own is None else named_call(own)
    if binding is None:
        if role in ("partial", "unknown"):
            return False
        bind(draft, session_id, child, name)
        return True
    if role == "session_meta" and name is not None and binding != "explicit":
        bind(draft, session_id, child, name)
    return False
