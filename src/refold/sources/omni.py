"""OmniMessages themselves as a source: traces and live captures.

Rules of this file:

- A record is a message or nothing: what can't be decoded is counted here; whoever reads a file has
  reported it with its place.
- A format is told by a payload that only this protocol has: other formats share the envelope, and
  Codex even the opening ``session_meta`` with its ``session_id``. So one tells only if it says what
  no other's does, or nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.decode import decode
from refold.errors import DecodeError
from refold.maps import EMPTY_MAP, Map
from refold.messages import Message, SessionMeta, SourcePosition, Transport, UnknownPayload
from refold.sources.source import Record, Source

__all__ = ["SOURCE"]

NAME = "omni"

_UNDECODABLE = "undecodable"


def _recognises(values: Sequence[Any]) -> bool:
    return any(map(_is_message, values))


def _is_message(value: Any) -> bool:
    try:
        payload = decode(value).payload
    except DecodeError:
        return False
    if type(payload) is SessionMeta:
        return bool(payload.agent_state) or not payload.extra
    return type(payload) is not UnknownPayload


def _start() -> Map[int]:
    return EMPTY_MAP


def _step(
    state: Map[int], record: Record, observed_ms: int | None
) -> tuple[Map[int], tuple[Message, ...]]:
    place = SourcePosition(format=NAME, lane=record.lane, line=record.line)
    try:
        return state, (decode(record.value, place=Transport(source=place)),)
    except DecodeError:
        return state.put(_UNDECODABLE, state.get(_UNDECODABLE, 0) + 1), ()


def _finish(state: Map[int]) -> tuple[Message, ...]:
    return ()


SOURCE = Source(
    name=NAME,
    recognises=_recognises,
    start=_start,
    step=_step,
    finish=_finish,
    counts=dict,
)
