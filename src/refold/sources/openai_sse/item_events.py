"""The items of a response: opened, and shown when they are whole.

Rules of this file:

- The whole item decides; what streamed of it is replaced. An item that holds less than what
  streamed (a gateway that leaves the content out) leaves what streamed.
- An item that never streamed is shown all the same.
"""

from __future__ import annotations

from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    Notice,
    Payload,
    Text,
    Thinking,
    ToolCall,
)
from refold.records import evolve
from refold.sources.drafts import draft
from refold.sources.fields import mapping, name, text
from refold.sources.fragments import Fragment, FragmentKind, completed, find, opened
from refold.sources.openai_sse.addresses import call_id_of, index_of
from refold.sources.openai_sse.item_results import item_output
from refold.sources.openai_sse.items import (
    arguments_of,
    call_name,
    first_piece,
    is_call,
    item_notice,
    message_text,
    reasoning_fidelity,
    reasoning_text,
    refusal_of,
)
from refold.sources.openai_sse.requests import call_reason, text_reason
from refold.sources.openai_sse.state import Event, State, Step, with_fragments
from refold.sources.tally import unknown

__all__ = ["item_added", "item_done", "item_shown"]

_COMPACTION = ("context", "summarize")


def item_added(state: State, event: Event, at: str | None) -> Step:
    """Open an item."""
    item, index = mapping(event.get("item")), index_of(event)
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
        body=first_piece(kind),
        name=call_name(item) if fragment_kind == "tool_call" else "",
        call_id=call_id_of(state, item, index),
        started_at=at,
    )
    fragments, drafts = opened(state.fragments, fragment)
    return with_fragments(state, fragments), (*replaced, *drafts)


def _item_left(state: State, index: str, at: str | None) -> Step:
    """Complete an item of which another one takes the index."""
    fragments, drafts = completed(state.fragments, index, at, stop_reason="aborted")
    return evolve(state, fragments=fragments, parts=state.parts.without(index)), drafts


def item_done(state: State, event: Event, at: str | None) -> Step:
    """Show an item that is whole."""
    return item_shown(state, index_of(event), mapping(event.get("item")), at)


def item_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    """Show a whole item, in place of what streamed of it.

    Args:
        state: the state.
        index: the item's key.
        item: the item.
        at: when, as a timestamp.
    """
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
    call_id = call_id_of(state, item, index) if found is None else found.call_id
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
    return with_fragments(state, fragments), drafts


def _other_shown(state: State, index: str, item: Event, at: str | None) -> Step:
    kind = text(item.get("type"))
    if kind == "compaction":
        reason, mode = _COMPACTION
        end = CompactionEnd(reason=reason, mode=mode, status="completed")
        return state, (draft(end, at),)
    payload: Payload | None = item_output(item, call_id_of(state, item, index)) or item_notice(item)
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
