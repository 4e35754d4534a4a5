"""What begins and ends tasks and compactions.

Rules of this file (reducer.md rules 16, 18, 19 and 28-30):

- A case names what happens in the order it happens; how is in the file of each part.
- Where a task starts is for ``boundaries`` to say; here is what follows.
"""

from __future__ import annotations

from refold.analysis import requests as requesting
from refold.analysis import standing as placing
from refold.analysis import tasks as tasking
from refold.analysis import tools as tooling
from refold.analysis.accounts import Books, Standing
from refold.analysis.clock import seen_here
from refold.analysis.marks import AbortMark
from refold.analysis.moments import Moment
from refold.messages import Abort, CompactionBegin, CompactionEnd, Payload, Text
from refold.records import evolve, evolver

__all__ = ["abort", "compaction_begin", "compaction_end", "placed", "reopening", "starting"]

_with_standing = evolver(Books, "standing")


def starting(books: Books, payload: Payload, moment: Moment) -> Books:
    """Start a task with a user's message: the one before ends (rule 16)."""
    tasks = tasking.compaction_ended(books.tasks, None, moment)
    tasks = tasking.task_closed(tasks, moment.clock, moment.ordinal, books.context)
    label = payload.text if type(payload) is Text else "(image)"
    requests = requesting.given_up(books.requests)
    for compacting in (False, True):
        requests = requesting.left_open(requests, compacting=compacting)
    return evolve(
        books,
        tasks=tasking.task_opened(tasks, moment, label),
        requests=requests,
        tools=tooling.stopped(books.tools, None, by_abort=False),
        standing=Standing(),
    )


def reopening(books: Books, steering: str, moment: Moment) -> Books:
    """Start a task for what a steering continues behind a wrap-up compaction (rule 18)."""
    return evolve(
        books,
        tasks=tasking.task_opened(books.tasks, moment, steering),
        requests=requesting.left_open(books.requests, compacting=False),
        standing=placing.request_seen(books.standing),
    )


def compaction_begin(books: Books, payload: CompactionBegin, moment: Moment) -> Books:
    """Begin a compaction; one that wraps the open task up ends it first (rule 29)."""
    tasks = tasking.compaction_ended(books.tasks, None, moment)
    if not moment.compacting and tasks.task is not None and placing.wraps_up(books.standing):
        books = _wrapped_up(evolve(books, tasks=tasks), moment)
        tasks = books.tasks
    return placed(
        evolve(
            books,
            tasks=tasking.compaction_begun(tasks, payload, moment),
            requests=requesting.left_open(books.requests, compacting=True),
        )
    )


def _wrapped_up(books: Books, moment: Moment) -> Books:
    clock = seen_here(moment.clock, moment.at_ms, in_task=True)
    tasks = tasking.task_closed(books.tasks, clock, moment.ordinal, books.context)
    return evolve(
        books,
        tasks=evolve(tasks, may_reopen=True),
        requests=requesting.left_open(books.requests, compacting=False),
        tools=tooling.stopped(books.tools, None, by_abort=False),
    )


def compaction_end(books: Books, payload: CompactionEnd, moment: Moment) -> Books:
    """End the running compaction, or enter one whose begin the stream doesn't hold (rule 30)."""
    tasks, runs = books.tasks, books.tasks.compaction is not None
    if not runs:
        tasks = tasking.compaction_begun(tasks, payload, moment)
    books = evolve(
        books,
        tasks=tasking.compaction_ended(tasks, payload, moment),
        requests=requesting.left_open(books.requests, compacting=True),
    )
    return books if runs else placed(books)


def abort(books: Books, payload: Abort, moment: Moment) -> Books:
    """Stop what runs (rule 28)."""
    mark = AbortMark(
        ordinal=moment.ordinal,
        at_ms=moment.at_ms,
        task=books.tasks.task,
        reason=payload.reason,
    )
    return placed(
        evolve(
            books,
            aborts=books.aborts.append(mark),
            requests=requesting.given_up(books.requests),
            tools=tooling.stopped(books.tools, moment.at_ms, by_abort=True),
        )
    )


def placed(books: Books) -> Books:
    """Note that something other than an assistant text was placed."""
    standing = placing.something_placed(books.standing)
    return books if standing is books.standing else _with_standing(books, standing)
