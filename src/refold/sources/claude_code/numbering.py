"""Messages that say which record they were made of.

Rules of this file (sources/README.md):

- ``(lane, id, ordinal)`` is unique where records have ids: a request's end is made of its
  response's last line, in a later step, and its numbers go on behind that line's.
- A session's ``session_meta`` comes in front of its first message, and again as soon as what it
  says is known better.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.json_values import EMPTY
from refold.messages import Message, SessionMeta, SourcePosition, Transport
from refold.records import positional
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import MAIN, Header, Place

__all__ = ["NAME", "announce", "messages_of"]

NAME = "claude-code"

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


def messages_of(
    lane: LaneDraft, outs: Sequence[Out], here: Place | None = None, ordinal: int = 0
) -> list[Message]:
    """Return what a lane says as messages, numbered by the records they were made of.

    Args:
        lane: the lane.
        outs: what it says, in order: of the step's own record, and of the last line of a request
            that the step closes.
        here: the step's own record.
        ordinal: how many messages were made of that so far.
    """
    agent, origin = lane.agent or None, lane.origin
    more = 0
    messages: list[Message] = []
    for payload, place, timestamp, spent in outs:
        if place is here:
            source = _source_position(NAME, agent, place.id, ordinal, place.line)
            ordinal += 1
        else:
            source = _source_position(NAME, agent, place.id, spent + more, place.line)
            more += 1
        messages.append(_made(payload, timestamp, origin, _transport(None, None, source), EMPTY))
    return messages


def _meta(agent: str, header: Header) -> SessionMeta:
    return SessionMeta(
        session_id=header.session_id or "",
        provider="anthropic",
        model_id=header.model or "",
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace=header.workspace or "",
        source=None if agent == MAIN else "subagent",
        parent_tool_call_id=header.call_id,
    )
