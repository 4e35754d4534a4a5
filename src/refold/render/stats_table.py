"""Where the time, the tokens and the money went, as sections of a report.

Rules of this file (analysis.md, "On the command line"):

- A summary in, sections out: no figure is made here that isn't a quotient of two that are given.
- A section without rows is left out; cost columns only where prices were given.
"""

from __future__ import annotations

from refold.analysis.findings import TaskFigures
from refold.analysis.rates import tokens_per_second
from refold.analysis.summary import SessionLine, Summary, TaskLine, ToolLine
from refold.analysis.tokens import Tokens, total_of
from refold.render.numbers import (
    UNKNOWN,
    bar,
    cost_text,
    count_text,
    duration_text,
    rate_text,
    share_text,
)
from refold.render.sections import About, Head, Section, shown, without_empty

__all__ = ["sections_of"]

_BAR = 30
_SHOWN = 10


def sections_of(summary: Summary) -> tuple[Section, ...]:
    """Return the sections of a report.

    Args:
        summary: of one trace or of many.
    """
    many = summary.counts.traces != 1
    sections = [
        _totals(summary),
        _time(summary),
        _sessions(summary, many=many),
        _tasks(summary, many=many),
        _slowest(summary, many=many),
        _tools(summary),
        _models(summary),
        _retries(summary),
        _doubts(summary, many=many),
    ]
    return tuple([without_empty(section) for section in sections if section.rows])


# --- totals -----------------------------------------------------------------------------------


def _totals(summary: Summary) -> Section:
    counts, times = summary.counts, summary.times
    tokens = total_of(each.tokens for each in summary.models)
    rows = [
        ("traces", count_text(counts.traces), f"{count_text(counts.messages)} messages"),
        ("sessions", count_text(counts.sessions), f"{counts.sessions - counts.traces:,} nested"),
        ("tasks", count_text(counts.tasks), _some(counts.compactions, "compaction")),
        ("elapsed", duration_text(times.elapsed_ms), "task by task, pauses between left out"),
        ("requests", count_text(counts.requests), _requests(summary)),
        ("tool calls", count_text(counts.tools), _some(counts.refused_tools, "not run", "not run")),
        ("tokens", count_text(tokens.total), _buckets(tokens)),
        ("cache hits", _hit_rate(tokens), "of input tokens"),
        (
            "output",
            rate_text(tokens_per_second(counts.timed_output, times.llm_ms)),
            f"in {duration_text(times.llm_ms)} of model time" if counts.timed_requests else "",
        ),
    ]
    if summary.cost is not None:
        rows.append(("cost", cost_text(summary.cost), _unpriced(summary.cost.unpriced_tokens)))
    if counts.aborts:
        rows.append(("aborts", count_text(counts.aborts), ""))
    return Section(
        title="Totals",
        heads=(Head(title="", align="left", tone="name"), Head(title=""), _note_head()),
        rows=tuple(rows),
    )


def _requests(summary: Summary) -> str:
    unfinished = summary.counts.unfinished_requests
    parts = [
        _some(summary.counts.retries, "failed and tried again", "failed and tried again"),
        _some(unfinished, "never ended", "never ended"),
    ]
    return ", ".join(part for part in parts if part)


def _buckets(tokens: Tokens) -> str:
    parts = [
        f"{count_text(tokens.cache_read)} cached in",
        f"{count_text(tokens.cache_write)} new in",
        f"{count_text(tokens.output)} out",
    ]
    if tokens.unbucketed:
        parts.append(f"{count_text(tokens.unbucketed)} of no kind")
    return ", ".join(parts)


def _unpriced(tokens: int) -> str:
    return f"{count_text(tokens)} tokens have no price" if tokens else ""


# --- time -------------------------------------------------------------------------------------


def _time(summary: Summary) -> Section:
    times = summary.times
    known = summary.counts.timed_requests > 0
    untold = "" if known else "the trace doesn't tell when the model was asked"
    parts = [
        ("model", times.llm_ms if known else None, untold),
        ("tools", times.tools_ms, _at_once(times.tools_ms, times.tools_sum_ms)),
        ("waiting for a human", times.waiting_ms, ""),
        ("idle", times.idle_ms if known else None, "neither model nor tool" if known else ""),
    ]
    return Section(
        title="Where the time went",
        heads=(
            Head(title="", align="left", tone="name"),
            Head(title="time"),
            Head(title="share"),
            Head(title="", align="left", tone="bar"),
            _note_head(),
        ),
        rows=tuple([_time_row(*part, times.elapsed_ms) for part in parts])
        if times.elapsed_ms
        else (),
        note="Shares are of the time elapsed; model and tools overlap, so they may exceed it.",
        bars=("model", "tools", "waiting", "idle"),
    )


def _time_row(name: str, ms: int | None, note: str, whole: int) -> tuple[str, ...]:
    share = UNKNOWN if ms is None else share_text(ms, whole)
    return name, duration_text(ms), share, bar(ms or 0, whole, _BAR), note


def _at_once(union_ms: int, sum_ms: int) -> str:
    return "" if sum_ms <= union_ms else f"{duration_text(sum_ms)} one after another"


# --- sessions and tasks -----------------------------------------------------------------------


def _sessions(summary: Summary, *, many: bool) -> Section:
    lines = summary.sessions[:_SHOWN] if many else summary.sessions
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
        _hit_rate(line.own),
        *([cost_text(line.cost)] if priced else []),
    )


