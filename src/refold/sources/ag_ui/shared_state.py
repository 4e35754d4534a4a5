"""AG-UI's shared state, activities, and what applications send beside the protocol.

Rules of this file:

- The shared state is the fact ``state``: each snapshot and each delta gives its latest value.
  A delta that can't be applied is counted and leaves it.
- An activity is a notice where it began and the fact ``activity:<id>`` for its latest content, so
  a stream of deltas and a snapshot of the end say the same.
- ``CUSTOM`` is a notice: what it means, the application knows. ``RAW`` repeats a provider's event
  that the protocol has said already, or can't say; it is counted and not shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.json_values import Json
from refold.messages import Fact, Notice
from refold.records import evolve
from refold.sources.ag_ui.snapshots import activity_shown, conversation_shown
from refold.sources.ag_ui.state import (
    Activity,
    Event,
    State,
    Step,
    count,
    lane_of,
    origin_of,
    placed,
)
from refold.sources.drafts import draft
from refold.sources.fields import frozen, frozen_object, text
from refold.sources.json_patch import Patched, patched

__all__ = ["STATE_EVENTS"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_NO_STATE = Patched(document=None)


def _state_snapshot(state: State, event: Event, at: str | None) -> Step:
    return _state_told(state, lane_of(event), Patched(document=frozen(event.get("snapshot"))), at)


def _state_delta(state: State, event: Event, at: str | None) -> Step:
    lane = lane_of(event)
    before = state.states.get(lane, _NO_STATE)
    after = patched(before.document, event.get("delta"), before.copied)
    if not after.applied:
        return count(state, "state delta that doesn't apply"), ()
    return _state_told(state, lane, after, at)


def _state_told(state: State, lane: str, shared: Patched, at: str | None) -> Step:
    state = evolve(state, states=state.states.put(lane, shared))
    fact = draft(Fact(name="state", value=shared.document), at)
    return state, placed((fact,), origin_of(state, lane))


def _messages_snapshot(state: State, event: Event, at: str | None) -> Step:
    return conversation_shown(state, event.get("messages"), at)


def _activity_snapshot(state: State, event: Event, at: str | None) -> Step:
    ident = text(event.get("messageId"))
    if event.get("replace") is False and ident in state.activities:
        return state, ()
    content: Json = frozen_object(event.get("content"))
    return _activity_told(state, event, Patched(document=content), at)


def _activity_delta(state: State, event: Event, at: str | None) -> Step:
    known = state.activities.get(text(event.get("messageId")))
    if known is None:
        return count(state, "activity delta without a snapshot"), ()
    after = patched(known.content.document, event.get("patch"), known.content.copied)
    if not after.applied:
        return count(state, "activity delta that doesn't apply"), ()
    return _activity_told(state, event, after, at)


def _activity_told(state: State, event: Event, content: Patched, at: str | None) -> Step:
    activity = Activity(kind=text(event.get("activityType")), content=content)
    state, drafts = activity_shown(state, text(event.get("messageId")), activity, at)
    return state, placed(drafts, origin_of(state, lane_of(event)))


def _custom(state: State, event: Event, at: str | None) -> Step:
    said, value = text(event.get("name")), frozen(event.get("value"))
    notice = draft(Notice(name="custom", text=said, data=value), at)
    return state, placed((notice,), origin_of(state, lane_of(event)))


def _raw(state: State, event: Event, at: str | None) -> Step:
    return count(state, "raw event"), ()


STATE_EVENTS: dict[str, Case] = {
    "STATE_SNAPSHOT": _state_snapshot,
    "STATE_DELTA": _state_delta,
    "MESSAGES_SNAPSHOT": _messages_snapshot,
    "ACTIVITY_SNAPSHOT": _activity_snapshot,
    "ACTIVITY_DELTA": _activity_delta,
    "CUSTOM": _custom,
    "RAW": _raw,
}
