"""Anthropic's content blocks as they stream.

Rules of this file:

- A delta belongs to the block of its index. Gateways number wrongly: a delta for an index that
  nothing opened belongs to the block opened last, if that one fits and has got nothing yet
  (sources/census.md E2; recorded: blocks opened at 2, grown and stopped at 3). Else a text or a
  thinking opens by itself, and arguments without a call are counted.
- A call's arguments are its deltas, else the input its start gave, else ``{}``.
- A server tool's result is the output of its call. A compaction block is a compaction whose
  streamed summary is its text. Blocks of other kinds are notices or counted.
"""

from __future__ import annotations

import json
from typing import Any

from refold.json_values import JsonObject
from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    Notice,
    Payload,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolve
from refold.sources.anthropic_blocks import assistant_payload, json_text
from refold.sources.anthropic_sse.server_results import readable
from refold.sources.anthropic_sse.state import Event, State, Step, count
from refold.sources.anthropic_sse.usage import prompt_tokens
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import frozen_object, mapping, name, position, text
from refold.sources.fragments import (
    Fragment,
    FragmentKind,
    Fragments,
    completed,
    find,
    grown,
    opened,
    paused,
)
from refold.sources.tally import unknown
from refold.texts import GrownText, grow

__all__ = [
    "DELTAS",
    "block_delta",
    "block_start",
    "block_stop",
    "blocks_completed",
    "held_completed",
    "whole_block",
]

_GROWING: dict[str, FragmentKind] = {
    "text": "text",
    "thinking": "thinking",
    "tool_use": "tool_call",
    "server_tool_use": "tool_call",
    "mcp_tool_use": "tool_call",
    "compaction": "text",
}
_GROWTH: dict[str, tuple[FragmentKind, str]] = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "input_json_delta": ("tool_call", "partial_json"),
    "compaction_delta": ("text", "content"),
}
DELTAS = frozenset({*_GROWTH, "signature_delta", "citations_delta"})
_NOTICES = frozenset({"container_upload", "fallback"})
_MODE, _REASON = "summarize", "context"
_WELL = frozenset({"end_turn", "tool_use", "stop_sequence", "pause_turn", "compaction"})


def block_start(state: State, event: Event, at: str | None) -> Step:
    """Open a block, or show one that comes whole."""
    block, index = mapping(event.get("content_block")), position(event.get("index"))
    state, held = held_completed(state, at)
    state, cut = _completed(state, index, at, None, stopped=False)
    kind = _GROWING.get(text(block.get("type")))
    if kind is None:
        state, drafts = whole_block(evolve(state, last=index), block, at)
    else:
        state, drafts = _opened(state, block, kind, index, at)
    return state, (*held, *cut, *drafts)


def block_delta(state: State, event: Event, at: str | None) -> Step:
    """Append to a block."""
    delta, index = mapping(event.get("delta")), position(event.get("index"))
    kind = text(delta.get("type"))
    if kind == "signature_delta":
        return _signed(state, index, text(delta.get("signature"))), ()
    if kind == "citations_delta":
        return state, ()
    if kind not in _GROWTH:
        return evolve(state, tally=unknown(state.tally, "delta", kind)), ()
    wanted, field = _GROWTH[kind]
    state, drafts = _addressed(state, index, wanted, at)
    fragments, more = grown(state.fragments, index, text(delta.get(field)), at)
    return evolve(state, fragments=fragments), (*drafts, *more)


def block_stop(state: State, event: Event, at: str | None) -> Step:
    """Stop a block; it is completed when it is known why the message stops."""
    index = position(event.get("index"))
    if index == state.compacting:
        return _completed(state, index, at, None, stopped=True)
    state, held = held_completed(state, at)
    if find(state.fragments, index) is None:
        return (state if index == state.last else count(state, "stop without a block")), held
    fragments, drafts = paused(state.fragments, index, at)
    return evolve(state, fragments=fragments, held=index), (*held, *drafts)


