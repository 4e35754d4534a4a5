"""Telling an item from its beginning, and ending it.

Rules of this file:

- A text and a thinking that float are begun and stay open, since their completes may say more; a
  call stays open until it is complete or given up.
- What AG-UI has no word for is an activity, told as a whole.
"""

from __future__ import annotations

from refold.bridges.ag_ui.lane import Events, Lane, Told, numbered
from refold.bridges.ag_ui.words import (
    Event,
    Place,
    activity_type,
    call_has_ended,
    call_id,
    event,
    has_call,
    is_told,
    message_id,
    result_content,
    result_id,
    result_metadata,
)
from refold.items import (
    AssistantTextItem,
    Item,
    ThinkingItem,
    ToolCallItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.views import item_json

__all__ = ["activity", "arguments", "called_late", "ended", "result", "told"]


def told(lane: Lane, item: Item, *, floats: bool) -> tuple[Lane, Events]:
    """Tell an item from its beginning.

    Args:
        lane: what was told before; not this item.
        item: the item.
        floats: it still streams.
    """
    if not is_told(item):
        return lane, ()
    events, is_open = _begun(lane.place, item, floats=floats)
    lane = numbered(lane, item, is_open=is_open, floats=floats)
    return lane, events


def ended(place: Place, item: Item) -> Events:
    """End an item that was begun.

    Args:
        place: the session it is of.
        item: the version told last.
    """
    if isinstance(item, AssistantTextItem):
        return (event("TEXT_MESSAGE_END", place, item.at_ms, messageId=message_id(place, item)),)
    if isinstance(item, ThinkingItem):
        return _thinking_ended(place, item)
    if isinstance(item, ToolCallItem):
        at_ms = item.call_started_at_ms
        return (event("TOOL_CALL_END", place, at_ms, toolCallId=call_id(place, item)),)
    return ()


def _begun(place: Place, item: Item, *, floats: bool) -> tuple[Events, bool]:
    """Return what tells an item from its beginning, and whether it may be told more of."""
    if isinstance(item, UserTextItem | UserSteeringItem):
        return _said(place, item, "user", item.text), False
    if isinstance(item, AssistantTextItem):
        return _said(place, item, "assistant", item.text, ends=not floats), floats
    if isinstance(item, ThinkingItem):
        return _thought(place, item, ends=not floats), floats
    if isinstance(item, ToolCallItem):
        return _called(place, item, floats=floats)
    return (activity(place, item),), False


def _said(
    place: Place,
    item: UserTextItem | UserSteeringItem | AssistantTextItem,
    role: str,
    text: str,
    *,
    ends: bool = True,
) -> Events:
    ident = message_id(place, item)
    events = [
        event("TEXT_MESSAGE_START", place, messageId=ident, role=role),
        event("TEXT_MESSAGE_CONTENT", place, messageId=ident, delta=text),
        event("TEXT_MESSAGE_END", place, item.at_ms, messageId=ident),
    ]
    return tuple(events if ends else events[:2])


def _thought(place: Place, item: ThinkingItem, *, ends: bool) -> Events:
    ident, at_ms = message_id(place, item), item.started_at_ms
    begun = (
        event("REASONING_START", place, at_ms, messageId=ident),
        event("REASONING_MESSAGE_START", place, at_ms, messageId=ident, role="reasoning"),
        event("REASONING_MESSAGE_CONTENT", place, messageId=ident, delta=item.thinking),
    )
    return (*begun, *_thinking_ended(place, item)) if ends else begun


def _thinking_ended(place: Place, item: ThinkingItem) -> Events:
    ident, started, took = message_id(place, item), item.started_at_ms, item.duration_ms
    at_ms = None if started is None or took is None else started + took
    return (
        event("REASONING_MESSAGE_END", place, at_ms, messageId=ident),
        event("REASONING_END", place, at_ms, messageId=ident),
    )


def called_late(lane: Lane, item: ToolCallItem, *, floats: bool) -> Told:
    """Begin the call of a card whose output was told without one, or None if it is complete.

    Args:
        lane: what was told before.
        item: the card.
        floats: it still streams.
    """
    events, is_open = _call(lane.place, item, floats=floats)
    if not is_open:
        return None
    return numbered(lane, item, is_open=True, floats=floats), events


def _called(place: Place, item: ToolCallItem, *, floats: bool) -> tuple[Events, bool]:
    call, is_open = _call(place, item, floats=floats) if has_call(item) else ((), False)
    return (*call, *((result(place, item),) if item.output_complete else ())), is_open


def _call(place: Place, item: ToolCallItem, *, floats: bool) -> tuple[Events, bool]:
    start = event(
        "TOOL_CALL_START",
        place,
        item.arg_started_at_ms,
        toolCallId=call_id(place, item),
        toolCallName=item.name,
        parentMessageId=message_id(place, item),
    )
    said = item.arguments_text
    pieces = (arguments(place, item, said),) if said else ()
    has_ended = call_has_ended(item, floats=floats)
    ends = ended(place, item) if has_ended else ()
    return (start, *pieces, *ends), not has_ended


def arguments(place: Place, item: ToolCallItem, piece: str) -> Event:
    """Tell a piece of a call's arguments."""
    return event("TOOL_CALL_ARGS", place, toolCallId=call_id(place, item), delta=piece)


def result(place: Place, item: ToolCallItem) -> Event:
    """Tell a card's output."""
    return event(
        "TOOL_CALL_RESULT",
        place,
        messageId=result_id(place, item),
        toolCallId=call_id(place, item),
        content=result_content(item),
        role="tool",
        metadata=result_metadata(item),
    )


def activity(place: Place, item: Item) -> Event:
    """Tell an item as an activity, in place of what was told of it before."""
    return event(
        "ACTIVITY_SNAPSHOT",
        place,
        messageId=message_id(place, item),
        activityType=activity_type(item),
        content=item_json(item),
        replace=True,
    )
