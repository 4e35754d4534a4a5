"""Messages as the rooms of a source make them: before they know their session.

Rules of this file:

- A sketch says what, when and from which line; the session it belongs to and its place among the
  record's messages are added once, at the end.
- Its line may be an earlier one than the record's: what was said over many lines points at its
  first, so that a reader of an item finds where it begins.
- Time is the record's or none (sources/README.md); nothing here asks for the hour.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.json_values import EMPTY
from refold.messages import Message, Payload, SourcePosition, Transport
from refold.records import positional, record

__all__ = ["NOWHERE", "Sketch", "Spot", "sketched", "spot_at", "stamped"]


@record
class Spot:
    """Where and when a record was.

    Args:
        timestamp: its time, ISO 8601; None if it has none.
        line: the line it was read from, 1-based.
    """

    timestamp: str | None = None
    line: int | None = None


NOWHERE = Spot()

spot_at = positional(Spot)


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


_new_sketch = positional(Sketch)
_new_message = positional(Message)
_new_transport = positional(Transport)
_new_position = positional(SourcePosition)


def sketched(payload: Payload, spot: Spot, id: str | None, since: Spot | None) -> Sketch:
    """Return a sketch; one of something that began earlier points at the line it began on.

    Args:
        payload: what it says.
        spot: when, and on which line.
        id: the format's own id of it, if there is one.
        since: where it began, if that was earlier.
    """
    if since is None:
        return _new_sketch(payload, spot, id, None)
    return _new_sketch(payload, spot_at(spot.timestamp, since.line), id, since.timestamp)


def stamped(
    sketches: Sequence[Sketch], *, source: str, lane: str | None, origin: tuple[str, ...]
) -> tuple[Message, ...]:
    """Return sketches as messages of a session.

    Args:
        sketches: all that one record made for that session, in order.
        source: the format's name.
        lane: what the format's ids are unique within.
        origin: the session, outer to inner.
    """
    return tuple(
        [
            _new_message(
                sketch.payload,
                sketch.spot.timestamp,
                origin,
                _new_transport(
                    None,
                    sketch.started_at,
                    _new_position(source, lane, sketch.id, ordinal, sketch.spot.line),
                ),
                EMPTY,
            )
            for ordinal, sketch in enumerate(sketches)
        ]
    )