def held_completed(state: State, at: str | None, stop_reason: str | None = None) -> Step:
    """Complete the block that stopped and waits, if there is one.

    Args:
        state: the state.
        at: when, as a timestamp.
        stop_reason: why the message stopped; None while it goes on.
    """
    if state.held is None:
        return state, ()
    index = state.held
    return _completed(evolve(state, held=None), index, at, stop_reason, stopped=True)


def blocks_completed(
    state: State, at: str | None, stop_reason: str | None, *, cut: bool = False
) -> Step:
    """Complete every open block of a message that ends.

    Args:
        state: the state.
        at: when, as a timestamp.
        stop_reason: why the message stopped, if it said so.
        cut: the message didn't end but was cut; its open blocks are ``aborted``.
    """
    state, drafts = held_completed(state, at, stop_reason)
    for each in state.fragments.open:
        reason = "aborted" if cut else stop_reason
        state, more = _completed(state, each.key, at, reason, stopped=False)
        drafts += more
    return state, drafts


def whole_block(
    state: State, block: dict[str, Any], at: str | None, stop_reason: str | None = None
) -> Step:
    """Show a block that comes whole.

    Args:
        state: the state.
        block: the block.
        at: when, as a timestamp.
        stop_reason: why the message stopped, for its last block.
    """
    kind = text(block.get("type"))
    if kind == "compaction":
        return _whole_compaction(state, block, at)
    if kind in _NOTICES:
        rest = frozen_object({each: block[each] for each in block if each != "type"})
        return state, (draft(Notice(name=kind, data=rest), at),)
    call_id = f"{'' if state.request is None else state.request.id}:{len(state.calls)}"
    payload: Payload | None = assistant_payload(
        block, call_id=call_id, stop_reason=_block_reason(kind, stop_reason)
    )
    if payload is None:
        return evolve(state, tally=unknown(state.tally, "block", kind)), ()
    if isinstance(payload, ToolCallOutput):
        said = readable(block.get("content"))
        payload = payload if said is None else evolve(payload, output=said)
    if isinstance(payload, ToolCall):
        state = evolve(state, calls=state.calls.put(payload.tool_call_id, True))
    return state, (draft(payload, at),)


# --- opening --------------------------------------------------------------------------------


def _opened(
    state: State, block: dict[str, Any], kind: FragmentKind, index: str, at: str | None
) -> Step:
    drafts: Drafts = ()
    if block.get("type") == "compaction":
        state, drafts = _compaction_begun(state, index, at)
    fragment = Fragment(
        key=index,
        kind=kind,
        body=_first_text(block, kind),
        name=text(block.get("name")),
        call_id=name(block.get("id")) or f"{_request_id(state)}:{index}",
        started_at=at,
    )
    fragments, more = opened(state.fragments, fragment)
    state = evolve(state, fragments=fragments, last=index)
    return _with_asides(state, block, fragment), (*drafts, *more)


def _first_text(block: dict[str, Any], kind: FragmentKind) -> str:
    field = "content" if block.get("type") == "compaction" else kind
    return text(block.get(field))


def _with_asides(state: State, block: dict[str, Any], fragment: Fragment) -> State:
    if fragment.kind == "thinking":
        return _signed(state, fragment.key, text(block.get("signature")))
    if fragment.kind != "tool_call":
        return state
    state = evolve(state, calls=state.calls.put(fragment.call_id, True))
    given = block.get("input")
    if not isinstance(given, dict) or not given:
        return state
    return evolve(state, inputs=state.inputs.put(fragment.key, json_text(given)))


def _addressed(state: State, index: str, kind: FragmentKind, at: str | None) -> Step:
    """Return the state with a fragment that a delta for an index can grow, if there may be one."""
    if find(state.fragments, index) is not None:
        return state, ()
    last = None if state.last is None else find(state.fragments, state.last)
    if last is not None and last.kind == kind and last.body == "" and not last.paused:
        return _renumbered(state, last, index), ()
    if kind == "tool_call":
        return count(state, "arguments without a call"), ()
    fragment = Fragment(key=index, kind=kind, started_at=at)
    fragments, drafts = opened(state.fragments, fragment)
    state = evolve(state, fragments=fragments, last=index)
    return count(state, "delta without a block"), drafts