def _tasks(summary: Summary, *, many: bool) -> Section:
    main = [line for line in summary.tasks if many or line.place == 0]
    lines = main[:_SHOWN] if many else main
    priced = summary.cost is not None
    return Section(
        title="Longest tasks" if many else "Tasks",
        heads=(
            _trace_head(),
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
        _hit_rate(task.usage.tokens),
        rate_text(task.output_tps),
        count_text(task.context),
        count_text(task.retries) if task.retries else "",
        *([cost_text(task.usage.cost)] if priced else []),
    )


def _task_name(task: TaskFigures) -> str:
    if task.compaction is not None:
        return f"[compaction, {task.compaction.reason}: {task.compaction.status or 'running'}]"
    return "[outside any task]" if task.kind == "outside" else task.label or "(no text)"


# --- tools ------------------------------------------------------------------------------------


def _slowest(summary: Summary, *, many: bool) -> Section:
    lines = summary.slowest[:_SHOWN]
    longest = max([line.tool.run_ms or 0 for line in lines], default=0)
    return Section(
        title="Slowest tool calls",
        heads=(
            Head(title="tool", align="left", tone="name"),
            Head(title="ran"),
            Head(title="waited"),
            Head(title="ended", align="left", tone="faint"),
            Head(title="", align="left", tone="tools"),
            _trace_head(),
            Head(title="task"),
            Head(title="call", align="left", elastic=True, spare=1, tone="faint"),
        ),
        rows=tuple([_slow_row(line, longest, many=many) for line in lines]),
        about=()
        if many
        else tuple([About(place=line.place, ordinal=line.tool.ordinal) for line in lines]),
    )


def _slow_row(line: ToolLine, longest: int, *, many: bool) -> tuple[str, ...]:
    tool = line.tool
    return (
        shown(tool.name or "(no call)"),
        duration_text(tool.run_ms),
        duration_text(tool.wait_ms) if tool.wait_ms else "",
        shown(tool.output_stop_reason or ""),
        bar(tool.run_ms or 0, longest, _BAR // 2),
        shown(line.file) if many else "",
        "" if tool.task is None else str(tool.task + 1),
        shown(tool.tool_call_id),
    )


def _tools(summary: Summary) -> Section:
    return Section(
        title="Tools",
        heads=(
            Head(title="tool", align="left", elastic=True, tone="name"),
            Head(title="calls"),
            Head(title="failed"),
            Head(title="ran"),
            Head(title="mean"),
            Head(title="longest"),
        ),
        rows=tuple(
            [
                (
                    shown(use.name or "(no call)"),
                    count_text(use.calls),
                    count_text(use.failed) if use.failed else "",
                    duration_text(use.run_ms if use.timed else None),
                    duration_text(use.run_ms // use.timed if use.timed else None),
                    duration_text(use.longest_ms if use.timed else None),
                )
                for use in summary.uses[: 2 * _SHOWN]
            ]
        ),
        note=_left_out(len(summary.uses) - 2 * _SHOWN, "more tool"),
    )


# --- models, retries, doubts ------------------------------------------------------------------


def _models(summary: Summary) -> Section:
    return Section(
        title="Tokens by model",
        heads=(
            Head(title="model", align="left", elastic=True, tone="name"),
            Head(title="cached in"),
            Head(title="new in"),
            Head(title="out"),
            Head(title="total"),
            Head(title="cached"),
        ),
        rows=tuple(
            [
                (
                    shown(each.model or "(unknown)"),
                    count_text(each.tokens.cache_read),
                    count_text(each.tokens.cache_write),
                    count_text(each.tokens.output),
                    count_text(each.tokens.total),
                    _hit_rate(each.tokens),
                )
                for each in summary.models
            ]
        ),
    )


def _retries(summary: Summary) -> Section:
    return Section(
        title="Retries",
        heads=(
            Head(title="request ended", align="left", tone="name"),
            Head(title="times"),
            Head(title="given up"),
            Head(title="waited"),
        ),
        rows=tuple(
            [
                (
                    shown(line.status),
                    count_text(line.times),
                    count_text(line.given_up) if line.given_up else "",
                    duration_text(line.wait_ms),
                )
                for line in summary.retries
            ]
        ),
    )


def _doubts(summary: Summary, *, many: bool) -> Section:
    meanings = {
        "total_includes_children": "its running total includes its children's tokens",
        "total_differs": "its running total grows by something else than its requests",
        "repeats_children": "it repeats its children's reports: these tokens are counted twice",
    }
    return Section(
        title="Tokens in doubt",
        heads=(
            Head(title="trace" if many else "session", align="left", elastic=True, tone="name"),
            Head(title="tokens"),
            _note_head(),
        ),
        rows=tuple(
            [
                (
                    shown(line.file) if many else str(line.doubt.session),
                    count_text(line.doubt.tokens),
                    meanings[line.doubt.kind],
                )
                for line in summary.doubts
            ]
        ),
    )


# --- words ------------------------------------------------------------------------------------


def _note_head() -> Head:
    return Head(title="", align="left", tone="faint")


def _trace_head() -> Head:
    """A column that is empty, and so left out, where there is only one trace."""
    return Head(title="trace", align="left", elastic=True, tone="faint")


def _hit_rate(tokens: Tokens) -> str:
    return share_text(tokens.cache_read, tokens.cache_read + tokens.cache_write)


def _some(count: int, one: str, many: str | None = None) -> str:
    if not count:
        return ""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _left_out(count: int, one: str) -> str:
    return f"and {_some(count, one)}" if count > 0 else ""
