"""The source itself: a record goes in, messages come out.

Rules of this file:

- record → lane → readings → transitions → messages, in this order, one record at a time.
- Whatever shows nothing is counted under a reason; how many reasons there are is bounded.
- A title is this session's if the record it points at is one of the last of the main thread.
"""

from __future__ import annotations

from typing import Any, TypeGuard

from refold.messages import Message
from refold.records import evolver, positional
from refold.sources.claude_code.fields import string
from refold.sources.claude_code.lanes import fold
from refold.sources.claude_code.numbering import Sent, announce, messages_of
from refold.sources.claude_code.outs import Out
from refold.sources.claude_code.reading import readings_of
from refold.sources.claude_code.readings import Dropped, Reading, Titled, Unknown
from refold.sources.claude_code.requests import close
from refold.sources.claude_code.routing import Routed, routed
from refold.sources.claude_code.spawning import lane_of, learn_children, learn_own_call
from refold.sources.claude_code.state import (
    LaneDraft,
    State,
    StateDraft,
    freeze_state,
    lane_at,
    put_lane,
    thaw_lane,
    thaw_state,
)
from refold.sources.claude_code.surroundings import fold_surroundings
from refold.sources.claude_code.values import MAIN, Group, Header, Place
from refold.sources.source import Record

__all__ = ["counts", "finish", "step"]

_MOST_REASONS = 500
_LONGEST_REASON = 80
_MOST_RECENT = 15

_place = positional(Place)
_spent = evolver(Group, "spent")
_called = evolver(Header, "call_id")


def step(
    state: State, record: Record, observed_ms: int | None = None
) -> tuple[State, tuple[Message, ...]]:
    """Take in one record of a transcript.

    Args:
        state: the state in front of it.
        record: the record; its lane is the agent whose own file it stands in, if it does.
        observed_ms: not used: a record's time is its own, or unknown.
    """
    draft = thaw_state(state)
    if type(record.value) is not dict:
        _count(draft, "unknown: no object")
        return freeze_state(draft), ()
    at = routed(draft, record.value, record.lane)
    sent = _folded(draft, at, record.line)
    _remember(draft, record.value, at.agent)
    return freeze_state(draft), messages_of(sent) if sent else ()


def finish(state: State) -> tuple[Message, ...]:
    """Return what is due when no record comes any more: the ends of the open requests.

    Args:
        state: the state; it isn't changed, so records may still come.
    """
    lanes = [thaw_lane(each) for each in (state.main, *state.agents.values())]
    return messages_of([(lane, out) for lane in lanes for out in close(lane)])


def counts(state: State) -> dict[str, int]:
    """Return how many records, or parts of them, showed nothing, by reason.

    Args:
        state: the state. A reason begins with ``unknown``, ``dropped`` or ``copy``.
    """
    return dict(state.counts)


def _folded(state: StateDraft, at: Routed, line: int | None) -> list[Sent]:
    """Fold a record into its lane, and tell of what it tells about other lanes."""
    readings = readings_of(at.value)
    if len(readings) == 1 and _is_silent(readings[0]):
        _count(state, f"{readings[0].kind}: {readings[0].what}")
        return []
    place: Place = _place(string(at.value, "timestamp"), string(at.value, "uuid"), line)
    if at.agent != MAIN:
        learn_own_call(state, at, readings)
    lane = lane_of(state, at)
    outs = fold_surroundings(lane, at.value, place)
    learnt: list[str] = []
    for reading in readings:
        more = _said(state, lane, reading, place)
        if more:
            outs += more
            learnt += learn_children(state, at.agent, reading)
    sent: list[Sent] = [(lane, out) for out in announce(lane, outs, place)]
    if sent and lane.group is not None and lane.group.place is place:
        lane.group = _spent(lane.group, len(sent))
    put_lane(state, lane)
    for child in learnt:
        sent += _rebound(state, child, place)
    return sent


def _said(state: StateDraft, lane: LaneDraft, reading: Reading, place: Place) -> list[Out] | None:
    """Return what a reading says, or None, counted, if it says nothing or nothing new."""
    if _is_silent(reading):
        _count(state, f"{reading.kind}: {reading.what}")
        return None
    if type(reading) is Titled and reading.leaf is not None and reading.leaf not in state.recent:
        _count(state, "dropped: title of another session")
        return None
    outs = fold(lane, reading, place)
    if outs is None:
        _count(state, f"copy: {reading.kind}")
    return outs


def _is_silent(reading: Reading) -> TypeGuard[Dropped | Unknown]:
    return reading.kind == "dropped" or reading.kind == "unknown"


def _rebound(state: StateDraft, agent: str, place: Place) -> list[Sent]:
    """Tell the session of an agent that already spoke which call it belongs to."""
    known = lane_at(state, agent)
    if known is None or known.announced is None or known.header.call_id is not None:
        return []
    lane = thaw_lane(known)
    lane.header = _called(lane.header, state.bound[agent])
    sent: list[Sent] = [(lane, out) for out in announce(lane, [], place)]
    put_lane(state, lane)
    return sent


def _remember(state: StateDraft, value: dict[str, Any], agent: str) -> None:
    """Remember a record's id for what may point at it; nothing points at progress."""
    uuid = string(value, "uuid")
    if uuid is None or value.get("type") == "progress":
        return
    if agent == MAIN:
        state.recent = (*state.recent[-_MOST_RECENT:], uuid)
    elif value.get("isSidechain") is True and "agentId" not in value:
        state.sidechains = state.sidechains.put(uuid, agent)


def _count(state: StateDraft, reason: str) -> None:
    reason = reason[:_LONGEST_REASON]
    if reason not in state.counts and len(state.counts) >= _MOST_REASONS:
        reason = "unknown: other"
    state.counts = state.counts.put(reason, state.counts.get(reason, 0) + 1)
