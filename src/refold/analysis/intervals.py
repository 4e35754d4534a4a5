"""Time counted once.

Rules of this file (analysis.md, "Interval union"):

- An interval is ``(begin_ms, end_ms)`` with ``begin_ms <= end_ms``; one that ends before it
  begins comes from a clock that went back, and is dropped by ``merged``.
- A *merged* tuple is sorted, disjoint and without gaps of zero length; all but ``merged`` and
  ``lanes`` take and give merged tuples, in linear time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import TypeAlias

__all__ = ["Interval", "between", "lanes", "length", "merged", "within", "without"]

Interval: TypeAlias = tuple[int, int]


def between(begin_ms: int | None, end_ms: int | None) -> int | None:
    """Return the ms between two moments, 0 if the second is earlier; None if either is unknown."""
    return None if begin_ms is None or end_ms is None else max(0, end_ms - begin_ms)


def merged(intervals: Iterable[Interval]) -> tuple[Interval, ...]:
    """Return the union of intervals in any order, as a merged tuple."""
    union: list[Interval] = []
    for begin, end in sorted(intervals):
        if end <= begin:
            continue
        if union and begin <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((begin, end))
    return tuple(union)


def length(intervals: Iterable[Interval]) -> int:
    """Return the summed length in ms."""
    return sum([end - begin for begin, end in intervals])


def within(intervals: Sequence[Interval], others: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return the parts of merged intervals that lie inside other merged intervals."""
    shared: list[Interval] = []
    at = to = 0
    while at < len(intervals) and to < len(others):
        begin = max(intervals[at][0], others[to][0])
        end = min(intervals[at][1], others[to][1])
        if begin < end:
            shared.append((begin, end))
        if intervals[at][1] < others[to][1]:
            at += 1
        else:
            to += 1
    return tuple(shared)


def without(intervals: Sequence[Interval], removed: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return the parts of merged intervals that lie outside other merged intervals."""
    kept: list[Interval] = []
    first = 0
    for begin, end in intervals:
        while first < len(removed) and removed[first][1] <= begin:
            first += 1
        at, left = first, begin
        while at < len(removed) and removed[at][0] < end:
            if left < removed[at][0]:
                kept.append((left, removed[at][0]))
            left = max(left, removed[at][1])
            at += 1
        if left < end:
            kept.append((left, end))
    return tuple(kept)


def lanes(intervals: Sequence[Interval | None]) -> tuple[int | None, ...]:
    """Give each interval the lowest lane that is free when it begins.

    Args:
        intervals: in any order; None takes no lane.

    Returns:
        A lane from 0 for each, in the order given: intervals of one lane don't overlap.
    """
    order = sorted((each, place) for place, each in enumerate(intervals) if each is not None)
    taken: list[int | None] = [None] * len(intervals)
    busy: list[tuple[int, int]] = []
    free: list[int] = []
    for (begin, end), place in order:
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        lane = heappop(free) if free else len(busy)
        heappush(busy, (max(begin, end), lane))
        taken[place] = lane
    return tuple(taken)
