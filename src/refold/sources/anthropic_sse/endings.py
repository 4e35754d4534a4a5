"""How content blocks end.

Rules of this file:

- A block that stopped waits for what tells why the message stopped; the message's stop reason is
  its last text's.
- A call's arguments are its deltas, else the input its start gave, else ``{}``. One that nothing
  stopped, or that the end of the message cut, is ``malformed``: it must not run.
- A block that was open when its message was cut is ``aborted``, and keeps what streamed.
"""

from __future__ import annotations

import json

from refold.json_values import JsonObject
from refold.messages import CompactionEnd
from refold.records import evolve
from refold.sources.anthropic_sse.state import MODE, REASON, State, Step
from refold.sources.drafts import Draft, draft
from refold.sources.fragments import Fragment, completed, find

__all__ = ["block_completed", "blocks_completed", "held_completed", "text_reason"]

_WELL = frozenset({"end_turn", "tool_use", "stop_sequence", "pause_turn", "compaction"})


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
    return block_completed(evolve(state, held=None), index, at, stop_reason, stopped=True)


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
        state, more = block_completed(state, each.key, at, reason, stopped=False)
        drafts += more
    return state, drafts


def block_completed(
    state: State, index: str, at: str | None, stop_reason: str | None, *, stopped: bool
) -> Step:
    """Complete a block.

    Args:
        state: the state.
        index: the block's; if none that grows has it, nothing happens.
        at: when, as a timestamp.
        stop_reason: why the message stopped, if this is its last block.
        stopped: the block itself had stopped.
    """
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
        return text_reason(stop_reason)
    if stopped and (text_reason(stop_reason) == "completed" or _is_json(body)):
        return "completed"
    return "malformed"


def text_reason(stop_reason: str | None) -> str:
    """Return how a text ended: the API's word where it isn't simply ``completed``."""
    return "completed" if stop_reason is None or stop_reason in _WELL else stop_reason


def _is_json(body: str) -> bool:
    try:
        json.loads(body)
    except (ValueError, RecursionError):
        return False
    return True


def _fidelity(state: State, index: str) -> JsonObject | None:
    signature = state.signatures.get(index)
    return None if signature is None else JsonObject({"signature": str(signature)})


def _compaction_ended(status: str, at: str | None) -> Draft:
    return draft(CompactionEnd(reason=REASON, mode=MODE, status=status), at)
