"""Sessions and tasks, as sections of the stats table.

Rules of this file:

- Of one trace all are shown, of many those that took longest.
"""

from __future__ import annotations

from refold.analysis.summary import Summary
from refold.analysis.summary_lines import SessionLine, TaskLine
from refold.analysis.task_figures import TaskFigures
from refold.render.numbers import (
    UNKNOWN,
    cost_text,
    count_text,
    duration_text,
    rate_text,
)
from refold.render.sections import About, Head, Section, shown
from refold.render.stats_words import SHOWN, hit_rate, trace_head

__all__ = ["sessions_section", "tasks_section"]


def sessions_section(summary: Summary, *, many: bool) -> Section:
    """Return the tree of sessions of one trace, or the longest of many traces."""
    lines = summary.sessions[:SHOWN] if many else summary.sessions
    worth = many or len(lines) > 1
    priced = summary.cost is not None
    return Section(
        title=f"Longest traces of {summary.counts.traces:,}" if many else "Sessions",
        heads=(
            Head(title="trace" if many else "session", align="left", elastic=True, tone="name"),
            Head(title="model", align="left", tone="faint", spare=2),
            Head(title="elapsed"),
            Head(title="requests", spare=3),
            Head(title="tools", spare=3),
            Head(title="own tokens"),
            Head(title="with nested"),
            Head(title="cached"),
            *([Head(title="cost")] if priced else []),
        ),
        rows=tuple([_session_row(line, many=many, priced=priced) for line in lines])
        if worth
        else (),
        about=() if many else tuple([About(place=place) for place in range(len(lines))]),
    )


def _session_row(line: SessionLine, *, many: bool, priced: bool) -> tuple[str, ...]:
    name = line.file if many else "  " * line.depth + (line.name or "(main)")
    return (
        shown(name),
        shown(line.model or UNKNOWN),
        duration_text(line.elapsed_ms),
        count_text(line.requests),
        count_text(line.tools),
        count_text(line.own.total),
        count_text(line.subtree.total),
        hit_rate(line.own),
        *([cost_text(line.cost)] if priced else []),
    )


def tasks_section(summary: Summary, *, many: bool) -> Section:
    """Return tasks, compactions and what ran outside, those of the main session."""
    main = [line for line in summary.tasks if many or line.place == 0]
    lines = main[:SHOWN] if many else main
    priced = summary.cost is not None
    return Section(
        title="Longest tasks" if many else "Tasks",
        heads=(
            trace_head(),
            Head(title="#", tone="faint"),
            Head(title="task", align="left", elastic=True, tone="name"),
            Head(title="elapsed"),
            Head(title="model", tone="model"),
            Head(title="tools", tone="tools"),
            Head(title="waiting", tone="waiting"),
            Head(title="idle", spare=3),
            Head(title="tokens"),
            Head(title="cached", spare=2),
            Head(title="out", spare=1),
            Head(title="context", spare=4),
            Head(title="retries"),
            *([Head(title="cost")] if priced else []),
        ),
        rows=tuple([_task_row(line, many=many, priced=priced) for line in lines]),
        about=()
        if many
        else tuple([About(place=line.place, ordinal=line.task.ordinal) for line in lines]),
    )


def _task_row(line: TaskLine, *, many: bool, priced: bool) -> tuple[str, ...]:
    task, times = line.task, line.task.times
    return (
        shown(line.file) if many else "",
        "" if task.index is None else str(task.index + 1),
        shown(_task_name(task)),
        duration_text(times.elapsed_ms),
        duration_text(times.llm_ms if task.llm_known else None),
        duration_text(times.tools_ms),
        duration_text(times.waiting_ms) if times.waiting_ms else "",
        duration_text(times.idle_ms if task.llm_known else None),
        count_text(task.usage.tokens.total + task.nested.tokens.total),
        hit_rate(task.usage.tokens),
        rate_text(task.output_tps),
        count_text(task.context),
        count_text(task.retries) if task.retries else "",
        *([cost_text(task.usage.cost)] if priced else []),
    )


def _task_name(task: TaskFigures) -> str:
    if task.compaction is not None:
        return f"[compaction, {task.compaction.reason}: {task.compaction.status or 'running'}]"
    return "[outside any task]" if task.kind == "outside" else task.label or "(no text)"
