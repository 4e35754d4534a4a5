"""Calls become cards.

Rules of this file (stream-json-and-acp.md 8):

- A call is held, shown as a partial, while its input is still to come: agents announce calls before
  they have one. It is out with its input, or with the first that shows that none will come: a status
  behind ``pending``, content, a question for permission, or anything else that takes a place. What
  its title or input become later can't change the card any more.
- While it runs, its content is a snapshot: what it adds to the one before is streamed; a snapshot
  that takes something back waits for the end.
- Its output is complete with a last status. An output that changes afterwards replaces it. A call
  that never gets one is closed by the reducer at the task's end; what it had put out is kept.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import (
    ApprovalDecision,
    PartialToolCall,
    PartialToolCallOutput,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolve
from refold.sources.acp.calls import fresh_call, is_another, is_ready, patched, with_chunk
from refold.sources.acp.chunks import end_segment
from refold.sources.acp.lanes import Call, Lane, say
from refold.sources.acp.outputs import ENDED, is_refusal, output_text, stop_reason
from refold.sources.acp.terminals import meta_terminal
from refold.sources.fields import mapping, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, objects
from refold.texts import grow

__all__ = ["abandon_outputs", "ask", "content_chunk", "decide", "make_room", "update_call"]


def make_room(lane: Lane) -> Lane:
    """Return the lane ready for something that takes a place: nothing chunked, nothing held.

    Args:
        lane: the session.
    """
    lane = end_segment(lane)
    held = lane.held
    return lane if held is None else _call_out(lane, lane.calls[held], lane.calls[held].last)


def update_call(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a call's announcement or an update of it.

    Args:
        lane: the session.
        update: ``tool_call`` or ``tool_call_update``.
        spot: where it was.
    """
    identity = text(update.get("toolCallId"))
    before = lane.calls.get(identity)
    announced = update.get("sessionUpdate") == "tool_call"
    if before is None and not announced and _says_nothing(update):
        return evolve(lane, oddities=(*lane.oddities, "update of an unknown call"))
    if before is None or (announced and is_another(before, update)):
        before = fresh_call(identity, spot)
    return _take(lane, before, update, spot)


def content_chunk(lane: Lane, update: dict[str, Any], spot: Spot) -> Lane:
    """Take a piece of content that is added to a call's (version 2).

    Args:
        lane: the session.
        update: ``tool_call_content_chunk``.
        spot: where it was.
    """
    identity = text(update.get("toolCallId"))
    call = with_chunk(lane.calls.get(identity) or fresh_call(identity, spot), update)
    lane = _out(_kept(lane, call), call, spot)
    call = lane.calls[identity]
    if call.settled is not None:
        return _end(lane, call, output_text(lane, call), spot)
    added = call.parts.tail[-1].text
    return _streamed(lane, call, f"\n{added}" if call.shown and added else added, spot)


def ask(lane: Lane, subject: dict[str, Any], spot: Spot) -> Lane:
    """Take a question for permission: the call it is about is out.

    Args:
        lane: the session.
        subject: the request's ``toolCall``. Of its content only diffs are the call's; the rest is
            said to who decides.
        spot: where it was.
    """
    identity = text(subject.get("toolCallId"))
    diffs = [each for each in objects(subject.get("content")) if each.get("type") == "diff"]
    call = patched(
        lane.calls.get(identity) or fresh_call(identity, spot),
        {**subject, "content": diffs or None},
    )
    return _out(_kept(lane, call), call, spot)


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
        lane = _kept(lane, evolve(call, decided=True))
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
        put_out = said or call.images or call.shown is not None
        lane = _answer(lane, call, said, "aborted", spot) if put_out else lane
    return lane


def _says_nothing(update: dict[str, Any]) -> bool:
    return not any(update.get(each) is not None for each in update if each not in _ASIDE)


_ASIDE = frozenset({"sessionUpdate", "toolCallId", "_meta"})


