"""JSON-RPC messages out of whatever they are wrapped in.

Rules of this file (sources/census.md A12):

- A frame is one message, which way it went, and when. Wrappers, log prefixes and flattened forms
  end here; nothing behind this file knows of them.
- A wrapper may say a time, a direction, and hold the message as an object or as text, under any of
  several names; wrappers may nest, a few deep.
- What holds no message of the protocol is None.
"""

from __future__ import annotations

import json
from typing import Any, Final, Literal, TypeAlias

from refold.records import positional, record
from refold.sources.fields import listing, mapping
from refold.sources.logs.clocks import absolute, elapsed, prefixed
from refold.sources.logs.lines import Entry
from refold.sources.logs.spots import Spot, spot_at
from refold.sources.logs.values import first_text

__all__ = ["Frame", "Side", "frame_of"]

Side: TypeAlias = Literal["agent", "client"]

_DEEPEST_WRAPPING = 4
_HOLDERS = ("msg", "message", "json", "frame", "payload", "data", "content", "raw", "line")
_TIMES = ("at", "ts", "timestamp", "time", "tMs")
_DIRECTIONS = ("dir", "direction")
_SAYING = frozenset((*_TIMES, *_DIRECTIONS))
_TO_AGENT = ("client->agent", "outbound", "out", "sent", "send", "->", "→", ">>", "to_agent")
_TO_CLIENT = ("agent->client", "inbound", "in", "received", "recv", "<-", "←", "<<", "to_client")
_SIDES: Final[dict[str, Side]] = {
    **dict.fromkeys(_TO_AGENT, "agent"),
    **dict.fromkeys(_TO_CLIENT, "client"),
}
_CALLS = {"sessionUpdate": "session/update", "requestPermission": "session/request_permission"}
_SAID = {"assistant_message": "agent_message", "user_message": "user_message"}


@record
class Frame:
    """One JSON-RPC message.

    Args:
        message: its fields.
        toward: who it was sent to; None if the log doesn't tell.
        spot: when, and on which line.
    """

    message: dict[str, Any]
    toward: Side | None
    spot: Spot


_frame = positional(Frame)


def frame_of(entry: Entry, start_ms: int | None) -> Frame | None:
    """Return the message an object of a log holds, or None if it holds none.

    Args:
        entry: the object, with its prefix and line.
        start_ms: when the log started, in Unix ms, if it says so.
    """
    prefix, value = entry.prefix, entry.value
    toward = _side(_arrow(prefix)) if prefix else None
    timestamp = prefixed(prefix, start_ms) if prefix else None
    for _ in range(_DEEPEST_WRAPPING):
        if not _SAYING.isdisjoint(value):
            toward = _side(first_text(value, *_DIRECTIONS)) or toward
            timestamp = _time(value, start_ms) or timestamp
        message = _message(value)
        if message is not None:
            return _frame(message, toward, spot_at(timestamp, entry.line))
        value = _held(value)
    return None


def _message(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return what an object says as a message, in the protocol's own form."""
    method = value.get("method")
    if isinstance(method, str):
        if method in _CALLS and isinstance(value.get("args"), list):
            return {"method": _CALLS[method], "params": next(iter(listing(value["args"])), None)}
        return value
    if "id" in value and ("result" in value or "error" in value):
        return value
    if "sessionUpdate" in value or "sessionUpdate" in mapping(value.get("update")):
        return {"method": "session/update", "params": value}
    return _event(value)


def _event(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return ``{time, event, data}`` (a harness's own form of an update) as a message."""
    event, data = value.get("event"), value.get("data")
    if not isinstance(event, str) or not isinstance(data, dict) or "method" in data:
        return None
    content = data.get("content")
    if event in _SAID and isinstance(content, str):
        data = {**data, "content": [{"type": "text", "text": content}]}
    update = {**data, "sessionUpdate": _SAID.get(event, event)}
    return {"method": "session/update", "params": {"update": update}}


def _held(value: dict[str, Any]) -> dict[str, Any]:
    for name in _HOLDERS:
        held = value.get(name)
        found = _object(held) if held else None
        if found:
            return found
    return {}


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, str) or not value.startswith("{"):
        return mapping(value)
    try:
        return mapping(json.loads(value))
    except (ValueError, RecursionError):
        return {}


def _time(value: dict[str, Any], start_ms: int | None) -> str | None:
    for name in _TIMES:
        read = _read(value[name], start_ms) if name in value else None
        if read:
            return read
    return None


def _read(time: Any, start_ms: int | None) -> str | None:
    return absolute(time) or elapsed(time, start_ms)


def _arrow(prefix: str) -> str | None:
    words = prefix.replace(":", " ").split()
    return words[-1] if words else None


def _side(said: str | None) -> Side | None:
    return None if said is None else _SIDES.get(said.lower())
