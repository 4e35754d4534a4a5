"""The source itself: a record goes in, messages come out.

Rules of this file:

- record → lane → readings → transitions → messages, in this order, one record at a time.
- Whatever shows nothing is counted under a reason; how many reasons there are is bounded.
- A title is this session's if the record it points at is one of the last of the main thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from refold.messages import Message
from refold.records import evolver, positional
from refold.sources.claude_code.fields import string
from refold.sources.claude_code.lanes import fold
from refold.sources.claude_code.numbering import announce, messages_of
from refold.sources.claude_code.outs import Out
from refold.sources.claude_code.reading import readings_of
from refold.sources.claude_code.readings import (
    Dropped,
    Reading,
    Response,
    Result,
    Titled,
    Unknown,
)
from refold.sources.claude_code.requests import close
from refold.sources.claude_code.routing import Routed, routed
from refold.sources.claude_code.spawning import lane_of, learn_children, learn_own_call
from refold.sources.claude_code.state import (
    State,
    StateDraft,
    freeze_state,
    lane_at,
    open_lane,
    put_lane,
    thaw_lane,
    thaw_state,
)
from refold.sources.claude_code.surroundings import fold_surroundings
from refold.sources.claude_code.values import MAIN, Header, Place
from refold.sources.source import Record

__all__ = ["counts", "finish", "step", "steps"]

_MOST_REASONS = 500
_LONGEST_REASON = 80
_MOST_RECENT = 15
_OTHER = "unknown: other"
_SILENT: Final = frozenset({Dropped, Unknown})

# What may say nothing after all, and what may tell of another lane.
_DOUBTFUL: Final = frozenset({Titled, *_SILENT})
_TELLING: Final = frozenset({Response, Result})

_place = positional(Place)
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
    messages = _taken(draft, record)
    return freeze_state(draft), tuple(messages)


def steps(state: State, records: Sequence[Record]) -> tuple[State, list[Message]]:
    """Take in some records of a transcript: what ``step`` gives for each, at less cost.

    Args:
        state: the state in front of them.
        records: the records, in order.
    """
    draft = thaw_state(state)
    messages: list[Message] = []
    for record in records:
        messages += _taken(draft, record)
    return freeze_state(draft), messages


def finish(state: State) -> tuple[Message, ...]:
    """Return what is due when no record comes any more: the ends of the open requests.

    Args:
        state: the state; it isn't changed, so records may still come.
    """
    lanes = [thaw_lane(each) for each in (state.main, *state.agents.values())]
    return tuple([message for lane in lanes for message in messages_of(lane, close(lane))])


def counts(state: State) -> dict[str, int]:
    """Return how many records, or parts of them, showed nothing, by reason.

    Args:
        state: the state. A reason begins with ``unknown``, ``dropped`` or ``copy``.
    """
    return dict(sorted(zip(state.reasons, state.times, strict=True)))


def _taken(state: StateDraft, record: Record) -> Sequence[Message]:
    value = record.value
    if type(value) is not dict:
        _count(state, "unknown: no object")
        return ()
    kind = value.get("type")
    at = routed(state, value, kind, record.lane)
    readings = readings_of(at.value)
    messages: Sequence[Message] = ()
    if len(readings) == 1 and type(readings[0]) in _SILENT:
        _says_nothing(state, readings[0])
    else:
        messages = _folded(state, at, readings, record.line)
    if kind != "progress":
        _remember(state, value, at.agent)
    return messages


def _folded(
    state: StateDraft, at: Routed, readings: tuple[Reading, ...], line: int | None
) -> list[Message]:
    """Fold a record into its lane, and tell of what it tells about other lanes."""
    value = at.value
    place: Place = _place(string(value, "timestamp"), string(value, "uuid"), line)
    is_main = at.agent == MAIN
    if not is_main:
        learn_own_call(state, at, readings)
    lane = lane_of(state, at)
    outs = fold_surroundings(lane, value, place)
    learnt: list[str] = []
    for reading in readings:
        if type(reading) in _DOUBTFUL and _says_nothing(state, reading):
            continue
        more = fold(lane, reading, place)
        if more is None:
            _count(state, f"copy: {reading.kind}")
        elif more:
            outs += more
            if type(reading) in _TELLING:
                learnt += learn_children(state, at.agent, reading)
    if lane.header is not lane.announced:
        outs = announce(lane, outs, place)
    if lane.group is not None and lane.group.place is place:
        lane.spent = len(outs)
    if not is_main:
        put_lane(state, lane)
    messages = messages_of(lane, outs, place) if outs else []
    return messages + _rebound(state, learnt, outs, place) if learnt else messages


def _says_nothing(state: StateDraft, reading: Reading) -> bool:
    """Tell whether a reading says nothing, and count it then."""
    if type(reading) is Dropped or type(reading) is Unknown:
        _count(state, f"{reading.kind}: {reading.what}")
        return True
    if type(reading) is Titled and reading.leaf is not None and reading.leaf not in state.recent:
        _count(state, "dropped: title of another session")
        return True
    return False


def _rebound(state: StateDraft, agents: list[str], outs: list[Out], place: Place) -> list[Message]:
    """Tell the sessions of agents that already spoke which call they belong to."""
    made = sum(each[1] is place for each in outs)
    messages: list[Message] = []
    for agent in agents:
        known = lane_at(state, agent)
        if known is None or known.announced is None or known.header.call_id is not None:
            continue
        lane = open_lane(state, agent)
        lane.header = _called(lane.header, state.bound[agent])
        said = announce(lane, [], place)
        put_lane(state, lane)
        messages += messages_of(lane, said, place, made + len(messages))
    return messages


def _remember(state: StateDraft, value: dict[str, Any], agent: str) -> None:
    """Remember a record's id for what may point at it; nothing points at progress."""
    uuid = value.get("uuid")
    if type(uuid) is not str or not uuid:
        return
    if agent == MAIN:
        state.recent = state.recent[-_MOST_RECENT:] + (uuid,)  # noqa: RUF005 - half the cost
    elif value.get("isSidechain") is True and "agentId" not in value:
        state.sidechains = state.sidechains.put(uuid, agent)


def _count(state: StateDraft, reason: str) -> None:
    reason = reason[:_LONGEST_REASON]
    if reason not in state.reasons:
        reason = _counted_as(state, reason)
    # The reasons are few, and a search through them is one call.
    at = state.reasons.index(reason)
    state.times = (*state.times[:at], state.times[at] + 1, *state.times[at + 1 :])


def _counted_as(state: StateDraft, reason: str) -> str:
    """Return what a new reason is counted as, which is among the reasons then."""
    reason = reason if len(state.reasons) < _MOST_REASONS else _OTHER
    if reason not in state.reasons:
        state.reasons, state.times = (*state.reasons, reason), (*state.times, 0)
    return reason
