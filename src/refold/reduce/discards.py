"""What an absorbed message takes with it.

Rules of this file (reducer.md rule 39):

- A message that the history holds already is not applied; what streamed for it is taken away.
- Of what still streams, only what begins like that message goes: anything else is another's.
- A stream may bring a compaction's text in pieces only: its end takes what waits for a complete, too.
- An approval is never lost, and a card that an output has placed keeps its output.
"""

from __future__ import annotations

from collections.abc import Callable

from refold.boundaries import starts_task
from refold.items import ToolCallItem
from refold.messages import (
    Abort,
    CompactionBegin,
    CompactionEnd,
    ImageUrl,
    Message,
    Payload,
    RequestEnd,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolver
from refold.reduce.calls import forget_call_start
from refold.reduce.cards import card_item, put_card, streaming_calls
from refold.reduce.compactions import drop_streamed_summary, take_call_back
from refold.reduce.fragments import (
    TEXT,
    THINKING,
    discard_fragment,
    discard_open,
    remember_thinking_start,
)
from refold.reduce.places import count
from refold.reduce.tasks import take_back
from refold.session import freeze_session, thaw_session
from refold.state import Draft

__all__ = ["discard_for", "note_duplicate", "take_back_at"]

_output_cleared = evolver(
    ToolCallItem,
    "_output",
    "images",
    "output_streaming",
    "output_stop_reason",
    "duration_ms",
)


def discard_for(draft: Draft, message: Message) -> None:
    """Take away what streamed for an absorbed message.

    Args:
        draft: the main session.
        message: a complete or an event that is not applied.
    """
    _change_at(draft, message.origin, lambda own: _discard_own(own, message.payload))


def note_duplicate(draft: Draft, message: Message) -> None:
    """Count a message that the session it belongs to holds already."""
    _change_at(draft, message.origin, lambda own: count(own, "duplicate"))


def take_back_at(draft: Draft, origin: tuple[str, ...]) -> None:
    """Take a provisional closing of the session at an origin back."""
    _change_at(draft, origin, take_back)


def _change_at(draft: Draft, origin: tuple[str, ...], change: Callable[[Draft], None]) -> None:
    """Change the session at an origin, if there is one."""
    if not origin:
        change(draft)
        return
    session = draft.subagents.get(origin[0])
    if session is not None:
        child = thaw_session(session)
        _change_at(child, origin[1:], change)
        draft.subagents = draft.subagents.put(origin[0], freeze_session(child))


def _discard_own(draft: Draft, payload: Payload) -> None:
    match payload:
        case Text(role="user") | ImageUrl():
            if starts_task(draft.boundary, payload):
                _discard_all_open(draft)
        case Text():
            discard_fragment(draft, TEXT, payload.text)
        case Thinking():
            remember_thinking_start(draft, None)
            discard_fragment(draft, THINKING, payload.thinking)
        case ToolCall():
            forget_call_start(draft, payload.tool_call_id)
            _discard_call(draft, payload)
        case ToolCallOutput():
            _discard_output(draft, payload)
        case Abort():
            _discard_all_open(draft)
        case CompactionEnd():
            _discard_all_open(draft, pending=True)
        case RequestEnd():
            if payload.status != "completed":
                _discard_all_open(draft)
        case CompactionBegin():
            _discard_all_open(draft)
            drop_streamed_summary(draft)
        case _:
            pass


def _discard_call(draft: Draft, payload: ToolCall) -> None:
    card = draft.calls.cards.get(payload.tool_call_id)
    if card is None:
        return
    item = card_item(draft, card)
    if item.call_complete:
        return
    if not item.call_streaming or payload.arguments.startswith(item.arguments_text):
        take_call_back(draft, payload.tool_call_id, card)


def _discard_output(draft: Draft, payload: ToolCallOutput) -> None:
    card = draft.calls.cards.get(payload.tool_call_id)
    if card is None:
        return
    item = card_item(draft, card)
    if item.output_complete:
        return
    if not item.output_streaming or payload.output.startswith(item.output):
        cleared = _output_cleared(item, "", None, False, None, None)
        put_card(draft, payload.tool_call_id, card, cleared)


def _discard_all_open(draft: Draft, *, pending: bool = False) -> None:
    discard_open(draft, TEXT, pending=pending)
    discard_open(draft, THINKING, pending=pending)
    for tool_call_id in streaming_calls(draft):
        take_call_back(draft, tool_call_id, draft.calls.cards[tool_call_id])
