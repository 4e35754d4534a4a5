"""The events of the Responses API.

Rules of this file:

- An item is known by its output index; its ``done`` decides, deltas only stream.
- A text, a thinking or arguments that nothing opened open themselves, except a call's, which has
  no name and no id yet: that is counted.
- ``response.completed`` repeats the items; those that had no ``done`` are shown from it.
- Parts of a message join directly, parts of a reasoning by a blank line.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP
from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    Notice,
    PartialToolCallOutput,
    Payload,
    Text,
    Thinking,
    ToolCall,
)
from refold.records import evolve
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import listing, mapping, moment, name, position, text
from refold.sources.fragments import Fragment, FragmentKind, completed, find, grown, opened
from refold.sources.openai_sse.items import (
    arguments_of,
    call_name,
    is_call,
    item_notice,
    item_output,
    message_text,
    quoted,
    reasoning_fidelity,
    reasoning_text,
    refusal_of,
)
from refold.sources.openai_sse.requests import (
    begun,
    call_reason,
    closed,
    cut,
    ended,
    failed,
    text_reason,
    with_usage,
)
from refold.sources.openai_sse.state import Event, State, Step, count
from refold.sources.tally import unknown

__all__ = ["RESPONSE_EVENTS", "whole_response"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_SECOND_MS = 1000
_FIRST_PIECE = {
    "custom_tool_call": '{"input": "',
    "code_interpreter_call": '{"code": "',
    "shell_call": '{"commands": [',
}
_COMPACTION = ("context", "summarize")


# --- the response ---------------------------------------------------------------------------


def _created(state: State, event: Event, at: str | None) -> Step:
    state, over = cut(state, at)
    state, begin = _response_begun(state, event, at)
    return state, (*over, *begin)


def _in_progress(state: State, event: Event, at: str | None) -> Step:
    """Begin a response whose ``created`` was missed."""
    return (state, ()) if state.request is not None else _response_begun(state, event, at)


def _response_begun(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    began = at or moment(response.get("created_at"), _SECOND_MS)
    ident, model = text(response.get("id")), name(response.get("model"))
    return begun(state, ident, model, began, api="responses")


def _completed(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    at = at or moment(response.get("completed_at"), _SECOND_MS)
    state, drafts = _rest_shown(state, response, at)
    reason = text(response.get("status")) or "completed"
    state, open_ones = closed(state, at, "completed" if reason == "incomplete" else reason)
    state = _with_usage(state, response)
    state, end = ended(state, at)
    return state, (*drafts, *open_ones, *_why_incomplete(response, at), *end)


def _with_usage(state: State, response: dict[str, Any]) -> State:
    if state.request is None:
        return state
    return evolve(state, request=with_usage(state.request, response.get("usage")))


def _why_incomplete(response: dict[str, Any], at: str | None) -> Drafts:
    why = name(mapping(response.get("incomplete_details")).get("reason"))
    return () if why is None else (draft(Notice(name="incomplete", text=why), at),)


def _rest_shown(state: State, response: dict[str, Any], at: str | None) -> Step:
    drafts: Drafts = ()
    for index, item in enumerate(listing(response.get("output"))):
        if not _is_done(state, index, mapping(item)):
            state, more = _item_shown(state, str(index), mapping(item), at)
            drafts += more
    return state, drafts


def _is_done(state: State, index: int, item: Event) -> bool:
    done = EMPTY_MAP if state.request is None else state.request.done
    return str(index) in done or _by_id(text(item.get("id"))) in done


def _failed(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    return failed(_with_usage(state, response), response.get("error"), at)


def _cancelled(state: State, event: Event, at: str | None) -> Step:
    response = mapping(event.get("response"))
    state, drafts = _rest_shown(state, response, at)
    state, over = cut(_with_usage(state, response), at)
    return state, (*drafts, *over)


def _error(state: State, event: Event, at: str | None) -> Step:
    problem = event.get("error")
    return failed(state, problem if isinstance(problem, dict) else event, at)


def whole_response(state: State, response: Event, at: str | None) -> Step:
    """Show a response that didn't stream, as if it had (laws.md, law 12).

    Args:
        state: the state.
        response: the response object.
        at: when it came, as a timestamp.
    """
    event = {"response": response}
    state, begin = _created(state, event, at)
    end = _FINAL.get(text(response.get("status")), _completed)
    state, drafts = end(state, event, at)
    return state, (*begin, *drafts)


# --- items ----------------------------------------------------------------------------------


def _item_added(state: State, event: Event, at: str | None) -> Step:
    item, index = mapping(event.get("item")), _index(event)
    state, replaced = _item_left(state, index, at)
    kind = text(item.get("type"))
    if kind == "compaction":
        return state, (*replaced, draft(_compaction_begin(), at))
    fragment_kind = _fragment_kind(item)
    if fragment_kind is None:
        return state, replaced
    fragment = Fragment(
        key=index,
        kind=fragment_kind,
        body=_FIRST_PIECE.get(kind, ""),
        name=call_name(item) if fragment_kind == "tool_call" else "",
        call_id=_call_id(state, item, index),
        started_at=at,
    )
    fragments, drafts = opened(state.fragments, fragment)
    return evolve(state, fragments=fragments), (*replaced, *drafts)


def _item_left(state: State, index: str, at: str | None) -> Step:
    """Complete an item of which another one takes the index."""
    fragments, drafts = completed(state.fragments, index, at, stop_reason="aborted")
    return evolve(state, fragments=fragments, parts=state.parts.without(index)), drafts


def _item_done(state: State, event: Event, at: str | None) -> Step:
    return _item_shown(state, _index(event), mapping(event.get("item")), at)


def _item_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    if state.request is not None:
        done = state.request.done.put(index, True)
        state = evolve(state, request=evolve(state.request, done=done))
    kind = text(item.get("type"))
    if kind == "message":
        return _message_shown(state, index, item, at)
    if kind == "reasoning":
        return _reasoning_shown(state, index, item, at)
    if is_call(item):
        return _call_shown(state, index, item, at)
    return _other_shown(state, index, item, at)


def _message_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    body, refusal = message_text(item), refusal_of(item)
    reason = text_reason(name(item.get("status")))
    fallback = Text(role="assistant", text=body or "", stop_reason=reason)
    state, drafts = _settled(state, index, body, reason, fallback, at)
    if refusal is None:
        return state, drafts
    return state, (*drafts, draft(Notice(name="refusal", text=refusal), at))


def _reasoning_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    body, reason = reasoning_text(item), text_reason(name(item.get("status")))
    fidelity = reasoning_fidelity(item)
    fallback = Thinking(
        role="assistant", thinking=body or "", stop_reason=reason, fidelity=fidelity
    )
    return _settled(state, index, body, reason, fallback, at)


def _call_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    found, body = find(state.fragments, index), arguments_of(item)
    call_id = _call_id(state, item, index) if found is None else found.call_id
    streamed = "" if found is None else str(found.body)
    reason = call_reason(name(item.get("status")), streamed if body is None else body)
    fallback = ToolCall(
        role="assistant",
        name=call_name(item),
        arguments=body or "",
        tool_call_id=call_id,
        stop_reason=reason,
    )
    state, drafts = _settled(state, index, body, reason, fallback, at)
    output = item_output(item, call_id)
    return state, (drafts if output is None else (*drafts, draft(output, at)))


def _settled(
    state: State,
    index: str,
    body: str | None,
    reason: str,
    fallback: Text | Thinking | ToolCall,
    at: str | None,
) -> Step:
    """Complete the fragment of an item, or show the item if nothing of it streamed."""
    if find(state.fragments, index) is None:
        return state, (draft(fallback, at),)
    named = fallback.name if isinstance(fallback, ToolCall) else None
    fragments, drafts = completed(
        state.fragments,
        index,
        at,
        body=body,
        name=named,
        stop_reason=reason,
        fidelity=fallback.fidelity,
    )
    return evolve(state, fragments=fragments), drafts


def _other_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    kind = text(item.get("type"))
    if kind == "compaction":
        reason, mode = _COMPACTION
        end = CompactionEnd(reason=reason, mode=mode, status="completed")
        return state, (draft(end, at),)
    payload: Payload | None = item_output(item, _call_id(state, item, index)) or item_notice(item)
    if payload is None:
        return evolve(state, tally=unknown(state.tally, "item", kind)), ()
    return state, (draft(payload, at),)


def _compaction_begin() -> CompactionBegin:
    reason, mode = _COMPACTION
    return CompactionBegin(reason=reason, mode=mode, context=0, turns=0)


def _fragment_kind(item: Event) -> FragmentKind | None:
    kind = item.get("type")
    if kind == "message":
        return "text"
    if kind == "reasoning":
        return "thinking"
    return "tool_call" if is_call(item) else None


def _call_id(state: State, item: Event, index: str) -> str:
    ident = "" if state.request is None else state.request.id
    return name(item.get("call_id")) or name(item.get("id")) or f"{ident}:{index}"


def _index(event: Event) -> str:
    """Return the key of an event's item: its place, or its id where a gateway gives no places."""
    by_place = position(event.get("output_index"))
    ident = text(event.get("item_id")) or text(mapping(event.get("item")).get("id"))
    return by_place or _by_id(ident)


