"""What an envelope tells of how its message came.

Rules of this file:

- The caller's clock and the decisions made on this client are inputs like any other: reducers get
  them as arguments, beside the message.
"""

from __future__ import annotations

from refold.messages import Message
from refold.times import parse_ms

__all__ = ["started_at_ms"]


def started_at_ms(message: Message) -> int | None:
    """Return when the message's fragment began, as its trace says, in Unix ms (law 4)."""
    transport = message.transport
    return None if transport is None else parse_ms(transport.started_at)
