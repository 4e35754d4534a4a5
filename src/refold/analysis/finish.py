"""From accounts to findings.

Rules of this file:

- ``finish`` is pure and may be called at any message: what is open then ends there. Stepping on
  from the same tally is as good as ever.
- Everything that sums is summed here, once; cost is that of sorting.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from refold.analysis.accounts import Account, Tally
from refold.analysis.conservation import conservation_of
from refold.analysis.findings import Analysis, Approvals, SessionFigures
from refold.analysis.intervals import length
from refold.analysis.ledgers import nested_reports, subtree_usages, usage_of
from refold.analysis.prices import PriceTable
from refold.analysis.spans import waits_of
from refold.analysis.sums import summed
from refold.analysis.task_figures import TaskFigures, Times, Usage
from refold.analysis.task_rows import outside_row, sorted_books, task_rows
from refold.analysis.tool_marks import Tool
from refold.analysis.tools import stopped
from refold.records import evolve

__all__ = ["finish"]

_SEPARATOR = re.compile(r"[/\\]")


def finish(tally: Tally, *, prices: PriceTable | None = None) -> Analysis:
    """Return what was found so far.

    Args:
        tally: what was counted.
        prices: USD per million tokens by model, or None to price nothing.
    """
    accounts = tuple([_at_rest(account) for account in tally.accounts])
    subtrees = subtree_usages(accounts, prices)
    sessions: list[SessionFigures] = []
    for account, nested, subtree in zip(accounts, nested_reports(accounts), subtrees, strict=True):
        depth = 0 if account.parent is None else sessions[account.parent].depth + 1
        sorted_by_row = sorted_books(account, nested, tally.messages)
        rows = task_rows(sorted_by_row, prices), outside_row(sorted_by_row, prices)
        sessions.append(_session(account, depth, rows, subtree, prices))
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


def _at_rest(account: Account) -> Account:
    """Close what the open task still runs (reducer.md rule 19)."""
    books = account.books
    if books.tasks.task is None:
        return account
    tools = stopped(books.tools, None, by_abort=False)
    return account if tools is books.tools else evolve(account, books=evolve(books, tools=tools))


def _session(
    account: Account,
    depth: int,
    rows: tuple[tuple[TaskFigures, ...], TaskFigures | None],
    subtree: Usage,
    prices: PriceTable | None,
) -> SessionFigures:
    books, about = account.books, account.about
    tasks, outside = rows
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
        outside=outside,
        requests=tuple(books.requests.rows),
        segments=tuple(books.requests.segments),
        tools=tools,
        trend=trend,
        reconnects=tuple(books.requests.reconnects),
        aborts=tuple(books.aborts),
        approvals=_approvals(tools),
        times=summed(Times, [task.times for task in tasks if task.kind == "task"]),
        compaction_ms=sum(task.times.elapsed_ms for task in tasks if task.kind == "compaction"),
        own=usage_of(trend, prices),
        subtree=subtree,
    )


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
