"""Where the time of a task went.

Rules of this file (analysis.md, "Interval union"):

- The model works in its requests but not while a human is asked; tools work from approval to
  output. Both are cut to the task's stretch of time, so that busy + idle = elapsed.
- Requests of a compaction inside a task keep the model busy in it, and count as LLM time only in
  the compaction's own row (reducer.md rule 25).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refold.analysis.intervals import Interval, length, merged, within, without
from refold.analysis.marks import Request
from refold.analysis.task_figures import Times
from refold.analysis.tool_marks import Tool

__all__ = ["outside", "stretch", "times_of", "waits_of"]

Moments = tuple[int | None, int | None]


def waits_of(tools: Iterable[Tool]) -> tuple[Interval, ...]:
    """Return when at least one call waited for a human, merged."""
    return merged([tool.waiting for tool in tools if tool.waiting is not None])


def stretch(*spans: Moments) -> tuple[Interval, ...]:
    """Return the time between begins and ends, merged; unknown ones give none."""
    return merged([(begin, end) for begin, end in spans if begin is not None and end is not None])


def outside(moments: Iterable[int | None], taken: Sequence[Interval]) -> tuple[Interval, ...]:
    """Return the time from the first to the last of some moments, what is taken left out."""
    known = [moment for moment in moments if moment is not None]
    return without(merged([(min(known), max(known))]), taken) if known else ()


def times_of(
    stretches: Sequence[Interval],
    requests: Sequence[Request],
    tools: Sequence[Tool],
    *,
    inner: Sequence[Request] = (),
) -> Times:
    """Return where time went.

    Args:
        stretches: the time that is looked at, merged.
        requests: those of the task, or of the compaction if it is one.
        tools: its tools.
        inner: requests of compactions inside it.
    """
    runs = [tool.interval for tool in tools if tool.interval is not None]
    ran, waits = merged(runs), waits_of(tools)
    asked = stretch(*[(each.begin_ms, each.end_ms) for each in (*requests, *inner)])
    busy = within(merged([*without(asked, waits), *ran]), stretches)
    elapsed_ms, busy_ms = length(stretches), length(busy)
    return Times(
        elapsed_ms=elapsed_ms,
        llm_ms=sum([request.active_ms or 0 for request in requests]),
        tools_ms=length(ran),
        tools_sum_ms=length(runs),
        busy_ms=busy_ms,
        idle_ms=elapsed_ms - busy_ms,
        waiting_ms=length(within(waits, stretches)),
    )
