"""Counting what a source didn't understand, by reason.

Rules of this file:

- A reason is a short text of the source's own, or an unknown kind's name; how many different ones
  are kept is bounded, what comes after counts as ``other``.
"""

from __future__ import annotations

from refold.maps import EMPTY_MAP, Map
from refold.records import record

__all__ = ["NOTHING_COUNTED", "Tally", "counted", "totals", "unknown"]

_REASONS = 64
_LONGEST = 80
_REST = "other"


@record
class Tally:
    """How often each reason was met."""

    by_reason: Map[int] = EMPTY_MAP


NOTHING_COUNTED = Tally()


def counted(tally: Tally, reason: str, times: int = 1) -> Tally:
    """Return a tally with a reason counted once more.

    Args:
        tally: what was counted before.
        reason: why a record was not, or not wholly, understood.
        times: how many records it stands for.
    """
    reason = reason[:_LONGEST]
    known = tally.by_reason
    if reason not in known and len(known) >= _REASONS:
        reason = _REST
    return Tally(by_reason=known.put(reason, known.get(reason, 0) + times))


def unknown(tally: Tally, what: str, kind: object) -> Tally:
    """Return a tally with a record of an unknown kind counted.

    Args:
        tally: what was counted before.
        what: what it is a kind of ("event", "item").
        kind: its name, of any JSON type.
    """
    named = kind if isinstance(kind, str) and kind else "without a type"
    return counted(tally, f"unknown {what}: {named}")


def totals(tally: Tally) -> dict[str, int]:
    """Return the counts as plain data."""
    return dict(tally.by_reason)
