"""Messages to plain JSON data and to lines.

Rules of this file:

- ``decode(encode(message))`` is the message, transport included; a field that is unset is left out.
- Fields stand in the order of the wire: ``timestamp``, ``type``, ``payload``, ``origin``, then what
  isn't known, then the transport. An unknown field keeps its name even where a transport extra
  would have it: identity comes first.
- A line is always valid UTF-8: surrogates are escaped, so a reader joins those that form a pair.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from typing import Any

import attrs

from refold.decode.kinds import wire_tag
from refold.json_values import thaw
from refold.messages import Message, UnknownPayload

__all__ = ["encode", "encode_line"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def encode(message: Message) -> dict[str, Any]:
    """Return a message as plain JSON data that shares nothing changeable with it.

    Args:
        message: any message.
    """
    wire: dict[str, Any] = {} if message.timestamp is None else {"timestamp": message.timestamp}
    wire["type"] = message.payload.category
    wire["payload"] = _payload(message.payload)
    if message.origin:
        wire["origin"] = list(message.origin)
    _fill(wire, thaw(message.extra))
    if message.transport is not None:
        _fill(wire, _record(message.transport))
    return wire


def encode_line(message: Message) -> str:
    """Return a message as one line of JSON, without its line feed.

    Args:
        message: any message.

    Raises:
        ValueError: a message that was made in Python holds a number that JSON hasn't.
    """
    plain = encode(message)
    line = json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return line if line.isascii() else _SURROGATE.sub(_escaped, line)


def _payload(payload: Any) -> dict[str, Any]:
    if type(payload) is UnknownPayload:
        return thaw(payload.body)  # type: ignore[no-any-return]
    tag = {"type": payload.kind} if wire_tag(type(payload)) else {}
    return tag | _record(payload)


def _record(value: Any) -> dict[str, Any]:
    cls: Any = type(value)
    wire = {}
    for name, required in _fields(cls):
        each = getattr(value, name)
        if each is not None or required:
            wire[name] = _plain(each)
    if hasattr(value, "extra"):
        _fill(wire, thaw(value.extra))
    return wire


@functools.cache
def _fields(cls: Any) -> tuple[tuple[str, bool], ...]:
    fields = [each for each in attrs.fields(cls) if each.name != "extra"]
    return tuple((each.name, each.default is attrs.NOTHING) for each in fields)


def _plain(value: Any) -> Any:
    if type(value) is tuple:
        return [_plain(each) for each in value]
    return _record(value) if attrs.has(type(value)) else thaw(value)


def _fill(wire: dict[str, Any], fields: Mapping[str, Any]) -> None:
    for name, value in fields.items():
        wire.setdefault(name, value)


def _escaped(surrogate: re.Match[str]) -> str:
    return f"\\u{ord(surrogate[0]):04x}"
