"""How much room there is, and how much is shown of what is long.

Rules of this file:

- Everything that depends on the terminal or the person is an argument: nothing here asks.
- What is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from typing import Final

from refold.records import evolve, record
from refold.render.numbers import is_date
from refold.render.terminal.cells import clipped, rows, unfinished
from refold.render.terminal.harmless import harmless

__all__ = ["LEAST_WIDTH", "Layout", "clock_text", "date_text", "elided", "narrowed", "prose"]

LEAST_WIDTH: Final = 24
_TAB: Final = 4
_LINE_ROWS: Final = 3
# A character may take no column; a text that is far longer than what is shown isn't read for it.
_PER_COLUMN: Final = 8
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@record
class Layout:
    """How a session is laid out.

    Args:
        width: columns.
        full: whether everything long is shown whole.
        zone: the time zone that times are shown in.
        at_rest: whether nothing more comes: what has no end will have none.
    """

    width: int = 100
    full: bool = False
    zone: tzinfo = UTC
    at_rest: bool = False


def narrowed(layout: Layout, by: int) -> Layout:
    """Return a layout for what is indented; what would get too narrow isn't any narrower."""
    return evolve(layout, width=max(layout.width - by, LEAST_WIDTH))


def prose(text: str, layout: Layout, most: int | None) -> list[str]:
    """Return a text in rows; where there are more of them, the last tells how much.

    Args:
        text: any text.
        layout: the layout.
        most: how many rows to show, about; None is all.
    """
    body = text.strip("\n")
    if layout.full or most is None:
        return [row for each in body.split("\n") for row in _rows(each, layout.width)]
    beginning = body[: (most + 2) * layout.width * _PER_COLUMN]
    wrapped = (row for each in beginning.split("\n") for row in _rows(each, layout.width))
    shown = list(islice(wrapped, most + 2))
    if len(shown) <= most + 1 and len(beginning) == len(body):
        # One row more takes no more room than to say that there is more.
        return shown
    left = len(body) - sum(len(row) + 1 for row in shown[:most])
    return [*shown[:most], f"… {max(left, 1):,} more characters"]


def elided(text: str, layout: Layout, head: int, tail: int = 0) -> list[str]:
    """Return a text of lines in rows: its beginning, how many lines are left out, and its end.

    Args:
        text: any text.
        layout: the layout.
        head: how many rows to show of its beginning, about.
        tail: how many lines to show of its end.
    """
    lines = text.strip("\n").split("\n")
    if layout.full:
        return [row for each in lines for row in _rows(each, layout.width)]
    shown: list[str] = []
    count = 0
    for count, each in enumerate(lines):
        if len(shown) >= head and len(lines) - count > tail + 1:
            break
        shown += _few_rows(each, layout.width)
    else:
        return shown
    left = len(lines) - count - tail
    end = [clipped(_flat(each).rstrip(), layout.width) for each in lines[len(lines) - tail :]]
    return [*shown, f"… {left:,} more lines", *end]


def _rows(text: str, width: int) -> Iterator[str]:
    return rows(_flat(text), width)


def _few_rows(text: str, width: int) -> list[str]:
    """Return a line in a few rows, the last of which says that it goes on."""
    shown = list(
        islice(_rows(text[: (_LINE_ROWS + 1) * width * _PER_COLUMN], width), _LINE_ROWS + 1)
    )
    if len(shown) <= _LINE_ROWS:
        return shown
    return [*shown[: _LINE_ROWS - 1], unfinished(shown[_LINE_ROWS - 1], width)]


def _flat(text: str) -> str:
    return harmless(text.removesuffix("\r")).expandtabs(_TAB)


def clock_text(at_ms: int | None, layout: Layout) -> str:
    """Return a time of day: ``19:24:29``, or nothing if the time is unknown.

    One that is no date is how long after the start it was: ``+0:01:30``.

    Args:
        at_ms: Unix milliseconds.
        layout: the layout.
    """
    if at_ms is not None and not is_date(at_ms):
        return f"+{timedelta(seconds=at_ms // 1000)}"
    moment = _moment(at_ms, layout)
    return "" if moment is None else f"{moment:%H:%M:%S}"


def date_text(at_ms: int | None, layout: Layout) -> str:
    """Return a day: ``2026-11-30``, or nothing if the time is unknown or no date.

    Args:
        at_ms: Unix milliseconds.
        layout: the layout.
    """
    moment = _moment(at_ms, layout)
    return "" if moment is None or not is_date(at_ms or 0) else f"{moment:%Y-%m-%d}"


def _moment(at_ms: int | None, layout: Layout) -> datetime | None:
    try:
        return (
            None
            if at_ms is None
            else (_EPOCH + timedelta(milliseconds=at_ms)).astimezone(layout.zone)
        )
    except (OverflowError, ValueError):
        return None
