"""How many bytes a history weighs.

Rules of this file (sources/stream-json-and-acp.md 5.5):

- An item weighs the UTF-8 bytes of its texts, ids, names and arguments, without any envelope.
- *Wire* bytes are what is sent: an image weighs its base64 data, or its URL. *Pressure* bytes are
  what a model's context feels: an image weighs a flat 16 KiB and its media type.
- The two are never mixed: a growth is a difference of one measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from refold.policies.history import AssistantTurn, HistoryItem, Image, Part, ToolResult, UserTurn
from refold.policies.utf8 import utf8_length

__all__ = ["pressure_bytes", "wire_bytes"]

_IMAGE_PRESSURE = 16 * 1024


def wire_bytes(history: Iterable[HistoryItem]) -> int:
    """Return what a history weighs on the wire, in bytes."""
    return sum(_weight(item, _wire_image) for item in history)


def pressure_bytes(history: Iterable[HistoryItem]) -> int:
    """Return what a history weighs in a model's context, in bytes; tokens at most, one a byte."""
    return sum(_weight(item, _pressure_image) for item in history)


def _weight(item: HistoryItem, image: Callable[[str], int]) -> int:
    match item:
        case UserTurn():
            return _parts_weight(item.parts, image)
        case AssistantTurn():
            calls = [(call.call_id, call.name, call.arguments) for call in item.calls]
            return utf8_length(item.text) + sum(
                utf8_length(each) for call in calls for each in call
            )
        case ToolResult():
            return utf8_length(item.call_id) + _parts_weight(item.parts, image)


def _parts_weight(parts: tuple[Part, ...], image: Callable[[str], int]) -> int:
    return sum(
        image(part.url) if isinstance(part, Image) else utf8_length(part.text) for part in parts
    )


def _wire_image(url: str) -> int:
    return utf8_length(url.partition(",")[2]) if url.startswith("data:") else utf8_length(url)


def _pressure_image(url: str) -> int:
    return _IMAGE_PRESSURE + utf8_length(_media_type(url))


def _media_type(url: str) -> str:
    return url[5:].partition(",")[0].partition(";")[0] if url.startswith("data:") else ""
