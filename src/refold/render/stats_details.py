"""Tools, models, retries and doubts, as sections of the stats table.

Rules of this file:

- Tools come by how long they ran; what a trace calls them is shown, never obeyed.
"""

from __future__ import annotations

from refold.analysis.summary import Summary
from refold.analysis.summary_lines import ToolLine
from refold.render.numbers import (
    bar,
    count_text,
    duration_text,
)
from refold.render.sections import About, Head, Section, shown
from refold.render.stats_words import BAR, SHOWN, hit_rate, left_out, note_head, trace_head

__all__ = [
    "doubts_section",
    "models_section",
    "retries_section",
    "slowest_section",
    "tools_section",
]


def slowest_section(summary: Summary, *, many: bool) -> Section:
    """Return the tool calls that ran longest."""
    lines = summary.slowest[:SHOWN]
    longest = max([line.tool.run_ms or 0 for line in lines], default=0)
    return Section(
        title="Slowest tool calls",
        heads=(
            Head(title="tool", align="left", tone="name"),
            Head(title="ran"),
            Head(title="waited"),
            Head(title="ended", align="left", tone="faint"),
            Head(title="", align="left", tone="tools"),
            trace_head(),
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
        bar(tool.run_ms or 0, longest, BAR // 2),
        shown(line.file) if many else "",
        "" if tool.task is None else str(tool.task + 1),
        shown(tool.tool_call_id),
    )


def tools_section(summary: Summary) -> Section:
    """Return all calls by tool."""
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
                for use in summary.uses[: 2 * SHOWN]
            ]
        ),
        note=left_out(len(summary.uses) - 2 * SHOWN, "more tool"),
    )


def models_section(summary: Summary) -> Section:
    """Return tokens by model."""
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
                    hit_rate(each.tokens),
                )
                for each in summary.models
            ]
        ),
    )


def retries_section(summary: Summary) -> Section:
    """Return failed requests by how they failed."""
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


def doubts_section(summary: Summary, *, many: bool) -> Section:
    """Return the sessions whose tokens don't add up."""
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
            note_head(),
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
