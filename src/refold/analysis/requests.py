"""Requests to the model, what they wrote, and which were tried again.

Rules of this file (reducer.md rules 25 and 31-33):

- A begin opens a request, inside or outside a compaction; a later begin of the same side, a task's
  start or the compaction's end leave an unclosed one without an end. An end without a begin is
  entered as such.
- A segment runs from the previous boundary, which is the request's begin, a thing written or an
  approval (while a human was asked, the model did not write), to its complete message.
- Reconnects are those of requests outside compactions, as in the chat; how requests inside one
  ended, the requests tell.
"""

from __future__ import annotations

from refold.analysis.accounts import Requests
from refold.analysis.marks import Reconnect, Request, Segment, SegmentKind
from refold.analysis.moments import Moment
from refold.analysis.tasks import RETRIED
from refold.analysis.tokens import Tokens, added
from refold.messages import RequestEnd
from refold.records import evolver, positional

__all__ = [
    "approval_passed",
    "begun",
    "current",
    "ended",
    "given_up",
    "left_open",
    "metered",
    "waited",
    "written",
]

_segment = positional(Segment)
_open_request = evolver(Request, "ordinal", "task", "compaction", "begin_ms", "provider", "model")
_closed_request = evolver(Request, "end_ms", "status", "error_message")
_waited_request = evolver(Request, "wait_ms")
_metered_request = evolver(Request, "tokens", "provider", "model")
_retrying = evolver(Reconnect, "retrying", "retried_ms")
_gave_up = evolver(Reconnect, "gave_up")
_with_inside = evolver(Requests, "inside")
_with_outside = evolver(Requests, "outside")
_with_rows = evolver(Requests, "rows")
_begun_inside = evolver(Requests, "rows", "inside", "boundary_ms")
_begun_outside = evolver(Requests, "rows", "outside", "boundary_ms")
_ended_inside = evolver(Requests, "rows", "inside")
_ended_outside = evolver(Requests, "rows", "outside")
_written = evolver(Requests, "segments", "boundary_ms")
_with_boundary = evolver(Requests, "boundary_ms")
_with_reconnects = evolver(Requests, "reconnects")
_with_attempt = evolver(Requests, "attempt")
_failed = evolver(Requests, "reconnects", "attempt")

_NO_REQUEST = Request(ordinal=-1)


def current(requests: Requests, *, compacting: bool) -> int | None:
    """Return the place of the open request inside or outside a compaction."""
    return requests.inside if compacting else requests.outside


def left_open(requests: Requests, *, compacting: bool) -> Requests:
    """Leave a request that is open inside or outside a compaction without an end."""
    if current(requests, compacting=compacting) is None:
        return requests
    return _with_inside(requests, None) if compacting else _with_outside(requests, None)


# --- begin and end ----------------------------------------------------------------------------


def begun(requests: Requests, moment: Moment, task: int | None) -> Requests:
    """Open a request.

    Args:
        requests: the requests.
        moment: of its begin.
        task: the task or compaction it runs in.
    """
    request = _open_request(
        _NO_REQUEST,
        moment.ordinal,
        task,
        moment.compacting,
        moment.at_ms,
        moment.about.provider,
        moment.about.model,
    )
    begun_here = _begun_inside if moment.compacting else _begun_outside
    place, rows = requests.rows.slots, requests.rows.append(request)
    return begun_here(_retried(requests, moment), rows, place, moment.at_ms)


def ended(requests: Requests, end: RequestEnd, moment: Moment, task: int | None) -> Requests:
    """Close the open request, or enter an end without a begin.

    Args:
        requests: the requests.
        end: its end.
        moment: of its end.
        task: the task or compaction it ran in.
    """
    requests = _closed(requests, end, moment, task)
    if moment.compacting:
        return requests
    if end.status not in RETRIED:
        return _with_attempt(requests, 0) if requests.attempt else requests
    attempt = requests.attempt + 1 if end.attempt is None else end.attempt
    failed = Reconnect(
        ordinal=moment.ordinal,
        at_ms=moment.at_ms,
        task=task,
        status=end.status,
        attempt=attempt,
        planned_delay_ms=end.retry_in_ms or None,
    )
    return _failed(requests, requests.reconnects.append(failed), attempt)


def _closed(requests: Requests, end: RequestEnd, moment: Moment, task: int | None) -> Requests:
    place = current(requests, compacting=moment.compacting)
    if place is None:
        lone = Request(ordinal=moment.ordinal, task=task, compaction=moment.compacting, begun=False)
        rows = requests.rows.append(_ended(lone, end, moment))
    else:
        rows = requests.rows.put(place, _ended(requests.rows.at(place), end, moment))
    return (_ended_inside if moment.compacting else _ended_outside)(requests, rows, None)


def _ended(request: Request, end: RequestEnd, moment: Moment) -> Request:
    return _closed_request(request, moment.at_ms, end.status, end.error_message)


# --- what happens in one ----------------------------------------------------------------------


def written(requests: Requests, kind: SegmentKind, characters: int, moment: Moment) -> Requests:
    """Enter what the model wrote, if a request is open.

    Args:
        requests: the requests.
        kind: what it is.
        characters: how long, in code points.
        moment: of its complete message.
    """
    place = current(requests, compacting=moment.compacting)
    if place is None:
        return requests
    before, at_ms = requests.boundary_ms, moment.at_ms
    segment = _segment(place, kind, before, at_ms, moment.ordinal, characters)
    return _written(requests, requests.segments.append(segment), before if at_ms is None else at_ms)


def approval_passed(requests: Requests, moment: Moment) -> Requests:
    """Begin the next segment at an approval."""
    if moment.at_ms is None or current(requests, compacting=moment.compacting) is None:
        return requests
    return _with_boundary(requests, moment.at_ms)


def waited(requests: Requests, wait_ms: int) -> Requests:
    """Count an approval wait into the open request outside compactions."""
    place = requests.outside
    if place is None or wait_ms <= 0:
        return requests
    request = requests.rows.at(place)
    waited_for = _waited_request(request, request.wait_ms + wait_ms)
    return _with_rows(requests, requests.rows.put(place, waited_for))


def metered(requests: Requests, tokens: Tokens, moment: Moment) -> Requests:
    """Count tokens into the open request."""
    place = current(requests, compacting=moment.compacting)
    if place is None:
        return requests
    request = requests.rows.at(place)
    tokens = tokens if request.tokens is None else added(request.tokens, tokens)
    counted = _metered_request(request, tokens, moment.about.provider, moment.about.model)
    return _with_rows(requests, requests.rows.put(place, counted))


# --- what was tried again ---------------------------------------------------------------------


def given_up(requests: Requests) -> Requests:
    """Mark a waiting reconnect as given up, and count attempts anew."""
    waiting = _waiting(requests)
    if waiting is not None:
        requests = _reconnect_put(requests, _gave_up(waiting, True))
    return _with_attempt(requests, 0) if requests.attempt else requests


def _waiting(requests: Requests) -> Reconnect | None:
    if not requests.reconnects:
        return None
    last = requests.reconnects.at(requests.reconnects.slots - 1)
    return None if last.retrying or last.gave_up else last


def _retried(requests: Requests, moment: Moment) -> Requests:
    waiting = _waiting(requests)
    if waiting is None:
        return requests
    return _reconnect_put(requests, _retrying(waiting, True, moment.at_ms))


def _reconnect_put(requests: Requests, reconnect: Reconnect) -> Requests:
    place = requests.reconnects.slots - 1
    return _with_reconnects(requests, requests.reconnects.put(place, reconnect))
