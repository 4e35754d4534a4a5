"""AG-UI's tool calls and their results.

Rules of this file:

- A call is known by its id; arguments or an end for a call that nothing started are counted.
- A result may answer a call of an earlier run, or one this stream never saw (sources/census.md 6,
  U1): it is the output of that id either way.
- A result for a call whose end is missing ends the call first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.sources.ag_ui.content import tool_output
from refold.sources.ag_ui.state import (
    Event,
    State,
    Step,
    count,
    lane_closed,
    lane_of,
    mark_shown,
    origin_of,
    placed,
    with_lane,
    with_result,
)
from refold.sources.ag_ui.streams import loose_key
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import name, text
from refold.sources.fragments import NOTHING_OPEN, Fragment, completed, find, grown, opened

__all__ = ["CALL_EVENTS"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_PREFIX = "call "


def _start(state: State, event: Event, at: str | None) -> Step:
    lane, key = lane_of(event), _key(event)
    if find(state.lanes.get(lane, NOTHING_OPEN), key) is not None:
        return count(state, "repeated start of a call"), ()
    return _opened(state, event, at, loose=False)


def _args(state: State, event: Event, at: str | None) -> Step:
    lane, key = lane_of(event), _key(event)
    if find(state.lanes.get(lane, NOTHING_OPEN), key) is None:
        return count(state, "arguments of a call without a start"), ()
    return _grown(state, lane, key, event, at)


def _end(state: State, event: Event, at: str | None) -> Step:
    lane, key = lane_of(event), _key(event)
    if find(state.lanes.get(lane, NOTHING_OPEN), key) is None:
        return count(state, "end of a call without a start"), ()
    return _completed(state, lane, key, at)


def _chunk(state: State, event: Event, at: str | None) -> Step:
    lane = lane_of(event)
    named = name(event.get("toolCallId"))
    key = _key(event) if named else loose_key(state, lane, _PREFIX)
    if key is None:
        return count(state, "arguments of a call without a start"), ()
    drafts: Drafts = ()
    if find(state.lanes.get(lane, NOTHING_OPEN), key) is None:
        state, drafts = lane_closed(state, lane, at, loose_only=True)
        state, more = _opened(state, event, at, loose=True)
        drafts += more
    state, more = _grown(state, lane, key, event, at)
    return state, (*drafts, *more)


def _result(state: State, event: Event, at: str | None) -> Step:
    lane = lane_of(event)
    state, drafts = _completed(state, lane, _key(event), at)
    output = tool_output(event)
    state = with_result(state, output)
    return state, (*drafts, *placed((draft(output, at),), origin_of(state, lane)))


def _opened(state: State, event: Event, at: str | None, *, loose: bool) -> Step:
    lane, call_id = lane_of(event), text(event.get("toolCallId"))
    fragment = Fragment(
        key=_key(event),
        kind="tool_call",
        name=text(event.get("toolCallName")),
        call_id=call_id,
        started_at=at,
        loose=loose,
    )
    fragments, drafts = opened(state.lanes.get(lane, NOTHING_OPEN), fragment)
    state = mark_shown(state, "call", call_id)
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _grown(state: State, lane: str, key: str, event: Event, at: str | None) -> Step:
    before = state.lanes.get(lane, NOTHING_OPEN)
    fragments, drafts = grown(before, key, text(event.get("delta")), at)
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _completed(state: State, lane: str, key: str, at: str | None) -> Step:
    fragments, drafts = completed(state.lanes.get(lane, NOTHING_OPEN), key, at)
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def _key(event: Event) -> str:
    return f"{_PREFIX}{text(event.get('toolCallId'))}"


CALL_EVENTS: dict[str, Case] = {
    "TOOL_CALL_START": _start,
    "TOOL_CALL_ARGS": _args,
    "TOOL_CALL_END": _end,
    "TOOL_CALL_CHUNK": _chunk,
    "TOOL_CALL_RESULT": _result,
}
