"""The laws of delivery: 6, 7, 10 and 11.

Rules of this file (laws.md):

- A list of messages is taken as what happened; it is cut and delivered in other ways.
- Cuts are at a few dozen places of a long list, and at every place of a short one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from refold.folding import apply, replay
from refold.laws.broken import first_difference
from refold.laws.comparing import confirmed, timeless
from refold.live import HistoryLoaded, Received, connect, step
from refold.live.state import LiveState
from refold.messages import Message
from refold.patches import diff, patch
from refold.recording import record
from refold.session import Session
from refold.views import to_json
from refold.windows import close_window, window

__all__ = [
    "overlap_doesnt_matter",
    "patches_lead_on",
    "redelivery_is_harmless",
    "windows_dont_matter",
]

_PLACES = 12


def overlap_doesnt_matter(messages: Sequence[Message]) -> str | None:
    """Law 6: a history and a stream that overlap give the view of what happened."""
    if len({(each.origin, each) for each in messages}) < len(messages):
        messages = _once(messages)
    whole = _told(replay(messages, now_ms=0))
    for begin, end in _cuts(len(messages)):
        state = _delivered(connect(), messages, begin, end)
        history = tuple(record(messages[:end]))
        state, _ = step(state, HistoryLoaded(messages=history))
        state = _delivered(state, messages, end, len(messages))
        found = first_difference(whole, _told(state.session))
        if found:
            return f"stream from message {begin}, history to message {end}: {found}"
    return None


def windows_dont_matter(messages: Sequence[Message]) -> str | None:
    """Law 7: windows show, one behind the other, what the whole shows."""
    trace = list(record(messages))
    whole = [to_json(replay(trace, now_ms=0))["items"]]
    for limit in sorted({1, 7, len(trace) // 3 + 1}):
        parts = list(_windows(trace, limit))
        shown = [item for part in parts for item in to_json(part)["items"]]
        found = first_difference(whole[0], shown)
        if found:
            return f"windows of {limit} messages: {found}"
    return None


def patches_lead_on(messages: Sequence[Message]) -> str | None:
    """Law 10: a diff leads from one version's JSON to the next one's."""
    session, document = Session(), to_json(Session())
    for index, message in enumerate(messages):
        after = apply(session, message, now_ms=index)
        document = patch(document, diff(session, after, pure=index % 2 == 1))
        session = after
        if index in _places(len(messages)):
            found = first_difference(to_json(session), document)
            if found:
                return f"behind message {index}: {found}"
    return first_difference(to_json(session), document)


def redelivery_is_harmless(messages: Sequence[Message]) -> str | None:
    """Law 11: what is delivered again under its event id changes nothing."""
    state, _ = step(connect(), HistoryLoaded())
    once = _delivered(state, messages, 0, len(messages))
    for begin, end in _cuts(len(messages)):
        state, _ = step(connect(), HistoryLoaded())
        state = _delivered(state, messages, 0, end)
        state = _delivered(state, messages, begin, len(messages))
        found = first_difference(to_json(once.session), to_json(state.session))
        if found:
            return f"messages {begin} to {end} twice: {found}"
    return None


def _delivered(state: LiveState, messages: Sequence[Message], begin: int, end: int) -> LiveState:
    for index in range(begin, end):
        received = Received(message=messages[index], event_id=f"e-{index}")
        state, _ = step(state, received)
    return state


def _once(messages: Sequence[Message]) -> list[Message]:
    """Leave out what comes twice, time included: the law says nothing of it."""
    return list(dict.fromkeys(messages))


def _windows(trace: list[Message], limit: int) -> Iterator[Session]:
    starts = [len(trace)]
    while starts[0] > 0:
        starts.insert(0, window(trace[: starts[0]], limit).start)
    for begin, end in pairwise(starts):
        prior = window(trace[:end], limit).prior
        session = replay(trace[begin:end], now_ms=0, session=prior)
        yield session if end == len(trace) else close_window(session)


def _cuts(length: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of places, the first not behind the second."""
    places = sorted(_places(length) | {length})
    for end in places:
        yield from {(begin, end) for begin in (0, places[len(places) // 3], end) if begin <= end}


def _places(length: int) -> set[int]:
    return set(range(0, length, max(1, length // _PLACES)))


def _told(session: Session) -> dict[str, Any]:
    """Return a settled view without what only the pieces that a cut lost could tell."""
    return timeless(confirmed(session))
