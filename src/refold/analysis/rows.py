"""One row per session, task, request or tool, for whatever reads tables.

Rules of this file:

- A row is a tuple of plain values in the order of the table's columns; tables of one kind can be
  joined into one.
- JSON and CSV are texts a program can rely on: money is a decimal text, never a float; CSV has a
  header, quotes what it must and writes None as nothing; what UTF-8 can't hold is escaped.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any

from refold.analysis.columns import Column, Subject, Value
from refold.analysis.findings import Analysis
from refold.analysis.intervals import lanes
from refold.analysis.marks import Segment
from refold.analysis.tables import COLUMNS, By
from refold.records import positional, record

__all__ = ["Table", "csv_text", "joined", "json_rows", "table_of"]

_subject = positional(Subject)


@record
class Table:
    """Rows of one kind.

    Args:
        by: the kind.
        rows: the values of each row, in the order of the columns.
    """

    by: By
    rows: tuple[tuple[Value, ...], ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """What the values of a row are."""
        return COLUMNS[self.by]


def table_of(analysis: Analysis, by: By, *, file: str = "") -> Table:
    """Return the rows of one kind of an analysis.

    Args:
        analysis: of one trace.
        by: what a row is.
        file: the name of the trace, for the first column.
    """
    columns = COLUMNS[by]
    rows = [
        tuple([column.value(subject) for column in columns])
        for subject in _SUBJECTS[by](analysis, file)
    ]
    return Table(by=by, rows=tuple(rows))


def joined(by: By, tables: Iterable[Table]) -> Table:
    """Return the rows of many tables of one kind, in order."""
    return Table(by=by, rows=tuple([row for table in tables for row in table.rows]))


def json_rows(table: Table) -> list[dict[str, Any]]:
    """Return the rows as JSON-able objects; money is a decimal text."""
    names = [column.name for column in table.columns]
    return [
        {name: _plain(value) for name, value in zip(names, row, strict=True)} for row in table.rows
    ]


def csv_text(table: Table) -> str:
    """Return the rows as CSV (RFC 4180) with a header."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([column.name for column in table.columns])
    writer.writerows([[_cell(value) for value in row] for row in table.rows])
    return text.getvalue()


# --- what rows are about ----------------------------------------------------------------------


def _sessions(analysis: Analysis, file: str) -> Iterator[Subject]:
    doubted = {doubt.session for doubt in analysis.conservation.doubts}
    for place, session in enumerate(analysis.sessions):
        yield _subject(file, analysis, place, session, place, session, place in doubted)


def _tasks(analysis: Analysis, file: str) -> Iterator[Subject]:
    for place, session in enumerate(analysis.sessions):
        for index, task in enumerate(session.rows):
            yield _subject(file, analysis, place, session, index, task, None)


def _requests(analysis: Analysis, file: str) -> Iterator[Subject]:
    for place, session in enumerate(analysis.sessions):
        segments: dict[int, list[Segment]] = defaultdict(list)
        for segment in session.segments:
            segments[segment.request].append(segment)
        for index, request in enumerate(session.requests):
            inside = segments.get(index, ())
            yield _subject(file, analysis, place, session, index, request, inside)


def _tools(analysis: Analysis, file: str) -> Iterator[Subject]:
    for place, session in enumerate(analysis.sessions):
        taken = lanes([tool.interval for tool in session.tools])
        for index, tool in enumerate(session.tools):
            yield _subject(file, analysis, place, session, index, tool, taken[index])


_SUBJECTS: dict[By, Callable[[Analysis, str], Iterator[Subject]]] = {
    "session": _sessions,
    "task": _tasks,
    "request": _requests,
    "tool": _tools,
}


# --- values -----------------------------------------------------------------------------------


def _plain(value: Value) -> Value:
    return _digits(value) if isinstance(value, Decimal) else value


def _cell(value: Value) -> Value:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return _plain(value)


def _digits(money: Decimal) -> str:
    text = format(money, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
