"""Anthropic's content blocks as they stream.

Rules of this file:

- A delta belongs to the block of its index. Gateways number wrongly: a delta for an index that
  nothing opened belongs to the block opened last, if that one fits and has got nothing yet
  (sources/census.md E2; recorded: blocks opened at 2, grown and stopped at 3). Else a text or a
  thinking opens by itself, and arguments without a call are counted.
- A block that stopped is completed when it is known why the message stops (``endings``).
"""

from __future__ import annotations

from refold.records import evolve
from refold.sources.anthropic_sse.endings import block_completed, held_completed
from refold.sources.anthropic_sse.openings import block_opened, signed
from refold.sources.anthropic_sse.state import (
    GROWING,
    Event,
    State,
    Step,
    count,
    with_fragments,
)
from refold.sources.anthropic_sse.whole_blocks import whole_block
from refold.sources.fields import mapping, position, text
from refold.sources.fragments import (
    Fragment,
    FragmentKind,
    Fragments,
    find,
    grown,
    opened,
    paused,
)
from refold.sources.tally import unknown

__all__ = ["DELTAS", "block_delta", "block_start", "block_stop"]

_GROWTH: dict[str, tuple[FragmentKind, str]] = {
    "text_delta": ("text", "text"),
    "thinking_delta": ("thinking", "thinking"),
    "input_json_delta": ("tool_call", "partial_json"),
    "compaction_delta": ("text", "content"),
}
DELTAS = frozenset({*_GROWTH, "signature_delta", "citations_delta"})


def block_start(state: State, event: Event, at: str | None) -> Step:
    """Open a block, or show one that comes whole."""
    block, index = mapping(event.get("content_block")), position(event.get("index"))
    state, held = held_completed(state, at)
    state, cut = block_completed(state, index, at, None, stopped=False)
    kind = GROWING.get(text(block.get("type")))
    if kind is None:
        state, drafts = whole_block(evolve(state, last=index), block, at)
    else:
        state, drafts = block_opened(state, block, kind, index, at)
    return state, (*held, *cut, *drafts)


def block_delta(state: State, event: Event, at: str | None) -> Step:
    """Append to a block."""
    delta, index = mapping(event.get("delta")), position(event.get("index"))
    kind = text(delta.get("type"))
    if kind == "signature_delta":
        return signed(state, index, text(delta.get("signature"))), ()
    if kind == "citations_delta":
        return state, ()
    if kind not in _GROWTH:
        return evolve(state, tally=unknown(state.tally, "delta", kind)), ()
    wanted, field = _GROWTH[kind]
    state, drafts = _addressed(state, index, wanted, at)
    fragments, more = grown(state.fragments, index, text(delta.get(field)), at)
    return with_fragments(state, fragments), (*drafts, *more)


def block_stop(state: State, event: Event, at: str | None) -> Step:
    """Stop a block; it is completed when it is known why the message stops."""
    index = position(event.get("index"))
    if index == state.compacting:
        return block_completed(state, index, at, None, stopped=True)
    state, held = held_completed(state, at)
    if find(state.fragments, index) is None:
        return (state if index == state.last else count(state, "stop without a block")), held
    fragments, drafts = paused(state.fragments, index, at)
    return evolve(state, fragments=fragments, held=index), (*held, *drafts)


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
