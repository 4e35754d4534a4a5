"""Calls in the chunks of Chat Completions.

Rules of this file:

- A call grows by its index, but another id at the same index is another call: some providers number
  them all 0. An id that is repeated in every piece is the same call; one that never comes is made.
"""

from __future__ import annotations

from typing import Any

from refold.records import evolve
from refold.sources.drafts import Drafts
from refold.sources.fields import listing, mapping, name, position, text
from refold.sources.fragments import Fragment, find, grown, opened, renamed
from refold.sources.openai_sse.items import quoted
from refold.sources.openai_sse.state import State, Step, with_fragments

__all__ = ["call_body", "called", "calls_of"]

_CUSTOM = '{"input": "'


def calls_of(delta: dict[str, Any]) -> list[Any]:
    """Return the pieces of calls in a delta, the older ``function_call`` among them."""
    legacy = delta.get("function_call")
    calls = listing(delta.get("tool_calls"))
    return [*calls, {"function": legacy}] if isinstance(legacy, dict) else calls


def called(state: State, choice: str, call: dict[str, Any], number: int, at: str | None) -> Step:
    """Append a piece to the call it belongs to, or open that.

    Args:
        state: the state.
        choice: the choice's index.
        call: the piece.
        number: where it stands in its delta, for pieces without an index.
        at: when it came, as a timestamp.
    """
    slot = f"{choice} call {position(call.get('index')) or number}"
    ident, key = name(call.get("id")), state.parts.get(slot)
    found = None if key is None else find(state.fragments, key)
    drafts: Drafts = ()
    if found is None or (ident is not None and ident != found.call_id):
        state, found, drafts = _call_opened(state, slot, ident, call, at)
    fragments = renamed(state.fragments, found.key, _call_name(call))
    fragments, more = grown(fragments, found.key, _call_piece(call), at)
    return with_fragments(state, fragments), (*drafts, *more)


def _call_opened(
    state: State, slot: str, ident: str | None, call: dict[str, Any], at: str | None
) -> tuple[State, Fragment, Drafts]:
    request_id = "" if state.request is None else state.request.id
    call_id = ident or f"{request_id}:{slot}"
    fragment = Fragment(
        key=f"{slot} {call_id}",
        kind="tool_call",
        body=_CUSTOM if "custom" in call else "",
        name=_call_name(call),
        call_id=call_id,
        started_at=at,
    )
    if find(state.fragments, fragment.key) is not None:
        return state, fragment, ()
    fragments, drafts = opened(state.fragments, fragment)
    parts = state.parts.put(slot, fragment.key)
    return evolve(state, fragments=fragments, parts=parts), fragment, drafts


def _call_name(call: dict[str, Any]) -> str:
    named = mapping(call.get("custom")) or mapping(call.get("function"))
    return text(named.get("name"))


def _call_piece(call: dict[str, Any]) -> str:
    if "custom" in call:
        return quoted(text(mapping(call.get("custom")).get("input")))
    return text(mapping(call.get("function")).get("arguments"))


def call_body(fragment: Fragment) -> str:
    """Return the whole arguments of a call, a free text's wrapping closed."""
    body = str(fragment.body)
    return f'{body}"}}' if body.startswith(_CUSTOM) else body
