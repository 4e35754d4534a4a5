"""What calls put out, as their cards show it.

Rules of this file (stream-json-and-acp.md 8):

- While a call runs, its content is a snapshot: what it adds to the one before is streamed; a snapshot
  that takes something back waits for the end.
- An output is complete with a last status; one that changes afterwards replaces it. A call that never
  gets one is closed by the reducer at the task's end; what it had put out is kept.
"""

from __future__ import annotations

from refold.maps import EMPTY_MAP
from refold.messages import ApprovalDecision, PartialToolCallOutput, ToolCallOutput
from refold.records import evolve, evolver
from refold.sources.acp.lanes import Call, Lane, say, with_call
from refold.sources.acp.outputs import ENDED, is_refusal, output_text, stop_reason
from refold.sources.logs.spots import Spot
from refold.texts import grow

__all__ = ["abandon_outputs", "decide", "end_output", "put_out", "stream_output"]


_shown = evolver(Call, "shown")
_settled = evolver(Call, "settled", "shown")
_answered = evolver(Lane, "calls", "running")
_with_running = evolver(Lane, "running")


def decide(lane: Lane, identity: str, decision: str, spot: Spot) -> Lane:
    """Take what somebody decided about a call.

    Args:
        lane: the session.
        identity: the call's id.
        decision: ``allow`` or ``deny``.
        spot: where it was.
    """
    call = lane.calls.get(identity)
    if call is not None:
        lane = with_call(lane, evolve(call, decided=True))
    payload = ApprovalDecision(decision=decision, tool_call_id=identity)
    return say(lane, payload, spot, id=identity)


def abandon_outputs(lane: Lane, spot: Spot) -> Lane:
    """Return the lane with what unfinished calls had put out kept as their output.

    Args:
        lane: the session, whose turn is over.
        spot: where it ended.
    """
    for identity in lane.running:
        call = lane.calls[identity]
        said = output_text(lane, call)
        if said or call.images or call.shown is not None:
            lane = _answer(lane, call, said, "aborted", spot)
    return evolve(lane, running=EMPTY_MAP)


def put_out(lane: Lane, call: Call, piece: str, spot: Spot) -> Lane:
    """Return the lane with what a call has put out by now said.

    Args:
        lane: the session.
        call: a call that is out.
        piece: what a terminal put out just now, if anything.
        spot: where that was.
    """
    if call.status in ENDED:
        return end_output(lane, call, output_text(lane, call), spot)
    if call.settled is not None:
        return lane
    if piece and len(call.parts) <= 1:
        return stream_output(lane, call, piece, spot)
    said, shown = output_text(lane, call), str(call.shown or "")
    return stream_output(lane, call, said[len(shown) :], spot) if said.startswith(shown) else lane


def stream_output(lane: Lane, call: Call, added: str, spot: Spot) -> Lane:
    """Return the lane with something added to a running call's output, as a partial."""
    if not added:
        return lane
    event = "start" if call.shown is None else "delta"
    if call.shown is None:
        # A call that its turn left behind runs again.
        lane = _with_running(lane, lane.running.put(call.id, True))
    lane = with_call(lane, _shown(call, grow(call.shown or "", added)))
    payload = PartialToolCallOutput(
        role="user", event_type=event, output=added, tool_call_id=call.id
    )
    return say(lane, payload, spot, id=call.id)


def end_output(lane: Lane, call: Call, said: str, spot: Spot) -> Lane:
    """Return the lane with a call's output complete, unless it is what it was already."""
    reason = stop_reason(lane, call, said)
    if call.settled == (said, call.images, reason):
        return lane
    if is_refusal(call, said) and not call.decided:
        lane = decide(lane, call.id, "deny", spot)
        call = lane.calls[call.id]
    return _answer(lane, call, said, reason, spot)


def _answer(lane: Lane, call: Call, said: str, reason: str, spot: Spot) -> Lane:
    settled = _settled(call, (said, call.images, reason), None)
    lane = _answered(lane, lane.calls.put(call.id, settled), lane.running.without(call.id))
    if call.shown is not None:
        stop = PartialToolCallOutput(
            role="user", event_type="stop", output="", tool_call_id=call.id
        )
        lane = say(lane, stop, spot, id=call.id)
    payload = ToolCallOutput(
        role="user",
        output=said,
        tool_call_id=call.id,
        images=call.images or None,
        stop_reason=reason,
    )
    return say(lane, payload, spot, id=call.id)
