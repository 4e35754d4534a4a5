"""Lanes: which conversation a record belongs to, and how its session is announced.

Rules of this file (sources/stream-json-and-acp.md 7.2; census S9):

- ``parent_tool_use_id`` names the call that spawned a nested session. There is no other id of it on
  the wire, so that is its session id too; its chain is that of the lane that made the call.
- A session is announced by its first complete record: a pointer in the lane above, then a
  session_meta that names the call. A stream alone announces nothing.
- Chains longer than ``_DEEPEST`` are cut in front of their last link.
"""

from __future__ import annotations

from refold.messages import Payload, SessionMeta, Subagent
from refold.records import evolve, evolver
from refold.sources.claude_stream_json.state import MAIN, Entry, Lane, Origin, State, Step
from refold.sources.drafts import Draft, draft
from refold.sources.fields import name

__all__ = ["entered", "glimpsed", "heard", "key_of", "lane_at", "said", "with_lane", "with_model"]

PROVIDER = "anthropic"

_DEEPEST = 32

_with_main = evolver(State, "main")
_with_nested = evolver(State, "nested")
_heard = evolver(Lane, "answered", "input_at")


def key_of(entry: Entry) -> str:
    """Return the key of a record's lane."""
    return name(entry.value.get("parent_tool_use_id")) or MAIN


def lane_at(state: State, key: str) -> Lane:
    """Return the lane of a key, which was glimpsed."""
    return state.main if key == MAIN else state.nested[key]


def with_lane(state: State, lane: Lane) -> State:
    """Return the state with a lane changed."""
    if lane.key == MAIN:
        return state if lane is state.main else _with_main(state, lane)
    return _with_nested(state, state.nested.put(lane.key, lane))


def said(entry: Entry, lane: Lane, *payloads: Payload) -> tuple[Draft, ...]:
    """Return payloads as drafts of a record, in a lane.

    Args:
        entry: the record.
        lane: whose session says it.
        payloads: what is said.
    """
    return tuple([draft(each, entry.at, None, lane.origin) for each in payloads])


def heard(lane: Lane, entry: Entry) -> Lane:
    """Return a lane in which the model was told something.

    Args:
        lane: the lane.
        entry: the record that holds it.
    """
    return _heard(lane, True, entry.at or lane.input_at)


def glimpsed(state: State, key: str) -> State:
    """Return the state with a lane that a stream shows, not yet announced."""
    if key == MAIN or key in state.nested:
        return state
    call = state.calls.get(key)
    above = state.main if call is None else lane_at(state, call.lane)
    return with_lane(state, Lane(key=key, origin=_chain(above.origin, key)))


def entered(state: State, entry: Entry) -> Step:
    """Return the state with a record's lane announced.

    Args:
        state: the state in front of the record.
        entry: a complete record.
    """
    key = key_of(entry)
    state = glimpsed(state, key)
    lane = lane_at(state, key)
    if lane.announced:
        return state, ()
    above = lane.origin[:-1]
    pointer = draft(Subagent(session_id=key), entry.at, None, above)
    state = with_lane(state, evolve(lane, announced=True))
    return state, (pointer, *said(entry, lane, _meta(state, lane, "")))


def with_model(state: State, entry: Entry, key: str, model: str | None) -> Step:
    """Say what model a nested session runs on, once it is known or has changed.

    Args:
        state: the state.
        entry: the record that tells.
        key: the lane's.
        model: what answered, or None.
    """
    lane = lane_at(state, key)
    if key == MAIN or model is None or model == lane.model:
        return state, ()
    state = with_lane(state, evolve(lane, model=model))
    return state, said(entry, lane, _meta(state, lane, model))


def _meta(state: State, lane: Lane, model: str) -> SessionMeta:
    return SessionMeta(
        session_id=lane.key,
        provider=PROVIDER,
        model_id=model,
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace=state.session[2] if state.session else "",
        source="subagent",
        parent_tool_call_id=lane.key,
    )


def _chain(above: Origin, key: str) -> Origin:
    return (*above[: _DEEPEST - 1], key)
