"""Event ids of a stream.

Rules of this file (live.md "Inputs"):

- An id is ``<epoch>-<seq>``; anything else is an unknown id, which says nothing.
"""

from __future__ import annotations

from refold.records import record

__all__ = ["EventId", "parse_event_id"]

_LONGEST_SEQ = 18


@record
class EventId:
    """A place in a stream.

    Args:
        epoch: one life of the server's stream.
        seq: counts its events, ascending.
    """

    epoch: str
    seq: int


def parse_event_id(text: str | None) -> EventId | None:
    """Read an event id; None if there is none or it is of another form."""
    if text is None:
        return None
    epoch, dash, seq = text.rpartition("-")
    if not dash or not epoch or not (seq.isascii() and seq.isdigit()) or len(seq) > _LONGEST_SEQ:
        return None
    return EventId(epoch=epoch, seq=int(seq))
