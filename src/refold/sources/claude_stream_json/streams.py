"""Messages as they stream, with ``--include-partial-messages``.

Rules of this file (sources/stream-json-and-acp.md 1.3, 7.3; census S1, S2):

- A stream only shows early what the complete records say: it makes partials, says when a request
  begins and what it used, and places nothing.
- The complete record of a block comes in front of the block's stop; it settles the block, and the
  stop that follows says nothing any more.
- Pieces carry no time: whether a run was recorded with them must not change a duration.
- The protocol streams one text and one thinking at a time. A piece of a block that doesn't have
  the lane is left to its complete; a piece of no open block is an orphan: counted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import PartialPayload, PartialText, PartialThinking, PartialToolCall
from refold.records import evolve
from refold.sources.anthropic_blocks import text_of
from refold.sources.claude_stream_json.lanes import glimpsed, key_of, lane_at, with_lane
from refold.sources.claude_stream_json.requests import at_message, message_key
from refold.sources.claude_stream_json.state import (
    NOTHING_STREAMED,
    Entry,
    Lane,
    State,
    Step,
    Streamed,
)
from refold.sources.claude_stream_json.tokens import usage_of
from refold.sources.claude_stream_json.usage import used
from refold.sources.drafts import Draft, draft
from refold.sources.fields import mapping, name, position
from refold.sources.tally import counted, unknown

__all__ = ["EVENTS", "settled_call", "settled_text", "settled_thinking", "stream_event"]

Reader: TypeAlias = Callable[[State, Lane, dict[str, Any]], Step]

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def stream_event(state: State, entry: Entry) -> Step:
    """Take a record of type ``stream_event``."""
    event = mapping(entry.value.get("event"))
    kind = name(event.get("type"))
    reader = EVENTS.get(kind or "")
    if reader is None:
        return evolve(state, counts=unknown(state.counts, "stream event", kind)), ()
    state = glimpsed(state, key_of(entry))
    return reader(state, lane_at(state, key_of(entry)), event)


def settled_text(lane: Lane) -> tuple[Lane, tuple[Draft, ...]]:
    """Stop a lane's open text, as its complete record has come."""
    if lane.streamed.text is None:
        return lane, ()
    stop = PartialText(role="assistant", event_type="stop", text="")
    return _open(lane, text=None), _pieces(lane, stop)


def settled_thinking(lane: Lane) -> tuple[Lane, tuple[Draft, ...]]:
    """Stop a lane's open thinking, as its complete record has come."""
    if lane.streamed.thinking is None:
        return lane, ()
    stop = PartialThinking(role="assistant", event_type="stop", thinking="")
    return _open(lane, thinking=None), _pieces(lane, stop)


def settled_call(lane: Lane, call_id: str) -> tuple[Lane, tuple[Draft, ...]]:
    """Stop a lane's open call, as its complete record has come."""
    if not lane.streamed.calls:
        return lane, ()
    for block, open_id in lane.streamed.calls.items():
        if open_id == call_id:
            lane = _open(lane, calls=lane.streamed.calls.without(block))
            return lane, _pieces(lane, _call("stop", call_id))
    return lane, ()


def _message_start(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    message = mapping(event.get("message"))
    if not lane.announced:
        return state, ()
    lane, key = message_key(lane, name(message.get("id")))
    state, drafts = at_message(state, evolve(lane, streamed=NOTHING_STREAMED), key)
    return _used(state, lane_at(state, lane.key), message.get("usage")), drafts


def _message_delta(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    return _used(state, lane, event.get("usage")), ()


def _used(state: State, lane: Lane, told: Any) -> State:
    usage = usage_of(told)
    if usage is None or lane.message is None:
        return state
    ledger = used(state.ledger, lane.key, lane.message, usage, recorded=False)
    return evolve(state, ledger=ledger)


def _block_start(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    block, at = mapping(event.get("content_block")), position(event.get("index"))
    kind = block.get("type")
    if kind == "text":
        text = PartialText(role="assistant", event_type="start", text=text_of(block.get("text")))
        return with_lane(state, _open(lane, text=at)), _pieces(lane, text)
    if kind == "thinking":
        words = text_of(block.get("thinking"))
        thinking = PartialThinking(role="assistant", event_type="start", thinking=words)
        return with_lane(state, _open(lane, thinking=at)), _pieces(lane, thinking)
    call_id = name(block.get("id"))
    if not isinstance(kind, str) or kind not in _CALLS or call_id is None:
        return state, ()
    if call_id in state.calls:
        return state, ()
    start = _call("start", call_id, call_name=text_of(block.get("name")))
    calls = lane.streamed.calls.put(at, call_id)
    return with_lane(state, _open(lane, calls=calls)), _pieces(lane, start)


def _block_delta(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    delta, at = mapping(event.get("delta")), position(event.get("index"))
    streamed = lane.streamed
    match delta.get("type"):
        case "text_delta" if streamed.text == at:
            words = text_of(delta.get("text"))
            text = PartialText(role="assistant", event_type="delta", text=words)
            return state, _pieces(lane, text)
        case "thinking_delta" if streamed.thinking == at:
            words = text_of(delta.get("thinking"))
            thinking = PartialThinking(role="assistant", event_type="delta", thinking=words)
            return state, _pieces(lane, thinking)
        case "input_json_delta" if at in streamed.calls:
            words = text_of(delta.get("partial_json"))
            return state, _pieces(lane, _call("delta", streamed.calls[at], words))
        case "text_delta" | "thinking_delta" | "input_json_delta":
            return evolve(state, counts=counted(state.counts, "orphan delta")), ()
        case _:
            return state, ()


def _block_stop(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    at = position(event.get("index"))
    drafts: tuple[Draft, ...] = ()
    if lane.streamed.text == at:
        lane, drafts = settled_text(lane)
    elif lane.streamed.thinking == at:
        lane, drafts = settled_thinking(lane)
    elif at in lane.streamed.calls:
        lane, drafts = settled_call(lane, lane.streamed.calls[at])
    return (with_lane(state, lane), drafts) if drafts else (state, ())


def _nothing(state: State, lane: Lane, event: dict[str, Any]) -> Step:
    return state, ()


def _call(
    event_type: str, call_id: str, arguments: str = "", call_name: str = ""
) -> PartialToolCall:
    return PartialToolCall(
        role="assistant",
        event_type=event_type,
        name=call_name,
        arguments=arguments,
        tool_call_id=call_id,
    )


def _pieces(lane: Lane, *payloads: PartialPayload) -> tuple[Draft, ...]:
    return tuple([draft(each, None, None, lane.origin) for each in payloads])


def _open(lane: Lane, **changes: Any) -> Lane:
    streamed: Streamed = evolve(lane.streamed, **changes)
    return evolve(lane, streamed=streamed)


EVENTS: dict[str, Reader] = {
    "message_start": _message_start,
    "content_block_start": _block_start,
    "content_block_delta": _block_delta,
    "content_block_stop": _block_stop,
    "message_delta": _message_delta,
    "message_stop": _nothing,
    "ping": _nothing,
    "error": _nothing,
}
