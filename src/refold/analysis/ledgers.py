"""Which session, task and compaction each report of usage belongs to.

Rules of this file (reducer.md rules 21-23):

- A report belongs to the compaction running then, else to the open task, else to no row. What a
  compaction used joins the task it interrupted if a request outside ended later in that task.
- A report also counts as ``nested`` in the open task of each outer session.
- A session stands behind the one around it, so one backward pass sums all subtrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from refold.analysis.accounts import Account, Books
from refold.analysis.costs import cost_of
from refold.analysis.marks import UsagePoint
from refold.analysis.prices import PriceTable
from refold.analysis.task_figures import NO_USAGE, Usage
from refold.analysis.tokens import ModelTokens, by_model, total_of

__all__ = [
    "Reports",
    "joined_reports",
    "nested_reports",
    "own_reports",
    "subtree_usages",
    "usage_of",
]

Reports: TypeAlias = Mapping[int | None, Sequence[UsagePoint]]


def own_reports(books: Books) -> Reports:
    """Return a session's reports per task or compaction, None for those outside."""
    reports: dict[int | None, list[UsagePoint]] = defaultdict(list)
    for point in books.usage:
        row = point.task if point.compaction is None else point.compaction
        reports[row].append(point)
    return reports


def joined_reports(books: Books) -> Reports:
    """Return the reports of compactions per task that they joined."""
    reports: dict[int | None, list[UsagePoint]] = defaultdict(list)
    for point in books.usage:
        if point.compaction is None or point.task is None:
            continue
        ended = books.tasks.rows.at(point.task).request_end_ordinal
        if ended is not None and ended > point.ordinal:
            reports[point.task].append(point)
    return reports


def nested_reports(accounts: Sequence[Account]) -> Sequence[Reports]:
    """Return, for each session, the reports of all below it per task."""
    reports: list[dict[int | None, list[UsagePoint]]] = [defaultdict(list) for _ in accounts]
    for account in accounts[1:]:
        for point in account.books.usage:
            outer = account.parent
            for task in reversed(point.within):
                assert outer is not None
                if task is not None:
                    reports[outer][task].append(point)
                outer = accounts[outer].parent
    return reports


def usage_of(points: Sequence[UsagePoint], prices: PriceTable | None) -> Usage:
    """Sum reports of usage, and price them if prices are given."""
    if not points and prices is None:
        return NO_USAGE
    return _usage(by_model(points), len(points), prices)


def subtree_usages(accounts: Sequence[Account], prices: PriceTable | None) -> Sequence[Usage]:
    """Return, for each session, what it and all below it used."""
    models = [by_model(account.books.usage) for account in accounts]
    reports = [account.books.usage.slots for account in accounts]
    for place in range(len(accounts) - 1, 0, -1):
        outer = accounts[place].parent
        assert outer is not None
        models[outer] = by_model([*models[outer], *models[place]])
        reports[outer] += reports[place]
    return [_usage(each, count, prices) for each, count in zip(models, reports, strict=True)]


def _usage(models: tuple[ModelTokens, ...], reports: int, prices: PriceTable | None) -> Usage:
    return Usage(
        tokens=total_of(each.tokens for each in models),
        models=models,
        reports=reports,
        cost=None if prices is None else cost_of(models, prices),
    )