def _by_id(ident: str) -> str:
    return f"item {ident}"


# --- deltas ---------------------------------------------------------------------------------


def _delta(kind: FragmentKind, *, part: str | None = None, is_quoted: bool = False) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        index, piece = _index(event), text(event.get("delta"))
        state, drafts = _addressed(state, index, kind, at)
        if find(state.fragments, index) is None:
            return state, drafts
        if part is not None:
            state, piece = _in_part(state, index, f"{part} {_part_index(event)}", piece)
        state, more = _grown(state, index, quoted(piece) if is_quoted else piece, at)
        return state, (*drafts, *more)

    return case


def _done(kind: FragmentKind, field: str, *, is_quoted: bool = False) -> Case:
    """A part's whole text: it stands in for deltas that didn't come."""

    def case(state: State, event: Event, at: str | None) -> Step:
        index, whole = _index(event), text(event.get(field))
        found = find(state.fragments, index)
        if found is not None and found.kind == kind and _is_untouched(state, found):
            return _grown(state, index, quoted(whole) if is_quoted else whole, at)
        return state, ()

    return case


def _is_untouched(state: State, fragment: Fragment) -> bool:
    return fragment.body in ("", *_FIRST_PIECE.values())


def _addressed(state: State, index: str, kind: FragmentKind, at: str | None) -> Step:
    if find(state.fragments, index) is not None:
        return state, ()
    if kind == "tool_call":
        return count(state, "arguments without a call"), ()
    fragment = Fragment(key=index, kind=kind, started_at=at)
    fragments, drafts = opened(state.fragments, fragment)
    return count(evolve(state, fragments=fragments), "delta without an item"), drafts


