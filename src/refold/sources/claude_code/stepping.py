"""The source itself: a record goes in, messages come out.

Rules of this file:

- record → lane → readings → transitions → messages, in this order, one record at a time.
- Whatever shows nothing is counted under a reason; how many reasons there are is bounded.
- A title that belongs to a record of another session is no title of this one.
"""

from __future__ import annotations

from refold.messages import Message
from refold.sources.claude_code.fields import evolved, string
from refold.sources.claude_code.lanes import fold, is_copy
from refold.sources.claude_code.numbering import Sent, announced, messages_of
from refold.sources.claude_code.reading import readings_of
from refold.sources.claude_code.readings import Dropped, Reading, Titled, Unknown
from refold.sources.claude_code.requests import closed
from refold.sources.claude_code.routing import routed
from refold.sources.claude_code.spawning import bound, lane_of, spawned
from refold.sources.claude_code.state import Lane, Out, Place, State
from refold.sources.source import Record

__all__ = ["counts", "finish", "step"]

_MOST_REASONS = 500
_LONGEST_REASON = 80


def step(
    state: State, record: Record, observed_ms: int | None = None
) -> tuple[State, tuple[Message, ...]]:
    """Take in one record of a transcript.

    Args:
        state: the state in front of it.
        record: the record; its lane is the agent whose own file it stands in, if it does.
        observed_ms: not used: a record's time is its own, or unknown.
    """
    if type(record.value) is not dict:
        return _counted(state, "unknown: no object"), ()
    at = routed(state, record.value, record.lane)
    readings = readings_of(at.value)
    place = Place(
        timestamp=string(at.value, "timestamp"), id=string(at.value, "uuid"), line=record.line
    )
    state = bound(state, at, readings)
    state, sent = _folded(state, lane_of(state, at), readings, place)
    uuid = string(record.value, "uuid")
    if uuid is not None:
        state = evolved(state, records=state.records.put(uuid, at.agent))
    return _spent(state, at.agent, place, len(sent)), messages_of(sent)


def finish(state: State) -> tuple[Message, ...]:
    """Return what is due when no record comes any more: the ends of the open requests.

    Args:
        state: the state; it isn't changed, so records may still come.
    """
    sent: list[Sent] = []
    for agent in state.lanes:
        lane, outs = closed(state.lanes[agent])
        sent += [(lane, out) for out in outs]
    return messages_of(sent)


def counts(state: State) -> dict[str, int]:
    """Return how many records, or parts of them, showed nothing, by reason.

    Args:
        state: the state. A reason begins with ``unknown``, ``dropped`` or ``copy``.
    """
    return dict(state.counts)


def _folded(
    state: State, lane: Lane, readings: tuple[Reading, ...], place: Place
) -> tuple[State, list[Sent]]:
    outs: list[Out] = []
    learnt: list[str] = []
    for reading in readings:
        reason = _silence(state, lane, reading)
        if reason is not None:
            state = _counted(state, reason)
            continue
        lane, more = fold(lane, reading, place)
        outs += more
        state, children = spawned(state, lane.agent, reading)
        learnt += children
    lane, said = announced(lane, outs, place)
    state = evolved(state, lanes=state.lanes.put(lane.agent, lane))
    return _rebound(state, learnt, place, [(lane, out) for out in said])


def _rebound(
    state: State, agents: list[str], place: Place, sent: list[Sent]
) -> tuple[State, list[Sent]]:
    """Tell the sessions of agents that already spoke which call they belong to."""
    for agent in agents:
        lane = state.lanes.get(agent)
        if lane is None or lane.announced is None or lane.header.call_id is not None:
            continue
        header = evolved(lane.header, call_id=state.bound[agent])
        lane, said = announced(evolved(lane, header=header), (), place)
        state = evolved(state, lanes=state.lanes.put(agent, lane))
        sent += [(lane, out) for out in said]
    return state, sent


def _silence(state: State, lane: Lane, reading: Reading) -> str | None:
    """Return why a reading shows nothing, or None if it is to be folded."""
    if isinstance(reading, Dropped | Unknown):
        return f"{reading.kind}: {reading.what}"
    if isinstance(reading, Titled) and reading.leaf is not None:
        return None if reading.leaf in state.records else "dropped: title of another session"
    return f"copy: {reading.kind}" if is_copy(lane, reading) else None


def _counted(state: State, reason: str) -> State:
    reason = reason[:_LONGEST_REASON]
    if reason not in state.counts and len(state.counts) >= _MOST_REASONS:
        reason = "unknown: other"
    return evolved(state, counts=state.counts.put(reason, state.counts.get(reason, 0) + 1))


def _spent(state: State, agent: str, place: Place, messages: int) -> State:
    """Remember how many messages a request's last line was made into so far."""
    lane = state.lanes[agent]
    if lane.group is None or lane.group.place != place or not messages:
        return state
    group = evolved(lane.group, place=evolved(place, spent=messages))
    return evolved(state, lanes=state.lanes.put(agent, evolved(lane, group=group)))
