"""Plots on a time line, as values: surfaces, points, and what they say.

Rules of this file:

- A plot's x is a place on the time line, its y goes from 0 to ``HEIGHT``, downwards as screens
  count.
- Points that no eye could part become one: the last of a sum, the largest of a size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from refold.records import record
from refold.render.report.moments import WIDTH

__all__ = ["HEIGHT", "Area", "Mark", "Plot", "PlotTone", "height_of", "thinned"]

HEIGHT: Final = 1000

T = TypeVar("T")

PlotTone: TypeAlias = Literal["cached", "new", "out", "other", "rate"]

_FINEST: Final = WIDTH // 1000


@record
class Area:
    """A surface below a line of steps.

    Args:
        tone: what it counts.
        steps: places and heights, left to right; each holds until the next.
    """

    tone: PlotTone
    steps: tuple[tuple[int, int], ...]


@record
class Mark:
    """A point that says something and leads somewhere.

    Args:
        x: where it begins.
        end_x: where the next one begins, or where it ends.
        y: its height.
        says: what it is, in words.
        place: the id of the item it leads to, if there is one.
    """

    x: int
    end_x: int
    y: int
    says: str
    place: str | None


@record
class Plot:
    """A plot.

    Args:
        title: what it shows.
        note: its sums or its range, in words.
        areas: surfaces, those behind first.
        marks: points.
        tone: of the marks where they are drawn; None where they are only to be pointed at.
        legend: tones and what they stand for.
    """

    title: str
    note: str
    areas: tuple[Area, ...] = ()
    marks: tuple[Mark, ...] = ()
    tone: PlotTone | None = None
    legend: tuple[tuple[PlotTone, str], ...] = ()


def height_of(value: float, most: float) -> int:
    """Return how far below the top a value stands.

    Args:
        value: from 0; more than the most stands at the top.
        most: what stands at the top.
    """
    return HEIGHT - min(HEIGHT, int(HEIGHT * value / most))


def thinned(
    points: Sequence[T], x: Callable[[T], int], *, largest: Callable[[T], float] | None = None
) -> list[T]:
    """Keep one of the points in each sliver: the last, or the largest.

    Args:
        points: from left to right.
        x: where each stands.
        largest: what the largest is told by.
    """
    kept: list[T] = []
    for point in points:
        if not kept or x(point) // _FINEST != x(kept[-1]) // _FINEST:
            kept.append(point)
        elif largest is None or largest(point) > largest(kept[-1]):
            kept[-1] = point
    return kept
