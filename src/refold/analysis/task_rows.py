"""The rows of a session: tasks, compactions, and what ran outside both.

Rules of this file:

- Every request, tool and report of usage of the session stands in exactly one row, so rows add up.
- What the chat counts into a task besides stands beside the row's own figures (``compactions``,
  ``nested``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from refold.analysis.accounts import Account
from refold.analysis.ledgers import Reports, joined_reports, own_reports, usage_of
from refold.analysis.marks import Request, TaskMark
from refold.analysis.prices import PriceTable
from refold.analysis.spans import outside, stretch, times_of
from refold.analysis.task_figures import NO_USAGE, TaskFigures
from refold.analysis.tasks import closed_mark
from refold.analysis.tool_marks import Tool
from refold.records import record

__all__ = ["SortedBooks", "outside_row", "sorted_books", "task_rows"]


@record
class SortedBooks:
    """What a session's books hold, by row; None is the row outside all.

    Args:
        marks: tasks and compactions, the open task closed.
        requests: requests.
        inner: requests of compactions, by the task they interrupted.
        tools: tools.
        own: reports of usage.
        joined: reports of compactions, by the task they joined.
        nested: reports of nested sessions.
        messages: how many messages the stream has.
    """

    marks: tuple[TaskMark, ...]
    requests: Mapping[int | None, Sequence[Request]]
    inner: Mapping[int | None, Sequence[Request]]
    tools: Mapping[int | None, Sequence[Tool]]
    own: Reports
    joined: Reports
    nested: Reports
    messages: int


def sorted_books(account: Account, nested: Reports, messages: int) -> SortedBooks:
    """Sort what a session's books hold by row.

    Args:
        account: the session's.
        nested: reports of the sessions below, by task.
        messages: how many messages the stream has.
    """
    marks = _closed_marks(account, messages)
    requests: dict[int | None, list[Request]] = defaultdict(list)
    inner: dict[int | None, list[Request]] = defaultdict(list)
    tools: dict[int | None, list[Tool]] = defaultdict(list)
    for request in account.books.requests.rows:
        requests[request.task].append(request)
        compaction = None if request.task is None else marks[request.task].compaction
        if compaction is not None:
            inner[compaction.inside].append(request)
    for tool in account.books.tools.rows:
        tools[tool.task].append(tool)
    return SortedBooks(
        marks=marks,
        requests=requests,
        inner=inner,
        tools=tools,
        own=own_reports(account.books),
        joined=joined_reports(account.books),
        nested=nested,
        messages=messages,
    )


def task_rows(books: SortedBooks, prices: PriceTable | None) -> tuple[TaskFigures, ...]:
    """Return a row for each task and compaction."""
    return tuple([_task_row(index, mark, books, prices) for index, mark in enumerate(books.marks)])


def outside_row(books: SortedBooks, prices: PriceTable | None) -> TaskFigures | None:
    """Return the row of what belongs to no task and no compaction, if anything does."""
    requests, tools = books.requests.get(None, ()), books.tools.get(None, ())
    reports = books.own.get(None, ())
    if not requests and not tools and not reports:
        return None
    ordinals = [each.ordinal for each in requests]
    ordinals += [each.ordinal for each in tools] + [each.ordinal for each in reports]
    moments = [moment for each in requests for moment in (each.begin_ms, each.end_ms)]
    moments += [moment for each in tools for moment in (each.call_ms, each.end_ms)]
    moments += [report.at_ms for report in reports]
    taken = stretch(*[(mark.first_ms, mark.last_ms) for mark in books.marks])
    stretches = outside(moments, taken)
    return TaskFigures(
        kind="outside",
        index=None,
        ordinal=min(ordinals),
        end_ordinal=books.messages,
        label="",
        begin_ms=stretches[0][0] if stretches else None,
        end_ms=stretches[-1][1] if stretches else None,
        times=times_of(stretches, requests, tools),
        usage=usage_of(reports, prices),
        compactions=NO_USAGE,
        nested=NO_USAGE,
        context=reports[-1].tokens.total if reports else 0,
        requests=len(requests),
        timed_requests=_timed(requests),
        tools=len(tools),
        retries=0,
    )


def _task_row(
    index: int, mark: TaskMark, books: SortedBooks, prices: PriceTable | None
) -> TaskFigures:
    requests, tools = books.requests.get(index, ()), books.tools.get(index, ())
    return TaskFigures(
        kind="task" if mark.compaction is None else "compaction",
        index=index,
        ordinal=mark.ordinal,
        end_ordinal=books.messages if mark.end_ordinal is None else mark.end_ordinal,
        label=mark.label,
        begin_ms=mark.first_ms,
        end_ms=mark.last_ms,
        times=times_of(
            stretch((mark.first_ms, mark.last_ms)),
            requests,
            tools,
            inner=books.inner.get(index, ()),
        ),
        usage=usage_of(books.own.get(index, ()), prices),
        compactions=usage_of(books.joined.get(index, ()), prices),
        nested=usage_of(books.nested.get(index, ()), prices),
        context=mark.context,
        requests=len(requests),
        timed_requests=_timed(requests),
        tools=len(tools),
        retries=mark.retries,
        compaction=mark.compaction,
    )


def _timed(requests: Sequence[Request]) -> int:
    return sum(request.duration_ms is not None for request in requests)


def _closed_marks(account: Account, messages: int) -> tuple[TaskMark, ...]:
    tasks = account.books.tasks
    marks = list(tasks.rows)
    if tasks.task is not None:
        mark = marks[tasks.task]
        marks[tasks.task] = closed_mark(mark, account.clock, messages, account.books.context)
    return tuple(marks)
