"""From what a file holds to the run's records.

Rules of this file (census S10):

- A record is a JSON object. An array of records is its records, one after the other; a wrapper
  ``{type, timestamp, data}`` around a record is that record at that time.
- Whatever else is among the lines (log lines, numbers, arrays in arrays) is noise: counted.
- The direction is the lane's if there is one, else the record's own type tells, where it does.
"""

from __future__ import annotations

from typing import Any

from refold.records import positional
from refold.sources.claude_stream_json.state import Entry
from refold.sources.fields import moment
from refold.sources.source import Record

__all__ = ["entries_of", "is_known", "plain"]

_KNOWN = frozenset(
    {
        "assistant",
        "user",
        "system",
        "result",
        "stream_event",
        "control_request",
        "control_response",
        "control_cancel_request",
        "rate_limit_event",
    }
)
_BODIES = ("message", "event", "request", "response", "subtype", "rate_limit_info")
_new_entry = positional(Entry)
_OUTBOUND = {"out": True, "in": False}


def entries_of(record: Record) -> tuple[Entry | None, ...]:
    """Return the records in a file's record, None for each piece of noise.

    Args:
        record: a decoded line, or a whole file that is one JSON array.
    """
    found = record.value if isinstance(record.value, list) else [record.value]
    outbound = _OUTBOUND.get(record.lane or "")
    return tuple([_entry(each, outbound) for each in found])


def plain(value: Any) -> dict[str, Any] | None:
    """Return a record without its wrapper, or None if the value is no record."""
    if not isinstance(value, dict):
        return None
    inner = value.get("data")
    if isinstance(inner, dict) and is_known(inner) and not any(each in value for each in _BODIES):
        return inner
    return value


def is_known(value: dict[str, Any]) -> bool:
    """Tell whether an object has the type of one of the run's records."""
    kind = value.get("type")
    return isinstance(kind, str) and kind in _KNOWN


def _entry(value: Any, outbound: bool | None) -> Entry | None:
    found = plain(value)
    if found is None:
        return None
    at = moment(found.get("timestamp"))
    if at is None and found is not value:
        at = moment(value.get("timestamp"))
    return _new_entry(found, at, outbound)
