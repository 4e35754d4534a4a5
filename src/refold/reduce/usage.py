"""Token usage: the session's own and that of the sessions nested in it.

Rules of this file (reducer.md rules 21-23):

- ``session`` counts are running totals, ``request`` counts are added.
- What a compaction uses waits for the next request's end and never moves context or TPS.
"""

from __future__ import annotations

from refold.messages import TokenCounts, TokenUsage
from refold.records import evolver
from refold.state import Draft, Requests, Task, Totals

__all__ = ["join_pending", "nested_usage", "token_usage"]

_used = evolver(Task, "used", "tokens", "cache_read", "cache_write", "output")
_used_own = evolver(Task, "used", "tokens", "cache_read", "cache_write", "output", "own_output")
_with_pending = evolver(Requests, "pending")
_measured = evolver(Totals, "context_now", "context_stale", "session_total")
_with_session = evolver(Totals, "session_total")
_with_subagents = evolver(Totals, "subagent_total")


def token_usage(draft: Draft, payload: TokenUsage, *circumstances: object) -> None:
    """Take the session's own usage (rule 21)."""
    session_total, request = payload.session.total, payload.request
    if draft.aside.compacting is not None:
        draft.totals = _with_session(draft.totals, session_total)
        draft.requests = _with_pending(draft.requests, _sum(draft.requests.pending, request))
        return
    draft.totals = _measured(draft.totals, request.total, False, session_total)
    task = draft.task
    if task is not None:
        draft.task = _used_own(
            task,
            True,
            task.tokens + request.total,
            task.cache_read + request.cache_read,
            task.cache_write + request.cache_write,
            task.output + request.output,
            task.own_output + request.output,
        )


def nested_usage(draft: Draft, request: TokenCounts) -> None:
    """Take the usage of a session nested in this one, at any depth (rules 1 and 23)."""
    totals = draft.totals
    draft.totals = _with_subagents(totals, totals.subagent_total + request.total)
    _add(draft, request)


def join_pending(draft: Draft) -> None:
    """Let what a compaction used join the task (rule 22)."""
    pending = draft.requests.pending
    if pending is not None:
        _add(draft, pending)
        draft.requests = _with_pending(draft.requests, None)


def _add(draft: Draft, request: TokenCounts) -> None:
    task = draft.task
    if task is not None:
        draft.task = _used(
            task,
            True,
            task.tokens + request.total,
            task.cache_read + request.cache_read,
            task.cache_write + request.cache_write,
            task.output + request.output,
        )


def _sum(before: TokenCounts | None, more: TokenCounts) -> TokenCounts:
    if before is None:
        return more
    return TokenCounts(
        cache_read=before.cache_read + more.cache_read,
        cache_write=before.cache_write + more.cache_write,
        output=before.output + more.output,
        total=before.total + more.total,
    )
