"""A payload on its way out of a lane.

Rules of this file:

- What is said is said of a record, at that record's time unless it says otherwise.
"""

from __future__ import annotations

from refold.messages import Payload
from refold.records import positional, record
from refold.sources.claude_code.values import Place

__all__ = ["Out", "at", "later", "now"]


@record
class Out:
    """A payload on its way out.

    Args:
        payload: what to say.
        place: the record it is made of.
        timestamp: the message's time.
        spent: how many messages were made of that record in earlier steps.
    """

    payload: Payload
    place: Place
    timestamp: str | None
    spent: int = 0


_out = positional(Out)


def now(place: Place, payload: Payload) -> Out:
    """Say something at a record's time.

    Args:
        place: the record.
        payload: what to say.
    """
    return _out(payload, place, place.timestamp, 0)


def at(timestamp: str | None, place: Place, payload: Payload) -> Out:
    """Say something of a record at another time.

    Args:
        timestamp: the time, as it is to be written.
        place: the record.
        payload: what to say.
    """
    return _out(payload, place, timestamp, 0)


def later(place: Place, spent: int, payload: Payload) -> Out:
    """Say something of a record of an earlier step, at its time.

    Args:
        place: the record.
        spent: how many messages were made of it then.
        payload: what to say.
    """
    return _out(payload, place, place.timestamp, spent)
