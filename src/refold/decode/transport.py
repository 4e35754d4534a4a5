"""What stands around a payload on the envelope.

Rules of this file (protocol.md, "Envelope"):

- Transport extras say how a message came; they are no part of it, so they can't make it
  undecodable. One that isn't of its own shape is an unknown field like any other: kept, and part of
  the message's identity.
- ``null`` is absent. ``trace_position`` may be spelled as in Python or as in JavaScript; if both
  stand there, the first counts.
- What a reader knows of a message's place gives way to what the message says itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from refold.decode.values import HUGE, remainder
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import SourcePosition, TracePosition, Transport
from refold.records import positional

__all__ = ["hops", "surroundings"]

_ENVELOPE = frozenset({"timestamp", "type", "payload", "origin"})

_new_transport = positional(Transport)
_new_trace_position = positional(TracePosition)
_new_source_position = positional(SourcePosition)


def surroundings(
    envelope: dict[str, Any], place: Transport | None
) -> tuple[tuple[str, ...], Transport | None, JsonObject]:
    """Return a message's origin, its transport and the envelope fields that aren't known.

    Args:
        envelope: the message's plain JSON data.
        place: what the reader knows of where the message stands.

    Raises:
        DecodeError: the origin is none, or an unknown field isn't JSON; paths are relative.
    """
    origin = hops(envelope.get("origin"))
    if _NAMES.isdisjoint(envelope):
        return origin, place, remainder(envelope, _ENVELOPE)
    found = {name: read(envelope[name]) for name, read in _READERS.items() if name in envelope}
    used = [name for name, each in found.items() if each is not None or envelope[name] is None]
    return origin, _transport(found, place), remainder(envelope, _ENVELOPE.union(used))


def hops(value: Any) -> tuple[str, ...]:
    """Return an origin chain, outer to inner; absent or empty is the main session.

    Raises:
        DecodeError: it is no list of strings.
    """
    if value is None:
        return ()
    if type(value) is not list:
        raise DecodeError("a list", path=".origin", value=value)
    for hop in value:
        if type(hop) is not str:
            at = next(at for at, each in enumerate(value) if each is hop)
            raise DecodeError("a string", path=f".origin[{at}]", value=hop)
    return tuple(value)


def _transport(found: dict[str, Any], place: Transport | None) -> Transport | None:
    trace_position = found.get("trace_position") or found.get("tracePosition")
    started_at, source = found.get("started_at"), found.get("source")
    if source is None and place is not None:
        source = place.source
    if trace_position is None and started_at is None and source is None:
        return None
    return _new_transport(trace_position, started_at, source)


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def _trace_position(value: Any, index: str) -> TracePosition | None:
    if type(value) is not dict:
        return None
    file_index, ordinal = value.get(index), value.get("ordinal")
    if _is_count(file_index) and _is_count(ordinal):
        return _new_trace_position(file_index, ordinal)
    return None


def _source_position(value: Any) -> SourcePosition | None:
    if type(value) is not dict or type(value.get("format")) is not str:
        return None
    lane, record_id, line = value.get("lane"), value.get("id"), value.get("line")
    ordinal = value.get("ordinal", 0)
    texts = all(each is None or type(each) is str for each in (lane, record_id))
    if texts and _is_count(ordinal) and (line is None or _is_count(line)):
        return _new_source_position(value["format"], lane, record_id, ordinal, line)
    return None


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < HUGE


_READERS: dict[str, Callable[[Any], Any]] = {
    "trace_position": partial(_trace_position, index="file_index"),
    "tracePosition": partial(_trace_position, index="fileIndex"),
    "started_at": _text,
    "source": _source_position,
}
_NAMES = frozenset(_READERS)
