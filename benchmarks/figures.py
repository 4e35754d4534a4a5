"""What was measured, and what it should be."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

__all__ = ["Figure", "table", "verdict"]


@attrs.frozen(kw_only=True)
class Figure:
    """One measured number.

    Args:
        key: its name in JSON, dotted.
        measure: what it is, for people.
        value: the number.
        unit: of the number and its goals; ``×`` is a ratio.
        must: the most it may be, if there is such a goal.
        aim: the most it would best be.
    """

    key: str
    measure: str
    value: float
    unit: str
    must: float | None = None
    aim: float | None = None


def verdict(figure: Figure) -> str:
    """Say which goal the number meets: the aim, the must, none, or nothing where there is no goal."""
    if figure.aim is not None and figure.value <= figure.aim:
        return "aim"
    if figure.must is not None:
        return "must" if figure.value <= figure.must else "**missed**"
    return "" if figure.aim is None else "short of the aim"


def table(figures: Sequence[Figure]) -> str:
    """Return a Markdown table, a row for each figure."""
    rows: list[tuple[str, ...]] = [("measure", "measured", "must", "aim", "reached")]
    rows += [("---", "---:", "---:", "---:", "---")]
    rows += [_row(figure) for figure in figures]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _row(figure: Figure) -> tuple[str, ...]:
    numbers = (figure.value, figure.must, figure.aim)
    return figure.measure, *(_number(n, figure.unit) for n in numbers), verdict(figure)


def _number(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
