"""The lines of a response, and the results of its calls, as transitions of a lane.

Rules of this file (sources/claude-code.md 2.4, 8.3, 8.4; census C1, C2, C20):

- A block is shown once per response, whatever line and whatever copy brings it.
- A refusal is a decision: it closes the request first, so that the time a person took to refuse is
  no model time.
- A call without an id gets one from its record; a result without an id answers the oldest such
  call of the record it names, else the oldest of all.
"""

from __future__ import annotations

from refold.messages import ApprovalDecision, Fact, Payload, ToolCall, ToolCallOutput
from refold.sources.claude_code.fields import evolved
from refold.sources.claude_code.readings import Block, Response, Result
from refold.sources.claude_code.requests import begun, closed, continued, corrected, is_late
from refold.sources.claude_code.state import Lane, Out, Place, Step, Watched
from refold.sources.claude_code.todos import LIST_TOOLS, todos_after

__all__ = ["folded_response", "folded_result"]

_MOST_UNNAMED = 64


def folded_response(lane: Lane, line: Response, place: Place) -> Step:
    """Take in one line of a response.

    Args:
        lane: the lane.
        line: the line.
        place: its record.
    """
    if is_late(lane, line):
        lane, shown = _blocks(lane, line, place)
        lane, usage = corrected(lane, line, place)
        return lane, (*shown, *usage)
    before: tuple[Out, ...] = ()
    if lane.group is None or lane.group.key is None or lane.group.key != line.key:
        lane, before = begun(lane, line.key, place)
    lane, shown = _blocks(continued(lane, line, place), line, place)
    lane, model = _model(lane, line, place)
    return lane, (*before, *model, *shown)


def folded_result(lane: Lane, said: Result, place: Place) -> Step:
    """Take in the result of a call.

    Args:
        lane: the lane.
        said: the result.
        place: its record.
    """
    lane, output = _addressed(lane, said, place)
    before: tuple[Out, ...] = ()
    payloads: tuple[Payload, ...] = (output,)
    if said.denied:
        lane, before = closed(lane)
        denial = ApprovalDecision(decision="deny", tool_call_id=output.tool_call_id)
        payloads = (denial, output)
    elif lane.group is not None and not lane.group.answered:
        lane = evolved(lane, group=evolved(lane.group, answered=True))
    lane, todos = _todos(lane, said, output)
    lane = evolved(lane, input_at=place.timestamp or lane.input_at)
    return lane, (*before, *[_now(place, each) for each in (*payloads, *todos)])


def _blocks(lane: Lane, line: Response, place: Place) -> Step:
    owner = line.key or place.id
    outs: list[Out] = []
    for block in line.blocks:
        key = None if owner is None else f"{owner}|{block.key}"
        if key is not None and key in lane.seen:
            continue
        lane = _noted(lane if key is None else evolved(lane, seen=lane.seen.put(key, True)), block)
        outs.append(_now(place, block.payload))
    return lane, tuple(outs)


def _noted(lane: Lane, block: Block) -> Lane:
    call = block.payload
    if type(call) is not ToolCall:
        return lane
    if call.name in LIST_TOOLS:
        watched = Watched(name=call.name, input=block.input)
        lane = evolved(lane, watched=lane.watched.put(call.tool_call_id, watched))
    if block.unnamed:
        lane = evolved(lane, unnamed=(*lane.unnamed, call.tool_call_id)[-_MOST_UNNAMED:])
    return lane


def _model(lane: Lane, line: Response, place: Place) -> Step:
    model = line.model
    if model is None:
        return lane, ()
    if lane.header.model is None:
        lane = evolved(lane, header=evolved(lane.header, model=model))
    if lane.facts.get("model") == model:
        return lane, ()
    lane = evolved(lane, facts=lane.facts.put("model", model))
    return lane, (_now(place, Fact(name="model", value=model)),)


def _addressed(lane: Lane, said: Result, place: Place) -> tuple[Lane, ToolCallOutput]:
    output = said.output
    if output.tool_call_id:
        return lane, output
    named = [each for each in lane.unnamed if each.startswith(f"{said.caller}.")] or lane.unnamed
    if not named:
        return lane, evolved(output, tool_call_id=f"{place.id or ''}.0")
    unnamed = tuple([each for each in lane.unnamed if each != named[0]])
    return evolved(lane, unnamed=unnamed), evolved(output, tool_call_id=named[0])


def _todos(lane: Lane, said: Result, output: ToolCallOutput) -> tuple[Lane, tuple[Fact, ...]]:
    call = lane.watched.get(output.tool_call_id)
    if call is None:
        return lane, ()
    lane = evolved(lane, watched=lane.watched.without(output.tool_call_id))
    if output.stop_reason != "completed":
        return lane, ()
    lane, todos = todos_after(lane, call, said)
    return lane, () if todos is None else (Fact(name="todos", value=todos),)


def _now(place: Place, payload: Payload) -> Out:
    return Out(payload=payload, place=place, timestamp=place.timestamp)
