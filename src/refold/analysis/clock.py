"""Known message times, and the largest of them.

Rules of this file (reducer.md rules 1, 3, 19 and 36):

- An unknown time changes nothing but the previous time of a task's start: a task begins with the
  time of its first message, else with the first one known.
- A task's largest time counts completes and events outside compaction, those of nested sessions
  and the ``compaction_begin`` included.
"""

from __future__ import annotations

from refold.analysis.accounts import Clock
from refold.records import positional

__all__ = ["seen_below", "seen_here", "task_began"]

_clock = positional(Clock)


def seen_here(clock: Clock, at_ms: int | None, *, in_task: bool) -> Clock:
    """Note a complete or an event of the session itself.

    Args:
        clock: its times.
        at_ms: the message's time.
        in_task: whether it counts for the open task.
    """
    if at_ms is None:
        return clock
    task_first, task_last, last = clock.task_first_ms, clock.task_last_ms, clock.last_ms
    if in_task:
        task_first = at_ms if task_first is None else task_first
        task_last = at_ms if task_last is None or at_ms > task_last else task_last
    first = at_ms if clock.first_ms is None else clock.first_ms
    last = at_ms if last is None or at_ms > last else last
    return _clock(at_ms, first, last, task_first, task_last)


def seen_below(clock: Clock, at_ms: int | None, *, in_task: bool) -> Clock:
    """Note a message of a nested session, or a ``session_meta``: not a previous time."""
    seen = seen_here(clock, at_ms, in_task=in_task)
    if seen.previous_ms == clock.previous_ms:
        return seen
    return _clock(
        clock.previous_ms, seen.first_ms, seen.last_ms, seen.task_first_ms, seen.task_last_ms
    )


def task_began(clock: Clock) -> Clock:
    """Forget the times of the task before."""
    return _clock(clock.previous_ms, clock.first_ms, clock.last_ms, None, None)
