"""Bars on a time line, as values, in rows and within bounds.

Rules of this file:

- A bar leads to an item. What is inside it and leads nowhere is a ``Stripe``.
- Bars that overlap stand in rows below each other, ``MOST_ROWS`` at most.
- Neighbours that no eye could part become one, so a row has a bounded number of bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

from refold.analysis import Interval, lanes
from refold.records import evolve, record
from refold.render.report.moments import WIDTH, Scale

__all__ = ["Bar", "BarTone", "Lane", "Stripe", "StripeTone", "bounded", "packed", "rows_of"]

BarTone: TypeAlias = Literal[
    "task", "compaction", "model", "tool", "failed", "waiting", "retry", "child"
]
StripeTone: TypeAlias = Literal["thinking", "text", "call", "model", "tool"]

MOST_ROWS: Final = 6
_FINEST: Final = WIDTH // 4000


@record
class Bar:
    """A stretch of time.

    Args:
        interval: from and to, in Unix ms; equal for a moment.
        tone: how it looks.
        says: what it is, in words.
        places: ids of the items it tells of; it leads to the first.
        row: which row of its lane it stands in.
        joined: how many bars it stands for.
    """

    interval: Interval
    tone: BarTone
    says: str
    places: tuple[str, ...]
    row: int = 0
    joined: int = 1


@record
class Stripe:
    """Stretches of one kind inside a row's bars."""

    tone: StripeTone
    row: int
    intervals: tuple[Interval, ...]


@record
class Lane:
    """A lane.

    Args:
        title: what it tells of.
        note: how much of it there is, in words.
        bars: its bars, in order of rows and time.
        stripes: what is inside them.
        rows: how many rows there are.
    """

    title: str
    note: str
    bars: tuple[Bar, ...]
    stripes: tuple[Stripe, ...] = ()
    rows: int = 1


def packed(title: str, note: str, bars: Sequence[Bar]) -> Lane:
    """Return a lane of bars, in rows in which none overlap."""
    rows = rows_of(bars)
    placed = [evolve(bar, row=row) for bar, row in zip(bars, rows, strict=True)]
    placed.sort(key=lambda bar: (bar.row, bar.interval))
    return Lane(title=title, note=note, bars=tuple(placed), rows=max(rows, default=0) + 1)


def rows_of(bars: Sequence[Bar]) -> list[int]:
    """Return the row of each bar; what finds no room shares the last."""
    return [min(row or 0, MOST_ROWS - 1) for row in lanes([bar.interval for bar in bars])]


def bounded(lane: Lane, scale: Scale) -> Lane:
    """Make neighbours that fall into one sliver of a row one bar.

    Args:
        lane: a lane.
        scale: its time line.
    """

    def sliver(bar: Bar) -> tuple[int, int, int]:
        begin, end = (scale.x(ms) // _FINEST for ms in bar.interval)
        return bar.row, begin, end

    groups = [list(group) for _, group in groupby(lane.bars, key=sliver)]
    if len(groups) == len(lane.bars):
        return lane
    return evolve(lane, bars=tuple(map(_joined, groups)))


def _joined(bars: Sequence[Bar]) -> Bar:
    if len(bars) == 1:
        return bars[0]
    return evolve(
        bars[0],
        interval=(bars[0].interval[0], max([bar.interval[1] for bar in bars])),
        tone="failed" if any(bar.tone == "failed" for bar in bars) else bars[0].tone,
        places=tuple([place for bar in bars for place in bar.places]),
        joined=sum([bar.joined for bar in bars]),
    )
