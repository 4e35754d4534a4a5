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
from refold.records import evolver
from refold.sources.claude_code.fields import digest, string
from refold.sources.claude_code.readings import AgentNamed, Prompt, Reading, Response, Result
from refold.sources.claude_code.routing import Routed
from refold.sources.claude_code.state import LaneDraft, StateDraft, lane_at, open_lane
from refold.sources.claude_code.values import MAIN, Header, Spawn

__all__ = ["SPAWNING_TOOLS", "lane_of", "learn_children", "learn_own_call"]

SPAWNING_TOOLS = frozenset({"Agent", "Task"})

_located = evolver(Header, "session_id", "workspace")
_called = evolver(Header, "call_id")


def learn_own_call(state: StateDraft, at: Routed, readings: tuple[Reading, ...]) -> None:
    """Learn the call of the agent whose record this is, from the record.

    Args:
        state: the state in front of the record.
        at: the record on its lane, a subagent's.
        readings: what it says.
    """
    if at.agent in state.bound:
        return
    named = next((each for each in readings if isinstance(each, AgentNamed)), None)
    call_id = at.call_id or (None if named is None else named.tool_call_id)
    if call_id is None:
        call_id = _call_by_prompt(state, at.agent, readings)
    if call_id is not None:
        state.bound = state.bound.put(at.agent, call_id)


def learn_children(state: StateDraft, agent: str, reading: Reading) -> list[str]:
    """Learn from a lane's calls and results which agents they spawned.

    Args:
        state: the state.
        agent: the lane's agent id.
        reading: a reading of that lane.

    Returns:
        The agents whose call is known now.
    """
    if type(reading) is Response:
        pairs = []
        for block in reading.blocks:
            call = block.payload
            if type(call) is ToolCall and block.input and call.name in SPAWNING_TOOLS:
                pairs.append(_spawn(state, agent, call, block.input))
    elif type(reading) is Result and type(reading.structured) is dict:
        child = reading.structured.get("agentId")
        pairs = [(child, reading.output.tool_call_id)] if child and type(child) is str else []
    else:
        return []
    learnt: list[str] = []
    for child, call_id in pairs:
        if child is not None and call_id and child not in state.bound:
            state.bound = state.bound.put(child, call_id)
            learnt.append(child)
    return learnt


def lane_of(state: StateDraft, at: Routed) -> LaneDraft:
    """Return the draft of a record's lane, with what is known of its session by now.

    Args:
        state: the state, the record's own call learnt.
        at: the record on its lane.
    """
    agent = at.agent
    lane = open_lane(state, agent)
    if lane.announced is None:
        lane.origin = _chain(state, agent)
    header = lane.header
    if header.workspace is None or header.session_id is None:
        lane.header = header = _placed(lane, at)
    if agent != MAIN and header.call_id is None and agent in state.bound:
        lane.header = _called(header, state.bound[agent])
    return lane


def _placed(lane: LaneDraft, at: Routed) -> Header:
    """Return a lane's header with what a record tells of the session's id and place."""
    header = lane.header
    workspace = string(at.whole, "cwd")
    if header.workspace is None and workspace is not None:
        lane.facts = lane.facts.put("cwd", workspace)
    session_id = at.agent or header.session_id or string(at.whole, "sessionId")
    told: Header = _located(header, session_id, header.workspace or workspace)
    return told


def _call_by_prompt(state: StateDraft, agent: str, readings: tuple[Reading, ...]) -> str | None:
    """Return the call that asked for what an agent's first record asks for."""
    lane = lane_at(state, agent)
    prompt = _first_prompt(readings) if lane is None or lane.announced is None else None
    if prompt is None:
        return None
    spawn = state.spawns.get(prompt)
    if spawn is None:
        state.waiting = state.waiting.put(prompt, agent)
        return None
    return None if spawn.agent == agent else spawn.call_id


def _spawn(state: StateDraft, agent: str, call: ToolCall, given: Any) -> tuple[str | None, str]:
    """Remember a spawning call; return the agent that waits for it, if one does."""
    call_id = call.tool_call_id
    prompt = string(given, "prompt") if type(given) is dict else None
    is_known = call_id in state.calls
    state.calls = state.calls.put(call_id, agent)
    if is_known or prompt is None:
        return None, ""
    return _awaited(state, agent, call_id, digest(prompt)), call_id


def _awaited(state: StateDraft, agent: str, call_id: str, prompt: str) -> str | None:
    """Remember what a call asked for; return the agent that was asked just that, if one waits."""
    is_second = prompt in state.spawns
    spawn = Spawn(call_id=None if is_second else call_id, agent=agent)
    state.spawns = state.spawns.put(prompt, spawn)
    child = None if is_second else state.waiting.get(prompt)
    return None if child == agent else child


def _chain(state: StateDraft, agent: str) -> tuple[str, ...]:
    if agent == MAIN:
        return ()
    caller = state.calls.get(state.bound.get(agent, ""), MAIN)
    parent = lane_at(state, caller) if caller != agent else None
    return (*(() if parent is None else parent.origin), agent)


def _first_prompt(readings: tuple[Reading, ...]) -> str | None:
    for reading in readings:
        if isinstance(reading, Prompt):
            texts = [part.text for part in reading.parts if isinstance(part, Text)]
            return digest("\n".join(texts))
    return None
