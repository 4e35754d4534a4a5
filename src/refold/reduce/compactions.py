"""Compactions: what happens between a begin and its end makes no item.

Rules of this file (reducer.md rules 29 and 30):

- The running compaction is kept as it is underneath; an idle closes it in show only.
- Of what comes inside, assistant text becomes the summary, outputs settle their cards, pieces go on
  to fragments that were open before, and a complete of a fragment's kind removes it.
- A start that is ignored inside is remembered for the next complete of its kind and id (rule 36).
"""

from __future__ import annotations

from refold.items import CompactionItem, ToolCallItem
from refold.markers import is_blank
from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    Text,
    Thinking,
    ToolCall,
)
from refold.records import evolver
from refold.reduce.calls import (
    call_delta,
    call_stop,
    forget_call_start,
    keep_approval,
    remember_call_start,
    tool_duration_ms,
)
from refold.reduce.cards import card_item, put_card, remove_card
from refold.reduce.fragments import (
    TEXT,
    THINKING,
    grow_text,
    grow_thinking,
    remember_thinking_start,
    remove_fragment,
    stop_text,
    stop_thinking,
)
from refold.reduce.places import next_key, place_compaction, put_placed
from refold.state import Approval, Card, Compacting, Draft, Totals
from refold.texts import GrownText, grow
from refold.times import parse_ms

__all__ = [
    "begin",
    "call_delta_inside",
    "call_inside",
    "call_start_inside",
    "call_stop_inside",
    "close_in_show",
    "drop_streamed_summary",
    "end",
    "end_running",
    "show_again",
    "take_call_back",
    "text_delta_inside",
    "text_inside",
    "text_start_inside",
    "text_stop_inside",
    "thinking_delta_inside",
    "thinking_inside",
    "thinking_start_inside",
    "thinking_stop_inside",
]

_ended = evolver(
    CompactionItem, "running", "status", "error_message", "duration_ms", "_summary_text"
)
_summarised = evolver(CompactionItem, "_summary_text")
_stale = evolver(Totals, "context_stale")
_with_item = evolver(Compacting, "item")
_shown = evolver(Compacting, "closed_by_idle")
_streaming = evolver(Compacting, "streaming")
_said = evolver(Compacting, "streaming", "summarised")
_call_cleared = evolver(
    ToolCallItem,
    "name",
    "_arguments_text",
    "call_streaming",
    "call_stop_reason",
    "arg_started_at_ms",
    "call_started_at_ms",
)
_timed = evolver(ToolCallItem, "duration_ms")

_SEPARATOR = "\n\n"


# --- begin and end ----------------------------------------------------------------------------


def begin(draft: Draft, payload: CompactionBegin, at_ms: int | None) -> None:
    """Place a running compaction; one that runs already is closed as aborted (rule 29)."""
    end_running(draft, "aborted")
    item = CompactionItem(
        key=next_key(draft, "compaction"),
        reason=payload.reason,
        mode=payload.mode,
        running=True,
        begin_ts_ms=at_ms,
    )
    draft.compacting = Compacting(slot=place_compaction(draft, item), item=item)


def end(draft: Draft, payload: CompactionEnd, at_ms: int | None) -> None:
    """Close the running compaction, or place a closed one (rule 30)."""
    if draft.compacting is None:
        item = CompactionItem(
            key=next_key(draft, "compaction"),
            reason=payload.reason,
            mode=payload.mode,
            status=payload.status,
            error_message=payload.error_message,
        )
        place_compaction(draft, item)
    else:
        end_running(draft, payload.status, payload.error_message, at_ms)
    if payload.status == "completed":
        draft.totals = _stale(draft.totals, True)


def end_running(
    draft: Draft, status: str, error_message: str | None = None, at_ms: int | None = None
) -> None:
    """Close the running compaction, if one runs."""
    compacting = draft.compacting
    if compacting is not None:
        item = _closed(compacting.item, status, error_message, at_ms)
        put_placed(draft, compacting.slot, item)
        draft.compacting = None


def close_in_show(draft: Draft) -> None:
    """Show the running compaction closed until its end (rule 19)."""
    compacting = draft.compacting
    if compacting is not None:
        put_placed(draft, compacting.slot, _closed(compacting.item, "aborted", None, None))
        draft.compacting = _shown(compacting, True)


def show_again(draft: Draft) -> None:
    """Show a compaction that only an idle has closed as it is underneath."""
    compacting = draft.compacting
    if compacting is not None and compacting.closed_by_idle:
        put_placed(draft, compacting.slot, compacting.item)
        draft.compacting = _shown(compacting, False)


def _closed(
    item: CompactionItem, status: str, error_message: str | None, at_ms: int | None
) -> CompactionItem:
    begin_ms = item.begin_ts_ms
    lasted = None if begin_ms is None or at_ms is None else max(0, at_ms - begin_ms)
    summary = item._summary_text if status == "completed" else None
    return _ended(item, False, status, error_message, lasted, summary)


# --- the summary ------------------------------------------------------------------------------


