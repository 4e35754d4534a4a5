"""What streams of a response's items.

Rules of this file:

- A text or a thinking that nothing opened opens itself; arguments without a call are counted, as
  they have neither a name nor an id.
- A part's whole text (``…done``) only stands in for deltas that didn't come; the item decides.
- Parts of a message join directly, parts of a reasoning by a blank line. What isn't JSON by itself
  streams as a piece of the JSON text that the arguments are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.messages import PartialToolCallOutput
from refold.records import evolve
from refold.sources.drafts import draft
from refold.sources.fields import name, position, text
from refold.sources.fragments import Fragment, FragmentKind, find, grown, opened
from refold.sources.openai_sse.addresses import index_of
from refold.sources.openai_sse.items import FIRST_PIECES, quoted
from refold.sources.openai_sse.state import Event, State, Step, count, with_fragments

__all__ = ["DELTA_EVENTS"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]


def _delta(kind: FragmentKind, *, part: str | None = None, is_quoted: bool = False) -> Case:
    def case(state: State, event: Event, at: str | None) -> Step:
        index, piece = index_of(event), text(event.get("delta"))
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
        index, whole = index_of(event), text(event.get(field))
        found = find(state.fragments, index)
        if found is not None and found.kind == kind and found.body in FIRST_PIECES:
            return _grown(state, index, quoted(whole) if is_quoted else whole, at)
        return state, ()

    return case


def _addressed(state: State, index: str, kind: FragmentKind, at: str | None) -> Step:
    if find(state.fragments, index) is not None:
        return state, ()
    if kind == "tool_call":
        return count(state, "arguments without a call"), ()
    fragment = Fragment(key=index, kind=kind, started_at=at)
    fragments, drafts = opened(state.fragments, fragment)
    return count(with_fragments(state, fragments), "delta without an item"), drafts


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
    return with_fragments(state, fragments), drafts


def _command_added(state: State, event: Event, at: str | None) -> Step:
    index = index_of(event)
    if find(state.fragments, index) is None:
        return count(state, "arguments without a call"), ()
    separator = ', "' if index in state.parts else '"'
    state = evolve(state, parts=state.parts.put(index, "command"))
    return _grown(state, index, separator + quoted(text(event.get("command"))), at)


def _command_done(state: State, event: Event, at: str | None) -> Step:
    return _grown(state, index_of(event), '"', at)


def _partial_image(state: State, event: Event, at: str | None) -> Step:
    found, data = find(state.fragments, index_of(event)), name(event.get("partial_image_b64"))
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


DELTA_EVENTS: dict[str, Case] = {
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
