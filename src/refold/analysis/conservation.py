"""Whether tokens are neither lost nor counted twice.

Rules of this file (analysis.md, "Usage"):

- The sum over sessions is compared with what passed through the main session: two ways to count.
- A session's running total should grow by what its requests used. What it grows by beyond that is
  reported, and recognised where it is just what its children used. A total that falls begins anew.
- A parent whose reports contain all of a child's, to the millisecond, repeats them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from refold.analysis.findings import Conservation, Doubt
from refold.analysis.marks import UsagePoint
from refold.analysis.tokens import Tokens, added, total_of

__all__ = ["conservation_of"]


def conservation_of(
    trends: Sequence[Sequence[UsagePoint]],
    parents: Sequence[int | None],
    subtrees: Sequence[Tokens],
    nested: Tokens,
) -> Conservation:
    """Check that tokens add up.

    Args:
        trends: reports of usage per session, the main session's first.
        parents: the session around each.
        subtrees: tokens of each session and all below.
        nested: tokens that passed through the main session from below.
    """
    own = [total_of(point.tokens for point in trend) for trend in trends]
    below = [subtree.total - mine.total for subtree, mine in zip(subtrees, own, strict=True)]
    doubts = [*_totals(trends, below), *_repeats(trends, parents)]
    return Conservation(
        root_subtree=added(own[0], nested),
        sum_of_own=total_of(own),
        doubts=tuple(sorted(doubts, key=lambda doubt: doubt.session)),
    )


def _totals(trends: Sequence[Sequence[UsagePoint]], below: Sequence[int]) -> Iterator[Doubt]:
    for session, trend in enumerate(trends):
        excess = _excess(trend)
        if excess and excess == below[session]:
            yield Doubt(session=session, kind="total_includes_children", tokens=excess)
        elif excess:
            yield Doubt(session=session, kind="total_differs", tokens=excess)


def _excess(trend: Sequence[UsagePoint]) -> int:
    grown = [
        after.session_total - before.session_total - after.tokens.total
        for before, after in pairwise(trend)
        if after.session_total >= before.session_total
    ]
    return sum(grown)


def _repeats(
    trends: Sequence[Sequence[UsagePoint]], parents: Sequence[int | None]
) -> Iterator[Doubt]:
    reports: dict[int, Counter[tuple[int | None, Tokens]]] = {}
    for session, parent in enumerate(parents):
        if parent is None or not trends[session] or not trends[parent]:
            continue
        if parent not in reports:
            reports[parent] = _reports(trends[parent])
        child = _reports(trends[session])
        tokens = sum(point.tokens.total for point in trends[session])
        if tokens and child <= reports[parent]:
            yield Doubt(session=parent, kind="repeats_children", tokens=tokens)


def _reports(trend: Sequence[UsagePoint]) -> Counter[tuple[int | None, Tokens]]:
    return Counter([(point.at_ms, point.tokens) for point in trend])
