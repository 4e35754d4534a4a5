"""Times as logs write them, as ISO 8601.

Rules of this file:

- An absolute time stays what it is: a text is kept (a comma or a blank in it made standard), a
  number is Unix seconds or milliseconds, told apart by their size.
- A time since the log's start is put behind the start if the log names one, else behind
  1970-01-01T00:00Z: spans are then right, and the date is plainly none.
- Anything else is unknown: None.
"""

from __future__ import annotations

import re
from typing import Any

from refold.times import format_ms, parse_ms

__all__ = ["absolute", "elapsed", "prefixed", "started"]

_SECONDS_FROM = 10**8
_MS_FROM = 10**11
_MS_TO = 10**15
_COUNTER = re.compile(r"\+?(?:(\d{1,3}):)?(\d{1,3}):(\d{2})(?:\.(\d{1,3}))?")
_DATED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_BRACKETED = re.compile(r"\[\s*\+?([\d.:]{1,16})\s*(?:ms)?\s*\]")
_STARTED = re.compile(r"#\s*started:\s*(\S{1,40})\s*")


def absolute(value: Any) -> str | None:
    """Return a date and time as ISO 8601, or None if the value is none.

    Args:
        value: a text as logs write it, Unix seconds or Unix milliseconds.
    """
    if type(value) is str:
        text = value.replace(" ", "T", 1).replace(",", ".", 1)
        return text if parse_ms(text) is not None else None
    if not isinstance(value, int | float) or not _SECONDS_FROM <= value < _MS_TO:
        return None
    return _formatted(value if value >= _MS_FROM else value * 1000)


def elapsed(value: Any, start_ms: int | None) -> str | None:
    """Return a time since a log's start as ISO 8601, or None if the value is none.

    Args:
        value: milliseconds, or a counter such as ``00:05`` or ``+01:02:03.5``.
        start_ms: when the log started, in Unix ms, if it says so.
    """
    ms = _counted(value) if type(value) is str else value
    if isinstance(ms, bool) or not isinstance(ms, int | float) or not 0 <= ms < _MS_FROM:
        return None
    return _formatted((start_ms or 0) + ms)


def prefixed(prefix: str, start_ms: int | None) -> str | None:
    """Return the time that a log line's prefix gives, or None if it gives none.

    Args:
        prefix: what stands before the object: a date and time, ``[+00:07]`` or ``[1320]`` (ms).
        start_ms: when the log started, in Unix ms, if it says so.
    """
    dated = _DATED.search(prefix)
    if dated is not None:
        return absolute(dated[0])
    bracketed = _BRACKETED.search(prefix)
    if bracketed is None:
        return None
    counter = bracketed[1]
    return elapsed(counter if ":" in counter else _decimal(counter), start_ms)


def started(line: str) -> int | None:
    """Return when a log started, in Unix ms, if the line says so (``# started: …``)."""
    found = _STARTED.fullmatch(line)
    return None if found is None else parse_ms(found[1])


def _counted(text: str) -> int | None:
    found = _COUNTER.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds, part = found.groups()
    whole = (int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 1000 + int((part or "0").ljust(3, "0"))


def _decimal(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _formatted(ms: float) -> str | None:
    try:
        return format_ms(int(ms))
    except OverflowError:
        return None