def _in_part(state: State, index: str, part: str, piece: str) -> tuple[State, str]:
    before = state.parts.get(index)
    if before == part:
        return state, piece
    state = evolve(state, parts=state.parts.put(index, part))
    return state, piece if before is None else f"\n\n{piece}"


def _part_index(event: Event) -> str:
    return position(event.get("summary_index")) or position(event.get("content_index"))


def _grown(state: State, index: str, piece: str, at: str | None) -> Step:
    fragments, drafts = grown(state.fragments, index, piece, at)
    return evolve(state, fragments=fragments), drafts


def _command_added(state: State, event: Event, at: str | None) -> Step:
    index = _index(event)
    if find(state.fragments, index) is None:
        return count(state, "arguments without a call"), ()
    separator = ', "' if index in state.parts else '"'
    state = evolve(state, parts=state.parts.put(index, "command"))
    return _grown(state, index, separator + quoted(text(event.get("command"))), at)


def _command_done(state: State, event: Event, at: str | None) -> Step:
    return _grown(state, _index(event), '"', at)


def _partial_image(state: State, event: Event, at: str | None) -> Step:
    found, data = find(state.fragments, _index(event)), name(event.get("partial_image_b64"))
    if found is None or data is None:
        return state, ()
    pieces = [
        PartialToolCallOutput(
            role="user",
            event_type=each,
            output="",
            tool_call_id=found.call_id,
            images=(f"data:image/png;base64,{data}",),
        )
        for each in ("start", "delta")
    ]
    return state, tuple([draft(each, at) for each in pieces])


