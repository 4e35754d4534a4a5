"""Items in AG-UI's words: ids, content parts, messages.

Rules of this file:

- A message's id is its item's key, behind the session it belongs to; a call's id is its own, the
  key's where an id was used twice, and behind its session if that is a nested one.
- What AG-UI has no word for is an activity of type ``refold.<kind>`` whose content is the item's
  JSON: a front end may draw it or not.
- Times are Unix ms, left out where unknown or beyond what JSON numbers carry.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.items import (
    AssistantTextItem,
    Item,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.markers import is_blank
from refold.views import item_json

__all__ = [
    "Event",
    "Place",
    "activity_type",
    "call_has_ended",
    "call_id",
    "event",
    "has_call",
    "is_told",
    "message_id",
    "messages_of",
    "path",
    "result_content",
    "result_id",
    "result_metadata",
]

Event: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, ...]

_CALL_KEY = "tool_call:"
_LARGEST = (1 << 53) - 1
_DATA, _BASE64 = "data:", ";base64,"


def event(kind: str, place: Place, at_ms: int | None = None, **fields: Any) -> Event:
    """Return an event; fields that are None are left out.

    Args:
        kind: its type.
        place: the session it is of, as an origin chain; empty for the main one.
        at_ms: its time in Unix ms.
        fields: the rest, in AG-UI's names.
    """
    told = {"type": kind, **{name: each for name, each in fields.items() if each is not None}}
    if place:
        told["subagentRunId"] = place[-1]
    if at_ms is not None and abs(at_ms) <= _LARGEST:
        told["timestamp"] = at_ms
    return told


def path(place: Place) -> str:
    """Return an origin chain as one text, unlike that of every other chain."""
    return "".join(["/" + each.replace("%", "%25").replace("/", "%2F") for each in place])


def message_id(place: Place, item: Item) -> str:
    """Return the id of an item's message."""
    return f"{path(place)[1:]}/{item.key}" if place else item.key


def result_id(place: Place, item: Item) -> str:
    """Return the id of the message that a card's output is."""
    return f"{message_id(place, item)}:result"


def call_id(place: Place, item: ToolCallItem) -> str:
    """Return the id of a card's call, unlike that of every other card.

    Providers count calls anew in every session, and a front end knows calls by their ids alone.
    """
    own = item.key.removeprefix(_CALL_KEY) if "#" in item.key else item.tool_call_id
    return f"{path(place)[1:]}/{own}" if place else own


def activity_type(item: Item) -> str:
    """Return the type of the activity that stands for an item."""
    return f"refold.{item.kind}"


def has_call(item: ToolCallItem) -> bool:
    """Tell whether a card shows a call that can be told; an output may come without one."""
    return bool(item.name) or item.call_complete


def call_has_ended(item: ToolCallItem, *, floats: bool) -> bool:
    """Tell whether a card's call gets no more arguments, as far as is known."""
    return item.call_complete or not (item.call_streaming or floats)


def is_told(item: Item) -> bool:
    """Tell whether an item has anything to tell yet: what streams is told from its first word."""
    if isinstance(item, AssistantTextItem):
        return not is_blank(item.text)
    if isinstance(item, ThinkingItem):
        return not is_blank(item.thinking)
    if isinstance(item, ToolCallItem):
        return has_call(item) or item.output_complete
    return True


def result_content(item: ToolCallItem) -> str | list[dict[str, Any]]:
    """Return a card's output: a text, or parts if it has images."""
    if not item.images:
        return item.output
    texts = [{"type": "text", "text": item.output}] if item.output else []
    return [*texts, *[_image(each) for each in item.images]]


def result_metadata(item: ToolCallItem) -> dict[str, Any] | None:
    """Return how a card's output ended, where that isn't well."""
    reason = item.output_stop_reason
    return None if reason is None or reason == "completed" else {"stopReason": reason}


def messages_of(place: Place, item: Item) -> list[dict[str, Any]]:
    """Return the messages an item is in a conversation: none, one, or a call and its result.

    Args:
        place: the session it is of.
        item: the item.
    """
    ident = message_id(place, item)
    if isinstance(item, UserTextItem):
        said = [_message(place, ident, "user", content=item.text)]
    elif isinstance(item, UserImageItem):
        said = [_message(place, ident, "user", content=[_image(item.image_url)])]
    elif isinstance(item, UserSteeringItem):
        said = _steering_messages(place, item)
    elif isinstance(item, AssistantTextItem):
        said = [_message(place, ident, "assistant", content=item.text)]
    elif isinstance(item, ThinkingItem):
        said = [_message(place, ident, "reasoning", content=item.thinking)]
    elif isinstance(item, ToolCallItem):
        said = _card_messages(place, item)
    else:
        content = item_json(item)
        said = [
            _message(place, ident, "activity", activityType=activity_type(item), content=content)
        ]
    return said


def _card_messages(place: Place, item: ToolCallItem) -> list[dict[str, Any]]:
    said = []
    if has_call(item):
        function = {"name": item.name, "arguments": item.arguments_text}
        call = {"id": call_id(place, item), "type": "function", "function": function}
        said.append(_message(place, message_id(place, item), "assistant", toolCalls=[call]))
    if item.output_complete:
        reason = item.output_stop_reason
        said.append(
            _message(
                place,
                result_id(place, item),
                "tool",
                content=result_content(item),
                toolCallId=call_id(place, item),
                error=None if reason in (None, "completed") else reason,
                metadata=result_metadata(item),
            )
        )
    return said


def _message(place: Place, ident: str, role: str, **fields: Any) -> dict[str, Any]:
    kept = {name: each for name, each in fields.items() if each is not None}
    of = {"subagentRunId": place[-1]} if place else {}
    return {"id": ident, "role": role, **kept, **of}


def _steering_messages(place: Place, item: UserSteeringItem) -> list[dict[str, Any]]:
    """Return a steering and its images as messages of their own: an image may join later."""
    ident = message_id(place, item)
    said = [_message(place, ident, "user", content=item.text)]
    for number, url in enumerate(item.images or (), 1):
        said.append(_message(place, f"{ident}:image:{number}", "user", content=[_image(url)]))
    return said


def _image(url: str) -> dict[str, Any]:
    head, found, data = url.partition(_BASE64)
    if found and head.startswith(_DATA):
        source = {"type": "data", "value": data, "mimeType": head.removeprefix(_DATA)}
    else:
        source = {"type": "url", "value": url}
    return {"type": "image", "source": source}
