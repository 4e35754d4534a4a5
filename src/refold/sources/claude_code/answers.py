"""The lines of a response, and the results of its calls, as transitions of a lane.

Rules of this file (sources/claude-code.md 2.4, 8.3, 8.4; census C1, C2, C20):

- A refusal is a decision: it closes the request first, so that the time a person took to refuse is
  no model time.
- A call without an id gets one from its record; a result without an id answers the oldest such
  call of the record it names, else the oldest of all.
"""

from __future__ import annotations

from refold.maps import EMPTY_MAP
from refold.messages import ApprovalDecision, Fact, Payload, ToolCall, ToolCallOutput
from refold.records import evolve, evolver
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.readings import Block, Response, Result
from refold.sources.claude_code.requests import (
    begin_with,
    close,
    correct,
    extend,
    late_blocks,
)
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.todos import LIST_TOOLS, todos_after
from refold.sources.claude_code.values import Group, Place, Watched

__all__ = ["fold_response", "fold_result"]

_MOST_UNNAMED = 64

_answered = evolver(Group, "answered")


def fold_response(lane: LaneDraft, line: Response, place: Place) -> list[Out]:
    """Take in one line of a response.

    Args:
        lane: the lane.
        line: the line.
        place: its record.
    """
    group = lane.group
    if group is not None and group.key is not None and group.key == line.id:
        return _shown(lane, extend(lane, group, line, place), place)
    over = None if line.id is None else lane.closed.get(line.id)
    if over is not None:
        late = _shown(lane, late_blocks(lane, line, over), place)
        return [*late, *correct(lane, line, over, place)]
    outs = close(lane)
    outs += _model(lane, line, place)
    begun, new = begin_with(lane, line, place)
    return [*outs, begun, *_shown(lane, new, place)]


def fold_result(lane: LaneDraft, said: Result, place: Place) -> list[Out]:
    """Take in the result of a call.

    Args:
        lane: the lane.
        said: the result.
        place: its record.
    """
    output = _addressed(lane, said, place)
    outs: list[Out] = []
    payloads: list[Payload] = [output]
    if said.denied:
        outs = close(lane)
        payloads = [ApprovalDecision(decision="deny", tool_call_id=output.tool_call_id), output]
    elif lane.group is not None and not lane.group.answered:
        lane.group = _answered(lane.group, True)
    lane.input_at = place.timestamp or lane.input_at
    if lane.watched is not EMPTY_MAP:
        payloads += _todos(lane, said, output)
    return outs + [now(place, each) for each in payloads]


def _shown(lane: LaneDraft, blocks: list[Block], place: Place) -> list[Out]:
    outs: list[Out] = []
    for block in blocks:
        if type(block.payload) is ToolCall:
            _note(lane, block, block.payload)
        outs.append(now(place, block.payload))
    return outs


def _note(lane: LaneDraft, block: Block, call: ToolCall) -> None:
    """Remember a call that its result needs more of than its id."""
    if call.name in LIST_TOOLS:
        watched = Watched(name=call.name, input=block.input)
        lane.watched = lane.watched.put(call.tool_call_id, watched)
    if block.unnamed:
        lane.unnamed = (*lane.unnamed, call.tool_call_id)[-_MOST_UNNAMED:]


def _model(lane: LaneDraft, line: Response, place: Place) -> list[Out]:
    model = line.model
    if model is None or lane.facts.get("model") == model:
        return []
    if lane.header.model is None:
        lane.header = evolve(lane.header, model=model)
    lane.facts = lane.facts.put("model", model)
    return [now(place, Fact(name="model", value=model))]


def _addressed(lane: LaneDraft, said: Result, place: Place) -> ToolCallOutput:
    output = said.output
    if output.tool_call_id:
        return output
    named = [each for each in lane.unnamed if each.startswith(f"{said.caller}.")] or lane.unnamed
    if not named:
        return evolve(output, tool_call_id=f"{place.id or ''}.0")
    lane.unnamed = tuple([each for each in lane.unnamed if each != named[0]])
    return evolve(output, tool_call_id=named[0])


def _todos(lane: LaneDraft, said: Result, output: ToolCallOutput) -> list[Fact]:
    call = lane.watched.get(output.tool_call_id)
    if call is None:
        return []
    lane.watched = lane.watched.without(output.tool_call_id) or EMPTY_MAP
    todos = todos_after(lane, call, said) if output.stop_reason == "completed" else None
    return [] if todos is None else [Fact(name="todos", value=todos)]
