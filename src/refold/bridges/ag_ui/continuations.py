"""What changed in one session, as the continuation of what was told.

Rules of this file:

- A text grows and ends when it no longer floats; so does a thinking. A call grows and ends; a
  result answers it. An activity is replaced as a whole.
- None is the answer where a continuation can't say it: what was told is gone, reads differently,
  or stands in another order. The caller then tells the whole conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from refold.bridges.ag_ui.beginnings import activity, arguments, called_late, ended, result, told
from refold.bridges.ag_ui.lane import Events, Lane, Told, at_rest, kept
from refold.bridges.ag_ui.words import Event, call_has_ended, event, has_call, is_told, message_id
from refold.changes import ItemChange
from refold.items import (
    AssistantTextItem,
    Item,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
)
from refold.texts import GrownText, appended

__all__ = ["told_changes"]


def told_changes(lane: Lane, changes: Iterable[ItemChange]) -> Told:
    """Tell what changed, or None if it can't be said as a continuation.

    Args:
        lane: what was told before.
        changes: the items that differ, in order.
    """
    events: Events = ()
    for change in changes:
        step = _told_change(lane, change)
        if step is None:
            return None
        lane, more = step
        events += more
    return lane, events


def _told_change(lane: Lane, change: ItemChange) -> Told:
    before, after = change.before, change.after
    if before is None or not is_told(before):
        return _told_anew(lane, change)
    if after is None or change.moved or type(after) is not type(before):
        return None
    case = _CONTINUED.get(after.kind, _activity_continued)
    return case(lane, before, after, change)


def _told_anew(lane: Lane, change: ItemChange) -> Told:
    after = change.after
    if after is None:
        return lane, ()
    if isinstance(after, UserImageItem) or (isinstance(after, UserSteeringItem) and after.images):
        return None
    return told(lane, after, floats=change.floats)


def _text_continued(lane: Lane, before: Item, after: Item, change: ItemChange) -> Told:
    assert isinstance(before, AssistantTextItem)
    assert isinstance(after, AssistantTextItem)
    piece = _piece(before._text, after._text)
    ident = message_id(lane.place, after)
    content = event("TEXT_MESSAGE_CONTENT", lane.place, messageId=ident, delta=piece)
    return _grown(lane, after, change, piece, content)


def _thinking_continued(lane: Lane, before: Item, after: Item, change: ItemChange) -> Told:
    assert isinstance(before, ThinkingItem)
    assert isinstance(after, ThinkingItem)
    piece = _piece(before._thinking, after._thinking)
    ident = message_id(lane.place, after)
    content = event("REASONING_MESSAGE_CONTENT", lane.place, messageId=ident, delta=piece)
    return _grown(lane, after, change, piece, content)


def _grown(lane: Lane, after: Item, change: ItemChange, piece: str | None, content: Event) -> Told:
    """Tell what was appended, and the end of what no longer floats."""
    found = lane.open.get(after.key)
    if found is not None and found.cut:
        return (lane, ()) if change.floats else None
    if piece is None or (piece and found is None):
        return None
    contents: Events = (content,) if piece else ()
    if change.floats or found is None:
        return kept(lane, after), contents
    return at_rest(lane, after, (*contents, *ended(lane.place, after)))


def _card_continued(lane: Lane, before: Item, after: Item, change: ItemChange) -> Told:
    assert isinstance(before, ToolCallItem)
    assert isinstance(after, ToolCallItem)
    step = _call_continued(lane, before, after, change)
    if step is None:
        return None
    lane, events = step
    if not after.output_complete:
        return None if before.output_complete else (lane, events)
    if not before.output_complete:
        return lane, (*events, result(lane.place, after))
    same = before.output == after.output and before.images == after.images
    return (lane, events) if same else None


def _call_continued(
    lane: Lane, before: ToolCallItem, after: ToolCallItem, change: ItemChange
) -> Told:
    if not has_call(after):
        return None if has_call(before) else (lane, ())
    if not has_call(before):
        return called_late(lane, after, floats=change.floats)
    found = lane.open.get(after.key)
    if found is not None and found.cut:
        return None if call_has_ended(after, floats=change.floats) else (lane, ())
    piece = _piece(before._arguments_text, after._arguments_text)
    is_open = found is not None and not call_has_ended(before, floats=change.floated)
    if before.name != after.name or piece is None or (piece and not is_open):
        return None
    events: Events = (arguments(lane.place, after, piece),) if piece else ()
    if is_open and call_has_ended(after, floats=change.floats):
        events += ended(lane.place, after)
    if change.floats or found is None or not call_has_ended(after, floats=False):
        return kept(lane, after), events
    return at_rest(lane, after, events)


def _unchanging(lane: Lane, before: Item, after: Item, change: ItemChange) -> Told:
    """A user's words don't change; images that join a steering can't be appended."""
    return (lane, ()) if before == after else None


def _activity_continued(lane: Lane, before: Item, after: Item, change: ItemChange) -> Told:
    return lane, (activity(lane.place, after),)


def _piece(before: GrownText, after: GrownText) -> str | None:
    piece = appended(before, after)
    if piece is not None:
        return piece
    old, new = str(before), str(after)
    return new[len(old) :] if new.startswith(old) else None


_CONTINUED: dict[str, Callable[[Lane, Item, Item, ItemChange], Told]] = {
    "assistant_text": _text_continued,
    "thinking": _thinking_continued,
    "tool_call": _card_continued,
    "user_text": _unchanging,
    "user_image": _unchanging,
    "user_steering": _unchanging,
}
