"""Messages that say which record they were made of.

Rules of this file (sources/README.md):

- ``(lane, id, ordinal)`` is unique where records have ids: a request's end is made of its
  response's last line, in a later step, and its numbers go on behind that line's.
- A session's ``session_meta`` comes in front of its first message, and again as soon as what it
  says is known better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from refold.messages import Message, SessionMeta, SourcePosition, Transport
from refold.sources.claude_code.fields import evolved
from refold.sources.claude_code.state import MAIN, Header, Lane, Out, Place, Step

__all__ = ["NAME", "Sent", "announced", "messages_of"]

NAME = "claude-code"
_UNKNOWN_MODEL = "unknown"

Sent: TypeAlias = tuple[Lane, Out]


def announced(lane: Lane, outs: Sequence[Out], place: Place) -> Step:
    """Return the lane and what it says, its ``session_meta`` in front if one is due.

    Args:
        lane: the lane behind the record.
        outs: what it says.
        place: the record.
    """
    due = bool(outs) if lane.announced is None else lane.header != lane.announced
    if not due:
        return lane, tuple(outs)
    meta = Out(payload=_meta(lane.agent, lane.header), place=place, timestamp=place.timestamp)
    return evolved(lane, announced=lane.header), (meta, *outs)


def messages_of(sent: Sequence[Sent]) -> tuple[Message, ...]:
    """Return messages, numbered by the record they were made of.

    Args:
        sent: what each lane says, in order.
    """
    next_of: dict[tuple[str, Place], int] = {}
    messages: list[Message] = []
    for lane, out in sent:
        ordinal = next_of.get((lane.agent, out.place), out.place.spent)
        next_of[lane.agent, out.place] = ordinal + 1
        messages.append(_message(lane, out, ordinal))
    return tuple(messages)


def _message(lane: Lane, out: Out, ordinal: int) -> Message:
    position = SourcePosition(
        format=NAME,
        lane=lane.agent or None,
        id=out.place.id,
        ordinal=ordinal,
        line=out.place.line,
    )
    return Message(
        payload=out.payload,
        timestamp=out.timestamp,
        origin=lane.origin,
        transport=Transport(source=position),
    )


def _meta(agent: str, header: Header) -> SessionMeta:
    return SessionMeta(
        session_id=header.session_id or "",
        provider="anthropic",
        model_id=header.model or _UNKNOWN_MODEL,
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace=header.workspace or "",
        source=None if agent == MAIN else "subagent",
        parent_tool_call_id=header.call_id,
    )
