"""Tool calls: the call, the decision about it, and what came out.

Rules of this file (reducer.md rules 2, 8-12, 19, 27, 36 and 37):

- A call, an output and a decision find each other by id; a complete call whose id is already
  called is another call, and closes the one before.
- Only completes and events count: what streamed decides nothing, but for when arguments began.
- Inside a compaction a call is the summariser's own and enters nothing; an output still ends its
  call.
- What an abort stops ends then; what only the task's end closes has no end.
"""

from __future__ import annotations

from refold.analysis.accounts import Kept, Tools
from refold.analysis.moments import Moment
from refold.analysis.tool_marks import Tool
from refold.messages import ApprovalDecision, ToolCall, ToolCallOutput
from refold.records import evolver, positional
from refold.vectors import EMPTY_VECTOR

__all__ = [
    "arguments_begun",
    "bound",
    "called",
    "decided",
    "inferred",
    "put_out",
    "start_forgotten",
    "stopped",
]

_SPAWNS = "run_subagent"

_kept = positional(Kept)
_open_tool = evolver(Tool, "tool_call_id", "ordinal", "decision", "approval_ms")
_opened_row = evolver(Tools, "rows", "places", "kept")
_called_row = evolver(Tools, "rows", "running", "starts")
_with_rows = evolver(Tools, "rows")
_with_running = evolver(Tools, "running")
_with_kept = evolver(Tools, "kept")
_with_starts = evolver(Tools, "starts")
_with_spawning = evolver(Tools, "spawning")
_called = evolver(
    Tool,
    "name",
    "task",
    "request",
    "called",
    "call_stop_reason",
    "args_begin_ms",
    "call_ms",
    "output_stop_reason",
)
_decided = evolver(Tool, "decision", "approval_ms")
_put_out = evolver(Tool, "end_ms", "ended_by", "output_stop_reason", "output_characters")
_closed = evolver(Tool, "output_stop_reason")
_aborted = evolver(Tool, "output_stop_reason", "end_ms", "ended_by")
_bound = evolver(Tool, "session")

_NO_TOOL = Tool(tool_call_id="", name="", ordinal=-1)


# --- the call ---------------------------------------------------------------------------------


def arguments_begun(tools: Tools, tool_call_id: str, at_ms: int | None) -> Tools:
    """Remember when arguments began to stream, the first time it is known."""
    if at_ms is None or tool_call_id in tools.starts:
        return tools
    return _with_starts(tools, tools.starts.put(tool_call_id, at_ms))


def start_forgotten(tools: Tools, tool_call_id: str) -> Tools:
    """Forget when arguments began: their call is complete."""
    starts = tools.starts.without(tool_call_id)
    return tools if starts is tools.starts else _with_starts(tools, starts)


def called(
    tools: Tools, call: ToolCall, moment: Moment, task: int | None, request: int | None
) -> tuple[Tools, Tool]:
    """Enter a complete call.

    Args:
        tools: the tools.
        call: the call, outside a compaction.
        moment: its moment.
        task: the open task.
        request: the open request.
    """
    tools, place = _waiting_for_call(tools, call.tool_call_id, moment)
    tool = tools.rows.at(place)
    refused = call.stop_reason if call.stop_reason != "completed" else None
    tool = _called(
        tool,
        call.name,
        task,
        request,
        True,
        call.stop_reason,
        _arguments_begin(tools, call.tool_call_id, moment),
        moment.at_ms,
        refused if tool.ended_by is None else tool.output_stop_reason,
    )
    changed = _called_row(
        tools,
        tools.rows.put(place, tool),
        tools.running.append(place) if _runs(tool) else tools.running,
        tools.starts.without(call.tool_call_id) if tools.starts else tools.starts,
    )
    return _spawning(changed, tool, place), tool


def _waiting_for_call(tools: Tools, tool_call_id: str, moment: Moment) -> tuple[Tools, int]:
    """Return the tools with one that isn't called yet, and its place."""
    place = tools.places.get(tool_call_id)
    if place is None:
        return _opened(tools, tool_call_id, moment)
    tool = tools.rows.at(place)
    if not tool.called:
        return tools, place
    if _runs(tool):
        tools = _put(tools, place, _closed(tool, "aborted"))
    return _opened(tools, tool_call_id, moment)


