"""Messages that say which record they were made of.

Rules of this file (sources/README.md):

- ``(lane, id, ordinal)`` is unique where records have ids: a request's end is made of its
  response's last line, in a later step, and its numbers go on behind that line's.
- A session's ``session_meta`` comes in front of its first message, and again as soon as what it
  says is known better.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.decode.generated import compiled, making, twins
from refold.messages import Message, SessionMeta, SourcePosition, Transport
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import MAIN, Header, Place

__all__ = ["NAME", "announce", "messages_of"]

NAME = "claude-code"

# A message and where it stands, made in one call: there is one of each for every message.
_message = compiled(
    [
        "def message(payload, timestamp, origin, lane, id, ordinal, line):",
        *making(SourcePosition, "source", format="NAME"),
        *making(Transport, "transport", trace_position="None", started_at="None"),
        *making(Message, "made", extra="EMPTY"),
        "    return made",
    ],
    {"NAME": NAME, **twins(SourcePosition, Transport, Message)},
)


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
            number = ordinal
            ordinal += 1
        else:
            number = spent + more
            more += 1
        messages.append(_message(payload, timestamp, origin, agent, place.id, number, place.line))
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
