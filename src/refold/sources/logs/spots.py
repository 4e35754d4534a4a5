"""Messages as the rooms of a source make them: before they know their session.

Rules of this file:

- A sketch says what, when and from which line; the session it belongs to and its place among the
  record's messages are added once, at the end.
- Its line may be an earlier one than the record's: what was said over many lines points at its
  first, so that a reader of an item finds where it begins.
- Time is the record's or none (sources/README.md); nothing here asks for the hour.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.messages import Message, Payload, SourcePosition, Transport
from refold.records import record

__all__ = ["NOWHERE", "Sketch", "Spot", "stamped"]


@record
class Spot:
    """Where and when a record was.

    Args:
        timestamp: its time, ISO 8601; None if it has none.
        line: the line it was read from, 1-based.
    """

    timestamp: str | None = None
    line: int | None = None

    def since(self, earlier: Spot) -> Spot:
        """Return the same time at an earlier spot's line."""
        return Spot(timestamp=self.timestamp, line=earlier.line)


NOWHERE = Spot()


@record
class Sketch:
    """A message without its session.

    Args:
        payload: what it says.
        spot: when, and on which line.
        id: the format's own id of what it says, if there is one.
        started_at: when its fragment began (laws.md, law 4).
    """

    payload: Payload
    spot: Spot
    id: str | None = None
    started_at: str | None = None


def stamped(
    sketches: Iterable[Sketch], *, source: str, lane: str | None, origin: tuple[str, ...]
) -> tuple[Message, ...]:
    """Return sketches as messages of a session.

    Args:
        sketches: all that one record made for that session, in order.
        source: the format's name.
        lane: what the format's ids are unique within.
        origin: the session, outer to inner.
    """
    return tuple(
        Message(
            payload=sketch.payload,
            timestamp=sketch.spot.timestamp,
            origin=origin,
            transport=Transport(
                started_at=sketch.started_at,
                source=SourcePosition(
                    format=source, lane=lane, id=sketch.id, ordinal=ordinal, line=sketch.spot.line
                ),
            ),
        )
        for ordinal, sketch in enumerate(sketches)
    )
