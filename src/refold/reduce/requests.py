"""Requests to the model: their timing, their failures, and aborts.

Rules of this file (reducer.md rules 25, 28, 31-33):

- A request of a compaction is not timed and fails silently; a waiting reconnect hears of both.
- Nothing of the local clock outlives the wait for a retry.
"""

from __future__ import annotations

from refold.items import AbortItem, ReconnectItem
from refold.maps import Map
from refold.messages import Abort, Message, RequestBegin, RequestEnd
from refold.records import evolver
from refold.reduce.cards import close_running
from refold.reduce.places import next_key, place, put_placed
from refold.reduce.tasks import close_open_fragments, give_up_waiting
from refold.reduce.usage import join_pending
from refold.state import Draft, Marks, Pointers, Requests, Task

__all__ = ["abort", "request_begin", "request_end"]

_FAILURES = ("failed", "timeout", "malformed")

_retrying = evolver(ReconnectItem, "retrying", "arrived_at_ms")
_waiting = evolver(Pointers, "reconnect")
_opened = evolver(Requests, "open", "begin_ms", "waited_ms", "output_since")
_closed = evolver(Requests, "open", "begin_ms", "waited_ms", "attempt")
_with_attempt = evolver(Requests, "attempt")
_ended = evolver(Task, "end_ms", "llm_ms")
_auth_failed = evolver(Marks, "last_auth_failure_ms")


def request_begin(
    draft: Draft,
    payload: RequestBegin,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    """Open request timing; a reconnect that waits is being retried (rule 31)."""
    _retry(draft)
    if draft.aside.compacting is None:
        draft.requests = _opened(draft.requests, True, at_ms, 0, False)


def request_end(
    draft: Draft,
    payload: RequestEnd,
    at_ms: int | None,
    message: Message,
    now_ms: int,
    decided: Map[bool],
) -> None:
    """Close request timing and show a failure (rule 32); nothing inside a compaction."""
    if draft.aside.compacting is not None:
        return
    if payload.status != "completed":
        close_open_fragments(draft, payload.status)
    _note_credentials(draft, payload.status, at_ms)
    _time(draft, at_ms)
    join_pending(draft)
    attempt = 0
    if payload.status in _FAILURES:
        attempt = draft.requests.attempt + 1 if payload.attempt is None else payload.attempt
        _place_reconnect(draft, payload, attempt, now_ms)
    draft.requests = _closed(draft.requests, False, None, 0, attempt)


def abort(draft: Draft, payload: Abort) -> None:
    """Close what runs and streams, and place the abort (rule 28)."""
    close_running(draft)
    close_open_fragments(draft)
    give_up_waiting(draft)
    draft.requests = _with_attempt(draft.requests, 0)
    place(draft, AbortItem(key=next_key(draft, "abort"), reason=payload.reason))


def _retry(draft: Draft) -> None:
    slot = draft.aside.pointers.reconnect
    if slot is None:
        return
    item = draft.placed.at(slot)
    assert type(item) is ReconnectItem
    put_placed(draft, slot, _retrying(item, True, None))
    draft.pointers = _waiting(draft.aside.pointers, None)


def _note_credentials(draft: Draft, status: str, at_ms: int | None) -> None:
    if status == "auth":
        failed_ms = (draft.previous_ms or 0) if at_ms is None else at_ms
        draft.marks = _auth_failed(draft.aside.marks, failed_ms)
    elif status == "completed" and draft.aside.marks.last_auth_failure_ms is not None:
        draft.marks = _auth_failed(draft.aside.marks, None)


def _time(draft: Draft, at_ms: int | None) -> None:
    task, requests = draft.task, draft.requests
    if task is None or at_ms is None:
        return
    llm_ms = task.llm_ms
    if requests.open and requests.begin_ms is not None:
        llm_ms += max(0, at_ms - requests.begin_ms - requests.waited_ms)
    draft.task = _ended(task, at_ms, llm_ms)


def _place_reconnect(draft: Draft, payload: RequestEnd, attempt: int, now_ms: int) -> None:
    """Place a reconnect; one that still waited has a later one behind it and waits no more."""
    _stop_waiting(draft)
    delayed = payload.retry_in_ms is not None and payload.retry_in_ms > 0
    item = ReconnectItem(
        key=next_key(draft, "reconnect"),
        status=payload.status,
        attempt=attempt,
        planned_delay_ms=payload.retry_in_ms if delayed else None,
        arrived_at_ms=now_ms if delayed else None,
    )
    draft.pointers = _waiting(draft.aside.pointers, place(draft, item))


def _stop_waiting(draft: Draft) -> None:
    slot = draft.aside.pointers.reconnect
    if slot is not None:
        item = draft.placed.at(slot)
        assert type(item) is ReconnectItem
        put_placed(draft, slot, _retrying(item, item.retrying, None))
