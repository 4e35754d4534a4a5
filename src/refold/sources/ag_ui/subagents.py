"""AG-UI's subagent invocations.

Rules of this file:

- An invocation is a nested session, bound to the call that started it where the event names it. Its
  failure is its own.
- Chains of invocations are cut at a depth that is safe to walk, and where they turn on themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from refold.messages import Fact, Payload, RequestEnd
from refold.records import evolve
from refold.sources.ag_ui.remarks import failure, meta, told
from refold.sources.ag_ui.state import Event, State, Step, count, lane_closed, lane_of, origin_of
from refold.sources.fields import frozen, mapping, name, text

__all__ = ["SUBAGENT_EVENTS"]

Case: TypeAlias = Callable[[State, Event, str | None], Step]

_DEEPEST_ORIGIN = 64


def _subagent_started(state: State, event: Event, at: str | None) -> Step:
    lane = lane_of(event)
    if not lane:
        return count(state, "subagent without an id"), ()
    if lane in state.origins:
        return state, ()
    origin = _origin_below(state, lane, text(event.get("parentSubagentRunId")))
    state = evolve(state, origins=state.origins.put(lane, origin))
    described = meta(
        lane,
        system_prompt=text(event.get("description")),
        source="subagent",
        parent_tool_call_id=name(event.get("parentToolCallId")),
    )
    title = Fact(name="title", value=text(event.get("name")))
    return told(state, event, at, described, title)


def _origin_below(state: State, lane: str, parent: str) -> tuple[str, ...]:
    above = origin_of(state, parent)
    if lane in above or len(above) >= _DEEPEST_ORIGIN:
        return (lane,)
    return (*above, lane)


def _subagent_finished(state: State, event: Event, at: str | None) -> Step:
    state, closed = lane_closed(state, lane_of(event), at)
    suspended = mapping(event.get("outcome")).get("type") == "suspended"
    payloads: list[Payload] = [RequestEnd(status="completed")]
    payloads.append(Fact(name="status", value="suspended" if suspended else "finished"))
    if event.get("result") is not None:
        payloads.append(Fact(name="result", value=frozen(event["result"])))
    state, said = told(state, event, at, *payloads)
    return state, (*closed, *said)


def _subagent_error(state: State, event: Event, at: str | None) -> Step:
    state, closed = lane_closed(state, lane_of(event), at, failure="failed")
    state, said = told(state, event, at, *failure(event))
    return state, (*closed, *said)


SUBAGENT_EVENTS: dict[str, Case] = {
    "SUBAGENT_STARTED": _subagent_started,
    "SUBAGENT_FINISHED": _subagent_finished,
    "SUBAGENT_ERROR": _subagent_error,
}