def _opened(tools: Tools, tool_call_id: str, moment: Moment) -> tuple[Tools, int]:
    kept = tools.kept.get(tool_call_id) if tools.kept else None
    place = tools.rows.slots
    decision, at_ms = (None, None) if kept is None else (kept.decision, kept.at_ms)
    tool = _open_tool(_NO_TOOL, tool_call_id, moment.ordinal, decision, at_ms)
    entered = _opened_row(
        tools,
        tools.rows.append(tool),
        tools.places.put(tool_call_id, place),
        tools.kept if kept is None else tools.kept.without(tool_call_id),
    )
    return entered, place


def _runs(tool: Tool) -> bool:
    return tool.called and tool.ended_by is None and tool.output_stop_reason is None


def _arguments_begin(tools: Tools, tool_call_id: str, moment: Moment) -> int | None:
    start: int | None = tools.starts.get(tool_call_id)
    if start is None:
        start = moment.started_at_ms
    return moment.clock.previous_ms if start is None else start


# --- the decision -----------------------------------------------------------------------------


def decided(tools: Tools, decision: ApprovalDecision, moment: Moment) -> tuple[Tools, Tool | None]:
    """Enter a decision, or keep it for a call still to come.

    Args:
        tools: the tools.
        decision: the decision.
        moment: its moment.

    Returns:
        The tools, and the tool if this is the first known time it was decided about.
    """
    place = tools.places.get(decision.tool_call_id)
    if place is None:
        return _decision_kept(tools, decision, moment), None
    before = tools.rows.at(place)
    at_ms = moment.at_ms if before.approval_ms is None else before.approval_ms
    tool = _decided(before, decision.decision, at_ms)
    return _put(tools, place, tool), tool if before.approval_ms is None else None


def _decision_kept(tools: Tools, decision: ApprovalDecision, moment: Moment) -> Tools:
    before = tools.kept.get(decision.tool_call_id)
    at_ms = moment.at_ms if before is None or before.at_ms is None else before.at_ms
    kept = _kept(decision.decision, at_ms)
    return _with_kept(tools, tools.kept.put(decision.tool_call_id, kept))


# --- the output -------------------------------------------------------------------------------


def put_out(tools: Tools, output: ToolCallOutput, moment: Moment, task: int | None) -> Tools:
    """Enter a complete output; inside a compaction only of a call that is there.

    Args:
        tools: the tools.
        output: the output.
        moment: its moment.
        task: the open task.
    """
    place = tools.places.get(output.tool_call_id)
    if place is None:
        if moment.compacting:
            return tools
        tools, place = _opened(tools, output.tool_call_id, moment)
        tool = _called(tools.rows.at(place), "", task, None, False, None, None, None, None)
    else:
        tool = tools.rows.at(place)
    tool = _put_out(tool, moment.at_ms, "output", output.stop_reason, len(output.output))
    return _put(tools, place, tool)


def stopped(tools: Tools, at_ms: int | None, *, by_abort: bool) -> Tools:
    """Close every running tool as ``aborted``.

    Args:
        tools: the tools.
        at_ms: when, if somebody stopped them.
        by_abort: whether somebody did, or only their task ended.
    """
    log = tools.running
    if not log.slots:
        return tools
    tools = _with_running(tools, EMPTY_VECTOR)
    for place in log:
        tool = tools.rows.at(place)
        if _runs(tool):
            tool = (
                _aborted(tool, "aborted", at_ms, "abort") if by_abort else _closed(tool, "aborted")
            )
            tools = _put(tools, place, tool)
    return tools


# --- nested sessions --------------------------------------------------------------------------


def inferred(tools: Tools) -> int | None:
    """Return the place of the call that a nested session naming none was started by."""
    return tools.spawning.bit_length() - 1 if tools.spawning else None


def bound(tools: Tools, place: int, session: int | None) -> Tools:
    """Note which nested session a tool started, or take that back."""
    return _put(tools, place, _bound(tools.rows.at(place), session))


def _put(tools: Tools, place: int, tool: Tool) -> Tools:
    return _spawning(_with_rows(tools, tools.rows.put(place, tool)), tool, place)


def _spawning(tools: Tools, tool: Tool, place: int) -> Tools:
    if tool.name != _SPAWNS:
        return tools
    may = _runs(tool) and tool.decision == "allow" and tool.session is None
    bit = 1 << place
    return _with_spawning(tools, tools.spawning | bit if may else tools.spawning & ~bit)
