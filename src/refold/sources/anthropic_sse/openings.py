"""How content blocks that grow begin.

Rules of this file:

- What the start gives beside the text is kept aside until the block ends: a thinking's signature, a
  call's input.
- A compaction block begins a compaction; its text is the summary.
"""

from __future__ import annotations

from typing import Any

from refold.messages import CompactionBegin
from refold.records import evolve
from refold.sources.anthropic_blocks import json_text
from refold.sources.anthropic_sse.state import MODE, REASON, State, Step
from refold.sources.anthropic_sse.usage import prompt_tokens
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import name, text
from refold.sources.fragments import Fragment, FragmentKind, opened
from refold.texts import GrownText, grow

__all__ = ["block_opened", "signed"]


def block_opened(
    state: State, block: dict[str, Any], kind: FragmentKind, index: str, at: str | None
) -> Step:
    """Open a block that grows.

    Args:
        state: the state.
        block: its start.
        kind: what it becomes.
        index: its index.
        at: when, as a timestamp.
    """
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
        return signed(state, fragment.key, text(block.get("signature")))
    if fragment.kind != "tool_call":
        return state
    state = evolve(state, calls=state.calls.put(fragment.call_id, True))
    given = block.get("input")
    if not isinstance(given, dict) or not given:
        return state
    return evolve(state, inputs=state.inputs.put(fragment.key, json_text(given)))


def signed(state: State, index: str, piece: str) -> State:
    """Return the state with a piece of a thinking's signature.

    Args:
        state: the state.
        index: the thinking's index.
        piece: the piece; an empty one changes nothing.
    """
    if not piece:
        return state
    so_far: GrownText = state.signatures.get(index, "")
    return evolve(state, signatures=state.signatures.put(index, grow(so_far, piece)))


def _compaction_begun(state: State, index: str, at: str | None) -> Step:
    tokens = 0 if state.request is None else prompt_tokens(dict(state.request.usage))
    begin = CompactionBegin(reason=REASON, mode=MODE, context=tokens, turns=0)
    return evolve(state, compacting=index), (draft(begin, at),)


def _request_id(state: State) -> str:
    return "" if state.request is None else state.request.id
