"""Results of tools.

Rules of this file (sources/stream-json-and-acp.md 7.2; census S2, S11):

- A result belongs to the lane that made the call, whatever lane its record is in; one of a call
  nobody knows belongs to its record's lane.
- A person's refusal is a decision in front of the result, which is aborted then, not failed.
- The result of the call that spawned a nested session ends that session's message.
"""

from __future__ import annotations

from typing import Any

from refold.messages import ToolCallOutput
from refold.records import evolve
from refold.sources.anthropic_blocks import result_payload
from refold.sources.claude_stream_json.calls import answered, decided
from refold.sources.claude_stream_json.knowledge import learn
from refold.sources.claude_stream_json.lanes import heard, key_of, lane_at, said, with_lane
from refold.sources.claude_stream_json.requests import left_message
from refold.sources.claude_stream_json.state import MAIN, Entry, State, Step
from refold.sources.drafts import Draft
from refold.sources.fields import frozen, mapping

__all__ = ["tool_results"]

_REFUSED = "The user doesn't want to proceed with this tool use."
_LIST_TOOL = "TodoWrite"


def tool_results(state: State, entry: Entry, blocks: list[dict[str, Any]]) -> Step:
    """Take the results in a user record.

    Args:
        state: the state, the record's lane announced.
        entry: the record.
        blocks: its blocks of type ``tool_result``.
    """
    drafts: list[Draft] = []
    told = entry.value.get("tool_use_result") if len(blocks) == 1 else None
    for block in blocks:
        output = result_payload(block, call_id="", structured=told)
        state, more = _result(state, entry, output, told)
        drafts.extend(more)
    return state, tuple(drafts)


def _result(state: State, entry: Entry, output: ToolCallOutput, told: Any) -> Step:
    call_id = output.tool_call_id
    call = state.calls.get(call_id)
    key = key_of(entry) if call is None else call.lane
    denial: tuple[Draft, ...] = ()
    if output.stop_reason == "failed" and output.output.startswith(_REFUSED):
        output = evolve(output, stop_reason="aborted")
        state, denial = decided(state, entry, call_id, "deny")
    state, over = _session_over(state, call_id)
    lane = heard(lane_at(state, key), entry)
    state = with_lane(answered(state, call_id), lane)
    todos: tuple[Draft, ...] = ()
    if call is not None and call.name == _LIST_TOOL and key == MAIN:
        state, todos = _todos(state, entry, told)
    return state, (*denial, *over, *said(entry, lane, output), *todos)


def _session_over(state: State, call_id: str) -> Step:
    if not call_id or call_id not in state.nested:
        return state, ()
    state, drafts = left_message(state, call_id)
    return with_lane(state, evolve(state.nested[call_id], active=False)), drafts


def _todos(state: State, entry: Entry, told: Any) -> Step:
    todos = mapping(told).get("newTodos")
    if not isinstance(todos, list):
        return state, ()
    return learn(state, entry, "todos", frozen(todos[-200:]))
