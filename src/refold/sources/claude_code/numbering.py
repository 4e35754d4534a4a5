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

from refold.json_values import EMPTY
from refold.messages import Message, SessionMeta, SourcePosition, Transport
from refold.records import positional
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import MAIN, Header, Place

__all__ = ["NAME", "Sent", "announce", "messages_of"]

NAME = "claude-code"
_UNKNOWN_MODEL = "unknown"

Sent: TypeAlias = tuple[LaneDraft, Out]

_made = positional(Message)
_source_position = positional(SourcePosition)
_transport = positional(Transport)


def announce(lane: LaneDraft, outs: list[Out], place: Place) -> list[Out]:
    """Return what a lane says, its ``session_meta`` in front if one is due.

    Args:
        lane: the lane behind the record.
        outs: what it says.
        place: the record.
    """
    if lane.header is lane.announced or (lane.announced is None and not outs):
        return outs
    if lane.header == lane.announced:
        return outs
    lane.announced = lane.header
    return [now(place, _meta(lane.agent, lane.header)), *outs]


def messages_of(sent: Sequence[Sent]) -> tuple[Message, ...]:
    """Return messages, numbered by the record they were made of.

    Args:
        sent: what each lane says, in order.
    """
    next_of: dict[int, int] = {}
    messages: list[Message] = []
    for lane, out in sent:
        place = id(out.place)
        ordinal = next_of.get(place, out.spent)
        next_of[place] = ordinal + 1
        messages.append(_message(lane, out, ordinal))
    return tuple(messages)


def _message(lane: LaneDraft, out: Out, ordinal: int) -> Message:
    place = out.place
    source = _source_position(NAME, lane.agent or None, place.id, ordinal, place.line)
    message: Message = _made(
        out.payload, out.timestamp, lane.origin, _transport(None, None, source), EMPTY
    )
    return message


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
