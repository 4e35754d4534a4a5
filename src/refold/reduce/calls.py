"""Calls of tools, decisions about them, and what comes out.

Rules of this file (reducer.md rules 8-12, 25, 27, 36, 37):

- A call's pieces float until its complete places the card; an output places it too.
- A card whose call is complete ignores pieces of it; one whose output is complete ignores pieces
  of that. Both are counted as late.
- A duration is settled from complete messages in the end: call minus arguments' start, plus end
  minus approval (or call).
"""

from __future__ import annotations

from typing import Any, Literal

from refold.items import ToolCallItem
from refold.maps import EMPTY_MAP, Map
from refold.messages import (
    ApprovalDecision,
    Message,
    PartialToolCall,
    PartialToolCallOutput,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolver, positional
from refold.reduce.arrival import started_at_ms
from refold.reduce.cards import (
    card_item,
    close_card,
    float_card,
    keep_card,
    log_streaming,
    make_card,
    new_key,
    note_ended,
    place_card,
    place_running,
    put_card,
)
from refold.reduce.places import count
from refold.state import Approval, Calls, Card, Draft, Requests
from refold.texts import Rope, grow
from refold.times import parse_ms

__all__ = [
    "approval_decision",
    "call_delta",
    "call_start",
    "call_start_ms",
    "call_stop",
    "forget_call_start",
    "keep_approval",
    "output_delta",
    "output_start",
    "output_stop",
    "remember_call_start",
    "tool_call",
    "tool_call_output",
    "tool_duration_ms",
]

_NO_ITEM = ToolCallItem(key="", tool_call_id="")

_new = positional(ToolCallItem, "key", "tool_call_id")
_begun = positional(
    ToolCallItem,
    "key",
    "tool_call_id",
    "name",
    "_arguments_text",
    "call_streaming",
    "arg_started_at_ms",
)
_started = evolver(ToolCallItem, "name", "_arguments_text", "call_streaming", "arg_started_at_ms")
_call_grown = evolver(ToolCallItem, "name", "_arguments_text")
_call_stopped = evolver(
    ToolCallItem,
    "name",
    "_arguments_text",
    "call_streaming",
    "call_stop_reason",
    "call_started_at_ms",
)
_called = evolver(
    ToolCallItem,
    "name",
    "_arguments_text",
    "call_streaming",
    "call_complete",
    "call_stop_reason",
    "arg_started_at_ms",
    "call_started_at_ms",
)
_output_grown = evolver(ToolCallItem, "_output", "images")
_output_flagged = evolver(ToolCallItem, "output_streaming", "output_stop_reason")
_output_settled = evolver(
    ToolCallItem,
    "_output",
    "images",
    "output_streaming",
    "output_complete",
    "output_stop_reason",
    "duration_ms",
)
_decided = evolver(ToolCallItem, "decision", "decision_source", "approval_at_ms")
_timed = evolver(ToolCallItem, "duration_ms")
_ended = evolver(Card, "output_end_ms")
_request_waited = evolver(Requests, "waited_ms")
_with_approvals = evolver(Calls, "approvals")
_with_starts = evolver(Calls, "starts")
_with_output_since = evolver(Requests, "output_since")


# --- pieces of a call -------------------------------------------------------------------------


def call_start(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Let a card float, or begin its arguments anew (rule 8)."""
    tool_call_id = payload.tool_call_id
    start_ms = parse_ms(message.timestamp)
    card = draft.calls.cards.get(tool_call_id)
    if card is None:
        key, occurrence = new_key(draft, tool_call_id, None)
        item = _begun(key, tool_call_id, payload.name, payload.arguments, True, start_ms)
        float_card(draft, tool_call_id, occurrence, _with_kept(draft, tool_call_id, item))
        return
    item = card_item(draft, card)
    if item.call_complete:
        count(draft, "late")
        remember_call_start(draft, tool_call_id, start_ms)
        return
    if item.arg_started_at_ms is not None:
        start_ms = item.arg_started_at_ms
    item = _started(item, payload.name or item.name, payload.arguments, True, start_ms)
    put_card(draft, tool_call_id, card, item)
    log_streaming(draft, tool_call_id)


def call_delta(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Add a piece to a call's arguments (rule 8)."""
    tool_call_id = payload.tool_call_id
    card = draft.calls.cards.get(tool_call_id)
    if card is not None and card.where == "floating":
        # Nearly every piece finds its card so; the way below would come to the same.
        floating, slot = draft.floating, card.slot
        streaming: Any = floating.at(slot)
        if streaming.call_streaming:
            draft.floating = floating.put(slot, _grown(streaming, payload))
            return
    card, item = _card_to_grow(draft, tool_call_id)
    if card is not None:
        put_card(draft, tool_call_id, card, _grown(item, payload))


def _grown(item: ToolCallItem, payload: PartialToolCall) -> ToolCallItem:
    text, piece = item._arguments_text, payload.arguments
    text = text.append(piece) if type(text) is Rope else grow(text, piece)
    return _call_grown(item, item.name or payload.name, text)


def call_stop(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Add the last piece to a call's arguments (rule 8)."""
    card, item = _card_to_grow(draft, payload.tool_call_id)
    if card is not None:
        text = grow(item._arguments_text, payload.arguments)
        reason = item.call_stop_reason if payload.stop_reason is None else payload.stop_reason
        stopped_ms = parse_ms(message.timestamp)
        item = _call_stopped(item, item.name or payload.name, text, False, reason, stopped_ms)
        put_card(draft, payload.tool_call_id, card, item)


def _card_to_grow(draft: Draft, tool_call_id: str) -> tuple[Card | None, ToolCallItem]:
    """Return the card a piece of a call belongs to; none for a piece that is counted instead."""
    card = draft.calls.cards.get(tool_call_id)
    if card is None:
        count(draft, "orphan")
        return None, _NO_ITEM
    item = card_item(draft, card)
    if item.call_complete:
        count(draft, "late")
        return None, item
    if not item.call_streaming and (card.where == "standing" or draft.aside.compacting is not None):
        count(draft, "orphan")
        return None, item
    return card, item


# --- the call ---------------------------------------------------------------------------------


def tool_call(draft: Draft, payload: ToolCall, at_ms: int | None, message: Message) -> None:
    """Settle the card of a complete call and place it, or make one (rules 9 and 10)."""
    tool_call_id = payload.tool_call_id
    card, item = _card_to_settle(draft, tool_call_id)
    start_ms = _start_ms(draft, tool_call_id, item, message)
    reason = payload.stop_reason
    item = _called(item, payload.name, payload.arguments, False, True, reason, start_ms, at_ms)
    if item.approval_at_ms is not None:
        _count_wait(draft, item)
    if not item.output_complete:
        if reason is None or reason == "completed":
            place_running(draft, tool_call_id, card, item)
            return
        item = close_card(item, reason)
    elif card.output_end_ms is not None:
        item = _timed(item, tool_duration_ms(item, card.output_end_ms))
    place_card(draft, tool_call_id, card, item)


def _start_ms(draft: Draft, tool_call_id: str, item: ToolCallItem, message: Message) -> int | None:
    """Return when the arguments of a complete call began, using up what was remembered (36)."""
    start_ms = _streamed_start_ms(draft, tool_call_id, item)
    forget_call_start(draft, tool_call_id)
    if start_ms is None:
        start_ms = started_at_ms(message)
    return draft.previous_ms if start_ms is None else start_ms


def _card_to_settle(draft: Draft, tool_call_id: str) -> tuple[Card, ToolCallItem]:
    """Return the card a complete call settles: the one that waits, or another for its id."""
    before = draft.calls.cards.get(tool_call_id)
    if before is not None:
        item = card_item(draft, before)
        if not item.call_complete:
            return before, item
        if not item.output_complete:
            closed = close_card(item, item.output_stop_reason or "aborted")
            put_card(draft, tool_call_id, before, closed)
    item, occurrence = _new_item(draft, tool_call_id, before)
    return make_card("new", -1, occurrence, None, None), item


def call_start_ms(draft: Draft, tool_call_id: str) -> int | None:
    """Return the start that a complete call would take from what streamed (rule 36)."""
    card = draft.calls.cards.get(tool_call_id)
    return _streamed_start_ms(draft, tool_call_id, card_item(draft, card) if card else _NO_ITEM)


def _streamed_start_ms(draft: Draft, tool_call_id: str, item: ToolCallItem) -> int | None:
    if not item.call_complete and item.arg_started_at_ms is not None:
        return item.arg_started_at_ms
    starts = draft.calls.starts
    return starts.get(tool_call_id) if starts is not EMPTY_MAP else None


def remember_call_start(draft: Draft, tool_call_id: str, at_ms: int | None) -> None:
    """Keep the first known time of a start that was ignored, for the next complete call."""
    starts = draft.calls.starts
    if at_ms is not None and tool_call_id not in starts:
        draft.calls = _with_starts(draft.calls, starts.put(tool_call_id, at_ms))


def forget_call_start(draft: Draft, tool_call_id: str) -> None:
    """Use up the remembered start of a call."""
    starts = draft.calls.starts
    if starts is not EMPTY_MAP and tool_call_id in starts:
        draft.calls = _with_starts(draft.calls, starts.without(tool_call_id))


def _new_item(draft: Draft, tool_call_id: str, before: Card | None) -> tuple[ToolCallItem, int]:
    """Return an empty item for another card of an id, with the decision kept for it (rule 27)."""
    key, occurrence = new_key(draft, tool_call_id, before)
    return _with_kept(draft, tool_call_id, _new(key, tool_call_id)), occurrence


def _with_kept(draft: Draft, tool_call_id: str, item: ToolCallItem) -> ToolCallItem:
    """Return the item of a new card with the decision kept for it, which is used up (rule 27)."""
    approvals = draft.calls.approvals
    kept = approvals.get(tool_call_id) if approvals is not EMPTY_MAP else None
    if kept is None:
        return item
    draft.calls = _with_approvals(draft.calls, approvals.without(tool_call_id))
    return _decided(item, kept.decision, kept.source, kept.at_ms)


# --- the output -------------------------------------------------------------------------------


def output_start(draft: Draft, payload: PartialToolCallOutput, message: Message) -> None:
    """Open the stream of a card's output (rule 11)."""
    card, item = _card_to_fill(draft, payload.tool_call_id)
    if card is not None:
        item = _output_flagged(_filled(item, payload), True, item.output_stop_reason)
        put_card(draft, payload.tool_call_id, card, item)


def output_delta(draft: Draft, payload: PartialToolCallOutput, message: Message) -> None:
    """Add a piece to a card's output while it streams (rule 11)."""
    card, item = _card_to_fill(draft, payload.tool_call_id)
    if card is None:
        return
    if item.output_streaming:
        put_card(draft, payload.tool_call_id, card, _filled(item, payload))
    else:
        count(draft, "orphan")


def output_stop(draft: Draft, payload: PartialToolCallOutput, message: Message) -> None:
    """Add the last piece to a card's output and settle its duration (rule 11)."""
    card, item = _card_to_fill(draft, payload.tool_call_id)
    if card is None:
        return
    if not item.output_streaming:
        count(draft, "orphan")
        return
    reason = item.output_stop_reason if payload.stop_reason is None else payload.stop_reason
    item = _output_flagged(_filled(item, payload), False, reason)
    item = _timed(item, tool_duration_ms(item, parse_ms(message.timestamp)))
    put_card(draft, payload.tool_call_id, card, item)


def _card_to_fill(draft: Draft, tool_call_id: str) -> tuple[Card | None, ToolCallItem]:
    """Return the card a piece of output belongs to; none for a piece that is counted instead."""
    card = draft.calls.cards.get(tool_call_id)
    if card is None:
        count(draft, "orphan")
        return None, _NO_ITEM
    item = card_item(draft, card)
    if item.output_complete:
        count(draft, "late")
        return None, item
    return card, item


def _filled(item: ToolCallItem, payload: PartialToolCallOutput) -> ToolCallItem:
    images = item.images if payload.images is None else payload.images or None
    return _output_grown(item, grow(item._output, payload.output), images)


def tool_call_output(draft: Draft, payload: ToolCallOutput, at_ms: int | None) -> None:
    """Settle a card's output, or make a nameless card for it (rule 12)."""
    tool_call_id = payload.tool_call_id
    if not draft.requests.output_since:
        draft.requests = _with_output_since(draft.requests, True)
    card = draft.calls.cards.get(tool_call_id)
    if draft.aside.compacting is not None and (card is None or card.where != "placed"):
        count(draft, "orphan")
        return
    if card is None:
        count(draft, "orphan")
        if tool_call_id in draft.calls.earlier:
            return
        item, occurrence = _new_item(draft, tool_call_id, None)
        card = make_card("new", -1, occurrence, None, None)
    else:
        item = card_item(draft, card)
    images = payload.images or item.images
    lasted_ms = tool_duration_ms(item, at_ms)
    reason = payload.stop_reason
    item = _output_settled(item, payload.output, images, False, True, reason, lasted_ms)
    card = place_card(draft, tool_call_id, card, item)
    if item.call_complete:
        note_ended(draft, tool_call_id)
    else:
        keep_card(draft, tool_call_id, _ended(card, at_ms))


def tool_duration_ms(item: ToolCallItem, end_ms: int | None) -> int | None:
    """Return how long a tool took, in ms, its arguments included (rule 37)."""
    call_ms, start_ms = item.call_started_at_ms, item.arg_started_at_ms
    ran_from_ms = call_ms if item.approval_at_ms is None else item.approval_at_ms
    if end_ms is None or ran_from_ms is None:
        return None
    arguments_ms = 0 if call_ms is None or start_ms is None else max(0, call_ms - start_ms)
    return arguments_ms + max(0, end_ms - ran_from_ms)


# --- decisions --------------------------------------------------------------------------------


def approval_decision(
    draft: Draft,
    payload: ApprovalDecision,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    """Put a decision on its card, or keep it until the card appears (rule 27)."""
    tool_call_id = payload.tool_call_id
    source: Literal["manual", "remote"] = (
        "manual" if decided is not EMPTY_MAP and tool_call_id in decided else "remote"
    )
    card = draft.calls.cards.get(tool_call_id)
    if card is None and tool_call_id in draft.calls.earlier:
        count(draft, "orphan")
        return
    if card is None:
        kept = draft.calls.approvals.get(tool_call_id)
        first_ms = at_ms if kept is None or kept.at_ms is None else kept.at_ms
        approval = Approval(decision=payload.decision, source=source, at_ms=first_ms)
        keep_approval(draft, tool_call_id, approval)
        return
    item = card_item(draft, card)
    first = item.approval_at_ms is None
    item = _decided(item, payload.decision, source, at_ms if first else item.approval_at_ms)
    put_card(draft, tool_call_id, card, item)
    if first and item.call_complete:
        _count_wait(draft, item)


def keep_approval(draft: Draft, tool_call_id: str, approval: Approval) -> None:
    """Keep a decision for a card that is still to come."""
    draft.calls = _with_approvals(draft.calls, draft.calls.approvals.put(tool_call_id, approval))


def _count_wait(draft: Draft, item: ToolCallItem) -> None:
    """Count the wait for an approval into the request open now (rule 25).

    It is known, and so counted, just once: when the later of call and approval has come.
    """
    call_ms, approval_ms = item.call_started_at_ms, item.approval_at_ms
    requests = draft.requests
    if requests.open and call_ms is not None and approval_ms is not None and approval_ms > call_ms:
        draft.requests = _request_waited(requests, requests.waited_ms + approval_ms - call_ms)
