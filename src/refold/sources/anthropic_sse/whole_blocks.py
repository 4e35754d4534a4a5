"""Content blocks that come whole: what isn't streamed, and messages that didn't stream.

Rules of this file:

- A server tool's result is the output of its call, as a person would read it.
- A compaction block is a compaction with its summary. Blocks that are neither said nor called are
  notices; of an unknown kind, counted.
"""

from __future__ import annotations

from typing import Any

from refold.messages import Notice, Payload, ToolCall, ToolCallOutput
from refold.records import evolve
from refold.sources.anthropic_blocks import assistant_payload
from refold.sources.anthropic_sse.endings import block_completed, text_reason
from refold.sources.anthropic_sse.openings import block_opened
from refold.sources.anthropic_sse.server_results import readable
from refold.sources.anthropic_sse.state import GROWING, State, Step
from refold.sources.drafts import draft
from refold.sources.fields import frozen_object, text
from refold.sources.tally import unknown

__all__ = ["whole_block"]

_NOTICES = frozenset({"container_upload", "fallback"})


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


def _block_reason(kind: str, stop_reason: str | None) -> str:
    return "completed" if GROWING.get(kind) == "tool_call" else text_reason(stop_reason)


def _whole_compaction(state: State, block: dict[str, Any], at: str | None) -> Step:
    state, begun = block_opened(state, block, "text", "compaction", at)
    state, ended = block_completed(state, "compaction", at, None, stopped=True)
    return state, (*begun, *ended)
