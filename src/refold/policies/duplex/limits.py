"""How much of a turn is taken before the session closes.

Rules of this file (sources/stream-json-and-acp.md 2.1 F5-F8, 2.9):

- Every limit is off unless it is given. A limit that trips is a failure, never a short turn.
- Turn bytes count what is taken while a turn is pending, line ends, blank and broken lines and the
  closing result included. A slice that would pass the limit isn't charged.
- Of a line begun while no turn was pending, the part already buffered is charged once, to the turn
  that finds it there.
- Turn events count what the turn retains; the event that finds the turn full trips.
"""

from __future__ import annotations

from refold.policies.duplex.failures import LimitExceeded
from refold.records import evolve, record

__all__ = [
    "UNLIMITED",
    "Limits",
    "TurnBytes",
    "charge",
    "charge_buffered",
    "event_trip",
    "frame_trip",
    "start_counting",
    "stop_counting",
]


@record
class Limits:
    """The opt-in limits of a session; None is no limit.

    Args:
        max_frame_bytes: of one line, its newline included.
        max_turn_bytes: of one turn.
        max_turn_events: retained in one turn.
    """

    max_frame_bytes: int | None = None
    max_turn_bytes: int | None = None
    max_turn_events: int | None = None


UNLIMITED = Limits()


@record
class TurnBytes:
    """The bytes charged to the pending turn.

    Args:
        used: how many, or None while no turn is pending.
        fresh: nothing was taken since the turn began.
    """

    used: int | None = None
    fresh: bool = False


def start_counting(counter: TurnBytes) -> TurnBytes:
    """Return the counter at the start of a turn, whatever it counted before."""
    started = TurnBytes(used=0, fresh=True)
    return counter if counter == started else started


def stop_counting(counter: TurnBytes) -> TurnBytes:
    """Return the counter behind a turn."""
    return counter if counter.used is None else TurnBytes()


def charge_buffered(limits: Limits, counter: TurnBytes, size: int) -> TurnBytes | LimitExceeded:
    """Charge what a turn finds buffered of an unfinished line (F8).

    Args:
        limits: the session's.
        counter: the turn's.
        size: how many bytes of the line were taken before.
    """
    if not counter.fresh:
        return counter
    return charge(limits, evolve(counter, fresh=False), size)


def charge(limits: Limits, counter: TurnBytes, size: int) -> TurnBytes | LimitExceeded:
    """Charge a slice of the wire to the pending turn (F6).

    Args:
        limits: the session's.
        counter: the turn's.
        size: the slice's length in bytes, its newline included.
    """
    if counter.used is None:
        return counter
    used = counter.used + size
    if limits.max_turn_bytes is not None and used > limits.max_turn_bytes:
        return LimitExceeded(limit="turn_bytes", max=limits.max_turn_bytes)
    return evolve(counter, used=used)


def frame_trip(limits: Limits, size: int) -> LimitExceeded | None:
    """Tell whether a line of so many bytes, its newline included, is too long (F5)."""
    if limits.max_frame_bytes is None or size <= limits.max_frame_bytes:
        return None
    return LimitExceeded(limit="frame_bytes", max=limits.max_frame_bytes)


def event_trip(limits: Limits, retained: int) -> LimitExceeded | None:
    """Tell whether a turn that already retains so many events can't take another."""
    if limits.max_turn_events is None or retained < limits.max_turn_events:
        return None
    return LimitExceeded(limit="turn_events", max=limits.max_turn_events)
