"""Which call spawned which subagent.

Rules of this file (sources/claude-code.md 8.2):

- Bound by ids wherever a record has them: a progress record and a side file name the call, a
  finished call's result names the agent. Whichever comes first binds; nothing binds twice.
- Where no record has an id, the prompt does: the agent's first prompt is, word for word, what one
  call asked for. Two calls that asked for the same bind nobody: no guess from order.
- Calls and agents may come in either order. An agent's chain of sessions is fixed by its first
  message: inside the session of the agent that made the call, if that is known by then.
"""

from __future__ import annotations

from typing import Any

from refold.messages import Text, ToolCall
from refold.sources.claude_code.fields import digest, evolved, string
from refold.sources.claude_code.readings import AgentNamed, Prompt, Reading, Response, Result
from refold.sources.claude_code.routing import Routed
from refold.sources.claude_code.state import MAIN, Lane, Spawn, State

__all__ = ["SPAWNING_TOOLS", "bound", "lane_of", "spawned"]

SPAWNING_TOOLS = frozenset({"Agent", "Task"})


def bound(state: State, at: Routed, readings: tuple[Reading, ...]) -> State:
    """Learn the call of the agent whose record this is, from the record.

    Args:
        state: the state in front of the record.
        at: the record on its lane.
        readings: what it says.
    """
    if at.agent == MAIN or at.agent in state.bound:
        return state
    named = next((each for each in readings if isinstance(each, AgentNamed)), None)
    call_id = at.call_id or (None if named is None else named.tool_call_id)
    if call_id is not None:
        return _with_binding(state, at.agent, call_id)
    lane = state.lanes.get(at.agent)
    prompt = _first_prompt(readings)
    if prompt is None or (lane is not None and lane.announced is not None):
        return state
    spawn = state.spawns.get(prompt)
    if spawn is None:
        return evolved(state, waiting=state.waiting.put(prompt, at.agent))
    return state if spawn.call_id is None else _with_binding(state, at.agent, spawn.call_id)


def spawned(state: State, agent: str, reading: Reading) -> tuple[State, tuple[str, ...]]:
    """Learn from a lane's calls and results which agents they spawned.

    Args:
        state: the state.
        agent: the lane's agent id.
        reading: a reading of that lane.

    Returns:
        The state, and the agents whose call is known now.
    """
    learnt: list[str] = []
    for call, given in _spawning_calls(reading):
        state, child = _called(state, agent, call, given)
        if child is not None and child not in state.bound:
            state = _with_binding(state, child, call.tool_call_id)
            learnt.append(child)
    child, call_id = _reported(reading)
    if child is not None and call_id and child not in state.bound:
        state = _with_binding(state, child, call_id)
        learnt.append(child)
    return state, tuple(learnt)


def lane_of(state: State, at: Routed) -> Lane:
    """Return a record's lane with what the record and the bindings tell about its session.

    Args:
        state: the state, the record's own binding learnt.
        at: the record on its lane.
    """
    lane: Lane = state.lanes.get(at.agent) or Lane(agent=at.agent)
    if lane.announced is None:
        lane = evolved(lane, origin=_chain(state, at.agent))
    call_id = lane.header.call_id or state.bound.get(at.agent)
    header = evolved(
        lane.header,
        session_id=at.agent or lane.header.session_id or at.header.session_id,
        workspace=lane.header.workspace or at.header.workspace,
        call_id=call_id,
    )
    return lane if header == lane.header else evolved(lane, header=header)


def _spawning_calls(reading: Reading) -> list[tuple[ToolCall, Any]]:
    if not isinstance(reading, Response):
        return []
    return [
        (block.payload, block.input)
        for block in reading.blocks
        if type(block.payload) is ToolCall and block.payload.name in SPAWNING_TOOLS
    ]


def _reported(reading: Reading) -> tuple[str | None, str]:
    """Return the agent that a result tells of, and the call it is the result of."""
    if not isinstance(reading, Result) or type(reading.structured) is not dict:
        return None, ""
    return string(reading.structured, "agentId"), reading.output.tool_call_id


def _with_binding(state: State, agent: str, call_id: str) -> State:
    return evolved(state, bound=state.bound.put(agent, call_id))


def _called(state: State, agent: str, call: ToolCall, given: Any) -> tuple[State, str | None]:
    """Remember a spawning call; return the agent that waits for it, if one does."""
    if call.tool_call_id in state.calls:
        return state, None
    state = evolved(state, calls=state.calls.put(call.tool_call_id, agent))
    prompt = string(given, "prompt") if type(given) is dict else None
    if prompt is None:
        return state, None
    name = digest(prompt)
    is_second = name in state.spawns
    spawn = Spawn(call_id=None if is_second else call.tool_call_id, agent=agent)
    child = None if is_second else state.waiting.get(name)
    return evolved(state, spawns=state.spawns.put(name, spawn)), None if child == agent else child


def _chain(state: State, agent: str) -> tuple[str, ...]:
    if agent == MAIN:
        return ()
    caller = state.calls.get(state.bound.get(agent, ""), MAIN)
    parent = state.lanes.get(caller) if caller != agent else None
    return (*(() if parent is None else parent.origin), agent)


def _first_prompt(readings: tuple[Reading, ...]) -> str | None:
    for reading in readings:
        if isinstance(reading, Prompt):
            texts = [part.text for part in reading.parts if isinstance(part, Text)]
            return digest("\n".join(texts))
    return None
