"""From accounts to findings.

Rules of this file:

- ``finish`` is pure and may be called at any message: what is open then ends there. Stepping on
  from the same tally is as good as ever.
- Everything that sums is summed here, once; cost is that of sorting.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from refold.analysis.accounts import Account, Tally
from refold.analysis.conservation import conservation_of
from refold.analysis.findings import (
    Analysis,
    Approvals,
    SessionFigures,
    TaskFigures,
    Usage,
)
from refold.analysis.intervals import length
from refold.analysis.ledgers import (
    Reports,
    joined_reports,
    nested_reports,
    own_reports,
    subtree_usages,
    usage_of,
)
from refold.analysis.marks import Request, TaskMark, Tool
from refold.analysis.prices import PriceTable
from refold.analysis.spans import sum_of_times, times_of, waits_of
from refold.analysis.tasks import closed_mark
from refold.records import record

__all__ = ["finish"]

_SEPARATOR = re.compile(r"[/\\]")


def finish(tally: Tally, *, prices: PriceTable | None = None) -> Analysis:
    """Return what was found so far.

    Args:
        tally: what was counted.
        prices: USD per million tokens by model, or None to price nothing.
    """
    accounts = tuple(tally.accounts)
    nested = nested_reports(accounts)
    subtrees = subtree_usages(accounts, prices)
    sessions: list[SessionFigures] = []
    for account, below, subtree in zip(accounts, nested, subtrees, strict=True):
        depth = 0 if account.parent is None else sessions[account.parent].depth + 1
        tasks = _tasks(account, below, tally.messages, prices)
        sessions.append(_session(account, depth, tasks, subtree, prices))
    return Analysis(
        messages=tally.messages,
        sessions=tuple(sessions),
        conservation=conservation_of(
            [session.trend for session in sessions],
            [session.parent for session in sessions],
            [subtree.tokens for subtree in subtrees],
            tally.nested,
        ),
        prices=prices,
    )


def _session(
    account: Account,
    depth: int,
    tasks: tuple[TaskFigures, ...],
    subtree: Usage,
    prices: PriceTable | None,
) -> SessionFigures:
    books, about = account.books, account.about
    tools = tuple(books.tools.rows)
    trend = tuple(books.usage)
    return SessionFigures(
        session_id=about.session_id if account.name is None else account.name,
        parent=account.parent,
        depth=depth,
        tool=account.tool,
        binding=account.binding,
        agent_id=_agent_id(about.agent_state),
        provider=about.provider,
        model=about.model,
        source=about.source,
        first_ms=account.clock.first_ms,
        last_ms=account.clock.last_ms,
        tasks=tasks,
        requests=tuple(books.requests.rows),
        segments=tuple(books.requests.segments),
        tools=tools,
        trend=trend,
        reconnects=tuple(books.requests.reconnects),
        aborts=tuple(books.aborts),
        approvals=_approvals(tools),
        times=sum_of_times(task.times for task in tasks if task.compaction is None),
        compaction_ms=sum(task.times.elapsed_ms for task in tasks if task.compaction is not None),
        own=usage_of(trend, prices),
        subtree=subtree,
    )


@record
class _Rows:
    """A session's requests and tools by task or compaction."""

    requests: Mapping[int, Sequence[Request]]
    inner: Mapping[int, Sequence[Request]]
    tools: Mapping[int, Sequence[Tool]]


def _tasks(
    account: Account, nested: Reports, messages: int, prices: PriceTable | None
) -> tuple[TaskFigures, ...]:
    marks = _closed_marks(account, messages)
    own, joined = own_reports(account.books), joined_reports(account.books)
    rows = _rows(account, marks)
    return tuple(
        [
            _task(
                index,
                mark,
                rows,
                (
                    usage_of(own.get(index, ()), prices),
                    usage_of(joined.get(index, ()), prices),
                    usage_of(nested.get(index, ()), prices),
                ),
                messages,
            )
            for index, mark in enumerate(marks)
        ]
    )


def _task(
    index: int, mark: TaskMark, rows: _Rows, usages: tuple[Usage, Usage, Usage], messages: int
) -> TaskFigures:
    requests, tools = rows.requests.get(index, ()), rows.tools.get(index, ())
    own, joined, nested = usages
    return TaskFigures(
        index=index,
        ordinal=mark.ordinal,
        end_ordinal=messages if mark.end_ordinal is None else mark.end_ordinal,
        label=mark.label,
        begin_ms=mark.first_ms,
        end_ms=mark.last_ms,
        times=times_of((mark.first_ms, mark.last_ms), requests, rows.inner.get(index, ()), tools),
        usage=own,
        compactions=joined,
        nested=nested,
        context=mark.context,
        requests=len(requests),
        tools=len(tools),
        retries=mark.retries,
        compaction=mark.compaction,
    )


def _closed_marks(account: Account, messages: int) -> tuple[TaskMark, ...]:
    tasks = account.books.tasks
    marks = list(tasks.rows)
    if tasks.task is not None:
        mark = marks[tasks.task]
        marks[tasks.task] = closed_mark(mark, account.clock, messages, account.books.context)
    return tuple(marks)


def _rows(account: Account, marks: Sequence[TaskMark]) -> _Rows:
    requests: dict[int, list[Request]] = defaultdict(list)
    inner: dict[int, list[Request]] = defaultdict(list)
    tools: dict[int, list[Tool]] = defaultdict(list)
    for request in account.books.requests.rows:
        if request.task is not None:
            requests[request.task].append(request)
            compaction = marks[request.task].compaction
            if compaction is not None and compaction.inside is not None:
                inner[compaction.inside].append(request)
    for tool in account.books.tools.rows:
        if tool.task is not None:
            tools[tool.task].append(tool)
    return _Rows(requests=requests, inner=inner, tools=tools)


def _approvals(tools: Sequence[Tool]) -> Approvals:
    decisions = [tool.decision for tool in tools if tool.decision is not None]
    known = {name: decisions.count(name) for name in ("allow", "deny", "forbidden")}
    return Approvals(
        **known,
        other=len(decisions) - sum(known.values()),
        wait_sum_ms=sum([tool.wait_ms or 0 for tool in tools]),
        wait_ms=length(waits_of(tools)),
    )


def _agent_id(agent_state: str | None) -> str | None:
    if agent_state is None:
        return None
    parts = [part for part in _SEPARATOR.split(agent_state) if part]
    return parts[-2] if len(parts) > 1 else None
