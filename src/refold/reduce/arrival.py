"""A message as it arrives: all a reducer is told besides the payload.

Rules of this file:

- The caller's clock and the decisions made on this client are inputs like any other.
"""

from __future__ import annotations

from refold.maps import Map
from refold.messages import Message
from refold.records import positional, record
from refold.times import parse_ms

__all__ = ["Arrival", "arrive", "started_at_ms"]


@record
class Arrival:
    """One message and its circumstances.

    Args:
        message: the message.
        now_ms: the caller's clock, in Unix ms.
        decided: ids of tool calls decided on this client, for the whole tree.
    """

    message: Message
    now_ms: int
    decided: Map[bool]


arrive = positional(Arrival)


def started_at_ms(arrival: Arrival) -> int | None:
    """Return when the message's fragment began, as its trace says, in Unix ms (law 4)."""
    transport = arrival.message.transport
    return None if transport is None else parse_ms(transport.started_at)
