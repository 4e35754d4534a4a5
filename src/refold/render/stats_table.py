"""Where the time, the tokens and the money went, as sections of a report.

Rules of this file (analysis.md, "On the command line"):

- A summary in, sections out: no figure is made here that isn't a quotient of two that are given.
- A section without rows is left out; cost columns only where prices were given.
"""

from __future__ import annotations

from typing import Final

from refold.analysis.rates import tokens_per_second
from refold.analysis.summary import Summary
from refold.analysis.summary_lines import Counts
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
from refold.render.sections import Head, Section, Tone, without_empty
from refold.render.stats_details import (
    doubts_section,
    models_section,
    retries_section,
    slowest_section,
    tools_section,
)
from refold.render.stats_sessions import sessions_section, tasks_section
from refold.render.stats_words import BAR, hit_rate, note_head, some

__all__ = ["sections_of"]

_UNTOLD: Final = "the trace doesn't tell when the model was asked"
_TONES: Final[tuple[Tone, ...]] = ("model", "tools", "waiting", "idle", "idle")


def sections_of(summary: Summary) -> tuple[Section, ...]:
    """Return the sections of a report.

    Args:
        summary: of one trace or of many.
    """
    many = summary.counts.traces != 1
    sections = [
        _totals(summary),
        _time(summary),
        sessions_section(summary, many=many),
        tasks_section(summary, many=many),
        slowest_section(summary, many=many),
        tools_section(summary),
        models_section(summary),
        retries_section(summary),
        doubts_section(summary, many=many),
    ]
    return tuple([without_empty(section) for section in sections if section.rows])


# --- totals -----------------------------------------------------------------------------------


def _totals(summary: Summary) -> Section:
    counts, times = summary.counts, summary.times
    tokens = total_of(each.tokens for each in summary.models)
    rows = [
        ("traces", count_text(counts.traces), f"{count_text(counts.messages)} messages"),
        ("sessions", count_text(counts.sessions), f"{counts.sessions - counts.traces:,} nested"),
        ("tasks", count_text(counts.tasks), _tasks(counts)),
        ("elapsed", duration_text(times.elapsed_ms), "task by task, pauses between left out"),
        ("requests", count_text(_asked(counts)), _requests(summary)),
        ("tool calls", count_text(counts.tools), some(counts.refused_tools, "not run", "not run")),
        ("tokens", count_text(tokens.total), _buckets(tokens)),
        ("cache hits", hit_rate(tokens), "of input tokens"),
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
        heads=(Head(title="", align="left", tone="name"), Head(title=""), note_head()),
        rows=tuple(rows),
    )


def _tasks(counts: Counts) -> str:
    parts = [
        some(counts.nested_tasks, "of a nested session", "of nested sessions"),
        some(counts.compactions, "compaction"),
    ]
    return ", ".join(part for part in parts if part)


def _asked(counts: Counts) -> int | None:
    """Return how many requests there were; None where traces hold ends and no begin of one."""
    return counts.requests if counts.begun_requests or not counts.requests else None


def _requests(summary: Summary) -> str:
    unfinished = summary.counts.unfinished_requests
    parts = [
        some(summary.counts.retries, "failed and tried again", "failed and tried again"),
        some(unfinished, "never ended", "never ended"),
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
    parts = _parts(summary)
    return Section(
        title="Where the time went",
        heads=(
            Head(title="", align="left", tone="name"),
            Head(title="time"),
            Head(title="share"),
            Head(title="", align="left", tone="bar"),
            note_head(),
        ),
        rows=tuple([_time_row(name, ms, note, times.elapsed_ms) for name, ms, note in parts])
        if times.elapsed_ms
        else (),
        note="Shares are of the time elapsed; model and tools overlap, so they may exceed it.",
        bars=_TONES[: len(parts)],
    )


def _parts(summary: Summary) -> list[tuple[str, int | None, str]]:
    """Return what took time, how long, and a remark; of what isn't known, that it isn't."""
    times = summary.times
    known = summary.counts.timed_requests > 0
    idle_ms = times.idle_ms - summary.untold_ms
    parts = [
        ("model", times.llm_ms if known else None, "" if known else _UNTOLD),
        ("tools", times.tools_ms, _at_once(times.tools_ms, times.tools_sum_ms)),
        ("waiting for a human", times.waiting_ms, ""),
        ("idle", idle_ms if known else None, "neither model nor tool" if known else ""),
    ]
    return (
        [*parts, ("not known", summary.untold_ms, _UNTOLD)]
        if known and summary.untold_ms
        else parts
    )


def _time_row(name: str, ms: int | None, note: str, whole: int) -> tuple[str, ...]:
    share = UNKNOWN if ms is None else share_text(ms, whole)
    return name, duration_text(ms), share, bar(ms or 0, whole, BAR), note


def _at_once(union_ms: int, sum_ms: int) -> str:
    return "" if sum_ms <= union_ms else f"{duration_text(sum_ms)} one after another"
