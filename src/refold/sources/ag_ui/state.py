"""What the AG-UI source carries from event to event.

Rules of this file:

- Everything is kept per lane: the main agent's, and one per subagent invocation
  (``subagentRunId``). A lane without open fragments isn't kept.
- ``shown`` holds the ids of what is in the view already, so a snapshot that repeats it adds
  nothing; ids are unique per role, not beyond it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from refold.maps import EMPTY_MAP, Map
from refold.messages import TokenCounts, ToolCallOutput
from refold.records import evolve, evolver, record
from refold.sources.drafts import Draft, Drafts
from refold.sources.fields import text
from refold.sources.fragments import NOTHING_OPEN, Fragments, completed
from refold.sources.json_patch import Patched
from refold.sources.tally import NOTHING_COUNTED, Tally, counted
from refold.sources.token_ledger import NO_TOKENS

__all__ = [
    "START",
    "Activity",
    "Event",
    "State",
    "Step",
    "all_closed",
    "count",
    "lane_closed",
    "lane_of",
    "mark_shown",
    "origin_of",
    "placed",
    "with_lane",
    "with_result",
]

Event: TypeAlias = dict[str, Any]


@record
class Activity:
    """An activity message: its type and its latest content."""

    kind: str
    content: Patched


@record
class State:
    """The AG-UI source between two events.

    Args:
        lanes: open fragments by subagent invocation, the main agent's under the empty name.
        origins: the origin chain of each announced subagent invocation.
        shown: ``<role> <id>`` of everything the view has.
        results: the output of every call that has one, by call id.
        states: the shared state by subagent invocation.
        activities: activities by message id.
        thread: the conversation, once a run named it.
        running: a run is open.
        session: the tokens of all runs so far.
        tally: what was not understood.
    """

    lanes: Map[Fragments] = EMPTY_MAP
    origins: Map[tuple[str, ...]] = EMPTY_MAP
    shown: Map[bool] = EMPTY_MAP
    results: Map[ToolCallOutput] = EMPTY_MAP
    states: Map[Patched] = EMPTY_MAP
    activities: Map[Activity] = EMPTY_MAP
    thread: str | None = None
    running: bool = False
    session: TokenCounts = NO_TOKENS
    tally: Tally = NOTHING_COUNTED


Step: TypeAlias = tuple[State, Drafts]

START = State()

_with_lanes = evolver(State, "lanes")


def lane_of(event: Event) -> str:
    """Return the lane an event belongs to: a subagent invocation, or the main agent's."""
    return text(event.get("subagentRunId"))


def origin_of(state: State, lane: str) -> tuple[str, ...]:
    """Return the origin chain of a lane; an invocation nobody announced is the main agent's own."""
    if not lane:
        return ()
    return state.origins.get(lane) or (lane,)


def placed(drafts: Drafts, origin: tuple[str, ...]) -> Drafts:
    """Return drafts as coming through an origin chain."""
    if not origin:
        return drafts
    return tuple(
        [
            Draft(payload=each.payload, at=each.at, started_at=each.started_at, origin=origin)
            for each in drafts
        ]
    )


def with_lane(state: State, lane: str, fragments: Fragments) -> State:
    """Return the state with other open fragments in a lane."""
    if fragments is state.lanes.get(lane, NOTHING_OPEN):
        return state
    lanes = state.lanes.put(lane, fragments) if fragments.open else state.lanes.without(lane)
    return _with_lanes(state, lanes)


def lane_closed(
    state: State, lane: str, at: str | None, *, loose_only: bool = False, failure: str | None = None
) -> Step:
    """Complete what is open in a lane.

    Args:
        state: the state.
        lane: the lane.
        at: when, as a timestamp.
        loose_only: leave what a record opened by name.
        failure: why it ends, if not well. A call that nothing ended was never whole, so it is
            ``aborted`` even where all went well.
    """
    fragments = state.lanes.get(lane, NOTHING_OPEN)
    drafts: Drafts = ()
    for each in fragments.open:
        if each.loose or not loose_only:
            whole = each.loose or each.kind != "tool_call"
            reason = failure or ("completed" if whole else "aborted")
            fragments, more = completed(fragments, each.key, at, stop_reason=reason)
            drafts += more
    return with_lane(state, lane, fragments), placed(drafts, origin_of(state, lane))


def all_closed(state: State, at: str | None, failure: str | None = None) -> Step:
    """Complete what is open in every lane, the main agent's first."""
    drafts: Drafts = ()
    for lane in state.lanes:
        state, more = lane_closed(state, lane, at, failure=failure)
        drafts += more
    return state, drafts


def mark_shown(state: State, role: str, ident: str) -> State:
    """Return the state with a message known to be in the view; one without an id is not."""
    key = f"{role} {ident}"
    if not ident or key in state.shown:
        return state
    return evolve(state, shown=state.shown.put(key, True))


def with_result(state: State, output: ToolCallOutput) -> State:
    """Return the state with the output of a call."""
    return evolve(state, results=state.results.put(output.tool_call_id, output))


def count(state: State, reason: str) -> State:
    """Return the state with something not understood counted."""
    return evolve(state, tally=counted(state.tally, reason))
