"""Rows of one kind as a section, for people: the columns that matter, humanised.

Rules of this file:

- A program reads JSON, CSV or Parquet; here a moment is a time of day and a count is rounded.
- Which columns are shown, and which of them may go first where room is short, is one table.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from refold.analysis.columns import Column, Value
from refold.analysis.costs import Cost
from refold.analysis.rows import Table
from refold.analysis.tables import By
from refold.render.numbers import UNKNOWN, cost_text, count_text, duration_text, rate_text
from refold.render.sections import Head, Section, Tone, shown, without_empty

__all__ = ["section_of"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

# What is shown of each table: a column's name and how soon it may be left out.
_SHOWN: dict[By, dict[str, int]] = {
    "session": {
        "file": 0,
        "session_id": 0,
        "model": 4,
        "first_ms": 5,
        "tasks": 3,
        "requests": 3,
        "tools": 3,
        "elapsed_ms": 0,
        "llm_ms": 0,
        "tools_ms": 0,
        "idle_ms": 2,
        "total_tokens": 0,
        "cache_hit_rate": 1,
        "output_tps": 1,
        "cost_usd": 0,
    },
    "task": {
        "file": 0,
        "session": 0,
        "task": 0,
        "label": 0,
        "begin_ms": 5,
        "elapsed_ms": 0,
        "llm_ms": 0,
        "tools_ms": 0,
        "waiting_ms": 1,
        "idle_ms": 2,
        "total_tokens": 0,
        "cache_hit_rate": 1,
        "context": 3,
        "output_tps": 2,
        "retries": 1,
        "cost_usd": 0,
    },
    "request": {
        "file": 0,
        "session": 0,
        "request": 0,
        "task": 0,
        "begin_ms": 4,
        "duration_ms": 0,
        "wait_ms": 1,
        "thinking_ms": 2,
        "text_ms": 2,
        "tool_call_ms": 2,
        "status": 0,
        "model": 5,
        "total_tokens": 0,
        "output_tokens": 1,
        "output_tps": 0,
        "cost_usd": 0,
        "error_message": 3,
    },
    "tool": {
        "file": 0,
        "session": 0,
        "tool": 0,
        "task": 1,
        "name": 0,
        "call_ms": 4,
        "arguments_ms": 2,
        "wait_ms": 0,
        "run_ms": 0,
        "decision": 2,
        "output_stop_reason": 0,
        "output_characters": 1,
        "tool_call_id": 3,
    },
}
_TITLES = {"file": "trace", "session": "s", "request": "#", "tool": "#", "task": "task"}
_ELASTIC = ("file", "session_id", "label", "tool_call_id", "error_message", "model")
_MOMENTS = ("first_ms", "begin_ms", "call_ms")
_TONES: dict[str, Tone] = {
    "file": "faint",
    "label": "name",
    "name": "name",
    "llm_ms": "model",
    "tools_ms": "tools",
    "run_ms": "tools",
    "waiting_ms": "waiting",
    "wait_ms": "waiting",
}


def section_of(table: Table) -> Section:
    """Return rows as a section; a column in which no row says anything is left out."""
    places = {column.name: place for place, column in enumerate(table.columns)}
    shown_columns = [table.columns[places[name]] for name in _SHOWN[table.by]]
    section = Section(
        title=f"{len(table.rows):,} {table.by}{'' if len(table.rows) == 1 else 's'}",
        heads=tuple([_head(column, table.by) for column in shown_columns]),
        rows=tuple(
            [
                tuple([_text(column, row[places[column.name]]) for column in shown_columns])
                for row in table.rows
            ]
        ),
    )
    return without_empty(section)


def _head(column: Column, by: By) -> Head:
    name = column.name
    return Head(
        title=_TITLES.get(name, _unitless(name)) if name != by else "#",
        align="left" if column.kind == "text" else "right",
        elastic=name in _ELASTIC,
        spare=_SHOWN[by][name],
        tone=_TONES.get(name, "plain"),
    )


def _unitless(name: str) -> str:
    for ending in ("_ms", "_usd", "_tps", "_tokens", "_rate"):
        name = name.removesuffix(ending)
    return name.replace("_", " ")


def _text(column: Column, value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, Decimal):
        return cost_text(Cost(usd=value))
    if isinstance(value, float):
        return f"{100 * value:.1f} %" if column.name.endswith("_rate") else rate_text(value)
    if column.name in _MOMENTS:
        return _moment(value)
    return duration_text(value) if column.name.endswith("_ms") else count_text(value)


def _moment(ms: int) -> str:
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).strftime("%Y-%m-%d %H:%M:%S")
    except OverflowError:
        return UNKNOWN