def text_start_inside(draft: Draft, payload: PartialText, message: Message) -> None:
    """Let a streamed text begin to grow the summary."""
    assert draft.compacting is not None
    draft.compacting = _streaming(draft.compacting, True)
    _stream_summary(draft, payload.text)


def text_delta_inside(draft: Draft, payload: PartialText, message: Message) -> None:
    """Let a piece grow the fragment that was open before, or the summary."""
    if _goes_to_fragment(draft):
        grow_text(draft, payload, message)
    else:
        _stream_summary(draft, payload.text)


def text_stop_inside(draft: Draft, payload: PartialText, message: Message) -> None:
    """Let the last piece end the fragment that was open before, or the streamed summary."""
    if _goes_to_fragment(draft):
        stop_text(draft, payload, message)
    else:
        _stream_summary(draft, payload.text)
        assert draft.compacting is not None
        draft.compacting = _streaming(draft.compacting, False)


def text_inside(draft: Draft, payload: Text) -> None:
    """Let a complete text become, or join, the summary."""
    remove_fragment(draft, TEXT, payload.text)
    compacting = draft.compacting
    assert compacting is not None
    text = compacting.item._summary_text if compacting.summarised else None
    if not is_blank(payload.text):
        text = payload.text if text is None else grow(text, _SEPARATOR + payload.text)
    draft.compacting = _said(compacting, False, True)
    _put_summary(draft, text)


def drop_streamed_summary(draft: Draft) -> None:
    """Forget what streamed of a summary that no complete text has confirmed (rule 39)."""
    compacting = draft.compacting
    if compacting is not None and not compacting.summarised:
        draft.compacting = _streaming(compacting, False)
        _put_summary(draft, None)


def _stream_summary(draft: Draft, piece: str) -> None:
    compacting = draft.compacting
    assert compacting is not None
    if piece and not compacting.summarised:
        _put_summary(draft, grow(compacting.item._summary_text or "", piece))


def _put_summary(draft: Draft, text: GrownText | None) -> None:
    compacting = draft.compacting
    assert compacting is not None
    if text is compacting.item._summary_text:
        return
    item = _summarised(compacting.item, text)
    draft.compacting = _with_item(compacting, item)
    if not compacting.closed_by_idle:
        put_placed(draft, compacting.slot, item)


# --- what else comes inside -------------------------------------------------------------------


def thinking_start_inside(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Ignore a start, but remember it for the next complete thinking."""
    at_ms = parse_ms(message.timestamp)
    if at_ms is not None:
        remember_thinking_start(draft, at_ms)


def call_start_inside(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Ignore a start, but remember it for the next complete call of its id."""
    remember_call_start(draft, payload.tool_call_id, parse_ms(message.timestamp))


def call_delta_inside(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Let a piece grow a call that was open before; of the compaction's own nothing is kept."""
    if payload.tool_call_id in draft.calls.cards:
        call_delta(draft, payload, message)


def call_stop_inside(draft: Draft, payload: PartialToolCall, message: Message) -> None:
    """Let the last piece end a call that was open before."""
    if payload.tool_call_id in draft.calls.cards:
        call_stop(draft, payload, message)


def thinking_delta_inside(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Let a piece grow a thinking that was open before; of the compaction's own nothing is kept."""
    if draft.thinking is not None and draft.thinking.phase == "open":
        grow_thinking(draft, payload, message)


def thinking_stop_inside(draft: Draft, payload: PartialThinking, message: Message) -> None:
    """Let the last piece end a thinking that was open before."""
    if draft.thinking is not None and draft.thinking.phase == "open":
        stop_thinking(draft, payload, message)


def thinking_inside(draft: Draft, payload: Thinking) -> None:
    """Let a complete thinking remove the fragment that was open before."""
    remember_thinking_start(draft, None)
    remove_fragment(draft, THINKING, payload.thinking)


def call_inside(draft: Draft, payload: ToolCall) -> None:
    """Let a complete call remove the card that streamed it."""
    forget_call_start(draft, payload.tool_call_id)
    card = draft.calls.cards.get(payload.tool_call_id)
    if card is not None and not card_item(draft, card).call_complete:
        take_call_back(draft, payload.tool_call_id, card)


def take_call_back(draft: Draft, tool_call_id: str, card: Card) -> None:
    """Remove a card whose call is incomplete; of a placed one, only what streamed of the call."""
    item = card_item(draft, card)
    if card.where == "placed":
        item = _call_cleared(item, "", "", False, None, None, None)
        item = _timed(item, tool_duration_ms(item, card.output_end_ms))
        put_card(draft, tool_call_id, card, item)
        return
    remove_card(draft, tool_call_id, card)
    if item.decision is not None:
        source = item.decision_source or "remote"
        kept = Approval(decision=item.decision, source=source, at_ms=item.approval_at_ms)
        keep_approval(draft, tool_call_id, kept)


def _goes_to_fragment(draft: Draft) -> bool:
    assert draft.compacting is not None
    fragment = draft.text
    return fragment is not None and fragment.phase == "open" and not draft.compacting.streaming