def _take(lane: Lane, before: Call, update: dict[str, Any], spot: Spot) -> Lane:
    lane, terminal, piece = meta_terminal(lane, mapping(update.get("_meta")))
    call = patched(before, update)
    if terminal is not None:
        call = evolve(call, terminal=terminal)
    if lane.calls.get(call.id) == call and not piece:
        return lane
    lane = _kept(lane, evolve(call, last=spot))
    if not call.called and not is_ready(call):
        return _hold(lane, lane.calls[call.id], spot)
    lane = _out(lane, lane.calls[call.id], spot)
    return _output(lane, lane.calls[call.id], piece, spot)


def _kept(lane: Lane, call: Call) -> Lane:
    return evolve(lane, calls=lane.calls.put(call.id, call))


def _hold(lane: Lane, call: Call, spot: Spot) -> Lane:
    if lane.held != call.id:
        lane = make_room(lane)
    lane = evolve(lane, held=call.id, spoken=True)
    return say(lane, _partial_call(call, "start"), spot, id=call.id)


def _out(lane: Lane, call: Call, spot: Spot) -> Lane:
    if call.called:
        return lane
    if lane.held != call.id:
        return _call_out(make_room(lane), call, spot)
    return _call_out(end_segment(lane), call, spot)


def _call_out(lane: Lane, call: Call, spot: Spot) -> Lane:
    was_held = lane.held == call.id
    if was_held:
        lane = say(lane, _partial_call(call, "stop"), spot, id=call.id)
    lane = evolve(
        _kept(lane, evolve(call, called=True, settled=None)),
        held=None if was_held else lane.held,
        running=lane.running.put(call.id, True),
        turn=lane.turn and evolve(lane.turn, answered=True),
        spoken=True,
    )
    return say(lane, _complete_call(call), spot, id=call.id, since=call.first if was_held else None)


def _output(lane: Lane, call: Call, piece: str, spot: Spot) -> Lane:
    if call.status in ENDED:
        return _end(lane, call, output_text(lane, call), spot)
    if call.settled is not None:
        return lane
    if piece and len(call.parts) <= 1:
        return _streamed(lane, call, piece, spot)
    said, shown = output_text(lane, call), str(call.shown or "")
    return _streamed(lane, call, said[len(shown) :], spot) if said.startswith(shown) else lane


def _streamed(lane: Lane, call: Call, added: str, spot: Spot) -> Lane:
    if not added:
        return lane
    event = "start" if call.shown is None else "delta"
    lane = _kept(lane, evolve(call, shown=grow(call.shown or "", added)))
    payload = PartialToolCallOutput(
        role="user", event_type=event, output=added, tool_call_id=call.id
    )
    return say(lane, payload, spot, id=call.id)


def _end(lane: Lane, call: Call, said: str, spot: Spot) -> Lane:
    reason = stop_reason(lane, call, said)
    if call.settled == (said, call.images, reason):
        return lane
    if is_refusal(call, said) and not call.decided:
        lane = decide(lane, call.id, "deny", spot)
        call = lane.calls[call.id]
    return _answer(lane, call, said, reason, spot)


def _answer(lane: Lane, call: Call, said: str, reason: str, spot: Spot) -> Lane:
    settled = evolve(call, settled=(said, call.images, reason), shown=None)
    lane = evolve(_kept(lane, settled), running=lane.running.without(call.id))
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


def _complete_call(call: Call) -> ToolCall:
    told = {"title": call.title, "kind": call.category}
    kept = {name: words for name, words in told.items() if words and words != call.name}
    return ToolCall(
        role="assistant",
        name=call.name,
        arguments=_arguments(call),
        tool_call_id=call.id,
        stop_reason="completed",
        fidelity=JsonObject(kept) if kept else None,
    )


def _partial_call(call: Call, event: str) -> PartialToolCall:
    started = event == "start"
    return PartialToolCall(
        role="assistant",
        event_type=event,
        name=call.name if started else "",
        arguments=_arguments(call) if started else "",
        tool_call_id=call.id,
    )


def _arguments(call: Call) -> str:
    """Return the raw input, or what stands in for one: the kind of tool and the files it is about."""
    if call.arguments:
        return call.arguments
    told = {"kind": call.category, "locations": list(call.places)}
    return compact({each: value for each, value in told.items() if value})
