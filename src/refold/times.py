"""Timestamps to whole Unix milliseconds.

Rules of this file (protocol.md, "Envelope"):

- Digits past the millisecond are cut, never rounded; no offset means UTC.
- Unreadable is None, never now: nothing here knows what time it is.
- ``datetime.fromisoformat`` reads nearly everything; dateutil's ``isoparse`` gets what it refuses.
  A date alone, ``24:00`` and a leap second are refused whatever either says.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

__all__ = ["format_ms", "parse_ms"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - what has no offset is UTC
_MS = timedelta(milliseconds=1)
_read = datetime.fromisoformat
_FARTHEST = timedelta(hours=23, minutes=59)
_LONGEST_DATE = 10
_MIDNIGHT = ("T00", " 00")
_LONGEST_TIMESTAMP = 64


def parse_ms(timestamp: str | None) -> int | None:
    """Read an ISO 8601 timestamp as Unix milliseconds.

    Args:
        timestamp: the text on the envelope, or None.

    Returns:
        Whole milliseconds since 1970-01-01T00:00Z, or None if there is no readable time.
    """
    if timestamp is None:
        return None
    try:
        moment = _read(timestamp)
        since = moment - _EPOCH
    except (ValueError, TypeError):
        return _parse_rare(timestamp)
    if moment.hour == 0 and timestamp[10:13] not in _MIDNIGHT and _is_no_time(timestamp):
        return None
    return since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000


def format_ms(ms: int) -> str:
    """Write Unix milliseconds as an ISO 8601 timestamp that ``parse_ms`` reads back.

    Args:
        ms: milliseconds since 1970-01-01T00:00Z. In UTC within the years 1 to 9999; a moment that
            only an offset brings within a day of them is written with one.

    Raises:
        OverflowError: no timestamp says this moment.
    """
    try:
        moment = _NAIVE_EPOCH + ms * _MS
    except OverflowError:
        offset = _FARTHEST if ms < 0 else -_FARTHEST
        moment = (_NAIVE_EPOCH + (ms * _MS + offset)).replace(tzinfo=timezone(offset))
        return moment.isoformat(timespec="milliseconds")
    return moment.isoformat(timespec="milliseconds") + "Z"


def _parse_rare(timestamp: str) -> int | None:
    """Read what names no offset, or what ``datetime.fromisoformat`` refuses."""
    try:
        moment = _read(timestamp)
    except ValueError:
        return _parse_otherwise(timestamp)
    if moment.hour == 0 and _is_no_time(timestamp):
        return None
    return _since_epoch(moment)


def _parse_otherwise(timestamp: str) -> int | None:
    # dateutil would be an eighth of what importing the fold costs, and few ever need it.
    from dateutil.parser import isoparse  # noqa: PLC0415

    if not _LONGEST_DATE < len(timestamp) <= _LONGEST_TIMESTAMP or _says_24(timestamp):
        return None
    try:
        return _since_epoch(isoparse(timestamp))
    except (ValueError, OverflowError):
        return None


def _since_epoch(moment: datetime) -> int:
    return (moment - (_NAIVE_EPOCH if moment.tzinfo is None else _EPOCH)) // _MS


def _is_no_time(timestamp: str) -> bool:
    """Tell whether a first hour stands for a date alone, or for ``24:00``."""
    return len(timestamp) <= _LONGEST_DATE or _says_24(timestamp)


def _says_24(timestamp: str) -> bool:
    time = timestamp[timestamp.find("T") + 1 :] if "T" in timestamp else timestamp[11:]
    return time.startswith("24")
