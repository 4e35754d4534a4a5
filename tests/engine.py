"""Sessions an engine would send: they keep the discipline of protocol.md.

Every fragment gets its complete, equal to what streamed; but events, task starts and other sessions'
messages may come in the middle of it. What is sent is for a ``Pick`` to say: a function that picks
one of several options, so that a property and a random search draw the same sessions. The simplest
option is always the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    ImageUrl,
    InlineData,
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    RequestBegin,
    RequestEnd,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
)
from refold.times import format_ms
from tests.payloads import EVENTS, IMAGES, METAS, START_MS, TOOLS, USAGES

__all__ = ["Pick", "conversation", "interleaved", "interrupted", "session_stream"]

Pick: TypeAlias = Callable[[Sequence[Any]], Any]
Lane: TypeAlias = tuple[tuple[str, ...], list[Any]]

_BODIES = ("a", "hello world", "", "  \n", "\U0001f600 ok", "x" * 300)
_CALLS = ("{}", '{"a": 1}', "")
_STEERING = Text(role="user", text="[user_steering]\nleft\n[/user_steering]")
_SUMMARY = Text(role="user", text="[context_summary]\nso far")
_IMAGE = ImageUrl(role="user", image_url="u")
_DO_IT = Text(role="user", text="do it")
_SIMPLE_EVENTS = tuple(
    event
    for pool in EVENTS
    for event in pool[:6]
    if not isinstance(event, CompactionBegin | CompactionEnd)
)
_ORIGINS = ((), (("c1",),), (("c1",), ("c2",)), (("c1",), ("c1", "d1")), (("c1", "d1"),))


# --- fragments ------------------------------------------------------------------------------------


def _fragment(pick: Pick, complete: Any, piece: Callable[[str, str], Any], body: str) -> list[Any]:
    """Start, deltas, stop and complete of one body; or the complete alone, as in a trace."""
    if pick((False, True, True)):
        cuts = sorted(pick(range(len(body) + 1)) for _ in range(pick((0, 1, 2, 4))))
        pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
        first = pieces.pop(0) if pick((False, True)) else ""
        last = pieces.pop() if pieces and pick((False, True)) else ""
        deltas = [piece("delta", each) for each in pieces]
        return [piece("start", first), *deltas, piece("stop", last), complete]
    return [complete]


def _said(pick: Pick) -> list[Any]:
    body, reason = pick(_BODIES), pick(("completed", None, "failed"))
    return _fragment(
        pick,
        Text(role="assistant", text=body, stop_reason=reason),
        lambda event, text: PartialText(role="assistant", event_type=event, text=text),
        body,
    )


def _thought(pick: Pick) -> list[Any]:
    body = pick(_BODIES)
    return _fragment(
        pick,
        Thinking(role="assistant", thinking=body),
        lambda event, text: PartialThinking(role="assistant", event_type=event, thinking=text),
        body,
    )


def _tool(pick: Pick, number: int) -> tuple[list[Any], list[Any]]:
    """A call with its decision, and its output; the two may lie apart."""
    tool_call_id = pick((f"call{number}", f"call{number}", "same"))
    name, body = pick(("exec", "run_subagent")), pick(_CALLS)
    call = _fragment(
        pick,
        ToolCall(role="assistant", name=name, arguments=body, tool_call_id=tool_call_id),
        lambda event, text: PartialToolCall(
            role="assistant", event_type=event, name=name, arguments=text, tool_call_id=tool_call_id
        ),
        body,
    )
    decision = pick((None, "allow", "allow", "deny"))
    if decision is not None:
        call.append(ApprovalDecision(decision=decision, tool_call_id=tool_call_id))
    return call, _output(pick, tool_call_id)


def _output(pick: Pick, tool_call_id: str) -> list[Any]:
    body, images = pick(_BODIES), pick(IMAGES)
    return _fragment(
        pick,
        ToolCallOutput(role="user", output=body, tool_call_id=tool_call_id, images=images),
        lambda event, text: PartialToolCallOutput(
            role="user",
            event_type=event,
            output=text,
            tool_call_id=tool_call_id,
            images=images if event == "stop" else None,
        ),
        body,
    )


# --- requests and what stands beside them ----------------------------------------------------------


def _request(pick: Pick, number: int) -> list[Any]:
    """One request: what the model says, how it ends, and what its tools give back."""
    strands: list[list[Any]] = []
    results: list[list[Any]] = []
    for index in range(pick((0, 1, 2, 3))):
        part = pick(("said", "tool", "tool", "thought"))
        if part == "tool":
            call, result = _tool(pick, number * 10 + index)
            strands.append(call)
            results.append(result)
        else:
            strands.append(_said(pick) if part == "said" else _thought(pick))
    said: list[Any] = [RequestBegin(), *_woven(pick, strands)]
    if pick((False, True)):
        said.append(pick(USAGES))
    status = pick(("completed", "completed", "failed", "timeout", "auth"))
    said.append(RequestEnd(status=status, retry_in_ms=pick((None, 500))))
    return said + _shuffled(pick, results)


def _woven(pick: Pick, strands: list[list[Any]]) -> list[Any]:
    """Fragments one behind the other, or, if no two are of one kind and id, side by side."""
    names = {_strand(each[0]) for each in strands}
    if len(names) < len(strands) or pick((True, False)):
        return [payload for each in strands for payload in each]
    return [payload for _, payload in _merged(pick, strands)]


def _strand(payload: Any) -> tuple[str, str]:
    return payload.kind.removeprefix("partial_"), getattr(payload, "tool_call_id", "")


def _merged(pick: Pick, queues: list[list[Any]]) -> list[tuple[int, Any]]:
    """Merge queues in any way that keeps the order of each; with the number of the queue."""
    left = [list(reversed(each)) for each in queues]
    merged = []
    while any(left):
        number = pick([number for number, each in enumerate(left) if each])
        merged.append((number, left[number].pop()))
    return merged


def _shuffled(pick: Pick, parts: list[list[Any]]) -> list[Any]:
    left, shuffled = list(parts), []
    while left:
        shuffled += left.pop(pick(range(len(left))))
    return shuffled


def _compaction(pick: Pick) -> list[Any]:
    """A compaction with its prompt outside its requests; a few crash inside a request."""
    inside: list[Any] = pick(([], [Text(role="user", text="summarize")]))
    for status in pick(((), ("completed",), ("failed", "completed"))):
        inside = [*inside, RequestBegin(), *pick((_said, _thought))(pick)]
        inside += pick(([], [pick(USAGES)]))
        inside.append(RequestEnd(status=status))
    begin = CompactionBegin(reason="context", mode="summarize", context=1, turns=1)
    if pick((False, False, False, False, True)):
        return [begin, *inside, RequestBegin(), *_said(pick)]
    status = pick(("completed", "failed"))
    end = CompactionEnd(reason="context", mode="summarize", status=status)
    return [begin, *inside, end, *pick(([], [_SUMMARY]))]


def _connection(pick: Pick) -> list[Any]:
    result = McpServerResult(server="a", transport="stdio", status="failed", duration_ms=3)
    end = McpConnectEnd(status=pick(("completed", "aborted")), results=(result,))
    return [McpConnectBegin(servers=("a",)), *pick(([], [end], [end, TOOLS]))]


def _beside(pick: Pick) -> list[Any]:
    """What may stand between two requests."""
    make = pick(
        (
            lambda _: [],
            lambda _: [],
            _compaction,
            _compaction,
            lambda _: [_STEERING],
            lambda _: [_STEERING, _IMAGE],
            lambda _: [Abort(reason="user")],
            _connection,
            lambda _: [pick(_SIMPLE_EVENTS)],
        )
    )
    return list(make(pick))


# --- sessions -------------------------------------------------------------------------------------


def conversation(pick: Pick, *, most_tasks: int) -> list[Any]:
    """Return the payloads of one session."""
    payloads: list[Any] = pick(([], [pick(METAS)]))
    for number in range(pick(range(1, most_tasks + 1))):
        payloads = [*payloads, pick((_DO_IT, _DO_IT, _IMAGE))]
        for index in range(pick((0, 1, 2))):
            payloads += _request(pick, number * 10 + index) + _beside(pick)
    return payloads


def interrupted(pick: Pick, payloads: list[Any]) -> list[Any]:
    """Put what makes no fragment anywhere into a conversation, inside its fragments too."""
    others = (_DO_IT, _IMAGE, _STEERING, _SUMMARY, Abort(), RequestEnd(status="failed"))
    others = (*others, InlineData(role="user", data="AA", mime_type="a/b"), *_SIMPLE_EVENTS)
    for _ in range(pick((0, 1, 2, 3))):
        place = pick(range(len(payloads) + 1))
        payloads = [*payloads[:place], pick(others), *payloads[place:]]
    return payloads


def interleaved(pick: Pick, lanes: Sequence[Lane]) -> list[Message]:
    """Return payloads of several sessions as one stream, at times that don't go back."""
    stream, at_ms = [], START_MS
    for number, payload in _merged(pick, [payloads for _, payloads in lanes]):
        at_ms += 100 * pick((1, 0, 2, 3))
        timestamp = format_ms(at_ms)
        stream.append(Message(payload=payload, timestamp=timestamp, origin=lanes[number][0]))
    return stream


def session_stream(pick: Pick, *, most_tasks: int = 3, interruptions: bool = True) -> list[Message]:
    """Return a session with sessions nested in it, interleaved at any point."""
    lanes: list[Lane] = []
    for origin in ((), *pick(_ORIGINS)):
        payloads = conversation(pick, most_tasks=1 if origin else most_tasks)
        if interruptions and pick((False, True)):
            payloads = interrupted(pick, payloads)
        lanes.append((origin, payloads))
    return interleaved(pick, lanes)