def _silent(state: State, event: Event, at: str | None) -> Step:
    """What another event says in full."""
    return state, ()


_FINAL: dict[str, Case] = {
    "completed": _completed,
    "incomplete": _completed,
    "failed": _failed,
    "cancelled": _cancelled,
}

_SILENT = (
    "response.content_part.added",
    "response.content_part.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_part.done",
    "response.reasoning_summary_text.done",
    "response.reasoning_text.done",
    "response.refusal.delta",
    "response.refusal.done",
    "response.output_text.annotation.added",
    "response.code_interpreter_call.in_progress",
    "response.code_interpreter_call.interpreting",
    "response.code_interpreter_call.completed",
    "response.file_search_call.in_progress",
    "response.file_search_call.searching",
    "response.file_search_call.completed",
    "response.image_generation_call.in_progress",
    "response.image_generation_call.generating",
    "response.image_generation_call.completed",
    "response.web_search_call.in_progress",
    "response.web_search_call.searching",
    "response.web_search_call.completed",
    "response.mcp_call.in_progress",
    "response.mcp_call.completed",
    "response.mcp_call.failed",
    "response.mcp_list_tools.in_progress",
    "response.mcp_list_tools.completed",
    "response.mcp_list_tools.failed",
    "response.shell_call_output_content.delta",
    "response.shell_call_output_content.done",
    "response.compaction.compacting",
    "response.audio.delta",
    "response.audio.done",
    "response.audio.transcript.delta",
    "response.audio.transcript.done",
    "keepalive",
)

RESPONSE_EVENTS: dict[str, Case] = {
    **dict.fromkeys(_SILENT, _silent),
    "response.created": _created,
    "response.queued": _in_progress,
    "response.in_progress": _in_progress,
    "response.completed": _completed,
    "response.incomplete": _completed,
    "response.failed": _failed,
    "response.cancelled": _cancelled,
    "error": _error,
    "response.output_item.added": _item_added,
    "response.output_item.done": _item_done,
    "response.output_text.delta": _delta("text"),
    "response.output_text.done": _done("text", "text"),
    "response.reasoning_summary_text.delta": _delta("thinking", part="summary"),
    "response.reasoning_text.delta": _delta("thinking", part="content"),
    "response.function_call_arguments.delta": _delta("tool_call"),
    "response.function_call_arguments.done": _done("tool_call", "arguments"),
    "response.mcp_call_arguments.delta": _delta("tool_call"),
    "response.mcp_call_arguments.done": _done("tool_call", "arguments"),
    "response.custom_tool_call_input.delta": _delta("tool_call", is_quoted=True),
    "response.custom_tool_call_input.done": _done("tool_call", "input", is_quoted=True),
    "response.code_interpreter_call_code.delta": _delta("tool_call", is_quoted=True),
    "response.code_interpreter_call_code.done": _done("tool_call", "code", is_quoted=True),
    "response.shell_call_command.added": _command_added,
    "response.shell_call_command.delta": _delta("tool_call", is_quoted=True),
    "response.shell_call_command.done": _command_done,
    "response.image_generation_call.partial_image": _partial_image,
}
