"""Complete records of the model's messages, and what the client wrote in the model's place.

Rules of this file (sources/stream-json-and-acp.md 1.3, 7.3; census C14, C20, S7):

- A message comes in one record or in several, mostly one block each; its blocks are shown in order.
- A record that repeats all blocks shown before and adds to them adds only the rest. A call is shown
  once, whatever repeats it.
- A complete settles the fragment that streamed it. A blank one is passed on: it takes the fragment
  back, and shows nothing where there is none.
- What the client wrote itself is no model output: an error ends the request and is a notice, a
  stand-in that says nothing is dropped, the rest is a notice.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from refold.json_values import JsonObject
from refold.markers import is_blank
from refold.messages import (
    Notice,
    Payload,
    RequestEnd,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
    UnknownPayload,
)
from refold.records import evolve, evolver
from refold.sources.anthropic_blocks import assistant_payload, blocks_of, text_of
from refold.sources.claude_code.assistant_records import failure_status
from refold.sources.claude_stream_json.calls import answered, called
from refold.sources.claude_stream_json.compactions import broken_off
from refold.sources.claude_stream_json.knowledge import learn
from refold.sources.claude_stream_json.lanes import (
    entered,
    key_of,
    lane_at,
    said,
    with_lane,
    with_model,
)
from refold.sources.claude_stream_json.requests import (
    at_message,
    begun,
    ended,
    message_key,
)
from refold.sources.claude_stream_json.state import MAIN, Entry, Lane, State, Step
from refold.sources.claude_stream_json.streams import (
    settled_call,
    settled_text,
    settled_thinking,
)
from refold.sources.claude_stream_json.tokens import NO_USAGE, usage_of
from refold.sources.claude_stream_json.usage import used
from refold.sources.drafts import Draft
from refold.sources.fields import frozen, mapping, name
from refold.sources.tally import counted

__all__ = ["assistant"]

_SYNTHETIC = "<synthetic>"
_STAND_IN = "No response requested."
_CUT_SHORT = frozenset({"max_tokens", "refusal", "model_context_window_exceeded"})

_speaking = evolver(Lane, "active", "answered", "output_at")
_with_blocks = evolver(Lane, "blocks")
_with_ledger = evolver(State, "ledger")
_with_run = evolver(State, "run")


def assistant(state: State, entry: Entry) -> Step:
    """Take a record of type ``assistant``."""
    message = mapping(entry.value.get("message"))
    state, drafts = entered(state, entry)
    if message.get("model") == _SYNTHETIC or entry.value.get("isApiErrorMessage") is True:
        state, more = _synthetic(state, entry, message)
    else:
        state, more = _message(state, entry, message)
    return state, (*drafts, *more)


def _message(state: State, entry: Entry, message: dict[str, Any]) -> Step:
    key = key_of(entry)
    state, drafts = broken_off(state, entry) if key == MAIN else (state, ())
    lane, message_name = message_key(lane_at(state, key), name(message.get("id")))
    state, left = at_message(state, lane, message_name)
    lane = lane_at(state, key)
    lane = _speaking(lane, True, False, entry.at or lane.output_at)
    state = _counted(with_lane(state, lane), lane, message)
    state, model = _model(state, entry, key, name(message.get("model")))
    state, shown = _blocks(state, entry, key, message)
    return state, (*drafts, *left, *model, *shown)


def _counted(state: State, lane: Lane, message: dict[str, Any]) -> State:
    assert lane.message is not None
    usage = usage_of(message.get("usage")) or NO_USAGE
    whole = name(message.get("stop_reason")) is not None
    ledger = used(state.ledger, lane.key, lane.message, usage, recorded=True, whole=whole)
    return state if ledger is state.ledger else _with_ledger(state, ledger)


def _model(state: State, entry: Entry, key: str, model: str | None) -> Step:
    if key != MAIN:
        return with_model(state, entry, key, model)
    return (state, ()) if model is None else learn(state, entry, "model", model)


def _blocks(state: State, entry: Entry, key: str, message: dict[str, Any]) -> Step:
    drafts: list[Draft] = []
    cut = name(message.get("stop_reason")) in _CUT_SHORT
    for block in _new_blocks(lane_at(state, key), blocks_of(message.get("content"))):
        lane = lane_at(state, key)
        call_id = f"{lane.message}.{lane.blocks.slots}"
        payload = assistant_payload(
            block, call_id=call_id, stop_reason="failed" if cut else "completed"
        )
        state = with_lane(state, _with_blocks(lane, lane.blocks.append(block)))
        state, more = _shown(state, entry, key, _other(block) if payload is None else payload)
        drafts.extend(more)
    return state, tuple(drafts)


def _new_blocks(lane: Lane, blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the blocks of a record that weren't shown, if it repeats what was."""
    shown = lane.blocks.slots
    if not shown or len(blocks) < max(2, shown):
        return blocks
    repeats = all(
        one == other for one, other in zip(lane.blocks, islice(blocks, shown), strict=True)
    )
    return blocks[shown:] if repeats else blocks


def _shown(state: State, entry: Entry, key: str, payload: Payload) -> Step:
    lane = lane_at(state, key)
    stops: tuple[Draft, ...] = ()
    match payload:
        case Text():
            lane, stops = settled_text(lane)
            if key == MAIN and not state.run.spoke and not is_blank(payload.text):
                state = _with_run(state, evolve(state.run, spoke=True))
        case Thinking():
            lane, stops = settled_thinking(lane)
        case ToolCall():
            if payload.tool_call_id in state.calls:
                return evolve(state, counts=counted(state.counts, "repeated call")), ()
            lane, stops = settled_call(lane, payload.tool_call_id)
            state = called(state, key, payload)
        case ToolCallOutput():
            state = answered(state, payload.tool_call_id)
    state = with_lane(state, lane) if stops else state
    return state, (*stops, *said(entry, lane, payload))


def _other(block: dict[str, Any]) -> Payload:
    body = frozen(block)
    if block.get("type") == "fallback":
        return Notice(name="model_fallback", data=body)
    return UnknownPayload(
        category="model_msg", body=JsonObject({"type": "content_block", "block": body})
    )


def _synthetic(state: State, entry: Entry, message: dict[str, Any]) -> Step:
    text = "\n".join([text_of(each.get("text")) for each in blocks_of(message.get("content"))])
    error = entry.value.get("error")
    failed = entry.value.get("isApiErrorMessage") is True or bool(error)
    if is_blank(text) or (text.strip() == _STAND_IN and not failed):
        return evolve(state, counts=counted(state.counts, "synthetic reply")), ()
    lane = lane_at(state, key_of(entry))
    if not failed:
        return state, said(entry, lane, Notice(name="synthetic_reply", text=text))
    state, begin = begun(state, lane.key)
    end = RequestEnd(status=failure_status(error, text), error_message=text)
    state, over = ended(state, lane.key, end)
    return state, (*begin, *over, *said(entry, lane, Notice(name="api_error", text=text)))
