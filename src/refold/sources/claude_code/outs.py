"""A payload on its way out of a lane.

Rules of this file:

- What is said is said of a record, at that record's time unless it says otherwise.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.messages import Payload
from refold.sources.claude_code.values import Place

__all__ = ["Out", "at", "later", "now"]

# What to say, the record it is made of, the message's time, and how many messages were made of that
# record in earlier steps. A plain tuple: there is one for every message, for a moment.
Out: TypeAlias = tuple[Payload, Place, str | None, int]


def now(place: Place, payload: Payload) -> Out:
    """Say something at a record's time.

    Args:
        place: the record.
        payload: what to say.
    """
    return payload, place, place.timestamp, 0


def at(timestamp: str | None, place: Place, payload: Payload) -> Out:
    """Say something of a record at another time.

    Args:
        timestamp: the time, as it is to be written.
        place: the record.
        payload: what to say.
    """
    return payload, place, timestamp, 0


def later(place: Place, spent: int, payload: Payload) -> Out:
    """Say something of a record of an earlier step, at its time.

    Args:
        place: the record.
        spent: how many messages were made of it then.
        payload: what to say.
    """
    return payload, place, place.timestamp, spent