def _renumbered(state: State, fragment: Fragment, index: str) -> State:
    before = fragment.key
    moved = evolve(fragment, key=index)
    fragments = tuple([moved if each is fragment else each for each in state.fragments.open])
    inputs, signatures = state.inputs, state.signatures
    if before in inputs:
        inputs = inputs.without(before).put(index, inputs[before])
    if before in signatures:
        signatures = signatures.without(before).put(index, signatures[before])
    return evolve(
        state,
        fragments=Fragments(open=fragments),
        last=index,
        inputs=inputs,
        signatures=signatures,
        compacting=index if state.compacting == before else state.compacting,
    )


def _signed(state: State, index: str, piece: str) -> State:
    if not piece:
        return state
    so_far: GrownText = state.signatures.get(index, "")
    return evolve(state, signatures=state.signatures.put(index, grow(so_far, piece)))


# --- completing -----------------------------------------------------------------------------


def _completed(
    state: State, index: str, at: str | None, stop_reason: str | None, *, stopped: bool
) -> Step:
    found = find(state.fragments, index)
    if found is None:
        return state, ()
    body = _body(state, found)
    fragments, drafts = completed(
        state.fragments,
        index,
        at,
        body=body,
        stop_reason=_reason(found, body, stop_reason, stopped=stopped),
        fidelity=_fidelity(state, index),
    )
    state = evolve(
        state,
        fragments=fragments,
        inputs=state.inputs.without(index),
        signatures=state.signatures.without(index),
    )
    if index != state.compacting:
        return state, drafts
    status = "completed" if body else "failed"
    return evolve(state, compacting=None), (*drafts, _compaction_ended(status, at))


def _body(state: State, fragment: Fragment) -> str:
    streamed = str(fragment.body)
    if fragment.kind != "tool_call" or streamed:
        return streamed
    return state.inputs.get(fragment.key) or "{}"


def _reason(fragment: Fragment, body: str, stop_reason: str | None, *, stopped: bool) -> str:
    if fragment.kind != "tool_call" or stop_reason == "aborted":
        return _text_reason(stop_reason)
    if stopped and (_text_reason(stop_reason) == "completed" or _is_json(body)):
        return "completed"
    return "malformed"


def _text_reason(stop_reason: str | None) -> str:
    return "completed" if stop_reason is None or stop_reason in _WELL else stop_reason


def _block_reason(kind: str, stop_reason: str | None) -> str:
    return "completed" if _GROWING.get(kind) == "tool_call" else _text_reason(stop_reason)


def _is_json(body: str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _fidelity(state: State, index: str) -> JsonObject | None:
    signature = state.signatures.get(index)
    return None if signature is None else JsonObject({"signature": str(signature)})


def _request_id(state: State) -> str:
    return "" if state.request is None else state.request.id


# --- compaction -----------------------------------------------------------------------------


def _compaction_begun(state: State, index: str, at: str | None) -> Step:
    tokens = 0 if state.request is None else prompt_tokens(dict(state.request.usage))
    begin = CompactionBegin(reason=_REASON, mode=_MODE, context=tokens, turns=0)
    return evolve(state, compacting=index), (draft(begin, at),)


def _compaction_ended(status: str, at: str | None) -> Any:
    return draft(CompactionEnd(reason=_REASON, mode=_MODE, status=status), at)


def _whole_compaction(state: State, block: dict[str, Any], at: str | None) -> Step:
    state, begun = _opened(state, block, "text", "compaction", at)
    state, ended = _completed(state, "compaction", at, None, stopped=True)
    return state, (*begun, *ended)
