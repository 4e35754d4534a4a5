"""Where a task starts: the one answer for reducer, windows, analysis and sources.

Rules of this file (reducer.md rules 16-18 and 29):

- A user text that is neither a compaction summary nor steering starts a task; so does an image
  that doesn't join a steering directly in front of it.
- Between ``compaction_begin`` and ``compaction_end`` nothing starts a task, except while a request
  of the compaction is open: no engine writes a user's message there, so the compaction crashed.
- Only one session's own messages are looked at; what has an origin belongs to another.
"""

from __future__ import annotations

from refold.markers import is_summary, steering_text
from refold.messages import (
    CompactionBegin,
    CompactionEnd,
    ImageUrl,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Payload,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Text,
    UnknownPayload,
)
from refold.records import record

__all__ = ["MOVING", "PLAIN", "Boundary", "advance", "starts_task"]

_NO_COMPLETE_OR_EVENT = (
    SessionMeta,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
)


@record
class Boundary:
    """What has to be known of the messages before to tell whether the next starts a task.

    Args:
        compacting: a compaction runs.
        requesting: a request of that compaction is open.
        steering: the last complete or event was a steering text or an image that joined one.
    """

    compacting: bool = False
    requesting: bool = False
    steering: bool = False


PLAIN = Boundary()
MOVING = frozenset({Text, CompactionBegin})
"""The payload kinds that can move a boundary which is ``PLAIN``."""

_STEERED = Boundary(steering=True)
_COMPACTING = Boundary(compacting=True)
_REQUESTING = Boundary(compacting=True, requesting=True)


def starts_task(before: Boundary, payload: Payload) -> bool:
    """Tell whether a message starts a task (reducer.md rule 16).

    Args:
        before: the boundary in front of the message.
        payload: the message's, of the session itself (no origin).
    """
    if before.compacting and not before.requesting:
        return False
    if type(payload) is Text:
        return (
            payload.role == "user"
            and not is_summary(payload.text)
            and steering_text(payload.text) is None
        )
    return type(payload) is ImageUrl and not before.steering


def advance(before: Boundary, payload: Payload) -> Boundary:
    """Return the boundary behind a message.

    Args:
        before: the boundary in front of it.
        payload: the message's, of the session itself (no origin).
    """
    if type(payload) is Text and payload.role != "user" and not before.compacting:
        return PLAIN
    if before.compacting:
        return _advance_compacting(before, payload)
    if type(payload) is CompactionBegin:
        return _COMPACTING
    if type(payload) is ImageUrl and before.steering:
        return before
    if type(payload) is Text and payload.role == "user" and steering_text(payload.text) is not None:
        return _STEERED
    return before if _leaves_window_open(payload) else PLAIN


def _advance_compacting(before: Boundary, payload: Payload) -> Boundary:
    match payload:
        case CompactionEnd():
            return PLAIN
        case CompactionBegin():
            return _COMPACTING
        case RequestBegin():
            return _REQUESTING
        case RequestEnd():
            return _COMPACTING
        case _:
            return PLAIN if starts_task(before, payload) else before


def _leaves_window_open(payload: Payload) -> bool:
    if type(payload) is UnknownPayload:
        return payload.category != "event_msg"
    return isinstance(payload, _NO_COMPLETE_OR_EVENT)
