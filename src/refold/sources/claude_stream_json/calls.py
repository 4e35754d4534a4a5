"""The model's tool calls: whose they are, whether they are answered, who decided about them.

Rules of this file (sources/stream-json-and-acp.md 7.2, 10.5):

- A call is known by its id for the whole run: nested sessions are named by it.
- A permission request that doesn't name its call means the newest open call of the same tool with
  the same input.
- Of the open calls the last ``_MOST`` can be found by their input.
"""

from __future__ import annotations

from typing import Any

from refold.messages import ApprovalDecision, ToolCall
from refold.records import evolve, evolver
from refold.sources.anthropic_blocks import json_text
from refold.sources.claude_stream_json.lanes import lane_at, said
from refold.sources.claude_stream_json.state import MAIN, Call, Entry, State, Step

__all__ = ["answered", "call_like", "called", "decided", "lane_of_call"]

_MOST = 256

_with_calls = evolver(State, "calls", "unanswered")


def called(state: State, key: str, call: ToolCall) -> State:
    """Return the state with a new call.

    Args:
        state: the state.
        key: the key of the lane that made it.
        call: its complete.
    """
    made = Call(lane=key, name=call.name, arguments=call.arguments)
    unanswered = (*state.unanswered, call.tool_call_id)[-_MOST:]
    return _with_calls(state, state.calls.put(call.tool_call_id, made), unanswered)


def answered(state: State, call_id: str) -> State:
    """Return the state with a call answered."""
    call = state.calls.get(call_id)
    if call is None or not call.open:
        return state
    over = evolve(call, arguments="", open=False)
    unanswered = tuple([each for each in state.unanswered if each != call_id])
    return _with_calls(state, state.calls.put(call_id, over), unanswered)


def lane_of_call(state: State, call_id: str) -> str:
    """Return the key of the lane that made a call, the main lane's if nobody is known to have."""
    call = state.calls.get(call_id)
    return MAIN if call is None else call.lane


def call_like(state: State, tool: Any, arguments: Any) -> str | None:
    """Return the newest open call of a tool with an input, or None.

    Args:
        state: the state.
        tool: the tool's name.
        arguments: its input, plain JSON data.
    """
    wanted = json_text(arguments)
    for call_id in reversed(state.unanswered):
        call = state.calls[call_id]
        if call.name == tool and call.arguments == wanted:
            return call_id
    return None


def decided(state: State, entry: Entry, call_id: str, decision: str) -> Step:
    """Say what was decided about a call, once.

    Args:
        state: the state.
        entry: the record that tells.
        call_id: the call's id.
        decision: ``allow`` or ``deny``.
    """
    if call_id in state.decided:
        return state, ()
    state = evolve(state, decided=state.decided.put(call_id, True))
    payload = ApprovalDecision(decision=decision, tool_call_id=call_id)
    return state, said(entry, lane_at(state, lane_of_call(state, call_id)), payload)
