"""Tasks and compactions: where they begin and end.

Rules of this file (reducer.md rules 16-20 and 29):

- A task ends where the next starts, or where a wrap-up compaction begins; at the end of the stream
  it is still open and ``finish`` closes it. No figure here depends on an idle.
- Elapsed is from the starting message's time (else the first known) to the last request's end
  (else the largest time seen). The message that starts a task is not part of the one before.
- A compaction is entered as a task of its own; the task it interrupts goes on.
"""

from __future__ import annotations

from refold.analysis.accounts import Clock, Tasks
from refold.analysis.marks import CompactionMark, TaskMark
from refold.analysis.moments import Moment
from refold.messages import CompactionBegin, CompactionEnd, RequestEnd
from refold.records import evolve, evolver

__all__ = [
    "RETRIED",
    "closed_mark",
    "compaction_begun",
    "compaction_ended",
    "request_ended",
    "task_closed",
    "task_opened",
]

_ended_in_task = evolver(TaskMark, "retries", "request_end_ordinal", "request_end_ms")
_retried = evolver(TaskMark, "retries")
_with_rows = evolver(Tasks, "rows")

RETRIED = ("failed", "timeout", "malformed")
_LABEL = 80


def task_opened(tasks: Tasks, moment: Moment, label: str) -> Tasks:
    """Enter a new task; an open one must have been closed."""
    mark = TaskMark(ordinal=moment.ordinal, label=_label(label))
    return evolve(tasks, rows=tasks.rows.append(mark), task=tasks.rows.slots, may_reopen=False)


def task_closed(tasks: Tasks, clock: Clock, ordinal: int, context: int) -> Tasks:
    """Close the open task, if there is one.

    Args:
        tasks: the tasks.
        clock: the times seen in the task.
        ordinal: of the message that closes it.
        context: tokens in the context by then.
    """
    if tasks.task is None:
        return tasks
    mark = closed_mark(tasks.rows.at(tasks.task), clock, ordinal, context)
    return evolve(tasks, rows=tasks.rows.put(tasks.task, mark), task=None)


def closed_mark(mark: TaskMark, clock: Clock, ordinal: int, context: int) -> TaskMark:
    """Return an open task's mark as it is when the task closes."""
    ended = mark.request_end_ms
    return evolve(
        mark,
        end_ordinal=ordinal,
        first_ms=clock.task_first_ms,
        last_ms=clock.task_last_ms if ended is None else ended,
        context=context,
    )


def request_ended(tasks: Tasks, end: RequestEnd, moment: Moment) -> Tasks:
    """Note the end of a request in the task or compaction it ran in."""
    place = tasks.compaction if moment.compacting else tasks.task
    if place is None:
        return tasks
    mark = tasks.rows.at(place)
    retries = mark.retries + (end.status in RETRIED)
    if moment.compacting:
        noted = _retried(mark, retries)
    else:
        at_ms = mark.request_end_ms if moment.at_ms is None else moment.at_ms
        noted = _ended_in_task(mark, retries, moment.ordinal, at_ms)
    return _with_rows(tasks, tasks.rows.put(place, noted))


def compaction_begun(
    tasks: Tasks, compaction: CompactionBegin | CompactionEnd, moment: Moment
) -> Tasks:
    """Enter a compaction; one that still runs must have been ended.

    Args:
        tasks: the tasks.
        compaction: its begin, or its end if the stream holds no begin.
        moment: of that.
    """
    begin = compaction if isinstance(compaction, CompactionBegin) else None
    mark = TaskMark(
        ordinal=moment.ordinal,
        first_ms=None if begin is None else moment.at_ms,
        context=0 if begin is None else begin.context,
        compaction=CompactionMark(
            reason=compaction.reason,
            mode=compaction.mode,
            context=0 if begin is None else begin.context,
            turns=0 if begin is None else begin.turns,
            inside=tasks.task,
        ),
    )
    return evolve(tasks, rows=tasks.rows.append(mark), compaction=tasks.rows.slots)


def compaction_ended(tasks: Tasks, end: CompactionEnd | None, moment: Moment) -> Tasks:
    """Close the running compaction, if any; without an event of its own it was aborted."""
    if tasks.compaction is None:
        return tasks
    mark = tasks.rows.at(tasks.compaction)
    assert mark.compaction is not None
    closed = evolve(
        mark,
        end_ordinal=moment.ordinal + (end is not None),
        last_ms=None if end is None else moment.at_ms,
        compaction=evolve(
            mark.compaction,
            status="aborted" if end is None else end.status,
            error_message=None if end is None else end.error_message,
        ),
    )
    return evolve(tasks, rows=tasks.rows.put(tasks.compaction, closed), compaction=None)


def _label(text: str) -> str:
    lines = text[: 4 * _LABEL].strip().splitlines()
    return lines[0][:_LABEL].rstrip() if lines else ""
