"""Numbers as people read them.

Rules of this file:

- Three digits that matter and a unit; an exact figure is for the rows, not for the eye.
- A time of 1970 is no date: some recordings count from their own start.
- What is unknown is ``–``, never 0. Money that isn't priced says so.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A session is shown without the analysis being imported.
    from refold.analysis.costs import Cost

__all__ = [
    "UNKNOWN",
    "bar",
    "cost_text",
    "count_text",
    "duration_text",
    "is_date",
    "rate_text",
    "share_text",
]

UNKNOWN = "–"

_SECOND = 1000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY
_PLAIN_COUNT = 100_000
_BEYOND = 10**15
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
_DIGITS = 3
_CENT = Decimal("0.01")


def is_date(ms: int) -> bool:
    """Return whether a time is of the calendar, and not counted from a recording's own start.

    Args:
        ms: in Unix ms.
    """
    return not 0 <= ms < _YEAR


def duration_text(ms: int | None) -> str:
    """Return a duration: ``466 ms``, ``12.3 s``, ``3 min 05 s``, ``2 h 03 min``, ``1 d 04 h``."""
    if ms is None:
        return UNKNOWN
    if ms < _SECOND:
        return f"{ms} ms"
    if ms < _MINUTE:
        return f"{ms // 100 / 10:.1f} s"
    if ms < _HOUR:
        return f"{ms // _MINUTE} min {ms % _MINUTE // _SECOND:02} s"
    if ms < _DAY:
        return f"{ms // _HOUR} h {ms % _HOUR // _MINUTE:02} min"
    return f"{ms // _DAY:,} d {ms % _DAY // _HOUR:02} h"


def count_text(count: int | None) -> str:
    """Return a count: ``4,533``, ``124 k``, ``4.60 M``."""
    if count is None:
        return UNKNOWN
    if abs(count) < _PLAIN_COUNT:
        return f"{count:,}"
    if abs(count) >= _BEYOND:
        return f"{Decimal(count):.2e}"
    for size, unit in _UNITS:
        if abs(count) >= size:
            return f"{_three_digits(count / size)} {unit}"
    return str(count)


def share_text(part: int, whole: int) -> str:
    """Return a share: ``13.8 %``."""
    return UNKNOWN if whole <= 0 else f"{100 * part / whole:.1f} %"


def rate_text(tps: float | None) -> str:
    """Return tokens per second: ``25.4/s``."""
    return UNKNOWN if tps is None else f"{_three_digits(tps)}/s"


def cost_text(cost: Cost | None) -> str:
    """Return a cost: ``$1.23``, ``$0.0011``, with a ``+`` where part of it is unpriced."""
    if cost is None:
        return ""
    if cost.usd is None:
        return "unpriced" if cost.unpriced_tokens else UNKNOWN
    return _dollars(cost.usd) + ("+" if cost.unpriced_tokens else "")


def bar(part: int, whole: int, width: int) -> str:
    """Return a bar as long as a share is large, empty for none and never empty for a little."""
    if part <= 0 or whole <= 0:
        return ""
    return "█" * max(1, min(width, (part * width + whole // 2) // whole))


def _dollars(usd: Decimal) -> str:
    if usd >= _BEYOND:
        return f"${usd:.2e}"
    if usd == 0 or usd >= _CENT:
        return f"${usd:,.2f}"
    return f"${usd:.2g}" if usd >= Decimal("0.0001") else f"${usd:.1e}"


def _three_digits(number: float) -> str:
    whole = len(str(int(abs(number))))
    return f"{number:,.{max(0, _DIGITS - whole)}f}"
