"""Where the time of a task went.

Rules of this file (analysis.md, "Interval union"):

- The model works in its requests but not while a human is asked; tools work from approval to
  output. Both are clipped to the task, so that busy + idle = elapsed.
- Requests of a compaction inside a task keep the model busy in it, and count as LLM time only in
  the compaction's own row (reducer.md rule 25).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refold.analysis.findings import Times
from refold.analysis.intervals import Interval, clipped, length, merged, without
from refold.analysis.marks import Request, Tool

__all__ = ["sum_of_times", "times_of", "waits_of"]


def waits_of(tools: Iterable[Tool]) -> tuple[Interval, ...]:
    """Return when at least one call waited for a human."""
    return merged([tool.waiting for tool in tools if tool.waiting is not None])


def times_of(
    span: tuple[int | None, int | None],
    requests: Sequence[Request],
    inner: Sequence[Request],
    tools: Sequence[Tool],
) -> Times:
    """Return where the time of a task went.

    Args:
        span: its begin and end in ms.
        requests: those of the task, or of the compaction if it is one.
        inner: those of compactions inside it.
        tools: its tools.
    """
    begin, end = span
    llm_ms = sum([request.active_ms or 0 for request in requests])
    runs = [tool.interval for tool in tools if tool.interval is not None]
    if begin is None or end is None or end <= begin:
        return Times(llm_ms=llm_ms, tools_ms=length(merged(runs)), tools_sum_ms=length(runs))
    waits = waits_of(tools)
    ran = merged(runs)
    worked = without(merged(_asked([*requests, *inner])), waits)
    busy = length(clipped(merged([*worked, *ran]), begin, end))
    return Times(
        elapsed_ms=end - begin,
        llm_ms=llm_ms,
        tools_ms=length(ran),
        tools_sum_ms=length(runs),
        busy_ms=busy,
        idle_ms=end - begin - busy,
        waiting_ms=length(clipped(waits, begin, end)),
    )


def sum_of_times(many: Iterable[Times]) -> Times:
    """Return the sum of each figure."""
    rows = [
        (
            times.elapsed_ms,
            times.llm_ms,
            times.tools_ms,
            times.tools_sum_ms,
            times.busy_ms,
            times.idle_ms,
            times.waiting_ms,
        )
        for times in many
    ]
    elapsed, llm, tools, tools_sum, busy, idle, waiting = (
        map(sum, zip(*rows, strict=True)) if rows else [0] * 7
    )
    return Times(
        elapsed_ms=elapsed,
        llm_ms=llm,
        tools_ms=tools,
        tools_sum_ms=tools_sum,
        busy_ms=busy,
        idle_ms=idle,
        waiting_ms=waiting,
    )


def _asked(requests: Iterable[Request]) -> list[Interval]:
    return [
        (request.begin_ms, request.end_ms)
        for request in requests
        if request.begin_ms is not None and request.end_ms is not None
    ]
