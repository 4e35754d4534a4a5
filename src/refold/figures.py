"""The figures of a session and of its task, derived and never stored.

Rules of this file (reducer.md rules 19-26):

- Tokens are counts, times integer milliseconds, ``output_tps`` tokens per second as a float.
- A task that only an idle has closed gives the row it would give if it ended now.
"""

from __future__ import annotations

from refold.items import Stats, TaskStatsItem, TokenBuckets
from refold.records import positional, record
from refold.state import Draft, Task

__all__ = ["SessionStats", "at_rest", "row_slot", "session_stats", "stats_row", "task_elapsed_ms"]

_SEPARATOR = "\n\n"

_row = positional(TaskStatsItem)


@record
class SessionStats:
    """The running sums of a session: tokens, and milliseconds of closed tasks."""

    context_now: int = 0
    context_stale: bool = False
    session_total: int = 0
    subagent_total: int = 0
    session_elapsed_ms: int = 0


def at_rest(draft: Draft) -> bool:
    """Tell whether only an idle has closed the task: its row is derived, and has no slot (rule 20)."""
    task = draft.task
    return task is not None and task.provisional


def session_stats(draft: Draft) -> SessionStats:
    """Return the sums so far, those of a provisionally closed task included.

    Args:
        draft: a session or a draft of one.
    """
    totals = draft.totals
    return SessionStats(
        context_now=totals.context_now,
        context_stale=totals.context_stale,
        session_total=totals.session_total,
        subagent_total=totals.subagent_total,
        session_elapsed_ms=totals.elapsed_ms + (task_elapsed_ms(draft) if at_rest(draft) else 0),
    )


def task_elapsed_ms(draft: Draft) -> int:
    """Return how long the task took, in ms, by message time (rule 19)."""
    task = draft.task
    if task is None or task.first_ms is None:
        return 0
    end = draft.seen_ms if task.end_ms is None else task.end_ms
    return 0 if end is None else max(0, end - task.first_ms)


def stats_row(draft: Draft, said: str | None = None) -> TaskStatsItem | None:
    """Return the row of a task that ends now, or None if it shows none (rules 3 and 20).

    Args:
        draft: a session or a draft of one.
        said: what stands for the joined texts of the task, which then aren't read.
    """
    task = draft.task
    if task is None or draft.nest is not None or not (task.used or draft.said):
        return None
    last = draft.said.at(draft.said.slots - 1) if draft.said else None
    return _row(
        f"task_stats:{draft.numbers.rare.task_stats + 1}",
        _stats(draft, task) if task.used else None,
        _SEPARATOR.join([item.text for item in draft.said]) if said is None else said,
        None if last is None else last.at_ms,
        last is not None and last.stop_reason == "completed",
        None if last is None else last.trace_position,
    )


def row_slot(draft: Draft) -> int | None:
    """Return the hole kept for a row in front of a trailing run of compactions, if there is one.

    Whoever places a compaction behind another kind of item leaves that hole (rule 20).
    """
    placed, first = draft.placed, None
    for slot in placed.descending(draft.standing):
        if placed.at(slot).kind != "compaction":
            break
        first = slot
    return None if first is None else first - 1


def _stats(draft: Draft, task: Task) -> Stats:
    totals = draft.totals
    elapsed_ms = task_elapsed_ms(draft)
    return Stats(
        context=totals.context_now,
        context_delta=totals.context_now - totals.context_at_stats,
        tokens=totals.session_total + totals.subagent_total,
        tokens_delta=task.tokens,
        elapsed_ms=totals.elapsed_ms + elapsed_ms,
        elapsed_delta_ms=elapsed_ms,
        tokens_by_bucket=TokenBuckets(
            cache_read=task.cache_read, cache_write=task.cache_write, output=task.output
        ),
        output_tps=_per_second(task.own_output, task.llm_ms),
    )


def _per_second(tokens: int, ms: int) -> float | None:
    try:
        return tokens / (ms / 1000) if ms > 0 else None
    except OverflowError:
        return None
