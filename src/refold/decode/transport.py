"""What stands around a payload on the envelope.

Rules of this file (protocol.md, "Envelope"):

- Transport extras say how a message came; they are no part of it, so they can't make it
  undecodable. One that isn't of its own shape is an unknown field like any other: kept, and part of
  the message's identity.
- ``null`` is absent. ``trace_position`` may be spelled as in Python or as in JavaScript; if both
  stand there, the first counts.
- What a reader knows of a message's place gives way to what the message says itself.
- An origin has at most ``MAX_HOPS`` names: sessions nest as deep, and what walks them recurses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from refold.decode.values import below, count, remainder, string, strings
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import MAX_HOPS, SourcePosition, TracePosition, Transport
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
        DecodeError: it is no list of strings, or one of more than ``MAX_HOPS``.
    """
    if value is None:
        return ()
    try:
        names = strings(value)
    except DecodeError as error:
        raise below(error, ".origin") from None
    if len(names) > MAX_HOPS:
        raise DecodeError(f"at most {MAX_HOPS} nested sessions", path=".origin", value=value)
    return names


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
    try:
        return _new_trace_position(count(value.get(index)), count(value.get("ordinal")))
    except DecodeError:
        return None


def _source_position(value: Any) -> SourcePosition | None:
    if type(value) is not dict:
        return None
    line = value.get("line")
    try:
        return _new_source_position(
            string(value.get("format")),
            _optional_text(value.get("lane")),
            _optional_text(value.get("id")),
            count(value.get("ordinal", 0)),
            None if line is None else count(line),
        )
    except DecodeError:
        return None


def _optional_text(value: Any) -> str | None:
    return None if value is None else string(value)


_READERS: dict[str, Callable[[Any], Any]] = {
    "trace_position": partial(_trace_position, index="file_index"),
    "tracePosition": partial(_trace_position, index="fileIndex"),
    "started_at": _text,
    "source": _source_position,
}
_NAMES = frozenset(_READERS)
