"""Tasks: how one starts, ends, and is shown ended while it may go on.

Rules of this file (reducer.md rules 16, 18-20 and 26):

- A task is finalized for good by the next one's start or a wrap-up compaction; idle and finalize
  only close it provisionally. That is one flag: the row behind such a task is derived.
- Whatever a provisional closing shows closed can be shown open again (``take_back``).
- Where a task starts is for ``boundaries`` to say.
"""

from __future__ import annotations

from refold.figures import row_slot, stats_row, task_elapsed_ms
from refold.items import ReconnectItem
from refold.records import evolver
from refold.reduce.cards import (
    close_calls,
    close_running,
    close_running_provisionally,
    reopen_running,
)
from refold.reduce.compactions import close_in_show, show_again
from refold.reduce.fragments import close_fragments
from refold.reduce.places import next_key, place, put_placed
from refold.state import Draft, Pointers, Requests, Task, Totals
from refold.vectors import EMPTY_VECTOR

__all__ = [
    "close_for_good",
    "close_open_fragments",
    "close_provisionally",
    "give_up_waiting",
    "reopen_task",
    "see",
    "start_task",
    "take_back",
]

_NO_TASK = Task(start_local_ms=0)
_NO_REQUESTS = Requests()

_begun = evolver(Task, "start_local_ms", "first_ms")
_finished = evolver(Totals, "elapsed_ms", "context_at_stats")
_elapsed = evolver(Totals, "elapsed_ms")
_provisional = evolver(Task, "provisional")
_first_known = evolver(Task, "first_ms")
_pending_dropped = evolver(Requests, "pending")
_gave_up = evolver(ReconnectItem, "gave_up", "arrived_at_ms")
_not_waiting = evolver(Pointers, "reconnect")


def start_task(draft: Draft, at_ms: int | None, now_ms: int) -> None:
    """Start a task with a user's message; the one before ends without it (rule 16).

    Args:
        draft: the session.
        at_ms: the message's time in Unix ms, if known.
        now_ms: the caller's clock.
    """
    if draft.task is not None:
        close_for_good(draft)
    give_up_waiting(draft)
    draft.requests = _NO_REQUESTS
    _open(draft, at_ms, now_ms)


def reopen_task(draft: Draft, at_ms: int | None, now_ms: int) -> None:
    """Open a task for what a steering continues behind a wrap-up compaction (rule 18)."""
    draft.requests = Requests(attempt=draft.requests.attempt)
    _open(draft, at_ms, now_ms)


def see(draft: Draft, at_ms: int | None) -> None:
    """Take a message's time as seen in the task."""
    task = draft.task
    if task is None or at_ms is None:
        return
    if task.first_ms is None:
        draft.task = _first_known(task, at_ms)
    if draft.seen_ms is None or at_ms > draft.seen_ms:
        draft.seen_ms = at_ms


def close_for_good(draft: Draft) -> None:
    """Finalize the task and leave its row (rules 19 and 20)."""
    close_running(draft)
    close_open_fragments(draft)
    _leave_row(draft)
    draft.task = None
    draft.seen_ms = None
    if draft.requests.pending is not None:
        draft.requests = _pending_dropped(draft.requests, None)


def close_provisionally(draft: Draft) -> None:
    """Show the session at rest; a task that runs is closed until something shows it goes on."""
    if draft.task is not None:
        close_running_provisionally(draft)
        draft.task = _provisional(draft.task, True)
    close_open_fragments(draft)
    close_in_show(draft)


def take_back(draft: Draft) -> None:
    """Take a provisional closing back."""
    if draft.task is not None and draft.task.provisional:
        draft.task = _provisional(draft.task, False)
        reopen_running(draft)
    show_again(draft)


def close_open_fragments(draft: Draft, reason: str = "aborted") -> None:
    """Close open texts, thinkings and calls early."""
    close_fragments(draft, reason)
    close_calls(draft, reason)


def give_up_waiting(draft: Draft) -> None:
    """Mark the reconnect that waits, if one does, as given up (rules 16 and 28)."""
    slot = draft.pointers.reconnect
    if slot is None:
        return
    item = draft.placed.at(slot)
    assert type(item) is ReconnectItem
    put_placed(draft, slot, _gave_up(item, True, None))
    draft.pointers = _not_waiting(draft.pointers, None)


def _open(draft: Draft, at_ms: int | None, now_ms: int) -> None:
    draft.task = _begun(_NO_TASK, now_ms, at_ms)
    draft.seen_ms = at_ms


def _leave_row(draft: Draft) -> None:
    row = stats_row(draft)
    elapsed_ms = draft.totals.elapsed_ms + task_elapsed_ms(draft)
    if row is None:
        draft.totals = _elapsed(draft.totals, elapsed_ms)
        return
    next_key(draft, "task_stats")
    slot = row_slot(draft)
    if slot is None:
        place(draft, row)
    else:
        draft.placed = draft.placed.fill(slot, row)
    if row.stats is None:
        draft.totals = _elapsed(draft.totals, elapsed_ms)
    else:
        draft.totals = _finished(draft.totals, elapsed_ms, row.stats.context)
    draft.said = EMPTY_VECTOR
